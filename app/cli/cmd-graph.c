/* graph: a program as a graph: text, JSON, DOT, or a picture that loopscope-draw paints.
 *
 *   --kind K            relax, te, blocks, loops, fx; by what the file holds unless given
 *   --pass, --each      the graph after passes; --each: after every one, with what changed
 *   --search PATTERN    which nodes fit
 *   --compare OTHER     which nodes of two graphs are the same
 *   --times, --trace    every call of a measured run
 */
#include "app/cli/graph-compare.h"
#include "app/cli/graph-memory.h"
#include "app/cli/graph-request.h"
#include "app/cli/graph-times.h"
#include "app/cli/input.h"
#include "engine/graph/edit.h"
#include "engine/graph/series.h"
#include "engine/graph/styles.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* ---- two graphs ------------------------------------------------------------------------- */

/* The module after the passes; NULL: said. (transfer full) */
static LsModule *
after_passes (LsCliGraph  *request,
              LsModule *before)
{
  g_autoptr (LsModule) module = ls_ref (before);

  for (guint i = 0; module != NULL && i < request->passes->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *doubt = ls_graph_edit_doubt_of (module, request->passes->pdata[i]);
      LsModule *after = ls_graph_run_pass (module, request->passes->pdata[i], &error);

      if (doubt != NULL && after != NULL)
        fprintf (stderr, "%s\n", doubt);
      if (after == NULL)
        ls_cli_fail (request->command, "%s", error->message);
      ls_take (&module, after);
    }
  return g_steal_pointer (&module);
}

/* Which function it is of: what fusing makes of it stands in functions of their own. */
static const char *
func_of (LsCliGraph    *request,
         LsModule   *module,
         LsGraphKind kind)
{
  return request->func == NULL && kind == LS_GRAPH_RELAX && ls_module_get (module, "main") != NULL ? "main" : request->func;
}

static LsGraph *
side_of (LsCliGraph    *request,
         const char *file,
         LsModule   *module)
{
  LsCliGraph one = *request;

  one.file = file;
  if (request->kind_name == NULL)
    one.kind = ls_graph_kind_for (module);
  one.func = func_of (request, module, one.kind);
  return ls_cli_graph_of_module (&one, module);
}

typedef struct {
  LsModule          *left_module, *right_module;
  LsGraph           *left, *right;
  LsGraphComparison *comparison;
  GArray            *rows;      /* or NULL */
} Pair;

static void
pair_clear (Pair *self)
{
  g_clear_pointer (&self->comparison, ls_graph_comparison_free);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->left, ls_graph_unref);
  g_clear_pointer (&self->right, ls_graph_unref);
  ls_unref (self->left_module);
  ls_unref (self->right_module);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pair, pair_clear)

/* FALSE: said. */
static gboolean
read_pair (LsCliGraph *request,
           Pair    *self)
{
  gboolean made = strcmp (request->file, request->compare) == 0 && !ls_cli_graph_is_fx_file (request->file);        /* it is a stage of the same program */
  g_autoptr (LsRelaxLineage) lineage = NULL;
  g_autoptr (LsModule) other = NULL;
  LsCliGraph one = *request;

  self->left_module = ls_cli_graph_read_module (request);
  one.file = request->compare;
  other = self->left_module == NULL ? NULL : made ? ls_ref (self->left_module) : ls_cli_graph_read_module (&one);
  if (other == NULL)
    return FALSE;
  lineage = ls_relax_lineage_new ();
  ls_relax_lineage_begin (lineage);
  self->right_module = after_passes (request, other);
  ls_relax_lineage_end (lineage);
  self->left = self->right_module != NULL ? side_of (request, request->file, self->left_module) : NULL;
  self->right = self->left != NULL ? side_of (request, request->compare, self->right_module) : NULL;
  if (self->right == NULL)
    return FALSE;
  self->comparison = made ? ls_graph_compare_made (self->left, self->right, &lineage, 1) : ls_graph_compare (self->left, self->right);
  return TRUE;
}

