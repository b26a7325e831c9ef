/* relax-constant: R.const: a number, lists of numbers, or an array of Python's, in a type.
 *
 * Without a type a real number is float32, a whole one int32, a truth value bool; an array keeps its own.
 */
#include "engine/script/script-private.h"

#include <math.h>

static LsValue *
kept (LsParse  *p,
      LsTensor *tensor,
      LsSpan    call)
{
  return ls_value_node (p, ls_parse_keep (p, ls_constant_new (tensor), call));
}

/* The bytes of one number in a type, little-endian. */
static GBytes *
number_bytes (LsDType dtype,
              double  f,
              gint64  i)
{
  guint8 raw[8] = { 0 };
  float single = (float) f;
  guint16 half;

  if (dtype.code == LS_TYPE_FLOAT && dtype.bits == 64)
    memcpy (raw, &f, 8);
  else if (dtype.code == LS_TYPE_FLOAT && dtype.bits == 32)
    memcpy (raw, &single, 4);
  else if (dtype.code == LS_TYPE_FLOAT && dtype.bits == 16)
    {
      half = ls_half_from_double (f);
      memcpy (raw, &half, 2);
    }
  else if (ls_dtype_is_bool (dtype))
    raw[0] = f != 0;
  else
    memcpy (raw, &i, 8);
  return g_bytes_new (raw, ls_dtype_bytes (dtype));
}

static GBytes *
value_bytes (LsDType        dtype,
             const LsValue *v)
{
  gboolean real = v->kind == LS_VALUE_FLOAT, fits = real && isfinite (v->f) && fabs (v->f) < 9e18;

  return number_bytes (dtype, real ? v->f : (double) v->i, real ? (fits ? (gint64) v->f : 0) : v->i);
}

/* The type that is given, if one is: of single numbers, with at most 64 bits. */
static gboolean
take_type (LsParse *p,
           LsValue *type,
           LsSpan   at,
           LsDType *dtype)
{
  if (type != NULL && !ls_value_to_dtype (p, type, at, dtype))
    return FALSE;
  if (dtype->lanes == 1 && dtype->bits != 0 && dtype->code <= LS_TYPE_FLOAT)
    return TRUE;
  ls_parse_error (p, at, "script/dtype", "A constant of type %s cannot be written as numbers.", ls_dtype_name (*dtype));
  return FALSE;
}

/* ---- lists ------------------------------------------------------------------------------- */

typedef struct {
  GArray  *extents;             /* of gint64 */
  GPtrArray *numbers;           /* of LsValue, row after row */
  gboolean even;
} Rows;

static void
add_rows (Rows    *self,
          LsValue *v,
          guint    depth)
{
  gint64 n = v->n;

  if (!ls_value_is_sequence (v))
    {
      self->even &= depth == self->extents->len && ls_value_is_number (v);
      g_ptr_array_add (self->numbers, v);
      return;
    }
  if (depth == self->extents->len && self->numbers->len == 0)
    g_array_append_val (self->extents, n);
  self->even &= depth < self->extents->len && g_array_index (self->extents, gint64, depth) == n;
  for (guint i = 0; self->even && i < v->n; i++)
    add_rows (self, v->items[i], depth + 1);
}

/* Lists of lists of numbers as a tensor. */
static LsValue *
constant_of_list (LsParse *p,
                  LsValue *v,
                  LsSpan   at,
                  LsValue *type,
                  LsSpan   type_at,
                  LsSpan   call)
{
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GPtrArray) numbers = g_ptr_array_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Rows rows = { extents, numbers, TRUE };
  gboolean real = FALSE, truth = TRUE;
  LsDType dtype;
  GPtrArray *shape;

  add_rows (&rows, v, 0);
  if (!rows.even)
    {
      ls_parse_error (p, at, "script/type", "R.const holds a number or lists of numbers that are equally long.");
      return NULL;
    }
  for (guint i = 0; i < numbers->len; i++)
    {
      real |= ((LsValue *) numbers->pdata[i])->kind == LS_VALUE_FLOAT;
      truth &= ((LsValue *) numbers->pdata[i])->kind == LS_VALUE_BOOL;
    }
  dtype = real || numbers->len == 0 ? LS_FLOAT32 : truth ? LS_BOOL : LS_INT32;
  if (!take_type (p, type, type_at, &dtype))
    return NULL;
  for (guint i = 0; i < numbers->len; i++)
    {
      g_autoptr (GBytes) one = value_bytes (dtype, numbers->pdata[i]);

      g_byte_array_append (bytes, g_bytes_get_data (one, NULL), (guint) g_bytes_get_size (one));
    }
  shape = g_ptr_array_new ();
  for (guint i = 0; i < extents->len; i++)
    g_ptr_array_add (shape, ls_int_imm_new (LS_INT64, g_array_index (extents, gint64, i)));
  return kept (p, ls_tensor_new (dtype, ls_array_take_ptr_array (shape), g_byte_array_free_to_bytes (g_steal_pointer (&bytes))), call);
}

