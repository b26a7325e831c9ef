/* library: what the machine code of an exported library calls, and its functions by the convention of TVM's loaders.
 *
 * export_library compiles this file beside the code that the engine made, with a list of the functions in front:
 *   LS_FUNCTION (0, "name")   for each one, and LS_MAIN "name", LS_N
 * Each function is an entry  int32_t name (TVMValue *args, int *type_codes, int n, TVMValue *result, int *result_code, void *resource).
 * A loader fills in the pointers __TVM... with its own functions; where it does not, the library helps itself.
 * Needs the C library alone.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIDDEN __attribute__ ((weak, visibility ("hidden")))
#define OPEN __attribute__ ((weak, visibility ("default")))
#define N_ARGS_HERE 64

typedef union { int64_t v_int; double v_float; void *v_handle; const char *v_str; } Value;

typedef struct { int32_t type, id; } Device;
typedef struct { uint8_t code, bits; uint16_t lanes; } Type;
typedef struct { void *data; Device device; int32_t ndim; Type dtype; int64_t *shape, *strides; uint64_t byte_offset; } Tensor;

enum { CODE_INT = 0, CODE_UINT = 1, CODE_FLOAT = 2, CODE_HANDLE = 3, CODE_NULL = 4, CODE_TENSOR = 7, CODE_STRING = 11, CODE_NDARRAY = 13, CODE_BOOL = 15 };
enum { ARG_NONE, ARG_INT, ARG_FLOAT, ARG_STRING, ARG_HANDLE, ARG_TENSOR };

/* As the engine's code sees an argument. */
typedef struct { int32_t kind, flags; Value value; } Arg;

/* What a function wants of its parameters; the code holds these as constants. */
typedef struct { int32_t ndim; uint8_t code, bits; uint16_t lanes; int32_t broadcast; uint32_t compact; const int64_t *shape, *strides; } WantedTensor;
typedef struct { const char *name; int32_t kind, bits; const WantedTensor *tensor; } WantedParam;
typedef struct { const char *name; int64_t n; const WantedParam *params; } WantedFunc;
enum { WANT_TENSOR, WANT_INT, WANT_UINT, WANT_FLOAT, WANT_HANDLE };
#define UNKNOWN INT64_MIN

/* ---- what a loader brings */
typedef int (*Lambda) (int task, void *group, void *data);

OPEN void *__tvm_module_ctx = NULL;
OPEN void (*__TVMAPISetLastError) (const char *) = NULL;
OPEN int (*__TVMFuncCall) (void *, Value *, int *, int, Value *, int *) = NULL;
OPEN int (*__TVMBackendGetFuncFromEnv) (void *, const char *, void **) = NULL;
OPEN void *(*__TVMBackendAllocWorkspace) (int, int, uint64_t, int, int) = NULL;
OPEN int (*__TVMBackendFreeWorkspace) (int, int, void *) = NULL;
OPEN int (*__TVMBackendParallelLaunch) (Lambda, void *, int) = NULL;

/* ---- errors */
HIDDEN int
ls_library_fail (const char *format, ...)
{
  char text[1024];
  va_list args;

  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  if (__TVMAPISetLastError != NULL)
    __TVMAPISetLastError (text);
  else
    fprintf (stderr, "%s\n", text);
  return -1;
}

HIDDEN int
ls_runtime_assert_failed (const char *message)
{
  return ls_library_fail ("%s", message);
}

HIDDEN int
ls_abi_mismatch (const char *func, const char *name, const char *what, int dim, int64_t expected, int64_t found)
{
  return ls_library_fail ("Argument %s of %s has the %s %lld in dimension %d; expected %lld.", name, func, what, (long long) found, dim, (long long) expected);
}

HIDDEN int
ls_abi_bounds (const char *buffer, int dim, int64_t index, int64_t extent, int line)
{
  return ls_library_fail ("Index %d of %s is %lld; it goes from 0 to %lld (line %d).%s", dim, buffer, (long long) index, (long long) extent - 1, line,
                          index < 0 ? "  If it has several dimensions, this is the place in memory, and some index has left its own dimension." : "");
}

HIDDEN int
ls_abi_binding (const char *block, const char *iter, int64_t value, int64_t min, int64_t extent, int line)
{
  return ls_library_fail ("%s of block %s is %lld; it goes from %lld to %lld (line %d).", iter, block, (long long) value, (long long) min, (long long) (min + extent - 1), line);
}

HIDDEN int
ls_abi_division (int line)
{
  return ls_library_fail ("A number is divided by zero (line %d).", line);
}

