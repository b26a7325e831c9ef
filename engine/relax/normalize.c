/* normalize: A-normal form (TVM's Normalizer) and the joining of blocks.
 *
 * Arguments, conditions, tuple fields and results are leaves; what is none is bound to a variable in the block that is
 * open.  Sequences open blocks of their own.
 */
#include "engine/relax/block-builder.h"
#include "engine/relax/relation.h"

/* ---- struct info ------------------------------------------------------------------- */

/* A function that is made from nothing calls by call_tir only what the module has already. */
static gboolean
knows_callee (LsBlockBuilder  *self,
              LsRelaxCall     *call,
              GError         **error)
{
  LsGlobalVar *callee = ls_is_relax_call (call, "relax.call_tir") && call->args->n > 0 ? (LsGlobalVar *) call->args->items[0] : NULL;

  if (!ls_is (callee, GLOBAL_VAR) || !ls_block_builder_in_function (self) || ls_block_builder_lookup_func (self, callee) != NULL)
    return TRUE;
  g_set_error (error, LS_BLOCK_BUILDER_ERROR, LS_BLOCK_BUILDER_ERROR_TYPE, ls_translate ("relax.call_tir calls `%s`, which the module does not have."), callee->name_hint);
  return FALSE;
}

LsStructInfo *
ls_block_builder_struct_info (LsBlockBuilder *self,
                              gpointer        expr)
{
  LsRelaxCall *call = expr;
  LsNode *callee = ls_is (expr, RELAX_CALL) && ls_is (call->op, GLOBAL_VAR) ? ls_block_builder_lookup_func (self, (LsGlobalVar *) call->op) : NULL;
  GError *error = NULL;
  LsStructInfo *info;

  if (callee != NULL && ls_is (callee, FUNCTION) && call->sinfo_args->n == 0)
    return ls_function_result_of_call ((LsFunction *) callee, call);
  if (ls_is (callee, PRIM_FUNC) && call->sinfo_args->n == 0)
    return ls_is (((LsPrimFunc *) callee)->ret_type, PRIM_TYPE) ? ls_prim_struct_info_new (NULL, ((LsPrimType *) ((LsPrimFunc *) callee)->ret_type)->dtype)
           : ls_tuple_struct_info_new (ls_array_empty ());
  if (ls_is (expr, SEQ_EXPR))
    return ls_block_builder_struct_info (self, ((LsSeqExpr *) expr)->body);
  info = knows_callee (self, call, &error) ? ls_relax_infer (expr, NULL, &error) : NULL;
  if (info != NULL)
    return info;
  ls_block_builder_take_error (self, error);
  return ls_object_struct_info_new ();
}

/* ---- expressions --------------------------------------------------------------------- */

static LsArray *
normalize_arguments (LsBlockBuilder *self,
                     LsArray        *args)
{
  GPtrArray *out;
  gboolean changed = FALSE;

  for (guint i = 0; i < args->n && !changed; i++)
    changed = !ls_is_relax_leaf (args->items[i]) || ls_is (args->items[i], RELAX_TUPLE);
  if (!changed)
    return ls_ref (args);
  out = g_ptr_array_new ();
  changed = FALSE;
  for (guint i = 0; i < args->n; i++)
    {
      g_ptr_array_add (out, ls_block_builder_normalize_argument (self, args->items[i]));
      changed = changed || out->pdata[i] != args->items[i];
    }
  if (changed)
    return ls_array_take_ptr_array (out);
  g_ptr_array_set_free_func (out, (GDestroyNotify) ls_node_unref);
  g_ptr_array_unref (out);
  return ls_ref (args);
}

