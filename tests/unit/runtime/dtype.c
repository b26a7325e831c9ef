/* Element types: names, sizes, and the narrow floats against all their bit patterns. */
#include "engine/runtime/runtime.h"

#include <math.h>
#include <string.h>

static void
test_names (void)
{
  static const char *const good[] = {
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float16", "bfloat16", "float32", "float64", "float32x4", "int8x65535",
  };
  static const char *const bad[] = {
    "", "float", "float8", "int128", "float32x", "float32x0", "float32x65536", "float32x-1",
    "float32 ", "Float32", "handle", "float32x4x4", "\xff\xfe",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *back = NULL;
      LsDLDataType dtype;

      g_assert_true (ls_dl_dtype_parse (good[i], &dtype, &error));
      g_assert_no_error (error);
      back = ls_dl_dtype_print (dtype);
      g_assert_cmpstr (back, ==, good[i]);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      LsDLDataType dtype;

      g_assert_false (ls_dl_dtype_parse (bad[i], &dtype, &error));
      g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_DTYPE);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
}

static void
test_uint1_is_bool (void)
{
  g_assert_true (ls_dl_dtype_equal (LS_DT (UINT, 1), LS_DT_BOOL));
  g_assert_true (ls_dl_dtype_is_supported (LS_DT (UINT, 1)));
  g_assert_cmpuint (ls_dl_dtype_size (LS_DT (UINT, 1)), ==, 1);
  g_assert_false (ls_dl_dtype_is_supported (LS_DT (INT, 4)));
}

/* Every pattern widens exactly and narrows back to itself. */
static void
test_round_trip (void)
{
  for (guint i = 0; i < 65536; i++)
    {
      float h = ls_half_to_float ((guint16) i);
      float b = ls_bfloat_to_float ((guint16) i);

      if (!isnan (h))
        g_assert_cmphex (ls_half_from_float (h), ==, i);
      else
        g_assert_true (isnan (ls_half_to_float (ls_half_from_float (h))));
      if (!isnan (b))
        g_assert_cmphex (ls_bfloat_from_float (b), ==, i);
      else
        g_assert_true (isnan (ls_bfloat_to_float (ls_bfloat_from_float (b))));
    }
}

/* Between neighbours: the nearer one, and on the middle the even one. */
static void
check_between (guint16   low,
               double    a,
               double    b,
               guint16 (*narrow) (double))
{
  double middle = (a + b) / 2;

  g_assert_cmphex (narrow (middle), ==, (low & 1) ? low + 1 : low);
  g_assert_cmphex (narrow (nextafter (middle, a)), ==, low);
  g_assert_cmphex (narrow (nextafter (middle, b)), ==, low + 1);
}

static void
test_rounding (void)
{
  for (guint i = 0; i < 0x7bff; i++)
    check_between ((guint16) i, (double) ls_half_to_float ((guint16) i),
                   (double) ls_half_to_float ((guint16) (i + 1)), ls_half_from_double);
  for (guint i = 0; i < 0x7f7f; i++)
    check_between ((guint16) i, (double) ls_bfloat_to_float ((guint16) i),
                   (double) ls_bfloat_to_float ((guint16) (i + 1)), ls_bfloat_from_double);
}

static void
test_extremes (void)
{
  g_assert_cmphex (ls_half_from_double (65504), ==, 0x7bff);
  g_assert_cmphex (ls_half_from_double (65519.99), ==, 0x7bff);
  g_assert_cmphex (ls_half_from_double (65520), ==, 0x7c00);
  g_assert_cmphex (ls_half_from_double (1e300), ==, 0x7c00);
  g_assert_cmphex (ls_half_from_double (-INFINITY), ==, 0xfc00);
  g_assert_cmphex (ls_half_from_double (-0.0), ==, 0x8000);
  g_assert_cmphex (ls_half_from_double (0x1p-25), ==, 0);
  g_assert_cmphex (ls_half_from_double (0x1.0000000000001p-25), ==, 1);
  g_assert_cmphex (ls_half_from_double (1e-310), ==, 0);
  g_assert_cmphex (ls_bfloat_from_float (3.4028235e38f), ==, 0x7f80);
  g_assert_cmphex (ls_bfloat_from_double (NAN) & 0x7fff, ==, 0x7fc0);
  /* Through float this would round twice, up to the even neighbour. */
  g_assert_cmphex (ls_half_from_double (1 + 0x1p-11 + 0x1p-40), ==, 0x3c01);
  g_assert_cmphex (ls_half_from_double (1 + 0x1p-10 + 0x1p-11 - 0x1p-40), ==, 0x3c01);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/dtype/names", test_names);
  g_test_add_func ("/runtime/dtype/uint1", test_uint1_is_bool);
  g_test_add_func ("/runtime/dtype/round-trip", test_round_trip);
  g_test_add_func ("/runtime/dtype/rounding", test_rounding);
  g_test_add_func ("/runtime/dtype/extremes", test_extremes);
  return g_test_run ();
}
