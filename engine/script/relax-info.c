/* relax-info: struct info and values of Relax as the text writes them, R.Tensor(...), R.const(...) and their kin. */
#include "engine/script/script-private.h"

#define KEEP(node) ls_value_node (p, ls_parse_keep (p, (node), args->call))

/* ---- struct info ----------------------------------------------------------------------- */

static LsValue *
tensor (LsParse     *p,
        LsRelaxArgs *args)
{
  LsSpan at[4];
  LsValue *shape = ls_relax_take (args, 0, "shape", &at[0]), *dtype = ls_relax_take (args, 1, "dtype", &at[1]);
  LsValue *vdevice = ls_relax_take (args, 2, "vdevice", &at[2]), *ndim = ls_relax_take (args, 3, "ndim", &at[3]);
  gint64 n = LS_UNKNOWN_NDIM;
  LsDType type = LS_VOID;
  LsNode *where = NULL, *extents = NULL;

  if (shape != NULL && dtype == NULL && shape->kind == LS_VALUE_STRING)
    {
      dtype = shape;
      shape = NULL;
    }
  if (dtype != NULL && dtype->kind != LS_VALUE_NONE && !ls_value_to_dtype (p, dtype, at[1], &type))
    return NULL;
  if (ndim != NULL && !ls_value_to_int (p, ndim, at[3], "The number of dimensions", &n))
    return NULL;
  if (n < LS_UNKNOWN_NDIM)
    {
      ls_parse_error (p, at[3], "script/shape", "The number of dimensions is not negative; -1 stands for an unknown one.");
      return NULL;
    }
  if (vdevice != NULL && (where = ls_value_to_attr (p, vdevice, at[2])) == NULL)
    return NULL;
  where = ls_vdevice_resolve (p, where);
  if (shape != NULL && shape->kind == LS_VALUE_NODE && ls_is_relax_var (shape->node))
    extents = ls_ref (shape->node);
  else if (shape != NULL && shape->kind != LS_VALUE_NONE)
    {
      LsArray *values = ls_relax_dimensions (p, shape, at[0]);

      if (values == NULL)
        return NULL;
      if (n != LS_UNKNOWN_NDIM && n != (gint64) values->n)
        {
          ls_parse_error (p, at[3], "script/shape", "The shape has %u dimensions; ndim says %" PRId64 ".", values->n, n);
          return NULL;
        }
      extents = ls_shape_expr_new (ls_ref (values));
    }
  return KEEP (ls_tensor_struct_info_new (extents, n, type, ls_node_ref (where)));
}

static LsValue *
shape_info (LsParse     *p,
            LsRelaxArgs *args)
{
  LsSpan at[2];
  LsValue *values = ls_relax_take (args, 0, "values", &at[0]), *ndim = ls_relax_take (args, 1, "ndim", &at[1]);
  LsArray *extents = NULL;
  gint64 n = LS_UNKNOWN_NDIM;

  if (values != NULL && values->kind != LS_VALUE_NONE && (extents = ls_relax_dimensions (p, values, at[0])) == NULL)
    return NULL;
  if (ndim != NULL && !ls_value_to_int (p, ndim, at[1], "The number of dimensions", &n))
    return NULL;
  return KEEP (ls_shape_struct_info_new (extents != NULL ? ls_ref (extents) : NULL, n));
}

static LsValue *
prim_info (LsParse     *p,
           LsRelaxArgs *args)
{
  LsSpan at[2];
  LsValue *dtype = ls_relax_take (args, 0, "dtype", &at[0]), *value = ls_relax_take (args, 1, "value", &at[1]);
  LsDType type = LS_INT64;
  LsExpr *e = NULL;

  if (dtype != NULL && !ls_value_to_dtype (p, dtype, at[0], &type))
    return NULL;
  if (value != NULL)
    {
      LsNode *prim;

      if (value->kind == LS_VALUE_STRING)
        e = ls_relax_dimension (p, value, at[1]);
      else if ((prim = ls_relax_expr (p, value, at[1])) != NULL && ls_is (prim, PRIM_VALUE))
        e = ((LsPrimValue *) prim)->value;
      if (e == NULL)
        return NULL;
      type = ls_dtype (e);
    }
  else if (dtype == NULL)
    {
      ls_parse_error (p, args->call, "script/arity", "R.Prim needs a type or a value.");
      return NULL;
    }
  return KEEP (ls_prim_struct_info_new (e != NULL ? ls_ref (e) : NULL, type));
}

