/* lines: see the header.  A stable merge sort of indices. */
#include "engine/runtime/lines.h"

#include <math.h>

gboolean
ls_lines_init (LsLines    *self,
               LsDLTensor *tensor,
               gint64      axis)
{
  axis += axis < 0 ? tensor->ndim : 0;
  if (axis < 0 || axis >= tensor->ndim)
    return FALSE;
  *self = (LsLines) { tensor, 1, tensor->shape[axis], 1 };
  for (int i = 0; i < tensor->ndim; i++)
    if (i < axis)
      self->outer *= tensor->shape[i];
    else if (i > axis)
      self->inner *= tensor->shape[i];
  return TRUE;
}

gint64
ls_lines_place (const LsLines *self,
                gint64         outer,
                gint64         i,
                gint64         inner)
{
  return (outer * self->length + i) * self->inner + inner;
}

typedef struct {
  LsDLTensor *tensor;
  gint64      base, stride;
  gboolean    descending, integers;
} Order;

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      user_data)
{
  const Order *order = user_data;
  gint64 i = order->base + *(const gint64 *) a * order->stride, j = order->base + *(const gint64 *) b * order->stride;
  int result;

  if (order->integers)
    {
      gint64 x = ls_tensor_get_int (order->tensor, i), y = ls_tensor_get_int (order->tensor, j);

      result = (x > y) - (x < y);
    }
  else
    {
      double x = ls_tensor_get_double (order->tensor, i), y = ls_tensor_get_double (order->tensor, j);

      result = isnan (x) || isnan (y) ? (isnan (x) != 0) - (isnan (y) != 0) : (x > y) - (x < y);
    }
  return order->descending ? -result : result;
}

/* The order of one line. (transfer full) */
static gint64 *
sort_line (const LsLines *lines,
           gint64         outer,
           gint64         inner,
           gboolean       descending)
{
  Order order = { lines->tensor, ls_lines_place (lines, outer, 0, inner), lines->inner, descending, !ls_dl_dtype_is_float (lines->tensor->dtype) };
  gint64 *indices = g_new (gint64, lines->length + 1);

  for (gint64 i = 0; i < lines->length; i++)
    indices[i] = i;
  g_qsort_with_data (indices, (int) lines->length, sizeof *indices, compare, &order);
  return indices;
}

static void
copy_scalar (LsDLTensor *from,
             gint64      i,
             LsDLTensor *to,
             gint64      j)
{
  if (ls_dl_dtype_is_float (from->dtype))
    ls_tensor_set_double (to, j, ls_tensor_get_double (from, i));
  else
    ls_tensor_set_int (to, j, ls_tensor_get_int (from, i));
}

void
ls_lines_sort (const LsLines *lines,
               gboolean       descending,
               gint64         keep,
               LsDLTensor    *values,
               LsDLTensor    *indices)
{
  for (gint64 o = 0; o < lines->outer; o++)
    for (gint64 k = 0; k < lines->inner; k++)
      {
        g_autofree gint64 *order = sort_line (lines, o, k, descending);

        for (gint64 i = 0; i < keep; i++)
          {
            gint64 to = (o * keep + i) * lines->inner + k;

            if (values != NULL)
              copy_scalar (lines->tensor, ls_lines_place (lines, o, order[i], k), values, to);
            if (indices != NULL)
              ls_tensor_set_int (indices, to, order[i]);
          }
      }
}
