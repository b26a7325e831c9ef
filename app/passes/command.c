/* passes/command: a shell in a group of its own, whose output goes through a pipe into a file without a name that is mapped in the end. */
#include "app/passes/command.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define TURN_MS 100             /* how soon a wish to stop is heard, and how often dumps are told */
#define PATIENCE 15             /* turns between asking a program to end and ending it */

void
ls_passes_output_clear (LsPassesOutput *self)
{
  g_clear_pointer (&self->output, g_bytes_unref);
}

/* In the child: so that all that it starts can be ended with it. */
static void
lead_group (gpointer data)
{
  setpgid (0, 0);
}

static GSubprocess *
start (const char *command,
       const char *folder,
       pid_t      *group,
       GError    **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
  GSubprocess *process;

  if (folder != NULL)
    g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_set_child_setup (launcher, lead_group, NULL, NULL);
  process = g_subprocess_launcher_spawn (launcher, error, "/bin/sh", "-c", command, NULL);
  if (process != NULL && g_subprocess_get_identifier (process) != NULL)
    *group = (pid_t) g_ascii_strtoll (g_subprocess_get_identifier (process), NULL, 10);
  return process;
}

/* Everything into the file. */
static gboolean
put (int         file,
     const char *text,
     gsize       size)
{
  while (size > 0)
    {
      ssize_t n = write (file, text, size);

      if (n < 0 && errno != EINTR)
        return FALSE;
      text += MAX (n, 0);
      size -= (gsize) MAX (n, 0);
    }
  return TRUE;
}

typedef struct {
  LsPassScan       *scan;
  GArray           *dumps;      /* announced and not told yet */
  LsPassesAnnounced announced;
  gpointer          user_data;
  gint64            told;
  LsPassesSoFar     so_far;
} Telling;

static void
tell (Telling *self,
      gboolean now)
{
  gint64 time = g_get_monotonic_time ();

  if (!now && time - self->told < TURN_MS * 1000)
    return;
  for (guint i = 0; i < self->dumps->len; i++)
    g_array_append_val (self->so_far.heads, g_array_index (self->dumps, LsPassDump, i).head);
  self->announced (self->dumps, &self->so_far, self->user_data);
  g_array_set_size (self->dumps, 0);
  self->told = time;
}

/* Until the output ends or someone wants it to; FALSE: the disk is full. */
static gboolean
read_output (int           from,
             int           to,
             pid_t         group,
             GCancellable *stop,
             Telling      *telling)
{
  char buffer[65536];
  guint asked = 0;

  for (;;)
    {
      struct pollfd at = { from, POLLIN, 0 };
      int ready = poll (&at, 1, TURN_MS);
      ssize_t n = ready > 0 ? read (from, buffer, sizeof buffer) : 0;

      if (g_cancellable_is_cancelled (stop) && group > 1)
        {
          if (asked == 0 || asked == PATIENCE)
            kill (-group, asked == 0 ? SIGTERM : SIGKILL);
          if (asked++ > PATIENCE)
            return TRUE;        /* what holds the pipe open now is no child of ours */
        }
      tell (telling, FALSE);
      if (ready < 0 && errno == EINTR)
        continue;
      if (ready < 0 || (ready > 0 && n == 0) || (n < 0 && errno != EINTR && errno != EAGAIN))
        return TRUE;
      if (n > 0 && !put (to, buffer, (gsize) n))
        return FALSE;
      if (n > 0)
        {
          telling->so_far.size += (gsize) n;
          ls_pass_scan_feed (telling->scan, buffer, (gsize) n, telling->dumps);
        }
    }
}

/* What is in the file, mapped. */
static GBytes *
map (int      file,
     GError **error)
{
  g_autoptr (GMappedFile) mapped = NULL;

  if (lseek (file, 0, SEEK_END) == 0)
    return g_bytes_new_static ("", 0);
  mapped = g_mapped_file_new_from_fd (file, FALSE, error);
  return mapped != NULL ? g_mapped_file_get_bytes (mapped) : NULL;
}

gboolean
ls_passes_command_run (const char        *command,
                       const char        *folder,
                       GCancellable      *stop,
                       LsPassesAnnounced  announced,
                       gpointer           user_data,
                       LsPassesOutput    *output,
                       GError           **error)
{
  g_autofree char *name = NULL;
  g_autoptr (LsPassScan) scan = ls_pass_scan_new (LS_PASS_LOG_AUTO);
  g_autoptr (GArray) dumps = g_array_new (FALSE, FALSE, sizeof (LsPassDump));
  g_autoptr (GArray) heads = g_array_new (FALSE, FALSE, sizeof (gsize));
  Telling telling = { scan, dumps, announced, user_data, 0, { 0, 0, heads } };
  g_autoptr (GSubprocess) process = NULL;
  gboolean whole;
  pid_t group = 0;
  int file = g_file_open_tmp ("loopscope-passes-XXXXXX", &name, error);

  if (file < 0)
    return FALSE;
  g_unlink (name);
  telling.so_far.file = file;
  process = start (command, folder, &group, error);
  if (process == NULL)
    {
      g_close (file, NULL);
      return FALSE;
    }
  whole = read_output (g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (process))), file, group, stop, &telling);
  if (!whole)
    kill (-group, SIGKILL);
  g_subprocess_wait (process, NULL, NULL);
  tell (&telling, TRUE);
  output->status = whole && g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process) : -1;
  output->output = map (file, error);
  g_close (file, NULL);
  return output->output != NULL;
}

char *
ls_passes_output_tail (const LsPassesOutput *self,
                       guint                 lines)
{
  gsize size, from;
  const char *text = g_bytes_get_data (self->output, &size);
  g_autofree char *copy = NULL;

  while (size > 0 && text[size - 1] == '\n')
    size--;
  for (from = size; from > 0 && size - from < 4000; from--)
    if (text[from - 1] == '\n' && --lines == 0)
      break;
  copy = g_strndup (text + from, size - from);
  return g_utf8_make_valid (copy, -1);
}
