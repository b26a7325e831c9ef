/* pass: a module after passes of the graph level and of TensorIR, one after the other.
 *
 *   --pass 'Name(arg=value)'   may be given several times; 'tir.Name' where both levels have a pass of this name
 *   --each                     the module before and after each pass
 *   --list                     the passes with their arguments
 */
#include "app/cli/input.h"
#include "app/cli/params.h"
#include "app/cli/passes.h"
#include "engine/base/json.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

typedef struct {
  const char           *file;
  GPtrArray            *texts;          /* of const char *: what --pass said */
  LsScriptPrintOptions  options;
  gboolean              each, json, no_meta;
} Request;

typedef struct {
  const char *text;
  LsCliPass   pass;
  LsMap      *args;             /* NULL: none were given */
  LsModule   *before, *after;
} Step;

static void
step_clear (gpointer data)
{
  Step *step = data;

  ls_unref (step->args);
  ls_unref (step->before);
  ls_unref (step->after);
}

/* ---- the table ---------------------------------------------------------------------- */

static void
add_params (JsonBuilder     *builder,
            const LsCliPass *pass)
{
  json_builder_begin_array (builder);
  for (const LsPassParam *param = ls_cli_pass_params (pass); param != NULL && param->name != NULL; param++)
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, param->name);
      json_builder_set_member_name (builder, "type");
      json_builder_add_string_value (builder, param->type);
      json_builder_set_member_name (builder, "default");
      json_builder_add_string_value (builder, param->preset);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
list_pass (JsonBuilder     *builder,
           const LsCliPass *pass,
           gboolean         json)
{
  g_autofree char *signature = ls_cli_pass_signature (pass);

  if (!json)
    {
      printf ("%s\n    %s\n", signature, ls_cli_pass_summary (pass));
      return;
    }
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, ls_cli_pass_name (pass));
  ls_json_put_text (builder, "level", pass->relax != NULL ? "relax" : "tir");
  json_builder_set_member_name (builder, "summary");
  json_builder_add_string_value (builder, ls_cli_pass_summary (pass));
  json_builder_set_member_name (builder, "parameters");
  add_params (builder, pass);
  json_builder_end_object (builder);
}

static int
print_list (gboolean json)
{
  guint n;
  const LsRelaxPass *passes = ls_relax_pass_list (&n);
  const LsPass *const *lowering;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    list_pass (builder, &(LsCliPass) { &passes[i], NULL }, json);
  lowering = ls_pass_all (&n);
  for (guint i = 0; i < n; i++)
    list_pass (builder, &(LsCliPass) { NULL, lowering[i] }, json);
  json_builder_end_array (builder);
  if (json)
    ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

/* ---- running -------------------------------------------------------------------------- */

/* A text that stands for arrays becomes what the file holds. */
static LsMap *
read_files (Step    *step,
            LsMap   *args,
            GError **error)
{
  LsMap *now = ls_ref (args);

  for (const LsPassParam *param = ls_cli_pass_params (&step->pass); param != NULL && param->name != NULL; param++)
    {
      LsNode *value = ls_map_get (now, param->name);
      g_autoptr (LsMap) arrays = NULL;

      if (!g_str_has_prefix (param->type, "params") || !ls_is (value, STRING))
        continue;
      arrays = ls_cli_read_params (((LsString *) value)->value, error);
      if (arrays == NULL)
        {
          ls_unref (now);
          return NULL;
        }
      ls_take (&now, ls_map_set (now, param->name, arrays));
    }
  return now;
}

/* The steps with their arguments; NULL: said. */
static GArray *
read_steps (Request    *request,
            const char *command)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (Step));

  g_array_set_clear_func (steps, step_clear);
  for (guint i = 0; i < request->texts->len; i++)
    {
      g_autoptr (GError) error = NULL;
      Step step = { request->texts->pdata[i] };

      if (!ls_cli_pass_read (step.text, FALSE, &step.pass, &step.args, &error))
        {
          ls_cli_fail (command, "%s", error->message);
          return NULL;
        }
      g_array_append_val (steps, step);
    }
  return g_steal_pointer (&steps);
}

