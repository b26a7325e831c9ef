/* saved-rows: what TVM's kinds of nodes hold, by their keys and the names of their fields. */
#include "engine/script/saved-private.h"

#include "engine/relax/relax.h"

#include <string.h>

#define BINARY(name, stem) { "tir." name, LS_KIND_##stem, "a:E b:E" }

static const LsSavedRow ROWS[] = {
  { "PrimType", LS_KIND_PRIM_TYPE, "dtype:d" },
  { "PointerType", LS_KIND_POINTER_TYPE, "element_type:T storage_scope:s" },
  { "TupleType", LS_KIND_TUPLE_TYPE, "fields:*T" },
  { "Range", LS_KIND_RANGE, "min:E extent:E" },
  { "tir.Var", LS_KIND_VAR, "name:s type_annotation:T" },
  { "tir.SizeVar", LS_KIND_SIZE_VAR, "name:s type_annotation:T" },
  { "IntImm", LS_KIND_INT_IMM, "value:i" },
  { "FloatImm", LS_KIND_FLOAT_IMM, "value:f" },
  { "tir.StringImm", LS_KIND_STRING_IMM, "value:s" },
  { "tir.Cast", LS_KIND_CAST, "value:E" },
  BINARY ("Add", ADD), BINARY ("Sub", SUB), BINARY ("Mul", MUL), BINARY ("Div", DIV), BINARY ("Mod", MOD), BINARY ("FloorDiv", FLOOR_DIV),
  BINARY ("FloorMod", FLOOR_MOD), BINARY ("Min", MIN), BINARY ("Max", MAX), BINARY ("EQ", EQ), BINARY ("NE", NE), BINARY ("LT", LT), BINARY ("LE", LE),
  BINARY ("GT", GT), BINARY ("GE", GE), BINARY ("And", AND), BINARY ("Or", OR),
  { "tir.Not", LS_KIND_NOT, "a:E" },
  { "tir.Select", LS_KIND_SELECT, "condition:E true_value:E false_value:E" },
  { "tir.Ramp", LS_KIND_RAMP, "base:E stride:E lanes:E" },
  { "tir.Broadcast", LS_KIND_BROADCAST, "value:E lanes:E" },
  { "tir.Let", LS_KIND_LET, "value:E var:V body:E" },
  { "tir.Call", LS_KIND_CALL, "op:O args:*E" },
  { "tir.Shuffle", LS_KIND_SHUFFLE, "vectors:*E indices:*E" },
  { "tir.IterVar", LS_KIND_ITER_VAR, "dom:R? var:V iter_type:i thread_tag:s" },
  { "tir.Buffer", LS_KIND_BUFFER, "data:V dtype:d shape:*E strides:*E axis_separators:*E elem_offset:E name:s data_alignment:i offset_factor:i buffer_type:i" },
  { "tir.BufferRegion", LS_KIND_BUFFER_REGION, "buffer:B region:*R" },
  { "tir.MatchBufferRegion", LS_KIND_MATCH_BUFFER_REGION, "buffer:B source:G" },
  { "tir.BufferLoad", LS_KIND_BUFFER_LOAD, "buffer:B indices:*E predicate:E?" },
  { "tir.CommReducer", LS_KIND_COMM_REDUCER, "lhs:*V rhs:*V result:*E identity_element:*E" },
  { "tir.Reduce", LS_KIND_REDUCE, "axis:*X combiner:C source:*E init:*E condition:E value_index:i" },
  { "tir.LetStmt", LS_KIND_LET_STMT, "value:E var:V body:S" },
  { "tir.AttrStmt", LS_KIND_ATTR_STMT, "node:Z? attr_key:s value:E body:S" },
  { "tir.AssertStmt", LS_KIND_ASSERT_STMT, "condition:E message:E body:S" },
  { "tir.BufferStore", LS_KIND_BUFFER_STORE, "buffer:B value:E indices:*E predicate:E?" },
  { "tir.BufferRealize", LS_KIND_BUFFER_REALIZE, "buffer:B bounds:*R condition:E body:S" },
  { "tir.Allocate", LS_KIND_ALLOCATE, "buffer_var:V dtype:d extents:*E condition:E body:S annotations:M" },
  { "tir.AllocateConst", LS_KIND_ALLOCATE_CONST, "buffer_var:V data:N dtype:d extents:*E body:S annotations:M" },
  { "tir.DeclBuffer", LS_KIND_DECL_BUFFER, "buffer:B body:S" },
  { "tir.SeqStmt", LS_KIND_SEQ_STMT, "seq:*S" },
  { "tir.IfThenElse", LS_KIND_IF_THEN_ELSE, "condition:E then_case:S else_case:S?" },
  { "tir.Evaluate", LS_KIND_EVALUATE, "value:E" },
  { "tir.For", LS_KIND_FOR, "loop_var:V min:E extent:E kind:i thread_binding:X? annotations:M body:S" },
  { "tir.While", LS_KIND_WHILE, "condition:E body:S" },
  { "tir.Block", LS_KIND_BLOCK, "iter_vars:*X alloc_buffers:*B match_buffers:*H reads:*G writes:*G name_hint:s annotations:M init:S? body:S" },
  { "tir.BlockRealize", LS_KIND_BLOCK_REALIZE, "iter_values:*E predicate:E block:K" },
  { "tir.IndexMap", LS_KIND_INDEX_MAP, "initial_indices:*V final_indices:*E inverse_index_map:J?" },
  { "relax.ObjectStructInfo", LS_KIND_OBJECT_STRUCT_INFO, "" },
  { "relax.PrimStructInfo", LS_KIND_PRIM_STRUCT_INFO, "value:E? dtype:d" },
  { "relax.ShapeStructInfo", LS_KIND_SHAPE_STRUCT_INFO, "values:*E? ndim:i" },
  { "relax.TensorStructInfo", LS_KIND_TENSOR_STRUCT_INFO, "shape:L? ndim:i dtype:d vdevice:M?" },
  { "relax.TupleStructInfo", LS_KIND_TUPLE_STRUCT_INFO, "fields:*I" },
  { "relax.FuncStructInfo", LS_KIND_FUNC_STRUCT_INFO, "params:*I? ret:I purity:b" },
  { "relax.DTensorStructInfo", LS_KIND_DTENSOR_STRUCT_INFO, "tensor_sinfo:I device_mesh:m placement:p" },
  { "relax.distributed.Placement", LS_KIND_PLACEMENT, "dim_specs:*q" },
  { "relax.distributed.PlacementSpec", LS_KIND_PLACEMENT_SPEC, "axis:i kind:i" },
  { "relax.expr.Constant", LS_KIND_CONSTANT, "data:N struct_info_:I" },
  { "relax.expr.PrimValue", LS_KIND_PRIM_VALUE, "value:E" },
  { "relax.expr.StringImm", LS_KIND_RELAX_STRING, "value:s" },
  { "relax.expr.DataTypeImm", LS_KIND_DATA_TYPE_IMM, "value:d" },
  { "relax.expr.ShapeExpr", LS_KIND_SHAPE_EXPR, "values:*E" },
  { "relax.expr.Tuple", LS_KIND_RELAX_TUPLE, "fields:*r" },
  { "relax.expr.TupleGetItem", LS_KIND_TUPLE_GET_ITEM, "tuple_value:r index:i" },
  { "relax.expr.If", LS_KIND_RELAX_IF, "cond:r true_branch:Q false_branch:Q" },
  { "relax.expr.SeqExpr", LS_KIND_SEQ_EXPR, "blocks:*W body:r" },
  { "relax.expr.BindingBlock", LS_KIND_BINDING_BLOCK, "bindings:*D" },
  { "relax.expr.DataflowBlock", LS_KIND_DATAFLOW_BLOCK, "bindings:*D" },
  { "relax.expr.VarBinding", LS_KIND_VAR_BINDING, "value:r var:Y" },
  { "relax.expr.MatchCast", LS_KIND_MATCH_CAST, "value:r struct_info:I var:Y" },
  { "relax.expr.Function", LS_KIND_FUNCTION, "params:*Y ret_struct_info:I body:Q attrs:M? is_pure:b" },
};

