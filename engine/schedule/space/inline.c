/* inline: AutoInline and InlineConstantScalars.
 *
 * A block goes into those that read it when it stores one buffer, has no conditions, does not call exp, and reads at
 * its own indices, in their order, each at most once; in a function without reductions these are not asked for.  What
 * reads nothing always goes.
 */
#include "engine/schedule/space/space-private.h"

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

/* The variable of `var`, `var + c` or `var - c`. */
static LsVar *
shifted_var (LsExpr *index)
{
  LsBinary *sum = (LsBinary *) index;

  if (ls_is_var (index))
    return (LsVar *) index;
  if ((ls_is (index, ADD) || ls_is (index, SUB)) && ls_is_var (sum->a) && ls_is (sum->b, INT_IMM))
    return (LsVar *) sum->a;
  return ls_is (index, ADD) && ls_is_var (sum->b) && ls_is (sum->a, INT_IMM) ? (LsVar *) sum->b : NULL;
}

static gint
dimension_of (LsBufferRegion *write,
              LsVar          *var)
{
  for (guint i = 0; i < ls_array_n (write->region); i++)
    if (ls_array_at (write->region, i, LsRange)->min == LS_EXPR (var))
      return (gint) i;
  return -1;
}

static gboolean
is_plain_write (LsBufferRegion *write)
{
  gint64 extent;

  for (guint i = 0; i < ls_array_n (write->region); i++)
    if (!ls_as_int (ls_array_at (write->region, i, LsRange)->extent, &extent) || !ls_is_var (ls_array_at (write->region, i, LsRange)->min))
      return FALSE;
  return TRUE;
}

/* Does the block read at its own indices, each at most once and in their order? */
static gboolean
reads_in_order (LsBufferRegion *read,
                LsBufferRegion *write)
{
  guint64 used = 0;
  gint last = -1;

  for (guint i = 0; i < ls_array_n (read->region); i++)
    {
      LsRange *range = ls_array_at (read->region, i, LsRange);
      LsVar *var = shifted_var (range->min);
      gint64 extent;
      gint at;

      if (!ls_as_int (range->extent, &extent))
        return FALSE;
      if (ls_is (range->min, INT_IMM))
        continue;
      at = var != NULL ? dimension_of (write, var) : -1;
      if (at < 0 || at < last || at > 63 || (used & ((guint64) 1 << at)) != 0)
        return FALSE;
      used |= (guint64) 1 << at;
      last = at;
    }
  return TRUE;
}

static gboolean
is_simple (LsBlock        *block,
           LsBlockRealize *realize)
{
  LsBufferRegion *write = ls_array_at (block->writes, 0, LsBufferRegion);

  if (!ls_walk (realize, look_for_exp, NULL, NULL) || !ls_walk (realize, look_for_condition, NULL, NULL))
    return FALSE;
  if (ls_array_n (block->reads) > 0 && !is_plain_write (write))
    return FALSE;
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    if (!reads_in_order (ls_array_at (block->reads, i, LsBufferRegion), write))
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
