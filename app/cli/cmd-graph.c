/* graph: a program as a graph: text, JSON, DOT, or a picture that loopscope-draw paints.
 *
 *   --kind K            relax, te, blocks, loops, fx; by what the file holds unless given
 *   --pass, --each      the graph after passes; --each: after every one, with what changed
 *   --search PATTERN    which nodes fit
 *   --compare OTHER     which nodes of two graphs are the same
 *   --times, --trace    every call of a measured run
 */
#include "app/cli/graph-compare.h"
#include "app/cli/graph-draw.h"
#include "app/cli/graph-memory.h"
#include "app/cli/graph-times.h"
#include "app/cli/input.h"
#include "engine/frontend/fx/fx.h"
#include "engine/frontend/pt2/pt2.h"
#include "engine/graph/edit.h"
#include "engine/graph/fx.h"
#include "engine/graph/series.h"
#include "engine/graph/styles.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *kind_name, *out, *func, *steps, *search, *numbers, *compare, *trace, *extract;
  GPtrArray  *passes, *styles;  /* of const char * */
  gint64      limit, repeat, timeout;
  gboolean    each, fold_constants, dark, json, all, memory, times, values;
  LsGraphKind kind;
  const char *command;
} Request;

/* ---- what the file holds ---------------------------------------------------------- */

static gboolean
is_fx_file (const char *path)
{
  return g_str_has_suffix (path, ".json") || g_str_has_suffix (path, ".pt2");
}

static LsFxGraph *
read_fx (Request *request)
{
  g_autoptr (GError) error = NULL;
  LsFxGraph *fx = g_str_has_suffix (request->file, ".pt2") ? ls_pt2_read (request->file, &error) : ls_fx_graph_read (request->file, &error);

  if (fx == NULL)
    ls_cli_fail (request->command, "%s", error->message);
  return fx;
}

static LsModule *
read_module (Request *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) fx = NULL;
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  LsFxOptions options = { 0 };
  LsModule *module;

  if (!is_fx_file (request->file))
    return request->steps != NULL ? ls_cli_read_scheduled (request->command, request->file, request->steps)
                                  : ls_cli_read_module (request->command, request->file);
  fx = read_fx (request);
  options.said = g_str_has_suffix (request->file, ".pt2") ? said : NULL;
  module = fx != NULL ? ls_fx_graph_import (fx, &options, &error) : NULL;
  for (guint i = 0; module != NULL && i < said->len; i++)
    fprintf (stderr, "warning: %s\n", (const char *) said->pdata[i]);
  if (error != NULL)
    ls_cli_fail (request->command, "%s", error->message);
  return module;
}

/* NULL: said. */
static LsGraph *
graph_of_module (Request  *request,
                 LsModule *module)
{
  switch (request->kind)
    {
    case LS_GRAPH_RELAX:
      return ls_graph_from_relax (module, request->func);
    case LS_GRAPH_TE:
      return ls_graph_from_stages (module, request->func);
    case LS_GRAPH_BLOCKS:
      return ls_graph_from_blocks (module, request->func, NULL);
    case LS_GRAPH_LOOPS:
      {
        g_autoptr (LsSchedule) schedule = request->steps != NULL ? ls_cli_read_schedule (request->command, request->file, request->steps, 0)
                                                                 : ls_schedule_new (module);

        return schedule != NULL ? ls_graph_from_loops (schedule) : NULL;
      }
    case LS_GRAPH_FX:
      break;
    }
  ls_cli_fail (request->command, "%s is no saved graph of torch.fx", request->file);
  return NULL;
}

static LsGraph *
finish_graph (Request *request,
              LsGraph *graph)   /* (transfer full) */
{
  if (request->fold_constants)
    {
      LsGraph *folded = ls_graph_fold_constants (graph, TRUE);

      ls_graph_unref (graph);
      graph = folded;
    }
  if (request->limit > 0)
    {
      LsGraph *folded = ls_graph_fold_groups (graph, (guint) request->limit, NULL);

      ls_graph_unref (graph);
      graph = folded;
    }
  return graph;
}

static gboolean
add_state (Request    *request,
           LsModule   *module,
           const char *label,
           GPtrArray  *graphs,
           GPtrArray  *labels)
{
  LsGraph *graph = graph_of_module (request, module);

  if (graph == NULL)
    return FALSE;
  g_ptr_array_add (graphs, finish_graph (request, graph));
  g_ptr_array_add (labels, (gpointer) label);
  return TRUE;
}

