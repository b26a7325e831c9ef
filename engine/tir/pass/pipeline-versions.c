/* pipeline-versions: buffers of a software pipeline that live from one round into later ones, and parts in terms of their versions. */
#include "engine/tir/pass/pipeline.h"

#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"

#include <string.h>

LsBufferRegion *
ls_pipeline_region (LsArray  *regions,
                    LsBuffer *buffer)
{
  for (guint i = 0; i < regions->n; i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == buffer)
      return ls_array_at (regions, i, LsBufferRegion);
  return NULL;
}

typedef struct {
  GHashTable *threads;
  gboolean    found;
} ThreadUse;

static LsWalk
find_thread (LsNode   *node,
             gpointer  data)
{
  ThreadUse *use = data;

  use->found = use->found || (ls_is_var (node) && g_hash_table_contains (use->threads, node));
  return use->found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Is the region another one in other threads?  Memory that threads share is touched by them all. */
static gboolean
differs_by_thread (LsPipeline     *self,
                   LsBufferRegion *region,
                   guint           dimension)
{
  ThreadUse use = { self->threads, FALSE };

  if (!g_str_has_prefix (ls_buffer_scope (region->buffer), "shared") && strcmp (ls_buffer_scope (region->buffer), "global") != 0)
    return FALSE;
  ls_walk (region->region->items[dimension], find_thread, NULL, &use);
  return use.found;
}

gboolean
ls_pipeline_may_meet (LsPipeline     *self,
                      LsBufferRegion *a,
                      LsBufferRegion *b)
{
  for (guint i = 0; i < a->region->n && i < b->region->n; i++)
    {
      g_autoptr (LsIntSet) x = ls_int_set_from_range (ls_array_at (a->region, i, LsRange));
      g_autoptr (LsIntSet) y = ls_int_set_from_range (ls_array_at (b->region, i, LsRange));
      LsIntSet *sets[] = { x, y };
      g_autoptr (LsIntSet) both = ls_int_set_intersect (sets, 2);

      if (ls_int_set_is_nothing (both) && !differs_by_thread (self, a, i) && !differs_by_thread (self, b, i))
        return FALSE;
    }
  return TRUE;
}

/* Two stages: is something read in a later stage than a part in front of it wrote it? */
static gboolean
needs_two (LsPipeline *self,
           LsBuffer   *buffer)
{
  for (guint i = 0; i < self->parts->len; i++)
    for (guint k = 0; k < self->parts->len; k++)
      {
        LsPipelinePart *writer = &g_array_index (self->parts, LsPipelinePart, i), *reader = &g_array_index (self->parts, LsPipelinePart, k);
        LsBufferRegion *written = ls_pipeline_region (writer->block->writes, buffer), *read = ls_pipeline_region (reader->block->reads, buffer);

        if (written != NULL && read != NULL && writer->order < reader->order && writer->stage < reader->stage && ls_pipeline_may_meet (self, written, read))
          return TRUE;
      }
  return FALSE;
}

static gint64
count_versions (LsPipeline *self,
                LsBuffer   *buffer)
{
  gint64 first = -1, last = -1, n;

  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPipelinePart *part = &g_array_index (self->parts, LsPipelinePart, i);

      if (ls_pipeline_region (part->block->writes, buffer) != NULL)
        first = first < 0 ? part->stage : MIN (first, part->stage);
      if (ls_pipeline_region (part->block->reads, buffer) != NULL)
        last = MAX (last, part->stage);
    }
  if (first < 0)
    return 1;
  n = last - first + 1;
  if (n == 2 && !needs_two (self, buffer))
    n = 1;
  return n <= 1 && g_hash_table_contains (self->doubled, buffer) ? 2 : n;
}

