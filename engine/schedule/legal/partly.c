/* partly: blocks that write a part of what they are said to write.
 *
 * A cache is copied back as a whole.  What the block left out, since a condition stands around it or around its store or since its indices leave
 * gaps, then gets what lay in the cache.  TVM does not ask; here it is warned of, unless a store outside of all conditions reaches every element.
 */
#include "engine/schedule/legal/legal.h"

typedef struct {
  LsBuffer  *buffer;
  GPtrArray *loops;             /* of LsFor around the statement inside of the block, borrowed */
  guint      n_conditions;
  gboolean   is_opaque;         /* something else may write it: the regions are believed */
  gboolean   found, found_always;
  gboolean   is_box;            /* a store that is always made goes over a box of elements, if the block runs for all values of its variables */
  /* the question */
  GHashTable *values;           /* variables of the block */
  LsDomMap   *above;            /* loops around it, or NULL */
  LsArray    *wanted;           /* of LsRange */
  LsExpr     *predicate;
  LsArray    *iter_vars;        /* of the block */
  gboolean    is_whole;
} Stores;

static LsWalk
note_opaque (LsNode   *node,
             gpointer  user_data)
{
  Stores *self = user_data;

  self->is_opaque |= node == LS_NODE (self->buffer->data);
  return ls_is (node, BUFFER_LOAD) || ls_is (node, BUFFER_REGION) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

/* Do the elements at these indices, over all rounds, make up all that is wanted? */
static gboolean
reaches_all (Stores  *self,
             LsArray *indices)
{
  g_autoptr(LsDomMap) dom = ls_dom_map_new ();
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsArray) region = NULL;
  g_autoptr(LsNDIntSet) reached = NULL;
  GPtrArray *points = g_ptr_array_new ();

  for (guint i = self->loops->len; i-- > 0;)
    {
      LsFor *loop = self->loops->pdata[i];
      g_autoptr(LsExpr) min = (LsExpr *) ls_substitute (loop->min, self->values);
      g_autoptr(LsExpr) extent = (LsExpr *) ls_substitute (loop->extent, self->values);
      g_autoptr(LsRange) range = ls_range_new (ls_ref (min), ls_ref (extent));

      ls_dom_map_set_range (dom, loop->loop_var, range);
    }
  for (guint i = 0; i < ls_dom_map_get_n (self->above); i++)
    ls_dom_map_set_range (dom, ls_dom_map_get_var (self->above, i), ls_dom_map_get_range (self->above, ls_dom_map_get_var (self->above, i)));
  for (guint i = 0; i < ls_array_n (indices); i++)
    g_ptr_array_add (points, ls_range_new ((LsExpr *) ls_substitute (indices->items[i], self->values), ls_const_int (ls_dtype (indices->items[i]), 1)));
  region = ls_array_take_ptr_array (points);
  reached = ls_region_lower_bound (region, dom, self->predicate, analyzer);
  for (guint i = 0; reached != NULL && i < reached->len; i++)
    if (!ls_int_set_match_range (reached->pdata[i], ls_array_at (self->wanted, i, LsRange)))
      return FALSE;
  return reached != NULL;
}

static LsIterVar *
variable_of (Stores *self,
             LsExpr *index)
{
  LsBinary *pair = (LsBinary *) index;

  if ((ls_is (index, ADD) || ls_is (index, SUB)) && ls_is (pair->b, INT_IMM))
    index = pair->a;
  for (guint i = 0; i < ls_array_n (self->iter_vars); i++)
    if (index == LS_EXPR (ls_array_at (self->iter_vars, i, LsIterVar)->var))
      return ls_array_at (self->iter_vars, i, LsIterVar);
  return NULL;
}

static gboolean
stands_still (Stores *self,
              LsExpr *expr)
{
  for (guint i = 0; i < ls_array_n (self->iter_vars); i++)
    if (ls_uses (expr, ls_array_at (self->iter_vars, i, LsIterVar)->var))
      return FALSE;
  for (guint i = 0; i < self->loops->len; i++)
    if (ls_uses (expr, ((LsFor *) self->loops->pdata[i])->loop_var))
      return FALSE;
  for (guint i = 0; self->above != NULL && i < ls_dom_map_get_n (self->above); i++)
    if (ls_uses (expr, ls_dom_map_get_var (self->above, i)))
      return FALSE;
  return TRUE;
}

/* Each index another variable of the block, whose values are not those of a triangle, or the same in all rounds. */
static gboolean
is_box (Stores  *self,
        LsArray *indices)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      LsIterVar *iter = variable_of (self, ls_array_at (indices, i, LsExpr));

      if (iter == NULL ? !stands_still (self, ls_array_at (indices, i, LsExpr))
                       : !g_hash_table_add (seen, iter) || !stands_still (self, iter->dom->min) || !stands_still (self, iter->dom->extent))
        return FALSE;
    }
  return TRUE;
}

