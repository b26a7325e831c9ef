/* window-file: one record per window, kept as its data. */
#include "app/window-file.h"

#include "app/engine-session.h"
#include "app/learn/lesson-window.h"
#include "app/safe-write.h"
#include "app/session-file.h"
#include "app/window-actions.h"
#include "app/window-open.h"
#include "app/window-trace.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define DELAY_MS 2000
#define MAX_RECENT 8
#define MAX_KEPT 12
#define COPY_PREFIX "open-"
#define BROKEN_SUFFIX ".broken"
#define KEPT_PREFIX "closed-"

typedef struct {
  LsWindow *window;
  GFile    *file;               /* saved there, or NULL */
  char     *copy;               /* path of the autosave */
  char     *saved;              /* checksum of what the file, or the opened document, holds */
  char     *written;            /* checksum of what the copy holds */
  char     *on_disk;            /* checksum of all of the file when it was last read or written, or NULL */
  guint     timer;
  gboolean  fresh;              /* the next look decides what "unchanged" is */
  gboolean  given_up;           /* closing was refused once, because nothing could be written */
} FileState;

static GQuark
file_quark (void)
{
  return g_quark_from_static_string ("ls-window-file");
}

static FileState *
state_of (LsWindow *self)
{
  return g_object_get_qdata (G_OBJECT (self), file_quark ());
}

static void
state_free (gpointer data)
{
  FileState *state = data;

  g_clear_handle_id (&state->timer, g_source_remove);
  g_clear_object (&state->file);
  g_free (state->copy);
  g_free (state->saved);
  g_free (state->written);
  g_free (state->on_disk);
  g_free (state);
}

static char *
folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", NULL);
}

/* Of the document; where one stands and what is selected come last in it and do not count. */
static char *
checksum (const char *text)
{
  const char *end = text != NULL ? g_strrstr (text, "\"current\"") : NULL;

  return text != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, end != NULL ? end - text : -1) : NULL;
}

static char *
document (FileState *state)
{
  return ls_session_export (ls_window_get_session (state->window), LS_EXPORT_SESSION, NULL);
}

/* The same with the path of the file that it belongs to. */
static char *
document_for_copy (FileState *state)
{
  GObject *session = G_OBJECT (ls_window_get_session (state->window));
  char *text;

  if (state->file != NULL)
    g_object_set_data_full (session, "ls-origin", g_file_get_path (state->file), g_free);
  text = document (state);
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
      FileState *state = state_of (LS_WINDOW (source));

      ls_window_offer (LS_WINDOW (source), _("The copy for emergencies could not be written"), error->message,
                       _("Save elsewhere…"), "win.save-as");
      if (state != NULL)
        g_clear_pointer (&state->written, g_free);
    }
}

static gboolean
look (gpointer data)
{
  FileState *state = data;
  g_autofree char *text = document (state);
  g_autofree char *sum = checksum (text);
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
  copy->text = document_for_copy (state);
  task = g_task_new (state->window, NULL, copy_written, NULL);
  g_task_set_task_data (task, copy, copy_free);
  g_task_run_in_thread (task, write_copy);
  return G_SOURCE_REMOVE;
}

static void
changed (FileState *state)
{
  state->given_up = FALSE;
  if (state->timer == 0)
    state->timer = g_timeout_add (DELAY_MS, look, state);
}

/* A document was opened: what it is now counts as saved. */
static void
opened (FileState *state)
{
  g_autofree char *text = document (state);

  g_clear_handle_id (&state->timer, g_source_remove);
  g_clear_pointer (&state->written, g_free);
  g_unlink (state->copy);
  g_free (state->saved);
  state->saved = checksum (text);
  state->fresh = text == NULL;
}

static gboolean
is_changed (FileState *state)
{
  g_autofree char *text = document (state);
  g_autofree char *sum = checksum (text);

  return text != NULL && !state->fresh && state->saved != NULL && strcmp (sum, state->saved) != 0;
}

