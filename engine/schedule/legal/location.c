/* location: where a block can be computed: inlined, left where it is, or under a loop of its readers.
 *
 * What sample_compute_location draws from, and who draws again.  The conditions of compute_at and compute_inline are asked
 * through their rows.  Source: TVM's tir SampleComputeLocation.
 */
#include "engine/schedule/legal/legal.h"

/* ---- kinds of loops ------------------------------------------------------------ */

typedef struct {
  LsVar *var;
  guint  spatial, other;
} Uses;

static LsWalk
count_uses (LsNode   *node,
            gpointer  user_data)
{
  Uses *uses = user_data;
  LsBlockRealize *realize = (LsBlockRealize *) node;

  if (!ls_is (node, BLOCK_REALIZE))
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (ls_uses (realize->iter_values->items[i], uses->var))
      {
        if (ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_DATA_PAR)
          uses->spatial++;
        else
          uses->other++;
      }
  return LS_WALK_PRUNE;
}

static gboolean
is_spatial (LsSref *loop)
{
  Uses uses = { ls_sref_for (loop)->loop_var, 0, 0 };

  ls_walk (ls_sref_for (loop)->body, count_uses, NULL, &uses);
  return uses.other == 0;
}

/* ---- candidates ------------------------------------------------------------------ */

static gboolean
can (LsSchedule *schedule,
     const char *primitive,
     LsNode     *block,
     LsSref     *loop)
{
  const LsInstruction *row = ls_instruction_get (primitive);
  LsVar *handle = loop != NULL ? ls_schedule_lend_handle (schedule, loop) : NULL;
  g_autoptr(LsNode) keep_units = LS_NODE (ls_bool (TRUE));
  g_autoptr(LsNode) index = LS_NODE (ls_int (-1));
  LsNode *args[] = { block, LS_NODE (handle), keep_units, index };
  LsMove trial = ls_schedule_move (schedule, row, args);
  gboolean possible = row->check (&trial, NULL);

  ls_move_keep (&trial, NULL, NULL);
  if (handle != NULL)
    ls_schedule_take_back (schedule, handle);
  return possible;
}

static void
add_place (GArray *places,
           gint64  number,
           LsSref *loop)
{
  LsComputeLocation place = { number, loop };

  g_array_append_val (places, place);
}

/* The lowest loop around all consumers, or NULL. */
static LsSref *
boundary_of (GPtrArray *consumers)
{
  LsSref *lowest = consumers->len > 1 ? ls_sref_common ((LsSref **) consumers->pdata, consumers->len)
                                      : ((LsSref *) consumers->pdata[0])->parent;

  return lowest != NULL && !lowest->is_block ? lowest : NULL;
}

static void
add_loops (LsSchedule *schedule,
           LsNode     *block,
           GPtrArray  *loops,
           guint       n,
           GArray     *places)
{
  gint last_spatial = -1;
  gboolean reduced = FALSE;

  for (guint i = 0; i < n; i++)
    if (is_spatial (loops->pdata[i]))
      last_spatial = (gint) i;
  for (guint i = 0; i < n; i++)
    {
      LsSref *loop = loops->pdata[i];

      if (ls_is_one (ls_sref_for (loop)->extent))
        continue;
      if (is_spatial (loop) ? reduced : (gint) i > last_spatial)
        break;
      reduced |= !is_spatial (loop);
      if (can (schedule, "compute_at", block, loop))
        add_place (places, i, loop);
    }
}

GArray *
ls_compute_locations (LsSchedule *schedule,
                      LsNode     *block)
{
  LsState *state = ls_schedule_get_state (schedule);
  const LsHandle *meaning = ls_schedule_handle (schedule, (LsVar *) block);
  LsSref *sref = meaning != NULL ? ls_state_sref_by_id (state, meaning->id) : NULL;
  GArray *places = g_array_new (FALSE, FALSE, sizeof (LsComputeLocation));
  g_autoptr(GPtrArray) consumers = NULL;
  g_autoptr(GPtrArray) loops = NULL;
  LsSref *boundary;
  guint at;

  if (sref == NULL || ls_state_scope_root (state, sref) == NULL)
    return places;
  consumers = ls_state_consumers (state, sref);
  if (can (schedule, "compute_inline", block, NULL))
    add_place (places, LS_LOCATION_INLINE, NULL);
  add_place (places, LS_LOCATION_LEAVE, NULL);
  boundary = consumers->len > 0 ? boundary_of (consumers) : NULL;
  if (boundary == NULL)
    return places;
  loops = ls_state_loops (state, consumers->pdata[0]);
  if (g_ptr_array_find (loops, boundary, &at))
    add_loops (schedule, block, loops, at + 1, places);
  return places;
}
