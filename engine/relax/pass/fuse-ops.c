/* FuseOps: bindings of dataflow that fit together become private functions with Primitive = 1.
 *
 * The graph of engine/relax/fuse-graph.h says what fits; engine/relax/group.h makes the functions, fused_CALLEE_CALLEE...,
 * called where the last of their bindings stood.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/fuse-graph.h"
#include "engine/relax/group.h"
#include "engine/relax/pass/pass.h"

/* ---- the graph --------------------------------------------------------------------- */

typedef struct {
  LsModule    *module;
  LsFuseGraph *graph;
} Fusion;

typedef struct {
  LsFuseGraph *graph;
  guint        node;
  LsOpPattern  pattern;
} Reading;

static LsWalk
read_leaf (LsNode  *node,
           gpointer user_data)
{
  Reading *self = user_data;

  if (ls_is_relax_var (node) || ls_is (node, CONSTANT))
    ls_fuse_graph_add_edge (self->graph, ls_fuse_graph_node (self->graph, node), self->node, self->pattern);
  return ls_is (node, CONSTANT) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static LsOpPattern
pattern_of_call (Fusion      *self,
                 LsRelaxCall *call)
{
  LsNode *callee = call->args->n > 0 ? call->args->items[0] : NULL;
  LsNode *func = ls_is_relax_call_tir (call) && ls_is (callee, GLOBAL_VAR)
                 ? ls_module_get (self->module, ((LsGlobalVar *) callee)->name_hint) : NULL;
  LsNode *kind = ls_is (func, PRIM_FUNC) ? ls_map_get (((LsPrimFunc *) func)->attrs, "op_pattern") : NULL;
  gint64 value;

  return ls_as_int (kind, &value) && value >= 0 && value <= LS_PATTERN_OPAQUE ? (LsOpPattern) value : LS_PATTERN_OPAQUE;
}

static LsOpPattern
pattern_of_value (Fusion *self,
                  LsNode *value)
{
  if (ls_is (value, RELAX_CALL))
    return pattern_of_call (self, (LsRelaxCall *) value);
  return ls_is (value, TUPLE_GET_ITEM) ? LS_PATTERN_INJECTIVE : LS_PATTERN_OPAQUE;
}

static void
add_binding (Fusion  *self,
             LsNode  *binding,
             gboolean dataflow)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);
  LsOpPattern pattern = dataflow && ls_is (binding, VAR_BINDING) ? pattern_of_value (self, value) : LS_PATTERN_OPAQUE;
  Reading reading = { self->graph, 0, pattern };
  LsNode *read = ls_is_relax_call_tir (value) && pattern != LS_PATTERN_OPAQUE ? ((LsRelaxCall *) value)->args->items[1] : value;
  g_autoptr (GPtrArray) leaves = NULL;

  if (var == NULL)
    return;
  leaves = ls_relax_free_vars (value);
  for (guint i = 0; i < leaves->len; i++)
    ls_fuse_graph_node (self->graph, leaves->pdata[i]);
  reading.node = ls_fuse_graph_node (self->graph, var);
  ls_fuse_graph_set_pattern (self->graph, reading.node, pattern);
  if (!ls_is (var, DATAFLOW_VAR))
    ls_fuse_graph_set_extern (self->graph, reading.node);
  ls_walk (read, read_leaf, NULL, &reading);
}

static void
add_function (Fusion     *self,
              LsFunction *func)
{
  LsSeqExpr *body = (LsSeqExpr *) func->body;

  for (guint i = 0; i < func->params->n; i++)
    ls_fuse_graph_set_extern (self->graph, ls_fuse_graph_node (self->graph, func->params->items[i]));
  for (guint i = 0; i < body->blocks->n; i++)
    {
      LsBindingBlock *block = ls_array_at (body->blocks, i, LsBindingBlock);

      for (guint j = 0; j < block->bindings->n; j++)
        add_binding (self, block->bindings->items[j], ls_is (block, DATAFLOW_BLOCK));
    }
}

/* What the graph put together is one group. */
static void
put_groups (LsFuseGraph *graph,
            LsGrouping  *grouping,
            GHashTable  *groups,        /* number of a group of the graph -> LsVarGroup */
            LsFunction  *func)
{
  LsSeqExpr *body = (LsSeqExpr *) func->body;

  for (guint i = 0; i < body->blocks->n; i++)
    {
      LsBindingBlock *block = ls_array_at (body->blocks, i, LsBindingBlock);

      for (guint j = 0; ls_is (block, DATAFLOW_BLOCK) && j < block->bindings->n; j++)
        {
          LsRelaxVar *var = ls_binding_var (block->bindings->items[j]);
          gpointer number = var != NULL ? GUINT_TO_POINTER (ls_fuse_graph_group (graph, ls_fuse_graph_node (graph, var))) : NULL;
          LsVarGroup *group = g_hash_table_lookup (groups, number);

          if (var != NULL && group == NULL)
            g_hash_table_insert (groups, number, ls_grouping_get (grouping, var));
          else if (var != NULL)
            {
              ls_grouping_put (grouping, var, group);
              group->n++;
            }
        }
    }
}

/* ---- the pass ------------------------------------------------------------------------------ */

static gboolean
is_fused (LsFunction *func)
{
  return func->attrs != NULL && (ls_map_get (func->attrs, "Primitive") != NULL || ls_map_get (func->attrs, "Codegen") != NULL);
}

LsModule *
ls_relax_pass_fuse_ops (LsModule  *module,
                        LsMap     *args,
                        GError   **error)
{
  gint64 level = ls_relax_pass_int (args, "fuse_opt_level");
  g_autoptr (LsFuseGraph) graph = ls_fuse_graph_new ();
  g_autoptr (LsGrouping) grouping = ls_grouping_new ();
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);
  Fusion fusion = { module, graph };

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION) && !is_fused ((LsFunction *) module->functions->items[i]))
      add_function (&fusion, (LsFunction *) module->functions->items[i]);
  ls_fuse_graph_partition (graph, level < 0 ? 2 : (guint) level, 256);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION) && !is_fused ((LsFunction *) module->functions->items[i]))
      put_groups (graph, grouping, groups, (LsFunction *) module->functions->items[i]);
  return ls_grouping_apply (grouping, module, TRUE, NULL, error);
}
