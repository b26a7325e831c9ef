/* A lesson as a notebook of Jupyter: text and code as they are, what was recorded as outputs, questions with their answers folded; notes, hints and
 * solutions stay here.
 */
#include "app/lesson/notebook.h"
#include "engine/base/json.h"

#include <json-glib/json-glib.h>
#include <string.h>

typedef struct {
  LsLesson      *lesson;
  char         **lines;
  guint          n_lines;
  LsNotebookFunc outputs;
  gpointer       data;
  JsonBuilder   *builder;
  guint          n;
} Writing;

static char *
lines_between (Writing *self,
               guint    first,
               guint    last)
{
  GString *text = g_string_new (NULL);

  for (guint i = first; i <= last && i <= self->n_lines; i++)
    g_string_append_printf (text, "%s%s", i > first ? "\n" : "", i > 0 ? self->lines[i - 1] : "");
  return g_string_free (text, FALSE);
}

/* Up to and without the metadata of Loopscope, which the caller ends. */
static void
begin_cell (Writing    *self,
            const char *kind,
            const char *source)
{
  g_autofree char *trimmed = g_strchomp (g_strdup (source));
  g_autofree char *id = g_strdup_printf ("cell-%u", ++self->n);

  json_builder_begin_object (self->builder);
  ls_json_put_text (self->builder, "cell_type", kind);
  ls_json_put_text (self->builder, "id", id);
  ls_json_put_text (self->builder, "source", trimmed);
  if (strcmp (kind, "code") == 0)
    {
      json_builder_set_member_name (self->builder, "execution_count");
      json_builder_add_null_value (self->builder);
    }
  ls_json_begin_object (self->builder, "metadata");
  ls_json_begin_object (self->builder, "loopscope");
}

static void
end_metadata (Writing *self)
{
  json_builder_end_object (self->builder);
  json_builder_end_object (self->builder);
}

static void
add_outputs (Writing            *self,
             const LsLessonPart *part)
{
  g_autofree char *text = self->outputs != NULL ? self->outputs (part, self->data) : NULL;

  ls_json_begin_array (self->builder, "outputs");
  if (text != NULL && *text != 0)
    {
      json_builder_begin_object (self->builder);
      ls_json_put_text (self->builder, "output_type", "stream");
      ls_json_put_text (self->builder, "name", "stdout");
      ls_json_put_text (self->builder, "text", text);
      json_builder_end_object (self->builder);
    }
  json_builder_end_array (self->builder);
}

static void
add_code (Writing            *self,
          const LsLessonPart *part)
{
  const char *fence = part->line > 0 && part->line <= self->n_lines ? self->lines[part->line - 1] : "";
  const char *info = fence + strspn (fence, " `~");
  g_autofree char *all = lines_between (self, part->code_line, part->last_line);
  char *output = part->output != NULL ? strstr (all, "\n```output") : NULL;

  begin_cell (self, "code", part->code);
  ls_json_put_text (self->builder, "fence", info);
  if (output != NULL)
    ls_json_put_text (self->builder, "output", output + 1);
  end_metadata (self);
  add_outputs (self, part);
  json_builder_end_object (self->builder);
}

static void
add_made (Writing    *self,
          const char *kind,
          const char *source)
{
  begin_cell (self, kind, source);
  json_builder_set_member_name (self->builder, "made");
  json_builder_add_boolean_value (self->builder, TRUE);
  end_metadata (self);
  if (strcmp (kind, "code") == 0)
    {
      ls_json_begin_array (self->builder, "outputs");
      json_builder_end_array (self->builder);
    }
  json_builder_end_object (self->builder);
}

static void
put_blocks (GString   *out,
            GPtrArray *blocks)
{
  for (guint i = 0; blocks != NULL && i < blocks->len; i++)
    {
      const LsLessonBlock *block = blocks->pdata[i];

      g_string_append_printf (out, "%s%s\n\n", block->kind == LS_BLOCK_ITEM ? "- " : "", block->text);
    }
}