static gboolean
add_states (Request   *request,
            GPtrArray *graphs,
            GPtrArray *labels)
{
  g_autoptr (LsModule) module = read_module (request);
  gboolean done;

  if (module == NULL)
    return FALSE;
  if (request->kind_name == NULL)
    request->kind = ls_graph_kind_for (module);
  done = !request->each && request->passes->len > 0 ? TRUE : add_state (request, module, "before", graphs, labels);
  for (guint i = 0; done && i < request->passes->len; i++)
    {
      g_autoptr (GError) error = NULL;
      LsModule *after = ls_graph_run_pass (module, request->passes->pdata[i], &error);

      if (after == NULL)
        {
          ls_cli_fail (request->command, "%s", error->message);
          return FALSE;
        }
      ls_take (&module, after);
      if (request->each || i + 1 == request->passes->len)
        done = add_state (request, module, request->passes->pdata[i], graphs, labels);
    }
  return done;
}

static LsGraphSeries *
read_series (Request *request)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  if (request->kind_name == NULL && is_fx_file (request->file) && request->passes->len == 0)
    request->kind = LS_GRAPH_FX;
  if (request->kind == LS_GRAPH_FX)
    {
      g_autoptr (LsFxGraph) fx = is_fx_file (request->file) ? read_fx (request) : NULL;

      if (fx == NULL)
        {
          if (!is_fx_file (request->file))
            ls_cli_fail (request->command, "%s is no saved graph of torch.fx", request->file);
          return NULL;
        }
      if (request->passes->len > 0)
        {
          ls_cli_fail (request->command, "passes work on modules; --kind relax imports the graph first");
          return NULL;
        }
      g_ptr_array_add (graphs, finish_graph (request, ls_graph_from_fx (fx)));
      g_ptr_array_add (labels, "as saved");
    }
  else if (!add_states (request, graphs, labels))
    return NULL;
  return ls_graph_series_new (graphs, labels);
}

static gboolean
has_nodes (Request       *request,
           LsGraphSeries *series)
{
  for (guint i = 0; i < series->states->len; i++)
    if (ls_graph_series_state (series, i)->graph->nodes->len > 0)
      return TRUE;
  switch (request->kind)
    {
    case LS_GRAPH_RELAX:
      ls_cli_fail (request->command, "there is no function of Relax%s%s in %s", request->func != NULL ? " called " : "", request->func != NULL ? request->func : "", request->file);
      break;
    case LS_GRAPH_TE:
    case LS_GRAPH_BLOCKS:
    case LS_GRAPH_LOOPS:
      ls_cli_fail (request->command, "there is no PrimFunc%s%s in %s; LegalizeOps makes them of Relax's operators", request->func != NULL ? " called " : "", request->func != NULL ? request->func : "", request->file);
      break;
    case LS_GRAPH_FX:
      ls_cli_fail (request->command, "the graph has no nodes");
      break;
    }
  return FALSE;
}

static gboolean
add_numbers (Request       *request,
             LsGraphSeries *series)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  if (!g_file_get_contents (request->numbers, &text, NULL, &error))
    {
      ls_cli_fail (request->command, "%s", error->message);
      return FALSE;
    }
  for (guint i = 0; i < series->states->len; i++)
    {
      g_clear_error (&error);
      n += ls_graph_read_numbers (ls_graph_series_state (series, i)->graph, text, &error);
    }
  if (n > 0)
    return TRUE;
  ls_cli_fail (request->command, "%s: %s", request->numbers, error->message);
  return FALSE;
}

/* ---- searches as colours ---------------------------------------------------------------- */

/* Of each node the number of its colour plus one, or NULL: none is asked for.  *failed: a pattern is wrong, which was said. (transfer full) */
static guint8 *
styles_of (Request  *request,
           LsGraph  *graph,
           gboolean *failed)
{
  g_autoptr (GPtrArray) patterns = g_ptr_array_copy (request->styles, NULL, NULL);
  g_autofree char *wrong = NULL;
  guint8 *styles;

  g_ptr_array_add (patterns, NULL);
  if (patterns->len == 1)
    return NULL;
  styles = ls_graph_style_nodes (graph, (const char *const *) patterns->pdata, &wrong);
  *failed = wrong != NULL;
  if (wrong != NULL)
    ls_cli_fail (request->command, "--style %s", wrong);
  return styles;
}

