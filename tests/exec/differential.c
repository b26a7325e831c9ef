/* differential: random programs do the same in machine code and in the interpreter, bit for bit.
 *
 * A program has input buffers of random types, one output buffer, two loops of random kinds and statements with random
 * expressions over all types, scalar or vector.  Fused multiply-add is off, functions that libm rounds as it
 * likes are left out; everything else must agree exactly: data wraps and floats are those of IEEE 754, with NaN and infinities, for
 * the simplifier, the passes and the code generator alike (engine/ir/meaning.h).
 *
 * LS_TEST_SEED=N runs program N only, LS_TEST_SEED=N+K the K programs from N; with LS_TEST_SHOW=1 a program that differs
 * is printed, a lowered one before and after the pass that changes what it does.
 */
#include "engine/codegen/codegen.h"
#include "engine/script/printer.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  GRand    *rand;
  LsBuffer *inputs[3];
  LsBuffer *temporary;
  LsVar    *i, *j;
  guint     lanes;              /* of what is generated now */
  gboolean  in_vector;
  guint     tame;               /* 1: no division of floats: by a number it becomes a product, as in TVM */
} Gen;

static LsJit *jit;
static LsTarget *targets[2];            /* not optimised, and as far as it goes */

#define N_ROWS 6
#define N_COLUMNS 16
#define UNROLLED 4              /* copies of a statement */

static const LsDType TYPES[] = {
  { LS_TYPE_INT, 8, 1 }, { LS_TYPE_INT, 16, 1 }, { LS_TYPE_INT, 32, 1 }, { LS_TYPE_INT, 64, 1 }, { LS_TYPE_UINT, 8, 1 }, { LS_TYPE_UINT, 16, 1 },
  { LS_TYPE_UINT, 32, 1 }, { LS_TYPE_UINT, 64, 1 }, { LS_TYPE_UINT, 1, 1 }, { LS_TYPE_FLOAT, 16, 1 }, { LS_TYPE_BFLOAT, 16, 1 },
  { LS_TYPE_FLOAT, 32, 1 }, { LS_TYPE_FLOAT, 64, 1 }, { LS_TYPE_FLOAT, 32, 1 }, { LS_TYPE_INT, 32, 1 },
};

static guint
pick (Gen  *g,
      guint n)
{
  return (guint) g_rand_int_range (g->rand, 0, (gint32) n);
}

static LsDType
any_type (Gen *g)
{
  return TYPES[pick (g, G_N_ELEMENTS (TYPES))];
}

static LsExpr *value (Gen *g, LsDType t, guint depth);

/* ---- leaves ------------------------------------------------------------------- */

static LsExpr *
widen (Gen    *g,
       LsExpr *scalar)
{
  return g->lanes > 1 ? ls_broadcast_new (scalar, ls_int (g->lanes)) : scalar;
}

static LsExpr *
constant (Gen    *g,
          LsDType t)
{
  static const gint64 INTS[] = { 0, 1, 2, 3, 7, 100, -1, -2, -5, 255, 65537, G_MAXINT32, G_MININT32 };
  static const double FLOATS[] = { 0, 1, -1, 2, 3.25, -7.125, 0.5, 1e-3, 1e4, 70000.0, 1e30, INFINITY, -INFINITY, NAN, -0.0 };

  if (ls_dtype_is_float (t))
    return widen (g, ls_float_imm_new (t, FLOATS[pick (g, G_N_ELEMENTS (FLOATS))]));
  return widen (g, ls_int_imm_new (t, INTS[pick (g, G_N_ELEMENTS (INTS))]));
}

/* Something int32 between 0 and extent - 1. */
static LsExpr *
index_expr (Gen   *g,
            gint64 extent,
            guint  depth)
{
  LsDType t = ls_dtype_with_lanes (LS_INT32, g->lanes);
  LsExpr *any = value (g, LS_INT32, depth);

  return ls_binary_new (LS_KIND_FLOOR_MOD, any, ls_const_int (t, extent));
}

