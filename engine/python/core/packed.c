/* packed: values of Python as arguments of packed functions, and Python functions in the registry.
 *
 * A Python function that was registered is called with the lock held; what it raises reaches the outer caller as it is.
 * Limits: arguments are numbers, texts and arrays.
 */
#include "engine/python/core/runtime-python.h"

#include <string.h>

/* ---- arguments of packed functions --------------------------------------------------------- */

/* ctypes.c_void_p, a new reference to the class. */
static PyObject *
handle_class (void)
{
  PyObject *ctypes = PyImport_ImportModule ("ctypes");
  PyObject *found = ctypes != NULL ? PyObject_GetAttrString (ctypes, "c_void_p") : NULL;

  Py_XDECREF (ctypes);
  return found;
}

/* An address as ctypes.c_void_p. */
static gboolean
take_handle (PyObject *value,
             LsArg    *arg)
{
  PyObject *pointer = handle_class ();
  gboolean is_handle = pointer != NULL && PyObject_IsInstance (value, pointer) == 1;
  PyObject *address = is_handle ? PyObject_GetAttrString (value, "value") : NULL;

  if (address != NULL)
    {
      arg->kind = LS_ARG_HANDLE;
      arg->v_handle = address != Py_None ? PyLong_AsVoidPtr (address) : NULL;
    }
  Py_XDECREF (address);
  Py_XDECREF (pointer);
  return is_handle;
}

gboolean
ls_py_to_arg (PyObject *value,
              LsArg    *arg)
{
  *arg = (LsArg) { LS_ARG_NONE, 0, { 0 } };
  if (value == Py_None)
    return TRUE;
  if (ls_py_is_array (value))
    {
      LsNDArray *array = ls_py_array (value);

      if (array == NULL)
        return FALSE;
      arg->kind = LS_ARG_TENSOR;
      arg->v_tensor = &array->tensor;
    }
  else if (PyFloat_Check (value))
    {
      arg->kind = LS_ARG_FLOAT;
      arg->v_float = PyFloat_AsDouble (value);
    }
  else if (PyUnicode_Check (value))
    {
      arg->kind = LS_ARG_STRING;
      arg->v_string = PyUnicode_AsUTF8AndSize (value, NULL);
    }
  else if (PyIndex_Check (value))
    {
      PyObject *number = PyNumber_Index (value);

      arg->kind = LS_ARG_INT;
      arg->flags = PyBool_Check (value) ? LS_ARG_IS_BOOL : 0;
      arg->v_int = number != NULL ? PyLong_AsLongLong (number) : 0;
      Py_XDECREF (number);
    }
  else if (PyObject_HasAttrString (value, "__float__"))
    {
      PyObject *number = PyNumber_Float (value);

      arg->kind = LS_ARG_FLOAT;
      arg->v_float = number != NULL ? PyFloat_AsDouble (number) : 0;
      Py_XDECREF (number);
    }
  else if (!take_handle (value, arg))
    PyErr_Format (PyExc_TypeError, "a packed function does not take %.200R", value);
  return !ls_py_failed ();
}

typedef struct {
  gint64 shape[LS_NDARRAY_MAX_NDIM];
  gint64 strides[LS_NDARRAY_MAX_NDIM];
} Borrowed;

static void
release_borrowed (LsDLManagedTensor *managed)
{
  g_free (managed->manager_ctx);
  g_free (managed);
}

