/* vm-shape: what the virtual machine's lowest programs call: a heap of symbolic extents, checks of what functions were
 * told about their values, fields of tuples.
 *
 * VMShapeLower writes these calls (TVM's vm.builtin.match_shape, make_shape and check_*_info).  The heap is a tensor of
 * 64-bit integers; a dimension is told by a pair (code, register): what is to be done with it, and where.
 */
#include "engine/runtime/vm-private.h"

#include <inttypes.h>
#include <string.h>

enum { ASSERT_EQUAL_TO_IMM, STORE_TO_HEAP, NO_OP, ASSERT_EQUAL_TO_LOAD };
enum { USE_IMM, LOAD_SHAPE };

static const char *
context (LsVMValue **args,
         guint       i)
{
  return args[i]->kind == LS_VM_STRING && args[i]->string[0] != '\0' ? args[i]->string : ls_translate ("A value");
}

static gboolean
refuse (int          code,
        const char  *what,
        LsVMValue   *value,
        const char  *expected,
        GError     **error)
{
  g_autofree char *found = ls_vm_value_describe (value);

  g_set_error (error, LS_RUNTIME_ERROR, code, ls_translate ("%s is %s; %s is expected."), what, found, ls_translate (expected));
  return FALSE;
}

static gboolean
enough (guint    n,
        guint    wanted,
        GError **error)
{
  if (n >= wanted)
    return TRUE;
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%u arguments are too few; %u are expected."), n, wanted);
  return FALSE;
}

static LsVMValue *
done (gboolean fine)
{
  return fine ? ls_vm_none () : NULL;
}

/* ---- the heap ----------------------------------------------------------------- */

static LsVMValue *
alloc_shape_heap (LsVMPool   *pool,
                  LsVMValue **args,
                  guint       n,
                  GError    **error)
{
  gint64 size;
  LsNDArray *heap;

  if (!ls_vm_arg_int (args, 0, &size, error))
    return NULL;
  heap = ls_vm_pool_alloc (pool, 1, &size, LS_DT_INT64, error);
  return heap != NULL ? ls_vm_tensor (heap) : NULL;
}

/* The place of a register in the heap, NULL with an error. */
static gint64 *
heap_place (LsVMValue *heap,
            gint64     place,
            GError   **error)
{
  LsDLTensor *tensor = heap->kind == LS_VM_TENSOR ? &heap->tensor->tensor : NULL;

  if (tensor != NULL && tensor->ndim == 1 && ls_dl_dtype_equal (tensor->dtype, LS_DT_INT64) && place >= 0 && place < tensor->shape[0])
    return (gint64 *) ((guint8 *) tensor->data + tensor->byte_offset) + place;
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("The heap of extents has no place %" PRId64 "."), place);
  return NULL;
}

static gboolean
match_one (LsVMValue  *heap,
           gint64      code,
           gint64      reg,
           gint64      found,
           guint       axis,
           const char *what,
           GError    **error)
{
  gint64 *place = code == STORE_TO_HEAP || code == ASSERT_EQUAL_TO_LOAD ? heap_place (heap, reg, error) : &reg;

  if (place == NULL)
    return FALSE;
  if (code == STORE_TO_HEAP)
    *place = found;
  else if (code != NO_OP && *place != found)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE,
                   ls_translate ("%s has an extent of %" PRId64 " in dimension %u; %" PRId64 " is expected."), what, found, axis, *place);
      return FALSE;
    }
  return TRUE;
}

/* value, heap, number of dimensions, (code, register)..., context */
static LsVMValue *
match_shape (LsVMPool   *pool,
             LsVMValue **args,
             guint       n,
             GError    **error)
{
  gboolean is_tensor = n > 0 && args[0]->kind == LS_VM_TENSOR;
  gint64 ndim, found, code, reg;
  const gint64 *dims;
  gboolean fine = enough (n, 4, error) && ls_vm_arg_int (args, 2, &ndim, error) && ndim >= 0 && ndim <= LS_NDARRAY_MAX_NDIM
                  && enough (n, 4 + 2 * (guint) ndim, error);
  const char *what = fine ? context (args, 3 + 2 * (guint) ndim) : NULL;

  if (!fine)
    return NULL;
  if (!is_tensor && args[0]->kind != LS_VM_SHAPE)
    return done (refuse (LS_RUNTIME_ERROR_ARGUMENT, what, args[0], LS_TEXT ("a tensor or a shape"), error));
  found = is_tensor ? args[0]->tensor->tensor.ndim : (gint64) args[0]->n;
  dims = is_tensor ? args[0]->tensor->tensor.shape : args[0]->dims;
  if (found != ndim)
    {
      g_autofree char *expected = g_strdup_printf (ls_translate ("an ndim of %" PRId64), ndim);

      return done (refuse (LS_RUNTIME_ERROR_SHAPE, what, args[0], expected, error));
    }
  for (guint i = 0; i < ndim && fine; i++)
    fine = ls_vm_arg_int (args, 3 + 2 * i, &code, error) && ls_vm_arg_int (args, 4 + 2 * i, &reg, error)
           && match_one (args[1], code, reg, dims[i], i, what, error);
  return done (fine);
}

