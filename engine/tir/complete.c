/* complete: reads and writes of blocks that give none, and the root block.
 *
 * The parser marks a block whose reads or writes were left out.  Blocks are completed from
 * the inside out, so that an outer one sees what the inner ones declare.  The first block
 * from the top keeps its empty regions: it is the root.  Source of the rules: TVM v0.20's
 * ScriptComplete.
 */
#include "engine/tir/regions-private.h"

typedef struct {
  GHashTable    *visible;       /* data LsVar -> LsBuffer */
  LsDiagnostics *diagnostics;
  gboolean       is_root;       /* no block has been entered yet */
} Completer;

static void
show (Completer *self,
      LsBlock   *block)
{
  for (guint i = 0; i < ls_array_n (block->alloc_buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (block->alloc_buffers, i, LsBuffer);

      g_hash_table_insert (self->visible, buffer->data, buffer);
    }
  for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->buffer;

      g_hash_table_insert (self->visible, buffer->data, buffer);
    }
}

static void
hide (Completer *self,
      LsBlock   *block)
{
  for (guint i = 0; i < ls_array_n (block->alloc_buffers); i++)
    g_hash_table_remove (self->visible, ls_array_at (block->alloc_buffers, i, LsBuffer)->data);
  for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
    g_hash_table_remove (self->visible, ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->buffer->data);
}

static void
report_opaque (Completer *self,
               LsBlock   *block,
               LsArray   *opaques)
{
  const char *name = ls_array_at (opaques, 0, LsBufferRegion)->buffer->name;

  ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, "tir/opaque-access", LS_NODE (block)->span,
                      "block %s uses the data of buffer %s directly: its reads and writes cannot be found, they must be given",
                      block->name_hint, name);
}

/* Takes block. */
static LsBlock *
with_detected (Completer *self,
               LsBlock   *block,
               gint64     mask,
               gboolean   is_root)
{
  g_autoptr (LsBlock) taken = block;
  g_autoptr (LsArray) reads = NULL;
  g_autoptr (LsArray) writes = NULL;
  g_autoptr (LsArray) opaques = NULL;
  g_autoptr (LsMap) annotations = ls_map_remove (block->annotations, LS_DETECT_ACCESS);
  LsBlock *completed;

  ls_block_access_region_in (block, self->visible, &reads, &writes, &opaques);
  if (ls_array_n (opaques) > 0)
    report_opaque (self, block, opaques);
  ls_take (&taken, ls_block_with_annotations (taken, annotations));
  if (is_root)
    return g_steal_pointer (&taken);
  completed = ls_block_with_reads_writes (taken, (mask & 1) ? reads : taken->reads, (mask & 2) ? writes : taken->writes);
  return completed;
}

static LsNode *
complete_block (Completer  *self,
                LsRewriter *rewriter,
                LsBlock    *block)
{
  gboolean is_root = self->is_root;
  LsNode *mark = ls_map_get (block->annotations, LS_DETECT_ACCESS);
  LsBlock *completed;
  gint64 mask = 0;

  show (self, block);
  self->is_root = FALSE;
  completed = (LsBlock *) ls_rewrite_default (rewriter, block);
  self->is_root = is_root;
  hide (self, block);
  if (mark == NULL || !ls_as_int (mark, &mask) || mask == 0)
    return LS_NODE (completed);
  return LS_NODE (with_detected (self, completed, mask, is_root));
}

static LsNode *
complete_decl (Completer    *self,
               LsRewriter   *rewriter,
               LsDeclBuffer *decl)
{
  LsVar *data = decl->buffer->data;
  LsNode *result;

  if (g_hash_table_contains (self->visible, data))
    return ls_rewrite_default (rewriter, decl);
  g_hash_table_insert (self->visible, data, decl->buffer);
  result = ls_rewrite_default (rewriter, decl);
  g_hash_table_remove (self->visible, data);
  return result;
}

static LsNode *
complete_filter (LsRewriter *rewriter,
                 LsNode     *node,
                 gpointer    data)
{
  LsNode *result;

  if (ls_is (node, BLOCK))
    result = complete_block (data, rewriter, (LsBlock *) node);
  else if (ls_is (node, DECL_BUFFER))
    result = complete_decl (data, rewriter, (LsDeclBuffer *) node);
  else if (ls_is_stmt (node) || ls_is (node, ARRAY))
    result = ls_rewrite_default (rewriter, node);
  else
    return ls_node_ref (node);
  return result;
}

static void
see (Completer *self,
     LsArray   *buffers)
{
  for (guint i = 0; i < ls_array_n (buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (buffers, i, LsBuffer);

      if (buffer != NULL)
        g_hash_table_insert (self->visible, buffer->data, buffer);
    }
}

LsStmt *
ls_complete_regions (LsStmt        *stmt,
                     LsArray       *visible,
                     LsDiagnostics *diagnostics)
{
  g_autoptr (GHashTable) table = g_hash_table_new (NULL, NULL);
  Completer self = { table, diagnostics, FALSE };

  see (&self, visible);
  return ls_rewrite_with (stmt, complete_filter, &self);
}

static gboolean
needs_root (LsStmt  *body,
            LsArray *root_allocates)
{
  if (ls_array_n (root_allocates) > 0)
    return TRUE;
  if (ls_is (body, BLOCK_REALIZE))
    return ls_array_n (((LsBlockRealize *) body)->block->iter_vars) > 0;
  return (body->facts & LS_FACT_HAS_BLOCK) != 0;
}

LsPrimFunc *
ls_complete_prim_func (LsPrimFunc    *func,
                       LsArray       *root_allocates,
                       LsDiagnostics *diagnostics)
{
  g_autoptr (GHashTable) table = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) body = ls_ref (func->body);
  g_autoptr (LsNode) completed = NULL;
  Completer self = { table, diagnostics, TRUE };

  if (needs_root (body, root_allocates))
    {
      LsArray *allocates = root_allocates != NULL ? ls_ref (root_allocates) : NULL;
      LsBlock *root = ls_block_new (NULL, NULL, NULL, "root", g_steal_pointer (&body), NULL, allocates, NULL, NULL);

      body = LS_NODE (ls_block_realize_new (ls_array_empty (), ls_bool (TRUE), root));
    }
  see (&self, func->buffers);
  see (&self, root_allocates);
  completed = ls_rewrite_with (body, complete_filter, &self);
  return completed == func->body ? ls_ref (func) : ls_prim_func_with_body (func, completed);
}
