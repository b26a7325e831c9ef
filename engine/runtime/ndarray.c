/* NDArray: a DLPack tensor that we own.
 *
 * One allocation holds the structure and its shape and strides; the elements live apart: in
 * 64-byte aligned memory, in a mapping (large or shared arrays), with a foreign owner (DLPack), or in
 * another NDArray (views).  `release (owner)` ends whichever it is.
 *
 * Strides that say the same as none are dropped, so that code which only takes
 * compact arrays can look at one pointer.  DLPack: dmlc/dlpack, version 0 structures.
 */
#include "engine/runtime/runtime-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fcntl.h>
#include <inttypes.h>

/* Above this arrays are mapped: zeroed by the kernel, and a size that cannot be had is an error
 * under every allocator. */
#define MAP_THRESHOLD ((gsize) 64 << 20)

typedef struct {
  void *data;
  gsize length;
} Mapping;

static void
mapping_free (gpointer data)
{
  Mapping *self = data;

  munmap (self->data, self->length);
  g_free (self);
}

static gboolean
fail_shape (GError    **error,
            const char *format,
            ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail_shape (GError    **error,
            const char *format,
            ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  g_set_error_literal (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, message);
  return FALSE;
}

static gboolean
check_dtype (LsDLDataType   dtype,
             GError       **error)
{
  if (!ls_dl_dtype_is_supported (dtype))
    {
      g_autofree char *name = ls_dl_dtype_print (dtype);

      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_DTYPE,
                   ls_translate ("%s is not a type that arrays can hold"), name);
      return FALSE;
    }
  return TRUE;
}

/* Bytes of a compact array, with every product checked. */
static gboolean
compact_size (int            ndim,
              const gint64  *shape,
              LsDLDataType   dtype,
              gsize         *n_bytes,
              GError       **error)
{
  gsize total = 1;
  gboolean empty = FALSE;

  if (!check_dtype (dtype, error))
    return FALSE;
  if (ndim < 0 || ndim > LS_NDARRAY_MAX_NDIM)
    return fail_shape (error, LS_TEXT ("%d dimensions; an array has 0 to %d"), ndim, LS_NDARRAY_MAX_NDIM);
  for (int i = 0; i < ndim; i++)
    if (shape[i] < 0)
      return fail_shape (error, LS_TEXT ("dimension %d is %" PRId64 "; an extent is 0 or more"), i,
                         shape[i]);
    else if (shape[i] == 0)
      empty = TRUE;
  for (int i = 0; i < ndim && !empty; i++)
    if (!g_size_checked_mul (&total, total, (gsize) shape[i]))
      return fail_shape (error, LS_TEXT ("the shape has more elements than memory can address"));
  if (!g_size_checked_mul (&total, total, ls_dl_dtype_size (dtype)) || total > G_MAXSSIZE)
    return fail_shape (error, LS_TEXT ("the shape has more elements than memory can address"));
  *n_bytes = empty ? 0 : total;
  return TRUE;
}

static gboolean
strides_are_compact (int           ndim,
                     const gint64 *shape,
                     const gint64 *strides)
{
  gint64 expected = 1;

  if (strides == NULL)
    return TRUE;
  for (int i = 0; i < ndim; i++)
    if (shape[i] == 0)
      return TRUE;
  for (int i = ndim - 1; i >= 0; i--)
    {
      if (shape[i] != 1 && strides[i] != expected)
        return FALSE;
      expected *= shape[i];
    }
  return TRUE;
}

/* Lowest and highest element offset that the strides reach; FALSE on overflow. */
static gboolean
offset_range (int           ndim,
              const gint64 *shape,
              const gint64 *strides,
              gint64       *low,
              gint64       *high)
{
  *low = *high = 0;
  for (int i = 0; i < ndim; i++)
    {
      gint64 reach;

      if (shape[i] == 0)
        {
          *low = 0;
          *high = -1;
          return TRUE;
        }
      if (__builtin_mul_overflow (shape[i] - 1, strides[i], &reach)
          || __builtin_add_overflow (reach < 0 ? *low : *high, reach, reach < 0 ? low : high))
        return FALSE;
    }
  return TRUE;
}

static void
compact_strides (int           ndim,
                 const gint64 *shape,
                 gint64       *strides)
{
  guint64 step = 1;

  for (int i = ndim - 1; i >= 0; i--)
    {
      strides[i] = (gint64) step;
      step *= (guint64) MAX (shape[i], 1);
    }
}

