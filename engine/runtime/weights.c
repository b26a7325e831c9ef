/* weights: see the header.  The zip reader walks the central directory at the end of the file (APPNOTE 6.3, sections 4.3.12 and
 * 4.3.16), because numpy leaves the sizes in the local headers open; what takes more than 32 bits stands in ZIP64's places (4.3.14, 4.5.3). */
#include "engine/runtime/weights.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define MAX_HEADER (64 << 20)

typedef struct {
  const char   *path;
  const guint8 *data;
  gsize         n;
  GHashTable   *arrays;
} File;

static gboolean
refuse (File       *self,
        const char *name,
        const char *expected,
        GError    **error)
{
  if (name != NULL)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("%s: tensor \"%s\": %s"), self->path, name, ls_translate (expected));
  else
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, "%s: %s", self->path, ls_translate (expected));
  return FALSE;
}

/* ---- safetensors --------------------------------------------------------------------- */

static const struct { const char *name, *dtype; } DTYPES[] = {
  { "F32", "float32" }, { "F64", "float64" }, { "F16", "float16" }, { "BF16", "bfloat16" }, { "I64", "int64" }, { "I32", "int32" },
  { "I16", "int16" }, { "I8", "int8" }, { "U8", "uint8" }, { "U16", "uint16" }, { "U32", "uint32" }, { "U64", "uint64" }, { "BOOL", "bool" },
};

const char *
ls_weights_dtype_name (const char *dtype)
{
  for (guint i = 0; i < G_N_ELEMENTS (DTYPES); i++)
    if (strcmp (DTYPES[i].dtype, dtype) == 0)
      return DTYPES[i].name;
  return NULL;
}

static gboolean
tensor_dtype (JsonNode     *node,
              LsDLDataType *dtype)
{
  const char *name = node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (DTYPES); i++)
    if (strcmp (DTYPES[i].name, name) == 0)
      return ls_dl_dtype_parse (DTYPES[i].dtype, dtype, NULL);
  return FALSE;
}

/* Whole numbers from 0; -1 when there are more than `max` or something else. */
static int
whole_numbers (JsonNode *node,
               gint64   *out,
               guint     max)
{
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;

  if (array == NULL || n > max)
    return -1;
  for (guint i = 0; i < n; i++)
    {
      JsonNode *item = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_VALUE (item) || json_node_get_value_type (item) != G_TYPE_INT64 || json_node_get_int (item) < 0)
        return -1;
      out[i] = json_node_get_int (item);
    }
  return (int) n;
}

static LsNDArray *
read_tensor (JsonNode     *node,
             const guint8 *data,
             gsize         n)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  gint64 shape[LS_NDARRAY_MAX_NDIM], place[2], bytes;
  LsDLDataType dtype;
  LsNDArray *array;
  int ndim;

  if (object == NULL || !tensor_dtype (json_object_get_member (object, "dtype"), &dtype))
    return NULL;
  ndim = whole_numbers (json_object_get_member (object, "shape"), shape, LS_NDARRAY_MAX_NDIM);
  if (ndim < 0 || whole_numbers (json_object_get_member (object, "data_offsets"), place, 2) != 2)
    return NULL;
  bytes = (gint64) ls_dl_dtype_size (dtype);
  for (int i = 0; i < ndim; i++)
    if (__builtin_mul_overflow (bytes, shape[i], &bytes))
      return NULL;
  if (place[1] < place[0] || place[1] - place[0] != bytes || (guint64) place[1] > n)
    return NULL;
  array = ls_ndarray_new (ndim, shape, dtype, NULL);
  if (array != NULL && bytes > 0)
    memcpy (array->tensor.data, data + place[0], (gsize) bytes);
  return array;
}

static gboolean
too_deep (const guint8 *text,
          gsize         n)
{
  gboolean quoted = FALSE;
  int depth = 0;

  for (gsize i = 0; i < n && depth <= 8; i++)
    if (quoted && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted)
      depth += (text[i] == '{' || text[i] == '[') - (text[i] == '}' || text[i] == ']');
  return depth > 8;
}

