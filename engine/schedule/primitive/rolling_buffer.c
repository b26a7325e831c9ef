/* rolling_buffer: a temporary buffer that a tile fills anew keeps what neighbouring tiles share.
 *
 *   for i_0:                                            for i_0:
 *     B[i_0 * 4 + ax0] = ...   (6 of them)      ->        if i_0 < 1 or 2 <= ax0: B[(i_0 * 4 + ax0) % 6] = ...
 *     ... B[vi + vk] ...                                  ... B[(vi + vk) % 6] ...
 *
 * One dimension of the buffer, the one along the outermost loop over tiles that overlap, becomes a ring as long as a tile
 * is; indices are taken modulo its length, and elements that an earlier tile made are not made again.  The variable along
 * the ring becomes opaque, for its loops may no longer be cut short.  Source: TVM's tir rolling_buffer.
 */
#include "engine/schedule/primitive/primitive.h"

#include "engine/tir/regions.h"

enum { BLOCK, WRITE_BUFFER_INDEX };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that writes the buffer" },
  { "write_buffer_index", LS_PARAM_INT, 0, NULL, "which of the buffers that it writes, from 0" },
};

/* How one dimension moves from tile to tile. */
typedef struct {
  LsVar  *var;                  /* of the loop over tiles; NULL: it stands still or does not overlap */
  gint64  overlap;              /* elements that two neighbours share */
} Axis;

typedef struct {
  LsSref   *root;
  LsBuffer *buffer;             /* borrowed */
  LsBufferRegion *tile;         /* owned: what one tile fills */
  GArray   *axes;               /* of Axis */
  guint     axis;               /* the dimension that becomes a ring */
  gint64    length;             /* of the ring */
} Plan;

static void
plan_clear (Plan *self)
{
  ls_unref (self->tile);
  g_clear_pointer (&self->axes, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* ---- check --------------------------------------------------------------------- */

/* The innermost loop around the block and all its readers, or NULL with a finding. */
static LsSref *
legal_tile_loop (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *block,
                 LsBuffer      *buffer)
{
  g_autoptr(GPtrArray) users = ls_state_consumers (move->state, block);
  LsDiagnostic *finding;
  LsSref *common;

  g_ptr_array_add (users, block);
  common = ls_sref_common ((LsSref **) users->pdata, users->len);
  if (!common->is_block)
    return common;
  finding = ls_move_refuse (move, diagnostics, "not-tiled", block->stmt, "No loop stands around block %s and all blocks that read %s.",
                            ls_sref_name (block), buffer->name);
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "Split the loops of the reader and put block %s into them with compute_at first.", ls_sref_name (block));
  return NULL;
}

/* What the block writes while the loop and those around it stand still. (transfer full) */
static LsBufferRegion *
tile_region (LsMove         *move,
             LsSref         *block,
             LsBufferRegion *region,
             LsSref         *loop)
{
  LsBlockRealize *realize = ls_state_realize (move->state, block);
  g_autoptr(LsDomMap) domains = ls_state_loop_domains (move->state, block->parent, loop, NULL);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(LsArray) open = NULL;
  g_autoptr(LsNDIntSet) sets = NULL;
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  open = (LsArray *) ls_substitute (region->region, map);
  sets = ls_eval_region (open, domains);
  for (guint i = 0; i < sets->len; i++)
    {
      LsExpr *size = ls_array_at (region->buffer->shape, i, LsExpr);
      g_autoptr(LsRange) all = ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size));

      g_ptr_array_add (ranges, ls_int_set_cover_range (sets->pdata[i], all));
    }
  return ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges));
}

