/* onnx/value: what a node's rule is given: inputs as expressions, or as the whole numbers that are known of them, and attributes. */
#include "engine/frontend/onnx/onnx-private.h"

#include <string.h>

#define MOST_KNOWN 1024
#define MOST_REALS 4096

/* ---- what a node is called ---------------------------------------------------------------- */

gboolean
ls_onnx_is_main (const LsOnnx__Node *node)
{
  return node->domain == NULL || node->domain[0] == '\0' || strcmp (node->domain, "ai.onnx") == 0;
}

char *
ls_onnx_describe_node (LsOnnxImport *self)
{
  const LsOnnx__Node *node = self->node;
  const char *name = node->name != NULL && node->name[0] != '\0' ? node->name : node->n_output > 0 ? node->output[0] : "";
  g_autofree char *domain = ls_onnx_is_main (node) ? g_strdup_printf ("opset %" G_GINT64_FORMAT, self->opset) : g_strdup_printf ("domain %s", node->domain);

  return g_strdup_printf ("%snode %u \"%s\" (%s, %s)", self->within != NULL ? self->within : "", self->place, name, node->op_type != NULL ? node->op_type : "", domain);
}

/* ---- from and to tensors ----------------------------------------------------------------- */

LsFxValue *
ls_onnx_known_tensor (LsOnnxImport   *self,
                      const LsTensor *tensor)
{
  gsize n = g_bytes_get_size (tensor->data) / 8;
  const guint8 *data = g_bytes_get_data (tensor->data, NULL);
  LsFxValue **items;

  if (!ls_dtype_equal (tensor->dtype, LS_INT64) || tensor->shape->n > 1 || n > MOST_KNOWN || (tensor->shape->n == 0 && n != 1))
    return NULL;
  items = ls_fx_alloc (&self->fx, n * sizeof *items);
  for (gsize i = 0; i < n; i++)
    {
      gint64 number;

      memcpy (&number, data + i * 8, 8);
      items[i] = ls_fx_int (&self->fx, GINT64_FROM_LE (number));
    }
  return tensor->shape->n == 0 ? items[0] : ls_fx_list (&self->fx, items, (guint) n);
}

static LsFxValue *
constant_of (LsOnnxImport *self,
             LsFxValue   **items,
             guint         n,
             gboolean      is_list)
{
  gboolean truths = n > 0 && items[0]->kind == LS_FX_BOOL;
  LsDType dtype = truths ? LS_BOOL : LS_INT64;
  guint bytes = ls_dtype_bytes (dtype);
  guint8 *data = g_malloc0 (MAX (n * bytes, 1));
  LsNode *extent = is_list ? LS_NODE (ls_int_imm_new (LS_INT64, n)) : NULL;

  for (guint i = 0; i < n; i++)
    {
      gint64 word = GINT64_TO_LE (items[i]->i);

      memcpy (data + i * bytes, &word, bytes);
    }
  return ls_fx_node (&self->fx, ls_constant_new (ls_tensor_new (dtype, is_list ? ls_array_new ((gpointer *) &extent, 1) : ls_array_empty (),
                                                                g_bytes_new_take (data, n * bytes))));
}

LsFxValue *
ls_onnx_of_known (LsOnnxImport *self,
                  LsFxValue    *known)
{
  gboolean is_list = known->kind == LS_FX_LIST;
  LsFxValue **items = is_list ? known->items : &known, *zero, *shape, *y;
  guint n = is_list ? known->n : 1;
  GPtrArray *extents;
  gboolean whole = TRUE;

  for (guint i = 0; i < n; i++)
    whole = whole && items[i]->kind != LS_FX_NODE;
  if (whole)
    return constant_of (self, items, n, is_list);
  extents = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (extents, items[i]->kind == LS_FX_NODE ? ls_node_ref (items[i]->node) : LS_NODE (ls_int_imm_new (LS_INT64, items[i]->i)));
  shape = ls_fx_node (&self->fx, ls_shape_expr_new (ls_array_take_ptr_array (extents)));
  y = ls_fx_call (&self->fx, "shape_to_tensor", shape, NULL);
  zero = is_list ? NULL : ls_fx_list (&self->fx, NULL, 0);
  return is_list ? y : ls_fx_call (&self->fx, "reshape", y, zero, NULL);
}

LsFxValue *
ls_onnx_known_input (LsOnnxImport *self,
                     guint         i)
{
  const char *name = i < self->node->n_input ? self->node->input[i] : NULL;

  return name != NULL && name[0] != '\0' ? g_hash_table_lookup (self->known, name) : NULL;
}

/* ---- values -------------------------------------------------------------------------------- */

