/* cell: pieces keep apart, are used again, and may be dropped by another thread. */
#include "engine/base/base.h"

#include <string.h>

static void
test_apart (void)
{
  guint8 *pieces[300];

  for (guint size = 1; size < G_N_ELEMENTS (pieces); size++)
    {
      pieces[size] = ls_cell_alloc (size);
      memset (pieces[size], (int) (size & 0xff), size);
    }
  for (guint size = 1; size < G_N_ELEMENTS (pieces); size++)
    {
      for (guint i = 0; i < size; i++)
        g_assert_cmpuint (pieces[size][i], ==, size & 0xff);
      ls_cell_free (pieces[size], size);
    }
  ls_cell_free (NULL, 16);
}

static void
test_many (void)
{
  GPtrArray *pieces = g_ptr_array_new ();

  for (guint round = 0; round < 3; round++)
    {
      for (guint i = 0; i < 5000; i++)
        g_ptr_array_add (pieces, memset (ls_cell_alloc (64), 0xa5, 64));
      while (pieces->len > 0)
        ls_cell_free (g_ptr_array_steal_index (pieces, pieces->len - 1), 64);
    }
  g_ptr_array_unref (pieces);
}

static gpointer
drop_all (gpointer data)
{
  GPtrArray *pieces = data;

  for (guint i = 0; i < pieces->len; i++)
    ls_cell_free (pieces->pdata[i], 48);
  return NULL;
}

static void
test_other_thread (void)
{
  g_autoptr (GPtrArray) pieces = g_ptr_array_new ();

  for (guint i = 0; i < 1000; i++)
    g_ptr_array_add (pieces, memset (ls_cell_alloc (48), 0x5a, 48));
  g_thread_join (g_thread_new ("drop", drop_all, pieces));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/cell/apart", test_apart);
  g_test_add_func ("/base/cell/many", test_many);
  g_test_add_func ("/base/cell/other-thread", test_other_thread);
  return g_test_run ();
}
