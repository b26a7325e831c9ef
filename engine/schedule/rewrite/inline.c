/* inline: rewriting a scope when a block goes into others.
 *
 * Takes the block out, replaces every access of its buffer, drops the buffer from the allocations of the scope, and
 * finds the regions of the blocks anew that named the buffer.  A use of the buffer that is no plain access (its data
 * pointer, a view of it) is noted.  What was loaded wraps; where an index takes its place, it still does.
 */
#include "engine/schedule/rewrite/rewrite.h"

#include "engine/arith/data.h"
#include "engine/tir/regions.h"
#include "engine/tir/scope.h"

static void
see_regions (LsInliner *self,
             LsArray   *regions)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    g_ptr_array_add (self->visible, ls_array_at (regions, i, LsBufferRegion)->buffer);
}

static void
see_block (LsInliner *self,
           LsBlock   *block)
{
  see_regions (self, block->reads);
  see_regions (self, block->writes);
  for (guint i = 0; i < ls_array_n (block->alloc_buffers); i++)
    g_ptr_array_add (self->visible, block->alloc_buffers->items[i]);
  for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
    if (ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->source->buffer == self->buffer)
      self->is_opaque = TRUE;
}

/* The buffers seen so far, the last one for each data variable. (transfer full) */
static LsArray *
visible_buffers (LsInliner *self)
{
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);
  GPtrArray *buffers = g_ptr_array_new ();

  for (guint i = self->visible->len; i-- > 0;)
    if (g_hash_table_add (seen, ((LsBuffer *) self->visible->pdata[i])->data))
      g_ptr_array_add (buffers, ls_node_ref (self->visible->pdata[i]));
  return ls_array_take_ptr_array (buffers);
}

static gboolean
names_buffer (LsArray  *regions,
              LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == buffer)
      return TRUE;
  return FALSE;
}

/* Takes `block`. */
static LsBlock *
update_regions (LsInliner *self,
                LsBlock   *block)
{
  g_autoptr(LsArray) visible = NULL;
  g_autoptr(LsArray) reads = NULL;
  g_autoptr(LsArray) writes = NULL;
  LsBlock *updated;

  if (!names_buffer (block->reads, self->buffer) && !names_buffer (block->writes, self->buffer))
    return block;
  visible = visible_buffers (self);
  ls_block_read_write_region (block, visible, &reads, &writes);
  updated = ls_block_with_reads_writes (block, reads, writes);
  ls_unref (block);
  return updated;
}

/* Takes `block`. */
static LsBlock *
drop_allocation (LsInliner *self,
                 LsBlock   *block)
{
  gint index = ls_array_index_of (block->alloc_buffers, self->buffer);
  g_autoptr(LsArray) rest = NULL;
  LsBlock *updated;

  if (index < 0)
    return block;
  rest = ls_array_remove (block->alloc_buffers, (guint) index);
  updated = ls_block_with_alloc_buffers (block, rest);
  ls_unref (block);
  return updated;
}

