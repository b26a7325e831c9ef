/* pt2/tensor: a tensor of a storage by its shape and strides, and the numbers that torch gives to types. */
#include "engine/frontend/frontend-private.h"
#include "engine/frontend/pt2/pt2-private.h"

#include <string.h>

const char *
ls_pt2_dtype_name (gint64 number)
{
  switch (number)
    {
    case 1: return "uint8";
    case 2: return "int8";
    case 3: return "int16";
    case 4: return "int32";
    case 5: return "int64";
    case 6: return "float16";
    case 7: return "float32";
    case 8: return "float64";
    case 12: return "bool";
    case 13: return "bfloat16";
    case 28: return "uint16";
    case 29: return "float8_e4m3fn";
    case 30: return "float8_e5m2";
    default: return NULL;
    }
}

LsTensor *
ls_pt2_tensor_new (const char  *where,
                   const char  *name,
                   gint64       number,
                   GArray      *shape,
                   GArray      *strides,
                   gint64       offset,
                   GBytes      *storage,
                   GError     **error)
{
  g_autofree guint8 *out = NULL;
  GPtrArray *extents;
  gint64 n = 1;
  gsize size, width;
  const guint8 *data = g_bytes_get_data (storage, &size);
  LsDType dtype;

  if (ls_pt2_dtype_name (number) == NULL || strides->len != shape->len || shape->len > 16 || offset < 0)
    n = -1;
  for (guint i = 0; n >= 0 && i < shape->len; i++)
    if (g_array_index (shape, gint64, i) < 0 || g_array_index (strides, gint64, i) < 0 || __builtin_mul_overflow (n, g_array_index (shape, gint64, i), &n) || n > (gint64) 1 << 31)
      n = -1;
  if (n < 0)
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: the type or the shape of the weight %s cannot be read"), where, name);
      return NULL;
    }
  ls_dtype_parse (ls_pt2_dtype_name (number), &dtype);
  width = (gsize) ls_dtype_bytes (dtype);
  if (n > 0 && size / width == 0)
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: the weight %s has %zu bytes, which is less than its shape needs"), where, name, size);
      return NULL;
    }
  out = g_try_malloc0 ((gsize) n * width + 1);
  if (out == NULL)
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: there is no memory for the weight %s"), where, name);
      return NULL;
    }
  for (gint64 i = 0; i < n; i++)
    {
      gint64 rest = i, at = offset;
      gboolean inside = TRUE;

      for (guint d = shape->len; d-- > 0;)
        {
          gint64 far;

          inside &= !__builtin_mul_overflow (rest % g_array_index (shape, gint64, d), g_array_index (strides, gint64, d), &far) && !__builtin_add_overflow (at, far, &at);
          rest /= g_array_index (shape, gint64, d);
        }
      if (!inside || at < 0 || (gsize) at >= size / width)
        {
          g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: the weight %s has %zu bytes, which is less than its shape needs"), where, name, size);
          return NULL;
        }
      memcpy (out + (gsize) i * width, data + (gsize) at * width, width);
    }
  extents = g_ptr_array_new ();
  for (guint i = 0; i < shape->len; i++)
    g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, g_array_index (shape, gint64, i)));
  return ls_tensor_new (dtype, ls_array_take_ptr_array (extents), g_bytes_new_take (g_steal_pointer (&out), (gsize) n * width));
}
