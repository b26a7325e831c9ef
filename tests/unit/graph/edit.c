/* edit: calls put together, replaced and taken out by hand: what may be done and why not, and that nothing else is computed afterwards. */
#include "engine/graph/edit.h"

#include "app/rpc/rpc.h"
#include "engine/graph/compare.h"
#include "engine/graph/series.h"
#include "engine/relax/analysis.h"
#include "engine/runtime/runtime.h"
#include "engine/script/script.h"
#include "tests/support/models.h"
#include "tests/support/support.h"

#include <string.h>

#define MODEL \
  "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4, 6), \"float32\"), w: R.Tensor((6, 6), \"float32\"), b: R.Tensor((6,), \"float32\")):\n        with R.dataflow():\n" \
  "            a = R.matmul(x, w)\n            c = R.add(a, b)\n            d = R.nn.relu(c)\n            e = R.matmul(d, w)\n            y = R.add(e, x)\n" \
  "            R.output(y)\n        z = R.exp(y)\n        return z\n"

#define OWN \
  "@T.prim_func\ndef own(A: T.Buffer((4, 6), \"float32\"), B: T.Buffer((6,), \"float32\"), C: T.Buffer((4, 6), \"float32\")):\n" \
  "    for i, j in T.grid(4, 6):\n        with T.block(\"C\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            C[vi, vj] = T.max(A[vi, vj] + B[vj], T.float32(0))\n"

static LsModule *
module_of (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("model.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_nonnull (module);
  return module;
}

static GVariant *
ask (const char   *method,
     GVariantDict *params,
     const char   *folder)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GError) error = NULL;
  GVariant *answer;

  if (folder != NULL)
    ls_worker_add_path (worker, folder, TRUE);
  answer = ls_worker_call (worker, method, g_variant_dict_end (params), NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* What both return is the same, run by the interpreter on the same numbers. */
static void
assert_same_result (LsModule   *left,
                    LsModule   *right,
                    const char *binding,
                    const char *other)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  const char *const names[] = { binding, NULL }, *const others[] = { other, NULL };
  g_autofree char *a = ls_script_print (left, &whole, NULL), *b = ls_script_print (right, &whole, NULL);
  g_autoptr (GVariant) answer = NULL, pairs = NULL, pair = NULL;
  double distance = -1.0;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", a);
  g_variant_dict_insert (&params, "right", "s", b);
  g_variant_dict_insert_value (&params, "left-names", g_variant_new_strv (names, -1));
  g_variant_dict_insert_value (&params, "right-names", g_variant_new_strv (others, -1));
  answer = ask ("graph-values", &params, NULL);
  pairs = g_variant_lookup_value (answer, "pairs", NULL);
  pair = g_variant_get_child_value (pairs, 0);
  if (!g_variant_lookup (pair, "error", "d", &distance) || distance != 0.0)
    {
      g_autofree char *words = g_variant_print (pair, FALSE);

      g_test_fail_printf ("%s\n%s", words, b);
    }
}

static LsModule *
after (LsModule   *module,
       const char *text)
{
  g_autoptr (GError) error = NULL;
  LsModule *now = ls_graph_run_pass (module, text, &error);

  g_assert_no_error (error);
  g_assert_nonnull (now);
  return now;
}

static void
assert_refused (LsModule   *module,
                const char *text,
                const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) now = ls_graph_run_pass (module, text, &error);

  if (now != NULL || strstr (error->message, words) == NULL)
    g_test_fail_printf ("%s: \"%s\" is not in %s", text, words, now != NULL ? "(done)" : error->message);
}

static guint
n_calls_of (LsModule   *module,
            const char *title)
{
  g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");
  guint n = 0;

  for (guint i = 0; i < graph->nodes->len; i++)
    n += ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_CALL && strcmp (ls_graph_node (graph, i)->title, title) == 0;
  return n;
}

static void
test_fuse (void)
{
  g_autoptr (LsModule) module = module_of (MODEL), fused = after (module, "FuseThese([\"a\", \"c\", \"d\"])"), all = NULL, legal = NULL, one = NULL;

  g_assert_cmpuint (n_calls_of (fused, "matmul"), ==, 1);
  g_assert_cmpuint (n_calls_of (fused, "relu"), ==, 0);
  assert_same_result (module, fused, "z", "z");
  all = after (fused, "LegalizeOps()");
  legal = after (all, "AnnotateTIROpPattern()");
  one = after (legal, "FuseTIR()");             /* what was put together by hand becomes one PrimFunc like any other */
  assert_same_result (module, one, "z", "z");
}

