/* rebuild: the rewritings of loop bodies that several primitives share.
 *
 * All keep untouched subtrees as the same nodes, so that their places live on, and note in LsBlockReuse which block
 * took over from which.
 */
#include "engine/schedule/rewrite/rewrite.h"

/* ---- what stays ----------------------------------------------------------- */

gboolean
ls_rebuild_can_skip (LsNode  *stmt,
                     LsSref  *place,
                     guint32  inside)
{
  LsNode *node = ls_is (stmt, BLOCK_REALIZE) ? LS_NODE (((LsBlockRealize *) stmt)->block) : stmt;

  if ((stmt->facts & inside) != 0 || !(ls_is (node, FOR) || ls_is (node, BLOCK)))
    return FALSE;
  for (LsSref *p = place; p != NULL; p = p->parent)
    if (p->stmt == node)
      return FALSE;
  return TRUE;
}

LsNode *
ls_rebuild_below_definition (LsRewriter *rewriter,
                             LsNode     *node,
                             LsVar      *data)
{
  LsAllocate *allocate = (LsAllocate *) node;
  LsAllocateConst *constant = (LsAllocateConst *) node;

  if (ls_is (node, ALLOCATE) && allocate->buffer_var == data)
    return LS_NODE (ls_allocate_new (ls_ref (data), allocate->dtype, ls_ref (allocate->extents), ls_ref (allocate->condition),
                                     LS_STMT (ls_rewrite (rewriter, allocate->body)), ls_ref (allocate->annotations)));
  if (ls_is (node, ALLOCATE_CONST) && constant->buffer_var == data)
    return LS_NODE (ls_allocate_const_new (ls_ref (data), ls_ref (constant->data), constant->dtype, ls_ref (constant->extents),
                                           LS_STMT (ls_rewrite (rewriter, constant->body)), ls_ref (constant->annotations)));
  return NULL;
}

guint32
ls_facts_of_buffer (LsBuffer *buffer)
{
  return (LS_NODE (buffer)->facts | LS_NODE (buffer->data)->facts) & LS_FACTS_INSIDE;
}

/* ---- substitution --------------------------------------------------------- */

typedef struct {
  GHashTable   *map;
  LsBlockReuse *reuse;
  GHashTable   *entered;
  guint32       inside;         /* facts of the keys */
} Substitution;

static LsNode *
substitute (LsRewriter *rewriter,
            LsNode     *node,
            gpointer    user_data)
{
  Substitution *self = user_data;
  LsNode *fresh;

  if (!(node->facts & self->inside) || ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is_var (node) || ls_is (node, BUFFER))
    {
      fresh = g_hash_table_lookup (self->map, node);
      return ls_node_ref (fresh != NULL ? fresh : node);
    }
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (node, BLOCK) && fresh != node)
    ls_block_reuse_carry (self->reuse, (LsBlock *) node, (LsBlock *) fresh);
  return fresh;
}

LsStmt *
ls_rebuild_substitute (LsStmt       *stmt,
                       GHashTable   *map,
                       LsBlockReuse *reuse)
{
  return ls_rebuild_substitute_in (stmt, NULL, map, reuse);
}

LsStmt *
ls_rebuild_substitute_in (LsStmt       *stmt,
                          GHashTable   *entered,
                          GHashTable   *map,
                          LsBlockReuse *reuse)
{
  Substitution self = { map, reuse, entered, ls_facts_of_keys (map) };

  return ls_rewrite_with (stmt, substitute, &self);
}

/* ---- predicates ----------------------------------------------------------- */

static LsNode *
guard (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  LsBlockRealize *realize = (LsBlockRealize *) node;

  if (ls_is (node, BLOCK_REALIZE))
    return LS_NODE (ls_block_realize_new (ls_ref (realize->iter_values),
                                          ls_and (ls_ref (realize->predicate), ls_ref ((LsExpr *) user_data)),
                                          ls_ref (realize->block)));
  if (ls_is_expr (node))
    return ls_node_ref (node);
  return ls_rewrite_default (rewriter, node);
}

LsStmt *
ls_rebuild_guard (LsStmt *stmt,
                  LsExpr *condition)
{
  return ls_rewrite_with (stmt, guard, condition);
}

/* ---- bindings ------------------------------------------------------------- */

typedef struct {
  LsDomMap     *domains;
  LsAnalyzer   *analyzer;
  gboolean      preserve_unit_iters;
  LsBlockReuse *reuse;
} Simplifier;

