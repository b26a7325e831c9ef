/* store: see the header.
 *
 * Each relation is written as a text; to read it takes isl longer than most that is asked of it, and the steps that are tried one after the other
 * ask the same, so that each thread keeps those it read.  Reading is not counted: how much a comparison may do must not depend on what was read
 * before.
 */
#include "engine/poly/store.h"

#include <isl/options.h>
#include <isl/val.h>

#define MOST_KEPT 2048
#define NEARLY 32               /* operations: as near as they are counted */

struct _LsPolyStore {
  isl_ctx    *ctx;
  GHashTable *read;             /* text, owned -> isl_map, owned */
  gulong      before;           /* operations of the context that are not the comparison's own */
  gulong      most;             /* operations of the context at the most */
  gboolean    is_taken;
};

static void
map_free (gpointer map)
{
  isl_map_free (map);
}

static LsPolyStore *
store_new (void)
{
  LsPolyStore *self = g_new0 (LsPolyStore, 1);

  self->ctx = isl_ctx_alloc ();
  isl_options_set_on_error (self->ctx, ISL_ON_ERROR_CONTINUE);
  self->read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, map_free);
  return self;
}

static void
store_free (gpointer data)
{
  LsPolyStore *self = data;

  g_hash_table_unref (self->read);
  isl_ctx_free (self->ctx);
  g_free (self);
}

static GPrivate thread_store = G_PRIVATE_INIT (store_free);

LsPolyStore *
ls_poly_store_take (gulong operations)
{
  LsPolyStore *self = g_private_get (&thread_store);

  if (self == NULL)
    g_private_set (&thread_store, self = store_new ());
  if (self->is_taken)
    self = store_new ();
  self->is_taken = TRUE;
  self->before = 0;
  self->most = operations;
  isl_ctx_reset_error (self->ctx);
  isl_ctx_reset_operations (self->ctx);
  isl_ctx_set_max_operations (self->ctx, operations);
  return self;
}

void
ls_poly_store_give_back (LsPolyStore *self)
{
  self->is_taken = FALSE;
  if (self != g_private_get (&thread_store))
    store_free (self);
  else if (g_hash_table_size (self->read) > MOST_KEPT)
    g_hash_table_remove_all (self->read);
}

isl_ctx *
ls_poly_store_ctx (LsPolyStore *self)
{
  return self->ctx;
}

/* ---- counting --------------------------------------------------------------------------- */

/* One operation; does it fail because there were as many already? */
static gboolean
are_there (LsPolyStore *self,
           gulong       operations)
{
  isl_val *one;

  isl_ctx_set_max_operations (self->ctx, operations);
  one = isl_val_int_from_si (self->ctx, 1);
  if (one == NULL)
    isl_ctx_reset_error (self->ctx);
  isl_val_free (one);
  return one == NULL;
}

/* All operations of the context.  isl tells no number: it fails where there would be more than it may do, so that the number is found by halves. */
static gulong
count_all (LsPolyStore *self)
{
  gulong low = 0, high = 1024;

  while (are_there (self, high))
    {
      low = high;
      high *= 2;
    }
  while (high - low > NEARLY)
    if (are_there (self, low + (high - low) / 2))
      low += (high - low) / 2;
    else
      high = low + (high - low) / 2;
  isl_ctx_set_max_operations (self->ctx, self->most);
  return low;
}

gulong
ls_poly_store_spent (LsPolyStore *self)
{
  gulong all;

  if (isl_ctx_last_error (self->ctx) != isl_error_none)
    return self->most - self->before;
  all = count_all (self);
  return all > self->before ? all - self->before : 0;
}

void
ls_poly_store_spend (LsPolyStore *self,
                     gulong       operations)
{
  self->most = self->most > operations ? self->most - operations : 1;
  isl_ctx_set_max_operations (self->ctx, self->most);
  isl_val_free (isl_val_int_from_si (self->ctx, 1));
}

/* ---- reading ---------------------------------------------------------------------------- */

isl_map *
ls_poly_store_read (LsPolyStore *self,
                    const char  *text)
{
  isl_map *map = g_hash_table_lookup (self->read, text);
  gulong before, took;

  if (map != NULL)
    return isl_map_copy (map);
  if (isl_ctx_last_error (self->ctx) != isl_error_none)
    return NULL;
  before = count_all (self);
  isl_ctx_set_max_operations (self->ctx, 0);
  map = isl_map_read_from_str (self->ctx, text);
  if (map == NULL)
    {
      isl_ctx_set_max_operations (self->ctx, self->most);
      return NULL;
    }
  took = count_all (self) - before;
  self->before += took;
  self->most += took;
  isl_ctx_set_max_operations (self->ctx, self->most);
  g_hash_table_insert (self->read, g_strdup (text), map);
  return isl_map_copy (map);
}
