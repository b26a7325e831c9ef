/* passes: what each pass of any compiler did, from its log.
 *
 *   LOG is a file, a folder, or - (standard input); after -- stands a command that is run for its output and errors
 *   --own FILE makes the log of our own passes
 *   --to html -o OUT.html [--language L] writes a page of it
 *   --list (the default; --counts: with counts also where that takes long), --diff A B, --who-removed X, --first X, --first-difference OTHER
 *   --follow X [--from PASS]
 *   --function F, --kind K, --json */
#include "app/cli/input.h"
#include "app/cli/passes-follow.h"
#include "app/cli/passes-own.h"
#include "app/page/page.h"
#include "engine/passlog/passlog.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (24u << 20)  /* of changed lines in a page */
#define MOST_COUNTED (32u << 20)        /* bytes of a log whose list has counts without being asked: more takes seconds */

typedef struct {
  const char *file, *follow, *from, *who, *first, *other, *function, *kind, *diff_a, *diff_b, *to, *out, *language;
  LsCliOwn    own;              /* file NULL: a log is read */
  char      **command;
  gboolean    json, list, effective, counts, time;
} Request;

static const char *const DUMPS[] = { "after", "before", "start", "unchanged", "filtered", "deleted" };

static LsPassDump *
dump_at (LsPassLog *log,
         guint      i)
{
  return &g_array_index (log->dumps, LsPassDump, i);
}

static GBytes *
read_input (GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  guint8 buffer[65536];
  gssize n;

  while ((n = read (STDIN_FILENO, buffer, sizeof buffer)) > 0)
    g_byte_array_append (bytes, buffer, (guint) n);
  if (n < 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Standard input cannot be read.");
      g_byte_array_unref (bytes);
      return NULL;
    }
  return g_byte_array_free_to_bytes (bytes);
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

  if (request->kind != NULL && !ls_pass_log_kind_parse (request->kind, &kind))
    {
      g_set_error (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_UNKNOWN,
                   "There is no kind %s; there are auto, llvm, mlir, tvm, gcc, xla and text.", request->kind);
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
  return bytes != NULL ? ls_pass_log_read (bytes, kind, error) : NULL;
}

static gboolean
has_function (LsPassLog  *log,
              LsPassDump *dump,
              const char *function)
{
  if (function == NULL || strcmp (dump->unit, function) == 0)
    return TRUE;
  for (guint i = dump->first; i < dump->first + dump->n; i++)
    if (strcmp (g_array_index (log->parts, LsPassPart, i).name, function) == 0)
      return TRUE;
  return FALSE;
}

static void
put_counts (JsonBuilder  *builder,
            LsPassCounts *counts)
{
  const struct { const char *name; guint n; } rows[] = {
    { "added", counts->added }, { "duplicated", counts->duplicated }, { "removed", counts->removed },
    { "rewritten", counts->rewritten }, { "moved", counts->moved }, { "same", counts->same },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      json_builder_set_member_name (builder, rows[i].name);
      json_builder_add_int_value (builder, rows[i].n);
    }
}

static void
put_dump (JsonBuilder  *builder,
          LsPassLog    *log,
          guint         number,
          LsPassCounts *counts)
{
  LsPassDump *dump = dump_at (log, number);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "number");
  json_builder_add_int_value (builder, number + 1);
  ls_cli_add_text (builder, "pass", dump->pass);
  ls_cli_add_text (builder, "unit", dump->unit);
  ls_cli_add_text (builder, "dump", DUMPS[dump->kind]);
  json_builder_set_member_name (builder, "line");
  json_builder_add_int_value (builder, dump->line);
  json_builder_set_member_name (builder, "effective");
  if (ls_pass_log_tells (log, number))
    json_builder_add_boolean_value (builder, dump->effective);
  else
    json_builder_add_null_value (builder);
  if (dump->seconds >= 0)
    {
      json_builder_set_member_name (builder, "seconds");
      json_builder_add_double_value (builder, dump->seconds);
    }
  if (counts != NULL)
    put_counts (builder, counts);
  json_builder_end_object (builder);
}

