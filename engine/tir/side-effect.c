/* side-effect: what evaluating an expression does besides giving its value (TVM's tir::SideEffect). */
#include "engine/tir/tir.h"

static LsWalk
note (LsNode   *node,
      gpointer  user_data)
{
  LsEffect *most = user_data;
  LsEffect own = LS_EFFECT_PURE;

  if (ls_is (node, BUFFER_LOAD) || ls_is (node, PRODUCER_LOAD))
    own = LS_EFFECT_READ_STATE;
  else if (ls_is (node, CALL))
    own = ls_is (((LsCall *) node)->op, OP) ? ((LsOp *) ((LsCall *) node)->op)->effect : LS_EFFECT_OPAQUE;
  *most = MAX (*most, own);
  return *most == LS_EFFECT_OPAQUE ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsEffect
ls_side_effect (gpointer node)
{
  LsEffect most = LS_EFFECT_PURE;

  ls_walk (node, note, NULL, &most);
  return most;
}

gboolean
ls_is_pure (gpointer node)
{
  return ls_side_effect (node) == LS_EFFECT_PURE;
}
