/* search: patterns of dataflow from texts, and searches as colours. */
#include "engine/graph/styles.h"

#include "engine/relax/dpl/dpl.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/unit/graph/graphs.h"

#include <string.h>

#define MODEL \
  "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4, 4), \"float32\"), w: R.Tensor((4, 4), \"float32\"), q: R.Tensor((4, 4), \"int8\")):\n        with R.dataflow():\n" \
  "            a = R.matmul(x, w)\n            b = R.add(a, w)\n            c = R.matmul(b, b)\n            d = R.nn.relu(c)\n            e = R.add(d, a)\n" \
  "            f = R.astype(q, dtype=\"float32\")\n            g = R.concat((e, f), axis=1)\n            y = R.split(g, indices_or_sections=2, axis=1)\n            z = y[0]\n            k = R.exp(z)\n" \
  "            R.output(k)\n        return k\n"

/* "a b; c d": the names of each match. (transfer full) */
static char *
found (LsGraph    *graph,
       const char *pattern)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) matches = ls_graph_search (graph, pattern, &error);
  GString *out = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < matches->len; i++)
    for (guint k = 0; k < ((GArray *) matches->pdata[i])->len; k++)
      g_string_append_printf (out, "%s%s", out->len == 0 ? "" : k == 0 ? "; " : " ", ls_graph_node (graph, g_array_index ((GArray *) matches->pdata[i], guint, k))->name);
  return g_string_free (out, FALSE);
}

static void
test_dataflow (void)
{
  static const struct { const char *pattern, *found; } CASES[] = {
    { "is_op(\"relax.add\")(is_op(\"relax.matmul\")(wildcard(), wildcard()), wildcard())", "a b; a e" },        /* sums go either way */
    { "is_op('matmul')(wildcard(), wildcard()) + wildcard()", "a b; a e" },
    { "wildcard() + is_op(\"matmul\")(wildcard(), wildcard())", "a b; a e" },
    { "x = wildcard(); is_op(\"matmul\")(x, x)", "c" },
    { "is_op(\"matmul\")(wildcard(), wildcard())", "a; c" },
    { "is_op(\"nn.relu\")(wildcard()) | is_op(\"exp\")(wildcard())", "d; k" },
    { "is_op(\"astype\")(wildcard().has_dtype(\"int8\"))", "f" },
    { "is_op(\"concat\")(wildcard()).has_attr({\"axis\": 1})", "g" },
    { "is_op(\"concat\")(wildcard()).has_attr({\"axis\": 0})", "" },
    { "is_op(\"concat\")(is_tuple([wildcard(), is_op(\"astype\")(wildcard())]))", "f g" },
    { "is_op(\"exp\")(is_op(\"split\")(wildcard())[0])", "y k" },
    { "is_op(\"exp\")(is_tuple_get_item(wildcard(), 1))", "" },
    { "is_op(\"matmul\")(wildcard(), ~is_var(\"w\"))", "c" },
    { "is_op(\"matmul\")(wildcard(), wildcard()) & wildcard().has_shape((4, 4))", "a; c" },
    { "is_op(\"matmul\")(wildcard().has_shape([4, 5]), wildcard())", "" },
  };
  g_autoptr (LsGraph) graph = relax_graph (MODEL);

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *names = found (graph, CASES[i].pattern);

      if (strcmp (names, CASES[i].found) != 0)
        g_test_fail_printf ("%s: \"%s\", \"%s\" expected", CASES[i].pattern, names, CASES[i].found);
    }
}

static void
test_wrong (void)
{
  static const struct { const char *pattern, *words; } CASES[] = {
    { "is_op(\"matmul\")(wildcard(), wildcard()", "Column 39: \",\" is expected; the pattern ends." },
    { "is_op(\"matmull\")", "There is no operator relax.matmull." },
    { "is_op(\"matmul\")(x)", "No part of the pattern is called x" },
    { "is_op(\"matmul\").has_dtype(\"float33\")", "a type such as \"float32\" is expected" },
    { "wildcard() extra", "Column 12: the end of the pattern is expected." },
    { "is_call_tir(3)", "Column 13: a text in quotes is expected." },
    { "wildcard().has_size(3)", "has_dtype, has_shape or has_attr is expected" },
    { "is_tuple(wildcard())", "\"[\" is expected" },
  };
  g_autoptr (LsGraph) graph = relax_graph (MODEL);
  g_autoptr (GString) deep = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) matches = ls_graph_search (graph, CASES[i].pattern, &error);

      if (matches != NULL || strstr (error->message, CASES[i].words) == NULL)
        g_test_fail_printf ("%s: \"%s\" is not in \"%s\"", CASES[i].pattern, CASES[i].words, error != NULL ? error->message : "(read)");
    }
  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '(');
  g_string_append (deep, "wildcard()");
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (LsNode) pattern = ls_pattern_parse (deep->str, &error);

    g_assert_null (pattern);
    g_assert_nonnull (error);
  }
}

