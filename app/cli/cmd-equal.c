/* equal: are two files the same module up to the names of variables?  If not, the first place that differs, in both. */
#include "app/cli/input.h"
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
      json_builder_set_member_name (builder, "line");
      json_builder_add_int_value (builder, place.line);
      json_builder_set_member_name (builder, "column");
      json_builder_add_int_value (builder, place.column);
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
  json_builder_set_member_name (builder, "equal");
  json_builder_add_boolean_value (builder, equal);
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

int
ls_cli_equal (int    argc,
              char **argv)
{
  g_auto (Side) a = { NULL, NULL, NULL, NULL };
  g_auto (Side) b = { NULL, NULL, NULL, NULL };
  gboolean json = FALSE, equal;
  const char *word;
  LsCliArgs args;

  for (ls_cli_args_init (&args, argc, argv); ls_cli_args_more (&args);)
    {
      if (ls_cli_args_flag (&args, "--json"))
        json = TRUE;
      else if (b.file == NULL && (word = ls_cli_args_word (&args)) != NULL)
        *(a.file == NULL ? &a.file : &b.file) = word;
      else
        return ls_cli_args_refuse (&args);
    }
  if (b.file == NULL)
    return ls_cli_usage (argv[0], "two files are expected");
  if (!side_read (&a, argv[0]) || !side_read (&b, argv[0]))
    return LS_CLI_FAILED;
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