/* "a int8: 3 nodes", and which. FALSE: said. */
static gboolean
print_styles (Request *request,
              LsGraph *graph)
{
  gboolean failed = FALSE;
  g_autofree guint8 *styles = styles_of (request, graph, &failed);

  for (guint i = 0; styles != NULL && !failed && i < request->styles->len; i++)
    {
      g_autoptr (GString) names = g_string_new (NULL);
      guint n = 0;

      for (guint k = 0; k < graph->nodes->len; k++)
        if (styles[k] == i + 1)
          g_string_append_printf (names, "%s%s", n++ > 0 ? ", " : "", ls_graph_node (graph, k)->name != NULL ? ls_graph_node (graph, k)->name : ls_graph_node (graph, k)->title);
      printf ("\n%c %s: %u %s%s%s\n", 'a' + (int) i, (const char *) request->styles->pdata[i], n, n == 1 ? "node" : "nodes", n > 0 ? ": " : "", names->str);
    }
  return !failed;
}

/* ---- text, JSON, DOT ----------------------------------------------------------------- */

/* aau: of each match the numbers of its nodes. Floating. */
static GVariant *
matches_variant (GPtrArray *matches)
{
  GVariantBuilder found;

  g_variant_builder_init (&found, G_VARIANT_TYPE ("aau"));
  for (guint i = 0; i < matches->len; i++)
    {
      GArray *match = matches->pdata[i];

      g_variant_builder_add_value (&found, g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, match->data, match->len, sizeof (guint)));
    }
  return g_variant_builder_end (&found);
}

/* aas: of each match the keys of its nodes in the whole graph. Floating. */
static GVariant *
keys_variant (LsGraph   *whole,
              GPtrArray *matches)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE ("aas"));
  for (guint i = 0; i < matches->len; i++)
    {
      GArray *match = matches->pdata[i];

      g_variant_builder_open (&all, G_VARIANT_TYPE ("as"));
      for (guint k = 0; k < match->len; k++)
        g_variant_builder_add (&all, "s", ls_graph_node (whole, g_array_index (match, guint, k))->key);
      g_variant_builder_close (&all);
    }
  return g_variant_builder_end (&all);
}

/* `matches`: of the whole graph, folded or not; or NULL. */
static GVariant *
state_variant (LsGraphState *state,
               GPtrArray    *matches)
{
  g_autoptr (GVariant) graph = g_variant_ref_sink (ls_graph_to_variant (state->graph));
  GVariantBuilder marks;
  GVariantDict dict;

  g_variant_dict_init (&dict, graph);
  g_variant_dict_insert (&dict, "label", "s", state->label);
  g_variant_builder_init (&marks, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < state->graph->nodes->len; i++)
    g_variant_builder_add (&marks, "s", ls_graph_mark_sign (state->marks[state->places[i]]));
  g_variant_dict_insert_value (&dict, "marks", g_variant_builder_end (&marks));
  if (matches != NULL)
    {
      g_autoptr (GPtrArray) shown = ls_graph_show_matches (state->graph, matches);

      g_variant_dict_insert_value (&dict, "matches", matches_variant (shown));
      g_variant_dict_insert_value (&dict, "found", keys_variant (ls_graph_get_whole (state->graph), matches));
    }
  return g_variant_dict_end (&dict);
}

static void
print_state (LsGraphSeries *series,
             guint          at,
             GPtrArray     *matches)
{
  LsGraphState *state = ls_graph_series_state (series, at);
  g_autoptr (GPtrArray) signs = g_ptr_array_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; at > 0 && i < state->graph->nodes->len; i++)
    g_ptr_array_add (signs, (gpointer) ls_graph_mark_sign (state->marks[state->places[i]]));
  text = ls_graph_to_text (state->graph, matches, at > 0 ? (const char *const *) signs->pdata : NULL);
  if (series->states->len > 1)
    {
      g_autofree char *words = at > 0 ? ls_graph_state_words (state) : NULL;

      printf ("%s---- %u %s%s%s\n", at > 0 ? "\n" : "", at, state->label, words != NULL ? ": " : "", words != NULL ? words : "");
    }
  fputs (text, stdout);
  for (guint i = 0; at > 0 && i < series->whole->nodes->len; i++)
    if (state->marks[i] == LS_GRAPH_REMOVED)
      {
        LsGraphNode *gone = ls_graph_node (ls_graph_series_state (series, at - 1)->graph, ls_graph_series_state (series, at - 1)->nodes[i]);

        printf ("- %s  %s\n", gone->name != NULL ? gone->name : gone->title, gone->detail != NULL ? gone->detail : "");
      }
}

