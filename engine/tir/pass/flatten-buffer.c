/* FlattenBuffer: buffers of several dimensions become flat ones on the same memory.
 *
 *     C[i, j]  ->  C_1[i * 128 + j]
 *
 * Strides and element offsets go into the index; axis_separators keep groups of axes apart, one index for each.  Buffers
 * of the signature keep their shape there; the body uses flat ones on the same data.  T.decl_buffer goes, as in TVM: the
 * accesses say which buffer they mean.  Booleans are stored as int8.  Indices that are parts of one loop variable meet
 * again by the iteration map of the loops and ifs around them (TVM's IterMapSimplifyWithContext).
 */
#include "engine/arith/arith.h"
#include "engine/arith/iter-map.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

typedef struct {
  GHashTable *flat;             /* Buffer -> Buffer */
  LsAnalyzer *analyzer;
  LsDomMap   *domains;          /* loops and threads */
  LsExpr     *predicate;        /* conditions on them that hold here; owned */
} State;

/* Has the buffer one axis for each that the memory has? */
static gboolean
is_flat (LsBuffer *buffer)
{
  return buffer->shape->n == buffer->axis_separators->n + 1 && buffer->strides->n == 0 && ls_is_zero (buffer->elem_offset);
}

/* Where the group of axes begins that a flat axis is made of; past the last one: the number of axes. */
static guint
group_start (LsBuffer *buffer,
             guint     group)
{
  gint64 start = 0;

  if (group > buffer->axis_separators->n)
    return buffer->shape->n;
  if (group > 0)
    ls_as_int (buffer->axis_separators->items[group - 1], &start);
  return CLAMP (start, 0, buffer->shape->n);
}

/* The product of those factors that are numbers, saturating. */
static gint64
known_product (LsArray *factors,
               guint    first,
               guint    end)
{
  gint64 product = 1, value;

  for (guint i = first; i < end; i++)
    if (ls_as_int (factors->items[i], &value) && value > 0 && __builtin_mul_overflow (product, value, &product))
      return G_MAXINT64;
  return product;
}

/* TVM v0.20 keeps int32, in which the extent of 50,000 x 50,000 elements is negative. */
LsDType
ls_buffer_flat_dtype (LsBuffer *buffer,
                      guint     first,
                      guint     end)
{
  LsDType dtype = ls_buffer_index_dtype (buffer);
  gint64 n = ls_buffer_has_strides (buffer) ? MAX (ls_buffer_strided_reach (buffer, first, end), known_product (buffer->strides, first, MIN (first + 1, end)))
                                            : known_product (buffer->shape, first, end);

  return dtype.bits < 64 && n > ls_dtype_int_max (dtype) ? LS_INT64 : dtype;
}

/* The type of flat indices of a group of axes. */
static LsDType
flat_dtype (LsBuffer *buffer,
            guint     group)
{
  return ls_buffer_flat_dtype (buffer, group_start (buffer, group), group_start (buffer, group + 1));
}

/* A factor in the type of flat indices. (transfer full) */
static LsExpr *
flat_factor (LsDType  dtype,
             LsArray *factors,
             guint    i)
{
  LsExpr *factor = ls_ref (ls_array_at (factors, i, LsExpr));

  return ls_dtype (factor).bits < dtype.bits ? ls_cast (ls_dtype_with_lanes (dtype, ls_dtype (factor).lanes), factor) : factor;
}

static LsExpr *
flat_extent (LsBuffer   *buffer,
             guint       group,
             LsAnalyzer *analyzer)
{
  LsDType dtype = flat_dtype (buffer, group);
  g_autoptr (LsExpr) n = ls_const_int (dtype, 1);
  guint first = group_start (buffer, group), end = group_start (buffer, group + 1);
  gint64 outer, reach;

  if (ls_buffer_has_strides (buffer))
    ls_take (&n, ls_mul (flat_factor (dtype, buffer->strides, first), flat_factor (dtype, buffer->shape, first)));
  else
    for (guint i = first; i < end; i++)
      ls_take (&n, ls_mul (ls_ref (n), flat_factor (dtype, buffer->shape, i)));
  /* Where the first axis is not the one with the largest steps, another one reaches further. */
  if (ls_buffer_has_strides (buffer) && ls_as_int (n, &outer) && (reach = ls_buffer_strided_reach (buffer, first, end)) > outer)
    ls_take (&n, ls_const_int (dtype, reach));
  if (group == buffer->axis_separators->n)
    ls_take (&n, ls_add (ls_ref (n), ls_ref (buffer->elem_offset)));
  return ls_analyzer_simplify (analyzer, n);
}

