/* table-order: in which order a hash table is gone through.
 *
 * GLib promises none, and that of a table whose keys are addresses changes from run to run.  What comes out of the program must not
 * depend on it: keys are sorted here, or a list beside the table says in which order they came.
 *
 * The build option `reverse_tables` finds what forgets that, as LLVM's reverse iteration does: it puts this header before every
 * file, and all tables of engine, views, app and tests are gone through backwards, without their files knowing.  Without such a build the same is
 * done to programs that are there already by `meson test --setup reversed`, which puts a library before GLib; GTK walks backwards
 * then, too.  In both the variable LS_TABLE_ORDER says `forward`, `reversed` (the default), or `both`: every other walk is reversed; so one
 * program can compare (tests/property/same.c).
 */
#pragma once

/* The jail, which this stands before too, has no GLib. */
#if __has_include (<glib.h>)

#include <glib.h>

G_BEGIN_DECLS

/* The keys of a table as a list in the order of `compare`, which gets pointers to keys, as g_ptr_array_sort's does; keys that it calls
 * equal keep the order of the table.  Keys are borrowed.  (transfer container) */
GPtrArray *ls_table_sorted_keys (GHashTable   *table,
                                 GCompareFunc  compare);

/* The same where keys are strings, in the order of their bytes. (transfer container) */
GPtrArray *ls_table_names       (GHashTable   *table);

#ifdef LS_REVERSE_TABLES

/* As GLib's functions of these names, which the macros below turn into them. */
void      ls_table_iter_init         (GHashTableIter *iter,
                                      GHashTable     *table);
gboolean  ls_table_iter_next         (GHashTableIter *iter,
                                      gpointer       *key,
                                      gpointer       *value);
void      ls_table_foreach           (GHashTable  *table,
                                      GHFunc       func,
                                      gpointer     user_data);
gpointer  ls_table_find              (GHashTable  *table,
                                      GHRFunc      predicate,
                                      gpointer     user_data);
guint     ls_table_foreach_remove    (GHashTable  *table,
                                      GHRFunc      func,
                                      gpointer     user_data);
GList    *ls_table_get_keys          (GHashTable  *table);
GList    *ls_table_get_values        (GHashTable  *table);
gpointer *ls_table_get_keys_as_array (GHashTable  *table,
                                      guint       *length);

/* A name in parentheses is GLib's own. */
#define g_hash_table_iter_init(iter, table)                ls_table_iter_init (iter, table)
#define g_hash_table_iter_next(iter, key, value)           ls_table_iter_next (iter, key, value)
#define g_hash_table_foreach(table, func, data)            ls_table_foreach (table, func, data)
#define g_hash_table_find(table, predicate, data)          ls_table_find (table, predicate, data)
#define g_hash_table_foreach_remove(table, func, data)     ls_table_foreach_remove (table, func, data)
#define g_hash_table_get_keys(table)                       ls_table_get_keys (table)
#define g_hash_table_get_values(table)                     ls_table_get_values (table)
#define g_hash_table_get_keys_as_array(table, length)      ls_table_get_keys_as_array (table, length)

#endif

G_END_DECLS

#endif
