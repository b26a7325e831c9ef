/* session/export: what a session can be written as.
 *
 * All of it is made at once, but for the report when it is asked for with time: it is put together in pieces between which
 * the window answers.  The history may grow meanwhile; when another takes its place, the report is given up.
 */
#include "app/session/engine-private.h"

#include "app/session/file.h"
#include "app/session/reporter.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>

static const LsReporter *reporter;

void
ls_session_set_reporter (const LsReporter *given)
{
  reporter = given;
}

static gboolean
has_reporter (GError **error)
{
  if (reporter != NULL)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("This program draws no pages and no pictures."));
  return FALSE;
}

char *
ls_engine_session_get_trace (LsSession *session,
                             guint      step,
                             GError   **error)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if (self->history == NULL || step >= ls_history_get_n (self->history))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
      return NULL;
    }
  return ls_schedule_print_trace (ls_history_get (self->history, step)->schedule);
}

static char *
export_session (LsEngineSession *self)
{
  LsSessionFile file = { .name = self->name, .target = self->target, .text = self->text, .draft = self->draft, .history = self->history,
                         .current = self->current, .origin = g_object_get_data (G_OBJECT (self), "ls-origin"),
                         .selection = ls_session_get_selection (LS_SESSION (self)), .pins = self->pins };

  return ls_session_file_write (&file);
}

static char *
export_json (LsSchedule *schedule)
{
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);

  return ls_trace_to_json (trace, FALSE);
}

static char *
report_at_once (LsEngineSession *self,
                GError         **error)
{
  gpointer report;

  if (!has_reporter (error))
    return NULL;
  report = reporter->begin (LS_SESSION (self), self->history, self->current);
  while (reporter->put (report))
    ;
  return reporter->end (report, TRUE);
}

char *
ls_engine_session_export (LsSession     *session,
                          LsExportKind   kind,
                          GError       **error)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsSchedule *schedule;

  if (self->history == NULL && kind == LS_EXPORT_SESSION && self->draft != NULL)
    return export_session (self);
  if (self->history == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
      return NULL;
    }
  schedule = ls_history_get (self->history, self->current)->schedule;
  switch (kind)
    {
    case LS_EXPORT_SESSION:
      return export_session (self);
    case LS_EXPORT_TRACE_PYTHON:
      return ls_schedule_print_trace (schedule);
    case LS_EXPORT_TRACE_JSON:
      return export_json (schedule);
    case LS_EXPORT_MODULE:
      return ls_history_print (self->history, self->current, TRUE, NULL);
    case LS_EXPORT_REPORT:
      return report_at_once (self, error);
    }

  return NULL;
}

gboolean
ls_engine_session_write_figure (LsSession     *session,
                                LsFigureKind   kind,
                                const char    *path,
                                gboolean       dark,
                                GError       **error)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if (self->history != NULL)
    return has_reporter (error) && reporter->write_figure (session, self->history, self->current, kind, path, dark, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
  return FALSE;
}

/* ---- the report in pieces ----------------------------------------------------- */

typedef struct {
  gpointer   report;
  LsHistory *history;           /* borrowed: only compared when the document is another */
  guint      document;
} Pieces;

static void
pieces_free (gpointer data)
{
  Pieces *self = data;

  if (self->report != NULL)
    reporter->end (self->report, FALSE);
  g_free (self);
}

static gboolean
put_piece (gpointer data)
{
  GTask *task = data;
  LsEngineSession *self = LS_ENGINE_SESSION (g_task_get_source_object (task));
  Pieces *pieces = g_task_get_task_data (task);

  if (self->document != pieces->document || self->history != pieces->history)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Another program was opened meanwhile."));
  else if (reporter->put (pieces->report))
    return G_SOURCE_CONTINUE;
  else
    g_task_return_pointer (task, reporter->end (g_steal_pointer (&pieces->report), TRUE), g_free);
  return G_SOURCE_REMOVE;
}

gboolean
ls_engine_session_export_later (LsSession    *session,
                                LsExportKind  kind,
                                GTask        *task)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  Pieces *pieces;

  if (kind != LS_EXPORT_REPORT || self->history == NULL || reporter == NULL)
    return FALSE;
  pieces = g_new0 (Pieces, 1);
  *pieces = (Pieces) { reporter->begin (session, self->history, self->current), self->history, self->document };
  g_task_set_task_data (task, pieces, pieces_free);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, put_piece, g_object_ref (task), g_object_unref);
  return TRUE;
}
