/* decompose_reduction: the init of a reduction becomes a block of its own before a loop.
 *
 *   for i: for k:                   for i_init: Y_init: Y[i] = 0
 *     Y: init Y[i] = 0        ->    for i: for k:
 *        Y[i] += ...                  Y_update: Y[i] += ...
 *
 * The new block gets copies of those loops from the given one down that its spatial variables need.
 * Source: TVM's tir decompose_reduction.
 */
#include "engine/schedule/primitive/primitive.h"

#include "engine/script/printer.h"
#include "engine/tir/reducer.h"

enum { BLOCK, LOOP };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the reduction block" },
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop before which the init block is put" },
};

/* ---- check ----------------------------------------------------------------- */

/* Is the predicate true, or a chain of comparisons `a < b`?  Only such ones can be taken apart. */
static gboolean
predicate_is_plain (LsExpr *predicate)
{
  LsBinary *pair = (LsBinary *) predicate;

  if (ls_is_one (predicate) || ls_is (predicate, LT))
    return TRUE;
  return ls_is (predicate, AND) && ls_is (pair->b, LT) && !ls_is_one (pair->a) && predicate_is_plain (pair->a);
}

/* A loop above the given one that reaches a reduction variable, or NULL. */
static LsSref *
reduction_loop_above (LsBlockRealize *realize,
                      GPtrArray      *loops,
                      LsSref         *loop)
{
  for (guint l = 0; l < loops->len && loops->pdata[l] != loop; l++)
    for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
      if (ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE &&
          ls_uses (realize->iter_values->items[i], ls_sref_for ((LsSref *) loops->pdata[l])->loop_var))
        return loops->pdata[l];
  return NULL;
}

static gboolean
loop_is_high_enough (LsMove         *move,
                     LsDiagnostics  *diagnostics,
                     LsBlockRealize *realize,
                     GPtrArray      *loops,
                     LsSref         *loop)
{
  LsSref *above = reduction_loop_above (realize, loops, loop);
  LsDiagnostic *finding;

  if (above == NULL)
    return TRUE;
  finding = ls_move_refuse (move, diagnostics, "loop-too-low", loop->stmt,
                            "%s, which %s adds up over, stands outside %s; the init would run again and again.",
                            ls_sref_name (above), realize->block->name_hint, ls_sref_name (loop));
  ls_move_add_culprit (move, finding, above->stmt);
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "decompose_reduction(%s, %s)", realize->block->name_hint, ls_sref_name (above));
  return FALSE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsSref *loop = ls_move_sref (move, LOOP);
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, block);
  LsBlockRealize *realize = ls_state_realize (move->state, block);
  LsSref *root;
  LsDiagnostic *finding;
  gboolean legal;

  if (!ls_legal_scope (move, diagnostics, block, FALSE, &root))
    return FALSE;
  legal = ls_legal_reduction_block (move, diagnostics, block, root);
  if (!g_ptr_array_find (loops, loop, NULL))
    {
      finding = ls_move_refuse (move, diagnostics, "loop-not-around", loop->stmt, "Loop %s does not stand around block %s.",
                                ls_sref_name (loop), ls_sref_name (block));
      ls_move_add_culprit (move, finding, block->stmt);
      return FALSE;
    }
  legal &= loop_is_high_enough (move, diagnostics, realize, loops, loop);
  if (legal && diagnostics != NULL)
    ls_doubt_split_init (move, diagnostics, block, loop);
  if (legal && !predicate_is_plain (realize->predicate))
    {
      g_autofree char *text = ls_script_print_expr (realize->predicate);

      ls_move_refuse (move, diagnostics, "predicate-form", block->stmt, "The guard %s of block %s is no plain comparison.",
                      text, ls_sref_name (block));
      legal = FALSE;
    }
  return legal;
}

/* ---- the init block --------------------------------------------------------- */

