/* window/fast-math: see the header. */
#include "app/window/fast-math.h"

#include "app/session/fast-math.h"
#include "app/window/actions.h"
#include "app/window/private.h"
#include "engine/base/task.h"

#include <glib/gi18n.h>

void
ls_window_set_fast_math (LsWindow        *self,
                         LsEngineSession *session,
                         gboolean         fast)
{
  g_autoptr (GError) error = NULL;

  if (!ls_engine_session_set_fast_math (session, fast, &error))
    ls_window_say (self, fast ? _("Fast mathematics stays off") : _("Fast mathematics stays on"), error->message);
}

/* ---- the mark ---- */

typedef void (*Found) (LsWindow *self, gboolean can, const char *words);

static void
look_in_thread (GTask        *task,
                gpointer      source,
                gpointer      look,
                GCancellable *cancellable)
{
  ls_fast_math_look_run (look);
  g_task_return_boolean (task, TRUE);
}

static void
looked (GObject      *window,
        GAsyncResult *result,
        gpointer      data)
{
  static const char *const who[] = {
    [LS_FAST_MATH_BY_STEPS] = N_("Loops or blocks of this step ask for fast mathematics: code for them computes floats as if they were real numbers. Machine code says what it changed."),
    [LS_FAST_MATH_BY_TEXT] = N_("A function asks for fast mathematics: its code computes floats as if they were real numbers. Machine code says what it changed."),
    [LS_FAST_MATH_BY_TARGET] = N_("The target asks for fast mathematics: code computes floats as if they were real numbers. Machine code says what it changed."),
  };
  const LsFastMathLook *look = g_task_get_task_data (G_TASK (result));
  LsWindow *self = data;
  gboolean asked = look->now != LS_FAST_MATH_OFF;

  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return;             /* the window may be gone */
  g_clear_object (&self->looking_fast);
  self->fast_found (self, asked || look->possible, asked ? _(who[look->now]) : NULL);
}

void
ls_window_find_fast_math (LsWindow        *self,
                          LsEngineSession *session,
                          Found            found)
{
  g_autoptr (LsFastMathLook) look = ls_fast_math_look_new (session);
  g_autoptr (GTask) task = NULL;

  if (self->fast_look != NULL && ls_fast_math_look_equal (self->fast_look, look))
    return;
  ls_window_forget_fast_math (self);
  self->fast_look = ls_fast_math_look_ref (look);
  self->fast_found = found;
  self->looking_fast = g_cancellable_new ();
  task = g_task_new (NULL, self->looking_fast, looked, self);
  g_task_set_task_data (task, g_steal_pointer (&look), (GDestroyNotify) ls_fast_math_look_unref);
  ls_task_run (task, look_in_thread);
}

void
ls_window_forget_fast_math (LsWindow *self)
{
  if (self->looking_fast != NULL)
    g_cancellable_cancel (self->looking_fast);
  g_clear_object (&self->looking_fast);
  g_clear_pointer (&self->fast_look, ls_fast_math_look_unref);
}
