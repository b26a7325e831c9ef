/* tir-intrin: calls of intrinsics, T.exp to T.ptx_mma.
 *
 * One row per name: the intrinsic, the number of arguments and the rule by which the type of the result is found: that
 * of an argument, a fixed one, or one that the call names first or last.
 */
#include "engine/script/script-private.h"

#include "engine/base/plural.h"

typedef enum {
  RULE_ARG0,                    /* type of argument 0 */
  RULE_ARG1,
  RULE_FIRST,                   /* argument 0 (or dtype=) names the type */
  RULE_LAST,                    /* the last argument names the type */
  RULE_INT32, RULE_UINT32, RULE_UINT64, RULE_HANDLE, RULE_BOOL, RULE_VOID
} Rule;

/* ---- arguments ------------------------------------------------------------------------------ */

static LsExpr *
call_make_shape (LsArray *shape)
{
  return ls_call_op ("tir.tvm_stack_make_shape", LS_HANDLE, ls_ref (shape));
}

/* A buffer as an argument of a packed call: its description on the stack. */
static LsExpr *
pack_buffer (LsParse  *p,
             LsBuffer *buffer,
             LsSpan    span)
{
  LsExpr *strides = ls_array_n (buffer->strides) > 0 ? call_make_shape (buffer->strides) : ls_int (0);
  LsExpr *zero = ls_dtype_is_float (buffer->dtype) ? ls_const_float (buffer->dtype, 0.0) : ls_const_int (buffer->dtype, 0);

  return ls_parse_keep (p, ls_call_op ("tir.tvm_stack_make_array", LS_HANDLE,
                                       ls_array_of (ls_ref (buffer->data), call_make_shape (buffer->shape), strides,
                                                    ls_int (ls_buffer_ndim (buffer)), zero, ls_ref (buffer->elem_offset), NULL)), span);
}

static LsExpr *
argument (LsParse *p,
          LsValue *v,
          LsSpan   span,
          gboolean pack)
{
  if (v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER) && pack)
    return pack_buffer (p, (LsBuffer *) v->node, span);
  if (v->kind == LS_VALUE_NONE)
    return ls_parse_keep (p, ls_int (0), span);
  return ls_value_to_expr (p, v, span);
}

static LsArray *
arguments (LsParse *p,
           LsArgs  *args,
           guint    from,
           guint    to,
           gboolean pack)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = from; i < to; i++)
    {
      LsExpr *e = argument (p, args->rest[i], args->rest_spans[i], pack);

      if (e == NULL)
        return NULL;
      g_ptr_array_add (out, ls_ref (e));
    }
  return ls_parse_keep (p, ls_array_take_ptr_array (g_steal_pointer (&out)), args->call);
}

static gboolean
check_count (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args,
             guint          n)
{
  LsOp *op = ls_op_get (entry->detail);

  if (op != NULL && op->n_args >= 0 && n != (guint) op->n_args)
    {
      ls_parse_error (p, args->call, "script/arity",
                      ls_translate_plural ("%s takes %d argument; it got %u.", "%s takes %d arguments; it got %u.", (gulong) op->n_args),
                      args->name, op->n_args, n);
      return FALSE;
    }
  return TRUE;
}

/* ---- by the table ----------------------------------------------------------------------------- */

static gboolean
result_type (LsParse       *p,
             const LsEntry *entry,
             LsArgs        *args,
             guint         *from,
             guint         *to,
             LsDType       *type)
{
  LsValue *named = NULL;
  LsSpan span = args->call;

  switch ((Rule) entry->rule)
    {
    case RULE_FIRST:
    case RULE_LAST:
      if (args->slot[0] != NULL)
        {
          named = args->slot[0];
          span = args->span[0];
        }
      else if (*to > *from)
        {
          guint i = entry->rule == RULE_FIRST ? (*from)++ : --(*to);

          named = args->rest[i];
          span = args->rest_spans[i];
        }
      else
        {
          ls_parse_error (p, args->call, "script/arity", "%s lacks the type of its result.", args->name);
          return FALSE;
        }
      return ls_value_to_dtype (p, named, span, type);
    case RULE_INT32: *type = LS_INT32; break;
    case RULE_UINT32: *type = LS_DTYPE (LS_TYPE_UINT, 32); break;
    case RULE_UINT64: *type = LS_DTYPE (LS_TYPE_UINT, 64); break;
    case RULE_HANDLE: *type = LS_HANDLE; break;
    case RULE_BOOL: *type = LS_BOOL; break;
    case RULE_VOID: *type = LS_VOID; break;
    case RULE_ARG0:
    case RULE_ARG1:
      *type = LS_VOID;
      break;
    }
  return TRUE;
}

