/* NarrowDataType, ForceNarrowIndexToInt32: the types of indices.
 *
 *   NarrowDataType           a loop variable, constant or cast gets as few bits as the values of all expressions around it
 *                            allow; where one does not fit, all keep their type.  An arithmetic operation of which only one
 *                            operand has become narrow is narrowed as a whole.
 *   ForceNarrowIndexToInt32  every index, loop, block iterator, shape and number parameter becomes int32; int64 buffers are
 *                            refused.
 *
 * Both go through the program once with two switches: inside an index (constants and casts change their type), inside a
 * condition (comparisons of integers count as indices).  Source of the concept: TVM's IndexDataTypeRewriter.
 */
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

/* ---- which types are needed --------------------------------------------------- */

typedef struct {
  GHashTable *bits;             /* Var, IntImm, Cast -> bits */
  GHashTable *extents;          /* Var -> bits of its extent */
  LsAnalyzer *analyzer;
  guint       target;
  guint       around;           /* the bits that the expressions around need */
} Needs;

static guint
needed_bits (Needs  *self,
             LsExpr *expr)
{
  LsDType type = ls_dtype (expr);
  LsDType target = { LS_TYPE_INT, (guint8) self->target, 1 };
  LsConstIntBound bound;

  if (type.bits <= self->target)
    return self->target;
  bound = ls_analyzer_const_int_bound (self->analyzer, expr);
  return bound.min >= ls_dtype_int_min (target) && bound.max <= ls_dtype_int_max (target) ? self->target : 64;
}

static void
need (Needs  *self,
      LsNode *node,
      guint   bits)
{
  guint before = GPOINTER_TO_UINT (g_hash_table_lookup (self->bits, node));

  bits = MIN (bits, self->around);
  g_hash_table_insert (self->bits, node, GUINT_TO_POINTER (MAX (before, bits)));
}

static void
find_needs (Needs  *self,
            LsNode *node)
{
  guint around = self->around;
  guint extent = GPOINTER_TO_UINT (g_hash_table_lookup (self->extents, node));

  if (ls_is_expr (node) && ls_dtype_is_int (ls_dtype (node)))
    self->around = MAX (around, needed_bits (self, (LsExpr *) node));
  if (extent > 0)
    need (self, node, extent);
  else if ((ls_is (node, INT_IMM) || ls_is (node, CAST)) && ls_dtype_is_int (ls_dtype (node)))
    need (self, node, ls_dtype (node).bits);
  if (ls_is (node, BUFFER_LOAD))
    self->around = self->target;
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    if (ls_node_get_child (node, i) != NULL)
      find_needs (self, ls_node_get_child (node, i));
  self->around = around;
}

static void
note_extent (Needs  *self,
             LsVar  *var,
             LsExpr *extent)
{
  g_hash_table_insert (self->extents, var, GUINT_TO_POINTER (ls_dtype (extent).bits));
}

static LsWalk
note_needs (LsNode   *node,
            gpointer  user_data)
{
  Needs *self = user_data;
  LsBlock *block = (LsBlock *) node;

  if (ls_is_expr (node))
    {
      find_needs (self, node);
      return LS_WALK_PRUNE;
    }
  ls_scope_bind (self->analyzer, node, LS_SCOPE_LOOPS | LS_SCOPE_THREADS | LS_SCOPE_BLOCKS);
  if (ls_is (node, FOR))
    note_extent (self, ((LsFor *) node)->loop_var, ((LsFor *) node)->extent);
  else if (ls_thread_axis (node) != NULL)
    note_extent (self, ((LsIterVar *) ((LsAttrStmt *) node)->subject)->var, ((LsAttrStmt *) node)->value);
  else if (ls_is (node, BLOCK))
    for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
      {
        LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

        note_extent (self, iter->var, iter->dom->extent);
      }
  return LS_WALK_CONTINUE;
}

/* ---- rewriting ------------------------------------------------------------------- */

