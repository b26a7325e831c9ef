/* session: a run with checkpoints, brought to any position. */
#include "engine/debug/debug-private.h"

#include <string.h>

#define MOST_CHECKPOINTS 4096u
#define TURN 200000u            /* statements between two questions whether to give up */

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
ls_debug_go_to (LsDebug *self,
                guint64  clock)
{
  self->mode = LS_SEEK_NOT;
  self->has_hit = FALSE;
  self->is_interrupted = FALSE;
  if (clock < ls_run_get_clock (self->run) || ls_run_get_state (self->run) == LS_RUN_STANDS)
    ls_debug_return_to (self, clock);
  ls_debug_run_on (self, clock);
  self->left_what = self->is_interrupted ? LS_LEFT_POSITION : LS_LEFT_NOTHING;
  self->left_clock = clock;
}

void
ls_debug_replay (LsDebug          *self,
                 guint64           from,
                 guint64           to,
                 const LsObserver *observer,
                 gpointer          user_data)
{
  guint64 now = ls_run_get_clock (self->run);
  gboolean is_over = ls_run_get_state (self->run) != LS_RUN_STANDS;

  ls_debug_go_to (self, from);
  ls_run_observe (self->run, observer, user_data);
  ls_debug_run_on (self, to);
  ls_run_ignore (self->run, observer, user_data);
  ls_debug_go_to (self, is_over ? G_MAXUINT64 : now);
}

/* ---- a session ---------------------------------------------------------------------------- */

static LsPrimFunc *
pick (LsModule    *module,
      const char  *name,
      GError     **error)
{
  LsPrimFunc *only = NULL;
  guint n = 0;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *own = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], PRIM_FUNC))
        continue;
      if (name != NULL && strcmp (own, name) == 0)
        return ls_array_at (module->functions, i, LsPrimFunc);
      only = ls_array_at (module->functions, i, LsPrimFunc);
      n++;
    }
  if (name == NULL && n == 1)
    return only;
  if (name != NULL)
    g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The module has no function of TensorIR named %s."), name);
  else
    g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The module has %u functions of TensorIR; one is to be named."), n);
  return NULL;
}

/* Takes `args`, if they are there. */
static LsDebug *
session_new (LsModule            *module,
             const char          *name,
             const LsDebugInputs *inputs,
             GArray              *args,
             GError             **error)
{
  g_autoptr (LsDebug) self = g_new0 (LsDebug, 1);

  self->args = args;
  self->stops = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_stop_free);
  self->saved = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_saved_free);
  self->ready = g_hash_table_new (NULL, NULL);
  self->memory = LS_DEBUG_MEMORY;
  self->text = ls_debug_text_new (module);
  self->options.module = self->text->module;
  self->func = pick (self->text->module, name, error);
  if (self->func == NULL)
    return NULL;
  self->written = ls_debug_written (self->func);
  if (self->args == NULL)
    self->args = ls_debug_arguments (self->func, inputs, error);
  if (self->args == NULL)
    return NULL;
  self->run = ls_run_new (self->func, (LsInterpArg *) self->args->data, self->args->len, &self->options, error);
  if (self->run == NULL)
    return NULL;
  self->spacing = MAX (LS_DEBUG_SPACING, ls_run_bytes (self->run) / 64);
  g_ptr_array_add (self->saved, ls_run_save (self->run, NULL));
  ls_debug_watch (self);
  return g_steal_pointer (&self);
}

LsDebug *
ls_debug_new_with (LsModule    *module,
                   LsPrimFunc  *func,
                   GArray      *args,
                   GError     **error)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (module->functions->items[i] == (gpointer) func)
      return session_new (module, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, NULL, args, error);
  g_return_val_if_reached (NULL);
}

LsDebug *
ls_debug_new (LsModule            *module,
              const char          *name,
              const LsDebugInputs *inputs,
              GError             **error)
{
  return session_new (module, name, inputs, NULL, error);
}

void
ls_debug_free (LsDebug *self)
{
  if (self == NULL)
    return;
  ls_debug_forget_hit (self);
  g_clear_pointer (&self->left, ls_stop_free);
  g_ptr_array_unref (self->saved);
  ls_run_free (self->run);
  g_ptr_array_unref (self->stops);
  g_hash_table_unref (self->ready);
  g_clear_pointer (&self->written, g_hash_table_unref);
  if (self->args != NULL)
    g_array_unref (self->args);
  ls_debug_text_free (self->text);
  g_free (self);
}

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
