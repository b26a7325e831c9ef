/* BF16ComputeLegalize, BF16StorageLegalize, FP8ComputeLegalize, FP8StorageLegalize: bfloat16 and the floats of 8 bits for machines that do not know them.
 *
 *     C[i] = T.exp (A[i] + B[i])          computed in float32: what is loaded is widened, what is stored is rounded;
 *                                         buffers of the function itself are float32 altogether
 *     A: T.Buffer (n, "bfloat16")         stored as uint16: parameters, pointers and buffers get this type
 *
 * Widening is T.reinterpret ("float32", T.uint32 (bits) << 16), narrowing rounds to the nearest even.  A buffer whose pointer is passed on
 * keeps its type.  Functions for a CUDA device of 8.0 or later, which has bfloat16, stay.  float8_e4m3fn and float8_e5m2 are stored as uint8; what is
 * too large becomes the largest number.  For code that is made here (ls_legalize_fp8, ls_legalize_bf16) each result is rounded to its type instead, also in memory of the
 * function itself: what TVM's pass leaves out changes numbers.  Source of the concept: TVM's passes of the same names; the floats of 8 bits are computed in float32, float16 or
 * bfloat16 (promote_dtype_str), each of which holds them. */
#include "engine/base/float8.h"
#include "engine/tir/pass/narrow-floats.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

#define U8(lanes) ((LsDType) { LS_TYPE_UINT, 8, (lanes) })
#define U16(lanes) ((LsDType) { LS_TYPE_UINT, 16, (lanes) })
#define U32(lanes) ((LsDType) { LS_TYPE_UINT, 32, (lanes) })
#define F32(lanes) ((LsDType) { LS_TYPE_FLOAT, 32, (lanes) })

typedef struct {
  gboolean    is_fp8;           /* else bfloat16 */
  LsDType     promoted;         /* what is computed in: float32, float16 or bfloat16 */
  gboolean    rounds;           /* each result is rounded to its type, as the program says; TVM's passes keep float32 inside of a function */
  GHashTable *vars;             /* Var -> Var; values owned */
  GHashTable *buffers;          /* Buffer -> Buffer; values owned */
  GHashTable *passed;           /* pointers that are passed on */
} State;

static gboolean
is_narrow (State   *state,
           LsDType  type)
{
  return state->is_fp8 ? type.code == LS_TYPE_E4M3 || type.code == LS_TYPE_E5M2 : type.code == LS_TYPE_BFLOAT && type.bits == 16;
}

/* The type that it is stored as. */
static LsDType
stored (LsDType type)
{
  return type.bits == 8 ? U8 (type.lanes) : U16 (type.lanes);
}

static gboolean
is_native (LsPrimFunc *func)
{
  LsNode *target = ls_map_get (func->attrs, "target");
  const char *arch = ls_target_text (target, "arch");

  return strcmp (ls_target_kind (target), "cuda") == 0 && arch != NULL && g_str_has_prefix (arch, "sm_") && g_ascii_strtoll (arch + 3, NULL, 10) >= 80;
}

/* ---- conversions --------------------------------------------------------------------- */

static LsExpr *
reinterpret (LsDType  type,
             LsExpr  *value)
{
  return ls_dtype_equal (ls_dtype (value), type) ? value : ls_call_op ("tir.reinterpret", type, ls_array_of (value, NULL));
}

static LsExpr *
bits_op (const char *op,
         LsExpr     *value,
         gint64      number)
{
  LsDType type = ls_dtype (value);

  return ls_call_op (op, type, ls_array_of (value, ls_const_int (type, number), NULL));
}

/* 8 bits as the float32 of that exponent, which is too small by a power of two; the scale makes it right, subnormal numbers too.  NaN and infinity
 * have the largest exponent.  Takes the bits as uint32. */
