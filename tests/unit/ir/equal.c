/* Structural equality, deep equality, paths and diff on small trees. */
#include "engine/ir/structural.h"
#include "engine/tir/tir.h"

static LsStmt *
loop (const char *name,
      gint64      extent,
      gint64      added)
{
  LsVar *var = ls_var_new (name, LS_INT32);

  return LS_STMT (ls_for_new (var, ls_int (0), ls_int (extent), LS_FOR_SERIAL,
                              ls_evaluate_new (ls_add ((LsExpr *) ls_node_ref (LS_NODE (var)), ls_int (added))), NULL, NULL));
}

static void
test_bound_names (void)
{
  g_autoptr (LsNode) a = loop ("i", 16, 3), b = loop ("j", 16, 3), c = loop ("i", 16, 4);
  g_autofree char *where_a = NULL, *where_b = NULL;

  g_assert_true (ls_structural_equal (a, b, FALSE, NULL, NULL));
  g_assert_false (ls_deep_equal (a, b));
  g_assert_false (ls_structural_equal (a, c, FALSE, &where_a, &where_b));
  g_assert_cmpstr (where_a, ==, ".body.value.b");
  g_assert_cmpstr (where_b, ==, ".body.value.b");
}

/* The hash goes with equality: names do not count, free variables by identity unless they are mapped. */
static void
test_structural_hash (void)
{
  g_autoptr (LsNode) a = loop ("i", 16, 3), b = loop ("j", 16, 3), c = loop ("i", 16, 4);
  g_autoptr (LsVar) x = ls_var_new ("x", LS_INT32);
  g_autoptr (LsVar) y = ls_var_new ("x", LS_INT32);
  g_autoptr (LsExpr) xy = ls_add (ls_ref ((LsExpr *) x), ls_ref ((LsExpr *) y));
  g_autoptr (LsExpr) yx = ls_add (ls_ref ((LsExpr *) y), ls_ref ((LsExpr *) x));

  g_assert_cmpuint (ls_structural_hash (a, FALSE), ==, ls_structural_hash (b, FALSE));
  g_assert_cmpuint (ls_structural_hash (a, FALSE), !=, ls_structural_hash (c, FALSE));
  g_assert_cmpuint (ls_structural_hash (xy, FALSE), !=, ls_structural_hash (yx, FALSE));
  g_assert_cmpuint (ls_structural_hash (xy, TRUE), ==, ls_structural_hash (yx, TRUE));
}

/* n * vscale () lanes: the type, its name both ways, and what is spread over it. */
static void
test_scalable_types (void)
{
  LsDType dtype;
  g_autoptr (LsExpr) wide = NULL;
  g_autoptr (LsExpr) sum = NULL;

  g_assert_true (ls_dtype_parse ("float32xvscalex4", &dtype));
  g_assert_true (ls_dtype_is_scalable (dtype));
  g_assert_cmpuint (ls_dtype_vscale_factor (dtype), ==, 4);
  g_assert_cmpstr (ls_dtype_name (dtype), ==, "float32xvscalex4");
  g_assert_false (ls_dtype_parse ("float32xvscale4", &dtype));
  g_assert_false (ls_dtype_parse ("float32x32768", &dtype));
  wide = ls_broadcast_new (ls_int (1), ls_mul (ls_int (4), ls_call_op ("tir.vscale", LS_INT32, ls_array_empty ())));
  g_assert_cmpstr (ls_dtype_name (ls_dtype (wide)), ==, "int32xvscalex4");
  sum = ls_add (ls_ref (wide), ls_int (2));
  g_assert_cmpstr (ls_dtype_name (ls_dtype (sum)), ==, "int32xvscalex4");
}

static void
test_missing_items (void)
{
  g_autoptr (LsArray) two = ls_array_of (ls_int (1), ls_int (2), NULL);
  g_autoptr (LsArray) three = ls_array_of (ls_int (1), ls_int (2), ls_int (3), NULL);
  g_autofree char *where_a = NULL, *where_b = NULL;

  g_assert_false (ls_structural_mismatch (two, three, FALSE, &where_a, &where_b));
  g_assert_cmpstr (where_a, ==, "<root>[<missing element #2>]");
  g_assert_cmpstr (where_b, ==, "<root>[2]");
  g_clear_pointer (&where_a, g_free);
  g_assert_false (ls_structural_equal (two, three, FALSE, &where_a, NULL));
  g_assert_cmpstr (where_a, ==, "");
}

