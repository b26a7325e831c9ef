/* diff: what differs between two modules, or what steps of a schedule did.
 *
 *   structure   which loop, block and buffer became which (engine/schedule/lineage/text.h), the default
 *   text        changed lines of the printed modules, as diff -u shows them
 *   words       the printed module with [-gone-] and {+new+} words
 *
 * The sides are two files, or the program before and after steps of a schedule.  Steps are counted as the window counts
 * them: those that change something; step 0 is the file.
 */
#include "app/cli/input.h"
#include "engine/base/json.h"
#include "engine/schedule/lineage/text.h"
#include "engine/schedule/moves/moves.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

typedef enum { FORMAT_STRUCTURE, FORMAT_TEXT, FORMAT_WORDS } Format;

static const char *const FORMATS[] = { "structure", "text", "words" };

typedef struct {
  char        *label;           /* the file, or "step 3" */
  LsSource    *source;          /* of a file: places are those of the file; NULL: those of the printed text */
  LsModule    *module;
  char        *text;
  LsSourceMap *map;
} Side;

typedef struct {
  const char  *command;
  const char  *file_a;
  const char  *file_b;
  const char  *steps;
  guint64      step;            /* 0: the last */
  guint64      from;
  gboolean     has_from;
  Format       format;
  gboolean     json;
  Side         a;
  Side         b;
  LsLineage   *lineage;
  GPtrArray   *calls;           /* of char: the steps between, NULL for files */
  guint        n_steps;         /* in the schedule */
  JsonBuilder *builder;
} Request;

static void
side_clear (Side *self)
{
  g_free (self->label);
  g_clear_pointer (&self->source, ls_source_unref);
  ls_node_unref (LS_NODE (self->module));
  g_free (self->text);
  ls_source_map_unref (self->map);
}

static void
request_clear (Request *self)
{
  side_clear (&self->a);
  side_clear (&self->b);
  ls_lineage_free (self->lineage);
  g_clear_pointer (&self->calls, g_ptr_array_unref);
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
  g_autoptr (GArray) lines = ls_text_diff_lines (self->a.text, self->b.text);

  for (guint i = 0; i < lines->len;)
    {
      const LsTextDiff *first = &g_array_index (lines, LsTextDiff, i), *last = first;
      g_autoptr (GArray) words = NULL;

      if (first->edit == LS_TEXT_KEEP)
        {
          fwrite (self->a.text + first->start_a, 1, first->end_a - first->start_a, stdout);
          i++;
          continue;
        }
      for (; i < lines->len && g_array_index (lines, LsTextDiff, i).edit != LS_TEXT_KEEP; i++)
        last = &g_array_index (lines, LsTextDiff, i);
      words = ls_text_diff_words (self->a.text, first->start_a, last->end_a, self->b.text, first->start_b, last->end_b);
      put_words (self->a.text, self->b.text, words);
    }
}

/* ---- places ------------------------------------------------------------------- */

static guint
printed_line (Side     *self,
              LsEntity *entity)
{
  gpointer shown = entity->type == LS_ENTITY_LOOP ? (gpointer) ((LsFor *) entity->node)->loop_var : (gpointer) entity->node;
  const LsSourceRange *range = ls_source_map_find_definition (self->map, shown);
  g_autoptr (GPtrArray) ranges = range == NULL ? ls_source_map_find_node (self->map, shown) : NULL;

  if (ranges != NULL && ranges->len > 0)
    range = ranges->pdata[0];
  return range != NULL ? range->line : 0;
}

/* The line of the file, or of the printed text; 0 when it stands nowhere (root blocks). */
static guint
line_of (Side     *self,
         LsEntity *entity)
{
  if (self->source == NULL)
    return printed_line (self, entity);
  if (entity->node->span.source != ls_source_get_id (self->source))
    return 0;
  return ls_source_place (self->source, entity->node->span.start).line;
}

static guint
first_line (Side      *self,
            LsVersion *version,
            GArray    *entities)
{
  return entities->len > 0 ? line_of (self, ls_version_at (version, g_array_index (entities, guint, 0))) : 0;
}

static char *
places_text (Request         *self,
             LsLineageChange *change)
{
  guint before = first_line (&self->a, self->lineage->before, change->before);
  guint after = first_line (&self->b, self->lineage->after, change->after);

  if (before > 0 && after > 0)
    return g_strdup_printf ("%s:%u -> %s:%u", self->a.label, before, self->b.label, after);
  if (before > 0)
    return g_strdup_printf ("%s:%u", self->a.label, before);
  return after > 0 ? g_strdup_printf ("%s:%u", self->b.label, after) : g_strdup ("");
}

