/* session/graph-build: one graph for each state, put together into the series that is shown. */
#include "app/session/graph-private.h"

#include "engine/graph/fx.h"

#include <glib/gi18n.h>

#define FOLD_LIMIT 250

/* ---- what there is ------------------------------------------------------------------- */

static gboolean
has_kind_of_function (LsModule *module,
                      LsKind    kind)
{
  for (guint i = 0; module != NULL && i < ls_array_n (module->functions); i++)
    if (ls_kind (module->functions->items[i]) == kind)
      return TRUE;
  return FALSE;
}

gboolean
ls_engine_graph_is_relax (LsEngineGraph *self)
{
  return has_kind_of_function (self->module, LS_KIND_FUNCTION);
}

/* NULL: nothing is opened. */
static LsHistory *
history_of (LsEngineGraph *self)
{
  return ls_document_get (self->document)->history;
}

/* The module after all passes. */
static LsModule *
last_module (LsEngineGraph *self)
{
  return self->modules->len > 0 ? self->modules->pdata[self->modules->len - 1] : self->module;
}

guint
ls_engine_graph_kinds (LsEngineGraph *self)
{
  guint kinds = 0;

  if (ls_engine_graph_is_relax (self))
    kinds |= 1u << LS_GRAPH_RELAX;
  if (has_kind_of_function (last_module (self), LS_KIND_PRIM_FUNC))
    kinds |= 1u << LS_GRAPH_BLOCKS | 1u << LS_GRAPH_TE;
  if (has_kind_of_function (self->module, LS_KIND_PRIM_FUNC) && history_of (self) != NULL)
    kinds |= 1u << LS_GRAPH_LOOPS;
  if (self->fx != NULL)
    kinds |= 1u << LS_GRAPH_FX;
  return kinds;
}

gboolean
ls_engine_graph_by_passes (LsEngineGraph *self)
{
  return self->kind == LS_GRAPH_RELAX || (ls_engine_graph_is_relax (self) && self->kind != LS_GRAPH_LOOPS && self->kind != LS_GRAPH_FX);
}

gboolean
ls_engine_graph_by_steps (LsEngineGraph *self)
{
  return !ls_engine_graph_by_passes (self) && self->kind != LS_GRAPH_FX && history_of (self) != NULL;
}

LsHistory *
ls_engine_graph_history (LsEngineGraph *self,
                         guint          state,
                         guint         *node)
{
  g_autoptr (GArray) path = ls_engine_graph_by_steps (self) ? ls_history_path (history_of (self), ls_document_get (self->document)->current) : NULL;

  if (path == NULL || state >= path->len)
    return NULL;
  *node = g_array_index (path, guint, state);
  return history_of (self);
}

LsModule *
ls_engine_graph_module (LsEngineGraph *self,
                        guint          state)
{
  LsHistory *history;
  guint node;

  if (ls_engine_graph_by_passes (self))
    return state == 0 || self->modules->len == 0 ? self->module : self->modules->pdata[MIN (state, self->modules->len) - 1];
  history = ls_engine_graph_history (self, state, &node);
  return history != NULL ? ls_schedule_get_module (ls_history_get (history, node)->schedule) : self->module;
}

/* ---- building --------------------------------------------------------------------------- */

static LsGraph *
graph_of (LsEngineGraph *self,
          LsModule      *module,
          LsSchedule    *schedule)
{
  switch (self->kind)
    {
    case LS_GRAPH_RELAX:
      return ls_graph_from_relax (module, NULL);
    case LS_GRAPH_TE:
      return ls_graph_from_stages (module, NULL);
    case LS_GRAPH_BLOCKS:
      return ls_graph_from_blocks (module, NULL, schedule != NULL ? ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule)) : NULL);
    case LS_GRAPH_LOOPS:
      return schedule != NULL ? ls_graph_from_loops (schedule) : ls_graph_new (LS_GRAPH_LOOPS);
    case LS_GRAPH_FX:
      return ls_graph_from_fx (self->fx);
    }
  return ls_graph_new (self->kind);
}

static void
add_state (LsEngineGraph *self,
           GPtrArray     *graphs,
           GPtrArray     *labels,
           LsModule      *module,
           LsSchedule    *schedule,
           const char    *label)
{
  g_autoptr (LsGraph) graph = graph_of (self, module, schedule);

  if (self->kind == LS_GRAPH_RELAX && graphs->len < self->timelines->len && self->timelines->pdata[graphs->len] != NULL)
    {
      g_free (ls_graph_timeline_put (self->timelines->pdata[graphs->len], module, graph));
      ls_graph_put_roofs (graph);
    }
  if (ls_graph_model_get_folded (&self->parent_instance))
    {
      LsGraph *folded = ls_graph_fold_constants (graph, TRUE);

      ls_graph_unref (graph);
      graph = folded;
    }
  g_ptr_array_add (graphs, ls_graph_model_get_all (&self->parent_instance) ? ls_graph_ref (graph) : ls_graph_fold_groups (graph, FOLD_LIMIT, self->open));
  g_ptr_array_add (labels, (gpointer) label);
}

static void
add_steps (LsEngineGraph *self,
           GPtrArray     *graphs,
           GPtrArray     *labels)
{
  g_autoptr (GArray) path = ls_history_path (history_of (self), ls_document_get (self->document)->current);

  for (guint i = 0; i < path->len; i++)
    {
      LsHistoryNode *node = ls_history_get (history_of (self), g_array_index (path, guint, i));

      add_state (self, graphs, labels, ls_schedule_get_module (node->schedule), node->schedule, node->number == 0 ? _("as opened") : node->call);
    }
}

static LsGraphSeries *
build_series (LsEngineGraph *self)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  if (self->kind == LS_GRAPH_FX)
    add_state (self, graphs, labels, NULL, NULL, _("as saved"));
  else if (ls_engine_graph_by_steps (self))
    add_steps (self, graphs, labels);
  else
    {
      add_state (self, graphs, labels, self->module, NULL, _("as opened"));
      for (guint i = 0; i < self->passes->len; i++)
        add_state (self, graphs, labels, self->modules->pdata[i], NULL, self->passes->pdata[i]);
    }
  return ls_graph_series_new (graphs, labels);
}

static gint
place_of_key (LsGraphSeries *series,
              const char    *key)
{
  return key != NULL && series != NULL ? ls_graph_find (series->whole, key) : -1;
}

void
ls_engine_graph_rebuild (LsEngineGraph *self,
                         guint          state)
{
  LsGraphModel *model = &self->parent_instance;
  LsGraphSeries *old = ls_graph_model_get_series (model);
  gint selected = ls_graph_model_get_selected (model);
  g_autofree char *key = old != NULL && selected >= 0 ? g_strdup (ls_graph_node (old->whole, selected)->key) : NULL;
  guint kinds = ls_engine_graph_kinds (self);

  self->stale = !ls_graph_model_get_watched (model);
  self->stale_state = state;
  if (self->stale)
    return;
  if (self->laying_out != NULL)
    g_cancellable_cancel (self->laying_out);
  ls_graph_model_set_passes (model, ls_engine_graph_by_passes (self), ls_engine_graph_by_passes (self) ? self->passes->len : 0);
  if ((kinds & (1u << self->kind)) == 0)
    {
      ls_graph_model_take_series (model, kinds, self->kind, NULL, 0);
      return;
    }
  ls_graph_model_take_series (model, kinds, self->kind, build_series (self), state);
  selected = place_of_key (ls_graph_model_get_series (model), key);
  if (selected >= 0)
    ls_graph_model_select (model, selected);
}
