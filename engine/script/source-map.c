/* source-map: which bytes of a printed text show which node of the tree.
 *
 * Ranges are kept sorted by start, outer before inner, so that the innermost range around an offset is found by
 * going back from the last one that starts before it.  Paths are chains of (parent, step) and become an
 * LsPath only when somebody asks.
 */
#include "engine/script/printer-private.h"

struct _LsSourceMap {
  gatomicrefcount refs;
  LsNode         *root;
  GArray         *paths;        /* of LsPathStep; 0 is the root */
  GArray         *ranges;       /* of LsSourceRange */
  GArray         *lines;        /* of guint32: where each line starts */
  guint32         length;
};

static int
compare_ranges (gconstpointer a,
                gconstpointer b)
{
  const LsSourceRange *ra = a, *rb = b;

  if (ra->start != rb->start)
    return ra->start < rb->start ? -1 : 1;
  if (ra->end != rb->end)
    return ra->end > rb->end ? -1 : 1;
  return ra->line < rb->line ? -1 : ra->line > rb->line;
}

LsSourceMap *
ls_source_map_new (LsNode     *root,
                   const char *text,
                   GArray     *paths,
                   GArray     *ranges)
{
  LsSourceMap *self = g_new0 (LsSourceMap, 1);
  guint32 at = 0;

  g_atomic_ref_count_init (&self->refs);
  self->root = ls_node_ref (root);
  self->paths = paths;
  self->ranges = ranges;
  self->lines = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (self->lines, at);
  for (; text[at] != '\0'; at++)
    if (text[at] == '\n')
      {
        guint32 next = at + 1;

        g_array_append_val (self->lines, next);
      }
  self->length = at;
  for (guint i = 0; i < ranges->len; i++)
    g_array_index (ranges, LsSourceRange, i).line = i;          /* keeps the order of arrival among equals */
  g_array_sort (ranges, compare_ranges);
  for (guint i = 0; i < ranges->len; i++)
    g_array_index (ranges, LsSourceRange, i).line = ls_source_map_line_of (self, g_array_index (ranges, LsSourceRange, i).start);
  return self;
}

LsSourceMap *
ls_source_map_ref (LsSourceMap *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_source_map_unref (LsSourceMap *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ls_node_unref (self->root);
  g_array_unref (self->paths);
  g_array_unref (self->ranges);
  g_array_unref (self->lines);
  g_free (self);
}

LsNode *
ls_source_map_get_root (LsSourceMap *self)
{
  return self->root;
}

const LsSourceRange *
ls_source_map_get_ranges (LsSourceMap *self,
                          guint       *n)
{
  *n = self->ranges->len;
  return (const LsSourceRange *) (gpointer) self->ranges->data;
}

static guint
path_depth (LsSourceMap *self,
            guint32      path)
{
  guint n = 0;

  for (; path != 0; path = g_array_index (self->paths, LsPathStep, path).parent)
    n++;
  return n;
}

LsPath *
ls_source_map_dup_path (LsSourceMap         *self,
                        const LsSourceRange *range)
{
  guint n = path_depth (self, range->path), i = n;
  g_autofree guint32 *steps = g_new (guint32, n + 1);

  for (guint32 at = range->path; at != 0; at = g_array_index (self->paths, LsPathStep, at).parent)
    steps[--i] = g_array_index (self->paths, LsPathStep, at).step;
  return ls_path_new (steps, n);
}

/* Is the range's path the first `n` steps of `path`? */
static gboolean
path_is (LsSourceMap  *self,
         guint32       at,
         const LsPath *path,
         guint         n)
{
  for (; n > 0 && at != 0; at = g_array_index (self->paths, LsPathStep, at).parent)
    if (g_array_index (self->paths, LsPathStep, at).step != path->steps[--n])
      return FALSE;
  return n == 0 && at == 0;
}

/* The number of ranges that start at or before the offset. */
static guint
count_before (LsSourceMap *self,
              guint32      offset)
{
  guint low = 0, high = self->ranges->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->ranges, LsSourceRange, middle).start <= offset)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

const LsSourceRange *
ls_source_map_at (LsSourceMap *self,
                  guint32      offset)
{
  for (guint i = count_before (self, offset); i-- > 0;)
    {
      const LsSourceRange *range = &g_array_index (self->ranges, LsSourceRange, i);

      if (offset < range->end)
        return range;
    }
  return NULL;
}

GPtrArray *
ls_source_map_find_path (LsSourceMap  *self,
                         const LsPath *path)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < self->ranges->len; i++)
    if (path_is (self, g_array_index (self->ranges, LsSourceRange, i).path, path, path->n))
      g_ptr_array_add (found, &g_array_index (self->ranges, LsSourceRange, i));
  return found;
}

GPtrArray *
ls_source_map_find_node (LsSourceMap  *self,
                         gconstpointer node)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < self->ranges->len; i++)
    if (g_array_index (self->ranges, LsSourceRange, i).node == node)
      g_ptr_array_add (found, &g_array_index (self->ranges, LsSourceRange, i));
  return found;
}

const LsSourceRange *
ls_source_map_find_definition (LsSourceMap  *self,
                               gconstpointer identity)
{
  for (guint i = 0; i < self->ranges->len; i++)
    {
      const LsSourceRange *range = &g_array_index (self->ranges, LsSourceRange, i);

      if (range->node == identity && range->role == LS_SOURCE_DEFINE)
        return range;
    }
  return NULL;
}

const LsSourceRange *
ls_source_map_find_nearest (LsSourceMap  *self,
                            const LsPath *path)
{
  for (guint n = path->n + 1; n-- > 0;)
    for (guint i = 0; i < self->ranges->len; i++)
      if (path_is (self, g_array_index (self->ranges, LsSourceRange, i).path, path, n))
        return &g_array_index (self->ranges, LsSourceRange, i);
  return NULL;
}

guint
ls_source_map_get_n_lines (LsSourceMap *self)
{
  guint32 last = g_array_index (self->lines, guint32, self->lines->len - 1);

  return self->lines->len - (last == self->length && self->lines->len > 1);
}

guint
ls_source_map_line_of (LsSourceMap *self,
                       guint32      offset)
{
  guint low = 0, high = self->lines->len;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->lines, guint32, middle) <= offset)
        low = middle;
      else
        high = middle;
    }
  return low + 1;
}

guint32
ls_source_map_line_start (LsSourceMap *self,
                          guint        line)
{
  g_return_val_if_fail (line >= 1 && line <= self->lines->len, 0);
  return g_array_index (self->lines, guint32, line - 1);
}

guint
ls_source_map_line_of_path (LsSourceMap  *self,
                            const LsPath *path)
{
  for (guint i = 0; i < self->ranges->len; i++)
    if (path_is (self, g_array_index (self->ranges, LsSourceRange, i).path, path, path->n))
      return g_array_index (self->ranges, LsSourceRange, i).line;
  return 0;
}