static gboolean
read_safetensors (File    *self,
                  GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GList) names = NULL;
  guint64 header;
  JsonNode *root;

  memcpy (&header, self->data, 8);
  header = GUINT64_FROM_LE (header);
  if (header > self->n - 8 || header > MAX_HEADER)
    return refuse (self, NULL, LS_TEXT ("a safetensors file is expected; it ends inside its header"), error);
  if (!g_utf8_validate ((const char *) self->data + 8, (gssize) header, NULL) || too_deep (self->data + 8, header)
      || !json_parser_load_from_data (parser, (const char *) self->data + 8, (gssize) header, NULL)
      || (root = json_parser_get_root (parser)) == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return refuse (self, NULL, LS_TEXT ("a JSON object is expected behind the length of the header"), error);
  names = json_object_get_members (json_node_get_object (root));
  for (GList *l = names; l != NULL; l = l->next)
    {
      LsNDArray *array;

      if (strcmp (l->data, "__metadata__") == 0)
        continue;
      array = read_tensor (json_object_get_member (json_node_get_object (root), l->data), self->data + 8 + header, self->n - 8 - (gsize) header);
      if (array == NULL)
        return refuse (self, l->data, LS_TEXT ("a known dtype, a shape and data_offsets of that size inside the file are expected"), error);
      g_hash_table_insert (self->arrays, g_strdup (l->data), array);
    }
  return TRUE;
}

/* ---- npz ----------------------------------------------------------------------------------- */

static guint32
word (const guint8 *p)
{
  return (guint32) p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24;
}

static guint32
half (const guint8 *p)
{
  return (guint32) p[0] | (guint32) p[1] << 8;
}

static guint64
wide (const guint8 *p)
{
  return word (p) | (guint64) word (p + 4) << 32;
}

/* A number of the central directory that stands in `extra` where it takes more than 32 bits; those that do stand one behind the other. FALSE: it is not there. */
static gboolean
wide_if (guint32        narrow,
         const guint8 **extra,
         const guint8  *end,
         guint64       *number)
{
  *number = narrow;
  if (narrow != G_MAXUINT32)
    return TRUE;
  if (*extra == NULL || end - *extra < 8)
    return FALSE;
  *number = wide (*extra);
  *extra += 8;
  return TRUE;
}

/* Where ZIP64's numbers of an entry begin; *end is where they end.  NULL: it has none. */
static const guint8 *
wide_numbers (const guint8  *entry,
              const guint8 **end)
{
  const guint8 *at = entry + 46 + half (entry + 28), *last = at + half (entry + 30);

  for (; last - at >= 4; at += 4 + half (at + 2))
    if (half (at) == 1)
      {
        *end = at + 4 + MIN ((gsize) half (at + 2), (gsize) (last - at - 4));
        return at + 4;
      }
  return NULL;
}

static guint8 *
inflate (const guint8 *from,
         gsize         n,
         gsize         wanted,
         GError      **error)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);
  g_autofree guint8 *out = g_try_malloc (wanted + 1);
  gsize read = 0, written = 0;

  while (out != NULL && written <= wanted)
    {
      gsize r = 0, w = 0;
      GConverterResult result = g_converter_convert (G_CONVERTER (zlib), from + read, n - read, out + written, wanted + 1 - written,
                                                     G_CONVERTER_INPUT_AT_END, &r, &w, error);

      read += r;
      written += w;
      if (result == G_CONVERTER_FINISHED && written == wanted)
        return g_steal_pointer (&out);
      if (result != G_CONVERTER_CONVERTED)
        break;
    }
  if (error != NULL && *error == NULL)
    g_set_error_literal (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("its compressed data does not have the size that the archive gives"));
  return NULL;
}

