/* session/opening: a file read in a bounded time, and what is shown of one that is no program. */
#include "app/session/opening.h"

#include "app/session/file.h"
#include "app/session/ready.h"
#include "engine/base/findings.h"

#include <glib/gi18n.h>
#include <string.h>

gboolean
ls_opening_is_session (const char *name,
                       const char *text)
{
  return g_str_has_suffix (name, LS_SESSION_SUFFIX) ||
         (text[strspn (text, " \t\r\n")] == '{' && strstr (text, "\"loopscope-session\"") != NULL);
}

/* Whether it can be read at all, and in a bounded time: no folder, no pipe, not too large. */
static void
check_file (const char  *name,
            GFileInfo   *info,
            GError     **error)
{
  goffset size = g_file_info_get_size (info);
  g_autofree char *words = NULL;

  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _("%s is no file with text."), name);
  else if (size > LS_SESSION_MAX_FILE)
    {
      words = g_format_size_full ((guint64) size, G_FORMAT_SIZE_IEC_UNITS);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                   _("%s has %s; the window opens up to 16 MiB, the command line any size."), name, words);
    }
}

char *
ls_opening_load (GFile       *file,
                 const char  *name,
                 gsize       *length,
                 GError     **error)
{
  g_autoptr (GFileInfo) info = NULL;
  g_autoptr (GError) trouble = NULL;
  g_autofree char *text = NULL;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                            G_FILE_QUERY_INFO_NONE, NULL, &trouble);
  if (info != NULL)
    check_file (name, info, &trouble);
  if (trouble == NULL)
    g_file_load_contents (file, NULL, &text, length, NULL, &trouble);
  if (trouble == NULL)
    ls_ready_check_text (name, text, *length, &trouble);
  if (trouble == NULL)
    return g_steal_pointer (&text);
  g_propagate_error (error, g_steal_pointer (&trouble));
  return NULL;
}

/* ---- what is shown of it -------------------------------------------------------- */

/* What is shown stays when nothing could be read in its place. */
void
ls_opening_say_unread (LsSession  *session,
                       const char *name,
                       const char *message)
{
  ls_session_set_opening (session, message, NULL);
  if (ls_session_get_state (session) != LS_SESSION_EMPTY)
    return;
  ls_session_set_title (session, name, NULL);
  ls_session_set_state (session, LS_SESSION_BROKEN, message);
}

LsScriptText *
ls_opening_findings (LsSource      *source,
                     const char    *text,
                     LsDiagnostics *diagnostics)
{
  LsScriptText *shown = ls_script_text_new (text);

  for (guint i = 0; i < ls_diagnostics_get_n (diagnostics); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (diagnostics, i);
      LsPlace place = ls_source_place (source, finding->span.start);
      LsSpan at;
      const char *fix = ls_diagnostic_get_fix (finding, &at);

      if (finding->severity != LS_SEVERITY_ERROR)
        continue;
      ls_script_text_add_note (shown, place.line, place.column, finding->code, finding->message);
      if (finding->repair != NULL)
        ls_script_text_add_repair (shown, finding->repair, at.start, at.end, fix);
    }
  return shown;
}

void
ls_opening_show_broken (LsSession     *session,
                        const char    *name,
                        LsSource      *source,
                        const char    *text,
                        LsDiagnostics *diagnostics)
{
  g_autoptr (LsScriptText) shown = ls_opening_findings (source, text, diagnostics);

  ls_session_set_title (session, name, name);
  ls_session_set_module (session, NULL, 0.0, shown, NULL);
  ls_session_set_state (session, LS_SESSION_BROKEN,
                        ls_script_text_n_notes (shown) == 0
                          ? _("There is no function with T.prim_func in this file.") : NULL);
}

LsLoopItem *
ls_opening_first_look (GListModel *loops)
{
  LsLoopItem *first = NULL;

  for (guint i = 0; loops != NULL && i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (loops, i);
      LsLoopItem *below;

      if (ls_loop_item_get (item)->reduction)
        return item;
      below = ls_opening_first_look (ls_loop_item_get_children (item));
      if (below != NULL && ls_loop_item_get (below)->reduction)
        return below;
      if (first == NULL && ls_loop_item_get (item)->kind != LS_LOOP_FUNCTION)
        first = item;
      if (first == NULL)
        first = below;
    }
  return first;
}