static LsBuffer *
flat_of (State    *state,
         LsBuffer *buffer)
{
  LsBuffer *flat = g_hash_table_lookup (state->flat, buffer);
  LsDType stored = ls_dtype_equal (buffer->dtype, LS_BOOL) ? LS_DTYPE (LS_TYPE_INT, 8) : buffer->dtype;

  if (flat != NULL)
    return flat;
  if (is_flat (buffer) && ls_dtype_equal (stored, buffer->dtype))
    {
      flat = ls_ref (buffer);
    }
  else
    {
      GPtrArray *shape = g_ptr_array_new ();
      GPtrArray *separators = g_ptr_array_new ();

      for (guint i = 0; i <= buffer->axis_separators->n; i++)
        {
          g_ptr_array_add (shape, flat_extent (buffer, i, state->analyzer));
          if (i > 0)
            g_ptr_array_add (separators, ls_const_int (LS_INT32, i));
        }
      flat = ls_buffer_new_full (ls_ref (buffer->data), stored, ls_array_take_ptr_array (shape), NULL, NULL, buffer->name,
                                 buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_array_take_ptr_array (separators));
    }
  g_hash_table_insert (state->flat, buffer, flat);
  return flat;
}

static LsArray *
simplify_indices (State   *state,
                  LsArray *indices)
{
  g_autoptr (LsArray) simple = ls_iter_map_simplify (indices, state->domains, state->predicate, LS_ITER_MAP_SURJECTIVE, state->analyzer, TRUE);
  GPtrArray *result = g_ptr_array_new ();

  for (guint i = 0; i < simple->n; i++)
    g_ptr_array_add (result, ls_analyzer_simplify (state->analyzer, ls_array_at (simple, i, LsExpr)));
  return ls_array_take_ptr_array (result);
}

/* Sum of index times stride over one group of axes; the innermost index may be a vector. */
static LsExpr *
flat_index (LsBuffer *buffer,
            LsArray  *indices,
            guint     group)
{
  LsDType dtype = flat_dtype (buffer, group);
  g_autoptr (LsExpr) step = ls_const_int (dtype, 1);
  LsExpr *sum = group == buffer->axis_separators->n ? ls_ref (buffer->elem_offset) : ls_const_int (dtype, 0);
  guint first = group_start (buffer, group), end = group_start (buffer, group + 1);

  if (ls_buffer_has_strides (buffer))
    {
      for (guint i = first; i < end; i++)
        sum = ls_add (sum, ls_mul (flat_factor (dtype, indices, i), flat_factor (dtype, buffer->strides, i)));
      return sum;
    }
  for (guint i = end; i-- > first;)
    {
      LsExpr *term = ls_mul (flat_factor (dtype, indices, i), ls_ref (step));

      sum = ls_is_zero (sum) ? (ls_unref (sum), term) : ls_add (term, sum);
      ls_take (&step, ls_mul (ls_ref (step), flat_factor (dtype, buffer->shape, i)));
    }
  return sum;
}

static LsArray *
flat_indices (State    *state,
              LsBuffer *buffer,
              LsArray  *indices)
{
  GPtrArray *sums;
  g_autoptr (LsArray) raw = NULL;

  if (is_flat (buffer))
    return ls_ref (indices);
  sums = g_ptr_array_new ();
  for (guint i = 0; i <= buffer->axis_separators->n; i++)
    g_ptr_array_add (sums, flat_index (buffer, indices, i));
  raw = ls_array_take_ptr_array (sums);
  return simplify_indices (state, raw);
}

