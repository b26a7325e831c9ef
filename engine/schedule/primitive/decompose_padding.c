/* decompose_padding: a block that pads becomes one that fills everything with the padding and one that copies the rest.
 *
 *   P[v] = A[v - 1] if 1 <= v < 15 else 0     ->     P_pad_const: P[v] = 0
 *                                                    P: P[v + 1] = A[v], for fewer v
 *
 * The first stands before the given loop; the second takes the place of the old one and runs over the elements inside
 * only.  Source: TVM's tir decompose_padding.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/tir/scope.h"

enum { BLOCK, LOOP };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that pads" },
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop before which everything is filled with the padding" },
};

/* ---- the pattern ----------------------------------------------------------------- */

typedef struct {
  LsSref         *sref;
  LsBlockRealize *realize;      /* borrowed, as all below unless said */
  GPtrArray      *loops;        /* of LsSref: around the block, innermost first; owned */
  LsSref         *fill_at;      /* the given loop */
  LsSref         *inside_at;    /* the highest loop that holds nothing but the block */
  LsAnalyzer     *analyzer;     /* owned; knows the loops */
  LsExpr         *value;        /* inside */
  LsExpr         *padding;      /* outside */
  LsExpr         *predicate;    /* owned: inside, over the loops */
  GPtrArray      *region;       /* of LsRange: where each variable is inside; owned */
} Pattern;

static void
pattern_clear (Pattern *self)
{
  g_clear_pointer (&self->loops, g_ptr_array_unref);
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  g_clear_pointer (&self->region, g_ptr_array_unref);
  ls_unref (self->predicate);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pattern, pattern_clear)

