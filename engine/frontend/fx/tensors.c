/* fx/tensors: the safetensors file of a model.
 *
 * 8 bytes little endian give the length of a JSON header {name: {dtype, shape, data_offsets: [begin, end]}}, offsets count from
 * its end.  Everything that the header says is checked against the file before it is used.
 */
#include "engine/frontend/fx/fx-private.h"

#include <string.h>

static const struct { const char *name, *dtype; } DTYPES[] = {
  { "F32", "float32" }, { "F64", "float64" }, { "F16", "float16" }, { "BF16", "bfloat16" }, { "I64", "int64" }, { "I32", "int32" },
  { "I16", "int16" }, { "I8", "int8" }, { "U8", "uint8" }, { "BOOL", "bool" },
};

static gboolean
parse_dtype (const char *name,
             LsDType    *out)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (DTYPES); i++)
    if (strcmp (DTYPES[i].name, name) == 0)
      return ls_dtype_parse (DTYPES[i].dtype, out);
  return FALSE;
}

static JsonNode *
typed (JsonObject  *object,
       const char  *name,
       JsonNodeType type)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_TYPE (node) == type ? node : NULL;
}

static gboolean
is_number (JsonArray *array,
           guint      i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64 && json_node_get_int (node) >= 0;
}

static LsTensor *
read_one (JsonNode *node,
          GBytes   *data)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *dtype_node = object != NULL ? typed (object, "dtype", JSON_NODE_VALUE) : NULL;
  JsonNode *shape_node = object != NULL ? typed (object, "shape", JSON_NODE_ARRAY) : NULL;
  JsonNode *place_node = object != NULL ? typed (object, "data_offsets", JSON_NODE_ARRAY) : NULL;
  g_autoptr (LsArray) shape = ls_array_empty ();
  gint64 bytes, begin, end;
  JsonArray *extents;
  LsDType dtype;

  if (dtype_node == NULL || shape_node == NULL || place_node == NULL || !parse_dtype (json_node_get_string (dtype_node), &dtype))
    return NULL;
  bytes = ls_dtype_bytes (dtype);
  extents = json_node_get_array (shape_node);
  for (guint i = 0; i < json_array_get_length (extents); i++)
    {
      g_autoptr (LsExpr) extent = NULL;

      if (!is_number (extents, i) || __builtin_mul_overflow (bytes, json_array_get_int_element (extents, i), &bytes))
        return NULL;
      extent = ls_int_imm_new (LS_INT64, json_array_get_int_element (extents, i));
      ls_take (&shape, ls_array_append (shape, extent));
    }
  extents = json_node_get_array (place_node);
  if (json_array_get_length (extents) != 2 || !is_number (extents, 0) || !is_number (extents, 1))
    return NULL;
  begin = json_array_get_int_element (extents, 0);
  end = json_array_get_int_element (extents, 1);
  if (end < begin || end - begin != bytes || (guint64) end > g_bytes_get_size (data))
    return NULL;
  return ls_tensor_new (dtype, g_steal_pointer (&shape), g_bytes_new_from_bytes (data, (gsize) begin, (gsize) bytes));
}

GHashTable *
ls_fx_tensors_read (const char *path,
                    GError    **error)
{
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) reason = NULL;
  g_autoptr (GBytes) all = NULL, data = NULL;
  g_autoptr (GList) names = NULL;
  char *text;
  gsize length;
  guint64 header;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  all = g_bytes_new_take (text, length);
  if (length < 8 || (memcpy (&header, text, 8), header = GUINT64_FROM_LE (header)) > length - 8)
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, "%s: a safetensors file is expected; it ends inside its header", path);
      return NULL;
    }
  if (!ls_fx_json_load (parser, text + 8, header, &reason) || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, "%s: a JSON object is expected behind the length of the header%s%s", path,
                   reason != NULL ? "; " : "", reason != NULL ? reason->message : "");
      return NULL;
    }
  data = g_bytes_new_from_bytes (all, 8 + (gsize) header, length - 8 - (gsize) header);
  names = json_object_get_members (json_node_get_object (json_parser_get_root (parser)));
  for (GList *l = names; l != NULL; l = l->next)
    {
      LsTensor *tensor;

      if (strcmp (l->data, "__metadata__") == 0)
        continue;
      tensor = read_one (json_object_get_member (json_node_get_object (json_parser_get_root (parser)), l->data), data);
      if (tensor == NULL)
        {
          g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE,
                       "%s: tensor \"%s\": a known dtype, a shape and data_offsets of that size inside the file are expected", path, (char *) l->data);
          return NULL;
        }
      g_hash_table_insert (tensors, g_strdup (l->data), tensor);
    }
  return g_steal_pointer (&tensors);
}
