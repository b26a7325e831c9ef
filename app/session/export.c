/* session/export: what a session can be written as.
 *
 * A page or a picture of a thousand steps takes seconds.  So the document as it is at the moment is taken along (a copy of what
 * changes, shared what never does), and a thread makes the text of it; whatever is done to the document meanwhile is not in it.
 */
#include "app/session/export.h"

#include "app/session/devices.h"
#include "app/session/reporter.h"
#include "app/session/sizes.h"
#include "engine/base/task.h"
#include "engine/script/script.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

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

  *file = (LsSessionFile) { .name = opened->name, .target = opened->target, .text = opened->text, .text_sum = opened->text_sum, .sizes = opened->sizes, .device = opened->device,
                            .passes = opened->passes, .styles = opened->styles,
                            .draft = (char *) ls_editing_get_latest (of->editing), .history = opened->history, .current = opened->current,
                            .selection = ls_session_get_selection (of->session), .pins = *ls_pinning_get (of->pinning) };
  return file->history != NULL || file->draft != NULL;
}

/* ---- as it is at one moment ----------------------------------------------------- */

typedef struct {
  LsReported      of;
  GPtrArray      *sizes;        /* for the roofline: what ls_roofline_put_steps() takes */
  char           *said;
  LsSessionImage *image;        /* of a session that is to be written, and then nothing of the above */
} Moment;

static void
moment_free (Moment *self)
{
  g_clear_object (&self->of.rows);
  g_clear_object (&self->of.path);
  g_clear_pointer (&self->of.roofline, ls_roofline_free);
  g_clear_pointer (&self->of.history, ls_history_free);
  g_free (self->of.title);
  g_free (self->of.place);
  g_free (self->of.conditions);
  g_free (self->of.device);
  g_clear_pointer (&self->sizes, g_ptr_array_unref);
  g_free (self->said);
  g_clear_pointer (&self->image, ls_session_image_free);
  g_free (self);
}

/* The same rows, of the items of `history`. (transfer full) */
static GListStore *
rows_of (LsHistory  *history,
         GListModel *shown)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();
  GListStore *rows = g_list_store_new (LS_TYPE_STEP_ITEM);

  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (shown, i);

      g_ptr_array_add (items, ls_history_get (history, ls_step_item_get (item)->id)->item);
    }
  g_list_store_splice (rows, 0, 0, items->pdata, items->len);
  return rows;
}

/* A step has a time, of the device where one is chosen. */
static gboolean
any_time (const LsDocumentRecord *opened)
{
  for (guint i = 0; i < ls_history_get_n (opened->history); i++)
    {
      const LsHistoryNode *node = ls_history_get (opened->history, i);

      if (opened->device != NULL ? ls_device_notes_of (node->devices, opened->device) != NULL : node->time.samples > 0)
        return TRUE;
    }

  return FALSE;
}

/* Of this machine's measurements; of a device's, whose they are and of when. (transfer full), or NULL */
static char *
conditions_of (const LsExportOf *of)
{
  const LsDocumentRecord *opened = ls_document_get (of->document);
  const char *last = NULL;
  g_autofree char *date = NULL;

  if (opened->device == NULL)
    return g_strdup (ls_session_get_conditions (of->session));
  for (guint i = 0; i < ls_history_get_n (opened->history); i++)
    {
      const LsDeviceNote *note = ls_device_notes_of (ls_history_get (opened->history, i)->devices, opened->device);

      if (note != NULL && (last == NULL || strcmp (note->when, last) > 0))
        last = note->when;
    }
  date = last != NULL ? ls_format_date (last) : NULL;
  return last != NULL ? g_strdup_printf (_("Times of %s (%s)"), opened->device, date != NULL ? date : last) : g_strdup (opened->device);
}

/* Something is opened. (transfer full) */
static Moment *
moment_new (const LsExportOf *of)
{
  const LsDocumentRecord *opened = ls_document_get (of->document);
  Moment *self = g_new0 (Moment, 1);

  self->of.history = ls_history_snapshot (opened->history);
  self->of.current = opened->current;
  self->of.rows = rows_of (self->of.history, ls_session_get_history (of->session));
  self->of.path = rows_of (self->of.history, ls_session_get_path (of->session));
  self->of.title = g_strdup (ls_session_get_title (of->session));
  self->of.place = g_strdup (ls_session_get_place (of->session));
  self->of.conditions = conditions_of (of);
  self->of.device = g_strdup (opened->device);
  self->of.timed = any_time (opened);
  self->of.roofline = ls_machine_begin_roofline (of->machine);
  self->sizes = ls_sizes_list (of->document);
  self->said = g_strdup (opened->sizes);
  return self;
}

/* What is counted of its steps takes long: only for what shows it. */
static void
count_steps (Moment *self)
{
  if (self->of.roofline != NULL && self->of.timed)
    ls_roofline_put_steps (self->of.roofline, self->of.history, self->of.current, self->sizes, self->said);
}

