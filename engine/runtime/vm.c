/* vm: the interpreter of Relax executables.
 *
 * One frame for each call: registers (owning), slots of symbolic extents, and the place of every instruction.  Operands
 * marked as last use give their reference up, so that memory is free for the next tensor at once.
 */
#include "engine/runtime/vm-private.h"

#include <string.h>

#define MAX_DEPTH 1000

typedef struct {
  LsPackedFunc       kernel;    /* of the string of this number, or NULL */
  const LsVMBuiltin *builtin;
  double             flop;
  guint              profile;   /* 1 + number of its row */
} Callee;

struct _LsVM {
  LsVMExecutable *executable;
  LsVMPool       *pool;
  Callee         *callees;      /* one for each string */
  guint         **places;       /* of each function: where its instructions begin */
  GArray         *profile;
  gboolean        profiling;
  LsVMInstrument  instrument;
  gpointer        instrument_data;
  LsVMHostCall    host;
  gpointer        host_data;
  LsVMTrace       trace;
  gpointer        trace_data;
  guint           depth;
};

typedef struct {
  LsVM         *vm;
  LsVMFunction *function;
  LsVMValue   **registers;
  gint64       *slots;
  GError      **error;
} Frame;

/* ---- operands ----------------------------------------------------------------- */

static gint64
floor_div (gint64 a,
           gint64 b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static gint64
apply_operator (gint64 op,
                gint64 a,
                gint64 b)
{
  gboolean defined = b != 0 && !(a == G_MININT64 && b == -1);

  switch ((LsVMExprOp) op)
    {
    case LS_VM_X_ADD: return (gint64) ((guint64) a + (guint64) b);
    case LS_VM_X_SUB: return (gint64) ((guint64) a - (guint64) b);
    case LS_VM_X_MUL: return (gint64) ((guint64) a * (guint64) b);
    case LS_VM_X_FLOORDIV: return defined ? floor_div (a, b) : 0;
    case LS_VM_X_FLOORMOD: return defined ? a - floor_div (a, b) * b : 0;
    case LS_VM_X_TRUNCDIV: return defined ? a / b : 0;
    case LS_VM_X_TRUNCMOD: return defined ? a % b : 0;
    case LS_VM_X_MIN: return MIN (a, b);
    case LS_VM_X_MAX: return MAX (a, b);
    case LS_VM_X_EQ: return a == b;
    case LS_VM_X_NE: return a != b;
    case LS_VM_X_LT: return a < b;
    case LS_VM_X_LE: return a <= b;
    case LS_VM_X_AND: return a != 0 && b != 0;
    case LS_VM_X_OR: return a != 0 || b != 0;
    case LS_VM_X_PUSH:
    case LS_VM_X_SLOT:
    case LS_VM_X_NOT:
    case LS_VM_X_SELECT:
    case LS_VM_N_XS: break;
    }
  g_assert_not_reached ();
}

static gint64
evaluate (Frame *frame,
          gint64 number)
{
  GArray *program = frame->vm->executable->expressions->pdata[number];
  gint64 stack[64 + 1];
  guint n = 0;

  for (guint i = 0; i < program->len; i++)
    {
      gint64 op = g_array_index (program, gint64, i);

      switch (op)
        {
        case LS_VM_X_PUSH: stack[n++] = g_array_index (program, gint64, ++i); break;
        case LS_VM_X_SLOT: stack[n++] = frame->slots[g_array_index (program, gint64, ++i)]; break;
        case LS_VM_X_NOT: stack[n - 1] = stack[n - 1] == 0; break;
        case LS_VM_X_SELECT:
          n -= 2;
          stack[n - 1] = stack[n - 1] != 0 ? stack[n] : stack[n + 1];
          break;
        default:
          n--;
          stack[n - 1] = apply_operator (op, stack[n - 1], stack[n]);
        }
    }
  return stack[0];
}

/* The operand as a value; registers that are used the last time are emptied. (transfer full) */
static LsVMValue *
operand (Frame        *frame,
         const gint64 *pair)
{
  LsVMExecutable *executable = frame->vm->executable;

  switch ((LsVMOperandKind) pair[0])
    {
    case LS_VM_REG: return frame->registers[pair[1]] != NULL ? ls_vm_value_ref (frame->registers[pair[1]]) : ls_vm_none ();
    case LS_VM_LAST:
      {
        LsVMValue *value = g_steal_pointer (&frame->registers[pair[1]]);

        return value != NULL ? value : ls_vm_none ();
      }
    case LS_VM_CONST: return ls_vm_value_ref (executable->constants->pdata[pair[1]]);
    case LS_VM_IMM: return ls_vm_int (pair[1]);
    case LS_VM_REAL: return ls_vm_float (g_array_index (executable->floats, double, pair[1]));
    case LS_VM_TEXT: return ls_vm_string (executable->strings->pdata[pair[1]]);
    case LS_VM_EXPR: return ls_vm_int (evaluate (frame, pair[1]));
    case LS_VM_ANY:
    case LS_VM_BIND:
    case LS_VM_N_OPERANDS: break;
    }
  return ls_vm_none ();
}

static GPtrArray *
operands (Frame        *frame,
          const gint64 *pairs,
          gint64        n)
{
  GPtrArray *values = g_ptr_array_new_full ((guint) n, (GDestroyNotify) ls_vm_value_unref);

  for (gint64 i = 0; i < n; i++)
    g_ptr_array_add (values, operand (frame, pairs + 2 * i));
  return values;
}

/* An extent; a register with a number or a tensor of one integer is one too. */
static gboolean
extent (Frame        *frame,
        const gint64 *pair,
        gint64       *value)
{
  g_autoptr (LsVMValue) held = NULL;

  if (pair[0] == LS_VM_IMM || pair[0] == LS_VM_EXPR)
    {
      *value = pair[0] == LS_VM_IMM ? pair[1] : evaluate (frame, pair[1]);
      return TRUE;
    }
  held = operand (frame, pair);
  return ls_vm_arg_int (&held, 0, value, frame->error);
}

static gboolean
extents (Frame        *frame,
         const gint64 *pairs,
         gint64        n,
         gint64       *dims)
{
  if (n > LS_NDARRAY_MAX_NDIM)
    {
      g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, "A shape has %" G_GINT64_FORMAT " dimensions; %d are possible.", n, LS_NDARRAY_MAX_NDIM);
      return FALSE;
    }
  for (gint64 i = 0; i < n; i++)
    if (!extent (frame, pairs + 2 * i, &dims[i]))
      return FALSE;
  return TRUE;
}

