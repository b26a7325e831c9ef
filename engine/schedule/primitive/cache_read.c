/* cache_read: what a block reads is first copied into a buffer of another storage scope.
 *
 *   C: C[v] = A[v] ...       ->      A_shared: A_shared[v0] = A[v0]
 *                                    C: C[v] = A_shared[v] ...
 *
 * All readers in the scope, or those that are named, take the copy.  Where the copy goes and how much it holds:
 * rewrite/cache-stage.c.  Source: TVM's tir cache_read.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/tir/scope.h"

enum { BLOCK, READ_BUFFER_INDEX, STORAGE_SCOPE, CONSUMER_BLOCKS };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "a block that reads the buffer" },
  { "read_buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it reads, from 0, or its name" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
  { "consumer_blocks", LS_PARAM_BLOCKS, LS_PARAM_OPTIONAL | LS_PARAM_SILENT, "None", "the blocks that read the copy; None: all that read the buffer" },
};

/* Warns where the scope says that it reads what the buffer does not hold, as accesses under a condition do, or reads
 * more or less of it each time. */
static void
doubt_bounds (LsMove         *move,
              LsDiagnostics  *diagnostics,
              LsSref         *root,
              LsBufferRegion *region)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  ls_scope_bind (analyzer, LS_NODE (ls_sref_block (root)), LS_SCOPE_BLOCKS);
  for (guint i = 0; region != NULL && i < ls_array_n (region->region); i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);
      LsExpr *size = ls_array_at (region->buffer->shape, i, LsExpr);
      g_autoptr(LsExpr) inside = ls_and (ls_ge (ls_ref (range->min), ls_const_int (ls_dtype (range->min), 0)),
                                         ls_le (ls_add (ls_ref (range->min), ls_ref (range->extent)), ls_ref (size)));

      for (guint k = 0; k < ls_array_n (ls_sref_block (root)->iter_vars); k++)
        {
          LsIterVar *iter = ls_array_at (ls_sref_block (root)->iter_vars, k, LsIterVar);

          if (!ls_uses (range->extent, iter->var))
            continue;
          ls_move_warn (move, diagnostics, "varying-size", root->stmt, "The cache of %s has another size for each %s of block %s.",
                        region->buffer->name, iter->var->name, ls_sref_name (root));
          return;
        }
      if (ls_analyzer_can_prove (analyzer, inside))
        continue;
      ls_move_warn (move, diagnostics, "out-of-bounds", root->stmt, "Block %s declares to read more than %s holds; the copy may reach outside of it.",
                    ls_sref_name (root), region->buffer->name);
      return;
    }
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsBuffer *buffer = ls_legal_access_buffer (move, diagnostics, block, READ_BUFFER_INDEX, FALSE);
  gboolean legal = ls_legal_storage_scope (move, diagnostics, ls_move_string (move, STORAGE_SCOPE));
  LsSref *root, *writer;

  if (buffer == NULL || !ls_legal_scope (move, diagnostics, block, FALSE, &root))
    return FALSE;
  legal &= ls_legal_cover (move, diagnostics, root, buffer);
  legal &= ls_legal_one_writer (move, diagnostics, root, buffer, &writer);
  if (legal && diagnostics != NULL && writer == NULL)
    doubt_bounds (move, diagnostics, root, ls_region_of (ls_sref_block (root)->reads, buffer));
  if (legal && diagnostics != NULL && writer != NULL)
    ls_doubt_guarded_copy (move, diagnostics, root, buffer, writer);
  return legal;
}

typedef struct {
  LsCacheStage  stage;
  GHashTable   *entered;        /* ls_state_entered */
  LsState      *state;
  GPtrArray    *consumers;      /* of LsSref; empty: all */
  gboolean      takes_copy;     /* the block that was entered last */
  LsAnalyzer   *analyzer;
  LsBlockReuse *reuse;
} Rewrite;

