/* removal: what is left of a scope when one of its blocks goes.
 *
 * The loops that hold nothing but the block go with it, so the place that changes is the lowest loop (or the scope's
 * own block) around it that holds something else.  A scope does not become empty.
 */
#include "engine/schedule/legal/legal.h"

/* The sequence without the statement that is `gone` or realizes it; NULL when that is not in it. */
static LsStmt *
without (LsSeqStmt *seq,
         LsNode    *gone)
{
  for (guint i = 0; i < ls_array_n (seq->seq); i++)
    {
      LsNode *item = seq->seq->items[i];

      if (item == gone || (ls_is (item, BLOCK_REALIZE) && LS_NODE (((LsBlockRealize *) item)->block) == gone))
        return ls_seq (ls_array_remove (seq->seq, i));
    }
  return NULL;
}

/* The body without `gone`; constants and buffers that are defined around the sequence stay around it. */
static LsStmt *
rest_of_body (LsStmt *body,
              LsNode *gone)
{
  if (ls_is (body, SEQ_STMT))
    return without ((LsSeqStmt *) body, gone);
  if (ls_is (body, ALLOCATE_CONST))
    {
      LsAllocateConst *constant = (LsAllocateConst *) body;
      LsStmt *rest = rest_of_body (constant->body, gone);

      return rest == NULL ? NULL
                          : ls_allocate_const_new (ls_ref (constant->buffer_var), ls_ref (constant->data), constant->dtype,
                                                   ls_ref (constant->extents), rest, ls_ref (constant->annotations));
    }
  if (ls_is (body, DECL_BUFFER))
    {
      LsDeclBuffer *declaration = (LsDeclBuffer *) body;
      LsStmt *rest = rest_of_body (declaration->body, gone);

      return rest == NULL ? NULL : ls_decl_buffer_new (ls_ref (declaration->buffer), rest);
    }
  return NULL;
}

static gboolean
holds_more (LsSref *sref)
{
  LsStmt *body = ls_sref_body (sref);

  return ls_is (body, SEQ_STMT) && ls_array_n (((LsSeqStmt *) body)->seq) > 1;
}

LsNode *
ls_state_plan_removal (LsState  *self,
                       LsSref   *block,
                       LsSref  **place)
{
  LsNode *gone = block->stmt;
  LsSref *p = block->parent;
  g_autoptr(LsNode) rest = NULL;

  while (!p->is_block && !holds_more (p))
    {
      gone = p->stmt;
      p = p->parent;
    }
  *place = p;
  rest = rest_of_body (ls_sref_body (p), gone);
  if (rest == NULL)
    return NULL;
  return p->is_block ? LS_NODE (ls_block_with_body (ls_sref_block (p), rest)) : LS_NODE (ls_for_with_body (ls_sref_for (p), rest));
}

gboolean
ls_legal_removal (LsMove         *move,
                  LsDiagnostics  *diagnostics,
                  LsSref         *block,
                  LsSref        **place,
                  LsNode        **rest)
{
  g_autoptr(GPtrArray) others = NULL;
  LsSref *root = ls_state_scope_root (move->state, block);

  *rest = ls_state_plan_removal (move->state, block, place);
  if (*rest != NULL)
    return TRUE;
  others = ls_state_child_blocks (move->state, root);
  if (others->len > 1)
    ls_move_refuse (move, diagnostics, "not-in-sequence", block->stmt,
                    "Block %s stands under a condition or definition and cannot be taken out alone.", ls_sref_name (block));
  else
    ls_move_refuse (move, diagnostics, "only-block", block->stmt, "%s is the only block in %s; nothing would be left there.",
                    ls_sref_name (block), ls_sref_name (root));
  return FALSE;
}
