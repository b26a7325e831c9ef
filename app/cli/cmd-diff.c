/* diff: what differs between two modules, as text (lines or words of the printed modules) or as nodes. */
#include "app/cli/input.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

typedef enum { FORMAT_TEXT, FORMAT_WORDS, FORMAT_STRUCTURE } Format;

typedef struct {
  const char  *file_a;
  const char  *file_b;
  LsModule    *a;
  LsModule    *b;
  char        *text_a;
  char        *text_b;
  JsonBuilder *builder;         /* with --json */
} Request;

static void
request_clear (Request *self)
{
  ls_node_unref (LS_NODE (self->a));
  ls_node_unref (LS_NODE (self->b));
  g_free (self->text_a);
  g_free (self->text_b);
  g_clear_object (&self->builder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Request, request_clear)

/* ---- words: [-old-]{+new+} in the lines that changed ------------------------- */

static void
put_words (const char *a,
           const char *b,
           GArray     *edits)
{
  for (guint i = 0; i < edits->len;)
    {
      const LsTextDiff *edit = &g_array_index (edits, LsTextDiff, i);
      LsTextEdit kind = edit->edit;

      fputs (kind == LS_TEXT_DELETE ? "[-" : kind == LS_TEXT_INSERT ? "{+" : "", stdout);
      for (; i < edits->len && g_array_index (edits, LsTextDiff, i).edit == kind; i++)
        {
          edit = &g_array_index (edits, LsTextDiff, i);
          if (kind == LS_TEXT_INSERT)
            fwrite (b + edit->start_b, 1, edit->end_b - edit->start_b, stdout);
          else
            fwrite (a + edit->start_a, 1, edit->end_a - edit->start_a, stdout);
        }
      fputs (kind == LS_TEXT_DELETE ? "-]" : kind == LS_TEXT_INSERT ? "+}" : "", stdout);
    }
}

/* Runs of changed lines are compared as one text, so that a moved line break does not hide what stayed. */
static void
print_words (Request *self)
{
  g_autoptr (GArray) lines = ls_text_diff_lines (self->text_a, self->text_b);

  for (guint i = 0; i < lines->len;)
    {
      const LsTextDiff *first = &g_array_index (lines, LsTextDiff, i), *last = first;
      g_autoptr (GArray) words = NULL;

      if (first->edit == LS_TEXT_KEEP)
        {
          fwrite (self->text_a + first->start_a, 1, first->end_a - first->start_a, stdout);
          i++;
          continue;
        }
      for (; i < lines->len && g_array_index (lines, LsTextDiff, i).edit != LS_TEXT_KEEP; i++)
        last = &g_array_index (lines, LsTextDiff, i);
      words = ls_text_diff_words (self->text_a, first->start_a, last->end_a, self->text_b, first->start_b, last->end_b);
      put_words (self->text_a, self->text_b, words);
    }
}

/* ---- nodes -------------------------------------------------------------------- */

static const char *
word_of (LsDiffOp op)
{
  return op == LS_DIFF_INSERT ? "insert" : op == LS_DIFF_DELETE ? "delete" : "change";
}

/* The first line of the node's text. */
static char *
first_line (LsNode *node)
{
  g_autofree char *text = node != NULL ? ls_script_print (node, NULL, NULL) : g_strdup ("None");
  char *start = text;

  while (*start == '#' || *start == '\n' || *start == '@')
    {
      char *next = strchr (start, '\n');

      if (next == NULL)
        break;
      start = next + 1;
    }
  return g_strndup (start, strcspn (start, "\n"));
}

static void
add_member (JsonBuilder *builder,
            const char  *name,
            const char  *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
show_difference (LsDiffOp      op,
                 const LsPath *a,
                 const LsPath *b,
                 gpointer      user_data)
{
  Request *self = user_data;
  g_autofree char *path_a = op != LS_DIFF_INSERT ? ls_path_print (a, self->a) : NULL;
  g_autofree char *path_b = op != LS_DIFF_DELETE ? ls_path_print (b, self->b) : NULL;
  g_autofree char *was = path_a != NULL ? first_line (ls_path_get (a, self->a)) : NULL;
  g_autofree char *is = path_b != NULL ? first_line (ls_path_get (b, self->b)) : NULL;

  if (self->builder == NULL)
    {
      printf ("%s %s\n", word_of (op), path_a != NULL ? path_a : path_b);
      if (was != NULL)
        printf ("  - %s\n", was);
      if (is != NULL)
        printf ("  + %s\n", is);
      return;
    }
  json_builder_begin_object (self->builder);
  add_member (self->builder, "edit", word_of (op));
  if (path_a != NULL)
    add_member (self->builder, "path_before", path_a);
  if (was != NULL)
    add_member (self->builder, "before", was);
  if (path_b != NULL)
    add_member (self->builder, "path_after", path_b);
  if (is != NULL)
    add_member (self->builder, "after", is);
  json_builder_end_object (self->builder);
}

/* ---- JSON ------------------------------------------------------------------------ */

static void
add_lines (Request *self)
{
  static const char *const names[] = { "keep", "delete", "insert" };
  g_autoptr (GArray) lines = ls_text_diff_lines (self->text_a, self->text_b);

  for (guint i = 0; i < lines->len; i++)
    {
      const LsTextDiff *line = &g_array_index (lines, LsTextDiff, i);
      gboolean insert = line->edit == LS_TEXT_INSERT;
      const char *start = insert ? self->text_b + line->start_b : self->text_a + line->start_a;
      g_autofree char *text = g_strndup (start, strcspn (start, "\n"));

      json_builder_begin_object (self->builder);
      add_member (self->builder, "edit", names[line->edit]);
      if (!insert)
        {
          json_builder_set_member_name (self->builder, "line_before");
          json_builder_add_int_value (self->builder, line->a + 1);
        }
      if (line->edit != LS_TEXT_DELETE)
        {
          json_builder_set_member_name (self->builder, "line_after");
          json_builder_add_int_value (self->builder, line->b + 1);
        }
      add_member (self->builder, "text", text);
      json_builder_end_object (self->builder);
    }
}

static void
print_json (Request *self,
            Format   format)
{
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *json = NULL;

  self->builder = json_builder_new ();
  json_builder_begin_array (self->builder);
  if (format == FORMAT_STRUCTURE)
    ls_diff (self->a, self->b, show_difference, self);
  else
    add_lines (self);
  json_builder_end_array (self->builder);
  root = json_builder_get_root (self->builder);
  json = json_to_string (root, TRUE);
  puts (json);
}

static void
print_plain (Request *self,
             Format   format)
{
  g_autofree char *text = NULL;

  switch (format)
    {
    case FORMAT_TEXT:
      text = ls_text_diff_unified (self->text_a, self->text_b, self->file_a, self->file_b, 3);
      fputs (text, stdout);
      break;
    case FORMAT_WORDS: print_words (self); break;
    case FORMAT_STRUCTURE: ls_diff (self->a, self->b, show_difference, self); break;
    }
}

static gboolean
read_format (const char *name,
             Format     *format)
{
  static const char *const names[] = { "text", "words", "structure" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (name, names[i]))
      {
        *format = (Format) i;
        return TRUE;
      }
  return FALSE;
}

int
ls_cli_diff (int    argc,
             char **argv)
{
  g_auto (Request) request = { 0 };
  Format format = FORMAT_TEXT;
  gboolean json = FALSE;
  const char *word;
  LsCliArgs args;

  for (ls_cli_args_init (&args, argc, argv); ls_cli_args_more (&args);)
    {
      if ((word = ls_cli_args_option (&args, "--format")) != NULL)
        {
          if (!read_format (word, &format))
            return ls_cli_usage (argv[0], "there is no format \"%s\"; text, words and structure are", word);
        }
      else if (ls_cli_args_flag (&args, "--json"))
        json = TRUE;
      else if (request.file_b == NULL && (word = ls_cli_args_word (&args)) != NULL)
        *(request.file_a == NULL ? &request.file_a : &request.file_b) = word;
      else
        return ls_cli_args_refuse (&args);
    }
  if (args.missing != NULL)
    return ls_cli_args_refuse (&args);
  if (request.file_b == NULL)
    return ls_cli_usage (argv[0], "two files are needed");
  request.a = ls_cli_read_module (argv[0], request.file_a);
  request.b = ls_cli_read_module (argv[0], request.file_b);
  if (request.a == NULL || request.b == NULL)
    return LS_CLI_FAILED;
  request.text_a = ls_script_print (request.a, NULL, NULL);
  request.text_b = ls_script_print (request.b, NULL, NULL);
  if (json)
    print_json (&request, format);
  else
    print_plain (&request, format);
  return LS_CLI_DONE;
}