typedef struct {
  GHashTable *bits;             /* NULL: every index becomes int32 */
  GHashTable *vars;             /* Var -> Var */
  GHashTable *buffers;          /* Buffer -> Buffer */
  gboolean    in_index;
  gboolean    in_condition;
  gboolean    overflow;         /* a constant does not fit */
  LsRewriter *rewriter;
} State;

static LsExpr *change (State *self, LsExpr *expr);

static LsArray *
change_all (State    *self,
            LsArray  *array,
            gboolean  in_index)
{
  gboolean before = self->in_index;
  g_autoptr (LsArray) fresh = NULL;
  GPtrArray *items = g_ptr_array_new ();
  gboolean same = TRUE;

  if (array == NULL)
    {
      g_ptr_array_unref (items);
      return NULL;
    }
  self->in_index = in_index;
  for (guint i = 0; i < array->n; i++)
    {
      g_ptr_array_add (items, change (self, ls_array_at (array, i, LsExpr)));
      same = same && items->pdata[i] == array->items[i];
    }
  self->in_index = before;
  fresh = ls_array_take_ptr_array (items);
  return same ? ls_ref (array) : g_steal_pointer (&fresh);
}

/* The narrower type of a node that has one here. */
static gboolean
new_type (State   *self,
          LsNode  *node,
          LsDType *type)
{
  guint bits = self->bits != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->bits, node)) : 32;

  *type = ls_dtype (node);
  if (bits == 0 || !ls_dtype_is_int (*type))
    return FALSE;
  type->bits = (guint8) bits;
  return TRUE;
}

static LsVar *
change_var (State *self,
            LsVar *var)
{
  LsVar *known = g_hash_table_lookup (self->vars, var);
  LsDType type;

  if (known != NULL)
    return ls_ref (known);
  if ((self->bits == NULL && !self->in_index) || !new_type (self, LS_NODE (var), &type) || ls_dtype_equal (type, ls_dtype (var)))
    return ls_ref (var);
  known = ls_is (var, SIZE_VAR) ? ls_size_var_new (var->name, type) : ls_var_new (var->name, type);
  g_hash_table_insert (self->vars, var, known);
  return ls_ref (known);
}

static LsExpr *
change_binder (State *self,
               LsVar *var)
{
  gboolean before = self->in_index;
  LsVar *fresh;

  self->in_index = TRUE;
  fresh = change_var (self, var);
  self->in_index = before;
  return (LsExpr *) fresh;
}

static LsExpr *
change_in (State    *self,
           LsExpr   *expr,
           gboolean  in_index,
           gboolean  in_condition)
{
  gboolean index = self->in_index, condition = self->in_condition;
  LsExpr *result;

  self->in_index = in_index;
  self->in_condition = in_condition;
  result = change (self, expr);
  self->in_index = index;
  self->in_condition = condition;
  return result;
}

static LsExpr *
change_binary (State    *self,
               LsBinary *node)
{
  LsKind kind = ls_kind (node);
  gboolean before = self->in_index;
  gboolean both = ls_dtype_is_int (ls_dtype (node->a)) && ls_dtype_is_int (ls_dtype (node->b));
  LsExpr *a, *b;

  if (ls_kind_is_compare (kind))
    self->in_index = self->in_condition && both;
  a = change (self, node->a);
  b = change (self, node->b);
  if (!ls_dtype_equal (ls_dtype (a), ls_dtype (b)) && self->bits != NULL && !ls_kind_is_compare (kind) && both)
    {
      self->in_index = TRUE;
      ls_take (&a, change (self, node->a));
      ls_take (&b, change (self, node->b));
    }
  self->in_index = before;
  if (a != node->a || b != node->b)
    return ls_binary (kind, a, b);
  ls_unref (a);
  ls_unref (b);
  return ls_ref (LS_EXPR (node));
}

static LsExpr *
change_cast (State  *self,
             LsCast *cast)
{
  LsExpr *value = change (self, cast->value);
  LsDType type = ls_dtype (cast);

  if (self->in_index && new_type (self, LS_NODE (cast), &type))
    return ls_cast (type, value);
  if (value != cast->value)
    return ls_cast (ls_dtype (cast), value);
  ls_unref (value);
  return ls_ref (LS_EXPR (cast));
}

