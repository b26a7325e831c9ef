/* The method run: a function once on data. */
#include "app/worker/program.h"

static void
add_argument (GVariantBuilder *list,
              LsArgument      *argument,
              const char      *path,
              gint64           edge)
{
  LsDLTensor *tensor = &argument->array->tensor;
  g_autofree char *dtype = ls_dl_dtype_print (tensor->dtype);
  g_autofree char *text = ls_tensor_print (tensor, (int) edge);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "name", "s", argument->name);
  g_variant_dict_insert (&dict, "role", "s", ls_role_name (argument->role));
  g_variant_dict_insert (&dict, "dtype", "s", dtype);
  g_variant_dict_insert_value (&dict, "shape", g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, tensor->shape, (gsize) tensor->ndim, sizeof (gint64)));
  g_variant_dict_insert (&dict, "text", "s", text);
  if (path != NULL)
    g_variant_dict_insert (&dict, "path", "s", path);
  if (argument->values != NULL)
    g_variant_dict_insert (&dict, "values", "s", argument->values);
  g_variant_builder_add_value (list, g_variant_dict_end (&dict));
}

/* Writes what the function has written as NAME.npy; the list of all arrays. */
static GVariant *
collect_arrays (LsArguments *arguments,
                GVariant    *params,
                GError     **error)
{
  const char *folder = ls_params_string (params, "out", NULL);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < arguments->n; i++)
    {
      LsArgument *argument = &arguments->arguments[i];
      g_autofree char *path = NULL;

      if (argument->array == NULL)
        continue;
      if (folder != NULL && argument->role != LS_ROLE_IN)
        {
          g_autofree char *file = g_strconcat (argument->name, ".npy", NULL);

          path = g_build_filename (folder, file, NULL);
          if (!ls_npy_write (path, &argument->array->tensor, error))
            {
              g_variant_builder_clear (&list);
              return NULL;
            }
        }
      add_argument (&list, argument, path, ls_params_int (params, "edge", 3));
    }
  return g_variant_builder_end (&list);
}

/* With check-bounds: what is written runs first, on data of its own; the call after it is that of the lowered function. */
static gboolean
check_written (LsProgram    *program,
               LsArguments  *arguments,
               GError      **error)
{
  g_autoptr (LsArguments) own = program->written != NULL ? ls_arguments_copy (arguments, error) : NULL;

  if (program->written == NULL)
    return TRUE;
  return own != NULL && ls_kernel_call (program->written, program->name, own->args, (int) own->n, NULL, error);
}

/* module or kernel, inputs, set, seed, out (folder), edge -> arrays aa{sv}: name, role, dtype, shape, text, path, values (which numbers were made, where others are indexed with them); run-ns; result when the function
 * returns a number */
static GVariant *
method_run (LsRequest  *request,
            GVariant   *params,
            GError    **error)
{
  g_autoptr (LsProgram) program = ls_program_of_request (params, error);
  g_autoptr (LsArguments) arguments = program != NULL ? ls_arguments_prepare (program, request, params, error) : NULL;
  LsArg result = { LS_ARG_NONE, 0, { 0 } };
  GVariantDict dict;
  GVariant *arrays;
  gint64 start, end;

  if (arguments == NULL || !check_written (program, arguments, error))
    return NULL;
  start = ls_clock_ns ();
  if (!ls_kernel_call (program->kernel, program->name, arguments->args, (int) arguments->n, &result, error))
    {
      if (program->written != NULL)
        g_prefix_error (error, ls_translate ("After lowering: "));
      return NULL;
    }
  end = ls_clock_ns ();
  arrays = collect_arrays (arguments, params, error);
  if (arrays == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", program->name);
  g_variant_dict_insert_value (&dict, "arrays", arrays);
  g_variant_dict_insert (&dict, "run-ns", "x", end - start);
  if (result.kind == LS_ARG_INT)
    g_variant_dict_insert (&dict, "result", "x", result.v_int);
  else if (result.kind == LS_ARG_FLOAT)
    g_variant_dict_insert (&dict, "result", "d", result.v_float);
  ls_program_put_times (program, &dict);
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_run[] = {
  { "run", method_run, "Runs a function on files, shared memory or random numbers." },
  { NULL, NULL, NULL },
};
