/* limits: how far an analyzer goes for one question: steps, depth, stack and a budget, and when what it visited no longer counts. */
#include "engine/arith/arith-private.h"
#include "engine/base/stack.h"

void
ls_analyzer_begin_call (LsAnalyzer *self)
{
  gsize room;

  if (self->calls++ > 0)
    return;
  room = ls_stack_room ();
  self->steps = LS_ARITH_MAX_STEPS;
  self->stack = (guintptr) __builtin_frame_address (0);
  self->most_stack = room == 0 ? (gsize) LS_ARITH_MAX_STACK : MIN ((gsize) LS_ARITH_MAX_STACK, room / 2);
}

void
ls_analyzer_forget (LsAnalyzer *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->plain); i++)
    g_clear_pointer (&self->plain[i], g_hash_table_unref);
}

void
ls_analyzer_end_call (LsAnalyzer *self)
{
  if (--self->calls > 0)
    return;
  ls_analyzer_forget (self);
  self->proves = FALSE;
}

gboolean
ls_visit_enter (LsAnalyzer *self)
{
  guintptr here = (guintptr) __builtin_frame_address (0);

  if (self->depth >= LS_ARITH_MAX_DEPTH || self->steps <= 0 || !ls_budget_take (self->budget, 1))
    return FALSE;
  if (MAX (here, self->stack) - MIN (here, self->stack) > self->most_stack)
    return FALSE;
  self->depth++;
  self->steps--;
  return TRUE;
}

void
ls_visit_leave (LsAnalyzer *self)
{
  self->depth--;
}

void
ls_analyzer_set_budget (LsAnalyzer *self,
                        LsBudget   *budget)
{
  self->budget = budget;
}

guint
ls_analyzer_get_extensions (LsAnalyzer *self)
{
  return self->rewrite.extensions;
}

void
ls_analyzer_set_extensions (LsAnalyzer *self,
                            guint       extensions)
{
  ls_analyzer_forget (self);
  self->rewrite.extensions = extensions;
}