/* The structure without data; the caller has checked the shape. */
static LsNDArray *
alloc_header (int           ndim,
              const gint64 *shape,
              const gint64 *strides,
              LsDLDataType  dtype,
              gsize         n_bytes)
{
  LsNDArray *self = g_malloc0 (sizeof *self + 2 * sizeof (gint64) * (gsize) ndim);

  self->tensor.device = (LsDLDevice) { LS_DL_CPU, 0 };
  self->tensor.ndim = ndim;
  self->tensor.dtype = ls_dl_dtype_normalise (dtype);
  self->tensor.shape = (gint64 *) (self + 1);
  if (ndim > 0)
    memcpy (self->tensor.shape, shape, sizeof (gint64) * (gsize) ndim);
  if (!strides_are_compact (ndim, shape, strides))
    {
      self->tensor.strides = self->tensor.shape + ndim;
      memcpy (self->tensor.strides, strides, sizeof (gint64) * (gsize) ndim);
    }
  self->n_bytes = n_bytes;
  g_atomic_ref_count_init (&self->refs);
  return self;
}

static gboolean
take_mapping (LsNDArray *self,
              int        fd,
              int        flags,
              GError   **error)
{
  gsize length = MAX (self->n_bytes, 1);
  void *data = mmap (NULL, length, PROT_READ | PROT_WRITE, flags, fd, 0);
  Mapping *mapping;

  if (data == MAP_FAILED)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY,
                   ls_translate ("%zu bytes for an array could not be had: %s"), length,
                   g_strerror (errno));
      return FALSE;
    }
  if (fd < 0)
    ls_memory_advise (data, length);
  mapping = g_new (Mapping, 1);
  *mapping = (Mapping) { data, length };
  self->tensor.data = data;
  self->owner = mapping;
  self->release = mapping_free;
  return TRUE;
}

static gboolean
take_memory (LsNDArray *self,
             GError   **error)
{
  gsize length = (MAX (self->n_bytes, 1) + 63) & ~(gsize) 63;

  if (self->n_bytes > MAP_THRESHOLD)
    return take_mapping (self, -1, MAP_PRIVATE | MAP_ANONYMOUS, error);
  self->tensor.data = ls_memory_alloc (length);
  if (self->tensor.data == NULL)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY,
                   ls_translate ("%zu bytes for an array could not be had"), length);
      return FALSE;
    }
  memset (self->tensor.data, 0, length);
  self->owner = self->tensor.data;
  self->release = free;
  return TRUE;
}

LsNDArray *
ls_ndarray_new (int            ndim,
                const gint64  *shape,
                LsDLDataType   dtype,
                GError       **error)
{
  g_autoptr (LsNDArray) self = NULL;
  gsize n_bytes;

  if (!compact_size (ndim, shape, dtype, &n_bytes, error))
    return NULL;
  self = alloc_header (ndim, shape, NULL, dtype, n_bytes);
  return take_memory (self, error) ? g_steal_pointer (&self) : NULL;
}

LsNDArray *
ls_ndarray_new_shared (int            ndim,
                       const gint64  *shape,
                       LsDLDataType   dtype,
                       int           *fd,
                       GError       **error)
{
  g_autoptr (LsNDArray) self = NULL;
  gsize n_bytes;
  int memfd;

  *fd = -1;
  if (!compact_size (ndim, shape, dtype, &n_bytes, error))
    return NULL;
  self = alloc_header (ndim, shape, NULL, dtype, n_bytes);
  memfd = memfd_create ("loopscope-array", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memfd < 0
      || ftruncate (memfd, (off_t) MAX (n_bytes, 1)) != 0
      || fcntl (memfd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY,
                   ls_translate ("%zu bytes of shared memory could not be had: %s"), n_bytes,
                   g_strerror (errno));
      if (memfd >= 0)
        close (memfd);
      return NULL;
    }
  if (!take_mapping (self, memfd, MAP_SHARED, error))
    {
      close (memfd);
      return NULL;
    }
  *fd = memfd;
  return g_steal_pointer (&self);
}

LsNDArray *
ls_ndarray_new_from_fd (int            fd,
                        gboolean       writable,
                        int            ndim,
                        const gint64  *shape,
                        LsDLDataType   dtype,
                        GError       **error)
{
  g_autoptr (LsNDArray) self = NULL;
  struct stat st;
  gsize n_bytes;

  if (!compact_size (ndim, shape, dtype, &n_bytes, error))
    return NULL;
  if (fstat (fd, &st) != 0 || !S_ISREG (st.st_mode))
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_FORMAT,
                   ls_translate ("file descriptor %d is not a file that can be mapped"), fd);
      return NULL;
    }
  if ((guint64) st.st_size < MAX (n_bytes, 1))
    {
      fail_shape (error, LS_TEXT ("the shared file has %" PRId64 " bytes; the array needs %zu"), (gint64) st.st_size, MAX (n_bytes, 1));
      return NULL;
    }
  self = alloc_header (ndim, shape, NULL, dtype, n_bytes);
  if (!take_mapping (self, fd, writable ? MAP_SHARED : MAP_PRIVATE, error))
    return NULL;
  return g_steal_pointer (&self);
}