/* Begin as var * stride, or the same divided by a number; a constant begin stands still.  FALSE: another form. */
static gboolean
match_begin (LsExpr  *begin,
             LsVar  **var,
             gint64  *stride)
{
  gint64 divisor = 1;

  *var = NULL;
  *stride = 1;
  if (ls_is (begin, FLOOR_DIV))
    {
      if (!ls_as_int (((LsBinary *) begin)->b, &divisor) || divisor <= 0)
        return FALSE;
      begin = ((LsBinary *) begin)->a;
    }
  if (ls_is (begin, INT_IMM))
    return TRUE;
  if (ls_is_var (begin))
    *var = (LsVar *) begin;
  else if (ls_is (begin, MUL) && ls_is_var (((LsBinary *) begin)->a) && ls_as_int (((LsBinary *) begin)->b, stride))
    *var = (LsVar *) ((LsBinary *) begin)->a;
  else
    return FALSE;
  *stride = (*stride + divisor - 1) / divisor;
  return TRUE;
}

static gboolean
legal_pattern (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsSref        *block,
               Plan          *plan)
{
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, block);
  LsDiagnostic *finding;
  gboolean known = TRUE;

  plan->axes = g_array_new (FALSE, TRUE, sizeof (Axis));
  for (guint i = 0; known && i < ls_array_n (plan->tile->region); i++)
    {
      LsRange *range = ls_array_at (plan->tile->region, i, LsRange);
      Axis axis = { NULL, 0 };
      gint64 stride, extent;

      known = match_begin (range->min, &axis.var, &stride) && (axis.var == NULL || ls_as_int (range->extent, &extent));
      if (known && axis.var != NULL)
        axis.overlap = extent - stride;
      if (axis.overlap <= 0)
        axis.var = NULL;
      g_array_append_val (plan->axes, axis);
    }
  for (guint l = 0; known && l < loops->len; l++)
    for (guint i = 0; i < plan->axes->len; i++)
      if (g_array_index (plan->axes, Axis, i).var == ls_sref_for ((LsSref *) loops->pdata[l])->loop_var)
        {
          plan->axis = i;
          return ls_as_int (ls_array_at (plan->tile->region, i, LsRange)->extent, &plan->length);
        }
  finding = ls_move_refuse (move, diagnostics, "no-overlap", block->stmt,
                            "No dimension of %s moves over tiles that overlap: none begins at a loop variable times a number and is longer than that.",
                            plan->buffer->name);
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "Split a loop of the reader into tiles and put block %s under the outer one.", ls_sref_name (block));
  return FALSE;
}

static gboolean
plan_make (Plan          *plan,
           LsMove        *move,
           LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsBufferRegion *region;
  LsSref *loop;

  plan->buffer = ls_legal_access_buffer (move, diagnostics, block, WRITE_BUFFER_INDEX, TRUE);
  if (plan->buffer == NULL || !ls_legal_scope (move, diagnostics, block, FALSE, &plan->root) ||
      !ls_legal_not_output (move, diagnostics, block, plan->root))
    return FALSE;
  loop = legal_tile_loop (move, diagnostics, block, plan->buffer);
  if (loop == NULL)
    return FALSE;
  region = ls_array_at (ls_sref_block (block)->writes, ls_move_int (move, WRITE_BUFFER_INDEX), LsBufferRegion);
  plan->tile = tile_region (move, block, region, loop);
  return legal_pattern (move, diagnostics, block, plan);
}

/* Warns where a tile does not find what it shares with the one before: the loops between start anew each time. */
static void
doubt_tiles (LsMove        *move,
             LsDiagnostics *diagnostics,
             Plan          *plan)
{
  LsSref *block = ls_move_sref (move, BLOCK);

  for (guint i = 0; i < plan->axes->len; i++)
    {
      LsVar *var = g_array_index (plan->axes, Axis, i).var;

      if (var == NULL || i == plan->axis)
        continue;
      for (guint k = 0; k < ls_array_n (plan->buffer->shape); k++)
        {
          gint64 size, tile;

          if (k != i || !ls_as_int (plan->buffer->shape->items[k], &size) || !ls_as_int (ls_array_at (plan->tile->region, k, LsRange)->extent, &tile))
            continue;
          ls_move_warn (move, diagnostics, "two-overlaps", block->stmt, "Tiles of %s overlap along loop %s too; only one dimension becomes a ring.",
                        plan->buffer->name, var->name);
        }
    }
}