static void
print_dump (LsPassLog    *log,
            guint         number,
            LsPassCounts *counts,
            guint         runs)
{
  LsPassDump *dump = dump_at (log, number);
  const char *unit = *dump->unit == '\0' && dump->n == 1 ? g_array_index (log->parts, LsPassPart, dump->first).name : dump->unit;
  g_autofree char *name = runs > 1 ? g_strdup_printf ("%s (%u times)", dump->pass, runs) : g_strdup (dump->pass);

  printf ("%5u  %-44s %-24s", number + 1, name, unit);
  if (dump->effective && counts == NULL)
    fputs (" changed", stdout);
  else if (dump->effective && counts->added + counts->duplicated + counts->removed + counts->rewritten + counts->moved == 0)
    fputs (" only names, attributes or metadata", stdout);
  else if (dump->effective)
    printf (" +%u -%u ~%u moved %u", counts->added + counts->duplicated, counts->removed, counts->rewritten, counts->moved);
  else if (!ls_pass_log_tells (log, number))
    printf (" %s", dump->n == 0 ? "no function" : "nothing to compare with");
  else
    printf (" %s", dump->kind == LS_PASS_DUMP_AFTER ? "no effect" : DUMPS[dump->kind]);
  if (dump->seconds >= 0)
    printf ("  %.4f s", dump->seconds);
  fputs ("\n", stdout);
}

/* The same pass on the same unit once more, and both times without an effect. */
static gboolean
is_repeat (LsPassLog *log,
           guint      a,
           guint      b)
{
  LsPassDump *x = dump_at (log, a), *y = dump_at (log, b);
  const char *name = x->n == 1 ? g_array_index (log->parts, LsPassPart, x->first).name : "";
  const char *other = y->n == 1 ? g_array_index (log->parts, LsPassPart, y->first).name : "";

  return !x->effective && !y->effective && strcmp (x->pass, y->pass) == 0 && strcmp (x->unit, y->unit) == 0 && strcmp (name, other) == 0
         && x->kind == y->kind && ls_pass_log_tells (log, a) == ls_pass_log_tells (log, b);
}

static gsize
size_of (LsPassLog *log)
{
  gsize size = 0;

  for (guint i = 0; i < log->files->len; i++)
    size += g_bytes_get_size (log->files->pdata[i]);
  return size;
}

static int
list (LsPassLog *log,
      Request   *request)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  gboolean counted = request->counts || size_of (log) <= MOST_COUNTED;
  g_autofree LsPassCounts *all = counted ? ls_pass_log_count_all (log) : NULL;
  guint n = 0, effective = 0, unknown = 0;

  json_builder_begin_object (builder);
  ls_cli_add_text (builder, "kind", ls_pass_log_kind_name (log->kind));
  json_builder_set_member_name (builder, "dumps");
  json_builder_begin_array (builder);
  if (!request->json)
    printf ("%s (%s)\n", ls_pass_log_kind_name (log->kind), log->recognised ? "recognised; --kind corrects it" : "as asked");
  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = dump_at (log, i);
      guint first = i;

      if (!has_function (log, dump, request->function) || (request->effective && !dump->effective))
        continue;
      n++;
      effective += dump->effective;
      unknown += !ls_pass_log_tells (log, i);
      if (request->json)
        {
          put_dump (builder, log, i, counted ? &all[i] : NULL);
          continue;
        }
      while (i + 1 < log->dumps->len && is_repeat (log, i, i + 1))
        {
          i++, n++;
          unknown += !ls_pass_log_tells (log, i);
        }
      print_dump (log, first, counted ? &all[first] : NULL, i - first + 1);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  if (request->json)
    ls_cli_put_json (builder);
  else
    {
      printf ("%u dumps, %u with an effect", n, effective);
      if (unknown > 0)
        printf (", %u with nothing to compare with", unknown);
      fputs (counted ? "\n" : "; --counts says how much each changed\n", stdout);
    }
  return LS_CLI_DONE;
}

/* ---- the diff ---- */

static void
print_changes (const char *a,
               const char *b,
               GArray     *changes)
{
  static const char SIGNS[] = " ++-~>";
  g_auto (GStrv) lines_a = g_strsplit (a, "\n", -1);
  g_auto (GStrv) lines_b = g_strsplit (b, "\n", -1);

  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);

      if (change->kind == LS_PASS_REWRITTEN)
        printf ("~ %s\n  became\n", lines_a[change->a]);
      printf ("%c %s\n", SIGNS[change->kind], change->b >= 0 ? lines_b[change->b] : lines_a[change->a]);
    }
}

static void
put_changes (JsonBuilder *builder,
             GArray      *changes)
{
  static const char *const KINDS[] = { "same", "added", "duplicated", "removed", "rewritten", "moved" };

  json_builder_set_member_name (builder, "changes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < changes->len; i++)
    {
      LsPassChange *change = &g_array_index (changes, LsPassChange, i);

      json_builder_begin_object (builder);
      ls_cli_add_text (builder, "kind", KINDS[change->kind]);
      json_builder_set_member_name (builder, "before");
      json_builder_add_int_value (builder, change->a + 1);
      json_builder_set_member_name (builder, "after");
      json_builder_add_int_value (builder, change->b + 1);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static gboolean
read_number (LsPassLog  *log,
             const char *text,
             guint      *dump)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 1, log->dumps->len, &number, NULL))
    return FALSE;
  *dump = (guint) number - 1;
  return TRUE;
}

