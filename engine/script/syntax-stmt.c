/* syntax-stmt: tokens to statements.
 *
 * A statement whose head cannot be read becomes BROKEN; what is indented below it is read all the same, so that its
 * findings are told too, and reading goes on with the next statement.
 */
#include "engine/script/script-private.h"

static LsSyn *parse_statement (LsSynParser *self);

static LsSyn *
start_here (LsSynParser *self,
            LsSynKind    kind)
{
  return ls_syn_new (self, kind, ls_syn_peek (self)->start);
}

static LsSpan
peek_span (LsSynParser *self)
{
  const LsToken *token = ls_syn_peek (self);

  return (LsSpan) { ls_source_get_id (self->source), token->start, token->end };
}

static char *
take_name (LsSynParser *self,
           const char  *expected)
{
  const LsToken *token = ls_syn_peek (self);
  g_autofree char *valid = NULL;

  if (token->kind != LS_TOKEN_NAME)
    {
      ls_syn_unexpected (self, expected);
      return NULL;
    }
  self->at++;
  valid = g_utf8_make_valid (self->text + token->start, token->end - token->start);
  return ls_arena_strndup (self->arena, valid, strlen (valid));
}

/* ---- recovery ------------------------------------------------------------------- */

static void
skip_line (LsSynParser *self)
{
  while (ls_syn_peek (self)->kind != LS_TOKEN_NEWLINE && ls_syn_peek (self)->kind != LS_TOKEN_END)
    self->at++;
  if (ls_syn_peek (self)->kind == LS_TOKEN_NEWLINE)
    self->at++;
}

static gboolean
accept_kind (LsSynParser *self,
             LsTokenKind  kind)
{
  if (ls_syn_peek (self)->kind != kind)
    return FALSE;
  self->at++;
  return TRUE;
}

/* Statements until the block that was opened by an INDENT ends. */
static void
parse_indented (LsSynParser *self,
                GPtrArray   *out)
{
  while (ls_syn_peek (self)->kind != LS_TOKEN_DEDENT && ls_syn_peek (self)->kind != LS_TOKEN_END)
    {
      LsSyn *stmt = parse_statement (self);

      if (stmt != NULL)
        g_ptr_array_add (out, stmt);
    }
  accept_kind (self, LS_TOKEN_DEDENT);
}

static LsSyn *
broken (LsSynParser *self,
        guint32      start)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  LsSyn *syn = ls_syn_new (self, LS_SYN_BROKEN, start);

  self->panic = FALSE;
  self->nesting = 0;
  skip_line (self);
  if (accept_kind (self, LS_TOKEN_INDENT))
    parse_indented (self, items);
  syn->items = ls_syn_take (self, items, &syn->n);
  syn->span.end = self->at > 0 ? MAX (start, g_array_index (self->tokens, LsToken, self->at - 1).end) : start;
  return syn;
}

/* ---- simple statements -------------------------------------------------------------- */

static LsSyn *
parse_assign (LsSynParser *self,
              LsSyn       *first)
{
  g_autoptr (GPtrArray) targets = g_ptr_array_new ();
  LsSyn *syn = ls_syn_new (self, LS_SYN_ASSIGN, first->span.start);
  LsSyn *value = first;

  while (ls_syn_accept (self, '='))
    {
      g_ptr_array_add (targets, value);
      value = ls_syn_is_word (self, "yield") ? ls_syn_parse_expr (self) : ls_syn_parse_expr_list (self);
      if (value == NULL)
        return NULL;
    }
  syn->items = ls_syn_take (self, targets, &syn->n);
  syn->a = value;
  return ls_syn_finish (self, syn);
}

