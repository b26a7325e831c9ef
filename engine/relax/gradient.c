/* gradient: the derivatives of operators, a rule each (see the header); the rules are TVM's.
 *
 * A rule writes the expression down as a tree; what is emitted follows from its order. */
#include "engine/relax/gradient.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

typedef struct {
  const LsGradientStep *step;
  GPtrArray            *out;    /* of LsNode or NULL, owned */
  GError              **error;
  gboolean              failed;
} Rule;

typedef void (*RuleFunc) (Rule *self);

static LsTirGradientFunc tir_func;

void
ls_relax_gradient_set_tir_func (LsTirGradientFunc func)
{
  tir_func = func;
}

LsTirGradientFunc
ls_relax_gradient_get_tir_func (void)
{
  return tir_func;
}

/* ---- writing expressions: helpers take their expressions -------------------------------- */

#define ADJOINT ls_node_ref (self->step->adjoint)
#define RESULT LS_NODE (ls_ref (self->step->result))
#define ARG(i) ls_node_ref (self->step->call->args->items[i])

static LsNode *
unary (const char *op,
       LsNode     *a)
{
  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, NULL), NULL, NULL, NULL);
}

static LsNode *
binary (const char *op,
        LsNode     *a,
        LsNode     *b)
{
  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, b, NULL), NULL, NULL, NULL);
}

#define MUL(a, b) binary ("relax.multiply", (a), (b))
#define DIV(a, b) binary ("relax.divide", (a), (b))
#define ADD(a, b) binary ("relax.add", (a), (b))
#define SUB(a, b) binary ("relax.subtract", (a), (b))
#define NEG(a) unary ("relax.negative", (a))

static LsNode *
where (LsNode *condition,
       LsNode *a,
       LsNode *b)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.where"), ls_array_of (condition, a, b, NULL), NULL, NULL, NULL);
}

/* With one attribute (taken; NULL: None). */
static LsNode *
with_attr (const char *op,
           LsNode     *a,
           const char *name,
           gpointer    value)
{
  LsNode *values[] = { value };

  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, NULL), ls_array_of (ls_string_new (name), NULL), ls_array_new (values, 1), NULL);
}

static LsNode *
reduce (const char *op,
        LsNode     *a,
        gpointer    axis,               /* taken */
        gboolean    keepdims)
{
  LsNode *values[] = { axis, LS_NODE (ls_bool (keepdims)) };

  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, NULL), ls_array_of (ls_string_new ("axis"), ls_string_new ("keepdims"), NULL),
                            ls_array_new (values, 2), NULL);
}

static LsNode *
matmul (LsNode *a,
        LsNode *b)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.matmul"), ls_array_of (a, b, NULL), ls_array_of (ls_string_new ("out_dtype"), NULL),
                            ls_array_of (ls_string_new ("void"), NULL), NULL);
}

static LsNode *
shaped (const char *op,
        LsNode     *a,
        LsArray    *extents)            /* borrowed */
{
  return binary (op, a, ls_shape_expr_new (ls_ref (extents)));
}

static LsArray *
one_number (gint64 value)
{
  return ls_array_of (ls_int_imm_new (LS_INT64, value), NULL);
}

/* ---- what is known of the arguments --------------------------------------------------------- */

/* The extents of an expression, NULL after an error. (transfer full) */
static LsArray *
extents_of (Rule   *self,
            LsNode *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->step->builder, expr);
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

  if (ls_is (info, TENSOR_STRUCT_INFO) && ls_is (tensor->shape, SHAPE_EXPR))
    return ls_ref (((LsShapeExpr *) tensor->shape)->values);
  if (!self->failed)
    ls_relax_pass_refuse (self->error, "The derivative of %s needs the shapes of its arguments, and one is not known.",
                          ((LsRelaxOp *) self->step->call->op)->name);
  self->failed = TRUE;
  return NULL;
}

static LsArray *
arg_extents (Rule  *self,
             guint  i)
{
  return extents_of (self, self->step->call->args->items[i]);
}

