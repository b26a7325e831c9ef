/* LsEngineGraph: see the header. */
#include "app/session/graph-private.h"

#include "engine/base/task.h"
#include "engine/graph/fx.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (LsEngineGraph, ls_engine_graph, LS_TYPE_GRAPH_MODEL)

static guint
shown_step (LsEngineGraph *self)
{
  return ls_session_get_position (self->session);
}

static void
put_module (LsEngineGraph *self,
            LsModule      *module,
            LsFxGraph     *fx)
{
  LsGraphModel *model = LS_GRAPH_MODEL (self);

  ls_engine_graph_cancel_all (self);
  ls_engine_graph_forget_layout (self);
  ls_engine_graph_forget_printed (self);
  g_clear_pointer (&self->fx, ls_fx_graph_free);
  ls_engine_graph_set_weights (self, NULL);
  ls_take (&self->module, ls_ref (module));
  self->fx = fx;
  ls_graph_model_forget_all (model);
  g_clear_pointer (&self->conditions, g_free);
  g_hash_table_remove_all (self->open);
  g_ptr_array_set_size (self->passes, 0);
  g_ptr_array_set_size (self->modules, 0);
  g_ptr_array_set_size (self->lineages, 0);
  g_ptr_array_set_size (self->timelines, 0);
  self->kind = module == NULL && fx != NULL ? LS_GRAPH_FX : ls_engine_graph_is_relax (self) ? LS_GRAPH_RELAX : LS_GRAPH_BLOCKS;
  ls_document_set_passes (self->document, NULL);
  ls_document_set_styles (self->document, ls_graph_model_get_styles (model));  /* they stay from document to document */
  ls_graph_model_set_conditions (model, NULL);
  ls_graph_model_tell (model, NULL, NULL);
  ls_engine_graph_rebuild (self, ls_engine_graph_by_steps (self) ? shown_step (self) : 0);
}

void
ls_engine_graph_open (LsEngineGraph *self,
                      LsModule      *module,
                      LsFxGraph     *fx)
{
  put_module (self, module, fx);
  ls_graph_model_opened (LS_GRAPH_MODEL (self), ls_engine_graph_is_relax (self) || fx != NULL);
}

void
ls_engine_graph_replace (LsEngineGraph *self,
                         LsModule      *module)
{
  put_module (self, module, NULL);
}

void
ls_engine_graph_set_weights (LsEngineGraph *self,
                             GHashTable    *weights)
{
  g_clear_pointer (&self->weights, g_hash_table_unref);
  self->weights = weights != NULL ? g_hash_table_ref (weights) : NULL;
}

GHashTable *
ls_engine_graph_get_weights (LsEngineGraph *self)
{
  return self->weights != NULL ? g_hash_table_ref (self->weights) : NULL;
}

void
ls_engine_graph_clear (LsEngineGraph *self)
{
  ls_engine_graph_set_weights (self, NULL);
  ls_engine_graph_cancel_all (self);
  ls_engine_graph_forget_layout (self);
  ls_engine_graph_forget_printed (self);
  g_clear_pointer (&self->fx, ls_fx_graph_free);
  ls_take (&self->module, NULL);
  g_ptr_array_set_size (self->passes, 0);
  g_ptr_array_set_size (self->modules, 0);
  g_ptr_array_set_size (self->lineages, 0);
  g_ptr_array_set_size (self->timelines, 0);
  self->stale = FALSE;
  ls_graph_model_take_series (LS_GRAPH_MODEL (self), 0, LS_GRAPH_RELAX, NULL, 0);
}

void
ls_engine_graph_follow (LsEngineGraph *self)
{
  LsGraphSeries *series = ls_graph_model_get_series (LS_GRAPH_MODEL (self));
  GListModel *path = ls_session_get_path (self->session);
  guint n = g_list_model_get_n_items (path);
  gboolean same = series != NULL && self->job == NULL && series->states->len == n;

  if (self->module == NULL || !ls_engine_graph_by_steps (self))
    return;
  if (self->stale)
    {
      self->stale_state = shown_step (self);
      return;
    }
  for (guint i = 1; same && i < n; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      same = g_strcmp0 (ls_step_item_get (item)->call, ls_graph_series_state (series, i)->label) == 0;
    }
  if (same)
    ls_graph_model_set_state (LS_GRAPH_MODEL (self), shown_step (self));
  else
    ls_engine_graph_rebuild (self, shown_step (self));
}

