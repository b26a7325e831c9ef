/* migrate-file: lines that are no Python are taken out, each with a remark in its place, and are put back afterwards. */
#include "app/cli/migrate-file.h"

#include "engine/base/base.h"

#include <gio/gio.h>
#include <string.h>

#define REMARK "#@kept:"

void
ls_migrate_file_clear (LsMigrateFile *self)
{
  g_clear_pointer (&self->notebook, json_node_unref);
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_array_unref);
  g_clear_pointer (&self->python, g_free);
}

/* A line with its end, that is no Python. */
static void
keep (LsMigrateFile *self,
      GString       *python,
      const char    *line,
      gsize          length)
{
  gboolean ended = length > 0 && line[length - 1] == '\n';

  g_string_append_printf (python, "%.*s" REMARK "%u%s", (int) strspn (line, " \t"), line, self->kept->len, ended ? "\n" : "");
  g_ptr_array_add (self->kept, g_strndup (line + strspn (line, " \t"), length - strspn (line, " \t") - ended));
}

/* A remark of the file's own that looks like one of ours: it is kept as well, so that putting back meets ours alone. */
static gboolean
is_remark (const char *line)
{
  return strncmp (line + strspn (line, " \t"), REMARK, strlen (REMARK)) == 0;
}

static gsize
line_length (const char *line)
{
  const char *end = strchr (line, '\n');

  return end != NULL ? (gsize) (end - line) + 1 : strlen (line);
}

static void
read_script (LsMigrateFile *self,
             GString       *python,
             const char    *text)
{
  while (*text != '\0')
    {
      gsize length = line_length (text);

      if (is_remark (text))
        keep (self, python, text, length);
      else
        g_string_append_len (python, text, (gssize) length);
      text += length;
    }
}

static void
read_markdown (LsMigrateFile *self,
               GString       *python,
               const char    *text)
{
  gboolean fenced = FALSE, code = FALSE;

  while (*text != '\0')
    {
      gsize length = line_length (text);
      const char *word = text + strspn (text, " \t");
      gboolean fence = strncmp (word, "```", 3) == 0 || strncmp (word, "~~~", 3) == 0;

      if (fence)
        {
          fenced = !fenced;
          word += strspn (word, "`~{. ");
          code = fenced && (strncmp (word, "python", 6) == 0 || strncmp (word, "py\n", 3) == 0 || strncmp (word, "py ", 3) == 0);
        }
      if (code && !fence && !is_remark (text))
        g_string_append_len (python, text, (gssize) length);
      else
        keep (self, python, text, length);
      text += length;
    }
}

/* Lines of IPython alone: %matplotlib inline, !pip install, name?. */
static gboolean
is_magic (const char *line,
          gsize       length)
{
  const char *word = line + strspn (line, " \t");

  while (length > 0 && g_ascii_isspace (line[length - 1]))
    length--;
  return *word == '%' || *word == '!' || (length > 0 && line[length - 1] == '?' && *word != '#');
}

static void
read_cell (LsMigrateFile *self,
           GString       *python,
           const char    *source)
{
  gboolean foreign = g_str_has_prefix (source, "%%") && !g_str_has_prefix (source, "%%time") && !g_str_has_prefix (source, "%%capture");

  while (*source != '\0')
    {
      gsize length = line_length (source);

      if (foreign || is_magic (source, length) || is_remark (source))
        keep (self, python, source, length);
      else
        g_string_append_len (python, source, (gssize) length);
      source += length;
    }
}

/* The text of a cell, which is a list of lines or one text. (transfer full) */
static char *
source_of (JsonNode *source)
{
  GString *text = g_string_new (NULL);

  if (source != NULL && JSON_NODE_HOLDS_ARRAY (source))
    for (guint i = 0; i < json_array_get_length (json_node_get_array (source)); i++)
      {
        JsonNode *line = json_array_get_element (json_node_get_array (source), i);

        if (JSON_NODE_HOLDS_VALUE (line) && json_node_get_value_type (line) == G_TYPE_STRING)
          g_string_append (text, json_node_get_string (line));
      }
  else if (source != NULL && JSON_NODE_HOLDS_VALUE (source) && json_node_get_value_type (source) == G_TYPE_STRING)
    g_string_append (text, json_node_get_string (source));
  return g_string_free (text, FALSE);
}