/* One entry of the central directory. */
static gboolean
read_entry (File         *self,
            const guint8 *entry,
            GError      **error)
{
  const guint8 *extra_end = NULL, *extra = wide_numbers (entry, &extra_end);
  guint32 method = half (entry + 10);
  guint64 packed, size, at;
  g_autofree char *name = g_strndup ((const char *) entry + 46, half (entry + 28));
  g_autofree guint8 *own = NULL;
  const guint8 *data;
  LsNDArray *array;
  gsize start;

  if ((half (entry + 8) & 1) != 0 || (method != 0 && method != 8) || !g_utf8_validate (name, -1, NULL))
    return refuse (self, NULL, LS_TEXT ("the archive is encrypted or packed in a way that numpy does not use"), error);
  if (!wide_if (word (entry + 24), &extra, extra_end, &size) || !wide_if (word (entry + 20), &extra, extra_end, &packed) ||
      !wide_if (word (entry + 42), &extra, extra_end, &at))
    return refuse (self, NULL, LS_TEXT ("the directory of the archive is damaged"), error);
  if (self->n < 30 || at > self->n - 30 || word (self->data + at) != 0x04034b50)
    return refuse (self, name, LS_TEXT ("the archive says it begins outside of the file"), error);
  start = (gsize) at + 30 + half (self->data + at + 26) + half (self->data + at + 28);
  if (start > self->n || packed > self->n - start || (method == 0 && packed != size))
    return refuse (self, name, LS_TEXT ("the archive says it ends outside of the file"), error);
  data = self->data + start;
  if (method == 8 && (data = own = inflate (data, packed, size, error)) == NULL)
    {
      g_prefix_error (error, ls_translate ("%s: tensor \"%s\": "), self->path, name);
      return FALSE;
    }
  array = ls_npy_parse (data, size, error);
  if (array == NULL)
    {
      g_prefix_error (error, ls_translate ("%s: tensor \"%s\": "), self->path, name);
      return FALSE;
    }
  if (g_str_has_suffix (name, ".npy"))
    name[strlen (name) - 4] = 0;
  g_hash_table_insert (self->arrays, g_steal_pointer (&name), array);
  return TRUE;
}

static gboolean
read_npz (File    *self,
          GError **error)
{
  gsize end = self->n, at;
  guint64 count, last;

  while (end >= 22 && self->n - end < 65536 + 22 && word (self->data + end - 22) != 0x06054b50)
    end--;
  if (end < 22 || word (self->data + end - 22) != 0x06054b50)
    return refuse (self, NULL, LS_TEXT ("an .npz archive is expected; its directory is missing, as when a file is cut short"), error);
  count = half (self->data + end - 22 + 10);
  at = word (self->data + end - 22 + 16);
  if (end >= 42 && word (self->data + end - 42) == 0x07064b50)
    {
      last = wide (self->data + end - 34);
      if (end < 98 || last > end - 98 || word (self->data + last) != 0x06064b50)
        return refuse (self, NULL, LS_TEXT ("the directory of the archive is damaged"), error);
      count = wide (self->data + last + 32);
      at = wide (self->data + last + 48);
    }
  for (guint64 i = 0; i < count; i++)
    {
      gsize length;

      if (at > self->n || self->n - at < 46 || word (self->data + at) != 0x02014b50)
        return refuse (self, NULL, LS_TEXT ("the directory of the archive is damaged"), error);
      length = 46 + (gsize) half (self->data + at + 28) + half (self->data + at + 30) + half (self->data + at + 32);
      if (length > self->n - at)
        return refuse (self, NULL, LS_TEXT ("the directory of the archive is damaged"), error);
      if (!read_entry (self, self->data + at, error))
        return FALSE;
      at += length;
    }
  return TRUE;
}

GHashTable *
ls_weights_parse (const char   *name,
                  const guint8 *data,
                  gsize         n,
                  GError      **error)
{
  g_autoptr (GHashTable) arrays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_ndarray_unref);
  File file = { name, data, n, arrays };

  if (n < 8)
    {
      refuse (&file, NULL, LS_TEXT ("a .safetensors or .npz file is expected; it ends inside its header"), error);
      return NULL;
    }
  if (word (data) == 0x04034b50 || word (data) == 0x06054b50 ? !read_npz (&file, error) : !read_safetensors (&file, error))
    return NULL;
  return g_steal_pointer (&arrays);
}

GHashTable *
ls_weights_read (const char *path,
                 GError    **error)
{
  g_autofree char *data = NULL;
  gsize n;

  return g_file_get_contents (path, &data, &n, error) ? ls_weights_parse (path, (const guint8 *) data, n, error) : NULL;
}
