/* traffic: one walk down the loops with the number of executions. */
#include "engine/tir/traffic.h"

typedef struct {
  LsCostTable *costs;
  gint64       cache;
} Traffic;

static double
plus (double a,
      double b)
{
  return a < 0.0 || b < 0.0 ? -1.0 : a + b;
}

/* ---- bytes of one execution --------------------------------------------------- */

/* Different bytes that one execution of a statement touches; what two of its parts share counts twice. */
static double
footprint (Traffic *self,
           LsNode  *node)
{
  const LsCost *cost = ls_is (node, FOR) || ls_is (node, BLOCK) || ls_is (node, BUFFER_STORE) ? ls_cost_table_get (self->costs, node) : NULL;
  double sum = 0.0;

  if (node == NULL)
    return 0.0;
  if (cost != NULL && (cost->touches >= 0 || ls_is (node, FOR)))
    return (double) cost->touches;
  if (ls_is (node, BLOCK_REALIZE))
    return footprint (self, LS_NODE (((LsBlockRealize *) node)->block));
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (ls_is_stmt (child) || ls_is (child, ARRAY) || ls_is (child, BLOCK))
        sum = plus (sum, footprint (self, child));
    }
  return sum;
}

/* ---- fetched bytes ------------------------------------------------------------- */

static double fetched (Traffic *self, LsNode *node, double runs);

static LsWalk
find_loop (LsNode  *node,
           gpointer found)
{
  *(gboolean *) found |= ls_is (node, FOR);
  return *(gboolean *) found ? LS_WALK_STOP : ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static gboolean
has_loops (LsStmt *stmt)
{
  gboolean found = FALSE;

  ls_walk (stmt, find_loop, NULL, &found);
  return found;
}

static double
fetched_inside (Traffic *self,
                LsNode  *node,
                double   runs)
{
  double sum = 0.0;

  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (ls_is_stmt (child) || ls_is (child, ARRAY) || ls_is (child, BLOCK))
        sum = plus (sum, fetched (self, child, runs));
    }
  return sum;
}

static double
fetched_by_loop (Traffic *self,
                 LsFor   *loop,
                 double   runs)
{
  const LsCost *cost = ls_cost_table_get (self->costs, loop);
  double round = footprint (self, LS_NODE (loop->body));
  gint64 extent = 0;
  gboolean known = ls_as_int (loop->extent, &extent);

  if (!known && (cost == NULL || cost->runs < 0))
    return -1.0;
  if (cost != NULL && cost->touches >= 0 && round >= 0.0 && round <= (double) self->cache)
    return runs * (double) cost->touches;
  /* Rounds that depend on the loops around were added up over all of these. */
  return fetched (self, LS_NODE (loop->body), known ? runs * (double) MAX (extent, 0) : (double) cost->runs);
}

static double
fetched (Traffic *self,
         LsNode  *node,
         double   runs)
{
  const LsCost *cost;

  if (node == NULL)
    return 0.0;
  if (ls_is (node, FOR))
    return fetched_by_loop (self, (LsFor *) node, runs);
  if (ls_is (node, BLOCK_REALIZE))
    return fetched (self, LS_NODE (((LsBlockRealize *) node)->block), runs);
  if (ls_is (node, BLOCK))
    {
      cost = ls_cost_table_get (self->costs, node);
      if (cost != NULL && cost->touches >= 0 && !has_loops (((LsBlock *) node)->body))
        return runs * (double) cost->touches;
      return fetched (self, LS_NODE (((LsBlock *) node)->body), runs);
    }
  if (ls_is (node, EVALUATE))
    {
      LsExpr *value = ((LsEvaluate *) node)->value;
      LsCostTable *callee = ls_cost_table_get_callee (self->costs, value);
      LsNode *func = callee != NULL ? ls_module_get (self->costs->module, ((LsGlobalVar *) ((LsCall *) value)->op)->name_hint) : NULL;
      double bytes = func != NULL ? ls_cost_traffic ((LsPrimFunc *) func, callee, self->cache) : 0.0;

      return bytes < 0.0 ? -1.0 : runs * bytes;
    }
  if (!ls_is (node, BUFFER_STORE))
    return fetched_inside (self, node, runs);
  cost = ls_cost_table_get (self->costs, node);
  return cost != NULL && cost->touches >= 0 ? runs * (double) cost->touches : -1.0;
}

double
ls_cost_traffic (LsPrimFunc  *func,
                 LsCostTable *costs,
                 gint64       cache_bytes)
{
  Traffic self = { costs, cache_bytes };

  return fetched (&self, LS_NODE (func->body), 1.0);
}
