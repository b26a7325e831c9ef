/* parts: where the functions of a dump begin and end. */
#include "engine/passlog/private.h"

#include <string.h>

typedef struct {
  const char *text;
  gsize       at, end;          /* the line, without its end */
  gsize       next;
} Line;

static gboolean
next_line (Line *self,
           gsize end)
{
  const char *stop;

  if (self->next >= end)
    return FALSE;
  self->at = self->next;
  stop = memchr (self->text + self->at, '\n', end - self->at);
  self->end = stop != NULL ? (gsize) (stop - self->text) : end;
  self->next = MIN (self->end + 1, end);
  return TRUE;
}

static gsize
indent_of (const Line *line)
{
  gsize i = line->at;

  while (i < line->end && line->text[i] == ' ')
    i++;
  return i - line->at;
}

static gboolean
begins (const Line *line,
        gsize       from,
        const char *word)
{
  gsize n = strlen (word);

  return line->end - line->at >= from + n && memcmp (line->text + line->at + from, word, n) == 0;
}

/* The name after `sign` in a line: letters, digits, _ . $ - or what stands in quotes. */
static gboolean
name_after (const Line  *line,
            const char  *sign,
            const char **name,
            gsize       *length)
{
  const char *end = line->text + line->end;
  const char *at = memmem (line->text + line->at, line->end - line->at, sign, strlen (sign));

  if (at == NULL)
    return FALSE;
  at += strlen (sign);
  *name = at;
  if (at < end && *at == '"')
    {
      const char *stop = memchr (at + 1, '"', (gsize) (end - at - 1));

      *name = at + 1;
      *length = (gsize) ((stop != NULL ? stop : end) - at - 1);
      return *length > 0;
    }
  while (at < end && (g_ascii_isalnum (*at) || strchr ("_.$-", *at) != NULL))
    at++;
  *length = (gsize) (at - *name);
  return *length > 0;
}

/* "ENTRY %main.5 (p: f32[8]) -> f32[8] {", "%fused (p: f32[8]) -> f32[8] {"; the short form has neither signs nor types: "ENTRY main.5 {". */
static gboolean
computation_name (const Line  *line,
                  const char **name,
                  gsize       *length)
{
  gsize from = begins (line, 0, "ENTRY ") ? 6 : 0;

  if (from == 0 && begins (line, 0, "HloModule "))
    return FALSE;
  from += line->end > line->at + from && line->text[line->at + from] == '%';
  return name_after (&(Line) { line->text, line->at + from, line->end, line->next }, "", name, length);
}

/* ".visible .entry kernel(", ".func (.param .b32 r) f(": the name in front of the parameters. */
static gboolean
entry_name (const Line  *line,
            const char **name,
            gsize       *length)
{
  const char *at = line->text + line->at, *end = line->text + line->end;
  const char *word = memmem (at, (gsize) (end - at), ".entry ", 7);

  if (word == NULL)
    word = memmem (at, (gsize) (end - at), ".func ", 6);
  if (word == NULL || end[-1] == ';')           /* only declared */
    return FALSE;
  word += word[1] == 'e' ? 7 : 6;
  while (word < end && *word == ' ')
    word++;
  if (word < end && *word == '(')               /* what it returns */
    {
      word = memchr (word, ')', (gsize) (end - word));
      word = word != NULL ? word + 1 : end;
      while (word < end && *word == ' ')
        word++;
    }
  return name_after (&(Line) { line->text, (gsize) (word - line->text), line->end, line->next }, "", name, length);
}

/* Does a function begin in this line?  *word gets the length of its name. */
static gboolean
opens (const Line    *line,
       gsize          indent,
       LsPassLogKind  kind,
       const char   **name,
       gsize         *length)
{
  const char *at = line->text + line->at;
  gsize n = line->end - line->at;
  const char *space;

  switch (kind)
    {
    case LS_PASS_LOG_LLVM:
      if (n > 7 && at[0] == 'd' && begins (line, 0, "define "))
        return name_after (line, "@", name, length);
      return n > 12 && at[0] == '#' && begins (line, 0, "# Machine code for function ") && name_after (line, "function ", name, length);
    case LS_PASS_LOG_MLIR:
      space = n > indent ? memchr (at + indent, ' ', n - indent) : NULL;
      if (space == NULL || space - at < 4 || at[n - 1] != '{' || memcmp (space - 4, "func", 4) != 0)
        return FALSE;
      return name_after (line, "@", name, length);
    case LS_PASS_LOG_TVM:
      return begins (line, indent, "def ") && name_after (line, "def ", name, length);
    case LS_PASS_LOG_GCC:
      return n > 12 && at[0] == ';' && begins (line, 0, ";; Function ") && name_after (line, "Function ", name, length);
    case LS_PASS_LOG_XLA:
      return n > 0 && indent == 0 && at[n - 1] == '{' && computation_name (line, name, length);
    case LS_PASS_LOG_PTX:
      return n > 0 && at[0] == '.' && entry_name (line, name, length);
    case LS_PASS_LOG_AUTO:
    case LS_PASS_LOG_TEXT:
      break;
    }
  return FALSE;
}

