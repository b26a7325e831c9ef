/* tsan-glib: tells ThreadSanitizer what GLib, which is built without it, does between threads.
 *
 * GLib's locks are futexes, its counts of references and its main loop are its own: none of that is seen, and all that it orders looks like
 * a race.  These functions stand before GLib's in a program that is linked with this file: each calls GLib's and says what comes before what.
 * Tables and lists are GLib's memory, too; that they are read and written is told as one access of the whole.
 *
 * Built for -Db_sanitize=thread alone.  Not told, because nothing here needs it: queues between threads, thread pools, GRWLock.  What GLib does with memory of
 * its own is left out by TSAN_OPTIONS (tests/meson.build). */
#include <dlfcn.h>
#include <gio/gio.h>

#undef g_once_init_enter
#undef g_once_init_leave

void __tsan_acquire (void *address);
void __tsan_release (void *address);
void __tsan_read8 (void *address);
void __tsan_write8 (void *address);

/* The function that this one stands before. */
#define NEXT(name) \
  static __typeof__ (name) *next; \
  if (__atomic_load_n (&next, __ATOMIC_RELAXED) == NULL) \
    __atomic_store_n (&next, (__typeof__ (name) *) dlsym (RTLD_NEXT, #name), __ATOMIC_RELAXED)

/* ---- locks ------------------------------------------------------------------------------- */

void
g_mutex_lock (GMutex *mutex)
{
  NEXT (g_mutex_lock);
  next (mutex);
  __tsan_acquire (mutex);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  gboolean got;

  NEXT (g_mutex_trylock);
  got = next (mutex);
  if (got)
    __tsan_acquire (mutex);
  return got;
}

void
g_mutex_unlock (GMutex *mutex)
{
  NEXT (g_mutex_unlock);
  __tsan_release (mutex);
  next (mutex);
}

void
g_rec_mutex_lock (GRecMutex *mutex)
{
  NEXT (g_rec_mutex_lock);
  next (mutex);
  __tsan_acquire (mutex);
}

void
g_rec_mutex_unlock (GRecMutex *mutex)
{
  NEXT (g_rec_mutex_unlock);
  __tsan_release (mutex);
  next (mutex);
}

void
g_cond_wait (GCond  *cond,
             GMutex *mutex)
{
  NEXT (g_cond_wait);
  __tsan_release (mutex);
  next (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond  *cond,
                   GMutex *mutex,
                   gint64  end)
{
  gboolean signalled;

  NEXT (g_cond_wait_until);
  __tsan_release (mutex);
  signalled = next (cond, mutex, end);
  __tsan_acquire (mutex);
  return signalled;
}

gboolean
g_once_init_enter (volatile void *location)
{
  gboolean first;

  NEXT (g_once_init_enter);
  first = next (location);
  if (!first)
    __tsan_acquire ((gpointer) location);
  return first;
}

void
g_once_init_leave (volatile void *location,
                   gsize          value)
{
  NEXT (g_once_init_leave);
  __tsan_release ((gpointer) location);
  next (location, value);
}

/* ---- counts of references ------------------------------------------------------------------ */

void
g_atomic_ref_count_inc (gatomicrefcount *count)
{
  __atomic_fetch_add (count, 1, __ATOMIC_SEQ_CST);
}

gboolean
g_atomic_ref_count_dec (gatomicrefcount *count)
{
  return __atomic_fetch_sub (count, 1, __ATOMIC_SEQ_CST) == 1;
}

gboolean
g_atomic_ref_count_compare (gatomicrefcount *count,
                            gint             value)
{
  return __atomic_load_n (count, __ATOMIC_SEQ_CST) == value;
}

/* Who gives up the last reference comes after all others. */
#define UNREF(name, type) \
  void \
  name (type *object) \
  { \
    NEXT (name); \
    __tsan_release (object); \
    __tsan_acquire (object); \
    next (object); \
  }

UNREF (g_ptr_array_unref, GPtrArray)
UNREF (g_array_unref, GArray)
UNREF (g_hash_table_unref, GHashTable)
UNREF (g_bytes_unref, GBytes)

void
g_object_unref (gpointer object)
{
  NEXT (g_object_unref);
  __tsan_release (object);
  __tsan_acquire (object);
  next (object);
}

/* ---- the main loop ------------------------------------------------------------------------------ */

typedef struct {
  GSourceFunc    func;
  gpointer       data;
  GDestroyNotify notify;
} Call;

static gboolean
call_run (gpointer data)
{
  Call *call = data;

  __tsan_acquire (call);
  return call->func (call->data);
}

static void
call_free (gpointer data)
{
  Call *call = data;

  __tsan_acquire (call);
  if (call->notify != NULL)
    call->notify (call->data);
  g_free (call);
}

static Call *
call_new (GSourceFunc    func,
          gpointer       data,
          GDestroyNotify notify)
{
  Call *call = g_new (Call, 1);

  *call = (Call) { func, data, notify };
  __tsan_release (call);
  return call;
}

guint
g_idle_add_full (int            priority,
                 GSourceFunc    func,
                 gpointer       data,
                 GDestroyNotify notify)
{
  NEXT (g_idle_add_full);
  return next (priority, call_run, call_new (func, data, notify), call_free);
}

guint
g_idle_add (GSourceFunc func,
            gpointer    data)
{
  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, func, data, NULL);
}

guint
g_timeout_add_full (int            priority,
                    guint          interval,
                    GSourceFunc    func,
                    gpointer       data,
                    GDestroyNotify notify)
{
  NEXT (g_timeout_add_full);
  return next (priority, interval, call_run, call_new (func, data, notify), call_free);
}

guint
g_timeout_add (guint       interval,
               GSourceFunc func,
               gpointer    data)
{
  return g_timeout_add_full (G_PRIORITY_DEFAULT, interval, func, data, NULL);
}

/* ---- tasks ------------------------------------------------------------------------------------------ */

typedef struct {
  GTaskThreadFunc func;
} Task;

static Task *
task_of (GTask *task)
{
  Task *self = g_object_get_data (G_OBJECT (task), "tsan");

  if (self == NULL)
    g_object_set_data_full (G_OBJECT (task), "tsan", self = g_new0 (Task, 1), g_free);
  return self;
}

static void
task_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  __tsan_acquire (task);
  task_of (task)->func (task, source, data, cancellable);
  __tsan_release (task);
}

void
g_task_run_in_thread (GTask           *task,
                      GTaskThreadFunc  func)
{
  NEXT (g_task_run_in_thread);
  task_of (task)->func = func;
  __tsan_release (task);
  next (task, task_thread);
}

void
g_task_return_pointer (GTask          *task,
                       gpointer        result,
                       GDestroyNotify  notify)
{
  NEXT (g_task_return_pointer);
  __tsan_release (task);
  next (task, result, notify);
}

void
g_task_return_boolean (GTask    *task,
                       gboolean  result)
{
  NEXT (g_task_return_boolean);
  __tsan_release (task);
  next (task, result);
}

/* Also by who is told that the thread is through. */
gpointer
g_task_get_task_data (GTask *task)
{
  NEXT (g_task_get_task_data);
  __tsan_acquire (task);
  return next (task);
}

gpointer
g_task_propagate_pointer (GTask   *task,
                          GError **error)
{
  NEXT (g_task_propagate_pointer);
  __tsan_acquire (task);
  return next (task, error);
}

gboolean
g_task_propagate_boolean (GTask   *task,
                          GError **error)
{
  NEXT (g_task_propagate_boolean);
  __tsan_acquire (task);
  return next (task, error);
}

/* ---- tables and lists --------------------------------------------------------------------------------- */

#define READS(type, name, table, parameters, arguments) \
  type \
  name parameters \
  { \
    NEXT (name); \
    __tsan_read8 (table); \
    return next arguments; \
  }

#define WRITES(type, name, table, parameters, arguments) \
  type \
  name parameters \
  { \
    NEXT (name); \
    __tsan_write8 (table); \
    return next arguments; \
  }

READS (gpointer, g_hash_table_lookup, table, (GHashTable *table, gconstpointer key), (table, key))
READS (gboolean, g_hash_table_contains, table, (GHashTable *table, gconstpointer key), (table, key))
READS (gboolean, g_hash_table_lookup_extended, table, (GHashTable *table, gconstpointer key, gpointer *own, gpointer *value), (table, key, own, value))
READS (guint, g_hash_table_size, table, (GHashTable *table), (table))
WRITES (gboolean, g_hash_table_insert, table, (GHashTable *table, gpointer key, gpointer value), (table, key, value))
WRITES (gboolean, g_hash_table_replace, table, (GHashTable *table, gpointer key, gpointer value), (table, key, value))
WRITES (gboolean, g_hash_table_add, table, (GHashTable *table, gpointer key), (table, key))
WRITES (gboolean, g_hash_table_remove, table, (GHashTable *table, gconstpointer key), (table, key))
WRITES (gboolean, g_hash_table_steal, table, (GHashTable *table, gconstpointer key), (table, key))

void
g_hash_table_iter_init (GHashTableIter *iter,
                        GHashTable     *table)
{
  NEXT (g_hash_table_iter_init);
  __tsan_read8 (table);
  next (iter, table);
}

void
g_hash_table_remove_all (GHashTable *table)
{
  NEXT (g_hash_table_remove_all);
  __tsan_write8 (table);
  next (table);
}

void
g_ptr_array_add (GPtrArray *array,
                 gpointer   data)
{
  NEXT (g_ptr_array_add);
  __tsan_write8 (array);
  next (array, data);
}

WRITES (GArray *, g_array_append_vals, array, (GArray *array, gconstpointer data, guint n), (array, data, n))
WRITES (GArray *, g_array_set_size, array, (GArray *array, guint n), (array, n))
