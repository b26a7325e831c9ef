/* ToMixedPrecision: products and convolutions on float16, the rest in the type that is safe.
 *
 * In dataflow blocks an operator is one of three kinds (policy_of): products take float16 arguments, accumulate in out_dtype
 * and are stored as float16; followers compute in float16 when all their arguments are, or are constants in its range,
 * else in float32; the others keep their types.  A first walk, backward, finds the variables that only products use: these
 * are stored as float16 once, parameters at the begin of each block.  Source: TVM's ToMixedPrecision. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <math.h>
#include <string.h>

typedef enum { POLICY_NONE, POLICY_ALWAYS, POLICY_FOLLOW, POLICY_NEVER } Policy;

#define HALF_MAX 65504.0

typedef struct {
  LsRelaxMutator *mutator;
  const char     *out_dtype;
  LsArray        *half_inputs;  /* names of parameters, or NULL */
  LsArray        *params;       /* of the function */
  GHashTable     *needs;        /* variable -> GByteArray: for each of its tensors 0 (not used), 16 or 32 */
} Mixed;

/* ---- operators ----------------------------------------------------------------------- */

static Policy
policy_of (LsNode *value)
{
  static const char *const ALWAYS[] = { "matmul", "nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.conv1d_transpose", "nn.conv2d_transpose", "nn.attention",
                                        "nn.attention_bias", NULL };
  static const char *const FOLLOW[] = {
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_not", "ceil", "cos", "cosh", "erf", "exp", "floor", "isfinite", "isinf", "isnan",
    "log", "logical_not", "negative", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "clip", "trunc",
    "add", "divide", "floor_divide", "multiply", "power", "subtract", "mod", "floor_mod", "equal", "greater", "greater_equal", "less", "less_equal",
    "not_equal", "maximum", "minimum", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift",
    "nn.relu", "nn.gelu", "nn.gelu_tanh", "nn.selu", "nn.silu", "nn.layer_norm", "nn.group_norm", "nn.instance_norm", "nn.rms_norm", "nn.dropout",
    "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d", "nn.adaptive_avg_pool1d",
    "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d", "image.resize2d", "ewise_fma", "strided_slice", "astype", "concat", "expand_dims", "flatten", "layout_transform",
    "permute_dims", "reshape", "split", "squeeze", "broadcast_to", "collapse_sum_like", "collapse_sum_to", NULL };
  const char *name;

  if (!ls_is (value, RELAX_CALL) || !ls_is (((LsRelaxCall *) value)->op, RELAX_OP))
    return POLICY_NONE;
  name = ((LsRelaxOp *) ((LsRelaxCall *) value)->op)->name + strlen ("relax.");
  return g_strv_contains (ALWAYS, name) ? POLICY_ALWAYS : g_strv_contains (FOLLOW, name) ? POLICY_FOLLOW : POLICY_NEVER;
}

/* ---- tensors in struct infos ------------------------------------------------------------ */

/* A tensor or a tuple of such. */
static gboolean
is_tensors (LsStructInfo *info)
{
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;

  for (guint i = 0; fields != NULL && i < fields->n; i++)
    if (!is_tensors (fields->items[i]))
      return FALSE;
  return fields != NULL || ls_is (info, TENSOR_STRUCT_INFO);
}

static guint
count_tensors (LsStructInfo *info)
{
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  guint n = 0;

  for (guint i = 0; fields != NULL && i < fields->n; i++)
    n += count_tensors (fields->items[i]);
  return fields != NULL ? n : ls_is (info, TENSOR_STRUCT_INFO);
}

static gboolean
is_float (LsDType dtype,
          guint   bits)
{
  return dtype.code == LS_TYPE_FLOAT && dtype.bits == bits && dtype.lanes == 1;
}

/* ---- the walk backward --------------------------------------------------------------------- */

static GByteArray *
needs_of (Mixed      *self,
          LsRelaxVar *var)
{
  GByteArray *needs = g_hash_table_lookup (self->needs, var);

  if (needs != NULL)
    return needs;
  needs = g_byte_array_new ();
  g_byte_array_set_size (needs, count_tensors (var->struct_info));
  if (needs->len > 0)
    memset (needs->data, 0, needs->len);
  g_hash_table_insert (self->needs, var, needs);
  return needs;
}

/* `bits` for each tensor of the expression; a constant can be anything. */
static void
require (Mixed  *self,
         LsNode *expr,
         guint8  bits)
{
  if (ls_is (expr, RELAX_TUPLE))
    for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
      require (self, ((LsRelaxTuple *) expr)->fields->items[i], bits);
  else if (ls_is_relax_var (expr) && is_tensors (((LsRelaxVar *) expr)->struct_info))
    {
      GByteArray *needs = needs_of (self, (LsRelaxVar *) expr);

      for (guint i = 0; i < needs->len; i++)
        needs->data[i] = MAX (needs->data[i], bits);
    }
}