#define FIELDS \
  "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4, 6), \"float32\")):\n        with R.dataflow():\n" \
  "            s = R.split(x, indices_or_sections=2, axis=1)\n            p = s[0]\n            q = R.add(p, s[1])\n            t = (q, x)\n            R.output(t)\n        return t\n"

static void
test_refused (void)
{
  g_autoptr (LsModule) module = module_of (MODEL), fields = module_of (FIELDS);
  const char *const names[] = { "a", "d", NULL };
  g_autoptr (LsGraphEditCheck) check = ls_graph_edit_check (module, "main", names);

  g_assert_cmpuint (check->reasons->len, ==, 1);
  g_assert_cmpuint (check->with->len, ==, 1);
  g_assert_cmpstr (check->with->pdata[0], ==, "c");
  assert_refused (module, "FuseThese([\"a\", \"d\"])", "c (add) needs something of the selection and the selection needs it");
  assert_refused (module, "FuseThese([\"a\", \"q\"])", "There is no call called q in main.");
  assert_refused (module, "FuseThese([\"a\", \"x\"])", "x is no call: only calls can be put together.");
  assert_refused (fields, "FuseThese([\"p\", \"q\"])", "p is a field of what s gives, and goes with it: select that.");
  assert_refused (fields, "FuseThese([\"s\", \"t\"])", "t is no call: only calls can be put together.");
  assert_refused (module, "FuseThese([\"y\", \"z\"])", "z stands outside of a dataflow block");
  assert_refused (module, "FuseThese([\"a\"])", "nothing to be put together with");
  assert_refused (module, "FuseThese([\"a\", \"c\"], func=\"other\")", "There is no function of Relax called other.");
  assert_refused (module, "FuseThese(3)", "is expected");
}

static void
test_prim_func (void)
{
  const char *const names[] = { "c", "d", NULL }, *const wrong[] = { "a", "c", NULL };
  g_autoptr (LsModule) module = module_of (MODEL), replaced = NULL, again = NULL;
  g_autofree char *text = ls_graph_edit_text ("main", names, "own", OWN), *other = ls_graph_edit_text ("main", wrong, "own", OWN);
  g_autofree char *title = ls_graph_edit_title (text), *pass = ls_graph_edit_title ("FuseOps()");
  g_autofree char *known = ls_graph_edit_text ("main", (const char *const[]) { "y", NULL }, "own", NULL);

  g_assert_cmpstr (title, ==, "ReplaceBy([\"c\", \"d\"], \"own\")");
  g_assert_cmpstr (pass, ==, "FuseOps()");
  replaced = after (module, text);
  g_assert_cmpuint (n_calls_of (replaced, "own"), ==, 1);
  g_assert_cmpuint (n_calls_of (replaced, "relu"), ==, 0);
  assert_same_result (module, replaced, "z", "z");
  assert_refused (module, other, "own has 3 parameters; it would be given 3 inputs and 1 results.");
  assert_refused (replaced, text, "a function called own already");
  assert_refused (replaced, known, "Parameter 2 of own is (6,) float32; x is (4, 6) float32.");
  assert_refused (module, "ReplaceBy([\"d\"], \"main\")", "main is a function of Relax");
}

