/* simplify: one integer expression over bounded int32 variables; its normal form and its bounds. */
#include "app/cli/input.h"
#include "engine/arith/arith.h"
#include "engine/base/json.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>

typedef struct {
  const char *text;
  gboolean    json;
  GHashTable *vars;             /* name -> LsVar */
  LsAnalyzer *analyzer;
} Request;

static void
request_clear (Request *request)
{
  g_hash_table_unref (request->vars);
  ls_analyzer_free (request->analyzer);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

/* "i:0..15" */
static gboolean
read_var (Request    *request,
          const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new ("^([A-Za-z_]\\w*):(-?\\d+)\\.\\.(-?\\d+)$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *name = NULL;
  g_autofree char *low = NULL;
  g_autofree char *high = NULL;
  g_autoptr (LsRange) range = NULL;
  gint64 min, max;
  LsVar *var;

  if (!g_regex_match (regex, text, 0, &match))
    return FALSE;
  name = g_match_info_fetch (match, 1);
  low = g_match_info_fetch (match, 2);
  high = g_match_info_fetch (match, 3);
  if (!g_ascii_string_to_signed (low, 10, G_MININT32, G_MAXINT32, &min, NULL) ||
      !g_ascii_string_to_signed (high, 10, G_MININT32, G_MAXINT32, &max, NULL) || min > max ||
      max - min >= G_MAXINT32 || g_hash_table_contains (request->vars, name))
    return FALSE;
  var = ls_var_new (name, LS_INT32);
  range = ls_range_new (ls_int (min), ls_int (max - min + 1));
  ls_analyzer_bind_range (request->analyzer, var, range, FALSE);
  g_hash_table_insert (request->vars, g_steal_pointer (&name), var);
  return TRUE;
}

static char *
bound_text (gint64 end)
{
  if (end == LS_POS_INF)
    return g_strdup ("inf");
  return end == LS_NEG_INF ? g_strdup ("-inf") : g_strdup_printf ("%" G_GINT64_FORMAT, end);
}

static void
print_text (const char      *simplified,
            LsConstIntBound  bound)
{
  g_autofree char *low = bound_text (bound.min);
  g_autofree char *high = bound_text (bound.max);

  printf ("%s\nbounds: [%s, %s]\n", simplified, low, high);
}

static void
add_end (JsonBuilder *builder,
         gint64       end)
{
  if (end == LS_POS_INF || end == LS_NEG_INF)
    json_builder_add_null_value (builder);
  else
    json_builder_add_int_value (builder, end);
}

static void
print_json (const char      *simplified,
            LsConstIntBound  bound)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "simplified");
  json_builder_add_string_value (builder, simplified);
  ls_json_begin_array (builder, "bound");
  add_end (builder, bound.min);
  add_end (builder, bound.max);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static int
simplify (Request *request)
{
  g_autoptr (LsSource) source = ls_source_new ("expression", request->text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsExpr) expr = ls_script_parse_expr (source, request->vars, LS_SCRIPT_EXPR_PLAIN, diagnostics);
  g_autoptr (LsExpr) simple = NULL;
  g_autofree char *text = NULL;
  LsConstIntBound bound;

  if (expr == NULL)
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      fputs (findings, stderr);
      return LS_CLI_FAILED;
    }
  simple = ls_analyzer_simplify (request->analyzer, expr);
  bound = ls_analyzer_const_int_bound (request->analyzer, expr);
  text = ls_script_print_expr (simple);
  if (request->json)
    print_json (text, bound);
  else
    print_text (text, bound);
  return LS_CLI_DONE;
}

int
ls_cli_simplify (int    argc,
                 char **argv)
{
  g_auto (Request) request = { NULL, FALSE, NULL, ls_analyzer_new () };
  const char *value;
  LsCliArgs args;

  request.vars = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  ls_cli_args_init (&args, argc, argv);
  while (ls_cli_args_more (&args))
    {
      if (ls_cli_args_flag (&args, "--json"))
        request.json = TRUE;
      else if ((value = ls_cli_args_option (&args, "--var")) != NULL)
        {
          if (!read_var (&request, value))
            return ls_cli_usage (argv[0], "--var %s: a variable is NAME:LO..HI, int32, named once", value);
        }
      else if ((value = ls_cli_args_word (&args)) == NULL)
        return ls_cli_args_refuse (&args);
      else if (request.text != NULL)
        return ls_cli_usage (argv[0], "one expression is expected, \"%s\" is a second one", value);
      else
        request.text = value;
    }
  if (args.missing != NULL)
    return ls_cli_args_refuse (&args);
  if (request.text == NULL)
    return ls_cli_usage (argv[0], "an expression is expected");
  return simplify (&request);
}