/* ---- calls ---------------------------------------------------------------------- */

static gboolean
to_arg (LsVMValue  *value,
        LsArg      *arg,
        const char *callee,
        guint       place,
        GError    **error)
{
  *arg = (LsArg) { LS_ARG_NONE, 0, { 0 } };
  switch (value->kind)
    {
    case LS_VM_NONE: return TRUE;
    case LS_VM_TENSOR:
      arg->kind = LS_ARG_TENSOR;
      arg->v_tensor = &value->tensor->tensor;
      return TRUE;
    case LS_VM_INT:
      arg->kind = LS_ARG_INT;
      arg->v_int = value->v_int;
      return TRUE;
    case LS_VM_FLOAT:
      arg->kind = LS_ARG_FLOAT;
      arg->v_float = value->v_float;
      return TRUE;
    case LS_VM_STRING:
      arg->kind = LS_ARG_STRING;
      arg->v_string = value->string;
      return TRUE;
    case LS_VM_SHAPE:
    case LS_VM_TUPLE:
    case LS_VM_CLOSURE:
    case LS_VM_OBJECT: break;
    }
  {
    g_autofree char *what = ls_vm_value_describe (value);

    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, "Argument %u of %s is %s; a tensor, a number or a string is expected.", place, callee, what);
  }
  return FALSE;
}

static LsVMValue *
from_result (const LsArg *result)
{
  switch ((LsArgKind) result->kind)
    {
    case LS_ARG_INT: return ls_vm_int (result->v_int);
    case LS_ARG_FLOAT: return ls_vm_float (result->v_float);
    case LS_ARG_STRING: return ls_vm_string (result->v_string);
    case LS_ARG_TENSOR: return ls_vm_tensor ((LsNDArray *) result->v_tensor);
    case LS_ARG_NONE:
    case LS_ARG_HANDLE: break;
    }
  return ls_vm_none ();
}