/* A part of dump B as it was at dump A: what its own dump says where A is the dump before. (transfer full) */
static char *
side_at (LsPassLog *log,
         guint      part,
         guint      a,
         guint      b)
{
  LsPassPart *at = &g_array_index (log->parts, LsPassPart, part);
  int old = ls_pass_log_part_at (log, at->name, a);
  char *before = NULL;
  g_autofree char *after = NULL;

  if (!at->patch || a + 1 < b)
    return old >= 0 ? ls_pass_log_part_text (log, (guint) old) : g_strdup ("");
  ls_pass_log_part_sides (log, part, &before, &after);
  return before;
}

/* The functions of dump B, each against what it was at dump A. */
static int
diff (LsPassLog  *log,
      Request    *request,
      const char *command)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  LsPassDump *dump;
  guint a, b, shown = 0;

  if (!read_number (log, request->diff_a, &a) || !read_number (log, request->diff_b, &b) || a > b)
    return ls_cli_fail (command, "--diff expects two numbers of dumps from 1 to %u in their order", log->dumps->len);
  dump = dump_at (log, b);
  json_builder_begin_array (builder);
  for (guint i = dump->first; i < dump->first + dump->n; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);
      g_autofree char *text_a = side_at (log, i, a, b), *text_b = ls_pass_log_part_text (log, i);
      g_autoptr (GArray) changes = NULL;
      LsPassCounts counts = { 0 };

      if (request->function != NULL && strcmp (request->function, part->name) != 0)
        continue;
      shown++;
      changes = ls_pass_diff (text_a, text_b, dump->language, &counts);
      if (request->json)
        {
          json_builder_begin_object (builder);
          ls_cli_add_text (builder, "function", part->name);
          put_counts (builder, &counts);
          put_changes (builder, changes);
          json_builder_end_object (builder);
          continue;
        }
      printf ("%s: +%u (%u of them copies) -%u ~%u moved %u same %u\n", part->name, counts.added + counts.duplicated, counts.duplicated,
              counts.removed, counts.rewritten, counts.moved, counts.same);
      print_changes (text_a, text_b, changes);
    }
  json_builder_end_array (builder);
  if (shown == 0)
    return ls_cli_fail (command, "dump %u (%s on %s) has no text%s%s", b + 1, dump->pass, dump->unit,
                        request->function != NULL ? " of function " : "", request->function != NULL ? request->function : "");
  if (request->json)
    ls_cli_put_json (builder);
  return LS_CLI_DONE;
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

  if (dump < 0)
    return request->first != NULL ? ls_cli_fail (command, "no dump mentions %s", request->first)
           : ls_pass_log_first (log, request->who, 0) < 0 ? ls_cli_fail (command, "no dump mentions %s", request->who)
           : ls_cli_fail (command, "%s is there to the end", request->who);
  ls_pass_log_count (log, (guint) dump, &counts);
  put_dump (builder, log, (guint) dump, &counts);
  if (request->json)
    ls_cli_put_json (builder);
  else
    print_dump (log, (guint) dump, &counts, 1);
  return LS_CLI_DONE;
}

static gboolean
is_effective (LsPassLog *log,
              int        dump)
{
  return dump >= 0 && dump_at (log, (guint) dump)->effective;
}

/* Passes with an effect that only one of the logs has, in front of row `end`. */
static void
put_only (JsonBuilder *builder,
          LsPassLog   *log,
          GArray      *rows,
          guint        end,
          gboolean     here)
{
  json_builder_set_member_name (builder, here ? "only_here" : "only_there");
  json_builder_begin_array (builder);
  for (guint i = 0; i < end; i++)
    {
      LsPassPair *row = &g_array_index (rows, LsPassPair, i);
      int dump = here ? row->a : row->b;

      if ((here ? row->b : row->a) < 0 && is_effective (log, dump))
        put_dump (builder, log, (guint) dump, NULL);
    }
  json_builder_end_array (builder);
}

static void
print_only (LsPassLog  *log,
            GArray     *rows,
            guint       end,
            gboolean    here)
{
  for (guint i = 0; i < end; i++)
    {
      LsPassPair *row = &g_array_index (rows, LsPassPair, i);
      int dump = here ? row->a : row->b;

      if ((here ? row->b : row->a) < 0 && is_effective (log, dump))
        printf ("only %s: %d %s on %s\n", here ? "here" : "there", dump + 1, dump_at (log, (guint) dump)->pass, dump_at (log, (guint) dump)->unit);
    }
}