static LsDType
dtype_of (Rule   *self,
          LsNode *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->step->builder, expr);

  return ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->dtype : LS_FLOAT32;
}

static LsDType
arg_dtype (Rule  *self,
           guint  i)
{
  return dtype_of (self, self->step->call->args->items[i]);
}

static LsNode *
attr (Rule       *self,
      const char *name)
{
  return ls_relax_pass_attr (self->step->call, name);
}

/* A constant without dimensions. (transfer full) */
static LsNode *
number (LsDType dtype,
        double  value)
{
  gsize n = ls_dtype_bytes (dtype);
  guint8 bytes[16] = { 0 };
  float single = (float) value;
  gint64 whole = (gint64) value;
  guint16 half = ls_half_from_float (single);
  gconstpointer from = dtype.code == LS_TYPE_FLOAT ? (dtype.bits == 64 ? (gconstpointer) &value : dtype.bits == 16 ? (gconstpointer) &half : (gconstpointer) &single)
                       : (gconstpointer) &whole;

  memcpy (bytes, from, MIN (n, sizeof whole));
  return ls_constant_new (ls_tensor_new (dtype, ls_array_empty (), g_bytes_new (bytes, n)));
}

static gboolean
same_extents (LsArray *a,
              LsArray *b)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;

  if (a->n != b->n)
    return FALSE;
  analyzer = ls_analyzer_new ();
  for (guint i = 0; i < a->n; i++)
    if (!ls_analyzer_can_prove_equal (analyzer, LS_EXPR (a->items[i]), LS_EXPR (b->items[i])))
      return FALSE;
  return TRUE;
}

/* ---- results ----------------------------------------------------------------------------------- */

static void
give (Rule   *self,
      LsNode *expr)
{
  g_ptr_array_add (self->out, expr);
}

/* Summed up to the shape of argument i, which was broadcast. */
static void
give_fit (Rule   *self,
          LsNode *expr,                 /* taken */
          guint   i)
{
  g_autoptr (LsNode) normal = ls_block_builder_normalize (self->step->builder, expr);
  g_autoptr (LsArray) has = extents_of (self, normal), wants = arg_extents (self, i);

  ls_node_unref (expr);
  if (has == NULL || wants == NULL)
    return;
  give (self, same_extents (has, wants) ? ls_node_ref (normal) : shaped ("relax.collapse_sum_to", ls_node_ref (normal), wants));
}

static void
give_none (Rule *self)
{
  give (self, NULL);
}

/* ---- arithmetic ----------------------------------------------------------------------------------- */

static void
grad_add (Rule *self)
{
  give_fit (self, ADJOINT, 0);
  give_fit (self, ADJOINT, 1);
}

static void
grad_subtract (Rule *self)
{
  give_fit (self, ADJOINT, 0);
  give_fit (self, NEG (ADJOINT), 1);
}

static void
grad_multiply (Rule *self)
{
  give_fit (self, MUL (ADJOINT, ARG (1)), 0);
  give_fit (self, MUL (ADJOINT, ARG (0)), 1);
}

static void
grad_divide (Rule *self)
{
  give_fit (self, DIV (ADJOINT, ARG (1)), 0);
  give_fit (self, DIV (MUL (NEG (ADJOINT), RESULT), ARG (1)), 1);
}

static void
grad_power (Rule *self)
{
  give_fit (self, MUL (MUL (ADJOINT, ARG (1)), binary ("relax.power", ARG (0), SUB (ARG (1), number (arg_dtype (self, 1), 1)))), 0);
  give_fit (self, MUL (MUL (ADJOINT, RESULT), unary ("relax.log", ARG (0))), 1);
}

/* Which of the two came through. */
static void
choose (Rule       *self,
        const char *not_first,
        const char *not_second)
{
  LsDType dtype = arg_dtype (self, 0);

  give_fit (self, where (binary (not_first, ARG (0), ARG (1)), number (dtype, 0), ADJOINT), 0);
  give_fit (self, where (binary (not_second, ARG (0), ARG (1)), number (dtype, 0), ADJOINT), 1);
}