static LsExpr *
widen_fp8 (gboolean  is_e4m3,
           LsExpr   *value)
{
  g_autoptr (LsExpr) bits = value;
  LsDType type = ls_dtype (bits), to = F32 (type.lanes);
  g_autoptr (LsExpr) size = bits_op ("tir.bitwise_and", ls_ref (bits), 0x7f);
  LsExpr *sign = bits_op ("tir.shift_left", bits_op ("tir.bitwise_and", ls_ref (bits), 0x80), 24);
  LsExpr *number = bits_op ("tir.shift_left", ls_ref (size), is_e4m3 ? 20 : 21);
  LsExpr *scaled = ls_mul (reinterpret (to, ls_call_op ("tir.bitwise_or", type, ls_array_of (number, sign, NULL))), ls_const_float (to, is_e4m3 ? 0x1p120 : 0x1p112));
  LsExpr *infinity, *nan;

  if (is_e4m3)
    return ls_select_new (ls_eq (ls_ref (size), ls_const_int (type, 0x7f)), reinterpret (to, ls_const_int (type, 0x7fc00000)), scaled);
  infinity = ls_call_op ("tir.bitwise_or", type, ls_array_of (ls_const_int (type, 0x7f800000), bits_op ("tir.shift_left", bits_op ("tir.bitwise_and", ls_ref (bits), 0x80), 24), NULL));
  nan = ls_const_int (type, 0x7fc00000);
  return ls_select_new (ls_lt (ls_ref (size), ls_const_int (type, 0x7c)), scaled,
                        reinterpret (to, ls_select_new (ls_eq (ls_ref (size), ls_const_int (type, 0x7c)), infinity, nan)));
}

/* Rounds a float32 to the nearest even: numbers that are normal in 8 bits by a carry into the bits that stay, others by adding a number whose last bit is
 * their last.  Takes the value; `is_cast`: infinity becomes the largest number too. */
static LsExpr *
narrow_fp8 (LsDType  to,
            LsExpr  *value,
            gboolean is_cast)
{
  gboolean is_e4m3 = to.code == LS_TYPE_E4M3;
  guint kept = is_e4m3 ? 3 : 2, bias = is_e4m3 ? 7 : 15, dropped = 23 - kept;
  LsDType type = U32 (ls_dtype (value).lanes), floats = F32 (type.lanes);
  gint64 magic = (gint64) (127 + 24 - bias - kept) << 23, most = is_e4m3 ? 0x7e : 0x7b;
  g_autoptr (LsExpr) bits = reinterpret (type, value);
  g_autoptr (LsExpr) size = bits_op ("tir.bitwise_and", ls_ref (bits), 0x7fffffff);
  LsExpr *sign = bits_op ("tir.bitwise_and", bits_op ("tir.shift_right", ls_ref (bits), 24), 0x80);
  LsExpr *odd = bits_op ("tir.bitwise_and", bits_op ("tir.shift_right", ls_ref (size), dropped), 1);
  LsExpr *carried = bits_op ("tir.shift_right", ls_add (ls_ref (size), ls_add (odd, ls_const_int (type, (1 << (dropped - 1)) - 1))), dropped);
  LsExpr *normal = ls_sub (carried, ls_const_int (type, (127 - bias) << kept));
  LsExpr *small = ls_sub (reinterpret (type, ls_add (reinterpret (floats, ls_ref (size)), reinterpret (floats, ls_const_int (type, magic)))), ls_const_int (type, magic));
  LsExpr *number = ls_min (ls_select_new (ls_lt (ls_ref (size), ls_const_int (type, (gint64) (128 - bias) << 23)), small, normal), ls_const_int (type, most));

  if (!is_e4m3 && !is_cast)
    number = ls_select_new (ls_eq (ls_ref (size), ls_const_int (type, 0x7f800000)), ls_const_int (type, 0x7c), number);
  number = ls_call_op ("tir.bitwise_or", type, ls_array_of (sign, number, NULL));
  number = ls_select_new (ls_lt (ls_const_int (type, 0x7f800000), ls_ref (size)), ls_const_int (type, 0x7f), number);
  return reinterpret (ls_dtype_with_lanes (to, type.lanes), ls_cast (U8 (type.lanes), number));
}

/* Takes a narrow number. */
static LsExpr *
widen (LsExpr *value)
{
  LsDType from = ls_dtype (value);
  LsExpr *bits = ls_cast (U32 (from.lanes), reinterpret (stored (from), value));

  return from.bits == 8 ? widen_fp8 (from.code == LS_TYPE_E4M3, bits) : reinterpret (F32 (from.lanes), bits_op ("tir.shift_left", bits, 16));
}

