/* Keys in an order that does not change; and, in a build with reverse_tables, tables that are gone through backwards. */
#include "engine/base/table-order.h"

#include <string.h>

static GHashTable *
some (guint n)
{
  GHashTable *table = g_hash_table_new (NULL, NULL);

  for (guint i = 1; i <= n; i++)
    g_hash_table_insert (table, GUINT_TO_POINTER (i * 977), GUINT_TO_POINTER (i));
  return table;
}

static void
names (void)
{
  static const char *const given[] = { "delta", "alpha", "charlie", "bravo", "a", "" };
  g_autoptr (GHashTable) table = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) sorted = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    g_hash_table_add (table, (gpointer) given[i]);
  sorted = ls_table_names (table);
  g_assert_cmpuint (sorted->len, ==, G_N_ELEMENTS (given));
  for (guint i = 1; i < sorted->len; i++)
    g_assert_cmpstr (sorted->pdata[i - 1], <, sorted->pdata[i]);
}

#ifdef LS_REVERSE_TABLES

/* What GLib says, backwards: for each size, so that tables are full, sparse and empty. */
static void
backwards (void)
{
  for (guint n = 0; n < 200; n++)
    {
      g_autoptr (GHashTable) table = some (n);
      g_autoptr (GPtrArray) forward = g_ptr_array_new ();
      LsPlainIter plain;
      GHashTableIter iter;
      gpointer key, value;
      guint k = n;

      (g_hash_table_iter_init) (&plain, table);
      while ((g_hash_table_iter_next) (&plain, &key, NULL))
        g_ptr_array_add (forward, key);
      g_hash_table_iter_init (&iter, table);
      while (g_hash_table_iter_next (&iter, &key, &value))
        {
          g_assert_cmpuint (k, >, 0);
          g_assert_true (key == forward->pdata[--k]);
          g_assert_true (value == g_hash_table_lookup (table, key));
        }
      g_assert_cmpuint (k, ==, 0);
    }
}

static void
removing (void)
{
  g_autoptr (GHashTable) table = some (100);
  GHashTableIter iter;
  gpointer value;
  guint n = 0;

  g_hash_table_iter_init (&iter, table);
  for (; g_hash_table_iter_next (&iter, NULL, &value); n++)
    if (GPOINTER_TO_UINT (value) % 3 == 0)
      g_hash_table_iter_remove (&iter);
  g_assert_cmpuint (n, ==, 100);
  g_assert_cmpuint (g_hash_table_size (table), ==, 67);
}

#endif

static void
whole (void)
{
  g_autoptr (GHashTable) table = some (100);
  g_autoptr (GList) keys = g_hash_table_get_keys (table), values = g_hash_table_get_values (table);
  guint n;
  g_autofree gpointer *array = g_hash_table_get_keys_as_array (table, &n);
  GHashTableIter iter;
  gpointer key;
  guint i = 0;

  g_hash_table_iter_init (&iter, table);
  for (; g_hash_table_iter_next (&iter, &key, NULL); i++)
    g_assert_true (key == array[i]);
  g_assert_cmpuint (i, ==, n);
  g_assert_cmpuint (g_list_length (keys), ==, n);
  for (GList *k = keys, *v = values; k != NULL; k = k->next, v = v->next)
    g_assert_true (v->data == g_hash_table_lookup (table, k->data));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/table-order/names", names);
  g_test_add_func ("/table-order/whole", whole);
#ifdef LS_REVERSE_TABLES
  g_test_add_func ("/table-order/backwards", backwards);
  g_test_add_func ("/table-order/removing", removing);
#endif
  return g_test_run ();
}
