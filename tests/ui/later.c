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

static gpointer part;

/* As a child widget that tells its parent something while it goes. */
static void
asks_while_it_goes (gpointer  data,
                    GObject  *object)
{
  ls_later (part, G_PRIORITY_DEFAULT, 0, count_first);
}

/* Nothing comes for who has gone, also what was asked for while it went. */
static void
test_goes_with_it (void)
{
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL), *child = g_object_new (G_TYPE_OBJECT, NULL);
  gpointer gone = object;

  first = 0;
  part = object;
  g_object_add_weak_pointer (object, &gone);
  g_object_weak_ref (child, asks_while_it_goes, NULL);
  g_object_set_data_full (object, "child", child, g_object_unref);
  ls_later (object, G_PRIORITY_DEFAULT, 20, count_first);
  ls_later (object, G_PRIORITY_DEFAULT, 0, count_second);
  g_object_set_data (object, "child", NULL);
  g_object_unref (object);
  g_assert_null (gone);
  second = 0;
  for (guint i = 0; i < 10; i++)
    {
      g_usleep (5000);
      run_all ();
    }
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (second, ==, 0);
}

/* One that is disposed of while others hold it is not called either. */
static void
test_disposed (void)
{
  g_autoptr (GObject) object = g_object_new (G_TYPE_OBJECT, NULL);

  first = 0;
  ls_later (object, G_PRIORITY_DEFAULT, 0, count_first);
  g_object_run_dispose (object);
  run_all ();
  g_assert_cmpuint (first, ==, 0);
}

static void
test_cancel (void)
{
  g_autoptr (GObject) object = g_object_new (G_TYPE_OBJECT, NULL);

  first = 0;
  second = 3;
  ls_later (object, G_PRIORITY_DEFAULT, 0, count_first);
  ls_later (object, G_PRIORITY_DEFAULT, 0, count_second);
  ls_later_cancel (object, count_first);
  ls_later_cancel (object, count_first);
  run_all ();
  g_assert_cmpuint (first, ==, 0);
  g_assert_cmpuint (second, ==, 4);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/later/once", test_once);
  g_test_add_func ("/later/two-for-one", test_two_for_one);
  g_test_add_func ("/later/goes-with-it", test_goes_with_it);
  g_test_add_func ("/later/disposed", test_disposed);
  g_test_add_func ("/later/cancel", test_cancel);
  return g_test_run ();
}
