/* DecomposeOpsForInference, DecomposeOpsForTraining: batch_norm as arithmetic over its statistics, tensor_to_shape as a
 * packed call whose result gives symbolic variables; for training layer_norm as well, and batch_norm takes the
 * statistics of the batch and moves the running ones. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsRelaxMutator *mutator;
  LsRelaxCall    *call;
  LsDType         dtype;
  guint           ndim;
  gint64          axis;         /* batch_norm */
} Norm;

static LsNode *
emit (Norm   *self,
      LsNode *expr)             /* taken */
{
  return LS_NODE (ls_block_builder_emit_take (self->mutator->builder, expr, NULL));
}

/* The operator on borrowed arguments; b may be NULL. (transfer full) */
static LsNode *
call_of (const char *op,
         LsNode     *a,
         LsNode     *b)
{
  LsArray *args = b == NULL ? ls_array_of (ls_node_ref (a), NULL) : ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL);

  return ls_relax_call_new (ls_relax_op_new (op), args, NULL, NULL, NULL);
}

/* The same, emitted. Borrowed. */
static LsNode *
apply (Norm       *self,
       const char *op,
       LsNode     *a,
       LsNode     *b)
{
  return emit (self, call_of (op, a, b));
}

static LsNode *
statistic (Norm       *self,
           const char *op,
           LsNode     *x,
           LsNode     *axes,            /* borrowed */
           gboolean    keepdims)
{
  return emit (self, ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ls_node_ref (x), NULL),
                                        ls_array_of (ls_string_new ("axis"), ls_string_new ("keepdims"), NULL),
                                        ls_array_of (ls_node_ref (axes), ls_bool (keepdims), NULL), NULL));
}

/* A constant without dimensions of the data's type. (transfer full) */
static LsNode *
scalar (Norm   *self,
        double  value)
{
  float single = (float) value;

  return ls_constant_new (ls_tensor_new (self->dtype, ls_array_empty (),
                                         self->dtype.bits == 64 ? g_bytes_new (&value, sizeof value) : g_bytes_new (&single, sizeof single)));
}

static double
number_attr (Norm       *self,
             const char *name,
             double      otherwise)
{
  LsNode *value = ls_relax_pass_attr (self->call, name);
  gint64 whole;

  return ls_is (value, FLOAT_IMM) ? ((LsFloatImm *) value)->value : ls_as_int (value, &whole) ? (double) whole : otherwise;
}

static gboolean
flag_attr (Norm       *self,
           const char *name)
{
  return number_attr (self, name, 1) != 0;
}

/* Every dimension but the channels'. (transfer full) */
static LsNode *
other_axes (Norm *self)
{
  GPtrArray *axes = g_ptr_array_new ();

  for (guint i = 0; i < self->ndim; i++)
    if (i != self->axis)
      g_ptr_array_add (axes, ls_int_imm_new (LS_INT64, i));
  return LS_NODE (ls_array_take_ptr_array (axes));
}

/* One value a channel against the data. Borrowed. */
static LsNode *
expanded (Norm   *self,
          LsNode *x)
{
  return emit (self, ls_relax_call_new (ls_relax_op_new ("relax.expand_dims"), ls_array_of (ls_node_ref (x), NULL),
                                        ls_array_of (ls_string_new ("axis"), NULL), ls_array_of (other_axes (self), NULL), NULL));
}

/* deviation / sqrt (variance + epsilon). (transfer full) */
static LsNode *
scaled_down (Norm   *self,
             LsNode *deviation,
             LsNode *variance)
{
  g_autoptr (LsNode) epsilon = scalar (self, number_attr (self, "epsilon", 1e-5));

  return call_of ("relax.divide", deviation, apply (self, "relax.sqrt", apply (self, "relax.add", variance, epsilon), NULL));
}

static LsNode *
layer_norm (Norm *self)
{
  LsNode **args = (LsNode **) self->call->args->items;
  LsNode *axes = ls_relax_pass_attr (self->call, "axes");
  LsNode *deviation = apply (self, "relax.subtract", args[0], statistic (self, "relax.mean", args[0], axes, TRUE));
  LsNode *out = scaled_down (self, deviation, statistic (self, "relax.variance", args[0], axes, TRUE));

  if (flag_attr (self, "scale"))
    out = call_of ("relax.multiply", emit (self, out), args[1]);
  if (flag_attr (self, "center"))
    out = call_of ("relax.add", emit (self, out), args[2]);
  return out;
}

/* (1 - momentum) * old + momentum * now. Borrowed. */
static LsNode *
moved (Norm   *self,
       LsNode *old,
       LsNode *now)
{
  double momentum = number_attr (self, "momentum", 0.1);
  g_autoptr (LsNode) keep = scalar (self, 1 - momentum);
  g_autoptr (LsNode) take = scalar (self, momentum);
  LsNode *kept = apply (self, "relax.multiply", keep, old);

  return apply (self, "relax.add", kept, apply (self, "relax.multiply", take, now));
}

