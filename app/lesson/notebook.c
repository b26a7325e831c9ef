/* A notebook of Jupyter (.ipynb, format 4) as a lesson's text, and a lesson as a notebook.
 *
 * Read: a cell of code becomes a fence of the course's kind, so that its outputs are shown and not compared; what a notebook that was
 * made here remembers of its fences (metadata.loopscope) becomes those fences again.  Written: text and code as they are, what was
 * recorded as outputs, questions with their answers folded; notes, hints and solutions stay here.
 */
#include "app/lesson/notebook.h"

#include "app/lesson/lesson-private.h"

#include <json-glib/json-glib.h>
#include <string.h>

gboolean
ls_notebook_is (const char *text)
{
  const char *at = text + strspn (text, " \t\r\n");

  if (g_str_has_prefix (at, "\xef\xbb\xbf"))
    at += 3 + strspn (at + 3, " \t\r\n");
  return *at == '{' && strstr (at, "\"cells\"") != NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

static JsonObject *
object_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static const char *
string_of (JsonObject *object,
           const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

/* A text that is one string or a list of lines. (transfer full) */
static char *
text_of (JsonObject *object,
         const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;
  GString *text = g_string_new (NULL);

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
      {
        JsonNode *line = json_array_get_element (json_node_get_array (node), i);

        if (JSON_NODE_HOLDS_VALUE (line) && json_node_get_value_type (line) == G_TYPE_STRING)
          g_string_append (text, json_node_get_string (line));
      }
  else if (string_of (object, name) != NULL)
    g_string_append (text, string_of (object, name));
  return g_string_free (text, FALSE);
}

/* More backticks than any line of the text begins with. (transfer full) */
static char *
fence_for (const char *text)
{
  gsize most = 2;

  for (const char *at = text; at != NULL; at = strchr (at, '\n') != NULL ? strchr (at, '\n') + 1 : NULL)
    most = MAX (most, strspn (at + strspn (at, " "), "`"));
  return g_strnfill (most + 1, '`');
}

static void
put_fence (GString    *out,
           const char *info,
           const char *text)
{
  g_autofree char *fence = fence_for (text);

  g_string_append_printf (out, "%s%s%s\n%s%s%s\n\n", out->len > 0 ? "\n" : "", fence, info, text,
                          *text != 0 && !g_str_has_suffix (text, "\n") ? "\n" : "", fence);
}

static void
put_outputs (GString    *out,
             JsonObject *cell)
{
  JsonNode *node = json_object_get_member (cell, "outputs");
  JsonArray *outputs = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autoptr (GString) shown = g_string_new (NULL);

  for (guint i = 0; outputs != NULL && i < json_array_get_length (outputs); i++)
    {
      JsonObject *output = object_of (json_array_get_element (outputs, i));
      JsonObject *data = output != NULL ? object_of (json_object_get_member (output, "data")) : NULL;
      g_autofree char *text = data != NULL ? text_of (data, "text/plain") : text_of (output, "text");

      g_string_append (shown, text);
      if (*text != 0 && !g_str_has_suffix (text, "\n"))
        g_string_append_c (shown, '\n');
    }
  if (shown->len > 0)
    put_fence (out, "{.python .output}", shown->str);
}

/* One line, as it may stand behind a fence. */
static gboolean
is_fence_info (const char *info)
{
  return info != NULL && *info != 0 && strpbrk (info, "\n\r`") == NULL;
}

static void
put_cell (GString    *out,
          JsonObject *cell,
          gboolean    own)
{
  const char *kind = string_of (cell, "cell_type");
  JsonObject *metadata = object_of (json_object_get_member (cell, "metadata"));
  JsonObject *ours = metadata != NULL ? object_of (json_object_get_member (metadata, "loopscope")) : NULL;
  const char *fence = string_of (ours, "fence"), *raw = string_of (ours, "raw");
  g_autofree char *source = text_of (cell, "source");

  if (own && raw != NULL)
    g_string_append_printf (out, "\n%s\n\n", raw);
  else if (own && ours != NULL && json_object_has_member (ours, "made"))
    return;
  else if (g_strcmp0 (kind, "code") == 0)
    {
      put_fence (out, own ? (is_fence_info (fence) ? fence : "python") : "{.python .input}", source);
      if (!own)
        put_outputs (out, cell);
      else if (string_of (ours, "output") != NULL)
        g_string_append_printf (out, "%s\n\n", string_of (ours, "output"));
    }
  else if (g_strcmp0 (kind, "markdown") == 0)
    g_string_append_printf (out, "\n%s\n\n", source);
  else
    put_fence (out, "text", source);
}

char *
ls_notebook_to_lesson (const char  *text,
                       GError     **error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  JsonObject *top, *metadata, *ours;
  JsonNode *cells;
  const char *front;

  if (!ls_json_is_flat (text))
    {
      g_set_error_literal (error, LS_LESSON_ERROR, LS_LESSON_ERROR_READ, ls_translate ("The JSON of the notebook nests deeper than that of any notebook."));
      return NULL;
    }
  root = json_from_string (text, &problem);
  top = object_of (root);
  cells = top != NULL ? json_object_get_member (top, "cells") : NULL;
  if (cells == NULL || !JSON_NODE_HOLDS_ARRAY (cells))
    {
      g_set_error (error, LS_LESSON_ERROR, LS_LESSON_ERROR_READ, ls_translate ("This notebook cannot be read: %s"),
                   problem != NULL ? problem->message : ls_translate ("it has no list of cells"));
      return NULL;
    }
  metadata = object_of (json_object_get_member (top, "metadata"));
  ours = metadata != NULL ? object_of (json_object_get_member (metadata, "loopscope")) : NULL;
  front = string_of (ours, "front");
  if (front != NULL && !g_str_has_prefix (front, "---\n"))
    front = NULL;
  g_string_append_printf (out, "%s\n", front != NULL ? front : "<!-- notebook -->");
  for (guint i = 0; i < json_array_get_length (json_node_get_array (cells)); i++)
    {
      JsonObject *cell = object_of (json_array_get_element (json_node_get_array (cells), i));

      if (cell != NULL)
        put_cell (out, cell, front != NULL);
    }
  return g_strdup (out->str);
}

/* ---- writing ------------------------------------------------------------------------------- */

typedef struct {
  LsLesson      *lesson;
  char         **lines;
  guint          n_lines;
  LsNotebookFunc outputs;
  gpointer       data;
  JsonBuilder   *builder;
  guint          n;
} Writing;

static void
add (JsonBuilder *builder,
     const char  *name,
     const char  *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

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
  add (self->builder, "cell_type", kind);
  add (self->builder, "id", id);
  add (self->builder, "source", trimmed);
  if (strcmp (kind, "code") == 0)
    {
      json_builder_set_member_name (self->builder, "execution_count");
      json_builder_add_null_value (self->builder);
    }
  json_builder_set_member_name (self->builder, "metadata");
  json_builder_begin_object (self->builder);
  json_builder_set_member_name (self->builder, "loopscope");
  json_builder_begin_object (self->builder);
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

  json_builder_set_member_name (self->builder, "outputs");
  json_builder_begin_array (self->builder);
  if (text != NULL && *text != 0)
    {
      json_builder_begin_object (self->builder);
      add (self->builder, "output_type", "stream");
      add (self->builder, "name", "stdout");
      add (self->builder, "text", text);
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
  add (self->builder, "fence", info);
  if (output != NULL)
    add (self->builder, "output", output + 1);
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
      json_builder_set_member_name (self->builder, "outputs");
      json_builder_begin_array (self->builder);
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
  add (self->builder, "raw", raw);
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
  json_builder_set_member_name (builder, "cells");
  json_builder_begin_array (builder);
  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    add_part (&self, ls_lesson_get_part (lesson, i));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "metadata");
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "kernelspec");
  json_builder_begin_object (builder);
  add (builder, "display_name", "Python 3");
  add (builder, "language", "python");
  add (builder, "name", "python3");
  json_builder_end_object (builder);
  if (front != NULL)
    {
      json_builder_set_member_name (builder, "loopscope");
      json_builder_begin_object (builder);
      add (builder, "front", front);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "nbformat");
  json_builder_add_int_value (builder, 4);
  json_builder_set_member_name (builder, "nbformat_minor");
  json_builder_add_int_value (builder, 5);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, TRUE);
}