/* Takes a float32, or one of fewer bits. */
static LsExpr *
narrow (LsDType  to,
        LsExpr  *value,
        gboolean is_cast)
{
  guint lanes = ls_dtype (value).lanes;
  LsDType type = U32 (lanes);
  g_autoptr (LsExpr) bits = NULL;
  LsExpr *odd, *rounded;

  if (to.bits == 8)
    return narrow_fp8 (to, ls_cast (F32 (lanes), value), is_cast);
  bits = reinterpret (type, value);
  odd = bits_op ("tir.bitwise_and", bits_op ("tir.shift_right", ls_ref (bits), 16), 1);
  rounded = ls_add (ls_ref (bits), ls_add (odd, ls_const_int (type, 0x7fff)));
  return reinterpret ((LsDType) { LS_TYPE_BFLOAT, 16, lanes }, ls_cast (U16 (lanes), bits_op ("tir.shift_right", rounded, 16)));
}

static LsExpr *
promoted (State  *state,
          LsExpr *value)
{
  LsCast *cast = (LsCast *) value;
  LsExpr *inner;

  if (!is_narrow (state, ls_dtype (value)))
    return value;
  if (!ls_is (value, CAST) || !ls_dtype_equal (ls_dtype (cast->value), ls_dtype_with_lanes (state->promoted, ls_dtype (value).lanes)))
    return ls_cast (ls_dtype_with_lanes (state->promoted, ls_dtype (value).lanes), widen (value));
  inner = ls_ref (cast->value);
  ls_unref (value);
  return inner;
}

/* ---- BF16ComputeLegalize ----------------------------------------------------------------- */

static void
note_passed (State *state,
             LsCall *call)
{
  for (guint i = 0; i < call->args->n; i++)
    if (ls_is_var (call->args->items[i]) && ls_dtype_is_handle (ls_dtype (call->args->items[i])))
      g_hash_table_add (state->passed, call->args->items[i]);
}

static LsWalk
note_allocations (LsNode   *node,
                  gpointer  user_data)
{
  State *state = user_data;
  LsAllocate *allocate = (LsAllocate *) node;
  gint64 size;

  if (ls_is (node, CALL))
    note_passed (state, (LsCall *) node);
  else if (ls_is (node, LET_STMT) && ls_is_var (((LsLetStmt *) node)->value))
    g_hash_table_add (state->passed, ((LsLetStmt *) node)->value);
  else if (ls_is (node, ALLOCATE) && is_narrow (state, allocate->dtype) && ls_allocate_constant_size (allocate->extents, &size) && size > 0)
    g_hash_table_insert (state->vars, allocate->buffer_var,
                         ls_pointer_var_new (allocate->buffer_var->name, ls_dtype_with_lanes (state->promoted, allocate->dtype.lanes), ls_pointer_scope (allocate->buffer_var)));
  return LS_WALK_CONTINUE;
}

static LsBuffer *
buffer_as (State    *state,
           LsBuffer *buffer,
           LsDType   type)
{
  LsVar *data = g_hash_table_lookup (state->vars, buffer->data);
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);

  if (known != NULL)
    return ls_ref (known);
  if (!is_narrow (state, buffer->dtype) || data == NULL)
    return ls_ref (buffer);
  known = ls_buffer_with (buffer, data, type, NULL);
  g_hash_table_insert (state->buffers, buffer, known);
  return ls_ref (known);
}

static LsNode *
compute_array (LsRewriter *rewriter,
               LsArray    *array)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < array->n; i++)
    {
      LsNode *item = ls_rewrite (rewriter, array->items[i]);

      g_ptr_array_add (items, ls_is_expr (item) ? LS_NODE (promoted (rewriter->user_data, LS_EXPR (item))) : item);
    }
  return LS_NODE (ls_array_take_ptr_array (items));
}

static LsExpr *
compute (LsRewriter *rewriter,
         gpointer    expr)
{
  return promoted (rewriter->user_data, (LsExpr *) ls_rewrite (rewriter, expr));
}

