/* The printer on modules that are built by hand; goldens cover the rest. */
#include "engine/script/script.h"
#include "engine/tir/tir-private.h"

#include <string.h>

static LsExpr *
e (gpointer var)
{
  return (LsExpr *) ls_node_ref (var);
}

static LsArray *
at2 (gpointer a,
     gpointer b)
{
  return ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL);
}

static LsBuffer *
square (const char *name)
{
  return ls_buffer_new (name, LS_FLOAT32, ls_array_of (ls_int (128), ls_int (128), NULL), "global");
}

static LsExpr *
load (LsBuffer *buffer,
      gpointer  i,
      gpointer  j)
{
  return ls_buffer_load_new (ls_ref (buffer), at2 (i, j), NULL);
}

static LsNode *
point (LsBuffer *buffer,
       gpointer  i,
       gpointer  j)
{
  return LS_NODE (ls_buffer_region_point (ls_ref (buffer), at2 (i, j)));
}

static LsNode *
iter (LsVar      *var,
      LsIterType  type)
{
  return LS_NODE (ls_iter_var_new (ls_range_new (ls_int (0), ls_int (128)), ls_ref (var), type, ""));
}

static LsStmt *
loops (LsStmt *body,
       LsVar **vars,
       guint   n)
{
  while (n-- > 0)
    body = LS_STMT (ls_for_new (ls_ref (vars[n]), ls_int (0), ls_int (128), LS_FOR_SERIAL, body, NULL, NULL));
  return body;
}

/* mm_relu of the course: Y = A B by a reduction block, C = max (Y, 0). */
static LsModule *
mm_relu (void)
{
  LsBuffer *a = square ("A"), *b = square ("B"), *c = square ("C"), *y = square ("Y");
  LsVar *l[] = { ls_var_new ("i", LS_INT32), ls_var_new ("j", LS_INT32), ls_var_new ("k", LS_INT32) };
  LsVar *m[] = { ls_var_new ("i", LS_INT32), ls_var_new ("j", LS_INT32) };
  LsVar *v[] = { ls_var_new ("vi", LS_INT32), ls_var_new ("vj", LS_INT32), ls_var_new ("vk", LS_INT32) };
  LsVar *w[] = { ls_var_new ("vi", LS_INT32), ls_var_new ("vj", LS_INT32) };
  LsBlock *by = ls_block_new (
      ls_array_of (iter (v[0], LS_ITER_DATA_PAR), iter (v[1], LS_ITER_DATA_PAR), iter (v[2], LS_ITER_COMM_REDUCE), NULL),
      ls_array_of (point (a, v[0], v[2]), point (b, v[2], v[1]), NULL), ls_array_of (point (y, v[0], v[1]), NULL), "Y",
      ls_buffer_store_new (ls_ref (y), ls_add (load (y, v[0], v[1]), ls_mul (load (a, v[0], v[2]), load (b, v[2], v[1]))),
                           at2 (v[0], v[1]), NULL),
      ls_buffer_store_new (ls_ref (y), ls_const_float (LS_FLOAT32, 0), at2 (v[0], v[1]), NULL), NULL, NULL, NULL);
  LsBlock *bc = ls_block_new (
      ls_array_of (iter (w[0], LS_ITER_DATA_PAR), iter (w[1], LS_ITER_DATA_PAR), NULL),
      ls_array_of (point (y, w[0], w[1]), NULL), ls_array_of (point (c, w[0], w[1]), NULL), "C",
      ls_buffer_store_new (ls_ref (c), ls_max (load (y, w[0], w[1]), ls_const_float (LS_FLOAT32, 0)), at2 (w[0], w[1]), NULL),
      NULL, NULL, NULL, NULL);
  LsStmt *body = ls_seq (ls_array_of (
      loops (LS_STMT (ls_block_realize_new (ls_array_of (e (l[0]), e (l[1]), e (l[2]), NULL), ls_bool (TRUE), by)), l, 3),
      loops (LS_STMT (ls_block_realize_new (ls_array_of (e (m[0]), e (m[1]), NULL), ls_bool (TRUE), bc)), m, 2), NULL));
  LsBlock *root = ls_block_new (NULL, NULL, NULL, "root", body, NULL, ls_array_of (y, NULL), NULL, NULL);
  const char *keys[] = { "global_symbol", "tir.noalias" };
  gpointer values[] = { ls_string_new ("mm_relu"), ls_bool (TRUE) };
  LsPrimFunc *func = ls_prim_func_new (
      ls_array_of (ls_var_new ("a", LS_HANDLE), ls_var_new ("b", LS_HANDLE), ls_var_new ("c", LS_HANDLE), NULL),
      LS_STMT (ls_block_realize_new (ls_array_empty (), ls_bool (TRUE), root)), NULL, ls_array_of (a, b, c, NULL),
      ls_map_new (keys, values, 2));

  for (guint i = 0; i < 3; i++)
    {
      ls_unref (l[i]);
      ls_unref (v[i]);
    }
  for (guint i = 0; i < 2; i++)
    {
      ls_unref (m[i]);
      ls_unref (w[i]);
    }
  return ls_module_new (ls_array_of (ls_global_var_new ("mm_relu"), NULL), ls_array_of (func, NULL), NULL, NULL);
}