typedef struct {
  LsBlock    *block;            /* the reduction, borrowed */
  LsBlockRealize *realize;
  GPtrArray  *loops;            /* around it, outermost first */
  LsSref     *loop;             /* the given one */
  GPtrArray  *iter_vars;        /* of the init block */
  GPtrArray  *values;           /* their bindings, still over the old loops */
  GPtrArray  *chosen;           /* loops to copy, innermost first: of LsSref */
  GPtrArray  *discarded;        /* variables of the loops that are not copied */
} Init;

static gboolean
is_chosen (Init  *self,
           LsVar *var)
{
  for (guint i = 0; i < self->values->len; i++)
    if (ls_uses (self->values->pdata[i], var))
      return TRUE;
  return FALSE;
}

static void
choose_loops (Init *self)
{
  for (guint l = self->loops->len; l-- > 0;)
    {
      LsSref *sref = self->loops->pdata[l];
      LsVar *var = ls_sref_for (sref)->loop_var;

      if (is_chosen (self, var))
        g_ptr_array_add (self->chosen, sref);
      else
        g_ptr_array_add (self->discarded, var);
      if (sref == self->loop)
        return;
    }
}

static gboolean
uses_discarded (Init   *self,
                LsExpr *expr)
{
  for (guint i = 0; i < self->discarded->len; i++)
    if (ls_uses (expr, self->discarded->pdata[i]))
      return TRUE;
  return FALSE;
}

/* The comparisons of the predicate that speak of copied loops only. (transfer full) */
static LsExpr *
init_predicate (Init *self)
{
  LsExpr *rest = self->realize->predicate;
  LsExpr *kept = ls_bool (TRUE);

  while (!ls_is_one (rest))
    {
      LsBinary *less = (LsBinary *) (ls_is (rest, AND) ? ((LsBinary *) rest)->b : rest);

      if (!uses_discarded (self, less->a))
        kept = ls_and (kept, ls_lt (ls_ref (less->a), ls_ref (less->b)));
      if (!ls_is (rest, AND))
        break;
      rest = ((LsBinary *) rest)->a;
    }
  return kept;
}

static LsBlock *
init_block (Init *self)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autofree char *name = g_strconcat (self->block->name_hint, "_init", NULL);
  GPtrArray *writes = g_ptr_array_new ();
  LsStmt *body;

  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    {
      LsIterVar *old = ls_array_at (self->block->iter_vars, i, LsIterVar);
      LsVar *var;

      if (old->iter_type != LS_ITER_DATA_PAR)
        continue;
      var = ls_var_copy (old->var, NULL);
      g_hash_table_insert (map, old->var, var);
      g_ptr_array_add (self->iter_vars, ls_iter_var_new (ls_ref (old->dom), var, old->iter_type, old->thread_tag));
      g_ptr_array_add (self->values, ls_node_ref (self->realize->iter_values->items[i]));
    }
  body = ls_substitute (self->block->init, map);
  for (guint i = 0; i < ls_array_n (self->block->writes); i++)
    {
      LsBufferRegion *region = ls_array_at (self->block->writes, i, LsBufferRegion);

      g_ptr_array_add (writes, ls_buffer_region_new (ls_ref (region->buffer), (LsArray *) ls_substitute (region->region, map)));
    }
  return ls_block_new (ls_array_take_ptr_array (g_steal_pointer (&self->iter_vars)), NULL, ls_array_take_ptr_array (writes),
                       name, body, NULL, NULL, NULL, ls_ref (self->block->annotations));
}

static LsIterVar *
copy_binding (LsIterVar *binding)
{
  if (binding == NULL)
    return NULL;
  return ls_iter_var_new (ls_ref (binding->dom), ls_var_copy (binding->var, NULL), binding->iter_type, binding->thread_tag);
}

