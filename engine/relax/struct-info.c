/* struct-info: what is known about a Relax value before it exists (TVM's StructInfo). */
#include "engine/relax/relax-private.h"

LS_CLASS (ls_tensor_struct_info_class, TENSOR_STRUCT_INFO, "TensorStructInfo", LsTensorStructInfo, LS_CLASS_PLAIN,
          LS_FIELD (LsTensorStructInfo, shape, NODE, 0),
          LS_FIELD (LsTensorStructInfo, ndim, INT, 0),
          LS_FIELD (LsTensorStructInfo, dtype, DTYPE, 0),
          LS_FIELD (LsTensorStructInfo, vdevice, NODE, 0));
LS_CLASS (ls_shape_struct_info_class, SHAPE_STRUCT_INFO, "ShapeStructInfo", LsShapeStructInfo, LS_CLASS_PLAIN,
          LS_FIELD (LsShapeStructInfo, values, NODE, 0),
          LS_FIELD (LsShapeStructInfo, ndim, INT, 0));
LS_CLASS (ls_prim_struct_info_class, PRIM_STRUCT_INFO, "PrimStructInfo", LsPrimStructInfo, LS_CLASS_PLAIN,
          LS_FIELD (LsPrimStructInfo, value, NODE, 0),
          LS_FIELD (LsPrimStructInfo, dtype, DTYPE, 0));
LS_CLASS (ls_tuple_struct_info_class, TUPLE_STRUCT_INFO, "TupleStructInfo", LsTupleStructInfo, LS_CLASS_PLAIN,
          LS_FIELD (LsTupleStructInfo, fields, NODE, 0));
LS_CLASS (ls_func_struct_info_class, FUNC_STRUCT_INFO, "FuncStructInfo", LsFuncStructInfo, LS_CLASS_PLAIN,
          LS_FIELD (LsFuncStructInfo, params, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsFuncStructInfo, ret, NODE, 0),
          LS_FIELD (LsFuncStructInfo, purity, BOOL, 0),
          LS_FIELD (LsFuncStructInfo, derive_func, NODE, 0));
const LsNodeClass ls_object_struct_info_class = { LS_KIND_OBJECT_STRUCT_INFO, "ObjectStructInfo", sizeof (LsObjectStructInfo), LS_CLASS_PLAIN, NULL, 0 };

LsStructInfo *
ls_tensor_struct_info_new (LsNode  *shape,
                           gint64   ndim,
                           LsDType  dtype,
                           LsNode  *vdevice)
{
  LsTensorStructInfo *self = ls_node_alloc (&ls_tensor_struct_info_class);

  self->shape = shape;
  self->ndim = ls_is (shape, SHAPE_EXPR) ? (gint64) ((LsShapeExpr *) shape)->values->n : ndim;
  self->dtype = dtype;
  self->vdevice = vdevice;
  return ls_node_finish (self);
}

LsStructInfo *
ls_shape_struct_info_new (LsArray *values,
                          gint64   ndim)
{
  LsShapeStructInfo *self = ls_node_alloc (&ls_shape_struct_info_class);

  self->values = values;
  self->ndim = values != NULL ? (gint64) values->n : ndim;
  return ls_node_finish (self);
}

LsStructInfo *
ls_prim_struct_info_new (LsExpr  *value,
                         LsDType  dtype)
{
  LsPrimStructInfo *self = ls_node_alloc (&ls_prim_struct_info_class);

  self->value = value;
  self->dtype = dtype;
  return ls_node_finish (self);
}

LsStructInfo *
ls_tuple_struct_info_new (LsArray *fields)
{
  LsTupleStructInfo *self = ls_node_alloc (&ls_tuple_struct_info_class);

  self->fields = fields;
  return ls_node_finish (self);
}

LsStructInfo *
ls_func_struct_info_new (LsArray      *params,
                         LsStructInfo *ret,
                         gboolean      purity)
{
  LsFuncStructInfo *self = ls_node_alloc (&ls_func_struct_info_class);

  self->params = params;
  self->ret = ret;
  self->purity = purity;
  return ls_node_finish (self);
}

LsStructInfo *
ls_func_struct_info_derived (const char *derive_func,
                             gboolean    purity)
{
  LsFuncStructInfo *self = ls_node_alloc (&ls_func_struct_info_class);

  self->ret = ls_object_struct_info_new ();
  self->purity = purity;
  self->derive_func = ls_string_new (derive_func);
  return ls_node_finish (self);
}

LsStructInfo *
ls_object_struct_info_new (void)
{
  return ls_node_finish (ls_node_alloc (&ls_object_struct_info_class));
}

LsStructInfo *
ls_unknown_struct_info (void)
{
  static LsStructInfo *unknown;

  if (g_once_init_enter (&unknown))
    g_once_init_leave (&unknown, ls_object_struct_info_new ());
  return unknown;
}

gboolean
ls_is_struct_info (const void *node)
{
  return node != NULL && ls_kind (node) >= LS_KIND_TENSOR_STRUCT_INFO && ls_kind (node) <= LS_KIND_OBJECT_STRUCT_INFO;
}

gboolean
ls_is_void_struct_info (const void *node)
{
  return ls_is (node, TUPLE_STRUCT_INFO) && ((const LsTupleStructInfo *) node)->fields->n == 0;
}

/* ---- what can be said elsewhere -------------------------------------------------- */

static gboolean
is_unknown (LsVar   *var,
            gpointer known)
{
  return !g_hash_table_contains (known, var);
}

