/* expr: the nodes of PrimExpr and their raw constructors. */
#include "engine/ir/ir-private.h"

#include <math.h>
#include <string.h>

#define EXPR LS_CLASS_EXPR
#define VAR_FIELDS \
  LS_FIELD (LsVar, name, STRING, LS_FIELD_HINT), LS_FIELD (LsVar, type_annotation, NODE, 0)

LS_CLASS (var_class, VAR, "Var", LsVar, EXPR | LS_CLASS_IDENTITY, VAR_FIELDS);
LS_CLASS (size_var_class, SIZE_VAR, "SizeVar", LsVar, EXPR | LS_CLASS_IDENTITY, VAR_FIELDS);
LS_CLASS (int_imm_class, INT_IMM, "IntImm", LsIntImm, EXPR, LS_FIELD (LsIntImm, value, INT, 0));
LS_CLASS (float_imm_class, FLOAT_IMM, "FloatImm", LsFloatImm, EXPR, LS_FIELD (LsFloatImm, value, FLOAT, 0));
LS_CLASS (string_imm_class, STRING_IMM, "StringImm", LsStringImm, EXPR, LS_FIELD (LsStringImm, value, STRING, 0));
LS_CLASS (cast_class, CAST, "Cast", LsCast, EXPR, LS_FIELD (LsCast, value, NODE, 0));
LS_CLASS (not_class, NOT, "Not", LsNot, EXPR, LS_FIELD (LsNot, a, NODE, 0));
LS_CLASS (select_class, SELECT, "Select", LsSelect, EXPR,
          LS_FIELD (LsSelect, condition, NODE, 0),
          LS_FIELD (LsSelect, true_value, NODE, 0),
          LS_FIELD (LsSelect, false_value, NODE, 0));
LS_CLASS (ramp_class, RAMP, "Ramp", LsRamp, EXPR,
          LS_FIELD (LsRamp, base, NODE, 0),
          LS_FIELD (LsRamp, stride, NODE, 0),
          LS_FIELD (LsRamp, lanes, NODE, 0));
LS_CLASS (broadcast_class, BROADCAST, "Broadcast", LsBroadcast, EXPR,
          LS_FIELD (LsBroadcast, value, NODE, 0),
          LS_FIELD (LsBroadcast, lanes, NODE, 0));
LS_CLASS (let_class, LET, "Let", LsLet, EXPR,
          LS_FIELD (LsLet, value, NODE, 0),
          LS_FIELD (LsLet, var, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsLet, body, NODE, 0));
LS_CLASS (call_class, CALL, "Call", LsCall, EXPR,
          LS_FIELD (LsCall, op, NODE, 0),
          LS_FIELD (LsCall, args, NODE, 0));
LS_CLASS (shuffle_class, SHUFFLE, "Shuffle", LsShuffle, EXPR,
          LS_FIELD (LsShuffle, vectors, NODE, 0),
          LS_FIELD (LsShuffle, indices, NODE, 0));
LS_CLASS (range_class, RANGE, "Range", LsRange, LS_CLASS_PLAIN,
          LS_FIELD (LsRange, min, NODE, 0),
          LS_FIELD (LsRange, extent, NODE, 0));

static const LsField binary_fields[] = {
  LS_FIELD (LsBinary, a, NODE, 0),
  LS_FIELD (LsBinary, b, NODE, 0),
};

