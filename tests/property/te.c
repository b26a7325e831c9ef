/* te: random graphs of operators compute what their definition says.
 *
 * A graph of stages is made at random from topi over tensors of small whole numbers, so that float64 is exact.  The
 * oracle evaluates the body of each stage, element by element, straight from the tensor expressions; what is tested is
 * create_prim_func (and the change of index types) run by the interpreter.
 */
#include "engine/interp/interp.h"
#include "engine/topi/topi.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

/* ---- the oracle ------------------------------------------------------------- */

typedef struct {
  GHashTable *values;           /* LsTeOperation -> GPtrArray of double arrays by output */
} Oracle;

typedef struct {
  Oracle     *oracle;
  GHashTable *vars;             /* LsVar -> double * */
} Scope;

static double *values_of (Oracle *oracle, LsTeTensor *tensor);
static double  eval (Scope *scope, LsExpr *expr);

static gint64
extent_of (LsExpr *extent)
{
  gint64 value;

  g_assert_true (ls_as_int (extent, &value));
  return value;
}

static gsize
size_of (LsArray *shape)
{
  gsize size = 1;

  for (guint i = 0; i < shape->n; i++)
    size *= (gsize) extent_of (ls_array_at (shape, i, LsExpr));
  return size;
}

static double
eval_load (Scope          *scope,
           LsProducerLoad *load)
{
  LsTeTensor *tensor = (LsTeTensor *) load->producer;
  double *values = values_of (scope->oracle, tensor);
  gint64 at = 0;

  for (guint i = 0; i < load->indices->n; i++)
    {
      gint64 index = (gint64) eval (scope, ls_array_at (load->indices, i, LsExpr));
      gint64 extent = extent_of (ls_array_at (tensor->shape, i, LsExpr));

      g_assert_cmpint (index, >=, 0);
      g_assert_cmpint (index, <, extent);
      at = at * extent + index;
    }
  return values[at];
}

static double
eval_binary (Scope    *scope,
             LsBinary *node)
{
  double a = eval (scope, node->a);
  double b;

  if (ls_kind (node) == LS_KIND_AND && a == 0)
    return 0;
  if (ls_kind (node) == LS_KIND_OR && a != 0)
    return 1;
  b = eval (scope, node->b);
  switch ((int) ls_kind (node))
    {
    case LS_KIND_ADD: return a + b;
    case LS_KIND_SUB: return a - b;
    case LS_KIND_MUL: return a * b;
    case LS_KIND_MIN: return MIN (a, b);
    case LS_KIND_MAX: return MAX (a, b);
    case LS_KIND_FLOOR_DIV: return floor (a / b);
    case LS_KIND_FLOOR_MOD: return a - floor (a / b) * b;
    case LS_KIND_DIV: return trunc (a / b);
    case LS_KIND_MOD: return fmod (a, b);
    case LS_KIND_EQ: return a == b;
    case LS_KIND_NE: return a != b;
    case LS_KIND_LT: return a < b;
    case LS_KIND_LE: return a <= b;
    case LS_KIND_GT: return a > b;
    case LS_KIND_GE: return a >= b;
    case LS_KIND_AND:
    case LS_KIND_OR: return b != 0;
    default: g_assert_not_reached ();
    }
}

static double
eval (Scope  *scope,
      LsExpr *expr)
{
  double *value;

  if (ls_kind_is_binary (ls_kind (expr)))
    return eval_binary (scope, (LsBinary *) expr);
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_INT_IMM: return (double) ((LsIntImm *) expr)->value;
    case LS_KIND_FLOAT_IMM: return ((LsFloatImm *) expr)->value;
    case LS_KIND_VAR:
      value = g_hash_table_lookup (scope->vars, expr);
      g_assert_nonnull (value);
      return *value;
    case LS_KIND_CAST: return eval (scope, ((LsCast *) expr)->value);
    case LS_KIND_NOT: return eval (scope, ((LsNot *) expr)->a) == 0;
    case LS_KIND_SELECT:
      return eval (scope, ((LsSelect *) expr)->condition) != 0 ? eval (scope, ((LsSelect *) expr)->true_value) : eval (scope, ((LsSelect *) expr)->false_value);
    case LS_KIND_CALL:
      g_assert_true (ls_is_call (expr, "tir.if_then_else"));
      return eval (scope, ls_array_at (((LsCall *) expr)->args, eval (scope, ls_array_at (((LsCall *) expr)->args, 0, LsExpr)) != 0 ? 1 : 2, LsExpr));
    case LS_KIND_PRODUCER_LOAD: return eval_load (scope, (LsProducerLoad *) expr);
    default: g_assert_not_reached ();
    }
}

/* Runs `body` for all points of the axes from number `i` on. */
typedef void (*PointFunc) (Scope *scope, gpointer data);

