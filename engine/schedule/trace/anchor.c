/* anchor: the steps that were found for one program, on another one around the same heavy block.
 *
 * A tuned product with a bias and one with a bias and a relu differ in the blocks around the block that matters (the
 * anchor), so the trace of the first cannot be replayed on the second as it is.  Here
 *
 *   - a step that asks for a block that the program does not have, and all steps that use its results, are left out;
 *   - inlining into consumers and into producers stand in for each other where only one of them is possible;
 *   - get_child_blocks may find more blocks than it did; the first ones are taken.
 *
 * Source: TVM's ScheduleUsingAnchorTrace (meta_schedule), of which this is the middle part; what goes before (inlining
 * what the trace does not name) and behind (the block that is left) is the Python package's.
 */
#include "engine/schedule/trace/list.h"

#include <string.h>

typedef struct {
  LsSchedule    *schedule;
  GHashTable    *map;           /* Var of the trace -> Var of the schedule, both borrowed */
  GHashTable    *foreign;       /* Var of the trace that the program has nothing for */
  LsDiagnostics *diagnostics;
} Anchored;

static LsWalk
look_for_foreign (LsNode   *node,
                  gpointer  user_data)
{
  return g_hash_table_contains (user_data, node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static void
set_foreign (Anchored          *self,
             const LsTraceStep *step)
{
  for (guint i = 0; i < ls_array_n (step->outputs); i++)
    g_hash_table_add (self->foreign, step->outputs->items[i]);
}

/* Applies a row to the arguments of the step; the results stand for the first ones of the step. */
static gboolean
apply_row (Anchored            *self,
           const LsTraceStep   *step,
           const LsInstruction *row,
           LsDiagnostics       *diagnostics)
{
  g_autoptr(LsArray) args = (LsArray *) ls_trace_translate (LS_NODE (step->args), self->map);
  LsArray *outputs = NULL;

  if (!ls_schedule_apply (self->schedule, row, (LsNode **) args->items, step->decision, &outputs, diagnostics))
    return FALSE;
  for (guint i = 0; i < MIN (ls_array_n (outputs), ls_array_n (step->outputs)); i++)
    g_hash_table_insert (self->map, step->outputs->items[i], outputs->items[i]);
  return TRUE;
}

/* The other way of inlining, or NULL. */
static const LsInstruction *
other_way (const LsInstruction *row)
{
  if (strcmp (row->name, "compute_inline") == 0)
    return ls_instruction_get ("reverse_compute_inline");
  return strcmp (row->name, "reverse_compute_inline") == 0 ? ls_instruction_get ("compute_inline") : NULL;
}

static gboolean
is_named (const LsTraceStep *step,
          const char        *name)
{
  return strcmp (step->instruction->name, name) == 0;
}

static gboolean
apply_step (Anchored          *self,
            const LsTraceStep *step,
            guint              number)
{
  g_autoptr(LsDiagnostics) aside = ls_diagnostics_new ();
  const LsInstruction *other = other_way (step->instruction);

  if (is_named (step, "get_block"))
    {
      if (!apply_row (self, step, step->instruction, aside))
        set_foreign (self, step);
      return TRUE;
    }
  if (is_named (step, "get_child_blocks"))
    return apply_row (self, step, step->instruction, self->diagnostics);
  if (other == NULL)
    return ls_trace_apply_step (self->schedule, step, number, self->map, TRUE, self->diagnostics);
  return apply_row (self, step, step->instruction, aside) || apply_row (self, step, other, self->diagnostics);
}

gboolean
ls_trace_apply_anchored (LsTrace       *self,
                         LsSchedule    *schedule,
                         LsDiagnostics *diagnostics)
{
  g_autoptr(LsDiagnostics) findings = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) foreign = g_hash_table_new (NULL, NULL);
  Anchored anchored = { schedule, map, foreign, findings };

  for (guint i = 0; i < ls_trace_get_n (self); i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      if (!ls_walk (step->args, look_for_foreign, NULL, foreign))
        set_foreign (&anchored, step);
      else if (!apply_step (&anchored, step, i + 1))
        return FALSE;
    }
  return TRUE;
}
