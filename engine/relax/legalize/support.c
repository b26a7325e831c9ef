/* legalize/support: what rules share (legalize.h). */
#include "engine/relax/legalize/legalize.h"

#include "engine/relax/analysis.h"

#include <string.h>

LsTeTensor *
ls_legalize_tensor (LsLegalize *self,
                    guint       i)
{
  LsTeTensor *tensor = i < self->call->args->n ? ls_te_bridge_tensor (self->te, self->call->args->items[i], NULL) : NULL;

  return tensor != NULL ? ls_legalize_keep (self, tensor) : NULL;
}

/* ---- tuples ------------------------------------------------------------------------ */

/* The expressions that a tuple is made of: its fields if it is seen how it was made, else its items. */
static LsArray *
fields_of (LsLegalize *self,
           LsNode     *expr)
{
  LsNode *at = expr;
  LsTupleStructInfo *info;
  GPtrArray *items;

  while (ls_is_relax_var (at))
    {
      LsNode *bound = ls_block_builder_lookup_binding (self->builder, (LsRelaxVar *) at);

      if (bound == NULL || !(ls_is (bound, RELAX_TUPLE) || ls_is_relax_var (bound)))
        break;
      at = bound;
    }
  if (ls_is (at, RELAX_TUPLE))
    return ((LsRelaxTuple *) at)->fields;
  info = ls_legalize_keep (self, ls_block_builder_struct_info (self->builder, at));
  if (!ls_is (info, TUPLE_STRUCT_INFO))
    return NULL;
  items = g_ptr_array_new ();
  for (guint i = 0; i < info->fields->n; i++)
    g_ptr_array_add (items, ls_ref (ls_block_builder_emit_take (self->builder, ls_tuple_get_item_new (ls_node_ref (at), i), NULL)));
  return ls_legalize_keep (self, ls_array_take_ptr_array (items));
}

LsArray *
ls_legalize_tensors (LsLegalize *self,
                     guint       i)
{
  LsArray *fields = i < self->call->args->n ? fields_of (self, self->call->args->items[i]) : NULL;
  GPtrArray *out;

  if (fields == NULL)
    return NULL;
  out = g_ptr_array_new ();
  for (guint k = 0; k < fields->n; k++)
    {
      LsTeTensor *tensor = ls_te_bridge_tensor (self->te, fields->items[k], NULL);

      if (tensor != NULL)
        g_ptr_array_add (out, tensor);
    }
  return ls_legalize_keep (self, ls_array_take_ptr_array (out));
}

/* ---- what has to be the same --------------------------------------------------------- */

LsArray *
ls_legalize_extents (LsLegalize *self,
                     guint       i)
{
  LsTensorStructInfo *info = (LsTensorStructInfo *) ls_legalize_keep (self, ls_block_builder_struct_info (self->builder, self->call->args->items[i]));

  return ls_is (info, TENSOR_STRUCT_INFO) && ls_is (info->shape, SHAPE_EXPR) ? ((LsShapeExpr *) info->shape)->values : NULL;
}

void
ls_legalize_claim (LsLegalize *self,
                   LsExpr     *found,
                   LsExpr     *wanted)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) same = ls_eq (ls_ref (found), ls_ref (wanted));
  g_autoptr (LsNode) shape = NULL;
  g_autoptr (LsNode) claimed = NULL;

  if (ls_analyzer_can_prove (analyzer, same))
    return;
  shape = ls_shape_expr_new (ls_array_of (ls_ref (found), NULL));
  claimed = ls_shape_struct_info_new (ls_array_of (ls_ref (wanted), NULL), 1);
  ls_block_builder_emit_match_cast (self->builder, shape, claimed, LS_CLAIM_NAME);
}

/* ---- numbers -------------------------------------------------------------------------- */

static LsExpr *
constant_value (LsTensor *data)
{
  gsize n;
  const guint8 *bytes = g_bytes_get_data (data->data, &n);
  LsDType t = data->dtype;
  guint64 bits = 0;

  if (n < ls_dtype_bytes (t) || n > sizeof bits || t.lanes != 1)
    return NULL;
  for (guint i = ls_dtype_bytes (t); i > 0; i--)
    bits = bits << 8 | bytes[i - 1];
  if (t.code == LS_TYPE_FLOAT)
    {
      double value;
      float narrow;
      guint32 low = (guint32) bits;

      memcpy (&narrow, &low, sizeof narrow);
      memcpy (&value, &bits, sizeof value);
      return t.bits == 64 ? ls_float_imm_new (t, value) : t.bits == 32 ? ls_float_imm_new (t, narrow)
             : t.bits == 16 ? ls_float_imm_new (t, ls_half_to_float ((guint16) bits)) : NULL;
    }
  if (t.code != LS_TYPE_INT && t.code != LS_TYPE_UINT)
    return NULL;
  if (t.code == LS_TYPE_INT && t.bits < 64)
    bits = (guint64) ((gint64) (bits << (64 - t.bits)) >> (64 - t.bits));
  return ls_int_imm_new (t, (gint64) bits);
}

