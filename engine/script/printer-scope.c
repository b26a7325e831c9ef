/* printer-scope: who is called what, where declarations go, and which bytes show which node.
 *
 * Names: characters that Python does not allow become "_"; a name that is taken gets "_1", "_2", ...; it is free
 * again when the frame that defined it ends.  A variable or buffer that nothing binds is declared in the innermost
 * open frame above all its uses (TVM's FindLowestVarDef); the ancestors are computed only when that is asked.
 */
#include "engine/base/stack.h"
#include "engine/script/printer-private.h"

#include <math.h>

/* ---- frames ------------------------------------------------------------- */

LsFrame *
ls_printer_top (LsPrinter *p)
{
  return &g_array_index (p->frames, LsFrame, p->frames->len - 1);
}

void
ls_printer_push (LsPrinter *p,
                 gpointer   tir,
                 guint      indent)
{
  LsFrame frame = { tir, LS_NO_POSITION, indent, p->defs->len, FALSE, NULL };

  g_array_append_val (p->frames, frame);
}

/* "x_7" is free again: the next x is looked for from there. */
static void
free_number (LsPrinter  *p,
             const char *name)
{
  const char *line = strrchr (name, '_');
  g_autofree char *base = NULL;
  guint64 number;

  if (line == NULL || !g_ascii_isdigit (line[1]))
    return;
  base = g_strndup (name, (gsize) (line - name));
  number = g_ascii_strtoull (line + 1, NULL, 10);
  if (number > 0 && number <= GPOINTER_TO_UINT (g_hash_table_lookup (p->numbers, base)))
    g_hash_table_insert (p->numbers, g_steal_pointer (&base), GUINT_TO_POINTER (number - 1));
}

static void
forget (LsPrinter *p,
        LsNode    *node)
{
  const char *text = g_hash_table_lookup (p->names, node);

  if (text != NULL && g_hash_table_lookup (p->used, text) == (gpointer) text)
    {
      g_hash_table_remove (p->used, text);
      free_number (p, text);
    }
  g_hash_table_remove (p->names, node);
}

void
ls_printer_pop (LsPrinter *p)
{
  LsFrame *frame = ls_printer_top (p);
  guint depth = p->frames->len - 1;
  guint kept = frame->first_def;

  for (guint i = frame->first_def; i < p->defs->len; i++)
    {
      LsDef def = g_array_index (p->defs, LsDef, i);

      if (def.depth >= depth)
        forget (p, def.node);
      else
        g_array_index (p->defs, LsDef, kept++) = def;
    }
  g_array_set_size (p->defs, kept);
  if (frame->pending != NULL)
    g_string_free (frame->pending, TRUE);
  g_array_set_size (p->frames, depth);
}

/* ---- names -------------------------------------------------------------- */

const char *
ls_printer_name (LsPrinter *p,
                 gpointer   node)
{
  return g_hash_table_lookup (p->names, node);
}

gboolean
ls_printer_is_keyword (const char *name)
{
  static const char *const words[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", NULL
  };

  for (guint i = 0; words[i] != NULL; i++)
    if (words[i][0] == name[0] && g_str_equal (words[i], name))
      return TRUE;
  return FALSE;
}

static char *
clean_name (const char *hint)
{
  char *name = g_ascii_isdigit (hint[0]) ? g_strconcat ("v", hint, NULL) : g_strdup (hint);

  for (char *c = name; *c != '\0'; c++)
    if (*c != '_' && !g_ascii_isalnum (*c))
      *c = '_';
  if (ls_printer_is_keyword (name))
    {
      char *longer = g_strconcat (name, "_", NULL);

      g_free (name);
      name = longer;
    }
  return name;
}

static char *
unique_name (LsPrinter  *p,
             const char *hint)
{
  char *base = clean_name (hint);
  char *name = base;
  guint least;

  if (!g_hash_table_contains (p->used, base))
    return base;
  least = GPOINTER_TO_UINT (g_hash_table_lookup (p->numbers, base));
  do
    {
      if (name != base)
        g_free (name);
      name = g_strdup_printf ("%s_%u", base, ++least);
    }
  while (g_hash_table_contains (p->used, name));
  g_hash_table_insert (p->numbers, base, GUINT_TO_POINTER (least));
  return name;
}

void
ls_printer_reserve (LsPrinter  *p,
                    const char *name)
{
  g_hash_table_add (p->used, (gpointer) g_intern_string (name));
}

void
ls_printer_define_as (LsPrinter *p,
                      gpointer   node,
                      guint      depth,
                      char      *text)
{
  LsDef def = { node, depth };

  g_hash_table_insert (p->names, node, text);
  g_array_append_val (p->defs, def);
}

