/* sample_compute_location: draws the loop under which a block is computed, or that it is inlined or left where it is.
 *
 * The candidates are numbers: -2 inline it (where that is possible), -1 leave it, and the loops around its first reader
 * by their position, down to the lowest loop around all readers.  Loops that run once are no candidates, nor are spatial
 * loops behind others, nor others behind the last spatial one; compute_at has to be possible.  A decision that is no
 * candidate any more becomes the one before it.  Source: TVM's tir SampleComputeLocation.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK };

#define INLINE_IT (-2)
#define LEAVE_IT (-1)

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block whose place is drawn" },
};

typedef struct {
  gint64  number;
  LsSref *loop;                 /* NULL: inline or leave */
} Place;

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
can (LsMove     *move,
     const char *primitive,
     LsSref     *loop)
{
  const LsInstruction *row = ls_instruction_get (primitive);
  LsVar *handle = loop != NULL ? ls_schedule_lend_handle (move->schedule, loop) : NULL;
  g_autoptr(LsNode) keep_units = LS_NODE (ls_bool (TRUE));
  g_autoptr(LsNode) index = LS_NODE (ls_int (-1));
  LsNode *args[] = { move->args[BLOCK], LS_NODE (handle), keep_units, index };
  LsMove trial = { move->schedule, move->state, row, args, NULL, NULL, NULL, NULL };
  gboolean possible = row->check (&trial, NULL);

  ls_move_keep (&trial, NULL, NULL);
  if (handle != NULL)
    ls_schedule_take_back (move->schedule, handle);
  return possible;
}

static void
add_place (GArray *places,
           gint64  number,
           LsSref *loop)
{
  Place place = { number, loop };

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
add_loops (LsMove    *move,
           GPtrArray *loops,
           guint      n,
           GArray    *places)
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
      if (can (move, "compute_at", loop))
        add_place (places, i, loop);
    }
}

/* Of Place, by number. (transfer full) */
static GArray *
list_places (LsMove *move)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));
  g_autoptr(GPtrArray) consumers = ls_state_consumers (move->state, block);
  g_autoptr(GPtrArray) loops = NULL;
  LsSref *boundary;
  guint at;

  if (can (move, "compute_inline", NULL))
    add_place (places, INLINE_IT, NULL);
  add_place (places, LEAVE_IT, NULL);
  boundary = consumers->len > 0 ? boundary_of (consumers) : NULL;
  if (boundary == NULL)
    return places;
  loops = ls_state_loops (move->state, consumers->pdata[0]);
  if (g_ptr_array_find (loops, boundary, &at))
    add_loops (move, loops, at + 1, places);
  return places;
}

GArray *
ls_compute_locations (LsSchedule *schedule,
                      LsNode     *block)
{
  LsNode *args[] = { block };
  LsMove move = { schedule, ls_schedule_get_state (schedule), ls_instruction_get ("sample_compute_location"), args, NULL, NULL, NULL, NULL };
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(GArray) places = NULL;

  if (ls_move_sref (&move, BLOCK) == NULL || !ls_legal_not_root (&move, NULL, ls_move_sref (&move, BLOCK)))
    return numbers;
  places = list_places (&move);
  for (guint i = 0; i < places->len; i++)
    g_array_append_val (numbers, g_array_index (places, Place, i).number);
  return numbers;
}

/* ---- the row --------------------------------------------------------------------- */

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  gint64 number;

  if (!ls_legal_not_root (move, diagnostics, ls_move_sref (move, BLOCK)))
    return FALSE;
  if (move->decision == NULL || ls_as_int (move->decision, &number))
    return TRUE;
  ls_move_refuse (move, diagnostics, "decision", NULL,
                  "The decision of sample_compute_location is a number: -2 inline it, -1 leave it, or the position of a loop.");
  return FALSE;
}

/* The last place whose number is not above `wanted`; LEAVE_IT when there is none. */
static Place
place_for (GArray *places,
           gint64  wanted)
{
  Place best = { LEAVE_IT, NULL };

  for (guint i = 0; i < places->len && g_array_index (places, Place, i).number <= wanted; i++)
    best = g_array_index (places, Place, i);
  return best;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GArray) places = list_places (move);
  gint64 wanted;
  Place place;

  if (ls_as_int (move->decision, &wanted))
    place = place_for (places, wanted);
  else
    place = g_array_index (places, Place, ls_random_int (ls_schedule_random_state (move->schedule), 0, (gint) places->len));
  ls_take (&move->decision, LS_NODE (ls_int (place.number)));
  if (place.loop != NULL)
    ls_move_result (move, place.loop);
  else
    ls_move_result_mark (move, place.number == INLINE_IT ? LS_MARK_INLINE : LS_MARK_ROOT);
  return TRUE;
}

const LsInstruction ls_instruction_sample_compute_location = {
  .name = "sample_compute_location",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_LOOP,
  .flags = LS_INSTRUCTION_SAMPLES,
  .summary = LS_TEXT ("Draws where a block is computed: inlined, left, or under a loop of its readers"),
  .condition = "The block is not the root block.",
  .source = "TVM v0.20 tir.Schedule.sample_compute_location",
  .check = check,
  .apply = apply,
};
