/* flow: blocks by their labels, edges by the labels that their lines name; what falls through goes to the next block. */
#include "engine/passlog/flow-private.h"

#include <stdlib.h>
#include <string.h>

static void
block_free (gpointer data)
{
  g_free (((LsPassBlock *) data)->label);
  g_free (((LsPassBlock *) data)->words);
  g_free (data);
}

static void
edge_free (gpointer data)
{
  g_free (((LsPassFlowEdge *) data)->label);
  g_free (data);
}

static void
region_free (gpointer data)
{
  g_free (((LsPassRegion *) data)->title);
  g_free (data);
}

void
ls_pass_flow_free (LsPassFlow *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->edges);
  g_ptr_array_unref (self->regions);
  g_free (self);
}

/* ---- blocks with labels ---- */

typedef struct {
  LsPassFlow   *flow;
  LsPassLogKind kind;
  GHashTable   *labels;         /* to number of block + 1 */
  GPtrArray    *pending;        /* of LsPassFlowEdge with the name of its end in label: "%7\ntrue" */
  GArray       *ends;           /* of gboolean: control does not fall through the end of this block */
} Reader;

/* Letters of a label. */
static gsize
label_length (const char *at)
{
  gsize n = 0;

  if (*at == '"')
    {
      const char *stop = strchr (at + 1, '"');

      return stop != NULL ? (gsize) (stop - at) + 1 : 0;
    }
  while (g_ascii_isalnum (at[n]) || (at[n] != '\0' && strchr ("_.$-", at[n]) != NULL))
    n++;
  return n;
}

/* The label that opens a block in a line; NULL: none. (transfer full) */
static char *
opened (const char   *line,
        LsPassLogKind kind)
{
  const char *at = line + strspn (line, " \t");
  gsize n;

  if (kind == LS_PASS_LOG_GCC)
    return g_str_has_prefix (at, "<bb ") && strchr (at, '>') != NULL && strstr (at, ":") != NULL ? g_strdup_printf ("bb %d", atoi (at + 4)) : NULL;
  if (kind == LS_PASS_LOG_PTX)
    return (*at == '$' || g_ascii_isalpha (*at) || *at == '_') && (n = label_length (at)) > 0 && at[n] == ':' ? g_strndup (at, n) : NULL;
  if (at != line)
    return NULL;
  if (g_str_has_prefix (line, "bb.") && g_ascii_isdigit (line[3]))
    return g_strndup (line, 3 + strspn (line + 3, "0123456789"));
  n = label_length (line);
  return n > 0 && line[n] == ':' ? g_strndup (line, n) : NULL;
}

static void
goes_to (Reader     *self,
         const char *name,
         gsize       n,
         const char *label)
{
  LsPassFlowEdge *edge = g_new0 (LsPassFlowEdge, 1);
  g_autofree char *bare = g_strndup (name, n);

  *edge = (LsPassFlowEdge) { self->flow->blocks->len - 1, 0, g_strdup_printf ("%s\n%s", bare, label) };
  g_ptr_array_add (self->pending, edge);
}

/* "br i1 %c, label %a, label %b", "invoke ... to label %a unwind label %b", a case of a switch. */
static void
find_llvm (Reader     *self,
           const char *line)
{
  const char *first = line + strspn (line, " \t");
  gboolean condition = g_str_has_prefix (first, "br i1 "), is_switch = g_str_has_prefix (first, "switch ");
  guint n = 0;

  for (const char *at = strstr (line, "label %"); at != NULL; at = strstr (at + 1, "label %"), n++)
    {
      const char *name = at + strlen ("label %"), *comma = at;
      gsize length = label_length (name);
      g_autofree char *value = NULL;

      while (comma > first && *comma != ',')
        comma--;
      if (!condition && !is_switch && *first == 'i' && strspn (first + 1, "0123456789") > 0 && (gsize) (comma - first) > strcspn (first, " "))
        value = g_strndup (first + strcspn (first, " ") + 1, (gsize) (comma - first) - strcspn (first, " ") - 1);       /* "i32 7, label %b" */
      goes_to (self, name, length, condition ? (n == 0 ? "true" : "false") : is_switch ? "default" : value != NULL ? value
                                   : at - line > 7 && strncmp (at - 7, "unwind ", 7) == 0 ? "unwind" : "");
    }
  if (g_str_has_prefix (first, "successors:"))
    for (const char *at = strstr (first, "%bb."); at != NULL; at = strstr (at + 1, "%bb."))
      goes_to (self, at + 1, 3 + strspn (at + 4, "0123456789"), "");
}

