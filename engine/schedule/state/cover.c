/* cover: is what a block reads all produced by the blocks before it, seen from the lowest place that holds producers and reader?
 *
 * For each place above the reader: what the blocks touch that write the buffer below that place, but not below the same part of it as the
 * reader, taken together, has to hold what the reader touches while the place runs.  Readers are asked for in program order, and those
 * writers are a growing piece of the buffer's writers: what they touch together is kept for each place and buffer, and goes on from one
 * reader to the next, so that n blocks of one buffer take n steps.  Source of the definition: TVM's BlockInfoCollector. */
#include "engine/schedule/state/state.h"
#include "engine/tir/scope.h"

/* What the writers of a buffer below a place touch at least, but for those that are not come to yet. */
typedef struct {
  LsSref     *place;
  LsBuffer   *buffer;
  guint       next;             /* of the buffer's writers */
  LsNDIntSet *sum;              /* NULL: nothing is written so far */
  gboolean    uneven;           /* a region has another number of dimensions than the buffer */
} Produced;

struct _LsCover {
  LsState    *state;
  LsScope    *scope;
  LsSref     *root, *top;
  GHashTable *produced;         /* of Produced; NULL: none so far */
};

static guint
produced_hash (gconstpointer data)
{
  const Produced *self = data;

  return g_direct_hash (self->place) * 31 + g_direct_hash (self->buffer);
}

static gboolean
produced_equal (gconstpointer a,
                gconstpointer b)
{
  const Produced *x = a, *y = b;

  return x->place == y->place && x->buffer == y->buffer;
}

static void
produced_free (gpointer data)
{
  Produced *self = data;

  g_clear_pointer (&self->sum, g_ptr_array_unref);
  g_free (self);
}

LsCover *
ls_cover_new (LsState *state,
              LsScope *scope,
              LsSref  *root,
              LsSref  *top)
{
  LsCover *self = g_new0 (LsCover, 1);

  *self = (LsCover) { state, scope, root, top, NULL };
  return self;
}

void
ls_cover_free (LsCover *self)
{
  g_clear_pointer (&self->produced, g_hash_table_unref);
  g_free (self);
}

void
ls_state_know_loops (LsAnalyzer *analyzer,
                     LsSref     *low,
                     LsSref     *top)
{
  if (low == top || low == NULL)
    return;
  ls_state_know_loops (analyzer, low->parent, top);
  if (!low->is_block)
    ls_scope_bind (analyzer, LS_NODE (ls_sref_for (low)), LS_SCOPE_LOOPS);
}

/* A region of a block with its bindings put in: over the loops around it. */
static LsBufferRegion *
unbind (LsBufferRegion *region,
        LsBlockRealize *realize)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  LsArray *iter_vars = realize->block->iter_vars;

  for (guint i = 0; i < ls_array_n (iter_vars); i++)
    g_hash_table_insert (map, ls_array_at (iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  return ls_buffer_region_new (ls_ref (region->buffer), (LsArray *) ls_substitute (region->region, map));
}

static LsNDIntSet *
nothing (guint n)
{
  LsNDIntSet *sets = ls_nd_int_set_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (sets, ls_int_set_nothing ());
  return sets;
}

/* What an access touches while the loops from the block up to `lca` run: at least (lower) or at most.  The analyzer knows the loops around the block. */
static LsNDIntSet *
touched (LsCover        *self,
         LsSref         *block,
         LsBufferRegion *region,
         LsSref         *lca,
         gboolean        lower,
         LsAnalyzer     *analyzer)
{
  LsBlockRealize *realize = ls_state_realize (self->state, block);
  g_autoptr(LsBufferRegion) open = unbind (region, realize);
  g_autoptr(LsDomMap) loops = ls_state_loop_domains (self->state, block->parent, lca, ls_buffer_scope (region->buffer));
  LsNDIntSet *sets;

  if (!lower)
    return ls_region_upper_bound (open->region, loops, realize->predicate, analyzer);
  sets = ls_region_lower_bound (open->region, loops, realize->predicate, analyzer);
  return sets != NULL ? sets : nothing (ls_buffer_ndim (region->buffer));
}

static LsIntSet *
clip (LsIntSet   *set,
      LsExpr     *size,
      LsAnalyzer *analyzer)
{
  g_autoptr(LsExpr) zero = ls_const_int (ls_dtype (size), 0);
  g_autoptr(LsIntSet) whole = ls_int_set_from_min_extent (zero, size);
  g_autoptr(LsIntSet) simple = NULL;
  g_autoptr(LsIntSet) both = NULL;
  LsIntSet *pair[2];

  simple = ls_int_set_new_interval (ls_analyzer_canonical_simplify (analyzer, ls_int_set_min (set)),
                                    ls_analyzer_canonical_simplify (analyzer, ls_int_set_max (set)));
  pair[0] = simple;
  pair[1] = whole;
  both = ls_int_set_intersect (pair, 2);
  return ls_int_set_new_interval (ls_analyzer_simplify (analyzer, ls_int_set_min (both)),
                                  ls_analyzer_simplify (analyzer, ls_int_set_max (both)));
}

/* a <= b for all that is known */
static LsExpr *
not_above (LsExpr     *a,
           LsExpr     *b,
           LsAnalyzer *analyzer)
{
  g_autoptr(LsExpr) difference = ls_sub (ls_ref (a), ls_ref (b));
  LsExpr *simple = ls_analyzer_canonical_simplify (analyzer, difference);

  return ls_le (simple, ls_const_int (ls_dtype (simple), 0));
}

static gboolean
covers (LsArray    *shape,
        LsNDIntSet *produced,
        LsNDIntSet *consumed,
        LsAnalyzer *analyzer)
{
  for (guint i = 0; i < ls_array_n (shape); i++)
    {
      LsExpr *size = ls_array_at (shape, i, LsExpr);
      g_autoptr(LsIntSet) p = NULL;
      g_autoptr(LsIntSet) c = NULL;
      g_autoptr(LsExpr) inside = NULL;

      if (ls_int_set_is_nothing (produced->pdata[i]))
        return FALSE;
      if (ls_int_set_is_nothing (consumed->pdata[i]))
        continue;
      p = clip (produced->pdata[i], size, analyzer);
      c = clip (consumed->pdata[i], size, analyzer);
      if (!ls_int_set_has_lower_bound (p) || !ls_int_set_has_upper_bound (p) ||
          !ls_int_set_has_lower_bound (c) || !ls_int_set_has_upper_bound (c))
        return FALSE;
      inside = ls_and (not_above (ls_int_set_min (p), ls_int_set_min (c), analyzer),
                       not_above (ls_int_set_max (c), ls_int_set_max (p), analyzer));
      if (!ls_analyzer_can_prove (analyzer, inside))
        return FALSE;
    }
  return TRUE;
}

/* ---- what is written below a place ---------------------------------------- */

static void
produced_add (LsCover  *self,
              Produced *produced,
              LsSref   *writer)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  LsArray *regions = ls_sref_block (writer)->writes;

  ls_state_know_loops (analyzer, writer->parent, self->top);
  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      g_autoptr(LsNDIntSet) set = NULL;
      LsNDIntSet *both[2];

      if (region->buffer != produced->buffer)
        continue;
      set = touched (self, writer, region, produced->place, TRUE, analyzer);
      /* A change of layout leaves the regions of matched buffers as they were. */
      produced->uneven |= set->len != ls_buffer_ndim (produced->buffer);
      both[0] = produced->sum;
      both[1] = set;
      if (produced->sum == NULL)
        produced->sum = g_steal_pointer (&set);
      else if (!produced->uneven)
        {
          produced->sum = ls_nd_int_set_union_lower_bound (both, 2);
          g_ptr_array_unref (both[0]);
        }
    }
}

