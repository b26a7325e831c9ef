/* LowerTVMBuiltin: packed calls and memory of devices written as what the runtime offers.
 *
 *     T.call_packed ("f", A, n)      stack_tcode = T.tvm_stack_alloca ("arg_tcode", 3); stack_value = ...
 *                               ->   T.tvm_struct_set (stack_value, 0, 12, A); stack_tcode[0] = 3; ...
 *                                    T.tvm_call_packed_lowered ("f", stack_value, stack_tcode, 0, 2)
 *     B = T.allocate ([16])     ->   B = T.TVMBackendAllocWorkspace (2, 0, 64, 2, 32); ...; T.TVMBackendFreeWorkspace (2, 0, B)
 *
 * Arguments, arrays and shapes lie on stacks that are as large as the largest statement needs; a parallel loop has stacks of its own.  Allocations
 * of a constant size below 1024 bytes stay on the processor.  Only functions for a host are changed.  The device comes from T.attr
 * (device_type, device_id) or the target.  Source of the concept: TVM's pass of the same name; tracing calls are refused. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

#define MAX_STACK_BYTES 1024
#define ALIGNMENT 64
enum { CODE_TENSOR = 7, CODE_TEXT = 11 };

typedef struct {
  gint64 shape, array, args;
} Sizes;

/* The stacks of a body. */
typedef struct {
  Sizes     now;                /* in use at the place */
  Sizes     most;
  LsBuffer *shapes;             /* int64; owned */
  LsBuffer *codes;              /* int32; owned */
  LsVar    *arrays, *values;    /* owned */
} Stacks;

typedef struct {
  Stacks    *stacks;
  GPtrArray *before;            /* of LsStmt: what stands before the statement; owned by it */
  LsExpr    *device_type;       /* borrowed, or NULL */
  LsExpr    *device_id;
  GError    *error;
} State;

static LsNode *filter (LsRewriter *rewriter, LsNode *node, gpointer user_data);

static void
refuse (State      *state,
        const char *what)
{
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, "%s", ls_translate (what));
}

/* ---- stacks ---------------------------------------------------------------------------- */

static void
stacks_init (Stacks *self,
             Sizes   most)
{
  self->now = (Sizes) { 0, 0, 0 };
  self->most = most;
  self->shapes = ls_buffer_new ("stack_shape", LS_INT64, ls_array_of (ls_int_imm_new (LS_INT64, most.shape), NULL), NULL);
  self->codes = ls_buffer_new ("stack_tcode", LS_INT32, ls_array_of (ls_int_imm_new (LS_DTYPE (LS_TYPE_UINT, 64), most.args), NULL), NULL);
  self->arrays = ls_var_new ("stack_array", LS_HANDLE);
  self->values = ls_var_new ("stack_value", LS_HANDLE);
}

static void
stacks_clear (Stacks *self)
{
  ls_unref (self->shapes);
  ls_unref (self->codes);
  ls_unref (self->arrays);
  ls_unref (self->values);
}

static void
note_most (Stacks *self)
{
  self->most.shape = MAX (self->most.shape, self->now.shape);
  self->most.array = MAX (self->most.array, self->now.array);
  self->most.args = MAX (self->most.args, self->now.args);
}

static LsStmt *
with_stack (LsVar      *var,
            const char *kind,
            gint64      size,
            LsStmt     *body)
{
  LsExpr *memory = ls_call_op ("tir.tvm_stack_alloca", LS_HANDLE, ls_array_of (ls_string_imm_new (kind), ls_int (size), NULL));

  return ls_let_stmt_new (ls_ref (var), memory, body);
}