static void
grad_maximum (Rule *self)
{
  choose (self, "relax.less", "relax.greater_equal");
}

static void
grad_minimum (Rule *self)
{
  choose (self, "relax.greater_equal", "relax.less");
}

static void
grad_none (Rule *self)
{
  for (guint i = 0; i < self->step->call->args->n; i++)
    give_none (self);
}

static void
grad_abs (Rule *self)
{
  LsDType dtype = arg_dtype (self, 0);

  give (self, MUL (ADJOINT, where (binary ("relax.less", ARG (0), number (dtype, 0)), NEG (number (dtype, 1)), number (dtype, 1))));
}

static void
grad_cos (Rule *self)
{
  give (self, MUL (NEG (ADJOINT), unary ("relax.sin", ARG (0))));
}

static void
grad_exp (Rule *self)
{
  give (self, MUL (ADJOINT, RESULT));
}

static void
grad_log (Rule *self)
{
  give (self, DIV (ADJOINT, ARG (0)));
}

static void
grad_negative (Rule *self)
{
  give (self, NEG (ADJOINT));
}

static void
grad_sigmoid (Rule *self)
{
  give (self, MUL (MUL (ADJOINT, RESULT), SUB (number (arg_dtype (self, 0), 1), RESULT)));
}

static void
grad_sin (Rule *self)
{
  give (self, MUL (ADJOINT, unary ("relax.cos", ARG (0))));
}

static void
grad_sqrt (Rule *self)
{
  give (self, DIV (MUL (number (arg_dtype (self, 0), 0.5), ADJOINT), RESULT));
}

static void
grad_tanh (Rule *self)
{
  give (self, MUL (ADJOINT, SUB (number (arg_dtype (self, 0), 1), MUL (RESULT, RESULT))));
}

static void
grad_triu (Rule *self)
{
  give (self, binary ("relax.triu", ADJOINT, ARG (1)));
  give_none (self);
}

/* ---- statistics -------------------------------------------------------------------------------------- */

/* The axes that a reduction took away put back. (takes `expr`) */
static LsNode *
put_axes_back (Rule   *self,
               LsNode *expr)
{
  LsNode *axes = attr (self, "axis");
  gint64 keepdims = 0;

  ls_as_int (attr (self, "keepdims"), &keepdims);
  if (keepdims != 0 || !ls_is (axes, ARRAY) || ((LsArray *) axes)->n == 0)
    return expr;
  return with_attr ("relax.expand_dims", expr, "axis", ls_node_ref (axes));
}

/* How many elements a result was made of; 0 after an error. */
static gint64
n_reduced (Rule *self)
{
  LsNode *axes = attr (self, "axis");
  g_autoptr (LsArray) extents = arg_extents (self, 0);
  gint64 product = 1, extent, axis;
  guint n = extents == NULL ? 0 : ls_is (axes, ARRAY) ? ((LsArray *) axes)->n : extents->n;

  for (guint i = 0; i < n; i++)
    {
      axis = i;
      if (ls_is (axes, ARRAY))
        ls_as_int (((LsArray *) axes)->items[i], &axis);
      axis += axis < 0 ? extents->n : 0;
      if (axis < 0 || axis >= extents->n || !ls_as_int (extents->items[axis], &extent))
        {
          if (!self->failed)
            ls_relax_pass_refuse (self->error, "The derivative of %s needs extents that are numbers.", ((LsRelaxOp *) self->step->call->op)->name);
          self->failed = TRUE;
          return 0;
        }
      product *= extent;
    }
  return extents == NULL ? 0 : product;
}

static void
grad_sum (Rule *self)
{
  g_autoptr (LsArray) extents = arg_extents (self, 0);

  if (extents != NULL)
    give (self, shaped ("relax.broadcast_to", put_axes_back (self, ADJOINT), extents));
}

