/* One sample of every node class, and what must hold for all of them: rewriting without a change gives the same
 * pointer, a node equals itself and is a fixed point of copying, repr shows it, its children are where the table
 * says, and releasing it releases everything (the sanitizer build tells). */
#include "engine/arith/iter-map.h"
#include "engine/relax/dpl/dpl.h"
#include "engine/relax/relax-private.h"
#include "engine/script/printer.h"
#include "engine/te/te.h"
#include "engine/tir/tir-private.h"

#include <string.h>

static LsVar    *var_i, *var_x, *var_p;
static LsBuffer *buffer_a;

static LsExpr *
i_ (void)
{
  return (LsExpr *) ls_node_ref (LS_NODE (var_i));
}

static LsExpr *
x_ (void)
{
  return (LsExpr *) ls_node_ref (LS_NODE (var_x));
}

static LsArray *
one (gpointer node)
{
  return ls_array_of (node, NULL);
}

static LsStmt *
nop (void)
{
  return ls_evaluate_new (i_ ());
}

static LsRange *
range (void)
{
  return ls_range_new (ls_int (0), ls_int (16));
}

static LsIterVar *
iter_var (void)
{
  return ls_iter_var_new (range (), ls_ref (var_i), LS_ITER_DATA_PAR, "");
}

static LsBlock *
block (void)
{
  return ls_block_new (one (iter_var ()), NULL, one (ls_buffer_region_full (buffer_a)), "B", nop (), NULL, NULL, NULL, NULL);
}

static LsTensor *
tensor (void)
{
  static const float data[] = { 1, 2.5f };

  return ls_tensor_new (LS_FLOAT32, one (ls_int (2)), g_bytes_new_static (data, sizeof data));
}

static LsCommReducer *
reducer (void)
{
  LsVar *a = ls_var_new ("a", LS_FLOAT32), *b = ls_var_new ("b", LS_FLOAT32);

  return ls_comm_reducer_new (one (a), one (b), one (ls_add ((LsExpr *) ls_node_ref (LS_NODE (a)), (LsExpr *) ls_node_ref (LS_NODE (b)))),
                              one (ls_const_float (LS_FLOAT32, 0)));
}

static LsPrimFunc *
prim_func (void)
{
  return ls_prim_func_new (one (ls_var_new ("a", LS_HANDLE)), nop (), NULL, one (ls_ref (buffer_a)), NULL);
}

static LsNode *
sample_of_ir (LsKind kind)
{
  static const char *keys[] = { "key" };
  LsNode *values[] = { LS_NODE (ls_int (1)) };
  LsMap *map = ls_map_new (keys, values, 1);
  LsNode *node = NULL;

  if (ls_kind_is_binary (kind))
    node = LS_NODE (kind >= LS_KIND_AND ? ls_binary_new (kind, ls_lt (i_ (), ls_int (3)), ls_gt (i_ (), ls_int (1)))
                                        : ls_binary_new (kind, i_ (), ls_int (3)));
  switch ((int) kind)
    {
    case LS_KIND_ARRAY: node = LS_NODE (ls_array_of (ls_int (1), i_ (), NULL)); break;
    case LS_KIND_MAP: node = LS_NODE (ls_ref (map)); break;
    case LS_KIND_STRING: node = LS_NODE (ls_string_new ("text")); break;
    case LS_KIND_TENSOR: node = LS_NODE (tensor ()); break;
    case LS_KIND_PRIM_TYPE: node = ls_prim_type_new (LS_FLOAT32); break;
    case LS_KIND_POINTER_TYPE: node = ls_pointer_type_new (ls_prim_type_new (LS_FLOAT32), "shared"); break;
    case LS_KIND_TUPLE_TYPE: node = ls_tuple_type_new (one (ls_prim_type_new (LS_INT32))); break;
    case LS_KIND_RANGE: node = LS_NODE (range ()); break;
    case LS_KIND_OP: node = ls_node_ref (LS_NODE (ls_op_get ("tir.exp"))); break;
    case LS_KIND_GLOBAL_VAR: node = LS_NODE (ls_global_var_new ("main")); break;
    case LS_KIND_MODULE: node = LS_NODE (ls_module_new (one (ls_global_var_new ("main")), one (prim_func ()), ls_ref (map), NULL)); break;
    case LS_KIND_VAR: node = LS_NODE (i_ ()); break;
    case LS_KIND_SIZE_VAR: node = LS_NODE (ls_size_var_new ("n", LS_INT64)); break;
    case LS_KIND_INT_IMM: node = LS_NODE (ls_const_int (LS_INT64, -5)); break;
    case LS_KIND_FLOAT_IMM: node = LS_NODE (ls_const_float (LS_FLOAT32, 0.1)); break;
    case LS_KIND_STRING_IMM: node = LS_NODE (ls_string_imm_new ("a \"b\"")); break;
    case LS_KIND_CAST: node = LS_NODE (ls_cast_new (LS_FLOAT32, i_ ())); break;
    case LS_KIND_NOT: node = LS_NODE (ls_not_new (ls_lt (i_ (), ls_int (2)))); break;
    case LS_KIND_SELECT: node = LS_NODE (ls_select_new (ls_lt (i_ (), ls_int (2)), x_ (), ls_const_float (LS_FLOAT32, 0))); break;
    case LS_KIND_RAMP: node = LS_NODE (ls_ramp_new (i_ (), ls_int (1), ls_int (4))); break;
    case LS_KIND_BROADCAST: node = LS_NODE (ls_broadcast_new (x_ (), ls_int (4))); break;
    case LS_KIND_LET: node = LS_NODE (ls_let_new (ls_var_new ("v", LS_INT32), ls_int (1), i_ ())); break;
    case LS_KIND_CALL: node = LS_NODE (ls_call_op ("tir.exp", LS_FLOAT32, one (x_ ()))); break;
    case LS_KIND_SHUFFLE: node = LS_NODE (ls_shuffle_new (ls_array_of (x_ (), x_ (), NULL), ls_array_of (ls_int (0), ls_int (1), NULL))); break;
    default: break;
    }
  ls_unref (map);
  return node;
}