const LsSavedRow *
ls_saved_row (const char *key)
{
  static GHashTable *rows;

  if (g_once_init_enter (&rows))
    {
      GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
        g_hash_table_insert (table, (gpointer) ROWS[i].key, (gpointer) &ROWS[i]);
      g_once_init_leave (&rows, table);
    }
  return g_hash_table_lookup (rows, key);
}

gboolean
ls_saved_may_stand (char    code,
                    LsNode *node)
{
  switch (code)
    {
    case 'Z': return TRUE;
    case 'E': return (node->klass->flags & LS_CLASS_EXPR) != 0;
    case 'S': return (node->klass->flags & LS_CLASS_STMT) != 0;
    case 'V': return ls_is (node, VAR) || ls_is (node, SIZE_VAR);
    case 'B': return ls_is (node, BUFFER);
    case 'R': return ls_is (node, RANGE);
    case 'X': return ls_is (node, ITER_VAR);
    case 'M': return ls_is (node, MAP);
    case 'T': return ls_is (node, PRIM_TYPE) || ls_is (node, POINTER_TYPE) || ls_is (node, TUPLE_TYPE);
    case 'G': return ls_is (node, BUFFER_REGION);
    case 'H': return ls_is (node, MATCH_BUFFER_REGION);
    case 'K': return ls_is (node, BLOCK);
    case 'C': return ls_is (node, COMM_REDUCER);
    case 'J': return ls_is (node, INDEX_MAP);
    case 'O': return ls_is (node, OP) || ls_is (node, GLOBAL_VAR);
    case 'I': return ls_is_struct_info (node);
    case 'L': return ls_is (node, SHAPE_EXPR) || ls_is_relax_var (node);
    case 'Y': return ls_is_relax_var (node);
    case 'r': return ls_is_relax_expr (node) || ls_is (node, GLOBAL_VAR) || ls_is (node, FUNCTION);
    case 'Q': return ls_is (node, SEQ_EXPR);
    case 'D': return ls_is (node, VAR_BINDING) || ls_is (node, MATCH_CAST);
    case 'W': return ls_is (node, BINDING_BLOCK) || ls_is (node, DATAFLOW_BLOCK);
    case 'm': return ls_is (node, DEVICE_MESH);
    case 'p': return ls_is (node, PLACEMENT);
    case 'q': return ls_is (node, PLACEMENT_SPEC);
    default: return FALSE;
    }
}