static void
note_call (LsVM       *vm,
           guint       number,
           GPtrArray  *values,
           gint64      ns)
{
  Callee *callee = &vm->callees[number];
  LsVMProfile *row;

  if (callee->profile == 0)
    {
      LsVMProfile fresh = { vm->executable->strings->pdata[number], 0, 0, 0, callee->flop < 0 ? -1 : 0 };

      g_array_append_val (vm->profile, fresh);
      callee->profile = vm->profile->len;
    }
  row = &g_array_index (vm->profile, LsVMProfile, callee->profile - 1);
  row->calls++;
  row->ns += ns;
  row->flop += callee->flop < 0 ? 0 : callee->flop;
  for (guint i = 0; i < values->len; i++)
    if (((LsVMValue *) values->pdata[i])->kind == LS_VM_TENSOR)
      row->bytes += (gint64) ((LsVMValue *) values->pdata[i])->tensor->n_bytes;
}

static LsVMValue *
call_code (Frame      *frame,
           guint       number,
           gboolean    compiled,
           GPtrArray  *values)
{
  const char *name = frame->vm->executable->strings->pdata[number];
  g_autofree LsArg *args = g_new (LsArg, values->len + 1);
  LsArg result = { LS_ARG_NONE, 0, { 0 } };

  for (guint i = 0; i < values->len; i++)
    if (!to_arg (values->pdata[i], &args[i], name, i, frame->error))
      return NULL;
  if (!compiled)
    return ls_registry_call (name, args, (int) values->len, &result, frame->error) ? from_result (&result) : NULL;
  ls_runtime_clear_error ();
  if (ls_interruptible_call (frame->vm->callees[number].kernel, args, (int) values->len, &result, NULL) != 0)
    {
      g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, "%s: %s", name, ls_runtime_last_error ());
      return NULL;
    }
  return from_result (&result);
}

static LsVMValue *
call_builtin (Frame             *frame,
              const LsVMBuiltin *builtin,
              GPtrArray         *values)
{
  GError *inner = NULL;
  LsVMValue *value;

  if (builtin->n_args >= 0 && (guint) builtin->n_args != values->len)
    {
      g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, "%s takes %d arguments; %u came.", builtin->name, builtin->n_args, values->len);
      return NULL;
    }
  value = builtin->func (frame->vm->pool, (LsVMValue **) values->pdata, values->len, &inner);
  if (value == NULL)
    g_propagate_prefixed_error (frame->error, inner, "%s: ", builtin->name);
  return value;
}

static LsVMValue *
call_plain (Frame     *frame,
            guint      number,
            gboolean   compiled,
            GPtrArray *values)
{
  LsVM *vm = frame->vm;
  Callee *callee = &vm->callees[number];
  gint64 start = vm->profiling ? ls_clock_ns () : 0;
  LsVMValue *value = NULL;

  if (!compiled && vm->host != NULL
      && vm->host (vm->executable->strings->pdata[number], (LsVMValue **) values->pdata, values->len, &value, vm->host_data, frame->error))
    return value;
  if (!compiled && callee->builtin != NULL && !ls_registry_has (vm->executable->strings->pdata[number]))
    return call_builtin (frame, callee->builtin, values);
  value = call_code (frame, number, compiled, values);
  if (value != NULL && vm->profiling)
    note_call (vm, number, values, ls_clock_ns () - start);
  return value;
}

static LsVMInstrumentAnswer
ask_instrument (Frame      *frame,
                const char *name,
                LsVMValue  *result,
                GPtrArray  *values)
{
  LsVM *vm = frame->vm;
  LsVMInstrumentAnswer answer = vm->instrument (name, result, (LsVMValue **) values->pdata, values->len, vm->instrument_data);

  if (answer == LS_VM_INSTRUMENT_FAIL)
    g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, "%s: the instrument ended the program.", name);
  return answer;
}

