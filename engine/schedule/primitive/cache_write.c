/* cache_write: a block writes into a buffer of another storage scope, which is then copied to where the result belongs.
 *
 *   C: C[v] = ...       ->      C: C_local[v] = ...
 *                               C_local: C[v0] = C_local[v0]
 *
 * Blocks that are named as consumers read the cache; all others the buffer.  Where the copy goes and how much it
 * holds: rewrite/cache-stage.c.  Source: TVM's tir cache_write.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK, WRITE_BUFFER_INDEX, STORAGE_SCOPE, CONSUMER_BLOCKS };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that writes the buffer" },
  { "write_buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it writes, from 0, or its name" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
  { "consumer_blocks", LS_PARAM_BLOCKS, LS_PARAM_OPTIONAL | LS_PARAM_SILENT, "None", "blocks that read the cache and not the buffer" },
};

#define OWN LS_TEXT ("Block %s reads %s, which it also writes; the cache does not hold what was there before.")

/* TVM accepts it; a sum without an init then adds to what lies in the cache. */
static gboolean
own_output (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsSref        *block,
            LsBuffer      *buffer)
{
  gboolean finds = ls_reads_what_was_there (ls_sref_block (block), buffer), strict = finds && ls_schedule_is_strict (move->schedule);

  if (!finds && ls_region_of (ls_sref_block (block)->reads, buffer) == NULL)
    return TRUE;
  if (strict)
    ls_move_refuse (move, diagnostics, "reads-own-output", block->stmt, OWN, ls_sref_name (block), buffer->name);
  else
    ls_move_warn (move, diagnostics, "reads-own-output", block->stmt, OWN, ls_sref_name (block), buffer->name);
  return !strict;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsBuffer *buffer = ls_legal_access_buffer (move, diagnostics, block, WRITE_BUFFER_INDEX, TRUE);
  gboolean legal = ls_legal_storage_scope (move, diagnostics, ls_move_string (move, STORAGE_SCOPE));
  LsSref *root, *writer;

  if (buffer == NULL || !ls_legal_scope (move, diagnostics, block, FALSE, &root))
    return FALSE;
  legal = ls_legal_one_writer (move, diagnostics, root, buffer, &writer) && legal;
  if (legal && diagnostics != NULL)
    ls_doubt_guarded_copy (move, diagnostics, root, buffer, block);
  if (legal && diagnostics != NULL)
    ls_doubt_partial_cache (move, diagnostics, root, block, buffer);
  return legal && own_output (move, diagnostics, block, buffer);
}

typedef struct {
  LsCacheStage  stage;
  GHashTable   *entered;        /* ls_state_entered */
  LsState      *state;
  LsSref       *writer;
  GPtrArray    *consumers;      /* of LsSref */
  gboolean      in_writer;
  LsAnalyzer   *analyzer;
  LsBlockReuse *reuse;
} Rewrite;

static LsBlock *
rename_all (Rewrite *self,
            LsBlock *block)
{
  LsArray *reads = ls_cache_stage_regions (&self->stage, block->reads, self->analyzer);
  LsArray *writes = ls_cache_stage_regions (&self->stage, block->writes, self->analyzer);
  LsArray *matches = ls_cache_stage_regions (&self->stage, block->match_buffers, self->analyzer);

  return ls_block_new (ls_ref (block->iter_vars), reads, writes, block->name_hint, ls_ref (block->body), ls_ref (block->init),
                       ls_ref (block->alloc_buffers), matches, ls_ref (block->annotations));
}

static LsNode *
rewrite_root (Rewrite    *self,
              LsRewriter *rewriter,
              LsBlock    *root)
{
  g_autoptr(LsNode) fresh = ls_rewrite_default (rewriter, root);
  g_autoptr(LsArray) buffers = ls_array_append (root->alloc_buffers, self->stage.cache);
  LsNode *done;

  if (LS_NODE (root) == self->stage.place->stmt)
    ls_take (&fresh, ls_cache_stage_insert (&self->stage, fresh));
  done = LS_NODE (ls_block_with_alloc_buffers ((LsBlock *) fresh, buffers));
  ls_block_reuse_add (self->reuse, root, (LsBlock *) done);
  return done;
}

