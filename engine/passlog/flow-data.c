/* flow-data: regions of MLIR and operations of HLO, joined by the values that go from one to the other.
 *
 * Of MLIR an operation with a body is a block and a region around what stands in it; what stands between such operations is one block.  An edge goes
 * from the block that makes a value to each that uses it; a block that ends with a branch goes to the ^bb that it names. */
#include "engine/passlog/flow-private.h"

#include <string.h>

#define MOST_TITLE 40

typedef struct {
  LsPassFlow *flow;
  GArray     *open;             /* of int: regions that are open, the innermost last */
  GHashTable *labels;           /* "^bb1" to number of block + 1 */
  GHashTable *made;             /* number of value to number of block + 1 */
  int         block;            /* that goes on, -1: the next operation begins one */
  int         head;             /* an operation whose body has nothing so far, -1: none */
} Reader;

static int
region_of (Reader *self)
{
  return self->open->len > 0 ? g_array_index (self->open, int, self->open->len - 1) : -1;
}

static guint
open_block (Reader     *self,
            const char *label,
            guint       line)
{
  ls_pass_flow_add (self->flow, label, line, region_of (self));
  if (self->head >= 0)
    ls_pass_flow_join (self->flow, (guint) self->head, self->flow->blocks->len - 1, NULL);
  self->head = -1;
  return self->flow->blocks->len - 1;
}

/* An operation with its values, in a block. */
static void
put (Reader          *self,
     guint            block,
     LsPassOperation *op)
{
  for (guint i = 0; i < op->operands->len; i++)
    {
      guint from = GPOINTER_TO_UINT (g_hash_table_lookup (self->made, GUINT_TO_POINTER (g_array_index (op->operands, guint, i))));

      if (from > 0 && from - 1 != block)
        ls_pass_flow_join (self->flow, from - 1, block, NULL);
    }
  for (guint i = 0; i < op->results->len; i++)
    g_hash_table_insert (self->made, GUINT_TO_POINTER (g_array_index (op->results, guint, i)), GUINT_TO_POINTER (block + 1));
}

static void
open_region (Reader          *self,
             LsPassOperation *op,
             const char      *line)
{
  LsPassRegion *region = g_new0 (LsPassRegion, 1);
  guint head = open_block (self, op->name, op->line);
  int number = (int) self->flow->regions->len;

  ls_pass_flow_count (self->flow->blocks->pdata[head], op->name, op->line);
  put (self, head, op);
  ((LsPassBlock *) self->flow->blocks->pdata[head])->region = number;
  self->head = (int) head;
  *region = (LsPassRegion) { g_utf8_make_valid (line + strspn (line, " "), (gssize) MIN (strlen (line + strspn (line, " ")), MOST_TITLE)), region_of (self), head };
  g_strdelimit (region->title, "{", ' ');
  g_strchomp (region->title);
  g_ptr_array_add (self->flow->regions, region);
  g_array_append_val (self->open, number);
  self->block = -1;
}

static void
read_mlir (Reader    *self,
           char     **lines,
           GPtrArray *ops)
{
  guint next = 0;
  gboolean function = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *first = lines[i] + strspn (lines[i], " \t");
      gsize n = strlen (first);
      LsPassOperation *op = NULL;

      while (next < ops->len && ((LsPassOperation *) ops->pdata[next])->line < i)
        next++;
      if (next < ops->len && ((LsPassOperation *) ops->pdata[next])->line == i)
        op = ops->pdata[next];
      while (n > 0 && g_ascii_isspace (first[n - 1]))
        n--;
      if (*first == '}')
        {
          if (first[n - 1] != '{' && self->open->len > 0)
            g_array_set_size (self->open, self->open->len - 1);
          self->block = self->head = -1;
        }
      if (op == NULL)
        continue;
      if (!function && n > 0 && first[n - 1] == '{')    /* the function itself, or what stands around it */
        {
          self->block = (int) open_block (self, "entry", i);
          put (self, (guint) self->block, op);
          function = TRUE;
        }
      else if (*first == '^')
        {
          g_autofree char *label = g_strndup (first, 1 + strspn (first + 1, "abcdefghijklmnopqrstuvwxyz0123456789_"));
          LsPassBlock *last = self->flow->blocks->len == 1 ? self->flow->blocks->pdata[0] : NULL;

          if (last == NULL || last->n > 0 || self->block < 0)
            self->block = (int) open_block (self, label, i);
          g_hash_table_replace (self->labels, g_strdup (label), GUINT_TO_POINTER (self->block + 1));
          put (self, (guint) self->block, op);
        }
      else if (n > 0 && first[n - 1] == '{')
        open_region (self, op, lines[i]);
      else
        {
          if (self->block < 0)
            self->block = (int) open_block (self, op->name, i);
          ls_pass_flow_count (self->flow->blocks->pdata[self->block], op->name, i);
          put (self, (guint) self->block, op);
        }
    }
}

