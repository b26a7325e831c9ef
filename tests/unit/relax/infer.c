/* infer: struct info of operators, one line a rule: parameters, an expression, what comes out or the words of the refusal. */
#include "engine/relax/relax.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

typedef struct { const char *params, *expr, *result; } Row;

#define T(shape) "R.Tensor((" shape "), dtype=\"float32\")"
#define F(shape, type) "R.Tensor((" shape "), dtype=\"" type "\")"
#define X(shape) "x: " T (shape)
#define XY(a, b) "x: " T (a) ", y: " T (b)

static const Row KNOWN[] = {
  { XY ("2, 3, 4", "3, 1"), "R.add(x, y)", T ("2, 3, 4") },
  { XY ("\"n\", 4", "4,"), "R.multiply(x, y)", T ("n, 4") },
  { XY ("\"n\", 4", "3, 4"), "R.add(x, y)", "R.Tensor(dtype=\"float32\", ndim=2)" },
  { XY ("4,", "4,"), "R.less(x, y)", F ("4,", "bool") },
  { "x: R.Tensor(ndim=2), y: " T ("4, 4"), "R.add(x, y)", "R.Tensor(ndim=2)" },
  { XY ("3, 1, 4, 6", "2, 6, 5"), "R.matmul(x, y)", T ("3, 2, 4, 5") },
  { XY ("6,", "6,"), "R.matmul(x, y)", T ("") },
  { XY ("2, 3", "3, 5"), "R.einsum((x, y), subscripts=\"ij,jk\")", T ("2, 5") },
  { XY ("7, 2, 3", "7, 3, 5"), "R.einsum((x, y), subscripts=\"...ij,...jk->...ik\")", T ("7, 2, 5") },
  { X ("\"n\", 6"), "R.reshape(x, (-1, 3))", T ("n * 2, 3") },
  { X ("4, 6"), "R.reshape(x, (0, 2, -1))", T ("4, 2, 3") },
  { X ("\"n\", 3, 4"), "R.permute_dims(x, axes=[2, 0, 1])", T ("4, n, 3") },
  { X ("3, 1"), "R.squeeze(x)", T ("3,") }, { X ("\"n\", 1"), "R.squeeze(x)", "R.Tensor(dtype=\"float32\")" },
  { X ("\"n\", 6"), "R.expand_dims(x, axis=[0, -1])", T ("1, n, 6, 1") },
  { X ("\"n\", 3, 4"), "R.flatten(x)", T ("n * 3 * 4,") },
  { XY ("2, 4", "\"n\", 4"), "R.concat((x, y), axis=0)", T ("2 + n, 4") },
  { X ("4, 6"), "R.split(x, [2, 5], axis=1)", "R.Tuple(" T ("4, 2") ", " T ("4, 3") ", " T ("4, 1") ")" },
  { X ("7,"), "R.split(x, 3)", "R.Tuple(" T ("3,") ", " T ("3,") ", " T ("1,") ")" },
  { X ("2, 3"), "R.repeat(x, 3)", T ("18,") },
  { X ("2, 3"), "R.tile(x, (2, 1, 2))", T ("2, 2, 6") },
  { X ("\"n\", 6"), "R.mean(x, axis=-1, keepdims=True)", T ("n, 1") },
  { "x: R.Tensor(ndim=3, dtype=\"float32\")", "R.sum(x, axis=[0, 2])", "R.Tensor(dtype=\"float32\", ndim=1)" },
  { "x: R.Tensor(dtype=\"float32\")", "R.sum(x)", T ("") },
  { X ("4, 6"), "R.argmax(x, axis=1)", F ("4,", "int64") },
  { X ("4, 6"), "R.cumsum(x, dtype=\"int32\")", F ("24,", "int32") },
  { X ("\"n\", 6"), "R.topk(x, 2)", "R.Tuple(" T ("n, 2") ", " F ("n, 2", "int32") ")" },
  { X ("10, 6"), "R.strided_slice(x, (0,), (-8,), (9,), (2,))", T ("4, 6") },
  { X ("\"n\", 6"), "R.strided_slice(x, (0,), (0,), (3,))", T ("T.min(3, n), 6") },
  { X ("10,"), "R.strided_slice(x, (0,), (9,), (0,), (-3,))", T ("3,") },
  { "x: " T ("\"n\", 6") ", i: " F ("\"m\", 2", "int64"), "R.take(x, i, axis=0)", T ("m, 2, 6") },
  { "x: " T ("3, 4, 5") ", i: " F ("7, 2", "int64"), "R.gather_nd(x, i)", T ("7, 5") },
  { "x: " F ("4, 2", "int32"), "R.one_hot(x, R.prim_value(T.float32(1)), R.prim_value(T.float32(0)), 5)", T ("4, 2, 5") },
  { XY ("1, 3, \"n\", 8", "4, 3, 3, 3"), "R.nn.conv2d(x, y, strides=2, padding=1)", T ("1, 4, (n - 1) // 2 + 1, 4") },
  { XY ("1, 8, 8, 3", "4, 3, 3, 3"), "R.nn.conv2d(x, y, data_layout=\"NHWC\")", T ("1, 6, 6, 4") },
  { XY ("1, 3, 5", "3, 2, 3"), "R.nn.conv1d_transpose(x, y, strides=2)", T ("1, 2, 11") },
  { X ("1, 4, 9, 9"), "R.nn.max_pool2d(x, pool_size=3, strides=2, ceil_mode=True)", T ("1, 4, 4, 4") },
  { X ("1, 4, 8, 8"), "R.nn.adaptive_avg_pool2d(x, output_size=[2, 1])", T ("1, 4, 2, 1") },
  { X ("1, 18, 4, 4"), "R.nn.pixel_shuffle(x, 3)", T ("1, 2, 12, 12") },
  { X ("3, 8"), "R.nn.pad(x, pad_width=[1, 1, 2, 0])", T ("5, 10") },
  { X ("1, 3, 8, 8"), "R.image.resize2d(x, (16, 4))", T ("1, 3, 16, 4") },
  { X ("3,"), "R.arange(R.prim_value(0), R.prim_value(7), R.prim_value(2), dtype=\"float32\")", T ("4,") },
  { X ("4, 6"), "R.layout_transform(x, index_map=T.index_map(lambda a, b: (b // 2, a, b % 2)))", T ("3, 4, 2") },
  { X ("4, 6"), "R.layout_transform(x, index_map=lambda a, b: (b, a))", T ("6, 4") },
  { "x: " T ("4, 6") ", w: " T ("5, 6") ", b: " T ("5,"), "R.linear(x, w, b)", T ("4, 5") },
  { "x: R.Tensor(ndim=2, dtype=\"float32\")", "R.shape_of(x)", "R.Shape(ndim=2)" },
  { "x: " F ("3,", "int64"), "R.tensor_to_shape(x)", "R.Shape(ndim=3)" },
};