static LsNode *
sample_of_tir (LsKind kind)
{
  LsExpr *zero = ls_int (0);
  LsNode *node = NULL;

  switch ((int) kind)
    {
    case LS_KIND_ITER_MARK: node = LS_NODE (ls_iter_mark_new (i_ (), ls_int (16))); break;
    case LS_KIND_ITER_SPLIT: node = LS_NODE (ls_iter_split_new (ls_iter_mark_new (i_ (), ls_int (16)), ls_int (1), ls_int (16), ls_int (1))); break;
    case LS_KIND_ITER_SUM: node = LS_NODE (ls_iter_sum_new (ls_array_empty (), ls_int (4))); break;
    case LS_KIND_ITER_VAR: node = LS_NODE (iter_var ()); break;
    case LS_KIND_BUFFER: node = LS_NODE (ls_ref (buffer_a)); break;
    case LS_KIND_BUFFER_REGION: node = LS_NODE (ls_buffer_region_full (buffer_a)); break;
    case LS_KIND_MATCH_BUFFER_REGION:
      node = LS_NODE (ls_match_buffer_region_new (ls_buffer_new ("S", LS_FLOAT32, one (ls_int (16)), ""),
                                                  ls_buffer_region_full (buffer_a)));
      break;
    case LS_KIND_BUFFER_LOAD: node = LS_NODE (ls_buffer_load_new (ls_ref (buffer_a), one (i_ ()), NULL)); break;
    case LS_KIND_PRODUCER_LOAD: node = LS_NODE (ls_producer_load_new (ls_ref (buffer_a), LS_FLOAT32, one (i_ ()))); break;
    case LS_KIND_COMM_REDUCER: node = LS_NODE (reducer ()); break;
    case LS_KIND_REDUCE:
      node = LS_NODE (ls_reduce_new (reducer (), one (x_ ()), one (iter_var ()), ls_bool (TRUE), 0, ls_array_empty ()));
      break;
    case LS_KIND_LET_STMT: node = ls_let_stmt_new (ls_var_new ("v", LS_INT32), ls_int (1), nop ()); break;
    case LS_KIND_ATTR_STMT: node = ls_attr_stmt_new (ls_ref (var_i), "key", ls_int (1), nop ()); break;
    case LS_KIND_ASSERT_STMT: node = ls_assert_stmt_new (ls_lt (i_ (), ls_int (2)), ls_string_imm_new ("small"), nop ()); break;
    case LS_KIND_BUFFER_STORE: node = ls_buffer_store_new (ls_ref (buffer_a), x_ (), one (i_ ()), NULL); break;
    case LS_KIND_BUFFER_REALIZE: node = ls_buffer_realize_new (ls_ref (buffer_a), one (range ()), ls_bool (TRUE), nop ()); break;
    case LS_KIND_ALLOCATE: node = ls_allocate_new (ls_ref (var_p), LS_FLOAT32, one (ls_int (4)), ls_bool (TRUE), nop (), NULL); break;
    case LS_KIND_ALLOCATE_CONST: node = ls_allocate_const_new (ls_ref (var_p), tensor (), LS_FLOAT32, one (ls_int (2)), nop (), NULL); break;
    case LS_KIND_DECL_BUFFER: node = ls_decl_buffer_new (ls_ref (buffer_a), nop ()); break;
    case LS_KIND_SEQ_STMT: node = ls_seq_stmt_new (ls_array_of (nop (), nop (), NULL)); break;
    case LS_KIND_IF_THEN_ELSE: node = ls_if_then_else_new (ls_lt (i_ (), ls_int (2)), nop (), nop ()); break;
    case LS_KIND_EVALUATE: node = nop (); break;
    case LS_KIND_FOR: node = LS_NODE (ls_for_new (ls_ref (var_i), ls_ref (zero), ls_int (16), LS_FOR_SERIAL, nop (), NULL, NULL)); break;
    case LS_KIND_WHILE: node = ls_while_new (ls_lt (i_ (), ls_int (2)), nop ()); break;
    case LS_KIND_BLOCK: node = LS_NODE (block ()); break;
    case LS_KIND_BLOCK_REALIZE: node = LS_NODE (ls_block_realize_new (one (i_ ()), ls_bool (TRUE), block ())); break;
    case LS_KIND_PRIM_FUNC: node = LS_NODE (prim_func ()); break;
    case LS_KIND_INDEX_MAP: node = LS_NODE (ls_index_map_new (one (ls_ref (var_i)), one (ls_mul (i_ (), ls_int (2))), NULL)); break;
    default: break;
    }
  ls_unref (zero);
  return node;
}

