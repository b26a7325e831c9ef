/* relax/gradient/shape: operators that move elements: shapes, parts, indices, choices. */
#include "engine/relax/gradient/rule.h"

#include "engine/relax/pass/pass.h"

/* ---- shapes -------------------------------------------------------------------------------------------- */

static void
grad_permute_dims (LsGradRule *self)
{
  LsArray *axes = (LsArray *) ls_grad_attr (self, "axes");
  g_autofree LsNode **inverse = NULL;
  gint64 axis = 0;

  if (!ls_is (axes, ARRAY) || axes->n == 0)
    {
      ls_grad_give (self, ls_grad_with_attr ("relax.permute_dims", ADJOINT, "axes", NULL));
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
  ls_grad_give (self, ls_grad_with_attr ("relax.permute_dims", ADJOINT, "axes", ls_array_new (inverse, axes->n)));
}

static void
grad_concat (LsGradRule *self)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->step->builder, self->step->call->args->items[0]);
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  GPtrArray *indices;
  gint64 axis = 0, extent, sum = 0;

  ls_as_int (ls_grad_attr (self, "axis"), &axis);
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
  ls_grad_give (self, ls_relax_call_new (ls_relax_op_new ("relax.split"), ls_array_of (ADJOINT, NULL),
                                 ls_array_of (ls_string_new ("indices_or_sections"), ls_string_new ("axis"), NULL),
                                 ls_array_of (ls_array_take_ptr_array (indices), ls_int_imm_new (LS_INT64, axis), NULL), NULL));
}

static void
grad_split (LsGradRule *self)
{
  ls_grad_give (self, ls_grad_with_attr ("relax.concat", ADJOINT, "axis", ls_node_ref (ls_grad_attr (self, "axis"))));
}

static void
grad_expand_dims (LsGradRule *self)
{
  ls_grad_give (self, ls_grad_with_attr ("relax.squeeze", ADJOINT, "axis", ls_node_ref (ls_grad_attr (self, "axis"))));
}

static void
grad_reshape (LsGradRule *self)
{
  g_autoptr (LsArray) extents = ls_grad_arg_extents (self, 0);

  if (extents != NULL)
    ls_grad_give (self, ls_grad_shaped ("relax.reshape", ADJOINT, extents));
  ls_grad_give_none (self);
}

static void
grad_broadcast_to (LsGradRule *self)
{
  g_autoptr (LsArray) extents = ls_grad_arg_extents (self, 0);

  if (extents != NULL)
    ls_grad_give (self, ls_grad_shaped ("relax.collapse_sum_to", ADJOINT, extents));
  ls_grad_give_none (self);
}

static LsNode *
cumsum (LsNode *a,
        LsNode *axis)                    /* taken */
{
  LsNode *values[] = { axis, LS_NODE (ls_string_new ("void")), LS_NODE (ls_bool (FALSE)) };

  return ls_relax_call_new (ls_relax_op_new ("relax.cumsum"), ls_array_of (a, NULL),
                            ls_array_of (ls_string_new ("axis"), ls_string_new ("dtype"), ls_string_new ("exclusive"), NULL), ls_array_new (values, 3), NULL);
}

static void
grad_cumsum (LsGradRule *self)
{
  LsNode *axis = ls_grad_attr (self, "axis"), *dtype = ls_grad_attr (self, "dtype"), *grad;
  g_autoptr (LsArray) extents = ls_grad_arg_extents (self, 0);
  gint64 at;

  if (extents == NULL)
    return;
  if (ls_as_int (axis, &at))
    grad = ADD (SUB (ls_grad_reduce ("relax.sum", ADJOINT, ls_grad_one_number (at), TRUE), cumsum (ADJOINT, ls_node_ref (axis))), ADJOINT);
  else
    grad = ls_grad_shaped ("relax.reshape", ADD (SUB (ls_grad_reduce ("relax.sum", ADJOINT, NULL, TRUE), cumsum (ADJOINT, NULL)), ls_grad_unary ("relax.flatten", ADJOINT)), extents);
  if (ls_is (dtype, STRING) && !g_str_equal (((LsString *) dtype)->value, "void"))
    grad = ls_grad_with_attr ("relax.astype", grad, "dtype", ls_string_new (ls_dtype_name (ls_grad_arg_dtype (self, 0))));
  ls_grad_give (self, grad);
}

static void
grad_take (LsGradRule *self)
{
  LsNode *values[] = { ls_node_ref (ls_grad_attr (self, "axis")) };

  ls_grad_give (self, ls_relax_call_new (ls_relax_op_new ("relax.grad.take_backward"), ls_array_of (ADJOINT, ARG (0), ARG (1), NULL),
                                 ls_array_of (ls_string_new ("axis"), NULL), ls_array_new (values, 1), NULL));
  ls_grad_give_none (self);
}

static void
grad_where (LsGradRule *self)
{
  ls_grad_give_none (self);
  ls_grad_give (self, ls_grad_where (ARG (0), ADJOINT, ls_grad_number (ls_grad_arg_dtype (self, 1), 0)));
  ls_grad_give (self, ls_grad_where (ARG (0), ls_grad_number (ls_grad_arg_dtype (self, 2), 0), ADJOINT));
}

static void
grad_astype (LsGradRule *self)
{
  ls_grad_give (self, ls_grad_with_attr ("relax.astype", ADJOINT, "dtype", ls_string_new (ls_dtype_name (ls_grad_arg_dtype (self, 0)))));
}

static const LsGradRow ROWS[] = {
  { "astype", grad_astype },
  { "broadcast_to", grad_broadcast_to },
  { "concat", grad_concat },
  { "cumsum", grad_cumsum },
  { "expand_dims", grad_expand_dims },
  { "permute_dims", grad_permute_dims },
  { "reshape", grad_reshape },
  { "split", grad_split },
  { "take", grad_take },
  { "where", grad_where },
};

const LsGradTable ls_grad_shape = { ROWS, G_N_ELEMENTS (ROWS) };