/* ---- wishes ----------------------------------------------------------------------------------- */

/* What was said before is over; what is under way is not. */
static void
hush (LsEngineGraph *self)
{
  LsGraphModel *model = &self->parent_instance;

  ls_graph_model_tell (model, NULL, self->job != NULL ? ls_graph_model_get_busy (model) : NULL);
}

static void
graph_set_kind (LsGraphModel *model,
                LsGraphKind   kind)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  if (kind == self->kind || (ls_engine_graph_kinds (self) & (1u << kind)) == 0)
    return;
  self->kind = kind;
  hush (self);
  ls_engine_graph_rebuild (self, ls_engine_graph_by_steps (self) ? shown_step (self) : self->passes->len);
}

static void
graph_set_folded (LsGraphModel *model,
                  gboolean      constants)
{
  ls_engine_graph_rebuild (LS_ENGINE_GRAPH (model), ls_graph_model_get_state (model));
}

static void
graph_open_group (LsGraphModel *model,
                  const char   *key,
                  gboolean      open)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  hush (self);
  if (open)
    g_hash_table_add (self->open, g_strdup (key));
  else
    g_hash_table_remove (self->open, key);
  ls_engine_graph_rebuild (self, ls_graph_model_get_state (model));
}

static void
graph_show_all (LsGraphModel *model)
{
  hush (LS_ENGINE_GRAPH (model));
  ls_engine_graph_rebuild (LS_ENGINE_GRAPH (model), ls_graph_model_get_state (model));
}

static void
graph_go_to (LsGraphModel *model,
             guint         state)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  if (ls_engine_graph_by_steps (self))
    ls_session_go_by (self->session, (int) state - (int) shown_step (self));
  else
    {
      gint selected = ls_graph_model_get_selected (model);

      ls_engine_graph_job_state (self, state);
      ls_graph_model_set_state (model, state);
      ls_graph_model_select (model, selected);
    }
}

static void
graph_add_pass (LsGraphModel *model,
                const char   *text)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  if (self->module != NULL && ls_engine_graph_is_relax (self))
    ls_engine_graph_run (self, text, ls_engine_graph_by_passes (self) ? ls_graph_model_get_state (model) : self->passes->len);
}

void
ls_engine_graph_replay (LsEngineGraph     *self,
                        const char *const *passes)
{
  if (self->module != NULL && ls_engine_graph_is_relax (self))
    ls_engine_graph_run_saved (self, passes);
}

static void
graph_drop_pass (LsGraphModel *model)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  if (ls_engine_graph_cancel_passes (self) || self->passes->len == 0)
    return;
  g_ptr_array_set_size (self->passes, (gint) self->passes->len - 1);
  g_ptr_array_set_size (self->modules, (gint) self->modules->len - 1);
  g_ptr_array_set_size (self->lineages, (gint) self->lineages->len - 1);
  if (self->timelines->len > self->passes->len + 1)
    g_ptr_array_set_size (self->timelines, (gint) self->passes->len + 1);
  ls_engine_graph_note_passes (self);
  hush (self);
  ls_engine_graph_rebuild (self, self->passes->len);
}

static void
graph_styled (LsGraphModel *model)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  ls_document_set_styles (self->document, ls_graph_model_get_styles (model));
  ls_document_changed (self->document);
}

/* ---- edits ----------------------------------------------------------------------------------------- */

static LsGraphEditCheck *
graph_check_edit (LsGraphModel      *model,
                  const char        *func,
                  const char *const *names)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);
  LsModule *module = ls_graph_model_get_kind (model) == LS_GRAPH_RELAX ? ls_engine_graph_module (self, ls_graph_model_get_state (model)) : NULL;

  return module != NULL ? ls_graph_edit_check (module, func, names) : NULL;
}

static char *
graph_doubt (LsGraphModel *model,
             const char   *by)
{
  LsModule *module = ls_engine_graph_module (LS_ENGINE_GRAPH (model), ls_graph_model_get_state (model));

  return module != NULL ? ls_graph_edit_doubt (module, by) : NULL;
}

typedef struct {
  LsModule *module;
  char     *func;
  char    **names;              /* NULL: the whole module */
} Extract;

static void
extract_free (gpointer data)
{
  Extract *extract = data;

  ls_unref (extract->module);
  g_free (extract->func);
  g_strfreev (extract->names);
  g_free (extract);
}

