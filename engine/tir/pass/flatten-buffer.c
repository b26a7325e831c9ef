/* FlattenBuffer: buffers of several dimensions become flat ones on the same memory.
 *
 *     C[i, j]  ->  C_1[i * 128 + j]
 *
 * Strides and element offsets go into the index.  Buffers of the signature keep their shape there; a flat
 * T.decl_buffer on the same data stands at the top of the body.  Indices that are parts of one loop variable meet
 * again by the iteration map of the loops and ifs around them (TVM's IterMapSimplifyWithContext).
 */
#include "engine/arith/arith.h"
#include "engine/arith/iter-map.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  GHashTable *flat;             /* Buffer -> Buffer */
  LsAnalyzer *analyzer;
  LsDomMap   *domains;          /* loops and threads */
  LsExpr     *predicate;        /* conditions on them that hold here; owned */
} State;

static gboolean
is_flat (LsBuffer *buffer)
{
  return buffer->shape->n == 1 && buffer->strides->n == 0 && ls_is_zero (buffer->elem_offset);
}

static LsExpr *
flat_extent (LsBuffer   *buffer,
             LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) n = ls_const_int (ls_buffer_index_dtype (buffer), 1);

  if (ls_buffer_has_strides (buffer))
    ls_take (&n, ls_mul (ls_ref (ls_array_at (buffer->strides, 0, LsExpr)), ls_ref (ls_array_at (buffer->shape, 0, LsExpr))));
  else
    for (guint i = 0; i < buffer->shape->n; i++)
      ls_take (&n, ls_mul (ls_ref (n), ls_ref (ls_array_at (buffer->shape, i, LsExpr))));
  ls_take (&n, ls_add (ls_ref (n), ls_ref (buffer->elem_offset)));
  return ls_analyzer_simplify (analyzer, n);
}

static LsBuffer *
flat_of (State    *state,
         LsBuffer *buffer)
{
  LsBuffer *flat = g_hash_table_lookup (state->flat, buffer);

  if (flat != NULL)
    return flat;
  flat = is_flat (buffer)
         ? ls_ref (buffer)
         : ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, ls_array_of (flat_extent (buffer, state->analyzer), NULL), NULL, NULL,
                               buffer->name, buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, NULL);
  g_hash_table_insert (state->flat, buffer, flat);
  return flat;
}

static LsArray *
simplify_index (State  *state,
                LsExpr *index)
{
  g_autoptr (LsArray) one = ls_array_of (ls_ref (index), NULL);
  g_autoptr (LsArray) simple = ls_iter_map_simplify (one, state->domains, state->predicate, LS_ITER_MAP_SURJECTIVE, state->analyzer, TRUE);

  return ls_array_of (ls_analyzer_simplify (state->analyzer, ls_array_at (simple, 0, LsExpr)), NULL);
}

/* Sum of index times stride; the innermost index may be a vector. */
static LsArray *
flat_indices (State    *state,
              LsBuffer *buffer,
              LsArray  *indices)
{
  LsExpr *sum = ls_ref (buffer->elem_offset);
  g_autoptr (LsExpr) step = ls_const_int (ls_buffer_index_dtype (buffer), 1);
  g_autoptr (LsExpr) raw = NULL;

  if (is_flat (buffer))
    {
      ls_unref (sum);
      return ls_ref (indices);
    }
  if (ls_buffer_has_strides (buffer))
    {
      for (guint i = 0; i < indices->n; i++)
        sum = ls_add (sum, ls_mul (ls_ref (ls_array_at (indices, i, LsExpr)), ls_ref (ls_array_at (buffer->strides, i, LsExpr))));
    }
  else
    {
      for (guint i = indices->n; i-- > 0;)
        {
          LsExpr *term = ls_mul (ls_ref (ls_array_at (indices, i, LsExpr)), ls_ref (step));

          sum = ls_is_zero (sum) ? (ls_unref (sum), term) : ls_add (term, sum);
          ls_take (&step, ls_mul (ls_ref (step), ls_ref (ls_array_at (buffer->shape, i, LsExpr))));
        }
    }
  raw = sum;
  return simplify_index (state, raw);
}

static LsNode *
flatten_allocate (LsAllocate *allocate,
                  State      *state)
{
  g_autoptr (LsExpr) n = NULL;

  if (allocate->extents->n == 1)
    return ls_node_ref (LS_NODE (allocate));
  n = ls_const_int (allocate->extents->n > 0 ? ls_dtype (allocate->extents->items[0]) : LS_INT32, 1);
  for (guint i = 0; i < allocate->extents->n; i++)
    ls_take (&n, ls_mul (ls_ref (n), ls_ref (ls_array_at (allocate->extents, i, LsExpr))));
  return ls_allocate_new (ls_ref (allocate->buffer_var), allocate->dtype, ls_array_of (ls_analyzer_simplify (state->analyzer, n), NULL),
                          ls_ref (allocate->condition), ls_ref (allocate->body), ls_ref (allocate->annotations));
}

static void
enter_domain (State   *state,
              LsVar   *var,
              LsExpr  *min,
              LsExpr  *extent)
{
  g_autoptr (LsRange) range = ls_range_new (ls_ref (min), ls_ref (extent));

  ls_analyzer_bind_range (state->analyzer, var, range, TRUE);
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
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (result, BUFFER_LOAD))
    {
      LsBufferLoad *load = (LsBufferLoad *) result;

      ls_take (&result, LS_NODE (ls_buffer_load_new (ls_ref (flat_of (state, load->buffer)), flat_indices (state, load->buffer, load->indices), ls_ref (load->predicate))));
    }
  else if (ls_is (result, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) result;

      ls_take (&result, ls_node_set_span (ls_buffer_store_new (ls_ref (flat_of (state, store->buffer)), ls_ref (store->value),
                                                               flat_indices (state, store->buffer, store->indices), ls_ref (store->predicate)),
                                           store->node.span));
    }
  else if (ls_is (result, DECL_BUFFER))
    {
      LsDeclBuffer *decl = (LsDeclBuffer *) result;

      ls_take (&result, LS_NODE (ls_decl_buffer_new (ls_ref (flat_of (state, decl->buffer)), ls_ref (decl->body))));
    }
  else if (ls_is (result, ALLOCATE))
    {
      ls_take (&result, flatten_allocate ((LsAllocate *) result, state));
    }
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
  LsNode *body = ls_rewrite_with (func->body, filter, &state);
  LsPrimFunc *result;

  for (guint i = func->params->n; i-- > 0;)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsBuffer *other = buffer != NULL ? g_hash_table_lookup (flat, buffer) : NULL;

      if (other != NULL && other != buffer)
        body = ls_decl_buffer_new (ls_ref (other), body);
    }
  result = ls_pass_with_body (func, body);
  ls_unref (body);
  return result;
}
