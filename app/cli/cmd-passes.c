/* passes: what each pass of any compiler did, from its log.
 *
 *   LOG is a file, a folder, or - (standard input); after -- stands a command that is run for its output and errors
 *   --own FILE makes the log of our own passes
 *   --to html -o OUT.html [--language L] writes a page of it, --to session -o OUT.passes a file with each text once
 *   --list (the default; --counts: with counts also where that takes long), --diff A B, --who-removed X, --first X, --first-difference OTHER
 *   --search X: every dump that mentions it, told while the log is still read or printed
 *   --follow X [--from PASS]
 *   --graph PASS FUNCTION [-o OUT.svg|png|pdf|dot] [--dark]: the blocks of a function
 *   --run ENTRY [--args "f32[64] i32=64"] [--pipeline P] [--seed N]: a module, or a log of whole modules, compiled after each pass and run; with --to html its
 *   times are drawn in the page
 *   --nested [--depth N]: the list below what passes ran on (SCC, function, loop; MLIR's anchors), folded from N on
 *   --reader llvm|tolerant: who reads LLVM IR; else LLVM, for the list only of logs that are not large
 *   --between: what stands between the dumps
 *   --function F, --kind K, --json */
#include "app/cli/input.h"
#include "app/cli/passes-diff.h"
#include "app/cli/passes-follow.h"
#include "app/cli/passes-graph.h"
#include "app/cli/passes-list.h"
#include "app/cli/passes-own.h"
#include "app/cli/passes-run.h"
#include "app/cli/passes-search.h"
#include "app/llvm/reader.h"
#include "app/page/page.h"
#include "engine/passlog/passlog.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (24u << 20)  /* of changed lines in a page */
#define MOST_READ (1u << 30)    /* of a log */
#define MOST_TOLD 12            /* lines of a command that printed no log */

typedef struct {
  const char *file, *follow, *from, *who, *first, *search, *other, *function, *kind, *diff_a, *diff_b, *to, *out, *language, *reader;
  LsCliPassesGraph graph;
  LsCliPassesRun run;           /* entry NULL: nothing is run */
  LsCliOwn    own;              /* file NULL: a log is read */
  char      **command;
  gboolean    json, list, effective, counts, time, nested, between;
  guint       depth;            /* of nests that are open */
} Request;

static GBytes *
read_input (GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 buffer[65536];
  gssize n = 1;

  while (bytes->len <= MOST_READ && (n = read (STDIN_FILENO, buffer, sizeof buffer)) > 0)
    g_byte_array_append (bytes, buffer, (guint) n);
  if (n != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, n < 0 ? "Standard input cannot be read." : "Standard input gives more than 1 GiB.");
      g_byte_array_unref (bytes);
      return NULL;
    }
  return g_byte_array_free_to_bytes (bytes);
}

/* The last lines of what a command printed that is no log. */
static void
print_tail (GBytes *bytes)
{
  gsize size, from;
  const char *text = g_bytes_get_data (bytes, &size);
  guint lines = MOST_TOLD;

  while (size > 0 && text[size - 1] == '\n')
    size--;
  for (from = size; from > 0 && size - from < 4000; from--)
    if (text[from - 1] == '\n' && --lines == 0)
      break;
  if (size > 0)
    fprintf (stderr, "%.*s\n", (int) (size - from), text + from);
}

static GBytes *
run_command (char   **command,
             GError **error)
{
  g_autoptr (GSubprocess) process = g_subprocess_newv ((const char *const *) command, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, error);
  GBytes *bytes = NULL;

  if (process == NULL || !g_subprocess_communicate (process, NULL, NULL, &bytes, NULL, error))
    return NULL;
  if (!g_subprocess_get_successful (process))
    fprintf (stderr, "loopscope-cli passes: %s did not end well; what it printed is read as far as it goes\n", command[0]);
  return bytes;
}

