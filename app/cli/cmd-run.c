/* run: a function of a module on .npy files or seeded random numbers.
 *
 *   --func F            the function (needed when there are several)
 *   --in FILE.npy       data of the next array parameter, in order; random where there is none
 *   --set NAME=VALUE    a number or a symbolic extent
 *   --out DIR           writes what the function writes as DIR/NAME.npy
 *   --seed N            of the random numbers
 *   --timeout SECONDS   the run is ended after it (60; 0: never)
 *   --steps FILE, --target T, --check-bounds, --full (arrays in full)
 */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/script/script.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *func, *steps, *target, *out;
  gint64      seed, timeout;
  GPtrArray  *inputs;           /* as given */
  GPtrArray  *set;
  gboolean    check_bounds, full, json;
} Request;

static void
print_array (GVariant *array)
{
  const char *name = ls_params_string (array, "name", "?");
  const char *role = ls_params_string (array, "role", "?");
  const char *path = ls_params_string (array, "path", NULL);
  g_autoptr (GVariant) shape = ls_params_value (array, "shape");
  g_autofree char *dims = shape != NULL ? g_variant_print (shape, FALSE) : g_strdup ("?");

  printf ("%s: %s %s %s\n", name, ls_params_string (array, "dtype", "?"), dims, role);
  if (ls_params_string (array, "values", NULL) != NULL)
    printf ("  made of %s\n", ls_params_string (array, "values", ""));
  if (path != NULL)
    printf ("  written to %s\n", path);
  if (strcmp (role, "in") != 0)
    printf ("%s\n", ls_params_string (array, "text", ""));
}

static void
print_answer (GVariant *answer)
{
  g_autoptr (GVariant) arrays = ls_params_value (answer, "arrays");
  g_autofree char *duration = ls_cli_duration (ls_cli_number (answer, "run-ns"));
  g_autofree char *build = ls_cli_duration (ls_cli_number (answer, "build-ns"));

  for (gsize i = 0; i < g_variant_n_children (arrays); i++)
    {
      g_autoptr (GVariant) array = g_variant_get_child_value (arrays, i);

      print_array (array);
    }
  printf ("%s: one run took %s, building it %s\n", ls_params_string (answer, "function", ""), duration, build);
}

static int
run (Request    *request,
     const char *command)
{
  g_autoptr (LsModule) module = ls_cli_read_scheduled (command, request->file, request->steps);
  g_autofree char *text = module != NULL ? ls_cli_module_text (module) : NULL;
  g_autofree char *folder = request->out != NULL ? g_canonicalize_filename (request->out, NULL) : NULL;
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);
  const char *writable[] = { folder, NULL };
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  if (module == NULL)
    return LS_CLI_FAILED;
  if (folder != NULL && g_mkdir_with_parents (folder, 0777) != 0)
    return ls_cli_fail (command, "the folder %s cannot be made", folder);
  for (guint i = 0; i < request->inputs->len; i++)
    g_ptr_array_add (inputs, g_canonicalize_filename (request->inputs->pdata[i], NULL));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  if (request->target != NULL)
    g_variant_dict_insert (&params, "target", "s", request->target);
  if (folder != NULL)
    g_variant_dict_insert (&params, "out", "s", folder);
  g_variant_dict_insert (&params, "seed", "x", request->seed);
  g_variant_dict_insert (&params, "edge", "x", request->full ? (gint64) 0 : (gint64) 3);
  g_variant_dict_insert (&params, "check-bounds", "b", request->check_bounds);
  g_variant_dict_insert_value (&params, "inputs", g_variant_new_strv ((const char *const *) inputs->pdata, (gssize) inputs->len));
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) request->set->pdata, (gssize) request->set->len));
  g_ptr_array_add (inputs, NULL);
  answer = ls_cli_ask (command, "run", &params, (double) request->timeout, (const char *const *) inputs->pdata, writable);
  if (answer == NULL)
    return LS_CLI_FAILED;
  if (request->json)
    ls_cli_print_json (answer);
  else
    print_answer (answer);
  return LS_CLI_DONE;
}

int
ls_cli_run (int    argc,
            char **argv)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  Request request = { .timeout = 60, .inputs = inputs, .set = set };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--check-bounds", LS_CLI_FLAG, &request.check_bounds },
    { "--full", LS_CLI_FLAG, &request.full },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--out", LS_CLI_TEXT, &request.out },
    { "--seed", LS_CLI_NUMBER, &request.seed },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--set", LS_CLI_LIST, set },
    { "--in", LS_CLI_LIST, inputs },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  return request.file != NULL ? run (&request, argv[0]) : ls_cli_usage (argv[0], "a file is expected");
}