#define BODY(attrs, zero) \
  "@I.ir_module\n" \
  "class Module:\n" \
  "    @T.prim_func\n" \
  "    def mm_relu(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\"), C: T.Buffer((128, 128), \"float32\")):\n" \
  "        T.func_attr({" attrs "})\n" \
  "        # with T.block(\"root\"):\n" \
  "        Y = T.alloc_buffer((128, 128))\n" \
  "        for i, j, k in T.grid(128, 128, 128):\n" \
  "            with T.block(\"Y\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n" \
  "                T.reads(A[vi, vk], B[vk, vj])\n" \
  "                T.writes(Y[vi, vj])\n" \
  "                with T.init():\n" \
  "                    Y[vi, vj] = T.float32(" zero ")\n" \
  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n" \
  "        for i, j in T.grid(128, 128):\n" \
  "            with T.block(\"C\"):\n" \
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                T.reads(Y[vi, vj])\n" \
  "                T.writes(C[vi, vj])\n" \
  "                C[vi, vj] = T.max(Y[vi, vj], T.float32(" zero "))\n"

#define HEADER "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n"

static void
test_mm_relu (void)
{
  g_autoptr (LsModule) module = mm_relu ();
  LsScriptPrintOptions old = { .style = LS_SCRIPT_STYLE_2023 };
  g_autofree char *text = ls_script_print (module, NULL, NULL);
  g_autofree char *text_2023 = ls_script_print (module, &old, NULL);

  g_assert_cmpstr (text, ==, HEADER BODY ("\"tir.noalias\": T.bool(True)", "0.0"));
  g_assert_cmpstr (text_2023, ==, HEADER BODY ("\"global_symbol\": \"mm_relu\", \"tir.noalias\": True", "0"));
}

static void
test_source_map (void)
{
  g_autoptr (LsModule) module = mm_relu ();
  g_autoptr (LsSourceMap) map = NULL;
  g_autofree char *text = ls_script_print (module, NULL, &map);
  LsPrimFunc *func = ls_array_at (module->functions, 0, LsPrimFunc);
  LsBlock *root = ls_prim_func_root (func)->block;
  LsFor *loop = (LsFor *) ((LsSeqStmt *) root->body)->seq->items[0];
  guint n;
  const LsSourceRange *ranges = ls_source_map_get_ranges (map, &n);
  const LsSourceRange *definition = ls_source_map_find_definition (map, loop->loop_var);
  g_autoptr (GPtrArray) uses = ls_source_map_find_node (map, root->alloc_buffers->items[0]);

  g_assert_cmpuint (n, >, 50);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsPath) path = ls_source_map_dup_path (map, &ranges[i]);

      g_assert_cmpuint (ranges[i].start, <=, ranges[i].end);
      g_assert_cmpuint (ranges[i].end, <=, strlen (text));
      g_assert_true (i == 0 || ranges[i - 1].start <= ranges[i].start);
      if (ranges[i].node != NULL && ranges[i].role == LS_SOURCE_NODE)
        g_assert_true (ls_path_get (path, module) == ranges[i].node);
    }
  g_assert_nonnull (definition);
  g_assert_cmpuint (definition->line, ==, 11);
  g_assert_cmpint (text[definition->start], ==, 'i');
  g_assert_cmpuint (uses->len, >=, 6);
  for (guint i = 0; i < uses->len; i++)
    g_assert_cmpint (text[((LsSourceRange *) uses->pdata[i])->start], ==, 'Y');
  {
    g_autoptr (LsPath) path = ls_path_find (module, loop);
    const char *store = strstr (text, "Y[vi, vj] + A");
    const LsSourceRange *inner = ls_source_map_at (map, (guint32) (store - text));

    g_assert_cmpuint (ls_source_map_line_of_path (map, path), ==, 11);
    g_assert_true (inner->node == root->alloc_buffers->items[0] && inner->role == LS_SOURCE_USE);
  }
}

