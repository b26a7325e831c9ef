/* run-files: the names of a run's files, its lock, what is asked of it. */
#include "app/search/run.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME_LENGTH 16
#define ASK_MAX 64
#define LOCK_SIZE 512

char *
ls_search_run_name (const char *text)
{
  char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  sum[NAME_LENGTH] = '\0';
  return sum;
}

char *
ls_search_run_folder (const char *text)
{
  g_autofree char *name = ls_search_run_name (text);

  return g_build_filename (g_get_user_cache_dir (), "loopscope", "tuning", name, NULL);
}

char *
ls_search_run_path (const char *folder,
                    const char *name,
                    const char *what)
{
  g_autofree char *file = g_strdup_printf ("run-%s.%s", name, what);

  return g_build_filename (folder, file, NULL);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GStrv
ls_search_run_list (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new ();
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (file, "run-") && g_str_has_suffix (file, ".log"))
      g_ptr_array_add (names, g_strndup (file + strlen ("run-"), strlen (file) - strlen ("run-.log")));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (names, FALSE);
}

static int
read_process (int fd)
{
  char text[32] = "";
  gssize n = pread (fd, text, sizeof text - 1, 0);

  text[MAX (n, 0)] = '\0';
  return atoi (text);
}

int
ls_search_run_get_holder (const char *folder,
                          const char *name)
{
  g_autofree char *path = ls_search_run_path (folder, name, "lock");
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0), process = 0;

  if (fd < 0)
    return 0;
  if (flock (fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    process = MAX (read_process (fd), 1);
  close (fd);
  return process;
}

static int
fail_file (const char  *path,
           const char  *format,
           GError     **error)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (code), _(format), path, g_strerror (code));
  return -1;
}

/* Somebody who only looks whether it is held has the lock for a moment. */
static gboolean
try_lock (int fd)
{
  for (guint i = 0; i < 20; i++)
    {
      if (flock (fd, LOCK_EX | LOCK_NB) == 0)
        return TRUE;
      if (errno != EWOULDBLOCK && errno != EINTR)
        return FALSE;
      g_usleep (10000);
    }
  errno = EWOULDBLOCK;
  return FALSE;
}

/* As long as it will ever be, so that what it is to say has a place also on a full disk, and never empty in between: somebody may read it. */
gboolean
ls_search_run_complain (int         lock,
                        const char *words)
{
  g_autofree char *text = g_strdup_printf ("%d\n%s", (int) getpid (), words != NULL ? words : "");
  char whole[LOCK_SIZE];
  gsize n = MIN (strlen (text), sizeof whole - 1);

  memset (whole, ' ', sizeof whole);
  memcpy (whole, text, n);
  whole[sizeof whole - 1] = '\n';
  return pwrite (lock, whole, sizeof whole, 0) == sizeof whole;
}

char *
ls_search_run_get_complaint (const char *folder,
                             const char *name)
{
  g_autofree char *path = ls_search_run_path (folder, name, "lock"), *text = NULL;
  const char *words = g_file_get_contents (path, &text, NULL, NULL) ? strchr (text, '\n') : NULL;
  char *said = words != NULL && g_utf8_validate (words, -1, NULL) ? g_strstrip (g_strdup (words)) : NULL;

  if (said != NULL && *said == '\0')
    g_clear_pointer (&said, g_free);
  return said;
}

int
ls_search_run_hold (const char  *folder,
                    const char  *name,
                    GError     **error)
{
  g_autofree char *path = ls_search_run_path (folder, name, "lock");
  int fd;

  if (g_mkdir_with_parents (folder, 0755) != 0)
    return fail_file (folder, N_("%s cannot be made: %s"), error);
  fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0)
    return fail_file (path, N_("%s cannot be opened: %s"), error);
  if (!try_lock (fd))
    {
      if (errno == EWOULDBLOCK)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_EXISTS, _("a search of this program goes on in %s: process %d"), folder, read_process (fd));
      else
        fail_file (path, N_("%s cannot be locked: %s"), error);
      close (fd);
      return -1;
    }
  if (!ls_search_run_complain (fd, NULL))
    {
      fail_file (path, N_("%s cannot be written: %s"), error);
      close (fd);
      return -1;
    }
  return fd;
}

gboolean
ls_search_run_ask (const char  *folder,
                   const char  *name,
                   const char  *what,
                   GError     **error)
{
  g_autofree char *path = ls_search_run_path (folder, name, "ask");

  g_return_val_if_fail (strlen (what) < ASK_MAX, FALSE);
  if (ls_search_run_get_holder (folder, name) == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("no search of this program goes on in %s"), folder);
      return FALSE;
    }
  return g_file_set_contents (path, what, -1, error);
}

/* ---- searches that measure on this machine ----------------------------------------- */

/* One file for each, held as long as its process lives; its text is where it keeps what. (transfer full) */
static char *
measuring_folder (void)
{
  return g_build_filename (g_get_user_runtime_dir (), "loopscope", "measuring", NULL);
}

int
ls_search_run_announce (const char *folder)
{
  g_autofree char *all = measuring_folder (), *name = g_strdup_printf ("%d", (int) getpid ()), *path = g_build_filename (all, name, NULL);
  int fd = g_mkdir_with_parents (all, 0700) == 0 ? g_open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;

  if (fd < 0)
    return -1;
  if (try_lock (fd) && write (fd, folder, strlen (folder)) == (gssize) strlen (folder))
    return fd;
  close (fd);
  return -1;
}

/* "process 12, /home/ann/tuned"; NULL where nobody holds it: it is taken away then. (transfer full) */
static char *
describe_other (const char *all,
                const char *name)
{
  g_autofree char *path = g_build_filename (all, name, NULL), *folder = NULL;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gboolean held;

  if (fd < 0)
    return NULL;
  held = flock (fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!held)
    g_unlink (path);
  close (fd);
  return held && g_file_get_contents (path, &folder, NULL, NULL) ? g_strdup_printf ("process %s, %s", name, folder) : NULL;
}

char *
ls_search_run_describe_others (void)
{
  g_autofree char *all = measuring_folder (), *own = g_strdup_printf ("%d", (int) getpid ()), *list = NULL;
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (all, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      char *other = strcmp (name, own) != 0 ? describe_other (all, name) : NULL;

      if (other != NULL)
        g_ptr_array_add (others, other);
    }
  if (others->len == 0)
    return NULL;
  g_ptr_array_add (others, NULL);
  list = g_strjoinv ("; ", (char **) others->pdata);
  return g_strdup_printf (_("Another search measures on this machine (%s): each disturbs the times of the other."), list);
}

/* Beside the own program; or in the build tree, where programs stand in app, app/cli and tests/unit/NAME. */
static const char *const places[] = {
  "loopscope-cli", "cli/loopscope-cli", "../cli/loopscope-cli", "../app/cli/loopscope-cli", "../../app/cli/loopscope-cli", "../../../app/cli/loopscope-cli",
};

char *
ls_search_run_locate_command (void)
{
  const char *given = g_getenv ("LS_CLI");
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = own != NULL ? g_path_get_dirname (own) : NULL;

  if (given != NULL && *given != '\0')
    return g_strdup (given);
  for (guint i = 0; folder != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_canonicalize_filename (places[i], folder);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  return g_find_program_in_path ("loopscope-cli");
}
