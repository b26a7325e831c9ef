/* passes-graph: all states of the function are laid out together, so that a block stands where it stands after every other pass. */
#include "app/cli/passes-graph.h"

#include "app/cli/graph-draw.h"
#include "app/cli/remote.h"
#include "app/page/passes-flow.h"

#include <string.h>

static gboolean
find_pass (LsPassLog  *log,
           const char *pass,
           const char *function,
           guint      *dump)
{
  guint64 number;

  if (g_ascii_string_to_unsigned (pass, 10, 1, log->dumps->len, &number, NULL))
    {
      *dump = (guint) number - 1;
      return TRUE;
    }
  for (guint i = 0; i < log->parts->len; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);

      *dump = part->dump;
      if (strcmp (part->name, function) == 0 && strcmp (g_array_index (log->dumps, LsPassDump, part->dump).pass, pass) == 0)
        return TRUE;
    }
  return FALSE;
}

static int
write_picture (const char             *command,
               LsGraphSeries          *series,
               guint                   at,
               const LsCliPassesGraph *request)
{
  g_autoptr (GVariant) whole = NULL;
  g_autoptr (GBytes) input = NULL;
  GVariantBuilder states;
  GVariantDict dict;

  g_variant_builder_init (&states, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < series->states->len; i++)
    {
      g_autoptr (GVariant) graph = g_variant_ref_sink (ls_graph_to_variant (ls_graph_series_state (series, i)->graph));
      GVariantDict one;

      g_variant_dict_init (&one, graph);
      g_variant_dict_insert (&one, "label", "s", ls_graph_series_state (series, i)->label);
      g_variant_dict_insert (&one, "path", "s", i == at ? request->out : "");
      g_variant_builder_add_value (&states, g_variant_dict_end (&one));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "states", g_variant_builder_end (&states));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  input = g_variant_get_data_as_bytes (whole);
  return ls_cli_draw_graphs (command, input, request->dark);
}

/* "head  3 operations  phi, icmp, br  -> body (true), done (false)" */
static void
print_text (LsGraphState *state)
{
  g_autoptr (LsGraphSide) out = ls_graph_side (state->graph, TRUE);

  for (guint i = 0; i < state->graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (state->graph, i);

      printf ("%1s %-14s line %-5s %-14s %-34s", ls_graph_mark_sign ((LsGraphMark) state->marks[state->places[i]]), node->title, node->name, node->type, node->detail);
      for (guint j = out->start[i]; j < out->start[i + 1]; j++)
        {
          LsGraphEdge *edge = ls_graph_edge (state->graph, out->edges[j]);

          printf ("%s%s%s%s%s", j == out->start[i] ? " -> " : ", ", ls_graph_node (state->graph, edge->to)->title, edge->label != NULL ? " (" : "",
                  edge->label != NULL ? edge->label : "", edge->label != NULL ? ")" : "");
        }
      putchar ('\n');
    }
}

int
ls_cli_passes_graph (const char             *command,
                     LsPassLog              *log,
                     const LsCliPassesGraph *request)
{
  g_autoptr (GArray) dumps = NULL;
  g_autoptr (LsGraphSeries) series = NULL;
  LsGraphState *state;
  guint dump, at;

  if (!find_pass (log, request->pass, request->function, &dump))
    return ls_cli_fail (command, "there is no pass %s with a function %s; the name of a pass or a number from 1 to %u is expected", request->pass, request->function,
                        log->dumps->len);
  if (request->out != NULL && !g_str_has_suffix (request->out, ".svg") && !g_str_has_suffix (request->out, ".png") && !g_str_has_suffix (request->out, ".pdf")
      && !g_str_has_suffix (request->out, ".dot"))
    return ls_cli_usage (command, "-o: a name that ends in .svg, .png, .pdf or .dot is expected");
  series = ls_passes_flow_series (log, request->function, dump, &dumps, &at);
  if (series == NULL)
    return ls_cli_fail (command, "no dump has a function %s", request->function);
  state = ls_graph_series_state (series, at);
  if (request->out != NULL && g_str_has_suffix (request->out, ".dot"))
    {
      g_autofree char *dot = ls_graph_to_dot (state->graph);
      g_autoptr (GError) error = NULL;

      return g_file_set_contents (request->out, dot, -1, &error) ? LS_CLI_DONE : ls_cli_fail (command, "%s", error->message);
    }
  if (request->out != NULL)
    return write_picture (command, series, at, request);
  if (request->json)
    {
      g_autoptr (GVariant) graph = g_variant_ref_sink (ls_graph_to_variant (state->graph));

      ls_cli_print_json (graph);
    }
  else
    print_text (state);
  return LS_CLI_DONE;
}