static char *
match_text (LsGraph *graph,
            GArray  *match)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < match->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, g_array_index (match, guint, i));

      g_string_append_printf (text, "%s%s", i > 0 ? " -> " : "", node->title);
      if (node->name != NULL && strcmp (node->name, node->title) != 0)
        g_string_append_printf (text, " (%s)", node->name);
    }
  return g_strdup (text->str);
}

/* How many matches begin in each group that is folded, as lines. */
static void
print_groups (LsGraph   *graph,
              GPtrArray *matches)
{
  g_autofree guint *counts = g_new0 (guint, graph->nodes->len + 1);

  for (guint i = 0; i < matches->len; i++)
    counts[ls_graph_get_shown (graph, g_array_index ((GArray *) matches->pdata[i], guint, 0))]++;
  for (guint i = 0; i < graph->nodes->len; i++)
    if (counts[i] > 0 && ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_GROUP)
      printf ("  %u in %s, %s\n", counts[i], ls_graph_node (graph, i)->title, ls_graph_node (graph, i)->detail);
}

/* `matches`: of the whole graph, folded or not. */
static void
print_matches (LsGraph   *graph,
               GPtrArray *matches,
               const char *pattern)
{
  printf ("\n%u %s of %s\n", matches->len, matches->len == 1 ? "match" : "matches", pattern);
  print_groups (graph, matches);
  for (guint i = 0; i < matches->len; i++)
    {
      g_autofree char *text = match_text (ls_graph_get_whole (graph), matches->pdata[i]);

      printf ("  %s\n", text);
    }
}

static int
print_text (Request       *request,
            LsGraphSeries *series)
{
  for (guint i = 0; i < series->states->len; i++)
    {
      LsGraph *graph = ls_graph_series_state (series, i)->graph;
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) matches = request->search != NULL ? ls_graph_search (ls_graph_get_whole (graph), request->search, &error) : NULL;
      g_autoptr (GPtrArray) shown = matches != NULL ? ls_graph_show_matches (graph, matches) : NULL;

      if (error != NULL)
        return ls_cli_fail (request->command, "--search %s: %s", request->search, error->message);
      print_state (series, i, shown);
      if (matches != NULL)
        print_matches (graph, matches, request->search);
      if (!print_styles (request, graph))
        return LS_CLI_FAILED;
    }
  return LS_CLI_DONE;
}

static int
print_json (Request       *request,
            LsGraphSeries *series)
{
  g_autoptr (GVariant) whole = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  GVariantBuilder states;
  GVariantDict dict;

  g_variant_builder_init (&states, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < series->states->len; i++)
    {
      LsGraphState *state = ls_graph_series_state (series, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) matches = request->search != NULL ? ls_graph_search (ls_graph_get_whole (state->graph), request->search, &error) : NULL;

      if (error != NULL)
        {
          g_variant_builder_clear (&states);
          return ls_cli_fail (request->command, "--search %s: %s", request->search, error->message);
        }
      g_variant_builder_add_value (&states, state_variant (state, matches));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "states", g_variant_builder_end (&states));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  root = json_gvariant_serialize (whole);
  text = json_to_string (root, TRUE);
  puts (text);
  return LS_CLI_DONE;
}

/* "out-2.svg" for state 2 of several. (transfer full) */
static char *
state_path (const char    *path,
            LsGraphSeries *series,
            guint          at)
{
  const char *dot = strrchr (path, '.');

  if (series->states->len == 1)
    return g_strdup (path);
  return g_strdup_printf ("%.*s-%u%s", (int) (dot - path), path, at, dot);
}

static int
write_dot (Request       *request,
           LsGraphSeries *series)
{
  for (guint i = 0; i < series->states->len; i++)
    {
      g_autofree char *text = ls_graph_to_dot (ls_graph_series_state (series, i)->graph);
      g_autofree char *path = state_path (request->out, series, i);
      g_autoptr (GError) error = NULL;

      if (!g_file_set_contents (path, text, -1, &error))
        return ls_cli_fail (request->command, "%s", error->message);
      printf ("%s\n", path);
    }
  return LS_CLI_DONE;
}

/* ---- pictures: loopscope-draw reads the graphs and paints them -------------------------- */