static const char *
name_hint (LsNode *node)
{
  if (ls_is (node, BUFFER))
    return ((LsBuffer *) node)->name != NULL && ((LsBuffer *) node)->name[0] != '\0' ? ((LsBuffer *) node)->name : "buffer";
  if (ls_is_relax_var (node) && ((LsRelaxVar *) node)->name != NULL && ((LsRelaxVar *) node)->name[0] != '\0')
    return ((LsRelaxVar *) node)->name;
  if (ls_is_var (node) && ((LsVar *) node)->name != NULL && ((LsVar *) node)->name[0] != '\0')
    return ((LsVar *) node)->name;
  return "v";
}

const char *
ls_printer_define (LsPrinter *p,
                   gpointer   node,
                   guint      depth)
{
  return ls_printer_define_like (p, node, depth, name_hint (node));
}

const char *
ls_printer_define_like (LsPrinter  *p,
                        gpointer    node,
                        guint       depth,
                        const char *hint)
{
  const char *known = ls_printer_name (p, node);
  char *name;

  if (known != NULL)
    return known;
  name = unique_name (p, hint);
  p->renamed |= strcmp (name, hint) != 0;
  g_hash_table_add (p->used, name);
  ls_printer_define_as (p, node, depth, name);
  return name;
}

/* ---- common ancestors ---------------------------------------------------- */

/* A node where it was met first, and what it stands in.  `scope` skips expressions: no frame belongs to one. */
typedef struct _Place Place;
struct _Place {
  LsNode *node;
  Place  *parent, *scope;
  guint   depth;
};

struct _LsAncestors {
  GHashTable *lowest;           /* variable or buffer -> Place: the lowest that is above all its uses */
  GHashTable *visited;
  GPtrArray  *stack;            /* of Place: from the root to what is looked at */
  GPtrArray  *places;           /* all, owned */
};

static Place *
push_place (LsAncestors *self,
            LsNode      *node)
{
  Place *parent = self->stack->len > 0 ? self->stack->pdata[self->stack->len - 1] : NULL;
  Place *place = g_new (Place, 1);

  *place = (Place) { node, parent, parent == NULL || !ls_is_expr (parent->node) ? parent : parent->scope, self->stack->len };
  g_ptr_array_add (self->places, place);
  g_ptr_array_add (self->stack, place);
  return place;
}

static void
pop_place (LsAncestors *self)
{
  g_ptr_array_set_size (self->stack, (int) self->stack->len - 1);
}

/* The stack holds all that is above this use: what is known goes up until it is on it. */
static void
note_use (LsAncestors *self,
          Place       *use)
{
  Place *known = g_hash_table_lookup (self->lowest, use->node), *was = known;

  if (known == NULL)
    {
      g_hash_table_insert (self->lowest, use->node, use);
      return;
    }
  while (known->depth >= self->stack->len || self->stack->pdata[known->depth] != known)
    known = known->parent;
  if (known != was)
    g_hash_table_insert (self->lowest, use->node, known);
}

typedef struct {
  LsAncestors *self;
  LsNode      *node;
} AgainUses;

static void search_uses_again (gpointer data);

static void
search_uses (LsAncestors *self,
             LsNode      *node)
{
  gboolean named = ls_is_var (node) || ls_is (node, BUFFER);
  Place *place;
  guint n;

  if (ls_stack_is_short ())
    {
      ls_stack_extend (search_uses_again, &(AgainUses) { self, node });
      return;
    }
  if (!g_hash_table_add (self->visited, node))
    {
      if (named)
        {
          note_use (self, push_place (self, node));
          pop_place (self);
        }
      return;
    }
  place = push_place (self, node);
  n = ls_node_get_n_children (node);
  for (guint i = 0; i < n; i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child != NULL)
        search_uses (self, child);
    }
  if (named)
    note_use (self, place);
  pop_place (self);
}

static void
search_uses_again (gpointer data)
{
  search_uses (((AgainUses *) data)->self, ((AgainUses *) data)->node);
}

void
ls_ancestors_free (LsAncestors *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->lowest);
  g_hash_table_unref (self->visited);
  g_ptr_array_unref (self->stack);
  g_ptr_array_unref (self->places);
  g_free (self);
}

static Place *
lowest_of (LsPrinter *p,
           gpointer   node)
{
  if (p->ancestors == NULL)
    {
      p->ancestors = g_new0 (LsAncestors, 1);
      p->ancestors->lowest = g_hash_table_new (NULL, NULL);
      p->ancestors->visited = g_hash_table_new (NULL, NULL);
      p->ancestors->stack = g_ptr_array_new ();
      p->ancestors->places = g_ptr_array_new_with_free_func (g_free);
      if (p->scope_root != NULL)
        search_uses (p->ancestors, p->scope_root);
    }
  return g_hash_table_lookup (p->ancestors->lowest, node);
}