/* A body with stacks of its own: visited once for their sizes, once with them. */
static LsStmt *
with_stacks (LsRewriter *rewriter,
             State      *state,
             LsStmt     *body)
{
  Stacks *around = state->stacks;
  Stacks first = { 0 }, stacks = { 0 };
  g_autoptr (LsNode) probe = NULL;
  LsStmt *result;

  stacks_init (&first, (Sizes) { -1, 0, 0 });
  state->stacks = &first;
  probe = ls_rewrite (rewriter, body);
  stacks_init (&stacks, first.most);
  state->stacks = &stacks;
  result = (LsStmt *) ls_rewrite (rewriter, body);
  state->stacks = around;
  if (first.most.shape >= 0)
    result = with_stack (stacks.shapes->data, "shape", first.most.shape, ls_decl_buffer_new (ls_ref (stacks.shapes), result));
  if (first.most.array > 0)
    result = with_stack (stacks.arrays, "array", first.most.array, result);
  if (first.most.args > 0)
    {
      result = with_stack (stacks.values, "arg_value", first.most.args, result);
      result = with_stack (stacks.codes->data, "arg_tcode", first.most.args, ls_decl_buffer_new (ls_ref (stacks.codes), result));
    }
  stacks_clear (&first);
  stacks_clear (&stacks);
  return result;
}

/* ---- calls --------------------------------------------------------------------------------- */

static void
set_field (State  *state,
           LsVar  *memory,
           gint64  index,
           gint64  which,
           LsExpr *value)
{
  g_ptr_array_add (state->before, ls_evaluate_new (ls_call_op ("tir.tvm_struct_set", LS_INT32,
                                                               ls_array_of (ls_ref (memory), ls_int (index), ls_int (which), value, NULL))));
}

static LsArray *
lowered_args (LsRewriter *rewriter,
              LsCall     *call)
{
  return (LsArray *) ls_rewrite_default (rewriter, call->args);
}

static LsExpr *
make_shape (LsRewriter *rewriter,
            State      *state,
            LsCall     *call)
{
  Stacks *stacks = state->stacks;
  gint64 begin = stacks->now.shape;
  g_autoptr (LsArray) args = NULL;
  LsBuffer *view;

  stacks->now.shape += call->args->n;
  stacks->most.shape = MAX (stacks->most.shape, 0);
  args = lowered_args (rewriter, call);
  for (guint i = 0; i < args->n; i++)
    g_ptr_array_add (state->before, ls_buffer_store_new (ls_ref (stacks->shapes), ls_cast (LS_INT64, ls_ref (ls_array_at (args, i, LsExpr))),
                                                         ls_array_of (ls_int (begin + i), NULL), NULL));
  note_most (stacks);
  view = ls_buffer_new_full (ls_ref (stacks->shapes->data), LS_INT64, ls_array_of (ls_int (begin + 1), NULL), NULL, NULL, stacks->shapes->name, 64, 1,
                             LS_BUFFER_DEFAULT, NULL);
  return ls_call_op ("tir.address_of", LS_HANDLE, ls_array_of (ls_buffer_load_new (view, ls_array_of (ls_int (begin), NULL), NULL), NULL));
}

static gboolean
has_device (State *state)
{
  if (state->device_type == NULL || state->device_id == NULL)
    refuse (state, state->device_type == NULL ? LS_TEXT ("The type of the device is not known: the function has a target or stands under T.attr (device_type).")
                                              : LS_TEXT ("The number of the device is not known: memory of it stands under T.attr (device_id)."));
  return state->device_type != NULL && state->device_id != NULL;
}

