/* vm-pool: memory of tensors that died, used again for the next of about the same size.
 *
 * Blocks are powers of two and three quarters of them; a list for each size, at most MAX_KEPT bytes in all.
 */
#include "engine/runtime/vm-private.h"

#include <stdlib.h>

#define ALIGNMENT 64
#define MAX_KEPT (256 * 1024 * 1024)

struct _LsVMPool {
  gatomicrefcount refs;
  GMutex          lock;
  GHashTable     *blocks;       /* size -> GPtrArray of memory; under lock */
  gsize           kept;
};

typedef struct {
  LsVMPool *pool;
  void     *memory;
  gsize     size;
} Block;

static void
free_list (gpointer data)
{
  GPtrArray *list = data;

  for (guint i = 0; i < list->len; i++)
    free (list->pdata[i]);
  g_ptr_array_unref (list);
}

LsVMPool *
ls_vm_pool_new (void)
{
  LsVMPool *self = g_new0 (LsVMPool, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->lock);
  self->blocks = g_hash_table_new_full (NULL, NULL, NULL, free_list);
  return self;
}

void
ls_vm_pool_unref (LsVMPool *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_hash_table_unref (self->blocks);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static gsize
block_size (gsize bytes)
{
  gsize size = ALIGNMENT;

  while (size < bytes && size < G_MAXSIZE / 4)
    size *= 2;
  if (size / 4 * 3 >= bytes && size / 4 * 3 % ALIGNMENT == 0)
    size = size / 4 * 3;
  return MAX (size, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

static void *
take (LsVMPool *self,
      gsize     size)
{
  GPtrArray *list;
  void *memory = NULL;

  g_mutex_lock (&self->lock);
  list = g_hash_table_lookup (self->blocks, GSIZE_TO_POINTER (size));
  if (list != NULL && list->len > 0)
    {
      memory = g_ptr_array_steal_index_fast (list, list->len - 1);
      self->kept -= size;
    }
  g_mutex_unlock (&self->lock);
  return memory != NULL ? memory : ls_memory_alloc (size);
}

static void
give_back (gpointer data)
{
  Block *block = data;
  LsVMPool *self = block->pool;
  gboolean keep;

  g_mutex_lock (&self->lock);
  keep = self->kept + block->size <= MAX_KEPT;
  if (keep)
    {
      GPtrArray *list = g_hash_table_lookup (self->blocks, GSIZE_TO_POINTER (block->size));

      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_hash_table_insert (self->blocks, GSIZE_TO_POINTER (block->size), list);
        }
      g_ptr_array_add (list, block->memory);
      self->kept += block->size;
    }
  g_mutex_unlock (&self->lock);
  if (!keep)
    free (block->memory);
  ls_vm_pool_unref (self);
  g_free (block);
}

static gboolean
count_bytes (int           ndim,
             const gint64 *shape,
             LsDLDataType  dtype,
             gsize        *bytes)
{
  *bytes = ls_dl_dtype_size (dtype);
  for (int i = 0; i < ndim; i++)
    if (shape[i] < 0 || !g_size_checked_mul (bytes, *bytes, (gsize) shape[i]))
      return FALSE;
  return *bytes <= G_MAXSSIZE;
}

LsNDArray *
ls_vm_pool_alloc (LsVMPool     *self,
                  int           ndim,
                  const gint64 *shape,
                  LsDLDataType  dtype,
                  GError      **error)
{
  Block *block;
  gsize bytes;
  void *memory;

  if (!count_bytes (ndim, shape, dtype, &bytes))
    return ls_ndarray_new (ndim, shape, dtype, error);
  memory = take (self, block_size (bytes));
  if (memory == NULL)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY, ls_translate ("There is no memory for a tensor of %zu bytes."), bytes);
      return NULL;
    }
  block = g_new (Block, 1);
  *block = (Block) { self, memory, block_size (bytes) };
  g_atomic_ref_count_inc (&self->refs);
  return ls_ndarray_new_take_data (memory, ndim, shape, dtype, block, give_back, error);
}
