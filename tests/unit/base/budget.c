/* budget: counts down, stops on cancellation, and stays stopped. */
#include "engine/base/base.h"

static void
test_count (void)
{
  LsBudget budget;

  ls_budget_init (&budget, 3, NULL);
  g_assert_true (ls_budget_take (&budget, 2));
  g_assert_true (ls_budget_take (&budget, 1));
  g_assert_false (ls_budget_take (&budget, 1));
  g_assert_true (budget.exhausted);
  g_assert_false (ls_budget_take (&budget, 0));
}

static void
test_unbounded (void)
{
  LsBudget budget;

  ls_budget_init (&budget, -1, NULL);
  for (guint i = 0; i < 10; i++)
    g_assert_true (ls_budget_take (&budget, G_MAXINT64));
  g_assert_true (ls_budget_take (NULL, 1));
}

static void
test_cancel (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  LsBudget budget;

  ls_budget_init (&budget, -1, cancellable);
  g_assert_true (ls_budget_take (&budget, 1));
  g_cancellable_cancel (cancellable);
  g_assert_false (ls_budget_take (&budget, 1));
  g_cancellable_reset (cancellable);
  g_assert_false (ls_budget_take (&budget, 1));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/budget/count", test_count);
  g_test_add_func ("/base/budget/unbounded", test_unbounded);
  g_test_add_func ("/base/budget/cancel", test_cancel);
  return g_test_run ();
}
