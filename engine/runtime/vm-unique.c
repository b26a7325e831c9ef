/* vm-unique: the different elements of a tensor, or the different slices along an axis of it (numpy's unique).
 *
 * Slices are sorted by their elements in row-major order, stable, so that the first of equal ones is where they were
 * first.  Arguments: data, sorted, return_index, return_inverse, return_counts, and the axis where there is one.
 * Unsorted results are in the order in which they came.
 */
#include "engine/runtime/lines.h"
#include "engine/runtime/vm-private.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  LsLines lines;
  gint64 *order;                /* numbers of slices, sorted */
  gint64 *group;                /* of each slice */
  gint64 *first;                /* of each group: the slice where it was first */
  gint64 *count;
  gint64  n_groups;
} Groups;

static int
compare_scalars (LsDLTensor *tensor,
                 gint64      i,
                 gint64      j)
{
  if (!ls_dl_dtype_is_float (tensor->dtype))
    {
      gint64 x = ls_tensor_get_int (tensor, i), y = ls_tensor_get_int (tensor, j);

      return (x > y) - (x < y);
    }
  else
    {
      double x = ls_tensor_get_double (tensor, i), y = ls_tensor_get_double (tensor, j);

      return x != x || y != y ? (x != x) - (y != y) : (x > y) - (x < y);
    }
}

static int
compare_slices (gconstpointer a,
                gconstpointer b,
                gpointer      user_data)
{
  const LsLines *lines = user_data;

  for (gint64 o = 0; o < lines->outer; o++)
    for (gint64 k = 0; k < lines->inner; k++)
      {
        int result = compare_scalars (lines->tensor, ls_lines_place (lines, o, *(const gint64 *) a, k), ls_lines_place (lines, o, *(const gint64 *) b, k));

        if (result != 0)
          return result;
      }
  return 0;
}

static int
compare_firsts (gconstpointer a,
                gconstpointer b,
                gpointer      first)
{
  gint64 x = ((gint64 *) first)[*(const gint64 *) a], y = ((gint64 *) first)[*(const gint64 *) b];

  return (x > y) - (x < y);
}

/* Groups in the order of their first slices. */
static void
by_coming (Groups *self)
{
  g_autofree gint64 *old = g_new (gint64, self->n_groups + 1), *place = g_new (gint64, self->n_groups + 1);
  g_autofree gint64 *first = g_memdup2 (self->first, sizeof (gint64) * (gsize) (self->n_groups + 1));
  g_autofree gint64 *count = g_memdup2 (self->count, sizeof (gint64) * (gsize) (self->n_groups + 1));

  for (gint64 i = 0; i < self->n_groups; i++)
    old[i] = i;
  g_qsort_with_data (old, (int) self->n_groups, sizeof *old, compare_firsts, first);
  for (gint64 i = 0; i < self->n_groups; i++)
    {
      place[old[i]] = i;
      self->first[i] = first[old[i]];
      self->count[i] = count[old[i]];
    }
  for (gint64 i = 0; i < self->lines.length; i++)
    self->group[i] = place[self->group[i]];
}

static void
find_groups (Groups  *self,
             gboolean sorted)
{
  gint64 n = self->lines.length;

  self->order = g_new (gint64, n + 1);
  self->group = g_new (gint64, n + 1);
  self->first = g_new0 (gint64, n + 1);
  self->count = g_new0 (gint64, n + 1);
  for (gint64 i = 0; i < n; i++)
    self->order[i] = i;
  g_qsort_with_data (self->order, (int) n, sizeof (gint64), compare_slices, &self->lines);
  for (gint64 i = 0; i < n; i++)
    {
      if (i == 0 || compare_slices (&self->order[i - 1], &self->order[i], &self->lines) != 0)
        self->first[self->n_groups++] = self->order[i];
      self->group[self->order[i]] = self->n_groups - 1;
      self->count[self->n_groups - 1]++;
    }
  if (!sorted)
    by_coming (self);
}

static void
clear_groups (Groups *self)
{
  g_free (self->order);
  g_free (self->group);
  g_free (self->first);
  g_free (self->count);
}

