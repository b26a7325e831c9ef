/* session/graph-detail: arguments, loop nest and text for the selected node.
 *
 * A call of a PrimFunc shows that function: which argument goes to which parameter, its loops, its text.  Everything else
 * shows the function in which it stands, at its line.
 */
#include "app/session/graph-private.h"

#include "app/session/module.h"
#include "engine/script/script.h"
#include "views/models/graph-figure.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

static LsModule *
only_function (LsModule   *module,
               const char *name)
{
  LsGlobalVar *var = ls_module_get_global_var (module, name);
  LsNode *func = ls_module_get (module, name);

  if (var == NULL || func == NULL)
    return NULL;
  return ls_module_new (ls_array_of (ls_ref (var), NULL), ls_array_of (ls_ref (func), NULL), NULL, NULL);
}

/* ---- arguments ------------------------------------------------------------------------ */

static char *
type_and_size (const char *type,
               double      bytes)
{
  g_autofree char *size = bytes >= 0.0 ? ls_format_bytes ((gint64) bytes) : NULL;

  return size != NULL ? g_strdup_printf ("%s · %s", type != NULL ? type : "", size) : g_strdup (type != NULL ? type : "");
}

static double
bytes_of (const LsGraphNode *node)
{
  if (ls_is_relax_var (node->node))
    return ls_graph_type_bytes (((LsRelaxVar *) node->node)->struct_info);
  if (ls_is (node->node, VAR_BINDING))
    return ls_graph_type_bytes (((LsVarBinding *) node->node)->var->struct_info);
  if (ls_is (node->node, CONSTANT))
    return ls_graph_type_bytes (((LsConstant *) node->node)->struct_info);
  return -1.0;
}

static const char *
param_name (LsPrimFunc *func,
            guint       i)
{
  LsBuffer *buffer;

  if (func == NULL || i >= ls_array_n (func->params))
    return NULL;
  buffer = i < ls_array_n (func->buffers) ? ls_array_at (func->buffers, i, LsBuffer) : NULL;
  return buffer != NULL ? buffer->name : ls_array_at (func->params, i, LsVar)->name;
}

static void
add_arguments (LsGraphDetail *detail,
               LsGraph       *graph,
               guint          at,
               LsPrimFunc    *func)
{
  g_autoptr (LsGraphSide) inputs = ls_graph_side (graph, FALSE);
  const LsGraphNode *node = ls_graph_node (graph, at);
  guint n = 0;

  for (guint i = inputs->start[at]; i < inputs->start[at + 1]; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (graph, inputs->edges[i]);
      const LsGraphNode *from = ls_graph_node (graph, edge->from);
      g_autofree char *words = type_and_size (edge->type, edge->label == NULL || strchr (edge->label, '[') == NULL ? bytes_of (from) : -1.0);

      ls_graph_detail_add_argument (detail, edge->label != NULL ? edge->label : from->title, edge->argument >= 0 ? param_name (func, (guint) edge->argument) : NULL, words);
      n = MAX (n, (guint) (edge->argument + 1));
    }
  if (node->kind == LS_GRAPH_NODE_CALL && node->type != NULL)
    {
      g_autofree char *size = type_and_size (node->type, bytes_of (node));
      g_autofree char *words = func != NULL ? g_strdup_printf (_("%s · written"), size) : g_strdup (size);

      ls_graph_detail_add_argument (detail, node->name != NULL ? node->name : node->title, param_name (func, n), words);
    }
  for (guint i = 0; i + 1 < node->attributes->len; i += 2)
    ls_graph_detail_add_argument (detail, node->attributes->pdata[i], NULL, node->attributes->pdata[i + 1]);
}

/* ---- a PrimFunc -------------------------------------------------------------------------- */

/* The loops after a node and its text. */
static void
add_nest (LsGraphDetail *detail,
          LsHistory     *history,
          guint          node)
{
  double flop;
  g_autoptr (GPtrArray) roots = ls_session_build_loops (history, node, &flop);

  detail->loops = g_list_store_new (LS_TYPE_LOOP_ITEM);
  for (guint i = 0; i < roots->len; i++)
    g_list_store_append (detail->loops, roots->pdata[i]);
  if (flop > 0.0)
    {
      LsGraphNumbers numbers = { -1.0, -1.0, flop, -1.0, -1.0 };
      g_autofree char *words = ls_graph_figure_text (&numbers, LS_GRAPH_FIGURE_FLOP);

      detail->loops_words = g_strdup_printf (_("%s in one call"), words);
    }
  detail->text = ls_session_build_text (history, node);
  detail->can_schedule = TRUE;
}

/* A program of one function has its history here too, so that a loop keeps its family; of a larger one the function is a
 * program of its own. */
