/* session/graph-states: the states of the graph's model one by one. */
#include "app/session/graph-private.h"

#include <glib/gi18n.h>

static guint
n_states (LsEngineGraph *self)
{
  g_autoptr (GArray) path = NULL;

  if (self->module == NULL)
    return 0;
  if (!ls_engine_graph_by_steps (self))
    return 1 + self->modules->len;
  path = ls_history_path (ls_document_get (self->document)->history, ls_document_get (self->document)->current);
  return path->len;
}

char **
ls_engine_graph_labels (LsEngineGraph *self)
{
  g_autoptr (GStrvBuilder) labels = g_strv_builder_new ();

  for (guint i = 0; i < n_states (self); i++)
    {
      guint node = 0;
      LsHistory *history = ls_engine_graph_history (self, i, &node);

      if (i == 0)
        g_strv_builder_add (labels, _("as opened"));
      else
        g_strv_builder_add (labels, history != NULL ? ls_history_get (history, node)->call : self->passes->pdata[i - 1]);
    }
  return g_strv_builder_end (labels);
}

LsModule *
ls_engine_graph_state_module (LsEngineGraph *self,
                              guint          state)
{
  return state < n_states (self) ? ls_engine_graph_module (self, state) : NULL;
}

LsGraph *
ls_graph_of_module (LsModule              *module,
                    const LsGraphTimeline *timeline)
{
  LsGraph *graph = ls_graph_kind_for (module) == LS_GRAPH_RELAX ? ls_graph_from_relax (module, ls_module_get (module, "main") != NULL ? "main" : NULL)
                                                                 : ls_graph_from_blocks (module, NULL, NULL);

  if (timeline != NULL)
    {
      g_free (ls_graph_timeline_put (timeline, module, graph));
      ls_graph_put_roofs (graph);
    }
  return graph;
}

LsGraph *
ls_engine_graph_step_graph (LsEngineGraph *self,
                            guint          state)
{
  guint node = 0;
  LsHistory *history = ls_engine_graph_history (self, state, &node);
  LsSchedule *schedule = history != NULL ? ls_history_get (history, node)->schedule : NULL;

  if (schedule == NULL)
    return NULL;
  return ls_graph_from_blocks (ls_engine_graph_state_module (self, state), NULL, ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule)));
}

GPtrArray *
ls_engine_graph_state_lineages (LsEngineGraph *self,
                                guint          left,
                                guint          right)
{
  GPtrArray *parts = g_ptr_array_new ();

  for (guint i = left; !ls_engine_graph_by_steps (self) && i < MIN (right, self->lineages->len); i++)
    g_ptr_array_add (parts, self->lineages->pdata[i]);
  return parts;
}

const LsGraphTimeline *
ls_engine_graph_state_timeline (LsEngineGraph *self,
                                guint          state)
{
  return !ls_engine_graph_by_steps (self) && state < self->timelines->len ? self->timelines->pdata[state] : NULL;
}