/* Warns where the dimensions of the buffer are not the variables of the block in their order, which is what the ring and the
 * condition for what is made already go by. */
static void
doubt_variables (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 Plan          *plan)
{
  LsBlock *block = ls_sref_block (ls_move_sref (move, BLOCK));
  LsBufferRegion *region = ls_array_at (block->writes, ls_move_int (move, WRITE_BUFFER_INDEX), LsBufferRegion);

  for (guint i = 0; i < plan->axes->len; i++)
    if (g_array_index (plan->axes, Axis, i).var != NULL &&
        (i >= ls_array_n (block->iter_vars) || ls_array_at (region->region, i, LsRange)->min != LS_EXPR (ls_array_at (block->iter_vars, i, LsIterVar)->var)))
      {
        ls_move_warn (move, diagnostics, "other-variable", block, "Dimension %u of %s is not indexed by variable %u of block %s; the ring counts by that one.", i,
                      plan->buffer->name, i, block->name_hint);
        return;
      }
}

/* Warns where the block makes several elements of the ring's dimension in one round of its own: what is made already is told by its variable,
 * so that all of them count as made where the first is. */
static void
doubt_rows (LsMove        *move,
            LsDiagnostics *diagnostics,
            Plan          *plan)
{
  LsBlock *block = ls_sref_block (ls_move_sref (move, BLOCK));
  LsBufferRegion *region = ls_array_at (block->writes, ls_move_int (move, WRITE_BUFFER_INDEX), LsBufferRegion);

  if (!ls_is_int_value (ls_array_at (region->region, plan->axis, LsRange)->extent, 1))
    ls_move_warn (move, diagnostics, "several-rows", block, "Block %s writes several elements of dimension %u of %s at once; those that the tile before has not made are left out.",
                  block->name_hint, plan->axis, plan->buffer->name);
}

static LsWalk
look_for_sum (LsNode   *node,
              gpointer  user_data)
{
  gpointer *search = user_data;
  guint axis = *(guint *) search[0];
  LsBlock *block = (LsBlock *) node;

  if (!ls_is (node, BLOCK) || block->init == NULL || axis >= ls_array_n (block->iter_vars) ||
      ls_array_at (block->iter_vars, axis, LsIterVar)->iter_type != LS_ITER_COMM_REDUCE)
    return LS_WALK_CONTINUE;
  search[1] = block;
  return LS_WALK_STOP;
}

/* Warns of sums in the scope: the variable at the place of the ring's becomes opaque in every block, and a sum over it then
 * starts anew each time. */
static void
doubt_sums (LsMove        *move,
            LsDiagnostics *diagnostics,
            Plan          *plan)
{
  gpointer search[] = { &plan->axis, NULL };

  ls_walk (ls_sref_block (plan->root)->body, look_for_sum, NULL, search);
  if (search[1] != NULL)
    ls_move_warn (move, diagnostics, "opaque-sum", search[1], "Variable %u of block %s becomes opaque with the ring; its init then runs in every round.", plan->axis,
                  ((LsBlock *) search[1])->name_hint);
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_auto(Plan) plan = { NULL };

  if (!plan_make (&plan, move, diagnostics))
    return FALSE;
  if (diagnostics != NULL)
    {
      doubt_tiles (move, diagnostics, &plan);
      doubt_rows (move, diagnostics, &plan);
      doubt_variables (move, diagnostics, &plan);
      doubt_sums (move, diagnostics, &plan);
    }
  return TRUE;
}

/* ---- rewriting -------------------------------------------------------------------- */