static LsNode *
simplify_loop (Simplifier *self,
               LsRewriter *rewriter,
               LsFor      *loop)
{
  g_autoptr(LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));
  LsNode *fresh;

  ls_dom_map_set_range (self->domains, loop->loop_var, range);
  fresh = ls_rewrite_default (rewriter, loop);
  ls_dom_map_remove (self->domains, loop->loop_var);
  return fresh;
}

static LsNode *
simplify_realize (Simplifier     *self,
                  LsRewriter     *rewriter,
                  LsBlockRealize *realize)
{
  g_autoptr(LsArray) values = NULL;
  LsNode *fresh;

  if (ls_array_n (realize->iter_values) == 0)
    {
      fresh = ls_rewrite_default (rewriter, realize);
      ls_block_reuse_carry (self->reuse, realize->block, ((LsBlockRealize *) fresh)->block);
      return fresh;
    }
  if (ls_is_simple_binding (realize, self->domains))
    return LS_NODE (ls_ref (realize));
  values = ls_iter_map_simplify (realize->iter_values, self->domains, realize->predicate, LS_ITER_MAP_SURJECTIVE,
                                 self->analyzer, !self->preserve_unit_iters);
  if (ls_array_same_items (values, realize->iter_values))
    return LS_NODE (ls_ref (realize));
  return LS_NODE (ls_block_realize_new (g_steal_pointer (&values), ls_ref (realize->predicate), ls_ref (realize->block)));
}

static LsNode *
simplify (LsRewriter *rewriter,
          LsNode     *node,
          gpointer    user_data)
{
  if (ls_is (node, FOR))
    return simplify_loop (user_data, rewriter, (LsFor *) node);
  if (ls_is (node, BLOCK_REALIZE))
    return simplify_realize (user_data, rewriter, (LsBlockRealize *) node);
  if (ls_is_expr (node))
    return ls_node_ref (node);
  return ls_rewrite_default (rewriter, node);
}

LsStmt *
ls_rebuild_simplify_bindings (LsStmt       *stmt,
                              LsDomMap     *outer,
                              gboolean      preserve_unit_iters,
                              LsBlockReuse *reuse)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  Simplifier self = { outer, analyzer, preserve_unit_iters, reuse };

  return ls_rewrite_with (stmt, simplify, &self);
}

/* ---- small things --------------------------------------------------------- */

LsExpr *
ls_promote_const (LsExpr  *value,
                  LsDType  dtype)
{
  gint64 number;
  LsExpr *wide;

  if (!ls_is (value, INT_IMM) || ls_dtype (value).bits >= dtype.bits || !ls_as_int (value, &number))
    return value;
  wide = ls_int_imm_new (dtype, number);
  ls_unref (value);
  return wide;
}

LsDomMap *
ls_block_domains (LsBlock *block)
{
  LsDomMap *domains = ls_dom_map_new ();

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      ls_dom_map_set_range (domains, iter->var, iter->dom);
    }
  return domains;
}

LsDomMap *
ls_outer_domains (LsState *state,
                  LsSref  *sref)
{
  LsDomMap *domains = ls_dom_map_new ();
  g_autoptr(GPtrArray) loops = ls_state_loops (state, sref);

  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = ls_sref_for ((LsSref *) loops->pdata[i]);
      g_autoptr(LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      ls_dom_map_set_range (domains, loop->loop_var, range);
    }
  return domains;
}

LsExpr *
ls_simplify_non_trivial (LsAnalyzer *analyzer,
                         LsExpr     *expr)
{
  LsExpr *simple = ls_analyzer_simplify (analyzer, expr);

  if (!ls_is (simple, INT_IMM))
    return simple;
  ls_unref (simple);
  return ls_ref (expr);
}

static LsWalk
note_var (LsNode   *node,
          gpointer  user_data)
{
  GPtrArray *vars = user_data;

  if (ls_is_var (node) && !g_ptr_array_find (vars, node, NULL))
    g_ptr_array_add (vars, node);
  return LS_WALK_CONTINUE;
}

GPtrArray *
ls_vars_in_order (LsExpr *expr)
{
  GPtrArray *vars = g_ptr_array_new ();

  ls_walk (expr, note_var, NULL, vars);
  return vars;
}

LsBufferRegion *
ls_region_of (LsArray  *regions,
              LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == buffer)
      return ls_array_at (regions, i, LsBufferRegion);
  return NULL;
}