gboolean
ls_printer_is_above_all (LsPrinter *p,
                         gpointer   stmt,
                         gpointer   node)
{
  for (Place *above = lowest_of (p, node); above != NULL; above = above->scope)
    if (above->node == stmt)
      return TRUE;
  return FALSE;
}

int
ls_printer_lowest_frame (LsPrinter *p,
                         gpointer   node)
{
  int fallback = -1;

  for (Place *above = lowest_of (p, node); above != NULL; above = above->scope)
    for (guint f = p->frames->len; f-- > 0;)
      if (g_array_index (p->frames, LsFrame, f).tir == above->node)
        return (int) f;
  for (guint f = 0; f < p->frames->len; f++)
    if (g_array_index (p->frames, LsFrame, f).tir == NULL)
      fallback = (int) f;
  return fallback;
}

/* ---- insertions ---------------------------------------------------------- */

static void
shift_ranges (LsPrinter *p,
              guint      from,
              guint      position,
              guint      n)
{
  for (guint i = from; i < p->ranges->len; i++)
    {
      LsSourceRange *range = &g_array_index (p->ranges, LsSourceRange, i);

      if (range->start >= position)
        range->start += n;
      if (range->end > position)
        range->end += n;
    }
}

static void
shift_marks (LsPrinter *p,
             guint      position,
             guint      n)
{
  for (guint i = 0; i < p->marks->len; i++)
    if (g_array_index (p->marks, LsMark, i).position >= position)
      g_array_index (p->marks, LsMark, i).position += n;
}

static void
note_definition (LsPrinter  *p,
                 guint       position,
                 const char *name,
                 gpointer    node)
{
  LsSourceRange range = { position, position + (guint) strlen (name), 0, LS_SOURCE_DEFINE, p->path, node };

  if (p->mapping && node != NULL)
    g_array_append_val (p->ranges, range);
}

static void
shift_frames (LsPrinter *p,
              guint      depth,
              guint      position,
              guint      n)
{
  for (guint i = 0; i < p->frames->len; i++)
    {
      guint *at = &g_array_index (p->frames, LsFrame, i).position;

      if (*at != LS_NO_POSITION && (*at > position || (*at == position && i >= depth)))
        *at += n;
    }
}

void
ls_printer_declare (LsPrinter  *p,
                    guint       depth,
                    const char *line,
                    gpointer   *defined,
                    guint       n_defined)
{
  LsFrame *frame = &g_array_index (p->frames, LsFrame, depth);
  guint indent = frame->indent * p->indent_width;
  g_autofree char *text = g_strdup_printf ("%*s%s\n", (int) indent, "", line);
  guint n = (guint) strlen (text), position = frame->position;

  if (p->drop_declarations)
    return;
  if (position == LS_NO_POSITION)
    {
      frame->pending = frame->pending != NULL ? frame->pending : g_string_new (NULL);
      g_string_append (frame->pending, text);
      return;
    }
  g_string_insert (p->text, position, text);
  shift_ranges (p, 0, position, n);
  shift_marks (p, position, n);
  shift_frames (p, depth, position, n);
  position += indent;
  for (guint i = 0; i < n_defined; i++)
    {
      const char *name = ls_printer_name (p, defined[i]);

      note_definition (p, position, name, defined[i]);
      position += (guint) strlen (name) + 2;
    }
}

void
ls_printer_insert (LsPrinter  *p,
                   guint       position,
                   const char *text)
{
  guint n = (guint) strlen (text);

  g_string_insert (p->text, position, text);
  shift_ranges (p, 0, position, n);
  shift_marks (p, position, n);
  shift_frames (p, 0, position, n);
}

guint
ls_printer_mark (LsPrinter *p)
{
  LsMark mark = { p->text->len, p->ranges->len };

  g_array_append_val (p->marks, mark);
  return p->marks->len - 1;
}

void
ls_printer_drop_mark (LsPrinter *p,
                      guint      mark)
{
  g_array_set_size (p->marks, mark);
}

void
ls_printer_insert_name (LsPrinter  *p,
                        guint       mark,
                        gpointer    node,
                        const char *name)
{
  LsMark at = g_array_index (p->marks, LsMark, mark);

  ls_printer_drop_mark (p, mark);
  g_string_insert (p->text, at.position, name);
  shift_ranges (p, at.range, at.position, (guint) strlen (name));
  note_definition (p, at.position, name, node);
}

void
ls_printer_line (LsPrinter *p,
                 guint      indent)
{
  static const char blanks[] = "                                                                ";
  guint n = indent * p->indent_width;

  for (; n > sizeof blanks - 1; n -= sizeof blanks - 1)
    g_string_append_len (p->out, blanks, sizeof blanks - 1);
  g_string_append_len (p->out, blanks, n);
}