/* What is wanted of `from` (its tensors from `at` on) is wanted of the expression. */
static void
pass_on (Mixed      *self,
         LsNode     *expr,
         GByteArray *from,
         guint      *at)
{
  if (ls_is (expr, RELAX_TUPLE))
    for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
      pass_on (self, ((LsRelaxTuple *) expr)->fields->items[i], from, at);
  else if (ls_is_relax_var (expr))
    {
      GByteArray *needs = needs_of (self, (LsRelaxVar *) expr);

      for (guint i = 0; i < needs->len && *at < from->len; i++, (*at)++)
        needs->data[i] = MAX (needs->data[i], from->data[*at]);
    }
  else if (ls_is (expr, CONSTANT))
    (*at)++;
}

static void
pass_on_item (Mixed          *self,
              LsRelaxVar     *var,
              LsTupleGetItem *item)
{
  GByteArray *from = needs_of (self, var), *needs;
  LsArray *fields;
  guint at = 0;

  if (!ls_is_relax_var (item->tuple) || !ls_is (((LsRelaxVar *) item->tuple)->struct_info, TUPLE_STRUCT_INFO))
    return;
  fields = ((LsTupleStructInfo *) ((LsRelaxVar *) item->tuple)->struct_info)->fields;
  needs = needs_of (self, (LsRelaxVar *) item->tuple);
  for (guint i = 0; i < fields->n && i < item->index; i++)
    at += count_tensors (fields->items[i]);
  for (guint i = 0; i < from->len && at + i < needs->len; i++)
    needs->data[at + i] = MAX (needs->data[at + i], from->data[i]);
}

static void find_needs (Mixed *self, LsNode *expr);

static void
find_needs_of_value (Mixed      *self,
                     LsRelaxVar *var,
                     LsNode     *value)
{
  Policy policy = policy_of (value);
  LsArray *args = ls_is (value, RELAX_CALL) ? ((LsRelaxCall *) value)->args : NULL;
  guint at = 0;

  if (policy != POLICY_NONE)
    for (guint i = 0; i < args->n; i++)
      require (self, args->items[i], policy == POLICY_ALWAYS ? 16 : 32);
  else if (ls_is (value, RELAX_TUPLE) && is_tensors (var->struct_info))
    pass_on (self, value, needs_of (self, var), &at);
  else if (ls_is (value, TUPLE_GET_ITEM))
    pass_on_item (self, var, (LsTupleGetItem *) value);
  else
    find_needs (self, value);
}

static LsWalk
require_full (LsNode  *node,
              gpointer self)
{
  require (self, ls_is (node, RELAX_TUPLE) ? NULL : node, 32);
  return ls_is_struct_info (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static void
find_needs (Mixed  *self,
            LsNode *expr)
{
  LsSeqExpr *seq = (LsSeqExpr *) expr;

  if (ls_is (expr, RELAX_IF))
    {
      find_needs (self, ((LsRelaxIf *) expr)->true_branch);
      find_needs (self, ((LsRelaxIf *) expr)->false_branch);
      find_needs (self, ((LsRelaxIf *) expr)->cond);
      return;
    }
  if (!ls_is (expr, SEQ_EXPR))
    {
      ls_walk (expr, require_full, NULL, self);
      return;
    }
  find_needs (self, seq->body);
  for (guint i = seq->blocks->n; i > 0; i--)
    {
      LsBindingBlock *block = ls_array_at (seq->blocks, i - 1, LsBindingBlock);

      for (guint k = ls_is (block, DATAFLOW_BLOCK) ? block->bindings->n : 0; k > 0; k--)
        {
          LsNode *binding = block->bindings->items[k - 1];

          if (ls_is (binding, MATCH_CAST) || ls_binding_var (binding) == NULL)
            find_needs (self, ls_binding_value (binding));
          else
            find_needs_of_value (self, ls_binding_var (binding), ls_binding_value (binding));
        }
    }
}

/* ---- casts -------------------------------------------------------------------------------------- */

static LsNode *
astype (LsNode     *expr,
        const char *dtype)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.astype"), ls_array_of (ls_node_ref (expr), NULL), ls_array_of (ls_string_new ("dtype"), NULL),
                            ls_array_of (ls_string_new (dtype), NULL), NULL);
}