static void
match_wider (LsExpr **a,
             LsExpr **b)
{
  LsDType left = ls_dtype (*a), right = ls_dtype (*b);

  if (left.bits < right.bits)
    ls_take (a, ls_cast (right, ls_ref (*a)));
  else if (right.bits < left.bits)
    ls_take (b, ls_cast (left, ls_ref (*b)));
}

static LsExpr *
change_select (State    *self,
               LsSelect *select)
{
  LsExpr *condition = change_in (self, select->condition, self->in_index, TRUE);
  LsExpr *a = change (self, select->true_value);
  LsExpr *b = change (self, select->false_value);

  match_wider (&a, &b);
  if (condition != select->condition || a != select->true_value || b != select->false_value)
    return ls_select_new (condition, a, b);
  ls_unref (condition);
  ls_unref (a);
  ls_unref (b);
  return ls_ref (LS_EXPR (select));
}

/* clz counts the bits of the type: those that are gone are added again. */
static LsExpr *
change_clz (LsCall *call,
            LsExpr *value)
{
  gint64 before = ls_dtype (call->args->items[0]).bits, after = ls_dtype (value).bits;
  LsExpr *result = ls_call_new (ls_dtype (call), ls_ref (call->op), ls_array_of (ls_ref (value), NULL));

  return before == after ? result : ls_add (ls_sub (result, ls_const_int (ls_dtype (call), after)), ls_const_int (ls_dtype (call), before));
}

static LsExpr *
change_call (State  *self,
             LsCall *call)
{
  gboolean choice = ls_is_call (call, "tir.if_then_else");
  GPtrArray *args = g_ptr_array_new ();
  g_autoptr (LsArray) fresh = NULL;
  gboolean same = TRUE;
  LsDType type = ls_dtype (call);

  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, change_in (self, ls_array_at (call->args, i, LsExpr), self->in_index, self->in_condition || (choice && i == 0)));
  if (choice && args->len == 3)
    match_wider ((LsExpr **) &args->pdata[1], (LsExpr **) &args->pdata[2]);
  for (guint i = 0; i < args->len; i++)
    same = same && args->pdata[i] == call->args->items[i];
  fresh = ls_array_take_ptr_array (args);
  if (same)
    return ls_ref (LS_EXPR (call));
  if (ls_is_call (call, "tir.clz"))
    return change_clz (call, fresh->items[0] != NULL ? ls_array_at (fresh, 0, LsExpr) : NULL);
  if (ls_dtype_is_int (type) && (choice || ls_is_call (call, "tir.shift_left") || ls_is_call (call, "tir.shift_right")
                                 || ls_is_call (call, "tir.bitwise_and") || ls_is_call (call, "tir.bitwise_or")
                                 || ls_is_call (call, "tir.bitwise_xor") || ls_is_call (call, "tir.bitwise_not")))
    type = ls_dtype (fresh->items[choice ? 1 : 0]);
  return ls_call_new (type, ls_ref (call->op), g_steal_pointer (&fresh));
}

static LsBuffer *
change_buffer (State    *self,
               LsBuffer *buffer)
{
  LsBuffer *known = g_hash_table_lookup (self->buffers, buffer);
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsArray) strides = NULL;
  g_autoptr (LsExpr) offset = NULL;

  if (known != NULL)
    return ls_ref (known);
  shape = change_all (self, buffer->shape, TRUE);
  strides = change_all (self, buffer->strides, TRUE);
  offset = change_in (self, buffer->elem_offset, TRUE, FALSE);
  if (shape == buffer->shape && strides == buffer->strides && offset == buffer->elem_offset)
    known = ls_ref (buffer);
  else
    known = ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, g_steal_pointer (&shape), g_steal_pointer (&strides), g_steal_pointer (&offset),
                                buffer->name, buffer->data_alignment, buffer->offset_factor, buffer->buffer_type, ls_ref (buffer->axis_separators));
  g_hash_table_insert (self->buffers, buffer, known);
  return ls_ref (known);
}

