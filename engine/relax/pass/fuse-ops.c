/* FuseOps: bindings of dataflow that fit together become private functions with Primitive = 1.
 *
 * The graph of engine/relax/fuse-graph.h says what fits; here each group of more than one binding becomes a function
 * fused_CALLEE_CALLEE..., called where its last binding stood.  Fields of tuples from outside are passed one by one;
 * symbolic extents that no parameter decides come as R.shape in tir_vars.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/fuse-graph.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

/* ---- the graph --------------------------------------------------------------------- */

typedef struct {
  LsModule    *module;
  LsFuseGraph *graph;
  GHashTable  *members;         /* group -> GPtrArray of bindings (borrowed) */
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
  LsNode *func = ls_is_relax_call (call, "relax.call_tir") && ls_is (callee, GLOBAL_VAR)
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
  LsNode *read = ls_is_relax_call (value, "relax.call_tir") && pattern != LS_PATTERN_OPAQUE ? ((LsRelaxCall *) value)->args->items[1] : value;
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

static void
collect_members (Fusion     *self,
                 LsFunction *func)
{
  LsSeqExpr *body = (LsSeqExpr *) func->body;

  for (guint i = 0; i < body->blocks->n; i++)
    {
      LsBindingBlock *block = ls_array_at (body->blocks, i, LsBindingBlock);

      for (guint j = 0; ls_is (block, DATAFLOW_BLOCK) && j < block->bindings->n; j++)
        {
          LsRelaxVar *var = ls_binding_var (block->bindings->items[j]);
          guint group = ls_fuse_graph_group (self->graph, ls_fuse_graph_node (self->graph, var));
          GPtrArray *list = g_hash_table_lookup (self->members, GUINT_TO_POINTER (group));

          if (list == NULL)
            {
              list = g_ptr_array_new ();
              g_hash_table_insert (self->members, GUINT_TO_POINTER (group), list);
            }
          g_ptr_array_add (list, block->bindings->items[j]);
        }
    }
}

/* ---- one function -------------------------------------------------------------------- */

typedef struct {
  LsRelaxMutator *caller;
  GHashTable     *vars;         /* what the group reads or binds -> its own variable (kept) */
  GPtrArray      *params;       /* references */
  GPtrArray      *args;         /* references */
  GPtrArray      *bindings;     /* references */
  GString        *name;
  guint           n_constants;
} Maker;

static void
add_param (Maker        *self,
           gpointer      key,
           const char   *name,
           LsStructInfo *info,  /* borrowed */
           LsNode       *arg)   /* taken */
{
  LsRelaxVar *param = ls_relax_var_new (name, ls_node_ref (info));

  g_ptr_array_add (self->params, ls_ref (param));
  g_ptr_array_add (self->args, arg);
  g_hash_table_insert (self->vars, key, param);
}

static LsWalk
note_input (LsNode  *node,
            gpointer user_data)
{
  Maker *self = user_data;

  if (g_hash_table_contains (self->vars, node))
    return LS_WALK_PRUNE;
  if (ls_is_relax_var (node))
    add_param (self, node, ((LsRelaxVar *) node)->name, ((LsRelaxVar *) node)->struct_info, ls_relax_mutator_visit (self->caller, node));
  else if (ls_is (node, CONSTANT))
    {
      g_autofree char *name = g_strdup_printf ("param_%u", self->n_constants++);

      add_param (self, node, name, ((LsConstant *) node)->struct_info, ls_node_ref (node));
      return LS_WALK_PRUNE;
    }
  return LS_WALK_CONTINUE;
}

/* A field of a tuple that comes from outside is a parameter itself. */
static gboolean
take_field (Maker        *self,
            LsVarBinding *binding)
{
  LsTupleGetItem *item = (LsTupleGetItem *) binding->value;
  g_autofree char *name = NULL;

  if (!ls_is (item, TUPLE_GET_ITEM) || !ls_is_relax_var (item->tuple) || g_hash_table_contains (self->vars, item->tuple))
    return FALSE;
  name = g_strdup_printf ("%s_%d", ((LsRelaxVar *) item->tuple)->name, (int) item->index);
  {
    g_autoptr (LsNode) value = ls_relax_mutator_visit (self->caller, LS_NODE (item));
    LsRelaxVar *emitted = ls_block_builder_emit (self->caller->builder, value, NULL);

    add_param (self, binding->var, name, binding->var->struct_info, LS_NODE (ls_ref (emitted)));
  }
  return TRUE;
}

/* Puts the group's own variables and parameters for those of the caller. */
static LsNode *
own_value (Maker  *self,
           LsNode *value)
{
  static const LsRelaxMutatorFuncs none = { NULL };
  g_auto (LsRelaxMutator) mutator = { NULL };
  GHashTableIter iter;
  gpointer key, var;

  ls_relax_mutator_init (&mutator, &none, NULL, NULL);
  g_hash_table_iter_init (&iter, self->vars);
  while (g_hash_table_iter_next (&iter, &key, &var))
    if (ls_is_relax_var (key))
      ls_relax_mutator_replace (&mutator, key, var);
  return ls_relax_mutator_visit (&mutator, value);
}

static LsNode *
put_params_for_constants (Maker  *self,
                          LsNode *value)
{
  LsRelaxCall *call = (LsRelaxCall *) value;
  LsRelaxTuple *tuple = ls_is (value, RELAX_CALL) && call->args->n > 1 ? (LsRelaxTuple *) call->args->items[1] : NULL;
  GPtrArray *fields, *args;

  if (!ls_is (tuple, RELAX_TUPLE))
    return ls_node_ref (value);
  fields = g_ptr_array_new ();
  args = g_ptr_array_new ();
  for (guint i = 0; i < tuple->fields->n; i++)
    {
      LsNode *own = ls_is (tuple->fields->items[i], CONSTANT) ? g_hash_table_lookup (self->vars, tuple->fields->items[i]) : NULL;

      g_ptr_array_add (fields, ls_node_ref (own != NULL ? own : tuple->fields->items[i]));
    }
  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, i == 1 ? ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&fields))) : ls_node_ref (call->args->items[i]));
  return ls_relax_call_new (ls_node_ref (call->op), ls_array_take_ptr_array (args), ls_ref (call->attr_names), ls_ref (call->attrs), ls_ref (call->sinfo_args));
}

