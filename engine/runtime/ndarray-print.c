/* An array as text: nested brackets, one row a line.  Floats are printed with as few digits
 * as read back to the same value of their type.
 */
#include "engine/base/float8.h"
#include "engine/runtime/runtime.h"

#include <math.h>
#include <string.h>

static double
round_to_type (LsDLDataType dtype,
               double       value)
{
  if (dtype.code == LS_DL_BFLOAT)
    return (double) ls_bfloat_to_float (ls_bfloat_from_double (value));
  if (dtype.bits == 8)
    return dtype.code == LS_DL_E5M2 ? ls_e5m2_to_double (ls_e5m2_from_double (value)) : ls_e4m3_to_double (ls_e4m3_from_double (value));
  if (dtype.bits == 16)
    return (double) ls_half_to_float (ls_half_from_double (value));
  return dtype.bits == 32 ? (double) (float) value : value;
}

static void
print_float (GString      *out,
             LsDLDataType  dtype,
             double        value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    g_string_append (out, "nan");
  else if (isinf (value))
    g_string_append (out, value < 0 ? "-inf" : "inf");
  else
    {
      for (int digits = 1; digits <= 17; digits++)
        {
          g_autofree char *format = g_strdup_printf ("%%.%dg", digits);

          g_ascii_formatd (text, sizeof text, format, value);
          if (round_to_type (dtype, g_ascii_strtod (text, NULL)) == value)
            break;
        }
      if (strchr (text, 'e') != NULL && fabs (value) >= 1 && fabs (value) < 1e16)
        g_ascii_formatd (text, sizeof text, "%.0f", value);
      g_string_append (out, text);
      if (text[strspn (text, "-0123456789")] == '\0')
        g_string_append_c (out, '.');
    }
}

static void
print_scalar (GString          *out,
              const LsDLTensor *tensor,
              gint64            index)
{
  if (ls_dl_dtype_is_float (tensor->dtype))
    print_float (out, tensor->dtype, ls_tensor_get_double (tensor, index));
  else if (tensor->dtype.code == LS_DL_BOOL)
    g_string_append (out, ls_tensor_get_int (tensor, index) ? "True" : "False");
  else if (tensor->dtype.code == LS_DL_UINT)
    g_string_append_printf (out, "%" G_GUINT64_FORMAT, (guint64) ls_tensor_get_int (tensor, index));
  else
    g_string_append_printf (out, "%" G_GINT64_FORMAT, ls_tensor_get_int (tensor, index));
}

static void
print_element (GString          *out,
               const LsDLTensor *tensor,
               gint64            index)
{
  int lanes = tensor->dtype.lanes;

  if (lanes > 1)
    g_string_append_c (out, '<');
  for (int i = 0; i < lanes; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      print_scalar (out, tensor, index * lanes + i);
    }
  if (lanes > 1)
    g_string_append_c (out, '>');
}

static void
separate (GString *out,
          int      dim,
          int      ndim)
{
  if (dim == ndim - 1)
    g_string_append (out, ", ");
  else
    {
      g_string_append (out, ",\n");
      for (int i = 0; i <= dim; i++)
        g_string_append_c (out, ' ');
    }
}

/* Prints the sub-array that starts at element `first`; `step` elements belong to it. */
static void
print_dim (GString          *out,
           const LsDLTensor *tensor,
           int               dim,
           gint64            first,
           gint64            step,
           int               edge)
{
  gint64 extent;

  if (dim == tensor->ndim)
    {
      print_element (out, tensor, first);
      return;
    }
  extent = tensor->shape[dim];
  step = extent > 0 ? step / extent : 0;
  g_string_append_c (out, '[');
  for (gint64 i = 0; i < extent; i++)
    {
      if (i > 0)
        separate (out, dim, tensor->ndim);
      if (edge > 0 && i == edge && extent > 2 * (gint64) edge)
        {
          g_string_append (out, "...");
          i = extent - edge - 1;
        }
      else
        print_dim (out, tensor, dim + 1, first + i * step, step, edge);
    }
  g_string_append_c (out, ']');
}

char *
ls_tensor_print (const LsDLTensor *tensor,
                 int               edge)
{
  GString *out = g_string_new (NULL);

  print_dim (out, tensor, 0, 0, ls_tensor_n_elements (tensor), edge);
  return g_string_free (out, FALSE);
}