static LsExpr *
change_children (State  *self,
                 LsExpr *expr)
{
  guint n = ls_node_get_n_children (LS_NODE (expr));
  g_autofree LsNode **children = g_new0 (LsNode *, n + 1);
  LsExpr *result;

  for (guint i = 0; i < n; i++)
    {
      LsNode *child = ls_node_get_child (LS_NODE (expr), i);

      children[i] = ls_is_expr (child) ? LS_NODE (change (self, (LsExpr *) child)) : ls_node_ref (child);
    }
  result = (LsExpr *) ls_node_with_children (LS_NODE (expr), children);
  for (guint i = 0; i < n; i++)
    ls_node_unref (children[i]);
  return result;
}

static LsExpr *
change_ramp (State  *self,
             LsRamp *ramp)
{
  LsExpr *base = change (self, ramp->base), *stride = change (self, ramp->stride);

  if (base == ramp->base && stride == ramp->stride)
    {
      ls_unref (base);
      ls_unref (stride);
      return ls_ref (LS_EXPR (ramp));
    }
  match_wider (&base, &stride);
  return ls_ramp_new (base, stride, ls_ref (ramp->lanes));
}

static LsExpr *
change (State  *self,
        LsExpr *expr)
{
  LsBufferLoad *load = (LsBufferLoad *) expr;
  LsDType type;
  gint64 value;

  switch ((int) ls_kind (expr))
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      return (LsExpr *) change_var (self, (LsVar *) expr);
    case LS_KIND_INT_IMM:
      if (!self->in_index || !new_type (self, LS_NODE (expr), &type) || ls_dtype_equal (type, ls_dtype (expr)) || !ls_as_int (expr, &value))
        return ls_ref (expr);
      self->overflow = self->overflow || value > ls_dtype_int_max (type) || value < ls_dtype_int_min (type);
      return ls_int_imm_new (type, value);
    case LS_KIND_CAST:
      return change_cast (self, (LsCast *) expr);
    case LS_KIND_SELECT:
      return change_select (self, (LsSelect *) expr);
    case LS_KIND_CALL:
      return change_call (self, (LsCall *) expr);
    case LS_KIND_RAMP:
      return change_ramp (self, (LsRamp *) expr);
    case LS_KIND_BUFFER_LOAD:
      return ls_buffer_load_new (change_buffer (self, load->buffer), change_all (self, load->indices, TRUE), ls_ref (load->predicate));
    default:
      return ls_kind_is_binary (ls_kind (expr)) ? change_binary (self, (LsBinary *) expr) : change_children (self, expr);
    }
}

/* ---- statements ---------------------------------------------------------------------- */

static LsExpr *
change_index (State  *self,
              LsExpr *expr)
{
  return change_in (self, expr, TRUE, FALSE);
}

static LsIterVar *
change_iter_var (State     *self,
                 LsIterVar *iter)
{
  LsVar *var = (LsVar *) change_binder (self, iter->var);
  LsRange *dom = NULL;

  if (iter->dom != NULL)
    dom = ls_range_new (ls_cast (ls_dtype (var), change_index (self, iter->dom->min)), ls_cast (ls_dtype (var), change_index (self, iter->dom->extent)));
  return ls_iter_var_new (dom, var, iter->iter_type, iter->thread_tag);
}

static LsNode *
change_for (State *self,
            LsFor *loop)
{
  LsVar *var = (LsVar *) change_binder (self, loop->loop_var);
  LsExpr *min = ls_cast (ls_dtype (var), change_index (self, loop->min));
  LsExpr *extent = ls_cast (ls_dtype (var), change_index (self, loop->extent));
  LsIterVar *thread = loop->thread_binding != NULL ? change_iter_var (self, loop->thread_binding) : NULL;

  return ls_node_set_span (ls_for_new (var, min, extent, loop->kind, (LsStmt *) ls_rewrite (self->rewriter, loop->body), thread, ls_ref (loop->annotations)),
                           loop->node.span);
}

