/* op/memory: storage and tensors in it, and what turns shapes into tensors and back. */
#include "engine/relax/op/op.h"

#include <inttypes.h>
#include <string.h>

static LsDType
type_argument (LsInfer *self)
{
  for (guint i = 0; i < self->call->args->n; i++)
    if (ls_is (self->call->args->items[i], DATA_TYPE_IMM))
      return ((LsDataTypeImm *) self->call->args->items[i])->value;
  return LS_VOID;
}

/* A tensor of the shape that is argument number `at`. */
static LsStructInfo *
tensor_of_shape (LsInfer *self,
                 guint    at)
{
  LsShapeStructInfo *shape = ls_infer_shape (self, at);
  LsNode *value = shape != NULL ? self->call->args->items[at] : NULL;

  if (shape == NULL)
    return NULL;
  return ls_is (value, SHAPE_EXPR) ? ls_tensor_struct_info_new (ls_node_ref (value), shape->ndim, type_argument (self), NULL)
         : ls_infer_ranked (shape->ndim, type_argument (self), NULL);
}

static LsStructInfo *
infer_alloc_builtin (LsInfer *self)
{
  return tensor_of_shape (self, 0);
}

static LsStructInfo *
infer_alloc_from_storage (LsInfer *self)
{
  return tensor_of_shape (self, 2);
}

static LsStructInfo *
infer_shape_of (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *extents = x != NULL ? ls_tensor_extents (x) : NULL;

  return x != NULL ? ls_shape_struct_info_new (ls_ref (extents), x->ndim) : NULL;
}

static LsStructInfo *
infer_tensor_to_shape (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *extents;
  gint64 n;

  if (x == NULL)
    return NULL;
  if ((x->ndim >= 0 && x->ndim != 1) || (!ls_dtype_is_void (x->dtype) && !ls_dtype_equal (x->dtype, LS_INT64)))
    return ls_infer_fail (self, "takes an int64 tensor of one dimension, not %s.", ls_infer_text (self, x));
  extents = ls_tensor_extents (x);
  return ls_shape_struct_info_new (NULL, extents != NULL && ls_as_int (extents->items[0], &n) ? n : LS_UNKNOWN_NDIM);
}

static LsStructInfo *
infer_shape_to_tensor (LsInfer *self)
{
  LsShapeStructInfo *shape = ls_infer_shape (self, 0);
  GPtrArray *out;

  if (shape == NULL)
    return NULL;
  if (shape->ndim < 0)
    return ls_infer_ranked (1, LS_INT64, NULL);
  out = ls_extents_new ();
  g_ptr_array_add (out, ls_extent (shape->ndim));
  return ls_infer_shaped_take (out, LS_INT64, NULL);
}

/* ---- views --------------------------------------------------------------------------- */

static gboolean
is_left_out (LsInfer *self,
             guint    i)
{
  return i >= self->n || (ls_is (self->infos[i], TUPLE_STRUCT_INFO) && ((LsTupleStructInfo *) self->infos[i])->fields->n == 0);
}

/* The type that a view says; void: only the run knows it. */
static gboolean
view_type (LsInfer *self,
           LsDType *dtype)
{
  LsNode *arg = self->n > 2 ? self->call->args->items[2] : NULL;

  if (is_left_out (self, 2))
    return TRUE;
  *dtype = ls_is (arg, DATA_TYPE_IMM) ? ((LsDataTypeImm *) arg)->value : LS_VOID;
  if ((ls_is (arg, DATA_TYPE_IMM) && ls_dtype_is_void (*dtype)) || !ls_is (self->infos[2], OBJECT_STRUCT_INFO))
    {
      ls_infer_fail (self, "takes a type that is not void as %s.", ls_infer_arg_name (self, 2));
      return FALSE;
    }
  return TRUE;
}

/* Are there more bytes in the view than in the tensor, wherever they are told?  What is unknown but the same in both does not count. */
static gboolean
leaves_tensor (LsInfer  *self,
               LsArray  *from,
               LsArray  *to,
               LsDType   old,
               LsDType   new,
               LsExpr   *offset)
{
  gboolean same_count = to == NULL || to == from, same_type = ls_dtype_equal (old, new);
  gint64 before = ls_dtype_is_void (old) || same_type ? 1 : ls_dtype_bytes (old), after = ls_dtype_is_void (new) || same_type ? 1 : ls_dtype_bytes (new);
  LsExpr *had = same_count ? ls_infer_keep (self, ls_int_imm_new (LS_INT64, 1)) : from != NULL ? ls_infer_product (self, from, 0, from->n) : NULL;
  LsExpr *has = same_count ? had : ls_infer_product (self, to, 0, to->n);
  g_autoptr (LsExpr) larger = NULL;

  if (had == NULL || has == NULL || (!same_type && (ls_dtype_is_void (old) || ls_dtype_is_void (new))))
    return FALSE;
  if (!same_count && !ls_dtype_is_void (old) && same_type)
    before = after = ls_dtype_bytes (old);
  larger = ls_lt (ls_mul (ls_ref (had), ls_extent (before)), ls_add (ls_mul (ls_ref (has), ls_extent (after)), ls_ref (offset)));
  return ls_analyzer_can_prove (ls_infer_analyzer (self), larger);
}