static void
extract_text (GTask        *task,
              gpointer      model,
              gpointer      data,
              GCancellable *cancellable)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  const Extract *extract = data;
  GError *error = NULL;
  g_autoptr (LsModule) own = extract->names == NULL ? ls_ref (extract->module)
                               : ls_graph_edit_extract (extract->module, extract->func, (const char *const *) extract->names, &error);

  if (own != NULL)
    g_task_return_pointer (task, ls_script_print (own, &whole, NULL), g_free);
  else
    g_task_return_error (task, error);
}

static void
graph_extract (LsGraphModel      *model,
               const char        *func,
               const char *const *names,
               GTask             *task)
{
  LsModule *module = ls_engine_graph_module (LS_ENGINE_GRAPH (model), ls_graph_model_get_state (model));
  Extract *extract;

  if (module == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s", _("There is no module to save."));
      return;
    }
  extract = g_new (Extract, 1);
  *extract = (Extract) { ls_ref (module), g_strdup (func), g_strdupv ((char **) names) };
  g_task_set_task_data (task, extract, extract_free);
  ls_task_run (task, extract_text);
}

/* ---- what takes long --------------------------------------------------------------------------- */

static void
graph_lay_out (LsGraphModel *model,
               GVariant     *request)
{
  ls_engine_graph_lay_out (LS_ENGINE_GRAPH (model), request);
}

void
ls_engine_graph_cancel_all (LsEngineGraph *self)
{
  ls_engine_graph_forget_job (self);
  if (self->laying_out != NULL)
    g_cancellable_cancel (self->laying_out);
  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
}

static void
graph_measure (LsGraphModel *model)
{
  ls_engine_graph_measure (LS_ENGINE_GRAPH (model));
}

static void
graph_cancel (LsGraphModel *model)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  if (ls_engine_graph_cancel_passes (self))
    ls_graph_model_tell (model, _("The pass was cancelled."), ls_graph_model_get_busy (model));
  if (self->laying_out != NULL)
    g_cancellable_cancel (self->laying_out);
  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
}

/* ---- selection ----------------------------------------------------------------------------------- */

static const LsGraphNode *
node_at (LsGraphModel *model,
         gint          place)
{
  LsGraphSeries *series = ls_graph_model_get_series (model);
  LsGraphState *state;

  if (series == NULL || place < 0 || (guint) place >= series->whole->nodes->len)
    return NULL;
  state = ls_graph_series_state (series, ls_graph_model_get_state (model));
  return state->nodes[place] >= 0 ? ls_graph_node (state->graph, state->nodes[place]) : NULL;
}

static void
graph_select (LsGraphModel *model,
              gint          place)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);
  const LsGraphNode *node = node_at (model, place);

  ls_graph_model_take_detail (model, node != NULL ? place : -1, node != NULL ? ls_engine_graph_detail (self, place) : NULL);
  if (node == NULL || node->entity == 0 || self->following)
    return;
  self->following = TRUE;
  ls_session_select (self->session, node->entity);
  self->following = FALSE;
}

/* The loop or block that another view selected. */
static void
session_selected (LsEngineGraph *self)
{
  LsGraphModel *model = LS_GRAPH_MODEL (self);
  LsGraphSeries *series = ls_graph_model_get_series (model);
  guint64 id = ls_session_get_selection (self->session);

  if (self->following || id == 0 || series == NULL || !ls_engine_graph_by_steps (self) || !ls_graph_model_get_watched (model))
    return;
  for (guint i = 0; i < series->whole->nodes->len; i++)
    {
      const LsGraphNode *node = node_at (model, (gint) i);

      if (node == NULL || node->entity != id)
        continue;
      self->following = TRUE;
      ls_graph_model_take_detail (model, (gint) i, ls_engine_graph_detail (self, (gint) i));
      self->following = FALSE;
      return;
    }
}

/* What happened while nobody looked. */
static void
graph_watched (LsGraphModel *model)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);

  if (self->stale)
    ls_engine_graph_rebuild (self, self->stale_state);
  session_selected (self);
}

/* The first loop below the row of this function. */
static guint64
first_loop_of (GListModel *roots,
               const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (roots); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (roots, i);
      const LsLoopRecord *record = ls_loop_item_get (item);
      GListModel *below = ls_loop_item_get_children (item);
      g_autoptr (LsLoopItem) child = NULL;

      if (record->kind != LS_LOOP_FUNCTION)
        return record->id;
      if (g_strcmp0 (record->name, name) != 0)
        continue;
      child = below != NULL ? g_list_model_get_item (below, 0) : NULL;
      return child != NULL ? ls_loop_item_get (child)->id : record->id;
    }
  return 0;
}