static LsValue *
handle_intrin (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  guint from = 0, to = args->n_rest;
  gboolean pack = strstr (entry->detail, "packed") != NULL || strstr (entry->detail, "invariant") != NULL;
  LsDType type;
  LsArray *list;

  if (!result_type (p, entry, args, &from, &to, &type) || !check_count (p, entry, args, to - from) ||
      (list = arguments (p, args, from, to, pack)) == NULL)
    return NULL;
  if (entry->rule == RULE_ARG0 || entry->rule == RULE_ARG1)
    {
      guint i = entry->rule == RULE_ARG1;

      if (ls_array_n (list) <= i)
        {
          ls_parse_error (p, args->call, "script/arity", "%s lacks an argument.", args->name);
          return NULL;
        }
      type = ls_dtype (list->items[i]);
    }
  return ls_value_node (p, ls_parse_keep (p, ls_call_op (entry->detail, type, ls_ref (list)), args->call));
}

/* ---- with rules of their own --------------------------------------------------------------------- */

static LsValue *
handle_address_of (LsParse       *p,
                   const LsEntry *entry,
                   LsArgs        *args)
{
  LsValue *v = args->slot[0];
  LsExpr *e;

  if (v->kind == LS_VALUE_NODE && ls_is (v->node, BUFFER))
    {
      LsBuffer *buffer = (LsBuffer *) v->node;
      g_autoptr (GPtrArray) zeros = g_ptr_array_new ();

      for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
        g_ptr_array_add (zeros, ls_const_int (ls_dtype (buffer->shape->items[i]), 0));
      e = ls_parse_keep (p, ls_buffer_load_new (ls_ref (buffer), ls_array_new (zeros->pdata, zeros->len), NULL), args->call);
    }
  else if ((e = ls_value_to_expr (p, v, args->span[0])) == NULL)
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_call_op ("tir.address_of", LS_HANDLE, ls_array_of (ls_ref (e), NULL)), args->call));
}

static LsValue *
handle_ret (LsParse       *p,
            const LsEntry *entry,
            LsArgs        *args)
{
  LsExpr *e = ls_value_to_expr (p, args->slot[0], args->span[0]);

  if (e == NULL)
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_call_op ("tir.ret", ls_dtype (e), ls_array_of (ls_ref (e), NULL)), args->call));
}

static LsValue *
handle_type_annotation (LsParse       *p,
                        const LsEntry *entry,
                        LsArgs        *args)
{
  LsDType t;

  if (!ls_value_to_dtype (p, args->slot[0], args->span[0], &t))
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_call_op ("tir.type_annotation", t, ls_array_empty ()), args->call));
}

/* T.call_intrin ("float32", "tir.exp", x) */
static LsValue *
handle_call_intrin (LsParse       *p,
                    const LsEntry *entry,
                    LsArgs        *args)
{
  const char *name;
  guint from = args->slot[0] != NULL ? 1 : 2;
  LsValue *type_value = args->slot[0] != NULL ? args->slot[0] : args->n_rest > 0 ? args->rest[0] : NULL;
  LsDType type;
  LsArray *list;
  LsOp *op;

  if (args->n_rest < from || type_value == NULL)
    {
      ls_parse_error (p, args->call, "script/arity", "T.call_intrin takes a type, the name of an intrinsic and its arguments.");
      return NULL;
    }
  if (!ls_value_to_dtype (p, type_value, args->call, &type) ||
      (name = ls_value_to_string (p, args->rest[from - 1], args->rest_spans[from - 1], "The name of an intrinsic")) == NULL)
    return NULL;
  if ((op = ls_op_get (name)) == NULL)
    {
      ls_parse_error (p, args->rest_spans[from - 1], "script/unknown-name", "There is no intrinsic \"%.60s\".", name);
      return NULL;
    }
  if ((list = arguments (p, args, from, args->n_rest, FALSE)) == NULL)
    return NULL;
  return ls_value_node (p, ls_parse_keep (p, ls_call_new (type, ls_ref (op), ls_ref (list)), args->call));
}