static void
grad_mean (Rule *self)
{
  g_autoptr (LsArray) extents = arg_extents (self, 0);
  gint64 n = n_reduced (self);

  if (n > 0)
    give (self, shaped ("relax.broadcast_to", put_axes_back (self, DIV (ADJOINT, number (dtype_of (self, self->step->adjoint), (double) n))), extents));
}

static void
grad_variance (Rule *self)
{
  double n = (double) n_reduced (self);
  LsDType dtype = arg_dtype (self, 0);
  LsNode *first, *second;

  if (n <= 0)
    return;
  first = MUL (number (dtype, 2.0 / n), ARG (0));
  second = MUL (number (dtype, 2.0 / n / n), reduce ("relax.sum", ARG (0), ls_node_ref (attr (self, "axis")), TRUE));
  give (self, MUL (put_axes_back (self, ADJOINT), SUB (first, second)));
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

static void
grad_permute_dims (Rule *self)
{
  LsArray *axes = (LsArray *) attr (self, "axes");
  g_autofree LsNode **inverse = NULL;
  gint64 axis = 0;

  if (!ls_is (axes, ARRAY) || axes->n == 0)
    {
      give (self, with_attr ("relax.permute_dims", ADJOINT, "axes", NULL));
      return;
    }
  inverse = g_new0 (LsNode *, axes->n);
  for (guint i = 0; i < axes->n; i++)
    {
      ls_as_int (axes->items[i], &axis);
      axis += axis < 0 ? axes->n : 0;
      if (axis >= 0 && axis < axes->n && inverse[axis] == NULL)
        inverse[axis] = LS_NODE (ls_int_imm_new (LS_INT64, i));
    }
  give (self, with_attr ("relax.permute_dims", ADJOINT, "axes", ls_array_new (inverse, axes->n)));
}

static void
grad_concat (Rule *self)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->step->builder, self->step->call->args->items[0]);
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  GPtrArray *indices;
  gint64 axis = 0, extent, sum = 0;

  ls_as_int (attr (self, "axis"), &axis);
  indices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; fields != NULL && i + 1 < fields->n; i++)
    {
      LsTensorStructInfo *tensor = (LsTensorStructInfo *) fields->items[i];
      gint64 at = axis + (axis < 0 ? tensor->ndim : 0);

      if (!ls_is (tensor->shape, SHAPE_EXPR) || !ls_as_int (((LsShapeExpr *) tensor->shape)->values->items[at], &extent))
        {
          ls_relax_pass_refuse (self->error, "The derivative of relax.concat needs extents that are numbers.");
          self->failed = TRUE;
          g_ptr_array_unref (indices);
          return;
        }
      sum += extent;
      g_ptr_array_add (indices, ls_int_imm_new (LS_INT64, sum));
    }
  g_ptr_array_set_free_func (indices, NULL);
  give (self, ls_relax_call_new (ls_relax_op_new ("relax.split"), ls_array_of (ADJOINT, NULL),
                                 ls_array_of (ls_string_new ("indices_or_sections"), ls_string_new ("axis"), NULL),
                                 ls_array_of (ls_array_take_ptr_array (indices), ls_int_imm_new (LS_INT64, axis), NULL), NULL));
}

static void
grad_split (Rule *self)
{
  give (self, with_attr ("relax.concat", ADJOINT, "axis", ls_node_ref (attr (self, "axis"))));
}

static void
grad_expand_dims (Rule *self)
{
  give (self, with_attr ("relax.squeeze", ADJOINT, "axis", ls_node_ref (attr (self, "axis"))));
}

static void
grad_reshape (Rule *self)
{
  g_autoptr (LsArray) extents = arg_extents (self, 0);

  if (extents != NULL)
    give (self, shaped ("relax.reshape", ADJOINT, extents));
  give_none (self);
}

static void
grad_broadcast_to (Rule *self)
{
  g_autoptr (LsArray) extents = arg_extents (self, 0);

  if (extents != NULL)
    give (self, shaped ("relax.collapse_sum_to", ADJOINT, extents));
  give_none (self);
}