static LsExpr *
load (Gen     *g,
      LsDType *t,
      guint    depth)
{
  LsBuffer *buffer = g->inputs[pick (g, G_N_ELEMENTS (g->inputs))];
  guint lanes = g->lanes;
  LsExpr *row, *column;

  g->lanes = 1;
  row = pick (g, 2) ? ls_ref (LS_EXPR (g->i)) : index_expr (g, N_ROWS, depth);
  g->lanes = lanes;
  if (lanes == 1)
    column = pick (g, 2) && !g->in_vector ? ls_ref (LS_EXPR (g->j)) : index_expr (g, N_COLUMNS, depth);
  else
    switch (pick (g, 4))
      {
      case 0: column = ls_ramp_new (ls_int (N_COLUMNS - lanes), ls_int (1), ls_int (lanes)); break;
      case 1: column = ls_ramp_new (ls_int (N_COLUMNS - 1), ls_int (-1), ls_int (lanes)); break;
      case 2: column = ls_ramp_new (ls_int (1), ls_int ((N_COLUMNS - 2) / (gint64) (lanes - 1)), ls_int (lanes)); break;
      default: column = index_expr (g, N_COLUMNS, depth); break;
      }
  *t = buffer->dtype;
  return ls_test_load (buffer, LS_TEST_IDX (row, column));
}

/* ---- operators ------------------------------------------------------------------ */

static LsDType
wide (Gen    *g,
      LsDType t)
{
  return ls_dtype_with_lanes (t, g->lanes);
}

static LsExpr *
call (Gen        *g,
      const char *name,
      LsDType     t,
      LsExpr     *a,
      LsExpr     *b)
{
  return ls_call_op (name, wide (g, t), b != NULL ? ls_array_of (a, b, NULL) : ls_array_of (a, NULL));
}

static LsExpr *
condition (Gen  *g,
           guint depth)
{
  LsDType t = any_type (g);
  LsExpr *a = value (g, t, depth);

  return ls_binary_new ((LsKind) (LS_KIND_EQ + pick (g, 6)), a, value (g, t, depth));
}

static LsExpr *
int_value (Gen    *g,
           LsDType t,
           guint   depth)
{
  static const LsKind PLAIN[] = { LS_KIND_ADD, LS_KIND_SUB, LS_KIND_MUL, LS_KIND_MIN, LS_KIND_MAX };
  static const LsKind DIVISIONS[] = { LS_KIND_DIV, LS_KIND_MOD, LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD };
  static const char *const BITS[] = { "tir.bitwise_and", "tir.bitwise_or", "tir.bitwise_xor", "tir.shift_left", "tir.shift_right" };
  LsExpr *a = value (g, t, depth);
  LsExpr *b;

  switch (pick (g, 6))
    {
    case 0:
    case 1:
      b = value (g, t, depth);
      return ls_binary_new (PLAIN[pick (g, G_N_ELEMENTS (PLAIN))], a, b);
    case 2:
      b = call (g, "tir.bitwise_or", t, value (g, t, depth), ls_const_int (wide (g, t), 1));
      return ls_binary_new (DIVISIONS[pick (g, 4)], a, b);
    case 3:
      b = pick (g, 2) ? ls_const_int (wide (g, t), 1 + pick (g, 17)) : ls_const_int (wide (g, t), 1 << pick (g, 5));
      return ls_binary_new (DIVISIONS[pick (g, 4)], a, b);
    case 4:
      b = value (g, t, depth);
      return call (g, BITS[pick (g, G_N_ELEMENTS (BITS))], t, a, b);
    default:
      return call (g, pick (g, 3) == 0 ? "tir.popcount" : pick (g, 2) ? "tir.bitwise_not" : "tir.clz", t, a, NULL);
    }
}

static LsExpr *
float_value (Gen    *g,
             LsDType t,
             guint   depth)
{
  static const LsKind KINDS[] = { LS_KIND_ADD, LS_KIND_SUB, LS_KIND_MUL, LS_KIND_MIN, LS_KIND_MAX, LS_KIND_ADD, LS_KIND_MUL,
                                  LS_KIND_DIV, LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD };
  static const char *const UNARY[] = { "tir.floor", "tir.ceil", "tir.trunc", "tir.round", "tir.fabs", "tir.nearbyint", "tir.sqrt" };
  LsExpr *a = value (g, t, depth);

  if (pick (g, 4) == 0)
    return call (g, UNARY[pick (g, G_N_ELEMENTS (UNARY))], t, a, NULL);
  return ls_binary_new (KINDS[pick (g, g->tame ? 7 : G_N_ELEMENTS (KINDS))], a, value (g, t, depth));
}

