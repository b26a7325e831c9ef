/* graph-command: the words that a person says to a graph under the debugger, the same in a terminal, a file of commands and the window. */
#include "engine/debug/debug-private.h"

#include <string.h>

#define MOST_GRID 32

static LsGraphValue *
value_at (LsDebugGraph *self,
          guint         number)
{
  return self->values->pdata[number];
}

/* ---- a tensor as a grid ---------------------------------------------------------------------- */

/* As ls_debug_grid() tells a buffer: all of it is there. */
GVariant *
ls_debug_value_grid (const LsGraphValue *value,
                     const gint64       *at,
                     gint64              row,
                     gint64              column)
{
  gint64 n_columns = value->ndim > 0 ? value->shape[value->ndim - 1] : 1, n_rows = value->ndim > 1 ? value->shape[value->ndim - 2] : 1, base = 0;
  gint64 rows, columns, step = n_rows * n_columns;
  GVariantBuilder values, written, shape, slice;
  GVariantDict dict;

  g_variant_builder_init (&values, G_VARIANT_TYPE ("ad"));
  g_variant_builder_init (&written, G_VARIANT_TYPE ("ab"));
  g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
  g_variant_builder_init (&slice, G_VARIANT_TYPE ("ax"));
  for (guint d = 0; d < value->ndim; d++)
    g_variant_builder_add (&shape, "x", value->shape[d]);
  for (guint d = value->ndim > 2 ? value->ndim - 2 : 0; d-- > 0;)
    {
      base += CLAMP (at[d], 0, MAX (value->shape[d] - 1, 0)) * step;
      step *= value->shape[d];
    }
  for (guint d = 0; d + 2 < value->ndim; d++)
    g_variant_builder_add (&slice, "x", CLAMP (at[d], 0, MAX (value->shape[d] - 1, 0)));
  row = CLAMP (row, 0, MAX (n_rows - 1, 0));
  column = CLAMP (column, 0, MAX (n_columns - 1, 0));
  rows = value->n > 0 ? MIN (MOST_GRID, n_rows - row) : 0;
  columns = value->n > 0 ? MIN (MOST_GRID, n_columns - column) : 0;
  for (gint64 r = 0; r < rows; r++)
    for (gint64 c = 0; c < columns; c++)
      {
        gint64 i = base + (row + r) * n_columns + column + c;

        g_variant_builder_add (&values, "d", ls_interp_load (value->dtype, value->data + i * ls_dtype_bytes (value->dtype)));
        g_variant_builder_add (&written, "b", TRUE);
      }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "buffer", "s", value->name);
  g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (value->dtype));
  g_variant_dict_insert_value (&dict, "shape", g_variant_builder_end (&shape));
  g_variant_dict_insert_value (&dict, "slice", g_variant_builder_end (&slice));
  g_variant_dict_insert (&dict, "row", "x", row);
  g_variant_dict_insert (&dict, "column", "x", column);
  g_variant_dict_insert (&dict, "given", "b", TRUE);
  g_variant_dict_insert (&dict, "rows", "u", (guint) rows);
  g_variant_dict_insert (&dict, "columns", "u", (guint) columns);
  g_variant_dict_insert_value (&dict, "values", g_variant_builder_end (&values));
  g_variant_dict_insert_value (&dict, "written", g_variant_builder_end (&written));
  if (value->least <= value->most)
    {
      g_variant_dict_insert (&dict, "least", "d", value->least);
      g_variant_dict_insert (&dict, "most", "d", value->most);
    }
  g_variant_dict_insert (&dict, "not-finite", "x", value->n_nan + value->n_infinite);
  g_variant_dict_insert (&dict, "n-written", "x", value->n);
  g_variant_dict_insert (&dict, "n", "x", value->n);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* ---- commands -------------------------------------------------------------------------------------- */

static void
put_place (LsDebugGraph *self,
           GVariantDict *dict)
{
  g_variant_dict_insert (dict, "of", "u", self->values->len);
  g_variant_dict_insert (dict, "has-function", "b", value_at (self, self->at)->func != NULL);
}

