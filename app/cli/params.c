/* params: see the header.
 *
 * Of zip archives (APPNOTE.TXT): entries that the central directory lists, stored or deflated, below 4 GiB, not
 * encrypted; that is what numpy's savez writes.
 */
#include "app/cli/params.h"

#include "engine/runtime/runtime.h"

#include <gio/gio.h>
#include <string.h>

#define END_SIGNATURE 0x06054b50u
#define ENTRY_SIGNATURE 0x02014b50u
#define LOCAL_SIGNATURE 0x04034b50u
#define END_SIZE 22u
#define ENTRY_SIZE 46u
#define LOCAL_SIZE 30u
#define MAX_SIZE (G_GUINT64_CONSTANT (1) << 34)

typedef struct {
  GPtrArray *names;
  GPtrArray *tensors;
} Params;

/* ---- arrays ------------------------------------------------------------------------ */

static LsNode *
tensor_of (LsNDArray *array)
{
  GPtrArray *extents = g_ptr_array_new ();
  LsDLTensor *t = &array->tensor;
  LsDType dtype = { t->dtype.code, t->dtype.bits, t->dtype.lanes };

  if (dtype.code == 6)
    dtype = LS_BOOL;
  for (int i = 0; i < t->ndim; i++)
    g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, t->shape[i]));
  return LS_NODE (ls_tensor_new (dtype, ls_array_take_ptr_array (extents),
                                 g_bytes_new ((const guint8 *) t->data + t->byte_offset, array->n_bytes)));
}

/* `name` without ".npy". */
static void
add_array (Params     *self,
           const char *name,
           LsNDArray  *array)
{
  gsize n = strlen (name);

  g_ptr_array_add (self->names, g_str_has_suffix (name, ".npy") ? g_strndup (name, n - strlen (".npy")) : g_strdup (name));
  g_ptr_array_add (self->tensors, tensor_of (array));
  ls_ndarray_unref (array);
}

/* ---- zip ------------------------------------------------------------------------------- */

static guint
number (const guint8 *at,
        guint         bytes)
{
  guint value = 0;

  for (guint i = 0; i < bytes; i++)
    value |= (guint) at[i] << (8 * i);
  return value;
}

static GBytes *
inflate (const guint8  *data,
         gsize          n,
         gsize          size,
         GError       **error)
{
  g_autoptr (GConverter) raw = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW));
  g_autoptr (GInputStream) in = g_memory_input_stream_new_from_data (data, (gssize) n, NULL);
  g_autoptr (GInputStream) out = g_converter_input_stream_new (in, raw);
  g_autofree guint8 *bytes = g_try_malloc (size + 1);
  gsize got;

  if (bytes == NULL || !g_input_stream_read_all (out, bytes, size, &got, NULL, error))
    return NULL;
  return got == size ? g_bytes_new_take (g_steal_pointer (&bytes), size) : NULL;
}

/* The bytes of the entry at `entry` of the central directory; NULL when they are not there. */
static GBytes *
entry_bytes (const guint8  *file,
             gsize          size,
             const guint8  *entry,
             GError       **error)
{
  guint method = number (entry + 10, 2);
  gsize packed = number (entry + 20, 4), plain = number (entry + 24, 4), at = number (entry + 42, 4);

  if (at + LOCAL_SIZE > size || number (file + at, 4) != LOCAL_SIGNATURE || (number (entry + 8, 2) & 1))
    return NULL;
  at += LOCAL_SIZE + number (file + at + 26, 2) + number (file + at + 28, 2);
  if (at > size || packed > size - at || plain > MAX_SIZE)
    return NULL;
  if (method == 0 && packed == plain)
    return g_bytes_new (file + at, plain);
  return method == 8 ? inflate (file + at, packed, plain, error) : NULL;
}

static const guint8 *
find_end (const guint8 *file,
          gsize         size)
{
  for (gsize i = size; i-- > 0 && size - i < 0x10000 + END_SIZE;)
    if (i + END_SIZE <= size && number (file + i, 4) == END_SIGNATURE)
      return file + i;
  return NULL;
}

static gboolean
read_entry (Params        *self,
            const guint8  *file,
            gsize          size,
            const guint8  *entry,
            const char    *path,
            GError       **error)
{
  g_autofree char *name = g_strndup ((const char *) entry + ENTRY_SIZE, number (entry + 28, 2));
  g_autoptr (GBytes) bytes = entry_bytes (file, size, entry, error);
  gsize n;
  const guint8 *data;
  LsNDArray *array;

  if (bytes == NULL)
    {
      g_clear_error (error);
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: the entry %s is damaged or packed in a way that is not read", path, name);
      return FALSE;
    }
  data = g_bytes_get_data (bytes, &n);
  array = ls_npy_parse (data, n, error);
  if (array == NULL)
    {
      g_prefix_error (error, "%s, %s: ", path, name);
      return FALSE;
    }
  add_array (self, name, array);
  return TRUE;
}

static gboolean
read_archive (Params      *self,
              const char  *path,
              GError     **error)
{
  g_autoptr (GMappedFile) map = g_mapped_file_new (path, FALSE, error);
  const guint8 *file = map != NULL ? (const guint8 *) g_mapped_file_get_contents (map) : NULL, *end;
  gsize size = map != NULL ? g_mapped_file_get_length (map) : 0, at;

  if (map == NULL)
    return FALSE;
  end = file != NULL ? find_end (file, size) : NULL;
  at = end != NULL ? number (end + 16, 4) : size;
  for (guint i = 0; end != NULL && i < number (end + 10, 2); i++)
    {
      if (at + ENTRY_SIZE > size || number (file + at, 4) != ENTRY_SIGNATURE || at + ENTRY_SIZE + number (file + at + 28, 2) > size)
        {
          end = NULL;
          break;
        }
      if (!read_entry (self, file, size, file + at, path, error))
        return FALSE;
      at += ENTRY_SIZE + number (file + at + 28, 2) + number (file + at + 30, 2) + number (file + at + 32, 2);
    }
  if (end == NULL)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s is no whole .npz archive", path);
  return end != NULL;
}

/* ---- files and folders ------------------------------------------------------------------------ */

static gboolean
read_file (Params      *self,
           const char  *path,
           GError     **error)
{
  g_autofree char *name = g_path_get_basename (path);
  LsNDArray *array = ls_npy_read (path, error);

  if (array == NULL)
    return FALSE;
  add_array (self, name, array);
  return TRUE;
}

static gboolean
read_folder (Params      *self,
             const char  *path,
             GError     **error)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, error);
  const char *name;

  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      if (g_str_has_suffix (name, ".npy") && !read_file (self, file, error))
        return FALSE;
    }
  if (self->names->len == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "%s holds no .npy file", path);
  return self->names->len > 0;
}

LsMap *
ls_cli_read_params (const char  *path,
                    GError     **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new ();
  Params params = { names, tensors };
  gboolean fine;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    fine = read_folder (&params, path, error);
  else if (g_str_has_suffix (path, ".npz"))
    fine = read_archive (&params, path, error);
  else
    fine = read_file (&params, path, error);
  if (fine)
    return ls_map_new ((const char **) names->pdata, tensors->pdata, tensors->len);
  for (guint i = 0; i < tensors->len; i++)
    ls_node_unref (tensors->pdata[i]);
  return NULL;
}