void
ls_window_file_attach (LsWindow *self)
{
  static guint count;
  LsSession *session = ls_window_get_session (self);
  FileState *state = g_new0 (FileState, 1);
  g_autofree char *parent = folder ();

  state->window = self;
  state->copy = g_strdup_printf ("%s/" COPY_PREFIX "%d-%u" LS_SESSION_SUFFIX, parent, (int) getpid (), count++);
  g_object_set_qdata_full (G_OBJECT (self), file_quark (), state, state_free);
  opened (state);
  g_signal_connect_data (session, "notify::current", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
  g_signal_connect_data (session, "draft-changed", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
  g_signal_connect_data (session, "timing-changed", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
  g_signal_connect_data (session, "notify::selection", G_CALLBACK (changed), state, NULL, G_CONNECT_SWAPPED);
}

/* ---- opening ----------------------------------------------------------------- */

static gboolean
is_session_file (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return g_str_has_suffix (name, LS_SESSION_SUFFIX);
}

static gboolean
is_copy (GFile *file)
{
  g_autofree char *parent = folder ();
  g_autofree char *path = g_file_get_path (file);

  return path != NULL && g_str_has_prefix (path, parent);
}

static void
remember (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  GtkRecentData data = { .mime_type = is_session_file (file) ? (char *) "application/x-loopscope" : (char *) "text/x-python",
                         .app_name = (char *) "Loopscope", .app_exec = (char *) "loopscope %u" };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

/* Of what a file holds now; NULL when it cannot be read. (transfer full) */
static char *
disk_sum (GFile *file)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  return g_file_load_contents (file, NULL, &text, &length, NULL, NULL)
           ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, (gssize) length) : NULL;
}

/* Another program, or another start of this one, has written the file since. */
static gboolean
changed_on_disk (FileState *state)
{
  g_autofree char *now = state->on_disk != NULL ? disk_sum (state->file) : NULL;

  return now != NULL && strcmp (now, state->on_disk) != 0;
}

void
ls_window_file_opened (LsWindow *self,
                       GFile    *file)
{
  FileState *state = state_of (self);
  LsSession *session = ls_window_get_session (self);

  ls_window_update_message (self);
  if (ls_session_get_not_opened (session) != NULL)
    return;
  g_clear_object (&state->file);
  if (is_session_file (file) && !is_copy (file) && ls_session_get_left_out (session) == NULL)
    state->file = g_object_ref (file);
  g_free (state->on_disk);
  state->on_disk = state->file != NULL ? disk_sum (file) : NULL;
  opened (state);
  if (!is_copy (file))
    remember (file);
}

static void
open_here (LsWindow *self,
           GFile    *file)
{
  if (ls_window_open_large (self, file))
    return;
  ls_session_open (ls_window_get_session (self), file);
  ls_window_file_opened (self, file);
}

LsWindow *
ls_window_file_present (GtkApplication *application,
                        GFile          *file)
{
  for (GList *at = gtk_application_get_windows (application); at != NULL; at = at->next)
    {
      FileState *state = LS_IS_WINDOW (at->data) ? state_of (at->data) : NULL;
      g_autofree char *name = g_file_get_basename (file);

      if (state == NULL || state->file == NULL || !g_file_equal (state->file, file))
        continue;
      gtk_window_present (at->data);
      ls_window_say (at->data, _("Already open"), name);
      return at->data;
    }
  return NULL;
}

void
ls_window_file_open_beside (LsWindow *self,
                            GFile    *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    g_application_open (G_APPLICATION (application), &file, 1, "");
}

void
ls_window_file_open (LsWindow *self,
                     GFile    *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));
  FileState *state = state_of (self);

  if (ls_window_trace_open (self, file))
    return;
  if (application != NULL && is_session_file (file) && !(state->file != NULL && g_file_equal (state->file, file) && !is_changed (state)) &&
      ls_window_file_present (application, file) != NULL)
    return;
  if (application != NULL && (ls_lesson_window_takes (file) || is_changed (state) || ls_session_is_running (ls_window_get_session (self))))
    ls_window_file_open_beside (self, file);
  else
    open_here (self, file);
}

/* The session file that a copy is a later state of. */
static char *
origin_of (const char *json,
           gsize       length)
{
  g_auto (LsSessionFile) file = { 0 };

  return ls_session_file_read (&file, "", json, (gssize) length, NULL) ? g_steal_pointer (&file.origin) : NULL;
}

static gboolean
is_newer (const char *path,
          const char *other)
{
  GStatBuf a, b;

  return g_stat (path, &a) == 0 && g_stat (other, &b) == 0 && a.st_mtime > b.st_mtime;
}

void
ls_window_file_restore (LsWindow *self,
                        GFile    *copy)
{
  FileState *state = state_of (self);
  LsSession *session = ls_window_get_session (self);
  g_autofree char *path = g_file_get_path (copy);
  g_autofree char *text = NULL;
  gsize length = 0;

  ls_session_open (session, copy);
  if (ls_session_get_not_opened (session) != NULL)
    {
      /* Kept beside, so that it neither is lost nor comes again at each start. */
      g_autofree char *broken = g_strconcat (path, BROKEN_SUFFIX, NULL);
      g_autofree char *words = g_strdup_printf (_("%s It is kept as %s."), ls_session_get_not_opened (session), broken);

      g_rename (path, broken);
      ls_window_say (self, _("Not restored"), words);
      return;
    }
  if (g_file_get_contents (path, &text, &length, NULL))
    {
      g_autofree char *origin = origin_of (text, length);

      if (origin != NULL)
        state->file = g_file_new_for_path (origin);
      g_free (state->on_disk);
      state->on_disk = state->file == NULL ? NULL : is_newer (origin, path) ? g_strdup ("") : disk_sum (state->file);
    }
  g_rename (path, state->copy);
  g_free (state->written);
  g_free (state->saved);
  state->written = NULL;
  state->saved = g_strdup ("");
  state->fresh = FALSE;
  ls_window_say (self, _("Restored"), _("The last run ended before it could save; this is what it had."));
}

