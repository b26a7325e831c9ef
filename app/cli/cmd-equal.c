/* equal: are two files the same module up to the names of variables?  If not, the first place that differs, in both.
 *
 * With --inputs N both are run on N random inputs, and are the same when they give the same (worker method same).
 */
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "engine/base/json.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file;
  LsSource   *source;
  LsModule   *module;
  char       *path;             /* of the first difference, or NULL */
} Side;

static void
side_clear (Side *self)
{
  g_clear_pointer (&self->source, ls_source_unref);
  ls_node_unref (LS_NODE (self->module));
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Side, side_clear)

static gboolean
side_read (Side       *self,
           const char *command)
{
  self->source = ls_cli_read_source (command, self->file);
  self->module = self->source != NULL ? ls_cli_parse_module (command, self->source) : NULL;
  return self->module != NULL;
}

/* Where the node stands in the file: its own span, or that of the nearest node around it.  A variable's span is that of its
 * definition, so a use takes the expression around it. */
static LsSpan
find_span (Side *self)
{
  g_autoptr (LsPath) path = ls_path_parse (self->path, self->module);
  LsSpan span = LS_SPAN_NONE;
  LsNode *node = LS_NODE (self->module);

  for (guint i = 0; path != NULL && node != NULL && i < path->n; i++)
    {
      LsNode *child = ls_node_get_child (node, path->steps[i]);
      gboolean use = child != NULL && ls_is_var (child) && (ls_is_expr (node) || ls_is (node, ARRAY));

      if (child != NULL && !use && child->span.source == ls_source_get_id (self->source))
        span = child->span;
      node = child;
    }
  return span;
}

static void
print_place (Side *self)
{
  LsSpan span = find_span (self);
  LsPlace place = ls_source_place (self->source, span.start);
  g_autofree char *line = NULL;

  if (span.source == 0)
    {
      printf ("%s: %s\n", self->file, self->path);
      return;
    }
  line = ls_source_line (self->source, place.line);
  printf ("%s:%u:%u: %s\n    %s\n    %*s^\n", self->file, place.line, place.column, self->path, line, (int) place.column - 1, "");
}

static void
add_place (JsonBuilder *builder,
           Side        *self)
{
  LsSpan span = find_span (self);
  LsPlace place = ls_source_place (self->source, span.start);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "file");
  json_builder_add_string_value (builder, self->file);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, self->path);
  if (span.source != 0)
    {
      ls_json_put_int (builder, "line", place.line);
      ls_json_put_int (builder, "column", place.column);
    }
  json_builder_end_object (builder);
}

static void
print_json (gboolean  equal,
            Side     *a,
            Side     *b)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_bool (builder, "equal", equal);
  if (!equal)
    {
      json_builder_set_member_name (builder, "a");
      add_place (builder, a);
      json_builder_set_member_name (builder, "b");
      add_place (builder, b);
    }
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

/* ---- by what they give -------------------------------------------------------- */

typedef struct {
  gint64      inputs, seed, timeout;    /* -1: not given */
  const char *func;
  GPtrArray  *set;
} Trial;

static GVariant *
ask (const Trial *trial,
     const char  *command,
     Side        *a,
     Side        *b)
{
  g_autofree char *left = ls_cli_module_text (a->module);
  g_autofree char *right = ls_cli_module_text (b->module);
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", left);
  g_variant_dict_insert (&params, "right", "s", right);
  g_variant_dict_insert (&params, "inputs", "x", trial->inputs);
  g_variant_dict_insert (&params, "budget-ms", "x", (gint64) 3600000);
  if (trial->seed >= 0)
    g_variant_dict_insert (&params, "seed", "x", trial->seed);
  if (trial->func != NULL)
    {
      g_variant_dict_insert (&params, "left-func", "s", trial->func);
      g_variant_dict_insert (&params, "right-func", "s", trial->func);
    }
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) trial->set->pdata, (gssize) trial->set->len));
  return ls_cli_ask (command, "same", &params, trial->timeout >= 0 ? (double) trial->timeout : 60, NULL, NULL);
}

