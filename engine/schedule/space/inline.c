/* inline: AutoInline and InlineConstantScalars.
 *
 * A block goes into those that read it when it stores one buffer, has no conditions, does not call exp, and reads at
 * its own indices, in their order, each at most once; in a function without reductions these are not asked for.  What
 * reads nothing always goes.
 */
#include "engine/schedule/space/private.h"

#include <string.h>

static LsWalk
look_for_condition (LsNode   *node,
                    gpointer  user_data)
{
  return ls_is (node, IF_THEN_ELSE) || ls_is (node, SELECT) || ls_is_call (node, "tir.if_then_else") ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static LsWalk
look_for_exp (LsNode   *node,
              gpointer  user_data)
{
  return ls_is_call (node, "tir.exp") ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_simple (LsBlock        *block,
           LsBlockRealize *realize)
{
  LsBufferRegion *write = ls_array_at (block->writes, 0, LsBufferRegion);

  if (!ls_walk (realize, look_for_exp, NULL, NULL) || !ls_walk (realize, look_for_condition, NULL, NULL))
    return FALSE;
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    if (!ls_reads_in_order (ls_array_at (block->reads, i, LsBufferRegion), write))
      return FALSE;
  return TRUE;
}

static gboolean
is_disabled (LsBlock *block)
{
  LsNode *rule = ls_map_get (block->annotations, "meta_schedule.inline_rule");

  return ls_is (rule, STRING) && strcmp (((LsString *) rule)->value, "disable") == 0;
}

void
ls_rule_auto_inline (LsSchedule           *schedule,
                     LsVar                *handle,
                     const LsSpaceOptions *options,
                     GPtrArray            *made)
{
  LsState *state = ls_schedule_get_state (schedule);
  LsSref *sref = ls_space_place (schedule, handle);
  LsBlock *block = ls_sref_block (sref);
  g_autoptr(GPtrArray) consumers = ls_state_consumers (state, sref);

  g_ptr_array_add (made, ls_schedule_ref (schedule));
  if (sref->parent == NULL || ls_array_n (block->writes) != 1 || consumers->len == 0)
    return;
  if (ls_array_n (block->reads) > 0 &&
      ((!ls_func_is_spatial (state, sref) && !is_simple (block, ls_state_realize (state, sref))) || is_disabled (block)))
    return;
  ls_space_step (schedule, NULL, "compute_inline", "block", ls_ref (handle), NULL);
}

void
ls_rule_inline_constants (LsSchedule           *schedule,
                          LsVar                *handle,
                          const LsSpaceOptions *options,
                          GPtrArray            *made)
{
  LsSref *sref = ls_space_place (schedule, handle);
  LsBlock *block = ls_sref_block (sref);

  g_ptr_array_add (made, ls_schedule_ref (schedule));
  if (sref->parent != NULL && ls_array_n (block->reads) == 0 && ls_array_n (block->writes) == 1 &&
      ls_buffer_ndim (ls_array_at (block->writes, 0, LsBufferRegion)->buffer) == 0)
    ls_space_step (schedule, NULL, "compute_inline", "block", ls_ref (handle), NULL);
}
