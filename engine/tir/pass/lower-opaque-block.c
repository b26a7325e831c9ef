/* LowerOpaqueBlock: blocks go; what they carried becomes plain statements.
 *
 *     with T.block("B"):                           C = T.allocate([16], "float32", "global")
 *         T.where(i < 30)                          C_1 = T.decl_buffer((16,), data=C)
 *         C = T.alloc_buffer((16,))          ->    if i < 30:
 *         ...                                          ...
 *
 * Loops with one iteration and without annotations are replaced by their first value; thread-bound loops become
 * thread_extent attributes; annotations that start with "pragma_" become attributes with key "pragma_...".  What a block's buffer_dim_align
 * asks of a buffer that it writes is kept with the buffer's allocation, where compaction finds it, too.
 */
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

typedef struct {
  GHashTable *units;            /* Var -> Expr: the value of a unit loop */
  GHashTable *alignments;       /* Var of a buffer's data -> GPtrArray of rows [-1, axis, factor, offset] */
} State;

/* The body under an attribute when the annotation is a pragma: a number, an expression or a text. Takes node and body. */
static LsStmt *
under_pragma (LsNode     *node,
              const char *key,
              LsNode     *value,
              LsStmt     *body)
{
  g_autoptr (LsNode) of = node;
  LsExpr *expr = NULL;

  if (!g_str_has_prefix (key, "pragma_"))
    return body;
  if (ls_is (value, STRING))
    expr = LS_EXPR (ls_string_imm_new (((LsString *) value)->value));
  else if (ls_is_expr (value))
    expr = ls_ref (LS_EXPR (value));
  return expr != NULL ? ls_attr_stmt_new (g_steal_pointer (&of), key, expr, body) : body;
}

/* How often the inner stride fits into the outer one.  Alignments of several axes leave strides that do not divide each other (82 and
 * 17): what is left over needs room, too (TVM v0.20 ends with an internal error there). (transfer full) */
static LsExpr *
steps_of (LsExpr     *outer,
          LsExpr     *inner,
          LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) rest = ls_floormod (ls_ref (outer), ls_ref (inner)), more = NULL;

  ls_take (&rest, ls_analyzer_simplify (analyzer, rest));
  if (ls_is_zero (rest))
    return ls_binary (LS_KIND_DIV, ls_ref (outer), ls_ref (inner));
  more = ls_floordiv (ls_add (ls_ref (outer), ls_sub (ls_ref (inner), ls_const_int (ls_dtype (inner), 1))), ls_ref (inner));
  return ls_analyzer_simplify (analyzer, more);
}

/* Where steps of strides say too little: the elements that there are, if it is numbers.  Another axis than the first reaches furthest, or one
 * has a stride of 0.  Else 0. */
static gint64
reach_alone (LsBuffer *buffer)
{
  gint64 reach = buffer->axis_separators->n == 0 ? ls_buffer_strided_reach (buffer, 0, buffer->shape->n) : -1, extent, stride;

  if (reach < 0)
    return 0;
  for (guint i = 0; i < buffer->strides->n; i++)
    if (ls_is_zero (buffer->strides->items[i]))
      return reach;
  ls_as_int (buffer->shape->items[0], &extent);
  ls_as_int (buffer->strides->items[0], &stride);
  return reach - (extent - 1) * stride > stride ? reach : 0;
}

LsArray *
ls_buffer_allocated_shape (LsBuffer *buffer)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  gint64 reach;
  GPtrArray *shape;
  LsExpr *last;

  if (!ls_buffer_has_strides (buffer))
    return ls_ref (buffer->shape);
  if ((reach = reach_alone (buffer)) > 0)
    return ls_array_of (ls_const_int (ls_dtype (buffer->shape->items[0]), reach), NULL);
  analyzer = ls_analyzer_new ();
  shape = g_ptr_array_new ();
  for (guint i = 0; i < buffer->strides->n; i++)
    g_ptr_array_add (shape, i == 0 ? ls_ref (ls_array_at (buffer->shape, 0, LsExpr))
                                   : steps_of (ls_array_at (buffer->strides, i - 1, LsExpr), ls_array_at (buffer->strides, i, LsExpr), analyzer));
  last = ls_array_at (buffer->strides, buffer->strides->n - 1, LsExpr);
  if (!ls_is_one (last))
    shape->pdata[shape->len - 1] = ls_mul (shape->pdata[shape->len - 1], ls_ref (last));
  return ls_array_take_ptr_array (shape);
}

/* buffer_dim_align: [[which of the writes, axis, factor, offset], ...]; beside an allocation there is no list of writes, so that -1 stands there. */
static void
note_alignments (State   *state,
                 LsBlock *block)
{
  LsNode *all = ls_map_get (block->annotations, "buffer_dim_align");

  for (guint i = 0; all != NULL && ls_is (all, ARRAY) && i < ((LsArray *) all)->n; i++)
    {
      LsArray *row = ls_array_at ((LsArray *) all, i, LsArray);
      GPtrArray *rows;
      gint64 which;
      LsVar *data;

      if (!ls_is (row, ARRAY) || row->n != 4 || !ls_as_int (row->items[0], &which) || which < 0 || which >= block->writes->n)
        continue;
      data = ls_array_at (block->writes, which, LsBufferRegion)->buffer->data;
      if ((rows = g_hash_table_lookup (state->alignments, data)) == NULL)
        g_hash_table_insert (state->alignments, data, rows = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref));
      g_ptr_array_add (rows, ls_array_of (ls_const_int (LS_INT32, -1), ls_node_ref (row->items[1]), ls_node_ref (row->items[2]),
                                          ls_node_ref (row->items[3]), NULL));
    }
}