static gboolean
holds_values (LsValue *all)
{
  for (guint i = 0; i < all->n; i++)
    if (all->items[i]->kind != LS_VALUE_NODE || !ls_is_relax_expr (all->items[i]->node))
      return FALSE;
  return all->n > 0;
}

/* Tuple (what is known of each field), or as Python's relax.Tuple: of values the tuple itself. */
static LsValue *
tuple_info (LsParse     *p,
            LsRelaxArgs *args)
{
  LsValue *all = args->n == 1 && ls_value_is_sequence (args->values[0]) ? args->values[0]
                 : ls_value_list (p, LS_VALUE_TUPLE, args->values, args->n);
  LsArray *fields;

  for (guint i = 0; i < args->n; i++)
    args->taken[i] = TRUE;
  if (holds_values (all))
    {
      LsNode *tuple = ls_relax_expr (p, all, args->call);

      return tuple != NULL ? KEEP (ls_node_ref (tuple)) : NULL;
    }
  fields = ls_relax_sinfos (p, all, args->call);
  return fields != NULL ? KEEP (ls_tuple_struct_info_new (ls_ref (fields))) : NULL;
}

static LsValue *
callable_info (LsParse     *p,
               LsRelaxArgs *args)
{
  LsSpan at[4];
  LsValue *params = ls_relax_take (args, 0, "params", &at[0]), *ret = ls_relax_take (args, 1, "ret", &at[1]);
  LsValue *purity = ls_relax_take (args, 2, "purity", &at[2]), *derive = ls_relax_take (args, 3, "derive_func", &at[3]);
  LsArray *infos = params != NULL ? ls_relax_sinfos (p, params, at[0]) : NULL;
  LsStructInfo *result = ret != NULL ? ls_relax_sinfo (p, ret, at[1]) : ls_parse_keep (p, ls_object_struct_info_new (), args->call);
  gint64 pure = params != NULL;

  if ((params != NULL && infos == NULL) || result == NULL || (purity != NULL && !ls_value_to_int (p, purity, at[2], "Purity", &pure)))
    return NULL;
  if (derive != NULL && derive->kind != LS_VALUE_NONE)
    {
      if (derive->kind == LS_VALUE_STRING && params == NULL && ret == NULL)
        return KEEP (ls_func_struct_info_derived (strcmp (derive->s, "tvm.relax.type.infer_view_ty") == 0 ? LS_INFER_VIEW : derive->s, pure != 0));
      ls_parse_error (p, at[3], "script/type", "derive_func is the name of a rule that gives results; it stands instead of the parameters and the result.");
      return NULL;
    }
  return KEEP (ls_func_struct_info_new (infos != NULL ? ls_ref (infos) : NULL, ls_ref (result), pure != 0));
}

static LsValue *
object_info (LsParse     *p,
             LsRelaxArgs *args)
{
  return KEEP (ls_object_struct_info_new ());
}

/* ---- values --------------------------------------------------------------------------------- */

static LsValue *
shape_value (LsParse     *p,
             LsRelaxArgs *args)
{
  LsSpan at;
  LsValue *v = ls_relax_need (p, args, 0, "value", &at);
  LsArray *values = v != NULL ? ls_relax_dimensions (p, v, at) : NULL;

  return values != NULL ? KEEP (ls_shape_expr_new (ls_ref (values))) : NULL;
}

