/* sample_compute_location: draws the loop under which a block is computed, or that it is inlined or left where it is.
 *
 * The candidates are numbers: -2 inline it (where that is possible), -1 leave it, and the loops around its first reader
 * by their position, down to the lowest loop around all readers.  Loops that run once are no candidates, nor are spatial
 * loops behind others, nor others behind the last spatial one; compute_at has to be possible.  A decision that is no
 * candidate any more becomes the one before it.  Source: TVM's tir SampleComputeLocation.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block whose place is drawn" },
};

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

/* The last place whose number is not above `wanted`; LS_LOCATION_LEAVE when there is none. */
static LsComputeLocation
place_for (GArray *places,
           gint64  wanted)
{
  LsComputeLocation best = { LS_LOCATION_LEAVE, NULL };

  for (guint i = 0; i < places->len && g_array_index (places, LsComputeLocation, i).number <= wanted; i++)
    best = g_array_index (places, LsComputeLocation, i);
  return best;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GArray) places = ls_compute_locations (move->schedule, move->args[BLOCK]);
  gint64 wanted;
  LsComputeLocation place;

  if (ls_as_int (move->decision, &wanted))
    place = place_for (places, wanted);
  else
    place = g_array_index (places, LsComputeLocation, ls_random_int (ls_schedule_random_state (move->schedule), 0, (gint) places->len));
  ls_take (&move->decision, LS_NODE (ls_int (place.number)));
  if (place.loop != NULL)
    ls_move_result (move, place.loop);
  else
    ls_move_result_mark (move, place.number == LS_LOCATION_INLINE ? LS_MARK_INLINE : LS_MARK_ROOT);
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