static LsExpr *
make_array (LsRewriter *rewriter,
            State      *state,
            LsCall     *call)
{
  Stacks *stacks = state->stacks;
  gint64 index = stacks->now.array++;
  g_autoptr (LsArray) args = lowered_args (rewriter, call);
  LsDType type, u8 = LS_DTYPE (LS_TYPE_UINT, 8);
  LsExpr *offset, *strides;

  note_most (stacks);
  if (args->n < 6 || !has_device (state))
    return ls_ref (LS_EXPR (call));
  type = ls_dtype (args->items[4]);
  strides = ls_array_at (args, 2, LsExpr);
  offset = ls_ref (ls_array_at (args, 5, LsExpr));
  set_field (state, stacks->arrays, index, LS_FIELD_DATA, ls_ref (ls_array_at (args, 0, LsExpr)));
  set_field (state, stacks->arrays, index, LS_FIELD_SHAPE, ls_ref (ls_array_at (args, 1, LsExpr)));
  set_field (state, stacks->arrays, index, LS_FIELD_STRIDES, ls_is_zero (strides) ? ls_null_handle () : ls_ref (strides));
  set_field (state, stacks->arrays, index, LS_FIELD_NDIM, ls_ref (ls_array_at (args, 3, LsExpr)));
  set_field (state, stacks->arrays, index, LS_FIELD_TYPE_CODE, ls_int_imm_new (u8, type.code));
  set_field (state, stacks->arrays, index, LS_FIELD_TYPE_BITS, ls_int_imm_new (u8, type.bits));
  set_field (state, stacks->arrays, index, LS_FIELD_TYPE_LANES, ls_int_imm_new (LS_DTYPE (LS_TYPE_UINT, 16), type.lanes));
  if (!ls_is_zero (offset))
    offset = ls_mul (offset, ls_const_int (ls_dtype (offset), ls_dtype_bytes (type)));
  set_field (state, stacks->arrays, index, LS_FIELD_BYTE_OFFSET, ls_cast (LS_DTYPE (LS_TYPE_UINT, 64), offset));
  set_field (state, stacks->arrays, index, LS_FIELD_DEVICE_ID, ls_cast (LS_INT32, ls_ref (state->device_id)));
  set_field (state, stacks->arrays, index, LS_FIELD_DEVICE_TYPE, ls_cast (LS_INT32, ls_ref (state->device_type)));
  return ls_struct_get (LS_HANDLE, LS_EXPR (ls_ref (stacks->arrays)), index, LS_FIELD_ADDRESS);
}

static gboolean
is_array_handle (LsExpr *arg)
{
  return ls_is_call (arg, "tir.tvm_struct_get") && ls_is_int_value (((LsCall *) arg)->args->items[2], LS_FIELD_ADDRESS);
}

static void
push_argument (State  *state,
               LsExpr *arg,
               gint64  at)
{
  LsDType type = ls_packed_type (ls_dtype (arg));
  gint64 code = is_array_handle (arg) ? CODE_TENSOR : ls_is (arg, STRING_IMM) ? CODE_TEXT : type.code;

  set_field (state, state->stacks->values, at, LS_FIELD_CONTENT,
             ls_dtype_equal (type, ls_dtype (arg)) ? ls_ref (arg) : ls_cast_new (type, ls_ref (arg)));
  g_ptr_array_add (state->before, ls_buffer_store_new (ls_ref (state->stacks->codes), ls_int (code), ls_array_of (ls_int (at), NULL), NULL));
}

/* A packed call; that of a function of C has the resource handle as its last argument. */
static LsExpr *
call_packed (LsRewriter *rewriter,
             State      *state,
             LsCall     *call,
             gboolean    by_name)
{
  Stacks *stacks = state->stacks;
  Sizes before = stacks->now;
  guint n = call->args->n - (by_name ? 0 : 1);
  g_autoptr (LsArray) args = NULL;
  GPtrArray *lowered = g_ptr_array_new ();

  stacks->now.args += n;
  args = lowered_args (rewriter, call);
  for (guint i = 1; i < n; i++)
    push_argument (state, ls_array_at (args, i, LsExpr), before.args + i - 1);
  note_most (stacks);
  stacks->now = before;
  g_ptr_array_add (lowered, ls_node_ref (args->items[0]));
  g_ptr_array_add (lowered, ls_ref (stacks->values));
  g_ptr_array_add (lowered, ls_ref (stacks->codes->data));
  g_ptr_array_add (lowered, ls_int (before.args));
  g_ptr_array_add (lowered, ls_int (before.args + n - 1));
  if (!by_name)
    g_ptr_array_add (lowered, ls_is_var (args->items[n]) ? LS_NODE (ls_string_imm_new (((LsVar *) args->items[n])->name)) : ls_node_ref (args->items[n]));
  return ls_call_op (by_name ? "tir.tvm_call_packed_lowered" : "tir.tvm_call_cpacked_lowered", ls_dtype (call), ls_array_take_ptr_array (lowered));
}