static guint32
augmented_op (LsSynParser *self)
{
  const LsToken *token = ls_syn_peek (self);

  if (token->kind != LS_TOKEN_OP)
    return 0;
  switch (token->op)
    {
    case LS_OP2 ('+', '='):
    case LS_OP2 ('-', '='):
    case LS_OP2 ('*', '='):
    case LS_OP2 ('/', '='):
    case LS_OP2 ('%', '='):
    case LS_OP2 ('@', '='):
    case LS_OP2 ('&', '='):
    case LS_OP2 ('|', '='):
    case LS_OP2 ('^', '='):
      return token->op & 0xff;
    case LS_OP3 ('/', '/', '='):
    case LS_OP3 ('*', '*', '='):
    case LS_OP3 ('<', '<', '='):
    case LS_OP3 ('>', '>', '='):
      return token->op & 0xffff;
    default:
      return 0;
    }
}

static LsSyn *
parse_expression_statement (LsSynParser *self)
{
  LsSyn *syn = start_here (self, LS_SYN_EXPR);
  guint32 op;

  syn->a = ls_syn_parse_expr_list (self);
  if (syn->a == NULL)
    return NULL;
  if (ls_syn_is_op (self, '='))
    return parse_assign (self, syn->a);
  if ((op = augmented_op (self)) != 0)
    {
      self->at++;
      syn->kind = LS_SYN_AUGMENT;
      syn->op = op;
      syn->b = ls_syn_parse_expr_list (self);
      return syn->b != NULL ? ls_syn_finish (self, syn) : NULL;
    }
  if (ls_syn_accept (self, ':'))
    {
      syn->kind = LS_SYN_ANNOTATED;
      syn->b = ls_syn_parse_expr (self);
      if (syn->b == NULL || (ls_syn_accept (self, '=') && (syn->c = ls_syn_parse_expr_list (self)) == NULL))
        return NULL;
    }
  return ls_syn_finish (self, syn);
}

static gboolean
at_line_end (LsSynParser *self)
{
  return ls_syn_peek (self)->kind == LS_TOKEN_NEWLINE || ls_syn_peek (self)->kind == LS_TOKEN_END || ls_syn_is_op (self, ';');
}

static char *
parse_dotted (LsSynParser *self)
{
  g_autoptr (GString) path = g_string_new (NULL);

  while (ls_syn_is_op (self, '.') || ls_syn_is_op (self, LS_OP3 ('.', '.', '.')))
    self->at++;
  if (ls_syn_is_word (self, "import"))
    return ls_arena_strndup (self->arena, "", 0);
  do
    {
      const char *name = take_name (self, "the name of a module");

      if (name == NULL)
        return NULL;
      g_string_append_printf (path, "%s%s", path->len > 0 ? "." : "", name);
    }
  while (ls_syn_accept (self, '.'));
  return ls_arena_strndup (self->arena, path->str, path->len);
}

