/* LowerMatchBuffer: a matched buffer is a window; accesses go to the buffer behind it.
 *
 *     A_1 = T.match_buffer(A[i * 16:i * 16 + 16, 0:16], (16, 16), strides=("s0", 1), offset_factor=16)
 *     f(A_1[0, k], s0)     ->     f(A[i * 16, k], 16)
 *
 * Leading dimensions of the source region that the window lacks have extent 1.  What the window says of its shape, its
 * strides and its offset has to hold of the region: a variable that is not known yet gets the region's value, anything
 * else must be provably equal.
 *
 * Of a buffer with more elements than the type of its indices counts, offsets and steps are int64.  A variable of the window that is int32 stands
 * for such a number in T.tvm_access_ptr and below a cast to 64 bits; anywhere else the window is refused.  (TVM wraps.)
 */
#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

#include <inttypes.h>

typedef struct {
  GHashTable *windows;          /* Buffer -> BufferRegion (the source, rewritten) */
  GHashTable *values;           /* Var -> Expr */
  LsAnalyzer *analyzer;         /* knows the ranges of the loops */
  GError    **error;
  gboolean    failed;
} State;

/* A factor in the type of offsets. (transfer full) */
static LsExpr *
wide (LsDType dtype,
      LsExpr *factor)
{
  return ls_dtype (factor).bits < dtype.bits ? ls_cast (dtype, ls_ref (factor)) : ls_ref (factor);
}

static LsArray *
source_strides (LsBuffer *buffer,
                LsDType   dtype)
{
  g_autoptr (GPtrArray) strides = g_ptr_array_new ();
  guint n = buffer->shape->n;
  LsExpr *step;

  if (ls_buffer_has_strides (buffer))
    return ls_ref (buffer->strides);
  step = ls_const_int (dtype, 1);
  for (guint i = n; i-- > 0;)
    {
      g_ptr_array_insert (strides, 0, ls_ref (step));
      step = ls_mul (step, wide (dtype, ls_array_at (buffer->shape, i, LsExpr)));
    }
  ls_unref (step);
  return ls_array_new (strides->pdata, strides->len);
}

/* Where the region begins, in elements. (transfer full) */
static LsExpr *
source_offset (LsBufferRegion *source,
               LsArray        *strides,
               LsDType         dtype)
{
  LsExpr *offset = wide (dtype, source->buffer->elem_offset);

  for (guint i = 0; i < source->region->n; i++)
    offset = ls_add (offset, ls_mul (wide (dtype, ls_array_at (source->region, i, LsRange)->min), wide (dtype, ls_array_at (strides, i, LsExpr))));
  return offset;
}

static LsArray *
window_indices (LsBufferRegion *source,
                LsArray        *indices)
{
  GPtrArray *result = g_ptr_array_new ();
  guint skipped = source->region->n - indices->n;

  for (guint i = 0; i < source->region->n; i++)
    {
      LsExpr *min = ls_ref (ls_array_at (source->region, i, LsRange)->min);

      g_ptr_array_add (result, i < skipped ? min : ls_add (min, ls_ref (ls_array_at (indices, i - skipped, LsExpr))));
    }
  return ls_array_take_ptr_array (result);
}

/* A number of 64 bits goes into the 32 of what is wanted where it is known to be one of them. */
static void
narrow (State   *state,
        LsExpr  *wanted,
        LsExpr **value)
{
  LsDType dtype = ls_dtype (wanted);
  gint64 number;

  if (ls_dtype (*value).bits > dtype.bits && ls_dtype_is_int (dtype) && ls_as_int (*value, &number) && number >= ls_dtype_int_min (dtype) && number <= ls_dtype_int_max (dtype))
    ls_take (value, ls_const_int (dtype, number));
}

/* `what` of a window is `wanted`, that of its region is `value`. */
static void
bind (State      *state,
      LsBuffer   *window,
      LsBuffer   *source,
      const char *what,
      LsExpr     *wanted,
      LsExpr     *value)
{
  LsExpr *known = ls_is_var (wanted) ? g_hash_table_lookup (state->values, wanted) : wanted;
  g_autoptr (LsExpr) now = (LsExpr *) ls_substitute (value, state->values);

  if (state->failed)
    return;
  narrow (state, wanted, &now);
  if (known == NULL)
    {
      g_hash_table_insert (state->values, wanted, g_steal_pointer (&now));
      return;
    }
  if (known == LS_EXPR (now) || ls_analyzer_can_prove_equal (state->analyzer, known, now))
    return;
  state->failed = TRUE;
  g_set_error (state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED,
               ls_translate ("The buffer match constraint for %s.%s is unmet: what the window says is not known to equal what its region of %s has.%s"),
               window->name, what, source->name,
               g_str_equal (what, "elem_offset") && ls_is_zero (wanted) ? "  Without offset_factor a window begins at offset 0; offset_factor=1 leaves it open." : "");
}