static LsNode *
lower_expr (LsRewriter *rewriter,
            State      *state,
            LsNode     *node)
{
  LsCall *call = (LsCall *) node;

  if (ls_is_call (node, "tir.tvm_call_packed"))
    return LS_NODE (call_packed (rewriter, state, call, TRUE));
  if (ls_is_call (node, "tir.tvm_call_cpacked") && call->args->n > 1)
    return LS_NODE (call_packed (rewriter, state, call, FALSE));
  if (ls_is_call (node, "tir.tvm_stack_make_shape"))
    return LS_NODE (make_shape (rewriter, state, call));
  if (ls_is_call (node, "tir.tvm_stack_make_array"))
    return LS_NODE (make_array (rewriter, state, call));
  if (ls_is_call (node, "tir.tvm_context_id"))
    return LS_NODE (ls_const_int (ls_dtype (node), 0));
  if (ls_is_call (node, "tir.tvm_call_trace_packed"))
    refuse (state, LS_TEXT ("Tracing calls are not offered."));
  return ls_rewrite_default (rewriter, node);
}

/* ---- statements ------------------------------------------------------------------------------ */

static gboolean
stays_on_stack (State      *state,
                LsAllocate *allocate)
{
  gint64 device, size;

  return state->device_type != NULL && ls_as_int (state->device_type, &device) && device == 1 && ls_allocate_constant_size (allocate->extents, &size)
         && size > 0 && size * ls_dtype_bytes (allocate->dtype) < MAX_STACK_BYTES;
}

static LsStmt *
if_wrong (LsExpr *condition)
{
  return ls_if_then_else_new (condition, ls_evaluate_new (ls_call_op ("tir.tvm_throw_last_error", LS_INT32, ls_array_empty ())), NULL);
}

/* That of the extents where the bytes are a number of it. */
static LsDType
bytes_type (LsAllocate *allocate)
{
  LsDType t = ls_dtype (allocate->extents->items[0]);
  gint64 bytes = ls_dtype_bytes (allocate->dtype), extent;

  for (guint i = 0; i < allocate->extents->n; i++)
    if (!ls_as_int (allocate->extents->items[i], &extent) || __builtin_mul_overflow (bytes, extent, &bytes))
      return LS_INT64;
  return bytes > ls_dtype_int_max (t) ? LS_INT64 : t;
}

/* The body of an allocation with its memory taken and given back; declarations of its buffers stay around. */
static LsStmt *
workspace (State      *state,
           LsAllocate *allocate,
           LsStmt     *body)
{
  LsDType t = bytes_type (allocate);
  LsExpr *bytes = ls_const_int (t, ls_dtype_bytes (allocate->dtype)), *take, *give;
  LsExpr *type = ls_cast (LS_INT32, ls_ref (state->device_type)), *id = ls_cast (LS_INT32, ls_ref (state->device_id));
  g_autoptr (GPtrArray) nest = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < allocate->extents->n; i++)
    bytes = ls_mul (bytes, ls_cast (t, ls_ref (ls_array_at (allocate->extents, i, LsExpr))));
  while (ls_is (body, DECL_BUFFER))
    {
      g_ptr_array_add (nest, ls_decl_buffer_new (ls_ref (((LsDeclBuffer *) body)->buffer), ls_evaluate_zero ()));
      ls_take (&body, ls_ref (((LsDeclBuffer *) body)->body));
    }
  give = ls_call_op ("tir.TVMBackendFreeWorkspace", LS_INT32, ls_array_of (ls_ref (type), ls_ref (id), ls_ref (allocate->buffer_var), NULL));
  body = ls_seq (ls_array_of (body, if_wrong (ls_ne (give, ls_int (0))), NULL));
  body = ls_stmt_nest (nest, body);
  body = ls_seq (ls_array_of (if_wrong (ls_call_op ("tir.isnullptr", LS_BOOL, ls_array_of (ls_ref (allocate->buffer_var), NULL))), body, NULL));
  body = ls_attr_stmt_new (ls_ref (allocate->buffer_var), "storage_alignment", ls_int (ALIGNMENT), body);
  take = ls_call_op ("tir.TVMBackendAllocWorkspace", ls_dtype (allocate->buffer_var),
                     ls_array_of (type, id, ls_cast (LS_DTYPE (LS_TYPE_UINT, 64), bytes), ls_int (allocate->dtype.code), ls_int (allocate->dtype.bits), NULL));
  return ls_let_stmt_new (ls_ref (allocate->buffer_var), take, body);
}