LsNDArray *
ls_ndarray_new_take_data (void            *data,
                          int              ndim,
                          const gint64    *shape,
                          LsDLDataType     dtype,
                          gpointer         owner,
                          GDestroyNotify   release,
                          GError         **error)
{
  LsNDArray *self;
  gsize n_bytes;

  if (!compact_size (ndim, shape, dtype, &n_bytes, error))
    {
      if (release != NULL)
        release (owner);
      return NULL;
    }
  self = alloc_header (ndim, shape, NULL, dtype, n_bytes);
  self->tensor.data = data;
  self->owner = owner;
  self->release = release;
  return self;
}

LsNDArray *
ls_ndarray_ref (LsNDArray *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_ndarray_unref (LsNDArray *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->release != NULL)
    self->release (self->owner);
  g_free (self);
}

static void
call_deleter (gpointer data)
{
  LsDLManagedTensor *managed = data;

  if (managed->deleter != NULL)
    managed->deleter (managed);
}

static gboolean
check_foreign (const LsDLTensor  *tensor,
               gsize             *n_bytes,
               GError           **error)
{
  gint64 low, high;

  if (tensor->device.device_type != LS_DL_CPU)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                   ls_translate ("the tensor lives on device type %d; arrays are taken from the CPU (1)"),
                   tensor->device.device_type);
      return FALSE;
    }
  if (!compact_size (tensor->ndim, tensor->shape, tensor->dtype, n_bytes, error))
    return FALSE;
  if (tensor->data == NULL && *n_bytes > 0)
    return fail_shape (error, LS_TEXT ("the tensor has elements but no data"));
  if (tensor->strides != NULL
      && !offset_range (tensor->ndim, tensor->shape, tensor->strides, &low, &high))
    return fail_shape (error, LS_TEXT ("the tensor's strides reach further than memory"));
  return TRUE;
}

LsNDArray *
ls_ndarray_from_dlpack (LsDLManagedTensor  *managed,
                        GError            **error)
{
  const LsDLTensor *tensor = &managed->dl_tensor;
  LsNDArray *self;
  gsize n_bytes;

  if (!check_foreign (tensor, &n_bytes, error))
    {
      call_deleter (managed);
      return NULL;
    }
  self = alloc_header (tensor->ndim, tensor->shape, tensor->strides, tensor->dtype, n_bytes);
  self->tensor.data = tensor->data;
  self->tensor.byte_offset = tensor->byte_offset;
  self->owner = managed;
  self->release = call_deleter;
  return self;
}

static void
exported_free (LsDLManagedTensor *self)
{
  ls_ndarray_unref (self->manager_ctx);
  g_free (self);
}

LsDLManagedTensor *
ls_ndarray_to_dlpack (LsNDArray *self)
{
  const LsDLTensor *tensor = &self->tensor;
  gsize row = sizeof (gint64) * (gsize) tensor->ndim;
  LsDLManagedTensor *managed = g_malloc0 (sizeof *managed + 2 * row);

  managed->dl_tensor = *tensor;
  managed->dl_tensor.shape = (gint64 *) (managed + 1);
  managed->dl_tensor.strides = managed->dl_tensor.shape + tensor->ndim;
  memcpy (managed->dl_tensor.shape, tensor->shape, row);
  if (tensor->strides != NULL)
    memcpy (managed->dl_tensor.strides, tensor->strides, row);
  else
    compact_strides (tensor->ndim, tensor->shape, managed->dl_tensor.strides);
  managed->manager_ctx = ls_ndarray_ref (self);
  managed->deleter = exported_free;
  return managed;
}

static gboolean
check_view (LsNDArray     *self,
            int            ndim,
            const gint64  *shape,
            const gint64  *strides,
            gint64         offset,
            GError       **error)
{
  gint64 own[LS_NDARRAY_MAX_NDIM];
  gint64 low, high, view_low, view_high;

  compact_strides (self->tensor.ndim, self->tensor.shape, own);
  offset_range (self->tensor.ndim, self->tensor.shape,
                self->tensor.strides != NULL ? self->tensor.strides : own, &low, &high);
  if (!offset_range (ndim, shape, strides, &view_low, &view_high)
      || __builtin_add_overflow (view_low, offset, &view_low)
      || __builtin_add_overflow (view_high, offset, &view_high))
    return fail_shape (error, LS_TEXT ("the view's strides reach further than memory"));
  if (view_high >= view_low && (view_low < low || view_high > high))
    return fail_shape (error, LS_TEXT ("the view reaches from element %" PRId64 " to %"
                       PRId64 "; the array has %" PRId64 " to %"
                       PRId64), view_low, view_high, low, high);
  return TRUE;
}