static LsWalk
look_for_effect (LsNode   *node,
                 gpointer  user_data)
{
  LsOp *op = ls_is (node, CALL) ? (LsOp *) ((LsCall *) node)->op : NULL;

  return op != NULL && (!ls_is (op, OP) || op->effect > LS_EFFECT_READ_STATE) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_number (LsExpr *expr)
{
  if (ls_is (expr, BROADCAST))
    expr = ((LsBroadcast *) expr)->value;
  return ls_is (expr, INT_IMM) || ls_is (expr, FLOAT_IMM);
}

/* The conjuncts in order, without hints. Takes `sum`. */
static LsExpr *
conjoin (LsExpr *sum,
         LsExpr *condition)
{
  if (ls_is (condition, AND))
    return conjoin (conjoin (sum, ((LsBinary *) condition)->a), ((LsBinary *) condition)->b);
  if (ls_is_call (condition, "tir.likely"))
    condition = ls_array_at (((LsCall *) condition)->args, 0, LsExpr);
  return ls_and (sum, ls_ref (condition));
}

static gboolean
refuse_pattern (LsMove        *move,
                LsDiagnostics *diagnostics,
                Pattern       *self,
                const char    *reason)
{
  ls_move_refuse (move, diagnostics, "pattern", self->realize->block, "Block %s %s.", self->realize->block->name_hint, ls_translate (reason));
  return FALSE;
}

static gboolean
find_region (LsMove        *move,
             LsDiagnostics *diagnostics,
             Pattern       *self,
             LsDomMap      *domains)
{
  g_autoptr(LsIterMapResult) map = ls_detect_iter_map (self->realize->iter_values, domains, self->predicate, LS_ITER_MAP_SURJECTIVE,
                                                       self->analyzer, TRUE);

  if (ls_array_n (map->indices) == 0)
    return refuse_pattern (move, diagnostics, self, LS_TEXT ("pads where its variables depend on each other"));
  for (guint i = 0; i < map->indices->n; i++)
    {
      LsIterSum *sum = ls_array_at (map->indices, i, LsIterSum);
      LsIterSplit *split = ls_array_n (sum->args) > 0 ? ls_array_at (sum->args, 0, LsIterSplit) : NULL;

      if (split != NULL && !ls_is_one (split->scale))
        return refuse_pattern (move, diagnostics, self, LS_TEXT ("pads with a stride"));
      g_ptr_array_add (self->region, ls_range_new (ls_ref (sum->base), split != NULL ? ls_ref (split->extent) : ls_const_int (ls_dtype (sum->base), 1)));
    }
  return TRUE;
}

static gboolean
match_pattern (LsMove        *move,
               LsDiagnostics *diagnostics,
               Pattern       *self,
               LsDomMap      *domains)
{
  LsBlock *block = self->realize->block;
  LsBufferStore *store = (LsBufferStore *) block->body;
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(LsExpr) condition = NULL;
  g_autoptr(LsExpr) inside = NULL;
  LsArray *args;

  if (!ls_is (store, BUFFER_STORE) || !ls_is_call (store->value, "tir.if_then_else") || ls_array_n (block->writes) != 1)
    return refuse_pattern (move, diagnostics, self, LS_TEXT ("is no store of a value under a condition"));
  args = ((LsCall *) store->value)->args;
  self->value = ls_array_at (args, 1, LsExpr);
  self->padding = ls_array_at (args, 2, LsExpr);
  if (!is_number (self->padding))
    return refuse_pattern (move, diagnostics, self, LS_TEXT ("pads with something that is no number"));
  if (!ls_walk (self->value, look_for_effect, NULL, NULL))
    return refuse_pattern (move, diagnostics, self, LS_TEXT ("does more than compute a value"));
  for (guint i = 0; i < ls_array_n (self->realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (block->iter_vars, i, LsIterVar)->var, self->realize->iter_values->items[i]);
  condition = (LsExpr *) ls_substitute (args->items[0], map);
  inside = conjoin (conjoin (ls_bool (TRUE), condition), self->realize->predicate);
  self->predicate = ls_analyzer_simplify (self->analyzer, inside);
  if (ls_is_one (self->predicate))
    return refuse_pattern (move, diagnostics, self, LS_TEXT ("has a condition that always holds"));
  return find_region (move, diagnostics, self, domains);
}

/* Finds the loops; FALSE when the given one does not stand around the block. */
static gboolean
find_loops (Pattern  *self,
            LsDomMap *domains)
{
  gboolean found = FALSE;
  gboolean chain = TRUE;

  for (guint i = 0; i < self->loops->len; i++)
    {
      LsSref *sref = self->loops->pdata[i];
      LsFor *loop = ls_sref_for (sref);
      g_autoptr(LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      ls_dom_map_set_range (domains, loop->loop_var, range);
      ls_scope_bind (self->analyzer, LS_NODE (loop), LS_SCOPE_LOOPS);
      if (chain && sref != self->fill_at)
        chain = ls_is (loop->body, FOR) || ls_is (loop->body, BLOCK_REALIZE);
      if (chain)
        self->inside_at = sref;
      if (sref == self->fill_at)
        {
          found = TRUE;
          chain = FALSE;
        }
    }
  return found;
}

static gboolean
pattern_make (Pattern       *self,
              LsMove        *move,
              LsDiagnostics *diagnostics)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(GPtrArray) loops = NULL;
  LsDiagnostic *finding;

  self->sref = ls_move_sref (move, BLOCK);
  self->fill_at = ls_move_sref (move, LOOP);
  self->realize = ls_state_realize (move->state, self->sref);
  self->loops = g_ptr_array_new ();
  self->analyzer = ls_analyzer_new ();
  self->region = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  loops = ls_state_loops (move->state, self->sref);
  for (guint i = loops->len; i-- > 0;)
    g_ptr_array_add (self->loops, loops->pdata[i]);
  if (!find_loops (self, domains))
    {
      finding = ls_move_refuse (move, diagnostics, "loop-not-around", self->fill_at->stmt, "Loop %s does not stand around block %s.",
                                ls_sref_name (self->fill_at), ls_sref_name (self->sref));
      ls_move_add_culprit (move, finding, self->sref->stmt);
      return FALSE;
    }
  if (self->inside_at == NULL)
    {
      ls_move_refuse (move, diagnostics, "not-alone", ((LsSref *) self->loops->pdata[0])->stmt, "Loop %s holds more than block %s.",
                      ls_sref_name (self->loops->pdata[0]), ls_sref_name (self->sref));
      return FALSE;
    }
  return match_pattern (move, diagnostics, self, domains);
}

/* Warns where the loop that is replaced holds other blocks: TVM takes them away with it. */
static void
doubt_others (LsMove        *move,
              LsDiagnostics *diagnostics,
              Pattern       *self)
{
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, self->inside_at);

  for (guint i = 0; i < blocks->len; i++)
    if (blocks->pdata[i] != self->sref)
      ls_move_warn (move, diagnostics, "lost-block", ((LsSref *) blocks->pdata[i])->stmt, "Block %s stands in loop %s too and is lost.",
                    ls_sref_name (blocks->pdata[i]), ls_sref_name (self->inside_at));
}

static gboolean
is_over_loops (Pattern *self,
               LsExpr  *condition)
{
  for (guint i = 0; i < self->loops->len; i++)
    if (ls_uses (condition, ls_sref_for ((LsSref *) self->loops->pdata[i])->loop_var))
      return TRUE;
  return FALSE;
}

/* Warns of conditions over variables of blocks further out: what is copied inside goes by the loops alone. */
static void
doubt_conditions (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  Pattern       *self,
                  LsExpr        *condition)
{
  if (ls_is (condition, AND))
    {
      doubt_conditions (move, diagnostics, self, ((LsBinary *) condition)->a);
      doubt_conditions (move, diagnostics, self, ((LsBinary *) condition)->b);
    }
  else if (!is_over_loops (self, condition))
    ls_move_warn (move, diagnostics, "lost-condition", self->realize->block, "The padding of block %s depends on a block around its loops; that condition is lost.",
                  self->realize->block->name_hint);
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_auto(Pattern) pattern = { NULL };
  LsSref *block = ls_move_sref (move, BLOCK);
  LsSref *root;

  if (!ls_legal_scope (move, diagnostics, block, FALSE, &root) || !ls_legal_complete_block (move, diagnostics, block, root))
    return FALSE;
  if (!pattern_make (&pattern, move, diagnostics))
    return FALSE;
  if (diagnostics != NULL)
    {
      doubt_others (move, diagnostics, &pattern);
      doubt_conditions (move, diagnostics, &pattern, pattern.predicate);
    }
  return TRUE;
}

/* ---- the two blocks ------------------------------------------------------------------ */

static LsExpr *
over (Pattern    *self,
      gpointer    expr,
      GHashTable *map)
{
  g_autoptr(LsExpr) open = (LsExpr *) ls_substitute (expr, map);

  return ls_analyzer_simplify (self->analyzer, open);
}

static LsArray *
all_over (Pattern    *self,
          LsArray    *exprs,
          GHashTable *map)
{
  GPtrArray *fresh = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (exprs); i++)
    g_ptr_array_add (fresh, over (self, exprs->items[i], map));
  return ls_array_take_ptr_array (fresh);
}

