/* window/export: asks for a name and writes texts and figures there, in a thread; what takes long can be cancelled. */
#include "app/window/file-private.h"

#include "app/session/safe-write.h"
#include "app/window/actions.h"
#include "engine/base/task.h"
#include "views/compare/view.h"
#include "views/parts/ask-file.h"

#include <glib/gi18n.h>

#define SAY_AFTER 300
#define WRITING "ls-writing"    /* of the window: GCancellable of what it says is being written */

static const struct { const char *title; const char *suffix; const char *action; } kinds[] = {
  [LS_EXPORT_SESSION] = { N_("Save the session"), LS_SESSION_SUFFIX, "win.save-as" },
  [LS_EXPORT_TRACE_PYTHON] = { N_("Save the trace"), "_schedule.py", "win.save-trace" },
  [LS_EXPORT_TRACE_JSON] = { N_("Save the trace"), "_trace.json", "win.export::trace-json" },
  [LS_EXPORT_MODULE] = { N_("Save the module"), "_scheduled.py", "win.export::module" },
  [LS_EXPORT_REPORT] = { N_("Save the report"), "_report.html", "win.export::report" },
};

/* An export on its way: the program does not end before it is there, the window may go. */
typedef struct {
  LsWindow     *window;         /* weak */
  GApplication *application;    /* held, or NULL */
  GFile        *file;
  char         *again;          /* the action that asks anew, with its target */
  GCancellable *cancellable;
  guint         late;           /* timeout that says that it takes long, or 0 */
} Export;

static gboolean
say_late (gpointer data)
{
  Export *self = data;
  g_autofree char *name = g_file_get_basename (self->file);

  self->late = 0;
  if (self->window != NULL)
    {
      g_object_set_data_full (G_OBJECT (self->window), WRITING, g_object_ref (self->cancellable), g_object_unref);
      ls_window_offer (self->window, name, _("The file is being written; the window can be used meanwhile."), _("Cancel"), "win.cancel-export");
    }
  return G_SOURCE_REMOVE;
}

/* (transfer full), until end() */
static Export *
begin (LsWindow   *window,
       GFile      *file,
       const char *again)
{
  Export *self = g_new0 (Export, 1);

  self->file = g_object_ref (file);
  self->again = g_strdup (again);
  self->cancellable = g_cancellable_new ();
  self->late = g_timeout_add (SAY_AFTER, say_late, self);
  g_set_weak_pointer (&self->window, window);
  self->application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (window)));
  if (self->application != NULL)
    g_application_hold (self->application);
  return self;
}

void
ls_window_say_written (LsWindow   *self,
                       const char *path)
{
  g_autofree char *name = g_path_get_basename (path), *done = g_strdup_printf (_("Written to %s"), name);

  ls_window_say (self, done, NULL);
}

