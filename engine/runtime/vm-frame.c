/* vm-frame: what the instructions of a Relax executable do in one call: operands, matches of struct info, allocations.
 *
 * Operands marked as last use give their reference up, so that memory is free for the next tensor at once.
 */
#include "engine/runtime/vm-frame.h"

#include "engine/base/plural.h"

#include <inttypes.h>

#define MAX_DEPTH 1000

/* ---- operands ----------------------------------------------------------------- */

static gint64
floor_div (gint64 a,
           gint64 b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The result of a sum or product of extents; NULL: it is more than int64 holds. */
static gint64
within (LsVMFrame    *frame,
        char          sign,
        gint64        a,
        gint64        b,
        const gint64 *result)
{
  if (result != NULL)
    return *result;
  if (!frame->wrapped)
    g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("The extent %" PRId64 " %c %" PRId64 " is more than int64 holds."), a, sign, b);
  frame->wrapped = TRUE;
  return 0;
}

static gint64
apply_operator (LsVMFrame *frame,
                gint64     op,
                gint64     a,
                gint64     b)
{
  gboolean defined = b != 0 && !(a == G_MININT64 && b == -1);
  gint64 result;

  switch ((LsVMExprOp) op)
    {
    case LS_VM_X_ADD: return within (frame, '+', a, b, __builtin_add_overflow (a, b, &result) ? NULL : &result);
    case LS_VM_X_SUB: return within (frame, '-', a, b, __builtin_sub_overflow (a, b, &result) ? NULL : &result);
    case LS_VM_X_MUL: return within (frame, '*', a, b, __builtin_mul_overflow (a, b, &result) ? NULL : &result);
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
evaluate (LsVMFrame *frame,
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
          stack[n - 1] = apply_operator (frame, op, stack[n - 1], stack[n]);
        }
    }
  return stack[0];
}