static void
for_points (Scope    *scope,
            LsArray  *axes,
            guint     i,
            PointFunc body,
            gpointer  data)
{
  LsIterVar *axis;
  double value;
  gint64 min, extent;

  if (i == axes->n)
    {
      body (scope, data);
      return;
    }
  axis = ls_array_at (axes, i, LsIterVar);
  min = (gint64) eval (scope, axis->dom->min);
  extent = (gint64) eval (scope, axis->dom->extent);
  for (gint64 k = 0; k < extent; k++)
    {
      value = (double) (min + k);
      g_hash_table_insert (scope->vars, axis->var, &value);
      for_points (scope, axes, i + 1, body, data);
    }
  g_hash_table_remove (scope->vars, axis->var);
}

typedef struct {
  LsTeOperation *op;
  double       **out;           /* by output */
  gsize          next;
  double         totals[2];
} Fill;

static void
combine_point (Scope   *scope,
               gpointer data)
{
  Fill *fill = data;
  LsReduce *reduce = (LsReduce *) fill->op->body->items[0];
  double fresh[2], totals[2];
  guint n = fill->op->body->n;

  for (guint i = 0; i < n; i++)
    fresh[i] = eval (scope, ls_array_at (reduce->source, i, LsExpr));
  for (guint i = 0; i < n; i++)
    {
      g_hash_table_insert (scope->vars, reduce->combiner->lhs->items[i], &fill->totals[i]);
      g_hash_table_insert (scope->vars, reduce->combiner->rhs->items[i], &fresh[i]);
    }
  for (guint i = 0; i < n; i++)
    totals[i] = eval (scope, ls_array_at (reduce->combiner->result, i, LsExpr));
  memcpy (fill->totals, totals, n * sizeof (double));
}

static void
fill_point (Scope   *scope,
            gpointer data)
{
  Fill *fill = data;
  guint n = fill->op->body->n;

  if (!ls_is (fill->op->body->items[0], REDUCE))
    {
      for (guint i = 0; i < n; i++)
        fill->out[i][fill->next] = eval (scope, ls_array_at (fill->op->body, i, LsExpr));
    }
  else
    {
      LsReduce *reduce = (LsReduce *) fill->op->body->items[0];

      for (guint i = 0; i < n; i++)
        fill->totals[i] = eval (scope, ls_array_at (reduce->combiner->identity_element, i, LsExpr));
      for_points (scope, reduce->axis, 0, combine_point, fill);
      for (guint i = 0; i < n; i++)
        fill->out[i][fill->next] = fill->totals[i];
    }
  fill->next++;
}

static double *
values_of (Oracle     *oracle,
           LsTeTensor *tensor)
{
  GPtrArray *known = g_hash_table_lookup (oracle->values, tensor->op);

  if (known == NULL)
    {
      g_autoptr (GHashTable) vars = g_hash_table_new (NULL, NULL);
      Scope scope = { oracle, vars };
      Fill fill = { tensor->op, NULL, 0, { 0 } };

      known = g_ptr_array_new_with_free_func (g_free);
      for (guint i = 0; i < ls_te_operation_n_outputs (tensor->op); i++)
        g_ptr_array_add (known, g_new0 (double, size_of (tensor->shape) + 1));
      fill.out = (double **) known->pdata;
      g_hash_table_insert (oracle->values, tensor->op, known);
      for_points (&scope, tensor->op->axis, 0, fill_point, &fill);
    }
  return known->pdata[tensor->value_index];
}

/* ---- random graphs ---------------------------------------------------------- */

static LsArray *
ints (guint         n,
      const gint64 *values)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, ls_int (values[i]));
  return ls_array_take_ptr_array (items);
}

static LsTeTensor *
random_input (guint number)
{
  g_autofree char *name = g_strdup_printf ("x%u", number);
  gint64 shape[4];
  guint n = (guint) g_test_rand_int_range (1, 4);

  for (guint i = 0; i < n; i++)
    shape[i] = g_test_rand_int_range (1, 5);
  return ls_te_placeholder_ints (name, LS_FLOAT64, n, shape);
}