static LsValue *
handle_reinterpret (LsParse       *p,
                    const LsEntry *entry,
                    LsArgs        *args)
{
  LsDType type;
  LsExpr *e;

  if (!ls_value_to_dtype (p, args->slot[0], args->span[0], &type) || (e = ls_value_to_expr (p, args->slot[1], args->span[1])) == NULL)
    return NULL;
  if (ls_dtype_equal (type, ls_dtype (e)))
    return ls_value_node (p, e);
  if ((guint) type.bits * type.lanes != (guint) ls_dtype (e).bits * ls_dtype (e).lanes)
    {
      ls_parse_error (p, args->call, "script/type", "T.reinterpret keeps the number of bits; %s has %u, %s has %u.", ls_dtype_name (ls_dtype (e)),
                      (guint) ls_dtype (e).bits * ls_dtype (e).lanes, ls_dtype_name (type), (guint) type.bits * type.lanes);
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_call_op ("tir.reinterpret", type, ls_array_of (ls_ref (e), NULL)), args->call));
}

static LsValue *
handle_if_then_else (LsParse       *p,
                     const LsEntry *entry,
                     LsArgs        *args)
{
  LsExpr *e[3];

  for (guint i = 0; i < 3; i++)
    if ((e[i] = ls_value_to_expr (p, args->slot[i], args->span[i])) == NULL)
      return NULL;
  if (!ls_dtype_is_bool (ls_dtype (e[0])))
    {
      ls_parse_error (p, args->span[0], "script/type", "T.if_then_else asks a condition first; this has the type %s.", ls_dtype_name (ls_dtype (e[0])));
      return NULL;
    }
  ls_ref (e[1]);
  ls_ref (e[2]);
  if (!ls_match_types (&e[1], &e[2]))
    {
      ls_parse_error (p, args->call, "script/type", "The two values have the types %s and %s, which do not go together.",
                      ls_dtype_name (ls_dtype (e[1])), ls_dtype_name (ls_dtype (e[2])));
      ls_unref (e[1]);
      ls_unref (e[2]);
      return NULL;
    }
  return ls_value_node (p, ls_parse_keep (p, ls_if_then_else (ls_ref (e[0]), e[1], e[2]), args->call));
}

/* The name itself: what number it has is LLVM's affair. */
static LsValue *
handle_lookup (LsParse       *p,
               const LsEntry *entry,
               LsArgs        *args)
{
  LsExpr *name = ls_value_to_expr (p, args->slot[0], args->span[0]);

  if (name != NULL && !ls_is (name, STRING_IMM))
    {
      ls_parse_error (p, args->span[0], "script/type", "T.llvm_lookup_intrinsic_id takes a name, as \"llvm.fabs\".");
      return NULL;
    }
  return name != NULL ? ls_value_node (p, LS_NODE (name)) : NULL;
}

#define I(name, op, rule) { name, "*args | dtype?", handle_intrin, op, rule }
#define D(name, op, rule) { name, "*args | dtype?", handle_intrin, op, rule }

