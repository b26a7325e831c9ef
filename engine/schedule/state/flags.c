/* flags: what is known of each block, so that the primitives need not find it out again.
 *
 *   affine_binding   the bindings are an affine map of the loops around the block: every value of the iteration
 *                    variables is reached, and nothing is visited in a twisted order
 *   region_cover     what the block reads was all produced by the blocks before it, seen from the lowest place that
 *                    holds producers and reader
 *   stage_pipeline   of a scope: all its blocks have region_cover, and none writes what one before it has read
 *
 * Computed when a program is opened; primitives keep the flags of blocks that live on and recompute where TVM does,
 * so that the same steps are accepted.  Source of the definitions: TVM's BlockInfo and its collector.
 */
#include "engine/schedule/state/state.h"
#include "engine/tir/scope.h"

static gboolean
are_constant (LsDomMap *loops)
{
  for (guint i = 0; i < ls_dom_map_get_n (loops); i++)
    {
      LsRange *range = ls_dom_map_get_range (loops, ls_dom_map_get_var (loops, i));

      if (range == NULL || !ls_is (range->min, INT_IMM) || !ls_is (range->extent, INT_IMM))
        return FALSE;
    }
  return TRUE;
}

#define MAX_PLAIN_LOOPS 16u

/* Loop variables that bindings were seen to use. */
typedef struct {
  LsNode *vars[MAX_PLAIN_LOOPS];
  guint   n;
} UsedVars;

static gboolean
use_var (UsedVars *self,
         LsDomMap *loops,
         LsNode   *var)
{
  if (!ls_is_var (var) || self->n == MAX_PLAIN_LOOPS || !ls_dom_map_contains (loops, (LsVar *) var))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (self->vars[i] == var)
      return FALSE;
  self->vars[self->n++] = var;
  return TRUE;
}

/* v0 * c0 + v1 * c1 + v2, as split leaves it: every factor is what the variables behind it reach together. */
static gboolean
is_split_index (UsedVars *used,
                LsDomMap *loops,
                LsNode   *value)
{
  gint64 reach = 1, scale, min, extent;

  for (LsNode *rest = value; rest != NULL;)
    {
      LsNode *term = ls_is (rest, ADD) ? LS_NODE (((LsBinary *) rest)->b) : rest;
      LsNode *var = ls_is (term, MUL) ? LS_NODE (((LsBinary *) term)->a) : term;
      LsRange *range;

      scale = 1;
      if ((term != var && !ls_as_int (((LsBinary *) term)->b, &scale)) || scale != reach || !use_var (used, loops, var))
        return FALSE;
      range = ls_dom_map_get_range (loops, (LsVar *) var);
      if (!ls_as_int (range->min, &min) || !ls_as_int (range->extent, &extent) || min != 0 || extent < 2 || extent > G_MAXINT32 / reach)
        return FALSE;
      reach *= extent;
      rest = term != rest ? LS_NODE (((LsBinary *) rest)->a) : NULL;
    }
  return TRUE;
}

/* Every binding is another loop variable or made of several as split makes it, nothing is guarded, all bounds are
 * numbers: affine without asking further. */
static gboolean
is_plain_binding (LsBlockRealize *realize,
                  LsDomMap       *loops)
{
  LsArray *values = realize->iter_values;
  UsedVars used = { .n = 0 };

  if (!ls_is_one (realize->predicate) || !are_constant (loops))
    return FALSE;
  for (guint i = 0; i < ls_array_n (values); i++)
    if (!(ls_is_var (values->items[i]) ? use_var (&used, loops, values->items[i]) : is_split_index (&used, loops, values->items[i])))
      return FALSE;
  return ls_array_n (values) > 0;
}

gboolean
ls_is_simple_binding (LsBlockRealize *realize,
                      LsDomMap       *loops)
{
  for (guint i = 0; i < ls_dom_map_get_n (loops); i++)
    {
      LsRange *range = ls_dom_map_get_range (loops, ls_dom_map_get_var (loops, i));

      if (range == NULL || !ls_is_zero (range->min) || ls_is_one (range->extent))
        return FALSE;
    }
  return is_plain_binding (realize, loops);
}

static gboolean
is_surely_affine (LsBlockRealize *realize,
                  LsDomMap       *loops)
{
  return ls_dom_map_get_n (loops) == 0 || is_plain_binding (realize, loops);
}

gboolean
ls_is_affine_binding (LsBlockRealize *realize,
                      LsDomMap       *loops,
                      LsAnalyzer     *analyzer)
{
  g_autoptr(LsIterMapResult) map = NULL;

  if (is_surely_affine (realize, loops))
    return TRUE;
  map = ls_detect_iter_map (realize->iter_values, loops, realize->predicate, LS_ITER_MAP_SURJECTIVE, analyzer, FALSE);
  if (ls_array_n (map->indices) == 0)
    return FALSE;
  for (guint i = 0; i < map->indices->n; i++)
    {
      LsIterSum *sum = ls_array_at (map->indices, i, LsIterSum);

      if (ls_array_n (sum->args) > 0 && !ls_is_one (ls_array_at (sum->args, 0, LsIterSplit)->scale))
        return FALSE;
    }
  return TRUE;
}