static GVariant *
where (LsDebugGraph *self,
       const char   *pattern)
{
  g_autoptr (GVariant) look = ls_debug_graph_look (self, self->at);
  GVariantDict dict;

  g_variant_dict_init (&dict, look);
  put_place (self, &dict);
  if (pattern != NULL)
    g_variant_dict_insert (&dict, "stopped-for", "s", pattern);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* Does a pattern name the operator or the binding? "relax.nn.*", "softmax", "lv?" */
static gboolean
matches (const LsGraphValue *value,
         const char         *pattern)
{
  const char *plain = g_str_has_prefix (value->op, "relax.") ? value->op + strlen ("relax.") : value->op;
  const char *last = strrchr (value->op, '.');

  if (strcmp (pattern, "nan") == 0)
    return value->n_nan + value->n_infinite > 0;
  return g_pattern_match_simple (pattern, value->op) || g_pattern_match_simple (pattern, plain) || (last != NULL && g_pattern_match_simple (pattern, last + 1))
         || g_pattern_match_simple (pattern, value->name);
}

static GVariant *
seek (LsDebugGraph *self,
      int           way)
{
  for (gint64 i = (gint64) self->at + way; i >= 0 && i < self->values->len; i += way)
    for (guint s = 0; s < self->stops->len; s++)
      if (matches (value_at (self, (guint) i), self->stops->pdata[s]))
        {
          self->at = (guint) i;
          return where (self, self->stops->pdata[s]);
        }
  self->at = way > 0 ? self->values->len - 1 : 0;
  return where (self, NULL);
}

static GVariant *
add_stop (LsDebugGraph *self,
          const char   *pattern,
          GError      **error)
{
  gboolean any = strcmp (pattern, "nan") == 0;

  for (guint i = 0; !any && i < self->values->len; i++)
    any = matches (value_at (self, i), pattern);
  if (*pattern == '\0' || !any)
    return ls_debug_refuse (error, ls_translate ("No binding and no operator is named %s; * and ? stand for any letters, nan for values with a NaN."), pattern);
  g_ptr_array_add (self->stops, g_strdup (pattern));
  return ls_debug_stops_tell (self->stops);
}

static GVariant *
go_to (LsDebugGraph *self,
       const char   *rest,
       GError      **error)
{
  char *end = NULL;
  guint64 n = g_ascii_strtoull (rest, &end, 10);

  if (end != rest && *end == '\0' && n < self->values->len)
    self->at = (guint) n;
  else
    {
      guint to = 0;

      while (to < self->values->len && strcmp (value_at (self, to)->name, rest) != 0)
        to++;
      if (to == self->values->len)
        return ls_debug_refuse (error, ls_translate ("There is no binding %s."), rest);
      self->at = to;
    }
  return where (self, NULL);
}

gboolean
ls_debug_grid_place (const char  *words,
                     gint64      *at,
                     gint64      *from,
                     GError     **error)
{
  g_autoptr (GRegex) regex = g_regex_new ("^(?:\\[?([-0-9, ]*?)\\]?)(?:\\s+(\\d+)\\s+(\\d+))?$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, words, 0, &match))
    {
      ls_debug_refuse (error, ls_translate ("The indices before its last two are expected in brackets, then a row and a column."));
      return FALSE;
    }
  {
    g_autofree char *slice = g_match_info_fetch (match, 1);
    g_auto (GStrv) parts = g_strsplit (slice != NULL ? slice : "", ",", 17);

    for (guint i = 0; parts[i] != NULL && i < 16; i++)
      at[i] = g_ascii_strtoll (parts[i], NULL, 10);
  }
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *number = g_match_info_fetch (match, 2 + i);

      from[i] = number != NULL ? g_ascii_strtoll (number, NULL, 10) : 0;
    }
  return TRUE;
}

static GVariant *
tell_grid (LsDebugGraph *self,
           const char   *rest,
           GError      **error)
{
  const LsGraphValue *value = value_at (self, self->at);
  gint64 at[16] = { 0 }, from[2] = { 0, 0 };

  if (value->trouble != NULL)
    return ls_debug_refuse (error, "%s: %s", value->name, value->trouble);
  return ls_debug_grid_place (rest, at, from, error) ? ls_debug_value_grid (value, at, from[0], from[1]) : NULL;
}

static GVariant *
tell_list (LsDebugGraph *self)
{
  GVariantBuilder list;
  GVariantDict dict;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->values->len; i++)
    {
      g_autoptr (GVariant) look = ls_debug_graph_look (self, i);

      g_variant_builder_add_value (&list, look);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "bindings", g_variant_builder_end (&list));
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* The first NaN, where the graph then stands. */
static GVariant *
find_nan (LsDebugGraph *self)
{
  int number = ls_debug_graph_first_odd (self);
  GVariantDict dict;

  if (number >= 0)
    {
      g_autoptr (GVariant) answer = ls_debug_graph_nan (self);

      self->at = (guint) number;
      g_variant_dict_init (&dict, answer);
      put_place (self, &dict);
      return g_variant_ref_sink (g_variant_dict_end (&dict));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "none", "b", TRUE);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

GVariant *
ls_debug_graph_command (LsDebugGraph *self,
                        const char   *line,
                        GError      **error)
{
  g_autofree char *copy = g_strstrip (g_strdup (line));
  gsize length = strcspn (copy, " \t");
  g_autofree char *name = g_strndup (copy, length);
  const char *rest = copy + length + strspn (copy + length, " \t");

  if (self->values->len == 0)
    return ls_debug_refuse (error, ls_translate ("The function binds nothing."));
  if (strcmp (name, "step") == 0)
    self->at = MIN (self->at + 1, self->values->len - 1);
  else if (strcmp (name, "back") == 0)
    self->at -= self->at > 0;
  else if (strcmp (name, "start") == 0)
    self->at = 0;
  else if (strcmp (name, "end") == 0)
    self->at = self->values->len - 1;
  else if (strcmp (name, "continue") == 0 || strcmp (name, "back-continue") == 0)
    return seek (self, *name == 'c' ? 1 : -1);
  else if (strcmp (name, "goto") == 0)
    return go_to (self, rest, error);
  else if (strcmp (name, "break") == 0)
    return add_stop (self, rest, error);
  else if (strcmp (name, "breaks") == 0)
    return ls_debug_stops_tell (self->stops);
  else if (strcmp (name, "delete") == 0)
    return ls_debug_stops_remove (self->stops, rest, error);
  else if (strcmp (name, "grid") == 0)
    return tell_grid (self, rest, error);
  else if (strcmp (name, "list") == 0)
    return tell_list (self);
  else if (strcmp (name, "nan") == 0)
    return find_nan (self);
  else if (strcmp (name, "where") != 0)
    return ls_debug_refuse (error, ls_translate ("step, back, start, end, goto BINDING, continue, back-continue, break OPERATOR, breaks, delete, grid, list, nan or where is "
                                        "expected, not \"%s\"."), name);
  return where (self, NULL);
}