/* A tuple variable as a tuple that is written out: what it holds, or its fields. */
static LsNode *
written_out (LsBlockBuilder *self,
             LsNode         *tuple)
{
  LsNode *value = tuple;
  LsStructInfo *info;
  GPtrArray *fields;

  while (value != NULL && ls_is_relax_var (value))
    value = ls_block_builder_lookup_binding (self, (LsRelaxVar *) value);
  if (ls_is (value, RELAX_TUPLE))
    return ls_node_ref (value);
  info = ls_is_relax_var (tuple) ? ((LsRelaxVar *) tuple)->struct_info : NULL;
  if (!ls_is (info, TUPLE_STRUCT_INFO))
    return ls_node_ref (tuple);
  fields = g_ptr_array_new ();
  for (guint i = 0; i < ((LsTupleStructInfo *) info)->fields->n; i++)
    g_ptr_array_add (fields, ls_ref (ls_block_builder_emit_take (self, ls_tuple_get_item_new (ls_node_ref (tuple), i), NULL)));
  return ls_relax_tuple_new (ls_array_take_ptr_array (fields));
}

static LsArray *
normalize_call_arguments (LsBlockBuilder *self,
                          LsRelaxCall    *call)
{
  g_autoptr (LsNode) tuple = NULL;
  g_autoptr (LsArray) args = normalize_arguments (self, call->args);

  if (args->n < 2 || !ls_is_relax_var (args->items[1])
      || !(ls_is_relax_call (call, "relax.call_tir") || ls_is_relax_call (call, "relax.call_tir_inplace") || ls_is_relax_call (call, "relax.call_tir_with_grad")))
    return g_steal_pointer (&args);
  tuple = written_out (self, args->items[1]);
  return tuple != args->items[1] ? ls_array_with (args, 1, tuple) : g_steal_pointer (&args);
}

/* What a call asks of a tensor, where the tensor's struct info says it: the number itself.  Takes the call. (transfer full) */
static LsNode *
told_number (LsNode *call)
{
  LsNode *op = ((LsRelaxCall *) call)->op;
  g_autoptr (LsNode) info = NULL;
  LsNode *number;

  if (!ls_is (op, RELAX_OP) || !g_str_has_prefix (((LsRelaxOp *) op)->name, "relax.inspect.tensor_"))
    return call;
  info = ls_relax_struct_info (call);
  if (!ls_is (info, PRIM_STRUCT_INFO) || ((LsPrimStructInfo *) info)->value == NULL)
    return call;
  number = ls_prim_value_new (ls_ref (((LsPrimStructInfo *) info)->value));
  ls_node_unref (call);
  return number;
}

static LsNode *
normalize_call (LsBlockBuilder *self,
                LsRelaxCall    *call)
{
  LsNode *op = ls_block_builder_normalize_argument (self, call->op);
  LsArray *args = normalize_call_arguments (self, call);

  if (op != call->op || args != call->args)
    return told_number (ls_relax_call_new (op, args, ls_ref (call->attr_names), ls_ref (call->attrs), ls_ref (call->sinfo_args)));
  ls_node_unref (op);
  ls_unref (args);
  return told_number (ls_node_ref (LS_NODE (call)));
}

static LsNode *
normalize_tuple (LsBlockBuilder *self,
                 LsRelaxTuple   *tuple)
{
  LsArray *fields = normalize_arguments (self, tuple->fields);

  if (fields != tuple->fields)
    return ls_relax_tuple_new (fields);
  ls_unref (fields);
  return ls_node_ref (LS_NODE (tuple));
}

static LsNode *
normalize_item (LsBlockBuilder *self,
                LsTupleGetItem *item)
{
  LsNode *tuple = ls_block_builder_normalize_argument (self, item->tuple);

  if (tuple != item->tuple)
    return ls_tuple_get_item_new (tuple, item->index);
  ls_node_unref (tuple);
  return ls_node_ref (LS_NODE (item));
}