static LsVMValue *
call_named (Frame        *frame,
            const gint64 *code)
{
  LsVM *vm = frame->vm;
  guint number = (guint) code[2];
  const char *name = vm->executable->strings->pdata[number];
  g_autoptr (GPtrArray) values = operands (frame, code + 4, code[3]);
  LsVMInstrumentAnswer answer = vm->instrument != NULL ? ask_instrument (frame, name, NULL, values) : LS_VM_INSTRUMENT_RUN;
  g_autoptr (LsVMValue) value = NULL;

  if (answer != LS_VM_INSTRUMENT_RUN)
    return answer == LS_VM_INSTRUMENT_SKIP ? ls_vm_none () : NULL;
  value = call_plain (frame, number, code[0] == LS_VM_OP_KERNEL, values);
  if (value != NULL && vm->instrument != NULL && ask_instrument (frame, name, value, values) == LS_VM_INSTRUMENT_FAIL)
    return NULL;
  return g_steal_pointer (&value);
}

static LsVMValue *run_function (LsVM *vm, guint number, GPtrArray *args, GError **error);

static LsVMValue *
call_value (Frame     *frame,
            GPtrArray *values)
{
  LsVMValue *closure = values->pdata[0];
  g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

  if (closure->kind == LS_VM_OBJECT && closure->object_class->call != NULL)
    return closure->object_class->call (closure->object, (LsVMValue **) values->pdata + 1, values->len - 1, frame->error);
  if (closure->kind != LS_VM_CLOSURE)
    {
      g_autofree char *what = ls_vm_value_describe (closure);

      g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, "%s is called as if it were a function.", what);
      return NULL;
    }
  for (guint i = 0; !closure->last && i < closure->n; i++)
    g_ptr_array_add (args, ls_vm_value_ref (closure->items[i]));
  for (guint i = 1; i < values->len; i++)
    g_ptr_array_add (args, ls_vm_value_ref (values->pdata[i]));
  for (guint i = 0; closure->last && i < closure->n; i++)
    g_ptr_array_add (args, ls_vm_value_ref (closure->items[i]));
  return run_function (frame->vm, closure->function, args, frame->error);
}

/* ---- match ------------------------------------------------------------------------ */

static gboolean
mismatch (Frame      *frame,
          int         code,
          const char *what,
          const char *expected,
          LsVMValue  *value)
{
  g_autofree char *found = ls_vm_value_describe (value);

  g_set_error (frame->error, LS_RUNTIME_ERROR, code, "%s is %s; %s is expected.", what, found, expected);
  return FALSE;
}

static gboolean
match_dims (Frame        *frame,
            const char   *what,
            LsVMValue    *value,
            const gint64 *dims,
            const gint64 *patterns,
            gint64        n)
{
  for (gint64 i = 0; i < n; i++)
    {
      const gint64 *pattern = patterns + 2 * i;
      gint64 wanted;

      if (pattern[0] == LS_VM_ANY)
        continue;
      if (pattern[0] == LS_VM_BIND)
        {
          frame->slots[pattern[1]] = dims[i];
          continue;
        }
      if (!extent (frame, pattern, &wanted))
        return FALSE;
      if (wanted != dims[i])
        {
          g_autofree char *expected = value->kind == LS_VM_INT ? g_strdup_printf ("%" G_GINT64_FORMAT, wanted)
                                      : g_strdup_printf ("an extent of %" G_GINT64_FORMAT " in dimension %" G_GINT64_FORMAT, wanted, i);

          return mismatch (frame, LS_RUNTIME_ERROR_SHAPE, what, expected, value);
        }
    }
  return TRUE;
}

static gboolean
match_dtype (Frame      *frame,
             const char *what,
             LsVMValue  *value,
             const char *name)
{
  LsDLDataType dtype;
  g_autofree char *expected = NULL;

  if (*name == 0)
    return TRUE;
  if (!ls_dl_dtype_parse (name, &dtype, frame->error))
    return FALSE;
  expected = g_strconcat ("the dtype ", name, NULL);
  return ls_dl_dtype_equal (ls_dl_dtype_normalise (value->tensor->tensor.dtype), dtype)
         || mismatch (frame, LS_RUNTIME_ERROR_DTYPE, what, expected, value);
}

