/* type: PrimType, PointerType, TupleType. */
#include "engine/ir/ir-private.h"

LS_CLASS (ls_prim_type_class, PRIM_TYPE, "PrimType", LsPrimType, LS_CLASS_PLAIN,
          LS_FIELD (LsPrimType, dtype, DTYPE, 0));
LS_CLASS (ls_pointer_type_class, POINTER_TYPE, "PointerType", LsPointerType, LS_CLASS_PLAIN,
          LS_FIELD (LsPointerType, element_type, NODE, 0),
          LS_FIELD (LsPointerType, storage_scope, STRING, 0));
LS_CLASS (ls_tuple_type_class, TUPLE_TYPE, "TupleType", LsTupleType, LS_CLASS_PLAIN,
          LS_FIELD (LsTupleType, fields, NODE, 0));

LsType *
ls_prim_type_new (LsDType dtype)
{
  LsPrimType *self = ls_node_alloc (&ls_prim_type_class);

  self->dtype = dtype;
  return ls_node_finish (self);
}

LsType *
ls_pointer_type_new (LsType     *element_type,
                     const char *storage_scope)
{
  LsPointerType *self = ls_node_alloc (&ls_pointer_type_class);

  self->element_type = element_type;
  self->storage_scope = g_strdup (storage_scope != NULL ? storage_scope : "");
  return ls_node_finish (self);
}

LsType *
ls_tuple_type_new (LsArray *fields)
{
  LsTupleType *self = ls_node_alloc (&ls_tuple_type_class);

  self->fields = fields;
  return ls_node_finish (self);
}

LsType *
ls_void_type_new (void)
{
  return ls_tuple_type_new (ls_array_empty ());
}