static LsNode *
rewrite_block (Rewrite    *self,
               LsRewriter *rewriter,
               LsBlock    *block)
{
  gboolean was_in_writer = self->in_writer;
  gboolean is_writer = LS_NODE (block) == self->writer->stmt;
  LsNode *fresh;

  if (LS_NODE (block) == self->stage.root->stmt)
    return rewrite_root (self, rewriter, block);
  if (!is_writer && !was_in_writer && !g_ptr_array_find (self->consumers, ls_state_sref (self->state, block), NULL))
    return LS_NODE (ls_ref (block));
  self->in_writer = TRUE;
  fresh = ls_rewrite_default (rewriter, block);
  self->in_writer = was_in_writer;
  ls_take (&fresh, LS_NODE (rename_all (self, (LsBlock *) fresh)));
  ls_block_reuse_add (self->reuse, block, (LsBlock *) fresh);
  return fresh;
}

static LsNode *
rewrite_store (Rewrite    *self,
               LsRewriter *rewriter,
               LsNode     *node)
{
  g_autoptr(LsNode) fresh = ls_rewrite_default (rewriter, node);
  LsBufferStore *store = (LsBufferStore *) fresh;

  if (store->buffer != self->stage.buffer)
    return g_steal_pointer (&fresh);
  return ls_buffer_store_new (ls_ref (self->stage.cache), ls_ref (store->value),
                              ls_cache_stage_indices (&self->stage, store->indices, self->analyzer), ls_ref (store->predicate));
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
  if (ls_is (node, BUFFER_STORE))
    return rewrite_store (self, rewriter, node);
  if (node == LS_NODE (self->stage.buffer->data))
    return LS_NODE (ls_ref (self->stage.cache->data));
  if (ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer == self->stage.buffer)
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

/* The readers that keep reading the buffer: the copy goes before the first of them. (transfer container) */
static GPtrArray *
readers_of_buffer (LsMove  *move,
                   Rewrite *self)
{
  g_autoptr(GPtrArray) all = ls_cache_stage_readers (move->state, self->stage.root, self->writer);
  GPtrArray *readers = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    if (!g_ptr_array_find (self->consumers, all->pdata[i], NULL))
      g_ptr_array_add (readers, all->pdata[i]);
  return readers;
}

/* Does a reader stand before the writer in a loop?  It may read in one round what was made in the one before. */
static gboolean
has_doubtful_reader (LsMove  *move,
                     Rewrite *self)
{
  g_autoptr(GPtrArray) readers = ls_state_readers (move->state, self->stage.root, self->stage.buffer);

  for (guint i = 0; i < readers->len; i++)
    {
      LsSref *pair[2] = { self->writer, readers->pdata[i] };

      if (pair[1] != self->writer && pair[1]->order < self->writer->order && !g_ptr_array_find (self->consumers, pair[1], NULL) &&
          !ls_sref_common (pair, 2)->is_block)
        return TRUE;
    }
  return FALSE;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  const char *scope = ls_move_string (move, STORAGE_SCOPE);
  g_autoptr(GPtrArray) consumers = ls_move_consumers (move, CONSUMER_BLOCKS);
  g_autoptr(GPtrArray) readers = NULL;
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlock) new_root = NULL;
  Rewrite self = { .state = move->state, .writer = block, .consumers = consumers, .analyzer = analyzer, .reuse = reuse };
  g_autoptr(LsBlockRealize) realize = NULL;
  gboolean is_doubtful;
  LsBufferRegion *region;

  self.stage.root = ls_state_scope_root (move->state, block);
  self.stage.buffer = ls_legal_access_buffer (move, NULL, block, WRITE_BUFFER_INDEX, TRUE);
  readers = readers_of_buffer (move, &self);
  ls_cache_stage_find_place (&self.stage, move->state, block, readers);
  region = ls_region_of (ls_sref_block (block)->writes, self.stage.buffer);
  self.stage.region = ls_cache_stage_relax (&self.stage, move->state, block, region);
  ls_cache_stage_make_buffer (&self.stage, move->state, scope);
  ls_cache_stage_make_copy (&self.stage, scope, TRUE);
  self.entered = ls_state_entered (move->state, self.stage.root, self.stage.place, &self.stage.buffer, 1);
  new_root = (LsBlock *) ls_rewrite_with (self.stage.root->stmt, rewrite, &self);
  g_hash_table_unref (self.entered);
  is_doubtful = has_doubtful_reader (move, &self);
  realize = ls_ref (ls_state_realize (move->state, block));
  ls_cache_stage_commit (&self.stage, move, new_root, reuse);
  if (is_doubtful)
    ls_cache_stage_means (&self.stage, move, realize, ls_sref_block (block), region, FALSE);
  ls_cache_stage_clear (&self.stage);
  return TRUE;
}

const LsInstruction ls_instruction_cache_write = {
  .name = "cache_write",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Writes into another memory and copies the result from there"),
  .condition = "The block is the only one of its scope that writes the buffer.",
  .source = "TVM v0.20 tir.Schedule.cache_write",
  .check = check,
  .apply = apply,
};