gboolean
ls_state_is_affine (LsState *self,
                    LsSref  *block)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsDomMap) loops = NULL;

  if (block->parent == NULL)
    return ls_array_n (ls_sref_block (block)->iter_vars) == 0;
  loops = ls_state_loop_domains (self, block->parent, NULL, NULL);
  return ls_is_affine_binding (ls_state_realize (self, block), loops, analyzer);
}

/* ---- region cover --------------------------------------------------------- */

typedef struct {
  LsState    *state;
  LsSref     *top;              /* loops from here on are known */
  LsAnalyzer *analyzer;         /* knows the loops around what is looked at */
} Collector;

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

/* What an access touches while the loops from the block up to `lca` run: at least (lower) or at most. */
static LsNDIntSet *
touched (Collector      *self,
         LsSref         *block,
         LsBufferRegion *region,
         LsSref         *lca,
         gboolean        lower)
{
  LsBlockRealize *realize = ls_state_realize (self->state, block);
  g_autoptr(LsBufferRegion) open = unbind (region, realize);
  g_autoptr(LsDomMap) loops = ls_state_loop_domains (self->state, block->parent, lca, ls_buffer_scope (region->buffer));
  LsNDIntSet *sets;

  if (!lower)
    return ls_region_upper_bound (open->region, loops, realize->predicate, self->analyzer);
  sets = ls_region_lower_bound (open->region, loops, realize->predicate, self->analyzer);
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

/* A change of layout leaves the regions of matched buffers as they were: they may have another number of dimensions. */
static gboolean
have_dimensions (GPtrArray *regions,
                 guint      n)
{
  for (guint i = 0; i < regions->len; i++)
    if (((LsNDIntSet *) regions->pdata[i])->len != n)
      return FALSE;
  return TRUE;
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

/* Is the region that `consumer` reads covered by what `producers` write, all below `lca`? */
static gboolean
region_is_covered (Collector      *self,
                   LsSref         *consumer,
                   LsBufferRegion *read,
                   GPtrArray      *producers,
                   LsSref         *lca)
{
  g_autoptr(GPtrArray) writes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr(GPtrArray) produced = NULL;
  g_autoptr(GPtrArray) consumed = NULL;

  for (guint p = 0; p < producers->len; p++)
    {
      LsArray *regions = ls_sref_block ((LsSref *) producers->pdata[p])->writes;

      for (guint i = 0; i < ls_array_n (regions); i++)
        if (ls_array_at (regions, i, LsBufferRegion)->buffer == read->buffer)
          g_ptr_array_add (writes, touched (self, producers->pdata[p], ls_array_at (regions, i, LsBufferRegion), lca, TRUE));
    }
  if (writes->len == 0)
    return TRUE;
  if (ls_array_n (read->region) != ls_buffer_ndim (read->buffer) || !have_dimensions (writes, ls_buffer_ndim (read->buffer)))
    return FALSE;
  produced = ls_nd_int_set_union_lower_bound ((LsNDIntSet **) writes->pdata, writes->len);
  consumed = touched (self, consumer, read, lca, FALSE);
  return covers (read->buffer->shape, produced, consumed, self->analyzer);
}

/* The producers of `consumer` whose lowest common ancestor with it is `lca`. */
static GPtrArray *
producers_at (GArray *deps,
              LsSref *consumer,
              LsSref *lca)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < deps->len; i++)
    {
      LsDep *dep = &g_array_index (deps, LsDep, i);
      LsSref *pair[2] = { dep->src, consumer };

      if (dep->kind == LS_DEP_RAW && ls_sref_common (pair, 2) == lca)
        g_ptr_array_add (found, dep->src);
    }
  return found;
}

static gboolean
is_covered (Collector *self,
            GArray    *deps,
            LsSref    *root,
            LsSref    *consumer)
{
  LsArray *reads = ls_sref_block (consumer)->reads;

  for (LsSref *lca = consumer->parent; lca != root->parent; lca = lca->parent)
    {
      g_autoptr(GPtrArray) producers = producers_at (deps, consumer, lca);

      for (guint i = 0; producers->len > 0 && i < ls_array_n (reads); i++)
        if (!region_is_covered (self, consumer, ls_array_at (reads, i, LsBufferRegion), producers, lca))
          return FALSE;
    }
  return TRUE;
}

/* ---- the walk ------------------------------------------------------------- */

/* The loops around a place up to `top`, the outermost first. */
static void
know_loops (Collector *self,
            LsSref    *low)
{
  if (low == self->top || low == NULL)
    return;
  know_loops (self, low->parent);
  if (!low->is_block)
    ls_scope_bind (self->analyzer, LS_NODE (ls_sref_for (low)), LS_SCOPE_LOOPS);
}

