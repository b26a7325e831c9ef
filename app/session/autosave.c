/* session/autosave: see the header.
 *
 * The slot is what the object and the thread that writes share: the name of the copy, its lock, and a number that goes up when the
 * copy has had its day, so that a write which was under way then leaves nothing behind.
 */
#include "app/session/autosave.h"

#include "app/session/engine.h"
#include "app/session/file.h"
#include "app/session/safe-write.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define SOON_MS 100             /* with what an editor holds back and the writing: less than half a second */
#define LATER_MS 2000           /* where one stands and what is selected */
#define AGAIN_MS 5000           /* after a failure */

#define COPY_PREFIX "open-"
#define KEPT_PREFIX "closed-"
#define LOCK_SUFFIX ".lock"
#define BROKEN_SUFFIX ".broken"
#define MAX_TITLE 80            /* bytes of a title in a name */

typedef struct {
  GMutex mutex;                 /* of all below */
  char  *path;                  /* of the copy */
  char  *lock_path;
  int    lock;                  /* -1: not taken yet */
  guint  turn;                  /* what was asked for in an earlier one is not written any more */
} Slot;

struct _LsAutosave
{
  GObject    parent_instance;

  LsSession *session;
  Slot      *slot;
  GFile     *file;              /* saved there, or NULL */
  char      *saved;             /* sum of what the file, or the opened document, holds; NULL: there was none yet */
  char      *on_disk;           /* checksum of all of the file when it was last read or written, or NULL */
  char      *written;           /* sum and place that the copy holds; NULL: there is no copy */
  guint      due;               /* timeout, or 0 */
  gint64     due_at;
  gboolean   writing;
  gboolean   again;             /* something changed meanwhile */
  gboolean   failed;            /* and that was said */
  gboolean   ended;
};

enum { FAILED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsAutosave, ls_autosave, G_TYPE_OBJECT)

static gboolean look (gpointer data);

/* ---- the folder ---------------------------------------------------------------- */

char *
ls_autosave_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", NULL);
}

gboolean
ls_autosave_owns (GFile *file)
{
  g_autofree char *folder = ls_autosave_folder ();
  g_autoptr (GFile) parent = g_file_new_for_path (folder);

  return g_file_has_prefix (file, parent);
}

static gboolean
need_folder (GError **error)
{
  g_autofree char *folder = ls_autosave_folder ();

  if (g_mkdir_with_parents (folder, 0700) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
  return FALSE;
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

/* Its program lives.  The lock decides; where there is none (it was written by an older version), or where the file system has
 * no locks, the number of the process does. */
static gboolean
is_live (const char *folder,
         const char *name)
{
  g_autofree char *base = g_strndup (name, strcspn (name, "."));
  g_autofree char *path = g_strconcat (folder, "/", base, LOCK_SUFFIX, NULL);
  gint64 pid = g_ascii_strtoll (name + strlen (COPY_PREFIX), NULL, 10);
  int fd = open (path, O_RDWR | O_CLOEXEC);
  gboolean free, held;

  if (fd < 0)
    return pid > 0 && pid != getpid () && is_running (pid);
  free = flock (fd, LOCK_EX | LOCK_NB) == 0;
  held = !free && errno == EWOULDBLOCK;
  close (fd);
  return held || (!free && pid > 0 && is_running (pid));
}

/* What a program that was killed while it wrote a copy leaves beside it: NAME.loopscope.XXXXXX. */
static gboolean
is_half_written (const char *name)
{
  const char *end = strstr (name, LS_SESSION_SUFFIX ".");

  return end != NULL && !g_str_has_suffix (name, BROKEN_SUFFIX);
}

GPtrArray *
ls_autosave_left_over (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *folder = ls_autosave_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (!g_str_has_prefix (name, COPY_PREFIX) || is_live (folder, name))
        continue;
      if (g_str_has_suffix (name, LS_SESSION_SUFFIX))
        g_ptr_array_add (found, g_file_new_for_path (path));
      else if (is_half_written (name) || g_str_has_suffix (name, LOCK_SUFFIX))
        g_unlink (path);
    }
  return found;
}

static int
latest_first (gconstpointer a,
              gconstpointer b)
{
  g_autofree char *first = g_file_get_basename (*(GFile *const *) a);
  g_autofree char *second = g_file_get_basename (*(GFile *const *) b);

  return strcmp (second, first);
}

GPtrArray *
ls_autosave_kept (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *folder = ls_autosave_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (g_str_has_prefix (name, KEPT_PREFIX) && g_str_has_suffix (name, LS_SESSION_SUFFIX))
        g_ptr_array_add (found, g_file_new_for_path (path));
    }
  g_ptr_array_sort (found, latest_first);
  return found;
}