static LsPassLog *
open_log (Request    *request,
          const char *path,
          GError    **error)
{
  g_autoptr (GBytes) bytes = NULL;
  LsPassLogKind kind = LS_PASS_LOG_AUTO;
  LsPassLog *log;

  if (request->kind != NULL && !ls_pass_log_kind_parse (request->kind, &kind))
    {
      g_set_error (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN,
                   "There is no kind %s; there are auto, llvm, mlir, tvm, gcc, xla, ptx and text.", request->kind);
      return NULL;
    }
  if (path != NULL && strcmp (path, "-") != 0 && !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no file %s", path);
      return NULL;
    }
  if (path != NULL && strcmp (path, "-") != 0)
    return ls_pass_log_open (path, kind, error);
  bytes = path == NULL ? run_command (request->command, error) : read_input (error);
  log = bytes != NULL ? ls_pass_log_read (bytes, kind, error) : NULL;
  if (log == NULL && bytes != NULL && path == NULL)
    print_tail (bytes);
  return log;
}

/* A file that is one module of LLVM becomes a log of what passes make of it. */
static LsPassLog *
open_module (Request    *request,
             const char *command,
             GError    **error)
{
  g_autofree char *text = NULL;

  if (request->file == NULL || strcmp (request->file, "-") == 0 || !g_file_get_contents (request->file, &text, NULL, NULL) || strstr (text, "define ") == NULL)
    return NULL;
  g_clear_error (error);
  return ls_cli_passes_step (command, text, request->run.pipeline);
}

/* LLVM reads what it takes: one dump is quick, all of a large log are not. */
static void
choose_reader (Request   *request,
               LsPassLog *log)
{
  gboolean one = request->diff_a != NULL || request->who != NULL || request->first != NULL || request->other != NULL;

  if (g_strcmp0 (request->reader, "tolerant") != 0 && (one || ls_pass_log_size (log) <= LS_LLVM_READS_ALL || request->reader != NULL))
    ls_llvm_reader_set (log);
}

/* Of large logs LLVM is asked only of what differs. */
static int
first_difference (Request    *request,
                  const char *command,
                  LsPassLog  *log,
                  LsPassLog  *other)
{
  const LsPassTwo how = { request->function, request->reader == NULL && ls_pass_log_size (log) + ls_pass_log_size (other) > LS_LLVM_READS_ALL };

  choose_reader (request, other);
  return ls_cli_passes_first_difference (command, log, other, &how, request->json);
}

/* ---- searching ---- */

static int
answer (LsPassLog  *log,
        Request    *request,
        const char *command,
        int         dump)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  LsPassCounts counts = { 0 };
  g_autofree char *reader = NULL;

  if (dump < 0)
    return request->first != NULL ? ls_cli_fail (command, "no dump mentions %s", request->first)
           : ls_pass_log_first (log, request->who, 0) < 0 ? ls_cli_fail (command, "no dump mentions %s", request->who)
           : ls_cli_fail (command, "%s is there to the end", request->who);
  ls_pass_log_count_full (log, (guint) dump, &counts, &reader);
  ls_cli_passes_put_dump (builder, log, (guint) dump, &counts, reader);
  if (request->json)
    ls_cli_put_json (builder);
  else
    {
      ls_cli_passes_print_dump (log, (guint) dump, &counts, 1);
      if (reader != NULL)
        printf ("       read by %s\n", reader);
      ls_cli_passes_print_unprinted (log, (guint) dump);
    }
  return LS_CLI_DONE;
}

static int
write_page (LsPassLog  *log,
            Request    *request,
            const char *command)
{
  g_autofree char *name = g_path_get_basename (request->own.file != NULL ? request->own.file : request->file != NULL ? request->file : request->command[0]);
  g_autofree char *page = NULL;
  g_autoptr (GArray) timed = NULL, runs = g_array_new (FALSE, FALSE, sizeof (LsPageRun));
  g_autoptr (GError) error = NULL;

  if (strcmp (request->to, "html") != 0 && strcmp (request->to, "session") != 0)
    return ls_cli_fail (command, "there is no format %s; there are html and session", request->to);
  if (request->out == NULL)
    return ls_cli_usage (command, "--to needs -o OUT");
  if (strcmp (request->to, "session") == 0)
    {
      if (!ls_pass_log_save (log, request->out, NULL, &error))
        return ls_cli_fail (command, "%s", error->message);
      printf ("%s: %u dumps\n", request->out, log->dumps->len);
      return LS_CLI_DONE;
    }
  if (request->run.entry != NULL && (timed = ls_cli_passes_time (command, log, &request->run)) == NULL)
    return LS_CLI_FAILED;
  for (guint i = 0; timed != NULL && i < timed->len; i++)
    {
      const LsCliPassesTimed *row = &g_array_index (timed, LsCliPassesTimed, i);
      LsPageRun one = { row->dump, row->median, row->wrong };

      g_array_append_val (runs, one);
    }
  page = ls_passes_to_page (log, name, request->language != NULL ? request->language : "en", MOST_BYTES, timed != NULL ? runs : NULL);
  if (!g_file_set_contents (request->out, page, -1, &error))
    return ls_cli_fail (command, "%s", error->message);
  printf ("%s: %u dump%s, %" G_GSIZE_FORMAT " bytes\n", request->out, log->dumps->len, log->dumps->len == 1 ? "" : "s", strlen (page));
  return LS_CLI_DONE;
}