static LsNode *
compute_call (LsRewriter *rewriter,
              LsCall     *call)
{
  State *state = rewriter->user_data;
  LsDType type = ls_dtype (call);

  if (ls_is_call (call, "tir.reinterpret"))
    return ls_rewrite_default (rewriter, call);
  return LS_NODE (ls_call_new (is_narrow (state, type) ? ls_dtype_with_lanes (state->promoted, type.lanes) : type, ls_node_ref (call->op), (LsArray *) compute_array (rewriter, call->args)));
}

static LsNode *
compute_store (LsRewriter    *rewriter,
               State         *state,
               LsBufferStore *store)
{
  LsExpr *value = (LsExpr *) ls_rewrite (rewriter, store->value);
  LsBuffer *buffer = buffer_as (state, store->buffer, ls_dtype_with_lanes (state->promoted, store->buffer->dtype.lanes));

  if (is_narrow (state, buffer->dtype) && ls_dtype_equal (ls_dtype_element (ls_dtype (value)), state->promoted))
    value = narrow (buffer->dtype, value, ls_is (store->value, CAST));
  else if (!is_narrow (state, buffer->dtype))
    value = promoted (state, value);
  return LS_NODE (ls_buffer_store_new (buffer, value, (LsArray *) ls_rewrite (rewriter, store->indices), (LsExpr *) ls_rewrite (rewriter, store->predicate)));
}

/* A binding of a bfloat16 becomes one of a float32. */
static LsNode *
compute_let (LsRewriter *rewriter,
             State      *state,
             LsNode     *node)
{
  gboolean is_stmt = ls_is (node, LET_STMT);
  LsVar *var = is_stmt ? ((LsLetStmt *) node)->var : ((LsLet *) node)->var;
  LsNode *given = is_stmt ? LS_NODE (((LsLetStmt *) node)->value) : LS_NODE (((LsLet *) node)->value);
  LsExpr *value = state->rounds ? (LsExpr *) ls_rewrite (rewriter, given) : compute (rewriter, given);
  LsVar *fresh = is_narrow (state, ls_dtype (var)) && !state->rounds ? ls_var_new (var->name, ls_dtype (value)) : ls_ref (var);

  if (fresh != var)
    g_hash_table_insert (state->vars, var, ls_ref (fresh));
  return is_stmt ? LS_NODE (ls_let_stmt_new (fresh, value, (LsStmt *) ls_rewrite (rewriter, ((LsLetStmt *) node)->body)))
                 : LS_NODE (ls_let_new (fresh, value, (LsExpr *) ls_rewrite (rewriter, ((LsLet *) node)->body)));
}

static LsNode *
compute_reducer (LsRewriter    *rewriter,
                 State         *state,
                 LsCommReducer *reducer)
{
  LsArray *const sides[] = { reducer->lhs, reducer->rhs };

  for (guint side = 0; side < G_N_ELEMENTS (sides); side++)
    for (guint i = 0; i < sides[side]->n; i++)
      {
        LsVar *var = ls_array_at (sides[side], i, LsVar);

        if (is_narrow (state, ls_dtype (var)))
          g_hash_table_insert (state->vars, var, ls_var_new (var->name, ls_dtype_with_lanes (state->promoted, ls_dtype (var).lanes)));
      }
  return LS_NODE (ls_comm_reducer_new ((LsArray *) ls_rewrite (rewriter, reducer->lhs), (LsArray *) ls_rewrite (rewriter, reducer->rhs),
                                       (LsArray *) compute_array (rewriter, reducer->result), (LsArray *) compute_array (rewriter, reducer->identity_element)));
}

/* What stands for a variable; buffers in their new type. */
static LsNode *
replaced (State  *state,
          LsNode *node,
          LsDType type)
{
  LsNode *other = g_hash_table_lookup (state->vars, node);

  if (ls_is (node, BUFFER))
    return LS_NODE (buffer_as (state, (LsBuffer *) node, type));
  return ls_node_ref (other != NULL ? other : node);
}

