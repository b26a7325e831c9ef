/* doubt: moves that TVM allows although they may change what the program computes.
 *
 *   order       a value is read before it is made
 *   instances   not every instance of the block runs any more, or one that adds a term runs twice
 *   split init  a loop repeats a sum as a whole, and its init goes outside of that loop
 *
 * They are accepted, so that the same steps are accepted as by TVM, and the learner is warned.  The second finding is
 * made where the contrary cannot be shown, so it may be wrong.
 */
#include "engine/schedule/legal/legal.h"
#include "engine/tir/scope.h"

void
ls_doubt_order (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsSref        *block,
                LsSref        *loop,
                GPtrArray     *neighbours,
                gboolean       are_readers)
{
  LsScope *scope = ls_state_scope (move->state, ls_state_scope_root (move->state, block));
  g_autoptr(GPtrArray) below = ls_state_child_blocks (move->state, loop);
  guint64 first = G_MAXUINT64;
  guint64 last = 0;

  for (guint i = 0; i < below->len; i++)
    {
      first = MIN (first, ((LsSref *) below->pdata[i])->order);
      last = MAX (last, ((LsSref *) below->pdata[i])->order);
    }
  for (guint i = 0; i < neighbours->len; i++)
    {
      LsSref *other = neighbours->pdata[i];
      guint64 at = other->member_of == scope ? other->order : 0;

      if (ls_sref_is_ancestor (loop, other))
        continue;
      if (are_readers && at < last)
        ls_move_warn (move, diagnostics, "read-too-early", other->stmt,
                      "Block %s reads what %s makes, but stands before loop %s; it would read old values.",
                      ls_sref_name (other), ls_sref_name (block), ls_sref_name (loop));
      if (!are_readers && at > first)
        ls_move_warn (move, diagnostics, "made-too-late", other->stmt,
                      "Block %s makes what %s reads, but stands behind loop %s; %s would read old values.",
                      ls_sref_name (other), ls_sref_name (block), ls_sref_name (loop), ls_sref_name (block));
    }
}

/* Do the new bindings reach every instance of the block? */
static gboolean
reaches_all (LsBlockRealize *realize,
             LsDomMap       *loops,
             LsAnalyzer     *analyzer)
{
  GPtrArray *points = g_ptr_array_new ();
  g_autoptr(LsArray) region = NULL;
  g_autoptr(LsNDIntSet) reached = NULL;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_ptr_array_add (points, ls_range_new (ls_ref (ls_array_at (realize->iter_values, i, LsExpr)), ls_int (1)));
  region = ls_array_take_ptr_array (points);
  reached = ls_region_lower_bound (region, loops, realize->predicate, analyzer);
  for (guint i = 0; reached != NULL && i < reached->len; i++)
    if (!ls_int_set_match_range (reached->pdata[i], ls_array_at (realize->block->iter_vars, i, LsIterVar)->dom))
      return FALSE;
  return reached != NULL;
}

static gboolean
is_bound_to (LsBlockRealize *realize,
             LsVar          *loop_var,
             gboolean        sums_only)
{
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if ((!sums_only || ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE) &&
        ls_uses (realize->iter_values->items[i], loop_var))
      return TRUE;
  return FALSE;
}

/* Each term of a sum once: the loops that are used make each instance once, and no other loop runs parts again. */
static gboolean
adds_once (LsBlockRealize *realize,
           LsDomMap       *loops,
           LsAnalyzer     *analyzer)
{
  g_autoptr(LsDomMap) used = ls_dom_map_new ();
  g_autoptr(LsIterMapResult) map = NULL;
  gboolean in_parts = FALSE;

  for (guint i = ls_dom_map_get_n (loops); i-- > 0;)
    {
      LsVar *var = ls_dom_map_get_var (loops, i);

      if (is_bound_to (realize, var, FALSE))
        ls_dom_map_set_range (used, var, ls_dom_map_get_range (loops, var));
      else if (in_parts && !ls_is_one (ls_dom_map_get_range (loops, var)->extent))
        return FALSE;
      in_parts |= is_bound_to (realize, var, TRUE);
    }
  map = ls_detect_iter_map (realize->iter_values, used, realize->predicate, LS_ITER_MAP_BIJECTIVE, analyzer, TRUE);
  return ls_array_n (map->indices) > 0;
}