void
ls_printer_begin (LsPrinter *p)
{
  LsFrame *frame = ls_printer_top (p);

  if (frame->pending != NULL)
    {
      g_string_append_len (p->out, frame->pending->str, (gssize) frame->pending->len);
      g_string_free (g_steal_pointer (&frame->pending), TRUE);
    }
  frame->position = p->out->len;
}

/* ---- ranges and paths ----------------------------------------------------- */

guint
ls_printer_open (LsPrinter    *p,
                 gpointer      node,
                 LsSourceRole  role)
{
  LsSourceRange range = { p->out->len, 0, 0, role, p->path, node };

  if (!p->mapping || p->muted > 0 || (p->temporary > 0 && role == LS_SOURCE_NODE))
    return LS_NO_POSITION;
  g_array_append_val (p->ranges, range);
  return p->ranges->len - 1;
}

void
ls_printer_close (LsPrinter *p,
                  guint      range)
{
  if (range != LS_NO_POSITION)
    g_array_index (p->ranges, LsSourceRange, range).end = p->out->len;
}

guint32
ls_printer_enter_item (LsPrinter *p,
                       guint      i)
{
  guint32 saved = p->path;
  LsPathStep step = { p->path, i };

  if (p->mapping && p->muted == 0 && p->temporary == 0)
    {
      g_array_append_val (p->paths, step);
      p->path = p->paths->len - 1;
    }
  return saved;
}

guint32
ls_printer_enter (LsPrinter *p,
                  gpointer   parent,
                  gsize      offset)
{
  const LsNodeClass *klass = LS_NODE (parent)->klass;
  guint child = 0;

  if (!p->mapping || p->muted > 0 || p->temporary > 0)
    return p->path;
  for (guint i = 0; i < klass->n_fields && klass->fields[i].offset != offset; i++)
    child += klass->fields[i].type == LS_FIELD_NODE;
  return ls_printer_enter_item (p, child);
}

void
ls_printer_put_name (LsPrinter    *p,
                     gpointer      node,
                     const char   *name,
                     LsSourceRole  role)
{
  guint range = ls_printer_open (p, node, role);

  ls_put (p, name);
  ls_printer_close (p, range);
}

/* ---- literals -------------------------------------------------------------- */

void
ls_printer_put_int (LsPrinter *p,
                    gint64     value)
{
  char digits[24];
  char *at = digits + sizeof digits;
  guint64 rest = value < 0 ? 0 - (guint64) value : (guint64) value;

  do
    *--at = (char) ('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (value < 0)
    *--at = '-';
  g_string_append_len (p->out, at, digits + sizeof digits - at);
}

void
ls_printer_put_float (LsPrinter *p,
                      double     value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE + 320];

  if (isnan (value))
    ls_put (p, signbit (value) ? "\"-nan\"" : "\"nan\"");
  else if (isinf (value))
    ls_put (p, value < 0 ? "\"-inf\"" : "\"inf\"");
  else if (value == nearbyint (value) && fabs (value) < 1e15 && !(value == 0 && signbit (value)))
    {
      ls_printer_put_int (p, (gint64) value);
      ls_put (p, p->options.style == LS_SCRIPT_STYLE_2023 ? "" : ".0");
    }
  else if (value == nearbyint (value) && p->options.style != LS_SCRIPT_STYLE_2023)
    ls_put (p, g_ascii_formatd (text, sizeof text, "%.1f", value));
  else
    ls_put (p, g_ascii_formatd (text, sizeof text, "%.17g", value));
}

void
ls_printer_put_string (LsPrinter  *p,
                       const char *text)
{
  static const char hex[] = "0123456789ABCDEF";

  ls_put_char (p, '"');
  for (const guchar *c = (const guchar *) text; *c != '\0'; c++)
    {
      if (*c >= ' ' && *c <= '~' && *c != '\\' && *c != '"')
        {
          ls_put_char (p, (char) *c);
          continue;
        }
      ls_put_char (p, '\\');
      switch (*c)
        {
        case '"': ls_put_char (p, '"'); break;
        case '\\': ls_put_char (p, '\\'); break;
        case '\t': ls_put_char (p, 't'); break;
        case '\r': ls_put_char (p, 'r'); break;
        case '\n': ls_put_char (p, 'n'); break;
        default:
          ls_put_char (p, 'x');
          ls_put_char (p, hex[*c >> 4]);
          ls_put_char (p, hex[*c & 15]);
          break;
        }
    }
  ls_put_char (p, '"');
}

void
ls_printer_put_dtype (LsPrinter *p,
                      LsDType    dtype)
{
  ls_put_char (p, '"');
  ls_put (p, ls_dtype_name (dtype));
  ls_put_char (p, '"');
}