/* What a tensor becomes: given its place among the tensors, 16, 32, or 0: as it is. */
typedef guint (*WantFunc) (LsTensorStructInfo *tensor, guint at, gpointer data);

static LsNode *
cast_at (Mixed    *self,
         LsNode   *expr,
         WantFunc  want,
         gpointer  data,
         guint    *at)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->mutator->builder, expr);
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  g_autoptr (LsArray) list = NULL;
  gboolean changed = FALSE;
  GPtrArray *out;

  if (fields == NULL)
    {
      LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
      guint bits = ls_is (info, TENSOR_STRUCT_INFO) ? want (tensor, (*at)++, data) : 0;

      if (bits == 0 || is_float (tensor->dtype, bits) || !(is_float (tensor->dtype, 16) || is_float (tensor->dtype, 32)))
        return ls_node_ref (expr);
      return astype (expr, bits == 16 ? "float16" : "float32");
    }
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    {
      g_autoptr (LsNode) field = ls_is (expr, RELAX_TUPLE) ? ls_node_ref (((LsRelaxTuple *) expr)->fields->items[i])
                                 : ls_tuple_get_item_new (ls_node_ref (expr), i);

      g_ptr_array_add (out, cast_at (self, field, want, data, at));
      changed = changed || out->pdata[i] != field;
    }
  list = ls_array_take_ptr_array (out);
  return changed ? ls_relax_tuple_new (ls_ref (list)) : ls_node_ref (expr);
}

/* (transfer full) */
static LsNode *
cast (Mixed    *self,
      LsNode   *expr,
      WantFunc  want,
      gpointer  data)
{
  guint at = 0;

  return cast_at (self, expr, want, data, &at);
}

static guint
want_same (LsTensorStructInfo *tensor,
           guint               at,
           gpointer            bits)
{
  return GPOINTER_TO_UINT (bits);
}

static guint
want_needed (LsTensorStructInfo *tensor,
             guint               at,
             gpointer            needs)
{
  return at < ((GByteArray *) needs)->len && ((GByteArray *) needs)->data[at] == 16 ? 16 : 0;
}

/* The types that a struct info has. */
static void
add_bits (GByteArray   *bits,
          LsStructInfo *info)
{
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  LsDType dtype = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->dtype : LS_VOID;
  guint8 value = is_float (dtype, 16) ? 16 : is_float (dtype, 32) ? 32 : 0;

  for (guint i = 0; fields != NULL && i < fields->n; i++)
    add_bits (bits, fields->items[i]);
  if (ls_is (info, TENSOR_STRUCT_INFO))
    g_byte_array_append (bits, &value, 1);
}

static guint
want_listed (LsTensorStructInfo *tensor,
             guint               at,
             gpointer            bits)
{
  return at < ((GByteArray *) bits)->len ? ((GByteArray *) bits)->data[at] : 0;
}

/* The expression in the types of `info`. (transfer full) */
static LsNode *
cast_like (Mixed        *self,
           LsNode       *expr,
           LsStructInfo *info)
{
  GByteArray *bits = g_byte_array_new ();
  LsNode *fresh;

  add_bits (bits, info);
  fresh = cast (self, expr, want_listed, bits);
  g_byte_array_unref (bits);
  return fresh;
}

/* ---- the walk forward ------------------------------------------------------------------------------ */

static void
store_as_half (Mixed      *self,
               LsRelaxVar *var)
{
  GByteArray *needs = g_hash_table_lookup (self->needs, var);
  g_autoptr (LsNode) now = ls_relax_mutator_current (self->mutator, LS_NODE (var));
  g_autoptr (LsNode) fresh = needs != NULL ? cast (self, now, want_needed, needs) : ls_node_ref (now);

  if (fresh != now)
    ls_relax_mutator_replace (self->mutator, var, ls_block_builder_emit (self->mutator->builder, fresh, NULL));
}

static gboolean
constant_fits (LsTensor *data)
{
  gsize size, n, bytes = ls_dtype_bytes (data->dtype);
  const guint8 *at = g_bytes_get_data (data->data, &size);

  if (data->dtype.lanes != 1 || bytes == 0)
    return FALSE;
  if (is_float (data->dtype, 16))
    return TRUE;
  n = size / bytes;
  for (gsize i = 0; i < n; i++)
    {
      double value = 0;

      if (is_float (data->dtype, 32))
        value = ((const float *) at)[i];
      else if (is_float (data->dtype, 64))
        value = ((const double *) at)[i];
      else if (data->dtype.code == LS_TYPE_INT && bytes <= 8)
        {
          gint64 whole = 0;

          memcpy (&whole, at + i * bytes, bytes);
          value = (double) ((gint64) ((guint64) whole << (64 - 8 * bytes)) >> (64 - 8 * bytes));
        }
      else
        return FALSE;
      if (fabs (value) > HALF_MAX)
        return FALSE;
    }
  return TRUE;
}