/* NULL: said. */
static GBytes *
picture_request (Request       *request,
                 LsGraphSeries *series)
{
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder states;
  GVariantDict dict;

  g_variant_builder_init (&states, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < series->states->len; i++)
    {
      LsGraphState *state = ls_graph_series_state (series, i);
      g_autofree char *path = state_path (request->out, series, i);
      g_autoptr (GVariant) graph = g_variant_ref_sink (ls_graph_to_variant (state->graph));
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) matches = request->search != NULL ? ls_graph_search (ls_graph_get_whole (state->graph), request->search, &error) : NULL;
      g_autoptr (GPtrArray) shown = matches != NULL ? ls_graph_show_matches (state->graph, matches) : NULL;
      gboolean failed = FALSE;
      g_autofree guint8 *styles = styles_of (request, state->graph, &failed);
      GVariantDict one;

      if (error != NULL || failed)
        {
          g_variant_builder_clear (&states);
          if (error != NULL)
            ls_cli_fail (request->command, "--search %s: %s", request->search, error->message);
          return NULL;
        }
      g_variant_dict_init (&one, graph);
      if (shown != NULL)
        g_variant_dict_insert_value (&one, "matches", matches_variant (shown));
      if (styles != NULL)
        g_variant_dict_insert_value (&one, "styles", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, styles, state->graph->nodes->len, 1));
      g_variant_dict_insert (&one, "label", "s", state->label);
      g_variant_dict_insert (&one, "path", "s", path);
      g_variant_builder_add_value (&states, g_variant_dict_end (&one));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "states", g_variant_builder_end (&states));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  return g_variant_get_data_as_bytes (whole);
}

static int
write_pictures (Request       *request,
                LsGraphSeries *series)
{
  g_autoptr (GBytes) input = picture_request (request, series);

  return input != NULL ? ls_cli_draw_graphs (request->command, input, request->dark) : LS_CLI_FAILED;
}

/* ---- two graphs ------------------------------------------------------------------------- */

/* The module after the passes; NULL: said. (transfer full) */
static LsModule *
after_passes (Request  *request,
              LsModule *before)
{
  g_autoptr (LsModule) module = ls_ref (before);

  for (guint i = 0; module != NULL && i < request->passes->len; i++)
    {
      g_autoptr (GError) error = NULL;
      LsModule *after = ls_graph_run_pass (module, request->passes->pdata[i], &error);

      if (after == NULL)
        ls_cli_fail (request->command, "%s", error->message);
      ls_take (&module, after);
    }
  return g_steal_pointer (&module);
}

/* Which function it is of: what fusing makes of it stands in functions of their own. */
static const char *
func_of (Request    *request,
         LsModule   *module,
         LsGraphKind kind)
{
  return request->func == NULL && kind == LS_GRAPH_RELAX && ls_module_get (module, "main") != NULL ? "main" : request->func;
}

static LsGraph *
side_of (Request    *request,
         const char *file,
         LsModule   *module)
{
  Request one = *request;

  one.file = file;
  if (request->kind_name == NULL)
    one.kind = ls_graph_kind_for (module);
  one.func = func_of (request, module, one.kind);
  return graph_of_module (&one, module);
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
read_pair (Request *request,
           Pair    *self)
{
  gboolean made = strcmp (request->file, request->compare) == 0 && !is_fx_file (request->file);        /* it is a stage of the same program */
  g_autoptr (LsRelaxLineage) lineage = NULL;
  g_autoptr (LsModule) other = NULL;
  Request one = *request;

  self->left_module = read_module (request);
  one.file = request->compare;
  other = self->left_module == NULL ? NULL : made ? ls_ref (self->left_module) : read_module (&one);
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
measure_pair (Request *request,
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
run_compare (Request *request)
{
  g_auto (Pair) pair = { 0 };
  g_autoptr (LsGraphSeries) series = NULL;
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref), labels = g_ptr_array_new ();

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
  g_ptr_array_add (graphs, finish_graph (request, ls_graph_ref (pair.left)));
  g_ptr_array_add (graphs, finish_graph (request, ls_graph_comparison_align (pair.comparison, pair.left, pair.right)));
  g_ptr_array_add (labels, (gpointer) request->file);
  g_ptr_array_add (labels, (gpointer) request->compare);
  series = ls_graph_series_new (graphs, labels);
  return g_str_has_suffix (request->out, ".dot") ? write_dot (request, series) : write_pictures (request, series);
}

/* The graph of the file after the passes; NULL: said. */
static LsGraph *
read_side (Request   *request,
           LsModule **module)
{
  g_autoptr (LsModule) before = read_module (request);

  *module = before != NULL ? after_passes (request, before) : NULL;
  return *module != NULL ? side_of (request, request->file, *module) : NULL;
}

static int
write_text (Request    *request,
            const char *path,
            const char *text)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, text, -1, &error))
    return ls_cli_fail (request->command, "%s", error->message);
  printf ("%s\n", path);
  return LS_CLI_DONE;
}

