/* operations: a function as operations with names, operands and results, of any dialect and of damaged texts.
 *
 * What a line defines stands before " = ", in a label or in the head of a function.  What is left when values, metadata and locations are taken out is the shape of the line. */
#include "engine/passlog/private.h"

#include <string.h>

typedef struct {
  LsPassLogKind kind;
  GHashTable   *values;         /* name to number + 1, in the function that is read */
  guint         n_values;       /* of all functions */
  GPtrArray    *operations;
  GHashTable   *aliases;        /* or NULL */
  GArray       *open;           /* of guint: operations of MLIR whose regions are not closed yet */
  gboolean      rtl;            /* the operation before is an insn, which may go on over several lines */
  guint         entry;          /* of LLVM: how many operations there are behind the last head; a label here is of the first block */
  guint         arms;           /* of GIMPLE: ways out of the condition before that are still to come */
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
    case LS_PASS_LOG_PTX:
      return line[0] == '.' && (strstr (line, ".entry ") != NULL || strstr (line, ".func ") != NULL);
    case LS_PASS_LOG_AUTO:
    case LS_PASS_LOG_TVM:
    case LS_PASS_LOG_TEXT:
      break;
    }
  return FALSE;
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
  while (ls_pass_is_word (line[n]))
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
      gsize n = quoted ? 0 : ls_pass_value_length (line, i, split, self->kind, self->values);

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
      if (!quoted && (line[i] == '#' || line[i] == '!') && (n = ls_pass_aliases_take (self->aliases, line + i, shape)) > 0)
        {
          i += n;
          continue;
        }
      if (!quoted && self->kind == LS_PASS_LOG_LLVM && line[i] == ' ' && line[i + 1] == '#' && g_ascii_isdigit (line[i + 2]))   /* a group of attributes */
        {
          for (i += 2; g_ascii_isdigit (line[i]); i++)
            ;
          continue;
        }
      if (!quoted && (line[i] == '#' || line[i] == '!') && (g_ascii_isdigit (line[i + 1]) || strncmp (line + i, "#loc", 4) == 0))
        {
          g_string_append_c (shape, line[i++]);
          while (ls_pass_is_word (line[i]))
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
  op->opens = self->kind == LS_PASS_LOG_MLIR && g_str_has_suffix (line, "{");
  g_ptr_array_add (self->operations, op);
}