/* Times and values, where they are asked for. FALSE: said. */
static gboolean
measure_pair (LsCliGraph *request,
              Pair    *self)
{
  const char *func = func_of (request, self->left_module, LS_GRAPH_RELAX);
  g_autoptr (LsGraphTimeline) left = NULL, right = NULL;

  if (!request->times && !request->values)
    return TRUE;
  if (request->times)
    {
      left = ls_cli_graph_measure (request->command, self->left_module, func, request->repeat, request->timeout, self->left, NULL);
      right = left != NULL ? ls_cli_graph_measure (request->command, self->right_module, func, request->repeat, request->timeout, self->right, NULL) : NULL;
      if (right == NULL)
        return FALSE;
    }
  self->rows = ls_graph_beside_new (self->comparison, self->left, self->right);
  if (request->values
      && !ls_cli_graph_values (request->command, self->left_module, self->right_module, func, request->timeout, self->comparison, self->left, self->right, self->rows))
    return FALSE;
  ls_graph_beside_sort (self->rows);
  return TRUE;
}

static int
run_compare (LsCliGraph *request)
{
  g_auto (Pair) pair = { 0 };
  g_autoptr (LsGraphSeries) series = NULL;
  g_autoptr (LsGraph) left = NULL, right = NULL;

  if (!read_pair (request, &pair) || !measure_pair (request, &pair))
    return LS_CLI_FAILED;
  if (request->out == NULL && request->json)
    ls_cli_graph_compare_json (pair.comparison, pair.left, pair.right, pair.rows);
  else if (request->out == NULL)
    {
      ls_cli_graph_compare_text (pair.comparison, pair.left, pair.right, request->all);
      if (pair.rows != NULL)
        ls_cli_graph_beside_text (pair.rows, pair.left, pair.right, request->times, request->values);
    }
  if (request->out == NULL)
    return LS_CLI_DONE;
  left = ls_cli_graph_finish_graph (request, ls_graph_ref (pair.left), NULL);
  right = ls_cli_graph_finish_graph (request, ls_graph_comparison_align (pair.comparison, pair.left, pair.right), left);
  series = ls_graph_series_pair (left, right, request->file, request->compare);
  return g_str_has_suffix (request->out, ".dot") ? ls_cli_graph_write_dot (request, series) : ls_cli_graph_write_pictures (request, series);
}

/* The graph of the file after the passes; NULL: said. */
static LsGraph *
read_side (LsCliGraph   *request,
           LsModule **module)
{
  g_autoptr (LsModule) before = ls_cli_graph_read_module (request);

  *module = before != NULL ? after_passes (request, before) : NULL;
  return *module != NULL ? side_of (request, request->file, *module) : NULL;
}

static int
write_data (LsCliGraph *request,
            const char *path,
            const char *data,
            gssize      length)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, data, length, &error))
    return ls_cli_fail (request->command, "%s", error->message);
  printf ("%s\n", path);
  return LS_CLI_DONE;
}

static int
write_text (LsCliGraph *request,
            const char *path,
            const char *text)
{
  return write_data (request, path, text, -1);
}

/* Each trace of the same runs; a name with an ending of its own is one of JSON. */
static int
write_traces (LsCliGraph            *request,
              const LsGraphTimeline *timeline,
              LsGraph               *graph,
              const gint            *nodes)
{
  int status = LS_CLI_DONE;

  for (guint i = 0; i < request->traces->len && status == LS_CLI_DONE; i++)
    {
      LsGraphTimesFormat format = LS_GRAPH_TIMES_JSON;
      g_autoptr (GBytes) bytes = NULL;

      ls_graph_timeline_format (request->traces->pdata[i], &format);
      bytes = ls_graph_timeline_write (timeline, graph, nodes, request->file, format);
      status = write_data (request, request->traces->pdata[i], g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
    }
  return status;
}

static int
run_times (LsCliGraph *request)
{
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsGraph) graph = read_side (request, &module);
  g_autoptr (LsGraphTimeline) timeline = NULL;
  g_autofree gint *nodes = NULL;
  g_autofree char *table = NULL;

  if (graph == NULL)
    return LS_CLI_FAILED;
  timeline = ls_cli_graph_measure (request->command, module, func_of (request, module, LS_GRAPH_RELAX), request->repeat, request->timeout, graph, &nodes);
  if (timeline == NULL)
    return LS_CLI_FAILED;
  if (request->json)
    ls_cli_graph_times_json (timeline, graph);
  else if (request->times)
    ls_cli_graph_times_text (timeline, graph);
  table = request->out != NULL ? ls_graph_times_csv (graph) : NULL;
  if (table != NULL && write_text (request, request->out, table) != LS_CLI_DONE)
    return LS_CLI_FAILED;
  return write_traces (request, timeline, graph, nodes);
}