static void
find_gcc (Reader     *self,
          const char *line)
{
  const char *first = line + strspn (line, " \t");
  gboolean *ends = &g_array_index (self->ends, gboolean, self->ends->len - 1);

  for (const char *at = strstr (first, "goto <bb "); at != NULL; at = strstr (at + 1, "goto <bb "))
    {
      g_autofree char *name = g_strdup_printf ("bb %d", atoi (at + strlen ("goto <bb ")));

      goes_to (self, name, strlen (name), "");
    }
  if (g_str_has_prefix (first, "goto ") || g_str_has_prefix (first, "return") || g_str_has_prefix (first, "__builtin_unreachable"))
    *ends = TRUE;
  else if (*first != '\0' && *first != '}' && *first != '#')
    *ends = FALSE;
}

static void
find_ptx (Reader     *self,
          const char *line)
{
  const char *first = line + strspn (line, " \t"), *at = strstr (first, "bra");

  if (at != NULL && (at == first || at[-1] == ' ' || at[-1] == '\t'))
    {
      const char *name = at + strcspn (at, " \t");

      name += strspn (name, " \t");
      goes_to (self, name, label_length (name), *first == '@' ? "true" : "");
    }
  g_array_index (self->ends, gboolean, self->ends->len - 1) = *first != '@' && (at == first || g_str_has_prefix (first, "ret") || g_str_has_prefix (first, "exit"));
}

static void
open_block (Reader     *self,
            const char *label,
            guint       line)
{
  gboolean ends = FALSE;

  ls_pass_flow_add (self->flow, label, line, -1);
  g_array_append_val (self->ends, ends);
  g_hash_table_insert (self->labels, g_strdup (label), GUINT_TO_POINTER (self->flow->blocks->len));
}

static void
settle (Reader *self)
{
  for (guint i = 0; i < self->pending->len; i++)
    {
      LsPassFlowEdge *edge = self->pending->pdata[i];
      g_auto (GStrv) words = g_strsplit (edge->label, "\n", 2);
      guint to = GPOINTER_TO_UINT (g_hash_table_lookup (self->labels, words[0]));

      if (to > 0)
        ls_pass_flow_join (self->flow, edge->from, to - 1, *words[1] != '\0' ? words[1] : NULL);
    }
  for (guint i = 0; i + 1 < self->flow->blocks->len; i++)
    if ((self->kind == LS_PASS_LOG_GCC || self->kind == LS_PASS_LOG_PTX) && !g_array_index (self->ends, gboolean, i))
      ls_pass_flow_join (self->flow, i, i + 1, NULL);
}

static void
read_labels (Reader     *self,
             const char *text,
             GPtrArray  *ops)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines), next = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *label = opened (lines[i], self->kind);
      LsPassOperation *op = NULL;

      while (next < ops->len && ((LsPassOperation *) ops->pdata[next])->line < i)
        next++;
      if (next < ops->len && ((LsPassOperation *) ops->pdata[next])->line == i)
        op = ops->pdata[next];
      if (label != NULL)
        {
          LsPassBlock *last = self->flow->blocks->len > 0 ? self->flow->blocks->pdata[self->flow->blocks->len - 1] : NULL;

          if (self->flow->blocks->len == 1 && last->n == 0 && strcmp (last->label, "entry") == 0)
            {
              g_ptr_array_set_size (self->flow->blocks, 0);
              g_array_set_size (self->ends, 0);
              g_hash_table_remove_all (self->labels);
            }
          open_block (self, label, i);
          continue;
        }
      if (op != NULL && self->flow->blocks->len == 0 && (self->kind != LS_PASS_LOG_GCC || strstr (text, "<bb ") == NULL))
        open_block (self, "entry", i);
      if (self->flow->blocks->len == 0)
        continue;
      if (op != NULL && strcmp (op->name, "label") != 0)
        ls_pass_flow_count (self->flow->blocks->pdata[self->flow->blocks->len - 1], op->name, i);
      if (self->kind == LS_PASS_LOG_LLVM)
        find_llvm (self, lines[i]);
      else if (self->kind == LS_PASS_LOG_GCC)
        find_gcc (self, lines[i]);
      else if (self->kind == LS_PASS_LOG_PTX)
        find_ptx (self, lines[i]);
    }
  if (self->flow->blocks->len == 0)
    open_block (self, "entry", 0);
  settle (self);
}