static LsArray *
regions_over (Pattern    *self,
              LsArray    *regions,
              GHashTable *map)
{
  GPtrArray *fresh = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      GPtrArray *ranges = g_ptr_array_new ();

      for (guint k = 0; k < ls_array_n (region->region); k++)
        {
          LsRange *range = ls_array_at (region->region, k, LsRange);

          g_ptr_array_add (ranges, ls_range_new (over (self, range->min, map), over (self, range->extent, map)));
        }
      g_ptr_array_add (fresh, ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges)));
    }
  return ls_array_take_ptr_array (fresh);
}

/* Fills everything with the padding; *made is its block. (transfer full) */
static LsStmt *
fill_nest (Pattern  *self,
           LsBlock **made)
{
  LsBlock *old = self->realize->block;
  LsBufferStore *store = (LsBufferStore *) old->body;
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(GPtrArray) vars = g_ptr_array_new ();
  g_autofree char *name = g_strconcat (old->name_hint, "_pad_const", NULL);
  GPtrArray *iter_vars = g_ptr_array_new ();
  LsStmt *nest;

  for (guint i = 0; i < ls_array_n (old->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (old->iter_vars, i, LsIterVar);
      LsVar *var = ls_var_copy (iter->var, NULL);

      g_hash_table_insert (map, iter->var, var);
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_ref (iter->dom), var, LS_ITER_DATA_PAR, NULL));
    }
  *made = ls_block_new (ls_array_take_ptr_array (iter_vars), NULL, regions_over (self, old->writes, map), name,
                        ls_buffer_store_new (ls_ref (store->buffer), ls_ref (self->padding), all_over (self, store->indices, map), NULL),
                        NULL, NULL, NULL, NULL);
  for (guint i = 0; i < self->loops->len; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) self->loops->pdata[i]);
      LsVar *var = ls_var_copy (loop->loop_var, NULL);

      g_ptr_array_add (vars, var);
      g_hash_table_insert (map, loop->loop_var, var);
      if (self->loops->pdata[i] == self->fill_at)
        break;
    }
  nest = LS_STMT (ls_block_realize_new (all_over (self, self->realize->iter_values, map), over (self, self->realize->predicate, map), *made));
  for (guint i = 0; i < vars->len; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) self->loops->pdata[i]);

      nest = LS_STMT (ls_for_new (vars->pdata[i], ls_ref (loop->min), ls_ref (loop->extent), LS_FOR_SERIAL, nest, NULL, NULL));
    }
  return nest;
}