static LsNode *
sample_of_te (LsKind kind)
{
  static const gint64 shape[] = { 4 };
  g_autoptr (LsTeTensor) stage = ls_te_placeholder_ints ("A", LS_FLOAT32, 1, shape);

  if (kind == LS_KIND_TE_TENSOR)
    return LS_NODE (ls_ref (stage));
  return kind == LS_KIND_TE_OPERATION ? LS_NODE (ls_ref (stage->op)) : NULL;
}

static LsStructInfo *
sinfo (void)
{
  return ls_tensor_struct_info_new (ls_shape_expr_new (one (ls_int_imm_new (LS_INT64, 4))), 0, LS_FLOAT32, NULL);
}

static LsNode *
leaf (void)
{
  return ls_prim_value_new (ls_int_imm_new (LS_INT64, 3));
}

static LsNode *
binding (void)
{
  return ls_var_binding_new (ls_relax_var_new ("y", sinfo ()), leaf ());
}

static LsNode *
seq (void)
{
  return ls_seq_expr_new (one (ls_binding_block_new (one (binding ()))), leaf ());
}

static LsNode *
sample_of_pattern (LsKind kind)
{
  LsArray *two = ls_array_of (ls_wildcard_new (), ls_wildcard_new (), NULL), *ints = one (ls_int_imm_new (LS_INT64, 4));
  LsNode *node = NULL;

  switch ((int) kind)
    {
    case LS_KIND_EXPR_PATTERN: node = ls_op_pattern_new ("relax.add"); break;
    case LS_KIND_VAR_PATTERN:
    case LS_KIND_DATAFLOW_VAR_PATTERN:
    case LS_KIND_GLOBAL_VAR_PATTERN:
    case LS_KIND_EXTERN_FUNC_PATTERN: node = ls_name_pattern_new (kind, "x"); break;
    case LS_KIND_CONSTANT_PATTERN: node = ls_constant_pattern_new (); break;
    case LS_KIND_CALL_PATTERN: node = ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_ref (two), FALSE); break;
    case LS_KIND_FUNCTION_PATTERN: node = ls_function_pattern_new (ls_ref (two), ls_wildcard_new ()); break;
    case LS_KIND_TUPLE_PATTERN:
    case LS_KIND_UNORDERED_TUPLE_PATTERN: node = ls_fields_pattern_new (kind, ls_ref (two)); break;
    case LS_KIND_TUPLE_GET_ITEM_PATTERN: node = ls_tuple_get_item_pattern_new (ls_wildcard_new (), 1); break;
    case LS_KIND_OR_PATTERN:
    case LS_KIND_AND_PATTERN: node = ls_pair_pattern_new (kind, ls_wildcard_new (), ls_constant_pattern_new ()); break;
    case LS_KIND_NOT_PATTERN: node = ls_not_pattern_new (ls_wildcard_new ()); break;
    case LS_KIND_WILDCARD_PATTERN: node = ls_wildcard_new (); break;
    case LS_KIND_STRUCT_INFO_PATTERN: node = ls_struct_info_pattern_new (ls_wildcard_new (), ls_object_struct_info_new ()); break;
    case LS_KIND_SHAPE_PATTERN: node = ls_shape_pattern_new (ls_wildcard_new (), ls_ref (ints)); break;
    case LS_KIND_DATA_TYPE_PATTERN: node = ls_data_type_pattern_new (ls_wildcard_new (), LS_FLOAT32); break;
    case LS_KIND_ATTR_PATTERN: node = ls_attr_pattern_new (ls_wildcard_new (), ls_map_empty ()); break;
    case LS_KIND_PRIM_ARR_PATTERN: node = ls_fields_pattern_new (kind, ls_ref (ints)); break;
    case LS_KIND_SAME_SHAPE_CONSTRAINT: node = ls_same_shape_new (ls_ref (two)); break;
    default: break;
    }
  ls_unref (two);
  ls_unref (ints);
  return node;
}

