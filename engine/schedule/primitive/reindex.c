/* reindex: a block gets a buffer of its own that is indexed by its iteration variables alone.
 *
 *   C: C[v] = A[f (v)]      ->      A_reindex: A_reindex[v0] = A[f (v0)]
 *                                   C: C[v] = A_reindex[v]
 *
 * All accesses of the buffer in the block have the same indices; the variables in them are the dimensions of the new
 * buffer.  Of a buffer that is written, the copy comes after the block.  Source: TVM's tir reindex.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/tir/scope.h"

enum { BLOCK, BUFFER };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that gets its own buffer" },
  { "buffer", LS_PARAM_BUFFER, 0, NULL, "(\"read\", 0), (\"write\", 0) or the name of the buffer" },
};

/* ---- check ------------------------------------------------------------------ */

typedef struct {
  LsBuffer *buffer;
  LsArray  *indices;            /* borrowed: of the first access */
  gboolean  differ;
  gboolean  opaque;
  gboolean  has_block;
} Accesses;

static gboolean
same_indices (LsArray *a,
              LsArray *b)
{
  if (ls_array_n (a) != ls_array_n (b))
    return FALSE;
  for (guint i = 0; i < ls_array_n (a); i++)
    if (!ls_deep_equal (a->items[i], b->items[i]))
      return FALSE;
  return TRUE;
}

static LsWalk
look (LsNode   *node,
      gpointer  user_data)
{
  Accesses *self = user_data;
  LsArray *indices = NULL;

  self->has_block |= ls_is (node, BLOCK);
  self->opaque |= node == LS_NODE (self->buffer->data);
  if (ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer == self->buffer)
    indices = ((LsBufferLoad *) node)->indices;
  if (ls_is (node, BUFFER_STORE) && ((LsBufferStore *) node)->buffer == self->buffer)
    indices = ((LsBufferStore *) node)->indices;
  if (indices == NULL)
    return LS_WALK_CONTINUE;
  if (self->indices == NULL)
    self->indices = indices;
  self->differ |= !same_indices (self->indices, indices);
  return LS_WALK_CONTINUE;
}

static gboolean
legal_accesses (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsBlock       *block,
                Accesses      *accesses)
{
  const char *name = accesses->buffer->name;

  ls_walk (block->body, look, NULL, accesses);
  if (accesses->has_block)
    ls_move_refuse (move, diagnostics, "not-a-leaf", block, "Block %s has blocks inside.", block->name_hint);
  else if (accesses->opaque)
    ls_move_refuse (move, diagnostics, "opaque-access", block, "Block %s uses %s through its data pointer.", block->name_hint, name);
  else if (accesses->indices == NULL)
    ls_move_refuse (move, diagnostics, "no-access", block, "The body of block %s does not access %s.", block->name_hint, name);
  else if (accesses->differ)
    ls_move_refuse (move, diagnostics, "several-indices", block,
                    "Block %s accesses %s at several places; all accesses have to have the same indices.", block->name_hint, name);
  else
    return TRUE;
  return FALSE;
}

/* From the block up to the scope each loop holds nothing but the next. */
static gboolean
legal_chain (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *block)
{
  if (block->parent->is_block)
    {
      ls_move_refuse (move, diagnostics, "no-loops", block->stmt, "Block %s has no loops around it.", ls_sref_name (block));
      return FALSE;
    }
  for (LsSref *p = block->parent; !p->parent->is_block; p = p->parent)
    if (ls_sref_for (p->parent)->body != p->stmt)
      {
        ls_move_refuse (move, diagnostics, "not-a-chain", p->parent->stmt, "Loop %s holds more than loop %s.",
                        ls_sref_name (p->parent), ls_sref_name (p));
        return FALSE;
      }
  return TRUE;
}

