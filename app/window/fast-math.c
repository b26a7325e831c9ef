/* window/fast-math: see the header. */
#include "app/window/fast-math.h"

#include "app/session/fast-math.h"
#include "app/window/actions.h"

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

char *
ls_fast_math_words (LsEngineSession *session)
{
  static const char *const who[] = {
    [LS_FAST_MATH_BY_STEPS] = N_("Loops or blocks of this step ask for fast mathematics: code for them computes floats as if they were real numbers. Machine code says what it changed."),
    [LS_FAST_MATH_BY_TEXT] = N_("A function asks for fast mathematics: its code computes floats as if they were real numbers. Machine code says what it changed."),
    [LS_FAST_MATH_BY_TARGET] = N_("The target asks for fast mathematics: code computes floats as if they were real numbers. Machine code says what it changed."),
  };
  LsFastMath now = ls_engine_session_get_fast_math (session);

  return now != LS_FAST_MATH_OFF ? g_strdup (_(who[now])) : NULL;
}
