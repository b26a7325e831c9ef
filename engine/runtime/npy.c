/* Arrays from and to numpy's .npy files; the header is npy-header.c's.
 *
 * Before anything is allocated the size that the header claims is checked against the bytes that are
 * there.  Column-major data and foreign byte order are turned while copying.
 */
#include "engine/runtime/npy-private.h"

#include <string.h>

/* The number of data bytes that the header claims; FALSE when it overflows. */
static gboolean
claimed_bytes (const LsNpyHeader *h,
               gsize             *n_bytes)
{
  gsize total = ls_dl_dtype_size (h->dtype);

  for (int i = 0; i < h->ndim; i++)
    if (h->shape[i] == 0)
      {
        *n_bytes = 0;
        return TRUE;
      }
  for (int i = 0; i < h->ndim; i++)
    if (!g_size_checked_mul (&total, total, (gsize) h->shape[i]))
      return FALSE;
  *n_bytes = total;
  return TRUE;
}

static void
copy_fortran (const LsNpyHeader *h,
              const guint8      *data,
              guint8            *to)
{
  gint64 strides[LS_NDARRAY_MAX_NDIM];
  gint64 step = 1;
  LsDLTensor from = { .data = (void *) data, .ndim = h->ndim, .dtype = h->dtype,
                      .shape = (gint64 *) h->shape, .strides = strides };
  gsize size = ls_dl_dtype_size (h->dtype);
  gint64 n = ls_tensor_n_elements (&from);

  for (int i = 0; i < h->ndim; i++)
    {
      strides[i] = step;
      step *= MAX (h->shape[i], 1);
    }
  for (gint64 i = 0; i < n; i++)
    memcpy (to + (gsize) i * size, ls_tensor_element (&from, i), size);
}

static void
swap_elements (guint8 *data,
               gsize   n_bytes,
               gsize   size)
{
  for (gsize at = 0; at < n_bytes; at += size)
    for (gsize i = 0; i < size / 2; i++)
      {
        guint8 byte = data[at + i];

        data[at + i] = data[at + size - 1 - i];
        data[at + size - 1 - i] = byte;
      }
}

/* Bytes that are neither 0 nor 1 would be no bool to compiled code. */
static void
normalise_bools (guint8 *data,
                 gsize   n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    data[i] = data[i] != 0;
}

LsNDArray *
ls_npy_parse (const guint8  *bytes,
              gsize          length,
              GError       **error)
{
  g_autoptr (LsNDArray) array = NULL;
  LsNpyHeader h;
  gsize n_bytes;

  if (!ls_npy_header_parse (bytes, length, &h, error))
    return NULL;
  if (!claimed_bytes (&h, &n_bytes) || n_bytes > length - h.data_offset)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT,
                   ls_translate ("npy data: the shape asks for more than the %zu bytes that follow the header"), length - h.data_offset);
      return NULL;
    }
  array = ls_ndarray_new (h.ndim, h.shape, h.dtype, error);
  if (array == NULL)
    return NULL;
  if (n_bytes > 0 && h.fortran && h.ndim > 1)
    copy_fortran (&h, bytes + h.data_offset, array->tensor.data);
  else if (n_bytes > 0)
    memcpy (array->tensor.data, bytes + h.data_offset, n_bytes);
  if (h.swapped)
    swap_elements (array->tensor.data, n_bytes, ls_dl_dtype_size (h.dtype));
  if (h.dtype.code == LS_DL_BOOL)
    normalise_bools (array->tensor.data, n_bytes);
  return g_steal_pointer (&array);
}

/* The file as it lies on the disk; what is wrong with it in our own words. */
static GMappedFile *
map_file (const char  *path,
          GError     **error)
{
  g_autoptr (GError) reason = NULL;
  GMappedFile *file = g_file_test (path, G_FILE_TEST_IS_DIR) ? NULL : g_mapped_file_new (path, FALSE, &reason);

  if (file != NULL)
    return file;
  if (reason == NULL)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("%s is a folder; an npy file is expected"), path);
  else if (g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("there is no file %s"), path);
  else
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT, ls_translate ("%s cannot be read: %s"), path, reason->message);
  return NULL;
}

LsNDArray *
ls_npy_read (const char  *path,
             GError     **error)
{
  g_autoptr (GMappedFile) file = map_file (path, error);
  LsNDArray *array;

  if (file == NULL)
    return NULL;
  array = ls_npy_parse ((const guint8 *) g_mapped_file_get_contents (file),
                        g_mapped_file_get_length (file), error);
  if (array == NULL)
    g_prefix_error (error, "%s: ", path);
  return array;
}

GBytes *
ls_npy_format (const LsDLTensor  *tensor,
               GError           **error)
{
  g_autoptr (LsNDArray) compact = ls_ndarray_copy (tensor, error);
  g_autoptr (GByteArray) head = NULL;
  guint8 *out;
  gsize size;

  if (compact == NULL)
    return NULL;
  size = ls_dl_dtype_size (tensor->dtype) / tensor->dtype.lanes;
  if (G_BYTE_ORDER == G_BIG_ENDIAN)
    swap_elements (compact->tensor.data, compact->n_bytes, size);
  head = g_byte_array_new ();
  ls_npy_header_append (head, tensor);
  out = g_try_malloc (head->len + compact->n_bytes);     /* a GByteArray counts in 32 bits */
  if (out == NULL)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("there is no memory for an npy file of %zu bytes"), compact->n_bytes);
      return NULL;
    }
  memcpy (out, head->data, head->len);
  if (compact->n_bytes > 0)
    memcpy (out + head->len, compact->tensor.data, compact->n_bytes);
  return g_bytes_new_take (out, head->len + compact->n_bytes);
}

gboolean
ls_npy_write (const char        *path,
              const LsDLTensor  *tensor,
              GError           **error)
{
  g_autoptr (GBytes) bytes = ls_npy_format (tensor, error);

  if (bytes == NULL)
    return FALSE;
  return g_file_set_contents (path, g_bytes_get_data (bytes, NULL),
                              (gssize) g_bytes_get_size (bytes), error);
}