static gboolean
match_value (Frame        *frame,
             LsVMValue    *value,
             const gint64 *pairs,
             gint64        n)
{
  LsVMExecutable *executable = frame->vm->executable;
  const char *what = executable->strings->pdata[pairs[3]], *dtype = executable->strings->pdata[pairs[7]];
  LsVMMatch kind = (LsVMMatch) pairs[5];
  gint64 ndim = pairs[9], found;

  if (kind == LS_VM_MATCH_TUPLE)
    {
      g_autofree char *expected = g_strdup_printf ("a tuple of %" G_GINT64_FORMAT, ndim);

      return (value->kind == LS_VM_TUPLE && (gint64) value->n == ndim) || mismatch (frame, LS_RUNTIME_ERROR_ARGUMENT, what, expected, value);
    }
  if (kind == LS_VM_MATCH_INT)
    return (value->kind == LS_VM_INT || mismatch (frame, LS_RUNTIME_ERROR_ARGUMENT, what, "an integer", value))
           && match_dims (frame, what, value, &value->v_int, pairs + 10, MIN (n - 5, 1));
  if (value->kind != (kind == LS_VM_MATCH_TENSOR ? LS_VM_TENSOR : LS_VM_SHAPE))
    return mismatch (frame, LS_RUNTIME_ERROR_ARGUMENT, what, kind == LS_VM_MATCH_TENSOR ? "a tensor" : "a shape", value);
  found = kind == LS_VM_MATCH_TENSOR ? value->tensor->tensor.ndim : (gint64) value->n;
  if (ndim >= 0 && found != ndim)
    {
      g_autofree char *expected = g_strdup_printf ("an ndim of %" G_GINT64_FORMAT, ndim);

      return mismatch (frame, LS_RUNTIME_ERROR_DTYPE, what, expected, value);
    }
  if (kind == LS_VM_MATCH_TENSOR && !match_dtype (frame, what, value, dtype))
    return FALSE;
  return match_dims (frame, what, value, kind == LS_VM_MATCH_TENSOR ? value->tensor->tensor.shape : value->dims, pairs + 10, MIN (n - 5, found));
}

/* ---- instructions -------------------------------------------------------------------- */

static gboolean
is_true (Frame        *frame,
         const gint64 *pair,
         gboolean     *result)
{
  g_autoptr (LsVMValue) value = operand (frame, pair);
  gint64 number;

  if (!ls_vm_arg_int (&value, 0, &number, frame->error))
    return FALSE;
  *result = number != 0;
  return TRUE;
}

static LsVMValue *
allocate (Frame        *frame,
          const gint64 *code)
{
  const char *name = frame->vm->executable->strings->pdata[code[5]];
  gint64 dims[LS_NDARRAY_MAX_NDIM];
  LsDLDataType dtype;
  LsNDArray *array;

  if (!extents (frame, code + 6, code[3] - 1, dims) || !ls_dl_dtype_parse (name, &dtype, frame->error))
    return NULL;
  array = ls_vm_pool_alloc (frame->vm->pool, (int) code[3] - 1, dims, dtype, frame->error);
  return array != NULL ? ls_vm_tensor (array) : NULL;
}

static LsVMValue *
item (Frame        *frame,
      const gint64 *code)
{
  g_autoptr (LsVMValue) tuple = operand (frame, code + 4);
  g_autofree char *what = NULL;

  if (tuple->kind == LS_VM_TUPLE && code[7] >= 0 && code[7] < (gint64) tuple->n)
    return ls_vm_value_ref (tuple->items[code[7]]);
  what = ls_vm_value_describe (tuple);
  g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, "Field %" G_GINT64_FORMAT " of %s is asked for.", code[7], what);
  return NULL;
}

