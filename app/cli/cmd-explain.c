/* explain: the page of a primitive, made from its row of the table, or one line for each; or the engine's own source of it. */
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/schedule/explain/code-place.h"
#include "engine/schedule/explain/explain.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

static void
add_params (JsonBuilder         *builder,
            const LsInstruction *row)
{
  ls_json_begin_array (builder, "parameters");
  for (guint i = 0; i < row->n_params; i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", row->params[i].name);
      ls_json_put_text (builder, "type", ls_param_type_words (row->params[i].type));
      ls_json_put_text (builder, "default", row->params[i].default_text);
      ls_json_put_text (builder, "summary", row->params[i].summary);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_conditions (JsonBuilder         *builder,
                const LsInstruction *row)
{
  guint n;
  const LsCondition *conditions = ls_instruction_conditions (row, &n);

  ls_json_begin_array (builder, "conditions");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *code = g_strdup_printf ("schedule/%s/%s", row->name, conditions[i].code);

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "code", code);
      ls_json_put_text (builder, "sentence", conditions[i].sentence);
      ls_json_put_bool (builder, "warning", conditions[i].is_warning);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_example (JsonBuilder         *builder,
             const LsInstruction *row)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsExample) example = ls_instruction_example (row, findings);

  if (example == NULL)
    return;
  ls_json_begin_object (builder, "example");
  ls_json_put_text (builder, "call", example->call);
  ls_json_put_text (builder, "before", example->before);
  ls_json_put_text (builder, "after", example->after);
  ls_json_put_text (builder, "trace", example->trace);
  json_builder_end_object (builder);
}

static void
add_page (JsonBuilder         *builder,
          const LsInstruction *row,
          gboolean             whole)
{
  g_autofree char *signature = ls_instruction_signature (row);
  g_autofree char *kind = ls_instruction_kind (row);

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", row->name);
  ls_json_put_text (builder, "summary", row->summary);
  ls_json_put_text (builder, "signature", signature);
  if (whole)
    {
      ls_json_put_text (builder, "condition", row->condition);
      ls_json_put_text (builder, "source", row->source);
      ls_json_put_text (builder, "kind", kind);
      add_params (builder, row);
      add_conditions (builder, row);
      add_example (builder, row);
    }
  json_builder_end_object (builder);
}

/* ---- its source ------------------------------------------------------------------ */

static void
add_place (JsonBuilder       *builder,
           const LsCodePlace *place)
{
  ls_json_put_text (builder, "file", place->file);
  ls_json_put_int (builder, "line", place->line);
}

static void
add_source (JsonBuilder         *builder,
            const LsInstruction *row,
            const LsCodePlace   *place)
{
  g_autofree char *text = ls_code_lines (place->file, place->first, place->last);
  guint n;
  const LsCondition *conditions = ls_instruction_conditions (row, &n);

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", row->name);
  add_place (builder, place);
  ls_json_put_text (builder, "text", text);
  ls_json_begin_array (builder, "conditions");
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) places = ls_code_places_of_condition (row, conditions[i].code);

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "code", conditions[i].code);
      ls_json_begin_array (builder, "places");
      for (guint k = 0; k < places->len; k++)
        {
          json_builder_begin_object (builder);
          add_place (builder, &g_array_index (places, LsCodePlace, k));
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_source (const LsInstruction *row,
              const LsCodePlace   *place)
{
  g_autofree char *text = ls_code_lines (place->file, place->first, place->last);
  guint n;
  const LsCondition *conditions = ls_instruction_conditions (row, &n);

  printf ("%s:%u: %s\n\n%s", place->file, place->line, row->name, text);
  if (n > 0)
    printf ("\nIts conditions\n");
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) places = ls_code_places_of_condition (row, conditions[i].code);

      for (guint k = 0; k < places->len; k++)
        printf ("  %-24s %s:%u\n", k == 0 ? conditions[i].code : "", g_array_index (places, LsCodePlace, k).file,
                g_array_index (places, LsCodePlace, k).line);
    }
}

static int
show_source (const LsInstruction *row,
             gboolean             json)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  LsCodePlace place;

  if (!ls_code_place_of (row, &place))
    return ls_cli_fail ("explain", "the source of %s is not in this program", row->name);
  if (!json)
    {
      print_source (row, &place);
      return LS_CLI_DONE;
    }
  add_source (builder, row, &place);
  ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

/* ---- the command ------------------------------------------------------------------- */

static int
print_json (const LsInstruction *row)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  if (row == NULL)
    {
      json_builder_begin_array (builder);
      for (guint i = 0; i < n; i++)
        add_page (builder, rows[i], FALSE);
      json_builder_end_array (builder);
    }
  else
    {
      add_page (builder, row, TRUE);
    }
  ls_cli_put_json (builder);
  return LS_CLI_DONE;
}

static int
print_text (const LsInstruction *row)
{
  g_autofree char *page = row != NULL ? ls_instruction_explain (row) : NULL;
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  if (page != NULL)
    fputs (page, stdout);
  for (guint i = 0; row == NULL && i < n; i++)
    printf ("%-26s %s\n", rows[i]->name, rows[i]->summary);
  return LS_CLI_DONE;
}

int
ls_cli_explain (int    argc,
                char **argv)
{
  const LsInstruction *row = NULL;
  const char *name = NULL, *value;
  gboolean json = FALSE, source = FALSE;
  LsCliArgs args;

  ls_cli_args_init (&args, argc, argv);
  while (ls_cli_args_more (&args))
    {
      if (ls_cli_args_flag (&args, "--json"))
        json = TRUE;
      else if (ls_cli_args_flag (&args, "--source"))
        source = TRUE;
      else if ((value = ls_cli_args_word (&args)) == NULL || name != NULL)
        return value == NULL ? ls_cli_args_refuse (&args) : ls_cli_usage (argv[0], "one primitive is expected, \"%s\" is a second one", value);
      else
        name = value;
    }
  if (name != NULL && (row = ls_instruction_get (name)) == NULL)
    return ls_cli_fail (argv[0], "there is no primitive %s; loopscope-cli explain lists them", name);
  if (source && row == NULL)
    return ls_cli_usage (argv[0], "--source is of one primitive; which?");
  if (source)
    return show_source (row, json);
  return json ? print_json (row) : print_text (row);
}