/* In a region of blocks with labels control is shown; values go along with it. */
static void
drop_values (Reader *self)
{
  g_autoptr (GHashTable) regions = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer number;

  g_hash_table_iter_init (&iter, self->labels);
  while (g_hash_table_iter_next (&iter, NULL, &number))
    g_hash_table_add (regions, GINT_TO_POINTER (((LsPassBlock *) self->flow->blocks->pdata[GPOINTER_TO_UINT (number) - 1])->region));
  for (guint i = self->flow->edges->len; i-- > 0;)
    {
      LsPassFlowEdge *edge = self->flow->edges->pdata[i];
      LsPassBlock *from = self->flow->blocks->pdata[edge->from], *to = self->flow->blocks->pdata[edge->to];

      if (from->region == to->region && g_hash_table_contains (regions, GINT_TO_POINTER (from->region)))
        g_ptr_array_remove_index (self->flow->edges, i);
    }
}

/* Where the lines of a block say that control goes to ^bb. */
static void
join_branches (Reader *self,
               char  **lines)
{
  drop_values (self);
  for (guint i = 0; i < self->flow->blocks->len && g_hash_table_size (self->labels) > 0; i++)
    {
      LsPassBlock *block = self->flow->blocks->pdata[i];

      for (guint line = block->first; line <= block->last && lines[line] != NULL; line++)
        {
          const char *first = lines[line] + strspn (lines[line], " \t");

          if (*first == '^')
            continue;
          for (const char *at = strchr (first, '^'), *begin = at; at != NULL; at = strchr (at + 1, '^'))
            {
              g_autofree char *label = g_strndup (at, 1 + strspn (at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_"));
              guint to = GPOINTER_TO_UINT (g_hash_table_lookup (self->labels, label));

              if (to > 0)
                ls_pass_flow_join (self->flow, i, to - 1, strstr (first, "cond_br") == NULL ? NULL : at == begin ? "true" : "false");
            }
        }
    }
}

static void
read_hlo (Reader    *self,
          GPtrArray *ops)
{
  for (guint i = 0; i < ops->len; i++)
    {
      LsPassOperation *op = ops->pdata[i];
      guint block;

      if (strcmp (op->name, "label") == 0)
        continue;
      block = open_block (self, op->name, op->line);
      ls_pass_flow_count (self->flow->blocks->pdata[block], op->name, op->line);
      put (self, block, op);
    }
}

void
ls_pass_flow_read_data (LsPassFlow   *self,
                        const char   *text,
                        LsPassLogKind kind,
                        GPtrArray    *ops)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Reader reader = { self, g_array_new (FALSE, FALSE, sizeof (int)), g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), g_hash_table_new (NULL, NULL), -1, -1 };

  if (kind == LS_PASS_LOG_XLA)
    read_hlo (&reader, ops);
  else
    {
      read_mlir (&reader, lines, ops);
      join_branches (&reader, lines);
    }
  if (self->blocks->len == 0)
    ls_pass_flow_add (self, "entry", 0, -1);
  g_array_unref (reader.open);
  g_hash_table_unref (reader.labels);
  g_hash_table_unref (reader.made);
}
