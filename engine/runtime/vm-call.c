/* vm-call: calls out of a frame: kernels, packed functions, builtins, closures; with what is noted of them (profile, instrument). */
#include "engine/runtime/vm-frame.h"

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

    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("Argument %u of %s is %s; a tensor, a number or a string is expected."), place, callee, what);
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

static gint64
bytes_of (GPtrArray *values)
{
  gint64 bytes = 0;

  for (guint i = 0; i < values->len; i++)
    if (((LsVMValue *) values->pdata[i])->kind == LS_VM_TENSOR)
      bytes += (gint64) ((LsVMValue *) values->pdata[i])->tensor->n_bytes;
  return bytes;
}

static void
note_call (LsVM       *vm,
           guint       number,
           GPtrArray  *values,
           gint64      ns)
{
  LsVMCallee *callee = &vm->callees[number];
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
  row->bytes += bytes_of (values);
}

/* The place in the timeline of a call that begins. */
static guint
begin_call (LsVM      *vm,
            guint      number,
            GPtrArray *values)
{
  LsVMCallTime call = { vm->executable->strings->pdata[number], 0, -1, bytes_of (values), vm->callees[number].flop };

  g_array_append_val (vm->timeline, call);
  return vm->timeline->len - 1;
}

int
ls_vm_host_kernel (const LsArg *args,
                   int          n_args,
                   LsArg       *result,
                   void        *closure)
{
  return ls_runtime_fail ("the function is one of the host, which only the virtual machine calls");
}

/* A function that the resolver left to the host.  NULL with an error. (transfer full) */
static LsVMValue *
ask_host (LsVM        *vm,
          const char  *name,
          LsVMValue  **values,
          guint        n_values,
          GError     **error)
{
  LsVMValue *value = NULL;

  if (vm->host == NULL || !vm->host (name, values, n_values, &value, vm->host_data, error))
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, ls_translate ("%s is a function of the host, which does not have it."), name);
  return value;
}

/* Compiled code, or what is registered under the name.  NULL with an error. (transfer full) */
static LsVMValue *
run_code (LsVM         *vm,
          const char   *name,
          LsPackedFunc  kernel,
          LsVMValue   **values,
          guint         n_values,
          GError      **error)
{
  LsVMValue *last = n_values > 0 ? values[n_values - 1] : NULL;
  guint n_dims = kernel != NULL && last != NULL && last->kind == LS_VM_SHAPE ? last->n : 0;
  guint n = n_values - (kernel != NULL && last != NULL && last->kind == LS_VM_SHAPE);
  g_autofree LsArg *args = g_new (LsArg, n + n_dims + 1);
  LsArg result = { LS_ARG_NONE, 0, { 0 } };

  if (kernel == ls_vm_host_kernel)
    return ask_host (vm, name, values, n_values, error);
  for (guint i = 0; i < n; i++)
    if (!to_arg (values[i], &args[i], name, i, error))
      return NULL;
  /* the shape of call_tir_dyn, one number after the other */
  for (guint i = 0; i < n_dims; i++)
    args[n + i] = (LsArg) { .kind = LS_ARG_INT, .v_int = last->dims[i] };
  if (kernel == NULL)
    return ls_registry_call (name, args, (int) n, &result, error) ? from_result (&result) : NULL;
  ls_runtime_clear_error ();
  if (ls_interruptible_call (kernel, args, (int) (n + n_dims), &result, NULL) != 0)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, "%s: %s", name, ls_runtime_last_error ());
      return NULL;
    }
  return from_result (&result);
}

LsVMValue *
ls_vm_frame_call_code (LsVMFrame *frame,
                       guint      number,
                       gboolean   compiled,
                       GPtrArray *values)
{
  return run_code (frame->vm, frame->vm->executable->strings->pdata[number], compiled ? frame->vm->callees[number].kernel : NULL,
                   (LsVMValue **) values->pdata, values->len, frame->error);
}

/* ---- code as a value ----------------------------------------------------------------- */

typedef struct {
  LsVM          *vm;            /* of a function of the host: there as long as the keeper */
  char          *name;
  LsPackedFunc   kernel;        /* NULL: of the registry */
  gpointer       keeper;
  GDestroyNotify unkeep;
} Code;

static void
code_free (gpointer data)
{
  Code *self = data;

  if (self->unkeep != NULL)
    self->unkeep (self->keeper);
  g_free (self->name);
  g_free (self);
}

static LsVMValue *
code_call (gpointer    data,
           LsVMValue **args,
           guint       n_args,
           GError    **error)
{
  Code *self = data;

  return run_code (self->vm, self->name, self->kernel, args, n_args, error);
}

static const LsVMObjectClass CODE_CLASS = { code_free, code_call };

LsVMValue *
ls_vm_frame_code (LsVMFrame *frame,
                  guint      number)
{
  LsVM *vm = frame->vm;
  Code *code = g_new0 (Code, 1);

  code->vm = vm;
  code->name = g_strdup (vm->executable->strings->pdata[number]);
  code->kernel = vm->callees[number].kernel;
  if (code->kernel != NULL && vm->keeper != NULL)
    {
      code->keeper = vm->keep (vm->keeper);
      code->unkeep = vm->unkeep;
    }
  return ls_vm_object (code, &CODE_CLASS);
}

