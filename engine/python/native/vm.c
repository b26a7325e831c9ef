/* vm: Relax executables and the virtual machine that runs them, from Python. */
#include "engine/python/native/native.h"

#include "engine/codegen/vm-build.h"

typedef struct {
  PyObject_HEAD
  LsVMExecutable *executable;
  LsKernel       *kernel;       /* NULL: no code */
  LsVM           *vm;           /* made at the first call */
  PyObject       *instrument;   /* called around calls, or NULL */
  PyObject       *kernels;      /* name -> callable for the functions of TensorIR, which have no code then; or NULL */
} PyExecutable;

/* A value of the machine that Python only hands around: a function of an executable with the first or last of its
 * arguments, or an object of the machine's own. */
typedef struct {
  PyObject_HEAD
  LsVMValue *value;
} PyClosure;

static LsVMValue *to_value (PyObject *value, gboolean anything);
static PyObject *from_value (LsVMValue *value);

static PyTypeObject *executable_type;
static PyTypeObject *closure_type;
static PyTypeObject *opaque_type;
static PyObject *shape_class;
static PyObject *host_functions;        /* a dictionary: those that Python registered */

#define SELF(o) ((PyExecutable *) (o))
#define CLOSURE(o) ((PyClosure *) (o))

static void
closure_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  ls_vm_value_unref (CLOSURE (self)->value);
  release (self);
  Py_DECREF (type);
}

static PyObject *
wrap_value (LsVMValue    *value,
            PyTypeObject *type)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  PyObject *self = alloc (type, 0);

  if (self != NULL)
    CLOSURE (self)->value = ls_vm_value_ref (value);
  return self;
}

static void
executable_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  Py_CLEAR (SELF (self)->instrument);
  Py_CLEAR (SELF (self)->kernels);
  g_clear_pointer (&SELF (self)->vm, ls_vm_free);
  g_clear_pointer (&SELF (self)->kernel, ls_kernel_free);
  g_clear_pointer (&SELF (self)->executable, ls_vm_executable_unref);
  release (self);
  Py_DECREF (type);
}

PyObject *
ls_py_wrap_executable (LsVMExecutable *executable)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (executable_type, Py_tp_alloc);
  PyObject *self = alloc (executable_type, 0);

  if (self == NULL)
    ls_vm_executable_unref (executable);
  else
    SELF (self)->executable = executable;
  return self;
}

