/* part: one block whose bindings are divided at a loop, and the two blocks that come of it.
 *
 *   C: v_i = i0 * 4 + i1   at i1   ->   C_o: v_i_o = i0,   C: v_i_i = i1, and v_i is v_i_o * 4 + v_i_i
 *
 * Source: TVM's tir blockize; the division is ls_subspace_divide, or by hand where bindings are plain loops.
 */
#include "engine/schedule/blockize/blockize.h"

/* ---- dividing ---------------------------------------------------------------- */

void
ls_blockize_part_clear (LsBlockizePart *self)
{
  g_clear_pointer (&self->loops, g_ptr_array_unref);
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  g_clear_pointer (&self->division, ls_subspace_free);
}

static gboolean
uses_any (LsNode    *expr,
          GPtrArray *vars)
{
  for (guint i = 0; i < vars->len; i++)
    if (ls_uses (expr, vars->pdata[i]))
      return TRUE;
  return FALSE;
}

static LsIterMark *
unit_mark (void)
{
  return ls_iter_mark_new (LS_EXPR (ls_iter_sum_new (ls_array_empty (), ls_int (0))), ls_int (1));
}

static LsIterMark *
mark_of_binding (LsExpr *binding,
                 LsExpr *extent)
{
  g_autoptr(LsIterMark) own = NULL;

  if (!ls_is_var (binding))
    return ls_iter_mark_new (LS_EXPR (ls_iter_sum_new (ls_array_empty (), ls_ref (binding))), ls_ref (extent));
  own = ls_iter_mark_new (ls_ref (binding), ls_ref (extent));
  return ls_iter_mark_new (LS_EXPR (ls_iter_split_of_mark (own)), ls_ref (extent));
}

/* Each binding belongs to the outer or to the inner loops altogether; such bindings need not be affine. */
static LsSubspace *
divide_plainly (LsBlockizePart *self,
                GPtrArray      *outer_vars,
                GPtrArray      *inner_vars)
{
  LsBlockRealize *realize = self->realize;
  guint n = ls_array_n (realize->iter_values);
  LsSubspace *division;

  if (!ls_is_one (realize->predicate))
    return NULL;
  for (guint i = 0; i < n; i++)
    if (uses_any (realize->iter_values->items[i], outer_vars) && uses_any (realize->iter_values->items[i], inner_vars))
      return NULL;
  division = g_new0 (LsSubspace, 1);
  division->n = n;
  division->outer = g_new0 (LsIterMark *, n + 1);
  division->inner = g_new0 (LsIterMark *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      LsExpr *binding = ls_array_at (realize->iter_values, i, LsExpr);
      LsExpr *extent = ls_array_at (realize->block->iter_vars, i, LsIterVar)->dom->extent;
      gboolean outer = uses_any (LS_NODE (binding), outer_vars);
      gboolean inner = uses_any (LS_NODE (binding), inner_vars);

      division->outer[i] = outer ? mark_of_binding (binding, extent) : unit_mark ();
      division->inner[i] = inner ? mark_of_binding (binding, extent) : unit_mark ();
    }
  division->outer[n] = ls_iter_mark_new (LS_EXPR (ls_iter_sum_new (ls_array_empty (), ls_int (0))), ls_bool (TRUE));
  division->inner[n] = ls_ref (division->outer[n]);
  return division;
}

/* Inner are the loops below `top`; `top` itself too unless it is outer (and not directly around the block). */
void
ls_blockize_divide (LsBlockizePart *self,
                    LsSref         *top,
                    gboolean        top_is_outer)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(GPtrArray) inner_vars = g_ptr_array_new ();
  g_autoptr(GPtrArray) outer_vars = g_ptr_array_new ();
  g_autoptr(LsArray) sub = NULL;
  gboolean inner = TRUE;

  for (LsSref *p = self->sref->parent; p != NULL && !p->is_block; p = p->parent)
    {
      LsFor *loop = ls_sref_for (p);
      g_autoptr(LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      if (inner)
        g_ptr_array_add (self->loops, loop);
      g_ptr_array_add (inner ? inner_vars : outer_vars, loop->loop_var);
      ls_dom_map_set_range (domains, loop->loop_var, range);
      if ((top_is_outer && p->parent == top) || p == top)
        inner = FALSE;
    }
  sub = ls_array_new (inner_vars->pdata, inner_vars->len);
  for (guint i = 0; i < inner_vars->len; i++)
    ls_node_ref (inner_vars->pdata[i]);
  self->division = ls_subspace_divide (self->realize->iter_values, domains, sub, self->realize->predicate, LS_ITER_MAP_SURJECTIVE,
                                       self->analyzer, !self->keep_units);
  if (self->division == NULL)
    self->division = divide_plainly (self, outer_vars, inner_vars);
}