/* The result of main, run by the virtual machine on numbers of ours. (transfer full) */
static char *
run_result (LsModule *module)
{
  static const gint64 shapes[3][2] = { { 4, 6 }, { 6, 6 }, { 6, 1 } };
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *folder = g_dir_make_tmp ("ls-edit-XXXXXX", NULL), *path = g_build_filename (folder, "model.lsx", NULL), *text = ls_script_print (module, &whole, NULL);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GVariant) built = NULL, answer = NULL, results = NULL, result = NULL;
  GVariantDict params;
  char *words = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%u.npy", folder, i);
      g_autoptr (LsNDArray) array = ls_ndarray_new (i == 2 ? 1 : 2, shapes[i], LS_DT (FLOAT, 32), NULL);

      ls_tensor_fill_random (&array->tensor, i + 1);
      g_assert_true (ls_npy_write (name, &array->tensor, NULL));
      g_ptr_array_add (inputs, g_steal_pointer (&name));
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "out", "s", path);
  built = ask ("build", &params, folder);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "executable", "s", path);
  g_variant_dict_insert (&params, "edge", "x", (gint64) 0);
  g_variant_dict_insert_value (&params, "inputs", g_variant_new_strv ((const char *const *) inputs->pdata, inputs->len));
  answer = ask ("vm", &params, folder);
  results = g_variant_lookup_value (answer, "results", NULL);
  result = g_variant_get_child_value (results, 0);
  g_assert_true (g_variant_lookup (result, "text", "s", &words));
  return words;
}

/* A function of the running program in the place of a call, by its results. */
static void
test_library (void)
{
  g_autoptr (LsModule) module = module_of (MODEL), replaced = after (module, "ReplaceBy([\"d\"], \"env.relu\")");
  g_autofree char *before = run_result (module), *now = run_result (replaced);

  g_assert_cmpuint (n_calls_of (replaced, "env.relu"), ==, 1);
  g_assert_cmpstr (before, ==, now);
  assert_same_result (module, replaced, "d", "lv");     /* the interpreter follows it too */
  assert_same_result (module, replaced, "e", "e");
}

/* A name that nobody has is put there and said: before, with the nearest one that is known, and where its value is asked for. */
static void
test_doubt (void)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autoptr (LsModule) module = module_of (MODEL), replaced = after (module, "ReplaceBy([\"d\"], \"env.relo\")");
  g_autofree char *text = ls_script_print (replaced, &whole, NULL), *near = ls_graph_edit_doubt (module, "env.relo"), *far = ls_graph_edit_doubt (module, "nothing.like.it");
  g_autofree char *known = ls_graph_edit_doubt (module, "env.relu"), *own = ls_graph_edit_doubt (module, "main");
  g_autofree char *of = ls_graph_edit_doubt_of (module, "ReplaceBy([\"d\"], \"env.relo\")"), *pass = ls_graph_edit_doubt_of (module, "LegalizeOps()");
  g_autofree char *brought = ls_graph_edit_doubt_of (module, "ReplaceBy([\"d\"], \"mine\", source=\"def mine(): pass\")");
  const char *const names[] = { "lv", NULL };
  g_autoptr (GVariant) answer = NULL, pairs = NULL, pair = NULL;
  const char *trouble = NULL;
  GVariantDict params;

  g_assert_nonnull (near);
  g_assert_nonnull (strstr (near, "env.relu"));
  g_assert_nonnull (far);
  g_assert_null (strstr (far, "which has"));
  g_assert_cmpstr (of, ==, near);
  g_assert_null (known);
  g_assert_null (own);
  g_assert_null (pass);
  g_assert_null (brought);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "left", "s", text);
  g_variant_dict_insert (&params, "right", "s", text);
  g_variant_dict_insert_value (&params, "left-names", g_variant_new_strv (names, -1));
  g_variant_dict_insert_value (&params, "right-names", g_variant_new_strv (names, -1));
  answer = ask ("graph-values", &params, NULL);
  pairs = g_variant_lookup_value (answer, "pairs", NULL);
  pair = g_variant_get_child_value (pairs, 0);
  g_assert_true (g_variant_lookup (pair, "trouble", "&s", &trouble));
  g_assert_cmpstr (trouble, ==, "the running program has no function env.relo");
}

/* What is taken out has its inputs as parameters, is read back from its text, and computes what stood there. */
static void
test_extract (void)
{
  const char *const names[] = { "c", "d", "e", NULL }, *const wrong[] = { "a", "e", NULL };
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autoptr (LsModule) module = module_of (MODEL), legal = after (module, "LegalizeOps()"), none = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsModule) own = ls_graph_edit_extract (i == 0 ? module : legal, "main", names, &error), back = NULL;
      g_autofree char *text = own != NULL ? ls_script_print (own, &whole, NULL) : NULL;
      LsFunction *function;

      g_assert_no_error (error);
      back = module_of (text);
      function = (LsFunction *) ls_module_get (back, "main");
      g_assert_cmpuint (function->params->n, ==, 3);    /* a, b, w */
      g_assert_cmpuint (back->functions->n, ==, i == 0 ? 1 : 4);
      g_assert_null (strstr (text, "Primitive"));
    }
  none = ls_graph_edit_extract (module, "main", wrong, &error);
  g_assert_null (none);
  g_assert_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND);
}

