/* graph-turns: see the header.  The run is a thread; it asks now and then, and is let wait at a question while nobody has a turn for it. */
#include "app/worker/graph-turns.h"

#define TURN_US 200000

typedef enum { RUNS, STANDS, DONE } State;

struct _LsGraphTurns {
  LsDebugGraph *graphs[2];
  GThread      *thread;
  GMutex        lock;
  GCond         changed;
  State         state;          /* all below: under lock */
  gboolean      is_wanted;      /* it has a turn */
  gboolean      is_ended;
};

static void
set_state (LsGraphTurns *self,
           State         state)
{
  self->state = state;
  g_cond_broadcast (&self->changed);
}

static gboolean
asked (gpointer data)
{
  LsGraphTurns *self = data;
  gboolean goes_on;

  g_mutex_lock (&self->lock);
  if (!self->is_wanted && !self->is_ended)
    {
      set_state (self, STANDS);
      while (!self->is_wanted && !self->is_ended)
        g_cond_wait (&self->changed, &self->lock);
      set_state (self, RUNS);
    }
  goes_on = !self->is_ended;
  g_mutex_unlock (&self->lock);
  return goes_on;
}

static gpointer
run (gpointer data)
{
  LsGraphTurns *self = data;

  for (guint i = 0; i < 2 && self->graphs[i] != NULL; i++)
    ls_debug_graph_run (self->graphs[i], asked, self);
  g_mutex_lock (&self->lock);
  set_state (self, DONE);
  g_mutex_unlock (&self->lock);
  return NULL;
}

/* Lets it run for a turn; then it stands still, or is through. */
static gboolean
take_turn (LsGraphTurns *self)
{
  gint64 until = g_get_monotonic_time () + TURN_US;
  gboolean done;

  g_mutex_lock (&self->lock);
  self->is_wanted = TRUE;
  g_cond_broadcast (&self->changed);
  while (self->state != DONE && g_cond_wait_until (&self->changed, &self->lock, until))
    ;
  self->is_wanted = FALSE;
  while (self->state == RUNS)
    g_cond_wait (&self->changed, &self->lock);
  done = self->state == DONE;
  g_mutex_unlock (&self->lock);
  return done;
}

LsGraphTurns *
ls_graph_turns_new (LsDebugGraph *first,
                    LsDebugGraph *second)
{
  LsGraphTurns *self = g_new0 (LsGraphTurns, 1);

  self->graphs[0] = first;
  self->graphs[1] = second;
  self->is_wanted = TRUE;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("graph", run, self);
  take_turn (self);
  return self;
}

gboolean
ls_graph_turns_done (LsGraphTurns *self)
{
  gboolean done;

  g_mutex_lock (&self->lock);
  done = self->state == DONE;
  g_mutex_unlock (&self->lock);
  return done;
}

gboolean
ls_graph_turns_more (LsGraphTurns *self)
{
  return ls_graph_turns_done (self) || take_turn (self);
}

void
ls_graph_turns_end (LsGraphTurns *self)
{
  g_mutex_lock (&self->lock);
  self->is_ended = TRUE;
  g_cond_broadcast (&self->changed);
  while (self->state != DONE)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
}

void
ls_graph_turns_free (LsGraphTurns *self)
{
  if (self == NULL)
    return;
  ls_graph_turns_end (self);
  g_thread_join (self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self);
}
