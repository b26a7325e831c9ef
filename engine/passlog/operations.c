/* operations: a function as operations with names, operands and results, of any dialect and of damaged texts.
 *
 * A value is a word by its sign (%x, ^bb0, bb.3, _12 and x_12 in GIMPLE); what a line defines stands before " = ", in a label
 * or in the head of a function.  What is left when values, metadata and locations are taken out is the shape of the line. */
#include "engine/passlog/private.h"

#include <string.h>

typedef struct {
  LsPassLogKind kind;
  GHashTable   *values;         /* name to number + 1, in the function that is read */
  guint         n_values;       /* of all functions */
  GPtrArray    *operations;
  gboolean      rtl;            /* the operation before is an insn, which may go on over several lines */
} Reader;

void
ls_pass_operation_free (LsPassOperation *self)
{
  g_free (self->name);
  g_free (self->shape);
  g_array_unref (self->results);
  g_array_unref (self->operands);
  g_free (self);
}

static guint
value_of (Reader     *self,
          const char *name,
          gsize       length)
{
  g_autofree char *key = g_strndup (name, length);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->values, key));

  if (number == 0)
    {
      number = ++self->n_values;
      g_hash_table_insert (self->values, g_steal_pointer (&key), GUINT_TO_POINTER (number));
    }
  return number - 1;
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/* Length of the value that begins here; 0: none does. */
static gsize
value_length (const char   *at,
              gboolean      inside,
              LsPassLogKind kind)
{
  gsize n = 1;

  if (*at == '%' || (*at == '^' && kind == LS_PASS_LOG_MLIR))
    {
      if (at[1] == '"')
        {
          const char *stop = strchr (at + 2, '"');

          return stop != NULL ? (gsize) (stop - at) + 1 : 0;
        }
      while (is_word (at[n]) && !(at[n] == '-' && at[n + 1] == '>'))
        n++;
      while (n > 1 && at[n - 1] == '.' && kind == LS_PASS_LOG_LLVM)
        n--;
      return n > 1 ? n : 0;
    }
  if (inside)
    return 0;
  if (kind == LS_PASS_LOG_LLVM && strncmp (at, "bb.", 3) == 0 && g_ascii_isdigit (at[3]))
    return 3 + strspn (at + 3, "0123456789");
  if (kind == LS_PASS_LOG_GCC && (*at == '_' || g_ascii_isalpha (*at)))
    {
      for (n = 0; g_ascii_isalnum (at[n]) || at[n] == '_' || at[n] == '.';)
        n++;
      while (n > 0 && g_ascii_isdigit (at[n - 1]))
        n--;
      return n > 0 && at[n - 1] == '_' && g_ascii_isdigit (at[n]) ? n + strspn (at + n, "0123456789") : 0;
    }
  if (kind == LS_PASS_LOG_GCC && strncmp (at, "<bb ", 4) == 0)
    return 4 + strspn (at + 4, "0123456789");
  return 0;
}

/* Where what is no part of the meaning begins: metadata, comments, locations. */
static gsize
meaning_length (const char   *line,
                gsize         n,
                LsPassLogKind kind)
{
  gboolean quoted = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      if (line[i] == '"')
        quoted = !quoted;
      if (quoted)
        continue;
      if (kind == LS_PASS_LOG_LLVM && (line[i] == ';' || (line[i] == ',' && i + 3 < n && line[i + 1] == ' ' && line[i + 2] == '!' && g_ascii_isalpha (line[i + 3]))))
        return i;
      if (kind == LS_PASS_LOG_MLIR && line[i] == '/' && line[i + 1] == '/')
        return i;
      if (kind == LS_PASS_LOG_LLVM && line[i] == ' ' && n - i > 16 && strncmp (line + i, " debug-location ", 16) == 0)
        return i;
      if (kind == LS_PASS_LOG_XLA && line[i] == ',' && n - i > 11 && strncmp (line + i, ", metadata={", 12) == 0)
        return i;
    }
  return n;
}

/* Takes every " loc(...)" out of a line of MLIR: behind an operation, and behind each argument of a function or block. */
static void
drop_locations (char *line)
{
  gboolean quoted = FALSE;
  char *to = line;

  while (*line != '\0')
    {
      guint depth = 0;

      if (!quoted && *line == ' ' && g_str_has_prefix (line, " loc("))
        {
          for (line += 4; *line != '\0'; line++)
            {
              quoted ^= *line == '"';
              depth += !quoted && *line == '(';
              if (!quoted && *line == ')' && --depth == 0)
                break;
            }
          line += *line != '\0';
          quoted = FALSE;
          continue;
        }
      quoted ^= *line == '"';
      *to++ = *line++;
    }
  *to = '\0';
}