/* The operand as a value; registers that are used the last time are emptied. (transfer full) */
static LsVMValue *
operand (LsVMFrame        *frame,
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

GPtrArray *
ls_vm_frame_operands (LsVMFrame        *frame,
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
extent (LsVMFrame        *frame,
        const gint64 *pair,
        gint64       *value)
{
  g_autoptr (LsVMValue) held = NULL;

  if (pair[0] == LS_VM_IMM || pair[0] == LS_VM_EXPR)
    {
      *value = pair[0] == LS_VM_IMM ? pair[1] : evaluate (frame, pair[1]);
      return !frame->wrapped;
    }
  held = operand (frame, pair);
  return ls_vm_arg_int (&held, 0, value, frame->error);
}

static gboolean
extents (LsVMFrame        *frame,
         const gint64 *pairs,
         gint64        n,
         gint64       *dims)
{
  if (n > LS_NDARRAY_MAX_NDIM)
    {
      g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("A shape has %" PRId64 " dimensions; %d are possible."), n, LS_NDARRAY_MAX_NDIM);
      return FALSE;
    }
  for (gint64 i = 0; i < n; i++)
    if (!extent (frame, pairs + 2 * i, &dims[i]))
      return FALSE;
  return TRUE;
}

/* ---- match ------------------------------------------------------------------------ */

static gboolean
mismatch (LsVMFrame      *frame,
          int         code,
          const char *what,
          const char *expected,
          LsVMValue  *value)
{
  g_autofree char *found = ls_vm_value_describe (value);

  g_set_error (frame->error, LS_RUNTIME_ERROR, code, ls_translate ("%s is %s; %s is expected."), what, found, ls_translate (expected));
  return FALSE;
}

static gboolean
match_dims (LsVMFrame        *frame,
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
match_dtype (LsVMFrame      *frame,
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
match_value (LsVMFrame        *frame,
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
    return (value->kind == LS_VM_INT || mismatch (frame, LS_RUNTIME_ERROR_ARGUMENT, what, LS_TEXT ("an integer"), value))
           && match_dims (frame, what, value, &value->v_int, pairs + 10, MIN (n - 5, 1));
  if (value->kind != (kind == LS_VM_MATCH_TENSOR ? LS_VM_TENSOR : LS_VM_SHAPE))
    return mismatch (frame, LS_RUNTIME_ERROR_ARGUMENT, what, kind == LS_VM_MATCH_TENSOR ? LS_TEXT ("a tensor") : LS_TEXT ("a shape"), value);
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
is_true (LsVMFrame        *frame,
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
allocate (LsVMFrame        *frame,
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
item (LsVMFrame        *frame,
      const gint64 *code)
{
  g_autoptr (LsVMValue) tuple = operand (frame, code + 4);
  g_autofree char *what = NULL;

  if (tuple->kind == LS_VM_TUPLE && code[7] >= 0 && code[7] < (gint64) tuple->n)
    return ls_vm_value_ref (tuple->items[code[7]]);
  what = ls_vm_value_describe (tuple);
  g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("Field %" PRId64 " of %s is asked for."), code[7], what);
  return NULL;
}

/* An instruction that gives a value; NULL with an error. */
static LsVMValue *
execute (LsVMFrame        *frame,
         const gint64 *code)
{
  g_autoptr (GPtrArray) values = NULL;
  gint64 dims[LS_NDARRAY_MAX_NDIM];

  switch ((LsVMOp) code[0])
    {
    case LS_VM_OP_MOVE: return operand (frame, code + 4);
    case LS_VM_OP_KERNEL:
    case LS_VM_OP_PACKED: return ls_vm_frame_call_named (frame, code);
    case LS_VM_OP_ALLOC: return allocate (frame, code);
    case LS_VM_OP_ITEM: return item (frame, code);
    case LS_VM_OP_SHAPE: return extents (frame, code + 4, code[3], dims) ? ls_vm_shape (dims, (guint) code[3]) : NULL;
    case LS_VM_OP_MATCH:
      {
        g_autoptr (LsVMValue) value = operand (frame, code + 4);

        return match_value (frame, value, code + 4, code[3]) ? g_steal_pointer (&value) : NULL;
      }
    case LS_VM_OP_FUNCTION:
      values = ls_vm_frame_operands (frame, code + 4, code[3]);
      return ls_vm_run (frame->vm, (guint) code[2], values, frame->error);
    case LS_VM_OP_VALUE:
      values = ls_vm_frame_operands (frame, code + 4, code[3]);
      return ls_vm_frame_call_value (frame, values);
    case LS_VM_OP_CODE: return ls_vm_frame_code (frame, (guint) code[2]);
    case LS_VM_OP_TUPLE:
    case LS_VM_OP_CLOSURE:
    case LS_VM_OP_CLOSURE_LAST:
      {
        LsVMValue *value;

        values = ls_vm_frame_operands (frame, code + 4, code[3]);
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
instruction_name (LsVMFrame        *frame,
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
    case LS_VM_OP_CODE:
    case LS_VM_OP_JUMP:
    case LS_VM_OP_JUMP_UNLESS:
    case LS_VM_OP_RETURN:
    case LS_VM_N_OPS: break;
    }
  return NULL;
}

/* `execute`, told to the trace.  Registers are looked at before, because the instruction may empty them. */
static LsVMValue *
execute_traced (LsVMFrame        *frame,
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

/* Tells who watches. FALSE: the program is to end. */
static gboolean
watched (LsVMFrame    *frame,
         guint         number,
         const gint64 *code,
         gboolean      done,
         LsVMValue    *value)
{
  LsVM *vm = frame->vm;
  LsVMMoment moment = { 0, number, vm->depth, code, frame->registers, frame->slots, done, value };

  if (vm->watch == NULL)
    return TRUE;
  g_ptr_array_find (vm->executable->functions, frame->function, &moment.function);
  if (vm->watch (&moment, vm->watch_data))
    return TRUE;
  g_clear_error (frame->error);
  g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, ls_translate ("%s: who watched ended the program."), frame->function->name);
  return FALSE;
}

/* A jump, or not: the number of the next instruction; -1 with an error. */
static gint64
next_number (LsVMFrame    *frame,
             guint         number,
             const gint64 *code)
{
  gboolean holds = FALSE;

  if (code[0] == LS_VM_OP_JUMP_UNLESS && !is_true (frame, code + 4, &holds))
    return -1;
  if (!watched (frame, number, code, TRUE, NULL))
    return -1;
  return holds ? (gint64) number + 1 : code[2];
}

static void
put_register (LsVMFrame *frame,
              gint64     number,
              LsVMValue *value)          /* taken */
{
  LsVMValue *old = number < 0 ? value : frame->registers[number];

  if (number >= 0)
    frame->registers[number] = value;
  ls_vm_value_unref (old);
}

static LsVMValue *
run_frame (LsVMFrame       *frame,
           const guint *places)
{
  gint64 number = 0;

  while (TRUE)
    {
      const gint64 *code = &g_array_index (frame->function->code, gint64, places[number]);
      g_autoptr (LsVMValue) value = NULL;

      if (!watched (frame, (guint) number, code, FALSE, NULL))
        return NULL;
      if (code[0] == LS_VM_OP_JUMP || code[0] == LS_VM_OP_JUMP_UNLESS)
        {
          number = next_number (frame, (guint) number, code);
          if (number < 0)
            return NULL;
          continue;
        }
      if (code[0] == LS_VM_OP_RETURN)
        value = operand (frame, code + 4);
      else
        value = frame->vm->trace != NULL ? execute_traced (frame, code) : execute (frame, code);
      if (value == NULL || frame->wrapped || !watched (frame, (guint) number, code, TRUE, value))
        return NULL;
      if (code[0] == LS_VM_OP_RETURN)
        return g_steal_pointer (&value);
      put_register (frame, code[1], g_steal_pointer (&value));
      number++;
    }
}

LsVMValue *
ls_vm_run (LsVM      *vm,
           guint      number,
           GPtrArray *args,
           GError   **error)
{
  LsVMFunction *function = vm->executable->functions->pdata[number];
  LsVMFrame frame = { vm, function, NULL, NULL, error };
  LsVMValue *result;

  if (args->len != function->n_params)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                   ls_translate_plural ("%s takes %u argument; %u came.", "%s takes %u arguments; %u came.", function->n_params),
                   function->name, function->n_params, args->len);
      return NULL;
    }
  if (vm->depth >= MAX_DEPTH)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, ls_translate ("%s: more than %d calls are nested."), function->name, MAX_DEPTH);
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