static void
graph_schedule (LsGraphModel *model)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (model);
  const LsGraphNode *node = node_at (model, ls_graph_model_get_selected (model));
  guint state = ls_graph_model_get_state (model);
  const char *name = node != NULL ? node->callee != NULL ? node->callee : node->function : NULL;
  guint64 row;

  if (name == NULL)
    return;
  if (ls_engine_graph_by_passes (self) && !self->schedule (self->session, ls_engine_graph_module (self, state),
                                                            state > 0 ? self->passes->pdata[state - 1] : NULL))
    {
      ls_graph_model_tell (model, _("The explore page holds steps on another version of this module; undo them first (Ctrl+1, Alt+Home)."), NULL);
      return;
    }
  row = first_loop_of (ls_session_get_loops (self->session), name);
  if (row != 0)
    ls_session_select (self->session, row);
  ls_graph_model_opened (model, FALSE);
}

/* ---- class --------------------------------------------------------------------------------------- */

static void
unref_node (gpointer node)
{
  ls_unref (node);
}

static void
ls_engine_graph_finalize (GObject *object)
{
  LsEngineGraph *self = LS_ENGINE_GRAPH (object);

  if (self->session != NULL)
    g_object_remove_weak_pointer (G_OBJECT (self->session), (gpointer *) &self->session);
  ls_unref (self->module);
  g_clear_pointer (&self->weights, g_hash_table_unref);
  g_clear_pointer (&self->fx, ls_fx_graph_free);
  g_ptr_array_unref (self->passes);
  g_ptr_array_unref (self->modules);
  g_ptr_array_unref (self->lineages);
  g_ptr_array_unref (self->timelines);
  g_ptr_array_unref (self->waiting);
  g_hash_table_unref (self->open);
  g_free (self->conditions);
  g_object_unref (self->document);
  ls_engine_graph_forget_layout (self);
  ls_engine_graph_forget_printed (self);
  g_clear_object (&self->laying_out);
  g_clear_object (&self->measuring);
  g_clear_object (&self->layouter);
  g_clear_object (&self->measurer);
  G_OBJECT_CLASS (ls_engine_graph_parent_class)->finalize (object);
}

static void
ls_engine_graph_class_init (LsEngineGraphClass *klass)
{
  LsGraphModelClass *model_class = LS_GRAPH_MODEL_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_engine_graph_finalize;
  model_class->set_kind = graph_set_kind;
  model_class->set_folded = graph_set_folded;
  model_class->open_group = graph_open_group;
  model_class->show_all = graph_show_all;
  model_class->go_to = graph_go_to;
  model_class->add_pass = graph_add_pass;
  model_class->drop_pass = graph_drop_pass;
  model_class->lay_out = graph_lay_out;
  model_class->measure = graph_measure;
  model_class->cancel = graph_cancel;
  model_class->select = graph_select;
  model_class->schedule = graph_schedule;
  model_class->watched = graph_watched;
  model_class->check_edit = graph_check_edit;
  model_class->doubt = graph_doubt;
  model_class->extract = graph_extract;
  model_class->styled = graph_styled;
}

static void
ls_engine_graph_init (LsEngineGraph *self)
{
  self->passes = g_ptr_array_new_with_free_func (g_free);
  self->modules = g_ptr_array_new_with_free_func (unref_node);
  self->lineages = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_relax_lineage_unref);
  self->timelines = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_timeline_free);
  self->waiting = g_ptr_array_new_with_free_func (g_free);
  self->open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

LsGraphModel *
ls_engine_graph_new (LsSession      *session,
                     LsDocument     *document,
                     LsScheduleFunc  schedule)
{
  LsEngineGraph *self = g_object_new (LS_TYPE_ENGINE_GRAPH, NULL);

  self->session = session;
  self->document = g_object_ref (document);
  self->schedule = schedule;
  g_object_add_weak_pointer (G_OBJECT (session), (gpointer *) &self->session);
  g_signal_connect_object (session, "notify::selection", G_CALLBACK (session_selected), self, G_CONNECT_SWAPPED);
  return LS_GRAPH_MODEL (self);
}