void
ls_blockize_part_init (LsBlockizePart *self,
                       LsMove         *move,
                       LsSref         *block,
                       gboolean        keep_units)
{
  *self = (LsBlockizePart) { block, ls_state_realize (move->state, block), g_ptr_array_new (), ls_analyzer_new (), NULL,
                   keep_units };
}

/* ---- the blocks -------------------------------------------------------------- */

void
ls_blockize_outer_init (LsBlockizeOuter *self)
{
  *self = (LsBlockizeOuter) { g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                    g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref), NULL, ls_block_reuse_new () };
}

void
ls_blockize_outer_clear (LsBlockizeOuter *self)
{
  g_ptr_array_unref (self->iter_vars);
  g_ptr_array_unref (self->values);
  ls_unref (self->predicate);
  ls_block_reuse_free (self->reuse);
}

static LsRange *
from_zero (LsExpr *extent)
{
  return ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent));
}

static LsVar *
var_with_suffix (LsVar      *var,
                 const char *suffix)
{
  g_autofree char *name = g_strconcat (var->name, suffix, NULL);

  return ls_var_copy (var, name);
}

void
ls_blockize_inner_init (LsBlockizeInner *self)
{
  *self = (LsBlockizeInner) { g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                    g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref) };
}

void
ls_blockize_inner_clear (LsBlockizeInner *self)
{
  g_ptr_array_unref (self->iter_vars);
  g_ptr_array_unref (self->values);
  g_hash_table_unref (self->map);
}

/* FALSE when a further block does not fit the iteration variables of the first. */
static gboolean
bind_outer (LsBlockizeOuter *outer,
            LsBlockizePart  *part,
            guint            i,
            gboolean         reuse)
{
  LsIterVar *old = ls_array_at (part->realize->block->iter_vars, i, LsIterVar);
  LsIterMark *mark = part->division->outer[i];
  g_autoptr(LsExpr) value = ls_iter_map_to_expr (mark->source);
  g_autoptr(LsAnalyzer) analyzer = NULL;

  if (!reuse)
    {
      g_ptr_array_add (outer->iter_vars, ls_iter_var_new (from_zero (mark->extent), var_with_suffix (old->var, "_o"), old->iter_type, NULL));
      g_ptr_array_add (outer->values, g_steal_pointer (&value));
      return TRUE;
    }
  if (i >= outer->iter_vars->len)
    return FALSE;
  analyzer = ls_analyzer_new ();
  return ls_analyzer_can_prove_equal (analyzer, ((LsIterVar *) outer->iter_vars->pdata[i])->dom->extent, mark->extent) &&
         ls_analyzer_can_prove_equal (analyzer, outer->values->pdata[i], value);
}

static void
bind_inner (LsBlockizeInner *inner,
            LsBlockizeOuter *outer,
            LsBlockizePart  *part,
            guint            i)
{
  LsIterVar *old = ls_array_at (part->realize->block->iter_vars, i, LsIterVar);
  LsIterMark *mark = part->division->inner[i];
  LsExpr *outer_extent = part->division->outer[i]->extent;
  LsExpr *outer_var = LS_EXPR (((LsIterVar *) outer->iter_vars->pdata[i])->var);
  LsExpr *stands;
  LsVar *var;

  if (ls_is_one (mark->extent))
    {
      gboolean drop = ls_is_one (outer_extent) && !part->keep_units;

      g_hash_table_insert (inner->map, old->var, drop ? ls_const_int (ls_dtype (outer_extent), 0) : ls_ref (outer_var));
      return;
    }
  var = var_with_suffix (old->var, "_i");
  stands = LS_EXPR (ls_ref (var));
  if (!ls_is_one (outer_extent))
    stands = ls_add (ls_mul (ls_ref (outer_var), ls_ref (mark->extent)), stands);
  g_ptr_array_add (inner->iter_vars, ls_iter_var_new (from_zero (mark->extent), var, old->iter_type, NULL));
  g_ptr_array_add (inner->values, ls_iter_map_to_expr (mark->source));
  g_hash_table_insert (inner->map, old->var, stands);
}

