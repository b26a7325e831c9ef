/* toy-steps: scheduled programs at a toy size: the program before its steps is shrunk and the steps are done again, so that factors that stand in the steps
 * keep their meaning; a text that was scheduled already can seldom be shrunk by itself.
 */
#include "engine/debug/debug.h"

#include "engine/schedule/schedule.h"

/* The small program after the steps, when they do the same to it. (transfer full) */
static LsModule *
scheduled (LsModule *toy,
           LsTrace  *steps,
           LsModule *like)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (toy);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  if (steps != NULL && ls_trace_apply (steps, schedule, TRUE, FALSE, findings) != ls_trace_get_n (steps))
    return NULL;
  return ls_debug_same_structure (ls_schedule_get_module (schedule), like) ? ls_ref (ls_schedule_get_module (schedule)) : NULL;
}

/* The program after the steps as it is, to compare with. (transfer full) */
static LsModule *
whole (LsModule  *base,
       LsTrace   *steps,
       GError   **error)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (base);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  if (steps == NULL || ls_trace_apply (steps, schedule, TRUE, FALSE, findings) == ls_trace_get_n (steps))
    return ls_ref (ls_schedule_get_module (schedule));
  g_set_error_literal (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The steps cannot be done again."));
  return NULL;
}

GPtrArray *
ls_debug_toy_scheduled (LsModule  *base,
                        LsTrace  **steps,
                        guint      n,
                        gint64     size,
                        char     **words,
                        GError   **error)
{
  g_autoptr (GPtrArray) likes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < n; i++)
    {
      LsModule *like = whole (base, steps[i], error);

      if (like == NULL)
        return NULL;
      g_ptr_array_add (likes, like);
    }
  for (gint64 at = size; at <= 4096; at *= 2)
    {
      g_autofree char *told = NULL;
      g_autoptr (LsModule) toy = ls_debug_toy (base, at, &told, error);
      g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
      LsModule *one = NULL;

      if (toy == NULL)
        return NULL;
      g_ptr_array_add (made, ls_ref (toy));
      for (guint i = 0; i < n && (one = scheduled (toy, steps[i], likes->pdata[i])) != NULL; i++)
        g_ptr_array_add (made, one);
      if (made->len < n + 1)
        continue;
      if (words != NULL)
        *words = g_steal_pointer (&told);
      return g_steal_pointer (&made);
    }
  g_set_error_literal (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("No toy size keeps what the steps do."));
  return NULL;
}