/* ---- structure ---------------------------------------------------------------- */

static char *
sentence (LsLineageChange *change)
{
  return change->detail != NULL ? g_strdup_printf ("%s   (%s)", change->text, change->detail) : g_strdup (change->text);
}

static void
print_head (Request *self)
{
  if (self->calls == NULL)
    return;
  for (guint i = 0; i < self->calls->len; i++)
    printf ("step %u of %u: %s\n", (guint) self->from + i + 1, self->n_steps, (char *) self->calls->pdata[i]);
  putchar ('\n');
}

static void
print_structure (Request   *self,
                 GPtrArray *changes)
{
  g_autofree char *summary = ls_lineage_summarize (self->lineage, changes);
  glong width = 0;

  print_head (self);
  for (guint i = 0; i < changes->len; i++)
    {
      g_autofree char *text = sentence (changes->pdata[i]);

      width = MAX (width, MIN (g_utf8_strlen (text, -1), 60));
    }
  for (guint i = 0; i < changes->len; i++)
    {
      g_autofree char *text = sentence (changes->pdata[i]);
      g_autofree char *places = places_text (self, changes->pdata[i]);
      LsLineageChange *change = changes->pdata[i];

      printf ("  %-11s %s", change->how, text);
      if (*places != '\0')
        printf ("%*s%s", (int) MAX (0, width - g_utf8_strlen (text, -1)) + 3, "", places);
      putchar ('\n');
    }
  if (changes->len == 0)
    printf ("No difference: %s and %s are the same up to the names of variables.\n", self->a.label, self->b.label);
  else
    printf ("\n%s\n", summary);
  if (self->calls != NULL && changes->len > 0)
    printf ("step N:LINE is a line of: loopscope-cli apply %s --steps %s --upto N\n", self->file_a, self->steps);
}

/* ---- JSON ------------------------------------------------------------------------ */

static void
find_path (LsNode    *node,
           LsEntity  *entity,
           GArray    *steps,
           char     **out,
           LsModule  *root)
{
  if (node == entity->node)
    {
      g_autoptr (LsPath) path = ls_path_new ((const guint32 *) (gpointer) steps->data, steps->len);

      *out = ls_path_print (path, root);
      return;
    }
  for (guint32 i = 0; *out == NULL && i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (child == NULL || (ls_is_expr (child) && !ls_is (child, PRIM_FUNC)))
        continue;
      g_array_append_val (steps, i);
      find_path (child, entity, steps, out, root);
      g_array_set_size (steps, steps->len - 1);
    }
}

