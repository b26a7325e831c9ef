/* window/copy: one record per window, kept as its data; the copy for emergencies, and what a closed window keeps. */
#include "app/window/file-private.h"

#include "app/window/actions.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define DELAY_MS 2000
#define MAX_KEPT 12
#define KEPT_PREFIX "closed-"

static GQuark
file_quark (void)
{
  return g_quark_from_static_string ("ls-window-file");
}

LsWindowFile *
ls_window_file_of (LsWindow *self)
{
  return g_object_get_qdata (G_OBJECT (self), file_quark ());
}

static void
state_free (gpointer data)
{
  LsWindowFile *state = data;

  g_clear_handle_id (&state->timer, g_source_remove);
  g_clear_object (&state->file);
  g_free (state->copy);
  g_free (state->saved);
  g_free (state->written);
  g_free (state->on_disk);
  g_free (state);
}

char *
ls_window_file_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", NULL);
}

gboolean
ls_window_file_is_copy (GFile *file)
{
  g_autofree char *parent = ls_window_file_folder ();
  g_autofree char *path = g_file_get_path (file);

  return path != NULL && g_str_has_prefix (path, parent);
}

char *
ls_window_file_sum (const char *text)
{
  const char *end = text != NULL ? g_strrstr (text, "\"current\"") : NULL;

  return text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, end != NULL ? end - text : -1) : NULL;
}

char *
ls_window_file_text (LsWindowFile *state)
{
  return ls_session_export (ls_window_get_session (state->window), LS_EXPORT_SESSION, NULL);
}

/* The same with the path of the file that it belongs to. */
static char *
text_for_copy (LsWindowFile *state)
{
  GObject *session = G_OBJECT (ls_window_get_session (state->window));
  char *text;

  if (state->file != NULL)
    g_object_set_data_full (session, "ls-origin", g_file_get_path (state->file), g_free);
  text = ls_window_file_text (state);
  g_object_set_data (session, "ls-origin", NULL);
  return text;
}

/* ---- the copy ---------------------------------------------------------------- */

typedef struct {
  char *path;
  char *text;
} Copy;

static void
copy_free (gpointer data)
{
  Copy *copy = data;

  g_free (copy->path);
  g_free (copy->text);
  g_free (copy);
}

