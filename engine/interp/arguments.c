/* arguments: what a program is followed with: zeros in every buffer, and ones. */
#include "engine/interp/access-private.h"

#define MOST_ELEMENTS (1 << 28)

static void
argument_clear (gpointer data)
{
  LsInterpArg *self = data;

  g_free (self->data);
  g_free ((gpointer) self->shape);
}

static gboolean
zero_argument (LsInterpArg *arg,
               LsBuffer    *buffer,
               GError     **error)
{
  gint64 *shape = g_new0 (gint64, ls_array_n (buffer->shape) + 1);
  gint64 n = 1;

  *arg = (LsInterpArg) { buffer->dtype, TRUE, NULL, ls_array_n (buffer->shape), shape, NULL, 0, 0 };
  for (guint d = 0; d < arg->ndim; d++)
    if (!ls_as_int (buffer->shape->items[d], &shape[d]) || shape[d] < 0 || __builtin_mul_overflow (n, shape[d], &n) || n > MOST_ELEMENTS)
      {
        g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT, ls_translate ("%s has a size that is no number, or too large a one."), buffer->name);
        g_free (shape);
        return FALSE;
      }
  arg->data = g_malloc0 ((gsize) n * ls_dtype_bytes (buffer->dtype) + 1);
  return TRUE;
}

GArray *
ls_interp_zero_arguments (LsPrimFunc  *func,
                          GError     **error)
{
  g_autoptr (GArray) args = g_array_new (FALSE, TRUE, sizeof (LsInterpArg));

  g_array_set_clear_func (args, argument_clear);
  for (guint i = 0; i < ls_array_n (func->params); i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsInterpArg arg = { .dtype = ls_dtype (func->params->items[i]), .int_value = 1 };

      if (buffer != NULL && !zero_argument (&arg, buffer, error))
        return NULL;
      g_array_append_val (args, arg);
    }
  return g_steal_pointer (&args);
}
