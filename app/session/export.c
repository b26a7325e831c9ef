/* session/export: what a session can be written as.
 *
 * All of it is made at once, but for the report when it is asked for with time: it is put together in pieces between which
 * the window answers.  The history may grow meanwhile; when another takes its place, the report is given up.
 */
#include "app/session/export.h"

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

/* Sets `error` when there is no program. */
static gboolean
is_opened (LsDocument  *document,
           GError     **error)
{
  if (ls_document_get_node (document) != NULL)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
  return FALSE;
}

char *
ls_export_trace (LsDocument  *document,
                 guint        step,
                 GError     **error)
{
  LsHistory *history = ls_document_get (document)->history;

  if (history == NULL || step >= ls_history_get_n (history))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
      return NULL;
    }
  return ls_schedule_print_trace (ls_history_get (history, step)->schedule);
}

gboolean
ls_export_peek (const LsExportOf *of,
                LsSessionFile    *file)
{
  const LsDocumentRecord *opened = ls_document_get (of->document);

  *file = (LsSessionFile) { .name = opened->name, .target = opened->target, .text = opened->text, .text_sum = opened->text_sum, .sizes = opened->sizes, .passes = opened->passes, .styles = opened->styles,
                            .draft = (char *) ls_editing_get_latest (of->editing), .history = opened->history, .current = opened->current,
                            .selection = ls_session_get_selection (of->session), .pins = *ls_pinning_get (of->pinning) };
  return file->history != NULL || file->draft != NULL;
}

static char *
report_at_once (const LsExportOf  *of,
                GError           **error)
{
  const LsDocumentRecord *opened = ls_document_get (of->document);
  gpointer report;

  if (!has_reporter (error))
    return NULL;
  report = reporter->begin (of->session, opened->history, opened->current);
  while (reporter->put (report))
    continue;
  return reporter->end (report, TRUE);
}

char *
ls_export_text (const LsExportOf  *of,
                LsExportKind       kind,
                GError           **error)
{
  const LsDocumentRecord *opened = ls_document_get (of->document);
  LsSessionFile file;

  if (ls_export_peek (of, &file) && kind == LS_EXPORT_SESSION)
    return ls_session_file_write (&file);
  if (!is_opened (of->document, error))
    return NULL;
  switch (kind)
    {
    case LS_EXPORT_SESSION:
      return ls_session_file_write (&file);
    case LS_EXPORT_TRACE_PYTHON:
      return ls_schedule_print_trace (ls_document_get_node (of->document)->schedule);
    case LS_EXPORT_TRACE_JSON:
      return ls_history_trace_json (opened->history, opened->current);
    case LS_EXPORT_MODULE:
      return ls_history_print (opened->history, opened->current, TRUE, NULL);
    case LS_EXPORT_REPORT:
      return report_at_once (of, error);
    }

  return NULL;
}

gboolean
ls_export_figure (const LsExportOf  *of,
                  LsFigureKind       kind,
                  const char        *path,
                  gboolean           dark,
                  GError           **error)
{
  const LsDocumentRecord *opened = ls_document_get (of->document);

  return is_opened (of->document, error) && has_reporter (error)
         && reporter->write_figure (of->session, opened->history, opened->current, kind, path, dark, error);
}

/* ---- the report in pieces ----------------------------------------------------- */

typedef struct {
  gpointer    report;
  LsDocument *document;
  LsHistory  *history;          /* borrowed: only compared when the document is another */
  guint       number;
} Pieces;

static void
pieces_free (gpointer data)
{
  Pieces *self = data;

  if (self->report != NULL)
    reporter->end (self->report, FALSE);
  g_object_unref (self->document);
  g_free (self);
}

static gboolean
put_piece (gpointer data)
{
  GTask *task = data;
  Pieces *pieces = g_task_get_task_data (task);
  const LsDocumentRecord *opened = ls_document_get (pieces->document);

  if (opened->number != pieces->number || opened->history != pieces->history)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Another program was opened meanwhile."));
  else if (reporter->put (pieces->report))
    return G_SOURCE_CONTINUE;
  else
    g_task_return_pointer (task, reporter->end (g_steal_pointer (&pieces->report), TRUE), g_free);
  return G_SOURCE_REMOVE;
}

gboolean
ls_export_text_later (const LsExportOf *of,
                      LsExportKind      kind,
                      GTask            *task)
{
  const LsDocumentRecord *opened = ls_document_get (of->document);
  Pieces *pieces;

  if (kind != LS_EXPORT_REPORT || opened->history == NULL || reporter == NULL)
    return FALSE;
  pieces = g_new (Pieces, 1);
  *pieces = (Pieces) { reporter->begin (of->session, opened->history, opened->current), g_object_ref (of->document), opened->history,
                       opened->number };
  g_task_set_task_data (task, pieces, pieces_free);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, put_piece, g_object_ref (task), g_object_unref);
  return TRUE;
}
