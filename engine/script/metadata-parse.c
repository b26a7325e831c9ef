/* metadata-parse: see metadata.h.  Whatever the text says is checked: numbers of nodes, sizes, types. */
#include "engine/script/metadata.h"
#include "engine/base/json.h"

#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define MAGIC G_GUINT64_CONSTANT (0xDD5E40F096B4A13F)
#define MAX_NESTING 32
#define MAX_RANK 32

typedef struct {
  JsonArray *nodes;
  JsonArray *arrays;
  GError   **error;
} Reader;

GQuark
ls_metadata_error_quark (void)
{
  return g_quark_from_static_string ("ls-metadata-error");
}

static gboolean
wrong (Reader     *self,
       const char *format,
       ...)
{
  va_list list;

  if (self->error != NULL && *self->error == NULL)
    {
      va_start (list, format);
      *self->error = g_error_new_valist (LS_METADATA_ERROR, 0, ls_translate (format), list);
      va_end (list);
    }
  return FALSE;
}

/* ---- JSON ------------------------------------------------------------------------------ */

static gint64
int_element (JsonArray *array,
             guint      i)
{
  JsonNode *node = array != NULL && i < json_array_get_length (array) ? json_array_get_element (array, i) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64 ? json_node_get_int (node) : -1;
}

static JsonObject *
node_at (Reader *self,
         gint64  i)
{
  JsonNode *node = i >= 0 && i < (gint64) json_array_get_length (self->nodes) ? json_array_get_element (self->nodes, (guint) i) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* ---- arrays -------------------------------------------------------------------------------- */

typedef struct { const guint8 *at; gsize left; gboolean fine; } Bytes;

static guint64
take_little (Bytes *self,
             guint  bytes)
{
  guint64 value = 0;

  if (!self->fine || self->left < bytes)
    {
      self->fine = FALSE;
      return 0;
    }
  for (guint i = 0; i < bytes; i++)
    value |= (guint64) self->at[i] << (8 * i);
  self->at += bytes;
  self->left -= bytes;
  return value;
}

static gboolean
multiply (guint64 *size,
          guint64  by)
{
  return !__builtin_mul_overflow (*size, by, size) && *size < G_MAXINT64;
}

static LsTensor *
parse_tensor (Reader *self,
              Bytes  *in,
              guint   number)
{
  g_autoptr (GPtrArray) extents = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint64 magic = take_little (in, 8), ndim, size, said;
  LsDType dtype;

  take_little (in, 8);
  take_little (in, 8);
  ndim = take_little (in, 4);
  dtype.code = (guint8) take_little (in, 1);
  dtype.bits = (guint8) take_little (in, 1);
  dtype.lanes = (guint16) take_little (in, 2);
  if (!in->fine || magic != MAGIC || ndim > MAX_RANK)
    {
      wrong (self, LS_TEXT ("Array %u of the metadata is no NDArray of TVM."), number);
      return NULL;
    }
  if (dtype.code > LS_TYPE_BFLOAT || dtype.code == LS_TYPE_HANDLE || dtype.lanes != 1 || dtype.bits == 0 || dtype.bits > 64)
    {
      wrong (self, LS_TEXT ("Array %u of the metadata has a type that is not supported."), number);
      return NULL;
    }
  size = ls_dtype_bytes (dtype);
  for (guint i = 0; i < ndim; i++)
    {
      guint64 extent = take_little (in, 8);

      if (!in->fine || extent > G_MAXINT64 || !multiply (&size, extent))
        {
          wrong (self, LS_TEXT ("Array %u of the metadata has no possible shape."), number);
          return NULL;
        }
      g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, (gint64) extent));
    }
  said = take_little (in, 8);
  if (!in->fine || said != size || in->left != size)
    {
      wrong (self, LS_TEXT ("Array %u of the metadata has %zu bytes of data; its shape and type need %" PRIu64 "."),
             number, in->left, size);
      return NULL;
    }
  return ls_tensor_new (dtype, ls_array_take_ptr_array (g_steal_pointer (&extents)), g_bytes_new (in->at, size));
}

