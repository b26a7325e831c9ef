/* pt2/json: the JSON of an archive, and what it says of types in numbers. */
#include "engine/frontend/frontend-private.h"
#include "engine/base/json.h"
#include "engine/frontend/pt2/pt2-private.h"

#include <string.h>

typedef LsPt2Reader Reader;

gboolean
ls_pt2_fail (Reader     *self,
             const char *format,
             ...)
{
  va_list args;

  va_start (args, format);
  ls_fx_fail_file (self->error, self->name, format, args);
  va_end (args);
  return FALSE;
}

static const char *const FLOATS[][2] = { { "-Infinity", "-inf" }, { "Infinity", "inf" }, { "NaN", "nan" } };       /* Python's JSON, ours */

const char *
ls_pt2_odd_float (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (FLOATS); i++)
    if (strcmp (text, FLOATS[i][0]) == 0)
      return FLOATS[i][1];
  return NULL;
}

/* The text with what Python's JSON has beyond JSON's numbers (-Infinity, NaN), outside of texts, as texts. (transfer full) */
static char *
with_quoted_floats (const char *data,
                    gsize       n)
{
  g_autofree char *text = g_strndup (data, n);
  GString *out = g_string_sized_new (n + 64);
  gboolean inside = FALSE;

  for (const char *at = text; *at != '\0';)
    {
      guint i = G_N_ELEMENTS (FLOATS);

      for (guint k = 0; !inside && (*at == '-' || *at == 'I' || *at == 'N') && k < i; k++)
        i = g_str_has_prefix (at, FLOATS[k][0]) ? k : i;
      if (i < G_N_ELEMENTS (FLOATS))
        {
          g_string_append_printf (out, "\"%s\"", FLOATS[i][0]);
          at += strlen (FLOATS[i][0]);
          continue;
        }
      if (inside && *at == '\\' && at[1] != '\0')
        g_string_append_c (out, *at++);
      else if (*at == '"')
        inside = !inside;
      g_string_append_c (out, *at++);
    }
  return g_string_free (out, FALSE);
}

/* The JSON of a member of the archive; NULL: said. (transfer full) */
JsonParser *
ls_pt2_read_json (Reader     *self,
                  const char *path)
{
  g_autoptr (GBytes) bytes = ls_zip_read (self->zip, path, self->error);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) reason = NULL;
  g_autofree char *text = NULL;
  gsize n = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &n) : NULL;

  if (bytes == NULL)
    return NULL;
  text = with_quoted_floats (data != NULL ? data : "", n);
  if (!ls_fx_json_load (parser, text, strlen (text), &reason) || json_parser_get_root (parser) == NULL || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    {
      ls_pt2_fail (self, LS_TEXT ("%s is no JSON object%s%s"), path, reason != NULL ? ": " : "", reason != NULL ? reason->message : "");
      return NULL;
    }
  return g_steal_pointer (&parser);
}

/* What a file says of a type: the number, or its name as earlier ones do; 0: neither. */
gint64
ls_pt2_dtype_of (JsonNode *node)
{
  static const char *const NAMES[] = { "UNKNOWN", "BYTE", "CHAR", "SHORT", "INT", "LONG", "HALF", "FLOAT", "DOUBLE", "COMPLEXHALF", "COMPLEXFLOAT", "COMPLEXDOUBLE", "BOOL", "BFLOAT16" };
  gint64 number = 0;

  if (ls_pt2_int_of (node, &number))
    return number;
  for (guint i = 0; node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING && i < G_N_ELEMENTS (NAMES); i++)
    if (strcmp (NAMES[i], json_node_get_string (node)) == 0)
      return i;
  return 0;
}

/* Extents of a list of SymInt. FALSE: one is no number. */
gboolean
ls_pt2_read_ints (JsonArray *list,
                  GArray    *values)
{
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *one = ls_pt2_object_at (list, i);
      gint64 value;

      if (!ls_pt2_int_of (one != NULL ? json_object_get_member (one, "as_int") : json_array_get_element (list, i), &value))
        return FALSE;
      g_array_append_val (values, value);
    }
  return list != NULL;
}