/* vm_build (module, target, as_is, no_code): an Executable; no_code: its functions of TensorIR are brought by set_kernels */
PyObject *
ls_py_vm_build (PyObject *module,
                PyObject *args)
{
  PyObject *object;
  const char *target_text;
  int as_is, no_code = 0;
  LsNode *node;
  GError *error = NULL;
  LsTarget *target;
  LsVMBuildOptions options = { 0 };
  LsVMExecutable *executable;

  if (!PyArg_ParseTuple (args, "Osp|p", &object, &target_text, &as_is, &no_code) || (node = ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  target = ls_target_parse (target_text, &error);
  if (target == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  options.as_is = as_is;
  options.no_code = no_code;
  ls_node_ref (node);
  Py_BEGIN_ALLOW_THREADS
  executable = ls_vm_build ((LsModule *) node, target, &options, &error);
  Py_END_ALLOW_THREADS
  ls_node_unref (node);
  ls_target_free (target);
  return executable != NULL ? ls_py_wrap_executable (executable) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* ---- Python functions and objects in the machine ----------------------------------------- */

static void
drop_object (gpointer object)
{
  PyGILState_STATE state;

  if (!Py_IsInitialized ())
    return;
  state = PyGILState_Ensure ();
  Py_DECREF (object);
  PyGILState_Release (state);
}

static gpointer
keep_object (gpointer object)
{
  PyGILState_STATE state = PyGILState_Ensure ();

  Py_INCREF (object);
  PyGILState_Release (state);
  return object;
}

/* A Python function with values of the machine.  What it raises stays where Python keeps it. */
static LsVMValue *
call_object (gpointer    object,
             LsVMValue **args,
             guint       n_args,
             GError    **error)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  PyObject *values = PyTuple_New (n_args), *answer = NULL;
  LsVMValue *result = NULL;

  for (guint i = 0; values != NULL && i < n_args; i++)
    {
      PyObject *value = from_value (args[i]);

      if (value == NULL)
        Py_CLEAR (values);
      else
        PyTuple_SetItem (values, i, value);
    }
  if (values != NULL)
    answer = PyObject_CallObject (object, values);
  if (answer != NULL)
    result = to_value (answer, TRUE);
  if (result == NULL)
    g_set_error_literal (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, "The Python function raised an exception.");
  Py_XDECREF (answer);
  Py_XDECREF (values);
  PyGILState_Release (state);
  return result;
}

static const LsVMObjectClass FUNCTION_CLASS = { drop_object, call_object };
static const LsVMObjectClass OBJECT_CLASS = { drop_object, NULL };

static gboolean
is_python (LsVMValue *value)
{
  return value->object_class == &FUNCTION_CLASS || value->object_class == &OBJECT_CLASS;
}

static gboolean
call_registered (const char  *name,
                 LsVMValue  **args,
                 guint        n_args,
                 LsVMValue  **result,
                 gpointer     self,
                 GError     **error)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  PyObject *function = SELF (self)->kernels != NULL ? PyDict_GetItemString (SELF (self)->kernels, name) : NULL;

  if (function == NULL && host_functions != NULL)
    function = PyDict_GetItemString (host_functions, name);

  Py_XINCREF (function);
  if (function != NULL)
    *result = call_object (function, args, n_args, error);
  Py_XDECREF (function);
  PyGILState_Release (state);
  return function != NULL;
}

/* set_host_functions (dictionary) */
PyObject *
ls_py_set_host_functions (PyObject *module,
                          PyObject *table)
{
  LS_PY_SET (host_functions, Py_NewRef (table));
  Py_RETURN_NONE;
}

/* ---- values ------------------------------------------------------------------------- */

/* NULL with an exception.  `anything`: objects that the machine knows nothing of are carried; else functions only, and
 * what such an object is not likely to be meant as: an array of another library. */
static LsVMValue *
to_value (PyObject *value,
          gboolean  anything)
{
  if (value == Py_None)
    return ls_vm_none ();
  if (ls_py_is_array (value))
    {
      LsNDArray *array = ls_py_array (value);

      return array != NULL ? ls_vm_tensor (ls_ndarray_ref (array)) : NULL;
    }
  if (Py_TYPE (value) == closure_type || Py_TYPE (value) == opaque_type)
    return ls_vm_value_ref (CLOSURE (value)->value);
  if (PyFloat_Check (value))
    return ls_vm_float (PyFloat_AsDouble (value));
  if (PyUnicode_Check (value))
    return ls_vm_string (PyUnicode_AsUTF8AndSize (value, NULL));
  if (shape_class != NULL && PyObject_IsInstance (value, shape_class) == 1)
    {
      Py_ssize_t n = PyTuple_Size (value);
      g_autofree gint64 *dims = g_new0 (gint64, n + 1);

      for (Py_ssize_t i = 0; i < n; i++)
        dims[i] = PyLong_AsLongLong (PyTuple_GetItem (value, i));
      return ls_vm_shape (dims, (guint) n);
    }
  if (PyTuple_Check (value) || PyList_Check (value))
    {
      Py_ssize_t n = PySequence_Size (value), made = 0;
      g_autofree LsVMValue **items = g_new0 (LsVMValue *, n + 1);

      for (; made < n; made++)
        {
          PyObject *item = PySequence_GetItem (value, made);

          items[made] = item != NULL ? to_value (item, anything) : NULL;
          Py_XDECREF (item);
          if (items[made] == NULL)
            break;
        }
      if (made == n)
        return ls_vm_tuple (items, (guint) n);
      while (made-- > 0)
        ls_vm_value_unref (items[made]);
      return NULL;
    }
  if (PyIndex_Check (value))
    {
      PyObject *number = PyNumber_Index (value);
      long long v = number != NULL ? PyLong_AsLongLong (number) : 0;

      Py_XDECREF (number);
      return ls_py_failed () ? NULL : ls_vm_int (v);
    }
  if (PyCallable_Check (value))
    return ls_vm_object (Py_NewRef (value), &FUNCTION_CLASS);
  if (anything || (!PyObject_HasAttrString (value, "__array__") && !PyObject_CheckBuffer (value)))
    return ls_vm_object (Py_NewRef (value), &OBJECT_CLASS);
  PyErr_Format (PyExc_TypeError, "the virtual machine does not take %.200R", value);
  return NULL;
}

static PyObject *
from_value (LsVMValue *value)
{
  PyObject *list, *result;

  switch (value->kind)
    {
    case LS_VM_NONE: break;
    case LS_VM_TENSOR: return ls_py_wrap_array (ls_ndarray_ref (value->tensor));
    case LS_VM_INT: return PyLong_FromLongLong (value->v_int);
    case LS_VM_FLOAT: return PyFloat_FromDouble (value->v_float);
    case LS_VM_STRING: return PyUnicode_FromString (value->string);
    case LS_VM_SHAPE:
    case LS_VM_TUPLE:
      list = PyList_New (value->n);
      for (guint i = 0; list != NULL && i < value->n; i++)
        {
          PyObject *item = value->kind == LS_VM_SHAPE ? PyLong_FromLongLong (value->dims[i]) : from_value (value->items[i]);

          if (item == NULL)
            Py_CLEAR (list);
          else
            PyList_SetItem (list, (Py_ssize_t) i, item);
        }
      if (list == NULL || value->kind == LS_VM_TUPLE || shape_class == NULL)
        return list;
      result = PyObject_CallFunctionObjArgs (shape_class, list, NULL);
      Py_DECREF (list);
      return result;
    case LS_VM_CLOSURE: return wrap_value (value, closure_type);
    case LS_VM_OBJECT: return is_python (value) ? Py_NewRef (value->object) : wrap_value (value, opaque_type);
    }
  Py_RETURN_NONE;
}

/* ---- running --------------------------------------------------------------------------- */

static LsPackedFunc
leave_to_host (const char *name,
               gpointer    unused)
{
  return ls_vm_host_kernel;
}

static gboolean
ensure_vm (PyObject *self)
{
  GError *error = NULL;
  gboolean hosted = SELF (self)->kernels != NULL;
  LsJit *jit;

  if (SELF (self)->vm != NULL)
    return TRUE;
  jit = ls_py_jit (&error);
  if (jit != NULL && SELF (self)->kernel == NULL)
    SELF (self)->kernel = ls_vm_link (jit, SELF (self)->executable, &error);
  if (error == NULL)
    SELF (self)->vm = ls_vm_new (SELF (self)->executable, hosted ? leave_to_host : ls_vm_resolve_kernel, SELF (self)->kernel, &error);
  if (SELF (self)->vm == NULL)
    ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  else
    {
      ls_vm_set_host (SELF (self)->vm, call_registered, self);
      ls_vm_set_keeper (SELF (self)->vm, self, keep_object, drop_object);
    }
  return SELF (self)->vm != NULL;
}

/* Values of a tuple; NULL with an exception. */
static GPtrArray *
values_of (PyObject *args)
{
  GPtrArray *values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

  for (Py_ssize_t i = 0; i < PyTuple_Size (args); i++)
    {
      LsVMValue *value = to_value (PyTuple_GetItem (args, i), FALSE);

      if (value == NULL)
        {
          g_ptr_array_unref (values);
          return NULL;
        }
      g_ptr_array_add (values, value);
    }
  return values;
}

/* Takes the error; what a signal's handler raises goes first.  What does not fit a declared dtype or shape
 * is a ValueError too, another kind of value a TypeError, as in TVM. */
static PyObject *
raise_error (GError *error)
{
  const char *name = g_error_matches (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_DTYPE)
                     || g_error_matches (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE) ? "_ValueMismatch"
                     : g_error_matches (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT) ? "_KindMismatch" : NULL;
  PyObject *module, *class;

  if (error->domain == LS_VM_ASSERTION_ERROR && !ls_py_failed ())
    {
      PyErr_SetString (PyExc_AssertionError, error->message);
      g_error_free (error);
      return NULL;
    }
  if (ls_py_failed () || (PyErr_CheckSignals () == 0 && name == NULL))
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  module = PyErr_Occurred () == NULL ? PyImport_ImportModule ("tvm.error") : NULL;
  class = module != NULL ? PyObject_GetAttrString (module, name) : NULL;
  if (class != NULL)
    PyErr_SetString (class, error->message);
  Py_XDECREF (class);
  Py_XDECREF (module);
  g_error_free (error);
  return NULL;
}

/* The function of this name, or the closure when there is no name. */
static PyObject *
call_with (PyObject   *self,
           const char *name,
           LsVMValue  *closure,
           PyObject   *list)
{
  PyObject *answer;
  GPtrArray *values = ensure_vm (self) ? values_of (list) : NULL;
  GError *error = NULL;
  LsVMValue *result;

  if (values == NULL)
    return NULL;
  if (!ls_py_call_begin ())
    {
      g_ptr_array_unref (values);
      return NULL;
    }
  Py_BEGIN_ALLOW_THREADS
  result = name != NULL ? ls_vm_call (SELF (self)->vm, name, (LsVMValue **) values->pdata, values->len, &error)
           : ls_vm_call_closure (SELF (self)->vm, closure, (LsVMValue **) values->pdata, values->len, &error);
  Py_END_ALLOW_THREADS
  ls_interrupt_end ();
  g_ptr_array_unref (values);
  if (result == NULL)
    return raise_error (error);
  answer = ls_py_failed () ? NULL : from_value (result);
  ls_vm_value_unref (result);
  return answer;
}

/* call (name, args) */
static PyObject *
executable_call (PyObject *self,
                 PyObject *args)
{
  const char *name;
  PyObject *list;

  return PyArg_ParseTuple (args, "sO!", &name, &PyTuple_Type, &list) ? call_with (self, name, NULL, list) : NULL;
}

/* invoke (closure, args) */
static PyObject *
executable_invoke (PyObject *self,
                   PyObject *args)
{
  PyObject *closure, *list;

  return PyArg_ParseTuple (args, "O!O!", closure_type, &closure, &PyTuple_Type, &list) ? call_with (self, NULL, CLOSURE (closure)->value, list) : NULL;
}

/* instrument (name, before, result, *args): 0 goes on, 1 skips the call. */
static LsVMInstrumentAnswer
ask_python (const char  *name,
            LsVMValue   *result,
            LsVMValue  **args,
            guint        n_args,
            gpointer     instrument)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  PyObject *values = PyTuple_New (n_args + 3), *answer = NULL;
  LsVMInstrumentAnswer said = LS_VM_INSTRUMENT_FAIL;

  if (values != NULL)
    {
      PyTuple_SetItem (values, 0, PyUnicode_FromString (name));
      PyTuple_SetItem (values, 1, PyBool_FromLong (result == NULL));
      PyTuple_SetItem (values, 2, result != NULL ? from_value (result) : Py_NewRef (Py_None));
      for (guint i = 0; i < n_args; i++)
        PyTuple_SetItem (values, i + 3, from_value (args[i]));
      if (!ls_py_failed ())
        answer = PyObject_CallObject (instrument, values);
      Py_DECREF (values);
    }
  if (answer != NULL)
    {
      long number = answer == Py_None ? 0 : PyLong_AsLong (answer);

      if (!ls_py_failed ())
        said = number == 1 ? LS_VM_INSTRUMENT_SKIP : LS_VM_INSTRUMENT_RUN;
      Py_DECREF (answer);
    }
  PyGILState_Release (state);
  return said;
}

/* instrument (callable or None) */
static PyObject *
executable_instrument (PyObject *self,
                       PyObject *value)
{
  PyObject *old = SELF (self)->instrument;

  if (!ensure_vm (self))
    return NULL;
  SELF (self)->instrument = value == Py_None ? NULL : Py_NewRef (value);
  ls_vm_set_instrument (SELF (self)->vm, value == Py_None ? NULL : ask_python, value);
  Py_XDECREF (old);
  Py_RETURN_NONE;
}

/* A value as profilers show arguments. */
static PyObject *
trace_of (LsVMValue *value)
{
  g_autofree char *text = value->kind == LS_VM_TENSOR ? ls_tensor_describe (&value->tensor->tensor) : NULL;

  return PyUnicode_FromString (text != NULL ? text : "");
}

static void
note_trace (const char  *name,
            LsVMValue  **args,
            guint        n_args,
            gint64       ns,
            gpointer     list)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  PyObject *shown = PyList_New (0), *row;

  for (guint i = 0; i < n_args; i++)
    if (args[i]->kind == LS_VM_TENSOR)
      {
        PyObject *text = trace_of (args[i]);

        PyList_Append (shown, text);
        Py_XDECREF (text);
      }
  row = Py_BuildValue ("sLN", name, (long long) ns, shown);
  if (row != NULL)
    PyList_Append (list, row);
  Py_XDECREF (row);
  PyGILState_Release (state);
}