static LsTeTensor *
apply_random (LsTeTensor *x,
              LsTeTensor *other,
              GError    **error)
{
  static const char *const BINARY[] = { "add", "subtract", "multiply", "maximum", "minimum" };
  static const char *const REDUCE[] = { "sum", "max", "min" };
  guint n = x->shape->n;
  gint64 axis = n > 0 ? g_test_rand_int_range (0, (gint32) n) : 0;
  g_autoptr (LsArray) one = ints (1, &axis);
  g_autoptr (LsArray) list = NULL;
  g_autoptr (LsTeTensor) step = NULL;
  g_autoptr (LsExpr) constant = ls_const_float (LS_FLOAT64, g_test_rand_int_range (-3, 4));
  gint64 values[4] = { 0 };

  if (n == 0)
    return ls_topi_binary ("add", x, constant, error);
  for (guint i = 0; i < n && i < 4; i++)
    values[i] = g_test_rand_int_range (0, 3);
  switch (g_test_rand_int_range (0, 15))
    {
    case 0: return ls_topi_binary (BINARY[g_test_rand_int_range (0, 5)], x, constant, error);
    case 1: return ls_topi_reduce (REDUCE[g_test_rand_int_range (0, 3)], x, one, g_test_rand_bit (), error);
    case 2: return ls_topi_transpose (x, NULL, error);
    case 3:
      values[0] = (gint64) size_of (x->shape);
      list = ints (1, values);
      return ls_topi_reshape (x, list, error);
    case 4: return ls_topi_flip (x, axis, error);
    case 5: return ls_topi_repeat (x, 2, axis, error);
    case 6: return n < 4 ? ls_topi_expand_dims (x, axis, 1, error) : ls_topi_squeeze (x, NULL, error);
    case 7:
      list = ls_array_of (ls_ref (x), ls_ref (x), NULL);
      return ls_topi_concatenate (list, axis, error);
    case 8:
      list = ints (n, values);
      return ls_topi_nn_pad (x, list, NULL, constant, NULL, error);
    case 9: return ls_topi_nn_relu (x, error);
    case 10:
      list = ints (1, (gint64[]) { 2 });
      return ls_topi_tile (x, list, error);
    case 11: return ls_topi_squeeze (x, NULL, error);
    case 12:
      step = ls_topi_arg_reduce (g_test_rand_bit () ? "argmax" : "argmin", x, one, FALSE, g_test_rand_bit (), error);
      return ls_topi_cast (step, LS_FLOAT64, error);
    case 13:
      list = ints (n, values);
      return n >= 2 ? ls_topi_trilu (x, ls_array_at (list, 0, LsExpr), g_test_rand_bit (), error) : ls_topi_nn_relu (x, error);
    default:
      step = ls_topi_binary (BINARY[g_test_rand_int_range (0, 5)], x, other, NULL);
      return step != NULL ? g_steal_pointer (&step) : ls_topi_unary ("negative", x, error);
    }
}

/* ---- the comparison ---------------------------------------------------------- */

static void
fill_input (Oracle     *oracle,
            LsTeTensor *x)
{
  gsize size = size_of (x->shape);
  double *values = g_new (double, size + 1);
  GPtrArray *known = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; i < size; i++)
    values[i] = g_test_rand_int_range (-3, 4);
  g_ptr_array_add (known, values);
  g_hash_table_insert (oracle->values, x->op, known);
}

static void
compare (Oracle     *oracle,
         LsTeTensor *a,
         LsTeTensor *b,
         LsTeTensor *out,
         LsDType    *index_dtype)
{
  g_autoptr (LsArray) args = ls_array_of (ls_ref (a), ls_ref (b), ls_ref (out), NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPrimFunc) func = ls_te_create_prim_func (args, index_dtype, &error);
  g_autofree double *result = g_new0 (double, size_of (out->shape) + 1);
  double *expected = values_of (oracle, out);
  gint64 shapes[3][32];
  LsInterpArg values[3] = { 0 };

  g_assert_no_error (error);
  g_assert_true (ls_verify_prim_func (func, NULL));
  for (guint i = 0; i < 3; i++)
    {
      LsTeTensor *t = ls_array_at (args, i, LsTeTensor);

      g_assert_cmpuint (t->shape->n, <, 32);
      for (guint d = 0; d < t->shape->n; d++)
        shapes[i][d] = extent_of (ls_array_at (t->shape, d, LsExpr));
      values[i] = (LsInterpArg) { .dtype = LS_FLOAT64, .is_array = TRUE, .data = i < 2 ? values_of (oracle, t) : result, .ndim = t->shape->n, .shape = shapes[i] };
    }
  ls_interp_run (func, values, 3, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < size_of (out->shape); i++)
    g_assert_cmpfloat (result[i], ==, expected[i]);
}

static void
one_graph (void)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Oracle oracle = { values };
  g_autoptr (LsTeTensor) a = random_input (0);
  g_autoptr (LsTeTensor) b = random_input (1);
  g_autoptr (LsTeTensor) out = ls_ref (a);
  g_autoptr (GError) error = NULL;
  guint n = (guint) g_test_rand_int_range (1, 6);
  LsDType index_dtype = LS_INT64;

  for (guint i = 0; i < n; i++)
    {
      ls_take (&out, apply_random (out, b, &error));
      g_assert_no_error (error);
      if (size_of (out->shape) > 2000)
        break;
    }
  fill_input (&oracle, a);
  fill_input (&oracle, b);
  compare (&oracle, a, b, out, g_test_rand_bit () ? &index_dtype : NULL);
}

static void
test_graphs (void)
{
  for (guint i = ls_test_count (200, 5000); i > 0; i--)
    one_graph ();
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/property/te/graphs", test_graphs);
  return g_test_run ();
}