static LsExpr *
let_value (Gen    *g,
           LsDType t,
           guint   depth)
{
  LsDType inner = any_type (g);
  LsExpr *bound = value (g, inner, depth);
  LsVar *var = ls_var_new ("let", ls_dtype (bound));
  LsExpr *use = ls_cast_new (wide (g, t), ls_ref (LS_EXPR (var)));

  return ls_let_new (var, bound, ls_dtype_is_bool (t) ? ls_binary_new (LS_KIND_OR, use, condition (g, depth)) : ls_binary_new (LS_KIND_MIN, use, value (g, t, depth)));
}

static LsExpr *
value (Gen    *g,
       LsDType t,
       guint   depth)
{
  LsDType found;
  LsExpr *e, *a;

  if (depth == 0)
    switch (pick (g, 4))
      {
      case 0: return constant (g, t);
      case 1: e = widen (g, ls_ref (LS_EXPR (pick (g, 2) && !g->in_vector ? g->j : g->i))); break;
      default: e = load (g, &found, 0); break;
      }
  else
    switch (pick (g, 10))
      {
      case 0: e = load (g, &found, depth - 1); break;
      case 1: e = value (g, any_type (g), depth - 1); break;
      case 2:
        e = condition (g, depth - 1);
        a = value (g, t, depth - 1);
        return ls_select_new (e, a, value (g, t, depth - 1));
      case 3:
        e = condition (g, depth - 1);
        a = value (g, t, depth - 1);
        return ls_call_op ("tir.if_then_else", wide (g, t), ls_array_of (e, a, value (g, t, depth - 1), NULL));
      case 4:
        return let_value (g, t, depth - 1);
      default:
        if (ls_dtype_is_bool (t))
          {
            LsKind kind = pick (g, 2) ? LS_KIND_AND : LS_KIND_OR;

            e = condition (g, depth - 1);
            return pick (g, 4) == 0 ? ls_not_new (e) : ls_binary_new (kind, e, condition (g, depth - 1));
          }
        return ls_dtype_is_float (t) ? float_value (g, t, depth - 1) : int_value (g, t, depth - 1);
      }
  if (ls_dtype_equal (ls_dtype (e), wide (g, t)))
    return e;
  return ls_cast_new (wide (g, t), e);
}

/* ---- programs -------------------------------------------------------------------- */

static LsStmt *
scalar_store (Gen      *g,
              LsBuffer *buffer)
{
  LsStmt *store;

  g->lanes = 1;
  g->in_vector = FALSE;
  store = ls_test_store (buffer, value (g, buffer->dtype, 1 + pick (g, 4)), LS_TEST_IDX (ls_ref (g->i), ls_ref (g->j)));
  if (pick (g, 4) != 0)
    return store;
  return ls_if_then_else_new (condition (g, 1), store, pick (g, 2) ? ls_test_store (buffer, value (g, buffer->dtype, 1), LS_TEST_IDX (ls_ref (g->i), ls_ref (g->j))) : NULL);
}

static LsStmt *
vector_store (Gen      *g,
              LsBuffer *buffer)
{
  static const guint LANES[] = { 2, 4, 8, 16 };
  guint lanes = g->lanes = LANES[pick (g, 4)];
  LsExpr *column = ls_ramp_new (ls_int (pick (g, N_COLUMNS - lanes + 1)), ls_int (1), ls_int (lanes));
  LsExpr *v;

  g->in_vector = TRUE;
  v = value (g, buffer->dtype, 1 + pick (g, 3));
  if (pick (g, 4) == 0)
    return ls_buffer_store_new (ls_ref (buffer), v, LS_TEST_IDX (ls_ref (g->i), column), condition (g, 1));
  return ls_test_store (buffer, v, LS_TEST_IDX (ls_ref (g->i), column));
}

