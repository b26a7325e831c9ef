#include "engine/base/table-order.h"

GPtrArray *
ls_table_sorted_keys (GHashTable   *table,
                      GCompareFunc  compare)
{
  GPtrArray *keys = g_ptr_array_sized_new (g_hash_table_size (table));
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (keys, key);
  g_ptr_array_sort (keys, compare);
  return keys;
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
ls_table_names (GHashTable *table)
{
  return ls_table_sorted_keys (table, by_name);
}