static LsVMValue *
numbers (LsVMPool     *pool,
         const gint64 *values,
         gint64        n,
         GError      **error)
{
  LsNDArray *out = ls_vm_pool_alloc (pool, 1, &n, LS_DT_INT64, error);

  for (gint64 i = 0; out != NULL && i < n; i++)
    ls_tensor_set_int (&out->tensor, i, values[i]);
  return out != NULL ? ls_vm_tensor (out) : NULL;
}

/* The first slice of each group. */
static LsVMValue *
different (Groups   *self,
           LsVMPool *pool,
           gint64    axis,
           gboolean  flat,
           GError  **error)
{
  LsDLTensor *from = self->lines.tensor;
  gint64 dims[LS_NDARRAY_MAX_NDIM] = { self->n_groups };
  LsNDArray *out;
  LsLines to;

  if (!flat)
    {
      memcpy (dims, from->shape, (gsize) from->ndim * sizeof *dims);
      dims[axis] = self->n_groups;
    }
  out = ls_vm_pool_alloc (pool, flat ? 1 : from->ndim, dims, from->dtype, error);
  if (out == NULL)
    return NULL;
  ls_lines_init (&to, &out->tensor, flat ? 0 : axis);
  for (gint64 o = 0; o < to.outer; o++)
    for (gint64 i = 0; i < self->n_groups; i++)
      for (gint64 k = 0; k < to.inner; k++)
        {
          gint64 at = ls_lines_place (&self->lines, o, self->first[i], k), there = ls_lines_place (&to, o, i, k);

          if (ls_dl_dtype_is_float (from->dtype))
            ls_tensor_set_double (&out->tensor, there, ls_tensor_get_double (from, at));
          else
            ls_tensor_set_int (&out->tensor, there, ls_tensor_get_int (from, at));
        }
  return ls_vm_tensor (out);
}

static LsVMValue *
results (Groups   *self,
         LsVMPool *pool,
         gint64   *wanted,
         gint64    axis,
         gboolean  flat,
         GError  **error)
{
  const gint64 *extra[] = { self->first, self->group, self->count };
  gint64 lengths[] = { self->n_groups, self->lines.length, self->n_groups };
  LsVMValue *found[4] = { different (self, pool, axis, flat, error) };
  guint n = 1;

  for (guint i = 0; i < 3 && found[n - 1] != NULL; i++)
    if (wanted[i + 1] != 0)
      {
        found[n] = numbers (pool, extra[i], lengths[i], error);
        n++;
      }
  if (found[n - 1] != NULL)
    return n == 1 ? found[0] : ls_vm_tuple (found, n);
  for (guint i = 0; i < n; i++)
    ls_vm_value_unref (found[i]);
  return NULL;
}

static LsVMValue *
unique (LsVMPool   *pool,
        LsVMValue **args,
        guint       n,
        GError    **error)
{
  LsNDArray *array = n >= 5 ? ls_vm_arg_tensor (args, 0, error) : NULL;
  gboolean flat = n < 6 || args[5]->kind == LS_VM_NONE;
  gint64 wanted[4] = { 1, 0, 0, 0 }, axis = 0;
  Groups groups = { 0 };
  LsVMValue *value;

  if (array == NULL)
    {
      if (n < 5)
        g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%u arguments are too few; 5 are expected."), n);
      return NULL;
    }
  for (guint i = 0; i < 4; i++)
    if (!ls_vm_arg_int (args, i + 1, &wanted[i], error))
      return NULL;
  if (!flat && !ls_vm_arg_int (args, 5, &axis, error))
    return NULL;
  if (flat)
    groups.lines = (LsLines) { &array->tensor, 1, ls_tensor_n_scalars (&array->tensor), 1 };
  else if (!ls_lines_init (&groups.lines, &array->tensor, axis))
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("axis %" PRId64 " is none of the tensor's %d."), axis, array->tensor.ndim);
      return NULL;
    }
  find_groups (&groups, wanted[0] != 0);
  value = results (&groups, pool, wanted, axis < 0 ? axis + array->tensor.ndim : axis, flat, error);
  clear_groups (&groups);
  return value;
}

const LsVMBuiltin ls_vm_unique_builtins[] = {
  { "unique", -1, unique },
  { NULL, 0, NULL },
};
