/* sketch: what engine/advice proposes, as designs of a search.
 *
 * A proposal is a program with numbers of its own.  Its splits that come out even draw these numbers instead, with the proposed ones as decisions: the
 * search begins with the proposal and goes on from there, as from any other design.
 */
#include "engine/tune/expect.h"

#include "engine/schedule/trace/list.h"

#include <string.h>

#define MOST_PROPOSED 24        /* for a program, from which are taken */
#define MOST_DESIGNS 8          /* different ones, not counting the numbers they draw */
#define MOST_FOLLOWED 2         /* of these, those for whose programs others are proposed: */
#define MOST_BEHIND 2           /* so many */
#define MAX_INNERMOST 64        /* as the rules of meta_schedule have it */

enum { LOOP, FACTORS };         /* of split */

/* The factors of a split that comes out even, `open` filled in. NULL: it does not, or some are not known. (transfer full) */
static LsArray *
even_factors (LsArray *factors,
              LsNode  *loop)
{
  g_autofree LsNode **items = g_new0 (LsNode *, ls_array_n (factors) + 1);
  gint64 extent = 0, product = 1, number;
  gint open = -1;
  gboolean known = loop != NULL && ls_is (loop, FOR) && ls_as_int (((LsFor *) loop)->extent, &extent) && ls_array_n (factors) > 1;

  for (guint i = 0; i < ls_array_n (factors) && known; i++)
    if (factors->items[i] == NULL)
      open = (gint) i;
    else
      known = ls_as_int (factors->items[i], &number) && number > 0 && number <= extent && (product *= number) <= extent;
  if (!known || product < 1 || extent % product != 0 || (open < 0 && product != extent))
    return NULL;
  for (guint i = 0; i < ls_array_n (factors); i++)
    {
      ls_as_int ((gint) i == open ? NULL : factors->items[i], &number);
      items[i] = LS_NODE (ls_int ((gint) i == open ? extent / product : number));
    }
  return ls_array_new (items, ls_array_n (factors));
}

/* Adds the drawing of these factors and the split by them. */
static void
add_drawn_split (LsTrace           *sketch,
                 const LsTraceStep *split,
                 LsArray           *decision)
{
  guint n = ls_array_n (decision);
  gint64 innermost = 1;
  g_autofree LsNode **drawn = g_new0 (LsNode *, n + 1), **args = g_new0 (LsNode *, ls_array_n (split->args) + 1);
  g_autoptr (LsArray) outputs = NULL, tile = NULL, changed = NULL;

  ls_as_int (decision->items[n - 1], &innermost);
  for (guint i = 0; i < n; i++)
    drawn[i] = LS_NODE (ls_var_new ("v", LS_INT32));
  outputs = ls_array_new (drawn, n);
  tile = ls_array_new ((LsNode *[]) { ls_node_ref (split->args->items[LOOP]), LS_NODE (ls_int (n)), LS_NODE (ls_int (MAX (innermost, MAX_INNERMOST))) }, 3);
  ls_trace_add (sketch, ls_instruction_get ("sample_perfect_tile"), tile, outputs, LS_NODE (decision));
  for (guint i = 0; i < ls_array_n (split->args); i++)
    args[i] = i == FACTORS ? LS_NODE (ls_ref (outputs)) : ls_node_ref (split->args->items[i]);
  changed = ls_array_new (args, ls_array_n (split->args));
  ls_trace_add (sketch, split->instruction, changed, split->outputs, NULL);
}

LsTrace *
ls_tune_sketch (LsModule *module,
                LsTrace  *trace)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr (LsTrace) sketch = ls_trace_new ();

  ls_schedule_set_strict (schedule, FALSE);
  ls_schedule_set_order_asked (schedule, FALSE);
  for (guint i = 0; i < ls_trace_get_n (trace); i++)
    {
      const LsTraceStep *step = ls_trace_get (trace, i);
      LsVar *loop = strcmp (step->instruction->name, "split") == 0 ? g_hash_table_lookup (map, step->args->items[LOOP]) : NULL;
      g_autoptr (LsArray) factors = loop != NULL ? even_factors ((LsArray *) step->args->items[FACTORS], ls_schedule_resolve (schedule, loop)) : NULL;

      if (factors != NULL)
        add_drawn_split (sketch, step, factors);
      else
        ls_trace_add (sketch, step->instruction, step->args, step->outputs, step->decision);
      if (!ls_trace_apply_step (schedule, step, i, map, TRUE, findings))
        return NULL;
    }
  return g_steal_pointer (&sketch);
}

/* ---- what is proposed ------------------------------------------------------------------------ */

static void
sketch_free (gpointer data)
{
  LsTuneSketch *self = data;

  ls_trace_unref (self->trace);
  g_free (self->moves);
  g_free (self);
}

/* The steps without what they draw. (transfer full) */
static char *
structure_of (LsTrace *sketch)
{
  g_autoptr (LsTrace) bare = ls_trace_new ();

  for (guint i = 0; i < ls_trace_get_n (sketch); i++)
    {
      const LsTraceStep *step = ls_trace_get (sketch, i);

      ls_trace_add (bare, step->instruction, step->args, step->outputs, NULL);
    }
  return ls_trace_print (bare);
}

typedef struct {
  LsModule   *module;
  const char *func;
  GPtrArray  *sketches;
  GHashTable *seen;             /* texts of programs that were proposed */
  GHashTable *structures;
} Proposing;

/* FALSE: a step is refused, or one like it is there. */
static gboolean
add_sketch (Proposing        *self,
            const LsProposal *proposal,
            const char       *before)
{
  g_autoptr (LsTrace) trace = ls_trace_of (proposal->schedule), sketch = ls_tune_sketch (self->module, trace);
  g_autofree char *move = ls_advice_move_to_text (&proposal->move);
  LsTuneSketch *one;

  if (sketch == NULL || !g_hash_table_add (self->structures, structure_of (sketch)))
    return FALSE;
  one = g_new (LsTuneSketch, 1);
  *one = (LsTuneSketch) { g_steal_pointer (&sketch), before != NULL ? g_strjoin (";", before, move, NULL) : g_strdup (move) };
  g_ptr_array_add (self->sketches, one);
  return TRUE;
}

/* `before`: the move whose program the schedule has, or NULL. */
static void
add_proposals (Proposing  *self,
               LsSchedule *schedule,
               const char *before,
               guint       most,
               guint       follow)
{
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, self->func, NULL, ls_tune_machine (), 0.0, self->seen, MOST_PROPOSED);

  for (guint i = 0, n = 0; i < list->len && n < most; i++)
    n += add_sketch (self, list->pdata[i], before) ? 1 : 0;
  for (guint i = 0; i < MIN (list->len, follow); i++)
    {
      const LsProposal *proposal = list->pdata[i];
      g_autofree char *move = ls_advice_move_to_text (&proposal->move);

      add_proposals (self, proposal->schedule, move, MOST_BEHIND, 0);
    }
}

/* Of the first function of TensorIR, or NULL. Borrowed. */
static const char *
first_function (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
  return NULL;
}

GPtrArray *
ls_tune_sketches (LsModule   *module,
                  const char *func)
{
  GPtrArray *sketches = g_ptr_array_new_with_free_func (sketch_free);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL), structures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *name = func != NULL ? func : first_function (module);
  Proposing proposing = { module, name, sketches, seen, structures };

  ls_schedule_set_strict (schedule, FALSE);
  ls_schedule_set_order_asked (schedule, FALSE);
  if (name != NULL)
    add_proposals (&proposing, schedule, NULL, MOST_DESIGNS, MOST_FOLLOWED);
  return sketches;
}