/* value, heap, code, register, context */
static LsVMValue *
match_prim_value (LsVMPool   *pool,
                  LsVMValue **args,
                  guint       n,
                  GError    **error)
{
  gint64 found, code, reg;

  if (args[0]->kind != LS_VM_INT)
    return done (refuse (LS_RUNTIME_ERROR_ARGUMENT, context (args, 4), args[0], LS_TEXT ("an integer"), error));
  found = args[0]->v_int;
  return done (ls_vm_arg_int (args, 2, &code, error) && ls_vm_arg_int (args, 3, &reg, error)
               && match_one (args[1], code, reg, found, 0, context (args, 4), error));
}

static gboolean
made_extent (LsVMValue **args,
             guint       at,
             LsVMValue  *heap,
             gint64     *value,
             GError    **error)
{
  gint64 code, reg, *place;

  if (!ls_vm_arg_int (args, at, &code, error) || !ls_vm_arg_int (args, at + 1, &reg, error))
    return FALSE;
  place = code == LOAD_SHAPE ? heap_place (heap, reg, error) : &reg;
  if (place == NULL)
    return FALSE;
  *value = *place;
  return TRUE;
}

/* heap, number of dimensions, (code, register)... */
static LsVMValue *
make_shape (LsVMPool   *pool,
            LsVMValue **args,
            guint       n,
            GError    **error)
{
  gint64 ndim, dims[LS_NDARRAY_MAX_NDIM];

  if (!enough (n, 2, error) || !ls_vm_arg_int (args, 1, &ndim, error))
    return NULL;
  if (ndim < 0 || ndim > LS_NDARRAY_MAX_NDIM)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("A shape has %" PRId64 " dimensions; %d are possible."), ndim, LS_NDARRAY_MAX_NDIM);
      return NULL;
    }
  if (!enough (n, 2 + 2 * (guint) ndim, error))
    return NULL;
  for (guint i = 0; i < ndim; i++)
    if (!made_extent (args, 2 + 2 * i, args[0], &dims[i], error))
      return NULL;
  return ls_vm_shape (dims, (guint) ndim);
}

/* heap, code, register */
static LsVMValue *
make_prim_value (LsVMPool   *pool,
                 LsVMValue **args,
                 guint       n,
                 GError    **error)
{
  gint64 value;

  return made_extent (args, 1, args[0], &value, error) ? ls_vm_int (value) : NULL;
}

/* ---- checks --------------------------------------------------------------------- */

static gboolean
check_ndim (LsVMValue  *value,
            gint64      found,
            gint64      wanted,
            const char *what,
            GError    **error)
{
  g_autofree char *expected = NULL;

  if (wanted < 0 || found == wanted)
    return TRUE;
  expected = g_strdup_printf ("an ndim of %" G_GINT64_FORMAT, wanted);
  return refuse (LS_RUNTIME_ERROR_SHAPE, what, value, expected, error);
}

/* value, number of dimensions or -1, dtype if it is known, context */
static LsVMValue *
check_tensor_info (LsVMPool   *pool,
                   LsVMValue **args,
                   guint       n,
                   GError    **error)
{
  const char *name, *what;
  g_autofree char *expected = NULL;
  LsDLDataType dtype;
  gint64 ndim;

  if (!enough (n, 3, error) || !ls_vm_arg_int (args, 1, &ndim, error))
    return NULL;
  what = context (args, n - 1);
  if (args[0]->kind != LS_VM_TENSOR)
    return done (refuse (LS_RUNTIME_ERROR_ARGUMENT, what, args[0], LS_TEXT ("a tensor"), error));
  if (!check_ndim (args[0], args[0]->tensor->tensor.ndim, ndim, what, error))
    return NULL;
  name = n > 3 && args[2]->kind == LS_VM_STRING ? args[2]->string : "";
  if (name[0] == '\0' || strcmp (name, "void") == 0)
    return ls_vm_none ();
  if (!ls_dl_dtype_parse (name, &dtype, error))
    return NULL;
  expected = g_strconcat ("the dtype ", name, NULL);
  return done (ls_dl_dtype_equal (ls_dl_dtype_normalise (args[0]->tensor->tensor.dtype), dtype)
               || refuse (LS_RUNTIME_ERROR_DTYPE, what, args[0], expected, error));
}

/* value, number of dimensions or -1, context */
static LsVMValue *
check_shape_info (LsVMPool   *pool,
                  LsVMValue **args,
                  guint       n,
                  GError    **error)
{
  gint64 ndim;

  if (args[0]->kind != LS_VM_SHAPE)
    return done (refuse (LS_RUNTIME_ERROR_ARGUMENT, context (args, 2), args[0], LS_TEXT ("a shape"), error));
  return done (ls_vm_arg_int (args, 1, &ndim, error) && check_ndim (args[0], args[0]->n, ndim, context (args, 2), error));
}