/* Answers come before the log is whole. */
static int
search (Request    *request,
        const char *command)
{
  LsPassLogKind kind = LS_PASS_LOG_AUTO;

  if (request->own.file != NULL)
    return ls_cli_usage (command, "--search is for a log");
  if (request->kind != NULL && !ls_pass_log_kind_parse (request->kind, &kind))
    return ls_cli_fail (command, "there is no kind %s", request->kind);
  return ls_cli_passes_search (command, &(LsCliPassesSearch) { request->file, (const char *const *) request->command, request->search, kind, request->json });
}

static int
show (Request    *request,
      const char *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = request->time ? NULL : request->own.file != NULL ? ls_cli_own_passes (command, &request->own) : open_log (request, request->file, &error);
  g_autoptr (LsPassLog) other = NULL;

  if (request->time)
    return request->own.file != NULL ? ls_cli_own_times (command, &request->own, request->json) : ls_cli_usage (command, "--time is for --own FILE");
  if (log == NULL && request->own.file == NULL && g_error_matches (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN))
    log = open_module (request, command, &error);
  if (log == NULL)
    return error != NULL ? ls_cli_fail (command, "%s", error->message) : LS_CLI_FAILED;
  if (request->run.entry != NULL && request->to == NULL)
    return ls_cli_passes_run (command, log, &request->run, request->json);
  if (request->graph.pass != NULL)
    {
      request->graph.out = request->out;
      request->graph.json = request->json;
      return ls_cli_passes_graph (command, log, &request->graph);
    }
  if (request->between)
    return ls_cli_passes_between (log, request->json);
  choose_reader (request, log);
  if (request->to != NULL)
    return write_page (log, request, command);
  if (request->diff_a != NULL)
    return ls_cli_passes_diff (command, log, request->diff_a, request->diff_b, request->function, request->json);
  if (request->who != NULL)
    return answer (log, request, command, ls_pass_log_remover (log, request->who));
  if (request->follow != NULL)
    return ls_cli_passes_follow (command, log, request->follow, request->function, request->from, request->json);
  if (request->first != NULL)
    return answer (log, request, command, ls_pass_log_first (log, request->first, 0));
  if (request->other == NULL)
    return ls_cli_passes_list (log, &(LsCliPassesShown) { request->function, request->json, request->effective, request->counts, request->nested, request->depth });
  other = open_log (request, request->other, &error);
  return other != NULL ? first_difference (request, command, log, other) : ls_cli_fail (command, "%s", error->message);
}

static int
run (Request    *request,
     const char *command)
{
  if (request->search != NULL)
    return search (request, command);
  return show (request, command);
}

