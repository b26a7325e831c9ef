/* lexer: TVMScript text to tokens, by Python's lexical rules.
 *
 * Line ends inside brackets and after a backslash join lines; indentation becomes INDENT and DEDENT (a tab goes to
 * the next multiple of eight).  Findings do not stop it: a byte that belongs to no token is left out, a bracket that
 * is still open where a new definition starts is closed there, so that one slip does not swallow the file.
 */
#include "engine/script/script-private.h"

#define MAX_BRACKETS 1000
#define MAX_INDENTS 200
#define BAD_BYTES 5             /* that many bytes that are not UTF-8 are told; then it is no text */

typedef struct {
  LsSource      *source;
  guint32        id;
  const char    *text;
  gsize          length;
  gsize          at;
  LsDiagnostics *diagnostics;
  GArray        *tokens;
  guint32        brackets[MAX_BRACKETS];        /* where they were opened */
  guint          n_brackets;
  guint          n_skipped;     /* brackets beyond MAX_BRACKETS that are still open */
  gboolean       stray;         /* a bracket too many was told in this line */
  guint          indents[MAX_INDENTS];
  guint          n_indents;
  guint          n_bad_bytes;
  gboolean       too_deep;
} Lexer;

static const char *const KEYWORDS[] = {
  "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
  "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
  "pass", "raise", "return", "try", "while", "with", "yield",
};

static LsSpan
span_of (Lexer  *lx,
         gsize   start,
         gsize   end)
{
  return (LsSpan) { lx->id, (guint32) start, (guint32) end };
}

static void
push (Lexer      *lx,
      LsTokenKind kind,
      gsize       start,
      gsize       end,
      guint32     op)
{
  LsToken token = { kind, (guint32) start, (guint32) end, op };

  g_array_append_val (lx->tokens, token);
}

static inline gboolean
is_name_start (guchar c)
{
  return g_ascii_isalpha (c) || c == '_' || c >= 0x80;
}

static inline gboolean
is_name_char (guchar c)
{
  return g_ascii_isalnum (c) || c == '_' || c >= 0x80;
}

static inline int
peek (Lexer *lx,
      gsize  ahead)
{
  return lx->at + ahead < lx->length ? (guchar) lx->text[lx->at + ahead] : -1;
}

/* ---- names, numbers, strings ----------------------------------------------- */

static gboolean
is_keyword (const char *text,
            gsize       length)
{
  if (length < 2 || length > 8)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (KEYWORDS); i++)
    if (KEYWORDS[i][0] == text[0] && strncmp (KEYWORDS[i], text, length) == 0 && KEYWORDS[i][length] == '\0')
      return TRUE;
  return FALSE;
}

static void
lex_string (Lexer *lx,
            gsize  start)
{
  char quote = lx->text[lx->at];
  gboolean triple = peek (lx, 1) == quote && peek (lx, 2) == quote;
  gsize opener = lx->at;

  lx->at += triple ? 3 : 1;
  for (;; lx->at++)
    {
      int c = peek (lx, 0);

      if (c < 0 || (!triple && (c == '\n' || c == '\r')))
        {
          LsDiagnostic *d = ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/string",
                                                span_of (lx, opener, opener + (triple ? 3 : 1)),
                                                triple ? "This text is not closed: %c (three of them) is missing."
                                                       : LS_TEXT ("This text is not closed: %c is missing at the end of the line."), quote);
          ls_diagnostic_set_repair (d, "Close the text with %c.", quote);
          push (lx, LS_TOKEN_STRING, start, lx->at, 1);
          return;
        }
      if (c == '\\' && lx->at + 1 < lx->length)
        {
          lx->at++;
          if (lx->text[lx->at] == '\r' && peek (lx, 1) == '\n')
            lx->at++;
        }
      else if (c == quote && (!triple || (peek (lx, 1) == quote && peek (lx, 2) == quote)))
        break;
    }
  lx->at += triple ? 3 : 1;
  push (lx, LS_TOKEN_STRING, start, lx->at, 0);
}

static gboolean
is_string_prefix (const char *text,
                  gsize       length)
{
  if (length > 2)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (strchr ("rRbBuUfF", text[i]) == NULL)
      return FALSE;
  return TRUE;
}