typedef struct {
  Plan         *plan;
  LsBuffer     *ring;           /* owned */
  gboolean      stores;         /* the block that was left last stores into the ring */
  LsBlockReuse *reuse;
} Rolling;

static LsArray *
ring_indices (Rolling *self,
              LsArray *indices)
{
  LsExpr *old = ls_array_at (indices, self->plan->axis, LsExpr);
  g_autoptr(LsExpr) index = ls_floormod (ls_ref (old), ls_const_int (ls_dtype (old), self->plan->length));

  return ls_array_with (indices, self->plan->axis, index);
}

/* The regions with that of the buffer as found in the body. (transfer full) */
static LsArray *
found_regions (Rolling *self,
               LsArray *regions,
               LsArray *found)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      LsBufferRegion *own = region->buffer == self->plan->buffer ? ls_region_of (found, self->ring) : NULL;

      g_ptr_array_add (changed, ls_ref (own != NULL ? own : region));
    }
  return ls_array_take_ptr_array (changed);
}

static LsArray *
with_opaque_axis (Rolling *self,
                  LsArray *iter_vars)
{
  LsIterVar *old;
  g_autoptr(LsIterVar) fresh = NULL;

  if (self->plan->axis >= ls_array_n (iter_vars))
    return ls_ref (iter_vars);
  old = ls_array_at (iter_vars, self->plan->axis, LsIterVar);
  fresh = ls_iter_var_new (ls_ref (old->dom), ls_ref (old->var), LS_ITER_OPAQUE, old->thread_tag);
  return ls_array_with (iter_vars, self->plan->axis, fresh);
}

static LsNode *
rewrite_block (Rolling    *self,
               LsRewriter *rewriter,
               LsBlock    *block)
{
  g_autoptr(LsBlock) fresh = (LsBlock *) ls_rewrite_default (rewriter, block);
  g_autoptr(LsArray) visible = NULL;
  g_autoptr(LsArray) reads = NULL;
  g_autoptr(LsArray) writes = NULL;
  LsBlock *done;

  if (LS_NODE (block) == self->plan->root->stmt)
    {
      gint at = ls_array_index_of (fresh->alloc_buffers, self->plan->buffer);
      g_autoptr(LsArray) buffers = at >= 0 ? ls_array_with (fresh->alloc_buffers, (guint) at, self->ring) : ls_ref (fresh->alloc_buffers);

      done = ls_block_with_alloc_buffers (fresh, buffers);
    }
  else
    {
      visible = ls_array_of (ls_ref (self->ring), NULL);
      ls_block_read_write_region (fresh, visible, &reads, &writes);
      done = ls_block_new (with_opaque_axis (self, fresh->iter_vars), found_regions (self, fresh->reads, reads), found_regions (self, fresh->writes, writes),
                           fresh->name_hint, ls_ref (fresh->body), ls_ref (fresh->init), ls_ref (fresh->alloc_buffers), ls_ref (fresh->match_buffers),
                           ls_ref (fresh->annotations));
    }
  ls_block_reuse_add (self->reuse, block, done);
  return LS_NODE (done);
}

/* The condition under which an element was not made by an earlier tile. (transfer full) */
static LsExpr *
not_made (Rolling        *self,
          LsBlockRealize *realize)
{
  LsExpr *condition = ls_ref (realize->predicate);

  for (guint i = 0; i < self->plan->axes->len && i < ls_array_n (realize->iter_values); i++)
    {
      Axis *axis = &g_array_index (self->plan->axes, Axis, i);
      g_autoptr(LsAnalyzer) analyzer = NULL;
      g_autoptr(LsDomMap) first = NULL;
      g_autoptr(LsIntSet) zero = NULL;
      g_autoptr(LsIntSet) set = NULL;
      g_autoptr(LsExpr) both = NULL;
      LsExpr *value;

      if (axis->var == NULL)
        continue;
      analyzer = ls_analyzer_new ();
      first = ls_dom_map_new ();
      zero = ls_int_set_new_interval (ls_const_int (ls_dtype (axis->var), 0), ls_const_int (ls_dtype (axis->var), 0));
      ls_dom_map_set_set (first, axis->var, zero);
      value = ls_array_at (realize->iter_values, i, LsExpr);
      set = ls_analyzer_int_set (analyzer, value, first);
      both = ls_and (condition, ls_or (ls_lt (LS_EXPR (ls_ref (axis->var)), ls_const_int (ls_dtype (axis->var), 1)),
                                       ls_ge (ls_ref (ls_int_set_min (set)), ls_const_int (ls_dtype (value), axis->overlap))));
      condition = ls_analyzer_simplify (analyzer, both);
    }
  return condition;
}