/* ---- any selection ------------------------------------------------------------------------- */

/* Can the selected nodes be one without a round? By putting them together and looking for one. */
static gboolean
has_round (LsGraph        *graph,
           const gboolean *chosen)
{
  guint n = graph->nodes->len;
  g_autofree gboolean *reached = g_new0 (gboolean, n + 1);
  gboolean changed = TRUE;

  while (changed)       /* what is reached from the selection through others */
    {
      changed = FALSE;
      for (guint i = 0; i < graph->edges->len; i++)
        {
          const LsGraphEdge *edge = ls_graph_edge (graph, i);

          if ((chosen[edge->from] || reached[edge->from]) && !chosen[edge->to] && !reached[edge->to])
            reached[edge->to] = changed = TRUE;
          if (reached[edge->from] && chosen[edge->to])
            return TRUE;
        }
    }
  return FALSE;
}

static void
test_random (void)
{
  guint n_done = 0, n_refused = 0;

  for (guint round = 0; round < 60; round++)
    {
      g_autofree char *model = ls_model_random (24, (guint) g_test_rand_int_range (0, 1000));
      g_autoptr (LsModule) module = module_of (model), fused = NULL;
      g_autoptr (LsGraph) graph = ls_graph_from_relax (module, "main");
      g_autofree gboolean *chosen = g_new0 (gboolean, graph->nodes->len + 1);
      g_autoptr (GPtrArray) names = g_ptr_array_new ();
      g_autoptr (LsGraphEditCheck) check = NULL;
      g_autoptr (GError) error = NULL;
      guint start = (guint) g_test_rand_int_range (0, (gint) graph->nodes->len);
      gboolean round_there;

      for (guint i = start; i < graph->nodes->len && names->len < 6; i++)
        if (ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_CALL && g_test_rand_int_range (0, 3) > 0)
          {
            chosen[i] = TRUE;
            g_ptr_array_add (names, ls_graph_node (graph, i)->name);
          }
      if (names->len < 2)
        continue;
      g_ptr_array_add (names, NULL);
      round_there = has_round (graph, chosen);
      check = ls_graph_edit_check (module, "main", (const char *const *) names->pdata);
      g_assert_cmpint (check->reasons->len > 0, ==, round_there);
      fused = ls_graph_edit_fuse (module, "main", (const char *const *) names->pdata, &error);
      if (fused == NULL && !round_there && strstr (error->message, "Nobody reads what these calls make.") != NULL)
        continue;       /* calls drawn at random are not all used */
      if ((fused == NULL) != round_there)
        g_test_fail_printf ("%s: %d, %s", model, round_there, error != NULL ? error->message : "done");
      n_refused += round_there;
      n_done += fused != NULL;
      if (fused != NULL)
        {
          g_autofree char *text = ls_script_print (fused, NULL, NULL);
          g_autoptr (LsModule) back = module_of (text);
          g_autoptr (LsGraph) now = ls_graph_from_relax (back, "main");
          const char *end = ls_graph_node (graph, graph->nodes->len - 1)->title, *ends = ls_graph_node (now, now->nodes->len - 1)->title;

          if (n_done <= 8 && strchr (end, '[') == NULL && strchr (ends, '[') == NULL)       /* no field of a tuple */
            assert_same_result (module, back, end, ends);
        }
    }
  g_assert_cmpuint (n_done, >, 3);
  g_assert_cmpuint (n_refused, >, 3);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/edit/fuse", test_fuse);
  g_test_add_func ("/graph/edit/refused", test_refused);
  g_test_add_func ("/graph/edit/prim-func", test_prim_func);
  g_test_add_func ("/graph/edit/library", test_library);
  g_test_add_func ("/graph/edit/doubt", test_doubt);
  g_test_add_func ("/graph/edit/extract", test_extract);
  g_test_add_func ("/graph/edit/random", test_random);
  return g_test_run ();
}
