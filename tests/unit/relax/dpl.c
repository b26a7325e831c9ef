/* dpl: patterns of dataflow written as text, matched against a small function. */
#include "engine/relax/dpl/dpl-private.h"
#include "engine/script/pattern-text.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

static const char PROGRAM[] =
  "@R.function\n"
  "def main(x: R.Tensor((4, 8), \"float32\"), w: R.Tensor((8, 16), \"float32\"), b: R.Tensor((16,), \"float32\")):\n"
  "    with R.dataflow():\n"
  "        y = R.matmul(x, w)\n"
  "        z = R.add(y, b)\n"
  "        r = R.nn.relu(z)\n"
  "        t = (r, z)\n"
  "        u = t[1]\n"
  "        v = R.call_dps_packed(\"f\", (u,), out_sinfo=R.Tensor((4, 16), \"float32\"))\n"
  "        q = R.multiply(R.const(2.0), z)\n"
  "        s = R.nn.softmax(q, axis=1)\n"
  "        R.output(r, v, s)\n"
  "    return r, v, s\n";

typedef struct {
  LsModule   *module;
  LsFunction *func;
  GHashTable *values;
} Program;

static Program
program (void)
{
  g_autoptr (LsSource) source = ls_source_new ("test", PROGRAM, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  Program self = { ls_script_parse (source, findings) };

  g_assert_false (ls_diagnostics_has_error (findings));
  self.func = (LsFunction *) ls_module_get (self.module, "main");
  self.values = ls_relax_values (self.func->body);
  return self;
}

static void
program_clear (Program *self)
{
  g_hash_table_unref (self->values);
  ls_unref (self->module);
}

static LsArray *
bindings (Program *self)
{
  return ls_array_at (((LsSeqExpr *) self->func->body)->blocks, 0, LsBindingBlock)->bindings;
}

static LsNode *
value_of (Program    *self,
          const char *name)
{
  for (guint i = 0; i < bindings (self)->n; i++)
    {
      LsVarBinding *binding = ls_array_at (bindings (self), i, LsVarBinding);

      if (strcmp (binding->var->name, name) == 0)
        return binding->value;
    }
  g_assert_not_reached ();
}

static LsPattern *
pattern (const char        *text,
         LsPatternContext **context)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsPattern *result = ls_script_parse_pattern (text, context, findings);

  g_assert_false (ls_diagnostics_has_error (findings));
  g_assert_nonnull (result);
  return result;
}

typedef struct { const char *var, *pattern; gboolean fits; } Row;

