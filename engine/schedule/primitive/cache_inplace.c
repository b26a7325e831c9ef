/* cache_inplace: a block that reads and writes one buffer works on a copy of it.
 *
 *                                     data_local: data_local[v0] = data[v0]
 *   call: f (data)          ->        call: f (data_local)
 *                                     data_local: data[v0] = data_local[v0]
 *
 * The copies stand right before and after the block, in the innermost loop around it, and hold what it declares to read
 * and to write.  Source: TVM's tir cache_inplace.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK, READ_BUFFER_INDEX, STORAGE_SCOPE };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that reads and writes the buffer" },
  { "read_buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it reads, from 0, or its name" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
};

/* What the block declares, over the loops around it. (transfer full) */
static LsBufferRegion *
bound_region (LsState        *state,
              LsSref         *block,
              LsBufferRegion *region)
{
  LsBlockRealize *realize = ls_state_realize (state, block);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  return ls_buffer_region_new (ls_ref (region->buffer), (LsArray *) ls_substitute (region->region, map));
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsBuffer *buffer = ls_legal_access_buffer (move, diagnostics, block, READ_BUFFER_INDEX, FALSE);
  gboolean legal = ls_legal_storage_scope (move, diagnostics, ls_move_string (move, STORAGE_SCOPE));
  g_autoptr(LsBufferRegion) into = NULL;
  LsSref *root;

  if (buffer == NULL || !ls_legal_scope (move, diagnostics, block, FALSE, &root))
    return FALSE;
  legal = ls_legal_cover (move, diagnostics, root, buffer) && legal;
  if (ls_region_of (ls_sref_block (block)->writes, buffer) == NULL)
    {
      LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "not-in-place", block->stmt, "Block %s reads %s but does not write it.",
                                              ls_sref_name (block), buffer->name);

      if (finding != NULL)
        ls_diagnostic_set_repair (finding, "cache_read (%s, \"%s\", \"%s\")", ls_sref_name (block), buffer->name, ls_move_string (move, STORAGE_SCOPE));
      return FALSE;
    }
  into = bound_region (move->state, block, ls_region_of (ls_sref_block (block)->reads, buffer));
  ls_doubt_copied_region (move, diagnostics, block, into);
  if (legal && diagnostics != NULL && !ls_structural_equal (ls_region_of (ls_sref_block (block)->reads, buffer), ls_region_of (ls_sref_block (block)->writes, buffer), FALSE, NULL, NULL))
    ls_doubt_partly_written (move, diagnostics, block, buffer, block->parent);
  return legal;
}

typedef struct {
  LsCacheStage  into;           /* the copy before the block */
  LsCacheStage  out;            /* and that after it */
  LsBlock      *block;
  gboolean      inside;
  LsBlockReuse *reuse;
  GHashTable   *entered;        /* ls_state_entered */
} Inplace;

/* A loop or block with both copies in its body. (transfer full) */
static LsNode *
with_copies (Inplace *self,
             LsNode  *stmt)
{
  g_autoptr(LsNode) after = ls_cache_stage_insert (&self->out, stmt);

  return ls_cache_stage_insert (&self->into, after);
}

static LsNode *
rewrite_block (Inplace    *self,
               LsRewriter *rewriter,
               LsBlock    *block)
{
  gboolean is_root = LS_NODE (block) == self->into.root->stmt;
  gboolean was_inside = self->inside;
  LsNode *fresh;

  if (!is_root && block != self->block && !was_inside)
    return LS_NODE (ls_ref (block));
  self->inside = was_inside || block == self->block;
  fresh = ls_rewrite_default (rewriter, block);
  self->inside = was_inside;
  if (LS_NODE (block) == self->into.place->stmt)
    ls_take (&fresh, with_copies (self, fresh));
  if (is_root)
    {
      g_autoptr(LsArray) buffers = ls_array_append (((LsBlock *) fresh)->alloc_buffers, self->into.cache);

      ls_take (&fresh, LS_NODE (ls_block_with_alloc_buffers ((LsBlock *) fresh, buffers)));
    }
  else
    {
      LsBlock *was = (LsBlock *) fresh;

      ls_take (&fresh, LS_NODE (ls_block_new (ls_ref (was->iter_vars), ls_cache_stage_regions (&self->into, block->reads, NULL),
                                              ls_cache_stage_regions (&self->into, block->writes, NULL), was->name_hint, ls_ref (was->body),
                                              ls_ref (was->init), ls_ref (was->alloc_buffers),
                                              ls_cache_stage_regions (&self->into, block->match_buffers, NULL), ls_ref (was->annotations))));
    }
  ls_block_reuse_add (self->reuse, block, (LsBlock *) fresh);
  return fresh;
}

