/* inputs: what a function runs on under the debugger. */
#include "engine/base/float8.h"
#include "engine/debug/debug-private.h"

#include "engine/runtime/runtime.h"

#include <string.h>

#define MOST_ELEMENTS (1 << 28)

G_DEFINE_QUARK (ls-debug-error-quark, ls_debug_error)

typedef struct {
  LsPrimFunc          *func;
  const LsDebugInputs *inputs;
  GHashTable          *extents; /* LsVar -> gint64 * */
  GHashTable          *written; /* data variables */
  GHashTable          *values;  /* of the parameters: ls_index_values() */
  guint                n_files;
} Maker;

static gboolean
refuse (GError    **error,
        const char *format,
        ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError    **error,
        const char *format,
        ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, format, args);
  va_end (args);
  return FALSE;
}

static void
argument_clear (gpointer data)
{
  LsInterpArg *self = data;

  g_free (self->data);
  g_free ((gpointer) self->shape);
}

/* The text after "NAME=", or NULL. */
static const char *
setting (Maker      *self,
         const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; self->inputs != NULL && self->inputs->set != NULL && self->inputs->set[i] != NULL; i++)
    if (strncmp (self->inputs->set[i], name, length) == 0 && self->inputs->set[i][length] == '=')
      return self->inputs->set[i] + length + 1;
  return NULL;
}

static LsWalk
note_written (LsNode  *node,
              gpointer user_data)
{
  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, BUFFER_STORE))
    g_hash_table_add (user_data, ((LsBufferStore *) node)->buffer->data);
  return LS_WALK_CONTINUE;
}

static LsWalk
learn_var (LsNode  *node,
           gpointer user_data)
{
  Maker *self = user_data;
  const char *text = ls_is_var (node) ? setting (self, ((LsVar *) node)->name) : NULL;
  gint64 value;

  if (text == NULL || g_hash_table_contains (self->extents, node))
    return LS_WALK_CONTINUE;
  value = g_ascii_strtoll (text, NULL, 0);
  g_hash_table_insert (self->extents, node, g_memdup2 (&value, sizeof value));
  return LS_WALK_CONTINUE;
}

static gboolean
extent_of (Maker   *self,
           LsExpr  *expr,
           gint64  *value,
           GError **error)
{
  g_autofree char *words = NULL;

  if (ls_as_int (expr, value))
    return TRUE;
  ls_walk (expr, learn_var, NULL, self);
  if (ls_interp_eval (expr, self->extents, value, NULL, NULL))
    return TRUE;
  words = ls_script_print_expr (expr);
  return refuse (error, ls_translate ("The extent %s is not given; say it as NAME=VALUE."), words);
}

static gboolean
number_argument (Maker       *self,
                 LsVar       *var,
                 LsInterpArg *arg,
                 GError     **error)
{
  const char *text = setting (self, var->name);
  char *end = NULL;

  arg->dtype = ls_dtype (var);
  if (text == NULL)
    return refuse (error, ls_translate ("The number %s is not given; say it as %s=VALUE."), var->name, var->name);
  if (ls_dtype_is_float (arg->dtype))
    arg->float_value = g_ascii_strtod (text, &end);
  else
    arg->int_value = g_ascii_strtoll (text, &end, 0);
  if (end == text || *end != '\0')
    return refuse (error, ls_translate ("%s is no number for %s."), text, var->name);
  if (!ls_dtype_is_float (arg->dtype))
    g_hash_table_insert (self->extents, var, g_memdup2 (&arg->int_value, sizeof (gint64)));
  return TRUE;
}

LsDLDataType
ls_debug_dl_dtype (LsDType t)
{
  if (ls_dtype_is_bool (t))
    return LS_DT_BOOL;
  return (LsDLDataType) { t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code == LS_TYPE_E4M3 ? LS_DL_E4M3 : t.code == LS_TYPE_E5M2 ? LS_DL_E5M2 : t.code, t.bits, t.lanes };
}

LsDType
ls_debug_dtype_of_dl (LsDLDataType type)
{
  LsDType dtype = { type.code == LS_DL_BFLOAT ? LS_TYPE_BFLOAT : type.code == LS_DL_E4M3 ? LS_TYPE_E4M3 : type.code == LS_DL_E5M2 ? LS_TYPE_E5M2 : type.code,
                    type.bits, type.lanes };

  if (memcmp (&type, &LS_DT_BOOL, sizeof type) == 0)
    ls_dtype_parse ("bool", &dtype);
  return dtype;
}

