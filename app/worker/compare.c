/* compare: did two calls give the same?  Floats within 1e-5 of the element or of the largest one, integers exactly. */
#include "app/worker/program.h"

#include "engine/runtime/place.h"

#include <math.h>

#define RTOL 1e-5

static double
largest (const LsDLTensor *tensor)
{
  gint64 n = ls_tensor_n_scalars (tensor);
  double best = 0;

  for (gint64 i = 0; i < n; i++)
    {
      double v = fabs (ls_tensor_get_double (tensor, i));

      best = isfinite (v) && v > best ? v : best;
    }
  return best;
}

static void
describe (LsDifference     *self,
          LsArgument       *argument,
          const LsMismatch *mismatch)
{
  const LsDLTensor *tensor = &argument->array->tensor;
  g_autofree char *text = ls_mismatch_describe (mismatch, tensor);

  self->name = argument->name;
  self->place = mismatch->first >= 0 ? ls_tensor_place (tensor, mismatch->first) : NULL;
  self->actual = mismatch->actual;
  self->expected = mismatch->expected;
  self->n_different = mismatch->n_mismatches;
  self->n_elements = ls_tensor_n_scalars (tensor);
  self->text = g_strdup_printf ("%s: %s", argument->name, text);
}

gboolean
ls_arguments_compare (LsArguments  *actual,
                      LsArguments  *expected,
                      LsDifference *difference)
{
  *difference = (LsDifference) { 0 };
  if (actual->n != expected->n)
    {
      difference->text = g_strdup_printf (ls_translate ("it takes another number of arguments: %u, the reference %u"), actual->n, expected->n);
      return FALSE;
    }
  for (guint i = 0; i < actual->n; i++)
    {
      LsArgument *mine = &actual->arguments[i], *other = &expected->arguments[i];
      LsMismatch mismatch = { 0 };
      gboolean is_float;
      double rtol;

      if (mine->array == NULL || other->array == NULL || (mine->role == LS_ROLE_IN && other->role == LS_ROLE_IN))
        continue;
      is_float = ls_dl_dtype_is_float (other->array->tensor.dtype);
      rtol = is_float ? RTOL : 0;
      if (!ls_tensor_allclose (&mine->array->tensor, &other->array->tensor, rtol, is_float ? rtol * largest (&other->array->tensor) : 0, &mismatch, NULL))
        {
          describe (difference, mine, &mismatch);
          return FALSE;
        }
      difference->max_abs = MAX (difference->max_abs, mismatch.max_abs);
    }
  return TRUE;
}

void
ls_difference_clear (LsDifference *self)
{
  g_clear_pointer (&self->place, g_free);
  g_clear_pointer (&self->text, g_free);
}
