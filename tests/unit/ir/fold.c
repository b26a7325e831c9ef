/* fold: constants under operators and casts are what the machine would calculate. */
#include "engine/ir/ir.h"

#include <math.h>

static const LsDType INT8 = { LS_TYPE_INT, 8, 1 };
static const LsDType UINT8 = { LS_TYPE_UINT, 8, 1 };
static const LsDType UINT64 = { LS_TYPE_UINT, 64, 1 };
static const LsDType FLOAT16 = { LS_TYPE_FLOAT, 16, 1 };
static const LsDType BFLOAT16 = { LS_TYPE_BFLOAT, 16, 1 };

static void
assert_int (LsExpr *expr,
            LsDType dtype,
            gint64  expected)
{
  g_assert_true (ls_is (expr, INT_IMM));
  g_assert_true (ls_dtype_equal (ls_dtype (expr), dtype));
  g_assert_cmpint (((LsIntImm *) expr)->value, ==, expected);
  ls_unref (expr);
}

static void
assert_float (LsExpr *expr,
              LsDType dtype,
              double  expected)
{
  g_assert_true (ls_is (expr, FLOAT_IMM));
  g_assert_true (ls_dtype_equal (ls_dtype (expr), dtype));
  g_assert_cmpfloat (((LsFloatImm *) expr)->value, ==, expected);
  ls_unref (expr);
}

static void
assert_kind (LsExpr *expr,
             LsKind  kind)
{
  g_assert_cmpint (ls_kind (expr), ==, kind);
  ls_unref (expr);
}

static LsExpr *
number (LsDType dtype,
        double  value)
{
  return ls_float_imm_new (dtype, value);
}

/* Everything but zero is true, also what truncates to zero. */
static void
test_to_bool (void)
{
  assert_int (ls_cast (LS_BOOL, number (LS_FLOAT32, 0.5)), LS_BOOL, 1);
  assert_int (ls_cast (LS_BOOL, number (LS_FLOAT64, -0.25)), LS_BOOL, 1);
  assert_int (ls_cast (LS_BOOL, number (LS_FLOAT32, 1e30)), LS_BOOL, 1);
  assert_int (ls_cast (LS_BOOL, number (LS_FLOAT32, 0)), LS_BOOL, 0);
  assert_int (ls_cast (LS_BOOL, ls_int (2)), LS_BOOL, 1);
}

/* What the type does not hold stays a cast: the machine takes the nearest value, a constant would wrap. */
static void
test_to_int (void)
{
  assert_int (ls_cast (LS_INT32, number (LS_FLOAT32, -2.75)), LS_INT32, -2);
  assert_int (ls_cast (INT8, number (LS_FLOAT32, -128.5)), INT8, -128);
  assert_int (ls_cast (UINT8, number (LS_FLOAT32, -0.5)), UINT8, 0);
  assert_int (ls_cast (UINT64, number (LS_FLOAT64, 9223372036854775808.0)), UINT64, G_MININT64);
  assert_kind (ls_cast (INT8, number (LS_FLOAT32, 128)), LS_KIND_CAST);
  assert_kind (ls_cast (UINT64, number (LS_FLOAT32, -7.125)), LS_KIND_CAST);
  assert_kind (ls_cast (UINT8, number (LS_FLOAT32, 256)), LS_KIND_CAST);
  assert_kind (ls_cast (LS_INT64, number (LS_FLOAT32, 1e30)), LS_KIND_CAST);
  assert_kind (ls_cast (LS_INT32, number (LS_FLOAT32, NAN)), LS_KIND_CAST);
}

static void
test_to_float (void)
{
  assert_float (ls_cast (LS_FLOAT32, ls_int_imm_new (UINT64, -2)), LS_FLOAT32, 18446744073709551614.0);
  assert_float (ls_cast (LS_FLOAT64, ls_int_imm_new (LS_INT64, -2)), LS_FLOAT64, -2);
  assert_float (ls_cast (LS_FLOAT64, number (LS_FLOAT32, 0.1)), LS_FLOAT64, 0.1);
}

/* Remainders are folded for the types of indices only. */
static void
test_unsigned (void)
{
  assert_kind (ls_binary (LS_KIND_MOD, ls_int_imm_new (UINT64, 7), ls_int_imm_new (UINT64, -1)), LS_KIND_MOD);
  assert_int (ls_binary (LS_KIND_DIV, ls_int_imm_new (UINT64, -1), ls_int_imm_new (UINT64, 2)), UINT64, G_MAXINT64);
  assert_int (ls_binary (LS_KIND_MOD, ls_int (7), ls_int (-1)), LS_INT32, 0);
}

/* Half floats are compared as what they hold, and nobody adds them but the machine. */
static void
test_half (void)
{
  assert_int (ls_eq (number (FLOAT16, 0.1), number (FLOAT16, 0.1000001)), LS_BOOL, 1);
  assert_int (ls_lt (number (BFLOAT16, 1), number (BFLOAT16, 1.001)), LS_BOOL, 0);
  assert_kind (ls_add (number (FLOAT16, 1), number (FLOAT16, 0.1)), LS_KIND_ADD);
  assert_kind (ls_mul (number (BFLOAT16, 3), number (BFLOAT16, 0.1)), LS_KIND_MUL);
  assert_float (ls_add (number (LS_FLOAT32, 1), number (LS_FLOAT32, 0.1)), LS_FLOAT32, (double) 1.1f);
  g_assert_cmpfloat (ls_dtype_round (FLOAT16, 1e5), ==, INFINITY);
  g_assert_cmpfloat (ls_dtype_round (LS_FLOAT64, 0.1), ==, 0.1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ir/fold/to-bool", test_to_bool);
  g_test_add_func ("/ir/fold/to-int", test_to_int);
  g_test_add_func ("/ir/fold/to-float", test_to_float);
  g_test_add_func ("/ir/fold/unsigned", test_unsigned);
  g_test_add_func ("/ir/fold/half", test_half);
  return g_test_run ();
}
