/* window/trace: see the header.  The steps are kept as Python text, which is what a history replays. */
#include "app/window/trace.h"

#include "app/session/engine.h"
#include "app/session/opening.h"
#include "app/window/actions.h"
#include "engine/schedule/schedule.h"

#include <glib/gi18n.h>

#define STEPS "ls-trace-steps"

static gboolean
looks_like_trace (const char *text)
{
  text += strspn (text, " \t\r\n");
  return text[0] == '[' && text[1 + strspn (text + 1, " \t\r\n")] == '[';
}

/* (transfer full) or NULL */
static LsTrace *
read_trace (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = NULL;
  g_autoptr (GFileInfo) info = NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  gsize length = 0;

  if (!g_str_has_suffix (name, ".json"))
    return NULL;
  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || g_file_info_get_size (info) > LS_SESSION_MAX_FILE ||
      !g_file_load_contents (file, NULL, &text, &length, NULL, NULL) || !g_utf8_validate (text, (gssize) length, NULL) ||
      !looks_like_trace (text))
    return NULL;
  return ls_trace_from_json (text, diagnostics);
}

gboolean
ls_window_trace_open (LsWindow *self,
                      GFile    *file)
{
  g_autoptr (LsTrace) trace = read_trace (file);
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *words = NULL;

  if (trace == NULL)
    return FALSE;
  if (ls_session_get_current (ls_window_get_session (self)) == NULL)
    {
      words = g_strdup_printf (_("%s is a trace, steps without a program. Open the program, then drop the trace on its window."), name);
      ls_window_say (self, _("Not opened"), words);
      return TRUE;
    }
  words = g_strdup_printf (_("%s is a trace. Its steps can be applied to the program as it was opened, as a branch of their own."), name);
  g_object_set_data_full (G_OBJECT (self), STEPS, ls_trace_print (trace), g_free);
  ls_window_offer (self, _("Steps from a file"), words, _("Apply the trace"), "win.apply-trace");
  return TRUE;
}

void
ls_window_trace_apply (LsWindow *self)
{
  g_autofree char *steps = g_object_steal_data (G_OBJECT (self), STEPS);

  ls_window_say (self, NULL, NULL);
  if (steps != NULL)
    ls_engine_session_replay (LS_ENGINE_SESSION (ls_window_get_session (self)), steps);
}