static void
look_at_store (Stores        *self,
               LsBufferStore *store)
{
  if (store->buffer != self->buffer)
    return;
  self->found = TRUE;
  if (self->n_conditions > 0 || store->predicate != NULL)
    return;
  self->found_always = TRUE;
  self->is_box |= is_box (self, store->indices);
  if (self->above != NULL && !self->is_whole)
    self->is_whole = reaches_all (self, store->indices);
}

static void
look_into (Stores *self,
           LsStmt *stmt)
{
  if (ls_is (stmt, FOR))
    {
      g_ptr_array_add (self->loops, stmt);
      look_into (self, ((LsFor *) stmt)->body);
      g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
    }
  else if (ls_is (stmt, SEQ_STMT))
    {
      for (guint i = 0; i < ls_array_n (((LsSeqStmt *) stmt)->seq); i++)
        look_into (self, ls_array_at (((LsSeqStmt *) stmt)->seq, i, LsStmt));
    }
  else if (ls_is (stmt, IF_THEN_ELSE) || ls_is (stmt, WHILE))
    {
      gboolean branches = ls_is (stmt, IF_THEN_ELSE);

      self->n_conditions++;
      look_into (self, branches ? ((LsIfThenElse *) stmt)->then_case : ((LsWhile *) stmt)->body);
      if (branches && ((LsIfThenElse *) stmt)->else_case != NULL)
        look_into (self, ((LsIfThenElse *) stmt)->else_case);
      self->n_conditions--;
    }
  else if (ls_is (stmt, LET_STMT))
    look_into (self, ((LsLetStmt *) stmt)->body);
  else if (ls_is (stmt, ATTR_STMT))
    look_into (self, ((LsAttrStmt *) stmt)->body);
  else if (ls_is (stmt, BUFFER_STORE))
    look_at_store (self, (LsBufferStore *) stmt);
  else if (ls_is (stmt, EVALUATE))
    ls_walk (stmt, note_opaque, NULL, self);
  else
    self->is_opaque = TRUE;
}

/* All of it. (transfer full) */
static LsRange *
whole_dimension (LsExpr *size)
{
  return ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size));
}

/* Of what the block says that it writes, all that it touches below the place. (transfer full) */
static LsArray *
region_below (LsArray    *region,
              LsBuffer   *buffer,
              GHashTable *values,
              LsDomMap   *loops,
              LsExpr     *predicate)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsArray) open = (LsArray *) ls_substitute (region, values);
  g_autoptr(LsNDIntSet) sets = ls_region_upper_bound (open, loops, predicate, analyzer);
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < sets->len; i++)
    {
      g_autoptr(LsRange) all = whole_dimension (ls_array_at (buffer->shape, i, LsExpr));

      g_ptr_array_add (ranges, ls_int_set_cover_range (sets->pdata[i], all));
    }
  return ls_array_take_ptr_array (ranges);
}

/* Does the block run for all values that its variables have?  The condition then says no more than that these are no others, as behind a split that does
 * not come out even. */
static gboolean
runs_for_all (LsBlockRealize *realize)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) inside = ls_bool (TRUE);
  gboolean proved;
  guint scope;

  if (ls_is_one (realize->predicate))
    return TRUE;
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    {
      LsRange *dom = ls_array_at (realize->block->iter_vars, i, LsIterVar)->dom;
      LsExpr *value = ls_array_at (realize->iter_values, i, LsExpr);

      ls_take (&inside, ls_and (ls_ref (inside), ls_and (ls_ge (ls_ref (value), ls_ref (dom->min)), ls_lt (ls_ref (value), ls_add (ls_ref (dom->min), ls_ref (dom->extent))))));
    }
  scope = ls_analyzer_enter_constraint (analyzer, inside);
  proved = ls_analyzer_can_prove (analyzer, realize->predicate);
  ls_analyzer_exit_constraint (analyzer, scope);
  return proved;
}

