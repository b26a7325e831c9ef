/* storage-plan: allocations whose lives do not overlap share a place.
 *
 * The points of a program are followed; where a life begins, a free place of the same scope is taken: first one of at least the
 * size, the least of them, then a smaller one of the same type, within a factor of 16; places of unknown size in turn.  A
 * result that may be written over what dies at the same statement gets its place (inplace.c).  What is small (32 bits), lies in
 * registers, or has several dimensions has a place of its own.  Places stand at the begin of the threads or parallel loop
 * they are used in, or of the function.  An allocation whose size names a loop or binding inside of that has no place: it
 * stays where it is.  Source of the concept: TVM's StoragePlanRewriter. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/storage.h"

#include <string.h>

#define MATCH_RANGE 16

typedef struct {
  guint64         key;          /* bits when it became free */
  LsStoragePlace *place;
} Free;

typedef struct {
  LsStoragePlan *plan;
  LsLiveness    *liveness;
  GArray        *free;          /* of Free, by rising size */
  GPtrArray     *free_symbolic; /* of LsStoragePlace */
  GHashTable    *replaced;      /* Vars over which others were written */
  GHashTable    *bound;         /* Vars of loops and bindings */
  LsNode        *threads;       /* the scope that places stand in now */
  gboolean       reuse;
  gboolean       exact_type;
} Planner;

static void
place_free (gpointer data)
{
  LsStoragePlace *self = data;

  g_free (self->name);
  g_ptr_array_unref (self->allocations);
  g_ptr_array_unref (self->children);
  g_ptr_array_unref (self->nest);
  g_free (self);
}

static void
read_scope (const char     *name,
            LsStorageRank  *rank,
            const char    **tag)
{
  static const struct { const char *prefix; LsStorageRank rank; } RANKS[] = {
    { "global", LS_STORAGE_GLOBAL }, { "shared", LS_STORAGE_SHARED }, { "warp", LS_STORAGE_WARP }, { "local", LS_STORAGE_LOCAL },
  };

  *rank = LS_STORAGE_OTHER;
  *tag = "";
  for (guint i = 0; i < G_N_ELEMENTS (RANKS); i++)
    if (g_str_has_prefix (name, RANKS[i].prefix))
      {
        *rank = RANKS[i].rank;
        *tag = name + strlen (RANKS[i].prefix);
        return;
      }
}

gboolean
ls_storage_is_special (LsStoragePlace *place)
{
  return place->tag[0] != '\0' && strcmp (place->tag, ".dyn") != 0 && strcmp (place->tag, ".workspace") != 0 && strcmp (place->tag, ".vtcm") != 0;
}

static guint64
bits_of (LsAllocate *allocate)
{
  gint64 n;

  return ls_allocate_constant_size (allocate->extents, &n) ? (guint64) n * allocate->dtype.bits * allocate->dtype.lanes : 0;
}

static LsStoragePlace *
new_place (Planner    *self,
           LsAllocate *allocate)
{
  LsStoragePlace *place = g_new0 (LsStoragePlace, 1);

  place->scope = self->threads;
  place->name = g_strdup (ls_pointer_scope (allocate->buffer_var));
  read_scope (place->name, &place->rank, &place->tag);
  place->bits = bits_of (allocate);
  place->element = ls_dtype_element (allocate->dtype);
  place->allocations = g_ptr_array_new ();
  place->children = g_ptr_array_new ();
  place->nest = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_ptr_array_add (self->plan->places, place);
  return place;
}

static gboolean
is_here (Planner        *self,
         LsStoragePlace *place,
         LsAllocate     *allocate)
{
  return place->scope == self->threads && strcmp (place->name, ls_pointer_scope (allocate->buffer_var)) == 0;
}

/* The first free place of at least this size. */
static guint
lower_bound (Planner *self,
             guint64  bits)
{
  guint i = 0;

  while (i < self->free->len && g_array_index (self->free, Free, i).key < bits)
    i++;
  return i;
}

