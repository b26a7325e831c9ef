/* fx/value: numbers, texts, lists and expressions, as Python has them in the arguments of a graph. */
#include "engine/frontend/frontend-private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

gpointer
ls_fx_alloc (LsFxImport *self,
             gsize       bytes)
{
  gpointer data = g_malloc0 (MAX (bytes, 1));

  g_ptr_array_add (self->arena, data);
  return data;
}

static LsFxValue *
value_new (LsFxImport *self,
           LsFxKind    kind)
{
  LsFxValue *value = ls_fx_alloc (self, sizeof (LsFxValue));

  value->kind = kind;
  return value;
}

LsFxValue *
ls_fx_none (LsFxImport *self)
{
  return value_new (self, LS_FX_NONE);
}

LsFxValue *
ls_fx_bool (LsFxImport *self,
            gboolean    b)
{
  LsFxValue *value = value_new (self, LS_FX_BOOL);

  value->i = b != FALSE;
  return value;
}

LsFxValue *
ls_fx_int (LsFxImport *self,
           gint64      i)
{
  LsFxValue *value = value_new (self, LS_FX_INT);

  value->i = i;
  return value;
}

LsFxValue *
ls_fx_real (LsFxImport *self,
            double      f)
{
  LsFxValue *value = value_new (self, LS_FX_REAL);

  value->f = f;
  return value;
}

LsFxValue *
ls_fx_text (LsFxImport *self,
            LsFxKind    kind,
            const char *text)
{
  LsFxValue *value = value_new (self, kind);

  value->s = strcpy (ls_fx_alloc (self, strlen (text) + 1), text);
  return value;
}

LsFxValue *
ls_fx_list (LsFxImport *self,
            LsFxValue **items,
            guint       n)
{
  LsFxValue *value = value_new (self, LS_FX_LIST);

  value->items = ls_fx_alloc (self, n * sizeof *items);
  for (guint i = 0; i < n; i++)
    value->items[i] = items[i];
  value->n = n;
  return value;
}

LsFxValue *
ls_fx_ints (LsFxImport   *self,
            const gint64 *values,
            guint         n)
{
  LsFxValue **items = ls_fx_alloc (self, n * sizeof *items);

  for (guint i = 0; i < n; i++)
    items[i] = ls_fx_int (self, values[i]);
  return ls_fx_list (self, items, n);
}

LsFxValue *
ls_fx_node (LsFxImport *self,
            gpointer    node)
{
  LsFxValue *value = node != NULL ? value_new (self, LS_FX_NODE) : NULL;

  if (value != NULL)
    value->node = ls_fx_keep (self, node);
  return value;
}

LsFxValue *
ls_fx_extent (LsFxImport *self,
              LsExpr     *extent)
{
  gint64 i;

  return ls_as_int (extent, &i) ? ls_fx_int (self, i) : ls_fx_node (self, ls_ref (extent));
}

/* ---- JSON ---------------------------------------------------------------------------- */

static LsFxValue *
of_array (LsFxImport *self,
          JsonArray  *array,
          LsFxKind    kind)
{
  guint n = json_array_get_length (array);
  LsFxValue **items = ls_fx_alloc (self, n * sizeof *items);
  LsFxValue *list;

  for (guint i = 0; i < n; i++)
    if ((items[i] = ls_fx_of_json (self, json_array_get_element (array, i))) == NULL)
      return NULL;
  list = ls_fx_list (self, items, n);
  list->kind = kind;
  return list;
}

static LsFxValue *
of_object (LsFxImport *self,
           JsonObject *object)
{
  static const char *const KEYS[] = { "node", "slice", "dtype", "float", "ellipsis", "size", "extent" };
  JsonNode *member = NULL;
  guint key = 0;

  for (; key < G_N_ELEMENTS (KEYS) && member == NULL; key++)
    member = json_object_get_member (object, KEYS[key]);
  if (member != NULL && key == 5)
    return value_new (self, LS_FX_ELLIPSIS);
  if (member != NULL && (key == 2 || key == 6) && JSON_NODE_HOLDS_ARRAY (member) && (key == 6 || json_array_get_length (json_node_get_array (member)) == 3))
    return of_array (self, json_node_get_array (member), key == 2 ? LS_FX_SLICE : LS_FX_LIST);
  if (member != NULL && JSON_NODE_HOLDS_VALUE (member) && json_node_get_value_type (member) == G_TYPE_STRING)
    {
      const char *text = json_node_get_string (member);

      if (key == 1)
        {
          LsFxValue *value = g_hash_table_lookup (self->values, text);

          return value != NULL ? value : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "it uses \"%s\", which has no value", text);
        }
      if (key == 3)
        return ls_fx_text (self, LS_FX_DTYPE, text);
      if (key == 7)
        {
          LsExpr *extent = ls_fx_extent_read (self, text, FALSE);

          return extent != NULL ? ls_fx_extent (self, ls_fx_keep (self, extent)) : NULL;
        }
      if (key == 4)
        return ls_fx_real (self, strcmp (text, "inf") == 0 ? INFINITY : strcmp (text, "-inf") == 0 ? -INFINITY : NAN);
    }
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "an argument is an object that is no node, slice, dtype, float, size, extent or ellipsis");
}

