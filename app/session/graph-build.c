/* session/graph-build: what there is to show, and one graph for each state, put together into a series.
 *
 * A series is built from an LsGraphMaking, a copy of what it depends on, so that a thread can do it. */
#include "app/session/graph-private.h"

#include "engine/graph/follow.h"

#include "engine/graph/fx.h"

#include <glib/gi18n.h>

#define FOLD_LIMIT 120

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

/* ---- what has to be made ------------------------------------------------------------------ */

static gpointer
copy_string (gconstpointer text,
             gpointer      data)
{
  return g_strdup (text);
}

static gpointer
copy_node (gconstpointer node,
           gpointer      data)
{
  return ls_node_ref ((gpointer) node);
}

static gpointer
copy_lineage (gconstpointer lineage,
              gpointer      data)
{
  return ls_relax_lineage_ref ((gpointer) lineage);
}

static gpointer
copy_timeline (gconstpointer timeline,
               gpointer      data)
{
  return timeline != NULL ? ls_graph_timeline_ref ((gpointer) timeline) : NULL;
}

static void
free_node (gpointer node)
{
  ls_unref (node);
}

/* Shares what never changes, so that a thread may work on it. (transfer full) */
LsGraphMaking *
ls_graph_making_new (LsEngineGraph *self)
{
  LsGraphMaking *making = g_new0 (LsGraphMaking, 1);
  GHashTableIter iter;
  gpointer key;

  *making = (LsGraphMaking) { self->kind, ls_graph_model_get_folded (&self->parent_instance), ls_graph_model_get_all (&self->parent_instance) };
  making->open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_iter_init (&iter, self->open);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (making->open, g_strdup (key));
  making->module = self->module != NULL ? ls_ref (self->module) : NULL;
  making->fx = self->fx != NULL ? ls_fx_graph_ref (self->fx) : NULL;
  making->passes = g_ptr_array_copy (self->passes, (GCopyFunc) copy_string, NULL);
  making->modules = g_ptr_array_copy (self->modules, (GCopyFunc) copy_node, NULL);
  making->lineages = g_ptr_array_copy (self->lineages, (GCopyFunc) copy_lineage, NULL);
  making->timelines = g_ptr_array_copy (self->timelines, (GCopyFunc) copy_timeline, NULL);
  making->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_run_free);
  g_ptr_array_set_free_func (making->passes, g_free);
  g_ptr_array_set_free_func (making->modules, free_node);
  g_ptr_array_set_free_func (making->lineages, (GDestroyNotify) ls_relax_lineage_unref);
  g_ptr_array_set_free_func (making->timelines, (GDestroyNotify) ls_graph_timeline_free);
  if (ls_engine_graph_by_steps (self))
    {
      g_autoptr (GArray) path = ls_history_path (history_of (self), ls_document_get (self->document)->current);

      making->current = g_array_index (path, guint, path->len - 1);
      making->history = ls_history_excerpt (history_of (self), making->current, making->current);
    }
  return making;
}

void
ls_graph_making_free (LsGraphMaking *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->open);
  ls_unref (self->module);
  g_clear_pointer (&self->fx, ls_fx_graph_free);
  g_ptr_array_unref (self->passes);
  g_ptr_array_unref (self->modules);
  g_ptr_array_unref (self->lineages);
  g_ptr_array_unref (self->timelines);
  g_clear_pointer (&self->history, ls_history_free);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_free (self);
}

/* Bindings of a function of Relax, as they stand in its own blocks; of another one a few, which is enough to know whether it is large. */
static guint
size_of_function (LsNode *function)
{
  LsSeqExpr *body = ls_is (function, FUNCTION) && ls_is (((LsFunction *) function)->body, SEQ_EXPR) ? (LsSeqExpr *) ((LsFunction *) function)->body : NULL;
  guint n = 4;

  for (guint i = 0; body != NULL && i < ls_array_n (body->blocks); i++)
    n += ls_array_n (((LsBindingBlock *) body->blocks->items[i])->bindings);
  return n;
}