/* profile (name, args): a list of (function, nanoseconds, [tensor]) for each instruction that was run */
static PyObject *
executable_profile (PyObject *self,
                    PyObject *args)
{
  const char *name;
  PyObject *list, *trace, *answer;

  if (!PyArg_ParseTuple (args, "sO!", &name, &PyTuple_Type, &list) || !ensure_vm (self))
    return NULL;
  trace = PyList_New (0);
  ls_vm_set_trace (SELF (self)->vm, note_trace, trace);
  answer = call_with (self, name, NULL, list);
  ls_vm_set_trace (SELF (self)->vm, NULL, NULL);
  if (answer == NULL)
    Py_CLEAR (trace);
  Py_XDECREF (answer);
  return trace;
}

/* vm_builtin (name, args): what a function of the machine gives; vm_has_builtin tells whether there is one */
PyObject *
ls_py_vm_builtin (PyObject *module,
                  PyObject *args)
{
  const char *name;
  PyObject *list, *answer = NULL;
  GPtrArray *values;
  GError *error = NULL;
  LsVMValue *result = NULL;
  gboolean known;

  if (!PyArg_ParseTuple (args, "sO!", &name, &PyTuple_Type, &list) || (values = values_of (list)) == NULL)
    return NULL;
  known = ls_vm_call_builtin (name, (LsVMValue **) values->pdata, values->len, &result, &error);
  g_ptr_array_unref (values);
  if (!known)
    return PyErr_Format (PyExc_ValueError, "Cannot find global function %s", name);
  if (result == NULL)
    return raise_error (error);
  answer = from_value (result);
  ls_vm_value_unref (result);
  return answer;
}