/* Does a function begin here, with names of values of its own? */
static gboolean
is_head (const char   *line,
         gsize         n,
         gsize         indent,
         LsPassLogKind kind)
{
  gsize word = strcspn (line, " ");

  switch (kind)
    {
    case LS_PASS_LOG_LLVM:
      return indent == 0 && (g_str_has_prefix (line, "define ") || g_str_has_prefix (line, "# Machine code for function "));
    case LS_PASS_LOG_MLIR:
      return word >= 4 && line[n - 1] == '{' && strncmp (line + word - 4, "func", 4) == 0;
    case LS_PASS_LOG_GCC:
      return indent == 0 && g_str_has_prefix (line, ";; Function ");
    case LS_PASS_LOG_XLA:
      return indent == 0 && line[n - 1] == '{';
    case LS_PASS_LOG_AUTO:
    case LS_PASS_LOG_TVM:
    case LS_PASS_LOG_TEXT:
      break;
    }
  return FALSE;
}

/* "%a, %b = ", "%0:2 = ", "%18:gr32 = ", "_12 = ": where what follows begins; 0: the line defines nothing. */
static gsize
results_length (const char   *line,
                LsPassLogKind kind)
{
  gsize at = g_str_has_prefix (line, "ROOT ") ? 5 : g_str_has_prefix (line, "# ") && kind == LS_PASS_LOG_GCC ? 2 : 0;
  gsize n = value_length (line + at, FALSE, kind);

  if (n == 0)
    return 0;
  for (at += n; line[at] != '\0'; at++)
    {
      if (strncmp (line + at, " = ", 3) == 0)
        return at + 3;
      if (line[at] == '(' || line[at] == '{')
        return 0;
    }
  return 0;
}

static char *
name_of (const char *line)
{
  static const char *const BEFORE[] = { "tail ", "musttail ", "notail ", "dead ", "implicit-def " };
  gsize n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (BEFORE); i++)
    if (g_str_has_prefix (line, BEFORE[i]))
      line += strlen (BEFORE[i]);
  if (*line == '"')
    line++;
  while (is_word (line[n]))
    n++;
  return n > 0 ? g_strndup (line, n) : g_strdup (*line != '\0' ? (char[]) { g_ascii_isprint (*line) ? *line : '?', '\0' } : "?");
}

/* Values of a text go into `results` up to `split` and into `operands` after it; the rest is added to the shape. */
static void
read_values (Reader          *self,
             const char      *line,
             gsize            split,
             LsPassOperation *op,
             GString         *shape)
{
  gboolean quoted = FALSE;

  for (gsize i = 0; line[i] != '\0';)
    {
      gsize n = quoted ? 0 : value_length (line + i, i > 0 && (is_word (line[i - 1]) || line[i - 1] == '@'), self->kind);

      if (n > 0)
        {
          guint value = value_of (self, line + i, n);

          g_array_append_val (i < split ? op->results : op->operands, value);
          g_string_append_c (shape, '%');
          i += n;
          continue;
        }
      if (line[i] == '"')
        quoted = !quoted;
      if (!quoted && (line[i] == '#' || line[i] == '!') && (g_ascii_isdigit (line[i + 1]) || strncmp (line + i, "#loc", 4) == 0))
        {
          g_string_append_c (shape, line[i++]);
          while (is_word (line[i]))
            i++;
          continue;
        }
      g_string_append_c (shape, line[i++]);
    }
}

static void
add (Reader     *self,
     const char *line,
     guint       number,
     const char *name,
     gsize       split)
{
  LsPassOperation *op = g_new0 (LsPassOperation, 1);
  g_autoptr (GString) shape = g_string_new (NULL);

  op->line = number;
  op->results = g_array_new (FALSE, FALSE, sizeof (guint));
  op->operands = g_array_new (FALSE, FALSE, sizeof (guint));
  read_values (self, line, split, op, shape);
  op->name = name != NULL ? g_strdup (name) : name_of (line + split);
  op->shape = g_strdup (shape->str);
  g_ptr_array_add (self->operations, op);
}

/* More of the operation that the line before began: the cases of a switch, the ways out of an invoke. */
static void
go_on (Reader     *self,
       const char *line)
{
  LsPassOperation *op = self->operations->pdata[self->operations->len - 1];
  g_autoptr (GString) shape = g_string_new (op->shape);

  g_string_append_c (shape, ' ');
  read_values (self, line, 0, op, shape);
  g_free (op->shape);
  op->shape = g_strdup (shape->str);
}

/* "16B\t": the slot of a machine instruction, a number that says nothing of it. */
static gsize
slot_length (const char *line)
{
  gsize n = strspn (line, "0123456789");

  return n > 0 && line[n] == 'B' && line[n + 1] == '\t' ? n + 2 : 0;
}

