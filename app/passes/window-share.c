/* passes/window-share: the log as one page that opens without a server; a thread makes and writes it. */
#include "app/passes/private.h"

#include "app/page/page.h"
#include "engine/base/task.h"
#include "views/parts/ask-file.h"

#include <glib/gi18n.h>

#define MOST_BYTES (24u << 20)  /* of changed lines */

typedef struct {
  LsPasses *passes;
  char     *path, *title, *language;
  GArray   *runs;               /* of LsPageRun, or NULL; their words live with `passes` */
} Share;

static void
share_free (gpointer data)
{
  Share *share = data;

  g_clear_pointer (&share->runs, g_array_unref);
  ls_passes_unref (share->passes);
  g_free (share->path);
  g_free (share->title);
  g_free (share->language);
  g_free (share);
}

/* What the program took behind each pass, where it was run. (transfer full) */
static GArray *
runs_of (LsPasses *passes)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (LsPageRun));

  for (guint i = 0; i < ls_passes_get_log (passes)->dumps->len; i++)
    {
      LsPageRun run = { i, 0, NULL };
      const char *wrong;

      if (!ls_passes_get_run (passes, i, &run.ns, &wrong))
        continue;
      run.wrong = wrong != NULL ? wrong : "";
      g_array_append_val (runs, run);
    }
  if (runs->len == 0)
    g_clear_pointer (&runs, g_array_unref);
  return runs;
}

/* In another thread. */
static void
write_page (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  Share *share = data;
  g_autofree char *page = ls_passes_to_page (ls_passes_get_log (share->passes), share->title, share->language, MOST_BYTES, share->runs);
  GError *error = NULL;

  if (g_file_set_contents (share->path, page, -1, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
ls_passes_window_tell_written (LsPassesWindow *self,
                               GAsyncResult   *result,
                               const char     *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_path_get_basename (path), *words = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  if (self->closed)
    return;
  words = error == NULL ? g_strdup_printf (_("Saved as %s"), name) : g_strdup_printf (_("%s was not written: %s"), name, error->message);
  gtk_label_set_label (GTK_LABEL (self->answer), words);
}

static void
written (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  Share *share = g_task_get_task_data (G_TASK (result));

  ls_passes_window_tell_written (data, result, share->path);
}

static const char *
language_code (void)
{
  const char *const *names = g_get_language_names ();

  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_has_prefix (names[i], "zh_CN") || g_str_has_prefix (names[i], "ko") || g_str_has_prefix (names[i], "en"))
      return g_str_has_prefix (names[i], "zh") ? "zh_CN" : g_str_has_prefix (names[i], "ko") ? "ko" : "en";
  return "en";
}

static void
file_chosen (GtkWidget *widget,
             GFile     *file,
             gpointer   data)
{
  LsPassesWindow *self = data;
  g_autoptr (GTask) task = NULL;
  Share *share;

  if (self->passes == NULL || g_file_peek_path (file) == NULL)
    return;
  share = g_new0 (Share, 1);
  *share = (Share) { ls_passes_ref (self->passes), g_file_get_path (file), g_strdup (self->name_of_log), g_strdup (language_code ()), runs_of (self->passes) };
  task = g_task_new (self->window, NULL, written, self);
  g_task_set_task_data (task, share, share_free);
  gtk_label_set_label (GTK_LABEL (self->answer), _("The page is being written."));
  ls_task_run (task, write_page);
}

void
ls_passes_window_share (LsPassesWindow *self)
{
  GtkFileChooserNative *dialog;
  g_autofree char *name = NULL;

  if (self->passes == NULL)
    return;
  dialog = gtk_file_chooser_native_new (_("Save the passes as a page"), self->window, GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"), _("Cancel"));
  name = g_strconcat (self->name_of_log, ".html", NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  ls_ask_file (dialog, GTK_WIDGET (self->window), file_chosen, self, NULL);
}