static void
check_expr (LsExpr     *expr,
            const char *expected)
{
  g_autofree char *text = ls_script_print_expr (expr);

  g_assert_cmpstr (text, ==, expected);
  ls_unref (expr);
}

static void
test_expressions (void)
{
  LsVar *i = ls_var_new ("i", LS_INT32), *j = ls_var_new ("j", LS_INT32), *x = ls_var_new ("x", LS_FLOAT32);

  check_expr (ls_mul (ls_add (e (i), ls_int (1)), ls_int (2)), "(i + 1) * 2");
  check_expr (ls_sub (e (i), ls_sub (e (j), ls_int (1))), "i - (j - 1)");
  check_expr (ls_sub (ls_sub (e (i), e (j)), ls_int (1)), "i - j - 1");
  check_expr (ls_floormod (ls_floordiv (e (i), ls_int (4)), ls_int (3)), "i // 4 % 3");
  check_expr (ls_truncdiv (e (i), ls_int (3)), "T.Div(i, 3)");
  check_expr (ls_truncmod (e (i), ls_int (3)), "T.truncmod(i, 3)");
  check_expr (ls_truncdiv (e (x), ls_const_float (LS_FLOAT32, 3)), "x / T.float32(3.0)");
  check_expr (ls_binary_new (LS_KIND_ADD, ls_int (1), ls_int (2)), "T.Add(1, 2)");
  check_expr (ls_binary_new (LS_KIND_MUL, e (i), ls_int (1)), "T.Mul(i, 1)");
  check_expr (ls_not (ls_lt (e (i), ls_int (3))), "not i < 3");
  check_expr (ls_and (ls_not (ls_lt (e (i), ls_int (3))), ls_or (ls_eq (e (i), ls_int (2)), ls_ne (e (i), ls_int (5)))),
              "not i < 3 and (i == 2 or i != 5)");
  check_expr (ls_eq (ls_lt (e (i), e (j)), ls_lt (e (j), e (i))), "(i < j) == (j < i)");
  check_expr (ls_const_float (LS_FLOAT32, 1e-7), "T.float32(9.9999999999999995e-08)");
  check_expr (ls_const_float (LS_FLOAT32, 3.4028234663852886e+38), "T.float32(340282346638528859811704183484516925440.0)");
  check_expr (ls_const_float (LS_FLOAT32, (double) __builtin_inf ()), "T.float32(\"inf\")");
  check_expr (ls_const_int (LS_INT64, -3), "T.int64(-3)");
  check_expr (ls_bool (TRUE), "T.bool(True)");
  check_expr (ls_cast_new (LS_FLOAT32, e (i)), "T.Cast(\"float32\", i)");
  check_expr (ls_string_imm_new ("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
  check_expr (ls_let_new (ls_ref (j), ls_int (1), ls_add (e (i), e (j))), "T.Let(i + j, where={j: 1})");
  check_expr (ls_call_op ("tir.exp", LS_FLOAT32, ls_array_of (e (x), NULL)), "T.exp(x)");
  check_expr (ls_call_op ("tir.call_extern", LS_INT32, ls_array_of (ls_string_imm_new ("f"), e (i), NULL)),
              "T.call_extern(\"int32\", \"f\", i)");
  ls_unref (i);
  ls_unref (j);
  ls_unref (x);
}

/* What is printed without a printer is what the printer gives. */
static void
test_small_expressions (void)
{
  static const char *const names[] = { "i", "_", "v_0", "T", "I", "R", "cls", "for", "None", "1x", "a-b", "Ta", "" };
  static const gint64 numbers[] = { 0, 7, -1, G_MAXINT32, G_MININT32 };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (LsVar) var = ls_var_new (names[i], LS_INT32);
      g_autofree char *text = ls_script_print_expr (var);
      g_autofree char *whole = ls_script_print (var, NULL, NULL);

      g_assert_cmpstr (text, ==, whole);
    }
  for (guint i = 0; i < 2 * G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (LsExpr) number = ls_const_int (i % 2 == 0 ? LS_INT32 : LS_INT64, numbers[i / 2]);
      g_autofree char *text = ls_script_print_expr (number);
      g_autofree char *whole = ls_script_print (number, NULL, NULL);

      g_assert_cmpstr (text, ==, whole);
    }
}

static void
test_free_variable (void)
{
  LsVar *n = ls_var_new ("n", LS_INT64), *data = ls_var_new_typed ("C", ls_pointer_type_new (ls_prim_type_new (LS_FLOAT32), "global"));
  LsBuffer *c = ls_buffer_new_full (ls_ref (data), LS_FLOAT32, ls_array_of (ls_int (16), NULL), ls_array_empty (), NULL, "C", 64, 1,
                                    LS_BUFFER_DEFAULT, NULL);
  LsStmt *store = ls_buffer_store_new (ls_ref (c), ls_const_float (LS_FLOAT32, 1), ls_array_of (ls_int (3), NULL), NULL);
  LsStmt *allocate = ls_allocate_new (ls_ref (data), LS_FLOAT32, ls_array_of (ls_int (16), NULL), ls_bool (TRUE), store, NULL);
  LsStmt *call = ls_evaluate_new (ls_add (e (n), ls_const_int (LS_INT64, 1)));
  LsPrimFunc *func = ls_prim_func_new (ls_array_empty (), ls_seq (ls_array_of (call, allocate, NULL)), NULL, ls_array_empty (), NULL);
  g_autofree char *text = ls_script_print (func, NULL, NULL);

  g_assert_cmpstr (text, ==,
                   "# from tvm.script import tir as T\n\n@T.prim_func(private=True)\ndef main():\n    n = T.int64()\n"
                   "    T.evaluate(n + T.int64(1))\n    C = T.allocate([16], \"float32\", \"global\")\n"
                   "    C_1 = T.Buffer((16,), data=C)\n    C_1[3] = T.float32(1.0)\n");
  ls_unref (func);
  ls_unref (c);
  ls_unref (n);
  ls_unref (data);
}

/* A function of Relax with so many parameters, as text. (transfer full) */
static char *
function_of (guint n)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\")");

  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, ", layers_%u_weight: R.Tensor((4, 4), \"float32\")", i);
  g_string_append (text, "):\n        y: R.Tensor((4, 4), dtype=\"float32\") = R.add(x, layers_1_weight)\n        return y\n");
  return g_string_free (text, FALSE);
}

