/* A notebook of Jupyter (.ipynb, format 4) as a lesson's text.
 *
 * A cell of code becomes a fence of the course's kind, so that its outputs are shown and not compared; what a notebook that was
 * made here remembers of its fences (metadata.loopscope) becomes those fences again.
 */
#include "app/lesson/notebook.h"

#include "app/lesson/lesson-private.h"
#include "engine/base/json.h"

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

static JsonObject *
object_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
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
  else if (ls_json_text (object, name) != NULL)
    g_string_append (text, ls_json_text (object, name));
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
  const char *kind = ls_json_text (cell, "cell_type");
  JsonObject *metadata = object_of (json_object_get_member (cell, "metadata"));
  JsonObject *ours = metadata != NULL ? object_of (json_object_get_member (metadata, "loopscope")) : NULL;
  const char *fence = ls_json_text (ours, "fence"), *raw = ls_json_text (ours, "raw");
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
      else if (ls_json_text (ours, "output") != NULL)
        g_string_append_printf (out, "%s\n\n", ls_json_text (ours, "output"));
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
  front = ls_json_text (ours, "front");
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