/* Is this line the last of the function that began with `indent`?  *before: it is the first line after it. */
static gboolean
closes (const Line   *line,
        gsize         indent,
        LsPassLogKind kind,
        gboolean      machine,
        gboolean     *before)
{
  *before = FALSE;
  if (kind == LS_PASS_LOG_GCC)
    return *before = begins (line, 0, ";; Function ");
  if (kind == LS_PASS_LOG_TVM)
    return *before = line->end > line->at && indent_of (line) <= indent;
  if (machine)
    return begins (line, 0, "# End machine code for function ");
  return begins (line, indent, "}") && indent_of (line) == indent;
}

/* "(note 1 0 3 NOTE_INSN_DELETED)": an insn with none before it begins a chain. */
static gboolean
is_first_insn (const Line *line)
{
  gsize i = line->at + 1;

  while (i < line->end && (g_ascii_isalpha (line->text[i]) || line->text[i] == '_' || line->text[i] == '/'))
    i++;
  if (i == line->at + 1 || i + 1 >= line->end || line->text[i] != ' ' || !g_ascii_isdigit (line->text[i + 1]))
    return FALSE;
  for (i++; i < line->end && g_ascii_isdigit (line->text[i]); i++)
    ;
  return line->end - i >= 3 && memcmp (line->text + i, " 0 ", 3) == 0;
}

/* What passes of GCC tell stands before the function: the last body in braces (GIMPLE) or the last chain of insns (RTL) is the text.
 * FALSE: there is neither. */
static gboolean
narrow_gcc (const char *text,
            gsize      *start,
            gsize      *end)
{
  Line line = { text, *start, *start, *start };
  gsize open = G_MAXSIZE, from = G_MAXSIZE, to = 0, chain = G_MAXSIZE;

  while (next_line (&line, *end))
    {
      if (text[line.at] == '{' && line.end - line.at == 1)
        open = line.at;
      else if (text[line.at] == '}' && open != G_MAXSIZE)
        {
          from = open;
          to = line.next;
          open = G_MAXSIZE;
        }
      else if (text[line.at] == '(' && is_first_insn (&line))
        chain = line.at;
    }
  if (open != G_MAXSIZE)
    from = open, to = *end;
  if (from == G_MAXSIZE && chain == G_MAXSIZE)
    return FALSE;
  *start = from != G_MAXSIZE ? from : chain;
  *end = from != G_MAXSIZE ? to : *end;
  return TRUE;
}

static void
emit (const char    *text,
      const char    *name,
      gsize          length,
      gsize          start,
      gsize          end,
      LsPassLogKind  kind,
      LsPassPartFunc found,
      gpointer       user_data)
{
  if (kind != LS_PASS_LOG_GCC || narrow_gcc (text, &start, &end))
    found (name, length, start, end, user_data);
}

void
ls_pass_parts_find (const char    *text,
                    gsize          start,
                    gsize          end,
                    LsPassLogKind  kind,
                    LsPassPartFunc found,
                    gpointer       user_data)
{
  Line line = { text, start, start, start };
  gboolean any = FALSE, open = FALSE, machine = FALSE, before;
  const char *name = NULL;
  gsize length = 0, from = 0, indent = 0;

  while (next_line (&line, end))
    {
      if (open && closes (&line, indent, kind, machine, &before))
        {
          emit (text, name, length, from, before ? line.at : line.next, kind, found, user_data);
          open = FALSE;
          if (!before)
            continue;
        }
      if (!open)
        {
          indent = kind == LS_PASS_LOG_LLVM ? 0 : indent_of (&line);
          open = opens (&line, indent, kind, &name, &length);
          from = line.at;
          machine = open && line.text[line.at] == '#';
          any |= open;
        }
    }
  if (open)
    emit (text, name, length, from, end, kind, found, user_data);
  from = start;
  length = end;
  if (!any && start < end && (kind != LS_PASS_LOG_GCC || narrow_gcc (text, &from, &length)))
    found ("", 0, start, end, user_data);
}

/* ---- what is no dump ---- */

/* Can a line of a module stand here, outside of its functions? */
static gboolean
is_module_line (const Line   *line,
                LsPassLogKind kind)
{
  static const char *const LLVM[] = { "declare ", "attributes ", "source_filename", "target ", "define ", "uselistorder", "module asm" };
  gsize indent = indent_of (line);
  char c = line->at + indent < line->end ? line->text[line->at + indent] : '\0';

  if (kind == LS_PASS_LOG_MLIR)
    return indent > 0 || (c != '\0' && strchr ("}#/{!)", c) != NULL);
  if (indent > 0 || (c != '\0' && strchr ("};!@$#^%", c) != NULL))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (LLVM); i++)
    if (begins (line, 0, LLVM[i]))
      return TRUE;
  return FALSE;
}

gsize
ls_pass_other_begins (const char   *text,
                      gsize         start,
                      gsize         end,
                      LsPassLogKind kind)
{
  Line line = { text, start, start, start };

  if (kind != LS_PASS_LOG_LLVM && kind != LS_PASS_LOG_MLIR)
    return end;
  while (next_line (&line, end))
    if (line.end > line.at + indent_of (&line) && text[line.at] != '\t' && text[line.at] != '\r' && !is_module_line (&line, kind))
      return line.at;
  return end;
}