static void
lex_name (Lexer *lx)
{
  gsize start = lx->at;

  while (lx->at < lx->length && is_name_char (lx->text[lx->at]))
    lx->at++;
  if ((peek (lx, 0) == '"' || peek (lx, 0) == '\'') && is_string_prefix (lx->text + start, lx->at - start))
    lex_string (lx, start);
  else
    push (lx, is_keyword (lx->text + start, lx->at - start) ? LS_TOKEN_KEYWORD : LS_TOKEN_NAME, start, lx->at, 0);
}

static void
skip_digits (Lexer *lx)
{
  while (g_ascii_isdigit (peek (lx, 0)) || peek (lx, 0) == '_')
    lx->at++;
}

static void
lex_number (Lexer *lx)
{
  gsize start = lx->at;
  gboolean real = FALSE;

  if (peek (lx, 0) == '0' && peek (lx, 1) > 0 && strchr ("xXoObB", peek (lx, 1)) != NULL)
    {
      lx->at += 2;
      while (g_ascii_isalnum (peek (lx, 0)) || peek (lx, 0) == '_')
        lx->at++;
      push (lx, LS_TOKEN_INT, start, lx->at, 0);
      return;
    }
  skip_digits (lx);
  if (peek (lx, 0) == '.')
    {
      real = TRUE;
      lx->at++;
      skip_digits (lx);
    }
  if (peek (lx, 0) == 'e' || peek (lx, 0) == 'E')
    {
      gsize sign = peek (lx, 1) == '+' || peek (lx, 1) == '-';

      if (g_ascii_isdigit (peek (lx, 1 + sign)))
        {
          real = TRUE;
          lx->at += 1 + sign;
          skip_digits (lx);
        }
    }
  if (peek (lx, 0) == 'j' || peek (lx, 0) == 'J')
    {
      lx->at++;
      push (lx, LS_TOKEN_IMAGINARY, start, lx->at, 0);
      return;
    }
  if (lx->at < lx->length && is_name_start (lx->text[lx->at]))
    {
      gsize bad = lx->at;

      while (lx->at < lx->length && is_name_char (lx->text[lx->at]))
        lx->at++;
      ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/number", span_of (lx, start, lx->at),
                          "The number %.*s is followed directly by %.*s.", (int) (bad - start), lx->text + start,
                          (int) MIN (lx->at - bad, 40), lx->text + bad);
    }
  push (lx, real ? LS_TOKEN_FLOAT : LS_TOKEN_INT, start, lx->at, 0);
}

/* ---- operators and brackets --------------------------------------------------- */

static void
unclosed (Lexer *lx,
          gsize  where)
{
  guint32 opener = lx->brackets[lx->n_brackets - 1];
  LsDiagnostic *d = ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/expected-token",
                                        span_of (lx, opener, opener + 1), "The bracket `%c` is never closed.", lx->text[opener]);

  if (d != NULL)
    ls_diagnostic_add_note (d, span_of (lx, where, where), "It is still open here.");
}

static char
closer_of (Lexer *lx,
           guint  i)
{
  char opener = lx->text[lx->brackets[i]];

  return opener == '(' ? ')' : opener == '[' ? ']' : '}';
}

/* One finding about closing brackets in a line. */
static LsDiagnostic *
stray_bracket (Lexer *lx,
               char   found,
               char   wanted)
{
  LsSpan span = span_of (lx, lx->at, lx->at + 1);

  if (lx->stray)
    return NULL;
  lx->stray = TRUE;
  if (wanted == 0)
    return ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/expected-token", span, "`%c` closes a bracket that was not opened.", found);
  return ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/expected-token", span, "`%c` was found where `%c` was expected.", found, wanted);
}

/* Is a bracket open, further out, that `c` closes? */
static gboolean
closes_outer (Lexer *lx,
              char   c)
{
  for (guint i = lx->n_brackets; i-- > 0;)
    if (closer_of (lx, i) == c)
      return TRUE;
  return FALSE;
}

