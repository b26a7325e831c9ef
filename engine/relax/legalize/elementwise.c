/* legalize/elementwise: operators of one, two and three operands, astype. */
#include "engine/relax/legalize/legalize.h"

static LsNode *
unary (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  g_autofree char *hint = g_strconcat ("tir_", self->row->name, NULL);

  return ls_legalize_one_as (self, x != NULL ? ls_topi_unary (self->row->name, x, &self->error) : NULL, hint);
}

static LsNode *
square (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, ls_ref (ls_legalize_binary (self, "multiply", x, x)));
}

static LsNode *
clip (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsExpr *low = ls_legalize_scalar (self, self->call->args->items[1]), *high = ls_legalize_scalar (self, self->call->args->items[2]);

  return ls_legalize_one (self, x != NULL && low != NULL && high != NULL ? ls_topi_clip (x, low, high, &self->error) : NULL);
}

static LsNode *
astype (LsLegalize *self)
{
  LsDType dtype = ls_infer_dtype (&self->infer, "dtype", LS_VOID);
  LsExpr *number = ls_is (self->call->args->items[0], CONSTANT) ? ls_legalize_scalar (self, self->call->args->items[0]) : NULL;
  LsNode *constant = number != NULL ? ls_legalize_number (number, dtype) : NULL;
  LsTeTensor *x;

  if (constant != NULL)
    return constant;
  x = ls_legalize_tensor (self, 0);
  return ls_legalize_one (self, x != NULL ? ls_topi_cast (x, dtype, &self->error) : NULL);
}

static gboolean
is_tensor (LsLegalize *self,
           guint       i)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, self->call->args->items[i]);

  return ls_is (info, TENSOR_STRUCT_INFO);
}

/* A constant without dimensions is written into the function: the second operand, or else the first.  Of two scalars there
 * is no tensor to compute. */
static LsNode *
binary (LsLegalize *self)
{
  LsArray *args = self->call->args;
  gboolean scalar = !is_tensor (self, 1) || ls_is (args->items[1], CONSTANT);
  gpointer a = NULL, b;

  if (!is_tensor (self, 0) && !is_tensor (self, 1))
    return ls_legalize_stay (self);
  if (!is_tensor (self, 0) || (!scalar && ls_is (args->items[0], CONSTANT)))
    a = ls_legalize_scalar (self, args->items[0]);
  if (a == NULL)
    a = ls_legalize_tensor (self, 0);
  b = scalar ? ls_legalize_scalar (self, args->items[1]) : NULL;
  if (b == NULL)
    b = ls_legalize_tensor (self, 1);
  return ls_legalize_one (self, a != NULL && b != NULL ? ls_topi_binary (self->row->name, a, b, &self->error) : NULL);
}

static LsNode *
where (LsLegalize *self)
{
  LsTeTensor *condition = ls_legalize_tensor (self, 0), *x = ls_legalize_tensor (self, 1), *y = ls_legalize_tensor (self, 2);

  return ls_legalize_one (self, condition != NULL && x != NULL && y != NULL ? ls_topi_where (condition, x, y, &self->error) : NULL);
}

#define UNARY(name) { name, unary }
#define BINARY(name) { name, binary }

const LsLegalizeRow ls_legalize_elementwise[] = {
  UNARY ("abs"), UNARY ("acos"), UNARY ("acosh"), UNARY ("asin"), UNARY ("asinh"), UNARY ("atan"), UNARY ("atanh"), UNARY ("bitwise_not"),
  UNARY ("ceil"), UNARY ("cos"), UNARY ("cosh"), UNARY ("erf"), UNARY ("exp"), UNARY ("floor"), UNARY ("log"), UNARY ("logical_not"),
  UNARY ("negative"), UNARY ("round"), UNARY ("rsqrt"), UNARY ("sigmoid"), UNARY ("sign"), UNARY ("sin"), UNARY ("sinh"), UNARY ("sqrt"),
  UNARY ("tan"), UNARY ("tanh"), UNARY ("trunc"), { "square", square, "tir_square" }, { "clip", clip }, { "astype", astype, "cast" },
  BINARY ("add"), BINARY ("atan2"), BINARY ("bitwise_and"), BINARY ("bitwise_or"), BINARY ("bitwise_xor"), BINARY ("divide"), BINARY ("equal"),
  BINARY ("floor_divide"), BINARY ("floor_mod"), BINARY ("greater"), BINARY ("greater_equal"), BINARY ("left_shift"), BINARY ("less"),
  BINARY ("less_equal"), BINARY ("log_add_exp"), BINARY ("logical_and"), BINARY ("logical_or"), BINARY ("logical_xor"), BINARY ("maximum"),
  BINARY ("minimum"), BINARY ("mod"), BINARY ("multiply"), BINARY ("not_equal"), BINARY ("power"), BINARY ("right_shift"), BINARY ("subtract"),
  { "where", where },
  { NULL }
};