static LsValue *
prim_value (LsParse     *p,
            LsRelaxArgs *args)
{
  LsSpan at;
  LsValue *v = ls_relax_need (p, args, 0, "value", &at);
  LsNode *e = v != NULL ? ls_relax_expr (p, v, at) : NULL;

  if (e != NULL && !ls_is (e, PRIM_VALUE))
    {
      ls_parse_error (p, at, "script/type", "R.prim_value holds a number or an expression of TensorIR; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  return ls_value_node (p, e);
}

static LsValue *
text_value (LsParse     *p,
            LsRelaxArgs *args)
{
  LsSpan at;
  LsValue *v = ls_relax_need (p, args, 0, "value", &at);
  const char *text = v != NULL ? ls_value_to_string (p, v, at, "The value of R.str") : NULL;

  return text != NULL ? KEEP (ls_relax_string_new (text)) : NULL;
}

static LsValue *
type_value (LsParse     *p,
            LsRelaxArgs *args)
{
  LsSpan at;
  LsValue *v = ls_relax_need (p, args, 0, "value", &at);
  LsDType dtype;

  return v != NULL && ls_value_to_dtype (p, v, at, &dtype) ? KEEP (ls_data_type_imm_new (dtype)) : NULL;
}

static LsValue *
tuple_value (LsParse     *p,
             LsRelaxArgs *args)
{
  for (guint i = 0; i < args->n; i++)
    args->taken[i] = TRUE;
  return ls_value_node (p, ls_relax_expr (p, ls_value_list (p, LS_VALUE_TUPLE, args->values, args->n), args->call));
}

static LsValue *
constant (LsParse     *p,
          LsRelaxArgs *args)
{
  LsSpan at, type_at;
  LsValue *v = ls_relax_need (p, args, 0, "value", &at), *type = ls_relax_take (args, 1, "dtype", &type_at);

  return v != NULL ? ls_relax_constant (p, v, at, type, type_at, args->call) : NULL;
}

/* TupleGetItem (tuple, index) */
static LsValue *
tuple_item (LsParse     *p,
            LsRelaxArgs *args)
{
  LsSpan at, index_at;
  LsValue *v = ls_relax_need (p, args, 0, "tuple", &at), *number = v != NULL ? ls_relax_need (p, args, 1, "index", &index_at) : NULL;
  LsNode *tuple = number != NULL ? ls_relax_arg (p, v, at) : NULL;
  gint64 index;

  if (tuple == NULL || !ls_value_to_int (p, number, index_at, "The index of a field", &index))
    return NULL;
  return KEEP (ls_tuple_get_item_new (ls_node_ref (tuple), index));
}

/* ExternFunc (name) */
static LsValue *
extern_func (LsParse     *p,
             LsRelaxArgs *args)
{
  LsSpan at, info_at;
  LsValue *v = ls_relax_need (p, args, 0, "global_symbol", &at), *info = ls_relax_take (args, 1, "struct_info", &info_at);
  LsStructInfo *known = info != NULL ? ls_relax_sinfo (p, info, info_at) : NULL;

  if (v == NULL || (info != NULL && known == NULL))
    return NULL;
  if (v->kind != LS_VALUE_STRING)
    {
      ls_parse_error (p, at, "script/type", "The name of a function is a text; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  return KEEP (ls_extern_func_new_full (v->s, known != NULL ? ls_ref (known) : NULL));
}

/* ---- the table ---- */

LsRelaxReader
ls_relax_reader (const char *name)
{
  static const struct { const char *name; LsRelaxReader read; } READERS[] = {
    { "Any", object_info }, { "Callable", callable_info }, { "ExternFunc", extern_func }, { "Object", object_info }, { "Prim", prim_info },
    { "Shape", shape_info }, { "ShapeExpr", shape_value }, { "Tensor", tensor }, { "Tuple", tuple_info }, { "TupleGetItem", tuple_item },
    { "const", constant }, { "dtype", type_value }, { "prim_value", prim_value }, { "shape", shape_value }, { "str", text_value }, { "tuple", tuple_value },
  };

  for (guint i = 0; i < G_N_ELEMENTS (READERS); i++)
    if (strcmp (READERS[i].name, name) == 0)
      return READERS[i].read;
  return NULL;
}