static LsStructInfo *
infer_view (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsNode *shape = is_left_out (self, 1) ? NULL : self->call->args->items[1];
  LsShapeStructInfo *said = shape != NULL ? (LsShapeStructInfo *) self->infos[1] : NULL;
  LsPrimStructInfo *moved = is_left_out (self, 3) ? NULL : (LsPrimStructInfo *) self->infos[3];
  LsDType dtype = x != NULL ? x->dtype : LS_VOID;
  LsExpr *offset;
  gint64 at;

  if (x == NULL || !view_type (self, &dtype))
    return NULL;
  if (said != NULL && !ls_is (said, SHAPE_STRUCT_INFO))
    return ls_infer_fail (self, "takes a shape as %s.", ls_infer_arg_name (self, 1));
  if (moved != NULL && (!ls_is (moved, PRIM_STRUCT_INFO) || !ls_dtype_equal (moved->dtype, LS_INT64)))
    return ls_infer_fail (self, "takes an int64 as %s.", ls_infer_arg_name (self, 3));
  offset = moved == NULL ? ls_infer_keep (self, ls_int_imm_new (LS_INT64, 0)) : moved->value;
  if (offset != NULL && ls_as_int (offset, &at) && at < 0)
    return ls_infer_fail (self, "leaves the memory of its tensor: the view begins %" PRId64 " bytes before it.", -at);
  if (offset != NULL && leaves_tensor (self, ls_tensor_extents (x), said != NULL ? said->values : NULL, x->dtype, dtype, offset))
    return ls_infer_fail (self, "leaves the memory of its tensor: the view has more bytes than %s.", ls_infer_text (self, x));
  if (shape == NULL)
    return ls_infer_like (x, dtype);
  return ls_is (shape, SHAPE_EXPR) || ls_is_relax_var (shape) ? ls_tensor_struct_info_new (ls_node_ref (shape), said->ndim, dtype, ls_node_ref (x->vdevice))
         : ls_infer_ranked (said->ndim, dtype, x);
}

/* A number of this type; -1: not known which. */
static LsStructInfo *
number_info (LsDType type,
             gint64  number)
{
  return ls_prim_struct_info_new (number >= 0 ? ls_int_imm_new (type, number) : NULL, type);
}

static LsStructInfo *
infer_inspect_number (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *extents = x != NULL ? ls_tensor_extents (x) : NULL;
  const char *what = self->name + strlen ("inspect.tensor_");
  LsDType type;
  gint64 axis = -1;

  if (x == NULL)
    return NULL;
  if (strcmp (what, "shape_i") == 0 || strcmp (what, "stride_i") == 0)
    {
      LsNode *info = self->n > 1 ? self->infos[1] : NULL;

      if (!ls_is (info, PRIM_STRUCT_INFO))
        return ls_infer_fail (self, "takes a scalar as %s.", ls_infer_arg_name (self, 1));
      if (((LsPrimStructInfo *) info)->value != NULL && ls_as_int (((LsPrimStructInfo *) info)->value, &axis)
          && (axis < 0 || (x->ndim >= 0 && axis >= x->ndim)))
        return ls_infer_fail (self, "has no axis %" PRId64 " in a tensor of %" PRId64 " dimensions.", axis, x->ndim);
      if (strcmp (what, "shape_i") == 0 && extents != NULL && axis >= 0)
        return ls_prim_struct_info_new (ls_ref (ls_extent_at (extents, axis)), ls_dtype (extents->items[axis]));
    }
  if (g_str_has_suffix (what, "_i"))
    return ls_prim_struct_info_new (NULL, LS_INT64);
  if (strstr (what, "offset") != NULL)
    return ls_prim_struct_info_new (NULL, LS_DTYPE (LS_TYPE_UINT, 64));
  if (strcmp (what, "ndim") == 0)
    return number_info (LS_INT32, x->ndim);
  type = LS_DTYPE (LS_TYPE_UINT, strcmp (what, "dtype_lanes") == 0 ? 16 : 8);
  if (ls_dtype_is_void (x->dtype))
    return ls_prim_struct_info_new (NULL, type);
  return number_info (type, strcmp (what, "dtype_code") == 0 ? x->dtype.code : strcmp (what, "dtype_bits") == 0 ? x->dtype.bits : x->dtype.lanes);
}

#define INSPECT(name) { "inspect.tensor_" name, "x", infer_inspect_number }
#define INSPECT_I(name) { "inspect.tensor_" name, "x axis:prim", infer_inspect_number }

const LsRelaxOpRow ls_relax_ops_memory[] = {
  { "builtin.alloc_tensor", "shape:shape dtype:type runtime_device_index:prim storage_scope:text=global", infer_alloc_builtin },
  { "builtin.stop_lift_params", "x", ls_infer_same_as_first },
  INSPECT ("byte_offset"), INSPECT ("dtype_bits"), INSPECT ("dtype_code"), INSPECT ("dtype_lanes"), INSPECT ("elem_offset"), INSPECT ("ndim"),
  INSPECT_I ("shape_i"), INSPECT_I ("stride_i"),
  { "memory.alloc_storage", "size:shape virtual_device_index:prim storage_scope:text dtype:type", ls_infer_object },
  { "memory.alloc_tensor", "storage offset:prim shape:shape dtype:type", infer_alloc_from_storage },
  { "memory.ensure_zero_offset", "x", ls_infer_same_as_first },
  { "memory.kill_storage", "storage", ls_infer_nothing }, { "memory.kill_tensor", "tensor", ls_infer_nothing },
  { "memory.view", "x shape:shape=() dtype:type=() relative_byte_offset:prim=()", infer_view },
  { "shape_of", "expr", infer_shape_of }, { "shape_to_tensor", "expr", infer_shape_to_tensor }, { "tensor_to_shape", "expr", infer_tensor_to_shape },
  { "vm.alloc_storage", "shape:shape runtime_device_index:prim dtype:type storage_scope:text=global", ls_infer_object },
  { "vm.alloc_tensor", "storage offset:prim shape:shape dtype:type", infer_alloc_from_storage },
  { "vm.call_tir_dyn", "func args", ls_infer_nothing }, { "vm.kill_object", "obj", ls_infer_nothing },
  { NULL }
};
