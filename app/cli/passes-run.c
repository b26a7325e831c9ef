/* passes-run: each dump that holds another program is compiled as it stands and called on the same inputs. */
#include "app/cli/passes-run.h"

#include "app/cli/remote.h"

#include "engine/base/json.h"

#include <string.h>

#define TIMEOUT_MS 30000        /* of one dump */
#define BAR 16                  /* blocks of the longest time */
#define CLEARLY 0.10            /* slower or faster by more is a difference */

LsPassLog *
ls_cli_passes_step (const char *command,
                    const char *text,
                    const char *pipeline)
{
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  const char *printed;
  LsPassLog *log;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (pipeline != NULL)
    g_variant_dict_insert (&params, "pipeline", "s", pipeline);
  answer = ls_cli_ask (command, "step-foreign", &params, 0, NULL, NULL);
  printed = answer != NULL ? ls_params_string (answer, "log", NULL) : NULL;
  if (printed == NULL)
    return NULL;
  bytes = g_bytes_new (printed, strlen (printed));
  log = ls_pass_log_read (bytes, LS_PASS_LOG_LLVM, &error);
  if (log == NULL)
    ls_cli_fail (command, "%s", error->message);
  return log;
}

/* ---- running ---- */

typedef LsCliPassesTimed Row;

static void
row_clear (gpointer data)
{
  g_free (((Row *) data)->wrong);
}

/* Holds it another program than those before? */
static gboolean
is_another (LsPassLog *log,
            guint      at,
            gboolean   first)
{
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, at);
  gsize size;
  const char *text = ls_pass_log_text (log, dump->file, &size);

  return dump->language == LS_PASS_LOG_LLVM && (first || dump->effective) && g_strstr_len (text + dump->start, (gssize) (dump->other - dump->start), "define ") != NULL;
}

/* FALSE: the first one could not be run, which was said. */
static gboolean
run_dump (const char           *command,
          LsWorker             *worker,
          LsPassLog            *log,
          const LsCliPassesRun *run,
          Row                  *row,
          GVariant            **reference)
{
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, row->dump);
  g_autofree char *text = g_strndup (ls_pass_log_text (log, dump->file, NULL) + dump->start, dump->other - dump->start);
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "entry", "s", run->entry);
  g_variant_dict_insert (&params, "arguments", "s", run->arguments != NULL ? run->arguments : "");
  g_variant_dict_insert (&params, "seed", "x", (gint64) run->seed);
  if (*reference != NULL)
    g_variant_dict_insert_value (&params, "reference", *reference);
  answer = ls_worker_call (worker, "run-foreign", g_variant_dict_end (&params), &options, NULL, NULL, NULL, &error);
  if (answer == NULL)
    {
      row->wrong = g_strdup_printf ("does not run: %s", error->message);
      if (*reference == NULL)
        ls_cli_fail (command, "%s%s", error->message,
                     strstr (error->message, "LLVM does not read") != NULL ? "  Dumps must hold the whole module: write the log with -print-module-scope." : "");
      return *reference != NULL;
    }
  row->median = ls_cli_number (answer, "median");
  row->iqr = ls_cli_number (answer, "iqr");
  row->wrong = g_strdup (ls_params_string (answer, "wrong", ""));
  if (*reference == NULL)
    *reference = g_variant_lookup_value (answer, "outputs", G_VARIANT_TYPE ("a(ssay)"));
  return TRUE;
}

/* ---- what came out ---- */

/* The row whose time fell or rose most beside the one before it; -1: none clearly. */
static int
largest_step (GArray  *rows,
              gboolean faster)
{
  double most = 1 + CLEARLY;
  int found = -1;

  for (guint i = 1; i < rows->len; i++)
    {
      Row *before = &g_array_index (rows, Row, i - 1), *row = &g_array_index (rows, Row, i);
      double ratio = before->median > 0 && row->median > 0 ? (faster ? before->median / row->median : row->median / before->median) : 0;

      if (ratio > most)
        {
          most = ratio;
          found = (int) i;
        }
    }
  return found;
}

static int
first_wrong (GArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    if (*g_array_index (rows, Row, i).wrong != '\0')
      return (int) i;
  return -1;
}

static const char *
pass_at (LsPassLog *log,
         GArray    *rows,
         int        row)
{
  return g_array_index (log->dumps, LsPassDump, g_array_index (rows, Row, row).dump).pass;
}