static LsBuffer *
with_versions (LsBuffer *buffer,
               gint64    n)
{
  g_autoptr (LsExpr) count = ls_int (n);
  LsArray *shape = ls_array_insert (buffer->shape, 0, count), *strides = ls_ref (buffer->strides);

  if (ls_buffer_has_strides (buffer))
    {
      g_autoptr (LsExpr) step = ls_mul (ls_ref (ls_array_at (buffer->strides, 0, LsExpr)), ls_ref (ls_array_at (buffer->shape, 0, LsExpr)));

      ls_take (&strides, ls_array_insert (buffer->strides, 0, step));
    }
  return ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, shape, strides, ls_ref (buffer->elem_offset), buffer->name, buffer->data_alignment,
                             buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators));
}

void
ls_pipeline_make_versions (LsPipeline *self)
{
  for (guint i = 0; i < self->allocations->len; i++)
    {
      LsBuffer *buffer = self->allocations->pdata[i];
      gint64 n = count_versions (self, buffer);

      if (n > 1)
        g_hash_table_insert (self->versions, buffer, with_versions (buffer, n));
    }
}

/* ---- parts in terms of versions ------------------------------------------------------------- */

/* The version of a buffer that a round works on. (transfer full) */
static LsExpr *
version (LsPipeline *self,
         LsBuffer   *buffer)
{
  return ls_floormod (ls_sub (LS_EXPR (ls_ref (self->loop->loop_var)), ls_ref (self->loop->min)), ls_ref (ls_array_at (buffer->shape, 0, LsExpr)));
}

static LsArray *
versioned_indices (LsPipeline *self,
                   LsBuffer   *buffer,
                   LsArray    *indices)
{
  g_autoptr (LsExpr) index = version (self, buffer);

  return ls_array_insert (indices, 0, index);
}

/* With several stages a region holds all versions. */
static LsNode *
versioned_region (LsPipeline     *self,
                  LsBuffer       *buffer,
                  LsBufferRegion *region)
{
  g_autoptr (LsRange) range = self->last != 1 ? ls_range_new (ls_int (0), ls_ref (ls_array_at (buffer->shape, 0, LsExpr)))
                                              : ls_range_new (version (self, buffer), ls_int (1));

  return LS_NODE (ls_buffer_region_new (ls_ref (buffer), ls_array_insert (region->region, 0, range)));
}

static LsBuffer *
buffer_on (LsPipeline *self,
           gpointer    data)
{
  for (guint i = 0; i < self->allocations->len; i++)
    {
      LsBuffer *buffer = self->allocations->pdata[i];

      if ((gpointer) buffer->data == data && g_hash_table_contains (self->versions, buffer))
        return buffer;
    }
  return NULL;
}

static LsNode *
versioned_pointer (LsPipeline *self,
                   LsCall     *call)
{
  LsBuffer *buffer = buffer_on (self, call->args->items[1]), *fresh = buffer != NULL ? g_hash_table_lookup (self->versions, buffer) : NULL;
  LsExpr *size = ls_int (1);
  g_autoptr (LsExpr) offset = NULL;
  g_autoptr (LsArray) args = NULL;

  for (guint i = 0; buffer != NULL && i < buffer->shape->n; i++)
    size = ls_mul (size, ls_ref (ls_array_at (buffer->shape, i, LsExpr)));
  if (buffer == NULL)
    {
      ls_unref (size);
      return ls_node_ref (LS_NODE (call));
    }
  if (fresh->strides->n > 0)
    ls_take (&size, ls_ref (ls_array_at (fresh->strides, 0, LsExpr)));
  offset = ls_add (ls_ref (ls_array_at (call->args, 2, LsExpr)), ls_mul (version (self, fresh), size));
  args = ls_array_with (call->args, 2, offset);
  return LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (call->op), g_steal_pointer (&args)));
}