LsExpr *
ls_legalize_scalar (LsLegalize *self,
                    LsNode     *expr)
{
  LsExpr *value;

  LsExpr *scalar = ls_is (expr, CONSTANT) ? NULL : ls_te_bridge_scalar (self->te, expr);

  if (scalar != NULL)
    return ls_legalize_keep (self, scalar);
  if (!ls_is (expr, CONSTANT) || ((LsConstant *) expr)->data->shape->n > 0)
    return NULL;
  value = constant_value (((LsConstant *) expr)->data);
  return value != NULL ? ls_legalize_keep (self, value) : NULL;
}

LsArray *
ls_legalize_prims (LsLegalize *self,
                   LsNode     *expr)
{
  GPtrArray *out;
  LsArray *fields = ls_is (expr, RELAX_TUPLE) ? ((LsRelaxTuple *) expr)->fields : NULL;

  if (ls_is (expr, SHAPE_EXPR))
    return ls_legalize_keep (self, ls_te_bridge_exprs (self->te, ((LsShapeExpr *) expr)->values));
  if (fields == NULL && (!ls_is_relax_var (expr) || (fields = fields_of (self, expr)) == NULL))
    return NULL;
  for (guint i = 0; i < fields->n; i++)
    if (!ls_is (fields->items[i], PRIM_VALUE))
      return NULL;
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (out, ls_te_bridge_expr (self->te, ((LsPrimValue *) fields->items[i])->value));
  return ls_legalize_keep (self, ls_array_take_ptr_array (out));
}

LsArray *
ls_legalize_shape (LsLegalize *self)
{
  LsArray *extents = ls_is (self->result, TENSOR_STRUCT_INFO) ? ls_tensor_extents (self->result) : NULL;

  return extents != NULL ? ls_legalize_keep (self, ls_te_bridge_exprs (self->te, extents)) : NULL;
}

double
ls_legalize_float (LsLegalize *self,
                   const char *name,
                   double      otherwise)
{
  LsNode *value = ls_infer_attr (&self->infer, name);
  gint64 i;

  if (ls_is (value, FLOAT_IMM))
    return ((LsFloatImm *) value)->value;
  return ls_as_int (value, &i) ? (double) i : otherwise;
}

const char *
ls_legalize_str (LsLegalize *self,
                 const char *name)
{
  return ls_infer_str (&self->infer, name, "");
}

LsExpr *
ls_legalize_const (LsLegalize *self,
                   LsDType     dtype,
                   double      value)
{
  return ls_legalize_keep (self, ls_te_const (dtype, value));
}

/* ---- the ends ----------------------------------------------------------------------------- */

LsNode *
ls_legalize_stay (LsLegalize *self)
{
  return LS_NODE (ls_ref (self->call));
}

static const char *
hint_of (LsLegalize *self)
{
  const char *dot = strrchr (self->row->name, '.');

  return self->row->hint != NULL ? self->row->hint : dot != NULL ? dot + 1 : self->row->name;
}

LsNode *
ls_legalize_one_as (LsLegalize *self,
                    LsTeTensor *output,
                    const char *hint)
{
  g_autoptr (LsArray) outputs = NULL;

  if (output == NULL)
    return self->error != NULL ? NULL : ls_legalize_stay (self);
  outputs = ls_array_of (output, NULL);
  return ls_te_bridge_call (self->te, outputs, hint, NULL, &self->error);
}

LsNode *
ls_legalize_one (LsLegalize *self,
                 LsTeTensor *output)
{
  return ls_legalize_one_as (self, output, hint_of (self));
}

LsNode *
ls_legalize_many (LsLegalize *self,
                  LsArray    *outputs)
{
  g_autoptr (LsArray) taken = outputs;

  if (outputs == NULL)
    return self->error != NULL ? NULL : ls_legalize_stay (self);
  return ls_te_bridge_call (self->te, outputs, hint_of (self), NULL, &self->error);
}

LsTeTensor *
ls_legalize_unary (LsLegalize *self,
                   const char *name,
                   LsTeTensor *x)
{
  return x != NULL ? ls_legalize_keep (self, ls_topi_unary (name, x, &self->error)) : NULL;
}

LsTeTensor *
ls_legalize_binary (LsLegalize *self,
                    const char *name,
                    gpointer    a,
                    gpointer    b)
{
  return a != NULL && b != NULL ? ls_legalize_keep (self, ls_topi_binary (name, a, b, &self->error)) : NULL;
}