static LsNode *
cumsum (LsNode *a,
        LsNode *axis)                   /* taken */
{
  LsNode *values[] = { axis, LS_NODE (ls_string_new ("void")), LS_NODE (ls_bool (FALSE)) };

  return ls_relax_call_new (ls_relax_op_new ("relax.cumsum"), ls_array_of (a, NULL),
                            ls_array_of (ls_string_new ("axis"), ls_string_new ("dtype"), ls_string_new ("exclusive"), NULL), ls_array_new (values, 3), NULL);
}

static void
grad_cumsum (Rule *self)
{
  LsNode *axis = attr (self, "axis"), *dtype = attr (self, "dtype"), *grad;
  g_autoptr (LsArray) extents = arg_extents (self, 0);
  gint64 at;

  if (extents == NULL)
    return;
  if (ls_as_int (axis, &at))
    grad = ADD (SUB (reduce ("relax.sum", ADJOINT, one_number (at), TRUE), cumsum (ADJOINT, ls_node_ref (axis))), ADJOINT);
  else
    grad = shaped ("relax.reshape", ADD (SUB (reduce ("relax.sum", ADJOINT, NULL, TRUE), cumsum (ADJOINT, NULL)), unary ("relax.flatten", ADJOINT)), extents);
  if (ls_is (dtype, STRING) && !g_str_equal (((LsString *) dtype)->value, "void"))
    grad = with_attr ("relax.astype", grad, "dtype", ls_string_new (ls_dtype_name (arg_dtype (self, 0))));
  give (self, grad);
}

static void
grad_take (Rule *self)
{
  LsNode *values[] = { ls_node_ref (attr (self, "axis")) };

  give (self, ls_relax_call_new (ls_relax_op_new ("relax.grad.take_backward"), ls_array_of (ADJOINT, ARG (0), ARG (1), NULL),
                                 ls_array_of (ls_string_new ("axis"), NULL), ls_array_new (values, 1), NULL));
  give_none (self);
}

static void
grad_where (Rule *self)
{
  give_none (self);
  give (self, where (ARG (0), ADJOINT, number (arg_dtype (self, 1), 0)));
  give (self, where (ARG (0), number (arg_dtype (self, 2), 0), ADJOINT));
}

static void
grad_astype (Rule *self)
{
  give (self, with_attr ("relax.astype", ADJOINT, "dtype", ls_string_new (ls_dtype_name (arg_dtype (self, 0)))));
}

/* ---- products --------------------------------------------------------------------------------------------- */

/* The last two axes swapped. (takes `a`) */
static LsNode *
swapped (LsNode *a,
         guint   ndim)
{
  GPtrArray *axes = g_ptr_array_new ();

  for (guint i = 0; i < ndim; i++)
    g_ptr_array_add (axes, ls_int_imm_new (LS_INT64, i < ndim - 2 ? i : 2 * ndim - 3 - i));
  return with_attr ("relax.permute_dims", a, "axes", ls_array_take_ptr_array (axes));
}

static LsNode *
expand (LsNode *a,
        gint64  axis)
{
  return with_attr ("relax.expand_dims", a, "axis", one_number (axis));
}

static LsNode *
emitted (Rule   *self,
         LsNode *expr)
{
  return LS_NODE (ls_ref (ls_block_builder_emit_take (self->step->builder, expr, NULL)));
}

static void
grad_matmul (Rule *self)
{
  g_autoptr (LsArray) a = arg_extents (self, 0), b = arg_extents (self, 1);
  g_autoptr (LsNode) grad = NULL;

  if (a == NULL || b == NULL)
    return;
  if (a->n > 1 && b->n > 1)
    {
      give_fit (self, matmul (ADJOINT, swapped (ARG (1), b->n)), 0);
      give_fit (self, matmul (swapped (ARG (0), a->n), ADJOINT), 1);
    }
  else if (a->n == 1 && b->n > 1)
    {
      grad = emitted (self, expand (ADJOINT, -2));
      give_fit (self, matmul (ls_node_ref (grad), swapped (ARG (1), b->n)), 0);
      give_fit (self, matmul (expand (ARG (0), 1), ls_node_ref (grad)), 1);
    }
  else if (a->n > 1)
    {
      grad = emitted (self, expand (ADJOINT, -1));
      give_fit (self, matmul (ls_node_ref (grad), expand (ARG (1), 0)), 0);
      give_fit (self, with_attr ("relax.squeeze", matmul (swapped (ARG (0), a->n), ls_node_ref (grad)), "axis", one_number (-1)), 1);
    }
  else
    {
      give_fit (self, MUL (ADJOINT, ARG (1)), 0);
      give_fit (self, MUL (ADJOINT, ARG (0)), 1);
    }
}

