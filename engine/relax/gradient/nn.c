/* relax/gradient/nn: products and networks. */
#include "engine/relax/gradient/rule.h"

#include "engine/relax/pass/pass.h"

/* ---- products --------------------------------------------------------------------------------------------- */

/* The last two axes swapped. (takes `a`) */
static LsNode *
swapped (LsNode *a,
         guint   ndim)
{
  GPtrArray *axes = g_ptr_array_new ();

  for (guint i = 0; i < ndim; i++)
    g_ptr_array_add (axes, ls_int_imm_new (LS_INT64, i < ndim - 2 ? i : 2 * ndim - 3 - i));
  return ls_grad_with_attr ("relax.permute_dims", a, "axes", ls_array_take_ptr_array (axes));
}

static LsNode *
expand (LsNode *a,
        gint64  axis)
{
  return ls_grad_with_attr ("relax.expand_dims", a, "axis", ls_grad_one_number (axis));
}

static LsNode *
emitted (LsGradRule *self,
         LsNode     *expr)
{
  return LS_NODE (ls_ref (ls_block_builder_emit_take (self->step->builder, expr, NULL)));
}

static void
grad_matmul (LsGradRule *self)
{
  g_autoptr (LsArray) a = ls_grad_arg_extents (self, 0), b = ls_grad_arg_extents (self, 1);
  g_autoptr (LsNode) grad = NULL;

  if (a == NULL || b == NULL)
    return;
  if (a->n > 1 && b->n > 1)
    {
      ls_grad_give_fit (self, ls_grad_product (ADJOINT, swapped (ARG (1), b->n)), 0);
      ls_grad_give_fit (self, ls_grad_product (swapped (ARG (0), a->n), ADJOINT), 1);
    }
  else if (a->n == 1 && b->n > 1)
    {
      grad = emitted (self, expand (ADJOINT, -2));
      ls_grad_give_fit (self, ls_grad_product (ls_node_ref (grad), swapped (ARG (1), b->n)), 0);
      ls_grad_give_fit (self, ls_grad_product (expand (ARG (0), 1), ls_node_ref (grad)), 1);
    }
  else if (a->n > 1)
    {
      grad = emitted (self, expand (ADJOINT, -1));
      ls_grad_give_fit (self, ls_grad_product (ls_node_ref (grad), expand (ARG (1), 0)), 0);
      ls_grad_give_fit (self, ls_grad_with_attr ("relax.squeeze", ls_grad_product (swapped (ARG (0), a->n), ls_node_ref (grad)), "axis", ls_grad_one_number (-1)), 1);
    }
  else
    {
      ls_grad_give_fit (self, MUL (ADJOINT, ARG (1)), 0);
      ls_grad_give_fit (self, MUL (ADJOINT, ARG (0)), 1);
    }
}

/* ---- networks ------------------------------------------------------------------------------------------------ */

static void
grad_relu (LsGradRule *self)
{
  LsDType dtype = ls_grad_arg_dtype (self, 0);

  ls_grad_give (self, ls_grad_where (ls_grad_binary ("relax.less", ARG (0), ls_grad_number (dtype, 0)), ls_grad_number (dtype, 0), ADJOINT));
}

static void
grad_silu (LsGradRule *self)
{
  g_autoptr (LsNode) sigmoid = emitted (self, ls_grad_unary ("relax.sigmoid", ARG (0)));

  ls_grad_give (self, MUL (ADJOINT, ADD (ls_node_ref (sigmoid), MUL (RESULT, SUB (ls_grad_number (ls_grad_arg_dtype (self, 0), 1), ls_node_ref (sigmoid))))));
}

static LsArray *
axis_list (LsGradRule *self)
{
  gint64 axis = -1;

  ls_as_int (ls_grad_attr (self, "axis"), &axis);
  return ls_grad_one_number (axis);
}

static void
grad_softmax (LsGradRule *self)
{
  ls_grad_give (self, MUL (SUB (ADJOINT, ls_grad_reduce ("relax.sum", MUL (ADJOINT, RESULT), axis_list (self), TRUE)), RESULT));
}

