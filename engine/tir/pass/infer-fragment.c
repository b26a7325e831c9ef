/* InferFragment: allocations of matrix fragments are told the shape and layout that the intrinsics use them with.
 *
 *     F = T.allocate ([256], "float16", "wmma.matrix_a")           T.attr (F, "fragment_layout", "row_major")
 *     T.tvm_load_matrix_sync (F, 16, 16, 16, ..., "row_major") ->  T.attr (F, "fragment_shape", "16, 16, 16")
 *                                                                  F = T.allocate ([256], "float16", "wmma.matrix_a")
 *
 * The four fragments of a T.tvm_mma_sync have one shape.  An accumulator has no layout, unless it is known by T.tvm_fill_fragment
 * first (row_major).  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  gint64      m, n, k;
  const char *layout;           /* or NULL; borrowed */
} Fragment;

typedef struct {
  GHashTable *fragments;        /* data LsVar -> Fragment; owned */
  GError     *error;
} State;

static void
fail (State      *state,
      gpointer    data,
      const char *rule)
{
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The matrix fragment `%s` %s"),
                 ls_is_var (data) ? ((LsVar *) data)->name : "?", ls_translate (rule));
}

/* Bits of what a pointer points to; 0: it is not told. */
static guint
bits_of (LsVar *data)
{
  LsPointerType *type = (LsPointerType *) data->type_annotation;

  return ls_is (type, POINTER_TYPE) && ls_is (type->element_type, PRIM_TYPE) ? ((LsPrimType *) type->element_type)->dtype.bits : 0;
}

/* The instruction takes rows at multiples of 16 bytes: 8 numbers of float16, 4 of float32.  What is known only when the kernel runs, a run finds. */
static void
check_rows (State  *state,
            LsVar  *data,
            LsCall *call)
{
  gint64 row;

  if (ls_as_int (call->args->items[6], &row) && row * bits_of (data) % 128 != 0)
    fail (state, data, LS_TEXT ("is loaded and stored in rows that are a multiple of 16 bytes apart: 8 numbers of float16, 4 of float32."));
}

/* A load, store or fill: f (data, m, n, k, ...). */
static void
note_use (State  *state,
          LsCall *call,
          guint   n_args,
          gboolean fills)
{
  LsVar *data = call->args->n > 0 ? ls_array_at (call->args, 0, LsVar) : NULL;
  const char *layout = "row_major";
  Fragment *known, seen;
  gboolean is_operand;

  if (call->args->n != n_args || !ls_is_var (data) || !ls_as_int (call->args->items[1], &seen.m) || !ls_as_int (call->args->items[2], &seen.n)
      || !ls_as_int (call->args->items[3], &seen.k) || (!fills && !ls_is (call->args->items[7], STRING_IMM)))
    {
      fail (state, data, LS_TEXT ("is used with its variable, a constant shape m, n, k and, where it is loaded or stored, a layout."));
      return;
    }
  if (!fills)
    check_rows (state, data, call);
  is_operand = g_str_equal (ls_pointer_scope (data), "wmma.matrix_a") || g_str_equal (ls_pointer_scope (data), "wmma.matrix_b");
  if (!fills)
    layout = is_operand ? ((LsStringImm *) call->args->items[7])->value : NULL;
  known = g_hash_table_lookup (state->fragments, data);
  if (known == NULL)
    {
      seen.layout = layout;
      g_hash_table_insert (state->fragments, data, g_memdup2 (&seen, sizeof seen));
      return;
    }
  if (known->m != seen.m || known->n != seen.n || known->k != seen.k)
    fail (state, data, LS_TEXT ("is used with two shapes."));
  else if (!fills && is_operand && g_strcmp0 (known->layout, layout) != 0)
    fail (state, data, LS_TEXT ("is used with two layouts."));
}

static LsWalk
note_uses (LsNode   *node,
           gpointer  user_data)
{
  State *state = user_data;

  if (ls_is_call (node, "tir.tvm_load_matrix_sync") || ls_is_call (node, "tir.tvm_store_matrix_sync"))
    note_use (state, (LsCall *) node, 8, FALSE);
  else if (ls_is_call (node, "tir.tvm_fill_fragment"))
    note_use (state, (LsCall *) node, 6, TRUE);
  return state->error != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* f (d, index, a, index, b, index, c, index) */
static LsWalk
check_products (LsNode   *node,
                gpointer  user_data)
{
  State *state = user_data;
  Fragment *first = NULL;
  LsArray *args;

  if (!ls_is_call (node, "tir.tvm_mma_sync") && !ls_is_call (node, "tir.tvm_bmma_sync"))
    return LS_WALK_CONTINUE;
  args = ((LsCall *) node)->args;
  for (guint i = 0; i < args->n; i += 2)
    {
      Fragment *fragment = g_hash_table_lookup (state->fragments, args->items[i]);

      if (fragment == NULL)
        fail (state, args->items[i], LS_TEXT ("is filled (T.tvm_fill_fragment) or loaded (T.tvm_load_matrix_sync) before it is multiplied."));
      else if (first != NULL && (first->m != fragment->m || first->n != fragment->n || first->k != fragment->k))
        fail (state, args->items[i], LS_TEXT ("has another shape than what it is multiplied with."));
      else if (first == NULL)
        first = fragment;
      if (state->error != NULL)
        return LS_WALK_STOP;
    }
  return LS_WALK_CONTINUE;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsStmt *result;
  LsVar *data;
  Fragment *fragment;
  g_autofree char *shape = NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  result = ls_rewrite_default (rewriter, node);
  data = ls_is (node, ALLOCATE) ? ((LsAllocate *) node)->buffer_var : NULL;
  fragment = data != NULL ? g_hash_table_lookup (state->fragments, data) : NULL;
  if (fragment == NULL)
    return result;
  shape = g_strdup_printf ("%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, fragment->m, fragment->n, fragment->k);
  result = ls_attr_stmt_new (ls_ref (data), "fragment_shape", LS_EXPR (ls_string_imm_new (shape)), result);
  if (fragment->layout != NULL)
    result = ls_attr_stmt_new (ls_ref (data), "fragment_layout", LS_EXPR (ls_string_imm_new (fragment->layout)), result);
  return result;
}

LsPrimFunc *
ls_pass_infer_fragment (LsPrimFunc  *func,
                        GError     **error)
{
  g_autoptr (GHashTable) fragments = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  State state = { fragments, NULL };
  g_autoptr (LsNode) body = NULL;

  ls_walk (func->body, note_uses, NULL, &state);
  if (state.error == NULL)
    ls_walk (func->body, check_products, NULL, &state);
  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  if (g_hash_table_size (fragments) == 0)
    return ls_ref (func);
  body = ls_rewrite_with (func->body, filter, &state);
  return ls_pass_with_body (func, body);
}