/* ---- the copy ------------------------------------------------------------------- */

static Slot *
slot_new (void)
{
  Slot *self = g_atomic_rc_box_new0 (Slot);
  g_autofree char *folder = ls_autosave_folder ();
  g_autofree char *base = g_strdup_printf ("%s/" COPY_PREFIX "%d-%08x", folder, (int) getpid (), g_random_int ());

  g_mutex_init (&self->mutex);
  self->path = g_strconcat (base, LS_SESSION_SUFFIX, NULL);
  self->lock_path = g_strconcat (base, LOCK_SUFFIX, NULL);
  self->lock = -1;
  return self;
}

static void
slot_clear (gpointer data)
{
  Slot *self = data;

  if (self->lock >= 0)
    {
      g_unlink (self->lock_path);
      close (self->lock);
    }
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self->lock_path);
}

static void
slot_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, slot_clear);
}

/* The mutex is held; so it is for the next two.  A lock that cannot be had is no reason not to write. */
static gboolean
slot_prepare (Slot    *self,
              GError **error)
{
  if (!need_folder (error))
    return FALSE;
  if (self->lock >= 0)
    return TRUE;
  self->lock = open (self->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (self->lock >= 0)
    flock (self->lock, LOCK_EX | LOCK_NB);
  return TRUE;
}

static gboolean
slot_write (Slot                *self,
            const char          *text,
            GFileSetContentsFlags flags,
            GError             **error)
{
  return slot_prepare (self, error) &&
         g_file_set_contents_full (self->path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | flags, 0600, error);
}

typedef struct {
  Slot           *slot;
  guint           turn;
  LsSessionImage *image;
} Copy;

static void
copy_free (gpointer data)
{
  Copy *self = data;

  slot_unref (self->slot);
  ls_session_image_free (self->image);
  g_free (self);
}

static void
write_copy (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  Copy *copy = data;
  g_autofree char *text = ls_session_image_write (copy->image);
  GError *error = NULL;

  g_mutex_lock (&copy->slot->mutex);
  if (copy->turn == copy->slot->turn)
    slot_write (copy->slot, text, G_FILE_SET_CONTENTS_NONE, &error);
  g_mutex_unlock (&copy->slot->mutex);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* Waits for a write that is under way. */
static void
retire_copy (LsAutosave *self)
{
  g_clear_handle_id (&self->due, g_source_remove);
  self->again = FALSE;
  g_clear_pointer (&self->written, g_free);
  g_mutex_lock (&self->slot->mutex);
  self->slot->turn++;
  g_unlink (self->slot->path);
  g_mutex_unlock (&self->slot->mutex);
}

/* ---- following the session -------------------------------------------------------- */

/* Something is written within `ms`, whatever comes meanwhile. */
static void
arm (LsAutosave *self,
     guint       ms)
{
  gint64 at = g_get_monotonic_time () + ms * G_TIME_SPAN_MILLISECOND;

  if (self->ended)
    return;
  if (self->writing)
    {
      self->again = TRUE;
      return;
    }
  if (self->due != 0 && self->due_at <= at)
    return;
  g_clear_handle_id (&self->due, g_source_remove);
  self->due = g_timeout_add (ms, look, self);
  self->due_at = at;
}

static void
copy_written (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  LsAutosave *self = LS_AUTOSAVE (source);
  g_autoptr (GError) error = NULL;
  gboolean again = self->again;

  self->writing = self->again = FALSE;
  if (g_task_propagate_boolean (G_TASK (result), &error))
    self->failed = FALSE;
  else
    g_clear_pointer (&self->written, g_free);
  if (error != NULL)
    arm (self, AGAIN_MS);
  if (again)
    arm (self, SOON_MS);
  if (error != NULL && !self->failed && !self->ended)
    {
      self->failed = TRUE;
      g_signal_emit (self, signals[FAILED], 0, error->message);
    }
}

/* FALSE: nothing is opened, or the session is none that is kept. */
static gboolean
peek (LsAutosave    *self,
      LsSessionFile *file)
{
  return LS_IS_ENGINE_SESSION (self->session) && ls_engine_session_peek_file (LS_ENGINE_SESSION (self->session), file);
}

/* With the file that it belongs to.  (transfer full) */
static LsSessionImage *
image_for_copy (LsAutosave    *self,
                LsSessionFile *file)
{
  g_autofree char *origin = self->file != NULL ? g_file_get_path (self->file) : NULL;

  file->origin = origin;
  file->origin_sum = self->on_disk;
  return ls_session_image_new (file);
}

static gboolean
look (gpointer data)
{
  LsAutosave *self = data;
  LsSessionFile file;
  g_autofree char *sum = NULL, *now = NULL;
  g_autoptr (GTask) task = NULL;
  Copy *copy;

  self->due = 0;
  if (!peek (self, &file))
    return G_SOURCE_REMOVE;
  sum = ls_session_file_sum (&file);
  now = g_strdup_printf ("%s %u %" G_GUINT64_FORMAT, sum, file.current, file.selection);
  if (self->saved == NULL)
    self->saved = g_strdup (sum);
  if (g_strcmp0 (now, self->written) == 0 || (self->written == NULL && strcmp (sum, self->saved) == 0))
    return G_SOURCE_REMOVE;
  g_free (self->written);
  self->written = g_steal_pointer (&now);
  self->writing = TRUE;
  copy = g_new0 (Copy, 1);
  *copy = (Copy) { g_atomic_rc_box_acquire (self->slot), self->slot->turn, image_for_copy (self, &file) };
  task = g_task_new (self, NULL, copy_written, NULL);
  g_task_set_task_data (task, copy, copy_free);
  g_task_run_in_thread (task, write_copy);
  return G_SOURCE_REMOVE;
}

static void
changed (LsAutosave *self)
{
  arm (self, SOON_MS);
}

static void
moved (LsAutosave *self)
{
  arm (self, LATER_MS);
}

/* ---- the document's file ----------------------------------------------------------- */

/* NULL when it cannot be read. (transfer full) */
static char *
disk_sum (GFile *file)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  return g_file_load_contents (file, NULL, &text, &length, NULL, NULL)
           ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, (gssize) length) : NULL;
}