/* From the first to the last element of the region, in each flat axis. */
static LsNode *
flatten_region (State          *state,
                LsBufferRegion *region)
{
  LsBuffer *flat = flat_of (state, region->buffer);
  GPtrArray *first, *last, *ranges;
  g_autoptr (LsArray) firsts = NULL;
  g_autoptr (LsArray) lasts = NULL;
  g_autoptr (LsArray) from = NULL;
  g_autoptr (LsArray) to = NULL;

  if (flat == region->buffer)
    return ls_node_ref (LS_NODE (region));
  first = g_ptr_array_new ();
  last = g_ptr_array_new ();
  ranges = g_ptr_array_new ();
  for (guint i = 0; i < region->region->n; i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);

      g_ptr_array_add (first, ls_ref (range->min));
      g_ptr_array_add (last, ls_sub (ls_add (ls_ref (range->min), ls_ref (range->extent)), ls_const_int (ls_dtype (range->extent), 1)));
    }
  firsts = ls_array_take_ptr_array (first);
  lasts = ls_array_take_ptr_array (last);
  from = flat_indices (state, region->buffer, firsts);
  to = flat_indices (state, region->buffer, lasts);
  for (guint i = 0; i < from->n; i++)
    {
      LsExpr *low = ls_array_at (from, i, LsExpr);
      g_autoptr (LsExpr) extent = ls_add (ls_sub (ls_ref (ls_array_at (to, i, LsExpr)), ls_ref (low)), ls_const_int (ls_dtype (low), 1));

      g_ptr_array_add (ranges, ls_range_new (ls_ref (low), ls_analyzer_simplify (state->analyzer, extent)));
    }
  return LS_NODE (ls_buffer_region_new (ls_ref (flat), ls_array_take_ptr_array (ranges)));
}

/* The extents of an allocation, flat: those of the buffer that is declared on it where one of its shape is, else their product. */
static LsArray *
flat_extents (LsAllocate *allocate,
              State      *state)
{
  LsDeclBuffer *decl = ls_is (allocate->body, DECL_BUFFER) ? (LsDeclBuffer *) allocate->body : NULL;
  LsDType dtype = allocate->extents->n > 0 ? ls_dtype (allocate->extents->items[0]) : LS_INT32;
  LsExpr *n;

  if (allocate->extents->n == 1)
    return ls_ref (allocate->extents);
  if (decl != NULL && decl->buffer->data == allocate->buffer_var && decl->buffer->axis_separators->n > 0 &&
      ls_dtype_equal (decl->buffer->dtype, allocate->dtype) && ls_structural_equal (decl->buffer->shape, allocate->extents, FALSE, NULL, NULL))
    return ls_ref (flat_of (state, decl->buffer)->shape);
  if (known_product (allocate->extents, 0, allocate->extents->n) > G_MAXINT32)
    dtype = LS_INT64;
  n = ls_const_int (dtype, 1);
  for (guint i = 0; i < allocate->extents->n; i++)
    ls_take (&n, ls_mul (ls_ref (n), flat_factor (dtype, allocate->extents, i)));
  ls_take (&n, ls_analyzer_simplify (state->analyzer, n));
  return ls_array_of (n, NULL);
}

static LsNode *
flatten_allocate (LsRewriter *rewriter,
                  LsAllocate *allocate,
                  State      *state)
{
  LsArray *extents = flat_extents (allocate, state);
  LsDType stored = ls_dtype_equal (allocate->dtype, LS_BOOL) ? LS_DTYPE (LS_TYPE_INT, 8) : allocate->dtype;

  return ls_allocate_new (ls_ref (allocate->buffer_var), stored, extents, ls_ref (allocate->condition),
                          ls_rewrite (rewriter, allocate->body), ls_ref (allocate->annotations));
}

static LsNode *
flatten_load (LsBufferLoad *load,
              State        *state)
{
  LsExpr *flat = LS_EXPR (ls_buffer_load_new (ls_ref (flat_of (state, load->buffer)), flat_indices (state, load->buffer, load->indices), ls_ref (load->predicate)));

  return LS_NODE (ls_dtype_equal (ls_dtype (load), ls_dtype (flat)) ? flat : ls_cast (ls_dtype (load), flat));
}

static LsNode *
flatten_store (LsBufferStore *store,
               State         *state)
{
  LsBuffer *flat = flat_of (state, store->buffer);
  LsExpr *value = ls_ref (store->value);

  if (!ls_dtype_equal (flat->dtype, store->buffer->dtype))
    value = ls_cast ((LsDType) { LS_TYPE_INT, 8, ls_dtype (value).lanes }, value);
  return ls_node_set_span (ls_buffer_store_new (ls_ref (flat), value, flat_indices (state, store->buffer, store->indices), ls_ref (store->predicate)),
                           store->node.span);
}