static gboolean
all_half (Mixed   *self,
          LsArray *args)
{
  for (guint i = 0; i < args->n; i++)
    {
      LsNode *arg = args->items[i];
      g_autoptr (LsNode) info = ls_block_builder_struct_info (self->mutator->builder, arg);

      if (!is_tensors (info) || (ls_is (info, TENSOR_STRUCT_INFO) && is_float (((LsTensorStructInfo *) info)->dtype, 16))
          || (ls_is (arg, CONSTANT) && constant_fits (((LsConstant *) arg)->data))
          || (ls_is (arg, RELAX_TUPLE) && all_half (self, ((LsRelaxTuple *) arg)->fields)))
        continue;
      return FALSE;
    }
  return TRUE;
}

/* The call with out_dtype, if it has that attribute. (transfer full) */
static LsArray *
attrs_with_out_dtype (Mixed       *self,
                      LsRelaxCall *call)
{
  for (guint i = 0; i < call->attr_names->n; i++)
    if (g_str_equal (ls_array_at (call->attr_names, i, LsString)->value, "out_dtype"))
      {
        g_autoptr (LsNode) dtype = LS_NODE (ls_string_new (self->out_dtype));

        return ls_array_with (call->attrs, i, dtype);
      }
  return ls_ref (call->attrs);
}

static LsNode *
rewrite_call (Mixed       *self,
              LsRelaxVar  *var,
              LsRelaxCall *call,
              Policy       policy)
{
  g_autoptr (LsArray) now = NULL;
  g_autoptr (LsNode) value = NULL;
  GPtrArray *args = g_ptr_array_new ();
  guint bits = 0;

  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ls_relax_mutator_current (self->mutator, call->args->items[i]));
  now = ls_array_take_ptr_array (args);
  if (policy != POLICY_NEVER)
    bits = policy == POLICY_ALWAYS || all_half (self, now) ? 16 : 32;
  args = g_ptr_array_new ();
  for (guint i = 0; i < now->n; i++)
    {
      g_autoptr (LsNode) was = ls_block_builder_struct_info (self->mutator->builder, call->args->items[i]);

      g_ptr_array_add (args, !is_tensors (was) ? ls_node_ref (now->items[i]) : bits == 0 ? cast_like (self, now->items[i], was)
                       : cast (self, now->items[i], want_same, GUINT_TO_POINTER (bits)));
    }
  value = ls_relax_call_new (ls_node_ref (call->op), ls_array_take_ptr_array (args), ls_ref (call->attr_names),
                             policy == POLICY_ALWAYS ? attrs_with_out_dtype (self, call) : ls_ref (call->attrs), ls_ref (call->sinfo_args));
  if (bits == 0)
    return g_steal_pointer (&value);
  ls_take (&value, ls_block_builder_normalize (self->mutator->builder, value));
  if (!ls_is (var, DATAFLOW_VAR))
    return cast_like (self, value, var->struct_info);
  return policy == POLICY_ALWAYS ? cast (self, value, want_same, GUINT_TO_POINTER (16)) : g_steal_pointer (&value);
}

static LsNode *
rewrite_value (Mixed      *self,
               LsRelaxVar *var,
               LsNode     *value)
{
  Policy policy = policy_of (value);
  g_autoptr (LsNode) fresh = NULL;

  if (ls_is_relax_call (value, "relax.wrap_param"))
    return ls_node_ref (((LsRelaxCall *) value)->args->items[0]);
  if (policy != POLICY_NONE)
    return rewrite_call (self, var, (LsRelaxCall *) value, policy);
  if (ls_is (value, RELAX_TUPLE))
    fresh = ls_relax_mutator_current (self->mutator, value);
  else if (ls_is (value, TUPLE_GET_ITEM))
    fresh = ls_tuple_get_item_new (ls_relax_mutator_current (self->mutator, ((LsTupleGetItem *) value)->tuple), ((LsTupleGetItem *) value)->index);
  else
    return ls_relax_mutator_visit (self->mutator, value);
  return ls_is (var, DATAFLOW_VAR) ? g_steal_pointer (&fresh) : cast_like (self, fresh, var->struct_info);
}