LsFxValue *
ls_fx_of_json (LsFxImport *self,
               JsonNode   *json)
{
  if (JSON_NODE_HOLDS_NULL (json))
    return ls_fx_none (self);
  if (JSON_NODE_HOLDS_ARRAY (json))
    return of_array (self, json_node_get_array (json), LS_FX_LIST);
  if (JSON_NODE_HOLDS_OBJECT (json))
    return of_object (self, json_node_get_object (json));
  if (json_node_get_value_type (json) == G_TYPE_BOOLEAN)
    return ls_fx_bool (self, json_node_get_boolean (json));
  if (json_node_get_value_type (json) == G_TYPE_INT64)
    return ls_fx_int (self, json_node_get_int (json));
  if (json_node_get_value_type (json) == G_TYPE_DOUBLE)
    return ls_fx_real (self, json_node_get_double (json));
  return ls_fx_text (self, LS_FX_TEXT, json_node_get_string (json));
}

/* ---- numbers and types ------------------------------------------------------------------- */

gboolean
ls_fx_is_number (const LsFxValue *value)
{
  return value != NULL && (value->kind == LS_FX_BOOL || value->kind == LS_FX_INT || value->kind == LS_FX_REAL);
}

double
ls_fx_number (const LsFxValue *value)
{
  return value->kind == LS_FX_REAL ? value->f : (double) value->i;
}

gboolean
ls_fx_is_tensor (LsFxImport      *self,
                 const LsFxValue *value)
{
  LsNode *info = value != NULL && value->kind == LS_FX_NODE && ls_is_relax_expr (value->node)
                 ? ls_fx_keep (self, ls_block_builder_struct_info (self->builder, value->node)) : NULL;

  return info != NULL && ls_is (info, TENSOR_STRUCT_INFO);
}

gboolean
ls_fx_to_dtype (LsFxImport      *self,
                const LsFxValue *value,
                LsDType         *dtype)
{
  static const struct { const char *name, *dtype; } NAMES[] = {
    { "float", "float32" }, { "double", "float64" }, { "half", "float16" }, { "int", "int32" }, { "long", "int64" }, { "short", "int16" },
  };
  const char *text;

  if (value == NULL || (value->kind != LS_FX_TEXT && value->kind != LS_FX_DTYPE))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a dtype is expected"), FALSE;
  text = g_str_has_prefix (value->s, "torch.") ? value->s + strlen ("torch.") : value->s;
  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (text, NAMES[i].name) == 0)
      text = NAMES[i].dtype;
  if (ls_dtype_parse (text, dtype))
    return TRUE;
  ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "%s is no dtype that is supported", text);
  return FALSE;
}

const char *
ls_fx_describe (LsFxImport      *self,
                const LsFxValue *value)
{
  g_autofree char *text = NULL;

  if (value == NULL)
    return "nothing";
  switch (value->kind)
    {
    case LS_FX_NONE: return "None";
    case LS_FX_BOOL: return value->i ? "True" : "False";
    case LS_FX_INT: text = g_strdup_printf ("the number %" G_GINT64_FORMAT, value->i); break;
    case LS_FX_REAL: text = g_strdup_printf ("the number %g", value->f); break;
    case LS_FX_TEXT: text = g_strdup_printf ("the text \"%s\"", value->s); break;
    case LS_FX_DTYPE: text = g_strdup_printf ("the dtype %s", value->s); break;
    case LS_FX_LIST: text = g_strdup_printf ("a list of %u", value->n); break;
    case LS_FX_SLICE: return "a slice";
    case LS_FX_ELLIPSIS: return "an ellipsis";
    case LS_FX_NODE: return ls_fx_is_tensor (self, value) ? "a tensor" : "an expression that is no tensor";
    }
  return strcpy (ls_fx_alloc (self, strlen (text) + 1), text);
}

/* ---- constants ---------------------------------------------------------------------------- */

static guint16
to_half (float value)
{
  LsDLDataType half = LS_DT_FLOAT16;
  guint16 bits = 0;
  gint64 one = 1;
  LsDLTensor tensor = { .data = &bits, .device = { LS_DL_CPU, 0 }, .ndim = 1, .dtype = half, .shape = &one };

  ls_tensor_set_double (&tensor, 0, (double) value);
  return bits;
}

