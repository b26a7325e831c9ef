/* window/export: asks for a name and writes texts and figures there. */
#include "app/window/file-private.h"

#include "app/session/safe-write.h"
#include "app/window/actions.h"
#include "views/parts/ask-file.h"

#include <glib/gi18n.h>

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
  LsExportKind  kind;
  GFile        *file;
} Export;

static void
exported (GObject      *session,
          GAsyncResult *result,
          gpointer      data)
{
  Export *export = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ls_session_export_finish (LS_SESSION (session), result, &error);
  g_autofree char *name = g_file_get_basename (export->file);
  g_autofree char *done = g_strdup_printf (_("Written to %s"), name);
  gboolean good = text != NULL && ls_safe_write (export->file, text, &error);

  if (export->window != NULL && good)
    ls_window_say (export->window, done, NULL);
  else if (export->window != NULL)
    ls_window_offer (export->window, _("Not written"), error->message, _("Save elsewhere…"), kinds[export->kind].action);
  g_clear_weak_pointer (&export->window);
  if (export->application != NULL)
    g_application_release (export->application);
  g_object_unref (export->file);
  g_free (export);
}

static void
write_export (LsWindow     *self,
              LsExportKind  kind,
              GFile        *file)
{
  Export *export = g_new0 (Export, 1);

  export->kind = kind;
  export->file = g_object_ref (file);
  g_set_weak_pointer (&export->window, self);
  export->application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
  if (export->application != NULL)
    g_application_hold (export->application);
  ls_session_export_async (ls_window_get_session (self), kind, exported, export);
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
figure_chosen (GtkWidget *window,
               GFile     *file,
               gpointer   data)
{
  LsWindow *self = LS_WINDOW (window);
  const Figure *figure = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);
  g_autofree char *done = g_strdup_printf (_("Written to %s"), name);

  if (path == NULL)
    return;
  if (figure->kind == LS_FIGURE_COMPARED ? ls_window_write_compared (self, path, &error)
                                         : ls_session_write_figure (ls_window_get_session (self), figure->kind, path, FALSE, &error))
    ls_window_say (self, done, NULL);
  else
    ls_window_offer (self, _("Not written"), error->message, _("Save elsewhere…"), figure->again);
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