static void
close_bracket (Lexer *lx,
               char   c)
{
  char wanted = lx->n_brackets > 0 ? closer_of (lx, lx->n_brackets - 1) : 0;

  if (lx->n_skipped > 0)
    {
      lx->n_skipped--;
      return;
    }
  if (wanted == 0)
    {
      stray_bracket (lx, c, 0);
      return;
    }
  if (wanted != c)
    {
      LsDiagnostic *d = stray_bracket (lx, c, wanted);

      if (d != NULL)
        ls_diagnostic_add_note (d, span_of (lx, lx->brackets[lx->n_brackets - 1], lx->brackets[lx->n_brackets - 1] + 1),
                                "The bracket was opened here.");
      for (gboolean outer = closes_outer (lx, c); outer && closer_of (lx, lx->n_brackets - 1) != c; lx->n_brackets--)
        push (lx, LS_TOKEN_OP, lx->at, lx->at, (guchar) closer_of (lx, lx->n_brackets - 1));
    }
  push (lx, LS_TOKEN_OP, lx->at, lx->at + 1, (guchar) closer_of (lx, lx->n_brackets - 1));
  lx->n_brackets--;
}

static void
open_bracket (Lexer *lx,
              char   c)
{
  if (lx->n_brackets == MAX_BRACKETS)
    {
      if (!lx->too_deep)
        ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/nesting", span_of (lx, lx->at, lx->at + 1),
                            "Brackets nest more than %d deep.", MAX_BRACKETS);
      lx->too_deep = TRUE;
      lx->n_skipped++;
      return;
    }
  lx->brackets[lx->n_brackets++] = (guint32) lx->at;
  push (lx, LS_TOKEN_OP, lx->at, lx->at + 1, (guchar) c);
}

static guint
operator_length (Lexer *lx)
{
  static const char *const OPS[] = {
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "**", "//", "<<", ">>", "+=", "-=", "*=", "/=",
    "%=", "@=", "&=", "|=", "^=", "<>",
  };

  int next = peek (lx, 1);

  for (guint i = 0; next > 0 && strchr ("*/=<>.", next) != NULL && i < G_N_ELEMENTS (OPS); i++)
    {
      gsize n = strlen (OPS[i]);

      if (lx->length - lx->at >= n && memcmp (OPS[i], lx->text + lx->at, n) == 0)
        return n;
    }
  return strchr ("+-*/%@&|^~<>=.,:;", lx->text[lx->at]) != NULL ? 1 : 0;
}

static void
lex_other (Lexer *lx)
{
  char c = lx->text[lx->at];
  guint n;

  if (c == '(' || c == '[' || c == '{')
    {
      open_bracket (lx, c);
      lx->at++;
    }
  else if (c == ')' || c == ']' || c == '}')
    {
      close_bracket (lx, c);
      lx->at++;
    }
  else if (c != '\0' && (n = operator_length (lx)) > 0)
    {
      guint32 op = 0;

      for (guint i = 0; i < n; i++)
        op |= (guint32) (guchar) lx->text[lx->at + i] << (8 * i);
      push (lx, LS_TOKEN_OP, lx->at, lx->at + n, op);
      lx->at += n;
    }
  else
    {
      if (g_ascii_isprint (c))
        ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/character", span_of (lx, lx->at, lx->at + 1),
                            "The character `%c` has no place in a script.", c);
      else if (lx->n_bad_bytes++ < 5)
        ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/character", span_of (lx, lx->at, lx->at + 1),
                            "The control character 0x%02x has no place in a script.", (guchar) c);
      lx->at++;
    }
}

/* ---- lines ----------------------------------------------------------------- */

static void
skip_comment (Lexer *lx)
{
  while (peek (lx, 0) >= 0 && peek (lx, 0) != '\n' && peek (lx, 0) != '\r')
    lx->at++;
}

static void
skip_line_end (Lexer *lx)
{
  if (peek (lx, 0) == '\r')
    lx->at++;
  if (peek (lx, 0) == '\n')
    lx->at++;
}

