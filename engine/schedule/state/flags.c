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

/* ---- the walk ------------------------------------------------------------- */

typedef struct {
  LsState *state;
  LsSref  *top;                 /* loops from here on are known */
} Collector;

static gboolean
has_blocks (LsSref *block)
{
  return ls_sref_block (block)->body != NULL && (ls_sref_block (block)->body->facts & LS_FACT_HAS_BLOCK) != 0;
}

static void
find_cover (Collector *self,
            LsScope   *scope,
            LsCover   *cover,
            LsSref    *root,
            LsSref    *block)
{
  block->cover = ls_cover_holds (cover, block);
  block->unsound = !block->cover || ls_scope_overwrites (scope, block);
  block->cover_known = root == self->top;
  ls_state_touch (self->state, block);
}

/* region_cover of the blocks in a scope, then its stage_pipeline. */
static void
collect_scope (Collector *self,
               LsScope   *scope,
               LsSref    *root)
{
  g_autoptr(LsCover) cover = scope != NULL ? ls_cover_new (self->state, scope, root, self->top) : NULL;
  gboolean pipeline = TRUE;

  for (guint i = 0; scope != NULL && i < scope->blocks->len; i++)
    {
      LsSref *block = scope->blocks->pdata[i];

      if (!block->cover_known || root != self->top)
        find_cover (self, scope, cover, root, block);
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
  analyzer = ls_analyzer_new ();
  ls_state_know_loops (analyzer, block->parent, self->top);
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
  Collector collector = { self, block };

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
  Collector collector = { self, block };
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