LsFxValue *
ls_onnx_value (LsOnnxImport *self,
               const char   *name)
{
  LsFxValue *value = g_hash_table_lookup (self->values, name), *known = g_hash_table_lookup (self->known, name);

  if (value == NULL && known != NULL)
    {
      value = ls_onnx_of_known (self, known);
      if (value != NULL)
        g_hash_table_insert (self->values, (gpointer) name, value);
    }
  return value != NULL ? value : ls_fx_fail (&self->fx, LS_FX_ERROR_GRAPH, "nothing before it is called \"%s\"", name);
}

LsFxValue *
ls_onnx_input (LsOnnxImport *self,
               guint         i)
{
  const char *name = i < self->node->n_input ? self->node->input[i] : "";

  return name[0] != '\0' ? ls_onnx_value (self, name) : NULL;
}

LsFxValue *
ls_onnx_needed (LsOnnxImport *self,
                guint         i)
{
  LsFxValue *value = ls_onnx_input (self, i);

  return value != NULL ? value : ls_fx_fail (&self->fx, LS_FX_ERROR_GRAPH, "it has no input %u", i + 1);
}

LsFxValue *
ls_onnx_attr (LsOnnxImport *self,
              const char   *name)
{
  for (guint i = 0; i < self->fx.n_kwargs; i++)
    if (strcmp (self->fx.names[i], name) == 0)
      return self->fx.kwargs[i];
  return NULL;
}

gint64
ls_onnx_attr_int (LsOnnxImport *self,
                  const char   *name,
                  gint64        otherwise)
{
  return ls_fx_whole (&self->fx, ls_onnx_attr (self, name), name, otherwise);
}

double
ls_onnx_attr_real (LsOnnxImport *self,
                   const char   *name,
                   double        otherwise)
{
  LsFxValue *value = ls_onnx_attr (self, name);

  return value != NULL && ls_fx_is_number (value) ? ls_fx_number (value) : otherwise;
}

const char *
ls_onnx_attr_text (LsOnnxImport *self,
                   const char   *name,
                   const char   *otherwise)
{
  LsFxValue *value = ls_onnx_attr (self, name);

  return value != NULL && value->kind == LS_FX_TEXT ? value->s : otherwise;
}

/* Of a small constant of int32: what is computed of numbers is of int64, so that they are not known as others are; or NULL. */
static LsFxValue *
short_numbers (LsOnnxImport *self,
               guint         input)
{
  LsFxValue *value = ls_onnx_input (self, input);
  LsTensor *tensor = value != NULL && value->kind == LS_FX_NODE && ls_is (value->node, CONSTANT) ? ((LsConstant *) value->node)->data : NULL;
  gsize n = tensor != NULL ? g_bytes_get_size (tensor->data) / 4 : 0;
  const guint8 *data = tensor != NULL ? g_bytes_get_data (tensor->data, NULL) : NULL;
  LsFxValue **items;

  if (tensor == NULL || !ls_dtype_equal (tensor->dtype, LS_INT32) || tensor->shape->n > 1 || n > MOST_KNOWN)
    return NULL;
  items = ls_fx_alloc (&self->fx, n * sizeof *items);
  for (gsize i = 0; i < n; i++)
    {
      gint32 number;

      memcpy (&number, data + i * 4, 4);
      items[i] = ls_fx_int (&self->fx, GINT32_FROM_LE (number));
    }
  return ls_fx_list (&self->fx, items, (guint) n);
}

LsFxValue *
ls_onnx_numbers (LsOnnxImport *self,
                 const char   *name,
                 guint         input)
{
  LsFxValue *value = name != NULL ? ls_onnx_attr (self, name) : NULL;
  gboolean given = input < self->node->n_input && self->node->input[input][0] != '\0';

  if (value == NULL && given)
    {
      value = ls_onnx_known_input (self, input);
      value = value != NULL ? value : short_numbers (self, input);
      if (value == NULL)
        return ls_fx_fail (&self->fx, LS_FX_ERROR_UNSUPPORTED, "its input %u, \"%s\", has to be known while importing, and is computed", input + 1, self->node->input[input]);
    }
  return value == NULL || value->kind == LS_FX_LIST ? value : ls_fx_list (&self->fx, &value, 1);
}

gint64
ls_onnx_number (LsOnnxImport *self,
                LsFxValue    *list,
                guint         i)
{
  if (list != NULL && i < list->n && list->items[i]->kind == LS_FX_INT)
    return CLAMP (list->items[i]->i, -(G_GINT64_CONSTANT (1) << 48), G_GINT64_CONSTANT (1) << 48);
  ls_fx_fail (&self->fx, LS_FX_ERROR_UNSUPPORTED, "a whole number that is known is expected");
  return 0;
}

LsFxValue *
ls_onnx_field (LsOnnxImport *self,
               LsFxValue    *tuple,
               guint         i)
{
  return tuple != NULL ? ls_fx_emit (&self->fx, ls_tuple_get_item_new (ls_node_ref (tuple->node), i)) : NULL;
}