static LsForKind
loop_kind (Gen *g)
{
  static const LsForKind KINDS[] = { LS_FOR_SERIAL, LS_FOR_SERIAL, LS_FOR_UNROLLED, LS_FOR_VECTORIZED };

  return KINDS[pick (g, 4)];
}

/* A loop over all columns.  What is unrolled are four rounds at a time: sixteen copies of a large expression test no more than four, and most
 * of the time of this program was LLVM's for them. Takes the statement. */
static LsStmt *
columns (Gen      *g,
         LsForKind kind,
         LsStmt   *body)
{
  g_autoptr (LsVar) outer = NULL, inner = NULL;
  g_autoptr (LsExpr) column = NULL;
  LsStmt *moved;

  if (kind != LS_FOR_UNROLLED)
    return ls_test_for (g->j, N_COLUMNS, kind, body);
  outer = ls_test_var ("jo");
  inner = ls_test_var ("ji");
  column = ls_add (ls_mul (ls_ref (LS_EXPR (outer)), ls_int (UNROLLED)), ls_ref (LS_EXPR (inner)));
  moved = (LsStmt *) ls_substitute_one (body, g->j, column);
  ls_unref (body);
  return ls_test_for (outer, N_COLUMNS / UNROLLED, LS_FOR_SERIAL, ls_test_for (inner, UNROLLED, kind, moved));
}

static LsModule *
program (GRand   *rand,
         gboolean tame)
{
  Gen g = { rand, { NULL }, NULL, ls_test_var ("i"), ls_test_var ("j"), 1, FALSE, tame };
  static const char *const names[] = { "A", "B", "C" };
  LsBuffer *out = ls_test_buffer ("O", any_type (&g), 2, N_ROWS, N_COLUMNS);
  LsStmt *scalars, *vectors, *body;
  LsModule *module;

  for (guint i = 0; i < 3; i++)
    g.inputs[i] = ls_test_buffer (names[i], any_type (&g), 2, N_ROWS, N_COLUMNS);
  scalars = scalar_store (&g, out);
  scalars = columns (&g, loop_kind (&g), scalars);
  vectors = vector_store (&g, out);
  body = ls_test_for (g.i, N_ROWS, pick (&g, 3) == 0 ? LS_FOR_PARALLEL : LS_FOR_SERIAL, ls_seq (ls_array_of (scalars, vectors, NULL)));
  module = ls_test_module ("main", ls_test_func (body, g.inputs[0], g.inputs[1], g.inputs[2], out, NULL));
  for (guint i = 0; i < 3; i++)
    ls_unref (g.inputs[i]);
  ls_unref (out);
  ls_unref (g.i);
  ls_unref (g.j);
  return module;
}

/* ---- comparing --------------------------------------------------------------------- */

static gboolean
run_compiled (LsModule       *module,
              const LsTarget *target,
              GPtrArray      *arrays,
              GError        **error)
{
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .no_contract = TRUE, .prefix = prefix };
  g_autoptr (LsObject) object = ls_codegen_compile (module, NULL, target, &options, error);
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, error) : NULL;
  LsArg args[4] = { { 0 } };

  for (guint i = 0; i < 4; i++)
    {
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = arrays->pdata[i];
    }
  return kernel != NULL && ls_kernel_call (kernel, "main", args, 4, NULL, error);
}

typedef struct {
  GPtrArray *expected;
  guint32    seed;
  gboolean   found;
} Culprit;

/* Names the first pass after which the interpreter says something else. */
static void
find_culprit (const LsPass *pass,
              LsPrimFunc   *before,
              LsPrimFunc   *after,
              gint64        ns,
              gpointer      data)
{
  Culprit *self = data;
  g_autoptr (GPtrArray) actual = ls_test_arrays (after, self->seed);
  g_autoptr (GError) error = NULL;

  if (self->found)
    return;
  if (ls_test_interpret (NULL, after, actual, &error)
      && ls_tensor_allclose (&((LsNDArray *) actual->pdata[3])->tensor, &((LsNDArray *) self->expected->pdata[3])->tensor, 0, 0, NULL, NULL))
    return;
  self->found = TRUE;
  g_autofree char *before_text = ls_script_print (before, NULL, NULL);
  g_autofree char *after_text = ls_script_print (after, NULL, NULL);
  g_test_message ("the first pass that changes the result is %s%s%s", pass->name, error != NULL ? ": " : "", error != NULL ? error->message : "");
  if (g_getenv ("LS_TEST_SHOW") != NULL)
    g_test_message ("%s\n%s", before_text, after_text);
}