/* Warns where the copy, which stands outside all loops, would be made before the buffer is written, or after it is read or written. */
static void
doubt_order (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *root,
             LsSref        *block,
             LsBuffer      *buffer,
             gboolean       is_write)
{
  g_autoptr(GPtrArray) blocks = NULL;
  LsSref *top = block;

  while (top->parent != root)
    top = top->parent;
  blocks = ls_state_child_blocks (move->state, top);
  for (guint i = 0; i < blocks->len; i++)
    {
      LsBlock *other = ls_sref_block ((LsSref *) blocks->pdata[i]);
      gboolean reads = is_write && ls_region_of (other->reads, buffer) != NULL;
      LsDiagnostic *finding;

      if (blocks->pdata[i] == block || (!reads && ls_region_of (other->writes, buffer) == NULL))
        continue;
      finding = ls_move_warn (move, diagnostics, "order", other, "Block %s, which %s %s, stands in loop %s with block %s; the copy comes %s it.",
                              other->name_hint, ls_translate (reads ? "reads" : "writes"), buffer->name, ls_sref_name (top), ls_sref_name (block),
                              ls_translate (is_write ? LS_TEXT ("after") : LS_TEXT ("before")));
      ls_move_add_culprit (move, finding, block->stmt);
    }
}

/* Do the loops around the block go through those of its variables that the indices use as the copy does: each by a loop of its own, in order? */
static gboolean
goes_as_the_copy (LsMove  *move,
                  LsSref  *block,
                  LsArray *indices)
{
  LsBlockRealize *realize = ls_state_realize (move->state, block);
  LsSref *outside = NULL;

  for (guint i = ls_array_n (realize->iter_values); i-- > 0;)
    {
      LsSref *loop = outside != NULL ? outside->parent : block->parent;

      if (!ls_uses (indices, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var))
        continue;
      while (!loop->is_block && LS_NODE (ls_sref_for (loop)->loop_var) != realize->iter_values->items[i])
        loop = loop->parent;
      if (loop->is_block)
        return FALSE;
      outside = loop;
    }
  return TRUE;
}

/* Warns where the block writes an element more than once and the copy, in the order of the variables, may end with another value. */
static void
doubt_last (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsSref        *block,
            Accesses      *accesses)
{
  if (!ls_tell_apart (accesses->indices, ls_sref_block (block)->iter_vars) && !goes_as_the_copy (move, block, accesses->indices))
    ls_move_warn (move, diagnostics, "order", block->stmt, "Block %s may write an element of %s more than once; the copy goes over them in the order of its variables.",
                  ls_sref_name (block), accesses->buffer->name);
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  gboolean is_write;
  Accesses accesses = { ls_legal_buffer_access (move, diagnostics, block, BUFFER, &is_write) };
  LsSref *root;
  gboolean legal;

  if (accesses.buffer == NULL)
    return FALSE;
  legal = ls_legal_scope (move, diagnostics, block, TRUE, &root);
  if (root == NULL)
    return FALSE;
  legal &= legal_accesses (move, diagnostics, ls_sref_block (block), &accesses);
  legal = legal_chain (move, diagnostics, block) && legal;
  if (legal && diagnostics != NULL)
    {
      ls_doubt_bounds (move, diagnostics, ls_sref_block (block), accesses.buffer, accesses.indices);
      doubt_order (move, diagnostics, root, block, accesses.buffer, is_write);
      if (is_write)
        {
          ls_doubt_partly_written (move, diagnostics, block, accesses.buffer, NULL);
          doubt_last (move, diagnostics, block, &accesses);
        }
      if (ls_region_of (ls_sref_block (block)->reads, accesses.buffer) != NULL &&
          ls_region_of (ls_sref_block (block)->writes, accesses.buffer) != NULL)
        ls_move_warn (move, diagnostics, "reads-own-output", block->stmt, "Block %s reads and writes %s, but only one copy is made.",
                      ls_sref_name (block), accesses.buffer->name);
    }
  return legal;
}

/* ---- apply ------------------------------------------------------------------ */

typedef struct {
  LsCacheStage  stage;
  GHashTable   *entered;        /* what is around it */
  LsBlock      *block;          /* that is rewritten */
  gboolean      is_write;
  LsArray      *old_indices;    /* simplified */
  GPtrArray    *covered;        /* of LsIterVar: those that the indices use, borrowed */
  LsArray      *indices;        /* of the new buffer in the block */
  LsBlockReuse *reuse;
} Reindex;