static void
write_copy (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  Copy *copy = data;
  g_autofree char *parent = g_path_get_dirname (copy->path);
  g_autoptr (GError) error = NULL;

  if (g_mkdir_with_parents (parent, 0700) != 0)
    g_task_return_new_error (task, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", parent, g_strerror (errno));
  else if (!g_file_set_contents_full (copy->path, copy->text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_boolean (task, TRUE);
}

/* Said once in the window's title line; work goes on. */
static void
copy_written (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error) && source != NULL)
    {
      LsWindowFile *state = ls_window_file_of (LS_WINDOW (source));

      ls_window_offer (LS_WINDOW (source), _("The copy for emergencies could not be written"), error->message,
                       _("Save elsewhere…"), "win.save-as");
      if (state != NULL)
        g_clear_pointer (&state->written, g_free);
    }
}

static gboolean
look (gpointer data)
{
  LsWindowFile *state = data;
  g_autofree char *text = ls_window_file_text (state);
  g_autofree char *sum = ls_window_file_sum (text);
  g_autoptr (GTask) task = NULL;
  Copy *copy;

  state->timer = 0;
  if (text == NULL)
    return G_SOURCE_REMOVE;
  if (state->fresh || state->saved == NULL)
    {
      state->fresh = FALSE;
      g_free (state->saved);
      state->saved = g_steal_pointer (&sum);
      return G_SOURCE_REMOVE;
    }
  if (g_strcmp0 (sum, state->written) == 0 || (state->written == NULL && g_strcmp0 (sum, state->saved) == 0))
    return G_SOURCE_REMOVE;
  g_free (state->written);
  state->written = g_steal_pointer (&sum);
  copy = g_new0 (Copy, 1);
  copy->path = g_strdup (state->copy);
  copy->text = text_for_copy (state);
  task = g_task_new (state->window, NULL, copy_written, NULL);
  g_task_set_task_data (task, copy, copy_free);
  g_task_run_in_thread (task, write_copy);
  return G_SOURCE_REMOVE;
}

static void
changed (LsWindowFile *state)
{
  state->given_up = FALSE;
  if (state->timer == 0)
    state->timer = g_timeout_add (DELAY_MS, look, state);
}

void
ls_window_file_begin (LsWindowFile *state)
{
  g_autofree char *text = ls_window_file_text (state);

  g_clear_handle_id (&state->timer, g_source_remove);
  g_clear_pointer (&state->written, g_free);
  g_unlink (state->copy);
  g_free (state->saved);
  state->saved = ls_window_file_sum (text);
  state->fresh = text == NULL;
}

gboolean
ls_window_file_is_changed (LsWindowFile *state)
{
  g_autofree char *text = ls_window_file_text (state);
  g_autofree char *sum = ls_window_file_sum (text);

  return text != NULL && !state->fresh && state->saved != NULL && strcmp (sum, state->saved) != 0;
}

void
ls_window_file_attach (LsWindow *self)
{
  static guint count;
  LsSession *session = ls_window_get_session (self);
  LsWindowFile *state = g_new0 (LsWindowFile, 1);
  g_autofree char *parent = ls_window_file_folder ();

  state->window = self;
  state->copy = g_strdup_printf ("%s/" LS_COPY_PREFIX "%d-%u" LS_SESSION_SUFFIX, parent, (int) getpid (), count++);
  g_object_set_qdata_full (G_OBJECT (self), file_quark (), state, state_free);
  ls_window_file_begin (state);
  g_signal_connect_data (session, "notify::current", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
  g_signal_connect_data (session, "draft-changed", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
  g_signal_connect_data (session, "timing-changed", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
  g_signal_connect_data (session, "pins-changed", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
  g_signal_connect_data (session, "notify::selection", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
}

/* ---- closing ----------------------------------------------------------------- */

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The oldest of what was kept goes when there is too much. */
static void
prune (void)
{
  g_autofree char *parent = ls_window_file_folder ();
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, KEPT_PREFIX))
      g_ptr_array_add (names, g_build_filename (parent, name, NULL));
  g_ptr_array_sort (names, by_name);
  for (guint i = 0; i + MAX_KEPT < names->len; i++)
    g_unlink (g_ptr_array_index (names, i));
}

/* FALSE: it could not be written. */
static gboolean
keep (LsWindowFile  *state,
      GError       **error)
{
  g_autofree char *parent = ls_window_file_folder ();
  g_autofree char *text = ls_window_file_text (state);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *when = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  const char *title = ls_session_get_title (ls_window_get_session (state->window));
  g_autofree char *name = g_strdup_printf (KEPT_PREFIX "%s-%s" LS_SESSION_SUFFIX, when, title != NULL ? title : "module");
  g_autofree char *path = g_build_filename (parent, g_strdelimit (name, G_DIR_SEPARATOR_S, '_'), NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (g_mkdir_with_parents (parent, 0700) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", parent, g_strerror (errno));
      return FALSE;
    }
  if (!g_file_set_contents (path, text, -1, error))
    return FALSE;
  g_unlink (state->copy);
  ls_window_file_remember (file);
  prune ();
  return TRUE;
}

/* Where it belongs, else among what is kept. */
static gboolean
save_or_keep (LsWindowFile  *state,
              GError       **error)
{
  return (state->file != NULL && !ls_window_file_changed_on_disk (state) && ls_window_file_write (state, state->file, NULL)) ||
         keep (state, error);
}

static gboolean leaving;

void
ls_window_file_leave_copies (void)
{
  leaving = TRUE;
}

/* Whether the next start will restore what has no file. */
static gboolean
leave_copy (LsWindowFile *state)
{
  g_autofree char *parent = ls_window_file_folder ();
  g_autofree char *text = NULL;

  if (!leaving || state->file != NULL || g_mkdir_with_parents (parent, 0700) != 0)
    return FALSE;
  text = text_for_copy (state);
  return text != NULL && g_file_set_contents_full (state->copy, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

gboolean
ls_window_file_close (LsWindow *self)
{
  LsWindowFile *state = ls_window_file_of (self);
  LsSession *session = ls_window_get_session (self);
  g_autoptr (GError) error = NULL;
  gboolean left;

  if (state == NULL)
    return TRUE;
  left = ls_window_file_is_changed (state) && leave_copy (state);
  if (ls_window_file_is_changed (state) && !left && !state->given_up && !save_or_keep (state, &error))
    {
      state->given_up = TRUE;
      ls_window_offer (self, _("Not closed: this work could be written nowhere"), error->message, _("Save elsewhere…"), "win.save-as");
      return FALSE;
    }
  g_signal_handlers_disconnect_by_data (session, state);
  g_clear_handle_id (&state->timer, g_source_remove);
  ls_session_cancel (session);
  if (!state->given_up && !left)
    g_unlink (state->copy);
  g_object_set_qdata (G_OBJECT (self), file_quark (), NULL);
  return TRUE;
}