/* Element `i` of a constant; FALSE: numbers of this type are not read. */
static gboolean
real_of (LsDType       dtype,
         const guint8 *data,
         gsize         i,
         double       *number)
{
  float single;
  gint64 whole;
  gint32 word;

  if (ls_dtype_equal (dtype, LS_FLOAT32))
    {
      memcpy (&single, data + 4 * i, 4);
      *number = (double) single;
    }
  else if (ls_dtype_equal (dtype, LS_FLOAT64))
    memcpy (number, data + 8 * i, 8);
  else if (ls_dtype_equal (dtype, LS_INT64))
    {
      memcpy (&whole, data + 8 * i, 8);
      *number = (double) GINT64_FROM_LE (whole);
    }
  else if (ls_dtype_equal (dtype, LS_INT32))
    {
      memcpy (&word, data + 4 * i, 4);
      *number = GINT32_FROM_LE (word);
    }
  else if (ls_dtype_equal (dtype, LS_DTYPE (LS_TYPE_INT, 8)))
    *number = (gint8) data[i];
  else if (ls_dtype_equal (dtype, LS_DTYPE (LS_TYPE_UINT, 8)) || ls_dtype_equal (dtype, LS_BOOL))
    *number = data[i];
  else
    return FALSE;
  return TRUE;
}

gboolean
ls_onnx_reals (LsOnnxImport *self,
               guint         input,
               GArray       *values)
{
  LsFxValue *value = ls_onnx_input (self, input);
  LsTensor *tensor = value != NULL && value->kind == LS_FX_NODE && ls_is (value->node, CONSTANT) ? ((LsConstant *) value->node)->data : NULL;
  guint bytes = tensor != NULL ? ls_dtype_bytes (tensor->dtype) : 0;
  gsize n = bytes > 0 ? g_bytes_get_size (tensor->data) / bytes : 0;
  const guint8 *data = tensor != NULL ? g_bytes_get_data (tensor->data, NULL) : NULL;

  if (tensor == NULL || n > MOST_REALS)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      double number = 0;

      if (!real_of (tensor->dtype, data, i, &number))
        return FALSE;
      g_array_append_val (values, number);
    }
  return TRUE;
}

/* ---- what several rules make ------------------------------------------------------------- */

LsFxValue *
ls_onnx_constant (LsOnnxImport *self,
                  LsDType       dtype,
                  const gint64 *extents,
                  guint         n,
                  gpointer      data)
{
  GPtrArray *shape = g_ptr_array_new ();
  gsize bytes = ls_dtype_bytes (dtype);

  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (shape, ls_int_imm_new (LS_INT64, extents[i]));
      bytes *= (gsize) extents[i];
    }
  return ls_fx_node (&self->fx, ls_constant_new (ls_tensor_new (dtype, ls_array_take_ptr_array (shape), g_bytes_new_take (data, bytes))));
}

LsFxValue *
ls_onnx_cast (LsOnnxImport *self,
              LsFxValue    *x,
              LsDType       dtype)
{
  if (x == NULL || self->fx.error != NULL || ls_dtype_equal (ls_fx_dtype (&self->fx, x), dtype))
    return x;
  return ls_fx_call (&self->fx, "astype", x, ls_fx_text (&self->fx, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
}

/* What is above the whole number below it is exact, and so is the comparison with a half. */
LsFxValue *
ls_onnx_rounded (LsOnnxImport *self,
                 LsFxValue    *x)
{
  LsFxImport *fx = &self->fx;
  LsFxValue *down = ls_fx_call (fx, "floor", x, NULL), *part = ls_fx_call (fx, "subtract", x, down, NULL), *half = ls_fx_real (fx, 0.5), *odd, *up;

  odd = ls_fx_call (fx, "not_equal", ls_fx_call (fx, "floor_mod", down, ls_fx_real (fx, 2.0), NULL), ls_fx_real (fx, 0.0), NULL);
  up = ls_fx_call (fx, "logical_and", ls_fx_call (fx, "equal", part, half, NULL), odd, NULL);
  up = ls_fx_call (fx, "logical_or", ls_fx_call (fx, "greater", part, half, NULL), up, NULL);
  return ls_fx_call (fx, "where", up, ls_fx_call (fx, "add", down, ls_fx_real (fx, 1.0), NULL), down, NULL);
}

LsFxValue *
ls_onnx_cut (LsOnnxImport *self,
             LsFxValue    *x,
             guint         axis,
             gint64        from,
             gint64        to)
{
  LsFxImport *fx = &self->fx;

  return ls_fx_call (fx, "strided_slice", x, ls_fx_ints (fx, (const gint64[]) { axis }, 1), ls_fx_ints (fx, &from, 1), ls_fx_ints (fx, &to, 1), NULL);
}
