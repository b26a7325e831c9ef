/* window/restore: what an earlier run could not save. */
#include "app/window/file-private.h"

#include "app/window/actions.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define BROKEN_SUFFIX ".broken"

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
  LsWindowFile *state = ls_window_file_of (self);
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
      state->on_disk = state->file == NULL ? NULL : is_newer (origin, path) ? g_strdup ("") : ls_window_file_disk_sum (state->file);
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
  g_autofree char *parent = ls_window_file_folder ();
  g_autoptr (GDir) dir = g_dir_open (parent, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      gint64 pid = g_str_has_prefix (name, LS_COPY_PREFIX) ? g_ascii_strtoll (name + strlen (LS_COPY_PREFIX), NULL, 10) : 0;

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