static void
expressions (void)
{
  static const Row ROWS[] = {
    { "y", "wildcard()", TRUE },
    { "y", "is_op('relax.matmul')(wildcard(), wildcard())", TRUE },
    { "y", "is_op('relax.matmul')(wildcard())", FALSE },
    { "y", "is_op('relax.matmul')(wildcard(), varg_default_wildcard=True)", TRUE },
    { "y", "is_op('relax.matmul')(is_var('x'), is_var('w'))", TRUE },
    { "y", "is_op('relax.matmul')(is_var('w'), is_var('x'))", FALSE },
    { "y", "is_op('relax.matmul')(a, a)", FALSE },
    { "z", "is_op('relax.add')(is_op('relax.matmul')(wildcard(), wildcard()), wildcard())", TRUE },
    { "z", "is_op('relax.add')(is_var('b'), is_op('relax.matmul')(wildcard(), wildcard()))", TRUE },
    { "r", "is_op('relax.nn.relu')(is_op('relax.add')(is_op('relax.matmul')(a, b), c))", TRUE },
    { "r", "is_op('relax.nn.relu')(is_op('relax.matmul')(a, b))", FALSE },
    { "r", "is_op('relax.nn.relu')(is_op('relax.matmul')(a, b) | is_op('relax.add')(a, b))", TRUE },
    { "r", "is_op('relax.nn.relu')(~is_op('relax.matmul')(a, b))", TRUE },
    { "r", "is_op('relax.nn.relu')(wildcard().has_shape([4, 16]) & has_dtype('float32'))", TRUE },
    { "r", "is_op('relax.nn.relu')(wildcard().has_shape([16, 4]))", FALSE },
    { "r", "is_op('relax.nn.relu')(wildcard().has_struct_info(R.Tensor((4, 16))))", TRUE },
    { "r", "is_op('relax.nn.relu')(wildcard().has_struct_info(R.Tensor((4, 16), 'float16')))", FALSE },
    { "r", "is_op('relax.nn.relu')(wildcard().has_struct_info(R.Tensor(('n', 16))))", TRUE },
    { "t", "is_tuple([is_op('relax.nn.relu')(a), wildcard()])", TRUE },
    { "t", "is_tuple([wildcard(), is_op('relax.nn.relu')(a)])", FALSE },
    { "t", "is_tuple([wildcard(), is_op('relax.nn.relu')(a)], unordered=True)", TRUE },
    { "u", "is_tuple_get_item(wildcard(), 1)", TRUE },
    { "u", "is_tuple_get_item(wildcard())", TRUE },
    { "u", "is_tuple([a, b])[-1]", TRUE },
    { "u", "is_tuple([a, b])[0]", FALSE },
    { "v", "is_call_dps_packed('f')", TRUE },
    { "v", "is_call_dps_packed('f', [is_tuple_get_item(wildcard(), 1)])", TRUE },
    { "v", "is_call_dps_packed('g')", FALSE },
    { "q", "is_op('relax.multiply')(wildcard(), is_const())", TRUE },
    { "s", "is_op('relax.nn.softmax')(wildcard()).has_attr({'axis': 1})", TRUE },
    { "s", "is_op('relax.nn.softmax')(wildcard()).has_attr({'axis': 0})", FALSE },
    { "s", "is_op('relax.nn.softmax')(wildcard()).has_attr({'axes': 1})", FALSE },
  };
  Program self = program ();

  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    {
      g_autoptr (LsNode) wanted = pattern (ROWS[i].pattern, NULL);
      g_autoptr (LsPatternMatch) match = ls_pattern_match (wanted, value_of (&self, ROWS[i].var), self.values);

      if ((match != NULL) != ROWS[i].fits)
        g_error ("%s: %s", ROWS[i].var, ROWS[i].pattern);
      g_assert_true (match == NULL || ls_pattern_match_get (match, wanted) == value_of (&self, ROWS[i].var));
    }
  program_clear (&self);
}