/* The loops that run over fewer elements: loop variable -> Range (owned). */
static GHashTable *
own_loops (Pattern *self)
{
  GHashTable *ranges = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < self->loops->len; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) self->loops->pdata[i]);

      g_hash_table_insert (ranges, loop->loop_var, ls_range_new (ls_ref (loop->min), ls_ref (loop->extent)));
      if (self->loops->pdata[i] == self->inside_at)
        break;
    }
  return ranges;
}

/* The elements inside; *made is its block. (transfer full) */
static LsStmt *
inside_nest (Pattern  *self,
             LsBlock **made)
{
  LsBlock *old = self->realize->block;
  LsBufferStore *store = (LsBufferStore *) old->body;
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(GHashTable) ranges = own_loops (self);
  GPtrArray *iter_vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();
  LsStmt *nest;

  for (guint i = 0; i < self->region->len; i++)
    {
      LsIterVar *iter = ls_array_at (old->iter_vars, i, LsIterVar);
      LsRange *region = self->region->pdata[i];
      LsExpr *value = ls_array_at (self->realize->iter_values, i, LsExpr);
      LsVar *var = ls_var_copy (iter->var, NULL);
      LsRange *dom = ls_range_new (ls_const_int (ls_dtype (var), 0), ls_ref (region->extent));
      g_autoptr(LsExpr) shifted = NULL;

      g_ptr_array_add (iter_vars, ls_iter_var_new (dom, var, LS_ITER_DATA_PAR, NULL));
      g_hash_table_insert (map, iter->var, ls_add (LS_EXPR (ls_ref (var)), ls_ref (region->min)));
      if (ls_is_var (value) && g_hash_table_contains (ranges, value))
        {
          g_hash_table_insert (ranges, value, ls_ref (dom));
          g_ptr_array_add (values, ls_ref (value));
          g_hash_table_insert (map, value, ls_add (ls_ref (value), ls_ref (region->min)));
          ls_analyzer_bind_range (self->analyzer, (LsVar *) value, dom, TRUE);
          continue;
        }
      shifted = ls_sub (ls_ref (value), ls_ref (region->min));
      g_ptr_array_add (values, ls_analyzer_simplify (self->analyzer, shifted));
    }
  *made = ls_block_new (ls_array_take_ptr_array (iter_vars), regions_over (self, old->reads, map), regions_over (self, old->writes, map),
                        old->name_hint, ls_buffer_store_new (ls_ref (store->buffer), over (self, self->value, map),
                                                             all_over (self, store->indices, map), NULL), NULL, NULL, NULL, NULL);
  nest = LS_STMT (ls_block_realize_new (ls_array_take_ptr_array (values), over (self, self->predicate, map), *made));
  for (guint i = 0; i < self->loops->len; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) self->loops->pdata[i]);
      LsRange *range = g_hash_table_lookup (ranges, loop->loop_var);

      nest = LS_STMT (ls_for_new (ls_ref (loop->loop_var), ls_ref (range->min), ls_ref (range->extent), loop->kind, nest,
                                  ls_ref (loop->thread_binding), ls_ref (loop->annotations)));
      if (self->loops->pdata[i] == self->inside_at)
        break;
    }
  return nest;
}

