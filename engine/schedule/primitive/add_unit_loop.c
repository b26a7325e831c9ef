/* add_unit_loop: a loop of one round around a loop or block.
 *
 *   body   ->   for u in range (1): body
 *
 * Gives other primitives a place to work at.  Source: TVM's tir add_unit_loop.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK_OR_LOOP };

static const LsParam params[] = {
  { "block_or_loop", LS_PARAM_BLOCK_OR_LOOP, 0, NULL, "what the loop is put around" },
};

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK_OR_LOOP);

  if (!sref->is_block || sref->parent != NULL)
    return TRUE;
  return ls_legal_not_root (move, diagnostics, sref);
}

typedef struct {
  LsBlock *block;
  LsFor   *made;                /* borrowed */
} Wrapper;

static LsNode *
wrap (LsRewriter *rewriter,
      LsNode     *node,
      gpointer    user_data)
{
  Wrapper *self = user_data;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK_REALIZE))
    {
      if (((LsBlockRealize *) node)->block != self->block)
        return ls_node_ref (node);
      self->made = ls_for_new (ls_var_new ("u", LS_INT32), ls_int (0), ls_int (1), LS_FOR_SERIAL, ls_node_ref (node), NULL, NULL);
      return LS_NODE (self->made);
    }
  return ls_rewrite_default (rewriter, node);
}

static LsSref *
wrap_block (LsMove *move,
            LsSref *sref)
{
  LsSref *parent = sref->parent;
  Wrapper wrapper = { ls_sref_block (sref), NULL };
  g_autoptr(LsNode) body = ls_rewrite_with (ls_sref_body (parent), wrap, &wrapper);
  g_autoptr(LsNode) fresh = NULL;
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();

  if (parent->is_block)
    {
      fresh = LS_NODE (ls_block_with_body (ls_sref_block (parent), body));
      ls_block_reuse_add (reuse, ls_sref_block (parent), (LsBlock *) fresh);
    }
  else
    {
      fresh = LS_NODE (ls_for_with_body (ls_sref_for (parent), body));
    }
  ls_state_replace (move->state, parent, fresh, reuse);
  return ls_state_sref (move->state, wrapper.made);
}

static LsSref *
wrap_loop (LsMove *move,
           LsSref *sref)
{
  g_autoptr(LsFor) made = ls_for_new (ls_var_new ("u", LS_INT32), ls_int (0), ls_int (1), LS_FOR_SERIAL,
                                      ls_node_ref (sref->stmt), NULL, NULL);

  ls_state_replace (move->state, sref, made, NULL);
  return ls_state_sref (move->state, made);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK_OR_LOOP);

  ls_move_result (move, sref->is_block ? wrap_block (move, sref) : wrap_loop (move, sref));
  return TRUE;
}

const LsInstruction ls_instruction_add_unit_loop = {
  .name = "add_unit_loop",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_LOOP,
  .summary = LS_TEXT ("Puts a loop of one round around a loop or block"),
  .condition = "Not around the root block.",
  .source = "TVM v0.20 tir.Schedule.add_unit_loop",
  .check = check,
  .apply = apply,
};