/* A question as it can be read, with what it was in its metadata. */
static void
add_question (Writing            *self,
              const LsLessonPart *part)
{
  g_autofree char *raw = lines_between (self, part->line, part->last_line);
  g_autoptr (GString) text = g_string_new (NULL);

  if (part->title != NULL)
    g_string_append_printf (text, "**%s**\n\n", part->title);
  put_blocks (text, part->blocks);
  for (guint i = 0; part->choices != NULL && i < part->choices->len; i++)
    g_string_append_printf (text, "- %c. %s\n", 'A' + (int) MIN (i, 25u), ((LsLessonChoice *) part->choices->pdata[i])->text);
  if (part->kind == LS_PART_PREDICT)
    {
      g_string_append (text, "\n<details><summary>?</summary>\n\n");
      for (guint i = 0; part->choices != NULL && i < part->choices->len; i++)
        if (((LsLessonChoice *) part->choices->pdata[i])->right)
          g_string_append_printf (text, "%c. ", 'A' + (int) MIN (i, 25u));
      put_blocks (text, part->answer);
      g_string_append (text, "</details>");
    }
  begin_cell (self, "markdown", text->str);
  ls_json_put_text (self->builder, "raw", raw);
  end_metadata (self);
  json_builder_end_object (self->builder);
}

/* The task, the start, and the checks, which are no secret here; the solution is not written. */
static void
add_exercise (Writing            *self,
              const LsLessonPart *part)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (part->title != NULL)
    g_string_append_printf (text, "**%s**\n\n", part->title);
  put_blocks (text, part->blocks);
  add_made (self, "markdown", text->str);
  add_made (self, "code", part->code);
  if (part->cases != NULL)
    add_made (self, "code", part->cases);
}

static void
add_part (Writing            *self,
          const LsLessonPart *part)
{
  g_autofree char *raw = lines_between (self, part->line, part->last_line);

  if (part->kind == LS_PART_CELL)
    add_code (self, part);
  else if (part->kind == LS_PART_EXERCISE)
    add_exercise (self, part);
  else if (part->kind == LS_PART_PREDICT || part->kind == LS_PART_PRIMITIVE)
    add_question (self, part);
  else if (part->kind != LS_PART_NOTES)
    {
      begin_cell (self, "markdown", raw);
      end_metadata (self);
      json_builder_end_object (self->builder);
    }
}

/* The lines between the two ---, both with it; or NULL. */
static char *
front_matter (Writing *self)
{
  if (self->n_lines == 0 || strcmp (self->lines[0], "---") != 0)
    return NULL;
  for (guint i = 1; i < self->n_lines; i++)
    if (strcmp (self->lines[i], "---") == 0)
      return lines_between (self, 1, i + 1);
  return NULL;
}

char *
ls_notebook_from_lesson (LsLesson       *lesson,
                         const char     *text,
                         LsNotebookFunc  outputs,
                         gpointer        data)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Writing self = { lesson, lines, g_strv_length (lines), outputs, data, builder, 0 };
  g_autofree char *front = front_matter (&self);
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  ls_json_begin_array (builder, "cells");
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    add_part (&self, ls_lesson_get_part (lesson, i));
  json_builder_end_array (builder);
  ls_json_begin_object (builder, "metadata");
  ls_json_begin_object (builder, "kernelspec");
  ls_json_put_text (builder, "display_name", "Python 3");
  ls_json_put_text (builder, "language", "python");
  ls_json_put_text (builder, "name", "python3");
  json_builder_end_object (builder);
  if (front != NULL)
    {
      ls_json_begin_object (builder, "loopscope");
      ls_json_put_text (builder, "front", front);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  ls_json_put_int (builder, "nbformat", 4);
  ls_json_put_int (builder, "nbformat_minor", 5);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