HIDDEN int
ls_abi_memory (const char *name, int64_t bytes)
{
  return ls_library_fail ("There is no memory for %s: %lld bytes.", name, (long long) bytes);
}

/* ---- memory, threads */
HIDDEN void *
ls_workspace_alloc (uint64_t n_bytes)
{
  if (__TVMBackendAllocWorkspace != NULL && __TVMBackendFreeWorkspace != NULL)
    return __TVMBackendAllocWorkspace (1, 0, n_bytes, 0, 8);
  return aligned_alloc (64, (n_bytes + 63) / 64 * 64);
}

HIDDEN void
ls_workspace_free (void *memory)
{
  if (__TVMBackendAllocWorkspace != NULL && __TVMBackendFreeWorkspace != NULL)
    __TVMBackendFreeWorkspace (1, 0, memory);
  else
    free (memory);
}

typedef int (*Body) (int task, int n_tasks, void *closure);
typedef struct { Body body; void *closure; } Tasks;
typedef struct { void *sync; int32_t n; } Group;

HIDDEN int
ls_library_task (int task, void *group, void *data)
{
  return ((Tasks *) data)->body (task, ((Group *) group)->n, ((Tasks *) data)->closure);
}

HIDDEN int
ls_parallel_launch (Body body, void *closure, int n_tasks)
{
  Tasks tasks = { body, closure };

  if (__TVMBackendParallelLaunch == NULL)
    return body (0, 1, closure);
  return __TVMBackendParallelLaunch (ls_library_task, &tasks, n_tasks > 0 ? n_tasks : 0);
}

/* ---- numbers of 16 bits, for processors that have no instruction */
HIDDEN uint16_t
ls_abi_half_from_double (double v)
{
  uint64_t bits;
  int exponent;
  uint64_t mantissa, rest, half;
  uint16_t sign;

  memcpy (&bits, &v, sizeof bits);
  sign = (uint16_t) (bits >> 48 & 0x8000);
  exponent = (int) (bits >> 52 & 0x7ff);
  mantissa = bits & 0xfffffffffffffULL;
  if (exponent == 0x7ff)
    return sign | 0x7c00 | (mantissa != 0 ? 0x200 | (uint16_t) (mantissa >> 42) : 0);
  exponent -= 1023 - 15;
  if (exponent >= 31)
    return sign | 0x7c00;
  if (exponent < -10)
    return sign;
  mantissa |= 1ULL << 52;
  rest = exponent <= 0 ? 43 - exponent : 42;                    /* bits that go */
  half = 1ULL << (rest - 1);
  bits = mantissa >> rest;
  mantissa &= (1ULL << rest) - 1;
  bits += mantissa > half || (mantissa == half && (bits & 1));
  return sign | (uint16_t) (exponent <= 0 ? bits : bits + ((uint64_t) (exponent - 1) << 10));
}

HIDDEN uint16_t
ls_abi_half_from_float (float v)
{
  return ls_abi_half_from_double ((double) v);
}

HIDDEN float
ls_abi_half_to_float (uint16_t bits)
{
  uint32_t exponent = bits >> 10 & 31, mantissa = bits & 0x3ff, out;
  float v;

  if (exponent == 0)
    {
      v = (float) mantissa / 16777216.0f;
      return bits & 0x8000 ? -v : v;
    }
  out = (uint32_t) (bits & 0x8000) << 16 | (exponent == 31 ? 0xffu : exponent + 112) << 23 | mantissa << 13;
  memcpy (&v, &out, sizeof v);
  return v;
}

/* ---- arguments */
static const char *
kind_name (int kind)
{
  static const char *const NAMES[] = { "nothing", "an integer", "a float", "a text", "a handle", "an array" };

  return kind >= 0 && kind <= ARG_TENSOR ? NAMES[kind] : "something unknown";
}

static int
same_type (const WantedTensor *want, Type found)
{
  Type expected = { want->code, want->bits, want->lanes };
  int truth = expected.code == 6 || (expected.code == 1 && expected.bits == 1);

  /* truth values are uint1, uint8 or bool by the version of the caller */
  if (truth)
    return found.lanes == expected.lanes && (found.code == 6 || (found.code == 1 && (found.bits == 1 || found.bits == 8)));
  return found.code == expected.code && found.bits == expected.bits && found.lanes == expected.lanes;
}

