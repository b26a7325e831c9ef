/* session: a run with checkpoints, brought to any position. */
#include "engine/debug/debug-private.h"

#include <string.h>

#define MOST_CHECKPOINTS 4096u
#define TURN 200000u            /* statements between two questions whether to give up */
#define NEAR 2000u              /* statements from a checkpoint that was made for the next steps back to where one went */

/* ---- checkpoints ------------------------------------------------------------------------ */

static LsSaved *
checkpoint (LsDebug *self,
            guint    i)
{
  return self->saved->pdata[i];
}

guint
ls_debug_checkpoint_before (LsDebug *self,
                            guint64  clock)
{
  guint low = 0, high = self->saved->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (ls_saved_get_clock (checkpoint (self, middle)) <= clock)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* Those far from here, close to their neighbours, go first; the first one stays. */
static void
evict (LsDebug *self,
       guint64  now)
{
  while (self->saved->len > 2 && (ls_run_saved_bytes (self->run) > self->memory || self->saved->len > MOST_CHECKPOINTS))
    {
      double least = G_MAXDOUBLE;
      guint worst = 1;

      for (guint i = 1; i < self->saved->len; i++)
        {
          double clock = (double) ls_saved_get_clock (checkpoint (self, i));
          double before = (double) ls_saved_get_clock (checkpoint (self, i - 1));
          double after = i + 1 < self->saved->len ? (double) ls_saved_get_clock (checkpoint (self, i + 1)) : clock + self->spacing;
          double distance = (clock > (double) now ? clock - (double) now : (double) now - clock) + self->spacing;

          if ((after - before) / distance < least)
            {
              least = (after - before) / distance;
              worst = i;
            }
        }
      g_ptr_array_remove_index (self->saved, worst);
    }
}

static void
keep (LsDebug *self)
{
  guint64 clock = ls_run_get_clock (self->run);
  guint at = ls_debug_checkpoint_before (self, clock);

  if (ls_saved_get_clock (checkpoint (self, at)) == clock)
    return;
  g_ptr_array_insert (self->saved, (gint) at + 1, ls_run_save (self->run, checkpoint (self, at)));
  evict (self, clock);
}

/* Where the next checkpoint is due. */
static guint64
due (LsDebug *self)
{
  guint64 clock = ls_run_get_clock (self->run);
  guint at = ls_debug_checkpoint_before (self, clock);
  guint64 next = ls_saved_get_clock (checkpoint (self, at)) + self->spacing;

  if (at + 1 < self->saved->len)
    next = MIN (next, ls_saved_get_clock (checkpoint (self, at + 1)));
  return MAX (next, clock + 1);
}

void
ls_debug_run_on (LsDebug *self,
                 guint64  until)
{
  while (ls_run_get_clock (self->run) < until && !self->has_hit)
    {
      guint64 next = due (self), before = ls_run_get_clock (self->run);
      LsRunState state = ls_run_go (self->run, MIN (until, next));
      guint64 clock = ls_run_get_clock (self->run);

      if (state != LS_RUN_STANDS)
        return;
      if (clock == next)
        keep (self);
      self->since_asked += clock - MIN (before, clock);
      if (self->asked != NULL && self->since_asked >= TURN)
        {
          self->since_asked = 0;
          self->is_interrupted = self->asked (self->asked_data);
          if (self->is_interrupted)
            return;
        }
    }
}

void
ls_debug_run_near (LsDebug *self,
                   guint64  until)
{
  guint64 clock = ls_run_get_clock (self->run);

  if (until != G_MAXUINT64 && until > clock && until - clock > MAX (self->spacing / 4, 2 * NEAR))
    {
      ls_debug_run_on (self, until - NEAR);
      if (ls_run_get_clock (self->run) == until - NEAR && ls_run_get_state (self->run) == LS_RUN_STANDS && !self->has_hit && !self->is_interrupted)
        keep (self);
    }
  if (!self->is_interrupted)
    ls_debug_run_on (self, until);
}

void
ls_debug_return_to (LsDebug *self,
                    guint64  clock)
{
  LsSaved *saved = checkpoint (self, ls_debug_checkpoint_before (self, clock));

  /* forwards, and no checkpoint lies nearer */
  if (clock >= ls_run_get_clock (self->run) && ls_saved_get_clock (saved) <= ls_run_get_clock (self->run))
    return;
  ls_run_restore (self->run, saved);
}

void
ls_debug_forget_back (LsDebug *self)
{
  g_clear_pointer (&self->back.first, ls_saved_free);
  g_clear_pointer (&self->back.there, ls_saved_free);
  g_clear_pointer (&self->back.here, ls_saved_free);
  g_free (self->back.hit.words);
  memset (&self->back, 0, sizeof self->back);
}

void
ls_debug_go_to (LsDebug *self,
                guint64  clock)
{
  ls_debug_forget_back (self);
  self->mode = LS_SEEK_NOT;
  self->has_hit = FALSE;
  self->is_interrupted = FALSE;
  if (clock < ls_run_get_clock (self->run) || ls_run_get_state (self->run) == LS_RUN_STANDS)
    ls_debug_return_to (self, clock);
  ls_debug_run_near (self, clock);
  self->left_what = self->is_interrupted ? LS_LEFT_POSITION : LS_LEFT_NOTHING;
  self->left_clock = clock;
}

guint64
ls_debug_replay (LsDebug          *self,
                 guint64           from,
                 guint64           to,
                 const LsObserver *observer,
                 gpointer          user_data)
{
  LsDebug before = *self;
  guint64 now = ls_run_get_clock (self->run), reached;
  gboolean is_over = ls_run_get_state (self->run) != LS_RUN_STANDS;

  self->asked = NULL;           /* half-way between here and there it would have no place */
  memset (&self->back, 0, sizeof self->back);
  ls_debug_go_to (self, from);
  self->asked = before.asked;
  self->since_asked = 0;
  ls_run_observe (self->run, observer, user_data);
  ls_debug_run_on (self, to);
  ls_run_ignore (self->run, observer, user_data);
  reached = ls_run_get_clock (self->run);
  self->asked = NULL;
  ls_debug_go_to (self, is_over ? G_MAXUINT64 : now);
  self->asked = before.asked;
  self->is_interrupted = before.is_interrupted;
  self->left_what = before.left_what;
  self->back = before.back;
  self->left_clock = before.left_clock;
  return reached;
}

/* ---- a session ---------------------------------------------------------------------------- */

void
ls_debug_forget_hit (LsDebug *self)
{
  g_clear_pointer (&self->hit.words, g_free);
  memset (&self->hit, 0, sizeof self->hit);
  self->has_hit = FALSE;
}

LsRun *
ls_debug_get_run (LsDebug *self)
{
  return self->run;
}

LsDebugText *
ls_debug_get_text (LsDebug *self)
{
  return self->text;
}

LsPrimFunc *
ls_debug_get_func (LsDebug *self)
{
  return self->func;
}

void
ls_debug_set_memory (LsDebug *self,
                     gsize    bytes)
{
  self->memory = bytes;
  evict (self, ls_run_get_clock (self->run));
}

void
ls_debug_get_checkpoints (LsDebug *self,
                          guint   *n,
                          gsize   *bytes)
{
  *n = self->saved->len;
  *bytes = ls_run_saved_bytes (self->run);
}

void
ls_debug_set_asker (LsDebug   *self,
                    gboolean (*asked) (gpointer user_data),
                    gpointer   user_data)
{
  self->asked = asked;
  self->asked_data = user_data;
}

gboolean
ls_debug_was_interrupted (LsDebug *self)
{
  return self->is_interrupted;
}

const LsDebugHit *
ls_debug_get_hit (LsDebug *self)
{
  return self->hit.words != NULL ? &self->hit : NULL;
}