/* ---- networks ------------------------------------------------------------------------------------------------ */

static void
grad_relu (Rule *self)
{
  LsDType dtype = arg_dtype (self, 0);

  give (self, where (binary ("relax.less", ARG (0), number (dtype, 0)), number (dtype, 0), ADJOINT));
}

static void
grad_silu (Rule *self)
{
  g_autoptr (LsNode) sigmoid = emitted (self, unary ("relax.sigmoid", ARG (0)));

  give (self, MUL (ADJOINT, ADD (ls_node_ref (sigmoid), MUL (RESULT, SUB (number (arg_dtype (self, 0), 1), ls_node_ref (sigmoid))))));
}

static LsArray *
axis_list (Rule *self)
{
  gint64 axis = -1;

  ls_as_int (attr (self, "axis"), &axis);
  return one_number (axis);
}

static void
grad_softmax (Rule *self)
{
  give (self, MUL (SUB (ADJOINT, reduce ("relax.sum", MUL (ADJOINT, RESULT), axis_list (self), TRUE)), RESULT));
}

static void
grad_log_softmax (Rule *self)
{
  give (self, SUB (ADJOINT, MUL (reduce ("relax.sum", ADJOINT, axis_list (self), TRUE), unary ("relax.exp", RESULT))));
}

static void
grad_cross_entropy (Rule *self)
{
  g_autoptr (LsArray) extents = arg_extents (self, 0);
  g_autoptr (LsNode) grad = ADJOINT;
  gint64 batch;

  if (extents == NULL)
    return;
  if (extents->n > 1 && ls_as_int (extents->items[0], &batch))
    {
      LsNode *divided = DIV (ADJOINT, number (dtype_of (self, self->step->adjoint), (double) batch));

      ls_take (&grad, emitted (self, divided));
    }
  give (self, MUL (NEG (ls_node_ref (grad)), ARG (1)));
  give (self, MUL (NEG (ls_node_ref (grad)), ARG (0)));
}

static void
grad_nll_loss (Rule *self)
{
  LsRelaxCall *call = self->step->call;
  GPtrArray *args = g_ptr_array_new ();

  g_ptr_array_add (args, ADJOINT);
  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ARG (i));
  give (self, ls_relax_call_new (ls_relax_op_new ("relax.grad.nll_loss_backward"), ls_array_take_ptr_array (args), ls_ref (call->attr_names), ls_ref (call->attrs), NULL));
  for (guint i = 1; i < call->args->n; i++)
    give_none (self);
}

static void
pool_backward (Rule       *self,
               const char *op)
{
  LsRelaxCall *call = self->step->call;

  give (self, ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ADJOINT, ARG (0), NULL), ls_ref (call->attr_names), ls_ref (call->attrs), NULL));
}

static void
grad_max_pool2d (Rule *self)
{
  pool_backward (self, "relax.grad.max_pool2d_backward");
}

static void
grad_avg_pool2d (Rule *self)
{
  pool_backward (self, "relax.grad.avg_pool2d_backward");
}

/* ---- conv2d ------------------------------------------------------------------------------------------------------ */