/* The init block under copies of the chosen loops. (transfer full) */
static LsStmt *
init_nest (Init *self)
{
  LsBlock *block = init_block (self);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  LsArray *values;
  LsStmt *nest;
  LsStmt *result;

  choose_loops (self);
  values = ls_array_take_ptr_array (g_steal_pointer (&self->values));
  nest = LS_STMT (ls_block_realize_new (values, init_predicate (self), block));
  for (guint i = 0; i < self->chosen->len; i++)
    {
      LsFor *old = ls_sref_for ((LsSref *) self->chosen->pdata[i]);
      g_autofree char *name = g_strconcat (old->loop_var->name, "_init", NULL);
      LsVar *var = ls_var_copy (old->loop_var, name);

      g_hash_table_insert (map, old->loop_var, var);
      nest = LS_STMT (ls_for_new (var, ls_ref (old->min), ls_ref (old->extent), old->kind, nest,
                                  copy_binding (old->thread_binding), NULL));
    }
  result = ls_substitute (nest, map);
  ls_unref (nest);
  return result;
}

/* ---- the update block -------------------------------------------------------- */

static gboolean
reads_buffer (LsBlock  *block,
              LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    if (ls_array_at (block->reads, i, LsBufferRegion)->buffer == buffer)
      return TRUE;
  return FALSE;
}

static LsBlock *
update_block (LsBlock *block)
{
  g_autofree char *name = g_strconcat (block->name_hint, "_update", NULL);
  GPtrArray *reads = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (block->writes); i++)
    if (!reads_buffer (block, ls_array_at (block->writes, i, LsBufferRegion)->buffer))
      g_ptr_array_add (reads, ls_node_ref (block->writes->items[i]));
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    g_ptr_array_add (reads, ls_node_ref (block->reads->items[i]));
  return ls_block_new (ls_ref (block->iter_vars), ls_array_take_ptr_array (reads), ls_ref (block->writes), name,
                       ls_ref (block->body), NULL, ls_ref (block->alloc_buffers), ls_ref (block->match_buffers),
                       ls_ref (block->annotations));
}

typedef struct {
  LsSref  *block;
  LsBlock *old;
  LsBlock *update;
  LsFor   *loop;
  LsStmt  *init;
} Placement;

static LsNode *
place (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  Placement *self = user_data;
  LsNode *fresh;

  if (node == LS_NODE (self->old))
    return LS_NODE (ls_ref (self->update));
  if (ls_rebuild_can_skip (node, self->block, 0))
    return ls_node_ref (node);
  if (ls_is_expr (node) || !(ls_is_stmt (node) || ls_is (node, ARRAY)))
    return ls_node_ref (node);
  fresh = ls_rewrite_default (rewriter, node);
  if (node == LS_NODE (self->loop))
    return ls_seq_stmt_new (ls_array_of (ls_ref (self->init), fresh, NULL));
  if (ls_is (node, SEQ_STMT) && fresh != node)
    {
      LsNode *flat = ls_seq (ls_ref (((LsSeqStmt *) fresh)->seq));

      ls_unref (fresh);
      return flat;
    }
  return fresh;
}

static gboolean
note_copies (LsNode         *stmt,
             LsBlockRealize *realize,
             gpointer        user_data)
{
  gpointer *data = user_data;
  LsMove *move = data[0];
  Init *init = data[1];
  LsSref *made = ls_state_sref (move->state, stmt);
  guint *left = data[2];

  if (made->is_block)
    {
      ls_move_note (move, LS_LINEAGE_COPIED, made, ls_move_sref (move, BLOCK));
      ls_move_result (move, made);
      return TRUE;
    }
  ls_move_note (move, LS_LINEAGE_COPIED, made, init->chosen->pdata[--*left]);
  ls_stmt_foreach_child (((LsFor *) stmt)->body, note_copies, data);
  return TRUE;
}

/* ---- what it was ---------------------------------------------------------------- */

/* The init block as it ran before: where the variables that it does not have are at their first values. (transfer full) */
static LsStmt *
init_in_place (LsBlockRealize *realize,
               LsBlock        *init)
{
  LsExpr *first = ls_ref (realize->predicate);
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    {
      LsIterVar *iter = ls_array_at (realize->block->iter_vars, i, LsIterVar);

      if (iter->iter_type == LS_ITER_DATA_PAR)
        g_ptr_array_add (values, ls_node_ref (realize->iter_values->items[i]));
      else
        first = ls_and (first, ls_eq (ls_ref (ls_array_at (realize->iter_values, i, LsExpr)), ls_ref (iter->dom->min)));
    }
  return LS_STMT (ls_block_realize_new (ls_array_take_ptr_array (values), first, ls_ref (init)));
}