/* More of an operation: the cases of a switch, the ways out of an invoke, what stands behind a region. */
static void
go_on (Reader          *self,
       LsPassOperation *op,
       const char      *line)
{
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

/* Directives (.reg, .loc, parameters) are no operations, but a function's first line is a label. */
static void
read_ptx (Reader     *self,
          const char *line,
          guint       number)
{
  gsize n = strlen (line), split;
  const char *at;
  g_autofree char *name = NULL;

  if (is_head (line, n, 0, LS_PASS_LOG_PTX) || (line[0] == '$' && line[n - 1] == ':'))
    {
      add (self, line, number, "label", line[0] == '$' ? n : 0);
      return;
    }
  if (line[0] == '.')
    return;
  split = ls_pass_ptx_split (line, &at);
  name = name_of (at);
  add (self, line, number, name, split);
}

/* The heads of a module and of computations are labels. */
static void
read_hlo (Reader     *self,
          const char *line,
          guint       number,
          gsize       split)
{
  gsize n = strlen (line);
  g_autofree char *name = NULL;

  if (split == 0 && (line[n - 1] == '{' || g_str_has_prefix (line, "HloModule ")))
    {
      add (self, line, number, "label", 0);
      return;
    }
  name = split > 0 ? name_of (ls_pass_hlo_skip_type (line + split)) : NULL;
  add (self, line, number, name, split);
}

/* "} -> tensor<8xf32>", "} else {": what stands behind a region is a part of its operation. */
static void
close_region (Reader     *self,
              const char *line)
{
  gsize n = strlen (line), from = strspn (line, "})>];, ");
  guint at;

  if (self->open->len == 0)
    return;
  at = g_array_index (self->open, guint, self->open->len - 1);
  if (line[n - 1] != '{')
    g_array_set_size (self->open, self->open->len - 1);
  if (from < n)
    go_on (self, self->operations->pdata[at], line + from);
}

/* What LLVM says beside its instructions: debug records, what a block needs, constants and places on the stack of machine code. */
static gboolean
is_beside_code (const char *line)
{
  static const char *const STARTS[] = {
    "#dbg_", "call void @llvm.dbg.", "tail call void @llvm.dbg.", "# ", "successors:", "liveins:", "Function Live Ins:", "Frame Objects:", "Constant Pool:", "Jump Tables:", "fi#", "cp#", "jt#", "%jump-table.",
  };

  for (guint i = 0; i < G_N_ELEMENTS (STARTS); i++)
    if (g_str_has_prefix (line, STARTS[i]))
      return TRUE;
  return FALSE;
}

static void
read_line (Reader     *self,
           const char *whole,
           guint       number)
{
  gsize slot = self->kind == LS_PASS_LOG_LLVM ? slot_length (whole) : 0;
  gsize indent = strspn (whole + slot, " \t"), n = ls_pass_meaning_length (whole + slot + indent, strlen (whole + slot + indent), self->kind);
  g_autofree char *line = g_strndup (whole + slot + indent, n);
  LsPassOperation *last = self->operations->len > 0 ? self->operations->pdata[self->operations->len - 1] : NULL;
  gsize split;

  if (self->kind == LS_PASS_LOG_MLIR)
    ls_pass_drop_locations (line);
  g_strchomp (line);
  n = strlen (line);
  if (n == 0 || (strspn (line, "}{)];") == n && (self->kind != LS_PASS_LOG_MLIR || line[0] != '}')))
    return;
  if (is_head (line, n, indent, self->kind))
    g_hash_table_remove_all (self->values);
  split = ls_pass_results_length (line, self->kind);
  if (self->kind == LS_PASS_LOG_LLVM)
    {
      if (is_beside_code (line)
          || (indent == 0 && (line[0] == '!' || g_str_has_prefix (line, "attributes ") || g_str_has_prefix (line, "declare ") || line[0] == '@'
                              || g_str_has_prefix (line, "source_filename") || g_str_has_prefix (line, "target "))))
        return;
      if (indent == 0 && g_str_has_prefix (line, "define "))
        {
          add (self, line, number, "label", n);
          self->entry = self->operations->len;
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
          if (self->entry > 0 && self->entry + 1 == self->operations->len)      /* where it has no name it has no label: it defines nothing */
            g_array_set_size (((LsPassOperation *) self->operations->pdata[self->entry])->results, 0);
          return;
        }
      if (last != NULL && strcmp (last->name, "label") != 0 && indent > 2)
        {
          go_on (self, last, line);
          return;
        }
    }
  else if (self->kind == LS_PASS_LOG_MLIR && indent == 0 && g_str_has_prefix (line, "#loc"))
    return;
  else if (self->kind == LS_PASS_LOG_MLIR && line[0] == '}')
    {
      close_region (self, line);
      return;
    }
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
      go_on (self, last, line);
      return;
    }
  else if (self->kind == LS_PASS_LOG_GCC && is_declaration (line))
    return;
  else if (self->kind == LS_PASS_LOG_GCC && last != NULL && self->arms > 0 && (strcmp (line, "else") == 0 || g_str_has_prefix (line, "goto ")))
    {
      self->arms -= line[0] == 'g';
      go_on (self, last, line);
      return;
    }
  else if (self->kind == LS_PASS_LOG_GCC && (g_str_has_prefix (line, ";;") || g_str_has_prefix (line, "<bb ")))
    {
      if (line[0] == '<')
        add (self, line, number, "label", n);
      return;
    }
  else if (self->kind == LS_PASS_LOG_TVM && line[0] == '#')
    return;
  else if (self->kind == LS_PASS_LOG_PTX)
    {
      read_ptx (self, line, number);
      return;
    }
  else if (self->kind == LS_PASS_LOG_XLA)
    {
      read_hlo (self, line, number, split);
      return;
    }
  add (self, line, number, NULL, split);
  self->arms = self->kind == LS_PASS_LOG_GCC && g_str_has_prefix (line, "if (") ? 2 : 0;
  if (self->kind == LS_PASS_LOG_MLIR && line[n - 1] == '{')
    {
      guint at = self->operations->len - 1;

      g_array_append_val (self->open, at);
    }
}

GPtrArray *
ls_pass_operations_read (const char   *text,
                         LsPassLogKind kind)
{
  return ls_pass_operations_read_aliased (text, kind, NULL);
}

GPtrArray *
ls_pass_operations_read_aliased (const char   *text,
                                 LsPassLogKind kind,
                                 GHashTable   *aliases)
{
  Reader self = { kind, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), 0,
                  g_ptr_array_new_with_free_func ((GDestroyNotify) ls_pass_operation_free), aliases, g_array_new (FALSE, FALSE, sizeof (guint)), FALSE, 0, 0 };
  guint number = 0;

  while (*text != '\0')
    {
      gsize n = strcspn (text, "\n");
      g_autofree char *line = g_strndup (text, n);

      read_line (&self, line, number++);
      text += n + (text[n] != '\0');
    }
  g_hash_table_unref (self.values);
  g_array_unref (self.open);
  return self.operations;
}