static gboolean
has_blocks (LsSref *block)
{
  return ls_sref_block (block)->body != NULL && (ls_sref_block (block)->body->facts & LS_FACT_HAS_BLOCK) != 0;
}

static gboolean
covered_with (Collector *self,
              GArray    *deps,
              LsSref    *root,
              LsSref    *block)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  self->analyzer = analyzer;
  know_loops (self, block->parent);
  for (guint i = 0; i < deps->len; i++)
    if (g_array_index (deps, LsDep, i).kind == LS_DEP_RAW)
      know_loops (self, g_array_index (deps, LsDep, i).src->parent);
  return is_covered (self, deps, root, block);
}

static void
find_cover (Collector *self,
            LsScope   *scope,
            LsSref    *root,
            LsSref    *block)
{
  g_autoptr(GArray) deps = ls_scope_deps_to (scope, block);

  block->cover = deps->len == 0 || covered_with (self, deps, root, block);
  block->unsound = !block->cover;
  for (guint i = 0; i < deps->len; i++)
    block->unsound |= g_array_index (deps, LsDep, i).kind == LS_DEP_WAR;
  block->cover_known = root == self->top;
  ls_state_touch (self->state, block);
}

/* region_cover of the blocks in a scope, then its stage_pipeline. */
static void
collect_scope (Collector *self,
               LsScope   *scope,
               LsSref    *root)
{
  gboolean pipeline = TRUE;

  for (guint i = 0; scope != NULL && i < scope->blocks->len; i++)
    {
      LsSref *block = scope->blocks->pdata[i];

      if (!block->cover_known || root != self->top)
        find_cover (self, scope, root, block);
      if (block->region_cover != block->cover)
        {
          block->region_cover = block->cover;
          ls_state_touch (self->state, block);
        }
      pipeline &= !block->unsound;
    }
  root->stage_pipeline = pipeline;
  root->covers_known = root == self->top;
}

static gboolean
affine_with (Collector *self,
             LsSref    *block)
{
  g_autoptr(LsAnalyzer) analyzer = NULL;
  g_autoptr(LsDomMap) loops = block->parent != NULL ? ls_state_loop_domains (self->state, block->parent, NULL, NULL) : NULL;
  LsBlockRealize *realize = ls_state_realize (self->state, block);

  if (loops == NULL)
    return ls_array_n (ls_sref_block (block)->iter_vars) == 0;
  if (is_surely_affine (realize, loops))
    return TRUE;
  self->analyzer = analyzer = ls_analyzer_new ();
  know_loops (self, block->parent);
  return ls_is_affine_binding (realize, loops, analyzer);
}

static void
collect_block (Collector *self,
               LsSref    *block,
               gboolean   as_root)
{
  LsScope *scope = has_blocks (block) ? ls_state_scope (self->state, block) : NULL;
  guint before = ls_sref_flags (block);

  for (guint i = 0; scope != NULL && i < scope->blocks->len; i++)
    {
      LsSref *inside = scope->blocks->pdata[i];

      if (!inside->exact || !inside->is_leaf)
        collect_block (self, inside, FALSE);
    }
  if (as_root)
    block->affine_binding = ls_array_n (ls_sref_block (block)->iter_vars) == 0;
  else if (!block->exact)
    block->affine_binding = affine_with (self, block);
  block->exact = !as_root;
  block->is_leaf = scope == NULL;
  block->region_cover = TRUE;
  collect_scope (self, scope, block);
  if (ls_sref_flags (block) != before)
    ls_state_touch (self->state, block);
}

void
ls_state_update_flags (LsState *self,
                       LsSref  *block)
{
  Collector collector = { self, block, NULL };

  collect_block (&collector, block, TRUE);
}

/* What follows from the block alone is known already when its binding was looked at and nothing changed since. */
static gboolean
is_settled (LsSref *block)
{
  return block->exact && !has_blocks (block);
}

static void
settle (LsState *self,
        LsSref  *block)
{
  if (block->region_cover && block->stage_pipeline)
    return;
  block->region_cover = block->stage_pipeline = TRUE;
  ls_state_touch (self, block);
}

/* Blocks directly inside `block`, without a loop between, count as roots. */
void
ls_state_update_flags_below (LsState *self,
                             LsSref  *block)
{
  Collector collector = { self, block, NULL };
  LsScope *scope = has_blocks (block) ? ls_state_scope (self, block) : NULL;

  for (guint i = 0; scope != NULL && i < scope->blocks->len; i++)
    {
      LsSref *sref = scope->blocks->pdata[i];

      if (sref->parent != block && is_settled (sref))
        settle (self, sref);
      else
        collect_block (&collector, sref, sref->parent == block);
    }
}