/* An instruction that gives a value; NULL with an error. */
static LsVMValue *
execute (Frame        *frame,
         const gint64 *code)
{
  g_autoptr (GPtrArray) values = NULL;
  gint64 dims[LS_NDARRAY_MAX_NDIM];

  switch ((LsVMOp) code[0])
    {
    case LS_VM_OP_MOVE: return operand (frame, code + 4);
    case LS_VM_OP_KERNEL:
    case LS_VM_OP_PACKED: return call_named (frame, code);
    case LS_VM_OP_ALLOC: return allocate (frame, code);
    case LS_VM_OP_ITEM: return item (frame, code);
    case LS_VM_OP_SHAPE: return extents (frame, code + 4, code[3], dims) ? ls_vm_shape (dims, (guint) code[3]) : NULL;
    case LS_VM_OP_MATCH:
      {
        g_autoptr (LsVMValue) value = operand (frame, code + 4);

        return match_value (frame, value, code + 4, code[3]) ? g_steal_pointer (&value) : NULL;
      }
    case LS_VM_OP_FUNCTION:
      values = operands (frame, code + 4, code[3]);
      return run_function (frame->vm, (guint) code[2], values, frame->error);
    case LS_VM_OP_VALUE:
      values = operands (frame, code + 4, code[3]);
      return call_value (frame, values);
    case LS_VM_OP_TUPLE:
    case LS_VM_OP_CLOSURE:
    case LS_VM_OP_CLOSURE_LAST:
      {
        LsVMValue *value;

        values = operands (frame, code + 4, code[3]);
        value = code[0] == LS_VM_OP_TUPLE ? ls_vm_tuple ((LsVMValue **) values->pdata, values->len)
                : ls_vm_closure ((guint) code[2], (LsVMValue **) values->pdata, values->len);
        value->last = code[0] == LS_VM_OP_CLOSURE_LAST;
        g_ptr_array_set_free_func (values, NULL);
        return value;
      }
    case LS_VM_OP_JUMP:
    case LS_VM_OP_JUMP_UNLESS:
    case LS_VM_OP_RETURN:
    case LS_VM_N_OPS: break;
    }
  g_assert_not_reached ();
}

/* TVM's names of what has an instruction of its own here. */
static const char *
instruction_name (Frame        *frame,
                  const gint64 *code)
{
  LsVMExecutable *executable = frame->vm->executable;

  switch ((LsVMOp) code[0])
    {
    case LS_VM_OP_KERNEL:
    case LS_VM_OP_PACKED: return executable->strings->pdata[code[2]];
    case LS_VM_OP_FUNCTION: return ((LsVMFunction *) executable->functions->pdata[code[2]])->name;
    case LS_VM_OP_VALUE: return "vm.builtin.invoke_closure";
    case LS_VM_OP_ALLOC: return "vm.builtin.alloc_tensor";
    case LS_VM_OP_SHAPE: return "vm.builtin.make_shape";
    case LS_VM_OP_MATCH: return "vm.builtin.match_shape";
    case LS_VM_OP_TUPLE: return "vm.builtin.make_tuple";
    case LS_VM_OP_ITEM: return "vm.builtin.tuple_getitem";
    case LS_VM_OP_CLOSURE:
    case LS_VM_OP_CLOSURE_LAST: return "vm.builtin.make_closure";
    case LS_VM_OP_MOVE:
    case LS_VM_OP_JUMP:
    case LS_VM_OP_JUMP_UNLESS:
    case LS_VM_OP_RETURN:
    case LS_VM_N_OPS: break;
    }
  return NULL;
}

/* `execute`, told to the trace.  Registers are looked at before, because the instruction may empty them. */
static LsVMValue *
execute_traced (Frame        *frame,
                const gint64 *code)
{
  const char *name = instruction_name (frame, code);
  g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  LsVMValue *value;
  gint64 start;

  for (gint64 i = 0; i < code[3]; i++)
    {
      const gint64 *pair = code + 4 + 2 * i;

      if ((pair[0] == LS_VM_REG || pair[0] == LS_VM_LAST) && frame->registers[pair[1]] != NULL)
        g_ptr_array_add (args, ls_vm_value_ref (frame->registers[pair[1]]));
    }
  start = ls_clock_ns ();
  value = execute (frame, code);
  if (name != NULL && value != NULL)
    frame->vm->trace (name, (LsVMValue **) args->pdata, args->len, ls_clock_ns () - start, frame->vm->trace_data);
  return value;
}

static LsVMValue *
run_frame (Frame       *frame,
           const guint *places)
{
  gsize at = 0;

  while (TRUE)
    {
      const gint64 *code = &g_array_index (frame->function->code, gint64, at);
      LsVMValue *value;
      gboolean taken = code[0] == LS_VM_OP_JUMP;

      if (code[0] == LS_VM_OP_RETURN)
        return operand (frame, code + 4);
      if (code[0] == LS_VM_OP_JUMP_UNLESS)
        {
          if (!is_true (frame, code + 4, &taken))
            return NULL;
          taken = !taken;
        }
      if (taken)
        {
          at = places[code[2]];
          continue;
        }
      at += 4 + 2 * (gsize) code[3];
      if (code[0] == LS_VM_OP_JUMP_UNLESS)
        continue;
      value = frame->vm->trace != NULL ? execute_traced (frame, code) : execute (frame, code);
      if (value == NULL)
        return NULL;
      if (code[1] < 0)
        ls_vm_value_unref (value);
      else
        {
          LsVMValue *old = frame->registers[code[1]];

          frame->registers[code[1]] = value;
          ls_vm_value_unref (old);
        }
    }
}