/* An array that shows a tensor which belongs to the caller. */
static PyObject *
borrow_tensor (const LsDLTensor *tensor)
{
  LsDLManagedTensor *managed = g_new0 (LsDLManagedTensor, 1);
  Borrowed *numbers = g_new0 (Borrowed, 1);
  GError *error = NULL;
  LsNDArray *array;

  managed->dl_tensor = *tensor;
  memcpy (numbers->shape, tensor->shape, sizeof (gint64) * (gsize) tensor->ndim);
  managed->dl_tensor.shape = numbers->shape;
  if (tensor->strides != NULL)
    {
      memcpy (numbers->strides, tensor->strides, sizeof (gint64) * (gsize) tensor->ndim);
      managed->dl_tensor.strides = numbers->strides;
    }
  managed->manager_ctx = numbers;
  managed->deleter = release_borrowed;
  array = ls_ndarray_from_dlpack (managed, &error);
  return array != NULL ? ls_py_wrap_array (array) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* An address as Python knows them: ctypes.c_void_p, None where there is none. */
static PyObject *
wrap_handle (void *address)
{
  PyObject *made, *pointer;

  if (address == NULL)
    Py_RETURN_NONE;
  pointer = handle_class ();
  made = pointer != NULL ? PyObject_CallFunction (pointer, "N", PyLong_FromVoidPtr (address)) : NULL;
  Py_XDECREF (pointer);
  return made;
}

PyObject *
ls_py_from_arg (const LsArg *arg)
{
  switch ((LsArgKind) arg->kind)
    {
    case LS_ARG_NONE: break;
    case LS_ARG_INT: return (arg->flags & LS_ARG_IS_BOOL) != 0 ? PyBool_FromLong (arg->v_int != 0) : PyLong_FromLongLong (arg->v_int);
    case LS_ARG_FLOAT: return PyFloat_FromDouble (arg->v_float);
    case LS_ARG_STRING: return PyUnicode_FromString (arg->v_string);
    case LS_ARG_HANDLE: return wrap_handle (arg->v_handle);
    case LS_ARG_TENSOR: return borrow_tensor (arg->v_tensor);
    }
  Py_RETURN_NONE;
}

/* ---- Python functions as packed functions ----------------------------------------------------- */

/* A Python object that kept an array of the caller's beyond the call gets a copy of its own. */
static void
detach_arrays (PyObject *values)
{
  for (Py_ssize_t i = 0; i < PyTuple_Size (values); i++)
    ls_py_array_detach (PyTuple_GetItem (values, i));
}

static int
call_python (const LsArg *args,
             int          n_args,
             LsArg       *result,
             void        *closure)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  PyObject *values = PyTuple_New (n_args);
  PyObject *answer = NULL;
  int status = -1;

  for (int i = 0; values != NULL && i < n_args; i++)
    {
      PyObject *value = ls_py_from_arg (&args[i]);

      if (value == NULL)
        Py_CLEAR (values);
      else
        PyTuple_SetItem (values, i, value);
    }
  if (values != NULL)
    answer = PyObject_CallObject (closure, values);
  if (answer != NULL)
    detach_arrays (values);
  if (answer != NULL && ls_py_to_arg (answer, result))
    {
      status = 0;
      if (result->kind == LS_ARG_STRING)
        result->v_string = g_intern_string (result->v_string);
      else if (result->kind == LS_ARG_TENSOR)
        result->v_tensor = (LsDLTensor *) ls_ndarray_ref (ls_py_array (answer));
    }
  else
    ls_runtime_fail ("The Python function raised an exception.");
  if (values != NULL)
    {
      PyObject *type, *value, *trace;

      PyErr_Fetch (&type, &value, &trace);
      detach_arrays (values);
      PyErr_Restore (type, value, trace);
    }
  Py_XDECREF (answer);
  Py_XDECREF (values);
  PyGILState_Release (state);
  return status;
}

static void
drop_python (gpointer closure)
{
  PyGILState_STATE state;

  if (!Py_IsInitialized ())
    return;
  state = PyGILState_Ensure ();
  Py_DECREF (closure);
  PyGILState_Release (state);
}

/* register (name, function, override) */
static PyObject *
py_register (PyObject *module,
             PyObject *args)
{
  const char *name;
  PyObject *func;
  int override;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "sOp", &name, &func, &override))
    return NULL;
  if (!ls_registry_register (name, call_python, Py_NewRef (func), drop_python, override, &error))
    {
      Py_DECREF (func);
      return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
    }
  Py_RETURN_NONE;
}

static PyObject *
py_unregister (PyObject *module,
               PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);

  return name != NULL ? PyBool_FromLong (ls_registry_remove (name)) : NULL;
}

static PyObject *
py_registered (PyObject *module,
               PyObject *unused)
{
  g_auto (GStrv) names = ls_registry_list ();
  PyObject *list = PyList_New (0);

  for (guint i = 0; list != NULL && names[i] != NULL; i++)
    {
      PyObject *name = PyUnicode_FromString (names[i]);

      PyList_Append (list, name);
      Py_XDECREF (name);
    }
  return list;
}

PyMethodDef ls_py_packed_methods[] = {
  { "register", py_register, METH_VARARGS, "register(name, function, override)" },
  { "unregister", py_unregister, METH_O, "Removes a packed function." },
  { "registered", py_registered, METH_NOARGS, "The names of all packed functions." },
  { NULL, NULL, 0, NULL },
};