/* The code cells of a notebook, in order; NULL: it is none. (transfer container) */
static GPtrArray *
code_cells (JsonNode *notebook)
{
  JsonObject *top = notebook != NULL && JSON_NODE_HOLDS_OBJECT (notebook) ? json_node_get_object (notebook) : NULL;
  JsonNode *cells = top != NULL ? json_object_get_member (top, "cells") : NULL;
  GPtrArray *found;

  if (cells == NULL || !JSON_NODE_HOLDS_ARRAY (cells))
    return NULL;
  found = g_ptr_array_new ();
  for (guint i = 0; i < json_array_get_length (json_node_get_array (cells)); i++)
    {
      JsonNode *cell = json_array_get_element (json_node_get_array (cells), i);

      if (JSON_NODE_HOLDS_OBJECT (cell) && g_strcmp0 (json_object_get_string_member_with_default (json_node_get_object (cell), "cell_type", ""), "code") == 0)
        g_ptr_array_add (found, json_node_get_object (cell));
    }
  return found;
}

static gboolean
read_notebook (LsMigrateFile *self,
               GString       *python,
               const char    *text,
               GError       **error)
{
  g_autoptr (GPtrArray) cells = NULL;
  guint line = 1;

  if (!ls_json_is_flat (text))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "its JSON nests deeper than any notebook does");
      return FALSE;
    }
  self->notebook = json_from_string (text, error);
  cells = code_cells (self->notebook);
  if (cells == NULL)
    {
      if (error != NULL && *error == NULL)
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "this is no Jupyter notebook: an object with a list \"cells\" is expected");
      return FALSE;
    }
  for (guint i = 0; i < cells->len; i++)
    {
      g_autofree char *source = source_of (json_object_get_member (cells->pdata[i], "source"));
      gsize before = python->len;

      g_array_append_val (self->cells, line);
      read_cell (self, python, source);
      if (!g_str_has_suffix (source, "\n"))
        g_string_append_c (python, '\n');
      keep (self, python, "\n", 1);     /* the end of the cell */
      for (const char *c = python->str + before; *c != '\0'; c++)
        line += *c == '\n';
    }
  return TRUE;
}

gboolean
ls_migrate_file_read (LsMigrateFile *self,
                      const char    *name,
                      const char    *text,
                      GError       **error)
{
  g_autoptr (GString) python = g_string_new (NULL);

  *self = (LsMigrateFile) { .kept = g_ptr_array_new_with_free_func (g_free), .cells = g_array_new (FALSE, FALSE, sizeof (guint)) };
  if (g_str_has_suffix (name, ".ipynb"))
    {
      if (!read_notebook (self, python, text, error))
        return FALSE;
    }
  else if (g_str_has_suffix (name, ".md"))
    read_markdown (self, python, text);
  else
    read_script (self, python, text);
  self->python = g_string_free (g_steal_pointer (&python), FALSE);
  return TRUE;
}

/* `text` with the lines that were kept. (transfer full) */
static char *
put_back (LsMigrateFile *self,
          const char    *text)
{
  GString *whole = g_string_new (NULL);

  while (*text != '\0')
    {
      gsize length = line_length (text);
      const char *word = text + strspn (text, " \t");

      if (strncmp (word, REMARK, strlen (REMARK)) == 0)
        {
          g_string_append_len (whole, text, word - text);
          g_string_append (whole, g_ptr_array_index (self->kept, (guint) g_ascii_strtoull (word + strlen (REMARK), NULL, 10)));
          if (text[length - 1] == '\n')
            g_string_append_c (whole, '\n');
        }
      else
        g_string_append_len (whole, text, (gssize) length);
      text += length;
    }
  return g_string_free (whole, FALSE);
}