int
ls_cli_passes (int    argc,
               char **argv)
{
  Request request = { .depth = 99 };
  LsCliArgs args;
  int own = argc;

  for (int i = 1; i < argc && own == argc; i++)
    if (strcmp (argv[i], "--") == 0)
      own = i;
  ls_cli_args_init (&args, own, argv);
  while (ls_cli_args_more (&args))
    {
      const char *word;

      if (ls_cli_args_flag (&args, "--json"))
        request.json = TRUE;
      else if (ls_cli_args_flag (&args, "--list"))
        request.list = TRUE;
      else if (ls_cli_args_flag (&args, "--time"))
        request.time = TRUE;
      else if (ls_cli_args_flag (&args, "--counts"))
        request.counts = TRUE;
      else if (ls_cli_args_flag (&args, "--nested"))
        request.nested = TRUE;
      else if (ls_cli_args_flag (&args, "--between"))
        request.between = TRUE;
      else if ((word = ls_cli_args_option (&args, "--depth")) != NULL)
        request.depth = (guint) MIN (g_ascii_strtoull (word, NULL, 10), 99);
      else if (ls_cli_args_flag (&args, "--effective"))
        request.effective = TRUE;
      else if ((word = ls_cli_args_option (&args, "--diff")) != NULL)
        {
          request.diff_a = word;
          request.diff_b = ls_cli_args_more (&args) ? ls_cli_args_word (&args) : NULL;
          if (request.diff_b == NULL)
            return ls_cli_usage (argv[0], "--diff expects two numbers");
        }
      else if ((word = ls_cli_args_option (&args, "--who-removed")) != NULL)
        request.who = word;
      else if ((word = ls_cli_args_option (&args, "--follow")) != NULL)
        request.follow = word;
      else if (ls_cli_args_flag (&args, "--dark"))
        request.graph.dark = TRUE;
      else if ((word = ls_cli_args_option (&args, "--graph")) != NULL)
        {
          request.graph.pass = word;
          request.graph.function = ls_cli_args_more (&args) ? ls_cli_args_word (&args) : NULL;
          if (request.graph.function == NULL)
            return ls_cli_usage (argv[0], "--graph expects a pass and a function");
        }
      else if ((word = ls_cli_args_option (&args, "--run")) != NULL)
        request.run.entry = word;
      else if ((word = ls_cli_args_option (&args, "--args")) != NULL)
        request.run.arguments = word;
      else if ((word = ls_cli_args_option (&args, "--pipeline")) != NULL)
        request.run.pipeline = word;
      else if ((word = ls_cli_args_option (&args, "--seed")) != NULL)
        request.run.seed = g_ascii_strtoull (word, NULL, 10);
      else if ((word = ls_cli_args_option (&args, "--from")) != NULL)
        request.from = word;
      else if ((word = ls_cli_args_option (&args, "--search")) != NULL)
        request.search = word;
      else if ((word = ls_cli_args_option (&args, "--first")) != NULL)
        request.first = word;
      else if ((word = ls_cli_args_option (&args, "--first-difference")) != NULL)
        request.other = word;
      else if ((word = ls_cli_args_option (&args, "--function")) != NULL)
        request.function = word;
      else if ((word = ls_cli_args_option (&args, "--own")) != NULL)
        request.own.file = word;
      else if ((word = ls_cli_args_option (&args, "--steps")) != NULL)
        request.own.steps = word;
      else if ((word = ls_cli_args_option (&args, "--func")) != NULL)
        request.own.func = word;
      else if ((word = ls_cli_args_option (&args, "--target")) != NULL)
        request.own.target = word;
      else if ((word = ls_cli_args_option (&args, "--to")) != NULL)
        request.to = word;
      else if ((word = ls_cli_args_option (&args, "-o")) != NULL)
        request.out = word;
      else if ((word = ls_cli_args_option (&args, "--language")) != NULL)
        request.language = word;
      else if ((word = ls_cli_args_option (&args, "--kind")) != NULL)
        request.kind = word;
      else if ((word = ls_cli_args_option (&args, "--reader")) != NULL)
        {
          request.reader = word;
          if (strcmp (word, "llvm") != 0 && strcmp (word, "tolerant") != 0)
            return ls_cli_usage (argv[0], "--reader expects llvm or tolerant");
        }
      else if (request.file == NULL && (word = ls_cli_args_word (&args)) != NULL)
        request.file = word;
      else
        return ls_cli_args_refuse (&args);
    }
  if (own + 1 < argc)
    request.command = argv + own + 1;
  if ((request.file != NULL) + (request.command != NULL) + (request.own.file != NULL) != 1)
    return ls_cli_usage (argv[0], "a log, a folder, - or a command after -- is expected");
  return run (&request, argv[0]);
}
