/* CompactBufferAllocation: an allocation shrinks to the region that is used of it.
 *
 *     for j_0 in range(32):                        for j_0 in range(32):
 *         Y = T.alloc_buffer((128, 128))    ->         Y = T.alloc_buffer((1, 4))
 *         ... Y[i, j_0 * 4 + j_1] ...                  ... Y[0, j_1] ...
 *
 * What is used, and what the smaller buffer is, compact-buffer-regions.c decides; here the allocations of blocks and T.allocate take its shape,
 * and its first index is subtracted from every index.
 *
 * is_strict=False takes what is used for right where it is more than the buffer has, and the buffer grows.
 */
#include "engine/arith/arith.h"
#include "engine/tir/pass/compact-buffer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

/* The differences stay as they are written: Simplify, which follows in the pipeline, makes them short. */
static LsArray *
shifted (LsCompactInfo *info,
         LsArray       *indices)
{
  GPtrArray *result = g_ptr_array_new ();

  for (guint i = 0; i < indices->n; i++)
    g_ptr_array_add (result, ls_sub (ls_ref (ls_array_at (indices, i, LsExpr)), ls_ref (info->mins[i])));
  return ls_array_take_ptr_array (result);
}

typedef struct {
  GHashTable *infos;            /* Buffer -> LsCompactInfo */
  GHashTable *by_data;          /* Var -> LsCompactInfo of those that shrink */
  LsAnalyzer *analyzer;
} Rebuild;

static LsNode *
shift_region (LsCompactInfo  *info,
              LsBufferRegion *region)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < region->region->n; i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);

      g_ptr_array_add (ranges, ls_range_new (ls_sub (ls_ref (range->min), ls_ref (info->mins[i])), ls_ref (range->extent)));
    }
  return LS_NODE (ls_buffer_region_new (ls_ref (info->compact), ls_array_take_ptr_array (ranges)));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Rebuild *rebuild = user_data;
  LsNode *result;
  LsCompactInfo *info;

  if (ls_is (node, BUFFER))
    {
      info = g_hash_table_lookup (rebuild->infos, node);
      return ls_node_ref (info != NULL && info->compact != NULL ? LS_NODE (info->compact) : node);
    }
  result = ls_scope_rewrite (rewriter, node, rebuild->analyzer, LS_SCOPE_LOOPS);
  if (ls_is (node, BUFFER_LOAD))
    {
      info = g_hash_table_lookup (rebuild->infos, ((LsBufferLoad *) node)->buffer);
      if (info != NULL && info->compact != NULL)
        ls_take (&result, LS_NODE (ls_buffer_load_new (ls_ref (info->compact), shifted (info, ((LsBufferLoad *) result)->indices),
                                                       ls_ref (((LsBufferLoad *) result)->predicate))));
    }
  else if (ls_is (node, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) result;

      info = g_hash_table_lookup (rebuild->infos, ((LsBufferStore *) node)->buffer);
      if (info != NULL && info->compact != NULL)
        ls_take (&result, ls_node_set_span (ls_buffer_store_new (ls_ref (info->compact), ls_ref (store->value), shifted (info, store->indices),
                                                                 ls_ref (store->predicate)), store->node.span));
    }
  else if (ls_is (node, BUFFER_REGION))
    {
      info = g_hash_table_lookup (rebuild->infos, ((LsBufferRegion *) node)->buffer);
      if (info != NULL && info->compact != NULL)
        ls_take (&result, shift_region (info, (LsBufferRegion *) result));
    }
  else if (ls_is (node, ALLOCATE) && (info = g_hash_table_lookup (rebuild->by_data, ((LsAllocate *) node)->buffer_var)) != NULL)
    {
      LsAllocate *allocate = (LsAllocate *) result;

      ls_take (&result, ls_allocate_new (ls_ref (allocate->buffer_var), allocate->dtype, ls_buffer_allocated_shape (info->compact),
                                         ls_ref (allocate->condition), ls_ref (allocate->body), ls_ref (allocate->annotations)));
    }
  return result;
}

LsPrimFunc *
ls_pass_compact_buffer_allocation (LsPrimFunc  *func,
                                   LsMap       *options,
                                   GError     **error)
{
  g_autoptr (GHashTable) infos = ls_compact_buffer_infos (func->body, ls_pass_option (options, "is_strict", 1) != 0);
  g_autoptr (GHashTable) by_data = g_hash_table_new (NULL, NULL);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Rebuild rebuild = { infos, by_data, analyzer };
  g_autoptr (LsNode) body = NULL;
  GHashTableIter iter;
  gpointer info;

  g_hash_table_iter_init (&iter, infos);
  while (g_hash_table_iter_next (&iter, NULL, &info))
    if (((LsCompactInfo *) info)->compact != NULL)
      g_hash_table_insert (by_data, ((LsCompactInfo *) info)->buffer->data, info);
  body = ls_rewrite_with (func->body, filter, &rebuild);
  return ls_pass_with_body (func, body);
}
