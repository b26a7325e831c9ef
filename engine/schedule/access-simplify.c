/* access-simplify: the indices of a block's loads and stores, and its regions, as iteration maps of the variables around.
 *
 * The variables are those of the block and of the loops inside; what is known from predicates counts.  An index that is
 * a variable stays one even when it can only be a number.  Source of the concept: TVM's BlockBufferAccessSimplifier.
 */
#include "engine/schedule/schedule-private.h"

typedef struct {
  LsDomMap     *domains;
  LsExpr       *predicate;
  LsAnalyzer   *analyzer;
  LsBlockReuse *reuse;
} Context;

LsArray *
ls_simplify_indices (LsArray    *indices,
                     LsDomMap   *domains,
                     LsExpr     *predicate,
                     LsAnalyzer *analyzer)
{
  g_autoptr(LsArray) simple = ls_iter_map_simplify (indices, domains, predicate, LS_ITER_MAP_SURJECTIVE, analyzer, TRUE);

  for (guint i = 0; i < indices->n; i++)
    if (ls_is (simple->items[i], INT_IMM) && ls_is_var (indices->items[i]))
      ls_take (&simple, ls_array_with (simple, i, indices->items[i]));
  return g_steal_pointer (&simple);
}

static LsArray *
simplify_regions (Context *self,
                  LsArray *regions)
{
  GPtrArray *simple = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      GPtrArray *mins = g_ptr_array_new ();
      GPtrArray *ranges = g_ptr_array_new ();
      g_autoptr(LsArray) old = NULL;
      g_autoptr(LsArray) fresh = NULL;

      for (guint k = 0; k < ls_array_n (region->region); k++)
        g_ptr_array_add (mins, ls_ref (ls_array_at (region->region, k, LsRange)->min));
      old = ls_array_take_ptr_array (mins);
      fresh = ls_simplify_indices (old, self->domains, self->predicate, self->analyzer);
      for (guint k = 0; k < fresh->n; k++)
        g_ptr_array_add (ranges, ls_range_new (ls_ref (ls_array_at (fresh, k, LsExpr)),
                                               ls_analyzer_simplify (self->analyzer, ls_array_at (region->region, k, LsRange)->extent)));
      g_ptr_array_add (simple, ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges)));
    }
  return ls_array_take_ptr_array (simple);
}

static void
enter_variable (Context *self,
                LsVar   *var,
                LsRange *dom)
{
  ls_analyzer_bind_range (self->analyzer, var, dom, FALSE);
  ls_dom_map_set_range (self->domains, var, dom);
}

static LsNode *
simplify_block (Context    *self,
                LsRewriter *rewriter,
                LsBlock    *block)
{
  g_autoptr(LsBlock) inner = NULL;
  LsBlock *fresh;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    enter_variable (self, ls_array_at (block->iter_vars, i, LsIterVar)->var, ls_array_at (block->iter_vars, i, LsIterVar)->dom);
  inner = (LsBlock *) ls_rewrite_default (rewriter, block);
  fresh = ls_block_new (ls_ref (inner->iter_vars), simplify_regions (self, inner->reads), simplify_regions (self, inner->writes),
                        inner->name_hint, ls_ref (inner->body), ls_ref (inner->init), ls_ref (inner->alloc_buffers),
                        ls_ref (inner->match_buffers), ls_ref (inner->annotations));
  ls_block_reuse_carry (self->reuse, block, fresh);
  return LS_NODE (fresh);
}

static LsNode *
simplify_realize (Context        *self,
                  LsRewriter     *rewriter,
                  LsBlockRealize *realize)
{
  LsExpr *before = self->predicate;
  g_autoptr(LsExpr) inside = ls_and (ls_ref (before), ls_ref (realize->predicate));
  guint token = ls_analyzer_enter_constraint (self->analyzer, realize->predicate);
  LsNode *fresh;

  self->predicate = inside;
  fresh = ls_rewrite_default (rewriter, realize);
  self->predicate = before;
  ls_analyzer_exit_constraint (self->analyzer, token);
  return fresh;
}

static LsNode *
simplify (LsRewriter *rewriter,
          LsNode     *node,
          gpointer    user_data)
{
  Context *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_is (node, BLOCK))
    return simplify_block (self, rewriter, (LsBlock *) node);
  if (ls_is (node, BLOCK_REALIZE))
    return simplify_realize (self, rewriter, (LsBlockRealize *) node);
  if (ls_is (node, FOR))
    {
      g_autoptr(LsRange) dom = ls_range_new (ls_ref (((LsFor *) node)->min), ls_ref (((LsFor *) node)->extent));

      enter_variable (self, ((LsFor *) node)->loop_var, dom);
    }
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (fresh, BUFFER_LOAD))
    {
      LsBufferLoad *load = (LsBufferLoad *) fresh;

      return LS_NODE (ls_buffer_load_new (ls_ref (load->buffer), ls_simplify_indices (load->indices, self->domains, self->predicate, self->analyzer),
                                          ls_ref (load->predicate)));
    }
  if (ls_is (fresh, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) fresh;

      return ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value),
                                  ls_simplify_indices (store->indices, self->domains, self->predicate, self->analyzer), ls_ref (store->predicate));
    }
  return g_steal_pointer (&fresh);
}

LsBlock *
ls_rebuild_simplify_accesses (LsBlock      *block,
                              LsBlockReuse *reuse)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) always = ls_bool (TRUE);
  Context self = { domains, always, analyzer, reuse };

  return (LsBlock *) ls_rewrite_with (block, simplify, &self);
}
