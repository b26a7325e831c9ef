/* relax/gradient/rule: what the rules are written with (see the header). */
#include "engine/relax/gradient/rule.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

/* ---- writing expressions ---------------------------------------------------------------------- */

LsNode *
ls_grad_unary (const char *op,
               LsNode     *a)
{
  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, NULL), NULL, NULL, NULL);
}

LsNode *
ls_grad_binary (const char *op,
                LsNode     *a,
                LsNode     *b)
{
  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, b, NULL), NULL, NULL, NULL);
}

LsNode *
ls_grad_where (LsNode *condition,
               LsNode *a,
               LsNode *b)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.where"), ls_array_of (condition, a, b, NULL), NULL, NULL, NULL);
}

LsNode *
ls_grad_with_attr (const char *op,
                   LsNode     *a,
                   const char *name,
                   gpointer    value)
{
  LsNode *values[] = { value };

  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, NULL), ls_array_of (ls_string_new (name), NULL), ls_array_new (values, 1), NULL);
}

LsNode *
ls_grad_reduce (const char *op,
                LsNode     *a,
                gpointer    axis,        /* taken */
                gboolean    keepdims)
{
  LsNode *values[] = { axis, LS_NODE (ls_bool (keepdims)) };

  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, NULL), ls_array_of (ls_string_new ("axis"), ls_string_new ("keepdims"), NULL),
                            ls_array_new (values, 2), NULL);
}

LsNode *
ls_grad_product (LsNode *a,
                 LsNode *b)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.matmul"), ls_array_of (a, b, NULL), ls_array_of (ls_string_new ("out_dtype"), NULL),
                            ls_array_of (ls_string_new ("void"), NULL), NULL);
}

LsNode *
ls_grad_shaped (const char *op,
                LsNode     *a,
                LsArray    *extents)     /* borrowed */
{
  return ls_grad_binary (op, a, ls_shape_expr_new (ls_ref (extents)));
}

LsArray *
ls_grad_one_number (gint64 value)
{
  return ls_array_of (ls_int_imm_new (LS_INT64, value), NULL);
}

/* ---- what is known of the arguments --------------------------------------------------------- */

LsArray *
ls_grad_extents_of (LsGradRule *self,
                    LsNode     *expr)
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

LsArray *
ls_grad_arg_extents (LsGradRule *self,
                     guint       i)
{
  return ls_grad_extents_of (self, self->step->call->args->items[i]);
}

LsDType
ls_grad_dtype_of (LsGradRule *self,
                  LsNode     *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->step->builder, expr);

  return ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->dtype : LS_FLOAT32;
}

LsDType
ls_grad_arg_dtype (LsGradRule *self,
                   guint       i)
{
  return ls_grad_dtype_of (self, self->step->call->args->items[i]);
}

LsNode *
ls_grad_attr (LsGradRule *self,
              const char *name)
{
  return ls_relax_pass_attr (self->step->call, name);
}

LsNode *
ls_grad_number (LsDType dtype,
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

void
ls_grad_give (LsGradRule *self,
              LsNode     *expr)
{
  g_ptr_array_add (self->out, expr);
}

void
ls_grad_give_fit (LsGradRule *self,
                  LsNode     *expr,      /* taken */
                  guint       i)
{
  g_autoptr (LsNode) normal = ls_block_builder_normalize (self->step->builder, expr);
  g_autoptr (LsArray) has = ls_grad_extents_of (self, normal), wants = ls_grad_arg_extents (self, i);

  ls_node_unref (expr);
  if (has == NULL || wants == NULL)
    return;
  ls_grad_give (self, same_extents (has, wants) ? ls_node_ref (normal) : ls_grad_shaped ("relax.collapse_sum_to", ls_node_ref (normal), wants));
}

void
ls_grad_give_none (LsGradRule *self)
{
  ls_grad_give (self, NULL);
}
