/* vscale: conditions with vscale (), tried with every value that it can have.
 *
 * Where the rules prove nothing the target may still say which numbers vscale () can be (SVE: 1 to 16).  The condition
 * is then simplified once with each of them, all of which must hold (TVM's CanProveVscaleExpressionFromKnownValues).
 * The numbers are the thread's: the innermost target of a `with`.
 */
#include "engine/arith/arith-private.h"

static _Thread_local guint vscale_most = 0;

void
ls_arith_set_vscale (guint most)
{
  vscale_most = most;
}

guint
ls_arith_get_vscale (void)
{
  return vscale_most;
}

static LsNode *
put_value (LsRewriter *rewriter,
           LsNode     *node,
           gpointer    user_data)
{
  const gint64 *value = user_data;

  if (ls_is_call (node, "tir.vscale"))
    return LS_NODE (ls_const_int (ls_dtype ((LsExpr *) node), *value));
  return ls_rewrite_default (rewriter, node);
}

gboolean
ls_prove_by_vscale (LsAnalyzer *self,
                    LsExpr     *condition)
{
  guint most = vscale_most;
  gboolean proved = most > 0 && ls_expr_has_vscale (condition);

  for (gint64 value = 1; proved && value <= most; value++)
    {
      g_autoptr (LsExpr) with_value = (LsExpr *) ls_rewrite_with (condition, put_value, &value);

      proved = ls_analyzer_can_prove (self, with_value);
    }
  return proved;
}
