/* lower: the lowering passes of a module, one by one.
 *
 *   --list         their names and what they do, in order; then the passes that are run only by name
 *   --pass NAME    the module after the first pass of this name; one that lowering does not run, or that is given options,
 *                  NAME(option=value), is run on the module alone
 *   --all          the module after each pass that changed something
 *   (none)         the module as the code generator takes it
 */
#include "app/cli/input.h"
#include "app/cli/passes.h"
#include "engine/base/json.h"
#include "engine/script/script.h"
#include "engine/tir/settle.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file;
  const char *steps;
  const char *pass;             /* as given */
  LsCliPass   chosen;
  LsMap      *options;          /* NULL: none were given */
  gboolean    list;
  gboolean    all;
  gboolean    json;
} Request;

/* One pass as it ran on the module. */
typedef struct {
  const LsPass *pass;
  LsModule     *after;
  gboolean      changed;
} Stage;

static void
stage_clear (gpointer data)
{
  ls_unref (((Stage *) data)->after);
}

static gboolean
is_in_pipeline (const LsPass *pass)
{
  guint n;
  const LsPass *const *passes = ls_pass_list (&n);

  for (guint i = 0; i < n; i++)
    if (passes[i] == pass)
      return TRUE;
  return FALSE;
}

/* place: where it stands in the order, 0 for none. */
static void
list_pass (JsonBuilder  *builder,
           const LsPass *pass,
           guint         place,
           gboolean      json)
{
  if (!json && place > 0)
    printf ("%2u  %-40s %s\n", place, pass->name, pass->summary);
  else if (!json)
    printf ("    %-40s %s\n", pass->name, pass->summary);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, pass->name);
  json_builder_set_member_name (builder, "summary");
  json_builder_add_string_value (builder, pass->summary);
  ls_json_put_bool (builder, "lowering", place > 0);
  json_builder_end_object (builder);
}

static int
print_list (gboolean json)
{
  guint n;
  const LsPass *const *passes = ls_pass_list (&n);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    list_pass (builder, passes[i], i + 1, json);
  passes = ls_pass_all (&n);
  if (!json)
    puts ("\nBy name only:");
  for (guint i = 0; i < n; i++)
    if (!is_in_pipeline (passes[i]))
      list_pass (builder, passes[i], 0, json);
  json_builder_end_array (builder);
  if (json)
    ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

/* All passes in order, or one pass that is not among them; the last stage is the result. */
static GArray *
run_all (LsModule  *module,
         Request   *request,
         GError   **error)
{
  const LsPass *alone = request->chosen.tir;
  GArray *stages = g_array_new (FALSE, TRUE, sizeof (Stage));
  guint n;
  const LsPass *const *passes = ls_pass_list (&n);
  g_autoptr (LsModule) settled = NULL;
  LsModule *current = module;

  if (alone != NULL && (request->options != NULL || !is_in_pipeline (alone)))
    {
      passes = &alone;
      n = 1;
    }
  else
    {
      current = settled = ls_settle_sums_module (module);
    }
  g_array_set_clear_func (stages, stage_clear);
  for (guint i = 0; i < n; i++)
    {
      Stage stage = { passes[i], ls_pass_run_module_with (passes[i], current, request->options, error), FALSE };

      if (stage.after == NULL)
        {
          g_array_unref (stages);
          return NULL;
        }
      stage.changed = !ls_structural_equal (current, stage.after, FALSE, NULL, NULL);
      current = stage.after;
      g_array_append_val (stages, stage);
    }
  return stages;
}

static void
print_json (GArray     *stages,
            const char *only)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < stages->len; i++)
    {
      Stage *stage = &g_array_index (stages, Stage, i);
      g_autofree char *module = NULL;

      if (only != NULL && strcmp (only, stage->pass->name) != 0)
        continue;
      module = ls_script_print (stage->after, NULL, NULL);
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "pass");
      json_builder_add_string_value (builder, stage->pass->name);
      ls_json_put_bool (builder, "changed", stage->changed);
      json_builder_set_member_name (builder, "module");
      json_builder_add_string_value (builder, module);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  ls_cli_put_json (builder);
}

static void
print_module (LsModule *module)
{
  g_autofree char *text = ls_script_print (module, NULL, NULL);

  fputs (text, stdout);
}

static void
print_text (GArray  *stages,
            Request *request)
{
  guint unchanged = 0;

  for (guint i = 0; i < stages->len; i++)
    {
      Stage *stage = &g_array_index (stages, Stage, i);

      if (request->pass != NULL && strcmp (request->chosen.tir->name, stage->pass->name) == 0)
        {
          print_module (stage->after);
          return;
        }
      unchanged += !stage->changed;
      if (request->all && stage->changed)
        {
          printf ("# ---- %u %s: %s\n", i + 1, stage->pass->name, stage->pass->summary);
          print_module (stage->after);
        }
    }
  if (request->all)
    printf ("# %u pass%s changed nothing\n", unchanged, unchanged == 1 ? "" : "es");
  else
    print_module (g_array_index (stages, Stage, stages->len - 1).after);
}

static int
lower (Request    *request,
       const char *command)
{
  g_autoptr (LsModule) module = ls_cli_read_scheduled (command, request->file, request->steps);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) stages = NULL;

  if (module == NULL)
    return LS_CLI_FAILED;
  stages = run_all (module, request, &error);
  if (stages == NULL)
    return ls_cli_fail (command, "%s", error->message);
  if (request->json)
    print_json (stages, request->pass != NULL ? request->chosen.tir->name : NULL);
  else
    print_text (stages, request);
  return LS_CLI_DONE;
}

int
ls_cli_lower (int    argc,
              char **argv)
{
  Request request = { 0 };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--list", LS_CLI_FLAG, &request.list },
    { "--all", LS_CLI_FLAG, &request.all },
    { "--pass", LS_CLI_TEXT, &request.pass },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMap) options_given = NULL;
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.list)
    return print_list (request.json);
  if (request.file == NULL)
    return ls_cli_usage (argv[0], "a file is expected, or --list");
  if (request.pass != NULL && !ls_cli_pass_read (request.pass, TRUE, &request.chosen, &options_given, &error))
    return ls_cli_fail (argv[0], "%s", error->message);
  request.options = options_given;
  return lower (&request, argv[0]);
}