/* vm_has_builtin (name): whether the machine has a function of this name */
PyObject *
ls_py_vm_has_builtin (PyObject *module,
                      PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);

  return name != NULL ? PyBool_FromLong (ls_vm_has_builtin (name)) : NULL;
}

/* time (name, args, number, repeat, min_repeat_ms): seconds per call */
static PyObject *
executable_time (PyObject *self,
                 PyObject *args)
{
  const char *name;
  PyObject *list, *times;
  int number, repeat, least;
  GPtrArray *values;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "sO!iii", &name, &PyTuple_Type, &list, &number, &repeat, &least) || !ensure_vm (self)
      || (values = values_of (list)) == NULL)
    return NULL;
  if (!ls_py_call_begin ())
    {
      g_ptr_array_unref (values);
      return NULL;
    }
  times = PyList_New (0);
  for (int r = 0; times != NULL && error == NULL && r <= repeat; r++)
    {
      gint64 calls = r == 0 ? 1 : MAX (number, 1), start, spent;

      Py_BEGIN_ALLOW_THREADS
      for (;;)
        {
          start = ls_clock_ns ();
          for (gint64 i = 0; i < calls && error == NULL; i++)
            {
              LsVMValue *result = ls_vm_call (SELF (self)->vm, name, (LsVMValue **) values->pdata, values->len, &error);

              if (result != NULL)
                ls_vm_value_unref (result);
            }
          spent = ls_clock_ns () - start;
          if (r == 0 || error != NULL || spent >= (gint64) least * 1000000)
            break;
          calls *= 2;
        }
      Py_END_ALLOW_THREADS
      if (r > 0 && error == NULL)
        {
          PyObject *item = PyFloat_FromDouble ((double) spent / 1e9 / (double) calls);

          PyList_Append (times, item);
          Py_XDECREF (item);
        }
    }
  ls_interrupt_end ();
  g_ptr_array_unref (values);
  if (error == NULL && !ls_py_failed ())
    return times;
  Py_XDECREF (times);
  return raise_error (error);
}