LsNDArray *
ls_ndarray_view (LsNDArray     *self,
                 int            ndim,
                 const gint64  *shape,
                 const gint64  *strides,
                 gint64         offset,
                 GError       **error)
{
  gint64 compact[LS_NDARRAY_MAX_NDIM];
  LsNDArray *view;
  gsize n_bytes;

  if (!compact_size (ndim, shape, self->tensor.dtype, &n_bytes, error))
    return NULL;
  if (strides == NULL)
    {
      compact_strides (ndim, shape, compact);
      strides = compact;
    }
  if (!check_view (self, ndim, shape, strides, offset, error))
    return NULL;
  view = alloc_header (ndim, shape, strides, self->tensor.dtype, n_bytes);
  view->tensor.data = self->tensor.data;
  view->tensor.byte_offset = self->tensor.byte_offset
    + (n_bytes == 0 ? 0 : (guint64) (offset * (gint64) ls_dl_dtype_size (self->tensor.dtype)));
  view->owner = ls_ndarray_ref (self);
  view->release = (GDestroyNotify) ls_ndarray_unref;
  return view;
}

gint64
ls_tensor_n_elements (const LsDLTensor *tensor)
{
  gint64 n = 1;

  for (int i = 0; i < tensor->ndim; i++)
    if (tensor->shape[i] == 0)
      return 0;
  for (int i = 0; i < tensor->ndim; i++)
    n *= tensor->shape[i];
  return n;
}

gboolean
ls_tensor_is_compact (const LsDLTensor *tensor)
{
  return strides_are_compact (tensor->ndim, tensor->shape, tensor->strides);
}

guint8 *
ls_tensor_element (const LsDLTensor *tensor,
                   gint64            index)
{
  guint8 *first = (guint8 *) tensor->data + tensor->byte_offset;
  gint64 offset = index;

  if (tensor->strides != NULL)
    {
      offset = 0;
      for (int i = tensor->ndim - 1; i >= 0; i--)
        {
          offset += index % tensor->shape[i] * tensor->strides[i];
          index /= tensor->shape[i];
        }
    }
  return first + offset * (gint64) ls_dl_dtype_size (tensor->dtype);
}

static gboolean
same_shape (const LsDLTensor *a,
            const LsDLTensor *b)
{
  return a->ndim == b->ndim
         && (a->ndim == 0
             || memcmp (a->shape, b->shape, sizeof (gint64) * (gsize) a->ndim) == 0);
}

gboolean
ls_tensor_copy_into (const LsDLTensor  *from,
                     const LsDLTensor  *to,
                     GError           **error)
{
  gsize size = ls_dl_dtype_size (from->dtype);
  gint64 n = ls_tensor_n_elements (from);

  if (!same_shape (from, to) || !ls_dl_dtype_equal (from->dtype, to->dtype))
    {
      g_autofree char *have = ls_tensor_describe (from);
      g_autofree char *want = ls_tensor_describe (to);

      g_set_error (error, LS_RUNTIME_ERROR,
                   same_shape (from, to) ? LS_RUNTIME_ERROR_DTYPE : LS_RUNTIME_ERROR_SHAPE,
                   ls_translate ("an array %s cannot be copied into an array %s"), have, want);
      return FALSE;
    }
  if (n == 0)
    return TRUE;
  if (ls_tensor_is_compact (from) && ls_tensor_is_compact (to))
    memmove ((guint8 *) to->data + to->byte_offset, (guint8 *) from->data + from->byte_offset,
             (gsize) n * size);
  else
    for (gint64 i = 0; i < n; i++)
      memmove (ls_tensor_element (to, i), ls_tensor_element (from, i), size);
  return TRUE;
}

LsNDArray *
ls_ndarray_copy (const LsDLTensor  *tensor,
                 GError           **error)
{
  g_autoptr (LsNDArray) copy = ls_ndarray_new (tensor->ndim, tensor->shape, tensor->dtype, error);

  if (copy == NULL || !ls_tensor_copy_into (tensor, &copy->tensor, error))
    return NULL;
  return g_steal_pointer (&copy);
}

char *
ls_tensor_describe (const LsDLTensor *tensor)
{
  g_autofree char *dtype = ls_dl_dtype_print (tensor->dtype);
  GString *text = g_string_new ("(");

  for (int i = 0; i < tensor->ndim; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", tensor->shape[i]);
  g_string_append_printf (text, "%s) %s", tensor->ndim == 1 ? "," : "", dtype);
  return g_string_free (text, FALSE);
}
