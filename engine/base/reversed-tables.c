/* reversed-tables: hash tables that are gone through backwards, in place of GLib's own walks.  See table-order.h.
 *
 * Compiled in two ways: into the engine by the build option `reverse_tables`, under names of ours that the header's macros put in place of
 * GLib's; and as a library under GLib's names, which LD_PRELOAD puts before GLib, so that what is built already walks backwards
 * (`meson test --setup reversed`).
 *
 * GLib's iterator has the number of its slot where its public struct has `dummy4`; g_hash_table_iter_next () begins behind it.  dummy2 and dummy5
 * it does not use.  That this is so, tests/unit/base/table-order.c finds out.
 */
#include "engine/base/table-order.h"

#include <string.h>

#ifdef LS_PRELOADED_TABLES

#include <dlfcn.h>

#define WALK(name) g_hash_table_##name
/* Libraries that are made ready before this one walk already. */
#define PLAIN(name) (plain_##name == NULL ? find_plain () : (void) 0, plain_##name)

static void      (*plain_iter_init)   (GHashTableIter *iter, GHashTable *table);
static gboolean  (*plain_iter_next)   (GHashTableIter *iter, gpointer *key, gpointer *value);
static GList    *(*plain_get_keys)    (GHashTable *table);
static GList    *(*plain_get_values)  (GHashTable *table);
static gpointer *(*plain_get_keys_as_array) (GHashTable *table, guint *length);

static void
find_plain (void)
{
  *(void **) &plain_iter_init = dlsym (RTLD_NEXT, "g_hash_table_iter_init");
  *(void **) &plain_iter_next = dlsym (RTLD_NEXT, "g_hash_table_iter_next");
  *(void **) &plain_get_keys = dlsym (RTLD_NEXT, "g_hash_table_get_keys");
  *(void **) &plain_get_values = dlsym (RTLD_NEXT, "g_hash_table_get_values");
  *(void **) &plain_get_keys_as_array = dlsym (RTLD_NEXT, "g_hash_table_get_keys_as_array");
}

#else

#define WALK(name) ls_table_##name
#define PLAIN(name) (g_hash_table_##name)

#endif

#define AT dummy2               /* the slot that comes next, and one more; 0: none is left */
#define REVERSED dummy5

static gboolean
is_reversed (void)
{
  static guint walks;
  const char *order = g_getenv ("LS_TABLE_ORDER");

  if (order != NULL && strcmp (order, "forward") == 0)
    return FALSE;
  return order == NULL || strcmp (order, "both") != 0 || (g_atomic_int_add (&walks, 1) & 1) != 0;
}

void
WALK (iter_init) (GHashTableIter *iter,
                  GHashTable     *table)
{
  PLAIN (iter_init) (iter, table);
  iter->REVERSED = is_reversed ();
  iter->AT = NULL;
  if (!iter->REVERSED)
    return;
  for (GHashTableIter walk = *iter; PLAIN (iter_next) (&walk, NULL, NULL); )
    iter->AT = GINT_TO_POINTER (walk.dummy4 + 1);
}

gboolean
WALK (iter_next) (GHashTableIter *iter,
                  gpointer       *key,
                  gpointer       *value)
{
  int at = GPOINTER_TO_INT (iter->AT) - 1;
  gboolean found;

  if (!iter->REVERSED)
    return PLAIN (iter_next) (iter, key, value);
  if (at < 0)
    return FALSE;
  iter->dummy4 = at - 1;
  found = PLAIN (iter_next) (iter, key, value);
  g_assert (found && iter->dummy4 == at);
  while (--at >= 0)
    {
      GHashTableIter probe = *iter;

      probe.dummy4 = at - 1;
      if (PLAIN (iter_next) (&probe, NULL, NULL) && probe.dummy4 == at)
        break;
    }
  iter->AT = GINT_TO_POINTER (at + 1);
  return TRUE;
}

void
WALK (foreach) (GHashTable *table,
                GHFunc      func,
                gpointer    user_data)
{
  GHashTableIter iter;
  gpointer key, value;

  WALK (iter_init) (&iter, table);
  while (WALK (iter_next) (&iter, &key, &value))
    func (key, value, user_data);
}

gpointer
WALK (find) (GHashTable *table,
             GHRFunc     predicate,
             gpointer    user_data)
{
  GHashTableIter iter;
  gpointer key, value;

  WALK (iter_init) (&iter, table);
  while (WALK (iter_next) (&iter, &key, &value))
    if (predicate (key, value, user_data))
      return value;
  return NULL;
}

guint
WALK (foreach_remove) (GHashTable *table,
                       GHRFunc     func,
                       gpointer    user_data)
{
  GHashTableIter iter;
  gpointer key, value;
  guint n = 0;

  WALK (iter_init) (&iter, table);
  while (WALK (iter_next) (&iter, &key, &value))
    if (func (key, value, user_data))
      {
        g_hash_table_iter_remove (&iter);
        n++;
      }
  return n;
}

GList *
WALK (get_keys) (GHashTable *table)
{
  GList *list = PLAIN (get_keys) (table);

  return is_reversed () ? g_list_reverse (list) : list;
}

GList *
WALK (get_values) (GHashTable *table)
{
  GList *list = PLAIN (get_values) (table);

  return is_reversed () ? g_list_reverse (list) : list;
}

gpointer *
WALK (get_keys_as_array) (GHashTable *table,
                          guint      *length)
{
  guint n;
  gpointer *keys = PLAIN (get_keys_as_array) (table, &n);
  gboolean reversed = is_reversed ();

  for (guint i = 0; reversed && i < n / 2; i++)
    {
      gpointer first = keys[i];

      keys[i] = keys[n - 1 - i];
      keys[n - 1 - i] = first;
    }
  if (length != NULL)
    *length = n;
  return keys;
}