static void
check_offset_factor (State    *state,
                     LsBuffer *buffer,
                     LsExpr   *offset)
{
  g_autoptr (LsExpr) rest = NULL;
  g_autoptr (LsExpr) now = (LsExpr *) ls_substitute (offset, state->values);

  if (state->failed || buffer->offset_factor <= 1)
    return;
  rest = ls_eq (ls_floormod (ls_ref (now), ls_const_int (ls_dtype (now), buffer->offset_factor)), ls_const_int (ls_dtype (now), 0));
  if (ls_analyzer_can_prove (state->analyzer, rest))
    return;
  state->failed = TRUE;
  g_set_error (state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The offset of the window %s is not known to be a multiple of its offset_factor, %" PRId64 "."),
               buffer->name, buffer->offset_factor);
}

static void
open_window (State               *state,
             LsMatchBufferRegion *match,
             LsBufferRegion      *source)
{
  LsBuffer *buffer = match->buffer;
  LsDType dtype = ls_buffer_flat_dtype (source->buffer, 0, source->buffer->shape->n);
  g_autoptr (LsArray) strides = source_strides (source->buffer, dtype);
  g_autoptr (LsExpr) offset = NULL;
  guint skipped;

  if (source->region->n < buffer->shape->n)
    {
      state->failed = TRUE;
      g_set_error (state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The window %s has more dimensions than %s."), buffer->name, source->buffer->name);
      return;
    }
  offset = source_offset (source, strides, dtype);
  g_hash_table_insert (state->windows, buffer, ls_ref (source));
  bind (state, buffer, source->buffer, "data", LS_EXPR (buffer->data), LS_EXPR (source->buffer->data));
  bind (state, buffer, source->buffer, "elem_offset", buffer->elem_offset, offset);
  check_offset_factor (state, buffer, offset);
  skipped = source->region->n - buffer->shape->n;
  for (guint i = 0; i < buffer->shape->n; i++)
    bind (state, buffer, source->buffer, "shape", ls_array_at (buffer->shape, i, LsExpr), ls_array_at (source->region, i + skipped, LsRange)->extent);
  for (guint i = 0; i < buffer->strides->n; i++)
    bind (state, buffer, source->buffer, "strides", ls_array_at (buffer->strides, i, LsExpr), ls_array_at (strides, i + skipped, LsExpr));
}

static LsNode *
lower_block (LsRewriter *rewriter,
             LsBlock    *block,
             State      *state)
{
  g_autoptr (LsNode) shell = NULL;

  for (guint i = 0; i < block->match_buffers->n; i++)
    {
      LsMatchBufferRegion *match = ls_array_at (block->match_buffers, i, LsMatchBufferRegion);
      g_autoptr (LsBufferRegion) source = (LsBufferRegion *) ls_rewrite (rewriter, match->source);

      open_window (state, match, source);
    }
  shell = LS_NODE (ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, ls_ref (block->body),
                                 ls_ref (block->init), ls_ref (block->alloc_buffers), NULL, ls_ref (block->annotations)));
  return ls_rewrite_default (rewriter, shell);
}

/* What a variable of a window stands for, where that has more bits. */
static LsExpr *
wide_value (State  *state,
            LsNode *node)
{
  LsExpr *known = ls_is_var (node) ? g_hash_table_lookup (state->values, node) : NULL;

  return known != NULL && ls_dtype (known).bits > ls_dtype ((LsExpr *) node).bits && !ls_dtype_is_handle (ls_dtype (known)) ? known : NULL;
}

