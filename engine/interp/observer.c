/* observer: see the header. */
#include "engine/interp/interp-private.h"

static guint
reach_of (LsMachine  *m,
          LsPrimFunc *func,
          LsNode     *node,
          guint       number,
          guint       wanted)
{
  guint seen = 0;

  for (guint i = 0; m->onlookers != NULL && i < m->onlookers->len; i++)
    {
      LsOnlooker *one = &g_array_index (m->onlookers, LsOnlooker, i);
      guint sees = one->observer->sees & wanted;

      if (sees != 0)
        seen |= one->observer->reach != NULL ? one->observer->reach (m, func, node, number, sees, one->user_data) & sees : sees;
    }
  return seen;
}

static guint
events_of (LsAct *act)
{
  switch ((int) act->kind)
    {
    case LS_KIND_SEQ_STMT: return 0;
    case LS_KIND_FOR:
    case LS_KIND_WHILE: return LS_SEE_STATEMENT | LS_SEE_ROUND;
    case LS_KIND_ATTR_STMT: return LS_SEE_STATEMENT | (act->is_thread ? LS_SEE_ROUND : 0);
    case LS_KIND_BLOCK_REALIZE: return LS_SEE_STATEMENT | LS_SEE_BLOCK;
    default: return LS_SEE_STATEMENT;
    }
}

void
ls_observe_program (LsMachine *m,
                    LsProgram *program)
{
  for (guint i = 0; i < program->acts->len; i++)
    {
      LsAct *act = program->acts->pdata[i];
      guint events = events_of (act);

      act->seen = events != 0 ? reach_of (m, program->func, act->origin, act->number, events) : 0;
    }
  for (guint i = 0; i < program->plan_list->len; i++)
    {
      LsBufferPlan *plan = program->plan_list->pdata[i];

      plan->seen = reach_of (m, program->func, LS_NODE (plan->buffer), i, LS_SEE_READ | LS_SEE_WRITE);
    }
}

void
ls_run_look_again (LsRun *run)
{
  GHashTableIter iter;
  gpointer program;

  g_hash_table_iter_init (&iter, run->programs);
  while (g_hash_table_iter_next (&iter, NULL, &program))
    ls_observe_program (run, program);
}

void
ls_run_observe (LsRun            *run,
                const LsObserver *observer,
                gpointer          user_data)
{
  LsOnlooker one = { observer, user_data };

  if (run->onlookers == NULL)
    run->onlookers = g_array_new (FALSE, FALSE, sizeof (LsOnlooker));
  g_array_append_val (run->onlookers, one);
  ls_run_look_again (run);
}

void
ls_run_ignore (LsRun            *run,
               const LsObserver *observer,
               gpointer          user_data)
{
  for (guint i = 0; run->onlookers != NULL && i < run->onlookers->len; i++)
    if (g_array_index (run->onlookers, LsOnlooker, i).observer == observer && g_array_index (run->onlookers, LsOnlooker, i).user_data == user_data)
      {
        g_array_remove_index (run->onlookers, i);
        ls_run_look_again (run);
        return;
      }
}

void
ls_run_stop (LsRun *run)
{
  run->stop_wanted = TRUE;
}

/* ---- telling ------------------------------------------------------------------------ */

static void
tell (LsMachine        *m,
      const LsRunEvent *event)
{
  for (guint i = 0; i < m->onlookers->len; i++)
    {
      LsOnlooker *one = &g_array_index (m->onlookers, LsOnlooker, i);

      if ((one->observer->sees & event->kind) != 0)
        one->observer->see (m, event, one->user_data);
    }
}

void
ls_observe_statement (LsMachine *m,
                      LsAct     *act)
{
  LsRunEvent event = { .kind = LS_SEE_STATEMENT, .clock = m->clock, .func = m->program->func, .node = act->origin, .number = act->number };

  tell (m, &event);
}

void
ls_observe_round (LsMachine *m,
                  LsAct     *act,
                  gint64     round,
                  gint64     value)
{
  LsRunEvent event = { .kind = LS_SEE_ROUND, .clock = m->clock, .func = m->program->func, .node = act->origin, .number = act->number, .round = round, .int_value = value };

  tell (m, &event);
}

void
ls_observe_block (LsMachine *m,
                  LsAct     *act)
{
  LsRunEvent event = { .kind = LS_SEE_BLOCK, .clock = m->clock, .func = m->program->func, .node = act->origin, .number = act->number };

  tell (m, &event);
}

void
ls_observe_access (LsMachine    *m,
                   LsSee         kind,
                   gpointer      access,
                   LsBufferPlan *plan,
                   gint64        element,
                   LsScalar      value)
{
  LsDType t = ls_dtype_element (m->views[plan->slot].dtype);
  LsRunEvent event = { .kind = kind, .clock = m->clock - 1, .func = m->program->func, .node = access, .number = m->act->number,
                       .buffer = plan->buffer, .element = element, .dtype = t };
  gboolean wanted = m->stop_wanted;

  event.int_value = ls_dtype_is_float (t) ? 0 : value.i;
  event.float_value = ls_dtype_is_float (t) ? value.f : (double) value.i;
  tell (m, &event);
  if (m->stop_wanted && !wanted && m->atomic == 0)
    m->failed = m->is_aborted = TRUE;
}

/* ---- where it is ---------------------------------------------------------------------- */

static guint
first_frame (LsMachine *m)
{
  return m->activations->len > 0 ? g_array_index (m->activations, LsActivation, m->activations->len - 1).frame : 0;
}

guint
ls_run_loops (LsRun    *run,
              gboolean  with_threads,
              guint     room,
              LsVar   **vars,
              gint64   *values)
{
  guint n = 0;

  for (guint i = first_frame (run); i < run->n_frames; i++)
    {
      LsFrame *frame = &run->frames[i];
      gboolean is_loop = frame->act->kind == LS_KIND_FOR || (with_threads && frame->act->is_thread);

      if (!is_loop)
        continue;
      if (n < room)
        {
          vars[n] = frame->act->kind == LS_KIND_FOR ? ((LsFor *) frame->act->origin)->loop_var
                                                    : ((LsIterVar *) ((LsAttrStmt *) frame->act->origin)->subject)->var;
          values[n] = frame->min + frame->i;
        }
      n++;
    }
  return n;
}

LsBlock *
ls_run_block (LsRun *run)
{
  for (guint i = run->n_frames; i > first_frame (run); i--)
    if (run->frames[i - 1].act->kind == LS_KIND_BLOCK_REALIZE)
      return ((LsBlockRealize *) run->frames[i - 1].act->origin)->block;
  return NULL;
}
