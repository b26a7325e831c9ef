/* What is done for an object a moment later, without a display. */
#include "views/parts/later.h"

static guint first, second;

static void
count_first (gpointer object)
{
  first++;
}

static void
count_second (gpointer object)
{
  second++;
  if (second < 3)
    ls_later (object, G_PRIORITY_DEFAULT_IDLE, 0, count_second);
}

static void
run_all (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
test_once (void)
{
  g_autoptr (GObject) object = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GObject) other = g_object_new (G_TYPE_OBJECT, NULL);

  first = second = 0;
  for (guint i = 0; i < 5; i++)
    {
      ls_later (object, G_PRIORITY_HIGH_IDLE, 0, count_first);
      ls_later (other, G_PRIORITY_HIGH_IDLE, 0, count_first);
    }
  g_assert_cmpuint (first, ==, 0);
  run_all ();
  g_assert_cmpuint (first, ==, 2);
  ls_later (object, G_PRIORITY_HIGH_IDLE, 0, count_first);
  run_all ();
  g_assert_cmpuint (first, ==, 3);
}

/* One asks again from inside; the other is not in its way. */
static void
test_two_for_one (void)
{
  g_autoptr (GObject) object = g_object_new (G_TYPE_OBJECT, NULL);

  first = second = 0;
  ls_later (object, G_PRIORITY_DEFAULT_IDLE, 0, count_second);
  ls_later (object, G_PRIORITY_DEFAULT_IDLE, 0, count_first);
  run_all ();
  g_assert_cmpuint (first, ==, 1);
  g_assert_cmpuint (second, ==, 3);
}

static void
test_keeps_it (void)
{
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
  gpointer gone = object;

  first = 0;
  g_object_add_weak_pointer (object, &gone);
  ls_later (object, G_PRIORITY_DEFAULT, 20, count_first);
  g_object_unref (object);
  g_assert_nonnull (gone);
  g_assert_cmpuint (first, ==, 0);
  while (gone != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (first, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/later/once", test_once);
  g_test_add_func ("/later/two-for-one", test_two_for_one);
  g_test_add_func ("/later/keeps-it", test_keeps_it);
  return g_test_run ();
}