/* Numbers and truths that TVM keeps as objects, which may be missing. */
static const char *const OBJECTS[] = {
  "ConcatAttrs.axis", "StackAttrs.axis", "RepeatAttrs.axis", "TakeAttrs.axis", "FlipAttrs.axis", "GatherElementsAttrs.axis", "GatherNDAttrs.batch_dims",
  "ScatterElementsAttrs.axis", "ArgmaxArgminAttrs.axis", "ScanopAttrs.axis", "ScanopAttrs.exclusive", "TakeBackwardAttrs.axis", NULL
};

char
ls_saved_written (const char *attrs_key,
                  const char *name,
                  const char *kind)
{
  g_autofree char *full = g_strdup_printf ("%s.%s", g_str_has_prefix (attrs_key, "relax.attrs.") ? attrs_key + strlen ("relax.attrs.") : attrs_key, name);

  if (g_strv_contains (OBJECTS, full))
    return 'Z';
  if (strcmp (kind, "int") == 0)
    return 'i';
  if (strcmp (kind, "float") == 0)
    return 'f';
  if (strcmp (kind, "bool") == 0)
    return 'b';
  if (strcmp (kind, "dtype") == 0)
    return 'd';
  return strcmp (kind, "str") == 0 ? 's' : 'Z';
}