static LsVMValue *
run_function (LsVM      *vm,
              guint      number,
              GPtrArray *args,
              GError   **error)
{
  LsVMFunction *function = vm->executable->functions->pdata[number];
  Frame frame = { vm, function, NULL, NULL, error };
  LsVMValue *result;

  if (args->len != function->n_params)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, "%s takes %u argument%s; %u came.", function->name, function->n_params,
                   function->n_params == 1 ? "" : "s", args->len);
      return NULL;
    }
  if (vm->depth >= MAX_DEPTH)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, "%s: more than %d calls are nested.", function->name, MAX_DEPTH);
      return NULL;
    }
  vm->depth++;
  frame.registers = g_new0 (LsVMValue *, function->n_registers + 1);
  frame.slots = g_new0 (gint64, function->n_slots + 1);
  for (guint i = 0; i < args->len; i++)
    frame.registers[i] = ls_vm_value_ref (args->pdata[i]);
  result = run_frame (&frame, vm->places[number]);
  for (guint i = 0; i < function->n_registers; i++)
    ls_vm_value_unref (frame.registers[i]);
  g_free (frame.registers);
  g_free (frame.slots);
  vm->depth--;
  return result;
}

/* ---- the machine ------------------------------------------------------------------------ */

static guint *
find_places (LsVMFunction *function)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint at = 0; at < function->code->len;)
    {
      g_array_append_val (places, at);
      at += 4 + 2 * (guint) g_array_index (function->code, gint64, at + 3);
    }
  return (guint *) g_array_free (places, FALSE);
}

static gboolean
resolve_callees (LsVM        *self,
                 LsVMResolve  resolve,
                 gpointer     user_data,
                 GError     **error)
{
  LsVMExecutable *executable = self->executable;

  for (guint i = 0; i < executable->strings->len; i++)
    {
      const char *name = executable->strings->pdata[i];

      self->callees[i].flop = -1;
      self->callees[i].builtin = ls_vm_builtin_get (name);
      for (guint j = 0; j < executable->kernels->len; j++)
        if (strcmp (executable->kernels->pdata[j], name) == 0)
          {
            self->callees[i].flop = g_array_index (executable->kernel_flops, double, j);
            self->callees[i].kernel = resolve != NULL ? resolve (name, user_data) : NULL;
            if (self->callees[i].kernel == NULL)
              {
                g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, "The executable's code has no function %s.", name);
                return FALSE;
              }
          }
    }
  return TRUE;
}

/* KERNEL instructions name only what was resolved. */
static gboolean
check_kernels (LsVM    *self,
               GError **error)
{
  for (guint i = 0; i < self->executable->functions->len; i++)
    {
      LsVMFunction *function = self->executable->functions->pdata[i];

      for (guint at = 0; at < function->code->len;)
        {
          const gint64 *code = &g_array_index (function->code, gint64, at);

          if (code[0] == LS_VM_OP_KERNEL && self->callees[code[2]].kernel == NULL)
            {
              g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, "The executable has no code for %s.",
                           (char *) self->executable->strings->pdata[code[2]]);
              return FALSE;
            }
          at += 4 + 2 * (guint) code[3];
        }
    }
  return TRUE;
}