/* ---- arrays ------------------------------------------------------------------------------ */

static double
real_at (LsDType       dtype,
         const guint8 *raw)
{
  float single;
  double full;
  guint16 half;

  if (dtype.bits == 64)
    return memcpy (&full, raw, 8), full;
  if (dtype.bits == 32)
    return memcpy (&single, raw, 4), (double) single;
  return memcpy (&half, raw, 2), (double) ls_half_to_float (half);
}

static gint64
whole_at (LsDType       dtype,
          const guint8 *raw,
          guint         size)
{
  guint64 bits = 0;

  memcpy (&bits, raw, size);
  if (dtype.code == LS_TYPE_INT && size < 8 && (bits >> (8 * size - 1)) != 0)
    bits |= G_MAXUINT64 << (8 * size);
  return (gint64) bits;
}

/* The same numbers in another type. (transfer full) */
static LsTensor *
in_type (LsTensor *tensor,
         LsDType   dtype)
{
  LsDType from = tensor->dtype;
  guint size = ls_dtype_bytes (from);
  gsize length;
  const guint8 *raw = g_bytes_get_data (tensor->data, &length);
  gsize each = ls_dtype_bytes (dtype), put = 0;
  guint8 *bytes = g_malloc (size > 0 ? MAX (length / size * each, 1) : 1);     /* a GByteArray counts in 32 bits */

  for (gsize at = 0; size > 0 && at + size <= length; at += size, put += each)
    {
      LsValue v = { .kind = from.code == LS_TYPE_FLOAT ? LS_VALUE_FLOAT : LS_VALUE_INT };
      g_autoptr (GBytes) one = NULL;

      if (v.kind == LS_VALUE_FLOAT)
        v.f = real_at (from, raw + at);
      else
        v.i = whole_at (from, raw + at, size);
      one = value_bytes (dtype, &v);
      memcpy (bytes + put, g_bytes_get_data (one, NULL), each);
    }
  return ls_tensor_new (dtype, ls_ref (tensor->shape), g_bytes_new_take (bytes, put));
}

static LsValue *
constant_of_array (LsParse  *p,
                   LsTensor *tensor,
                   LsValue  *type,
                   LsSpan    type_at,
                   LsSpan    call)
{
  LsDType dtype = tensor->dtype;

  if (type == NULL)
    return kept (p, ls_ref (tensor), call);
  if (!ls_value_to_dtype (p, type, type_at, &dtype))
    return NULL;
  if (ls_dtype_equal (dtype, tensor->dtype))
    return kept (p, ls_ref (tensor), call);
  if (tensor->dtype.lanes != 1 || tensor->dtype.bits % 8 > 1 || tensor->dtype.code > LS_TYPE_FLOAT)
    {
      ls_parse_error (p, type_at, "script/dtype", "Numbers of type %s are not converted.", ls_dtype_name (tensor->dtype));
      return NULL;
    }
  return take_type (p, type, type_at, &dtype) ? kept (p, in_type (tensor, dtype), call) : NULL;
}

/* ---- R.const ----------------------------------------------------------------------------- */

LsValue *
ls_relax_constant (LsParse *p,
                   LsValue *v,
                   LsSpan   at,
                   LsValue *type,
                   LsSpan   type_at,
                   LsSpan   call)
{
  LsDType dtype;

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, TENSOR))
    return constant_of_array (p, (LsTensor *) v->node, type, type_at, call);
  if (ls_value_is_sequence (v))
    return constant_of_list (p, v, at, type, type_at, call);
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, INT_IMM))
    v = ls_value_int (p, ((LsIntImm *) v->node)->value);
  else if (v->kind == LS_VALUE_NODE && ls_is (v->node, FLOAT_IMM))
    v = ls_value_float (p, ((LsFloatImm *) v->node)->value);
  else if (v->kind == LS_VALUE_STRING && (strstr (v->s, "inf") != NULL || strstr (v->s, "nan") != NULL))
    v = ls_value_float (p, g_ascii_strtod (v->s, NULL));
  if (!ls_value_is_number (v))
    {
      ls_parse_error (p, at, "script/type", "R.const holds a number; this is %s.", ls_value_describe (p, v));
      return NULL;
    }
  dtype = v->kind == LS_VALUE_FLOAT ? LS_FLOAT32 : v->kind == LS_VALUE_BOOL ? LS_BOOL : LS_INT32;
  return take_type (p, type, type_at, &dtype) ? kept (p, ls_tensor_new (dtype, ls_array_empty (), value_bytes (dtype, v)), call) : NULL;
}