static LsSyn *
parse_alias (LsSynParser *self)
{
  LsSyn *syn = start_here (self, LS_SYN_ALIAS);

  if (ls_syn_accept (self, '*'))
    {
      syn->text = "*";
      return ls_syn_finish (self, syn);
    }
  syn->text = parse_dotted (self);
  if (syn->text == NULL)
    return NULL;
  if (ls_syn_accept_word (self, "as"))
    {
      syn->a = start_here (self, LS_SYN_NAME);
      syn->a->text = take_name (self, "a name");
      if (syn->a->text == NULL)
        return NULL;
    }
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_import (LsSynParser *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  LsSyn *syn = start_here (self, LS_SYN_IMPORT);
  gboolean bracket;

  if (ls_syn_accept_word (self, "from"))
    {
      syn->kind = LS_SYN_FROM;
      syn->text = parse_dotted (self);
      if (syn->text == NULL)
        return NULL;
    }
  if (!ls_syn_accept_word (self, "import"))
    {
      ls_syn_unexpected (self, "`import`");
      return NULL;
    }
  bracket = syn->kind == LS_SYN_FROM && ls_syn_accept (self, '(');
  do
    {
      LsSyn *alias;

      if (bracket && ls_syn_is_op (self, ')'))
        break;
      if ((alias = parse_alias (self)) == NULL)
        return NULL;
      g_ptr_array_add (items, alias);
    }
  while (ls_syn_accept (self, ','));
  if (bracket && !ls_syn_expect (self, ')', "after the imported names"))
    return NULL;
  syn->items = ls_syn_take (self, items, &syn->n);
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_assert (LsSynParser *self)
{
  LsSyn *syn = start_here (self, LS_SYN_ASSERT);

  self->at++;
  if ((syn->a = ls_syn_parse_expr (self)) == NULL)
    return NULL;
  if (ls_syn_accept (self, ',') && (syn->b = ls_syn_parse_expr (self)) == NULL)
    return NULL;
  return ls_syn_finish (self, syn);
}

/* return, del, raise, global, nonlocal: a word and perhaps expressions */
static LsSyn *
parse_word_statement (LsSynParser *self,
                      LsSynKind    kind)
{
  LsSyn *syn = start_here (self, kind);

  self->at++;
  if (!at_line_end (self) && (syn->a = ls_syn_parse_expr_list (self)) == NULL)
    return NULL;
  if (kind == LS_SYN_OTHER && ls_syn_accept_word (self, "from") && ls_syn_parse_expr (self) == NULL)
    return NULL;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_single_word (LsSynParser *self,
                   LsSynKind    kind)
{
  LsSyn *syn = start_here (self, kind);

  self->at++;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_simple (LsSynParser *self)
{
  if (ls_syn_is_word (self, "import") || ls_syn_is_word (self, "from"))
    return parse_import (self);
  if (ls_syn_is_word (self, "return"))
    return parse_word_statement (self, LS_SYN_RETURN);
  if (ls_syn_is_word (self, "assert"))
    return parse_assert (self);
  if (ls_syn_is_word (self, "pass"))
    return parse_single_word (self, LS_SYN_PASS);
  if (ls_syn_is_word (self, "break"))
    return parse_single_word (self, LS_SYN_BREAK);
  if (ls_syn_is_word (self, "continue"))
    return parse_single_word (self, LS_SYN_CONTINUE);
  if (ls_syn_is_word (self, "del") || ls_syn_is_word (self, "raise") || ls_syn_is_word (self, "global") ||
      ls_syn_is_word (self, "nonlocal"))
    return parse_word_statement (self, LS_SYN_OTHER);
  return parse_expression_statement (self);
}

/* ---- compound statements --------------------------------------------------------------- */

/* A further branch may follow on the next line of a block that stands on one. */
static void
go_to_branch (LsSynParser *self)
{
  static const char *const BRANCHES[] = { "else", "elif", "except", "finally" };

  if (!accept_kind (self, LS_TOKEN_NEWLINE))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (BRANCHES); i++)
    if (ls_syn_is_word (self, BRANCHES[i]))
      return;
  self->at--;
}

/* `:` and an indented block, or simple statements on the same line */
static gboolean
parse_suite (LsSynParser *self,
             const char  *after,
             LsSyn     ***items,
             guint       *n)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new ();

  if (!ls_syn_expect (self, ':', after))
    return FALSE;
  if (accept_kind (self, LS_TOKEN_NEWLINE))
    {
      if (!accept_kind (self, LS_TOKEN_INDENT))
        {
          ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/indent", peek_span (self),
                              "An indented block was expected %s.", ls_translate (after));
          return TRUE;
        }
      parse_indented (self, out);
    }
  else
    {
      do
        {
          LsSyn *stmt = parse_simple (self);

          if (stmt == NULL)
            return FALSE;
          g_ptr_array_add (out, stmt);
        }
      while (ls_syn_accept (self, ';') && ls_syn_peek (self)->kind != LS_TOKEN_NEWLINE);
      go_to_branch (self);
    }
  *items = ls_syn_take (self, out, n);
  return TRUE;
}

static gboolean
end_simple (LsSynParser *self)
{
  if (ls_syn_peek (self)->kind == LS_TOKEN_NEWLINE)
    self->at++;
  return TRUE;
}

static LsSyn *
parse_for (LsSynParser *self)
{
  LsSyn *syn = start_here (self, LS_SYN_FOR);

  self->at++;
  if ((syn->a = ls_syn_parse_target_list (self)) == NULL)
    return NULL;
  if (!ls_syn_accept_word (self, "in"))
    {
      ls_syn_unexpected (self, "`in`");
      return NULL;
    }
  if ((syn->b = ls_syn_parse_expr_list (self)) == NULL || !parse_suite (self, "after the loop", &syn->items, &syn->n))
    return NULL;
  if (ls_syn_accept_word (self, "else") && !parse_suite (self, "after `else`", &syn->more, &syn->n_more))
    return NULL;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_while (LsSynParser *self)
{
  LsSyn *syn = start_here (self, LS_SYN_WHILE);

  self->at++;
  if ((syn->a = ls_syn_parse_expr (self)) == NULL || !parse_suite (self, "after the condition", &syn->items, &syn->n))
    return NULL;
  if (ls_syn_accept_word (self, "else") && !parse_suite (self, "after `else`", &syn->more, &syn->n_more))
    return NULL;
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_if (LsSynParser *self)
{
  LsSyn *syn = start_here (self, LS_SYN_IF);

  if (++self->nesting > LS_SCRIPT_MAX_NESTING)
    {
      if (!self->panic)
        ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/nesting", peek_span (self),
                            "Conditions nest more than %d levels deep.", LS_SCRIPT_MAX_NESTING);
      self->panic = TRUE;
      return NULL;
    }
  self->at++;
  if ((syn->a = ls_syn_parse_expr (self)) == NULL || !parse_suite (self, "after the condition", &syn->items, &syn->n))
    return NULL;
  if (ls_syn_is_word (self, "elif"))
    {
      LsSyn *nested = parse_if (self);

      if (nested == NULL)
        return NULL;
      syn->more = ls_arena_alloc (self->arena, sizeof (LsSyn *));
      syn->more[0] = nested;
      syn->n_more = 1;
    }
  else if (ls_syn_accept_word (self, "else") && !parse_suite (self, "after `else`", &syn->more, &syn->n_more))
    return NULL;
  self->nesting--;
  return ls_syn_finish (self, syn);
}

static gboolean
parse_with_items (LsSynParser *self,
                  GPtrArray   *items,
                  gboolean     bracket)
{
  do
    {
      LsSyn *item;

      if (bracket && ls_syn_is_op (self, ')'))
        break;
      item = start_here (self, LS_SYN_WITH_ITEM);
      if ((item->a = ls_syn_parse_expr (self)) == NULL)
        return FALSE;
      if (ls_syn_accept_word (self, "as"))
        {
          /* one target: a name or a bracketed tuple */
          item->b = ls_syn_parse_expr (self);
          if (item->b == NULL)
            return FALSE;
        }
      if (ls_syn_finish (self, item) == NULL)
        return FALSE;
      g_ptr_array_add (items, item);
    }
  while (ls_syn_accept (self, ','));
  return TRUE;
}

/* Does a bracket that opens here close right before the `:` of the statement, with `as` or `,` inside? */
static gboolean
bracketed_items (LsSynParser *self)
{
  guint depth = 0;
  gboolean several = FALSE;

  for (guint i = self->at; i < self->tokens->len; i++)
    {
      const LsToken *t = &g_array_index (self->tokens, LsToken, i);

      if (t->kind == LS_TOKEN_NEWLINE || t->kind == LS_TOKEN_END)
        return FALSE;
      if (t->kind == LS_TOKEN_OP && (t->op == '(' || t->op == '[' || t->op == '{'))
        depth++;
      else if (t->kind == LS_TOKEN_OP && (t->op == ')' || t->op == ']' || t->op == '}') && --depth == 0)
        {
          const LsToken *next = &g_array_index (self->tokens, LsToken, i + 1);

          return several && next->kind == LS_TOKEN_OP && next->op == ':';
        }
      else if (depth == 1 && ((t->kind == LS_TOKEN_OP && t->op == ',') ||
                              (t->kind == LS_TOKEN_KEYWORD && t->end - t->start == 2 && memcmp (self->text + t->start, "as", 2) == 0)))
        several = TRUE;
    }
  return FALSE;
}

static LsSyn *
parse_with (LsSynParser *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  LsSyn *syn = start_here (self, LS_SYN_WITH);
  gboolean bracket;

  self->at++;
  bracket = ls_syn_is_op (self, '(') && bracketed_items (self);
  if (bracket)
    self->at++;
  if (!parse_with_items (self, items, bracket) || (bracket && !ls_syn_expect (self, ')', "")))
    return NULL;
  syn->more = ls_syn_take (self, items, &syn->n_more);
  return parse_suite (self, "after `with`", &syn->items, &syn->n) ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_params (LsSynParser *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  LsSyn *syn = start_here (self, LS_SYN_TUPLE);

  if (!ls_syn_expect (self, '(', "before the parameters"))
    return NULL;
  while (!ls_syn_is_op (self, ')'))
    {
      LsSyn *param = ls_syn_parse_param (self, TRUE);

      if (param == NULL)
        return NULL;
      g_ptr_array_add (items, param);
      if (!ls_syn_accept (self, ',') && !ls_syn_is_op (self, ')'))
        {
          ls_syn_unexpected (self, "`,` or `)`");
          return NULL;
        }
    }
  self->at++;
  syn->items = ls_syn_take (self, items, &syn->n);
  return ls_syn_finish (self, syn);
}

static LsSyn *
parse_def (LsSynParser *self,
           GPtrArray   *decorators)
{
  LsSyn *syn = start_here (self, LS_SYN_DEF);

  self->at++;
  syn->name_span = peek_span (self);
  if ((syn->text = take_name (self, "the name of the function")) == NULL || (syn->a = parse_params (self)) == NULL)
    return NULL;
  if (ls_syn_accept (self, LS_OP2 ('-', '>')) && (syn->b = ls_syn_parse_expr (self)) == NULL)
    return NULL;
  syn->more = ls_syn_take (self, decorators, &syn->n_more);
  return parse_suite (self, "after the parameters", &syn->items, &syn->n) ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_class (LsSynParser *self,
             GPtrArray   *decorators)
{
  LsSyn *syn = start_here (self, LS_SYN_CLASS);

  self->at++;
  syn->name_span = peek_span (self);
  if ((syn->text = take_name (self, "the name of the class")) == NULL)
    return NULL;
  if (ls_syn_accept (self, '('))
    {
      while (!ls_syn_is_op (self, ')'))
        {
          if (ls_syn_parse_expr (self) == NULL || (ls_syn_accept (self, '=') && ls_syn_parse_expr (self) == NULL))
            return NULL;
          if (!ls_syn_accept (self, ',') && !ls_syn_is_op (self, ')'))
            {
              ls_syn_unexpected (self, "`,` or `)`");
              return NULL;
            }
        }
      self->at++;
    }
  syn->more = ls_syn_take (self, decorators, &syn->n_more);
  return parse_suite (self, "after the class name", &syn->items, &syn->n) ? ls_syn_finish (self, syn) : NULL;
}

static LsSyn *
parse_decorated (LsSynParser *self)
{
  g_autoptr (GPtrArray) decorators = g_ptr_array_new ();

  while (ls_syn_accept (self, '@'))
    {
      LsSyn *decorator = ls_syn_parse_expr (self);

      if (decorator == NULL)
        return NULL;
      g_ptr_array_add (decorators, decorator);
      if (!accept_kind (self, LS_TOKEN_NEWLINE))
        {
          ls_syn_unexpected (self, "the end of the line");
          return NULL;
        }
    }
  ls_syn_accept_word (self, "async");
  if (ls_syn_is_word (self, "def"))
    return parse_def (self, decorators);
  if (ls_syn_is_word (self, "class"))
    return parse_class (self, decorators);
  ls_syn_unexpected (self, "`def` or `class`");
  return NULL;
}

static LsSyn *
parse_try (LsSynParser *self)
{
  LsSyn *syn = start_here (self, LS_SYN_OTHER);
  LsSyn **items;
  guint n;

  self->at++;
  if (!parse_suite (self, "after `try`", &items, &n))
    return NULL;
  while (ls_syn_is_word (self, "except") || ls_syn_is_word (self, "else") || ls_syn_is_word (self, "finally"))
    {
      self->at++;
      ls_syn_accept (self, '*');
      if (!ls_syn_is_op (self, ':'))
        {
          if (ls_syn_parse_expr (self) == NULL || (ls_syn_accept_word (self, "as") && take_name (self, "a name") == NULL))
            return NULL;
        }
      if (!parse_suite (self, "here", &items, &n))
        return NULL;
    }
  return ls_syn_finish (self, syn);
}

static gboolean
is_compound (LsSynParser *self)
{
  static const char *const WORDS[] = { "for", "while", "if", "with", "def", "class", "try" };

  for (guint i = 0; i < G_N_ELEMENTS (WORDS); i++)
    if (ls_syn_is_word (self, WORDS[i]))
      return TRUE;
  return ls_syn_is_op (self, '@') || ls_syn_is_word (self, "async");
}

static LsSyn *
parse_compound (LsSynParser *self)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  if (ls_syn_is_op (self, '@'))
    return parse_decorated (self);
  ls_syn_accept_word (self, "async");
  if (ls_syn_is_word (self, "for"))
    return parse_for (self);
  if (ls_syn_is_word (self, "while"))
    return parse_while (self);
  if (ls_syn_is_word (self, "if"))
    return parse_if (self);
  if (ls_syn_is_word (self, "with"))
    return parse_with (self);
  if (ls_syn_is_word (self, "def"))
    return parse_def (self, none);
  if (ls_syn_is_word (self, "class"))
    return parse_class (self, none);
  return parse_try (self);
}

static LsSyn *
parse_simple_line (LsSynParser *self)
{
  LsSyn *stmt = parse_simple (self);

  if (stmt == NULL)
    return NULL;
  if (!at_line_end (self))
    {
      ls_syn_unexpected (self, "the end of the line");
      return NULL;
    }
  if (!ls_syn_accept (self, ';'))
    end_simple (self);
  else if (ls_syn_peek (self)->kind == LS_TOKEN_NEWLINE)
    self->at++;
  return stmt;
}

/* A statement, BROKEN in place of one that cannot be read; NULL for a line that holds none. */
static LsSyn *
parse_statement (LsSynParser *self)
{
  guint before = self->at;
  guint32 start = ls_syn_peek (self)->start;
  guint nesting = self->nesting;
  gboolean compound;
  LsSyn *stmt;

  self->panic = FALSE;
  if (accept_kind (self, LS_TOKEN_NEWLINE))
    return NULL;
  if (ls_syn_peek (self)->kind == LS_TOKEN_INDENT)
    {
      ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "script/indent", peek_span (self),
                          "This line is indented more than the block that it belongs to.");
      self->at++;
      {
        g_autoptr (GPtrArray) items = g_ptr_array_new ();
        LsSyn *syn = ls_syn_new (self, LS_SYN_BROKEN, start);

        parse_indented (self, items);
        syn->items = ls_syn_take (self, items, &syn->n);
        return syn;
      }
    }
  compound = is_compound (self);
  stmt = compound ? parse_compound (self) : parse_simple_line (self);
  self->nesting = nesting;
  if (stmt != NULL && !(self->panic && !compound))
    {
      self->panic = FALSE;
      return stmt;
    }
  stmt = broken (self, start);
  self->nesting = nesting;
  if (self->at == before)
    self->at++;
  return stmt;
}

GPtrArray *
ls_syn_parse_file (LsSynParser *self)
{
  GPtrArray *out = g_ptr_array_new ();

  while (ls_syn_peek (self)->kind != LS_TOKEN_END)
    {
      LsSyn *stmt;

      if (accept_kind (self, LS_TOKEN_DEDENT))
        continue;
      stmt = parse_statement (self);
      if (stmt != NULL)
        g_ptr_array_add (out, stmt);
    }
  return out;
}
