/* run: a function in the interpreter, its arrays as bytes. */
#include "app/library/program-private.h"

#include "engine/interp/interp.h"
#include "engine/script/script.h"

#include <string.h>

#define MAX_DIMS 16

/* One parameter: what it is called, and what its bytes are. */
typedef struct {
  const char *name;
  LsDType     dtype;
  gboolean    is_array;
  guint       ndim;
  gint64      shape[MAX_DIMS];
  gsize       size;             /* bytes */
} Parameter;

static LsModule *
module_of (LoopscopeProgram *self)
{
  return ls_schedule_get_module (ls_library_peek_schedule (self));
}

/* Borrowed; NULL with an error. */
static LsPrimFunc *
find_function (LoopscopeProgram *self,
               const char       *name,
               GError          **error)
{
  LsModule *module = module_of (self);
  LsNode *found = name != NULL ? ls_module_get (module, name) : module->functions->n == 1 ? ls_array_at (module->functions, 0, LsNode) : NULL;

  if (found != NULL && ls_is (found, PRIM_FUNC))
    return (LsPrimFunc *) found;
  if (found != NULL)
    g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME, ls_translate ("%s is no function of TensorIR"), name != NULL ? name : ls_translate ("the function"));
  else if (name == NULL)
    g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME, ls_translate ("there are %u functions: which one?"), module->functions->n);
  else
    g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_NAME, ls_translate ("there is no function %s"), name);
  return NULL;
}

static gboolean
read_parameter (LsPrimFunc *func,
                guint       i,
                Parameter  *out,
                GError    **error)
{
  LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
  LsVar *var = ls_array_at (func->params, i, LsVar);
  gsize size;

  *out = (Parameter) { .name = buffer != NULL ? buffer->name : var->name, .is_array = buffer != NULL };
  out->dtype = buffer != NULL ? buffer->dtype : ((LsExpr *) var)->dtype;
  out->ndim = buffer != NULL ? buffer->shape->n : 0;
  if (out->ndim > MAX_DIMS || (buffer != NULL && buffer->strides->n > 0))
    {
      g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_ARGUMENT, ls_translate ("%s has strides or more than %d dimensions, which cannot be given"), out->name, MAX_DIMS);
      return FALSE;
    }
  size = ls_dtype_bytes (out->dtype);
  for (guint d = 0; d < out->ndim; d++)
    if (!ls_as_int (ls_array_at (buffer->shape, d, LsExpr), &out->shape[d]) || out->shape[d] < 0
        || !g_size_checked_mul (&size, size, (gsize) out->shape[d]))
      {
        g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_ARGUMENT, ls_translate ("dimension %u of %s is no number that can be given"), d, out->name);
        return FALSE;
      }
  out->size = size;
  return TRUE;
}

char **
loopscope_program_list_parameters (LoopscopeProgram *self,
                                   const char       *function,
                                   GError          **error)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  LsPrimFunc *func;

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self), NULL);
  func = find_function (self, function, error);
  if (func == NULL)
    return NULL;
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsVar *var = ls_array_at (func->params, i, LsVar);
      g_autoptr (GString) line = g_string_new (NULL);

      g_string_append_printf (line, "%s: %s", buffer != NULL ? buffer->name : var->name,
                              ls_dtype_name (buffer != NULL ? buffer->dtype : ((LsExpr *) var)->dtype));
      for (guint d = 0; buffer != NULL && d < buffer->shape->n; d++)
        {
          g_autofree char *extent = ls_script_print_expr (ls_array_at (buffer->shape, d, LsExpr));

          g_string_append_printf (line, "%s%s", d == 0 ? "[" : ", ", extent);
        }
      if (buffer != NULL)
        g_string_append (line, buffer->shape->n == 0 ? "[]" : "]");
      g_strv_builder_add (lines, line->str);
    }
  return g_strv_builder_end (lines);
}

/* Bytes of the machine as the argument; `data` is written to by the run. */
static LsInterpArg
make_argument (const Parameter *parameter,
               void            *data)
{
  LsInterpArg argument = { .dtype = parameter->dtype, .is_array = parameter->is_array, .data = data, .ndim = parameter->ndim, .shape = parameter->shape };

  if (parameter->is_array)
    return argument;
  argument.data = NULL;
  argument.float_value = ls_interp_load (parameter->dtype, data);
  argument.int_value = ls_dtype_is_float (parameter->dtype) ? 0 : (gint64) argument.float_value;
  if (!ls_dtype_is_float (parameter->dtype) && parameter->size == sizeof (gint64))
    memcpy (&argument.int_value, data, sizeof (gint64));
  return argument;
}

GPtrArray *
loopscope_program_run (LoopscopeProgram *self,
                       const char       *function,
                       GPtrArray        *arguments,
                       GCancellable     *cancellable,
                       GError          **error)
{
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GArray) parameters = g_array_new (FALSE, TRUE, sizeof (Parameter));
  g_autoptr (GArray) given = g_array_new (FALSE, TRUE, sizeof (LsInterpArg));
  g_autoptr (GError) trouble = NULL;
  LsBudget budget;
  LsInterpOptions options = { .budget = &budget };
  LsPrimFunc *func;

  g_return_val_if_fail (LOOPSCOPE_IS_PROGRAM (self) && arguments != NULL, NULL);
  func = find_function (self, function, error);
  if (func == NULL)
    return NULL;
  if (arguments->len != func->params->n)
    {
      g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_ARGUMENT, ls_translate ("%u arguments are expected, not %u"), func->params->n, arguments->len);
      return NULL;
    }
  g_array_set_size (parameters, arguments->len);
  for (guint i = 0; i < arguments->len; i++)
    {
      Parameter *parameter = &g_array_index (parameters, Parameter, i);
      gsize size;
      gconstpointer data = g_bytes_get_data (arguments->pdata[i], &size);
      LsInterpArg argument;
      void *copy;

      if (!read_parameter (func, i, parameter, error))
        return NULL;
      if (size != parameter->size)
        {
          g_set_error (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_ARGUMENT, ls_translate ("%s has %zu bytes, not %zu"),
                       parameter->name, parameter->size, size);
          return NULL;
        }
      copy = g_memdup2 (size > 0 ? data : "", MAX (size, 1));
      argument = make_argument (parameter, copy);
      g_array_append_val (given, argument);
      g_ptr_array_add (results, g_bytes_new_take (copy, size));
    }
  ls_budget_init (&budget, -1, cancellable);
  options.module = module_of (self);
  if (ls_interp_run (func, (LsInterpArg *) (void *) given->data, given->len, &options, &trouble))
    return g_steal_pointer (&results);
  g_set_error_literal (error, LOOPSCOPE_ERROR, LOOPSCOPE_ERROR_RUN, trouble->message);
  return NULL;
}
