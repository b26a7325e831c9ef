/* legalize/manipulate: shapes and positions changed, tensors put together and taken apart. */
#include "engine/relax/legalize/legalize.h"

#include <string.h>

typedef LsTeTensor *(*ByShape) (LsTeTensor *x, LsArray *shape, GError **error);

static LsNode *
to_shape (LsLegalize *self,
          ByShape     make)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *shape = ls_legalize_shape (self);

  return ls_legalize_one (self, x != NULL && shape != NULL ? make (x, shape, &self->error) : NULL);
}

/* How many elements a shape has, without the extents that `other` has too. Borrowed. */
static LsExpr *
count_of (LsLegalize *self,
          LsArray    *shape,
          LsArray    *other)
{
  g_autofree gboolean *used = g_new0 (gboolean, other->n + 1);
  LsExpr *count = ls_const_int (LS_INT64, 1);

  for (guint i = 0; i < shape->n; i++)
    {
      guint k = 0;

      while (k < other->n && (used[k] || !ls_deep_equal (shape->items[i], other->items[k])))
        k++;
      if (k < other->n && !ls_is_zero (shape->items[i]))
        used[k] = TRUE;
      else
        count = ls_mul (count, ls_ref (ls_array_at (shape, i, LsExpr)));
    }
  return ls_legalize_keep (self, count);
}

static LsNode *
reshape (LsLegalize *self)
{
  LsArray *from = ls_legalize_extents (self, 0), *to = ls_is (self->result, TENSOR_STRUCT_INFO) ? ls_tensor_extents (self->result) : NULL;

  if (from != NULL && to != NULL)
    ls_legalize_claim (self, count_of (self, to, from), count_of (self, from, to));
  return to_shape (self, ls_topi_reshape);
}

static LsNode *
broadcast_to (LsLegalize *self)
{
  return to_shape (self, ls_topi_broadcast_to);
}

static LsNode *
collapse_sum (LsLegalize *self)
{
  return to_shape (self, ls_topi_collapse_sum);
}

static LsNode *
permute (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_transpose (x, ls_legalize_ints (self, "axes"), &self->error) : NULL);
}

static LsNode *
squeeze (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_squeeze (x, ls_legalize_ints (self, "axis"), &self->error) : NULL);
}

/* One stage for all new axes. */
static LsNode *
expand_dims (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *shape = ls_legalize_shape (self), *added = ls_legalize_ints (self, "axis"), *axes;
  g_autofree gboolean *fresh = NULL;
  GPtrArray *indices;

  if (x == NULL || shape == NULL || added == NULL)
    return ls_legalize_stay (self);
  fresh = g_new0 (gboolean, shape->n + 1);
  for (guint i = 0; i < added->n; i++)
    {
      gint64 axis = 0;

      ls_as_int (added->items[i], &axis);
      fresh[axis < 0 ? axis + (gint64) shape->n : axis] = TRUE;
    }
  axes = ls_te_axes (shape, "i*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < shape->n; i++)
    if (!fresh[i])
      g_ptr_array_add (indices, ls_te_axis (axes, i));
  return ls_legalize_one (self, ls_te_compute ("expand_dims", NULL, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), &self->error));
}

static LsNode *
concat (LsLegalize *self)
{
  LsArray *tensors = ls_legalize_tensors (self, 0);

  return ls_legalize_one (self, tensors != NULL ? ls_topi_concatenate (tensors, ls_legalize_int (self, "axis", 0), &self->error) : NULL);
}

static LsNode *
stack (LsLegalize *self)
{
  LsArray *tensors = ls_legalize_tensors (self, 0);

  return ls_legalize_one (self, tensors != NULL ? ls_topi_stack (tensors, ls_legalize_int (self, "axis", 0), &self->error) : NULL);
}

static LsNode *
meshgrid (LsLegalize *self)
{
  LsArray *tensors = ls_legalize_tensors (self, 0);
  LsNode *indexing = ls_infer_attr (&self->infer, "indexing");

  return ls_legalize_many (self, tensors != NULL ? ls_topi_meshgrid (tensors, ls_is (indexing, STRING) ? ((LsString *) indexing)->value : "ij", &self->error) : NULL);
}

static LsNode *
split (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsNode *how = ls_infer_attr (&self->infer, "indices_or_sections");
  gint64 axis = ls_legalize_int (self, "axis", 0), n;

  if (x == NULL)
    return ls_legalize_stay (self);
  if (ls_is (how, ARRAY))
    return ls_legalize_many (self, ls_topi_split_indices (x, (LsArray *) how, axis, &self->error));
  return ls_as_int (how, &n) ? ls_legalize_many (self, ls_topi_split_sections (x, n, axis, &self->error)) : ls_legalize_stay (self);
}