static PyObject *
executable_text (PyObject *self,
                 PyObject *unused)
{
  return ls_py_text (ls_vm_executable_print (SELF (self)->executable));
}

static PyObject *
executable_functions (PyObject *self,
                      void     *closure)
{
  PyObject *list = PyList_New (0);
  GPtrArray *functions = SELF (self)->executable->functions;

  for (guint i = 0; list != NULL && i < functions->len; i++)
    {
      LsVMFunction *function = functions->pdata[i];
      PyObject *name = function->is_private ? NULL : PyUnicode_FromString (function->name);

      if (name != NULL)
        PyList_Append (list, name);
      Py_XDECREF (name);
    }
  return list;
}

/* params (name): the names of the parameters of a function, or None when there is none of the name */
static PyObject *
executable_params (PyObject *self,
                   PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);
  int at = name != NULL ? ls_vm_executable_find (SELF (self)->executable, name) : -1;
  LsVMFunction *function;
  PyObject *list;

  if (name == NULL)
    return NULL;
  if (at < 0)
    Py_RETURN_NONE;
  function = SELF (self)->executable->functions->pdata[at];
  list = PyList_New (0);
  for (guint i = 0; list != NULL && i < function->n_params; i++)
    {
      const char *param = function->params[i];
      PyObject *text = PyUnicode_FromStringAndSize (param, (Py_ssize_t) strcspn (param, ":"));

      if (text == NULL || PyList_Append (list, text) < 0)
        Py_CLEAR (list);
      Py_XDECREF (text);
    }
  return list;
}

