/* Keys in an order that does not change; and tables that are gone through backwards, in a build with reverse_tables or with the library that
 * does it (base/table-order-reversed). */
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

/* Keys in the order of a walk. (transfer container) */
static GPtrArray *
walked (GHashTable *table,
        const char *order)
{
  GPtrArray *keys = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key, value;

  g_setenv ("LS_TABLE_ORDER", order, TRUE);
  g_hash_table_iter_init (&iter, table);
  g_unsetenv ("LS_TABLE_ORDER");
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      g_assert_true (value == g_hash_table_lookup (table, key));
      g_ptr_array_add (keys, key);
    }
  return keys;
}

static gboolean
is_reversing (void)
{
#ifdef LS_REVERSE_TABLES
  return TRUE;
#else
  const char *preloaded = g_getenv ("LD_PRELOAD");

  return preloaded != NULL && strstr (preloaded, "ls-reversed-tables") != NULL;
#endif
}

/* What GLib says, backwards: for each size, so that tables are full, sparse and empty. */
static void
backwards (void)
{
  for (guint n = 0; n < 200; n++)
    {
      g_autoptr (GHashTable) table = some (n);
      g_autoptr (GPtrArray) forward = walked (table, "forward"), reversed = walked (table, "reversed");

      g_assert_cmpuint (forward->len, ==, n);
      g_assert_cmpuint (reversed->len, ==, n);
      for (guint i = 0; i < n; i++)
        g_assert_true (reversed->pdata[i] == forward->pdata[is_reversing () ? n - 1 - i : i]);
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
  g_assert_true (g_hash_table_iter_get_hash_table (&iter) == table);
}

static gboolean
is_odd (gpointer key,
        gpointer value,
        gpointer user_data)
{
  return GPOINTER_TO_UINT (value) % 2;
}

static void
note (gpointer key,
      gpointer value,
      gpointer user_data)
{
  g_ptr_array_add (user_data, key);
}

static void
functions (void)
{
  g_autoptr (GHashTable) table = some (50);
  g_autoptr (GPtrArray) walk = walked (table, is_reversing () ? "reversed" : "forward"), each = g_ptr_array_new ();
  gpointer found = NULL;

  g_hash_table_foreach (table, note, each);
  g_assert_cmpuint (each->len, ==, walk->len);
  for (guint i = 0; i < walk->len; i++)
    g_assert_true (each->pdata[i] == walk->pdata[i]);
  for (guint i = 0; i < walk->len && found == NULL; i++)
    found = GPOINTER_TO_UINT (g_hash_table_lookup (table, walk->pdata[i])) % 2 ? g_hash_table_lookup (table, walk->pdata[i]) : NULL;
  g_assert_true (g_hash_table_find (table, is_odd, NULL) == found);
  g_assert_cmpuint (g_hash_table_foreach_remove (table, is_odd, NULL), ==, 25);
  g_assert_cmpuint (g_hash_table_size (table), ==, 25);
}

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
  g_test_add_func ("/table-order/backwards", backwards);
  g_test_add_func ("/table-order/removing", removing);
  g_test_add_func ("/table-order/functions", functions);
  return g_test_run ();
}