static LsNode *
repeat (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  gint64 axis = 0;

  if (x != NULL && !ls_infer_has_int (&self->infer, "axis", &axis))
    {
      LsExpr *size = ls_int (1);
      LsArray *flat;

      for (guint i = 0; i < x->shape->n; i++)
        size = ls_mul (size, ls_ref (LS_EXPR (x->shape->items[i])));
      flat = ls_legalize_keep (self, ls_array_of (size, NULL));
      x = ls_legalize_stage (self, ls_topi_reshape (x, flat, &self->error));
    }
  return ls_legalize_one (self, x != NULL ? ls_topi_repeat (x, ls_legalize_int (self, "repeats", 1), axis, &self->error) : NULL);
}

static LsNode *
tile (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_tile (x, ls_legalize_ints (self, "repeats"), &self->error) : NULL);
}

static LsNode *
flip (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_flip (x, ls_legalize_int (self, "axis", 0), &self->error) : NULL);
}

static LsNode *
reverse_sequence (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *lengths = ls_legalize_tensor (self, 1);

  return ls_legalize_one (self, x != NULL && lengths != NULL
                          ? ls_topi_reverse_sequence (x, lengths, ls_legalize_int (self, "seq_axis", 1), ls_legalize_int (self, "batch_axis", 0), &self->error)
                          : NULL);
}

static LsNode *
size (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_ndarray_size (x, LS_INT64, &self->error) : NULL);
}

static LsNode *
one_hot (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsExpr *on = ls_legalize_scalar (self, self->call->args->items[1]), *off = ls_legalize_scalar (self, self->call->args->items[2]);

  return ls_legalize_one (self, x != NULL && on != NULL && off != NULL
                          ? ls_topi_one_hot (x, on, off, ls_legalize_int (self, "depth", 0), ls_legalize_int (self, "axis", -1), ls_dtype (on), &self->error)
                          : NULL);
}

/* ---- layout_transform: the identity, written through the index map ------------------------- */

typedef struct { LsBuffer *old, *fresh; LsIndexMap *map; LsAnalyzer *analyzer; } Layout;

static LsArray *
mapped (Layout  *self,
        LsArray *indices)
{
  return ls_index_map_map_indices (self->map, indices, self->analyzer);
}

static LsNode *
rewrite_layout (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  Layout *self = user_data;

  if (ls_is (node, BUFFER_STORE) && ((LsBufferStore *) node)->buffer == self->old)
    {
      LsBufferStore *store = (LsBufferStore *) node;

      return LS_NODE (ls_buffer_store_new (ls_ref (self->fresh), ls_ref (store->value), mapped (self, store->indices), NULL));
    }
  if (ls_is (node, BUFFER_REGION) && ((LsBufferRegion *) node)->buffer == self->old)
    {
      LsBufferRegion *region = (LsBufferRegion *) node;
      GPtrArray *mins = g_ptr_array_new (), *ranges = g_ptr_array_new ();
      g_autoptr (LsArray) from = NULL, to = NULL;

      for (guint i = 0; i < region->region->n; i++)
        g_ptr_array_add (mins, ls_ref (ls_array_at (region->region, i, LsRange)->min));
      from = ls_array_take_ptr_array (mins);
      to = mapped (self, from);
      for (guint i = 0; i < to->n; i++)
        g_ptr_array_add (ranges, ls_range_new (ls_ref (LS_EXPR (to->items[i])), ls_int_imm_new (ls_dtype (to->items[i]), 1)));
      return LS_NODE (ls_buffer_region_new (ls_ref (self->fresh), ls_array_take_ptr_array (ranges)));
    }
  return node == LS_NODE (self->old) ? LS_NODE (ls_ref (self->fresh)) : ls_rewrite_default (rewriter, node);
}

static LsPrimFunc *
through_map (gpointer    user_data,
             LsPrimFunc *func)
{
  Layout *self = user_data;

  self->old = ls_prim_func_get_buffer (func, func->params->n - 1);
  return (LsPrimFunc *) ls_rewrite_with (func, rewrite_layout, self);
}