static int
compare_results (const Trial *trial,
                 const char  *command,
                 Side        *a,
                 Side        *b,
                 gboolean     json)
{
  g_autoptr (GVariant) answer = ask (trial, command, a, b);
  const char *state = answer != NULL ? ls_params_string (answer, "state", "") : "";
  gint64 n = answer != NULL ? ls_params_int (answer, "inputs", 0) : 0;
  gboolean same = strcmp (state, "same") == 0;

  if (answer == NULL)
    return LS_CLI_FAILED;
  if (json)
    ls_cli_print_json (answer);
  else if (same)
    printf ("same results on %" G_GINT64_FORMAT " input%s; the largest difference is %.2g\n", n, n == 1 ? "" : "s", ls_cli_number (answer, "max-error"));
  else if (strcmp (state, "different") == 0)
    printf ("different results, first on input %" G_GINT64_FORMAT "; %s (the second file against the first)\n", ls_params_int (answer, "input", 1),
            ls_params_string (answer, "text", ""));
  else if (strcmp (ls_params_string (answer, "diff", ""), "count") == 0)
    ls_cli_fail (command, "the two take different numbers of arguments, so they cannot be run on the same inputs");
  else
    ls_cli_fail (command, "argument %" G_GINT64_FORMAT " has another %s in the second file, so they cannot be run on the same inputs",
                 ls_params_int (answer, "param", 0) + 1, ls_params_string (answer, "diff", "type"));
  return same ? LS_CLI_DONE : LS_CLI_FAILED;
}

/* TRUE: the next argument was one of these; a number that is none is left where it is and refused later. */
static gboolean
take_option (LsCliArgs *args,
             Trial     *trial)
{
  const struct { const char *name; gint64 *at; } numbers[] = {
    { "--inputs", &trial->inputs }, { "--seed", &trial->seed }, { "--timeout", &trial->timeout },
  };
  int before = args->at;
  const char *value;
  guint64 number;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if ((value = ls_cli_args_option (args, numbers[i].name)) != NULL)
      {
        if (g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, &number, NULL))
          {
            *numbers[i].at = (gint64) number;
            return TRUE;
          }
        args->at = before;
        return FALSE;
      }
  if ((value = ls_cli_args_option (args, "--func")) != NULL)
    trial->func = value;
  else if ((value = ls_cli_args_option (args, "--set")) != NULL)
    g_ptr_array_add (trial->set, (gpointer) value);
  return value != NULL;
}

int
ls_cli_equal (int    argc,
              char **argv)
{
  g_auto (Side) a = { NULL, NULL, NULL, NULL };
  g_auto (Side) b = { NULL, NULL, NULL, NULL };
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  Trial trial = { .inputs = -1, .seed = -1, .timeout = -1, .set = set };
  gboolean json = FALSE, equal;
  const char *word;
  LsCliArgs args;

  for (ls_cli_args_init (&args, argc, argv); ls_cli_args_more (&args);)
    {
      if (ls_cli_args_flag (&args, "--json"))
        json = TRUE;
      else if (take_option (&args, &trial))
        continue;
      else if (b.file == NULL && (word = ls_cli_args_word (&args)) != NULL)
        *(a.file == NULL ? &a.file : &b.file) = word;
      else
        return ls_cli_args_refuse (&args);
    }
  if (b.file == NULL)
    return ls_cli_usage (argv[0], "two files are expected");
  if (!side_read (&a, argv[0]) || !side_read (&b, argv[0]))
    return LS_CLI_FAILED;
  if (trial.inputs >= 0)
    return compare_results (&trial, argv[0], &a, &b, json);
  equal = ls_structural_equal (a.module, b.module, FALSE, &a.path, &b.path);
  if (json)
    {
      print_json (equal, &a, &b);
    }
  else if (equal)
    {
      puts ("equal");
    }
  else
    {
      puts ("different; the first place is");
      print_place (&a);
      print_place (&b);
    }
  return equal ? LS_CLI_DONE : LS_CLI_FAILED;
}