static LsStmt *
lower_allocate (LsRewriter *rewriter,
                State      *state,
                LsAllocate *node)
{
  LsStmt *result = ls_rewrite_default (rewriter, node);
  LsAllocate *allocate = (LsAllocate *) result;

  if (stays_on_stack (state, allocate) || !has_device (state))
    return result;
  ls_take (&result, workspace (state, allocate, ls_ref (allocate->body)));
  return result;
}

static LsStmt *
lower_device (LsRewriter *rewriter,
              State      *state,
              LsAttrStmt *attr)
{
  LsExpr **slot = ls_is_attr (attr, "device_id") ? &state->device_id : &state->device_type, *around = *slot;
  LsStmt *result;

  *slot = attr->value;
  result = (LsStmt *) ls_rewrite (rewriter, attr->body);
  *slot = around;
  return result;
}

static LsStmt *
lower_parallel (LsRewriter *rewriter,
                State      *state,
                LsFor      *loop)
{
  LsExpr *min = (LsExpr *) ls_rewrite (rewriter, loop->min), *extent = (LsExpr *) ls_rewrite (rewriter, loop->extent);

  return (LsStmt *) ls_for_new (ls_ref (loop->loop_var), min, extent, loop->kind, with_stacks (rewriter, state, loop->body), ls_ref (loop->thread_binding),
                                ls_ref (loop->annotations));
}

static LsStmt *
lower_stmt (LsRewriter *rewriter,
            State      *state,
            LsNode     *node)
{
  if (ls_is (node, ALLOCATE))
    return lower_allocate (rewriter, state, (LsAllocate *) node);
  if (ls_is_attr (node, "device_id") || ls_is_attr (node, "device_type"))
    return lower_device (rewriter, state, (LsAttrStmt *) node);
  if (ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_PARALLEL)
    return lower_parallel (rewriter, state, (LsFor *) node);
  return ls_rewrite_default (rewriter, node);
}

/* Each statement has what it needs right before it. */
static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  GPtrArray *around = state->before;
  LsStmt *stmt;

  if (!ls_is_stmt (node))
    return ls_is_expr (node) ? lower_expr (rewriter, state, node) : ls_rewrite_default (rewriter, node);
  state->before = g_ptr_array_new ();
  stmt = lower_stmt (rewriter, state, node);
  if (state->before->len > 0)
    {
      g_ptr_array_add (state->before, stmt);
      stmt = ls_seq (ls_array_take_ptr_array (state->before));
    }
  else
    g_ptr_array_unref (state->before);
  state->before = around;
  if (state->stacks != NULL)
    state->stacks->now.shape = state->stacks->now.array = 0;
  return LS_NODE (stmt);
}

static gboolean
is_host (LsPrimFunc *func)
{
  LsNode *said = ls_map_get (func->attrs, "tir.is_host_func"), *target = ls_map_get (func->attrs, "target");
  LsArray *keys = ls_is (target, MAP) ? (LsArray *) ls_map_get ((LsMap *) target, "keys") : NULL;

  if (said != NULL)
    return ls_is_one (said);
  for (guint i = 0; ls_is (keys, ARRAY) && i < keys->n; i++)
    if (ls_is (keys->items[i], STRING) && strcmp (((LsString *) keys->items[i])->value, "cpu") == 0)
      return TRUE;
  return FALSE;
}

LsPrimFunc *
ls_pass_lower_tvm_builtin (LsPrimFunc  *func,
                           GError     **error)
{
  LsNode *target = ls_map_get (func->attrs, "target");
  g_autoptr (LsExpr) device = target != NULL ? ls_int (ls_target_device_type (target)) : NULL;
  State state = { .device_type = device };
  LsRewriter rewriter = { filter, &state, NULL, NULL };
  g_autoptr (LsNode) body = NULL;

  if (!is_host (func))
    return ls_ref (func);
  body = with_stacks (&rewriter, &state, func->body);
  if (state.error == NULL)
    return ls_pass_with_body (func, body);
  g_propagate_error (error, state.error);
  return NULL;
}
