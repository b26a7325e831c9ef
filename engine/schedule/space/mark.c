/* mark: ParallelizeVectorizeUnroll, which only writes down what finish.c does later, and RandomComputeLocation. */
#include "engine/schedule/space/private.h"

static const gint64 unroll_steps[] = { 0, 16, 64, 512 };

static void
annotate (LsSchedule *schedule,
          LsVar      *block,
          const char *key,
          LsNode     *value)
{
  ls_space_step (schedule, NULL, "annotate", "block_or_loop", ls_ref (block), "ann_key", ls_string_new (key), "ann_val", value, NULL);
}

void
ls_rule_parallelize (LsSchedule           *schedule,
                     LsVar                *handle,
                     const LsSpaceOptions *options,
                     GPtrArray            *made)
{
  LsSref *block = ls_space_place (schedule, handle);
  GPtrArray *steps, *probs;
  LsArray *drawn;

  g_ptr_array_add (made, ls_schedule_ref (schedule));
  if (block->parent != NULL)
    return;
  annotate (schedule, handle, "meta_schedule.parallel", LS_NODE (ls_int (options->max_jobs_per_core * options->n_cores)));
  annotate (schedule, handle, "meta_schedule.vectorize", LS_NODE (ls_int (options->max_vectorize_extent)));
  if (ls_func_is_spatial (ls_schedule_get_state (schedule), ls_space_place (schedule, handle)))
    return;
  steps = g_ptr_array_new ();
  probs = g_ptr_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (unroll_steps); i++)
    {
      g_ptr_array_add (steps, ls_int (unroll_steps[i]));
      g_ptr_array_add (probs, ls_const_float (LS_FLOAT32, 1.0 / G_N_ELEMENTS (unroll_steps)));
    }
  drawn = ls_space_step (schedule, NULL, "sample_categorical", "candidates", ls_array_take_ptr_array (steps), "probs", ls_array_take_ptr_array (probs), NULL);
  if (drawn != NULL)
    annotate (schedule, handle, "meta_schedule.unroll_explicit", ls_node_ref (drawn->items[0]));
}

/* ---- compute location ----------------------------------------------------- */

static gboolean
may_move (LsSchedule *schedule,
          LsVar      *handle)
{
  LsState *state = ls_schedule_get_state (schedule);
  LsSref *block = ls_space_place (schedule, handle);
  LsSref *root = ls_state_scope_root (state, block);
  g_autoptr(GPtrArray) loops = NULL;
  g_autoptr(GPtrArray) below = NULL;
  g_autoptr(GPtrArray) consumers = NULL;

  if (root == NULL || root->parent != NULL)
    return FALSE;
  loops = ls_state_loops (state, block);
  if (loops->len == 0 || ls_block_is_tiled (block))
    return FALSE;
  below = ls_state_child_blocks (state, loops->pdata[0]);
  consumers = ls_state_consumers (state, block);
  return below->len == 1 && consumers->len > 0;
}

static void
move_at_random (LsSchedule *schedule,
                LsVar      *block)
{
  LsArray *drawn = ls_space_step (schedule, NULL, "sample_compute_location", "block", ls_ref (block), NULL);

  if (drawn != NULL)
    ls_space_step (schedule, NULL, "compute_at", "block", ls_ref (block), "loop", ls_node_ref (drawn->items[0]), "preserve_unit_loops",
                   ls_bool (TRUE), NULL);
}

#define RANDOM_PRODUCER "meta_schedule.random_compute_producer"

/* A block that AddRFactor marked has its one producer moved too.  The producer is asked for first: the block may go into
 * another one. */
void
ls_rule_compute_location (LsSchedule           *schedule,
                          LsVar                *handle,
                          const LsSpaceOptions *options,
                          GPtrArray            *made)
{
  LsArray *producers = NULL;

  g_ptr_array_add (made, ls_schedule_ref (schedule));
  if (!may_move (schedule, handle))
    return;
  if (ls_map_get (ls_sref_block (ls_space_place (schedule, handle))->annotations, RANDOM_PRODUCER) != NULL)
    {
      producers = ls_space_step (schedule, NULL, "get_producers", "block", ls_ref (handle), NULL);
      ls_space_step (schedule, NULL, "unannotate", "block_or_loop", ls_ref (handle), "ann_key", ls_string_new (RANDOM_PRODUCER), NULL);
    }
  move_at_random (schedule, handle);
  if (producers != NULL && ls_array_n (producers) == 1)
    move_at_random (schedule, ls_space_handle (producers, 0));
}