static void
products_and_quotients (void)
{
  static const char text[] =
    "@R.function\ndef main(a: R.Tensor((4,), \"float32\"), b: R.Tensor((4,), \"float32\"), c: R.Tensor((4,), \"float32\")):\n"
    "    return R.multiply(a, R.divide(b, c))\n";
  g_autoptr (LsSource) source = ls_source_new ("test", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  LsFunction *func = (LsFunction *) ls_module_get (module, "main");
  g_autoptr (GHashTable) values = ls_relax_values (func->body);
  g_autoptr (LsNode) inner = ls_relax_call_new (ls_relax_op_new ("relax.divide"), ls_array_of (ls_node_ref (func->params->items[1]),
                                                ls_node_ref (func->params->items[2]), NULL), NULL, NULL, NULL);
  g_autoptr (LsNode) product = ls_relax_call_new (ls_relax_op_new ("relax.multiply"), ls_array_of (ls_node_ref (func->params->items[0]), ls_node_ref (inner), NULL),
                                                  NULL, NULL, NULL);
  g_autoptr (LsNode) wanted = pattern ("is_op('relax.divide')(is_op('relax.multiply')(is_var('a'), is_var('b')), is_var('c'))", NULL);
  g_autoptr (LsPatternMatch) match = ls_pattern_match (wanted, product, values);

  g_assert_nonnull (match);
}

static void
graphs (void)
{
  static const struct { const char *text; gboolean fits; } ROWS[] = {
    { "is_op('relax.matmul')(a, b) >> is_op('relax.add')(varg_default_wildcard=True)", TRUE },
    { "is_op('relax.add')(is_op('relax.matmul')(a, b), c)", TRUE },
    { "is_op('relax.matmul')(a, b) >> is_op('relax.add')(wildcard(), wildcard())", FALSE },
    { "is_op('relax.add')(a, b) ^ is_op('relax.nn.relu')(varg_default_wildcard=True)", TRUE },
    { "is_op('relax.add')(a, b) >> is_op('relax.nn.relu')(varg_default_wildcard=True)", FALSE },
    { "is_op('relax.nn.relu')(a) ^ is_op('relax.nn.softmax')(varg_default_wildcard=True)", FALSE },
    { "is_var('x') ^ is_op('relax.matmul')(varg_default_wildcard=True) ^ is_op('relax.add')(varg_default_wildcard=True) ^ is_op('relax.nn.relu')(varg_default_wildcard=True)", TRUE },
    { "is_op('relax.matmul')(varg_default_wildcard=True).used_by(is_op('relax.add')(varg_default_wildcard=True), 0)", TRUE },
    { "is_op('relax.matmul')(varg_default_wildcard=True).used_by(is_op('relax.add')(varg_default_wildcard=True), 1)", FALSE },
  };
  Program self = program ();

  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    {
      g_autoptr (LsPatternContext) context = NULL;
      g_autoptr (LsNode) last = pattern (ROWS[i].text, &context);
      g_autoptr (GHashTable) match = ls_pattern_context_match (context, bindings (&self), NULL);

      if ((match != NULL) != ROWS[i].fits)
        g_error ("%s", ROWS[i].text);
      g_assert_true (match == NULL || ls_is_relax_var (g_hash_table_lookup (match, last)));
    }
  program_clear (&self);
}

static void
printing (void)
{
  static const char *const ROWS[][2] = {
    { "is_op('relax.add')(wildcard(), is_const())", "Op(relax.add)(*, ConstantPattern())" },
    { "is_var('x') | ~is_gv('g')", "OrPattern(VarPattern(x) | !(GlobalVarPattern(g)))" },
    { "wildcard().has_shape([2, 3]).has_dtype('float16')", "DataTypePattern(ShapePattern(* has shape [2, 3]) has dtype float16)" },
    { "is_tuple([wildcard()])[0]", "TupleGetItemPattern(TuplePattern([*]), 0)" },
    { "ExternFuncPattern('f')(varg_default_wildcard=True)", "ExternFuncPattern(f)(...)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    {
      g_autoptr (LsNode) node = pattern (ROWS[i][0], NULL), copy = ls_pattern_duplicate (node);
      g_autofree char *text = ls_pattern_print (node), *again = ls_pattern_print (copy);

      g_assert_cmpstr (text, ==, ROWS[i][1]);
      g_assert_cmpstr (again, ==, text);
      g_assert_true (copy != node);
    }
}

static void
wrong_texts (void)
{
  static const char *const ROWS[] = {
    "", "1", "wildcard", "wildcard() + wildcard()", "is_op('add')", "is_op(3)(wildcard())", "is_tuple(wildcard())", "is_tuple([wildcard()])[3]",
    "wildcard().has_shape(4)", "wildcard().has_attr([1])", "wildcard().has_struct_info(4)", "wildcard().nothing()", "is_opp('relax.add')",
    "is_op('relax.add')(1, 2)", "is_tuple_get_item()", "has_dtype('flot')", "wildcard(), wildcard()",
  };

  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    {
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsNode) node = ls_script_parse_pattern (ROWS[i], NULL, findings);

      if (i != 2)               /* a bare name is a wildcard */
        g_assert_true (node == NULL || ls_diagnostics_has_error (findings));
    }
}

static LsNode *
double_it (LsNode         *expr,
           LsPatternMatch *match,
           gpointer        user_data,
           GError        **error)
{
  LsNode *what = ls_pattern_match_get (match, user_data);

  return ls_relax_call_new (ls_relax_op_new ("relax.add"), ls_array_of (ls_node_ref (what), ls_node_ref (what), NULL), NULL, NULL, NULL);
}

static void
rewriting (void)
{
  Program self = program ();
  g_autoptr (LsNode) what = ls_wildcard_new ();
  g_autoptr (LsNode) wanted = ls_call_pattern_new (ls_op_pattern_new ("relax.nn.relu"), ls_array_of (ls_node_ref (what), NULL), FALSE);
  g_autoptr (LsPatternRewriter) rule = ls_pattern_rewriter_new (wanted, double_it, what, NULL);
  g_autoptr (LsNode) fresh = ls_pattern_rewriter_apply (rule, LS_NODE (self.func), self.module, NULL);
  g_autoptr (LsModule) module = ls_module_with (self.module, "main", fresh);
  g_autofree char *text = ls_script_print (module, NULL, NULL);

  g_assert_null (strstr (text, "relu"));
  g_assert_nonnull (strstr (text, "= R.add(z, z)"));
  program_clear (&self);
}

/* What add, multiply and `|` try twice is not done twice at each level: work, not time. */
static LsNode *
add_of (LsNode *a,
        LsNode *b)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.add"), ls_array_of (a, b, NULL), NULL, NULL, NULL);
}