/* Says how it went: `error` (taken) or, without one, that it is there. */
static void
end (Export *self,
     GError *error)
{
  g_autofree char *name = g_file_get_basename (self->file);

  g_clear_handle_id (&self->late, g_source_remove);
  if (self->window != NULL && g_object_get_data (G_OBJECT (self->window), WRITING) == self->cancellable)
    g_object_set_data (G_OBJECT (self->window), WRITING, NULL);
  if (self->window != NULL && error == NULL)
    ls_window_say_written (self->window, name);
  else if (self->window != NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ls_window_offer (self->window, NULL, NULL, NULL, NULL);
  else if (self->window != NULL)
    ls_window_offer (self->window, _("Not written"), error->message, _("Save elsewhere…"), self->again);
  g_clear_error (&error);
  g_clear_weak_pointer (&self->window);
  if (self->application != NULL)
    g_application_release (self->application);
  g_object_unref (self->cancellable);
  g_object_unref (self->file);
  g_free (self->again);
  g_free (self);
}

void
ls_window_file_export_cancel (LsWindow *self)
{
  GCancellable *cancellable = g_object_get_data (G_OBJECT (self), WRITING);

  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
}

/* ---- texts ---------------------------------------------------------------------- */

static void
write_text (GTask        *task,
            gpointer      source,
            gpointer      text,
            GCancellable *cancellable)
{
  GError *error = NULL;

  if (ls_safe_write (G_FILE (source), text, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
written (GObject      *file,
         GAsyncResult *result,
         gpointer      data)
{
  GError *error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  end (data, error);
}

/* The disk may take its time. */
static void
exported (GObject      *session,
          GAsyncResult *result,
          gpointer      data)
{
  Export *export = data;
  GError *error = NULL;
  char *text = ls_session_export_finish (LS_SESSION (session), result, &error);
  g_autoptr (GTask) task = NULL;

  if (text == NULL)
    {
      end (export, error);
      return;
    }
  task = g_task_new (export->file, NULL, written, export);
  g_task_set_task_data (task, text, g_free);
  ls_task_run (task, write_text);
}

static void
write_export (LsWindow     *self,
              LsExportKind  kind,
              GFile        *file)
{
  Export *export = begin (self, file, kinds[kind].action);

  ls_session_export_async (ls_window_get_session (self), kind, export->cancellable, exported, export);
}

static void
name_chosen (GtkWidget *window,
             GFile     *file,
             gpointer   data)
{
  LsExportKind kind = GPOINTER_TO_UINT (data);

  if (kind == LS_EXPORT_SESSION)
    ls_window_file_write_and_say (LS_WINDOW (window), file);
  else
    write_export (LS_WINDOW (window), kind, file);
}

void
ls_window_file_export (LsWindow     *self,
                       LsExportKind  kind)
{
  const char *title = ls_session_get_title (ls_window_get_session (self));
  g_autofree char *name = g_strconcat (title != NULL ? title : "module", kinds[kind].suffix, NULL);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_(kinds[kind].title), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"), _("Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  ls_ask_file (dialog, GTK_WIDGET (self), name_chosen, GUINT_TO_POINTER (kind), NULL);
}

/* ---- pictures -------------------------------------------------------------------- */

typedef struct {
  LsFigureKind kind;
  char        *again;           /* action with target */
} Figure;

static void
figure_free (gpointer data)
{
  Figure *figure = data;

  g_free (figure->again);
  g_free (figure);
}

static void
drawn (GObject      *session,
       GAsyncResult *result,
       gpointer      data)
{
  GError *error = NULL;

  ls_session_write_figure_finish (LS_SESSION (session), result, &error);
  end (data, error);
}

static void
compared_drawn (GObject      *nothing,
                GAsyncResult *result,
                gpointer      data)
{
  GError *error = NULL;

  ls_compare_view_write_finish (result, &error);
  end (data, error);
}

static void
figure_chosen (GtkWidget *window,
               GFile     *file,
               gpointer   data)
{
  LsWindow *self = LS_WINDOW (window);
  const Figure *figure = data;
  g_autofree char *path = g_file_get_path (file);
  Export *export;

  if (path == NULL)
    return;
  export = begin (self, file, figure->again);
  if (figure->kind == LS_FIGURE_COMPARED)
    ls_window_write_compared (self, path, compared_drawn, export);
  else
    ls_session_write_figure_async (ls_window_get_session (self), figure->kind, path, FALSE, export->cancellable, drawn, export);
}

void
ls_window_file_export_figure (LsWindow     *self,
                              LsFigureKind  kind,
                              const char   *name)
{
  g_autofree char *file = g_strdup_printf ("%s.svg", name);
  Figure *figure = g_new0 (Figure, 1);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save the figure as .svg, .pdf or .png"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"), _("Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), file);
  *figure = (Figure) { kind, g_strdup_printf ("win.export-figure::%s", name) };
  ls_ask_file (dialog, GTK_WIDGET (self), figure_chosen, figure, figure_free);
}