LsPassFlow *
ls_pass_flow_read (const char   *text,
                   LsPassLogKind kind)
{
  LsPassFlow *self = g_new0 (LsPassFlow, 1);
  g_autoptr (GPtrArray) ops = ls_pass_operations_read (text, kind);

  self->blocks = g_ptr_array_new_with_free_func (block_free);
  self->edges = g_ptr_array_new_with_free_func (edge_free);
  self->regions = g_ptr_array_new_with_free_func (region_free);
  self->data = kind == LS_PASS_LOG_MLIR || kind == LS_PASS_LOG_XLA;
  if (self->data)
    ls_pass_flow_read_data (self, text, kind, ops);
  else
    {
      Reader reader = { self, kind, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), g_ptr_array_new_with_free_func (edge_free),
                        g_array_new (FALSE, FALSE, sizeof (gboolean)) };

      read_labels (&reader, text, ops);
      g_hash_table_unref (reader.labels);
      g_ptr_array_unref (reader.pending);
      g_array_unref (reader.ends);
    }
  return self;
}

/* ---- from state to state ---- */

/* The block of a line; -1: none. */
static int
block_of (LsPassFlow *self,
          int         line)
{
  for (guint i = self->blocks->len; line >= 0 && i-- > 0;)
    {
      LsPassBlock *block = self->blocks->pdata[i];

      if (block->first <= (guint) line && (guint) line <= block->last)
        return (int) i;
    }
  return -1;
}

typedef struct {
  guint a, b, votes;
} Vote;

static int
by_votes (gconstpointer a,
          gconstpointer b)
{
  const Vote *x = a, *y = b;

  return x->votes != y->votes ? (x->votes < y->votes ? 1 : -1) : x->b != y->b ? (x->b < y->b ? -1 : 1) : (x->a > y->a) - (x->a < y->a);
}

static void
vote (GHashTable *votes,
      int         a,
      int         b,
      guint       weight)
{
  gint64 key;
  Vote *one;

  if (a < 0 || b < 0)
    return;
  key = ((gint64) a << 32) | b;
  one = g_hash_table_lookup (votes, &key);
  if (one == NULL)
    {
      one = g_new0 (Vote, 1);
      *one = (Vote) { (guint) a, (guint) b, 0 };
      g_hash_table_insert (votes, g_memdup2 (&key, sizeof key), one);
    }
  one->votes += weight;
}

/* The key of the operation in whose body a block stands; 0: the function's. */
static guint
home_of (LsPassFlow *self,
         guint       block)
{
  int region = ((LsPassBlock *) self->blocks->pdata[block])->region;
  LsPassRegion *at = region >= 0 ? self->regions->pdata[region] : NULL;

  if (at != NULL && at->head == block)
    at = at->parent >= 0 ? self->regions->pdata[at->parent] : NULL;
  return at != NULL ? ((LsPassBlock *) self->blocks->pdata[at->head])->key : 0;
}

void
ls_pass_flow_match (LsPassFlow   *before,
                    const char   *text_before,
                    LsPassFlow   *after,
                    const char   *text_after,
                    LsPassLogKind kind,
                    guint        *next)
{
  g_autoptr (GArray) changes = before != NULL ? ls_pass_diff (text_before, text_after, kind, NULL) : NULL;
  g_autoptr (GHashTable) votes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (Vote));
  g_autofree gboolean *taken = g_new0 (gboolean, before != NULL ? before->blocks->len + 1 : 1);
  g_autofree gboolean *other = g_new0 (gboolean, after->blocks->len + 1);        /* the pass changed it */
  g_autofree gboolean *less = g_new0 (gboolean, before != NULL ? before->blocks->len + 1 : 1);
  g_autofree guint *has = g_new0 (guint, after->blocks->len + 1);       /* number + 1 of the block of `before` */
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; changes != NULL && i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);
      int a = block_of (before, change->a), b = block_of (after, change->b);

      vote (votes, a, b, b > 0 && (guint) change->b == ((LsPassBlock *) after->blocks->pdata[b])->first ? 1 : 2);    /* a label says less */
      if (change->kind != LS_PASS_SAME && b >= 0)
        other[b] = TRUE;
      if (change->kind == LS_PASS_REMOVED && a >= 0)
        less[a] = TRUE;
    }
  g_hash_table_iter_init (&iter, votes);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_array_append_vals (sorted, value, 1);
  g_array_sort (sorted, by_votes);
  for (guint i = 0; i < sorted->len; i++)
    {
      Vote *one = &g_array_index (sorted, Vote, i);
      LsPassBlock *a = before->blocks->pdata[one->a], *b = after->blocks->pdata[one->b];

      if (taken[one->a] || has[one->b])
        continue;
      taken[one->a] = TRUE;
      has[one->b] = one->a + 1;
      b->key = a->key;
      b->version = other[one->b] || less[one->a] || a->n != b->n ? ++*next : a->version;
    }
  for (guint i = 0; i < after->blocks->len; i++)
    if (has[i] == 0 || home_of (before, has[i] - 1) != home_of (after, i))     /* another body is another place */
      {
        LsPassBlock *block = after->blocks->pdata[i];

        block->key = block->version = ++*next;
      }
}