static LsNode *
batch_norm (Norm     *self,
            gboolean  training)
{
  LsNode **args = (LsNode **) self->call->args->items;
  g_autoptr (LsNode) axes = other_axes (self);
  LsNode *mean = training ? statistic (self, "relax.mean", args[0], axes, FALSE) : args[3];
  LsNode *deviation = apply (self, "relax.subtract", args[0], expanded (self, mean));
  LsNode *variance = training ? statistic (self, "relax.variance", args[0], axes, FALSE) : args[4];
  LsNode *out = emit (self, scaled_down (self, deviation, expanded (self, variance)));
  LsNode *new_mean = args[3], *new_variance = args[4];

  if (flag_attr (self, "scale"))
    out = apply (self, "relax.multiply", out, expanded (self, args[1]));
  if (flag_attr (self, "center"))
    out = apply (self, "relax.add", out, expanded (self, args[2]));
  if (training)
    {
      new_mean = moved (self, args[3], mean);
      new_variance = moved (self, args[4], variance);
    }
  return ls_relax_tuple_new (ls_array_of (ls_node_ref (out), ls_node_ref (new_mean), ls_node_ref (new_variance), NULL));
}

static LsNode *
tensor_to_shape (LsRelaxMutator *mutator,
                 LsRelaxCall    *call)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (mutator->builder, call);
  gint64 n = ls_is (info, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) info)->ndim : -1;
  g_autoptr (LsNode) packed = NULL;
  g_autoptr (LsArray) extents = NULL;
  g_autoptr (LsNode) claimed = NULL;
  GPtrArray *vars;
  LsRelaxVar *shape;

  if (n < 0)
    return ls_node_ref (LS_NODE (call));
  vars = g_ptr_array_new ();
  packed = ls_relax_call_new (ls_relax_op_new ("relax.call_pure_packed"),
                              ls_array_of (ls_extern_func_new ("vm.builtin.tensor_to_shape"), ls_node_ref (call->args->items[0]), NULL),
                              NULL, NULL, ls_array_of (ls_node_ref (info), NULL));
  shape = ls_block_builder_emit (mutator->builder, packed, NULL);
  for (gint64 i = 0; i < n; i++)
    g_ptr_array_add (vars, ls_var_new ("x", LS_INT64));
  extents = ls_array_take_ptr_array (vars);
  claimed = ls_shape_struct_info_new (ls_ref (extents), n);
  ls_block_builder_emit_match_cast (mutator->builder, shape, claimed, "y");
  return ls_shape_expr_new (ls_ref (extents));
}

/* Are rank and type known, and the type one that constants are made of here? */
static gboolean
describe (Norm *self)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->mutator->builder, self->call->args->items[0]);
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || tensor->ndim < 0 || tensor->dtype.code != LS_TYPE_FLOAT || tensor->dtype.bits < 32)
    return FALSE;
  self->dtype = tensor->dtype;
  self->ndim = (guint) tensor->ndim;
  self->axis = (gint64) number_attr (self, "axis", 1);
  self->axis += self->axis < 0 ? tensor->ndim : 0;
  return TRUE;
}

static LsNode *
decompose (LsRelaxMutator *self,
           LsRelaxCall    *call)
{
  gboolean training = *(gboolean *) self->user_data;
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  Norm norm = { .mutator = self, .call = (LsRelaxCall *) fresh };

  if (ls_is_relax_call (fresh, "relax.tensor_to_shape"))
    return tensor_to_shape (self, norm.call);
  if (training && ls_is_relax_call (fresh, "relax.nn.layer_norm") && describe (&norm))
    return layer_norm (&norm);
  if (ls_is_relax_call (fresh, "relax.nn.batch_norm") && describe (&norm))
    return batch_norm (&norm, training);
  return g_steal_pointer (&fresh);
}

static LsModule *
run (LsModule  *module,
     LsMap     *args,
     gboolean   training,
     GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = decompose };
  const char *only = ls_relax_pass_str (args, "func_name");
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, module, &training);
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);
      g_autoptr (LsNode) fresh = NULL;

      if (!ls_is (module->functions->items[i], FUNCTION) || (only != NULL && !g_str_equal (only, var->name_hint)))
        continue;
      fresh = ls_relax_mutator_visit (&mutator, module->functions->items[i]);
      ls_block_builder_update_func (mutator.builder, var, fresh);
    }
  return ls_relax_mutator_finish (&mutator, error);
}

/* Where it says training=False the statistics are those that it is given, whatever they are. */
static LsNode *
use_constants (LsRelaxMutator *self,
               LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  Norm norm = { .mutator = self, .call = (LsRelaxCall *) fresh };

  if (ls_is_relax_call (fresh, "relax.nn.batch_norm") && (!flag_attr (&norm, "training") || (ls_is (norm.call->args->items[3], CONSTANT) && ls_is (norm.call->args->items[4], CONSTANT)))
      && describe (&norm))
    return batch_norm (&norm, FALSE);
  return g_steal_pointer (&fresh);
}

LsModule *
ls_relax_use_constant_statistics (LsModule  *module,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = use_constants };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}

LsModule *
ls_relax_pass_decompose_ops_for_inference (LsModule  *module,
                                           LsMap     *args,
                                           GError   **error)
{
  return run (module, args, FALSE, error);
}

LsModule *
ls_relax_pass_decompose_ops_for_training (LsModule  *module,
                                          LsMap     *args,
                                          GError   **error)
{
  return run (module, args, TRUE, error);
}