LsVM *
ls_vm_new (LsVMExecutable *executable,
           LsVMResolve     resolve,
           gpointer        user_data,
           GError        **error)
{
  g_autoptr (LsVM) self = g_new0 (LsVM, 1);

  self->executable = ls_vm_executable_ref (executable);
  for (guint i = 0; i < executable->kernels->len; i++)
    ls_vm_executable_string (executable, executable->kernels->pdata[i]);
  self->pool = ls_vm_pool_new ();
  self->callees = g_new0 (Callee, executable->strings->len + 1);
  self->places = g_new0 (guint *, executable->functions->len + 1);
  self->profile = g_array_new (FALSE, FALSE, sizeof (LsVMProfile));
  for (guint i = 0; i < executable->functions->len; i++)
    self->places[i] = find_places (executable->functions->pdata[i]);
  if (!resolve_callees (self, resolve, user_data, error) || !check_kernels (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
ls_vm_free (LsVM *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->executable->functions->len; i++)
    g_free (self->places[i]);
  g_free (self->places);
  g_free (self->callees);
  g_array_unref (self->profile);
  ls_vm_pool_unref (self->pool);
  ls_vm_executable_unref (self->executable);
  g_free (self);
}

static char *
public_names (LsVMExecutable *executable)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < executable->functions->len; i++)
    {
      LsVMFunction *function = executable->functions->pdata[i];

      if (!function->is_private)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", function->name);
    }
  return g_string_free (names, FALSE);
}

LsVMValue *
ls_vm_call (LsVM       *self,
            const char *function,
            LsVMValue **args,
            guint       n_args,
            GError    **error)
{
  int number = ls_vm_executable_find (self->executable, function);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

  for (guint i = 0; i < n_args; i++)
    g_ptr_array_add (values, ls_vm_value_ref (args[i]));
  if (number >= 0 && !((LsVMFunction *) self->executable->functions->pdata[number])->is_private)
    return run_function (self, (guint) number, values, error);
  for (guint i = 0; number < 0 && i < self->executable->strings->len; i++)
    if (self->callees[i].kernel != NULL && strcmp (self->executable->strings->pdata[i], function) == 0)
      {
        Frame frame = { self, NULL, NULL, NULL, error };

        return call_code (&frame, i, TRUE, values);
      }
  {
    g_autofree char *names = public_names (self->executable);

    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, "The executable has no function %s; it has %s.", function,
                 *names != 0 ? names : "none");
  }
  return NULL;
}

LsVMValue *
ls_vm_call_closure (LsVM       *self,
                    LsVMValue  *closure,
                    LsVMValue **args,
                    guint       n_args,
                    GError    **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  Frame frame = { self, NULL, NULL, NULL, error };

  g_ptr_array_add (values, ls_vm_value_ref (closure));
  for (guint i = 0; i < n_args; i++)
    g_ptr_array_add (values, ls_vm_value_ref (args[i]));
  if (closure->kind == LS_VM_CLOSURE && closure->function >= self->executable->functions->len)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, "The closure belongs to another executable.");
      return NULL;
    }
  return call_value (&frame, values);
}

void
ls_vm_set_instrument (LsVM          *self,
                      LsVMInstrument instrument,
                      gpointer       user_data)
{
  self->instrument = instrument;
  self->instrument_data = user_data;
}

void
ls_vm_set_host (LsVM         *self,
                LsVMHostCall  host,
                gpointer      user_data)
{
  self->host = host;
  self->host_data = user_data;
}

void
ls_vm_set_trace (LsVM      *self,
                 LsVMTrace  trace,
                 gpointer   user_data)
{
  self->trace = trace;
  self->trace_data = user_data;
}

gboolean
ls_vm_call_builtin (const char  *name,
                    LsVMValue  **args,
                    guint        n_args,
                    LsVMValue  **result,
                    GError     **error)
{
  const LsVMBuiltin *builtin = ls_vm_builtin_get (name);
  LsVM machine = { 0 };
  Frame frame = { &machine, NULL, NULL, NULL, error };
  g_autoptr (GPtrArray) values = NULL;

  if (builtin == NULL)
    return FALSE;
  values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  for (guint i = 0; i < n_args; i++)
    g_ptr_array_add (values, ls_vm_value_ref (args[i]));
  machine.pool = ls_vm_pool_new ();
  *result = call_builtin (&frame, builtin, values);
  ls_vm_pool_unref (machine.pool);
  return TRUE;
}

void
ls_vm_set_profile (LsVM     *self,
                   gboolean  on)
{
  self->profiling = on;
}

GArray *
ls_vm_get_profile (LsVM *self)
{
  GArray *copy = g_array_sized_new (FALSE, FALSE, sizeof (LsVMProfile), self->profile->len);

  if (self->profile->len > 0)
    g_array_append_vals (copy, self->profile->data, self->profile->len);
  return copy;
}