static void
visit_binding (LsRelaxMutator *mutator,
               LsNode         *binding)
{
  Mixed *self = mutator->user_data;

  if (!ls_block_builder_in_dataflow (mutator->builder))
    {
      ls_relax_mutator_default_binding (mutator, binding);
      return;
    }
  if (ls_is (binding, MATCH_CAST))
    ls_relax_mutator_default_binding (mutator, binding);
  else
    {
      g_autoptr (LsNode) value = rewrite_value (self, ls_binding_var (binding), ls_binding_value (binding));

      ls_relax_mutator_rebind (mutator, (LsVarBinding *) binding, value);
    }
  if (ls_binding_var (binding) != NULL)
    store_as_half (self, ls_binding_var (binding));
}

/* Elsewhere a variable is used in the type that it had. */
static LsNode *
visit_var (LsRelaxMutator *mutator,
           LsRelaxVar     *var)
{
  LsNode *now = g_hash_table_lookup (mutator->vars, var);

  if (now == NULL || !ls_block_builder_in_dataflow (mutator->builder))
    return ls_node_ref (now != NULL ? now : LS_NODE (var));
  return cast_like (mutator->user_data, now, var->struct_info);
}

static LsNode *
visit_block (LsRelaxMutator *mutator,
             LsBindingBlock *block)
{
  Mixed *self = mutator->user_data;

  if (!ls_is (block, DATAFLOW_BLOCK))
    return ls_relax_mutator_default_block (mutator, block);
  ls_block_builder_begin_block (mutator->builder, TRUE);
  for (guint i = 0; i < self->params->n; i++)
    store_as_half (self, ls_array_at (self->params, i, LsRelaxVar));
  for (guint i = 0; i < block->bindings->n; i++)
    visit_binding (mutator, block->bindings->items[i]);
  for (guint i = 0; i < self->params->n; i++)
    g_hash_table_remove (mutator->vars, self->params->items[i]);
  return ls_block_builder_end_block (mutator->builder);
}

/* ---- functions -------------------------------------------------------------------------------------- */

static gboolean
is_half_input (Mixed      *self,
               LsRelaxVar *param)
{
  for (guint i = 0; i < ls_array_n (self->half_inputs); i++)
    if (ls_is (self->half_inputs->items[i], STRING) && g_str_equal (ls_array_at (self->half_inputs, i, LsString)->value, param->name))
      return ls_is (param->struct_info, TENSOR_STRUCT_INFO);
  return FALSE;
}

/* The function with inputs of float16 where they are named so. (transfer full) */
static LsNode *
with_half_inputs (Mixed      *self,
                  LsFunction *func)
{
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *params = g_ptr_array_new ();
  g_autoptr (LsArray) list = NULL;
  g_autoptr (LsNode) body = NULL;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
      LsTensorStructInfo *info = (LsTensorStructInfo *) param->struct_info;
      LsRelaxVar *fresh = !is_half_input (self, param) ? ls_ref (param)
                          : ls_relax_var_new (param->name, ls_tensor_struct_info_new (ls_node_ref (info->shape), info->ndim, LS_DTYPE (LS_TYPE_FLOAT, 16),
                                                                                      ls_node_ref (info->vdevice)));

      if (fresh != param)
        g_hash_table_insert (vars, param, ls_node_ref (LS_NODE (fresh)));
      g_ptr_array_add (params, fresh);
    }
  list = ls_array_take_ptr_array (params);
  if (g_hash_table_size (vars) == 0)
    return ls_node_ref (LS_NODE (func));
  body = ls_relax_bind (func->body, vars, NULL);
  return LS_NODE (ls_function_new (ls_ref (list), ls_ref (body), ls_node_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure));
}

LsModule *
ls_relax_pass_to_mixed_precision (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = visit_binding, .var = visit_var, .block = visit_block };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) needs = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_byte_array_unref);
  LsNode *names = ls_map_get (args, "fp16_input_names");
  Mixed self = { &mutator, ls_relax_pass_str (args, "out_dtype"), (LsArray *) names, NULL, needs };

  if (!g_str_equal (self.out_dtype, "float16") && !g_str_equal (self.out_dtype, "float32"))
    return ls_relax_pass_refuse (error, "The argument `out_dtype` is \"float16\" or \"float32\", not \"%s\".", self.out_dtype);
  ls_relax_mutator_init (&mutator, &funcs, module, &self);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      {
        g_autoptr (LsNode) func = with_half_inputs (&self, (LsFunction *) module->functions->items[i]);
        g_autoptr (LsNode) fresh = NULL;

        self.params = ((LsFunction *) func)->params;
        g_hash_table_remove_all (needs);
        find_needs (&self, ((LsFunction *) func)->body);
        fresh = ls_relax_mutator_visit (&mutator, func);
        ls_block_builder_update_func (mutator.builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  return ls_relax_mutator_finish (&mutator, error);
}