static void
set_sum (char **sum,
         char  *taken)
{
  g_free (*sum);
  *sum = taken;
}

void
ls_autosave_opened (LsAutosave *self,
                    GFile      *file)
{
  LsSessionFile now;

  g_set_object (&self->file, file);
  set_sum (&self->on_disk, file != NULL ? disk_sum (file) : NULL);
  set_sum (&self->saved, peek (self, &now) ? ls_session_file_sum (&now) : NULL);
  retire_copy (self);
}

GFile *
ls_autosave_get_file (LsAutosave *self)
{
  return self->file;
}

gboolean
ls_autosave_is_changed (LsAutosave *self)
{
  LsSessionFile now;
  g_autofree char *sum = NULL;

  if (self->saved == NULL || !peek (self, &now))
    return FALSE;
  sum = ls_session_file_sum (&now);
  return strcmp (sum, self->saved) != 0;
}

gboolean
ls_autosave_changed_on_disk (LsAutosave *self)
{
  g_autofree char *now = self->file != NULL && self->on_disk != NULL ? disk_sum (self->file) : NULL;

  return now != NULL && strcmp (now, self->on_disk) != 0;
}

void
ls_autosave_accept_disk (LsAutosave *self)
{
  set_sum (&self->on_disk, self->file != NULL ? disk_sum (self->file) : NULL);
}