/* (transfer full) */
static LsModule *
read_text (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("test", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_false (ls_diagnostics_has_error (findings));
  return module;
}

/* The head of a function that has very many parameters is no line of hundreds of kilobytes, and is read as what it was. */
static void
test_many_parameters (void)
{
  static const guint COUNTS[] = { 200, 201, 5900 };

  for (guint k = 0; k < G_N_ELEMENTS (COUNTS); k++)
    {
      g_autofree char *source = function_of (COUNTS[k]), *text = NULL, *again = NULL, *whole = NULL, *last = NULL;
      const char *first;
      g_autoptr (LsModule) module = read_text (source), back = NULL;
      g_auto (GStrv) lines = NULL;
      LsSourceMap *map = NULL;
      gsize longest = 0;

      text = ls_script_print (module, NULL, &map);
      ls_source_map_unref (map);
      lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        longest = MAX (longest, strlen (lines[i]));
      if (COUNTS[k] <= 200)
        g_assert_cmpuint (longest, >, 200 * 30);
      else
        g_assert_cmpuint (longest, <, 200);
      whole = ls_script_print (module, &(LsScriptPrintOptions) { .whole_heads = TRUE }, NULL);
      last = g_strdup_printf (", layers_%u_weight: R.Tensor((4, 4), dtype=\"float32\")) -> ", COUNTS[k] - 1);
      first = strstr (whole, "def main(x: ");
      g_assert_nonnull (g_strstr_len (first, strchr (first, '\n') - first, last));
      back = read_text (text);
      g_assert_true (ls_structural_equal (module, back, FALSE, NULL, NULL));
      again = ls_script_print (back, NULL, NULL);
      g_assert_cmpstr (text, ==, again);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/script/printer/mm-relu", test_mm_relu);
  g_test_add_func ("/script/printer/source-map", test_source_map);
  g_test_add_func ("/script/printer/expressions", test_expressions);
  g_test_add_func ("/script/printer/small-expressions", test_small_expressions);
  g_test_add_func ("/script/printer/free-variable", test_free_variable);
  g_test_add_func ("/script/printer/many-parameters", test_many_parameters);
  return g_test_run ();
}