static LsMap *
annotations_of (State *state,
                LsVar *data)
{
  g_autoptr (LsMap) none = NULL;
  g_autoptr (LsArray) all = NULL;
  gpointer rows;

  if (!g_hash_table_steal_extended (state->alignments, data, NULL, &rows))
    return NULL;
  none = ls_map_empty ();
  all = ls_array_take_ptr_array (rows);
  return ls_map_set (none, "buffer_dim_align", LS_NODE (all));
}

static LsStmt *
wrap_allocation (State    *state,
                 LsBuffer *buffer,
                 LsStmt   *body)
{
  body = ls_decl_buffer_new (ls_ref (buffer), body);
  return ls_allocate_new (ls_ref (buffer->data), buffer->dtype, ls_buffer_allocated_shape (buffer), NULL, body, annotations_of (state, buffer->data));
}

static LsNode *
lower_realize (LsRewriter     *rewriter,
               LsBlockRealize *realize,
               State          *state)
{
  LsBlock *block = realize->block;
  LsExpr *predicate = (LsExpr *) ls_rewrite (rewriter, realize->predicate);
  LsStmt *body;

  note_alignments (state, block);
  body = ls_rewrite (rewriter, block->body);
  if (ls_is_one (predicate))
    ls_unref (predicate);
  else
    body = ls_node_set_span (ls_if_then_else_new (predicate, body, NULL), realize->node.span);
  for (guint i = block->alloc_buffers->n; i-- > 0;)
    body = wrap_allocation (state, ls_array_at (block->alloc_buffers, i, LsBuffer), body);
  for (guint i = block->annotations->n; i-- > 0;)
    body = under_pragma (LS_NODE (ls_const_int (LS_INT32, 0)), block->annotations->keys[i], block->annotations->values[i], body);
  return body;
}

static gboolean
is_unit (LsFor *loop)
{
  return ls_is_one (loop->extent) && loop->annotations->n == 0 && loop->kind != LS_FOR_THREAD_BINDING;
}

static LsStmt *
thread_extent (LsFor  *loop,
               LsExpr *min,
               LsExpr *extent,
               LsStmt *body)
{
  const char *tag = loop->thread_binding->thread_tag;
  LsIterVar *iter = ls_iter_var_new (ls_range_new (ls_ref (min), ls_ref (extent)), ls_ref (loop->loop_var), LS_ITER_THREAD_INDEX, tag);
  gboolean is_virtual = strcmp (tag, "vthread") == 0 || g_str_has_prefix (tag, "vthread.");

  return ls_attr_stmt_new (iter, is_virtual ? "virtual_thread" : "thread_extent", ls_ref (extent), body);
}

static LsNode *
lower_for (LsRewriter *rewriter,
           LsFor      *node,
           State      *state)
{
  g_autoptr (LsExpr) min = (LsExpr *) ls_rewrite (rewriter, node->min);
  g_autoptr (LsExpr) extent = (LsExpr *) ls_rewrite (rewriter, node->extent);
  g_autoptr (LsMap) kept = ls_map_empty ();
  LsStmt *body;

  if (is_unit (node))
    g_hash_table_insert (state->units, node->loop_var, ls_ref (min));
  body = ls_rewrite (rewriter, node->body);
  if (is_unit (node))
    return body;
  for (guint i = 0; i < node->annotations->n; i++)
    if (!g_str_has_prefix (node->annotations->keys[i], "pragma_"))
      ls_take (&kept, ls_map_set (kept, node->annotations->keys[i], node->annotations->values[i]));
  if (node->kind == LS_FOR_THREAD_BINDING && node->thread_binding != NULL)
    body = thread_extent (node, min, extent, body);
  else
    body = LS_STMT (ls_node_set_span (ls_for_new (ls_ref (node->loop_var), g_steal_pointer (&min), g_steal_pointer (&extent), node->kind, body, NULL, g_steal_pointer (&kept)),
                                      node->node.span));
  for (guint i = node->annotations->n; i-- > 0;)
    body = under_pragma (LS_NODE (ls_ref (node->loop_var)), node->annotations->keys[i], node->annotations->values[i], body);
  return body;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;

  if (ls_is_var (node))
    {
      LsNode *value = g_hash_table_lookup (state->units, node);

      return ls_node_ref (value != NULL ? value : node);
    }
  if (ls_is (node, BLOCK_REALIZE))
    return lower_realize (rewriter, (LsBlockRealize *) node, state);
  if (ls_is (node, FOR))
    return lower_for (rewriter, (LsFor *) node, state);
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_lower_opaque_block (LsPrimFunc  *func,
                            GError     **error)
{
  g_autoptr (GHashTable) units = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) alignments = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  State state = { units, alignments };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);

  return ls_pass_with_body (func, body);
}