static void
find_indices (Reindex *self)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  Accesses accesses = { self->stage.buffer };
  GPtrArray *simple = g_ptr_array_new ();
  GPtrArray *own = g_ptr_array_new ();

  ls_scope_bind (analyzer, LS_NODE (self->block), LS_SCOPE_BLOCKS);
  ls_walk (self->block->body, look, NULL, &accesses);
  for (guint i = 0; i < ls_array_n (accesses.indices); i++)
    g_ptr_array_add (simple, ls_simplify_non_trivial (analyzer, ls_array_at (accesses.indices, i, LsExpr)));
  self->old_indices = ls_array_take_ptr_array (simple);
  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (self->block->iter_vars, i, LsIterVar);

      if (!ls_uses (self->old_indices, iter->var))
        continue;
      g_ptr_array_add (self->covered, iter);
      g_ptr_array_add (own, ls_ref (iter->var));
    }
  self->indices = ls_array_take_ptr_array (own);
}

static void
make_buffer (Reindex *self)
{
  LsBuffer *old = self->stage.buffer;
  g_autofree char *name = g_strconcat (old->name, "_reindex", NULL);
  g_autofree char *data_name = g_strconcat (old->data->name, "_reindex", NULL);
  GPtrArray *shape = g_ptr_array_new ();

  for (guint i = 0; i < self->covered->len; i++)
    {
      LsRange *dom = ((LsIterVar *) self->covered->pdata[i])->dom;

      g_ptr_array_add (shape, ls_add (ls_ref (dom->min), ls_ref (dom->extent)));
    }
  self->stage.cache = ls_buffer_new_full (ls_var_copy (old->data, data_name), old->dtype, ls_array_take_ptr_array (shape),
                                          ls_array_empty (), ls_ref (old->elem_offset), name, old->data_alignment,
                                          old->offset_factor, old->buffer_type, ls_ref (old->axis_separators));
}

static void
make_copy (Reindex *self)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(GPtrArray) loop_vars = g_ptr_array_new ();
  g_autofree char *name = g_strconcat (self->is_write ? self->stage.buffer->name : self->stage.cache->name, "_reindex", NULL);
  g_autoptr(LsArray) in_buffer = NULL;
  g_autoptr(LsArray) in_cache = NULL;
  GPtrArray *iter_vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();
  GPtrArray *own = g_ptr_array_new ();
  LsBuffer *from = self->is_write ? self->stage.cache : self->stage.buffer;
  LsBuffer *to = self->is_write ? self->stage.buffer : self->stage.cache;

  for (guint i = 0; i < self->covered->len; i++)
    {
      LsIterVar *iter = self->covered->pdata[i];
      g_autofree char *var_name = g_strdup_printf ("v%u", i);
      g_autofree char *loop_name = g_strdup_printf ("ax%u", i);
      LsVar *var = ls_var_new (var_name, ls_dtype (iter->var));
      LsVar *loop_var = ls_var_new (loop_name, ls_dtype (iter->var));

      g_hash_table_insert (map, iter->var, var);
      g_ptr_array_add (own, ls_ref (var));
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_ref (iter->dom), var, LS_ITER_DATA_PAR, NULL));
      g_ptr_array_add (values, ls_ref (loop_var));
      g_ptr_array_add (loop_vars, loop_var);
    }
  in_cache = ls_array_take_ptr_array (own);
  in_buffer = (LsArray *) ls_substitute (self->old_indices, map);
  self->stage.block = ls_copy_block (name, ls_array_take_ptr_array (iter_vars), from, self->is_write ? in_cache : in_buffer,
                                     to, self->is_write ? in_buffer : in_cache);
  self->stage.nest = LS_STMT (ls_block_realize_new (ls_array_take_ptr_array (values), ls_bool (TRUE), self->stage.block));
  for (guint i = loop_vars->len; i-- > 0;)
    {
      LsRange *dom = ((LsIterVar *) self->covered->pdata[i])->dom;

      self->stage.nest = LS_STMT (ls_for_new (loop_vars->pdata[i], ls_ref (dom->min), ls_ref (dom->extent), LS_FOR_SERIAL,
                                              self->stage.nest, NULL, NULL));
    }
}