static gboolean
read_file (Maker       *self,
           const char  *path,
           LsBuffer    *buffer,
           LsInterpArg *arg,
           GError     **error)
{
  g_autoptr (LsNDArray) array = ls_npy_read (path, error);
  LsDLDataType wanted = ls_debug_dl_dtype (buffer->dtype);
  gint64 *shape;

  if (array == NULL)
    return FALSE;
  if (array->tensor.ndim != (int) buffer->shape->n || memcmp (&array->tensor.dtype, &wanted, sizeof wanted) != 0)
    return refuse (error, ls_translate ("%s has %d dimensions of another type than %s, which has %u of %s."), path, array->tensor.ndim, buffer->name,
                   buffer->shape->n, ls_dtype_name (buffer->dtype));
  shape = g_new0 (gint64, buffer->shape->n + 1);
  arg->shape = shape;
  for (guint i = 0; i < buffer->shape->n; i++)
    {
      LsVar *var = ls_array_at (buffer->shape, i, LsVar);
      gint64 wanted_extent;

      shape[i] = array->tensor.shape[i];
      if (ls_is_var (var) && !g_hash_table_contains (self->extents, var))
        g_hash_table_insert (self->extents, var, g_memdup2 (&shape[i], sizeof (gint64)));
      if (!extent_of (self, ls_array_at (buffer->shape, i, LsExpr), &wanted_extent, error))
        return FALSE;
      if (wanted_extent != shape[i])
        {
          g_autofree char *has = g_strdup_printf ("%" G_GINT64_FORMAT, shape[i]);
          g_autofree char *takes = g_strdup_printf ("%" G_GINT64_FORMAT, wanted_extent);

          return refuse (error, ls_translate ("Dimension %u of %s has %s elements; %s takes %s."), i, path, has, buffer->name, takes);
        }
    }
  arg->data = g_memdup2 (array->tensor.data, array->n_bytes);
  return TRUE;
}

static gboolean
array_argument (Maker       *self,
                guint        number,
                LsBuffer    *buffer,
                LsInterpArg *arg,
                GError     **error)
{
  gboolean is_written = g_hash_table_contains (self->written, buffer->data);
  const char *file = NULL;
  gint64 *shape;
  gint64 n = 1;

  *arg = (LsInterpArg) { buffer->dtype, TRUE, NULL, buffer->shape->n, NULL, NULL, 0, 0 };
  if (!is_written && self->inputs != NULL && self->inputs->files != NULL && self->inputs->files[self->n_files] != NULL)
    file = self->inputs->files[self->n_files++];
  if (file != NULL)
    return read_file (self, file, buffer, arg, error);
  shape = g_new0 (gint64, buffer->shape->n + 1);
  arg->shape = shape;
  for (guint i = 0; i < buffer->shape->n; i++)
    {
      if (!extent_of (self, ls_array_at (buffer->shape, i, LsExpr), &shape[i], error))
        return FALSE;
      if (shape[i] < 0 || __builtin_mul_overflow (n, shape[i], &n) || n > MOST_ELEMENTS)
        return refuse (error, ls_translate ("%s is too large for the debugger; a toy size is not."), buffer->name);
    }
  arg->data = g_malloc0 ((gsize) n * ls_dtype_bytes (buffer->dtype) + 1);
  if (!is_written)
    {
      LsDLTensor tensor = { arg->data, { LS_DL_CPU, 0 }, (gint32) buffer->shape->n, ls_debug_dl_dtype (buffer->dtype), shape, NULL, 0 };

      ls_debug_fill (&tensor, g_hash_table_lookup (self->values, buffer->data), (self->inputs != NULL ? self->inputs->seed : 0) + number);
    }
  return TRUE;
}

void
ls_debug_fill (const LsDLTensor    *tensor,
               const LsIndexValues *values,
               guint64              seed)
{
  if (values == NULL)
    ls_tensor_fill_random (tensor, seed);
  else if (values->rises && !ls_dl_dtype_is_float (tensor->dtype))
    ls_tensor_fill_rising (tensor, seed, values->low, values->high);
  else
    ls_tensor_fill_range (tensor, seed, (double) values->low, (double) values->high);
}

GArray *
ls_debug_arguments_empty (void)
{
  GArray *args = g_array_new (FALSE, TRUE, sizeof (LsInterpArg));

  g_array_set_clear_func (args, argument_clear);
  return args;
}

GHashTable *
ls_debug_written (LsPrimFunc *func)
{
  GHashTable *written = g_hash_table_new (NULL, NULL);

  ls_walk (func->body, note_written, NULL, written);
  return written;
}

GArray *
ls_debug_arguments (LsPrimFunc          *func,
                    const LsDebugInputs *inputs,
                    GError             **error)
{
  g_autoptr (GHashTable) extents = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) written = ls_debug_written (func);
  g_autoptr (GPtrArray) sizes = g_ptr_array_new ();
  g_autoptr (GHashTable) values = NULL;
  g_autoptr (GArray) args = ls_debug_arguments_empty ();
  Maker self = { func, inputs, extents, written, NULL, 0 };

  for (guint i = 0; inputs != NULL && inputs->set != NULL && inputs->set[i] != NULL; i++)
    g_ptr_array_add (sizes, (gpointer) inputs->set[i]);
  self.values = values = ls_index_values (func, sizes);

  g_array_set_size (args, func->params->n);
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) == NULL
        && !number_argument (&self, ls_array_at (func->params, i, LsVar), &g_array_index (args, LsInterpArg, i), error))
      return NULL;
  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL
        && !array_argument (&self, i, ls_prim_func_get_buffer (func, i), &g_array_index (args, LsInterpArg, i), error))
      return NULL;
  if (inputs != NULL && inputs->files != NULL && inputs->files[self.n_files] != NULL)
    {
      refuse (error, ls_translate ("%s is one file more than the function reads arrays."), inputs->files[self.n_files]);
      return NULL;
    }
  return g_steal_pointer (&args);
}