static LsNode *
mesh (void)
{
  return ls_device_mesh_new_range (one (ls_int (2)), 0, 2, NULL);
}

static LsNode *
sample_of_relax (LsKind kind)
{
  switch ((int) kind)
    {
    case LS_KIND_TENSOR_STRUCT_INFO: return sinfo ();
    case LS_KIND_SHAPE_STRUCT_INFO: return ls_shape_struct_info_new (NULL, 2);
    case LS_KIND_PRIM_STRUCT_INFO: return ls_prim_struct_info_new (NULL, LS_INT64);
    case LS_KIND_TUPLE_STRUCT_INFO: return ls_tuple_struct_info_new (one (sinfo ()));
    case LS_KIND_FUNC_STRUCT_INFO: return ls_func_struct_info_new (one (sinfo ()), sinfo (), TRUE);
    case LS_KIND_DTENSOR_STRUCT_INFO: return ls_dtensor_struct_info_new (sinfo (), mesh (), ls_placement_new (one (ls_placement_spec_new (0))), NULL);
    case LS_KIND_DEVICE_MESH: return mesh ();
    case LS_KIND_PLACEMENT_SPEC: return ls_placement_spec_new (1);
    case LS_KIND_PLACEMENT: return ls_placement_new (one (ls_placement_spec_new (-1)));
    case LS_KIND_OBJECT_STRUCT_INFO: return ls_object_struct_info_new ();
    case LS_KIND_RELAX_VAR: return LS_NODE (ls_relax_var_new ("x", sinfo ()));
    case LS_KIND_DATAFLOW_VAR: return LS_NODE (ls_dataflow_var_new ("lv", sinfo ()));
    case LS_KIND_CONSTANT: return ls_constant_new (tensor ());
    case LS_KIND_PRIM_VALUE: return leaf ();
    case LS_KIND_RELAX_STRING: return ls_relax_string_new ("text");
    case LS_KIND_DATA_TYPE_IMM: return ls_data_type_imm_new (LS_FLOAT32);
    case LS_KIND_SHAPE_EXPR: return ls_shape_expr_new (one (ls_int_imm_new (LS_INT64, 4)));
    case LS_KIND_RELAX_TUPLE: return ls_relax_tuple_new (one (leaf ()));
    case LS_KIND_TUPLE_GET_ITEM: return ls_tuple_get_item_new (ls_relax_tuple_new (one (leaf ())), 0);
    case LS_KIND_RELAX_OP: return ls_relax_op_new ("relax.add");
    case LS_KIND_EXTERN_FUNC: return ls_extern_func_new ("env.relu");
    case LS_KIND_RELAX_CALL:
      return ls_relax_call_new (ls_relax_op_new ("relax.nn.softmax"), one (leaf ()), one (ls_string_new ("axis")), one (ls_int (1)), NULL);
    case LS_KIND_RELAX_IF: return ls_relax_if_new (leaf (), seq (), seq ());
    case LS_KIND_SEQ_EXPR: return seq ();
    case LS_KIND_BINDING_BLOCK: return ls_binding_block_new (one (binding ()));
    case LS_KIND_DATAFLOW_BLOCK: return ls_dataflow_block_new (one (binding ()));
    case LS_KIND_VAR_BINDING: return binding ();
    case LS_KIND_MATCH_CAST: return ls_match_cast_new (ls_relax_var_new ("y", sinfo ()), leaf (), sinfo ());
    case LS_KIND_FUNCTION: return LS_NODE (ls_function_new (one (ls_relax_var_new ("x", sinfo ())), seq (), sinfo (), NULL, TRUE));
    default: return NULL;
    }
}