/* Measures the indentation of the line that starts here; -1 for a line without tokens (skipped). */
static int
measure_line (Lexer *lx)
{
  int column = 0;

  for (;; lx->at++)
    {
      int c = peek (lx, 0);

      if (c == ' ')
        column++;
      else if (c == '\t')
        column = (column / 8 + 1) * 8;
      else if (c == '\f')
        column = 0;
      else
        break;
    }
  if (peek (lx, 0) == '#')
    skip_comment (lx);
  if (peek (lx, 0) == '\n' || peek (lx, 0) == '\r')
    {
      skip_line_end (lx);
      return -1;
    }
  return peek (lx, 0) < 0 ? -1 : column;
}

static void
set_indent (Lexer *lx,
            guint  column)
{
  if (column > lx->indents[lx->n_indents - 1])
    {
      if (lx->n_indents == MAX_INDENTS)
        {
          if (!lx->too_deep)
            ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/nesting", span_of (lx, lx->at, lx->at + 1),
                                "Blocks nest more than %d deep.", MAX_INDENTS);
          lx->too_deep = TRUE;
          return;
        }
      lx->indents[lx->n_indents++] = column;
      push (lx, LS_TOKEN_INDENT, lx->at, lx->at, 0);
      return;
    }
  while (lx->n_indents > 1 && column < lx->indents[lx->n_indents - 1])
    {
      lx->n_indents--;
      push (lx, LS_TOKEN_DEDENT, lx->at, lx->at, 0);
    }
  if (column > lx->indents[lx->n_indents - 1])
    {
      LsDiagnostic *d = ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/indent", span_of (lx, lx->at, lx->at + 1),
                                            "This line is indented by %u columns; no open block is.", column);

      g_autofree char *blanks = g_strnfill (lx->indents[lx->n_indents - 1], ' ');
      gsize start = lx->at;

      while (start > 0 && (lx->text[start - 1] == ' ' || lx->text[start - 1] == '\t' || lx->text[start - 1] == '\f'))
        start--;
      ls_diagnostic_set_repair (d, "Indent it by %u columns, like the block above it.", lx->indents[lx->n_indents - 1]);
      ls_diagnostic_set_fix (d, span_of (lx, start, lx->at), blanks);
    }
}

static gboolean
starts_definition (Lexer *lx)
{
  static const char *const WORDS[] = { "def", "class", "with", "return", "import" };

  if (peek (lx, 0) == '@')
    return peek (lx, 1) > 0 && is_name_start (peek (lx, 1));
  for (guint i = 0; i < G_N_ELEMENTS (WORDS); i++)
    {
      gsize n = strlen (WORDS[i]);

      if (lx->length - lx->at > n && memcmp (lx->text + lx->at, WORDS[i], n) == 0 && !is_name_char (lx->text[lx->at + n]) &&
          lx->text[lx->at + n] != '=' && lx->text[lx->at + n] != ',')
        return TRUE;
    }
  return FALSE;
}

/* A value ends the line before and a name starts this one: inside brackets that is never one expression. */
static gboolean
starts_statement (Lexer *lx)
{
  static const char *const INSIDE[] = { "for", "if", "else", "and", "or", "in", "is", "not", "async" };
  const LsToken *last = lx->tokens->len > 0 ? &g_array_index (lx->tokens, LsToken, lx->tokens->len - 1) : NULL;
  gsize n = 0;

  if (last == NULL || last->kind == LS_TOKEN_KEYWORD || last->kind < LS_TOKEN_NAME ||
      (last->kind == LS_TOKEN_OP && last->op != ')' && last->op != ']' && last->op != '}') ||
      peek (lx, 0) < 0 || !is_name_start ((guchar) peek (lx, 0)))
    return FALSE;
  while (peek (lx, n) >= 0 && is_name_char ((guchar) peek (lx, n)))
    n++;
  for (guint i = 0; i < G_N_ELEMENTS (INSIDE); i++)
    if (strlen (INSIDE[i]) == n && memcmp (INSIDE[i], lx->text + lx->at, n) == 0)
      return FALSE;
  return !is_string_prefix (lx->text + lx->at, n) || (peek (lx, n) != '"' && peek (lx, n) != '\'');
}

static gsize
line_start (Lexer *lx,
            gsize  at)
{
  while (at > 0 && lx->text[at - 1] != '\n' && lx->text[at - 1] != '\r')
    at--;
  return at;
}