static LsTensor *
tensor_at (Reader *self,
           guint   number)
{
  JsonNode *node = self->arrays != NULL && number < json_array_get_length (self->arrays) ? json_array_get_element (self->arrays, number) : NULL;
  const char *text = node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
  g_autofree guchar *bytes = NULL;
  Bytes in = { NULL, 0, TRUE };

  if (text == NULL)
    {
      wrong (self, LS_TEXT ("The metadata has no array %u."), number);
      return NULL;
    }
  bytes = text[0] != '\0' ? g_base64_decode (text, &in.left) : NULL;
  in.at = bytes;
  return parse_tensor (self, &in, number);
}

LsTensor *
ls_metadata_tensor (JsonArray *arrays,
                    guint      number,
                    GError   **error)
{
  g_autoptr (GError) own = NULL;
  Reader reader = { NULL, arrays, &own };
  LsTensor *tensor = tensor_at (&reader, number);

  if (tensor == NULL)
    g_propagate_error (error, g_steal_pointer (&own));
  return tensor;
}

/* ---- the graph -------------------------------------------------------------------------------- */

/* Appends what entry `i` of the list stands for. */
static gboolean
add_entry (Reader    *self,
           GPtrArray *out,
           gint64     i)
{
  JsonObject *node = node_at (self, i);
  const char *type = ls_json_text (node, "type_key"), *data;
  LsTensor *tensor;

  if (g_strcmp0 (type, "relax.expr.Constant") != 0)
    {
      g_ptr_array_add (out, NULL);
      return node != NULL || wrong (self, LS_TEXT ("The metadata has no node %" PRId64 "."), i);
    }
  data = ls_json_text (ls_json_object (node, "attrs"), "data");
  if (data == NULL || !g_ascii_isdigit (data[0]))
    return wrong (self, LS_TEXT ("A constant of the metadata has no data."));
  tensor = tensor_at (self, (guint) MIN (g_ascii_strtoull (data, NULL, 10), G_MAXUINT32));
  if (tensor == NULL)
    return FALSE;
  g_ptr_array_add (out, ls_constant_new (tensor));
  return TRUE;
}

static gboolean
add_constants (Reader     *self,
               JsonObject *map,
               GPtrArray  *out)
{
  JsonArray *keys = ls_json_array (map, "keys"), *values = ls_json_array (map, "data");

  if (keys == NULL || values == NULL || json_array_get_length (keys) != json_array_get_length (values))
    return wrong (self, LS_TEXT ("The root of the metadata is no dictionary."));
  for (guint k = 0; k < json_array_get_length (keys); k++)
    {
      JsonNode *key = json_array_get_element (keys, k);
      JsonArray *list;

      if (!JSON_NODE_HOLDS_VALUE (key) || g_strcmp0 (json_node_get_string (key), "relax.expr.Constant") != 0)
        continue;
      list = ls_json_array (node_at (self, int_element (values, k)), "data");
      if (list == NULL)
        return wrong (self, LS_TEXT ("The constants of the metadata are no list."));
      for (guint i = 0; i < json_array_get_length (list); i++)
        if (!add_entry (self, out, int_element (list, i)))
          return FALSE;
    }
  return TRUE;
}

static void
unref_any (gpointer node)
{
  ls_node_unref (node);
}

GPtrArray *
ls_metadata_parse (const char  *json,
                   GError     **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func (unref_any);
  g_autoptr (GError) own = NULL;
  Reader reader = { NULL, NULL, &own };
  JsonNode *root;
  JsonObject *object;
  gboolean fine;

  if (!ls_json_is_flat (json) || !json_parser_load_from_data (parser, json, -1, NULL))
    fine = wrong (&reader, LS_TEXT ("The metadata is no JSON text."));
  else
    {
      root = json_parser_get_root (parser);
      object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
      reader.nodes = ls_json_array (object, "nodes");
      reader.arrays = ls_json_array (object, "b64ndarrays");
      if (reader.nodes == NULL || !json_object_has_member (object, "root") || !JSON_NODE_HOLDS_VALUE (json_object_get_member (object, "root")))
        fine = wrong (&reader, LS_TEXT ("The metadata is no graph of nodes."));
      else
        fine = add_constants (&reader, node_at (&reader, json_object_get_int_member (object, "root")), out);
    }
  if (fine)
    return g_steal_pointer (&out);
  g_propagate_error (error, g_steal_pointer (&own));
  return NULL;
}