static LsFxValue *
constant (LsFxImport *self,
          double      value,
          gint64      whole,
          gsize       n,
          LsArray    *shape,
          LsDType     dtype)
{
  guint bytes = ls_dtype_bytes (dtype);
  guint8 *data = g_malloc0 (MAX (n * bytes, 1));

  for (gsize i = 0; i < n; i++)
    if (ls_dtype_is_float (dtype) && bytes == 4)
      ((float *) data)[i] = (float) value;
    else if (ls_dtype_is_float (dtype) && bytes == 8)
      ((double *) data)[i] = value;
    else if (ls_dtype_is_float (dtype))
      ((guint16 *) data)[i] = to_half ((float) value);
    else
      {
        gint64 word = GINT64_TO_LE (whole);

        memcpy (data + i * bytes, &word, bytes);
      }
  return ls_fx_node (self, ls_constant_new (ls_tensor_new (dtype, shape, g_bytes_new_take (data, n * bytes))));
}

static gint64
as_whole (double value)
{
  return fabs (value) < 0x1p62 ? (gint64) value : value > 0 ? G_MAXINT64 : G_MININT64;
}

LsFxValue *
ls_fx_scalar (LsFxImport *self,
              LsFxValue  *number,
              LsDType     dtype)
{
  double value;

  if (!ls_fx_is_number (number))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a number is expected, not %s", ls_fx_describe (self, number));
  value = ls_fx_number (number);
  if (!(ls_dtype_is_float (dtype) && ls_dtype_bytes (dtype) >= 2 && ls_dtype_bytes (dtype) <= 8) && ls_dtype_is_float (dtype))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a number of %s is not supported", ls_dtype_name (dtype));
  return constant (self, value, number->kind == LS_FX_REAL ? as_whole (value) : number->i, 1, ls_array_empty (), dtype);
}

LsFxValue *
ls_fx_filled (LsFxImport      *self,
              double           value,
              const LsFxValue *shape,
              LsDType          dtype)
{
  GPtrArray *extents = g_ptr_array_new ();
  gint64 n = 1;

  for (guint i = 0; i < shape->n; i++)
    {
      if (shape->items[i]->kind != LS_FX_INT || shape->items[i]->i < 0 || __builtin_mul_overflow (n, shape->items[i]->i, &n) || n > (1 << 24))
        ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the shape of a constant is a list of whole numbers");
      else
        g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, shape->items[i]->i));
    }
  if (self->error == NULL)
    return constant (self, value, as_whole (value), (gsize) n, ls_array_take_ptr_array (extents), dtype);
  ls_unref (ls_array_take_ptr_array (extents));
  return NULL;
}

/* ---- tensors -------------------------------------------------------------------------------- */

LsTensorStructInfo *
ls_fx_info (LsFxImport *self,
            LsFxValue  *x)
{
  LsNode *info;

  if (x == NULL)
    return NULL;
  info = x->kind == LS_FX_NODE && ls_is_relax_expr (x->node) ? ls_fx_keep (self, ls_block_builder_struct_info (self->builder, x->node)) : NULL;
  if (info != NULL && ls_is (info, TENSOR_STRUCT_INFO) && ((LsTensorStructInfo *) info)->shape != NULL
      && ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR))
    return (LsTensorStructInfo *) info;
  return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor of known shape is expected, not %s", ls_fx_describe (self, x));
}

LsFxValue *
ls_fx_extents (LsFxImport *self,
               LsArray    *extents)
{
  LsFxValue **items = ls_fx_alloc (self, extents->n * sizeof *items);

  for (guint i = 0; i < extents->n; i++)
    items[i] = ls_fx_extent (self, ls_array_at (extents, i, LsExpr));
  return ls_fx_list (self, items, extents->n);
}

LsFxValue *
ls_fx_shape (LsFxImport *self,
             LsFxValue  *x)
{
  LsTensorStructInfo *info = ls_fx_info (self, x);

  return info != NULL ? ls_fx_extents (self, ((LsShapeExpr *) info->shape)->values) : NULL;
}

LsDType
ls_fx_dtype (LsFxImport *self,
             LsFxValue  *x)
{
  LsNode *info = x != NULL && x->kind == LS_FX_NODE && ls_is_relax_expr (x->node)
                 ? ls_fx_keep (self, ls_block_builder_struct_info (self->builder, x->node)) : NULL;

  if (info != NULL && ls_is (info, TENSOR_STRUCT_INFO))
    return ((LsTensorStructInfo *) info)->dtype;
  if (x != NULL)
    ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor is expected, not %s", ls_fx_describe (self, x));
  return LS_FLOAT32;
}

gboolean
ls_fx_dimension (LsFxImport *self,
                 gint64     *dim,
                 guint       n)
{
  gint64 given = *dim;

  *dim += *dim < 0 ? n : 0;
  if (*dim >= 0 && *dim < n)
    return TRUE;
  ls_fx_fail (self, LS_FX_ERROR_GRAPH, "dimension %" PRId64 " is none of a tensor of %u", given, n);
  return FALSE;
}