static int
run_memory (LsCliGraph *request)
{
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsGraph) graph = read_side (request, &module);
  g_autoptr (LsGraphMemory) memory = graph != NULL ? ls_graph_memory_new (graph) : NULL;

  if (memory == NULL)
    return LS_CLI_FAILED;
  if (request->json)
    ls_cli_graph_memory_json (memory, graph);
  else
    ls_cli_graph_memory_text (memory, graph);
  return LS_CLI_DONE;
}

/* ---- the command -------------------------------------------------------------------------- */

/* The named calls as a module, on standard output or in a file. */
static int
run_extract (LsCliGraph *request)
{
  g_autoptr (LsModule) before = ls_cli_graph_read_module (request), module = before != NULL ? after_passes (request, before) : NULL, own = NULL;
  g_auto (GStrv) names = g_strsplit (request->extract, ",", -1);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (module == NULL)
    return LS_CLI_FAILED;
  for (guint i = 0; names[i] != NULL; i++)
    g_strstrip (names[i]);
  own = ls_graph_edit_extract (module, request->func != NULL ? request->func : "main", (const char *const *) names, &error);
  if (own == NULL)
    return ls_cli_fail (request->command, "%s", error->message);
  text = ls_cli_module_text (own);
  if (request->out != NULL)
    return write_text (request, request->out, text);
  ls_cli_put_text (text);
  return LS_CLI_DONE;
}

/* The module after the passes, as TVMScript. */
static int
run_module (LsCliGraph *request)
{
  g_autoptr (LsModule) before = ls_cli_graph_read_module (request), module = before != NULL ? after_passes (request, before) : NULL;
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;

  return text != NULL ? write_text (request, request->out, text) : LS_CLI_FAILED;
}

/* A file for each state, with everything that is known of nodes and edges. */
static int
write_json (LsCliGraph       *request,
            LsGraphSeries *series)
{
  for (guint i = 0; i < series->states->len; i++)
    {
      g_autofree char *path = ls_cli_graph_state_path (request->out, series, i), *text = ls_graph_to_json (ls_graph_series_state (series, i)->graph);

      if (write_text (request, path, text) != LS_CLI_DONE)
        return LS_CLI_FAILED;
    }
  return LS_CLI_DONE;
}

