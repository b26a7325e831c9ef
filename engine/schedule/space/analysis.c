/* analysis: what the rules ask of loops and blocks.  Source of the conditions: TVM's schedule analysis. */
#include "engine/schedule/space/private.h"

typedef struct {
  LsVar   *var;
  gboolean spatial, reduction, other;
} Driven;

static gboolean
look_at_bindings (LsNode         *stmt,
                  LsBlockRealize *realize,
                  gpointer        user_data)
{
  Driven *self = user_data;

  if (ls_is (stmt, FOR))
    return ls_stmt_foreach_child (((LsFor *) stmt)->body, look_at_bindings, self);
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    {
      LsIterType type = (LsIterType) ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type;

      if (!ls_uses (realize->iter_values->items[i], self->var))
        continue;
      self->spatial |= type == LS_ITER_DATA_PAR;
      self->reduction |= type == LS_ITER_COMM_REDUCE;
      self->other |= type != LS_ITER_DATA_PAR && type != LS_ITER_COMM_REDUCE;
    }
  return TRUE;
}

gint
ls_loop_iter_type (LsState *state,
                   LsSref  *loop)
{
  Driven driven = { ls_sref_for (loop)->loop_var, FALSE, FALSE, FALSE };

  ls_stmt_foreach_child (ls_sref_for (loop)->body, look_at_bindings, &driven);
  if (driven.other || (driven.spatial && driven.reduction))
    return -1;
  return driven.reduction ? LS_ITER_COMM_REDUCE : LS_ITER_DATA_PAR;
}

gint64
ls_loop_extent (LsSref *loop)
{
  gint64 extent;

  return ls_as_int (ls_sref_for (loop)->extent, &extent) ? extent : -1;
}

gboolean
ls_block_is_spatial (LsSref *block)
{
  LsArray *iters = ls_sref_block (block)->iter_vars;

  for (guint i = 0; i < ls_array_n (iters); i++)
    if (ls_array_at (iters, i, LsIterVar)->iter_type != LS_ITER_DATA_PAR)
      return FALSE;
  return TRUE;
}

gboolean
ls_block_is_trivial (LsState *state,
                     LsSref  *block)
{
  g_autoptr(GPtrArray) loops = ls_state_loops (state, block);
  LsArray *values = ls_state_realize (state, block)->iter_values;

  if (loops->len != ls_array_n (values))
    return FALSE;
  for (guint i = 0; i < loops->len; i++)
    if (values->items[i] != LS_NODE (ls_sref_for ((LsSref *) loops->pdata[i])->loop_var))
      return FALSE;
  return TRUE;
}

gboolean
ls_block_is_tiled (LsSref *block)
{
  return ls_map_get (ls_sref_block (block)->annotations, LS_TILING_STRUCTURE) != NULL;
}

/* Spatial variables with more than one value. (transfer container) of LsVar */
static GPtrArray *
spatial_vars (LsBlock *block)
{
  GPtrArray *vars = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      gint64 min, extent;
      gboolean single = ls_as_int (iter->dom->min, &min) && ls_as_int (iter->dom->extent, &extent) && min == 0 && extent == 1;

      if (iter->iter_type == LS_ITER_DATA_PAR && !single)
        g_ptr_array_add (vars, iter->var);
    }
  return vars;
}

static gboolean
has_constant_extents (LsBufferRegion *region)
{
  gint64 extent;

  for (guint i = 0; i < ls_array_n (region->region); i++)
    if (!ls_as_int (ls_array_at (region->region, i, LsRange)->extent, &extent))
      return FALSE;
  return TRUE;
}

static gboolean
region_uses (LsBufferRegion *region,
             LsVar          *var)
{
  for (guint i = 0; i < ls_array_n (region->region); i++)
    if (ls_uses (ls_array_at (region->region, i, LsRange)->min, var))
      return TRUE;
  return FALSE;
}

gboolean
ls_needs_tiling (LsState *state,
                 LsSref  *sref)
{
  LsBlock *block = ls_sref_block (sref);
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr(GPtrArray) vars = spatial_vars (block);
  guint n_unused = 0;

  if (ls_block_is_tiled (sref) || ls_array_n (block->writes) != 1 || ls_array_n (block->reads) == 0 || ls_block_is_spatial (sref) ||
      !ls_block_is_trivial (state, sref))
    return FALSE;
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    {
      LsBufferRegion *region = ls_array_at (block->reads, i, LsBufferRegion);

      if (region->buffer == ls_array_at (block->writes, 0, LsBufferRegion)->buffer)
        continue;
      if (!g_hash_table_add (seen, region->buffer) || !has_constant_extents (region))
        return FALSE;
      for (guint v = 0; v < vars->len; v++)
        n_unused += !region_uses (region, vars->pdata[v]);
    }
  return n_unused > 0;
}

/* The variable of `var`, `var + c` or `var - c`. */
static LsVar *
shifted_var (LsExpr *index)
{
  LsBinary *sum = (LsBinary *) index;

  if (ls_is_var (index))
    return (LsVar *) index;
  if ((ls_is (index, ADD) || ls_is (index, SUB)) && ls_is_var (sum->a) && ls_is (sum->b, INT_IMM))
    return (LsVar *) sum->a;
  return ls_is (index, ADD) && ls_is_var (sum->b) && ls_is (sum->a, INT_IMM) ? (LsVar *) sum->b : NULL;
}

static gint
dimension_of (LsBufferRegion *write,
              LsVar          *var)
{
  for (guint i = 0; i < ls_array_n (write->region); i++)
    if (ls_array_at (write->region, i, LsRange)->min == LS_EXPR (var))
      return (gint) i;
  return -1;
}

static gboolean
is_plain_write (LsBufferRegion *write)
{
  gint64 extent;

  for (guint i = 0; i < ls_array_n (write->region); i++)
    if (!ls_as_int (ls_array_at (write->region, i, LsRange)->extent, &extent) || !ls_is_var (ls_array_at (write->region, i, LsRange)->min))
      return FALSE;
  return TRUE;
}

gboolean
ls_reads_in_order (LsBufferRegion *read,
                   LsBufferRegion *write)
{
  guint64 used = 0;
  gint last = -1;

  if (!is_plain_write (write))
    return FALSE;
  for (guint i = 0; i < ls_array_n (read->region); i++)
    {
      LsRange *range = ls_array_at (read->region, i, LsRange);
      LsVar *var = shifted_var (range->min);
      gint64 extent;
      gint at;

      if (!ls_as_int (range->extent, &extent))
        return FALSE;
      if (ls_is (range->min, INT_IMM))
        continue;
      at = var != NULL ? dimension_of (write, var) : -1;
      if (at < 0 || at < last || at > 63 || (used & ((guint64) 1 << at)) != 0)
        return FALSE;
      used |= (guint64) 1 << at;
      last = at;
    }
  return TRUE;
}

static LsWalk
look_for_other (LsNode   *node,
                gpointer  user_data)
{
  LsBlock *block = (LsBlock *) node;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  for (guint i = 0; ls_is (node, BLOCK) && i < ls_array_n (block->iter_vars); i++)
    if (ls_array_at (block->iter_vars, i, LsIterVar)->iter_type != LS_ITER_DATA_PAR)
      return LS_WALK_STOP;
  return LS_WALK_CONTINUE;
}

gboolean
ls_func_is_spatial (LsState *state,
                    LsSref  *block)
{
  return ls_walk (ls_state_func (state, block)->body, look_for_other, NULL, NULL);
}