/* Are the extents covered exactly, so that nothing has to be filled in? */
static gboolean
covers (LsArray *before,
        LsArray *after)
{
  LsExpr *a = ls_extent (1), *b = ls_extent (1);
  gboolean same;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  for (guint i = 0; i < before->n; i++)
    a = ls_mul (a, ls_ref (LS_EXPR (before->items[i])));
  for (guint i = 0; i < after->n; i++)
    b = ls_mul (b, ls_cast (LS_INT64, ls_ref (LS_EXPR (after->items[i]))));
  same = ls_analyzer_can_prove_equal (analyzer, a, b);
  ls_unref (a);
  ls_unref (b);
  return same;
}

/* The value that fills what the map does not reach; 0 unless one is said. */
static LsExpr *
pad_value (LsLegalize *self,
           LsDType     dtype)
{
  LsNode *pad = ls_infer_attr (&self->infer, "pad_value");

  if (ls_is (pad, PRIM_VALUE))
    pad = LS_NODE (((LsPrimValue *) pad)->value);
  if (ls_is (pad, INT_IMM) || ls_is (pad, FLOAT_IMM))
    return ls_cast (dtype, ls_ref (LS_EXPR (pad)));
  return ls_te_const (dtype, 0);
}

/* Where the map leaves gaps: a stage over the new extents that asks of each element where it comes from. */
static LsNode *
padded_layout (LsLegalize *self,
               LsTeTensor *x,
               LsIndexMap *map,
               LsArray    *shape)
{
  GPtrArray *ranges = g_ptr_array_new ();
  g_autoptr (LsArray) list = NULL, from = NULL;
  g_autoptr (LsIndexMap) inverse = NULL;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  LsExpr *gap = NULL;
  LsArray *axes;

  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (ranges, ls_range_new (ls_extent (0), ls_ref (LS_EXPR (x->shape->items[i]))));
  list = ls_array_take_ptr_array (ranges);
  inverse = ls_index_map_non_surjective_inverse (map, list, analyzer, &gap, &self->error);
  if (inverse == NULL)
    return NULL;
  axes = ls_te_axes (shape, "axis*");
  for (guint i = 0; i < inverse->initial_indices->n; i++)
    g_hash_table_insert (vars, inverse->initial_indices->items[i], ls_te_axis (axes, i));
  from = (LsArray *) ls_substitute (inverse->final_indices, vars);
  ls_take (&gap, (LsExpr *) ls_substitute (gap, vars));
  return ls_legalize_one_as (self, ls_te_compute ("te_layout_transform_with_pad", NULL, NULL, axes,
                                                  ls_if_then_else (gap, pad_value (self, x->dtype), ls_te_load (x, g_steal_pointer (&from))), &self->error),
                             "te_layout_transform_with_pad");
}

static LsNode *
layout_transform (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *copy;
  LsIndexMap *map = (LsIndexMap *) ls_infer_attr (&self->infer, "index_map");
  LsArray *shape = ls_legalize_shape (self), *axes;
  g_autoptr (LsArray) outputs = NULL;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Layout layout = { NULL, NULL, map, analyzer };
  LsNode *call;

  if (x == NULL || shape == NULL || !ls_is (map, INDEX_MAP))
    return ls_legalize_stay (self);
  if (!covers (x->shape, shape))
    return padded_layout (self, x, map, shape);
  axes = ls_te_axes (x->shape, "self i*");
  copy = ls_te_compute ("te_layout_transform", NULL, NULL, axes, ls_te_load (x, ls_te_axis_vars (axes)), &self->error);
  if (copy == NULL)
    return NULL;
  outputs = ls_array_of (copy, NULL);
  layout.fresh = ls_buffer_new ("te_layout_transform", copy->dtype, ls_ref (shape), "global");
  ls_te_bridge_set_edit (self->te, through_map, &layout, shape);
  call = ls_te_bridge_call (self->te, outputs, "te_layout_transform", NULL, &self->error);
  ls_unref (layout.fresh);
  return call;
}

const LsLegalizeRow ls_legalize_manipulate[] = {
  { "broadcast_to", broadcast_to }, { "collapse_sum_like", collapse_sum, "collapse_sum" }, { "collapse_sum_to", collapse_sum, "collapse_sum" },
  { "concat", concat, "concatenate" }, { "expand_dims", expand_dims }, { "flatten", reshape, "reshape" }, { "flip", flip },
  { "layout_transform", layout_transform }, { "meshgrid", meshgrid }, { "one_hot", one_hot }, { "permute_dims", permute, "transpose" },
  { "repeat", repeat }, { "reshape", reshape }, { "reverse_sequence", reverse_sequence }, { "size", size }, { "split", split }, { "squeeze", squeeze }, { "stack", stack }, { "tile", tile },
  { NULL }
};