LsDomMap *
ls_legal_nest_loops (LsState *state,
                     LsSref  *loop,
                     LsStmt  *nest)
{
  LsDomMap *loops = ls_dom_map_new ();
  g_autoptr(LsDomMap) above = ls_state_loop_domains (state, loop, NULL, NULL);
  g_autoptr(GPtrArray) inside = g_ptr_array_new ();

  for (LsStmt *at = nest; ls_is (at, FOR); at = ((LsFor *) at)->body)
    g_ptr_array_insert (inside, 0, at);
  for (guint i = 0; i < inside->len; i++)
    {
      LsFor *own = inside->pdata[i];
      g_autoptr(LsRange) range = ls_range_new (ls_ref (own->min), ls_ref (own->extent));

      ls_dom_map_set_range (loops, own->loop_var, range);
    }
  for (guint i = 0; i < ls_dom_map_get_n (above); i++)
    {
      LsVar *var = ls_dom_map_get_var (above, i);

      ls_dom_map_set_range (loops, var, ls_dom_map_get_range (above, var));
    }
  return loops;
}

void
ls_doubt_instances (LsMove         *move,
                    LsDiagnostics  *diagnostics,
                    LsSref         *loop,
                    LsStmt         *nest,
                    LsBlockRealize *realize)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsDomMap) loops = ls_legal_nest_loops (move->state, loop, nest);

  if (!reaches_all (realize, loops, analyzer))
    ls_move_warn (move, diagnostics, "gaps", realize->block,
                  "Under loop %s it is not certain that block %s runs for all values of its variables.",
                  ls_sref_name (loop), realize->block->name_hint);
  else if (realize->block->init != NULL && !adds_once (realize, loops, analyzer))
    ls_move_warn (move, diagnostics, "repeats", realize->block,
                  "Under loop %s block %s may add some terms more than once.", ls_sref_name (loop),
                  realize->block->name_hint);
}

/* Does each instance run once while the loop goes round? */
static gboolean
runs_once (LsState        *state,
           LsSref         *block,
           LsBlockRealize *realize,
           LsSref         *loop)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsDomMap) loops = ls_state_loop_domains (state, block->parent, loop->parent, NULL);
  g_autoptr(LsDomMap) used = ls_dom_map_new ();
  g_autoptr(LsIterMapResult) once = NULL;

  for (guint i = 0; i < ls_dom_map_get_n (loops); i++)
    if (is_bound_to (realize, ls_dom_map_get_var (loops, i), FALSE))
      ls_dom_map_set_range (used, ls_dom_map_get_var (loops, i), ls_dom_map_get_range (loops, ls_dom_map_get_var (loops, i)));
  once = ls_detect_iter_map (realize->iter_values, used, realize->predicate, LS_ITER_MAP_BIJECTIVE, analyzer, TRUE);
  return ls_array_n (once->indices) > 0;
}

void
ls_doubt_split_init (LsMove        *move,
                     LsDiagnostics *diagnostics,
                     LsSref        *block,
                     LsSref        *loop)
{
  LsBlockRealize *realize = ls_state_realize (move->state, block);

  for (LsSref *p = block->parent; p != loop->parent; p = p->parent)
    if (!ls_is_one (ls_sref_for (p)->extent) && !is_bound_to (realize, ls_sref_for (p)->loop_var, FALSE))
      ls_move_warn (move, diagnostics, "repeats", p->stmt,
                    "Loop %s runs all of block %s again; with the init outside of it terms are added more than once.",
                    ls_sref_name (p), ls_sref_name (block));
  if (!runs_once (move->state, block, realize, loop))
    ls_move_warn (move, diagnostics, "repeats", loop->stmt,
                  "Loop %s may run instances of block %s more than once; with the init outside of it terms are added more than once.",
                  ls_sref_name (loop), ls_sref_name (block));
}

/* Can the values of `indices` be shown to lie inside the buffer? */
static gboolean
lie_inside (LsAnalyzer *analyzer,
            LsBuffer   *buffer,
            LsArray    *indices)
{
  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      LsExpr *index = ls_array_at (indices, i, LsExpr);
      g_autoptr(LsExpr) inside = ls_and (ls_ge (ls_ref (index), ls_const_int (ls_dtype (index), 0)),
                                         ls_lt (ls_ref (index), ls_ref (ls_array_at (buffer->shape, i, LsExpr))));

      if (!ls_analyzer_can_prove (analyzer, inside))
        return FALSE;
    }
  return TRUE;
}

void
ls_doubt_bounds (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsBlock       *block,
                 LsBuffer      *buffer,
                 LsArray       *indices)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  ls_scope_bind (analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  if (!lie_inside (analyzer, buffer, indices))
    ls_move_warn (move, diagnostics, "out-of-bounds", block, "The copy of %s for all variables of block %s may reach outside of %s.",
                  buffer->name, block->name_hint, buffer->name);
}