static LsBlock *
rename_reads (Rewrite *self,
              LsBlock *block)
{
  LsArray *reads;
  LsArray *matches;

  if (ls_region_of (block->reads, self->stage.buffer) == NULL && ls_array_n (block->match_buffers) == 0)
    return ls_ref (block);
  reads = ls_cache_stage_regions (&self->stage, block->reads, self->analyzer);
  matches = ls_cache_stage_regions (&self->stage, block->match_buffers, self->analyzer);
  return ls_block_new (ls_ref (block->iter_vars), reads, ls_ref (block->writes), block->name_hint, ls_ref (block->body),
                       ls_ref (block->init), ls_ref (block->alloc_buffers), matches, ls_ref (block->annotations));
}

static LsNode *
rewrite_block (Rewrite    *self,
               LsRewriter *rewriter,
               LsBlock    *block)
{
  gboolean is_root = LS_NODE (block) == self->stage.root->stmt;
  gboolean takes = self->consumers->len == 0 || g_ptr_array_find (self->consumers, ls_state_sref (self->state, block), NULL);
  LsNode *fresh;

  self->takes_copy = takes;
  if (!is_root && ls_region_of (block->writes, self->stage.buffer) != NULL)
    return LS_NODE (ls_ref (block));
  fresh = ls_rewrite_default (rewriter, block);
  if (LS_NODE (block) == self->stage.place->stmt)
    ls_take (&fresh, ls_cache_stage_insert (&self->stage, fresh));
  if (is_root)
    {
      g_autoptr(LsArray) buffers = ls_array_append (((LsBlock *) fresh)->alloc_buffers, self->stage.cache);

      ls_take (&fresh, LS_NODE (ls_block_with_alloc_buffers ((LsBlock *) fresh, buffers)));
    }
  else if (takes)
    ls_take (&fresh, LS_NODE (rename_reads (self, (LsBlock *) fresh)));
  if (fresh != LS_NODE (block))
    ls_block_reuse_add (self->reuse, block, (LsBlock *) fresh);
  return fresh;
}

static LsNode *
rewrite (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Rewrite *self = user_data;
  LsNode *fresh;

  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return rewrite_block (self, rewriter, (LsBlock *) node);
  if (node == LS_NODE (self->stage.buffer->data))
    return LS_NODE (ls_ref (self->stage.cache->data));
  if (ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer == self->stage.buffer && self->takes_copy)
    {
      LsBufferLoad *load = (LsBufferLoad *) node;

      return LS_NODE (ls_buffer_load_new (ls_ref (self->stage.cache),
                                          ls_cache_stage_indices (&self->stage, load->indices, self->analyzer),
                                          ls_ref (load->predicate)));
    }
  fresh = ls_rebuild_below_definition (rewriter, node, self->stage.buffer->data);
  if (fresh == NULL)
    fresh = ls_rewrite_default (rewriter, node);
  if (node == self->stage.place->stmt)
    ls_take (&fresh, ls_cache_stage_insert (&self->stage, fresh));
  return fresh;
}

/* Where the copy goes and what it copies. */
static void
plan (LsMove    *move,
      Rewrite   *self,
      LsSref    *writer)
{
  LsBlock *root = ls_sref_block (self->stage.root);
  LsBufferRegion *region = ls_region_of (root->reads, self->stage.buffer);
  g_autoptr(GPtrArray) readers = NULL;

  if (writer == NULL)
    {
      self->stage.place = self->stage.root;
      self->stage.position = 0;
      self->stage.region = region != NULL ? ls_ref (region) : ls_buffer_region_full (self->stage.buffer);
      return;
    }
  readers = self->consumers->len > 0 ? g_ptr_array_ref (self->consumers)
                                     : ls_cache_stage_readers (move->state, self->stage.root, writer);
  ls_cache_stage_find_place (&self->stage, move->state, writer, readers);
  region = ls_region_of (ls_sref_block (writer)->writes, self->stage.buffer);
  self->stage.region = ls_cache_stage_relax (&self->stage, move->state, writer, region);
}