/* "int i;", "long unsigned int _1;": a declaration in GIMPLE. */
static gboolean
is_declaration (const char *line)
{
  return g_str_has_suffix (line, ";") && strchr (line, ' ') != NULL && strpbrk (line, "=(<") == NULL && !g_str_has_prefix (line, "return ")
         && !g_str_has_prefix (line, "goto ");
}

/* "(insn 15 14 16 3 (set ...": the kind of the insn and what it does; its number, its neighbours' and its block's are no meaning. */
static void
add_insn (Reader     *self,
          const char *line,
          guint       number)
{
  gsize n = 1 + strcspn (line + 1, " /:"), rest = n + strcspn (line + n, " ");
  g_autofree char *name = g_strndup (line + 1, n - 1);
  g_autofree char *insn = NULL;

  rest += strspn (line + rest, " 0123456789");
  insn = g_strdup_printf ("(%s %s", name, line + rest);
  add (self, insn, number, name, 0);
  self->rtl = TRUE;
}

static void
read_line (Reader     *self,
           const char *whole,
           guint       number)
{
  gsize slot = self->kind == LS_PASS_LOG_LLVM ? slot_length (whole) : 0;
  gsize indent = strspn (whole + slot, " \t"), n = meaning_length (whole + slot + indent, strlen (whole + slot + indent), self->kind);
  g_autofree char *line = g_strndup (whole + slot + indent, n);
  LsPassOperation *last = self->operations->len > 0 ? self->operations->pdata[self->operations->len - 1] : NULL;
  gsize split;

  if (self->kind == LS_PASS_LOG_MLIR)
    drop_locations (line);
  g_strchomp (line);
  n = strlen (line);
  if (n == 0 || strspn (line, "}{)];") == n)
    return;
  if (is_head (line, n, indent, self->kind))
    g_hash_table_remove_all (self->values);
  split = results_length (line, self->kind);
  if (self->kind == LS_PASS_LOG_LLVM)
    {
      if (g_str_has_prefix (line, "#dbg_") || g_str_has_prefix (line, "# ") || g_str_has_prefix (line, "successors:") || g_str_has_prefix (line, "liveins:")
          || g_str_has_prefix (line, "Function Live Ins:")
          || (indent == 0 && (line[0] == '!' || g_str_has_prefix (line, "attributes ") || g_str_has_prefix (line, "declare ") || line[0] == '@'
                              || g_str_has_prefix (line, "source_filename") || g_str_has_prefix (line, "target "))))
        return;
      if (indent == 0 && g_str_has_prefix (line, "define "))
        {
          add (self, line, number, "label", n);
          return;
        }
      if (indent == 0 && line[n - 1] == ':' && g_str_has_prefix (line, "bb."))
        {
          g_autofree char *label = g_strndup (line, 3 + strspn (line + 3, "0123456789"));

          add (self, label, number, "label", n);
          return;
        }
      if (indent == 0 && line[n - 1] == ':')
        {
          g_autofree char *label = g_strdup_printf ("%%%.*s", (int) n - 1, line);

          add (self, label, number, "label", n + 1);
          return;
        }
      if (last != NULL && strcmp (last->name, "label") != 0 && indent > 2)
        {
          go_on (self, line);
          return;
        }
    }
  else if (self->kind == LS_PASS_LOG_MLIR && indent == 0 && g_str_has_prefix (line, "#loc"))
    return;
  else if (self->kind == LS_PASS_LOG_MLIR && line[0] == '^')
    {
      add (self, line, number, "label", n);
      return;
    }
  else if (self->kind == LS_PASS_LOG_GCC && indent == 0 && line[0] == '(')
    {
      add_insn (self, line, number);
      return;
    }
  else if (self->kind == LS_PASS_LOG_GCC && self->rtl && indent > 0)
    {
      go_on (self, line);
      return;
    }
  else if (self->kind == LS_PASS_LOG_GCC && is_declaration (line))
    return;
  else if (self->kind == LS_PASS_LOG_GCC && (g_str_has_prefix (line, ";;") || g_str_has_prefix (line, "<bb ")))
    {
      if (line[0] == '<')
        add (self, line, number, "label", n);
      return;
    }
  else if (self->kind == LS_PASS_LOG_TVM && line[0] == '#')
    return;
  add (self, line, number, NULL, split);
}

GPtrArray *
ls_pass_operations_read (const char   *text,
                         LsPassLogKind kind)
{
  Reader self = { kind, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), 0,
                  g_ptr_array_new_with_free_func ((GDestroyNotify) ls_pass_operation_free), FALSE };
  guint number = 0;

  while (*text != '\0')
    {
      gsize n = strcspn (text, "\n");
      g_autofree char *line = g_strndup (text, n);

      read_line (&self, line, number++);
      text += n + (text[n] != '\0');
    }
  g_hash_table_unref (self.values);
  return self.operations;
}