/* JSON as notebooks have it: one blank more a level, and nothing before a colon. */
static void
put_json (GString  *out,
          JsonNode *node,
          guint     depth)
{
  gboolean list = JSON_NODE_HOLDS_ARRAY (node);
  g_autoptr (GList) names = JSON_NODE_HOLDS_OBJECT (node) ? json_object_get_members (json_node_get_object (node)) : NULL;
  guint n = list ? json_array_get_length (json_node_get_array (node)) : g_list_length (names);
  GList *name = names;

  if (!list && !JSON_NODE_HOLDS_OBJECT (node))
    {
      g_autofree char *text = json_to_string (node, FALSE);

      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, list ? '[' : '{');
  for (guint i = 0; i < n; i++, name = name != NULL ? name->next : NULL)
    {
      g_string_append_printf (out, "%s\n%*s", i > 0 ? "," : "", (int) depth + 1, "");
      if (list)
        put_json (out, json_array_get_element (json_node_get_array (node), i), depth + 1);
      else
        {
          g_autoptr (JsonNode) key = json_node_new (JSON_NODE_VALUE);
          g_autofree char *text = NULL;

          json_node_set_string (key, name->data);
          text = json_to_string (key, FALSE);
          g_string_append_printf (out, "%s: ", text);
          put_json (out, json_object_get_member (json_node_get_object (node), name->data), depth + 1);
        }
    }
  if (n > 0)
    g_string_append_printf (out, "\n%*s", (int) depth, "");
  g_string_append_c (out, list ? ']' : '}');
}

/* A cell's new text, in the form that the old one had. */
static void
set_source (JsonObject *cell,
            const char *text)
{
  JsonNode *old = json_object_get_member (cell, "source");
  JsonArray *lines;

  if (old == NULL || !JSON_NODE_HOLDS_ARRAY (old))
    {
      json_object_set_string_member (cell, "source", text);
      return;
    }
  lines = json_array_new ();
  while (*text != '\0')
    {
      gsize length = line_length (text);
      g_autofree char *line = g_strndup (text, length);

      json_array_add_string_element (lines, line);
      text += length;
    }
  json_object_set_array_member (cell, "source", lines);
}

static char *
write_notebook (LsMigrateFile *self,
                const char    *python)
{
  g_autoptr (GPtrArray) cells = code_cells (self->notebook);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < cells->len; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *old = source_of (json_object_get_member (cells->pdata[i], "source"));
      g_autofree char *now = NULL;

      /* up to the remark that ends the cell: its line is empty */
      while (*python != '\0')
        {
          gsize length = line_length (python);
          gboolean ends = strncmp (python, REMARK, strlen (REMARK)) == 0 &&
                          *(const char *) g_ptr_array_index (self->kept, (guint) g_ascii_strtoull (python + strlen (REMARK), NULL, 10)) == '\0';

          if (!ends)
            g_string_append_len (text, python, (gssize) length);
          python += length;
          if (ends)
            break;
        }
      if (!g_str_has_suffix (old, "\n") && text->len > 0)
        g_string_truncate (text, text->len - 1);
      now = put_back (self, text->str);
      if (strcmp (now, old) != 0)
        set_source (cells->pdata[i], now);
    }
  put_json (out, self->notebook, 0);
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}

char *
ls_migrate_file_write (LsMigrateFile *self,
                       const char    *python)
{
  return self->notebook != NULL ? write_notebook (self, python) : put_back (self, python);
}

guint
ls_migrate_file_place (LsMigrateFile *self,
                       guint         *line)
{
  guint cell = 0;

  while (cell < self->cells->len && g_array_index (self->cells, guint, cell) <= *line)
    cell++;
  if (cell > 0)
    *line -= g_array_index (self->cells, guint, cell - 1) - 1;
  return cell;
}