static LsNode *
typed_allocate (LsRewriter *rewriter,
                State      *state,
                LsAllocate *allocate,
                LsDType     type)
{
  LsVar *data = g_hash_table_lookup (state->vars, allocate->buffer_var);

  if (data == NULL)
    return ls_rewrite_default (rewriter, allocate);
  return LS_NODE (ls_allocate_new (ls_ref (data), ls_dtype_with_lanes (type, allocate->dtype.lanes), (LsArray *) ls_rewrite (rewriter, allocate->extents),
                                   (LsExpr *) ls_rewrite (rewriter, allocate->condition), (LsStmt *) ls_rewrite (rewriter, allocate->body),
                                   ls_ref (allocate->annotations)));
}

static LsNode *
compute_node (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  State *state = user_data;
  LsBinary *binary = (LsBinary *) node;
  LsBufferLoad *load = (LsBufferLoad *) node;
  LsKind kind = ls_kind (node);

  if (ls_is_var (node) || ls_is (node, BUFFER))
    return replaced (state, node, ls_dtype_with_lanes (state->promoted, ls_is (node, BUFFER) ? ((LsBuffer *) node)->dtype.lanes : 1));
  if (ls_is (node, FLOAT_IMM) && is_narrow (state, ls_dtype (node)))
    return LS_NODE (ls_float_imm_new (state->promoted, ((LsFloatImm *) node)->value));
  if (ls_is (node, BUFFER_LOAD))
    return LS_NODE (ls_buffer_load_new (buffer_as (state, load->buffer, ls_dtype_with_lanes (state->promoted, load->buffer->dtype.lanes)), (LsArray *) ls_rewrite (rewriter, load->indices),
                                        (LsExpr *) ls_rewrite (rewriter, load->predicate)));
  if (ls_kind_is_binary (kind) && is_narrow (state, ls_dtype (binary->a)))
    return LS_NODE (ls_binary (kind, compute (rewriter, binary->a), compute (rewriter, binary->b)));
  if (ls_is (node, CAST))
    return LS_NODE (ls_cast (is_narrow (state, ls_dtype (node)) ? ls_dtype_with_lanes (state->promoted, ls_dtype (node).lanes) : ls_dtype (node), compute (rewriter, ((LsCast *) node)->value)));
  if (ls_is (node, SELECT) && is_narrow (state, ls_dtype (node)))
    return LS_NODE (ls_select_new ((LsExpr *) ls_rewrite (rewriter, ((LsSelect *) node)->condition), compute (rewriter, ((LsSelect *) node)->true_value),
                                   compute (rewriter, ((LsSelect *) node)->false_value)));
  if (ls_is (node, BROADCAST))
    return LS_NODE (ls_broadcast_new (compute (rewriter, ((LsBroadcast *) node)->value), ls_ref (((LsBroadcast *) node)->lanes)));
  if (ls_is (node, SHUFFLE))
    return LS_NODE (ls_shuffle_new ((LsArray *) compute_array (rewriter, ((LsShuffle *) node)->vectors), ls_ref (((LsShuffle *) node)->indices)));
  if (ls_is (node, CALL))
    return compute_call (rewriter, (LsCall *) node);
  if (ls_is (node, BUFFER_STORE))
    return compute_store (rewriter, state, (LsBufferStore *) node);
  if (ls_is (node, LET_STMT) || ls_is (node, LET))
    return compute_let (rewriter, state, node);
  if (ls_is (node, COMM_REDUCER))
    return compute_reducer (rewriter, state, (LsCommReducer *) node);
  if (ls_is (node, ALLOCATE))
    return typed_allocate (rewriter, state, (LsAllocate *) node, state->promoted);
  return ls_rewrite_default (rewriter, node);
}

static LsNode *
compute_filter (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;

  if (state->rounds && (ls_is_var (node) || ls_is (node, FLOAT_IMM)))
    return ls_node_ref (node);
  result = compute_node (rewriter, node, user_data);
  if (state->rounds && ls_is_expr (node) && is_narrow (state, ls_dtype (node)) && !is_narrow (state, ls_dtype (result)))
    result = LS_NODE (narrow (ls_dtype (node), LS_EXPR (result), ls_is (node, CAST)));
  return result;
}