/* Does machine code of a level of optimisation do the same? */
static gboolean
check_level (guint32    seed,
             gboolean   lowered,
             guint      level,
             LsModule  *module,
             LsModule  *low,
             GPtrArray *expected)
{
  LsPrimFunc *func = ls_array_at (module->functions, 0, LsPrimFunc);
  g_autoptr (GPtrArray) actual = ls_test_arrays (func, seed);
  g_autoptr (GError) error = NULL;
  LsMismatch mismatch;

  if (!run_compiled (low, targets[level], actual, &error))
    {
      g_test_message ("program %u, level %d: %s", seed, targets[level]->opt_level, error->message);
      return FALSE;
    }
  if (ls_tensor_allclose (&((LsNDArray *) actual->pdata[3])->tensor, &((LsNDArray *) expected->pdata[3])->tensor, 0, 0, &mismatch, NULL))
    return TRUE;
  g_autofree char *text = ls_mismatch_describe (&mismatch, &((LsNDArray *) actual->pdata[3])->tensor);
  g_autofree char *shown = g_getenv ("LS_TEST_SHOW") != NULL && !lowered ? ls_script_print (module, NULL, NULL) : g_strdup ("");
  if (lowered)
    {
      Culprit culprit = { expected, seed, FALSE };
      g_autoptr (LsPrimFunc) again = ls_lower (func, find_culprit, &culprit, NULL);
    }
  g_test_message ("program %u%s, level %d: %s\n%s", seed, lowered ? " lowered" : "", targets[level]->opt_level, text, shown);
  return FALSE;
}

static gboolean
check (guint32  seed,
       gboolean lowered)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (LsModule) module = program (rand, lowered);
  LsPrimFunc *func = ls_array_at (module->functions, 0, LsPrimFunc);
  g_autoptr (GPtrArray) expected = ls_test_arrays (func, seed);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) low = lowered ? ls_lower_module (module, NULL, NULL, &error) : ls_ref (module);

  if (low == NULL || !ls_test_interpret (module, func, expected, &error))
    {
      g_test_message ("program %u: %s", seed, error->message);
      return FALSE;
    }
  /* where there is little time, one of them in turn */
  for (guint level = 0; level < G_N_ELEMENTS (targets); level++)
    if ((ls_test_count (0, 1) == 1 || seed % 2 == level) && !check_level (seed, lowered, level, module, low, expected))
      return FALSE;
  return TRUE;
}

static void
test_random (gconstpointer lowered)
{
  const char *given = g_getenv ("LS_TEST_SEED");
  const char *count = given != NULL ? strchr (given, '+') : NULL;
  guint n = count != NULL ? (guint) atoi (count) : given != NULL ? 1 : ls_test_count (80, 4000);
  guint first = given != NULL ? (guint) g_ascii_strtoull (given, NULL, 10) : 1000;
  guint wrong = 0;

  for (guint i = 0; i < n && wrong < 20; i++)
    wrong += check (first + i, lowered != NULL) ? 0 : 1;
  g_assert_cmpuint (wrong, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  jit = ls_jit_new (NULL);
  targets[0] = ls_target_parse ("llvm -opt-level=0", NULL);
  targets[1] = ls_target_parse ("llvm -opt-level=3", NULL);
  g_test_add_data_func ("/exec/differential/direct", NULL, test_random);
  g_test_add_data_func ("/exec/differential/lowered", "", test_random);
  status = g_test_run ();
  ls_jit_free (jit);
  ls_target_free (targets[0]);
  ls_target_free (targets[1]);
  ls_pool_shutdown ();
  return status;
}