/* Any text gives a pattern or a sentence, whatever of a good one is left out or doubled. */
static void
test_random (void)
{
  static const char GOOD[] = "x = wildcard(); is_op(\"relax.add\")(is_op(\"relax.matmul\")(x, wildcard().has_shape((1, 8))), x).has_attr({\"a\": 1}) | ~is_tuple([x])[0] & is_call_tir(\"f\", [x])";
  guint n_read = 0;

  for (guint round = 0; round < 3000; round++)
    {
      g_autofree char *text = g_strdup (GOOD);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsNode) pattern = NULL;

      for (gint i = g_test_rand_int_range (0, 4); i > 0; i--)
        text[g_test_rand_int_range (0, (gint) strlen (text))] = GOOD[g_test_rand_int_range (0, (gint) strlen (GOOD))];
      text[g_test_rand_int_range ((gint) strlen (text) / 2, (gint) strlen (text) + 1)] = g_test_rand_bit () ? '\0' : ' ';
      pattern = ls_pattern_parse (text, &error);
      g_assert_true ((pattern == NULL) == (error != NULL));
      n_read += pattern != NULL;
    }
  g_assert_cmpuint (n_read, >, 0);
}

static void
test_styles (void)
{
  const char *const patterns[] = { "int8", "is_op(\"matmul\")(wildcard(), wildcard())", "float32", NULL }, *const wrong[] = { "relu", "->", NULL };
  g_autoptr (LsGraph) graph = relax_graph (MODEL), many = NULL, folded = NULL;
  g_autofree char *said = NULL, *none = NULL;
  g_autofree guint8 *styles = ls_graph_style_nodes (graph, patterns, &none), *partly = ls_graph_style_nodes (graph, wrong, &said), *groups = NULL, *some = NULL;
  guint n_groups = 0;

  g_autofree char *model = ls_model_transformer (4);

  g_assert_null (none);
  g_assert_cmpuint (styles[ls_graph_find (graph, "main/q")], ==, 1);
  g_assert_cmpuint (styles[ls_graph_find (graph, "main/a")], ==, 2);
  g_assert_cmpuint (styles[ls_graph_find (graph, "main/d")], ==, 3);
  g_assert_cmpstr (said, ==, "->: A name is missing before \"->\"; * stands for any.");
  g_assert_cmpuint (partly[ls_graph_find (graph, "main/d")], ==, 1);
  many = relax_graph (model);
  folded = ls_graph_fold_groups (many, 40, NULL);
  groups = ls_graph_style_nodes (folded, (const char *const[]) { "float32", NULL }, NULL);
  some = ls_graph_style_nodes (folded, (const char *const[]) { "nothing", "softmax", "matmul", NULL }, NULL);
  for (guint i = 0; i < folded->nodes->len; i++)
    if (ls_graph_node (folded, i)->kind == LS_GRAPH_NODE_GROUP)
      {
        g_assert_cmpuint (groups[i], ==, 1);
        g_assert_cmpuint (some[i], ==, LS_GRAPH_STYLE_PARTLY | 1u << 1 | 1u << 2);      /* both are in it, beside others */
        n_groups++;
      }
  g_assert_cmpuint (n_groups, ==, 4);
}

/* One node, one match: all of them, however many.  Chains are more than anyone can go through; then it is known that there are more. */
static void
test_many (void)
{
  g_autoptr (GString) model = g_string_new ("@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    v0 = R.nn.relu(x)\n    v1 = R.nn.relu(x)\n");
  g_autoptr (LsGraph) graph = NULL;
  g_autoptr (GPtrArray) each = NULL, chains = NULL;

  for (guint i = 2; i < 10500; i++)
    g_string_append_printf (model, "    v%u = R.add(v%u, v%u)\n", i, i - 1, i - 2);
  g_string_append (model, "    return v10499\n");
  graph = relax_graph (model->str);
  each = ls_graph_search (graph, "add", NULL);
  chains = ls_graph_search (graph, "add -> add -> add", NULL);
  g_assert_cmpuint (each->len, ==, 10498);
  g_assert_cmpuint (ls_graph_most_matches (graph), ==, graph->nodes->len);
  g_assert_cmpuint (chains->len, ==, graph->nodes->len + 1);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graph/search/dataflow", test_dataflow);
  g_test_add_func ("/graph/search/wrong", test_wrong);
  g_test_add_func ("/graph/search/random", test_random);
  g_test_add_func ("/graph/search/styles", test_styles);
  g_test_add_func ("/graph/search/many", test_many);
  return g_test_run ();
}