/* save () -> bytes */
static PyObject *
executable_save (PyObject *self,
                 PyObject *unused)
{
  g_autoptr (GBytes) bytes = ls_vm_executable_save (SELF (self)->executable);
  gsize n;
  const char *data = g_bytes_get_data (bytes, &n);

  return PyBytes_FromStringAndSize (data, (Py_ssize_t) n);
}

/* kernel (name): a compiled PrimFunc as a Function, or None */
static PyObject *
executable_kernel (PyObject *self,
                   PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);
  LsPackedFunc func;

  if (name == NULL || !ensure_vm (self))
    return NULL;
  func = SELF (self)->kernel != NULL ? ls_kernel_get (SELF (self)->kernel, name) : NULL;
  if (func == NULL)
    Py_RETURN_NONE;
  return ls_py_function (name, func, NULL, self);
}

/* set_kernels (dictionary): before the first call; what runs the functions of TensorIR of an executable that was built without code */
static PyObject *
executable_set_kernels (PyObject *self,
                        PyObject *table)
{
  if (!PyDict_Check (table) || SELF (self)->vm != NULL)
    return PyErr_Format (PyExc_ValueError, "a dictionary of functions is expected, before the first call");
  Py_CLEAR (SELF (self)->kernels);
  SELF (self)->kernels = Py_NewRef (table);
  Py_RETURN_NONE;
}

