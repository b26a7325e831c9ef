/* traffic: one walk down the loops with the number of executions. */
#include "engine/tir/traffic.h"

/* Bytes that one round of an innermost block may declare and be believed; loop_partition declares whole buffers. */
#define LARGEST_ROUND 4096

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
  const LsCost *cost = ls_is (node, FOR) || ls_is (node, BLOCK) ? ls_cost_table_get (self->costs, node) : NULL;
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

/* A loop whose bytes are not known, because a block in it does not declare them, is looked into. */
static double
fetched_by_loop (Traffic *self,
                 LsFor   *loop,
                 double   runs)
{
  const LsCost *cost = ls_cost_table_get (self->costs, loop);
  double round = footprint (self, LS_NODE (loop->body));
  gint64 extent;

  if (!ls_as_int (loop->extent, &extent))
    return -1.0;
  if (cost != NULL && cost->touches >= 0 && round >= 0.0 && round <= (double) self->cache)
    return runs * (double) cost->touches;
  return fetched (self, LS_NODE (loop->body), runs * (double) MAX (extent, 0));
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
  if (!ls_is (node, BLOCK))
    return fetched_inside (self, node, runs);
  cost = ls_cost_table_get (self->costs, node);
  if ((LS_NODE (((LsBlock *) node)->body)->facts & LS_FACT_HAS_BLOCK) != 0)
    return fetched (self, LS_NODE (((LsBlock *) node)->body), runs);
  return cost != NULL && cost->touches >= 0 && cost->touches <= MAX (self->cache, LARGEST_ROUND) ? runs * (double) cost->touches : -1.0;
}

double
ls_cost_traffic (LsPrimFunc  *func,
                 LsCostTable *costs,
                 gint64       cache_bytes)
{
  Traffic self = { costs, cache_bytes };

  return fetched (&self, LS_NODE (func->body), 1.0);
}