static LsBufferRegion *
own_region (Reindex *self)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (self->indices); i++)
    {
      LsExpr *index = ls_array_at (self->indices, i, LsExpr);

      g_ptr_array_add (ranges, ls_range_new (ls_ref (index), ls_const_int (ls_dtype (index), 1)));
    }
  return ls_buffer_region_new (ls_ref (self->stage.cache), ls_array_take_ptr_array (ranges));
}

static LsArray *
own_regions (Reindex *self,
             LsArray *regions)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == self->stage.buffer)
      g_ptr_array_add (changed, own_region (self));
    else
      g_ptr_array_add (changed, ls_node_ref (regions->items[i]));
  return ls_array_take_ptr_array (changed);
}

static LsNode *
rewrite_block (Reindex    *self,
               LsRewriter *rewriter,
               LsBlock    *block)
{
  g_autoptr(LsBlock) fresh = NULL;
  LsBlock *done;

  if (block != self->block && LS_NODE (block) != self->stage.root->stmt)
    return LS_NODE (ls_ref (block));
  fresh = (LsBlock *) ls_rewrite_default (rewriter, block);
  if (block == self->block)
    {
      done = ls_block_new (ls_ref (fresh->iter_vars), own_regions (self, block->reads), own_regions (self, block->writes),
                           block->name_hint, ls_ref (fresh->body), ls_ref (fresh->init), ls_ref (fresh->alloc_buffers),
                           ls_ref (fresh->match_buffers), ls_ref (fresh->annotations));
    }
  else
    {
      g_autoptr(LsArray) buffers = ls_array_append (fresh->alloc_buffers, self->stage.cache);
      g_autoptr(LsNode) inserted = ls_cache_stage_insert (&self->stage, LS_NODE (fresh));

      done = ls_block_with_alloc_buffers ((LsBlock *) inserted, buffers);
    }
  ls_block_reuse_add (self->reuse, block, done);
  return LS_NODE (done);
}

static LsNode *
rewrite (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Reindex *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return rewrite_block (self, rewriter, (LsBlock *) node);
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (fresh, BUFFER_LOAD) && ((LsBufferLoad *) fresh)->buffer == self->stage.buffer)
    return LS_NODE (ls_buffer_load_new (ls_ref (self->stage.cache), ls_ref (self->indices), ls_ref (((LsBufferLoad *) fresh)->predicate)));
  if (ls_is (fresh, BUFFER_STORE) && ((LsBufferStore *) fresh)->buffer == self->stage.buffer)
    return ls_buffer_store_new (ls_ref (self->stage.cache), ls_ref (((LsBufferStore *) fresh)->value), ls_ref (self->indices),
                                ls_ref (((LsBufferStore *) fresh)->predicate));
  return g_steal_pointer (&fresh);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  g_autoptr(GPtrArray) covered = g_ptr_array_new ();
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlock) new_root = NULL;
  Reindex self = { .block = ls_sref_block (block), .covered = covered, .reuse = reuse };
  LsSref *top = block;

  self.stage.buffer = ls_legal_buffer_access (move, NULL, block, BUFFER, &self.is_write);
  self.stage.root = ls_state_scope_root (move->state, block);
  self.stage.place = self.stage.root;
  while (top->parent != self.stage.root)
    top = top->parent;
  self.stage.position = ls_stmt_part_with (ls_sref_body (self.stage.root), top->stmt) + (self.is_write ? 1 : 0);
  find_indices (&self);
  make_buffer (&self);
  make_copy (&self);
  self.entered = ls_state_entered (move->state, self.stage.root, block, &self.stage.buffer, 1);
  new_root = (LsBlock *) ls_rewrite_with (self.stage.root->stmt, rewrite, &self);
  g_hash_table_unref (self.entered);
  ls_cache_stage_commit (&self.stage, move, new_root, reuse);
  ls_cache_stage_clear (&self.stage);
  ls_unref (self.old_indices);
  ls_unref (self.indices);
  return TRUE;
}

const LsInstruction ls_instruction_reindex = {
  .name = "reindex",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Gives a block a buffer that its own variables index"),
  .condition = "The block has no blocks inside, all its accesses of the buffer have the same indices, its loops form a chain, "
               "and its scope is a stage pipeline.",
  .source = "TVM v0.20 tir.Schedule.reindex",
  .check = check,
  .apply = apply,
};