static int
open_tensor (const WantedFunc *func, const WantedParam *param, const Arg *arg, int64_t *dims, int64_t *value)
{
  const WantedTensor *want = param->tensor;
  const Tensor *tensor = arg->value.v_handle;
  int64_t step = 1, n = 1;
  unsigned size = (want->bits + 7u) / 8u, alignment;

  if (arg->kind != ARG_TENSOR || tensor == NULL)
    return ls_library_fail ("Argument %s of %s is %s; expected an array.", param->name, func->name, kind_name (arg->kind));
  if (tensor->ndim != want->ndim)
    return ls_library_fail ("Argument %s of %s has %d dimensions; expected %d.", param->name, func->name, tensor->ndim, want->ndim);
  if (!same_type (want, tensor->dtype))
    return ls_library_fail ("Argument %s of %s is of type code %d with %d bits; expected %d with %d.", param->name, func->name, tensor->dtype.code, tensor->dtype.bits,
                            want->code, want->bits);
  if (tensor->device.type != 1)
    return ls_library_fail ("Argument %s of %s is not in the memory of the CPU.", param->name, func->name);
  for (int i = 0; i < want->ndim; i++)
    {
      if (want->shape[i] != UNKNOWN && want->shape[i] != tensor->shape[i])
        return ls_abi_mismatch (func->name, param->name, "extent", i, want->shape[i], tensor->shape[i]);
      dims[i] = tensor->shape[i];
      n *= tensor->shape[i];
    }
  for (int i = want->ndim - 1; i >= 0; i--)
    {
      int64_t stride = tensor->strides != NULL ? tensor->strides[i] : step;

      dims[want->ndim + i] = want->broadcast && tensor->shape[i] == 1 ? 0 : stride;
      if ((want->compact & 1) && stride != step && tensor->shape[i] > 1 && n > 0)
        return ls_abi_mismatch (func->name, param->name, "stride", i, step, stride);
      if (want->strides != NULL && want->strides[i] != UNKNOWN && dims[want->ndim + i] != want->strides[i])
        return ls_abi_mismatch (func->name, param->name, "stride", i, want->strides[i], dims[want->ndim + i]);
      step *= tensor->shape[i];
    }
  if ((want->compact & 2) && n > INT32_MAX - (int64_t) (want->compact >> 2))
    return ls_library_fail ("Argument %s of %s has %lld elements, more than its loops count in int32.", param->name, func->name, (long long) n);
  size = size > 0 ? size : 1;
  alignment = size & -size;
  alignment = alignment < 8 ? alignment : 8;
  *value = tensor->data != NULL ? (int64_t) ((intptr_t) tensor->data + (intptr_t) tensor->byte_offset) : 0;
  if (*value == 0 && n > 0)
    return ls_library_fail ("Argument %s of %s has no memory.", param->name, func->name);
  if (*value % alignment != 0)
    return ls_library_fail ("Argument %s of %s is at an address that is not a multiple of %u bytes.", param->name, func->name, alignment);
  return 0;
}

static int
open_number (const WantedFunc *func, const WantedParam *param, const Arg *arg, int64_t *value)
{
  int is_unsigned = param->kind == WANT_UINT, bits = param->bits;
  int64_t high = bits >= 64 ? INT64_MAX : ((int64_t) 1 << (is_unsigned ? bits : bits - 1)) - 1;
  int64_t low = bits >= 64 ? INT64_MIN : is_unsigned ? 0 : -high - 1;
  double v;

  if (param->kind == WANT_FLOAT)
    {
      if (arg->kind != ARG_INT && arg->kind != ARG_FLOAT)
        return ls_library_fail ("Argument %s of %s is %s; expected a float.", param->name, func->name, kind_name (arg->kind));
      v = arg->kind == ARG_INT ? (double) arg->value.v_int : arg->value.v_float;
      memcpy (value, &v, sizeof v);
      return 0;
    }
  if (arg->kind != ARG_INT)
    return ls_library_fail ("Argument %s of %s is %s; expected an integer.", param->name, func->name, kind_name (arg->kind));
  *value = is_unsigned && bits == 1 ? arg->value.v_int != 0 : arg->value.v_int;
  if (*value < low || *value > high)
    return ls_library_fail ("Argument %s of %s is %lld, which does not fit into %d bits.", param->name, func->name, (long long) *value, bits);
  return 0;
}