/* The buffers that a block allocates are flat too. */
static LsNode *
flatten_block (LsBlock *block,
               State   *state)
{
  GPtrArray *buffers = g_ptr_array_new ();

  for (guint i = 0; i < block->alloc_buffers->n; i++)
    g_ptr_array_add (buffers, ls_ref (flat_of (state, ls_array_at (block->alloc_buffers, i, LsBuffer))));
  return LS_NODE (ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, ls_ref (block->body),
                                ls_ref (block->init), ls_array_take_ptr_array (buffers), ls_ref (block->match_buffers), ls_ref (block->annotations)));
}

static void
enter_domain (State   *state,
              LsVar   *var,
              LsExpr  *min,
              LsExpr  *extent)
{
  g_autoptr (LsRange) range = ls_range_new (ls_ref (min), ls_ref (extent));

  ls_dom_map_set_range (state->domains, var, range);
}

static LsNode *
flatten_if (LsRewriter   *rewriter,
            LsIfThenElse *node,
            State        *state)
{
  LsExpr *condition = (LsExpr *) ls_rewrite (rewriter, node->condition);
  LsExpr *real = ls_is_call (condition, "tir.likely") ? ls_array_at (((LsCall *) condition)->args, 0, LsExpr) : condition;
  LsExpr *around = state->predicate;
  LsStmt *then_case, *else_case;

  if (ls_dom_map_used_in (state->domains, real))
    state->predicate = ls_and (ls_ref (around), ls_ref (real));
  then_case = (LsStmt *) ls_rewrite (rewriter, node->then_case);
  if (state->predicate != around)
    ls_unref (state->predicate);
  state->predicate = around;
  else_case = node->else_case != NULL ? (LsStmt *) ls_rewrite (rewriter, node->else_case) : NULL;
  return ls_node_set_span (ls_if_then_else_new (condition, then_case, else_case), node->node.span);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;

  ls_scope_bind (state->analyzer, node, LS_SCOPE_LOOPS | LS_SCOPE_THREADS);
  if (ls_is (node, FOR))
    enter_domain (state, ((LsFor *) node)->loop_var, ((LsFor *) node)->min, ((LsFor *) node)->extent);
  if (ls_is (node, ATTR_STMT) && (g_str_equal (((LsAttrStmt *) node)->attr_key, "thread_extent")
                                  || g_str_equal (((LsAttrStmt *) node)->attr_key, "virtual_thread"))
      && ls_is (((LsAttrStmt *) node)->subject, ITER_VAR))
    {
      LsAttrStmt *attr = (LsAttrStmt *) node;
      g_autoptr (LsExpr) zero = ls_const_int (ls_dtype (attr->value), 0);

      enter_domain (state, ((LsIterVar *) attr->subject)->var, zero, attr->value);
    }
  if (ls_is (node, IF_THEN_ELSE))
    return flatten_if (rewriter, (LsIfThenElse *) node, state);
  if (ls_is (node, DECL_BUFFER))
    return ls_rewrite (rewriter, ((LsDeclBuffer *) node)->body);
  if (ls_is (node, ALLOCATE))
    return flatten_allocate (rewriter, (LsAllocate *) node, state);
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (node, FOR))
    ls_dom_map_remove (state->domains, ((LsFor *) node)->loop_var);
  if (ls_is (result, BUFFER_LOAD))
    ls_take (&result, flatten_load ((LsBufferLoad *) result, state));
  else if (ls_is (result, BUFFER_STORE))
    ls_take (&result, flatten_store ((LsBufferStore *) result, state));
  else if (ls_is (result, BUFFER_REGION))
    ls_take (&result, flatten_region (state, (LsBufferRegion *) result));
  else if (ls_is (result, BLOCK) && ((LsBlock *) result)->alloc_buffers->n > 0)
    ls_take (&result, flatten_block ((LsBlock *) result, state));
  return result;
}

LsPrimFunc *
ls_pass_flatten_buffer (LsPrimFunc  *func,
                        GError     **error)
{
  g_autoptr (GHashTable) flat = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsDomMap) domains = ls_dom_map_new ();
  g_autoptr (LsExpr) always = ls_bool (TRUE);
  State state = { flat, analyzer, domains, always };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);

  return ls_pass_with_body (func, body);
}