#define BINARY(KIND, Name) \
  { LS_KIND_##KIND, Name, sizeof (LsBinary), EXPR | LS_CLASS_BINARY, binary_fields, G_N_ELEMENTS (binary_fields) }

/* ORDER KIND: Add .. Or as in LS_KINDS */
static const LsNodeClass binary_classes[] = {
  BINARY (ADD, "Add"), BINARY (SUB, "Sub"), BINARY (MUL, "Mul"), BINARY (DIV, "Div"), BINARY (MOD, "Mod"),
  BINARY (FLOOR_DIV, "FloorDiv"), BINARY (FLOOR_MOD, "FloorMod"), BINARY (MIN, "Min"), BINARY (MAX, "Max"),
  BINARY (EQ, "EQ"), BINARY (NE, "NE"), BINARY (LT, "LT"), BINARY (LE, "LE"), BINARY (GT, "GT"), BINARY (GE, "GE"),
  BINARY (AND, "And"), BINARY (OR, "Or"),
};
G_STATIC_ASSERT (G_N_ELEMENTS (binary_classes) == LS_KIND_OR - LS_KIND_ADD + 1);

void
ls_ir_fill_classes (const LsNodeClass **table)
{
  static const LsNodeClass *const all[] = {
    &ls_array_class, &ls_map_class, &ls_string_class, &ls_tensor_class,
    &ls_prim_type_class, &ls_pointer_type_class, &ls_tuple_type_class,
    &ls_op_class, &ls_global_var_class, &ls_module_class,
    &var_class, &size_var_class, &int_imm_class, &float_imm_class, &string_imm_class, &cast_class,
    &not_class, &select_class, &ramp_class, &broadcast_class, &let_class, &call_class, &shuffle_class, &range_class,
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    table[all[i]->kind] = all[i];
  for (guint i = 0; i < G_N_ELEMENTS (binary_classes); i++)
    table[binary_classes[i].kind] = &binary_classes[i];
}

static gpointer
alloc_expr (const LsNodeClass *klass,
            LsDType            dtype)
{
  LsExpr *expr = ls_node_alloc (klass);

  expr->dtype = dtype;
  return expr;
}

static LsDType
type_dtype (LsType *type)
{
  if (ls_is (type, PRIM_TYPE))
    return ((LsPrimType *) type)->dtype;
  return ls_is (type, POINTER_TYPE) ? LS_HANDLE : LS_VOID;
}

static LsVar *
new_var (const LsNodeClass *klass,
         const char        *name,
         LsDType            dtype,
         LsType            *type)
{
  LsVar *self = alloc_expr (klass, dtype);

  self->name = g_strdup (name);
  self->type_annotation = type;
  return ls_node_finish (self);
}

LsVar *
ls_var_new (const char *name,
            LsDType     dtype)
{
  return new_var (&var_class, name, dtype, ls_prim_type_new (dtype));
}

LsVar *
ls_var_new_typed (const char *name,
                  LsType     *type)
{
  return new_var (&var_class, name, type_dtype (type), type);
}

LsVar *
ls_size_var_new (const char *name,
                 LsDType     dtype)
{
  return new_var (&size_var_class, name, dtype, ls_prim_type_new (dtype));
}

LsVar *
ls_var_copy (LsVar      *var,
             const char *name)
{
  return new_var (var->expr.node.klass, name != NULL ? name : var->name, ls_dtype (var), ls_ref (var->type_annotation));
}

static gint64
wrap_int (LsDType t,
          gint64  value)
{
  guint64 mask;

  if (t.bits >= 64 || t.code == LS_TYPE_HANDLE)
    return value;
  if (t.bits == 1)
    return value != 0;
  mask = ((guint64) 1 << t.bits) - 1;
  if (t.code == LS_TYPE_UINT)
    return (gint64) ((guint64) value & mask);
  return (gint64) ((guint64) value << (64 - t.bits)) >> (64 - t.bits);
}

LsExpr *
ls_int_imm_new (LsDType dtype,
                gint64  value)
{
  LsIntImm *self = alloc_expr (&int_imm_class, dtype);

  self->value = wrap_int (dtype, value);
  return ls_node_finish (self);
}

LsExpr *
ls_float_imm_new (LsDType dtype,
                  double  value)
{
  LsFloatImm *self = alloc_expr (&float_imm_class, dtype);

  self->value = value;
  return ls_node_finish (self);
}

LsExpr *
ls_string_imm_new (const char *value)
{
  LsStringImm *self = alloc_expr (&string_imm_class, LS_HANDLE);

  self->value = g_strdup (value);
  return ls_node_finish (self);
}

LsExpr *
ls_int (gint64 value)
{
  return ls_int_imm_new (LS_INT32, value);
}

LsExpr *
ls_bool (gboolean value)
{
  return ls_int_imm_new (LS_BOOL, value != FALSE);
}

static LsExpr *
spread (LsDType dtype,
        LsExpr *scalar)
{
  return ls_broadcast_like (dtype, scalar);
}

LsExpr *
ls_const_int (LsDType dtype,
              gint64  value)
{
  LsDType element = ls_dtype_element (dtype);

  return spread (dtype, ls_dtype_is_float (dtype) ? ls_float_imm_new (element, (double) value) : ls_int_imm_new (element, value));
}

LsExpr *
ls_const_float (LsDType dtype,
                double  value)
{
  LsDType element = ls_dtype_element (dtype);

  return spread (dtype, ls_dtype_is_float (dtype) ? ls_float_imm_new (element, value) : ls_int_imm_new (element, (gint64) value));
}

LsExpr *
ls_cast_new (LsDType dtype,
             LsExpr *value)
{
  LsCast *self = alloc_expr (&cast_class, dtype);

  self->value = value;
  return ls_node_finish (self);
}

LsExpr *
ls_binary_new (LsKind  kind,
               LsExpr *a,
               LsExpr *b)
{
  LsBinary *self;
  LsDType dtype = ls_dtype (a);

  g_return_val_if_fail (ls_kind_is_binary (kind), NULL);
  if (kind >= LS_KIND_EQ)
    dtype = ls_dtype_with_lanes (LS_BOOL, dtype.lanes);
  self = alloc_expr (&binary_classes[kind - LS_KIND_ADD], dtype);
  self->a = a;
  self->b = b;
  return ls_node_finish (self);
}

LsExpr *
ls_not_new (LsExpr *a)
{
  LsNot *self = alloc_expr (&not_class, ls_dtype_with_lanes (LS_BOOL, ls_dtype (a).lanes));

  self->a = a;
  return ls_node_finish (self);
}

LsExpr *
ls_select_new (LsExpr *condition,
               LsExpr *true_value,
               LsExpr *false_value)
{
  LsSelect *self = alloc_expr (&select_class, ls_dtype (true_value));

  self->condition = condition;
  self->true_value = true_value;
  self->false_value = false_value;
  return ls_node_finish (self);
}

/* n of vscale () * n, in either order. */
static LsExpr *
vscale_of (LsExpr *lanes,
           gint64 *factor)
{
  LsBinary *product = (LsBinary *) lanes;

  if (!ls_is (lanes, MUL))
    return NULL;
  if (ls_is_call (product->a, "tir.vscale") && ls_as_int (product->b, factor))
    return product->a;
  if (ls_is_call (product->b, "tir.vscale") && ls_as_int (product->a, factor))
    return product->b;
  return NULL;
}

/* The lanes as vectors keep them: a number in int32, or vscale () * number.  Takes `lanes`. */
static LsExpr *
normal_lanes (LsExpr *lanes,
              guint  *n)
{
  LsExpr *vscale, *result = lanes;
  gint64 number;

  *n = 1;
  if (ls_as_int (lanes, &number))
    {
      if (number > 0 && number <= G_MAXINT16)
        *n = (guint) number;
      if (ls_dtype_equal (ls_dtype (lanes), LS_INT32))
        return lanes;
      result = ls_int (number);
    }
  else if ((vscale = vscale_of (lanes, &number)) != NULL && number > 1 && number <= G_MAXINT16)
    {
      *n = (guint16) -number;
      result = ls_binary_new (LS_KIND_MUL, ls_ref (vscale), ls_int (number));
    }
  else
    return lanes;
  ls_unref (lanes);
  return result;
}

LsExpr *
ls_ramp_new (LsExpr *base,
             LsExpr *stride,
             LsExpr *lanes)
{
  LsRamp *self;
  guint n;

  lanes = normal_lanes (lanes, &n);
  self = alloc_expr (&ramp_class, ls_dtype_with_lanes (ls_dtype (base), ls_dtype (base).lanes * n));
  self->base = base;
  self->stride = stride;
  self->lanes = lanes;
  return ls_node_finish (self);
}

LsExpr *
ls_broadcast_new (LsExpr *value,
                  LsExpr *lanes)
{
  LsBroadcast *self;
  guint n;

  lanes = normal_lanes (lanes, &n);
  self = alloc_expr (&broadcast_class, ls_dtype_with_lanes (ls_dtype (value), ls_dtype (value).lanes * n));
  self->value = value;
  self->lanes = lanes;
  return ls_node_finish (self);
}

LsExpr *
ls_broadcast_like (LsDType  dtype,
                   LsExpr  *value)
{
  if (ls_dtype_is_scalable (dtype))
    return ls_broadcast_new (value, ls_binary_new (LS_KIND_MUL, ls_call_op ("tir.vscale", LS_INT32, ls_array_empty ()),
                                                   ls_int (ls_dtype_vscale_factor (dtype))));
  return dtype.lanes > 1 ? ls_broadcast_new (value, ls_int (dtype.lanes)) : value;
}

LsExpr *
ls_let_new (LsVar  *var,
            LsExpr *value,
            LsExpr *body)
{
  LsLet *self = alloc_expr (&let_class, ls_dtype (body));

  self->var = var;
  self->value = value;
  self->body = body;
  return ls_node_finish (self);
}

LsExpr *
ls_call_new (LsDType  dtype,
             gpointer op,
             LsArray *args)
{
  LsCall *self = alloc_expr (&call_class, dtype);

  self->op = op;
  self->args = args;
  return ls_node_finish (self);
}

LsExpr *
ls_shuffle_new (LsArray *vectors,
                LsArray *indices)
{
  LsDType element = vectors->n > 0 ? ls_dtype_element (ls_dtype (vectors->items[0])) : LS_VOID;
  LsShuffle *self = alloc_expr (&shuffle_class, ls_dtype_with_lanes (element, indices->n));

  self->vectors = vectors;
  self->indices = indices;
  return ls_node_finish (self);
}

LsRange *
ls_range_new (LsExpr *min,
              LsExpr *extent)
{
  LsRange *self = ls_node_alloc (&range_class);

  self->min = min;
  self->extent = extent;
  return ls_node_finish (self);
}

gboolean
ls_as_int (const void *expr,
           gint64     *value)
{
  if (!ls_is (expr, INT_IMM))
    return FALSE;
  if (value != NULL)
    *value = ((const LsIntImm *) expr)->value;
  return TRUE;
}

gboolean
ls_is_int_value (const void *expr,
                 gint64      value)
{
  if (ls_is (expr, BROADCAST))
    return ls_is_int_value (((const LsBroadcast *) expr)->value, value);
  return ls_is (expr, INT_IMM) && ((const LsIntImm *) expr)->value == value;
}