/* ---- placement -------------------------------------------------------------------------- */

typedef struct {
  Pattern *pattern;
  LsStmt  *fill;
  LsStmt  *inside;
} Placement;

static LsNode *
place (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  Placement *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_is_expr (node) || ls_is (node, BLOCK))
    return ls_node_ref (node);
  fresh = node == self->pattern->inside_at->stmt ? ls_node_ref (self->inside) : ls_rewrite_default (rewriter, node);
  if (node == self->pattern->fill_at->stmt)
    return ls_seq_stmt_new (ls_array_of (ls_node_ref (self->fill), g_steal_pointer (&fresh), NULL));
  return ls_is (node, SEQ_STMT) && fresh != node ? ls_seq (ls_ref (((LsSeqStmt *) fresh)->seq)) : g_steal_pointer (&fresh);
}

/* Readers that do not stand under what holds them and the filling are no longer covered there. */
static void
update_cover (LsMove *move,
              LsSref *block,
              LsSref *fill)
{
  LsSref *root = ls_state_scope_root (move->state, block);
  g_autoptr(GPtrArray) readers = ls_state_consumers (move->state, block);

  for (guint i = 0; i < readers->len; i++)
    {
      LsSref *pair[2] = { readers->pdata[i], block };
      LsSref *top = ls_sref_common (pair, 2);

      if (ls_sref_is_ancestor (top, fill))
        continue;
      ((LsSref *) readers->pdata[i])->region_cover = FALSE;
      root->stage_pipeline = FALSE;
      ls_state_touch (move->state, readers->pdata[i]);
      ls_state_touch (move->state, root);
    }
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_auto(Pattern) pattern = { NULL };
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsNode) fill = NULL;
  g_autoptr(LsNode) inside = NULL;
  g_autoptr(LsNode) body = NULL;
  g_autoptr(LsBlock) new_root = NULL;
  LsBlock *fill_block, *inside_block;
  LsSref *root, *made;

  pattern_make (&pattern, move, NULL);
  root = ls_state_scope_root (move->state, pattern.sref);
  fill = fill_nest (&pattern, &fill_block);
  inside = inside_nest (&pattern, &inside_block);
  body = ls_rewrite_with (ls_sref_block (root)->body, place, &(Placement) { &pattern, fill, inside });
  new_root = ls_block_with_body (ls_sref_block (root), body);
  ls_block_reuse_add (reuse, ls_sref_block (root), new_root);
  ls_block_reuse_add (reuse, pattern.realize->block, inside_block);
  ls_state_replace (move->state, root, new_root, reuse);
  made = ls_state_sref (move->state, fill_block);
  made->affine_binding = made->region_cover = made->stage_pipeline = TRUE;
  update_cover (move, pattern.sref, made);
  ls_move_note (move, LS_LINEAGE_COPIED, made, pattern.sref);
  ls_move_result (move, made);
  return TRUE;
}

const LsInstruction ls_instruction_decompose_padding = {
  .name = "decompose_padding",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .summary = LS_TEXT ("Fills with the padding first, then writes what is inside"),
  .condition = "The block is complete and stores a value under a condition, else a number. Where the condition holds is a box of "
               "its variables. The loop stands around it.",
  .source = "TVM v0.20 tir.Schedule.decompose_padding",
  .check = check,
  .apply = apply,
};
