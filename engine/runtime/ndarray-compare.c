/* Whether two arrays agree, by numpy's rule for allclose with equal_nan:
 * |actual - expected| <= atol + rtol * |expected|.  Integers meet in 128 bits, so no
 * difference is lost to rounding.
 */
#include "engine/runtime/place.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 Wide;

static Wide
wide_at (const LsDLTensor *tensor,
         gint64            index)
{
  gint64 value = ls_tensor_get_int (tensor, index);

  if (tensor->dtype.code == LS_DL_UINT && tensor->dtype.bits == 64)
    return (Wide) (guint64) value;
  return (Wide) value;
}

static gboolean
close_floats (double      actual,
              double      expected,
              double      rtol,
              double      atol,
              LsMismatch *result)
{
  double distance;

  if (isnan (actual) || isnan (expected))
    return isnan (actual) && isnan (expected);
  if (isinf (actual) || isinf (expected))
    return actual == expected;
  distance = fabs (actual - expected);
  result->max_abs = MAX (result->max_abs, distance);
  if (expected != 0)
    result->max_rel = MAX (result->max_rel, distance / fabs (expected));
  return distance <= atol + rtol * fabs (expected);
}

static gboolean
close_ints (Wide        actual,
            Wide        expected,
            double      rtol,
            double      atol,
            LsMismatch *result)
{
  double distance = (double) (actual > expected ? actual - expected : expected - actual);
  double size = fabs ((double) expected);

  result->max_abs = MAX (result->max_abs, distance);
  if (expected != 0)
    result->max_rel = MAX (result->max_rel, distance / size);
  return actual == expected || distance <= atol + rtol * size;
}

static gboolean
shapes_agree (const LsDLTensor  *a,
              const LsDLTensor  *b,
              GError           **error)
{
  g_autofree char *have = NULL;
  g_autofree char *want = NULL;

  if (a->ndim == b->ndim && a->dtype.lanes == b->dtype.lanes
      && (a->ndim == 0
          || memcmp (a->shape, b->shape, sizeof (gint64) * (gsize) a->ndim) == 0))
    return TRUE;
  have = ls_tensor_describe (a);
  want = ls_tensor_describe (b);
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE,
               ls_translate ("the array is %s; it is compared with %s"), have, want);
  return FALSE;
}

gboolean
ls_tensor_allclose (const LsDLTensor  *actual,
                    const LsDLTensor  *expected,
                    double             rtol,
                    double             atol,
                    LsMismatch        *result,
                    GError           **error)
{
  gboolean floats = ls_dl_dtype_is_float (actual->dtype) || ls_dl_dtype_is_float (expected->dtype);
  LsMismatch local;
  gint64 n;

  if (result == NULL)
    result = &local;
  *result = (LsMismatch) { .first = -1 };
  if (!shapes_agree (actual, expected, error))
    return FALSE;
  n = ls_tensor_n_scalars (actual);
  for (gint64 i = 0; i < n; i++)
    {
      gboolean ok = floats
        ? close_floats (ls_tensor_get_double (actual, i), ls_tensor_get_double (expected, i),
                        rtol, atol, result)
        : close_ints (wide_at (actual, i), wide_at (expected, i), rtol, atol, result);

      if (!ok && result->n_mismatches++ == 0)
        {
          result->first = i;
          result->actual = ls_tensor_get_double (actual, i);
          result->expected = ls_tensor_get_double (expected, i);
        }
    }
  return result->n_mismatches == 0;
}

char *
ls_tensor_place (const LsDLTensor *tensor,
                 gint64            index)
{
  g_autoptr (GString) tail = g_string_new (")");

  if (tensor->dtype.lanes > 1)
    {
      g_autofree char *lane = g_strdup_printf (", lane %d", (int) (index % tensor->dtype.lanes));

      g_string_prepend (tail, lane);
      index /= tensor->dtype.lanes;
    }
  for (int i = tensor->ndim - 1; i >= 0; i--)
    {
      g_autofree char *digit = g_strdup_printf ("%s%" G_GINT64_FORMAT, i > 0 ? ", " : "",
                                                index % tensor->shape[i]);

      g_string_prepend (tail, digit);
      index /= tensor->shape[i];
    }
  return g_strdup_printf ("(%s", tail->str);
}

char *
ls_mismatch_describe (const LsMismatch *self,
                      const LsDLTensor *actual)
{
  char have[G_ASCII_DTOSTR_BUF_SIZE];
  char want[G_ASCII_DTOSTR_BUF_SIZE];
  gint64 n = ls_tensor_n_scalars (actual);
  g_autofree char *place = NULL;

  if (self->first < 0)
    return g_strdup_printf ("all %" G_GINT64_FORMAT " elements agree", n);
  place = ls_tensor_place (actual, self->first);
  g_ascii_formatd (have, sizeof have, "%.9g", self->actual);
  g_ascii_formatd (want, sizeof want, "%.9g", self->expected);
  return g_strdup_printf ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " elements differ; "
                          "the first is %s: %s, expected %s",
                          self->n_mismatches, n, place, have, want);
}