/* The time as a bar of blocks beside the longest; (transfer full). */
static char *
bar_of (double median,
        double most)
{
  GString *bar = g_string_new (NULL);

  for (int n = median > 0 ? MAX (1, (int) (BAR * median / most + 0.5)) : 0, i = 0; i < BAR; i++)
    g_string_append (bar, i < n ? "\u2588" : " ");
  return g_string_free (bar, FALSE);
}

static void
print_rows (LsPassLog *log,
            GArray    *rows)
{
  double most = 0;
  int faster = largest_step (rows, TRUE), slower = largest_step (rows, FALSE), wrong = first_wrong (rows);
  double before = 0;

  for (guint i = 0; i < rows->len; i++)
    most = MAX (most, g_array_index (rows, Row, i).median);
  printf ("%5s  %-40s %12s %-*s %9s  %s\n", "", "compiled after", "time", BAR, "", "faster", "result");
  for (guint i = 0; i < rows->len; i++)
    {
      Row *row = &g_array_index (rows, Row, i);
      g_autofree char *time = row->median > 0 ? ls_cli_duration (row->median) : g_strdup ("");
      g_autofree char *bar = bar_of (row->median, most);
      g_autofree char *ratio = before > 0 && row->median > 0 ? g_strdup_printf ("%.2f\u00d7", before / row->median) : g_strdup ("");

      printf ("%5u  %-40s %12s %s %9s  %s\n", row->dump + 1, pass_at (log, rows, (int) i), time, bar, ratio, *row->wrong != '\0' ? row->wrong : "same");
      before = row->median > 0 ? row->median : before;
    }
  if (faster >= 0)
    printf ("made it fastest: %u %s\n", g_array_index (rows, Row, faster).dump + 1, pass_at (log, rows, faster));
  if (slower >= 0)
    printf ("made it slower: %u %s\n", g_array_index (rows, Row, slower).dump + 1, pass_at (log, rows, slower));
  if (wrong >= 0)
    printf ("made it wrong: %u %s: %s\n", g_array_index (rows, Row, wrong).dump + 1, pass_at (log, rows, wrong), g_array_index (rows, Row, wrong).wrong);
  else
    puts ("all results are the same");
}

static void
put_number (JsonBuilder *builder,
            const char  *name,
            int          row,
            GArray      *rows)
{
  json_builder_set_member_name (builder, name);
  if (row >= 0)
    json_builder_add_int_value (builder, g_array_index (rows, Row, row).dump + 1);
  else
    json_builder_add_null_value (builder);
}

static void
print_json (LsPassLog *log,
            GArray    *rows)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_begin_array (builder, "passes");
  for (guint i = 0; i < rows->len; i++)
    {
      Row *row = &g_array_index (rows, Row, i);

      json_builder_begin_object (builder);
      ls_json_put_int (builder, "number", row->dump + 1);
      ls_json_put_text (builder, "pass", pass_at (log, rows, (int) i));
      ls_json_put_double (builder, "median_ns", row->median);
      ls_json_put_double (builder, "iqr_ns", row->iqr);
      ls_json_put_bool (builder, "equal", *row->wrong == '\0');
      ls_json_put_text (builder, "mismatch", row->wrong);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  put_number (builder, "faster", largest_step (rows, TRUE), rows);
  put_number (builder, "slower", largest_step (rows, FALSE), rows);
  put_number (builder, "wrong", first_wrong (rows), rows);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

GArray *
ls_cli_passes_time (const char           *command,
                    LsPassLog            *log,
                    const LsCliPassesRun *run)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_autoptr (GVariant) reference = NULL;

  g_array_set_clear_func (rows, row_clear);
  for (guint i = 0; i < log->dumps->len; i++)
    if (is_another (log, i, rows->len == 0))
      {
        Row row = { .dump = i };

        if (!run_dump (command, worker, log, run, &row, &reference))
          {
            row_clear (&row);
            return NULL;
          }
        g_array_append_val (rows, row);
      }
  if (rows->len > 0)
    return g_steal_pointer (&rows);
  ls_cli_fail (command, "no dump holds a program of LLVM");
  return NULL;
}

int
ls_cli_passes_run (const char           *command,
                   LsPassLog            *log,
                   const LsCliPassesRun *run,
                   gboolean              json)
{
  g_autoptr (GArray) rows = ls_cli_passes_time (command, log, run);

  if (rows == NULL)
    return LS_CLI_FAILED;
  if (json)
    print_json (log, rows);
  else
    print_rows (log, rows);
  return first_wrong (rows) >= 0 ? LS_CLI_FAILED : LS_CLI_DONE;
}