static int
check_request (LsCliGraph *request)
{
  static const char *const ENDINGS[] = { "svg", "png", "pdf", "dot", "json", "py", NULL };
  gboolean is_table = request->times && request->compare == NULL && request->out != NULL && g_str_has_suffix (request->out, ".csv");
  const char *dot = request->out != NULL ? strrchr (request->out, '.') : NULL;

  if (request->file == NULL)
    return ls_cli_usage (request->command, "a file is expected");
  if (request->kind_name != NULL && !ls_graph_kind_parse (request->kind_name, &request->kind))
    return ls_cli_usage (request->command, "--kind %s: relax, te, blocks, loops or fx is expected", request->kind_name);
  if ((request->times || request->traces->len > 0) && request->compare == NULL && request->out != NULL && !is_table)
    return ls_cli_usage (request->command, "-o %s: a table of times has a name that ends in .csv", request->out);
  if (request->values && request->compare == NULL)
    return ls_cli_usage (request->command, "--values is for --compare");
  if (request->styles->len > LS_GRAPH_MOST_STYLES)
    return ls_cli_usage (request->command, "--style: at most %d colours", LS_GRAPH_MOST_STYLES);
  if (request->repeat < 1)
    return ls_cli_usage (request->command, "--repeat: 1 or more is expected");
  if (request->extract != NULL && request->out != NULL && !g_str_has_suffix (request->out, ".py"))
    return ls_cli_usage (request->command, "-o %s: a module has a name that ends in .py", request->out);
  if (!is_table && request->extract == NULL && request->out != NULL && (dot == NULL || !g_strv_contains (ENDINGS, dot + 1)))
    return ls_cli_usage (request->command, "-o %s: a name that ends in .svg, .png, .pdf, .dot, .json or .py is expected", request->out);
  if (request->all && request->compare == NULL)
    return ls_cli_usage (request->command, "--matches is for --compare");
  if (request->each && request->passes->len == 0)
    return ls_cli_usage (request->command, "--each shows the graph after each --pass; there is none");
  return LS_CLI_DONE;
}

static int
run (LsCliGraph *request)
{
  g_autoptr (LsGraphSeries) series = NULL;

  if (request->compare != NULL)
    return run_compare (request);
  if (request->times || request->traces->len > 0)
    return run_times (request);
  if (request->extract != NULL)
    return run_extract (request);
  if (request->memory)
    return run_memory (request);
  if (request->out != NULL && g_str_has_suffix (request->out, ".py"))
    return run_module (request);
  series = ls_cli_graph_read_series (request);
  if (series == NULL || !ls_cli_graph_has_nodes (request, series) || (request->numbers != NULL && !ls_cli_graph_add_numbers (request, series)))
    return LS_CLI_FAILED;
  if (request->json)
    return ls_cli_graph_print_json (request, series);
  if (request->out == NULL)
    return ls_cli_graph_print_text (request, series);
  if (g_str_has_suffix (request->out, ".dot"))
    return ls_cli_graph_write_dot (request, series);
  if (g_str_has_suffix (request->out, ".json"))
    return write_json (request, series);
  return ls_cli_graph_write_pictures (request, series);
}

int
ls_cli_graph (int    argc,
              char **argv)
{
  g_autoptr (GPtrArray) passes = g_ptr_array_new ();
  g_autoptr (GPtrArray) styles = g_ptr_array_new (), traces = g_ptr_array_new ();
  LsCliGraph request = { .passes = passes, .styles = styles, .traces = traces, .limit = 400, .repeat = 30, .timeout = 300, .command = argv[0] };
  const LsCliOption options[] = {
    { "--kind", LS_CLI_TEXT, &request.kind_name },
    { "-o", LS_CLI_TEXT, &request.out },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--pass", LS_CLI_LIST, passes },
    { "--each", LS_CLI_FLAG, &request.each },
    { "--fold-constants", LS_CLI_FLAG, &request.fold_constants },
    { "--fold", LS_CLI_NUMBER, &request.limit },
    { "--search", LS_CLI_TEXT, &request.search },
    { "--style", LS_CLI_LIST, styles },
    { "--compare", LS_CLI_TEXT, &request.compare },
    { "--matches", LS_CLI_FLAG, &request.all },
    { "--memory", LS_CLI_FLAG, &request.memory },
    { "--times", LS_CLI_FLAG, &request.times },
    { "--values", LS_CLI_FLAG, &request.values },
    { "--extract", LS_CLI_TEXT, &request.extract },
    { "--trace", LS_CLI_LIST, traces },
    { "--repeat", LS_CLI_NUMBER, &request.repeat },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--numbers", LS_CLI_TEXT, &request.numbers },
    { "--dark", LS_CLI_FLAG, &request.dark },
    { "--json", LS_CLI_FLAG, &request.json },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status == LS_CLI_DONE)
    status = check_request (&request);
  return status == LS_CLI_DONE ? run (&request) : status;
}