/* value, dtype, context */
static LsVMValue *
check_prim_value_info (LsVMPool   *pool,
                       LsVMValue **args,
                       guint       n,
                       GError    **error)
{
  gboolean is_float = args[1]->kind == LS_VM_STRING && (g_str_has_prefix (args[1]->string, "float") || g_str_has_prefix (args[1]->string, "bfloat"));

  if (args[0]->kind == LS_VM_INT || (is_float && args[0]->kind == LS_VM_FLOAT))
    return ls_vm_none ();
  return done (refuse (LS_RUNTIME_ERROR_ARGUMENT, context (args, 2), args[0], is_float ? LS_TEXT ("a number") : LS_TEXT ("an integer"), error));
}

/* value, number of fields, context */
static LsVMValue *
check_tuple_info (LsVMPool   *pool,
                  LsVMValue **args,
                  guint       n,
                  GError    **error)
{
  g_autofree char *expected = NULL;
  gint64 size;

  if (!ls_vm_arg_int (args, 1, &size, error))
    return NULL;
  if (args[0]->kind == LS_VM_TUPLE && (gint64) args[0]->n == size)
    return ls_vm_none ();
  expected = g_strdup_printf ("a tuple of %" G_GINT64_FORMAT " elements", size);
  return done (refuse (args[0]->kind == LS_VM_TUPLE ? LS_RUNTIME_ERROR_SHAPE : LS_RUNTIME_ERROR_ARGUMENT, context (args, 2), args[0], expected, error));
}

/* value, context */
static LsVMValue *
check_func_info (LsVMPool   *pool,
                 LsVMValue **args,
                 guint       n,
                 GError    **error)
{
  return done (args[0]->kind == LS_VM_CLOSURE || (args[0]->kind == LS_VM_OBJECT && args[0]->object_class->call != NULL) || refuse (LS_RUNTIME_ERROR_ARGUMENT, context (args, 1), args[0], LS_TEXT ("a function"), error));
}

/* ---- indices ---------------------------------------------------------------------- */

/* indices, limits, does -1 mean the last one?  Index number i is one of limit i % n.  The shape (1,) says that all are inside. */
static LsVMValue *
check_indices (LsVMPool   *pool,
               LsVMValue **args,
               guint       n,
               GError    **error)
{
  LsNDArray *indices = ls_vm_arg_tensor (args, 0, error);
  gint64 wraps, count, yes = 1;

  if (indices == NULL || !ls_vm_arg_int (args, 2, &wraps, error))
    return NULL;
  if (args[1]->kind != LS_VM_SHAPE || args[1]->n == 0)
    {
      ls_vm_arg_wrong (1, args[1], LS_TEXT ("a shape"), error);
      return NULL;
    }
  count = ls_tensor_n_scalars (&indices->tensor);
  for (gint64 i = 0; i < count; i++)
    {
      gint64 index = ls_tensor_get_int (&indices->tensor, i), limit = args[1]->dims[i % args[1]->n];

      if (index >= (wraps ? -limit : 0) && index < limit)
        continue;
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE,
                   ls_translate ("Index number %" PRId64 " is %" PRId64 "; the axis has %" PRId64 " elements."), i, index, limit);
      return NULL;
    }
  return ls_vm_shape (&yes, 1);
}

/* ---- tuples ----------------------------------------------------------------------- */

static LsVMValue *
tuple_getitem (LsVMPool   *pool,
               LsVMValue **args,
               guint       n,
               GError    **error)
{
  gint64 index;

  if (!ls_vm_arg_int (args, 1, &index, error))
    return NULL;
  if (args[0]->kind == LS_VM_TUPLE && index >= 0 && index < (gint64) args[0]->n)
    return ls_vm_value_ref (args[0]->items[index]);
  return done (refuse (LS_RUNTIME_ERROR_ARGUMENT, "The value", args[0], LS_TEXT ("a tuple with the field that is asked for"), error));
}

static LsVMValue *
make_tuple (LsVMPool   *pool,
            LsVMValue **args,
            guint       n,
            GError    **error)
{
  g_autofree LsVMValue **items = g_new0 (LsVMValue *, n + 1);

  for (guint i = 0; i < n; i++)
    items[i] = ls_vm_value_ref (args[i]);
  return ls_vm_tuple (items, n);
}

const LsVMBuiltin ls_vm_shape_builtins[] = {
  { "vm.builtin.alloc_shape_heap", 1, alloc_shape_heap },
  { "vm.builtin.match_shape", -1, match_shape }, { "vm.builtin.match_prim_value", 5, match_prim_value },
  { "vm.builtin.make_shape", -1, make_shape }, { "vm.builtin.make_prim_value", 3, make_prim_value },
  { "vm.builtin.check_tensor_info", -1, check_tensor_info }, { "vm.builtin.check_shape_info", 3, check_shape_info },
  { "vm.builtin.check_prim_value_info", 3, check_prim_value_info }, { "vm.builtin.check_tuple_info", 3, check_tuple_info },
  { "vm.builtin.check_func_info", 2, check_func_info }, { "vm.builtin.check_indices", 3, check_indices },
  { "vm.builtin.tuple_getitem", 2, tuple_getitem }, { "vm.builtin.make_tuple", -1, make_tuple },
  { NULL, 0, NULL },
};