static void
test_free_names (void)
{
  LsVar *i = ls_var_new ("i", LS_INT32), *j = ls_var_new ("j", LS_INT32), *k = ls_var_new ("k", LS_INT64);

  g_assert_false (ls_structural_equal (i, j, FALSE, NULL, NULL));
  g_assert_true (ls_structural_equal (i, j, TRUE, NULL, NULL));
  g_assert_true (ls_structural_equal (i, i, FALSE, NULL, NULL));
  g_assert_false (ls_structural_equal (i, k, TRUE, NULL, NULL));
  ls_unref (i);
  ls_unref (j);
  ls_unref (k);
}

static LsExpr *
sum_of (LsVar *a,
        LsVar *b)
{
  return ls_binary_new (LS_KIND_ADD, (LsExpr *) ls_node_ref (LS_NODE (a)), (LsExpr *) ls_node_ref (LS_NODE (b)));
}

/* One variable cannot stand for two. */
static void
test_one_to_one (void)
{
  LsVar *i = ls_var_new ("i", LS_INT32), *j = ls_var_new ("j", LS_INT32);
  LsExpr *ij = sum_of (i, j), *ii = sum_of (i, i), *ji = sum_of (j, i);

  g_assert_false (ls_structural_equal (ij, ii, TRUE, NULL, NULL));
  g_assert_false (ls_structural_equal (ii, ij, TRUE, NULL, NULL));
  g_assert_true (ls_structural_equal (ij, ji, TRUE, NULL, NULL));
  g_assert_false (ls_structural_equal (ij, ji, FALSE, NULL, NULL));
  ls_unref (ij);
  ls_unref (ii);
  ls_unref (ji);
  ls_unref (i);
  ls_unref (j);
}

static LsPrimFunc *
copy_of (const char *from,
         const char *to,
         gboolean    swap)
{
  LsBuffer *a = ls_buffer_new (from, LS_FLOAT32, ls_array_of (ls_int (8), NULL), "global");
  LsBuffer *b = ls_buffer_new (to, LS_FLOAT32, ls_array_of (ls_int (8), NULL), "global");
  LsBuffer *source = swap ? b : a, *target = swap ? a : b;
  LsStmt *body = ls_buffer_store_new (ls_ref (target), ls_buffer_load_new (ls_ref (source), ls_array_of (ls_int (1), NULL), NULL),
                                      ls_array_of (ls_int (0), NULL), NULL);

  return ls_prim_func_new (ls_array_of (ls_var_new ("x", LS_HANDLE), ls_var_new ("y", LS_HANDLE), NULL), body, NULL,
                           ls_array_of (a, b, NULL), NULL);
}

static void
test_buffers (void)
{
  g_autoptr (LsPrimFunc) f = copy_of ("A", "B", FALSE), g = copy_of ("P", "Q", FALSE), h = copy_of ("A", "B", TRUE);

  g_assert_true (ls_structural_equal (f, g, FALSE, NULL, NULL));
  g_assert_false (ls_structural_equal (f, h, FALSE, NULL, NULL));
}