static gboolean
numbers_of (LsArray *list,
            gint64  *out,
            guint    n)
{
  if (!ls_is (list, ARRAY) || list->n != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!ls_as_int (list->items[i], &out[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_text (LsNode     *node,
         const char *text)
{
  return ls_is (node, STRING) && g_str_equal (((LsString *) node)->value, text);
}

static LsArray *
number_list (const gint64 *values,
             guint         n)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (out, ls_int_imm_new (LS_INT64, values[i]));
  return ls_array_take_ptr_array (out);
}

static LsNode *
prim_tuple (const gint64 *values,
            guint         n)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (out, ls_prim_value_new (ls_int_imm_new (LS_INT64, values[i])));
  return ls_relax_tuple_new (ls_array_take_ptr_array (out));
}

static LsNode *
reshaped (LsNode       *a,
          const gint64 *extents,
          guint         n)
{
  g_autoptr (LsArray) list = number_list (extents, n);

  return shaped ("relax.reshape", a, list);
}

/* The data with each group as a batch of its own. */
static LsNode *
grouped_data (Rule         *self,
              const gint64 *x,
              gint64        groups)
{
  gint64 parts[] = { x[0], groups, x[1] / groups, x[2], x[3] }, order[] = { 1, 0, 2, 3, 4 }, flat[] = { x[0] * groups, x[1] / groups, x[2], x[3] };

  if (groups == 1)
    return ARG (0);
  return reshaped (with_attr ("relax.permute_dims", reshaped (ARG (0), parts, 5), "axes", number_list (order, 5)), flat, 4);
}

static void
grad_conv2d (Rule *self)
{
  g_autoptr (LsArray) data = arg_extents (self, 0), kernel = arg_extents (self, 1), result = extents_of (self, LS_NODE (self->step->result));
  gint64 x[4], w[4], y[4], pad[4], stride[2], dilation[2], groups = 1, missing[2], size[2], zero[4] = { 0 }, all[4] = { 0, 1, 2, 3 };
  LsNode *weight;

  if (data == NULL || kernel == NULL || result == NULL)
    return;
  if (!numbers_of (data, x, 4) || !numbers_of (kernel, w, 4) || !numbers_of (result, y, 4) || !numbers_of ((LsArray *) attr (self, "padding"), pad, 4)
      || !numbers_of ((LsArray *) attr (self, "strides"), stride, 2) || !numbers_of ((LsArray *) attr (self, "dilation"), dilation, 2)
      || !is_text (attr (self, "data_layout"), "NCHW") || !is_text (attr (self, "kernel_layout"), "OIHW") || !is_text (attr (self, "out_layout"), "NCHW"))
    {
      ls_relax_pass_refuse (self->error, "The derivative of relax.nn.conv2d is known for NCHW and OIHW with extents that are numbers.");
      self->failed = TRUE;
      return;
    }
  ls_as_int (attr (self, "groups"), &groups);
  for (guint i = 0; i < 2; i++)
    {
      missing[i] = x[2 + i] - ((y[2 + i] - 1) * stride[i] - pad[i] - pad[2 + i] + w[2 + i]);
      size[i] = (x[2 + i] - (y[2 + i] - 1) * stride[i] - 1 + pad[i] + pad[2 + i]) / dilation[i] + 1;
    }
  give (self, ls_relax_call_new (ls_relax_op_new ("relax.nn.conv2d_transpose"), ls_array_of (ADJOINT, ARG (1), NULL),
      ls_array_of (ls_string_new ("strides"), ls_string_new ("padding"), ls_string_new ("output_padding"), ls_string_new ("dilation"), ls_string_new ("groups"),
                   ls_string_new ("data_layout"), ls_string_new ("kernel_layout"), ls_string_new ("out_layout"), ls_string_new ("out_dtype"), NULL),
      ls_array_of (ls_node_ref (attr (self, "strides")), ls_node_ref (attr (self, "padding")), number_list (missing, 2), ls_node_ref (attr (self, "dilation")),
                   ls_int_imm_new (LS_INT64, groups), ls_string_new ("NCHW"), ls_string_new ("IOHW"), ls_string_new ("NCHW"),
                   ls_node_ref (attr (self, "out_dtype")), NULL), NULL));
  weight = ls_relax_call_new (ls_relax_op_new ("relax.nn.conv2d"), ls_array_of (grouped_data (self, x, groups), ADJOINT, NULL),
      ls_array_of (ls_string_new ("strides"), ls_string_new ("padding"), ls_string_new ("dilation"), ls_string_new ("groups"), ls_string_new ("data_layout"),
                   ls_string_new ("kernel_layout"), ls_string_new ("out_layout"), ls_string_new ("out_dtype"), NULL),
      ls_array_of (ls_node_ref (attr (self, "dilation")), ls_node_ref (attr (self, "padding")), ls_node_ref (attr (self, "strides")),
                   ls_int_imm_new (LS_INT64, groups), ls_string_new ("CNHW"), ls_string_new ("IOHW"), ls_string_new ("CNHW"),
                   ls_node_ref (attr (self, "out_dtype")), NULL), NULL);
  if (size[0] > w[2] || size[1] > w[3])
    {
      gint64 end[] = { y[1], x[1] / groups, w[2], w[3] };

      weight = ls_relax_call_new (ls_relax_op_new ("relax.strided_slice"), ls_array_of (weight, prim_tuple (all, 4), prim_tuple (zero, 4), prim_tuple (end, 4), NULL),
                                  ls_array_of (ls_string_new ("assume_inbound"), NULL), ls_array_of (ls_bool (FALSE), NULL), NULL);
    }
  give (self, weight);
}

/* ---- the table ------------------------------------------------------------------------------------------------------ */

static const struct { const char *name; RuleFunc rule; } RULES[] = {
  { "abs", grad_abs }, { "add", grad_add }, { "astype", grad_astype }, { "broadcast_to", grad_broadcast_to }, { "concat", grad_concat }, { "cos", grad_cos },
  { "cumsum", grad_cumsum }, { "divide", grad_divide }, { "equal", grad_none }, { "exp", grad_exp }, { "expand_dims", grad_expand_dims }, { "full", grad_none },
  { "full_like", grad_none }, { "greater", grad_none }, { "greater_equal", grad_none }, { "less", grad_none }, { "less_equal", grad_none }, { "log", grad_log },
  { "matmul", grad_matmul }, { "maximum", grad_maximum }, { "mean", grad_mean }, { "minimum", grad_minimum }, { "multiply", grad_multiply },
  { "negative", grad_negative }, { "nn.avg_pool2d", grad_avg_pool2d }, { "nn.conv2d", grad_conv2d }, { "nn.cross_entropy_with_logits", grad_cross_entropy },
  { "nn.log_softmax", grad_log_softmax }, { "nn.max_pool2d", grad_max_pool2d }, { "nn.nll_loss", grad_nll_loss }, { "nn.relu", grad_relu },
  { "nn.silu", grad_silu }, { "nn.softmax", grad_softmax }, { "not_equal", grad_none }, { "ones", grad_none }, { "ones_like", grad_none },
  { "permute_dims", grad_permute_dims }, { "power", grad_power }, { "reshape", grad_reshape }, { "sigmoid", grad_sigmoid }, { "sin", grad_sin },
  { "split", grad_split }, { "sqrt", grad_sqrt }, { "subtract", grad_subtract }, { "sum", grad_sum }, { "take", grad_take }, { "tanh", grad_tanh },
  { "triu", grad_triu }, { "variance", grad_variance }, { "where", grad_where }, { "zeros", grad_none }, { "zeros_like", grad_none },
};

GPtrArray *
ls_relax_gradient_of_call (const LsGradientStep *step,
                           GError              **error)
{
  const char *name = ((LsRelaxOp *) step->call->op)->name;
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  Rule rule = { step, out, error, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (RULES); i++)
    if (g_str_equal (RULES[i].name, name + strlen ("relax.")))
      {
        RULES[i].rule (&rule);
        return rule.failed ? NULL : g_steal_pointer (&out);
      }
  return ls_relax_pass_refuse (error, "The derivative of %s is not known.", name);
}