guint
ls_graph_module_size (LsModule *module)
{
  guint n = 0;

  for (guint i = 0; module != NULL && i < ls_array_n (module->functions); i++)
    n += size_of_function (module->functions->items[i]);
  return n;
}

guint
ls_graph_making_size (LsGraphMaking *self)
{
  guint n = 0;

  if (self->kind == LS_GRAPH_FX)
    return self->fx != NULL ? ls_fx_graph_get_n (self->fx) : 0;
  if (self->history != NULL)
    {
      g_autoptr (GArray) path = ls_history_path (self->history, self->current);
      LsSchedule *schedule = ls_history_get (self->history, self->current)->schedule;

      return path->len * ls_version_get_n (ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule)));
    }
  n = ls_graph_module_size (self->module);
  for (guint i = 0; i < self->modules->len; i++)
    n += ls_graph_module_size (self->modules->pdata[i]);
  return n;
}

/* ---- building --------------------------------------------------------------------------- */

static LsGraph *
graph_of (LsGraphMaking *self,
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

/* `wholes`: the states before, with nothing folded; `lineage`: of the pass between the last of them and this one, or NULL. */
static void
add_state (LsGraphMaking *self,
           GPtrArray     *wholes,
           GPtrArray     *graphs,
           GPtrArray     *labels,
           LsModule      *module,
           LsSchedule    *schedule,
           LsRelaxLineage *lineage,
           const char    *label)
{
  g_autoptr (LsGraph) graph = graph_of (self, module, schedule);
  LsGraphRun *run = NULL;

  if (self->kind == LS_GRAPH_RELAX && lineage != NULL && wholes->len > 0)
    ls_graph_follow (wholes, graph, lineage);
  g_ptr_array_add (wholes, ls_graph_ref (graph));
  if (self->kind == LS_GRAPH_RELAX && graphs->len < self->timelines->len && self->timelines->pdata[graphs->len] != NULL)
    {
      LsGraphTimeline *timeline = self->timelines->pdata[graphs->len];
      g_autofree gint *nodes = ls_graph_timeline_put (timeline, module, graph);

      ls_graph_put_roofs (graph);
      run = ls_graph_run_new (timeline, graph, nodes);
    }
  g_ptr_array_add (self->runs, run);
  if (self->fold_constants)
    {
      LsGraph *folded = ls_graph_fold_constants (graph, TRUE);

      ls_graph_unref (graph);
      graph = folded;
    }
  g_ptr_array_add (graphs, self->all ? ls_graph_ref (graph) : ls_graph_fold_groups_like (graph, FOLD_LIMIT, self->open, graphs->len > 0 ? graphs->pdata[graphs->len - 1] : NULL));
  g_ptr_array_add (labels, (gpointer) label);
}

static void
add_steps (LsGraphMaking *self,
           GPtrArray     *wholes,
           GPtrArray     *graphs,
           GPtrArray     *labels)
{
  g_autoptr (GArray) path = ls_history_path (self->history, self->current);

  for (guint i = 0; i < path->len; i++)
    {
      LsHistoryNode *node = ls_history_get (self->history, g_array_index (path, guint, i));

      add_state (self, wholes, graphs, labels, ls_schedule_get_module (node->schedule), node->schedule, NULL, node->number == 0 ? _("as opened") : node->call);
    }
}

LsGraphSeries *
ls_graph_making_build (LsGraphMaking *self)
{
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref), wholes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (GPtrArray) labels = g_ptr_array_new ();

  if (self->kind == LS_GRAPH_FX)
    add_state (self, wholes, graphs, labels, NULL, NULL, NULL, _("as saved"));
  else if (self->history != NULL)
    add_steps (self, wholes, graphs, labels);
  else
    {
      add_state (self, wholes, graphs, labels, self->module, NULL, NULL, _("as opened"));
      for (guint i = 0; i < self->passes->len; i++)
        add_state (self, wholes, graphs, labels, self->modules->pdata[i], NULL, i < self->lineages->len ? self->lineages->pdata[i] : NULL, self->passes->pdata[i]);
    }
  return ls_graph_series_new (graphs, labels);
}
