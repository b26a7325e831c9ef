/* graph-print: the states of a graph as text, JSON, DOT, or pictures. */
#include "app/cli/graph-request.h"

#include "app/cli/graph-draw.h"
#include "app/cli/input.h"
#include "engine/graph/styles.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* ---- searches as colours ---------------------------------------------------------------- */

/* Of each node the number of its colour plus one, or NULL: none is asked for.  *failed: a pattern is wrong, which was said. (transfer full) */
static guint8 *
styles_of (LsCliGraph  *request,
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

/* "a int8: 3 nodes", and which, folded or not. FALSE: said. */
static gboolean
print_styles (LsCliGraph *request,
              LsGraph    *shown)
{
  LsGraph *graph = ls_graph_get_whole (shown);
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
  guint most = ls_graph_most_matches (ls_graph_get_whole (graph));

  if (matches->len > most)
    printf ("\nmore than %u matches of %s; the first are\n", most, pattern);
  else
    printf ("\n%u %s of %s\n", matches->len, matches->len == 1 ? "match" : "matches", pattern);
  print_groups (graph, matches);
  for (guint i = 0; i < matches->len; i++)
    {
      g_autofree char *text = match_text (ls_graph_get_whole (graph), matches->pdata[i]);

      printf ("  %s\n", text);
    }
}

int
ls_cli_graph_print_text (LsCliGraph       *request,
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

int
ls_cli_graph_print_json (LsCliGraph       *request,
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
char *
ls_cli_graph_state_path (const char    *path,
            LsGraphSeries *series,
            guint          at)
{
  const char *dot = strrchr (path, '.');

  if (series->states->len == 1)
    return g_strdup (path);
  return g_strdup_printf ("%.*s-%u%s", (int) (dot - path), path, at, dot);
}

int
ls_cli_graph_write_dot (LsCliGraph       *request,
           LsGraphSeries *series)
{
  for (guint i = 0; i < series->states->len; i++)
    {
      g_autofree char *text = ls_graph_to_dot (ls_graph_series_state (series, i)->graph);
      g_autofree char *path = ls_cli_graph_state_path (request->out, series, i);
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
picture_request (LsCliGraph       *request,
                 LsGraphSeries *series)
{
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder states;
  GVariantDict dict;

  g_variant_builder_init (&states, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < series->states->len; i++)
    {
      LsGraphState *state = ls_graph_series_state (series, i);
      g_autofree char *path = ls_cli_graph_state_path (request->out, series, i);
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
  if (series->is_pair)
    g_variant_dict_insert (&dict, "pair", "b", TRUE);
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  return g_variant_get_data_as_bytes (whole);
}

int
ls_cli_graph_write_pictures (LsCliGraph       *request,
                LsGraphSeries *series)
{
  g_autoptr (GBytes) input = picture_request (request, series);

  return input != NULL ? ls_cli_draw_graphs (request->command, input, request->dark) : LS_CLI_FAILED;
}
