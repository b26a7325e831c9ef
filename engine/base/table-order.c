#include "engine/base/table-order.h"

#include <string.h>

/* ---- sorted --------------------------------------------------------------------------- */

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

/* ---- reversed --------------------------------------------------------------------------- */

#ifdef LS_REVERSE_TABLES

gboolean
ls_table_is_reversed (void)
{
  static guint walks;
  const char *order = g_getenv ("LS_TABLE_ORDER");

  if (order != NULL && strcmp (order, "forward") == 0)
    return FALSE;
  return order == NULL || strcmp (order, "both") != 0 || (g_atomic_int_add (&walks, 1) & 1) != 0;
}

void
ls_table_iter_init (LsTableIter *iter,
                    GHashTable  *table)
{
  (g_hash_table_iter_init) (&iter->real, table);
  iter->reversed = ls_table_is_reversed ();
  iter->at = -1;
  if (!iter->reversed)
    return;
  for (LsPlainIter walk = iter->real; (g_hash_table_iter_next) (&walk, NULL, NULL); )
    iter->at = walk.dummy4;
}

gboolean
ls_table_iter_next (LsTableIter *iter,
                    gpointer    *key,
                    gpointer    *value)
{
  gboolean found;

  if (!iter->reversed)
    return (g_hash_table_iter_next) (&iter->real, key, value);
  if (iter->at < 0)
    return FALSE;
  iter->real.dummy4 = iter->at - 1;
  found = (g_hash_table_iter_next) (&iter->real, key, value);
  g_assert (found && iter->real.dummy4 == iter->at);
  while (--iter->at >= 0)
    {
      LsPlainIter probe = iter->real;

      probe.dummy4 = iter->at - 1;
      if ((g_hash_table_iter_next) (&probe, NULL, NULL) && probe.dummy4 == iter->at)
        break;
    }
  return TRUE;
}

void
ls_table_foreach (GHashTable *table,
                  GHFunc      func,
                  gpointer    user_data)
{
  LsTableIter iter;
  gpointer key, value;

  ls_table_iter_init (&iter, table);
  while (ls_table_iter_next (&iter, &key, &value))
    func (key, value, user_data);
}

gpointer
ls_table_find (GHashTable *table,
               GHRFunc     predicate,
               gpointer    user_data)
{
  LsTableIter iter;
  gpointer key, value;

  ls_table_iter_init (&iter, table);
  while (ls_table_iter_next (&iter, &key, &value))
    if (predicate (key, value, user_data))
      return value;
  return NULL;
}

guint
ls_table_foreach_remove (GHashTable *table,
                         GHRFunc     func,
                         gpointer    user_data)
{
  LsTableIter iter;
  gpointer key, value;
  guint n = 0;

  ls_table_iter_init (&iter, table);
  while (ls_table_iter_next (&iter, &key, &value))
    if (func (key, value, user_data))
      {
        (g_hash_table_iter_remove) (&iter.real);
        n++;
      }
  return n;
}

GList *
ls_table_get_keys (GHashTable *table)
{
  GList *list = (g_hash_table_get_keys) (table);

  return ls_table_is_reversed () ? g_list_reverse (list) : list;
}

GList *
ls_table_get_values (GHashTable *table)
{
  GList *list = (g_hash_table_get_values) (table);

  return ls_table_is_reversed () ? g_list_reverse (list) : list;
}

gpointer *
ls_table_get_keys_as_array (GHashTable *table,
                            guint      *length)
{
  guint n;
  gpointer *keys = (g_hash_table_get_keys_as_array) (table, &n);

  for (guint i = 0; ls_table_is_reversed () && i < n / 2; i++)
    {
      gpointer first = keys[i];

      keys[i] = keys[n - 1 - i];
      keys[n - 1 - i] = first;
    }
  if (length != NULL)
    *length = n;
  return keys;
}

#endif