static LsStmt *
as_it_was (LsBlockRealize *realize,
           LsBlock        *init,
           LsBlock        *update)
{
  LsStmt *added = LS_STMT (ls_block_realize_new (ls_ref (realize->iter_values), ls_ref (realize->predicate), ls_ref (update)));

  return ls_seq_stmt_new (ls_array_of (init_in_place (realize, init), added, NULL));
}

static LsBlock *
block_in_nest (LsNode *nest)
{
  while (ls_is (nest, FOR))
    nest = LS_NODE (((LsFor *) nest)->body);
  return ((LsBlockRealize *) nest)->block;
}

static LsWalk
note_load (LsNode   *node,
           gpointer  user_data)
{
  gpointer *data = user_data;

  if (ls_is (node, BUFFER_LOAD) && ls_region_of (data[0], ((LsBufferLoad *) node)->buffer) != NULL)
    data[1] = node;
  return data[1] != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Does something below the loop see the buffers of the sum before it is made: another block, or the terms of the sum? */
static gboolean
is_seen (LsMove  *move,
         LsSref  *loop,
         LsBlock *block)
{
  g_autoptr(GPtrArray) below = ls_state_child_blocks (move->state, loop);
  LsReducer reducer = { 0 };
  gpointer data[2] = { block->writes, NULL };
  gboolean seen = below->len > 1 || ls_reducer_find (&reducer, block) != NULL;

  for (guint i = 0; !seen && i < reducer.n; i++)
    {
      ls_walk (reducer.added[i], note_load, NULL, data);
      seen = data[1] != NULL;
    }
  ls_reducer_clear (&reducer);
  return seen;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsSref *root = ls_state_scope_root (move->state, block);
  LsBlock *old_root = ls_sref_block (root);
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, block);
  g_autoptr(GPtrArray) chosen = g_ptr_array_new ();
  g_autoptr(GPtrArray) discarded = g_ptr_array_new ();
  Init init = { ls_sref_block (block), ls_state_realize (move->state, block), loops, ls_move_sref (move, LOOP),
                g_ptr_array_new (), g_ptr_array_new (), chosen, discarded };
  g_autoptr(LsNode) nest = init_nest (&init);
  g_autoptr(LsBlock) update = update_block (init.block);
  Placement placement = { block, init.block, update, ls_sref_for (init.loop), nest };
  g_autoptr(LsNode) body = ls_rewrite_with (old_root->body, place, &placement);
  g_autoptr(LsBlock) new_root = ls_block_with_body (old_root, body);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  guint left = chosen->len;
  gpointer data[3] = { move, &init, &left };

  if (is_seen (move, init.loop, init.block))
    ls_move_means (move, init.realize, as_it_was (init.realize, block_in_nest (nest), update));
  ls_block_reuse_add (reuse, old_root, new_root);
  ls_block_reuse_add (reuse, init.block, update);
  ls_state_replace (move->state, root, new_root, reuse);
  ls_state_update_flags_below (move->state, root);
  ls_stmt_foreach_child (nest, note_copies, data);
  return TRUE;
}

const LsInstruction ls_instruction_decompose_reduction = {
  .name = "decompose_reduction",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .summary = LS_TEXT ("Makes the init of a reduction a block of its own"),
  .condition = "The block is a reduction: it has an init, affine bindings, only spatial and reduction variables, is the only "
               "writer of its outputs, and no reduction variable indexes them. The loop stands around it and outside all "
               "loops that it adds up over.",
  .source = "TVM v0.20 tir.Schedule.decompose_reduction",
  .check = check,
  .apply = apply,
};
