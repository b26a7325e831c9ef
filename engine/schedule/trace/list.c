/* list: steps without a program: replayed, changed, cleaned of what nobody uses.
 *
 * A trace is a list of instructions whose arguments are outputs of earlier ones.  Replaying it on a schedule maps the
 * trace's outputs to the handles that the schedule gives.  Source: TVM's tir::Trace.
 */
#include "engine/schedule/trace/list.h"

#include "engine/base/plural.h"

struct _LsTrace {
  gatomicrefcount refs;
  GArray         *steps;        /* of LsTraceStep */
};

static void
step_clear (gpointer data)
{
  LsTraceStep *self = data;

  ls_unref (self->args);
  ls_unref (self->outputs);
  ls_unref (self->decision);
}

LsTrace *
ls_trace_new (void)
{
  LsTrace *self = g_new0 (LsTrace, 1);

  g_atomic_ref_count_init (&self->refs);
  self->steps = g_array_new (FALSE, FALSE, sizeof (LsTraceStep));
  g_array_set_clear_func (self->steps, step_clear);
  return self;
}

LsTrace *
ls_trace_ref (LsTrace *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_trace_unref (LsTrace *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_array_unref (self->steps);
  g_free (self);
}

void
ls_trace_add (LsTrace             *self,
              const LsInstruction *instruction,
              LsArray             *args,
              LsArray             *outputs,
              LsNode              *decision)
{
  LsTraceStep step = { instruction, ls_ref (args), ls_ref (outputs), ls_node_ref (decision) };

  g_array_append_val (self->steps, step);
}

LsTrace *
ls_trace_of (LsSchedule *schedule)
{
  LsTrace *self = ls_trace_new ();

  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    {
      const LsStep *step = ls_schedule_get_step (schedule, i);

      ls_trace_add (self, step->instruction, step->args, step->outputs, step->decision);
    }
  return self;
}

guint
ls_trace_get_n (LsTrace *self)
{
  return self->steps->len;
}

const LsTraceStep *
ls_trace_get (LsTrace *self,
              guint    i)
{
  return i < self->steps->len ? &g_array_index (self->steps, LsTraceStep, i) : NULL;
}

/* ---- replaying --------------------------------------------------------------- */

LsNode *
ls_trace_translate (LsNode     *value,
                    GHashTable *map)
{
  LsNode *known = value != NULL ? g_hash_table_lookup (map, value) : NULL;
  LsArray *list = (LsArray *) value;
  g_autofree LsNode **items = NULL;

  if (known != NULL)
    return ls_node_ref (known);
  if (value == NULL || ls_is (value, STRING) || ls_is (value, INT_IMM) || ls_is (value, FLOAT_IMM))
    return ls_node_ref (value);
  if (!ls_is (value, ARRAY))
    return ls_substitute (value, map);
  items = g_new0 (LsNode *, list->n + 1);
  for (guint i = 0; i < list->n; i++)
    items[i] = ls_trace_translate (list->items[i], map);
  return LS_NODE (ls_array_new (items, list->n));
}

static gboolean
ends_search (const LsTraceStep *step)
{
  return (step->instruction->flags & LS_INSTRUCTION_POSTPROC) != 0;
}

gboolean
ls_trace_apply_step (LsSchedule        *schedule,
                     const LsTraceStep *step,
                     guint              number,
                     GHashTable        *map,
                     gboolean           decisions,
                     LsDiagnostics     *diagnostics)
{
  g_autoptr(LsArray) args = (LsArray *) ls_trace_translate (LS_NODE (step->args), map);
  guint before = ls_schedule_get_n_steps (schedule);
  LsArray *outputs = NULL;

  if (!ls_schedule_apply (schedule, step->instruction, (LsNode **) args->items, decisions ? step->decision : NULL, &outputs, diagnostics))
    return FALSE;
  if (ls_array_n (outputs) != ls_array_n (step->outputs))
    {
      ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "schedule/trace/results", LS_SPAN_NONE,
                          ls_translate_plural ("Step %u, %s, gives %u result here and %u in the trace.",
                                               "Step %u, %s, gives %u results here and %u in the trace.", ls_array_n (outputs)),
                          number, step->instruction->name, ls_array_n (outputs), ls_array_n (step->outputs));
      ls_schedule_undo_to (schedule, before);
      return FALSE;
    }
  for (guint i = 0; i < ls_array_n (outputs); i++)
    g_hash_table_insert (map, step->outputs->items[i], outputs->items[i]);
  return TRUE;
}