static const LsEntry ROWS[] = {
  /* mathematics that is a call whatever the argument */
  I ("acos", "tir.acos", RULE_ARG0), I ("acosh", "tir.acosh", RULE_ARG0), I ("asin", "tir.asin", RULE_ARG0),
  I ("asinh", "tir.asinh", RULE_ARG0), I ("atan", "tir.atan", RULE_ARG0), I ("atan2", "tir.atan2", RULE_ARG0),
  I ("atanh", "tir.atanh", RULE_ARG0), I ("clz", "tir.clz", RULE_INT32), I ("copysign", "tir.copysign", RULE_ARG0),
  I ("cos", "tir.cos", RULE_ARG0), I ("cosh", "tir.cosh", RULE_ARG0), I ("erf", "tir.erf", RULE_ARG0),
  I ("exp", "tir.exp", RULE_ARG0), I ("exp2", "tir.exp2", RULE_ARG0), I ("exp10", "tir.exp10", RULE_ARG0),
  I ("hypot", "tir.hypot", RULE_ARG0), I ("ldexp", "tir.ldexp", RULE_ARG0), I ("log", "tir.log", RULE_ARG0),
  I ("log1p", "tir.log1p", RULE_ARG0), I ("log2", "tir.log2", RULE_ARG0), I ("log10", "tir.log10", RULE_ARG0),
  I ("nextafter", "tir.nextafter", RULE_ARG0), I ("popcount", "tir.popcount", RULE_ARG0), I ("rsqrt", "tir.rsqrt", RULE_ARG0),
  I ("sigmoid", "tir.sigmoid", RULE_ARG0), I ("sin", "tir.sin", RULE_ARG0), I ("sinh", "tir.sinh", RULE_ARG0),
  I ("sqrt", "tir.sqrt", RULE_ARG0), I ("tan", "tir.tan", RULE_ARG0), I ("tanh", "tir.tanh", RULE_ARG0),
  I ("bitwise_not", "tir.bitwise_not", RULE_ARG0), I ("likely", "tir.likely", RULE_ARG0), I ("fmod", "tir.fmod", RULE_ARG0),
  I ("q_multiply_shift", "tir.q_multiply_shift", RULE_INT32),
  I ("q_multiply_shift_per_axis", "tir.q_multiply_shift_per_axis", RULE_INT32),
  I ("isnullptr", "tir.isnullptr", RULE_BOOL), I ("large_uint_imm", "tir.large_uint_imm", RULE_UINT64),
  { "if_then_else", "cond t f | dtype?", handle_if_then_else, NULL, 0 },
  { "reinterpret", "dtype value", handle_reinterpret, NULL, 0 },
  { "address_of", "buffer_load | dtype?", handle_address_of, NULL, 0 },
  { "ret", "val dtype?", handle_ret, NULL, 0 },
  { "type_annotation", "dtype", handle_type_annotation, NULL, 0 },
  { "call_intrin", "*args | dtype?", handle_call_intrin, NULL, 0 },
  /* calls of other code */
  I ("call_packed", "tir.tvm_call_packed", RULE_INT32), I ("tvm_call_packed", "tir.tvm_call_packed", RULE_INT32),
  I ("call_cpacked", "tir.tvm_call_cpacked", RULE_INT32), I ("tvm_call_cpacked", "tir.tvm_call_cpacked", RULE_INT32),
  I ("call_packed_lowered", "tir.tvm_call_packed_lowered", RULE_INT32),
  I ("tvm_call_packed_lowered", "tir.tvm_call_packed_lowered", RULE_INT32),
  I ("call_cpacked_lowered", "tir.tvm_call_cpacked_lowered", RULE_INT32),
  I ("tvm_call_cpacked_lowered", "tir.tvm_call_cpacked_lowered", RULE_INT32),
  D ("call_extern", "tir.call_extern", RULE_FIRST), D ("call_pure_extern", "tir.call_pure_extern", RULE_FIRST),
  D ("call_llvm_intrin", "tir.call_llvm_intrin", RULE_FIRST), D ("call_llvm_pure_intrin", "tir.call_llvm_pure_intrin", RULE_FIRST),
  { "llvm_lookup_intrinsic_id", "name", handle_lookup, NULL, 0 },
  I ("tvm_check_return", "tir.tvm_check_return", RULE_INT32),
  /* memory and structures */
  I ("tvm_access_ptr", "tir.tvm_access_ptr", RULE_HANDLE), I ("tvm_stack_alloca", "tir.tvm_stack_alloca", RULE_HANDLE),
  I ("tvm_stack_make_shape", "tir.tvm_stack_make_shape", RULE_HANDLE), I ("tvm_stack_make_array", "tir.tvm_stack_make_array", RULE_HANDLE),
  I ("tvm_tuple", "tir.tvm_tuple", RULE_HANDLE), D ("tvm_struct_get", "tir.tvm_struct_get", RULE_LAST),
  I ("tvm_struct_set", "tir.tvm_struct_set", RULE_INT32), I ("handle_add_byte_offset", "tir.handle_add_byte_offset", RULE_HANDLE),
  I ("lookup_param", "tir.lookup_param", RULE_HANDLE), I ("tvm_throw_last_error", "tir.tvm_throw_last_error", RULE_HANDLE),
  I ("TVMBackendAllocWorkspace", "tir.TVMBackendAllocWorkspace", RULE_HANDLE),
  I ("TVMBackendFreeWorkspace", "tir.TVMBackendFreeWorkspace", RULE_INT32),
  I ("anylist_getitem", "tir.anylist_getitem", RULE_HANDLE), I ("anylist_resetitem", "tir.anylist_resetitem", RULE_INT32),
  I ("anylist_setitem_call_packed", "tir.anylist_setitem_call_packed", RULE_INT32),
  I ("anylist_setitem_call_cpacked", "tir.anylist_setitem_call_cpacked", RULE_INT32),
  I ("dma_copy", "tir.dma_copy", RULE_INT32), I ("dma_wait", "tir.dma_wait", RULE_INT32),
  I ("dma_start_group", "tir.dma_start_group", RULE_INT32), I ("dma_end_group", "tir.dma_end_group", RULE_INT32),
  I ("assume", "tir.assume", RULE_BOOL), I ("undef", "tir.undef", RULE_INT32),
  I ("start_profile_intrinsic", "tir.start_profile_intrinsic", RULE_HANDLE), I ("end_profile_intrinsic", "tir.end_profile_intrinsic", RULE_HANDLE),
  I ("ignore_loop_partition", "tir.ignore_loop_partition", RULE_ARG0), I ("vscale", "tir.vscale", RULE_INT32),
  D ("get_active_lane_mask", "tir.get_active_lane_mask", RULE_FIRST),
  /* threads */
  I ("tvm_thread_invariant", "tir.tvm_thread_invariant", RULE_ARG0), I ("tvm_thread_allreduce", "tir.tvm_thread_allreduce", RULE_HANDLE),
  I ("tvm_storage_sync", "tir.tvm_storage_sync", RULE_INT32), I ("tvm_warp_shuffle", "tir.tvm_warp_shuffle", RULE_ARG1),
  I ("tvm_warp_shuffle_up", "tir.tvm_warp_shuffle_up", RULE_ARG1), I ("tvm_warp_shuffle_down", "tir.tvm_warp_shuffle_down", RULE_ARG1),
  I ("tvm_warp_activemask", "tir.tvm_warp_activemask", RULE_UINT32), I ("tvm_global_barrier_kinit", "tir.tvm_global_barrier_kinit", RULE_INT32),
  I ("tvm_load_matrix_sync", "tir.tvm_load_matrix_sync", RULE_HANDLE), I ("tvm_mma_sync", "tir.tvm_mma_sync", RULE_HANDLE),
  I ("tvm_bmma_sync", "tir.tvm_bmma_sync", RULE_HANDLE), I ("tvm_fill_fragment", "tir.tvm_fill_fragment", RULE_HANDLE),
  I ("tvm_store_matrix_sync", "tir.tvm_store_matrix_sync", RULE_HANDLE),
  D ("ptx_mma", "tir.ptx_mma", RULE_FIRST), D ("ptx_mma_sp", "tir.ptx_mma_sp", RULE_FIRST), D ("ptx_ldmatrix", "tir.ptx_ldmatrix", RULE_FIRST),
  D ("ptx_cp_async", "tir.ptx_cp_async", RULE_FIRST), D ("ptx_cp_async_bulk", "tir.ptx_cp_async_bulk", RULE_FIRST),
  D ("ptx_ldg32", "tir.ptx_ldg32", RULE_FIRST),
  I ("ptx_commit_group", "tir.ptx_commit_group", RULE_VOID), I ("ptx_wait_group", "tir.ptx_wait_group", RULE_VOID),
  I ("ptx_cp_async_barrier", "tir.ptx_cp_async_barrier", RULE_VOID),
  I ("ptx_init_barrier_thread_count", "tir.ptx_init_barrier_thread_count", RULE_VOID),
  I ("ptx_arrive_barrier", "tir.ptx_arrive_barrier", RULE_VOID), I ("ptx_arrive_barrier_expect_tx", "tir.ptx_arrive_barrier_expect_tx", RULE_VOID),
  I ("ptx_wait_barrier", "tir.ptx_wait_barrier", RULE_VOID), I ("create_barriers", "tir.create_barriers", RULE_VOID),
  D ("mma_store", "tir.mma_store", RULE_FIRST), D ("mma_fill", "tir.mma_fill", RULE_FIRST),
  I ("simdgroup_load", "tir.simdgroup_load", RULE_HANDLE), I ("simdgroup_store", "tir.simdgroup_store", RULE_HANDLE),
  I ("simdgroup_multiply_accumulate", "tir.simdgroup_multiply_accumulate", RULE_HANDLE),
  I ("make_filled_simdgroup_matrix", "tir.make_filled_simdgroup_matrix", RULE_HANDLE),
  /* vectors */
  D ("vectorlow", "tir.vectorlow", RULE_FIRST), D ("vectorhigh", "tir.vectorhigh", RULE_FIRST),
  D ("vectorcombine", "tir.vectorcombine", RULE_FIRST), I ("dp4a", "tir.dp4a", RULE_INT32),
};

const LsEntryTable ls_intrin_entries = { ROWS, G_N_ELEMENTS (ROWS) };