/* What is written below `place` before the part of it that `consumer` is in; `inside` is that part. Borrowed. */
static Produced *
produced_before (LsCover   *self,
                 LsSref    *place,
                 LsSref    *inside,
                 LsSref    *consumer,
                 LsBuffer  *buffer,
                 GPtrArray *writers)
{
  Produced key = { .place = place, .buffer = buffer };
  Produced *produced;

  if (self->produced == NULL)
    self->produced = g_hash_table_new_full (produced_hash, produced_equal, produced_free, NULL);
  produced = g_hash_table_lookup (self->produced, &key);
  if (produced == NULL)
    {
      produced = g_new (Produced, 1);
      *produced = key;
      produced->next = ls_scope_n_before (writers, consumer);
      while (produced->next > 0 && ls_sref_is_ancestor (place, writers->pdata[produced->next - 1]))
        produced->next--;
      g_hash_table_add (self->produced, produced);
    }
  for (; produced->next < writers->len; produced->next++)
    {
      LsSref *writer = writers->pdata[produced->next];

      if (writer->order >= consumer->order || ls_sref_is_ancestor (inside, writer))
        break;
      if (produced->next == 0 || writers->pdata[produced->next - 1] != writer)
        produced_add (self, produced, writer);
    }
  return produced;
}

static gboolean
read_is_covered (LsCover        *self,
                 LsSref         *place,
                 LsSref         *inside,
                 LsSref         *consumer,
                 LsBufferRegion *read,
                 LsAnalyzer     *analyzer)
{
  GPtrArray *writers = ls_scope_writers (self->scope, read->buffer);
  Produced *produced = writers != NULL ? produced_before (self, place, inside, consumer, read->buffer, writers) : NULL;
  g_autoptr(LsNDIntSet) consumed = NULL;

  if (produced == NULL || produced->sum == NULL)
    return TRUE;
  if (produced->uneven || ls_array_n (read->region) != ls_buffer_ndim (read->buffer))
    return FALSE;
  consumed = touched (self, consumer, read, place, FALSE, analyzer);
  return covers (read->buffer->shape, produced->sum, consumed, analyzer);
}

/* Is anything that the block reads written before it? */
static gboolean
has_producers (LsCover *self,
               LsSref  *consumer)
{
  LsArray *reads = consumer->member_of == self->scope ? ls_sref_block (consumer)->reads : NULL;

  for (guint i = 0; reads != NULL && i < ls_array_n (reads); i++)
    {
      GPtrArray *writers = ls_scope_writers (self->scope, ls_array_at (reads, i, LsBufferRegion)->buffer);

      if (writers != NULL && ls_scope_n_before (writers, consumer) > 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
ls_cover_holds (LsCover *self,
                LsSref  *consumer)
{
  g_autoptr(LsAnalyzer) analyzer = NULL;
  LsArray *reads = ls_sref_block (consumer)->reads;
  LsSref *inside = consumer;

  if (!has_producers (self, consumer))
    return TRUE;
  analyzer = ls_analyzer_new ();
  ls_state_know_loops (analyzer, consumer->parent, self->top);
  for (LsSref *place = consumer->parent; place != self->root->parent; inside = place, place = place->parent)
    for (guint i = 0; i < ls_array_n (reads); i++)
      if (!read_is_covered (self, place, inside, consumer, ls_array_at (reads, i, LsBufferRegion), analyzer))
        return FALSE;
  return TRUE;
}