static gboolean
run_steps (GArray     *steps,
           LsModule   *module,
           const char *command)
{
  LsModule *current = module;

  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = &g_array_index (steps, Step, i);
      g_autoptr (GError) error = NULL;
      LsMap *args = step->args != NULL ? read_files (step, step->args, &error) : NULL;

      if (error != NULL)
        {
          ls_cli_fail (command, "%s", error->message);
          return FALSE;
        }
      ls_take (&step->args, args);
      step->before = ls_ref (current);
      step->after = ls_cli_pass_run (&step->pass, current, step->args, &error);
      if (step->after == NULL)
        {
          ls_cli_fail (command, "%s", error->message);
          return FALSE;
        }
      current = step->after;
    }
  return TRUE;
}

/* ---- printing --------------------------------------------------------------------------- */

static char *
module_text (Request  *request,
             LsModule *module)
{
  LsScriptPrintOptions options = request->options;

  options.whole_heads = TRUE;
  options.show_meta = !request->no_meta && options.style != LS_SCRIPT_STYLE_2023;
  return ls_script_print (module, &options, NULL);
}

static void
print_module (Request  *request,
              LsModule *module)
{
  g_autofree char *text = module_text (request, module);

  ls_cli_put_text (text);
}

static gboolean
step_changed (Step *step)
{
  return !ls_structural_equal (step->before, step->after, FALSE, NULL, NULL);
}

static void
print_each (Request *request,
            GArray  *steps)
{
  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = &g_array_index (steps, Step, i);

      if (i == 0)
        {
          puts ("# ---- before");
          print_module (request, step->before);
        }
      printf ("\n# ---- %u %s: %s\n", i + 1, step->text, ls_cli_pass_summary (&step->pass));
      if (step_changed (step))
        print_module (request, step->after);
      else
        puts ("# nothing changed");
    }
}

static void
add_module (JsonBuilder *builder,
            Request     *request,
            const char  *name,
            LsModule    *module)
{
  g_autofree char *text = module_text (request, module);

  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
print_json (Request *request,
            GArray  *steps)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_begin_array (builder, "passes");
  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = &g_array_index (steps, Step, i);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "pass");
      json_builder_add_string_value (builder, step->text);
      json_builder_set_member_name (builder, "name");
      json_builder_add_string_value (builder, ls_cli_pass_name (&step->pass));
      ls_json_put_bool (builder, "changed", step_changed (step));
      if (request->each)
        {
          add_module (builder, request, "before", step->before);
          add_module (builder, request, "after", step->after);
        }
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  add_module (builder, request, "text", g_array_index (steps, Step, steps->len - 1).after);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static int
run_passes (Request    *request,
            const char *command)
{
  g_autoptr (GArray) steps = read_steps (request, command);
  g_autoptr (LsModule) module = steps != NULL ? ls_cli_read_module (command, request->file) : NULL;

  if (steps == NULL)
    return LS_CLI_USAGE;
  if (module == NULL || !run_steps (steps, module, command))
    return LS_CLI_FAILED;
  if (request->json)
    print_json (request, steps);
  else if (request->each)
    print_each (request, steps);
  else
    print_module (request, g_array_index (steps, Step, steps->len - 1).after);
  return LS_CLI_DONE;
}

int
ls_cli_pass (int    argc,
             char **argv)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  Request request = { .texts = texts };
  gboolean list = FALSE;
  const char *value;
  LsCliArgs args;

  for (ls_cli_args_init (&args, argc, argv); ls_cli_args_more (&args);)
    {
      if (ls_cli_args_flag (&args, "--json"))
        request.json = TRUE;
      else if (ls_cli_args_flag (&args, "--list"))
        list = TRUE;
      else if (ls_cli_args_flag (&args, "--each"))
        request.each = TRUE;
      else if (ls_cli_args_flag (&args, "--no-meta"))
        request.no_meta = TRUE;
      else if ((value = ls_cli_args_option (&args, "--pass")) != NULL)
        g_ptr_array_add (texts, (gpointer) value);
      else if ((value = ls_cli_args_option (&args, "--style")) != NULL)
        {
          if (!ls_script_style_parse (value, &request.options.style))
            return ls_cli_usage (argv[0], "--style %s: 0.20, 2023 or 2026 is expected", value);
        }
      else if (request.file == NULL && (value = ls_cli_args_word (&args)) != NULL)
        request.file = value;
      else
        return ls_cli_args_refuse (&args);
    }
  if (args.missing != NULL)
    return ls_cli_args_refuse (&args);
  if (list)
    return print_list (request.json);
  if (request.file == NULL)
    return ls_cli_usage (argv[0], "a file is expected, or --list");
  if (texts->len == 0)
    return ls_cli_usage (argv[0], "--pass 'Name(arguments)' is expected; --list shows them");
  return run_passes (&request, argv[0]);
}