static LsStoragePlace *
take_free (Planner *self,
           guint    i,
           guint64  bits)
{
  LsStoragePlace *place = g_array_index (self->free, Free, i).place;

  place->bits = MAX (place->bits, bits);
  g_array_remove_index (self->free, i);
  return place;
}

static LsStoragePlace *
find_constant (Planner    *self,
               LsAllocate *allocate,
               guint64     bits)
{
  guint first = lower_bound (self, bits / MATCH_RANGE), middle = lower_bound (self, bits);
  guint64 unit = (guint64) allocate->dtype.bits * allocate->dtype.lanes;

  for (guint i = middle; i < self->free->len && g_array_index (self->free, Free, i).key <= bits * MATCH_RANGE; i++)
    {
      LsStoragePlace *place = g_array_index (self->free, Free, i).place;

      if (is_here (self, place, allocate) && place->offset % unit == 0 && (!self->exact_type || ls_dtype_equal (place->element, allocate->dtype)))
        return take_free (self, i, bits);
    }
  for (guint i = middle; i-- > first;)
    {
      LsStoragePlace *place = g_array_index (self->free, Free, i).place;

      if (is_here (self, place, allocate) && ls_dtype_equal (place->element, ls_dtype_element (allocate->dtype))
          && (!self->exact_type || ls_dtype_equal (place->element, allocate->dtype)))
        return take_free (self, i, bits);
    }
  return NULL;
}

static LsStoragePlace *
find_symbolic (Planner    *self,
               LsAllocate *allocate)
{
  for (guint i = 0; i < self->free_symbolic->len; i++)
    {
      LsStoragePlace *place = self->free_symbolic->pdata[i];

      if (is_here (self, place, allocate) && ls_dtype_equal (place->element, ls_dtype_element (allocate->dtype)))
        return g_ptr_array_remove_index (self->free_symbolic, i);
    }
  return NULL;
}

static LsStoragePlace *
find_place (Planner    *self,
            LsAllocate *allocate)
{
  guint64 bits = bits_of (allocate);
  LsStorageRank rank;
  const char *tag;
  gboolean is_small;
  LsStoragePlace *place = NULL;

  read_scope (ls_pointer_scope (allocate->buffer_var), &rank, &tag);
  is_small = tag[0] == '\0' && (rank >= LS_STORAGE_WARP || ls_dtype_is_handle (allocate->dtype) || (bits > 0 && bits <= 32));
  if (self->reuse && !is_small && allocate->extents->n == 1)
    place = bits > 0 ? find_constant (self, allocate, bits) : find_symbolic (self, allocate);
  return place != NULL ? place : new_place (self, allocate);
}

/* The place of something that dies at this statement, over which the result may be written; NULL: none. */
static LsStoragePlace *
find_inplace (Planner     *self,
              LsLivePoint *point,
              LsAllocate  *allocate)
{
  LsStoragePlace *found = NULL;

  for (guint i = 0; i < point->kill->len; i++)
    {
      LsVar *source = point->kill->pdata[i];
      LsStoragePlace *place = g_hash_table_lookup (self->plan->by_var, source);
      LsLiveAllocation *allocation = g_hash_table_lookup (self->liveness->allocations, source);

      if (found == NULL && place != NULL && !allocation->pointed && !g_hash_table_contains (self->replaced, source) && is_here (self, place, allocate)
          && ls_dtype_equal (place->element, ls_dtype_element (allocate->dtype)) && place->bits == bits_of (allocate)
          && ls_storage_is_inplace (point->stmt, allocate->buffer_var, source))
        {
          found = place;
          g_hash_table_add (self->replaced, source);
        }
    }
  return found;
}

static gboolean
is_bound (LsVar   *var,
          gpointer bound)
{
  return g_hash_table_contains (bound, var);
}

static GHashTable *
bound_variables (LsLiveness *liveness)
{
  GHashTable *bound = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < liveness->points->len; i++)
    {
      LsNode *stmt = ((LsLivePoint *) liveness->points->pdata[i])->stmt;

      if (ls_is (stmt, FOR))
        g_hash_table_add (bound, ((LsFor *) stmt)->loop_var);
      else if (ls_is (stmt, LET_STMT))
        g_hash_table_add (bound, ((LsLetStmt *) stmt)->var);
    }
  return bound;
}