/* Do the first and the last indices of a region lie inside of its buffer, for all rounds of the loops around `place`? */
static gboolean
region_lies_inside (LsSref         *place,
                    LsBufferRegion *region)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsArray) first = NULL;
  g_autoptr(LsArray) last = NULL;
  GPtrArray *mins = g_ptr_array_new ();
  GPtrArray *maxs = g_ptr_array_new ();

  for (; place != NULL && !place->is_block; place = place->parent)
    ls_scope_bind (analyzer, LS_NODE (ls_sref_for (place)), LS_SCOPE_LOOPS);
  if (place != NULL)
    ls_scope_bind (analyzer, LS_NODE (ls_sref_block (place)), LS_SCOPE_BLOCKS);
  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);

      g_ptr_array_add (mins, ls_ref (range->min));
      g_ptr_array_add (maxs, ls_sub (ls_add (ls_ref (range->min), ls_ref (range->extent)), ls_const_int (ls_dtype (range->min), 1)));
    }
  first = ls_array_take_ptr_array (mins);
  last = ls_array_take_ptr_array (maxs);
  return lie_inside (analyzer, region->buffer, first) && lie_inside (analyzer, region->buffer, last);
}

void
ls_doubt_copied_region (LsMove         *move,
                        LsDiagnostics  *diagnostics,
                        LsSref         *block,
                        LsBufferRegion *region)
{
  if (!region_lies_inside (block->parent, region))
    ls_move_warn (move, diagnostics, "out-of-bounds", block->stmt, "Block %s does not run where it would reach outside of %s, but the copy does.",
                  ls_sref_name (block), region->buffer->name);
}

static gboolean
copy_lies_inside (LsCacheStage   *self,
                  LsState        *state,
                  LsSref         *writer,
                  LsBufferRegion *written)
{
  g_autoptr(LsBufferRegion) region = ls_cache_stage_relax (self, state, writer, written);

  return region_lies_inside (self->place, region);
}

void
ls_doubt_guarded_copy (LsMove        *move,
                       LsDiagnostics *diagnostics,
                       LsSref        *root,
                       LsBuffer      *buffer,
                       LsSref        *writer)
{
  LsExpr *guard = ls_state_realize (move->state, writer)->predicate;
  g_autoptr(GPtrArray) readers = ls_cache_stage_readers (move->state, root, writer);
  LsCacheStage stage = { .root = root, .buffer = buffer };

  ls_cache_stage_find_place (&stage, move->state, writer, readers);
  for (LsSref *p = stage.place; p != NULL && !p->is_block; p = p->parent)
    if (ls_uses (guard, ls_sref_for (p)->loop_var))
      {
        ls_move_warn (move, diagnostics, "unguarded-copy", writer->stmt,
                      "Block %s does not run for all rounds of loop %s; the copy does, and may reach outside of %s.", ls_sref_name (writer), ls_sref_name (p),
                      buffer->name);
        return;
      }
  if (!copy_lies_inside (&stage, move->state, writer, ls_region_of (ls_sref_block (writer)->writes, buffer)))
    ls_move_warn (move, diagnostics, "out-of-bounds", writer->stmt, "What block %s writes cannot be told exactly; the copy may reach outside of %s.",
                  ls_sref_name (writer), buffer->name);
}

typedef struct {
  LsBuffer            *buffer;
  GHashTable          *entered; /* places that may name it */
  LsMatchBufferRegion *view;    /* borrowed */
} ViewSearch;

static LsWalk
look_for_view (LsNode   *node,
               gpointer  user_data)
{
  ViewSearch *self = user_data;

  if (ls_is_expr (node) || ls_rebuild_passes_by (node, self->entered))
    return LS_WALK_PRUNE;
  if (!ls_is (node, MATCH_BUFFER_REGION) || ((LsMatchBufferRegion *) node)->source->buffer != self->buffer)
    return LS_WALK_CONTINUE;
  self->view = (LsMatchBufferRegion *) node;
  return LS_WALK_STOP;
}

void
ls_doubt_views (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsSref        *block,
                LsBuffer      *buffer)
{
  g_autoptr(GHashTable) entered = ls_state_entered (move->state, block, NULL, &buffer, 1);
  ViewSearch search = { buffer, entered, NULL };

  ls_walk (ls_state_func (move->state, block)->body, look_for_view, NULL, &search);
  if (search.view != NULL)
    ls_move_warn (move, diagnostics, "matched", block->stmt, "%s is matched on %s and keeps its shape, so it would show other elements.",
                  search.view->buffer->name, buffer->name);
}
