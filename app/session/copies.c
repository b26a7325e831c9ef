/* session/copies: see the header. */
#include "app/session/copies.h"

#include "app/session/file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define COPY_PREFIX "open-"
#define KEPT_PREFIX "closed-"
#define LOCK_SUFFIX ".lock"
#define BROKEN_SUFFIX ".broken"
#define MAX_TITLE 80            /* bytes of a title in a name */

struct _LsCopy
{
  char    *path;
  char    *lock_path;
  GMutex   mutex;               /* of all below; never held while something is written */
  GCond    idle;
  gboolean busy;                /* a thread writes */
  gboolean gone;                /* and when it has, what it wrote goes */
  int      lock;                /* -1: not taken yet; who is busy has it */
  guint    turn;                /* what was asked for in an earlier one is not written any more */
};

/* ---- the folder ---------------------------------------------------------------- */

char *
ls_copies_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", NULL);
}

gboolean
ls_copies_own (GFile *file)
{
  g_autofree char *folder = ls_copies_folder ();
  g_autoptr (GFile) parent = g_file_new_for_path (folder);

  return g_file_has_prefix (file, parent);
}

static gboolean
need_folder (GError **error)
{
  g_autofree char *folder = ls_copies_folder ();

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
ls_copies_left_over (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *folder = ls_copies_folder ();
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
ls_copies_kept (void)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *folder = ls_copies_folder ();
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

/* ---- one copy ------------------------------------------------------------------- */

LsCopy *
ls_copy_new (void)
{
  LsCopy *self = g_atomic_rc_box_new0 (LsCopy);
  g_autofree char *folder = ls_copies_folder ();
  g_autofree char *base = g_strdup_printf ("%s/" COPY_PREFIX "%d-%08x", folder, (int) getpid (), g_random_int ());

  g_mutex_init (&self->mutex);
  g_cond_init (&self->idle);
  self->path = g_strconcat (base, LS_SESSION_SUFFIX, NULL);
  self->lock_path = g_strconcat (base, LOCK_SUFFIX, NULL);
  self->lock = -1;
  return self;
}

LsCopy *
ls_copy_ref (LsCopy *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  LsCopy *self = data;

  if (self->lock >= 0)
    {
      g_unlink (self->lock_path);
      close (self->lock);
    }
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->idle);
  g_free (self->path);
  g_free (self->lock_path);
}

void
ls_copy_unref (LsCopy *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

const char *
ls_copy_get_path (LsCopy *self)
{
  return self->path;
}

/* The mutex is held. */
static void
wait_until_idle (LsCopy *self)
{
  while (self->busy)
    g_cond_wait (&self->idle, &self->mutex);
}

void
ls_copy_wait (LsCopy *self)
{
  g_mutex_lock (&self->mutex);
  wait_until_idle (self);
  g_mutex_unlock (&self->mutex);
}

/* Nobody else is busy.  A lock that cannot be had is no reason not to write. */
static gboolean
prepare (LsCopy  *self,
         GError **error)
{
  if (!need_folder (error))
    return FALSE;
  if (self->lock >= 0)
    return TRUE;
  self->lock = open (self->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (self->lock >= 0)
    flock (self->lock, LOCK_EX);        /* who looks whether it is taken holds it for a moment */
  return TRUE;
}

guint
ls_copy_get_turn (LsCopy *self)
{
  guint turn;

  g_mutex_lock (&self->mutex);
  turn = self->turn;
  g_mutex_unlock (&self->mutex);
  return turn;
}

guint
ls_copy_next_turn (LsCopy *self)
{
  guint turn;

  g_mutex_lock (&self->mutex);
  turn = ++self->turn;
  g_mutex_unlock (&self->mutex);
  return turn;
}

gboolean
ls_copy_write (LsCopy      *self,
               guint        turn,
               const char  *text,
               gboolean     durable,
               GError     **error)
{
  GFileSetContentsFlags flags = G_FILE_SET_CONTENTS_CONSISTENT | (durable ? G_FILE_SET_CONTENTS_DURABLE : 0);
  gboolean done = TRUE;

  g_mutex_lock (&self->mutex);
  wait_until_idle (self);
  if (turn == self->turn)
    {
      self->busy = TRUE;
      g_mutex_unlock (&self->mutex);
      done = prepare (self, error) && g_file_set_contents_full (self->path, text, -1, flags, 0600, error);
      g_mutex_lock (&self->mutex);
      if (self->gone)
        g_unlink (self->path);
      self->busy = self->gone = FALSE;
      g_cond_broadcast (&self->idle);
    }
  g_mutex_unlock (&self->mutex);
  return done;
}

void
ls_copy_retire (LsCopy *self)
{
  g_mutex_lock (&self->mutex);
  self->turn++;
  self->gone = self->busy;
  g_unlink (self->path);
  g_mutex_unlock (&self->mutex);
}

gboolean
ls_copy_claim (LsCopy     *self,
               const char *path)
{
  gboolean claimed;

  g_mutex_lock (&self->mutex);
  wait_until_idle (self);
  claimed = prepare (self, NULL) && g_rename (path, self->path) == 0;
  g_mutex_unlock (&self->mutex);
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

char *
ls_copy_set_aside (LsCopy     *self,
                   const char *path)
{
  return move_to_free_name (self->path, path, BROKEN_SUFFIX, NULL);
}

/* "closed-2026-11-24-153010-mm_relu" in the folder. (transfer full) */
static char *
kept_base (const char *title)
{
  g_autofree char *folder = ls_copies_folder ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *when = g_date_time_format (now, "%Y-%m-%d-%H%M%S");
  g_autofree char *plain = g_strdup (title);

  g_strdelimit (plain, G_DIR_SEPARATOR_S ".", '_');
  if (strlen (plain) > MAX_TITLE)
    *g_utf8_find_prev_char (plain, plain + MAX_TITLE) = '\0';
  return g_strdup_printf ("%s/" KEPT_PREFIX "%s-%s", folder, when, plain);
}

char *
ls_copy_keep (LsCopy      *self,
              const char  *title,
              GError     **error)
{
  g_autofree char *base = kept_base (title);

  return move_to_free_name (self->path, base, LS_SESSION_SUFFIX, error);
}