static LsNode *
change_thread (State      *self,
               LsAttrStmt *attr)
{
  LsIterVar *iter = change_iter_var (self, (LsIterVar *) attr->subject);
  LsExpr *value = ls_cast (ls_dtype (iter->var), change_index (self, attr->value));

  return LS_NODE (ls_attr_stmt_new (iter, attr->attr_key, value, (LsStmt *) ls_rewrite (self->rewriter, attr->body)));
}

static LsNode *
change_store (State         *self,
              LsBufferStore *store)
{
  LsBuffer *buffer = change_buffer (self, store->buffer);
  LsExpr *value = change (self, store->value);

  if (!ls_dtype_equal (ls_dtype (value), ls_dtype (store->value)))
    ls_take (&value, ls_cast (ls_dtype (store->value), ls_ref (value)));
  return ls_node_set_span (ls_buffer_store_new (buffer, value, change_all (self, store->indices, TRUE), ls_ref (store->predicate)), store->node.span);
}

static LsNode *
change_region (State          *self,
               LsBufferRegion *region)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < region->region->n; i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);

      g_ptr_array_add (ranges, ls_range_new (change_index (self, range->min), change_index (self, range->extent)));
    }
  return LS_NODE (ls_buffer_region_new (change_buffer (self, region->buffer), ls_array_take_ptr_array (ranges)));
}

static LsNode *
change_realize (State          *self,
                LsBlockRealize *realize)
{
  LsBlock *block = (LsBlock *) ls_rewrite (self->rewriter, realize->block);
  g_autoptr (LsArray) values = change_all (self, realize->iter_values, TRUE);
  GPtrArray *cast = g_ptr_array_new ();

  for (guint i = 0; i < values->n; i++)
    g_ptr_array_add (cast, ls_cast (ls_dtype (ls_array_at (block->iter_vars, i, LsIterVar)->var), ls_ref (ls_array_at (values, i, LsExpr))));
  return ls_node_set_span (ls_block_realize_new (ls_array_take_ptr_array (cast), change_in (self, realize->predicate, FALSE, TRUE), block),
                           realize->node.span);
}

static LsNode *
change_let (State     *self,
            LsLetStmt *let)
{
  LsExpr *value = change (self, let->value);
  LsVar *var = ls_ref (let->var);

  if (!ls_dtype_equal (ls_dtype (value), ls_dtype (var)))
    {
      ls_take (&var, ls_var_new (let->var->name, ls_dtype (value)));
      g_hash_table_insert (self->vars, let->var, ls_ref (var));
    }
  return ls_node_set_span (ls_let_stmt_new (var, value, (LsStmt *) ls_rewrite (self->rewriter, let->body)), let->node.span);
}

static LsNode *
change_if (State        *self,
           LsIfThenElse *node)
{
  LsExpr *condition = change_in (self, node->condition, FALSE, TRUE);

  return ls_node_set_span (ls_if_then_else_new (condition, (LsStmt *) ls_rewrite (self->rewriter, node->then_case),
                                                (LsStmt *) ls_rewrite (self->rewriter, node->else_case)), node->node.span);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *self = user_data;
  LsAllocate *allocate = (LsAllocate *) node;

  self->rewriter = rewriter;
  if (ls_is_expr (node))
    return LS_NODE (change (self, (LsExpr *) node));
  if (ls_thread_axis (node) != NULL)
    return change_thread (self, (LsAttrStmt *) node);
  switch ((int) ls_kind (node))
    {
    case LS_KIND_FOR:
      return change_for (self, (LsFor *) node);
    case LS_KIND_BUFFER_STORE:
      return change_store (self, (LsBufferStore *) node);
    case LS_KIND_BUFFER_REGION:
      return change_region (self, (LsBufferRegion *) node);
    case LS_KIND_BUFFER:
      return LS_NODE (change_buffer (self, (LsBuffer *) node));
    case LS_KIND_ITER_VAR:
      return LS_NODE (change_iter_var (self, (LsIterVar *) node));
    case LS_KIND_BLOCK_REALIZE:
      return change_realize (self, (LsBlockRealize *) node);
    case LS_KIND_LET_STMT:
      return change_let (self, (LsLetStmt *) node);
    case LS_KIND_IF_THEN_ELSE:
      return change_if (self, (LsIfThenElse *) node);
    case LS_KIND_ALLOCATE:
      return ls_node_set_span (ls_allocate_new (ls_ref (allocate->buffer_var), allocate->dtype, change_all (self, allocate->extents, TRUE),
                                                change (self, allocate->condition), (LsStmt *) ls_rewrite (rewriter, allocate->body),
                                                ls_ref (allocate->annotations)), node->span);
    case LS_KIND_MAP:
      return ls_node_ref (node);
    default:
      return ls_rewrite_default (rewriter, node);
    }
}