static LsStructInfo *
erase_tensor (LsTensorStructInfo *self,
              GHashTable         *known)
{
  gboolean lost = ls_is_relax_var (self->shape) || ls_uses_var (self->shape, is_unknown, known);

  return lost ? ls_tensor_struct_info_new (NULL, self->ndim, self->dtype, ls_node_ref (self->vdevice)) : ls_node_ref (LS_NODE (self));
}

static LsStructInfo *
erase_tuple (LsTupleStructInfo *self,
             GHashTable        *known)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; i < self->fields->n; i++)
    g_ptr_array_add (fields, ls_struct_info_erase (self->fields->items[i], known));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
}

static LsStructInfo *
erase_dtensor (LsDTensorStructInfo *self,
               GHashTable          *known)
{
  g_autoptr (LsNode) tensor = erase_tensor ((LsTensorStructInfo *) self->tensor_sinfo, known);

  return tensor == self->tensor_sinfo ? ls_node_ref (LS_NODE (self))
         : ls_dtensor_struct_info_new (g_steal_pointer (&tensor), ls_node_ref (self->device_mesh), ls_node_ref (self->placement), NULL);
}

LsStructInfo *
ls_struct_info_erase (LsStructInfo *self,
                      GHashTable   *known)
{
  if (ls_is (self, TENSOR_STRUCT_INFO))
    return erase_tensor ((LsTensorStructInfo *) self, known);
  if (ls_is (self, DTENSOR_STRUCT_INFO))
    return erase_dtensor ((LsDTensorStructInfo *) self, known);
  if (ls_is (self, TUPLE_STRUCT_INFO))
    return erase_tuple ((LsTupleStructInfo *) self, known);
  if (ls_is (self, SHAPE_STRUCT_INFO) && ls_uses_var (self, is_unknown, known))
    return ls_shape_struct_info_new (NULL, ((LsShapeStructInfo *) self)->ndim);
  if (ls_is (self, PRIM_STRUCT_INFO) && ls_uses_var (self, is_unknown, known))
    return ls_prim_struct_info_new (NULL, ((LsPrimStructInfo *) self)->dtype);
  return ls_node_ref (self);
}

static LsWalk
add_symbol (LsNode  *node,
            gpointer set)
{
  if (ls_is_var (node))
    g_hash_table_add (set, node);
  return LS_WALK_CONTINUE;
}

void
ls_struct_info_add_symbols (LsStructInfo *self,
                            GHashTable   *known)
{
  ls_walk (self, add_symbol, NULL, known);
}

/* ---- conflicts ---------------------------------------------------------------------- */

static gboolean
extents_may_be (LsArray *claimed,
                LsArray *actual)
{
  gint64 a, b;

  for (guint i = 0; i < MIN (ls_array_n (claimed), ls_array_n (actual)); i++)
    if (ls_as_int (claimed->items[i], &a) && ls_as_int (actual->items[i], &b) && a != b)
      return FALSE;
  return TRUE;
}

static gboolean
tensor_may_be (LsTensorStructInfo *claimed,
               LsTensorStructInfo *actual)
{
  if (!ls_dtype_is_void (claimed->dtype) && !ls_dtype_is_void (actual->dtype) && !ls_dtype_equal (claimed->dtype, actual->dtype))
    return FALSE;
  if (claimed->ndim >= 0 && actual->ndim >= 0 && claimed->ndim != actual->ndim)
    return FALSE;
  if (ls_is (claimed->shape, SHAPE_EXPR) && ls_is (actual->shape, SHAPE_EXPR))
    return extents_may_be (((LsShapeExpr *) claimed->shape)->values, ((LsShapeExpr *) actual->shape)->values);
  return TRUE;
}

static gboolean
tuple_may_be (LsArray *claimed,
              LsArray *actual)
{
  if (claimed->n != actual->n)
    return FALSE;
  for (guint i = 0; i < claimed->n; i++)
    if (!ls_struct_info_may_be (claimed->items[i], actual->items[i]))
      return FALSE;
  return TRUE;
}

gboolean
ls_struct_info_may_be (LsStructInfo *claimed,
                       LsStructInfo *actual)
{
  if (ls_is (claimed, OBJECT_STRUCT_INFO) || ls_is (actual, OBJECT_STRUCT_INFO))
    return TRUE;
  if (ls_kind (claimed) != ls_kind (actual))
    return FALSE;
  if (ls_is (claimed, TENSOR_STRUCT_INFO))
    return tensor_may_be ((LsTensorStructInfo *) claimed, (LsTensorStructInfo *) actual);
  if (ls_is (claimed, DTENSOR_STRUCT_INFO))
    return tensor_may_be ((LsTensorStructInfo *) ((LsDTensorStructInfo *) claimed)->tensor_sinfo,
                          (LsTensorStructInfo *) ((LsDTensorStructInfo *) actual)->tensor_sinfo);
  if (ls_is (claimed, TUPLE_STRUCT_INFO))
    return tuple_may_be (((LsTupleStructInfo *) claimed)->fields, ((LsTupleStructInfo *) actual)->fields);
  if (ls_is (claimed, PRIM_STRUCT_INFO))
    return ls_dtype_equal (((LsPrimStructInfo *) claimed)->dtype, ((LsPrimStructInfo *) actual)->dtype);
  if (ls_is (claimed, SHAPE_STRUCT_INFO))
    {
      LsShapeStructInfo *a = (LsShapeStructInfo *) claimed, *b = (LsShapeStructInfo *) actual;

      return (a->ndim < 0 || b->ndim < 0 || a->ndim == b->ndim) && extents_may_be (a->values, b->values);
    }
  return TRUE;
}
