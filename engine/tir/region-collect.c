/* region-collect: accesses below a statement, relaxed over loops (for schedules).
 *
 * A block's declared regions are in terms of its own variables; outside they are taken
 * with the bindings in their place and relaxed over loops: exactly where the indices are
 * an affine iteration map of the loops, by intervals otherwise.
 */
#include "engine/tir/regions.h"

void
ls_region_access_free (LsRegionAccess *self)
{
  if (self == NULL)
    return;
  ls_unref (self->region);
  g_ptr_array_unref (self->loops);
  g_free (self);
}

LsBufferRegion *
ls_buffer_region_substitute (LsBufferRegion *region,
                             GHashTable     *map,
                             LsAnalyzer     *analyzer)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);
      g_autoptr (LsExpr) min = LS_EXPR (ls_substitute (range->min, map));
      g_autoptr (LsExpr) extent = LS_EXPR (ls_substitute (range->extent, map));

      if (analyzer != NULL)
        {
          ls_take (&min, ls_analyzer_simplify (analyzer, min));
          ls_take (&extent, ls_analyzer_simplify (analyzer, extent));
        }
      g_ptr_array_add (ranges, ls_range_new (g_steal_pointer (&min), g_steal_pointer (&extent)));
    }
  return ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges));
}

/* ---- collecting ----------------------------------------------------------- */

typedef struct {
  LsBuffer  *buffer;
  gboolean   reads, writes;
  GPtrArray *loops;
  GPtrArray *result;
} Collector;

static GHashTable *
bindings_of (LsBlockRealize *realize)
{
  GHashTable *map = g_hash_table_new (NULL, NULL);
  LsArray *vars = realize->block->iter_vars;

  for (guint i = 0; i < MIN (ls_array_n (vars), ls_array_n (realize->iter_values)); i++)
    g_hash_table_insert (map, ls_array_at (vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  return map;
}

static void
add_accesses (Collector      *self,
              LsBlockRealize *realize,
              LsArray        *regions,
              gboolean        is_write)
{
  g_autoptr (GHashTable) bindings = bindings_of (realize);

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      LsRegionAccess *access;

      if (self->buffer != NULL && region->buffer != self->buffer)
        continue;
      access = g_new0 (LsRegionAccess, 1);
      access->region = ls_buffer_region_substitute (region, bindings, NULL);
      access->realize = realize;
      access->is_write = is_write;
      access->loops = g_ptr_array_new ();
      for (guint k = 0; k < self->loops->len; k++)
        g_ptr_array_add (access->loops, self->loops->pdata[k]);
      g_ptr_array_add (self->result, access);
    }
}

static LsWalk
enter (LsNode  *node,
       gpointer data)
{
  Collector *self = data;
  LsBlockRealize *realize = (LsBlockRealize *) node;

  if (ls_is (node, FOR))
    g_ptr_array_add (self->loops, node);
  if (!ls_is (node, BLOCK_REALIZE))
    return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
  if (self->reads)
    add_accesses (self, realize, realize->block->reads, FALSE);
  if (self->writes)
    add_accesses (self, realize, realize->block->writes, TRUE);
  return LS_WALK_PRUNE;
}

static void
leave (LsNode  *node,
       gpointer data)
{
  Collector *self = data;

  if (ls_is (node, FOR))
    g_ptr_array_set_size (self->loops, self->loops->len - 1);
}

GPtrArray *
ls_collect_regions (LsStmt   *root,
                    LsBuffer *buffer,
                    gboolean  reads,
                    gboolean  writes)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  Collector self = { buffer, reads, writes, loops,
                     g_ptr_array_new_with_free_func ((GDestroyNotify) ls_region_access_free) };

  ls_walk (root, enter, leave, &self);
  return self.result;
}

/* ---- relaxing ------------------------------------------------------------- */

LsDomMap *
ls_loop_domains (GPtrArray *loops)
{
  LsDomMap *dom = ls_dom_map_new ();

  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = loops->pdata[i];
      g_autoptr (LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      ls_dom_map_set_range (dom, loop->loop_var, range);
    }
  return dom;
}

static LsBufferRegion *
region_from_sets (LsBuffer   *buffer,
                  LsNDIntSet *sets)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < sets->len; i++)
    {
      LsExpr *extent = ls_array_at (buffer->shape, i, LsExpr);
      g_autoptr (LsRange) whole = ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent));

      g_ptr_array_add (ranges, ls_int_set_cover_range (sets->pdata[i], whole));
    }
  return ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (ranges));
}

LsBufferRegion *
ls_buffer_region_relax (LsBufferRegion *region,
                        const LsDomMap *dom,
                        LsExpr         *predicate,
                        LsAnalyzer     *analyzer)
{
  g_autoptr (LsNDIntSet) sets = ls_region_upper_bound (region->region, dom, predicate, analyzer);

  return region_from_sets (region->buffer, sets);
}

LsBufferRegion *
ls_buffer_region_union (LsBufferRegion **regions,
                        guint            n)
{
  g_autoptr (GPtrArray) sets = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (LsNDIntSet) sum = NULL;

  g_return_val_if_fail (n > 0, NULL);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (sets, ls_nd_int_set_from_region (regions[i]->region));
  sum = ls_nd_int_set_union ((LsNDIntSet **) sets->pdata, n);
  return region_from_sets (regions[0]->buffer, sum);
}