static LsPrimFunc *
rewrite_body (LsPrimFunc *func,
              State      *state)
{
  LsRewriter rewriter = { filter, state, NULL, NULL };
  g_autoptr (LsNode) body = ls_rewrite (&rewriter, func->body);

  return ls_pass_with_body (func, body);
}

LsPrimFunc *
ls_pass_narrow_data_type (LsPrimFunc  *func,
                          LsMap       *options,
                          GError     **error)
{
  g_autoptr (GHashTable) bits = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) extents = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  guint target = (guint) ls_pass_option (options, "target_bits", 32);
  Needs needs = { bits, extents, analyzer, target, target };
  State state = { .bits = bits, .vars = vars, .buffers = buffers };

  ls_walk (func->body, note_needs, NULL, &needs);
  return rewrite_body (func, &state);
}

/* ---- everything int32 ------------------------------------------------------------------ */

static LsWalk
stop_at_wide_buffer (LsNode   *node,
                     gpointer  user_data)
{
  LsBuffer **found = user_data;
  LsBuffer *buffer = ls_is (node, BUFFER) ? (LsBuffer *) node : NULL;

  if (ls_is (node, BUFFER_LOAD))
    buffer = ((LsBufferLoad *) node)->buffer;
  else if (ls_is (node, BUFFER_STORE))
    buffer = ((LsBufferStore *) node)->buffer;
  if (buffer == NULL || !ls_dtype_is_int (buffer->dtype) || buffer->dtype.bits <= 32)
    return LS_WALK_CONTINUE;
  *found = buffer;
  return LS_WALK_STOP;
}

LsPrimFunc *
ls_pass_force_narrow_index (LsPrimFunc  *func,
                            GError     **error)
{
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  State state = { .vars = vars, .buffers = buffers };
  GPtrArray *params = g_ptr_array_new (), *views = g_ptr_array_new ();
  LsRewriter rewriter = { filter, &state, NULL, NULL };
  LsBuffer *wide = NULL;
  LsPrimFunc *result;

  ls_walk (func->buffers, stop_at_wide_buffer, NULL, &wide);
  if (wide == NULL)
    ls_walk (func->body, stop_at_wide_buffer, NULL, &wide);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      g_ptr_array_add (params, change_binder (&state, ls_array_at (func->params, i, LsVar)));
      g_ptr_array_add (views, buffer != NULL ? change_buffer (&state, buffer) : NULL);
    }
  result = ls_prim_func_new (ls_array_take_ptr_array (params), (LsStmt *) ls_rewrite (&rewriter, func->body), ls_ref (func->ret_type),
                             ls_array_take_ptr_array (views), ls_ref (func->attrs));
  if (wide == NULL && !state.overflow)
    return result;
  if (wide != NULL)
    g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("the buffer %s holds integers of more than 32 bits, which may be indices"), wide->name);
  else
    g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("a constant of an index does not fit into int32"));
  ls_unref (result);
  return NULL;
}