/* Functions are matched by name, in whatever order they came. */
static void
test_modules (void)
{
  g_autoptr (LsModule) m = ls_module_new (ls_array_of (ls_global_var_new ("f"), ls_global_var_new ("g"), NULL),
                                          ls_array_of (copy_of ("A", "B", FALSE), copy_of ("A", "B", TRUE), NULL), NULL, NULL);
  g_autoptr (LsModule) n = ls_module_new (ls_array_of (ls_global_var_new ("g"), ls_global_var_new ("f"), NULL),
                                          ls_array_of (copy_of ("A", "B", TRUE), copy_of ("A", "B", FALSE), NULL), NULL, NULL);
  g_autoptr (LsModule) o = ls_module_new (ls_array_of (ls_global_var_new ("f"), ls_global_var_new ("g"), NULL),
                                          ls_array_of (copy_of ("A", "B", FALSE), copy_of ("A", "B", FALSE), NULL), NULL, NULL);
  g_autofree char *where = NULL;
  g_autoptr (LsPath) path = NULL;

  g_assert_true (ls_structural_equal (m, n, FALSE, NULL, NULL));
  g_assert_false (ls_structural_equal (m, o, FALSE, &where, NULL));
  g_assert_true (g_str_has_prefix (where, ".functions[\"g\"].body."));
  path = ls_path_parse (where, m);
  g_assert_nonnull (ls_path_get (path, m));
}

static void
test_replace (void)
{
  g_autoptr (LsNode) a = loop ("i", 16, 3);
  g_autoptr (LsPath) path = ls_path_parse (".body.value.b", a);
  g_autoptr (LsExpr) seven = ls_int (7);
  g_autoptr (LsNode) b = ls_path_replace (path, a, seven), same = NULL;

  g_assert_true (ls_path_get (path, b) == LS_NODE (seven));
  g_assert_true (((LsFor *) a)->extent == ((LsFor *) b)->extent);
  same = ls_path_replace (path, a, ls_path_get (path, a));
  g_assert_true (same == a);
  g_assert_null (ls_path_parse (".body.wrong", a));
}

static void
collect (LsDiffOp      op,
         const LsPath *a,
         const LsPath *b,
         gpointer      user_data)
{
  g_autofree char *pa = NULL;
  gpointer *data = user_data;

  pa = ls_path_print (op == LS_DIFF_INSERT ? b : a, op == LS_DIFF_INSERT ? data[2] : data[1]);
  g_string_append_printf (data[0], "%s %s;", op == LS_DIFF_CHANGE ? "change" : op == LS_DIFF_INSERT ? "insert" : "delete", pa);
}

static void
check_diff (LsNode     *a,
            LsNode     *b,
            const char *expected)
{
  GString *text = g_string_new (NULL);
  gpointer data[] = { text, a, b };

  ls_diff (a, b, collect, data);
  g_assert_cmpstr (text->str, ==, expected);
  g_string_free (text, TRUE);
}

static void
test_diff (void)
{
  g_autoptr (LsNode) x = loop ("i", 16, 3), y = loop ("i", 16, 4), z = loop ("i", 8, 3), renamed = loop ("j", 16, 3);
  g_autoptr (LsNode) xy = ls_seq_stmt_new (ls_array_of (ls_node_ref (x), ls_node_ref (y), NULL));
  g_autoptr (LsNode) xzy = ls_seq_stmt_new (ls_array_of (ls_node_ref (x), ls_node_ref (z), ls_node_ref (y), NULL));
  g_autoptr (LsNode) zy = ls_seq_stmt_new (ls_array_of (ls_node_ref (z), ls_node_ref (y), NULL));

  check_diff (x, x, "");
  check_diff (x, y, "change .body.value.b;");
  check_diff (x, renamed, "change .loop_var;");
  check_diff (xy, xzy, "insert .seq[1];");
  check_diff (xzy, xy, "delete .seq[1];");
  check_diff (xy, zy, "change .seq[0].extent;");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ir/equal/bound-names", test_bound_names);
  g_test_add_func ("/ir/equal/structural-hash", test_structural_hash);
  g_test_add_func ("/ir/equal/scalable-types", test_scalable_types);
  g_test_add_func ("/ir/equal/missing-items", test_missing_items);
  g_test_add_func ("/ir/equal/free-names", test_free_names);
  g_test_add_func ("/ir/equal/one-to-one", test_one_to_one);
  g_test_add_func ("/ir/equal/buffers", test_buffers);
  g_test_add_func ("/ir/equal/modules", test_modules);
  g_test_add_func ("/ir/path/replace", test_replace);
  g_test_add_func ("/ir/diff", test_diff);
  return g_test_run ();
}