static LsNode *
rewrite (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Inplace *self = user_data;
  LsBuffer *buffer = self->into.buffer;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return rewrite_block (self, rewriter, (LsBlock *) node);
  if (self->inside && node == LS_NODE (buffer->data))
    return LS_NODE (ls_ref (self->into.cache->data));
  fresh = ls_rebuild_below_definition (rewriter, node, buffer->data);
  if (fresh == NULL)
    fresh = ls_rewrite_default (rewriter, node);
  if (self->inside && ls_is (fresh, BUFFER_LOAD) && ((LsBufferLoad *) fresh)->buffer == buffer)
    return LS_NODE (ls_buffer_load_new (ls_ref (self->into.cache), ls_ref (((LsBufferLoad *) fresh)->indices),
                                        ls_ref (((LsBufferLoad *) fresh)->predicate)));
  if (self->inside && ls_is (fresh, BUFFER_STORE) && ((LsBufferStore *) fresh)->buffer == buffer)
    return ls_buffer_store_new (ls_ref (self->into.cache), ls_ref (((LsBufferStore *) fresh)->value),
                                ls_ref (((LsBufferStore *) fresh)->indices), ls_ref (((LsBufferStore *) fresh)->predicate));
  return node == self->into.place->stmt ? with_copies (self, fresh) : g_steal_pointer (&fresh);
}

static void
stage_init (LsCacheStage *stage,
            LsSref       *root,
            LsSref       *block,
            guint         after)
{
  stage->root = root;
  stage->place = block->parent;
  stage->position = ls_stmt_part_with (ls_sref_body (block->parent), block->stmt) + after;
  stage->whole = TRUE;
}

static void
add_result (LsMove       *move,
            LsCacheStage *stage)
{
  LsSref *made = ls_state_sref (move->state, stage->block);

  made->affine_binding = ls_state_is_affine (move->state, made);
  made->region_cover = TRUE;
  made->stage_pipeline = FALSE;
  ls_move_result (move, made);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsSref *root = ls_state_scope_root (move->state, block);
  LsBuffer *buffer = ls_legal_access_buffer (move, NULL, block, READ_BUFFER_INDEX, FALSE);
  const char *scope = ls_move_string (move, STORAGE_SCOPE);
  g_autofree char *name = g_strdup_printf ("%s_%s", buffer->name, scope);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlock) new_root = NULL;
  g_auto(LsCacheStage) into = { NULL };
  g_auto(LsCacheStage) out = { NULL };
  Inplace self = { .block = ls_sref_block (block), .reuse = reuse };

  stage_init (&into, root, block, 0);
  stage_init (&out, root, block, 1);
  into.buffer = out.buffer = buffer;
  into.cache = ls_buffer_copy (buffer, name, scope, NULL);
  out.cache = ls_ref (into.cache);
  into.region = bound_region (move->state, block, ls_region_of (ls_sref_block (block)->reads, buffer));
  out.region = bound_region (move->state, block, ls_region_of (ls_sref_block (block)->writes, buffer));
  ls_cache_stage_make_copy (&into, scope, FALSE);
  ls_cache_stage_make_copy (&out, scope, TRUE);
  self.into = into;
  self.out = out;
  self.entered = ls_state_entered (move->state, root, block, &buffer, 1);
  new_root = (LsBlock *) ls_rewrite_with (root->stmt, rewrite, &self);
  g_hash_table_unref (self.entered);
  ls_state_replace (move->state, root, new_root, reuse);
  ls_move_note_buffer (move, LS_LINEAGE_COPIED, into.cache, buffer);
  add_result (move, &into);
  add_result (move, &out);
  return TRUE;
}

const LsInstruction ls_instruction_cache_inplace = {
  .name = "cache_inplace",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCKS,
  .summary = LS_TEXT ("Lets a block that changes a buffer work on a copy of it"),
  .condition = "The block both reads and writes the buffer, and every block of the scope that reads it finds all that it reads "
               "written before.",
  .source = "TVM v0.20 tir.Schedule.cache_inplace",
  .check = check,
  .apply = apply,
};