static LsPrimFunc *
compute_legalize (LsPrimFunc *func,
                  gboolean    is_fp8,
                  LsDType     promoted,
                  gboolean    rounds)
{
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) passed = g_hash_table_new (NULL, NULL);
  State state = { is_fp8, promoted, rounds, vars, buffers, passed };
  g_autoptr (LsNode) body = NULL;
  GHashTableIter iter;
  gpointer var;

  if (!rounds)
    ls_walk (func->body, note_allocations, NULL, &state);
  g_hash_table_iter_init (&iter, passed);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    g_hash_table_remove (vars, var);
  body = ls_rewrite_with (func->body, compute_filter, &state);
  return ls_pass_with_body (func, body);
}

LsPrimFunc *
ls_pass_bf16_compute_legalize (LsPrimFunc  *func,
                               GError     **error)
{
  return is_native (func) ? ls_ref (func) : compute_legalize (func, FALSE, LS_FLOAT32, FALSE);
}

LsPrimFunc *
ls_legalize_bf16 (LsPrimFunc *func)
{
  return is_native (func) ? ls_ref (func) : compute_legalize (func, FALSE, LS_FLOAT32, TRUE);
}

LsPrimFunc *
ls_pass_fp8_compute_legalize (LsPrimFunc  *func,
                              LsMap       *options,
                              GError     **error)
{
  static const LsDType TYPES[] = { { LS_TYPE_FLOAT, 32, 1 }, { LS_TYPE_FLOAT, 16, 1 }, { LS_TYPE_BFLOAT, 16, 1 } };
  const char *name = ls_pass_word (options, "promote_dtype_str", "float32");

  for (guint i = 0; i < G_N_ELEMENTS (TYPES); i++)
    if (strcmp (name, ls_dtype_name (TYPES[i])) == 0)
      return compute_legalize (func, TRUE, TYPES[i], FALSE);
  g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("Floats of 8 bits are computed in float32, float16 or bfloat16, not in %s."), name);
  return NULL;
}

/* ---- BF16StorageLegalize --------------------------------------------------------------------- */

/* A pointer to bfloat16 as one to uint16; the same pointer where it is none. (transfer full) */
static LsVar *
stored_var (State *state,
            LsVar *var)
{
  LsPointerType *type = (LsPointerType *) var->type_annotation;
  LsPrimType *element = ls_is (type, POINTER_TYPE) ? (LsPrimType *) type->element_type : NULL;
  LsVar *known = g_hash_table_lookup (state->vars, var);

  if (known != NULL)
    return ls_ref (known);
  if (is_narrow (state, ls_dtype (var)))
    known = ls_var_new (var->name, stored (ls_dtype (var)));
  else if (ls_is (element, PRIM_TYPE) && is_narrow (state, element->dtype))
    known = ls_pointer_var_new (var->name, stored (element->dtype), type->storage_scope);
  else
    return ls_ref (var);
  g_hash_table_insert (state->vars, var, known);
  return ls_ref (known);
}

static LsBuffer *
stored_buffer (State    *state,
               LsBuffer *buffer)
{
  g_autoptr (LsVar) data = stored_var (state, buffer->data);
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);

  if (known != NULL)
    return ls_ref (known);
  if (data == buffer->data && !is_narrow (state, buffer->dtype))
    return ls_ref (buffer);
  known = ls_buffer_with (buffer, data, is_narrow (state, buffer->dtype) ? stored (buffer->dtype) : buffer->dtype, NULL);
  g_hash_table_insert (state->buffers, buffer, known);
  return ls_ref (known);
}

/* A constant as it is stored. */
static guint16
bits_of (LsDType type,
         double  value)
{
  union { float number; guint32 bits; } pun = { .number = (float) value };

  if (type.bits == 8)
    return type.code == LS_TYPE_E4M3 ? ls_e4m3_from_double (value) : ls_e5m2_from_double (value);
  return (guint16) ((pun.bits + ((pun.bits >> 16) & 1) + 0x7fff) >> 16);
}