/* The first pair of dumps, of the same pass on the same unit, that came out differently (renumbering aside), and the passes with an
 * effect that only one log has in front of it. */
static int
first_difference (LsPassLog *log,
                  LsPassLog *other,
                  Request   *request)
{
  g_autoptr (GArray) rows = ls_pass_logs_align (log, other);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  LsPassCounts counts = { 0 };
  LsPassPair found = { -1, -1 };
  const char *why = NULL;
  guint at;

  for (at = 0; at < rows->len && found.a < 0; at++)
    {
      LsPassPair row = g_array_index (rows, LsPassPair, at);

      if (row.a >= 0 && row.b >= 0 && ls_pass_dumps_differ (log, (guint) row.a, other, (guint) row.b, &counts))
        {
          found = row;
          why = "other results";
        }
      else if ((row.a < 0 || row.b < 0) && why == NULL && (is_effective (log, row.a) || is_effective (other, row.b)))
        why = "another pass";
    }
  json_builder_begin_object (builder);
  ls_cli_add_text (builder, "difference", why);
  if (found.a >= 0)
    {
      json_builder_set_member_name (builder, "here");
      put_dump (builder, log, (guint) found.a, NULL);
      json_builder_set_member_name (builder, "there");
      put_dump (builder, other, (guint) found.b, &counts);
    }
  put_only (builder, log, rows, at, TRUE);
  put_only (builder, other, rows, at, FALSE);
  json_builder_end_object (builder);
  if (request->json)
    {
      ls_cli_put_json (builder);
      return LS_CLI_DONE;
    }
  if (why == NULL)
    puts ("no difference");
  print_only (log, rows, at, TRUE);
  print_only (other, rows, at, FALSE);
  if (found.a >= 0)
    printf ("%d here, %d there: %s on %s: other results: +%u -%u ~%u moved %u there\n", found.a + 1, found.b + 1, dump_at (log, (guint) found.a)->pass,
            dump_at (log, (guint) found.a)->unit, counts.added + counts.duplicated, counts.removed, counts.rewritten, counts.moved);
  return LS_CLI_DONE;
}

static int
write_page (LsPassLog  *log,
            Request    *request,
            const char *command)
{
  g_autofree char *name = g_path_get_basename (request->own.file != NULL ? request->own.file : request->file != NULL ? request->file : request->command[0]);
  g_autofree char *page = NULL;
  g_autoptr (GError) error = NULL;

  if (strcmp (request->to, "html") != 0)
    return ls_cli_fail (command, "there is no format %s; there is html", request->to);
  if (request->out == NULL)
    return ls_cli_usage (command, "--to html needs -o OUT.html");
  page = ls_passes_to_page (log, name, request->language != NULL ? request->language : "en", MOST_BYTES);
  if (!g_file_set_contents (request->out, page, -1, &error))
    return ls_cli_fail (command, "%s", error->message);
  printf ("%s: %u dumps, %" G_GSIZE_FORMAT " bytes\n", request->out, log->dumps->len, strlen (page));
  return LS_CLI_DONE;
}

static int
run (Request    *request,
     const char *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPassLog) log = request->time ? NULL : request->own.file != NULL ? ls_cli_own_passes (command, &request->own) : open_log (request, request->file, &error);
  g_autoptr (LsPassLog) other = NULL;

  if (request->time)
    return request->own.file != NULL ? ls_cli_own_times (command, &request->own, request->json) : ls_cli_usage (command, "--time is for --own FILE");
  if (log == NULL)
    return error != NULL ? ls_cli_fail (command, "%s", error->message) : LS_CLI_FAILED;
  if (request->to != NULL)
    return write_page (log, request, command);
  if (request->diff_a != NULL)
    return diff (log, request, command);
  if (request->who != NULL)
    return answer (log, request, command, ls_pass_log_remover (log, request->who));
  if (request->follow != NULL)
    return ls_cli_passes_follow (command, log, request->follow, request->function, request->from, request->json);
  if (request->first != NULL)
    return answer (log, request, command, ls_pass_log_first (log, request->first, 0));
  if (request->other == NULL)
    return list (log, request);
  other = open_log (request, request->other, &error);
  return other != NULL ? first_difference (log, other, request) : ls_cli_fail (command, "%s", error->message);
}

int
ls_cli_passes (int    argc,
               char **argv)
{
  Request request = { 0 };
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
      else if ((word = ls_cli_args_option (&args, "--from")) != NULL)
        request.from = word;
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