static LsNode *
rewrite_realize (Rolling        *self,
                 LsRewriter     *rewriter,
                 LsBlockRealize *realize)
{
  g_autoptr(LsBlockRealize) fresh = (LsBlockRealize *) ls_rewrite_default (rewriter, realize);

  if (!self->stores)
    return LS_NODE (g_steal_pointer (&fresh));
  self->stores = FALSE;
  return LS_NODE (ls_block_realize_new (ls_ref (fresh->iter_values), not_made (self, fresh), ls_ref (fresh->block)));
}

static LsNode *
rewrite (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Rolling *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_is (node, BLOCK))
    return rewrite_block (self, rewriter, (LsBlock *) node);
  if (ls_is (node, BLOCK_REALIZE))
    return rewrite_realize (self, rewriter, (LsBlockRealize *) node);
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (fresh, BUFFER_LOAD) && ((LsBufferLoad *) fresh)->buffer == self->plan->buffer)
    return LS_NODE (ls_buffer_load_new (ls_ref (self->ring), ring_indices (self, ((LsBufferLoad *) fresh)->indices), ls_ref (((LsBufferLoad *) fresh)->predicate)));
  if (ls_is (fresh, BUFFER_STORE) && ((LsBufferStore *) fresh)->buffer == self->plan->buffer)
    {
      self->stores = TRUE;
      return ls_buffer_store_new (ls_ref (self->ring), ls_ref (((LsBufferStore *) fresh)->value), ring_indices (self, ((LsBufferStore *) fresh)->indices),
                                  ls_ref (((LsBufferStore *) fresh)->predicate));
    }
  return g_steal_pointer (&fresh);
}

static LsBuffer *
make_ring (Plan *plan)
{
  LsBuffer *old = plan->buffer;

  return ls_buffer_new_full (ls_ref (old->data), old->dtype, ls_array_with (old->shape, plan->axis, ls_array_at (plan->tile->region, plan->axis, LsRange)->extent),
                             ls_ref (old->strides), ls_ref (old->elem_offset), old->name, old->data_alignment, old->offset_factor, old->buffer_type,
                             ls_ref (old->axis_separators));
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_auto(Plan) plan = { NULL };
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBuffer) ring = NULL;
  g_autoptr(LsNode) fresh = NULL;
  Rolling self = { &plan, NULL, FALSE, reuse };

  plan_make (&plan, move, NULL);
  self.ring = ring = make_ring (&plan);
  fresh = ls_rewrite_with (plan.root->stmt, rewrite, &self);
  ls_state_replace (move->state, plan.root, fresh, reuse);
  ls_state_update_flags (move->state, plan.root);
  ls_move_note_buffer (move, LS_LINEAGE_CHANGED, ring, plan.buffer);
  return TRUE;
}

const LsInstruction ls_instruction_rolling_buffer = {
  .name = "rolling_buffer",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Keeps what overlapping tiles share in a ring"),
  .condition = "The block writes no result of the function, a loop stands around it and all its readers, and the tiles that it "
               "fills overlap along a loop.",
  .source = "TVM v0.20 tir.Schedule.rolling_buffer",
  .check = check,
  .apply = apply,
};