static void
add_prim_func (LsEngineGraph *self,
               LsGraphDetail *detail,
               LsModule      *module,
               guint          state,
               const char    *name)
{
  g_autoptr (LsModule) only = only_function (module, name);
  g_autoptr (LsHistory) lone = NULL;
  LsHistory *history;
  guint node;

  if (only == NULL)
    return;
  history = ls_array_n (module->functions) == 1 ? ls_engine_graph_history (self, state, &node) : NULL;
  if (history != NULL)
    {
      add_nest (detail, history, node);
      return;
    }
  lone = ls_history_new (only, name);
  ls_history_set_lone (lone, TRUE);
  add_nest (detail, lone, 0);
}

/* ---- a line of a function ------------------------------------------------------------------ */

void
ls_engine_graph_forget_printed (LsEngineGraph *self)
{
  ls_take (&self->printed.module, NULL);
  g_clear_pointer (&self->printed.function, g_free);
  g_clear_object (&self->printed.text);
  g_clear_pointer (&self->printed.map, ls_source_map_unref);
}

static void
print_function (LsEngineGraph *self,
                LsModule      *module,
                const char    *function)
{
  const LsScriptPrintOptions options = { .only_function = function };
  g_autofree char *text = NULL;

  if (self->printed.module == module && g_strcmp0 (self->printed.function, function) == 0)
    return;
  ls_engine_graph_forget_printed (self);
  text = ls_script_print (module, &options, &self->printed.map);
  self->printed.module = ls_ref (module);
  self->printed.function = g_strdup (function);
  self->printed.text = ls_script_text_new (text);
}

static void
add_text (LsEngineGraph     *self,
          LsGraphDetail     *detail,
          LsModule          *module,
          const char        *function,
          const LsGraphNode *node)
{
  if (function == NULL || ls_module_get (module, function) == NULL)
    return;
  print_function (self, module, function);
  detail->text = g_object_ref (self->printed.text);
  if (self->printed.map != NULL && node->node != NULL)
    {
      g_autoptr (GPtrArray) ranges = ls_source_map_find_node (self->printed.map, node->node);

      if (ranges->len > 0)
        detail->line = MAX (((const LsSourceRange *) ranges->pdata[0])->line, 1) - 1;
    }
}

/* ---- which of them --------------------------------------------------------------------------- */

static const char *
words_for (const LsGraphNode *node,
           LsNode            *callee)
{
  if (ls_is (callee, PRIM_FUNC))
    return _("the PrimFunc that the selected call runs");
  if (callee != NULL)
    return _("the function that the selected call runs");
  switch (node->kind)
    {
    case LS_GRAPH_NODE_VALUE:
      return _("comes from outside");
    case LS_GRAPH_NODE_CONSTANT:
      return _("constant");
    case LS_GRAPH_NODE_RESULT:
      return _("what the function gives");
    case LS_GRAPH_NODE_GROUP:
      return _("folded; Enter opens it");
    case LS_GRAPH_NODE_CALL:
      if (node->detail != NULL && g_str_has_prefix (node->detail, "R."))
        return _("an operator; the pass LegalizeOps makes a PrimFunc of it");
      return node->callee != NULL ? _("a library's function") : node->detail;
    }
  return NULL;
}

LsGraphDetail *
ls_engine_graph_detail (LsEngineGraph *self,
                        gint           place)
{
  LsGraphModel *model = &self->parent_instance;
  LsGraphSeries *series = ls_graph_model_get_series (model);
  guint shown = ls_graph_model_get_state (model);
  LsGraphState *state = ls_graph_series_state (series, shown);
  const LsGraphNode *node = ls_graph_node (state->graph, state->nodes[place]);
  LsModule *module = ls_graph_model_get_kind (model) != LS_GRAPH_FX ? ls_engine_graph_module (self, shown) : NULL;
  LsNode *callee = module != NULL && node->callee != NULL ? ls_module_get (module, node->callee) : NULL;
  LsGraphDetail *detail = ls_graph_detail_new ();

  detail->title = g_strdup (node->title);
  detail->words = g_strdup (words_for (node, callee));
  add_arguments (detail, state->graph, (guint) state->nodes[place], ls_is (callee, PRIM_FUNC) ? (LsPrimFunc *) callee : NULL);
  if (module == NULL)
    return detail;
  if (ls_is (callee, PRIM_FUNC))
    add_prim_func (self, detail, module, shown, node->callee);
  else if (ls_graph_model_get_kind (model) != LS_GRAPH_RELAX && node->function != NULL && ls_is (ls_module_get (module, node->function), PRIM_FUNC))
    add_prim_func (self, detail, module, shown, node->function);
  else
    add_text (self, detail, module, callee != NULL ? node->callee : node->function, node);
  return detail;
}