static char *
program_of (gint64 pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/comm", pid);
  char *name = NULL;

  return g_file_get_contents (path, &name, NULL, NULL) ? name : NULL;
}

/* A number of a process that has ended may be that of another program by now. */
static gboolean
is_running (gint64 pid)
{
  g_autofree char *other = NULL, *own = NULL;

  if (kill ((pid_t) pid, 0) != 0 && errno == ESRCH)
    return FALSE;
  other = program_of (pid);
  own = program_of (getpid ());
  return other == NULL || own == NULL || strcmp (other, own) == 0;
}

/* What a program that was killed while it wrote a copy leaves beside it: NAME.loopscope.XXXXXX. */
static gboolean
is_half_written (const char *name)
{
  const char *end = strstr (name, LS_SESSION_SUFFIX ".");

  return end != NULL && !g_str_has_suffix (name, BROKEN_SUFFIX);
}

GPtrArray *
ls_window_file_left_over (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *parent = folder ();
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      gint64 pid = g_str_has_prefix (name, COPY_PREFIX) ? g_ascii_strtoll (name + strlen (COPY_PREFIX), NULL, 10) : 0;

      g_autofree char *path = g_build_filename (parent, name, NULL);

      if (pid <= 0 || pid == getpid () || is_running (pid))
        continue;
      if (g_str_has_suffix (name, LS_SESSION_SUFFIX))
        g_ptr_array_add (found, g_file_new_for_path (path));
      else if (is_half_written (name))
        g_unlink (path);
    }
  return found;
}

/* ---- saving ------------------------------------------------------------------ */

static gboolean
save_to (FileState  *state,
         GFile      *file,
         GError    **error)
{
  g_autofree char *text = ls_session_export (ls_window_get_session (state->window), LS_EXPORT_SESSION, error);

  if (text == NULL || !ls_safe_write (file, text, error))
    return FALSE;
  state->given_up = FALSE;
  g_free (state->on_disk);
  state->on_disk = g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1);
  g_free (state->saved);
  state->saved = checksum (text);
  g_clear_pointer (&state->written, g_free);
  g_clear_handle_id (&state->timer, g_source_remove);
  g_unlink (state->copy);
  g_set_object (&state->file, file);
  remember (file);
  return TRUE;
}

static void
save_and_say (FileState *state,
              GFile     *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *done = g_strdup_printf (_("Saved as %s"), name);

  if (save_to (state, file, &error))
    ls_window_say (state->window, done, NULL);
  else
    ls_window_offer (state->window, _("Not saved"), error->message, _("Save elsewhere…"), "win.save-as");
}

void
ls_window_file_save (LsWindow *self)
{
  FileState *state = state_of (self);

  if (state->file != NULL && changed_on_disk (state))
    {
      g_autofree char *name = g_file_get_basename (state->file);
      g_autofree char *why = g_strdup_printf (_("Another program has written %s since; saving again replaces that."), name);

      g_free (state->on_disk);
      state->on_disk = disk_sum (state->file);
      ls_window_offer (self, _("Not saved"), why, _("Save elsewhere…"), "win.save-as");
    }
  else if (state->file != NULL)
    save_and_say (state, state->file);
  else
    ls_window_file_save_as (self);
}

typedef struct {
  LsWindow    *window;
  LsExportKind kind;
} Asked;

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
name_chosen (GtkNativeDialog *dialog,
             int              response,
             Asked           *asked)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  if (file != NULL && asked->kind == LS_EXPORT_SESSION)
    save_and_say (state_of (asked->window), file);
  else if (file != NULL)
    write_export (asked->window, asked->kind, file);
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
  g_free (asked);
}

void
ls_window_file_export (LsWindow     *self,
                       LsExportKind  kind)
{
  Asked *asked = g_new0 (Asked, 1);
  const char *title = ls_session_get_title (ls_window_get_session (self));
  g_autofree char *name = g_strconcat (title != NULL ? title : "module", kinds[kind].suffix, NULL);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_(kinds[kind].title), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"), _("Cancel"));

  *asked = (Asked) { self, kind };
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect (dialog, "response", G_CALLBACK (name_chosen), asked);
  ls_window_show_dialog (GTK_NATIVE_DIALOG (dialog));
}