static int
run_times (Request *request)
{
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsGraph) graph = read_side (request, &module);
  g_autoptr (LsGraphTimeline) timeline = NULL;
  g_autofree gint *nodes = NULL;
  g_autofree char *trace = NULL, *table = NULL;

  if (graph == NULL)
    return LS_CLI_FAILED;
  timeline = ls_cli_graph_measure (request->command, module, func_of (request, module, LS_GRAPH_RELAX), request->repeat, request->timeout, graph, &nodes);
  if (timeline == NULL)
    return LS_CLI_FAILED;
  if (request->json)
    ls_cli_graph_times_json (timeline, graph);
  else if (request->times)
    ls_cli_graph_times_text (timeline, graph);
  table = request->out != NULL ? ls_cli_graph_times_csv (graph) : NULL;
  if (table != NULL && write_text (request, request->out, table) != LS_CLI_DONE)
    return LS_CLI_FAILED;
  trace = request->trace != NULL ? ls_graph_timeline_trace (timeline, graph, nodes, request->file) : NULL;
  return trace != NULL ? write_text (request, request->trace, trace) : LS_CLI_DONE;
}

static int
run_memory (Request *request)
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
run_extract (Request *request)
{
  g_autoptr (LsModule) before = read_module (request), module = before != NULL ? after_passes (request, before) : NULL, own = NULL;
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
run_module (Request *request)
{
  g_autoptr (LsModule) before = read_module (request), module = before != NULL ? after_passes (request, before) : NULL;
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;

  return text != NULL ? write_text (request, request->out, text) : LS_CLI_FAILED;
}

/* A file for each state, with everything that is known of nodes and edges. */
static int
write_json (Request       *request,
            LsGraphSeries *series)
{
  for (guint i = 0; i < series->states->len; i++)
    {
      g_autofree char *path = state_path (request->out, series, i), *text = ls_graph_to_json (ls_graph_series_state (series, i)->graph);

      if (write_text (request, path, text) != LS_CLI_DONE)
        return LS_CLI_FAILED;
    }
  return LS_CLI_DONE;
}

static int
check_request (Request *request)
{
  static const char *const ENDINGS[] = { "svg", "png", "pdf", "dot", "json", "py", NULL };
  gboolean is_table = request->times && request->compare == NULL && request->out != NULL && g_str_has_suffix (request->out, ".csv");
  const char *dot = request->out != NULL ? strrchr (request->out, '.') : NULL;

  if (request->file == NULL)
    return ls_cli_usage (request->command, "a file is expected");
  if (request->kind_name != NULL && !ls_graph_kind_parse (request->kind_name, &request->kind))
    return ls_cli_usage (request->command, "--kind %s: relax, te, blocks, loops or fx is expected", request->kind_name);
  if ((request->times || request->trace != NULL) && request->compare == NULL && request->out != NULL && !is_table)
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
run (Request *request)
{
  g_autoptr (LsGraphSeries) series = NULL;

  if (request->compare != NULL)
    return run_compare (request);
  if (request->times || request->trace != NULL)
    return run_times (request);
  if (request->extract != NULL)
    return run_extract (request);
  if (request->memory)
    return run_memory (request);
  if (request->out != NULL && g_str_has_suffix (request->out, ".py"))
    return run_module (request);
  series = read_series (request);
  if (series == NULL || !has_nodes (request, series) || (request->numbers != NULL && !add_numbers (request, series)))
    return LS_CLI_FAILED;
  if (request->json)
    return print_json (request, series);
  if (request->out == NULL)
    return print_text (request, series);
  if (g_str_has_suffix (request->out, ".dot"))
    return write_dot (request, series);
  if (g_str_has_suffix (request->out, ".json"))
    return write_json (request, series);
  return write_pictures (request, series);
}

int
ls_cli_graph (int    argc,
              char **argv)
{
  g_autoptr (GPtrArray) passes = g_ptr_array_new ();
  g_autoptr (GPtrArray) styles = g_ptr_array_new ();
  Request request = { .passes = passes, .styles = styles, .limit = 400, .repeat = 30, .timeout = 300, .command = argv[0] };
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
    { "--trace", LS_CLI_TEXT, &request.trace },
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