static void
begin_lives (Planner     *self,
             LsLivePoint *point)
{
  for (guint i = 0; i < point->gen->len; i++)
    {
      LsVar *var = point->gen->pdata[i];
      LsLiveAllocation *allocation = g_hash_table_lookup (self->liveness->allocations, var);
      LsStoragePlace *place;

      if (ls_uses_var (allocation->allocate->extents, is_bound, self->bound))
        continue;
      place = point->gen->len <= 2 ? find_inplace (self, point, allocation->allocate) : NULL;
      if (place == NULL)
        place = find_place (self, allocation->allocate);
      g_ptr_array_add (place->allocations, allocation->allocate);
      g_hash_table_insert (self->plan->by_var, var, place);
    }
}

static void
release (Planner *self,
         LsVar   *var)
{
  LsStoragePlace *place = g_hash_table_lookup (self->plan->by_var, var);
  Free entry = { place != NULL ? place->bits : 0, place };
  guint i;

  if (place == NULL)
    return;
  if (place->tag[0] == '\0'
      && (place->rank >= LS_STORAGE_WARP || ls_dtype_is_handle (((LsAllocate *) place->allocations->pdata[0])->dtype) || (place->bits > 0 && place->bits <= 32)))
    return;
  if (place->bits == 0)
    {
      g_ptr_array_add (self->free_symbolic, place);
      return;
    }
  for (i = lower_bound (self, place->bits); i < self->free->len && g_array_index (self->free, Free, i).key == place->bits;)
    i++;
  g_array_insert_val (self->free, i, entry);
}

/* Enters a scope that places stand in, or leaves it: then nothing of it is free any more. */
static void
change_scope (Planner *self,
              LsNode  *stmt)
{
  if (self->threads == NULL)
    {
      self->threads = stmt;
      return;
    }
  for (guint i = self->free->len; i-- > 0;)
    if (g_array_index (self->free, Free, i).place->scope == stmt)
      g_array_remove_index (self->free, i);
  for (guint i = self->free_symbolic->len; i-- > 0;)
    if (((LsStoragePlace *) self->free_symbolic->pdata[i])->scope == stmt)
      g_ptr_array_remove_index (self->free_symbolic, i);
  self->threads = NULL;
}

static void
plan_point (Planner     *self,
            guint        i)
{
  LsLivePoint *point = self->liveness->points->pdata[i];
  LsNode *stmt = point->stmt;

  if (point->pair >= 0)
    begin_lives (self, self->liveness->points->pdata[i + (guint) point->pair]);
  if ((ls_thread_axis (stmt) != NULL || (ls_is (stmt, FOR) && ((LsFor *) stmt)->kind == LS_FOR_PARALLEL)) && point->pair != 0
      && (self->threads == NULL || self->threads == stmt))
    change_scope (self, stmt);
  for (guint k = 0; point->pair <= 0 && k < point->kill->len; k++)
    if (!g_hash_table_contains (self->replaced, point->kill->pdata[k]))
      release (self, point->kill->pdata[k]);
}

LsStoragePlan *
ls_storage_plan_new (LsLiveness *liveness,
                     gboolean    reuse,
                     gboolean    exact_type)
{
  g_autoptr (GArray) constant = g_array_new (FALSE, FALSE, sizeof (Free));
  g_autoptr (GPtrArray) symbolic = g_ptr_array_new ();
  g_autoptr (GHashTable) replaced = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) bound = bound_variables (liveness);
  LsStoragePlan *plan = g_new0 (LsStoragePlan, 1);
  Planner self = { plan, liveness, constant, symbolic, replaced, bound, NULL, reuse, exact_type };

  plan->places = g_ptr_array_new_with_free_func (place_free);
  plan->by_var = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < liveness->points->len; i++)
    plan_point (&self, i);
  return plan;
}

void
ls_storage_plan_free (LsStoragePlan *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->places);
  g_hash_table_unref (self->by_var);
  g_free (self);
}