HIDDEN int
ls_abi_open (const Arg *args, int n_args, const WantedFunc *func, int64_t *values, int64_t *dims)
{
  int status = 0;

  if (n_args != func->n)
    return ls_library_fail ("%s takes %lld arguments; got %d.", func->name, (long long) func->n, n_args);
  for (int i = 0; i < n_args && status == 0; i++)
    {
      const WantedParam *param = &func->params[i];
      const Tensor *tensor = args[i].value.v_handle;

      if (param->kind == WANT_TENSOR)
        {
          status = open_tensor (func, param, &args[i], dims, &values[i]);
          dims += 2 * param->tensor->ndim;
        }
      else if (param->kind != WANT_HANDLE)
        status = open_number (func, param, &args[i], &values[i]);
      else if (args[i].kind == ARG_TENSOR && tensor != NULL)
        values[i] = (int64_t) ((intptr_t) tensor->data + (intptr_t) tensor->byte_offset);
      else if (args[i].kind == ARG_HANDLE || args[i].kind == ARG_NONE)
        values[i] = (int64_t) (intptr_t) args[i].value.v_handle;
      else
        status = ls_library_fail ("Argument %s of %s is %s; expected a handle or an array.", param->name, func->name, kind_name (args[i].kind));
    }
  return status;
}

/* ---- from TVM's convention to that of the code, and back */
static int
take (Arg *arg, Value value, int code)
{
  *arg = (Arg) { ARG_NONE, 0, value };
  switch (code)
    {
    case CODE_INT: case CODE_UINT: arg->kind = ARG_INT; break;
    case CODE_BOOL: arg->kind = ARG_INT; arg->flags = 1; break;
    case CODE_FLOAT: arg->kind = ARG_FLOAT; break;
    case CODE_HANDLE: arg->kind = ARG_HANDLE; break;
    case CODE_NULL: arg->value.v_handle = NULL; break;
    case CODE_TENSOR: case CODE_NDARRAY: arg->kind = ARG_TENSOR; break;
    case CODE_STRING: arg->kind = ARG_STRING; break;
    default: return ls_library_fail ("An argument has the type code %d, which compiled functions do not take.", code);
    }
  return 0;
}

static void
give (const Arg *arg, Value *value, int *code)
{
  static const int CODES[] = { CODE_NULL, CODE_INT, CODE_FLOAT, CODE_STRING, CODE_HANDLE, CODE_TENSOR };

  *value = arg->value;
  *code = arg->kind == ARG_INT && (arg->flags & 1) ? CODE_BOOL : CODES[arg->kind];
}

HIDDEN int
ls_packed_call (const char *name, const Arg *args, int n_args, Arg *result)
{
  Value values[N_ARGS_HERE], out = { 0 };
  int codes[N_ARGS_HERE], out_code = CODE_NULL;
  void *function = NULL;

  if (__TVMBackendGetFuncFromEnv == NULL || __TVMFuncCall == NULL)
    return ls_library_fail ("%s is called, but the library has no loader that knows packed functions.", name);
  if (n_args > N_ARGS_HERE)
    return ls_library_fail ("%s is called with %d arguments; a library passes %d.", name, n_args, N_ARGS_HERE);
  for (int i = 0; i < n_args; i++)
    give (&args[i], &values[i], &codes[i]);
  if (__TVMBackendGetFuncFromEnv (__tvm_module_ctx, name, &function) != 0 || __TVMFuncCall (function, values, codes, n_args, &out, &out_code) != 0)
    return -1;
  return result != NULL ? take (result, out, out_code) : 0;
}

typedef int (*Entry) (const Arg *args, int n_args, Arg *result, void *closure);

HIDDEN int32_t
ls_library_call (Entry entry, Value *values, int *codes, int n, Value *result, int *result_code)
{
  Arg args[N_ARGS_HERE], out = { ARG_NONE, 0, { 0 } };

  if (n > N_ARGS_HERE)
    return ls_library_fail ("A function of a library takes at most %d arguments; got %d.", N_ARGS_HERE, n);
  for (int i = 0; i < n; i++)
    if (take (&args[i], values[i], codes[i]) != 0)
      return -1;
  if (entry (args, n, &out, NULL) != 0)
    return -1;
  if (result != NULL && result_code != NULL)
    give (&out, result, result_code);
  return 0;
}

#define LS_FUNCTION(i, name) \
  extern int ls_inner_##i (const Arg *, int, Arg *, void *) __asm__ ("\"__ls_" name "\"") __attribute__ ((visibility ("hidden"))); \
  __attribute__ ((visibility ("default"))) int32_t ls_outer_##i (Value *, int *, int, Value *, int *, void *) __asm__ ("\"" name "\""); \
  int32_t ls_outer_##i (Value *args, int *codes, int n, Value *result, int *code, void *resource) \
  { \
    (void) resource; \
    return ls_library_call (ls_inner_##i, args, codes, n, result, code); \
  }