gboolean
ls_blockize_derive_bindings (LsBlockizeInner *inner,
                             LsBlockizeOuter *outer,
                             LsBlockizePart  *part,
                             gboolean         reuse)
{
  for (guint i = 0; i < part->division->n; i++)
    {
      if (!bind_outer (outer, part, i, reuse))
        return FALSE;
      bind_inner (inner, outer, part, i);
    }
  return TRUE;
}

typedef struct {
  GHashTable   *map;
  LsAnalyzer   *analyzer;
  LsBlockReuse *reuse;
} Simplifying;

static LsNode *
substitute_simplified (LsRewriter *rewriter,
                       LsNode     *node,
                       gpointer    user_data)
{
  Simplifying *self = user_data;
  LsNode *fresh = g_hash_table_lookup (self->map, node);

  fresh = fresh != NULL ? ls_node_ref (fresh) : ls_rewrite_default (rewriter, node);
  if (ls_is_expr (node) && fresh != node)
    ls_take (&fresh, LS_NODE (ls_analyzer_simplify (self->analyzer, (LsExpr *) fresh)));
  if (ls_is (node, BLOCK) && fresh != node)
    ls_block_reuse_add (self->reuse, (LsBlock *) node, (LsBlock *) fresh);
  return fresh;
}

/* The old block over the new variables. (transfer full) */
LsBlock *
ls_blockize_substituted_block (LsBlockizePart  *part,
                               LsBlockizeInner *inner,
                               LsBlockizeOuter *outer)
{
  Simplifying self = { inner->map, part->analyzer, outer->reuse };
  LsBlock *block = part->realize->block;
  g_autoptr(LsArray) none = ls_array_empty ();
  g_autoptr(LsBlock) bare = NULL;
  LsBlock *fresh;

  bare = ls_block_new (ls_ref (none), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, ls_ref (block->body),
                       ls_ref (block->init), ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations));
  fresh = (LsBlock *) ls_rewrite_default (&(LsRewriter) { substitute_simplified, &self, NULL, NULL }, bare);
  return fresh;
}

/* Regions over all values of the inner variables. (transfer full) */
LsArray *
ls_blockize_relax_regions (LsArray  *regions,
                           LsDomMap *inner)
{
  GPtrArray *relaxed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      g_autoptr(LsNDIntSet) sets = ls_eval_region (region->region, inner);
      GPtrArray *ranges = g_ptr_array_new ();

      for (guint k = 0; k < sets->len; k++)
        {
          g_autoptr(LsRange) all = from_zero (ls_array_at (region->buffer->shape, k, LsExpr));

          g_ptr_array_add (ranges, ls_int_set_cover_range (sets->pdata[k], all));
        }
      g_ptr_array_add (relaxed, ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges)));
    }
  return ls_array_take_ptr_array (relaxed);
}

gboolean
ls_blockize_adds_up (LsBlock         *block,
                     LsBlockizeOuter *outer)
{
  for (guint i = 0; block->init != NULL && i < outer->iter_vars->len; i++)
    if (((LsIterVar *) outer->iter_vars->pdata[i])->iter_type == LS_ITER_COMM_REDUCE)
      return TRUE;
  return FALSE;
}

LsArray *
ls_blockize_copy_items (GPtrArray *items)
{
  for (guint i = 0; i < items->len; i++)
    ls_node_ref (items->pdata[i]);
  return ls_array_new (items->pdata, items->len);
}

