/* access: the indices of a block's loads and stores, and its regions, as iteration maps of the variables around.
 *
 * The variables are those of the block and of the loops inside; what is known from predicates counts.  An index that is
 * a variable stays one even when it can only be a number.  Source of the concept: TVM's BlockBufferAccessSimplifier.
 */
#include "engine/schedule/rewrite/rewrite.h"

#include "engine/tir/regions.h"
#include "engine/tir/scope.h"

typedef struct {
  LsDomMap     *domains;
  LsExpr       *predicate;
  LsAnalyzer   *analyzer;
  LsBlockReuse *reuse;
  LsBuffer     *from;           /* with a map: only accesses of this buffer change, to ... */
  LsBuffer     *to;
  LsIndexMap   *map;            /* NULL: all accesses are simplified in place */
  LsArray      *visible;        /* of Buffer: to */
  LsNode     *(*enter) (LsNode *node, gpointer user_data);  /* what stands for a statement before it is rewritten, or NULL */
  gpointer      user_data;
  GHashTable   *entered;        /* NULL: everything is */
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

/* Regions of `from` become what the body now accesses of `to`. */
static LsArray *
replace_regions (Context *self,
                 LsArray *regions,
                 LsArray *found)
{
  g_autoptr(LsArray) changed = ls_ref (regions);
  LsBufferRegion *fresh = ls_region_of (found, self->to);

  for (guint i = 0; fresh != NULL && i < ls_array_n (regions); i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == self->from)
      ls_take (&changed, ls_array_with (changed, i, fresh));
  return g_steal_pointer (&changed);
}

static LsBlock *
remap_block (Context *self,
             LsBlock *inner)
{
  g_autoptr(LsArray) reads = NULL;
  g_autoptr(LsArray) writes = NULL;
  g_autoptr(LsArray) buffers = ls_ref (inner->alloc_buffers);
  gint own = ls_array_index_of (inner->alloc_buffers, self->from);

  if (own < 0 && ls_region_of (inner->reads, self->from) == NULL && ls_region_of (inner->writes, self->from) == NULL)
    return ls_ref (inner);
  if (ls_region_of (inner->reads, self->from) != NULL || ls_region_of (inner->writes, self->from) != NULL)
    ls_block_read_write_region (inner, self->visible, &reads, &writes);
  if (own >= 0)
    ls_take (&buffers, ls_array_with (buffers, (guint) own, self->to));
  return ls_block_new (ls_ref (inner->iter_vars), replace_regions (self, inner->reads, reads), replace_regions (self, inner->writes, writes),
                       inner->name_hint, ls_ref (inner->body), ls_ref (inner->init), g_steal_pointer (&buffers),
                       ls_ref (inner->match_buffers), ls_ref (inner->annotations));
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
  ls_scope_name (self->analyzer, LS_NODE (block));
  inner = (LsBlock *) ls_rewrite_default (rewriter, block);
  if (self->map != NULL)
    {
      fresh = remap_block (self, inner);
      if (fresh != block)
        ls_block_reuse_carry (self->reuse, block, fresh);
      return LS_NODE (fresh);
    }
  fresh = ls_block_new (ls_ref (inner->iter_vars), simplify_regions (self, inner->reads), simplify_regions (self, inner->writes),
                        inner->name_hint, ls_ref (inner->body), ls_ref (inner->init), ls_ref (inner->alloc_buffers),
                        ls_ref (inner->match_buffers), ls_ref (inner->annotations));
  ls_block_reuse_carry (self->reuse, block, fresh);
  return LS_NODE (fresh);
}

/* A part of a statement or expression where `condition` holds. */
static LsNode *
under_condition (Context    *self,
                 LsRewriter *rewriter,
                 LsNode     *node,
                 LsExpr     *condition)
{
  LsExpr *before = self->predicate;
  g_autoptr(LsExpr) inside = ls_and (ls_ref (before), ls_ref (condition));
  LsNode *fresh;

  if (node == NULL)
    return NULL;
  self->predicate = inside;
  fresh = ls_scope_under (rewriter, node, condition, self->analyzer);
  self->predicate = before;
  return fresh;
}

static LsNode *
simplify_branches (Context    *self,
                   LsRewriter *rewriter,
                   LsNode     *node,
                   LsExpr     *condition,
                   LsNode     *then_part,
                   LsNode     *else_part)
{
  LsCall *call = (LsCall *) node;
  LsExpr *plain = ls_is_call (condition, "tir.likely") ? ls_array_at (((LsCall *) condition)->args, 0, LsExpr) : condition;
  g_autoptr(LsExpr) opposite = ls_not (ls_ref (plain));
  LsExpr *test = (LsExpr *) ls_rewrite (rewriter, condition);
  LsNode *yes = under_condition (self, rewriter, then_part, plain);
  LsNode *no = under_condition (self, rewriter, else_part, opposite);

  if (ls_is (node, IF_THEN_ELSE))
    return ls_if_then_else_new (test, yes, no);
  if (ls_is (node, SELECT))
    return LS_NODE (ls_select_new (test, (LsExpr *) yes, (LsExpr *) no));
  return LS_NODE (ls_call_new (ls_dtype (call), ls_ref (call->op), ls_array_of (test, yes, no, NULL)));
}

static LsNode *
simplify_access (Context *self,
                 LsNode  *access)
{
  gboolean is_load = ls_is (access, BUFFER_LOAD);
  LsBuffer *buffer = is_load ? ((LsBufferLoad *) access)->buffer : ((LsBufferStore *) access)->buffer;
  LsArray *indices = is_load ? ((LsBufferLoad *) access)->indices : ((LsBufferStore *) access)->indices;
  g_autoptr(LsArray) mapped = NULL;
  LsArray *simple;

  if (self->map != NULL && buffer != self->from)
    return ls_node_ref (access);
  mapped = self->map != NULL ? ls_index_map_map_indices (self->map, indices, NULL) : ls_ref (indices);
  simple = ls_simplify_indices (mapped, self->domains, self->predicate, self->analyzer);
  buffer = self->map != NULL ? self->to : buffer;
  if (is_load)
    return LS_NODE (ls_buffer_load_new (ls_ref (buffer), simple, ls_ref (((LsBufferLoad *) access)->predicate)));
  return ls_buffer_store_new (ls_ref (buffer), ls_ref (((LsBufferStore *) access)->value), simple, ls_ref (((LsBufferStore *) access)->predicate));
}

static LsNode *
simplify (LsRewriter *rewriter,
          LsNode     *node,
          gpointer    user_data)
{
  Context *self = user_data;
  g_autoptr(LsNode) entered = NULL;
  g_autoptr(LsNode) fresh = NULL;

  if (self->enter != NULL && (entered = self->enter (node, self->user_data)) != NULL)
    return ls_rewrite (rewriter, entered);
  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return simplify_block (self, rewriter, (LsBlock *) node);
  if (ls_is (node, FOR))
    {
      g_autoptr(LsRange) dom = ls_range_new (ls_ref (((LsFor *) node)->min), ls_ref (((LsFor *) node)->extent));

      enter_variable (self, ((LsFor *) node)->loop_var, dom);
    }
  if (ls_is (node, IF_THEN_ELSE))
    return simplify_branches (self, rewriter, node, ((LsIfThenElse *) node)->condition, ((LsIfThenElse *) node)->then_case,
                              ((LsIfThenElse *) node)->else_case);
  if (ls_is (node, SELECT))
    return simplify_branches (self, rewriter, node, ((LsSelect *) node)->condition, LS_NODE (((LsSelect *) node)->true_value),
                              LS_NODE (((LsSelect *) node)->false_value));
  if (ls_is_call (node, "tir.if_then_else"))
    return simplify_branches (self, rewriter, node, ls_array_at (((LsCall *) node)->args, 0, LsExpr),
                              ((LsCall *) node)->args->items[1], ((LsCall *) node)->args->items[2]);
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (fresh, BUFFER_LOAD) || ls_is (fresh, BUFFER_STORE))
    return simplify_access (self, fresh);
  return g_steal_pointer (&fresh);
}

LsBlock *
ls_rebuild_simplify_accesses (LsBlock      *block,
                              LsBlockReuse *reuse)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) always = ls_bool (TRUE);
  Context self = { .domains = domains, .predicate = always, .analyzer = analyzer, .reuse = reuse };

  return (LsBlock *) ls_rewrite_with (block, simplify, &self);
}

LsBlock *
ls_rebuild_map_accesses (LsBlock      *block,
                         LsBuffer     *from,
                         LsBuffer     *to,
                         LsIndexMap   *map,
                         LsNode     *(*enter) (LsNode *node, gpointer user_data),
                         gpointer      user_data,
                         GHashTable   *entered,
                         LsBlockReuse *reuse)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) always = ls_bool (TRUE);
  g_autoptr(LsArray) visible = ls_array_of (ls_ref (to), NULL);
  Context self = { domains, always, analyzer, reuse, from, to, map, visible, enter, user_data, entered };

  return (LsBlock *) ls_rewrite_with (block, simplify, &self);
}