/* vm_load (bytes) */
PyObject *
ls_py_vm_load (PyObject *module,
               PyObject *value)
{
  char *data;
  Py_ssize_t n;
  g_autoptr (GBytes) bytes = NULL;
  GError *error = NULL;
  LsVMExecutable *executable;

  if (PyBytes_AsStringAndSize (value, &data, &n) < 0)
    return NULL;
  bytes = g_bytes_new (data, (gsize) n);
  executable = ls_vm_executable_load (bytes, &error);
  return executable != NULL ? ls_py_wrap_executable (executable) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyMethodDef executable_methods[] = {
  { "call", executable_call, METH_VARARGS, "call(name, args)" },
  { "invoke", executable_invoke, METH_VARARGS, "invoke(closure, args)" },
  { "instrument", executable_instrument, METH_O, "instrument(callable or None): sees every call" },
  { "profile", executable_profile, METH_VARARGS, "profile(name, args): (function, nanoseconds, [tensor]) of what ran" },
  { "time", executable_time, METH_VARARGS, "time(name, args, number, repeat, min_repeat_ms)" },
  { "text", executable_text, METH_NOARGS, "The code as text." },
  { "params", executable_params, METH_O, "The names of a function's parameters, or None." },
  { "save", executable_save, METH_NOARGS, "As bytes." },
  { "set_kernels", executable_set_kernels, METH_O, "set_kernels(dictionary): what runs the functions of TensorIR" },
  { "kernel", executable_kernel, METH_O, "A compiled PrimFunc, or None." },
  { NULL, NULL, 0, NULL },
};

static PyGetSetDef executable_getset[] = {
  { "functions", executable_functions, NULL, "The names of its functions.", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot executable_slots[] = {
  { Py_tp_dealloc, executable_dealloc },
  { Py_tp_methods, executable_methods },
  { Py_tp_getset, executable_getset },
  { Py_tp_doc, "A Relax program ready to run." },
  { 0, NULL },
};

static PyType_Spec executable_spec = { "_loopscope_native.Executable", sizeof (PyExecutable), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, executable_slots };

static PyType_Slot closure_slots[] = {
  { Py_tp_dealloc, closure_dealloc },
  { Py_tp_doc, "A function of an executable with some of its arguments; VirtualMachine.invoke_closure calls it." },
  { 0, NULL },
};

static PyType_Spec closure_spec = { "_loopscope_native.Closure", sizeof (PyClosure), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, closure_slots };

/* object (arguments...): an object that can be called is called. */
static PyObject *
opaque_call (PyObject *self,
             PyObject *args,
             PyObject *kwargs)
{
  LsVMValue *value = CLOSURE (self)->value, *result;
  PyObject *answer;
  GError *error = NULL;
  GPtrArray *values;

  if (value->object_class->call == NULL)
    return PyErr_Format (PyExc_TypeError, "the object is no function");
  values = values_of (args);
  if (values == NULL)
    return NULL;
  result = value->object_class->call (value->object, (LsVMValue **) values->pdata, values->len, &error);
  g_ptr_array_unref (values);
  if (result == NULL)
    return raise_error (error);
  answer = from_value (result);
  ls_vm_value_unref (result);
  return answer;
}

static PyType_Slot opaque_slots[] = {
  { Py_tp_dealloc, closure_dealloc },
  { Py_tp_call, opaque_call },
  { Py_tp_doc, "An object of the virtual machine: a paged cache, or a compiled function as a value." },
  { 0, NULL },
};

static PyType_Spec opaque_spec = { "_loopscope_native.Object", sizeof (PyClosure), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, opaque_slots };

PyObject *
ls_py_set_shape_class (PyObject *module,
                       PyObject *cls)
{
  LS_PY_SET (shape_class, Py_NewRef (cls));
  Py_RETURN_NONE;
}

gboolean
ls_py_vm_init (PyObject *module)
{
  closure_type = ls_py_add_type (module, &closure_spec, NULL);
  opaque_type = ls_py_add_type (module, &opaque_spec, NULL);
  executable_type = ls_py_add_type (module, &executable_spec, NULL);
  return executable_type != NULL && closure_type != NULL && opaque_type != NULL;
}