/* ---- builtins ------------------------------------------------------------------------- */

LsVMValue *
ls_vm_frame_call_builtin (LsVMFrame             *frame,
                          const LsVMBuiltin *builtin,
                          GPtrArray         *values)
{
  GError *inner = NULL;
  LsVMValue *value;

  if (builtin->n_args >= 0 && (guint) builtin->n_args != values->len)
    {
      g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%s takes %d arguments; %u came."), builtin->name, builtin->n_args, values->len);
      return NULL;
    }
  value = builtin->func (frame->vm->pool, (LsVMValue **) values->pdata, values->len, &inner);
  if (value == NULL)
    g_propagate_prefixed_error (frame->error, inner, "%s: ", builtin->name);
  return value;
}

static LsVMValue *
call_plain (LsVMFrame     *frame,
            guint      number,
            gboolean   compiled,
            GPtrArray *values)
{
  LsVM *vm = frame->vm;
  LsVMCallee *callee = &vm->callees[number];
  LsVMValue *value = NULL;
  gint64 start, end;
  guint at = 0;

  if (!compiled && vm->host != NULL
      && vm->host (vm->executable->strings->pdata[number], (LsVMValue **) values->pdata, values->len, &value, vm->host_data, frame->error))
    return value;
  if (!compiled && callee->builtin != NULL && !ls_registry_has (vm->executable->strings->pdata[number]))
    return ls_vm_frame_call_builtin (frame, callee->builtin, values);
  if (!vm->profiling && vm->timeline == NULL)
    return ls_vm_frame_call_code (frame, number, compiled, values);
  if (vm->timeline != NULL)
    at = begin_call (vm, number, values);
  start = ls_clock_ns ();
  value = ls_vm_frame_call_code (frame, number, compiled, values);
  end = ls_clock_ns ();
  if (vm->timeline != NULL && at < vm->timeline->len)
    {
      g_array_index (vm->timeline, LsVMCallTime, at).start_ns = start;
      g_array_index (vm->timeline, LsVMCallTime, at).ns = end - start;
    }
  if (value != NULL && vm->profiling)
    note_call (vm, number, values, end - start);
  return value;
}

static LsVMInstrumentAnswer
ask_instrument (LsVMFrame      *frame,
                const char *name,
                LsVMValue  *result,
                GPtrArray  *values)
{
  LsVM *vm = frame->vm;
  LsVMInstrumentAnswer answer = vm->instrument (name, result, (LsVMValue **) values->pdata, values->len, vm->instrument_data);

  if (answer == LS_VM_INSTRUMENT_FAIL)
    g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, ls_translate ("%s: the instrument ended the program."), name);
  return answer;
}

LsVMValue *
ls_vm_frame_call_named (LsVMFrame        *frame,
                        const gint64 *code)
{
  LsVM *vm = frame->vm;
  guint number = (guint) code[2];
  const char *name = vm->executable->strings->pdata[number];
  g_autoptr (GPtrArray) values = ls_vm_frame_operands (frame, code + 4, code[3]);
  LsVMInstrumentAnswer answer = vm->instrument != NULL && !frame->wrapped ? ask_instrument (frame, name, NULL, values) : LS_VM_INSTRUMENT_RUN;
  g_autoptr (LsVMValue) value = NULL;

  if (frame->wrapped)
    return NULL;
  if (answer != LS_VM_INSTRUMENT_RUN)
    return answer == LS_VM_INSTRUMENT_SKIP ? ls_vm_none () : NULL;
  value = call_plain (frame, number, code[0] == LS_VM_OP_KERNEL, values);
  if (value != NULL && vm->instrument != NULL && ask_instrument (frame, name, value, values) == LS_VM_INSTRUMENT_FAIL)
    return NULL;
  return g_steal_pointer (&value);
}

LsVMValue *
ls_vm_frame_call_value (LsVMFrame     *frame,
                        GPtrArray *values)
{
  LsVMValue *closure = values->pdata[0];
  g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

  if (closure->kind == LS_VM_OBJECT && closure->object_class->call != NULL)
    return closure->object_class->call (closure->object, (LsVMValue **) values->pdata + 1, values->len - 1, frame->error);
  if (closure->kind != LS_VM_CLOSURE)
    {
      g_autofree char *what = ls_vm_value_describe (closure);

      g_set_error (frame->error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%s is called as if it were a function."), what);
      return NULL;
    }
  for (guint i = 0; !closure->last && i < closure->n; i++)
    g_ptr_array_add (args, ls_vm_value_ref (closure->items[i]));
  for (guint i = 1; i < values->len; i++)
    g_ptr_array_add (args, ls_vm_value_ref (values->pdata[i]));
  for (guint i = 0; closure->last && i < closure->n; i++)
    g_ptr_array_add (args, ls_vm_value_ref (closure->items[i]));
  return ls_vm_run (frame->vm, closure->function, args, frame->error);
}