static LsNode *
storage_filter (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  State *state = user_data;
  LsBufferLoad *load = (LsBufferLoad *) node;
  LsAllocate *allocate = (LsAllocate *) node;
  g_autoptr (LsNode) result = NULL;

  if (ls_is_var (node))
    return LS_NODE (stored_var (state, (LsVar *) node));
  if (ls_is (node, BUFFER))
    return LS_NODE (stored_buffer (state, (LsBuffer *) node));
  if (ls_is (node, FLOAT_IMM) && is_narrow (state, ls_dtype (node)))
    return LS_NODE (ls_int_imm_new (stored (ls_dtype (node)), bits_of (ls_dtype (node), ((LsFloatImm *) node)->value)));
  if (ls_is (node, BUFFER_LOAD))
    return LS_NODE (ls_buffer_load_new (stored_buffer (state, load->buffer), (LsArray *) ls_rewrite (rewriter, load->indices),
                                        (LsExpr *) ls_rewrite (rewriter, load->predicate)));
  if (ls_is (node, ALLOCATE) && is_narrow (state, allocate->dtype))
    return LS_NODE (ls_allocate_new (stored_var (state, allocate->buffer_var), stored (allocate->dtype), (LsArray *) ls_rewrite (rewriter, allocate->extents),
                                     (LsExpr *) ls_rewrite (rewriter, allocate->condition), (LsStmt *) ls_rewrite (rewriter, allocate->body),
                                     ls_ref (allocate->annotations)));
  if (ls_is_call (node, "tir.reinterpret"))
    {
      LsDType type = ls_dtype (node);

      return LS_NODE (reinterpret (is_narrow (state, type) ? stored (type) : type, (LsExpr *) ls_rewrite (rewriter, ((LsCall *) node)->args->items[0])));
    }
  if (ls_is (node, BROADCAST))
    return LS_NODE (ls_broadcast_new ((LsExpr *) ls_rewrite (rewriter, ((LsBroadcast *) node)->value), ls_ref (((LsBroadcast *) node)->lanes)));
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (result, CALL) && is_narrow (state, ls_dtype (result)))
    return LS_NODE (ls_call_new (stored (ls_dtype (result)), ls_node_ref (((LsCall *) result)->op), ls_ref (((LsCall *) result)->args)));
  return g_steal_pointer (&result);
}

static LsPrimFunc *
storage_legalize (LsPrimFunc *func,
                  gboolean    is_fp8)
{
  g_autoptr (GHashTable) vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  State state = { is_fp8, LS_FLOAT32, FALSE, vars, buffers, NULL };
  LsRewriter rewriter = { storage_filter, &state, NULL, NULL };
  g_autoptr (LsNode) params = NULL;
  g_autoptr (LsNode) mapped = NULL;
  g_autoptr (LsNode) body = NULL;

  params = ls_rewrite (&rewriter, func->params);
  mapped = ls_rewrite (&rewriter, func->buffers);
  body = ls_rewrite (&rewriter, func->body);
  if (params == LS_NODE (func->params) && mapped == LS_NODE (func->buffers))
    return ls_pass_with_body (func, body);
  return ls_prim_func_new ((LsArray *) g_steal_pointer (&params), g_steal_pointer (&body), ls_ref (func->ret_type), (LsArray *) g_steal_pointer (&mapped),
                           ls_ref (func->attrs));
}

LsPrimFunc *
ls_pass_bf16_storage_legalize (LsPrimFunc  *func,
                               GError     **error)
{
  return is_native (func) ? ls_ref (func) : storage_legalize (func, FALSE);
}

LsPrimFunc *
ls_pass_fp8_storage_legalize (LsPrimFunc  *func,
                              GError     **error)
{
  return storage_legalize (func, TRUE);
}

static LsWalk
find_fp8 (LsNode   *node,
          gpointer  data)
{
  LsDType type = ls_is_expr (node) ? ls_dtype (node) : ls_is (node, BUFFER) ? ((LsBuffer *) node)->dtype : LS_FLOAT32;

  *(gboolean *) data = *(gboolean *) data || type.code == LS_TYPE_E4M3 || type.code == LS_TYPE_E5M2;
  return *(gboolean *) data ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsPrimFunc *
ls_legalize_fp8 (LsPrimFunc *func)
{
  g_autoptr (LsPrimFunc) computed = NULL;
  gboolean any = FALSE;

  ls_walk (func, find_fp8, NULL, &any);
  if (!any)
    return ls_ref (func);
  computed = compute_legalize (func, TRUE, LS_FLOAT32, TRUE);
  return storage_legalize (computed, TRUE);
}