static void
figure_chosen (GtkNativeDialog *dialog,
               int              response,
               LsWindow        *self)
{
  LsFigureKind kind = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (dialog), "ls-kind"));
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL, *name = NULL, *done = NULL;
  g_autofree char *again = g_strdup_printf ("win.export-figure::%s", (const char *) g_object_get_data (G_OBJECT (dialog), "ls-name"));

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  path = file != NULL ? g_file_get_path (file) : NULL;
  if (path != NULL)
    {
      name = g_file_get_basename (file);
      done = g_strdup_printf (_("Written to %s"), name);
      if (kind == LS_FIGURE_COMPARED ? ls_window_write_compared (self, path, &error)
                                     : ls_session_write_figure (ls_window_get_session (self), kind, path, FALSE, &error))
        ls_window_say (self, done, NULL);
      else
        ls_window_offer (self, _("Not written"), error->message, _("Save elsewhere…"), again);
    }
  gtk_native_dialog_destroy (dialog);
  g_object_unref (dialog);
}

void
ls_window_file_export_figure (LsWindow     *self,
                              LsFigureKind  kind,
                              const char   *name)
{
  g_autofree char *file = g_strdup_printf ("%s.svg", name);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save the figure as .svg, .pdf or .png"), GTK_WINDOW (self),
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"), _("Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), file);
  g_object_set_data (G_OBJECT (dialog), "ls-kind", GUINT_TO_POINTER (kind));
  g_object_set_data (G_OBJECT (dialog), "ls-name", (gpointer) g_intern_string (name));
  g_signal_connect (dialog, "response", G_CALLBACK (figure_chosen), self);
  ls_window_show_dialog (GTK_NATIVE_DIALOG (dialog));
}

GFile *
ls_window_file_saved (LsWindow *self)
{
  FileState *state = state_of (self);
  LsStepItem *current = ls_session_get_current (ls_window_get_session (self));
  g_auto (LsSessionFile) held = { 0 };
  g_autofree char *text = NULL;
  gsize length;

  if (state->file == NULL || current == NULL || !g_file_is_native (state->file) || !g_file_load_contents (state->file, NULL, &text, &length, NULL, NULL) ||
      !ls_session_file_read (&held, "", text, (gssize) length, NULL))
    return NULL;
  return held.history != NULL && ls_step_item_get (current)->id < ls_history_get_n (held.history) ? state->file : NULL;
}

void
ls_window_file_save_as (LsWindow *self)
{
  ls_window_file_export (self, LS_EXPORT_SESSION);
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
  g_autofree char *parent = folder ();
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
keep (FileState  *state,
      GError    **error)
{
  g_autofree char *parent = folder ();
  g_autofree char *text = document (state);
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
  remember (file);
  prune ();
  return TRUE;
}

/* Where it belongs, else among what is kept. */
static gboolean
save_or_keep (FileState  *state,
              GError    **error)
{
  return (state->file != NULL && !changed_on_disk (state) && save_to (state, state->file, NULL)) || keep (state, error);
}

static gboolean leaving;

void
ls_window_file_leave_copies (void)
{
  leaving = TRUE;
}

/* Whether the next start will restore what has no file. */
static gboolean
leave_copy (FileState *state)
{
  g_autofree char *parent = folder ();
  g_autofree char *text = NULL;

  if (!leaving || state->file != NULL || g_mkdir_with_parents (parent, 0700) != 0)
    return FALSE;
  text = document_for_copy (state);
  return text != NULL && g_file_set_contents_full (state->copy, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

gboolean
ls_window_file_close (LsWindow *self)
{
  FileState *state = state_of (self);
  LsSession *session = ls_window_get_session (self);
  g_autoptr (GError) error = NULL;
  gboolean left;

  if (state == NULL)
    return TRUE;
  left = is_changed (state) && leave_copy (state);
  if (is_changed (state) && !left && !state->given_up && !save_or_keep (state, &error))
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

/* ---- recent files ------------------------------------------------------------ */

static int
by_age (gconstpointer a,
        gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

void
ls_window_file_fill_menu (GMenu *menu)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  guint n = 0;

  g_menu_remove_all (menu);
  items = g_list_sort (items, by_age);
  for (GList *at = items; at != NULL && n < MAX_RECENT; at = at->next)
    {
      g_autoptr (GMenuItem) item = NULL;

      if (!gtk_recent_info_has_application (at->data, "Loopscope") || !gtk_recent_info_exists (at->data))
        continue;
      item = g_menu_item_new (gtk_recent_info_get_display_name (at->data), NULL);
      g_menu_item_set_action_and_target (item, "win.open-recent", "s", gtk_recent_info_get_uri (at->data));
      g_menu_append_item (menu, item);
      n++;
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
}
