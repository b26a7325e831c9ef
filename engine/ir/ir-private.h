/* ir-private: what the files of engine/ir share, and how a layer above adds its classes. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

#define LS_FIELD(Type, member, kind_, flags_) \
  { #member, LS_FIELD_##kind_, G_STRUCT_OFFSET (Type, member), (flags_), NULL }
#define LS_FIELD_NAMED(Type, member, name_, kind_, flags_) \
  { (name_), LS_FIELD_##kind_, G_STRUCT_OFFSET (Type, member), (flags_), NULL }

#define LS_CLASS(symbol, KIND, Name, Type, flags_, ...) \
  static const LsField symbol##_fields[] = { __VA_ARGS__ }; \
  const LsNodeClass symbol = { LS_KIND_##KIND, Name, sizeof (Type), (flags_), symbol##_fields, G_N_ELEMENTS (symbol##_fields) }

/* Where child number i is kept; NULL: there is none. */
LsNode **ls_node_child_slot (const LsNode *node,
                             guint         i);

/* Puts the classes of engine/ir into a table by kind. */
void ls_ir_fill_classes (const LsNodeClass **table);

/* As ls_node_alloc, with `more` bytes behind the struct (the items of an array). */
gpointer ls_node_alloc_more (const LsNodeClass *klass,
                             gsize              more);

/* A module, with the places of its functions by their names once somebody has asked for one of many: name -> place + 1; names belong to the
 * variables.  Given up with the module, and not copied. */
typedef struct { LsModule module; GHashTable *places; } LsModuleNode;

/* A layer above (tir, relax) hands its classes in before main runs; static storage. */
void ls_class_register  (const LsNodeClass *const *classes,
                         guint                     n);

extern const LsNodeClass ls_array_class, ls_map_class, ls_string_class, ls_tensor_class;
extern const LsNodeClass ls_prim_type_class, ls_pointer_type_class, ls_tuple_type_class;
extern const LsNodeClass ls_op_class, ls_global_var_class, ls_module_class;

/* Lists the children of a node (borrowed, NULL where there is none) and returns how many there are.  More than `max`
 * of them are not written. */
guint   ls_node_list_children (const LsNode  *node,
                               LsNode       **out,
                               guint          max);
/* The node with other children, which it takes. */
LsNode *ls_node_take_children (LsNode        *node,
                               LsNode       **children);

G_END_DECLS