static void
append (Maker        *self,
        LsVarBinding *binding,
        gboolean      is_last)
{
  g_autoptr (LsNode) lifted = NULL;
  LsRelaxVar *var;

  if (ls_is_relax_call (binding->value, "relax.call_tir"))
    g_string_append_printf (self->name, "_%s", ((LsGlobalVar *) ((LsRelaxCall *) binding->value)->args->items[0])->name_hint);
  if (take_field (self, binding))
    return;
  ls_walk (binding->value, note_input, NULL, self);
  lifted = put_params_for_constants (self, binding->value);
  var = is_last ? ls_relax_var_new ("gv", ls_node_ref (binding->var->struct_info))
        : ls_dataflow_var_new (binding->var->name, ls_node_ref (binding->var->struct_info));
  g_ptr_array_add (self->bindings, ls_var_binding_new (ls_ref (var), own_value (self, lifted)));
  g_hash_table_insert (self->vars, binding->var, var);
}

static LsFunction *
finish_function (Maker      *self,
                 LsRelaxVar *last)
{
  g_autoptr (LsMap) empty = ls_map_empty ();
  g_autoptr (LsNode) one = LS_NODE (ls_int (1));
  LsRelaxVar *result = g_hash_table_lookup (self->vars, last);
  LsNode *body = ls_seq_expr_new (ls_array_of (ls_dataflow_block_new (ls_array_take_ptr_array (g_steal_pointer (&self->bindings))), NULL),
                                  LS_NODE (ls_ref (result)));
  g_autoptr (LsFunction) func = ls_function_new (ls_array_new (self->params->pdata, self->params->len), body, ls_node_ref (result->struct_info),
                                                 ls_map_set (empty, "Primitive", one), TRUE);
  g_autoptr (GPtrArray) symbols = ls_relax_free_symbols (func);

  for (guint i = 0; i < self->params->len; i++)
    ls_ref ((LsNode *) self->params->pdata[i]);
  if (symbols->len > 0)
    {
      g_autoptr (LsArray) values = NULL;
      g_autoptr (LsArray) params = NULL;
      g_autoptr (LsNode) shape = NULL;

      for (guint i = 0; i < symbols->len; i++)
        ls_ref ((LsNode *) symbols->pdata[i]);
      values = ls_array_new (symbols->pdata, symbols->len);
      shape = LS_NODE (ls_relax_var_new ("tir_vars", ls_shape_struct_info_new (ls_ref (values), values->n)));
      params = ls_array_append (func->params, shape);
      g_ptr_array_add (self->args, ls_shape_expr_new (ls_ref (values)));
      {
        LsFunction *longer = ls_function_new (ls_ref (params), ls_node_ref (func->body), ls_node_ref (func->ret_struct_info), ls_ref (func->attrs), TRUE);

        ls_unref (func);
        func = longer;
      }
    }
  return ls_relax_copy_function (func);
}