/* At a line end inside brackets: a new definition below means that the brackets were forgotten. */
static void
join_or_break (Lexer *lx)
{
  gsize saved;

  skip_line_end (lx);
  saved = lx->at;
  while (peek (lx, 0) == ' ' || peek (lx, 0) == '\t')
    lx->at++;
  if (starts_definition (lx) || starts_statement (lx))
    {
      unclosed (lx, lx->at);
      lx->n_brackets = lx->n_skipped = 0;
      push (lx, LS_TOKEN_NEWLINE, saved, saved, 1);
      lx->at = line_start (lx, lx->at);
      set_indent (lx, (guint) MAX (measure_line (lx), 0));
    }
}

static void
start_line (Lexer *lx)
{
  while (lx->at < lx->length)
    {
      int column = measure_line (lx);

      if (column >= 0)
        {
          set_indent (lx, column);
          return;
        }
    }
}

/* FALSE if so much is wrong that this is no text: a picture, an archive, a text in another encoding. */
static gboolean
check_encoding (Lexer *lx)
{
  const char *at = lx->text;
  const char *end = lx->text + lx->length;
  guint n = 0;

  while (at < end)
    {
      LsDiagnostic *finding;
      const char *bad;

      if (g_utf8_validate_len (at, end - at, &bad))
        return TRUE;
      at = bad + 1;
      if (*bad == '\0')
        continue;
      finding = ls_diagnostics_add (lx->diagnostics, LS_SEVERITY_ERROR, "script/encoding",
                                    span_of (lx, bad - lx->text, bad - lx->text + 1),
                                    "The byte 0x%02x is not UTF-8 here.", (guchar) *bad);
      if (++n == BAD_BYTES)
        {
          ls_diagnostic_add_note (finding, (LsSpan) { 0 }, "This is no text in UTF-8; nothing more of it was read.");
          return FALSE;
        }
    }
  return TRUE;
}

GArray *
ls_script_lex (LsSource      *source,
               LsDiagnostics *diagnostics)
{
  Lexer lx = { .source = source, .diagnostics = diagnostics, .n_indents = 1 };
  gsize length;

  lx.id = ls_source_get_id (source);
  lx.text = ls_source_get_text (source, &length);
  lx.length = MIN (length, G_MAXUINT32 - 1);
  lx.tokens = g_array_sized_new (FALSE, FALSE, sizeof (LsToken), (guint) (lx.length / 3 + 16));
  if (!check_encoding (&lx))
    lx.length = 0;
  if (lx.length >= 3 && memcmp (lx.text, "\xef\xbb\xbf", 3) == 0)
    lx.at = 3;
  start_line (&lx);
  while (lx.at < lx.length)
    {
      int c = peek (&lx, 0);

      if (c == ' ' || c == '\t' || c == '\f')
        lx.at++;
      else if (c == '#')
        skip_comment (&lx);
      else if (c == '\\' && (peek (&lx, 1) == '\n' || peek (&lx, 1) == '\r'))
        {
          lx.at++;
          skip_line_end (&lx);
        }
      else if (c == '\n' || c == '\r')
        {
          lx.stray = FALSE;
          if (lx.n_brackets > 0)
            join_or_break (&lx);
          else
            {
              push (&lx, LS_TOKEN_NEWLINE, lx.at, lx.at, 0);
              skip_line_end (&lx);
              start_line (&lx);
            }
        }
      else if (is_name_start (c))
        lex_name (&lx);
      else if (g_ascii_isdigit (c) || (c == '.' && g_ascii_isdigit (peek (&lx, 1))))
        lex_number (&lx);
      else if (c == '"' || c == '\'')
        lex_string (&lx, lx.at);
      else
        lex_other (&lx);
    }
  if (lx.n_brackets > 0)
    unclosed (&lx, lx.length);
  push (&lx, LS_TOKEN_NEWLINE, lx.length, lx.length, lx.n_brackets > 0);
  for (; lx.n_indents > 1; lx.n_indents--)
    push (&lx, LS_TOKEN_DEDENT, lx.length, lx.length, 0);
  push (&lx, LS_TOKEN_END, lx.length, lx.length, 0);
  return lx.tokens;
}