guint
ls_trace_apply (LsTrace       *self,
                LsSchedule    *schedule,
                gboolean       decisions,
                gboolean       remove_postproc,
                LsDiagnostics *diagnostics)
{
  g_autoptr(LsDiagnostics) findings = diagnostics != NULL ? ls_diagnostics_ref (diagnostics) : ls_diagnostics_new ();
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->steps->len; i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      if ((remove_postproc && ends_search (step)) || !ls_trace_apply_step (schedule, step, i + 1, map, decisions, findings))
        return i;
    }
  return self->steps->len;
}

/* ---- changing ------------------------------------------------------------------ */

static LsTrace *
copy_of (LsTrace *self)
{
  LsTrace *copy = ls_trace_new ();

  for (guint i = 0; i < self->steps->len; i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      ls_trace_add (copy, step->instruction, step->args, step->outputs, step->decision);
    }
  return copy;
}

LsTrace *
ls_trace_with_decision (LsTrace *self,
                        guint    i,
                        LsNode  *decision)
{
  LsTrace *copy;

  g_return_val_if_fail (i < self->steps->len, NULL);

  copy = copy_of (self);
  ls_take (&g_array_index (copy->steps, LsTraceStep, i).decision, ls_node_ref (decision));
  return copy;
}

LsTrace *
ls_trace_with_argument (LsTrace *self,
                        guint    i,
                        guint    param,
                        LsNode  *value)
{
  LsTrace *copy;
  LsTraceStep *step;

  g_return_val_if_fail (i < self->steps->len && param < ls_array_n (ls_trace_get (self, i)->args), NULL);

  copy = copy_of (self);
  step = &g_array_index (copy->steps, LsTraceStep, i);
  ls_take (&step->args, ls_array_with (step->args, param, value));
  return copy;
}

/* ---- dead steps ------------------------------------------------------------------ */

static LsWalk
note_var (LsNode   *node,
          gpointer  user_data)
{
  if (ls_is_var (node))
    g_hash_table_add (user_data, node);
  return LS_WALK_CONTINUE;
}

static gboolean
is_dead (const LsTraceStep *step,
         GHashTable        *used)
{
  if ((step->instruction->flags & (LS_INSTRUCTION_PURE | LS_INSTRUCTION_SAMPLES)) == 0)
    return FALSE;
  for (guint i = 0; i < ls_array_n (step->outputs); i++)
    if (g_hash_table_contains (used, step->outputs->items[i]))
      return FALSE;
  return TRUE;
}

LsTrace *
ls_trace_simplified (LsTrace  *self,
                     gboolean  remove_postproc)
{
  g_autoptr(GHashTable) used = g_hash_table_new (NULL, NULL);
  g_autofree gboolean *keep = g_new0 (gboolean, self->steps->len + 1);
  LsTrace *simple = ls_trace_new ();
  guint n = 0;

  while (n < self->steps->len && !(remove_postproc && ends_search (ls_trace_get (self, n))))
    n++;
  for (guint i = n; i-- > 0;)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      keep[i] = !is_dead (step, used);
      for (guint k = 0; keep[i] && k < ls_array_n (step->args); k++)
        if (step->args->items[k] != NULL)
          ls_walk (step->args->items[k], note_var, NULL, used);
    }
  for (guint i = 0; i < n; i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      if (keep[i])
        ls_trace_add (simple, step->instruction, step->args, step->outputs, step->decision);
    }
  return simple;
}