static void
add_things (Request    *self,
            const char *member,
            Side       *side,
            LsVersion  *version,
            GArray     *things)
{
  ls_json_begin_array (self->builder, member);
  for (guint i = 0; i < things->len; i++)
    {
      guint number = g_array_index (things, guint, i);
      LsEntity *entity = ls_version_at (version, number);
      g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree char *name = ls_version_describe (version, number);
      g_autofree char *path = NULL;
      guint line = line_of (side, entity);

      find_path (LS_NODE (version->module), entity, steps, &path, version->module);
      json_builder_begin_object (self->builder);
      ls_json_put_text (self->builder, "type", ls_entity_type_name (entity->type));
      ls_json_put_text (self->builder, "name", name);
      ls_json_put_text (self->builder, "path", path);
      if (line > 0)
        ls_json_put_int (self->builder, "line", line);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

static void
add_changes (Request   *self,
             GPtrArray *changes)
{
  ls_json_begin_array (self->builder, "changes");
  for (guint i = 0; i < changes->len; i++)
    {
      LsLineageChange *change = changes->pdata[i];

      json_builder_begin_object (self->builder);
      ls_json_put_text (self->builder, "how", change->how);
      ls_json_put_text (self->builder, "text", change->text);
      ls_json_put_text (self->builder, "detail", change->detail);
      add_things (self, "before", &self->a, self->lineage->before, change->before);
      add_things (self, "after", &self->b, self->lineage->after, change->after);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

static void
add_structure (Request   *self,
               GPtrArray *changes)
{
  g_autofree char *summary = changes->len > 0 ? ls_lineage_summarize (self->lineage, changes) : g_strdup ("No difference.");

  add_changes (self, changes);
  ls_json_begin_object (self->builder, "kept");
  for (int type = LS_ENTITY_LOOP; type <= LS_ENTITY_BUFFER; type++)
    {
      g_autofree char *plural = g_strdup_printf ("%ss", ls_entity_type_name ((LsEntityType) type));

      ls_json_put_int (self->builder, plural, ls_lineage_count_kept (self->lineage, changes, (LsEntityType) type));
    }
  json_builder_end_object (self->builder);
  ls_json_put_text (self->builder, "summary", summary);
}

static void
add_lines (Request *self)
{
  static const char *const names[] = { "keep", "delete", "insert" };
  g_autoptr (GArray) lines = ls_text_diff_lines (self->a.text, self->b.text);

  for (guint i = 0; i < lines->len; i++)
    {
      const LsTextDiff *line = &g_array_index (lines, LsTextDiff, i);
      gboolean insert = line->edit == LS_TEXT_INSERT;
      const char *start = insert ? self->b.text + line->start_b : self->a.text + line->start_a;
      g_autofree char *text = g_strndup (start, strcspn (start, "\n"));

      json_builder_begin_object (self->builder);
      ls_json_put_text (self->builder, "edit", names[line->edit]);
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
      ls_json_put_text (self->builder, "text", text);
      json_builder_end_object (self->builder);
    }
}

static void
add_calls (Request *self)
{
  if (self->calls == NULL)
    return;
  ls_json_begin_array (self->builder, "steps");
  for (guint i = 0; i < self->calls->len; i++)
    {
      json_builder_begin_object (self->builder);
      ls_json_put_int (self->builder, "step", (guint) self->from + i + 1);
      ls_json_put_text (self->builder, "call", self->calls->pdata[i]);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

static void
print_json (Request *self)
{
  g_autoptr (GPtrArray) changes = ls_lineage_describe (self->lineage);

  self->builder = json_builder_new ();
  json_builder_begin_object (self->builder);
  ls_json_put_text (self->builder, "before", self->a.label);
  ls_json_put_text (self->builder, "after", self->b.label);
  ls_json_put_text (self->builder, "format", FORMATS[self->format]);
  json_builder_set_member_name (self->builder, "same");
  json_builder_add_boolean_value (self->builder, changes->len == 0);
  add_calls (self);
  if (self->format == FORMAT_STRUCTURE)
    add_structure (self, changes);
  else
    {
      ls_json_begin_array (self->builder, "lines");
      add_lines (self);
      json_builder_end_array (self->builder);
    }
  json_builder_end_object (self->builder);
  ls_cli_put_json (self->builder);
}

static void
print_plain (Request *self)
{
  g_autoptr (GPtrArray) changes = NULL;
  g_autofree char *text = NULL;

  switch (self->format)
    {
    case FORMAT_STRUCTURE:
      changes = ls_lineage_describe (self->lineage);
      print_structure (self, changes);
      break;
    case FORMAT_TEXT:
      text = ls_text_diff_unified (self->a.text, self->b.text, self->a.label, self->b.label, 3);
      if (*text == '\0')
        printf ("No difference: %s and %s print the same text.\n", self->a.label, self->b.label);
      fputs (text, stdout);
      break;
    case FORMAT_WORDS:
      print_words (self);
      break;
    }
}

/* ---- the two sides ------------------------------------------------------------- */

static gboolean
read_file (Request    *self,
           Side       *side,
           const char *file)
{
  side->label = g_strdup (file);
  side->source = ls_cli_read_source (self->command, file);
  side->module = side->source != NULL ? ls_cli_parse_module (self->command, side->source) : NULL;
  return side->module != NULL;
}

static int
compare_files (Request *self)
{
  LsVersion *before, *after;

  if (!read_file (self, &self->a, self->file_a) || !read_file (self, &self->b, self->file_b))
    return LS_CLI_FAILED;
  before = ls_version_new (self->a.module);
  after = ls_version_new (self->b.module);
  self->lineage = ls_lineage_match (before, after);
  ls_version_unref (before);
  ls_version_unref (after);
  return LS_CLI_DONE;
}

/* Steps with effect; *ends (may be NULL) gets how many steps of any kind there are up to each. */
static guint
count_steps (LsSchedule *schedule,
             GArray     *ends)
{
  guint n = 0, start = 0;

  g_array_append_val (ends, start);
  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    if (!ls_step_is_pure (ls_schedule_get_step (schedule, i)))
      {
        guint end = i + 1;

        g_array_append_val (ends, end);
        n++;
      }
  return n;
}

static int
compare_steps (Request *self)
{
  g_autoptr (LsSchedule) schedule = NULL;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));

  if (!read_file (self, &self->a, self->file_a))
    return LS_CLI_FAILED;
  schedule = ls_cli_schedule_module (self->command, self->a.module, self->steps, 0);
  if (schedule == NULL)
    return LS_CLI_FAILED;
  self->n_steps = count_steps (schedule, ends);
  if (self->n_steps == 0)
    return ls_cli_fail (self->command, "%s has no step that changes the program", self->steps);
  if (self->step > self->n_steps)
    return ls_cli_fail (self->command, "there is no step %u; %s has %u that change the program", (guint) self->step, self->steps, self->n_steps);
  if (!self->has_from)
    self->from = self->step == 0 ? 0 : self->step - 1;
  if (self->step == 0)
    self->step = self->n_steps;
  if (self->from >= self->step)
    return ls_cli_fail (self->command, "--from %u is not before step %u", (guint) self->from, (guint) self->step);
  self->calls = g_ptr_array_new_with_free_func (g_free);
  for (guint i = (guint) self->from; i < self->step; i++)
    g_ptr_array_add (self->calls, ls_schedule_describe_step (schedule, g_array_index (ends, guint, i + 1) - 1));
  self->lineage = ls_schedule_lineage (schedule, g_array_index (ends, guint, self->from), g_array_index (ends, guint, self->step));
  self->b.label = g_strdup_printf ("step %u", (guint) self->step);
  if (self->from > 0)
    {
      side_clear (&self->a);
      self->a = (Side) { g_strdup_printf ("step %u", (guint) self->from), NULL, NULL, NULL, NULL };
    }
  ls_node_unref (LS_NODE (self->a.module));
  self->a.module = ls_ref (self->lineage->before->module);
  self->b.module = ls_ref (self->lineage->after->module);
  return LS_CLI_DONE;
}

static int
compare (Request *self)
{
  int status = self->steps != NULL ? compare_steps (self) : compare_files (self);

  if (status != LS_CLI_DONE)
    return status;
  self->a.text = ls_script_print (self->a.module, NULL, &self->a.map);
  self->b.text = ls_script_print (self->b.module, NULL, &self->b.map);
  if (self->json)
    print_json (self);
  else
    print_plain (self);
  return LS_CLI_DONE;
}

/* ---- the command line ------------------------------------------------------------ */

static gboolean
read_format (const char *name,
             Format     *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (FORMATS); i++)
    if (g_str_equal (name, FORMATS[i]))
      {
        *format = (Format) i;
        return TRUE;
      }
  return FALSE;
}

static int
check_request (Request *self)
{
  if (self->file_a == NULL)
    return ls_cli_usage (self->command, "two files are expected, or a file and --steps");
  if (self->steps != NULL && self->file_b != NULL)
    return ls_cli_usage (self->command, "one file is expected with --steps, \"%s\" is a second one", self->file_b);
  if (self->steps == NULL && (self->step > 0 || self->has_from))
    return ls_cli_usage (self->command, "%s needs --steps", self->step > 0 ? "--step" : "--from");
  if (self->steps == NULL && self->file_b == NULL)
    return ls_cli_usage (self->command, "a second file is expected, or --steps");
  return LS_CLI_DONE;
}

int
ls_cli_diff (int    argc,
             char **argv)
{
  g_auto (Request) request = { argv[0] };
  const char *word;
  LsCliArgs args;
  int status;

  for (ls_cli_args_init (&args, argc, argv); ls_cli_args_more (&args);)
    {
      if ((word = ls_cli_args_option (&args, "--format")) != NULL)
        {
          if (!read_format (word, &request.format))
            return ls_cli_usage (argv[0], "--format %s: structure, text or words is expected", word);
        }
      else if ((word = ls_cli_args_option (&args, "--steps")) != NULL)
        request.steps = word;
      else if ((word = ls_cli_args_option (&args, "--step")) != NULL)
        {
          if (!g_ascii_string_to_unsigned (word, 10, 1, G_MAXINT, &request.step, NULL))
            return ls_cli_usage (argv[0], "--step %s: a number from 1 is expected", word);
        }
      else if ((word = ls_cli_args_option (&args, "--from")) != NULL)
        {
          if (!g_ascii_string_to_unsigned (word, 10, 0, G_MAXINT, &request.from, NULL))
            return ls_cli_usage (argv[0], "--from %s: a number from 0 is expected", word);
          request.has_from = TRUE;
        }
      else if (ls_cli_args_flag (&args, "--json"))
        request.json = TRUE;
      else if (request.file_b == NULL && (word = ls_cli_args_word (&args)) != NULL)
        *(request.file_a == NULL ? &request.file_a : &request.file_b) = word;
      else
        return ls_cli_args_refuse (&args);
    }
  if (args.missing != NULL)
    return ls_cli_args_refuse (&args);
  status = check_request (&request);
  return status == LS_CLI_DONE ? compare (&request) : status;
}