static LsWalk
look_for_wide (LsNode   *node,
               gpointer  user_data)
{
  return wide_value (user_data, node) != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* An expression of the window's offset or strides in 64 bits. (transfer full) */
static LsExpr *
in_64_bits (LsRewriter *rewriter,
            LsExpr     *expr,
            State      *state)
{
  LsExpr *known = wide_value (state, LS_NODE (expr));
  LsBinary *binary = (LsBinary *) expr;
  LsExpr *fresh;

  if (known != NULL)
    return ls_ref (known);
  if (ls_is (expr, ADD) || ls_is (expr, SUB) || ls_is (expr, MUL) || ls_is (expr, FLOOR_DIV) || ls_is (expr, FLOOR_MOD))
    return ls_binary_new (ls_kind (expr), in_64_bits (rewriter, binary->a, state), in_64_bits (rewriter, binary->b, state));
  fresh = (LsExpr *) ls_rewrite (rewriter, expr);
  return ls_dtype (fresh).bits < 64 ? ls_cast (LS_INT64, fresh) : fresh;
}

/* Where a window's numbers of 64 bits may stand; NULL: not here. (transfer full) */
static LsNode *
with_wide_values (LsRewriter *rewriter,
                  LsNode     *node,
                  State      *state)
{
  LsCall *call = (LsCall *) node;

  if (ls_is (node, CAST) && ls_dtype ((LsExpr *) node).bits == 64 && ls_dtype_is_int (ls_dtype ((LsExpr *) node)) && !ls_walk (node, look_for_wide, NULL, state))
    return LS_NODE (ls_cast (ls_dtype ((LsExpr *) node), in_64_bits (rewriter, ((LsCast *) node)->value, state)));
  if (ls_is_call (node, "tir.tvm_access_ptr") && call->args->n > 2 && !ls_walk (call->args->items[2], look_for_wide, NULL, state))
    {
      g_autoptr (LsExpr) offset = in_64_bits (rewriter, ls_array_at (call->args, 2, LsExpr), state);
      g_autoptr (LsExpr) zero = ls_int (0);
      g_autoptr (LsArray) without = ls_array_with (call->args, 2, zero);
      g_autoptr (LsNode) shell = LS_NODE (ls_call_new (ls_dtype ((LsExpr *) call), ls_node_ref (call->op), ls_ref (without)));
      g_autoptr (LsNode) fresh = ls_rewrite_default (rewriter, shell);
      g_autoptr (LsArray) args = ls_array_with (((LsCall *) fresh)->args, 2, offset);

      return LS_NODE (ls_call_new (ls_dtype ((LsExpr *) call), ls_node_ref (call->op), ls_ref (args)));
    }
  return NULL;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;
  LsNode *known;

  if (state->failed)
    return ls_node_ref (node);
  if (wide_value (state, node) != NULL)
    {
      state->failed = TRUE;
      g_set_error (state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED,
                   ls_translate ("%s of a window may be more than %s holds; only T.Cast(\"int64\", %s) and access_ptr can use it here."),
                   ((LsVar *) node)->name, ls_dtype_name (ls_dtype ((LsExpr *) node)), ((LsVar *) node)->name);
      return ls_node_ref (node);
    }
  if (ls_is_var (node))
    {
      known = g_hash_table_lookup (state->values, node);
      return ls_node_ref (known != NULL ? known : node);
    }
  if ((result = with_wide_values (rewriter, node, state)) != NULL)
    return result;
  ls_scope_bind (state->analyzer, node, LS_SCOPE_LOOPS);
  if (ls_is (node, BLOCK) && ((LsBlock *) node)->match_buffers->n > 0)
    return lower_block (rewriter, (LsBlock *) node, state);
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (result, BUFFER_LOAD))
    {
      LsBufferLoad *load = (LsBufferLoad *) result;
      LsBufferRegion *source = g_hash_table_lookup (state->windows, load->buffer);

      if (source != NULL)
        ls_take (&result, LS_NODE (ls_buffer_load_new (ls_ref (source->buffer), window_indices (source, load->indices), ls_ref (load->predicate))));
    }
  else if (ls_is (result, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) result;
      LsBufferRegion *source = g_hash_table_lookup (state->windows, store->buffer);

      if (source != NULL)
        ls_take (&result, ls_node_set_span (ls_buffer_store_new (ls_ref (source->buffer), ls_ref (store->value), window_indices (source, store->indices), ls_ref (store->predicate)),
                                             store->node.span));
    }
  else if (ls_is (result, BUFFER_REGION))
    {
      LsBufferRegion *region = (LsBufferRegion *) result;
      LsBufferRegion *source = g_hash_table_lookup (state->windows, region->buffer);
      GPtrArray *ranges;
      guint skipped;

      if (source == NULL)
        return result;
      ranges = g_ptr_array_new ();
      skipped = source->region->n - region->region->n;
      for (guint i = 0; i < source->region->n; i++)
        {
          LsRange *outer = ls_array_at (source->region, i, LsRange);
          LsRange *inner = i < skipped ? NULL : ls_array_at (region->region, i - skipped, LsRange);

          g_ptr_array_add (ranges, inner == NULL ? ls_ref (outer) : ls_range_new (ls_add (ls_ref (outer->min), ls_ref (inner->min)), ls_ref (inner->extent)));
        }
      ls_take (&result, LS_NODE (ls_buffer_region_new (ls_ref (source->buffer), ls_array_take_ptr_array (ranges))));
    }
  return result;
}

LsPrimFunc *
ls_pass_lower_match_buffer (LsPrimFunc  *func,
                            GError     **error)
{
  g_autoptr (GHashTable) windows = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { windows, values, analyzer, error, FALSE };
  g_autoptr (LsNode) body = NULL;

  for (guint i = 0; i < func->params->n; i++)
    g_hash_table_insert (values, func->params->items[i], ls_ref (ls_array_at (func->params, i, LsVar)));
  body = ls_rewrite_with (func->body, filter, &state);

  return state.failed ? NULL : ls_pass_with_body (func, body);
}
