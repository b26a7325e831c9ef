/* What a slide shows of a program, without a display. */
#include "app/learn/slide.h"

#include <string.h>

static const char BEFORE[] =
  "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
  "    def main(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\")):\n"
  "        T.func_attr({\"tir.noalias\": T.bool(True)})\n        # with T.block(\"root\"):\n"
  "        for i, j in T.grid(128, 128):\n            with T.block(\"B\"):\n                v_i, v_j = T.axis.remap(\"SS\", [i, j])\n"
  "                T.reads(A[v_i, v_j])\n                T.writes(B[v_i, v_j])\n                B[v_i, v_j] = A[v_i, v_j] * T.float32(2.0)\n";

static void
test_short (void)
{
  g_autofree char *shown = ls_slide_describe (BEFORE, NULL);

  g_assert_cmpstr (shown, ==,
                   "  @T.prim_func\n  def main(\n      A: T.Buffer((128, 128), \"float32\"),\n      B: T.Buffer((128, 128), \"float32\"),\n  ):\n"
                   "      for i, j in T.grid(128, 128):\n          with T.block(\"B\"):\n              v_i, v_j = T.axis.remap(\"SS\", [i, j])\n"
                   "              B[v_i, v_j] = A[v_i, v_j] * T.float32(2.0)\n");
}

/* A signature of several lines is shown as one of a single line is. */
static void
test_signature (void)
{
  static const char *const breaks[] = { ", B: T", ",\n             B: T", NULL };
  g_autofree char *once = ls_slide_describe (BEFORE, NULL);
  g_auto (GStrv) parts = g_strsplit (BEFORE, breaks[0], 2);
  g_autofree char *two = g_strjoinv (breaks[1], parts), *shown = ls_slide_describe (two, NULL);
  g_auto (GStrv) ends = g_strsplit (two, ")):\n", 2);
  g_auto (GStrv) begins = g_strsplit (two, "main(", 2);
  g_autofree char *closed = g_strjoinv ("),\n    ):\n", ends), *three = ls_slide_describe (closed, NULL);
  g_autofree char *opened = g_strjoinv ("main(\n        ", begins), *four = ls_slide_describe (opened, NULL);

  g_assert_cmpstr (shown, ==, once);
  g_assert_cmpstr (three, ==, once);
  g_assert_cmpstr (four, ==, once);
}

/* A loop more: one line goes, two come, and what moved deeper did not change. */
static void
test_changes (void)
{
  g_autofree char *after = g_strdup (BEFORE);
  g_auto (GStrv) parts = g_strsplit (after, "        for i, j in T.grid(128, 128):\n", 2);
  g_autofree char *whole = g_strconcat (parts[0], "        for i in range(128):\n            for j in T.parallel(128):\n", parts[1], NULL);
  g_autofree char *shown = ls_slide_describe (whole, BEFORE);

  g_assert_nonnull (strstr (shown, "-     for i, j in T.grid(128, 128):\n"));
  g_assert_nonnull (strstr (shown, "+     for i in range(128):\n"));
  g_assert_nonnull (strstr (shown, "+         for j in T.parallel(128):\n"));
  g_assert_nonnull (strstr (shown, "  def main(\n"));
}

/* Never more than 15 lines and gaps; all changes are among them; another program is no change. */
static void
test_long (void)
{
  g_autoptr (GString) a = g_string_new ("@T.prim_func\n"), b = g_string_new ("@T.prim_func\n");
  g_autofree char *shown = NULL, *other = NULL;
  g_auto (GStrv) lines = NULL;

  for (int i = 0; i < 60; i++)
    {
      g_string_append_printf (a, "x%d = %d\n", i, i);
      g_string_append_printf (b, "x%d = %d\n", i, i == 30 ? 99 : i);
    }
  shown = ls_slide_describe (b->str, a->str);
  lines = g_strsplit (shown, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), <=, 15 + 3);
  g_assert_nonnull (strstr (shown, "+ x30 = 99\n"));
  g_assert_nonnull (strstr (shown, "- x30 = 30\n"));
  g_assert_nonnull (strstr (shown, "  …\n"));
  other = ls_slide_describe ("def f():\n    return 1\n", a->str);
  g_assert_cmpstr (other, ==, "  def f():\n      return 1\n");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/learn/slide/short", test_short);
  g_test_add_func ("/learn/slide/signature", test_signature);
  g_test_add_func ("/learn/slide/changes", test_changes);
  g_test_add_func ("/learn/slide/long", test_long);
  return g_test_run ();
}