static LsNode *
rewrite_block (LsInliner  *self,
               LsRewriter *rewriter,
               LsBlock    *block)
{
  LsNode *source = LS_NODE (block) == self->place ? self->rest : LS_NODE (block);
  LsBlock *fresh;

  see_block (self, block);
  ls_scope_bind (self->analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  self->depth += block != self->root;
  fresh = (LsBlock *) ls_rewrite_default (rewriter, source);
  self->depth -= block != self->root;
  fresh = block == self->root ? drop_allocation (self, fresh) : update_regions (self, fresh);
  if (fresh != block)
    ls_block_reuse_add (self->reuse, block, fresh);
  return LS_NODE (fresh);
}

static LsNode *
rewrite_realize (LsInliner      *self,
                 LsRewriter     *rewriter,
                 LsBlockRealize *realize)
{
  LsBlockRealize *fresh = (LsBlockRealize *) ls_rewrite_default (rewriter, realize);
  LsBlockRealize *done;

  if (self->finish == NULL)
    return LS_NODE (fresh);
  done = self->finish (self, realize->block, fresh);
  if (done->block != fresh->block)
    ls_block_reuse_add (self->reuse, realize->block, done->block);
  ls_unref (fresh);
  return LS_NODE (done);
}

static LsNode *
rewrite_access (LsInliner  *self,
                LsRewriter *rewriter,
                LsNode     *access)
{
  g_autoptr(LsNode) fresh = ls_rewrite_default (rewriter, access);
  LsBuffer *buffer = ls_is (fresh, BUFFER_LOAD) ? ((LsBufferLoad *) fresh)->buffer : ((LsBufferStore *) fresh)->buffer;

  if (buffer != self->buffer)
    return g_steal_pointer (&fresh);
  if (ls_kind (fresh) != self->access)
    {
      self->is_outside |= self->depth == 0;
      return g_steal_pointer (&fresh);
    }
  return self->replace (self, fresh);
}

/* The place needs no question: the block that goes is in it and uses the buffer. */
static gboolean
can_skip (LsInliner *self,
          LsNode    *node)
{
  return node != LS_NODE (self->root) && ls_rebuild_passes_by (node, self->entered);
}

static LsNode *
rewrite (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  LsInliner *self = user_data;

  if (can_skip (self, node))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return rewrite_block (self, rewriter, (LsBlock *) node);
  if (ls_is (node, BLOCK_REALIZE))
    return rewrite_realize (self, rewriter, (LsBlockRealize *) node);
  if (ls_is (node, FOR))
    return ls_rewrite_default (rewriter, node == self->place ? self->rest : node);
  if (ls_is (node, BUFFER_LOAD) || ls_is (node, BUFFER_STORE))
    return rewrite_access (self, rewriter, node);
  if (node == LS_NODE (self->buffer->data))
    self->is_opaque = TRUE;
  return ls_is_expr (node) ? LS_NODE (ls_wrap_as_data (self->analyzer, LS_EXPR (node), (LsExpr *) ls_rewrite_default (rewriter, node)))
                                : ls_rewrite_default (rewriter, node);
}

LsBlock *
ls_inliner_run (LsInliner *self)
{
  LsBlock *root;

  self->visible = g_ptr_array_new ();
  self->analyzer = ls_analyzer_new ();
  self->entered = ls_state_entered (self->state, ls_state_sref (self->state, self->root), NULL, &self->buffer, 1);
  self->is_opaque = self->is_outside = FALSE;
  self->depth = 0;
  see_block (self, self->block);
  root = (LsBlock *) ls_rewrite_with (self->root, rewrite, self);
  g_clear_pointer (&self->visible, g_ptr_array_unref);
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  g_clear_pointer (&self->entered, g_hash_table_unref);
  return root;
}

gboolean
ls_legal_no_init (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  LsSref        *block)
{
  if (ls_sref_block (block)->init == NULL)
    return TRUE;
  ls_move_refuse (move, diagnostics, "has-init", block->stmt,
                  "Block %s adds up over several instances (it has an init); that cannot stand inside another block.",
                  ls_sref_name (block));
  return FALSE;
}

gboolean
ls_legal_not_opaque (LsMove        *move,
                     LsDiagnostics *diagnostics,
                     LsInliner     *inliner)
{
  if (!inliner->is_opaque && !inliner->is_outside)
    return TRUE;
  if (inliner->is_outside)
    ls_move_refuse (move, diagnostics, "opaque-access", inliner->root, "%s is also used by a statement outside of blocks, so it cannot go.", inliner->buffer->name);
  if (!inliner->is_opaque)
    return FALSE;
  ls_move_refuse (move, diagnostics, "opaque-access", inliner->root,
                  "%s is also used through its data pointer or a view, so it cannot go.", inliner->buffer->name);
  return FALSE;
}
