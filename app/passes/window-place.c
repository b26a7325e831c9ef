/* passes/window-place: where the window is in its log, as a link and in a session, and going there. */
#include "app/passes/private.h"

#include "engine/base/task.h"
#include "views/parts/ask-file.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

void
ls_passes_window_name (LsPassesWindow *self,
                       const char     *name)
{
  /* Translators: the title of a window: a file, and what is shown of it */
  g_autofree char *title = self->own ? g_strdup (_("Passes")) : g_strdup_printf (_("%s – Passes"), name);

  g_free (self->name_of_log);
  self->name_of_log = g_strdup (name);
  gtk_window_set_title (self->window, title);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), name);
}

/* ---- where it is --------------------------------------------------------------------- */

/* The function that is shown; NULL: none. Borrowed. */
static const char *
shown_function (LsPassesWindow *self)
{
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->functions));
  const char *name = at < self->parts->len
                       ? g_array_index (ls_passes_get_log (self->passes)->parts, LsPassPart, g_array_index (self->parts, guint, at)).name : NULL;

  return name != NULL && *name != '\0' ? name : NULL;
}

static void
add_part (GString    *link,
          const char *key,
          const char *value)
{
  g_autofree char *plain = value != NULL ? g_uri_escape_string (value, NULL, FALSE) : NULL;

  if (plain != NULL)
    g_string_append_printf (link, "%c%s=%s", strchr (link->str, '?') == NULL ? '?' : '&', key, plain);
}

void
ls_passes_window_copy_link (LsPassesWindow *self)
{
  gboolean other;
  int dump = ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other);
  g_autofree char *uri = self->file != NULL ? g_file_get_uri (self->file) : NULL, *number = NULL, *words = NULL;
  g_autoptr (GString) link = g_string_new ("loopscope:");

  if (uri == NULL || self->passes == NULL || dump < 0)
    {
      gtk_label_set_label (GTK_LABEL (self->answer), _("A link leads to a pass of a log in a file; save this as a session first."));
      return;
    }
  number = g_strdup_printf ("%d", dump + 1);
  g_string_append (link, uri + strlen ("file:"));
  add_part (link, "pass", number);
  add_part (link, "function", shown_function (self));
  add_part (link, "follow", self->mentions != NULL ? self->followed : NULL);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->window)), link->str);
  words = g_strdup_printf (_("Copied: %s"), link->str);
  gtk_label_set_label (GTK_LABEL (self->answer), words);
}

/* ---- going there --------------------------------------------------------------------- */

void
ls_passes_place_free (LsPassesPlaceOfLink *self)
{
  if (self == NULL)
    return;
  g_free (self->pass);
  g_free (self->function);
  g_free (self->follow);
  g_free (self);
}

static gboolean
has_function (LsPassLog  *log,
              LsPassDump *dump,
              const char *function)
{
  for (guint i = dump->first; i < dump->first + dump->n; i++)
    if (strcmp (g_array_index (log->parts, LsPassPart, i).name, function) == 0)
      return TRUE;
  return FALSE;
}

/* The dump that is meant; -1: there is none. */
static int
find_dump (LsPassLog           *log,
           LsPassesPlaceOfLink *place)
{
  guint64 number;

  if (place->pass != NULL && g_ascii_string_to_unsigned (place->pass, 10, 1, log->dumps->len, &number, NULL))
    return (int) number - 1;
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);

      if ((place->pass == NULL ? dump->effective : strcmp (dump->pass, place->pass) == 0) && (place->function == NULL || has_function (log, dump, place->function)))
        return (int) i;
    }
  return -1;
}

static gboolean
choose_function (LsPassesWindow *self,
                 const char     *function)
{
  LsPassLog *log = ls_passes_get_log (self->passes);

  for (guint i = 0; i < self->parts->len; i++)
    if (strcmp (g_array_index (log->parts, LsPassPart, g_array_index (self->parts, guint, i)).name, function) == 0)
      {
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->functions), i);
        return TRUE;
      }
  return FALSE;
}

void
ls_passes_window_go (LsPassesWindow      *self,
                     LsPassesPlaceOfLink *place)
{
  LsPassLog *log;
  g_autofree char *words = NULL;
  int dump;

  if (self->passes == NULL)
    {
      ls_passes_place_free (self->place);
      self->place = place;
      return;
    }
  log = ls_passes_get_log (self->passes);
  dump = place->pass != NULL || place->function != NULL ? find_dump (log, place) : -1;
  if (dump >= 0)
    ls_passes_list_choose (LS_PASSES_LIST (self->list), (guint) dump);
  if (dump < 0 && (place->pass != NULL || place->function != NULL))
    words = g_strdup_printf (_("The log has no pass %s."), place->pass != NULL ? place->pass : place->function);
  else if (place->function != NULL && !choose_function (self, place->function))
    words = g_strdup_printf (_("This pass has no function %s."), place->function);
  if (words != NULL)
    gtk_label_set_label (GTK_LABEL (self->answer), words);
  if (place->follow != NULL)
    {
      gtk_editable_set_text (GTK_EDITABLE (self->search), place->follow);
      ls_passes_window_follow_word (self);
    }
  ls_passes_place_free (place);
}