static LsNode *
unchanged (LsRewriter *rewriter,
           LsNode     *node,
           gpointer    user_data)
{
  return ls_rewrite_default (rewriter, node);
}

static void
check_children (LsNode *node)
{
  guint n = ls_node_get_n_children (node);
  g_autofree LsNode **children = g_new (LsNode *, n + 1);
  g_autoptr (LsNode) same = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *role = ls_node_dup_child_role (node, i);
      g_autoptr (LsPath) path = ls_path_new ((guint32[]) { i }, 1);
      g_autofree char *printed = ls_path_print (path, node);
      g_autoptr (LsPath) again = ls_path_parse (printed, node);

      g_assert_cmpstr (role, !=, "");
      g_assert_true (again != NULL && ls_path_equal (path, again));
      children[i] = ls_node_get_child (node, i);
      g_assert_true (ls_path_get (path, node) == children[i]);
    }
  same = ls_node_with_children (node, children);
  g_assert_true (same == node);
}

static void
check_class (LsNode *node,
             LsKind  kind)
{
  g_autoptr (LsNode) rewritten = ls_rewrite_with (node, unchanged, NULL);
  g_autofree char *repr = ls_repr (node, 0), *json = ls_repr_json (node), *text = ls_script_print (node, NULL, NULL);

  g_assert_cmpint (ls_kind (node), ==, kind);
  g_assert_true (rewritten == node);
  g_assert_true (ls_structural_equal (node, node, FALSE, NULL, NULL));
  g_assert_true (ls_deep_equal (node, node));
  g_assert_true (ls_diff (node, node, NULL, NULL));
  g_assert_true (g_str_has_prefix (repr, node->klass->name));
  g_assert_true (json[0] == '{' || json[0] == '[');
  g_assert_cmpint (text[0], !=, '\0');
  g_assert_cmpuint (node->klass->size, >=, sizeof (LsNode));
  g_assert_true (!(node->klass->flags & LS_CLASS_BINARY) || ls_kind_is_binary (kind));
  check_children (node);
}

static void
test_class (gconstpointer data)
{
  LsKind kind = (LsKind) GPOINTER_TO_INT (data);
  LsNode *node = NULL;

  var_i = ls_var_new ("i", LS_INT32);
  var_x = ls_var_new ("x", LS_FLOAT32);
  var_p = ls_var_new_typed ("p", ls_pointer_type_new (ls_prim_type_new (LS_FLOAT32), "global"));
  buffer_a = ls_buffer_new ("A", LS_FLOAT32, one (ls_int (16)), "");
  node = sample_of_ir (kind);
  if (node == NULL)
    node = sample_of_tir (kind);
  if (node == NULL)
    node = sample_of_te (kind);
  if (node == NULL)
    node = sample_of_relax (kind);
  if (node == NULL)
    node = sample_of_pattern (kind);
  g_assert_nonnull (node);
  check_class (node, kind);
  ls_unref (node);
  ls_unref (var_i);
  ls_unref (var_x);
  ls_unref (var_p);
  ls_unref (buffer_a);
}

/* Nodes that only the canonical simplifier could make; it keeps its sums in structs of its own. */
static gboolean
is_unused (LsKind kind)
{
  return kind == LS_KIND_SPLIT_EXPR || kind == LS_KIND_SUM_EXPR;
}

int
main (int    argc,
      char **argv)
{
  static const char *const names[] = {
#define X(name, stem) "/ir/classes/" #name,
    LS_KINDS (X)
#undef X
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!is_unused ((LsKind) i))
      g_test_add_data_func (names[i], GINT_TO_POINTER ((int) i), test_class);
  return g_test_run ();
}