/* Calls that name memory by its pointer and a number: places of the pointers; the number is the next argument.  Of wmma it counts fragments. */
static const struct { const char *name; guint places[4]; guint n; gboolean fragments; } NUMBERED[] = {
  { "tir.tvm_fill_fragment", { 0 }, 1, TRUE }, { "tir.tvm_load_matrix_sync", { 0 }, 1, TRUE }, { "tir.tvm_store_matrix_sync", { 0 }, 1, TRUE },
  { "tir.tvm_mma_sync", { 0, 2, 4, 6 }, 4, TRUE }, { "tir.tvm_bmma_sync", { 0, 2, 4, 6 }, 4, TRUE }, { "tir.ptx_mma", { 6, 8, 10 }, 3, FALSE },
  { "tir.ptx_ldmatrix", { 3 }, 1, FALSE }, { "tir.mma_fill", { 1 }, 1, FALSE }, { "tir.mma_store", { 3 }, 1, FALSE },
};
#define FRAGMENT_ELEMENTS 256

/* Takes the call. */
static LsNode *
versioned_numbers (LsPipeline *self,
                   LsNode     *call)
{
  for (guint i = 0; i < G_N_ELEMENTS (NUMBERED); i++)
    for (guint k = 0; ls_is_call (call, NUMBERED[i].name) && k < NUMBERED[i].n; k++)
      {
        guint at = NUMBERED[i].fragments && NUMBERED[i].n == 1 ? 0 : NUMBERED[i].places[k], number = NUMBERED[i].fragments && NUMBERED[i].n == 1 ? 4 : at + 1;
        LsArray *args = ((LsCall *) call)->args;
        LsBuffer *buffer = number < args->n ? buffer_on (self, args->items[at]) : NULL;
        LsExpr *size = ls_int (1);
        g_autoptr (LsExpr) moved = NULL;

        for (guint d = 0; buffer != NULL && d < buffer->shape->n; d++)
          size = ls_mul (size, ls_ref (ls_array_at (buffer->shape, d, LsExpr)));
        if (buffer == NULL)
          {
            ls_unref (size);
            continue;
          }
        if (NUMBERED[i].fragments)
          size = ls_floordiv (size, ls_int (FRAGMENT_ELEMENTS));
        moved = ls_add (ls_ref (ls_array_at (args, number, LsExpr)), ls_mul (version (self, g_hash_table_lookup (self->versions, buffer)), size));
        ls_take (&call, LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (((LsCall *) call)->op), ls_array_with (args, number, moved))));
      }
  return call;
}

LsNode *
ls_pipeline_version_filter (LsRewriter *rewriter,
                            LsNode     *node,
                            gpointer    user_data)
{
  LsPipeline *self = user_data;
  LsNode *result = ls_rewrite_default (rewriter, node);
  LsBufferStore *store = (LsBufferStore *) result;
  LsBufferLoad *load = (LsBufferLoad *) result;
  LsBufferRegion *region = (LsBufferRegion *) result;
  LsBuffer *fresh = NULL;

  if (ls_is (result, BUFFER_STORE) && (fresh = g_hash_table_lookup (self->versions, store->buffer)) != NULL)
    ls_take (&result, LS_NODE (ls_buffer_store_new (ls_ref (fresh), ls_ref (store->value), versioned_indices (self, fresh, store->indices), ls_ref (store->predicate))));
  else if (ls_is (result, BUFFER_LOAD) && (fresh = g_hash_table_lookup (self->versions, load->buffer)) != NULL)
    ls_take (&result, LS_NODE (ls_buffer_load_new (ls_ref (fresh), versioned_indices (self, fresh, load->indices), ls_ref (load->predicate))));
  else if (ls_is (result, BUFFER_REGION) && (fresh = g_hash_table_lookup (self->versions, region->buffer)) != NULL)
    ls_take (&result, versioned_region (self, fresh, region));
  else if (ls_is_call (result, "tir.tvm_access_ptr") && ((LsCall *) result)->args->n == 5)
    ls_take (&result, versioned_pointer (self, (LsCall *) result));
  else if (ls_is (result, CALL))
    result = versioned_numbers (self, result);
  return result;
}