static void
grad_log_softmax (LsGradRule *self)
{
  ls_grad_give (self, SUB (ADJOINT, MUL (ls_grad_reduce ("relax.sum", ADJOINT, axis_list (self), TRUE), ls_grad_unary ("relax.exp", RESULT))));
}

static void
grad_cross_entropy (LsGradRule *self)
{
  g_autoptr (LsArray) extents = ls_grad_arg_extents (self, 0);
  g_autoptr (LsNode) grad = ADJOINT;
  gint64 batch;

  if (extents == NULL)
    return;
  if (extents->n > 1 && ls_as_int (extents->items[0], &batch))
    {
      LsNode *divided = DIV (ADJOINT, ls_grad_number (ls_grad_dtype_of (self, self->step->adjoint), (double) batch));

      ls_take (&grad, emitted (self, divided));
    }
  ls_grad_give (self, MUL (NEG (ls_node_ref (grad)), ARG (1)));
  ls_grad_give (self, MUL (NEG (ls_node_ref (grad)), ARG (0)));
}

static void
grad_nll_loss (LsGradRule *self)
{
  LsRelaxCall *call = self->step->call;
  GPtrArray *args = g_ptr_array_new ();

  g_ptr_array_add (args, ADJOINT);
  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ARG (i));
  ls_grad_give (self, ls_relax_call_new (ls_relax_op_new ("relax.grad.nll_loss_backward"), ls_array_take_ptr_array (args), ls_ref (call->attr_names), ls_ref (call->attrs), NULL));
  for (guint i = 1; i < call->args->n; i++)
    ls_grad_give_none (self);
}

static void
pool_backward (LsGradRule *self,
               const char *op)
{
  LsRelaxCall *call = self->step->call;

  ls_grad_give (self, ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ADJOINT, ARG (0), NULL), ls_ref (call->attr_names), ls_ref (call->attrs), NULL));
}

static void
grad_max_pool2d (LsGradRule *self)
{
  pool_backward (self, "relax.grad.max_pool2d_backward");
}

static void
grad_avg_pool2d (LsGradRule *self)
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

  return ls_grad_shaped ("relax.reshape", a, list);
}

/* The data with each group as a batch of its own. */
static LsNode *
grouped_data (LsGradRule   *self,
              const gint64 *x,
              gint64        groups)
{
  gint64 parts[] = { x[0], groups, x[1] / groups, x[2], x[3] }, order[] = { 1, 0, 2, 3, 4 }, flat[] = { x[0] * groups, x[1] / groups, x[2], x[3] };

  if (groups == 1)
    return ARG (0);
  return reshaped (ls_grad_with_attr ("relax.permute_dims", reshaped (ARG (0), parts, 5), "axes", number_list (order, 5)), flat, 4);
}