static void
normalize_binding (LsBlockBuilder *self,
                   LsNode         *binding)
{
  LsMatchCast *cast = ls_is (binding, MATCH_CAST) ? (LsMatchCast *) binding : NULL;
  LsNode *old = cast != NULL ? cast->value : ((LsVarBinding *) binding)->value;
  g_autoptr (LsNode) value = cast != NULL ? ls_block_builder_normalize_argument (self, old) : ls_block_builder_normalize (self, old);
  g_autoptr (LsNode) fresh = NULL;

  if (value == old)
    fresh = ls_node_ref (binding);
  else if (cast != NULL)
    fresh = ls_match_cast_new (ls_ref (cast->var), ls_ref (value), ls_ref (cast->struct_info));
  else
    fresh = ls_var_binding_new (ls_ref (((LsVarBinding *) binding)->var), ls_ref (value));
  ls_block_builder_emit_binding (self, fresh);
}

static LsNode *
normalize_block (LsBlockBuilder *self,
                 LsBindingBlock *block)
{
  LsNode *fresh;

  ls_block_builder_begin_block (self, ls_is (block, DATAFLOW_BLOCK));
  for (guint i = 0; i < block->bindings->n; i++)
    normalize_binding (self, block->bindings->items[i]);
  fresh = ls_block_builder_end_block (self);
  if (!ls_array_same_items (((LsBindingBlock *) fresh)->bindings, block->bindings))
    return fresh;
  ls_node_unref (fresh);
  return ls_node_ref (LS_NODE (block));
}

/* `body` as the result after `blocks` (of references, taken). */
static LsNode *
sequence (LsBlockBuilder *self,
          GPtrArray      *blocks,
          LsNode         *body)
{
  g_autoptr (LsArray) all = NULL;
  LsNode *leaf;

  ls_block_builder_begin_block (self, FALSE);
  leaf = ls_block_builder_normalize_argument (self, body);
  g_ptr_array_add (blocks, ls_block_builder_end_block (self));
  all = ls_array_take_ptr_array (blocks);
  return ls_seq_expr_new (ls_relax_join_blocks (all), leaf);
}

static LsNode *
normalize_sequence (LsBlockBuilder *self,
                    LsNode         *expr)
{
  LsSeqExpr *seq = ls_is (expr, SEQ_EXPR) ? (LsSeqExpr *) expr : NULL;
  GPtrArray *blocks = g_ptr_array_new ();
  LsNode *fresh;

  for (guint i = 0; seq != NULL && i < seq->blocks->n; i++)
    g_ptr_array_add (blocks, normalize_block (self, (LsBindingBlock *) seq->blocks->items[i]));
  fresh = sequence (self, blocks, seq != NULL ? seq->body : expr);
  if (seq == NULL || ((LsSeqExpr *) fresh)->body != seq->body || !ls_array_same_items (((LsSeqExpr *) fresh)->blocks, seq->blocks))
    return fresh;
  ls_node_unref (fresh);
  return ls_node_ref (expr);
}

static LsNode *
normalize_if (LsBlockBuilder *self,
              LsRelaxIf      *branch)
{
  LsNode *parts[3] = {
    ls_block_builder_normalize_argument (self, branch->cond),
    normalize_sequence (self, branch->true_branch),
    normalize_sequence (self, branch->false_branch),
  };
  LsNode *fresh = ls_node_with_children (LS_NODE (branch), parts);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    ls_node_unref (parts[i]);
  return fresh;
}

static LsNode *
normalize_function (LsBlockBuilder *self,
                    LsFunction     *func)
{
  LsNode *body = normalize_sequence (self, func->body);

  if (body != func->body)
    return LS_NODE (ls_function_new (ls_ref (func->params), body, ls_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure));
  ls_node_unref (body);
  return ls_node_ref (LS_NODE (func));
}

LsNode *
ls_block_builder_normalize (LsBlockBuilder *self,
                            gpointer        expr)
{
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_RELAX_CALL: return normalize_call (self, expr);
    case LS_KIND_RELAX_TUPLE: return normalize_tuple (self, expr);
    case LS_KIND_TUPLE_GET_ITEM: return normalize_item (self, expr);
    case LS_KIND_RELAX_IF: return normalize_if (self, expr);
    case LS_KIND_SEQ_EXPR: return normalize_sequence (self, expr);
    case LS_KIND_FUNCTION: return normalize_function (self, expr);
    default: return ls_is_void_var (expr) ? ls_relax_tuple_new (ls_array_empty ()) : ls_node_ref (expr);
    }
}