/* (transfer full); NULL: cancelled, `error` is set */
static char *
make_report (Moment        *self,
             GCancellable  *cancellable,
             GError       **error)
{
  gpointer report;
  gboolean more = TRUE;

  count_steps (self);
  report = reporter->begin (&self->of);
  while (more && !g_cancellable_is_cancelled (cancellable))
    more = reporter->put (report);
  return reporter->end (report, !g_cancellable_set_error_if_cancelled (cancellable, error));
}

static char *
make_text (Moment        *self,
           LsExportKind   kind,
           GCancellable  *cancellable,
           GError       **error)
{
  switch (kind)
    {
    case LS_EXPORT_SESSION:
      return ls_session_image_write (self->image);
    case LS_EXPORT_TRACE_PYTHON:
      return ls_schedule_print_trace (ls_history_get (self->of.history, self->of.current)->schedule);
    case LS_EXPORT_TRACE_JSON:
      return ls_history_trace_json (self->of.history, self->of.current);
    case LS_EXPORT_MODULE:
      return ls_history_print (self->of.history, self->of.current, TRUE, NULL);
    case LS_EXPORT_REPORT:
      return make_report (self, cancellable, error);
    }

  return NULL;
}

/* The moment that such a text is made of. (transfer full); NULL with `error` set */
static Moment *
moment_for (const LsExportOf  *of,
            LsExportKind       kind,
            GError           **error)
{
  LsSessionFile file;
  Moment *self;

  if (kind == LS_EXPORT_SESSION && ls_export_peek (of, &file))
    {
      self = g_new0 (Moment, 1);
      self->image = ls_session_image_new (&file);
      return self;
    }
  return is_opened (of->document, error) && (kind != LS_EXPORT_REPORT || has_reporter (error)) ? moment_new (of) : NULL;
}

char *
ls_export_text (const LsExportOf  *of,
                LsExportKind       kind,
                GError           **error)
{
  Moment *moment = moment_for (of, kind, error);
  char *text = moment != NULL ? make_text (moment, kind, NULL, error) : NULL;

  g_clear_pointer (&moment, moment_free);
  return text;
}

static gboolean
make_figure (Moment        *self,
             LsFigureKind   kind,
             const char    *path,
             gboolean       dark,
             GError       **error)
{
  if (kind == LS_FIGURE_ROOFLINE)
    count_steps (self);
  return reporter->write_figure (&self->of, kind, path, dark, error);
}

gboolean
ls_export_figure (const LsExportOf  *of,
                  LsFigureKind       kind,
                  const char        *path,
                  gboolean           dark,
                  GError           **error)
{
  Moment *moment = is_opened (of->document, error) && has_reporter (error) ? moment_new (of) : NULL;
  gboolean done = moment != NULL && make_figure (moment, kind, path, dark, error);

  g_clear_pointer (&moment, moment_free);
  return done;
}

/* ---- in a thread ------------------------------------------------------------------- */

typedef struct {
  Moment      *moment;
  LsExportKind kind;            /* of a text */
  LsFigureKind figure;          /* of a picture, when there is a path */
  char        *path;
  gboolean     dark;
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *self = data;

  moment_free (self->moment);
  g_free (self->path);
  g_free (self);
}

static void
make (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  const Wanted *wanted = data;
  GError *error = NULL;
  char *text = NULL;
  gboolean done = FALSE;

  if (wanted->path != NULL)
    done = make_figure (wanted->moment, wanted->figure, wanted->path, wanted->dark, &error);
  else
    text = make_text (wanted->moment, wanted->kind, cancellable, &error);
  if (error != NULL)
    g_task_return_error (task, error);
  else if (wanted->path != NULL)
    g_task_return_boolean (task, done);
  else
    g_task_return_pointer (task, text, g_free);
}

static void
begin (GTask  *task,
       Wanted *wanted)
{
  g_task_set_task_data (task, wanted, wanted_free);
  ls_task_run (task, make);
}

void
ls_export_text_later (const LsExportOf *of,
                      LsExportKind      kind,
                      GTask            *task)
{
  GError *error = NULL;
  Moment *moment = moment_for (of, kind, &error);
  Wanted *wanted;

  if (moment == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  wanted = g_new0 (Wanted, 1);
  *wanted = (Wanted) { .moment = moment, .kind = kind };
  begin (task, wanted);
}

void
ls_export_figure_later (const LsExportOf *of,
                        LsFigureKind      kind,
                        const char       *path,
                        gboolean          dark,
                        GTask            *task)
{
  GError *error = NULL;
  Wanted *wanted;

  if (!is_opened (of->document, &error) || !has_reporter (&error))
    {
      g_task_return_error (task, error);
      return;
    }
  wanted = g_new0 (Wanted, 1);
  *wanted = (Wanted) { .moment = moment_new (of), .figure = kind, .path = g_strdup (path), .dark = dark };
  begin (task, wanted);
}