static char *
take_text (GVariantDict *shown,
           const char   *key)
{
  char *text = NULL;

  g_variant_dict_lookup (shown, key, "s", &text);
  return text;
}

void
ls_passes_window_arrive (LsPassesWindow *self)
{
  LsPassLog *log = ls_passes_get_log (self->passes);
  g_auto (GVariantDict) shown = G_VARIANT_DICT_INIT (log->shown);
  guint32 manner = 0, hidden = 0;
  gboolean around = FALSE;

  if (log->shown != NULL && self->place == NULL)
    {
      self->place = g_new0 (LsPassesPlaceOfLink, 1);
      *self->place = (LsPassesPlaceOfLink) { take_text (&shown, "pass"), take_text (&shown, "function"), take_text (&shown, "follow") };
    }
  if (g_variant_dict_lookup (&shown, "manner", "u", &manner) && manner < G_N_ELEMENTS (self->manners))
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->manners[manner]), TRUE);
  if (g_variant_dict_lookup (&shown, "hide", "u", &hidden))
    for (guint i = 0; i < G_N_ELEMENTS (self->hides); i++)
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->hides[i]), (hidden >> i & 1) != 0);
  if (g_variant_dict_lookup (&shown, "around", "b", &around))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->around), around);
  if (self->place != NULL)
    ls_passes_window_go (self, g_steal_pointer (&self->place));
}

/* ---- a session ----------------------------------------------------------------------- */

typedef struct {
  LsPasses *passes;
  char     *path;
  GVariant *shown;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  ls_passes_unref (saving->passes);
  g_free (saving->path);
  g_variant_unref (saving->shown);
  g_free (saving);
}

/* In another thread. */
static void
save (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  Saving *saving = data;
  GError *error = NULL;

  if (ls_pass_log_save (ls_passes_get_log (saving->passes), saving->path, saving->shown, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saved (GObject      *source,
       GAsyncResult *result,
       gpointer      data)
{
  Saving *saving = g_task_get_task_data (G_TASK (result));

  ls_passes_window_tell_written (data, result, saving->path);
}

/* What the window shows. (transfer floating) */
static GVariant *
shown_of (LsPassesWindow *self)
{
  GVariantDict shown;
  gboolean other;
  int dump = ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other);
  g_autofree char *number = g_strdup_printf ("%d", dump + 1);
  guint32 hidden = 0;

  g_variant_dict_init (&shown, NULL);
  if (dump >= 0)
    g_variant_dict_insert (&shown, "pass", "s", number);
  if (shown_function (self) != NULL)
    g_variant_dict_insert (&shown, "function", "s", shown_function (self));
  if (self->mentions != NULL && self->followed != NULL)
    g_variant_dict_insert (&shown, "follow", "s", self->followed);
  for (guint i = 0; i < G_N_ELEMENTS (self->manners); i++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->manners[i])))
      g_variant_dict_insert (&shown, "manner", "u", i);
  for (guint i = 0; i < G_N_ELEMENTS (self->hides); i++)
    hidden |= (guint32) gtk_check_button_get_active (GTK_CHECK_BUTTON (self->hides[i])) << i;
  g_variant_dict_insert (&shown, "hide", "u", hidden);
  g_variant_dict_insert (&shown, "around", "b", gtk_check_button_get_active (GTK_CHECK_BUTTON (self->around)));
  return g_variant_dict_end (&shown);
}

static void
file_chosen (GtkWidget *widget,
             GFile     *file,
             gpointer   data)
{
  LsPassesWindow *self = data;
  g_autoptr (GTask) task = NULL;
  Saving *saving;

  if (self->passes == NULL || g_file_peek_path (file) == NULL)
    return;
  saving = g_new0 (Saving, 1);
  *saving = (Saving) { ls_passes_ref (self->passes), g_file_get_path (file), g_variant_ref_sink (shown_of (self)) };
  task = g_task_new (self->window, NULL, saved, self);
  g_task_set_task_data (task, saving, saving_free);
  ls_task_run (task, save);
}

void
ls_passes_window_save (LsPassesWindow *self)
{
  GtkFileChooserNative *dialog;
  g_autofree char *name = NULL;

  if (self->passes == NULL)
    return;
  dialog = gtk_file_chooser_native_new (_("Save the passes as a session"), self->window, GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"), _("Cancel"));
  name = g_strconcat (self->name_of_log, ".passes", NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  ls_ask_file (dialog, GTK_WIDGET (self->window), file_chosen, self, NULL);
}