static const Row REFUSED[] = {
  { XY ("3, 4", "5, 4"), "R.add(x, y)", "cannot broadcast" },
  { "x: R.Object, y: " T ("3,"), "R.add(x, y)", "takes a tensor or a scalar" },
  { "x: " F ("3,", "int64"), "R.sqrt(x)", "floating-point" },
  { XY ("3, \"n\"", "n + 1, 5"), "R.matmul(x, y)", "which differ" },
  { "x: " T ("1, 3, 8, 8") ", y: " F ("4, 3, 3, 3", "float16"), "R.nn.conv2d(x, y)", "operands of one type" },
  { XY ("1, 3, 8, 8", "4, 2, 3, 3"), "R.nn.conv2d(x, y)", "channels" },
  { X ("3, 8, 8"), "R.nn.max_pool2d(x, pool_size=2)", "4 dimensions (NCHW)" },
  { X ("2, 3, 4"), "R.permute_dims(x, [0, 1])", "2 axes" },
  { X ("4, 6"), "R.reshape(x, (-1, 5))", "cannot make (4, 5) of (4, 6)" },
  { X ("4, 6"), "R.reshape(x, (-1, -1))", "one -1" },
  { X ("3,"), "R.expand_dims(x, [0, 0])", "axis 0 comes twice" },
  { X ("2, 4"), "R.squeeze(x, [0])", "extent 1" },
  { XY ("3, 4", "3,"), "R.concat((x, y))", "number of dimensions" },
  { XY ("3, 4", "3, 5"), "R.concat((x, y), axis=0)", "agree on axis 1" },
  { X ("4, 6"), "R.sum(x, axis=3)", "has no axis 3" },
  { XY ("3, 4", "3,"), "R.gather_elements(x, y)", "int64" },
  { X ("4,"), "R.tril(x)", "two dimensions" },
  { X ("4, 6"), "R.strided_slice(x, axes=[0, 1], begin=[0], end=[1])", "as many beginnings" },
  { X ("4,"), "x(x)", "is no function" },
  { X ("4, 6"), "R.take(x, x)", "whole numbers" },
};

static LsModule *
parse (const Row *row,
       char     **message)
{
  g_autofree char *text = g_strdup_printf ("@R.function\ndef main(%s):\n    n = T.int64()\n    m = T.int64()\n    with R.dataflow():\n        out = %s\n"
                                           "        R.output(out)\n    return out\n", row->params, row->expr);
  g_autoptr (LsSource) source = ls_source_new ("test", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  *message = ls_diagnostics_has_error (findings) ? ls_diagnostics_print (findings) : NULL;
  return module;
}

static void
results_are_exact (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (KNOWN); i++)
    {
      g_autofree char *message = NULL, *text = NULL, *expected = g_strconcat ("out: ", KNOWN[i].result, " = ", NULL);
      g_autoptr (LsModule) module = parse (&KNOWN[i], &message);

      g_assert_cmpstr (message, ==, NULL);
      text = ls_script_print (module, NULL, NULL);
      if (strstr (text, expected) == NULL)
        g_error ("%s\nexpected %s in\n%s", KNOWN[i].expr, expected, text);
    }
}

static void
what_does_not_fit_is_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (REFUSED); i++)
    {
      g_autofree char *message = NULL;
      g_autoptr (LsModule) module = parse (&REFUSED[i], &message);

      if (message == NULL || strstr (message, "script/type") == NULL || strstr (message, REFUSED[i].result) == NULL)
        g_error ("%s: %s", REFUSED[i].expr, message);
    }
}

static void
every_operator_has_a_rule (void)
{
  guint n;
  const char *const *names = ls_relax_op_names (&n);

  g_assert_cmpuint (n, >, 180);
  for (guint i = 1; i < n; i++)
    g_assert_cmpint (strcmp (names[i - 1], names[i]), <, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relax/infer/known", results_are_exact);
  g_test_add_func ("/relax/infer/refused", what_does_not_fit_is_refused);
  g_test_add_func ("/relax/infer/table", every_operator_has_a_rule);
  return g_test_run ();
}