static void
emit_group (LsRelaxMutator *caller,
            GPtrArray      *group)
{
  Maker maker = { caller, g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref), g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                  g_ptr_array_new (), g_ptr_array_new (), g_string_new ("fused"), 0 };
  LsRelaxVar *last = ls_binding_var (group->pdata[group->len - 1]), *made;
  g_autoptr (LsFunction) func = NULL;
  g_autoptr (LsNode) call = NULL;
  LsGlobalVar *callee;

  for (guint i = 0; i < group->len; i++)
    append (&maker, group->pdata[i], i + 1 == group->len);
  func = finish_function (&maker, last);
  callee = ls_block_builder_add_func (caller->builder, func, maker.name->str);
  call = ls_relax_call_new (LS_NODE (ls_ref (callee)), ls_array_take_ptr_array (maker.args), NULL, NULL, NULL);
  made = ls_is (last, DATAFLOW_VAR) ? ls_block_builder_emit (caller->builder, call, NULL) : ls_block_builder_emit_output (caller->builder, call, NULL);
  ls_relax_mutator_replace (caller, last, made);
  g_hash_table_unref (maker.vars);
  g_ptr_array_unref (maker.params);
  g_string_free (maker.name, TRUE);
}

/* ---- the pass ------------------------------------------------------------------------------ */

static LsNode *
fuse_block (LsRelaxMutator *self,
            LsBindingBlock *block)
{
  Fusion *fusion = self->user_data;

  if (!ls_is (block, DATAFLOW_BLOCK))
    return ls_relax_mutator_default_block (self, block);
  ls_block_builder_begin_block (self->builder, TRUE);
  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsNode *binding = block->bindings->items[i];
      LsRelaxVar *var = ls_binding_var (binding);
      GPtrArray *group = var != NULL && ls_fuse_graph_has (fusion->graph, var)
                         ? g_hash_table_lookup (fusion->members, GUINT_TO_POINTER (ls_fuse_graph_group (fusion->graph, ls_fuse_graph_node (fusion->graph, var))))
                         : NULL;

      if (group == NULL || group->len < 2)
        ls_relax_mutator_default_binding (self, binding);
      else if (group->pdata[group->len - 1] == binding)
        emit_group (self, group);
    }
  return ls_block_builder_end_block (self->builder);
}

static gboolean
is_fused (LsFunction *func)
{
  return func->attrs != NULL && (ls_map_get (func->attrs, "Primitive") != NULL || ls_map_get (func->attrs, "Codegen") != NULL);
}

static LsNode *
fuse_function (LsRelaxMutator *self,
               LsFunction     *func)
{
  return is_fused (func) ? ls_node_ref (LS_NODE (func)) : ls_relax_mutator_default (self, func);
}

LsModule *
ls_relax_pass_fuse_ops (LsModule  *module,
                        LsMap     *args,
                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .block = fuse_block, .function = fuse_function };
  gint64 level = ls_relax_pass_int (args, "fuse_opt_level");
  g_autoptr (LsFuseGraph) graph = ls_fuse_graph_new ();
  g_autoptr (GHashTable) members = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Fusion fusion = { module, graph, members };

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION) && !is_fused ((LsFunction *) module->functions->items[i]))
      add_function (&fusion, (LsFunction *) module->functions->items[i]);
  ls_fuse_graph_partition (graph, level < 0 ? 2 : (guint) level, 256);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION) && !is_fused ((LsFunction *) module->functions->items[i]))
      collect_members (&fusion, (LsFunction *) module->functions->items[i]);
  return ls_relax_mutate_module (module, &funcs, &fusion, error);
}