static LsPattern *
add_pattern (LsPattern *a,
             LsPattern *b)
{
  return ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (a, b, NULL), FALSE);
}

/* Each level is the sum of the one before with itself; the pattern asks for a constant at the end. */
static guint
visits_of_doubling (guint    n,
                    gboolean alternatives,
                    gboolean constant)
{
  g_autoptr (LsNode) value = LS_NODE (ls_relax_var_new ("x", ls_object_struct_info_new ()));
  g_autoptr (LsNode) pattern = constant ? ls_constant_pattern_new () : ls_wildcard_new ();
  g_autoptr (LsPatternMatch) match = NULL;

  for (guint i = 0; i < n; i++)
    {
      LsPattern *below = pattern;

      value = add_of (ls_node_ref (value), value);
      pattern = add_pattern (ls_node_ref (below), ls_wildcard_new ());
      if (alternatives)
        pattern = ls_pair_pattern_new (LS_KIND_OR_PATTERN, pattern, add_pattern (ls_wildcard_new (), ls_node_ref (below)));
      ls_node_unref (below);
    }
  match = ls_pattern_match (pattern, value, NULL);
  g_assert_true ((match == NULL) == constant);
  return ls_pattern_match_last_visits ();
}

static void
work (void)
{
  for (guint alternatives = 0; alternatives < 2; alternatives++)
    for (guint n = 50; n <= 5000; n *= 10)
      {
        g_assert_cmpuint (visits_of_doubling (n, alternatives, TRUE), <, 40 * n + 400);
        g_assert_cmpuint (visits_of_doubling (n, alternatives, FALSE), <, 40 * n + 400);
      }
}

/* A part that occurs twice fits only what it fits the first time: what did not fit with another first is tried again. */
static void
shared_parts (void)
{
  g_autoptr (LsNode) x = LS_NODE (ls_relax_var_new ("x", ls_object_struct_info_new ()));
  g_autoptr (LsNode) y = LS_NODE (ls_relax_var_new ("y", ls_object_struct_info_new ()));

  for (guint swapped = 0; swapped < 2; swapped++)
    for (guint n = 0; n < 300; n += 60)
      {
        g_autoptr (LsNode) any = ls_wildcard_new ();
        g_autoptr (LsNode) pattern = add_pattern (ls_node_ref (any), add_pattern (ls_node_ref (any), ls_name_pattern_new (LS_KIND_VAR_PATTERN, "y")));
        g_autoptr (LsNode) value = add_of (ls_node_ref (swapped ? y : x), add_of (ls_node_ref (y), ls_node_ref (x)));
        g_autoptr (LsPatternMatch) match = NULL;

        for (guint i = 0; i < n; i++)
          {
            pattern = add_pattern (pattern, ls_constant_pattern_new ());
            pattern = ls_pair_pattern_new (LS_KIND_OR_PATTERN, pattern, add_pattern (ls_node_ref (((LsCallPattern *) pattern)->args->items[0]), ls_wildcard_new ()));
            value = add_of (value, ls_node_ref (x));
          }
        match = ls_pattern_match (pattern, value, NULL);
        g_assert_true ((match != NULL) == !swapped);
        if (match != NULL)
          g_assert_true (ls_pattern_match_get (match, any) == x);
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relax/dpl/expressions", expressions);
  g_test_add_func ("/relax/dpl/products-and-quotients", products_and_quotients);
  g_test_add_func ("/relax/dpl/graphs", graphs);
  g_test_add_func ("/relax/dpl/printing", printing);
  g_test_add_func ("/relax/dpl/wrong-texts", wrong_texts);
  g_test_add_func ("/relax/dpl/rewriting", rewriting);
  g_test_add_func ("/relax/dpl/work", work);
  g_test_add_func ("/relax/dpl/shared-parts", shared_parts);
  return g_test_run ();
}
