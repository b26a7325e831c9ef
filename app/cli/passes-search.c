/* passes-search: see the header.  A file is read by the reader of logs, which tells what it has; what comes through a pipe is looked through as it comes. */
#include "app/cli/passes-search.h"

#include "app/cli/input.h"

#include "engine/base/json.h"

#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const LsCliPassesSearch *wish;
  LsPassSearch             search;
  guint                    told;        /* hits */
} Searching;

static void
tell (Searching  *self,
      guint       number,
      const char *pass,
      const char *unit,
      double      fraction)
{
  if (self->wish->json)
    return;
  printf ("%5u  %-44s %-24s", number + 1, pass, unit);
  if (fraction >= 0 && fraction < 1)
    printf ("  (%.0f %% read)", 100 * fraction);
  fputs ("\n", stdout);
  fflush (stdout);
}

static int
finish (Searching *self,
        guint      dumps)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (!self->wish->json)
    {
      printf ("%u of %u dumps mention %s\n", self->search.hits, dumps, self->wish->what);
      return self->search.hits > 0 ? LS_CLI_DONE : LS_CLI_FAILED;
    }
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "what", self->wish->what);
  ls_json_put_int (builder, "dumps", dumps);
  ls_json_begin_array (builder, "mentions");
  for (guint i = 0; i < self->search.found->len; i++)
    json_builder_add_int_value (builder, g_array_index (self->search.found, guint, i) + 1);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
  return self->search.hits > 0 ? LS_CLI_DONE : LS_CLI_FAILED;
}

/* ---- a file ---- */

/* LsPassProgress; with all of it in the end. */
static gboolean
look_through (LsPassLog *log,
              guint      n,
              gpointer   data)
{
  Searching *self = data;
  gsize size = g_bytes_get_size (log->files->pdata[0]);

  ls_pass_search_log (&self->search, log, n);
  for (; self->told < self->search.found->len; self->told++)
    {
      guint number = g_array_index (self->search.found, guint, self->told);
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, number);
      const char *unit = *dump->unit == '\0' && dump->n == 1 ? g_array_index (log->parts, LsPassPart, dump->first).name : dump->unit;

      tell (self, number, dump->pass, unit, log->files->len == 1 && size > 0 && n < log->dumps->len ? (double) g_array_index (log->dumps, LsPassDump, n - 1).end / (double) size : 1);
    }
  return TRUE;
}

static int
search_file (Searching  *self,
             const char *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = ls_pass_log_open_full (self->wish->file, self->wish->kind, FALSE, look_through, self, &error);

  if (log == NULL)
    return ls_cli_fail (command, "%s", error->message);
  look_through (log, log->dumps->len, self);
  return finish (self, log->dumps->len);
}

/* ---- a pipe ---- */

#define MOST_KEPT (1u << 30)    /* of what was not looked at: one dump */

/* What comes through a pipe, and what was found in it so far. */
typedef struct {
  LsPassScan *scan;
  GArray     *dumps, *heads;    /* heads: where they begin, in all that came */
  GByteArray *text;             /* the end of it, not looked at yet */
  gsize       base;             /* where `text` begins */
} Pipe;

static void
look_at_complete (Pipe      *self,
                  Searching *searching)
{
  ls_pass_search_text (&searching->search, (const char *) self->text->data, self->base, (const gsize *) (void *) self->heads->data, self->heads->len);
  for (; searching->told < searching->search.found->len; searching->told++)
    {
      LsPassDump *dump = &g_array_index (self->dumps, LsPassDump, g_array_index (searching->search.found, guint, searching->told));

      tell (searching, g_array_index (searching->search.found, guint, searching->told), dump->pass, dump->unit, -1);
    }
}

/* Before the first dump only a line without its end can become something; the last `n` bytes are new. */
static void
forget (Pipe *self,
        guint next,
        gsize n)
{
  const guint8 *end = self->heads->len == 0 ? memrchr (self->text->data + self->text->len - n, '\n', n) : NULL;
  gsize done = self->heads->len == 0 ? (end != NULL ? (gsize) (end + 1 - self->text->data) : 0) : g_array_index (self->heads, gsize, next) - self->base;

  if (done == 0)
    return;
  g_byte_array_remove_range (self->text, 0, (guint) done);
  self->base += done;
}

static int
search_pipe (Searching  *self,
             const char *command,
             int         from)
{
  g_autoptr (LsPassScan) scan = ls_pass_scan_new (self->wish->kind);
  g_autoptr (GArray) dumps = g_array_new (FALSE, FALSE, sizeof (LsPassDump)), heads = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GByteArray) text = g_byte_array_new ();
  Pipe pipe = { scan, dumps, heads, text, 0 };
  guint8 buffer[65536];
  gssize n;
  gsize end;

  while ((n = read (from, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
    {
      if (n < 0)
        continue;
      g_byte_array_append (text, buffer, (guint) n);
      ls_pass_scan_feed (scan, (const char *) buffer, (gsize) n, dumps);
      for (; heads->len < dumps->len; g_array_append_val (heads, g_array_index (dumps, LsPassDump, heads->len).head))
        ;
      look_at_complete (&pipe, self);
      forget (&pipe, self->search.next, (gsize) n);
      if (text->len > MOST_KEPT)
        return ls_cli_fail (command, "%s", "One dump of what comes through the pipe is more than 1 GiB.");
    }
  if (n < 0)
    return ls_cli_fail (command, "What comes through the pipe cannot be read: %s", g_strerror (errno));
  end = pipe.base + text->len;
  g_array_append_val (heads, end);      /* the last one is complete now */
  look_at_complete (&pipe, self);
  return finish (self, dumps->len);
}

int
ls_cli_passes_search (const char              *command,
                      const LsCliPassesSearch *wish)
{
  Searching self = { .wish = wish };
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (wish->file == NULL)
    {
      process = g_subprocess_newv (wish->command, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, &error);
      if (process == NULL)
        return ls_cli_fail (command, "%s", error->message);
    }
  ls_pass_search_init (&self.search, wish->what, FALSE);
  if (process != NULL)
    status = search_pipe (&self, command, g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (process))));
  else
    status = g_strcmp0 (wish->file, "-") == 0 ? search_pipe (&self, command, STDIN_FILENO) : search_file (&self, command);
  ls_pass_search_clear (&self.search);
  return status;
}