static void
grad_conv2d (LsGradRule *self)
{
  g_autoptr (LsArray) data = ls_grad_arg_extents (self, 0), kernel = ls_grad_arg_extents (self, 1), result = ls_grad_extents_of (self, LS_NODE (self->step->result));
  gint64 x[4], w[4], y[4], pad[4], stride[2], dilation[2], groups = 1, missing[2], size[2], zero[4] = { 0 }, all[4] = { 0, 1, 2, 3 };
  LsNode *weight;

  if (data == NULL || kernel == NULL || result == NULL)
    return;
  if (!numbers_of (data, x, 4) || !numbers_of (kernel, w, 4) || !numbers_of (result, y, 4) || !numbers_of ((LsArray *) ls_grad_attr (self, "padding"), pad, 4)
      || !numbers_of ((LsArray *) ls_grad_attr (self, "strides"), stride, 2) || !numbers_of ((LsArray *) ls_grad_attr (self, "dilation"), dilation, 2)
      || !is_text (ls_grad_attr (self, "data_layout"), "NCHW") || !is_text (ls_grad_attr (self, "kernel_layout"), "OIHW") || !is_text (ls_grad_attr (self, "out_layout"), "NCHW"))
    {
      ls_relax_pass_refuse (self->error, "The derivative of relax.nn.conv2d is known for NCHW and OIHW with extents that are numbers.");
      self->failed = TRUE;
      return;
    }
  ls_as_int (ls_grad_attr (self, "groups"), &groups);
  for (guint i = 0; i < 2; i++)
    {
      missing[i] = x[2 + i] - ((y[2 + i] - 1) * stride[i] - pad[i] - pad[2 + i] + (w[2 + i] - 1) * dilation[i] + 1);
      size[i] = (x[2 + i] - (y[2 + i] - 1) * stride[i] - 1 + pad[i] + pad[2 + i]) / dilation[i] + 1;
    }
  ls_grad_give (self, ls_relax_call_new (ls_relax_op_new ("relax.nn.conv2d_transpose"), ls_array_of (ADJOINT, ARG (1), NULL),
      ls_array_of (ls_string_new ("strides"), ls_string_new ("padding"), ls_string_new ("output_padding"), ls_string_new ("dilation"), ls_string_new ("groups"),
                   ls_string_new ("data_layout"), ls_string_new ("kernel_layout"), ls_string_new ("out_layout"), ls_string_new ("out_dtype"), NULL),
      ls_array_of (ls_node_ref (ls_grad_attr (self, "strides")), ls_node_ref (ls_grad_attr (self, "padding")), number_list (missing, 2), ls_node_ref (ls_grad_attr (self, "dilation")),
                   ls_int_imm_new (LS_INT64, groups), ls_string_new ("NCHW"), ls_string_new ("IOHW"), ls_string_new ("NCHW"),
                   ls_node_ref (ls_grad_attr (self, "out_dtype")), NULL), NULL));
  weight = ls_relax_call_new (ls_relax_op_new ("relax.nn.conv2d"), ls_array_of (grouped_data (self, x, groups), ADJOINT, NULL),
      ls_array_of (ls_string_new ("strides"), ls_string_new ("padding"), ls_string_new ("dilation"), ls_string_new ("groups"), ls_string_new ("data_layout"),
                   ls_string_new ("kernel_layout"), ls_string_new ("out_layout"), ls_string_new ("out_dtype"), NULL),
      ls_array_of (ls_node_ref (ls_grad_attr (self, "dilation")), ls_node_ref (ls_grad_attr (self, "padding")), ls_node_ref (ls_grad_attr (self, "strides")),
                   ls_int_imm_new (LS_INT64, groups), ls_string_new ("CNHW"), ls_string_new ("IOHW"), ls_string_new ("CNHW"),
                   ls_node_ref (ls_grad_attr (self, "out_dtype")), NULL), NULL);
  if (size[0] > w[2] || size[1] > w[3])
    {
      gint64 end[] = { y[1], x[1] / groups, w[2], w[3] };

      weight = ls_relax_call_new (ls_relax_op_new ("relax.strided_slice"), ls_array_of (weight, prim_tuple (all, 4), prim_tuple (zero, 4), prim_tuple (end, 4), NULL),
                                  ls_array_of (ls_string_new ("assume_inbound"), NULL), ls_array_of (ls_bool (FALSE), NULL), NULL);
    }
  ls_grad_give (self, weight);
}

static const LsGradRow ROWS[] = {
  { "matmul", grad_matmul },
  { "nn.avg_pool2d", grad_avg_pool2d },
  { "nn.conv2d", grad_conv2d },
  { "nn.cross_entropy_with_logits", grad_cross_entropy },
  { "nn.log_softmax", grad_log_softmax },
  { "nn.max_pool2d", grad_max_pool2d },
  { "nn.nll_loss", grad_nll_loss },
  { "nn.relu", grad_relu },
  { "nn.silu", grad_silu },
  { "nn.softmax", grad_softmax },
};

const LsGradTable ls_grad_nn = { ROWS, G_N_ELEMENTS (ROWS) };