/* Does the block take the copy? */
static gboolean
takes_copy (Rewrite *self,
            LsSref  *block)
{
  return ls_region_of (ls_sref_block (block)->writes, self->stage.buffer) == NULL && (self->consumers->len == 0 || g_ptr_array_find (self->consumers, block, NULL));
}

/* Readers that may read something else than the copy holds, since one of them stands before the writer or in a loop with it. (transfer full) of
 * LsSref, borrowed */
static GPtrArray *
doubtful_readers (LsMove  *move,
                  Rewrite *self,
                  LsSref  *writer)
{
  g_autoptr(GPtrArray) all = ls_state_readers (move->state, self->stage.root, self->stage.buffer);
  GPtrArray *readers = g_ptr_array_new ();
  gboolean meet = FALSE;

  for (guint i = 0; writer != NULL && i < all->len; i++)
    {
      LsSref *pair[2] = { writer, all->pdata[i] };

      if (!takes_copy (self, pair[1]))
        continue;
      g_ptr_array_add (readers, pair[1]);
      meet |= pair[1]->order < writer->order || !ls_sref_common (pair, 2)->is_block;
    }
  if (!meet)
    g_ptr_array_set_size (readers, 0);
  return readers;
}

/* The realizes of these blocks, before they are rewritten. (transfer full) */
static GPtrArray *
realizes_of (LsMove    *move,
             GPtrArray *blocks)
{
  GPtrArray *realizes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < blocks->len; i++)
    g_ptr_array_add (realizes, ls_ref (ls_state_realize (move->state, blocks->pdata[i])));
  return realizes;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  const char *scope = ls_move_string (move, STORAGE_SCOPE);
  g_autoptr(GPtrArray) consumers = ls_move_consumers (move, CONSUMER_BLOCKS);
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlock) new_root = NULL;
  g_autoptr(GPtrArray) doubtful = NULL;
  g_autoptr(GPtrArray) realizes = NULL;
  Rewrite self = { .state = move->state, .consumers = consumers, .analyzer = analyzer, .reuse = reuse };
  LsSref *writer;

  self.stage.root = ls_state_scope_root (move->state, block);
  self.stage.buffer = ls_legal_access_buffer (move, NULL, block, READ_BUFFER_INDEX, FALSE);
  ls_legal_one_writer (move, NULL, self.stage.root, self.stage.buffer, &writer);
  plan (move, &self, writer);
  ls_cache_stage_make_buffer (&self.stage, move->state, scope);
  ls_cache_stage_make_copy (&self.stage, scope, FALSE);
  self.entered = ls_state_entered (move->state, self.stage.root, self.stage.place, &self.stage.buffer, 1);
  new_root = (LsBlock *) ls_rewrite_with (self.stage.root->stmt, rewrite, &self);
  g_hash_table_unref (self.entered);
  doubtful = doubtful_readers (move, &self, writer);
  realizes = realizes_of (move, doubtful);
  ls_cache_stage_commit (&self.stage, move, new_root, reuse);
  for (guint i = 0; i < doubtful->len; i++)
    {
      LsBlockRealize *realize = realizes->pdata[i];

      ls_cache_stage_means (&self.stage, move, realize, ls_sref_block ((LsSref *) doubtful->pdata[i]), ls_region_of (realize->block->reads, self.stage.buffer), TRUE);
    }
  ls_cache_stage_clear (&self.stage);
  return TRUE;
}

const LsInstruction ls_instruction_cache_read = {
  .name = "cache_read",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Copies what blocks read into another memory first"),
  .condition = "At most one block of the scope writes the buffer, and every block that reads it finds all that it reads "
               "written before.",
  .source = "TVM v0.20 tir.Schedule.cache_read",
  .check = check,
  .apply = apply,
};