static void
stores_begin (Stores         *self,
              LsBlockRealize *realize)
{
  self->iter_vars = realize->block->iter_vars;
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (self->values, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
}

static void
look_into_block (Stores  *self,
                 LsBlock *block)
{
  if (block->init != NULL)
    look_into (self, block->init);
  look_into (self, block->body);
}

gboolean
ls_is_wholly_written (LsState  *state,
                      LsSref   *block,
                      LsBuffer *buffer,
                      LsSref   *place)
{
  LsBlockRealize *realize = ls_state_realize (state, block);
  LsBufferRegion *region = ls_region_of (realize->block->writes, buffer);
  g_autoptr(GPtrArray) loops = g_ptr_array_new ();
  g_autoptr(GHashTable) values = g_hash_table_new (NULL, NULL);
  g_autoptr(LsDomMap) above = place != NULL ? ls_state_loop_domains (state, block->parent, place, ls_buffer_scope (buffer)) : NULL;
  g_autoptr(LsArray) wanted = NULL;
  Stores stores = { .buffer = buffer, .loops = loops, .values = values, .above = above, .predicate = realize->predicate };
  gboolean is_whole;

  if (region == NULL)
    return TRUE;
  stores_begin (&stores, realize);
  if (above != NULL)
    wanted = region_below (region->region, buffer, values, above, realize->predicate);
  stores.wanted = wanted;
  look_into_block (&stores, realize->block);
  is_whole = above == NULL ? stores.found_always : ls_is_one (realize->predicate) ? stores.is_whole : stores.is_box;
  return !stores.found || stores.is_opaque || (is_whole && runs_for_all (realize));
}

void
ls_doubt_partly_written (LsMove        *move,
                         LsDiagnostics *diagnostics,
                         LsSref        *block,
                         LsBuffer      *buffer,
                         LsSref        *place)
{
  if (!ls_is_wholly_written (move->state, block, buffer, place))
    ls_move_warn (move, diagnostics, "partly-written", block->stmt,
                  "Block %s may not write all of %s that is copied; the rest is overwritten by what lies in the cache.", ls_sref_name (block), buffer->name);
}

void
ls_doubt_unwritten (LsMove        *move,
                    LsDiagnostics *diagnostics,
                    LsSref        *block,
                    LsBuffer      *buffer,
                    LsSref        *root)
{
  LsBlockRealize *realize = ls_state_realize (move->state, block);
  g_autoptr(GPtrArray) loops = g_ptr_array_new ();
  g_autoptr(GHashTable) values = g_hash_table_new (NULL, NULL);
  g_autoptr(LsDomMap) above = ls_state_loop_domains (move->state, block->parent, root, NULL);
  g_autoptr(LsArray) wanted = NULL;
  GPtrArray *ranges = g_ptr_array_new ();
  Stores stores = { .buffer = buffer, .loops = loops, .values = values, .above = above, .predicate = realize->predicate };

  for (guint i = 0; i < ls_array_n (buffer->shape); i++)
    g_ptr_array_add (ranges, whole_dimension (ls_array_at (buffer->shape, i, LsExpr)));
  wanted = ls_array_take_ptr_array (ranges);
  stores.wanted = wanted;
  stores_begin (&stores, realize);
  look_into_block (&stores, realize->block);
  if (!stores.is_whole)
    ls_move_warn (move, diagnostics, "partly-written", block->stmt,
                  "Block %s may not write all of %s, and all of it is copied back; the rest is overwritten by what lies in the cache.",
                  ls_sref_name (block), buffer->name);
}

void
ls_doubt_partial_cache (LsMove        *move,
                        LsDiagnostics *diagnostics,
                        LsSref        *root,
                        LsSref        *block,
                        LsBuffer      *buffer)
{
  g_autoptr(GPtrArray) readers = ls_cache_stage_readers (move->state, root, block);
  LsCacheStage stage = { .root = root, .buffer = buffer };

  ls_cache_stage_find_place (&stage, move->state, block, readers);
  ls_doubt_partly_written (move, diagnostics, block, buffer, stage.place);
}

/* ---- what was there before ---------------------------------------------------------- */

typedef struct {
  LsBuffer  *buffer;
  GPtrArray *begun;             /* of LsArray: indices of what the init writes, borrowed */
  gboolean   collects;
  gboolean   is_elsewhere;
} OwnLoads;

static LsWalk
look_at_own (LsNode   *node,
             gpointer  user_data)
{
  OwnLoads *self = user_data;
  gboolean is_begun = FALSE;

  if (self->collects && ls_is (node, BUFFER_STORE) && ((LsBufferStore *) node)->buffer == self->buffer)
    g_ptr_array_add (self->begun, ((LsBufferStore *) node)->indices);
  if (self->collects || !ls_is (node, BUFFER_LOAD) || ((LsBufferLoad *) node)->buffer != self->buffer)
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < self->begun->len && !is_begun; i++)
    is_begun = ls_deep_equal (self->begun->pdata[i], ((LsBufferLoad *) node)->indices);
  self->is_elsewhere |= !is_begun;
  return LS_WALK_CONTINUE;
}

gboolean
ls_reads_what_was_there (LsBlock  *block,
                         LsBuffer *buffer)
{
  g_autoptr (GPtrArray) begun = g_ptr_array_new ();
  OwnLoads search = { buffer, begun, TRUE, FALSE };

  if (block->init == NULL)
    return ls_region_of (block->reads, buffer) != NULL;
  if (LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK)
    return FALSE;               /* blocks inside name the same elements by variables of their own */
  ls_walk (block->init, look_at_own, NULL, &search);
  search.collects = FALSE;
  ls_walk (block->body, look_at_own, NULL, &search);
  return search.is_elsewhere;
}
