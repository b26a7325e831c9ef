/* Packed functions by name: what T.call_packed and R.call_dps_packed reach.
 *
 * A table of reference-counted entries under a lock.  A call takes a reference and
 * leaves the lock, so that a function may register or call others, and replacing one that
 * is running ends the old one only when it returns.
 */
#include "engine/runtime/runtime-private.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  gatomicrefcount refs;
  LsPackedFunc    func;
  void           *closure;
  GDestroyNotify  destroy;
} Entry;

static GMutex lock;
static GHashTable *table;       /* name -> Entry; under lock */

static void
entry_unref (gpointer data)
{
  Entry *self = data;

  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->destroy != NULL)
    self->destroy (self->closure);
  g_free (self);
}

static Entry *
entry_new (LsPackedFunc    func,
           void           *closure,
           GDestroyNotify  destroy)
{
  Entry *entry = g_new0 (Entry, 1);

  g_atomic_ref_count_init (&entry->refs);
  entry->func = func;
  entry->closure = closure;
  entry->destroy = destroy;
  return entry;
}

static void
insert_rows (const LsEnvRow *row)
{
  for (; row->name != NULL; row++)
    g_hash_table_insert (table, g_strdup (row->name), entry_new (row->func, NULL, NULL));
}

static void
ensure_table (void)
{
  static gsize once;

  if (g_once_init_enter (&once))
    {
      table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_unref);
      insert_rows (ls_env_rows);
      insert_rows (ls_sort_rows);
      g_once_init_leave (&once, 1);
    }
}

/* Puts `entry` (NULL = nothing) in place of what is there and hands that out. */
static Entry *
exchange (const char *name,
          Entry      *entry)
{
  g_autofree char *old_name = NULL;
  gpointer key = NULL, old = NULL;

  if (g_hash_table_steal_extended (table, name, &key, &old))
    old_name = key;
  if (entry != NULL)
    g_hash_table_insert (table, g_strdup (name), entry);
  return old;
}

gboolean
ls_registry_register (const char      *name,
                      LsPackedFunc     func,
                      void            *closure,
                      GDestroyNotify   destroy,
                      gboolean         override,
                      GError         **error)
{
  Entry *old = NULL;

  ensure_table ();
  g_mutex_lock (&lock);
  if (!override && g_hash_table_contains (table, name))
    {
      g_mutex_unlock (&lock);
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_EXISTS,
                   ls_translate ("the function \"%s\" is registered already; override=True replaces it"), name);
      return FALSE;
    }
  old = exchange (name, entry_new (func, closure, destroy));
  g_mutex_unlock (&lock);
  g_clear_pointer (&old, entry_unref);
  return TRUE;
}

gboolean
ls_registry_remove (const char *name)
{
  Entry *old;

  ensure_table ();
  g_mutex_lock (&lock);
  old = exchange (name, NULL);
  g_mutex_unlock (&lock);
  if (old == NULL)
    return FALSE;
  entry_unref (old);
  return TRUE;
}

static Entry *
dup_entry (const char *name)
{
  Entry *entry;

  ensure_table ();
  g_mutex_lock (&lock);
  entry = g_hash_table_lookup (table, name);
  if (entry != NULL)
    g_atomic_ref_count_inc (&entry->refs);
  g_mutex_unlock (&lock);
  return entry;
}

gboolean
ls_registry_has (const char *name)
{
  Entry *entry = dup_entry (name);

  if (entry == NULL)
    return FALSE;
  entry_unref (entry);
  return TRUE;
}

static int
compare_names (const void *a,
               const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char **
ls_registry_list (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;

  ensure_table ();
  g_mutex_lock (&lock);
  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (names, g_strdup (key));
  g_mutex_unlock (&lock);
  qsort (names->pdata, names->len, sizeof (gpointer), compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}

/* Levenshtein distance of names shorter than 64 bytes; more is "far". */
static guint
edit_distance (const char *a,
               const char *b)
{
  guint row[64];
  gsize n = strlen (b);

  if (n >= 63 || strlen (a) >= 63)
    return G_MAXUINT;
  for (gsize j = 0; j <= n; j++)
    row[j] = (guint) j;
  for (gsize i = 1; a[i - 1] != '\0'; i++)
    {
      guint diagonal = row[0];

      row[0] = (guint) i;
      for (gsize j = 1; j <= n; j++)
        {
          guint best = MIN (MIN (row[j], row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));

          diagonal = row[j];
          row[j] = best;
        }
    }
  return row[n];
}

char *
ls_registry_nearest (const char *name)
{
  g_auto (GStrv) names = ls_registry_list ();
  const char *nearest = NULL;
  guint least = 4;

  for (guint i = 0; names[i] != NULL; i++)
    if (edit_distance (name, names[i]) < least)
      {
        nearest = names[i];
        least = edit_distance (name, nearest);
      }
  return g_strdup (nearest);
}

static void
set_not_found (const char  *name,
               GError     **error)
{
  g_autofree char *nearest = ls_registry_nearest (name);

  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND,
               nearest != NULL ? ls_translate ("the function \"%s\" is not registered; \"%s\" is")
                               : ls_translate ("the function \"%s\" is not registered"), name, nearest);
}

gboolean
ls_registry_call (const char   *name,
                  const LsArg  *args,
                  int           n_args,
                  LsArg        *result,
                  GError      **error)
{
  Entry *entry = dup_entry (name);
  LsArg none;
  int status;

  if (entry == NULL)
    {
      set_not_found (name, error);
      return FALSE;
    }
  if (result == NULL)
    result = &none;
  *result = (LsArg) { .kind = LS_ARG_NONE };
  ls_runtime_clear_error ();
  status = entry->func (args, n_args, result, entry->closure);
  entry_unref (entry);
  if (status != 0)
    ls_runtime_error_to_g (error, LS_RUNTIME_ERROR_CALL, name);
  return status == 0;
}

int
ls_packed_call (const char  *name,
                const LsArg *args,
                int          n_args,
                LsArg       *result)
{
  GError *error = NULL;

  if (!ls_registry_call (name, args, n_args, result, &error))
    return ls_runtime_fail_g (error);
  return 0;
}

static int
register_from_library (const char   *name,
                       LsPackedFunc  func,
                       void         *closure)
{
  GError *error = NULL;

  if (name == NULL || func == NULL)
    return ls_runtime_fail ("a library registered a function without a name or without code");
  if (!ls_registry_register (name, func, closure, NULL, TRUE, &error))
    return ls_runtime_fail_g (error);
  return 0;
}

gboolean
ls_registry_load (const char  *path,
                  GError     **error)
{
  void *library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  LsLibraryEntry entry;

  if (library == NULL)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND,
                   ls_translate ("%s is not a library that can be loaded: %s"), path, dlerror ());
      return FALSE;
    }
  *(void **) &entry = dlsym (library, "loopscope_register");
  if (entry == NULL)
    {
      dlclose (library);
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND,
                   ls_translate ("%s does not export \"loopscope_register\""), path);
      return FALSE;
    }
  ls_runtime_clear_error ();
  if (entry (register_from_library, ls_runtime_fail) != 0)
    {
      ls_runtime_error_to_g (error, LS_RUNTIME_ERROR_CALL, path);
      return FALSE;
    }
  return TRUE;
}