LsNode *
ls_block_builder_normalize_argument (LsBlockBuilder *self,
                                     gpointer        expr)
{
  LsRelaxVar *var = ls_block_builder_recall (self, expr);
  LsNode *value;

  if (var != NULL)
    return LS_NODE (ls_ref (var));
  value = ls_block_builder_normalize (self, expr);
  if (ls_is_relax_leaf (value))
    return value;
  var = ls_block_builder_emit (self, value, NULL);
  ls_block_builder_remember (self, expr, var);
  ls_node_unref (value);
  return LS_NODE (ls_ref (var));
}

/* ---- blocks ---------------------------------------------------------------------------- */

typedef struct {
  GPtrArray *blocks;            /* done */
  GPtrArray *bindings;          /* of the block under way */
  gboolean   dataflow;
} Join;

static void
close_run (Join *self)
{
  LsArray *bindings;

  if (self->bindings->len == 0)
    return;
  bindings = ls_array_take_ptr_array (g_steal_pointer (&self->bindings));
  self->bindings = g_ptr_array_new ();
  g_ptr_array_add (self->blocks, self->dataflow ? ls_dataflow_block_new (bindings) : ls_binding_block_new (bindings));
}

static void
add_block (Join           *self,
           LsBindingBlock *block)
{
  gboolean dataflow = ls_is (block, DATAFLOW_BLOCK);

  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsVarBinding *binding = (LsVarBinding *) block->bindings->items[i];
      LsSeqExpr *seq = ls_is (binding, VAR_BINDING) && ls_is (binding->value, SEQ_EXPR) ? (LsSeqExpr *) binding->value : NULL;

      for (guint k = 0; seq != NULL && k < seq->blocks->n; k++)
        add_block (self, (LsBindingBlock *) seq->blocks->items[k]);
      if (self->dataflow != dataflow)
        close_run (self);
      self->dataflow = dataflow;
      g_ptr_array_add (self->bindings, seq != NULL ? ls_var_binding_new (ls_ref (binding->var), ls_node_ref (seq->body))
                       : ls_node_ref (LS_NODE (binding)));
    }
}

static gboolean
is_joined (LsArray *blocks)
{
  for (guint i = 0; i < blocks->n; i++)
    {
      LsArray *bindings = ((LsBindingBlock *) blocks->items[i])->bindings;

      if (bindings->n == 0 || (i > 0 && ls_kind (blocks->items[i]) == ls_kind (blocks->items[i - 1])))
        return FALSE;
      for (guint k = 0; k < bindings->n; k++)
        if (ls_is (bindings->items[k], VAR_BINDING) && ls_is (((LsVarBinding *) bindings->items[k])->value, SEQ_EXPR))
          return FALSE;
    }
  return TRUE;
}

static LsArray *
without_empty (LsArray *blocks)
{
  GPtrArray *full = g_ptr_array_new ();

  for (guint i = 0; i < blocks->n; i++)
    if (((LsBindingBlock *) blocks->items[i])->bindings->n > 0)
      g_ptr_array_add (full, ls_node_ref (blocks->items[i]));
  return ls_array_take_ptr_array (full);
}

LsArray *
ls_relax_join_blocks (LsArray *all)
{
  g_autoptr (LsArray) blocks = NULL;
  Join join;

  if (is_joined (all))
    return ls_ref (all);
  blocks = without_empty (all);
  if (is_joined (blocks))
    return g_steal_pointer (&blocks);
  join.blocks = g_ptr_array_new ();
  join.bindings = g_ptr_array_new ();
  join.dataflow = FALSE;
  for (guint i = 0; i < blocks->n; i++)
    add_block (&join, (LsBindingBlock *) blocks->items[i]);
  close_run (&join);
  g_ptr_array_unref (join.bindings);
  return ls_array_take_ptr_array (join.blocks);
}
