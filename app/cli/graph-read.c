/* graph-read: what the command graph shows: a module or a saved graph, after its passes, as graphs of its states. */
#include "app/cli/graph-request.h"

#include "app/cli/input.h"
#include "app/cli/onnx-file.h"
#include "engine/frontend/fx/fx.h"
#include "engine/frontend/pt2/pt2.h"
#include "engine/graph/edit.h"
#include "engine/graph/follow.h"
#include "engine/graph/fx.h"
#include "engine/script/saved.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* ---- what the file holds ---------------------------------------------------------- */

gboolean
ls_cli_graph_is_fx_file (const char *path)
{
  return (g_str_has_suffix (path, ".json") && !ls_saved_is_file (path)) || g_str_has_suffix (path, ".pt2");
}

static LsFxGraph *
read_fx (LsCliGraph *request)
{
  g_autoptr (GError) error = NULL;
  LsFxGraph *fx = g_str_has_suffix (request->file, ".pt2") ? ls_pt2_read (request->file, &error) : ls_fx_graph_read (request->file, &error);

  if (fx == NULL)
    ls_cli_fail (request->command, "%s", error->message);
  return fx;
}

LsModule *
ls_cli_graph_read_module (LsCliGraph *request)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) fx = NULL;
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  LsFxOptions options = { .keep_paths = TRUE };
  LsModule *module;

  if (request->values && g_str_has_suffix (request->file, ".onnx"))     /* with the weights that it has: as parameters they would be random numbers */
    {
      const LsOnnxOptions constants = { .keep_names = TRUE };

      return ls_cli_read_onnx (request->command, request->file, &constants);
    }
  if (!ls_cli_graph_is_fx_file (request->file))
    return request->steps != NULL ? ls_cli_read_scheduled (request->command, request->file, request->steps)
                                  : ls_cli_read_module (request->command, request->file);
  fx = read_fx (request);
  options.said = said;
  module = fx != NULL ? ls_fx_graph_import (fx, &options, &error) : NULL;
  for (guint i = 0; module != NULL && i < said->len; i++)
    fprintf (stderr, "warning: %s\n", (const char *) said->pdata[i]);
  if (error != NULL)
    ls_cli_fail (request->command, "%s", error->message);
  return module;
}

/* NULL: said. */
LsGraph *
ls_cli_graph_of_module (LsCliGraph  *request,
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

LsGraph *
ls_cli_graph_finish_graph (LsCliGraph *request,
                           LsGraph    *graph,   /* (transfer full) */
                           LsGraph    *before)
{
  if (request->fold_constants)
    {
      LsGraph *folded = ls_graph_fold_constants (graph, TRUE);

      ls_graph_unref (graph);
      graph = folded;
    }
  if (request->limit > 0)
    {
      LsGraph *folded = ls_graph_fold_groups_like (graph, (guint) request->limit, NULL, before);

      ls_graph_unref (graph);
      graph = folded;
    }
  return graph;
}

static gboolean
add_state (LsCliGraph     *request,
           LsModule       *module,
           LsRelaxLineage *lineage,     /* of the pass before it, or NULL */
           const char     *label,
           GPtrArray      *wholes,
           GPtrArray      *graphs,
           GPtrArray      *labels)
{
  LsGraph *graph = ls_cli_graph_of_module (request, module);

  if (graph == NULL)
    return FALSE;
  if (lineage != NULL && wholes->len > 0 && graph->kind == LS_GRAPH_RELAX)
    ls_graph_follow (wholes, graph, lineage);
  g_ptr_array_add (wholes, ls_graph_ref (graph));
  g_ptr_array_add (graphs, ls_cli_graph_finish_graph (request, graph, graphs->len > 0 ? graphs->pdata[graphs->len - 1] : NULL));
  g_ptr_array_add (labels, (gpointer) label);
  return TRUE;
}

static gboolean
add_states (LsCliGraph   *request,
            GPtrArray *graphs,
            GPtrArray *labels)
{
  g_autoptr (LsModule) module = ls_cli_graph_read_module (request);
  g_autoptr (GPtrArray) wholes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  gboolean done;

  if (module == NULL)
    return FALSE;
  if (request->kind_name == NULL)
    request->kind = ls_graph_kind_for (module);
  done = !request->each && request->passes->len > 0 ? TRUE : add_state (request, module, NULL, "before", wholes, graphs, labels);
  for (guint i = 0; done && i < request->passes->len; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
      g_autofree char *doubt = ls_graph_edit_doubt_of (module, request->passes->pdata[i]);
      LsModule *after;

      ls_relax_lineage_begin (lineage);
      after = ls_graph_run_pass (module, request->passes->pdata[i], &error);
      ls_relax_lineage_end (lineage);
      if (after == NULL)
        {
          ls_cli_fail (request->command, "%s", error->message);
          return FALSE;
        }
      if (doubt != NULL)
        fprintf (stderr, "%s\n", doubt);
      ls_take (&module, after);
      if (request->each || i + 1 == request->passes->len)
        done = add_state (request, module, lineage, request->passes->pdata[i], wholes, graphs, labels);
    }
  return done;
}

LsGraphSeries *
ls_cli_graph_read_series (LsCliGraph *request)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  if (request->kind_name == NULL && ls_cli_graph_is_fx_file (request->file) && request->passes->len == 0)
    request->kind = LS_GRAPH_FX;
  if (request->kind == LS_GRAPH_FX)
    {
      g_autoptr (LsFxGraph) fx = ls_cli_graph_is_fx_file (request->file) ? read_fx (request) : NULL;

      if (fx == NULL)
        {
          if (!ls_cli_graph_is_fx_file (request->file))
            ls_cli_fail (request->command, "%s is no saved graph of torch.fx", request->file);
          return NULL;
        }
      if (request->passes->len > 0)
        {
          ls_cli_fail (request->command, "passes work on modules; --kind relax imports the graph first");
          return NULL;
        }
      g_ptr_array_add (graphs, ls_cli_graph_finish_graph (request, ls_graph_from_fx (fx), NULL));
      g_ptr_array_add (labels, "as saved");
    }
  else if (!add_states (request, graphs, labels))
    return NULL;
  return ls_graph_series_new (graphs, labels);
}

gboolean
ls_cli_graph_has_nodes (LsCliGraph       *request,
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

gboolean
ls_cli_graph_add_numbers (LsCliGraph       *request,
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