/* The realize of the inner block: what it adds to was there before, so it reads it. */
LsBlockRealize *
ls_blockize_inner_realize (LsBlockizePart  *part,
                           LsBlockizeInner *inner,
                           LsBlockizeOuter *outer,
                           LsBlock         *block)
{
  g_autoptr(LsArray) reads = ls_ref (block->reads);
  LsBlock *fresh;

  if (ls_blockize_adds_up (block, outer))
    for (guint i = ls_array_n (block->writes); i-- > 0;)
      ls_take (&reads, ls_array_insert (reads, 0, block->writes->items[i]));
  fresh = ls_block_new (ls_blockize_copy_items (inner->iter_vars), ls_ref (reads), ls_ref (block->writes), block->name_hint, ls_ref (block->body),
                        NULL, ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations));
  ls_block_reuse_add (outer->reuse, part->realize->block, fresh);
  return ls_block_realize_new (ls_blockize_copy_items (inner->values), ls_ref (part->division->inner[part->division->n]->extent), fresh);
}

static LsFor *
loop_like (LsFor  *loop,
           LsVar  *var,
           LsExpr *extent,
           LsStmt *body)
{
  return ls_for_new (var, ls_ref (loop->min), extent, loop->kind, body, ls_ref (loop->thread_binding), ls_ref (loop->annotations));
}

/* The init of the outer block: the old init for each of the inner spatial variables that it uses. (transfer full) */
LsStmt *
ls_blockize_outer_init_stmt (LsBlockizePart *part,
                             LsBlock        *block,
                             LsBlockRealize *realize)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autofree char *name = g_strconcat (block->name_hint, "_init", NULL);
  GPtrArray *iter_vars = g_ptr_array_new ();
  g_autoptr(LsArray) values = NULL;
  GPtrArray *bound = g_ptr_array_new ();
  g_autoptr(LsNode) stmt = NULL;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    {
      LsIterVar *old = ls_array_at (realize->block->iter_vars, i, LsIterVar);
      LsVar *var;

      if (old->iter_type == LS_ITER_COMM_REDUCE || !ls_uses (block->init, old->var))
        continue;
      var = var_with_suffix (old->var, "_init");
      g_hash_table_insert (map, old->var, var);
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_ref (old->dom), var, old->iter_type, NULL));
      g_ptr_array_add (bound, ls_node_ref (realize->iter_values->items[i]));
    }
  values = ls_array_take_ptr_array (bound);
  stmt = LS_STMT (ls_block_realize_new (ls_ref (values), ls_ref (realize->predicate),
                                        ls_block_new (ls_array_take_ptr_array (iter_vars), NULL, ls_ref (realize->block->writes), name,
                                                      ls_ref (block->init), NULL, NULL, NULL, NULL)));
  for (guint i = 0; i < part->loops->len; i++)
    {
      LsFor *loop = part->loops->pdata[i];
      LsVar *var;

      if (!ls_uses (values, loop->loop_var))
        continue;
      var = ls_var_copy (loop->loop_var, NULL);
      g_hash_table_insert (map, loop->loop_var, var);
      stmt = LS_STMT (loop_like (loop, var, ls_ref (loop->extent), g_steal_pointer (&stmt)));
    }
  return ls_substitute (stmt, map);
}

LsDomMap *
ls_blockize_bind_inner_domains (LsBlockizePart  *part,
                                LsBlockizeInner *inner,
                                GHashTable      *loop_map)
{
  LsDomMap *domains = ls_dom_map_new ();

  for (guint i = 0; i < inner->iter_vars->len; i++)
    {
      LsIterVar *iter = inner->iter_vars->pdata[i];
      g_autoptr(LsRange) dom = (LsRange *) ls_substitute (iter->dom, loop_map);

      ls_dom_map_set_range (domains, iter->var, dom);
      ls_analyzer_bind_range (part->analyzer, iter->var, dom, FALSE);
    }
  return domains;
}

LsStmt *
ls_blockize_nest_of (LsBlockizePart *part,
                     LsStmt         *body,
                     GHashTable     *loop_map)
{
  for (guint i = 0; i < part->loops->len; i++)
    {
      LsFor *loop = part->loops->pdata[i];

      body = LS_STMT (loop_like (loop, ls_ref (loop->loop_var), (LsExpr *) ls_substitute (loop->extent, loop_map), body));
    }
  return body;
}
