/* fast-math: see the header. */
#include "engine/tir/fast-math.h"

#include <string.h>

gboolean
ls_fast_math_value_asks (LsNode *value)
{
  gint64 n;

  return value != NULL && ls_as_int (value, &n) && n != 0;
}

static LsWalk
find_pragma (LsNode   *node,
             gpointer  user_data)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  LsNode *value = NULL;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, FOR))
    value = ls_map_get (((LsFor *) node)->annotations, LS_FAST_MATH_PRAGMA);
  else if (ls_is (node, BLOCK))
    value = ls_map_get (((LsBlock *) node)->annotations, LS_FAST_MATH_PRAGMA);
  else if (ls_is (node, ATTR_STMT) && strcmp (attr->attr_key, LS_FAST_MATH_PRAGMA) == 0)
    value = LS_NODE (attr->value);
  return ls_fast_math_value_asks (value) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_fast_math_is_asked (LsPrimFunc *func)
{
  return ls_fast_math_value_asks (ls_map_get (func->attrs, LS_FAST_MATH_ATTR)) || !ls_walk (func->body, find_pragma, NULL, NULL);
}

static LsNode *
take_away (LsRewriter *rewriter,
           LsNode     *node,
           gpointer    user_data)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  g_autoptr (LsNode) now = NULL;
  g_autoptr (LsMap) annotations = NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is (node, ATTR_STMT) && strcmp (attr->attr_key, LS_FAST_MATH_PRAGMA) == 0)
    return ls_rewrite (rewriter, attr->body);
  now = ls_rewrite_default (rewriter, node);
  if (ls_is (now, FOR) && ls_map_get (((LsFor *) now)->annotations, LS_FAST_MATH_PRAGMA) != NULL)
    {
      annotations = ls_map_remove (((LsFor *) now)->annotations, LS_FAST_MATH_PRAGMA);
      return LS_NODE (ls_for_with_annotations ((LsFor *) now, annotations));
    }
  if (ls_is (now, BLOCK) && ls_map_get (((LsBlock *) now)->annotations, LS_FAST_MATH_PRAGMA) != NULL)
    {
      annotations = ls_map_remove (((LsBlock *) now)->annotations, LS_FAST_MATH_PRAGMA);
      return LS_NODE (ls_block_with_annotations ((LsBlock *) now, annotations));
    }
  return g_steal_pointer (&now);
}

LsPrimFunc *
ls_fast_math_without (LsPrimFunc *func)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, take_away, NULL);
  g_autoptr (LsPrimFunc) plain = ls_prim_func_with_body (func, LS_STMT (body));

  return ls_prim_func_with_attr (plain, LS_FAST_MATH_ATTR, NULL);
}

static LsWalk
find_operation (LsNode   *node,
                gpointer  user_data)
{
  switch ((int) ls_kind (node))
    {
    case LS_KIND_ADD:
    case LS_KIND_SUB:
    case LS_KIND_MUL:
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_MIN:
    case LS_KIND_MAX:
      return ls_dtype_is_float (ls_dtype (node)) && ls_dtype (node).bits >= 32 ? LS_WALK_STOP : LS_WALK_CONTINUE;
    default:
      return LS_WALK_CONTINUE;
    }
}

gboolean
ls_fast_math_matters (gpointer stmt)
{
  return !ls_walk (stmt, find_operation, NULL, NULL);
}
