/* rfactor: AddRFactor.
 *
 * A reduction with little to do beside it is summed in parts: its reduction loops are fused and split, and each of the
 * two loops may be the one along which the parts are made.  Three designs: both of these, and the block as it was.
 */
#include "engine/schedule/space/private.h"

/* The loops form a chain down to the block. */
static gboolean
is_chain (GPtrArray *loops,
          LsState   *state,
          LsSref    *block)
{
  for (guint i = 0; i < loops->len; i++)
    {
      LsNode *body = ls_sref_for ((LsSref *) loops->pdata[i])->body;
      LsNode *expected = i + 1 < loops->len ? ((LsSref *) loops->pdata[i + 1])->stmt : LS_NODE (ls_state_realize (state, block));

      if (body != expected)
        return FALSE;
    }
  return TRUE;
}

static gboolean
needs_rfactor (LsState              *state,
               LsSref               *block,
               const LsSpaceOptions *options)
{
  LsSref *root = ls_state_scope_root (state, block);
  g_autoptr(GPtrArray) loops = NULL;
  gint64 spatial = 1, reduced = 1;
  gboolean has_reduction = FALSE;

  if (root == NULL || ls_array_n (ls_sref_block (block)->writes) == 0 || !ls_is_reduction_block (state, block, root) ||
      !ls_block_is_trivial (state, block) || ls_block_is_tiled (block))
    return FALSE;
  loops = ls_state_loops (state, block);
  if (!is_chain (loops, state, block))
    return FALSE;
  for (guint i = 0; i < loops->len; i++)
    {
      gint type = ls_loop_iter_type (state, loops->pdata[i]);
      gint64 extent = ls_loop_extent (loops->pdata[i]);

      if (type < 0 || extent < 0)
        return FALSE;
      has_reduction |= type == LS_ITER_COMM_REDUCE;
      if (type == LS_ITER_COMM_REDUCE)
        reduced *= extent;
      else
        spatial *= extent;
    }
  if (!has_reduction)
    return FALSE;
  if (ls_needs_tiling (state, block))
    return spatial < reduced && spatial <= options->max_jobs_per_core * options->n_cores;
  return reduced > 1 && reduced > options->n_cores;
}

/* The loops, spatial ones first; NULL when they stand so already. */
static LsArray *
new_order (LsSchedule *schedule,
           LsArray    *loops,
           GPtrArray  *reductions)
{
  LsState *state = ls_schedule_get_state (schedule);
  GPtrArray *order = g_ptr_array_new ();
  gboolean changed = FALSE;
  LsArray *list;

  for (guint i = 0; i < ls_array_n (loops); i++)
    if (ls_loop_iter_type (state, ls_space_place (schedule, ls_space_handle (loops, i))) == LS_ITER_DATA_PAR)
      g_ptr_array_add (order, ls_node_ref (loops->items[i]));
    else
      g_ptr_array_add (reductions, loops->items[i]);
  for (guint i = 0; i < reductions->len; i++)
    g_ptr_array_add (order, ls_node_ref (reductions->pdata[i]));
  for (guint i = 0; i < order->len; i++)
    changed |= order->pdata[i] != loops->items[i];
  list = ls_array_take_ptr_array (order);
  if (changed)
    return list;
  ls_unref (list);
  return NULL;
}

static LsArray *
list_of (GPtrArray *handles)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < handles->len; i++)
    g_ptr_array_add (list, ls_node_ref (handles->pdata[i]));
  return ls_array_take_ptr_array (list);
}

/* Fuses the reduction loops behind the spatial ones and splits them. */
static LsArray *
split_reduction (LsSchedule           *schedule,
                 LsVar                *block,
                 const LsSpaceOptions *options,
                 guint                *n_spatial)
{
  g_autoptr(GPtrArray) reductions = g_ptr_array_new ();
  LsArray *loops = ls_space_step (schedule, NULL, "get_loops", "block", ls_ref (block), NULL);
  LsArray *order = new_order (schedule, loops, reductions);
  LsArray *factors, *fused;
  LsVar *loop;

  *n_spatial = ls_array_n (loops) - reductions->len;
  if (order != NULL && ls_space_step (schedule, NULL, "reorder", "ordered_loops", order, NULL) == NULL)
    return NULL;
  loop = reductions->pdata[0];
  if (reductions->len > 1)
    {
      fused = ls_space_step (schedule, NULL, "fuse", "loops", list_of (reductions), NULL);
      if (fused == NULL)
        return NULL;
      loop = ls_space_handle (fused, 0);
    }
  factors = ls_space_step (schedule, NULL, "sample_perfect_tile", "loop", ls_ref (loop), "n", ls_int (2), "max_innermost_factor",
                           ls_int (options->max_innermost_factor), NULL);
  return factors != NULL ? ls_space_step (schedule, NULL, "split", "loop", ls_ref (loop), "factors", ls_ref (factors), NULL) : NULL;
}

void
ls_rule_add_rfactor (LsSchedule           *schedule,
                     LsVar                *handle,
                     const LsSpaceOptions *options,
                     GPtrArray            *made)
{
  LsSref *block = ls_space_place (schedule, handle);
  g_autoptr(LsSchedule) plain = NULL;
  LsArray *loops;
  guint n_spatial;

  if (block->parent == NULL || !needs_rfactor (ls_schedule_get_state (schedule), block, options))
    {
      g_ptr_array_add (made, ls_schedule_ref (schedule));
      return;
    }
  plain = ls_space_fork (schedule);
  loops = split_reduction (schedule, handle, options, &n_spatial);
  for (guint i = 0; loops != NULL && i < ls_array_n (loops); i++)
    {
      g_autoptr(LsSchedule) branch = ls_space_fork (schedule);
      LsArray *parts = ls_space_step (branch, NULL, "rfactor", "loop", ls_node_ref (loops->items[i]), "factor_axis", ls_int (n_spatial), NULL);

      if (parts == NULL)
        continue;
      ls_space_step (branch, NULL, "get_loops", "block", ls_node_ref (parts->items[0]), NULL);
      if (ls_space_step (branch, NULL, "annotate", "block_or_loop", ls_ref (handle), "ann_key",
                         ls_string_new ("meta_schedule.random_compute_producer"), "ann_val", ls_int (1), NULL) != NULL)
        g_ptr_array_add (made, g_steal_pointer (&branch));
    }
  g_ptr_array_add (made, g_steal_pointer (&plain));
}
