/* tiling: MultiLevelTiling, "SSRSRS".
 *
 * Each spatial loop is split in four, each reduction loop in two, and the parts are ordered by level:
 *
 *   S S R S R S      levels 0 1 2 3 4 5
 *
 * so that what a level reads again stays near.  What the block writes goes through a cache that is written back under
 * the first or the second level, or directly: three designs.  An element-wise block behind it counts as such a cache.
 */
#include "engine/schedule/space/private.h"

#include <string.h>

#define STRUCTURE "SSRSRS"
#define N_LEVELS 6
static const guint write_levels[] = { 1, 2 };

typedef struct {
  LsSchedule *schedule;
  LsVar      *block;
  GPtrArray  *tiles[N_LEVELS];  /* of LsVar, borrowed from the steps */
} Tiling;

static void
tiling_clear (Tiling *self)
{
  for (guint i = 0; i < N_LEVELS; i++)
    g_clear_pointer (&self->tiles[i], g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tiling, tiling_clear)

static guint
count_levels (char kind)
{
  guint n = 0;

  for (guint i = 0; i < N_LEVELS; i++)
    n += STRUCTURE[i] == kind;
  return n;
}

static gboolean
split_loop (Tiling               *self,
            LsVar                *loop,
            char                  kind,
            const LsSpaceOptions *options)
{
  LsArray *factors = ls_space_step (self->schedule, NULL, "sample_perfect_tile", "loop", ls_ref (loop), "n", ls_int (count_levels (kind)),
                                    "max_innermost_factor", ls_int (options->max_innermost_factor), NULL);
  LsArray *parts = factors != NULL ? ls_space_step (self->schedule, NULL, "split", "loop", ls_ref (loop), "factors", ls_ref (factors), NULL) : NULL;

  if (parts == NULL)
    return FALSE;
  for (guint i = 0, part = 0; i < N_LEVELS; i++)
    if (STRUCTURE[i] == kind)
      g_ptr_array_add (self->tiles[i], parts->items[part++]);
  return TRUE;
}

static gboolean
tile_loops (Tiling               *self,
            const LsSpaceOptions *options)
{
  LsArray *loops = ls_space_step (self->schedule, NULL, "get_loops", "block", ls_ref (self->block), NULL);
  LsBlock *block = ls_sref_block (ls_space_place (self->schedule, self->block));
  GPtrArray *order = g_ptr_array_new ();
  g_autofree gint *types = g_new0 (gint, ls_array_n (loops) + 1);

  for (guint i = 0; i < ls_array_n (loops); i++)
    types[i] = ls_array_at (block->iter_vars, i, LsIterVar)->iter_type;
  for (guint i = 0; i < ls_array_n (loops); i++)
    if ((types[i] == LS_ITER_DATA_PAR || types[i] == LS_ITER_COMM_REDUCE) &&
        !split_loop (self, ls_space_handle (loops, i), types[i] == LS_ITER_DATA_PAR ? 'S' : 'R', options))
      {
        g_ptr_array_unref (order);
        return FALSE;
      }
  for (guint i = 0; i < N_LEVELS; i++)
    for (guint k = 0; k < self->tiles[i]->len; k++)
      g_ptr_array_add (order, ls_node_ref (self->tiles[i]->pdata[k]));
  return ls_space_step (self->schedule, NULL, "reorder", "ordered_loops", ls_array_take_ptr_array (order), NULL) != NULL;
}

/* One design: the cache is written back under the last loop of a level. */
static void
add_written_back (Tiling    *self,
                  LsVar     *cache,
                  guint      level,
                  GPtrArray *made)
{
  g_autoptr(LsSchedule) branch = ls_space_fork (self->schedule);
  GPtrArray *tiles = self->tiles[level - 1];

  if (ls_space_step (branch, NULL, "reverse_compute_at", "block", ls_ref (cache), "loop", ls_node_ref (tiles->pdata[tiles->len - 1]),
                     "preserve_unit_loops", ls_bool (TRUE), NULL) != NULL)
    g_ptr_array_add (made, g_steal_pointer (&branch));
}

/* Goes through what it reads in the order of what it writes, each element once: such a block can stand in for a cache. */
static gboolean
is_write_cache (LsSref *sref)
{
  LsBlock *block = ls_sref_block (sref);

  if (ls_array_n (block->writes) != 1)
    return FALSE;
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    if (!ls_reads_in_order (ls_array_at (block->reads, i, LsBufferRegion), ls_array_at (block->writes, 0, LsBufferRegion)))
      return FALSE;
  return TRUE;
}

static LsVar *
only_copy (Tiling *self)
{
  LsArray *consumers = ls_space_step (self->schedule, NULL, "get_consumers", "block", ls_ref (self->block), NULL);

  if (ls_array_n (consumers) != 1 || !is_write_cache (ls_space_place (self->schedule, ls_space_handle (consumers, 0))))
    return NULL;
  return ls_space_handle (consumers, 0);
}

static void
add_designs (Tiling    *self,
             GPtrArray *made)
{
  LsVar *copy = only_copy (self);
  LsArray *cache;

  if (copy != NULL)
    {
      for (guint i = 0; i < G_N_ELEMENTS (write_levels); i++)
        add_written_back (self, copy, write_levels[i], made);
      g_ptr_array_add (made, ls_schedule_ref (self->schedule));
      return;
    }
  g_ptr_array_add (made, ls_space_fork (self->schedule));
  cache = ls_space_step (self->schedule, NULL, "cache_write", "block", ls_ref (self->block), "write_buffer_index", ls_int (0), "storage_scope",
                         ls_string_new ("global"), NULL);
  for (guint i = 0; cache != NULL && i < G_N_ELEMENTS (write_levels); i++)
    add_written_back (self, ls_space_handle (cache, 0), write_levels[i], made);
}

void
ls_rule_tiling (LsSchedule           *schedule,
                LsVar                *handle,
                const LsSpaceOptions *options,
                GPtrArray            *made)
{
  g_autoptr(LsSchedule) tiled = NULL;
  g_auto(Tiling) self = { NULL, handle, { NULL } };
  LsSref *block = ls_space_place (schedule, handle);

  if (block->parent == NULL || !ls_needs_tiling (ls_schedule_get_state (schedule), block))
    {
      g_ptr_array_add (made, ls_schedule_ref (schedule));
      return;
    }
  self.schedule = tiled = ls_space_fork (schedule);
  for (guint i = 0; i < N_LEVELS; i++)
    self.tiles[i] = g_ptr_array_new ();
  if (ls_space_step (tiled, NULL, "annotate", "block_or_loop", ls_ref (handle), "ann_key", ls_string_new (LS_TILING_STRUCTURE), "ann_val",
                     ls_string_new (STRUCTURE), NULL) != NULL && tile_loops (&self, options))
    add_designs (&self, made);
  else
    g_ptr_array_add (made, ls_schedule_ref (schedule));
}