gboolean
ls_autosave_save (LsAutosave  *self,
                  GFile       *file,
                  GError     **error)
{
  g_autofree char *text = NULL;
  LsSessionFile now;

  ls_session_settle (self->session);
  if (!peek (self, &now))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
      return FALSE;
    }
  text = ls_session_file_write (&now);
  if (!ls_safe_write (file, text, error))
    return FALSE;
  set_sum (&self->on_disk, g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1));
  set_sum (&self->saved, ls_session_file_sum (&now));
  g_set_object (&self->file, file);
  retire_copy (self);
  return TRUE;
}

/* ---- what another run left ----------------------------------------------------------- */

static gboolean
is_newer (const char *path,
          const char *other)
{
  GStatBuf a, b;

  return g_stat (path, &a) == 0 && g_stat (other, &b) == 0 && a.st_mtime > b.st_mtime;
}

/* The copy gets the name of this one's, so that no other program takes it too. */
static gboolean
claim (LsAutosave *self,
       const char *path)
{
  gboolean claimed;

  g_mutex_lock (&self->slot->mutex);
  claimed = slot_prepare (self->slot, NULL) && g_rename (path, self->slot->path) == 0;
  g_mutex_unlock (&self->slot->mutex);
  return claimed;
}

/* A name that nothing has; what stands there already stays. (transfer full), or NULL */
static char *
move_to_free_name (const char *from,
                   const char *base,
                   const char *suffix,
                   GError    **error)
{
  for (guint i = 1; i < G_MAXINT; i++)
    {
      g_autofree char *path = i == 1 ? g_strconcat (base, suffix, NULL) : g_strdup_printf ("%s-%u%s", base, i, suffix);

      if (renameat2 (AT_FDCWD, from, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return g_steal_pointer (&path);
      if (errno == EEXIST)
        continue;
      /* A file system without that: nobody else takes a name that was made here just now. */
      if (errno == EINVAL || errno == ENOSYS)
        {
          int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

          if (fd < 0 && errno == EEXIST)
            continue;
          if (fd >= 0)
            close (fd);
          if (fd >= 0 && g_rename (from, path) == 0)
            return g_steal_pointer (&path);
        }
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s: %s", path, g_strerror (errno));
      return NULL;
    }
  return NULL;
}

static void
take_origin (LsAutosave *self,
             const char *text,
             gsize       length)
{
  g_autofree char *origin = NULL, *sum = NULL;

  g_clear_object (&self->file);
  set_sum (&self->on_disk, NULL);
  if (!ls_session_file_read_origin (text, (gssize) length, &origin, &sum))
    return;
  self->file = g_file_new_for_path (origin);
  if (sum == NULL)
    sum = is_newer (origin, self->slot->path) ? g_strdup ("") : disk_sum (self->file);
  self->on_disk = g_steal_pointer (&sum);
}

LsAutosaveRestored
ls_autosave_restore (LsAutosave *self,
                     GFile      *copy,
                     char      **aside,
                     GError    **error)
{
  g_autofree char *path = g_file_get_path (copy), *name = g_file_get_basename (copy), *text = NULL;
  gsize length = 0;

  *aside = NULL;
  g_return_val_if_fail (LS_IS_ENGINE_SESSION (self->session), LS_AUTOSAVE_TAKEN);
  if (!claim (self, path))
    return LS_AUTOSAVE_TAKEN;
  if (!g_file_get_contents (self->slot->path, &text, &length, error) ||
      !ls_engine_session_open_saved (LS_ENGINE_SESSION (self->session), name, text, (gssize) length, NULL, error))
    {
      /* Kept beside, so that it neither is lost nor comes again at each start. */
      *aside = move_to_free_name (self->slot->path, path, BROKEN_SUFFIX, NULL);
      return LS_AUTOSAVE_BROKEN;
    }
  take_origin (self, text, length);
  set_sum (&self->written, g_strdup (""));
  set_sum (&self->saved, g_strdup (""));
  return LS_AUTOSAVE_RESTORED;
}

/* ---- closing --------------------------------------------------------------------------- */

/* Writes the copy at once, and to the disk itself; the session must not change any more. */
static gboolean
write_now (LsAutosave  *self,
           GError     **error)
{
  g_autoptr (LsSessionImage) image = NULL;
  g_autofree char *text = NULL;
  LsSessionFile now;
  gboolean done;

  if (!peek (self, &now))
    return TRUE;
  image = image_for_copy (self, &now);
  text = ls_session_image_write (image);
  g_mutex_lock (&self->slot->mutex);
  self->slot->turn++;
  done = slot_write (self->slot, text, G_FILE_SET_CONTENTS_DURABLE, error);
  g_mutex_unlock (&self->slot->mutex);
  return done;
}

/* "closed-2026-11-24-153010-mm_relu" in the folder. (transfer full) */
static char *
kept_base (LsAutosave *self)
{
  g_autofree char *folder = ls_autosave_folder ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *when = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  const char *title = ls_session_get_title (self->session);
  g_autofree char *plain = g_strdup (title != NULL ? title : "module");

  g_strdelimit (plain, G_DIR_SEPARATOR_S ".", '_');
  if (strlen (plain) > MAX_TITLE)
    {
      g_autofree char *whole = g_steal_pointer (&plain);
      const char *end = g_utf8_find_prev_char (whole, whole + MAX_TITLE + 1);

      plain = g_strndup (whole, end != NULL ? (gsize) (end - whole) : 0);
    }
  return g_strdup_printf ("%s/" KEPT_PREFIX "%s-%s", folder, when, plain);
}

/* The copy becomes kept work. */
static gboolean
keep (LsAutosave  *self,
      GFile      **kept,
      GError     **error)
{
  g_autofree char *base = kept_base (self), *path = NULL;

  if (!write_now (self, error))
    return FALSE;
  path = move_to_free_name (self->slot->path, base, LS_SESSION_SUFFIX, error);
  if (path != NULL && kept != NULL)
    *kept = g_file_new_for_path (path);
  return path != NULL;
}

static void
end (LsAutosave *self,
     gboolean    with_copy)
{
  g_signal_handlers_disconnect_by_data (self->session, self);
  if (with_copy)
    retire_copy (self);
  g_clear_handle_id (&self->due, g_source_remove);
  self->ended = TRUE;
}

gboolean
ls_autosave_close (LsAutosave  *self,
                   gboolean     leave,
                   GFile      **kept,
                   GError     **error)
{
  if (kept != NULL)
    *kept = NULL;
  ls_session_settle (self->session);
  if (ls_autosave_is_changed (self) &&
      !(self->file != NULL && !ls_autosave_changed_on_disk (self) && ls_autosave_save (self, self->file, NULL)))
    {
      if (leave ? !write_now (self, error) : !keep (self, kept, error))
        return FALSE;
      end (self, FALSE);
      return TRUE;
    }
  end (self, TRUE);
  return TRUE;
}

void
ls_autosave_give_up (LsAutosave *self)
{
  end (self, FALSE);
}

/* ---- class ------------------------------------------------------------------------------ */

static void
ls_autosave_dispose (GObject *object)
{
  LsAutosave *self = LS_AUTOSAVE (object);

  g_clear_handle_id (&self->due, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_autosave_parent_class)->dispose (object);
}

static void
ls_autosave_finalize (GObject *object)
{
  LsAutosave *self = LS_AUTOSAVE (object);

  g_clear_pointer (&self->slot, slot_unref);
  g_clear_object (&self->file);
  g_free (self->saved);
  g_free (self->on_disk);
  g_free (self->written);
  G_OBJECT_CLASS (ls_autosave_parent_class)->finalize (object);
}

static void
ls_autosave_class_init (LsAutosaveClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_autosave_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_autosave_finalize;
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
}

static void
ls_autosave_init (LsAutosave *self)
{
  self->slot = slot_new ();
}

LsAutosave *
ls_autosave_new (LsSession *session)
{
  LsAutosave *self = g_object_new (LS_TYPE_AUTOSAVE, NULL);

  self->session = g_object_ref (session);
  ls_autosave_opened (self, NULL);
  g_signal_connect_swapped (session, "typed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "draft-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "pins-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (moved), self);
  return self;
}
