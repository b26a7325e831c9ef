/* runtime: arrays, packed functions and timing as Python objects.
 *
 * NDArray wraps an LsNDArray and shows its memory through the buffer protocol and DLPack without copying.  Function is
 * any packed function: compiled code that its owner keeps alive, or a name of the registry.  A Python function that
 * was registered is called with the lock held; what it raises reaches the outer caller as it is.
 */
#include "engine/python/core/runtime-python.h"

#include <string.h>

typedef struct {
  PyObject_HEAD
  LsNDArray *array;
} PyNDArray;

static PyTypeObject *array_type;
static PyTypeObject *function_type;
static PyObject *array_class;   /* Python's subclass */

#define ARRAY(o) (((PyNDArray *) (o))->array)

PyObject *
ls_py_wrap_array (LsNDArray *array)
{
  PyTypeObject *type = array_class != NULL ? (PyTypeObject *) array_class : array_type;
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  PyObject *self = alloc (type, 0);

  if (self == NULL)
    ls_ndarray_unref (array);
  else
    ARRAY (self) = array;
  return self;
}

LsNDArray *
ls_py_array (PyObject *object)
{
  if (PyObject_TypeCheck (object, array_type) && ARRAY (object) != NULL)
    return ARRAY (object);
  PyErr_Format (PyExc_TypeError, "%.200R is no NDArray", object);
  return NULL;
}

gboolean
ls_py_is_array (PyObject *object)
{
  return PyObject_TypeCheck (object, array_type);
}

static void
array_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  if (ARRAY (self) != NULL)
    ls_ndarray_unref (ARRAY (self));
  release (self);
  Py_DECREF (type);
}

/* ---- shape, type -------------------------------------------------------------------- */

static int
shape_arg (PyObject *value,
           gint64   *shape)
{
  Py_ssize_t n = PySequence_Check (value) ? PySequence_Size (value) : -1;

  if (n < 0 || n > LS_NDARRAY_MAX_NDIM)
    {
      PyErr_Format (PyExc_ValueError, "a shape is a list of at most %d numbers", LS_NDARRAY_MAX_NDIM);
      return -1;
    }
  for (Py_ssize_t i = 0; i < n; i++)
    {
      PyObject *item = PySequence_GetItem (value, i);
      PyObject *number = item != NULL ? PyNumber_Index (item) : NULL;

      shape[i] = number != NULL ? PyLong_AsLongLong (number) : -1;
      Py_XDECREF (item);
      Py_XDECREF (number);
      if (ls_py_failed ())
        return -1;
    }
  return (int) n;
}

/* empty (shape, dtype) */
static PyObject *
py_empty (PyObject *module,
          PyObject *args)
{
  PyObject *list;
  const char *name;
  gint64 shape[LS_NDARRAY_MAX_NDIM];
  LsDLDataType dtype;
  GError *error = NULL;
  LsNDArray *array;
  int ndim;

  if (!PyArg_ParseTuple (args, "Os", &list, &name) || (ndim = shape_arg (list, shape)) < 0)
    return NULL;
  array = ls_dl_dtype_parse (name, &dtype, &error) ? ls_ndarray_new (ndim, shape, dtype, &error) : NULL;
  return array != NULL ? ls_py_wrap_array (array) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyObject *
array_shape (PyObject *self,
             void     *closure)
{
  LsDLTensor *tensor = &ARRAY (self)->tensor;
  PyObject *shape = PyTuple_New (tensor->ndim);

  for (int i = 0; shape != NULL && i < tensor->ndim; i++)
    PyTuple_SetItem (shape, i, PyLong_FromLongLong (tensor->shape[i]));
  return shape;
}

static PyObject *
array_strides (PyObject *self,
               void     *closure)
{
  LsDLTensor *tensor = &ARRAY (self)->tensor;
  PyObject *strides;

  if (tensor->strides == NULL)
    Py_RETURN_NONE;
  strides = PyTuple_New (tensor->ndim);
  for (int i = 0; strides != NULL && i < tensor->ndim; i++)
    PyTuple_SetItem (strides, i, PyLong_FromLongLong (tensor->strides[i]));
  return strides;
}

static PyObject *
array_dtype (PyObject *self,
             void     *closure)
{
  return ls_py_text (ls_dl_dtype_print (ARRAY (self)->tensor.dtype));
}

static PyObject *
array_address (PyObject *self,
               void     *closure)
{
  LsDLTensor *tensor = &ARRAY (self)->tensor;

  return PyLong_FromVoidPtr ((char *) tensor->data + tensor->byte_offset);
}

/* ---- the buffer protocol --------------------------------------------------------------- */

static const char *
buffer_format (LsDLDataType t)
{
  static const char *const INTS[] = { "b", "h", "i", "q" };
  static const char *const UINTS[] = { "B", "H", "I", "Q" };
  int size = t.bits == 8 ? 0 : t.bits == 16 ? 1 : t.bits == 32 ? 2 : t.bits == 64 ? 3 : -1;

  if (t.lanes != 1)
    return NULL;
  switch ((int) t.code)
    {
    case LS_DL_INT: return size >= 0 ? INTS[size] : NULL;
    case LS_DL_UINT: return t.bits == 1 ? "?" : size >= 0 ? UINTS[size] : NULL;
    case LS_DL_FLOAT: return t.bits == 16 ? "e" : t.bits == 32 ? "f" : t.bits == 64 ? "d" : NULL;
    case LS_DL_BOOL: return "?";
    case LS_DL_BFLOAT: return "H";
    default: return NULL;
    }
}

static int
array_get_buffer (PyObject  *self,
                  Py_buffer *view,
                  int        flags)
{
  LsDLTensor *tensor = &ARRAY (self)->tensor;
  const char *format = buffer_format (tensor->dtype);
  Py_ssize_t size = (Py_ssize_t) ls_dl_dtype_size (tensor->dtype);
  Py_ssize_t *numbers;

  view->obj = NULL;
  if (format == NULL)
    {
      PyErr_SetString (PyExc_BufferError, "an array of this type has no format of the buffer protocol");
      return -1;
    }
  if (!ls_tensor_is_compact (tensor) && (flags & PyBUF_STRIDES) != PyBUF_STRIDES)
    {
      PyErr_SetString (PyExc_BufferError, "the array is not compact");
      return -1;
    }
  numbers = g_new (Py_ssize_t, 2 * tensor->ndim + 1);
  for (int i = 0; i < tensor->ndim; i++)
    numbers[i] = (Py_ssize_t) tensor->shape[i];
  for (int i = tensor->ndim; i-- > 0;)
    numbers[tensor->ndim + i] = tensor->strides != NULL     ? (Py_ssize_t) tensor->strides[i] * size
                                : i == tensor->ndim - 1 ? size
                                                        : numbers[tensor->ndim + i + 1] * numbers[i + 1];
  view->buf = (char *) tensor->data + tensor->byte_offset;
  view->obj = Py_NewRef (self);
  view->len = (Py_ssize_t) ls_tensor_n_elements (tensor) * size;
  view->itemsize = size;
  view->readonly = 0;
  view->ndim = tensor->ndim;
  view->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? (char *) format : NULL;
  view->shape = (flags & PyBUF_ND) == PyBUF_ND ? numbers : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? numbers + tensor->ndim : NULL;
  view->suboffsets = NULL;
  view->internal = numbers;
  return 0;
}

static void
array_release_buffer (PyObject  *self,
                      Py_buffer *view)
{
  g_free (view->internal);
}

static gboolean
parse_format (const char   *format,
              Py_ssize_t    size,
              LsDLDataType *dtype)
{
  char c;

  if (format == NULL)
    format = "B";
  if (*format == '@' || *format == '=' || *format == '<')
    format++;
  c = *format;
  if (format[0] == '\0' || format[1] != '\0')
    return FALSE;
  dtype->bits = (guint8) (size * 8);
  dtype->lanes = 1;
  if (strchr ("bhilqn", c) != NULL)
    dtype->code = LS_DL_INT;
  else if (strchr ("BHILQN", c) != NULL)
    dtype->code = LS_DL_UINT;
  else if (strchr ("efd", c) != NULL)
    dtype->code = LS_DL_FLOAT;
  else if (c == '?')
    dtype->code = LS_DL_BOOL;
  else
    return FALSE;
  return TRUE;
}

/* array (buffer): a copy of what supports the buffer protocol */
static PyObject *
py_array (PyObject *module,
          PyObject *object)
{
  Py_buffer view;
  LsDLDataType dtype;
  gint64 shape[LS_NDARRAY_MAX_NDIM];
  gint64 strides[LS_NDARRAY_MAX_NDIM];
  LsDLTensor tensor = { 0 };
  GError *error = NULL;
  LsNDArray *array;

  if (PyObject_GetBuffer (object, &view, PyBUF_STRIDES | PyBUF_FORMAT) < 0)
    return NULL;
  if (view.ndim > LS_NDARRAY_MAX_NDIM || !parse_format (view.format, view.itemsize, &dtype))
    {
      PyErr_Format (PyExc_TypeError, "elements of the format %s have no type here", view.format != NULL ? view.format : "B");
      PyBuffer_Release (&view);
      return NULL;
    }
  for (int i = 0; i < view.ndim; i++)
    {
      shape[i] = view.shape[i];
      strides[i] = view.itemsize > 0 ? view.strides[i] / view.itemsize : 0;
      if (view.itemsize > 0 && view.strides[i] % view.itemsize != 0)
        PyErr_SetString (PyExc_TypeError, "the elements are not aligned");
    }
  tensor = (LsDLTensor) { view.buf, { LS_DL_CPU, 0 }, view.ndim, dtype, shape, strides, 0 };
  array = ls_py_failed () ? NULL : ls_ndarray_copy (&tensor, &error);
  PyBuffer_Release (&view);
  return array != NULL ? ls_py_wrap_array (array) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* copy_from (buffer): elements; shapes and types must agree */
static PyObject *
array_copy_from (PyObject *self,
                 PyObject *object)
{
  PyObject *other = PyObject_TypeCheck (object, array_type) ? Py_NewRef (object) : py_array (NULL, object);
  GError *error = NULL;
  gboolean done;

  if (other == NULL)
    return NULL;
  done = ls_tensor_copy_into (&ARRAY (other)->tensor, &ARRAY (self)->tensor, &error);
  Py_DECREF (other);
  if (!done)
    {
      PyErr_SetString (PyExc_ValueError, error->message);
      g_error_free (error);
      return NULL;
    }
  Py_RETURN_NONE;
}

static PyObject *
array_copy (PyObject *self,
            PyObject *unused)
{
  GError *error = NULL;
  LsNDArray *copy = ls_ndarray_copy (&ARRAY (self)->tensor, &error);

  return copy != NULL ? ls_py_wrap_array (copy) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* view (shape) of a compact array */
static PyObject *
array_view (PyObject *self,
            PyObject *list)
{
  gint64 shape[LS_NDARRAY_MAX_NDIM];
  int ndim = shape_arg (list, shape);
  GError *error = NULL;
  LsNDArray *view;

  if (ndim < 0)
    return NULL;
  view = ls_ndarray_view (ARRAY (self), ndim, shape, NULL, 0, &error);
  return view != NULL ? ls_py_wrap_array (view) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* ---- DLPack ---------------------------------------------------------------------------- */

static void
capsule_destructor (PyObject *capsule)
{
  LsDLManagedTensor *managed;

  if (!PyCapsule_IsValid (capsule, "dltensor"))
    return;
  managed = PyCapsule_GetPointer (capsule, "dltensor");
  if (managed != NULL && managed->deleter != NULL)
    managed->deleter (managed);
}

static PyObject *
array_to_dlpack (PyObject *self,
                 PyObject *unused)
{
  LsDLManagedTensor *managed = ls_ndarray_to_dlpack (ARRAY (self));
  PyObject *capsule = PyCapsule_New (managed, "dltensor", capsule_destructor);

  if (capsule == NULL)
    managed->deleter (managed);
  return capsule;
}

static PyObject *
py_from_dlpack (PyObject *module,
                PyObject *capsule)
{
  LsDLManagedTensor *managed = PyCapsule_GetPointer (capsule, "dltensor");
  GError *error = NULL;
  LsNDArray *array;

  if (managed == NULL)
    return NULL;
  PyCapsule_SetName (capsule, "used_dltensor");
  array = ls_ndarray_from_dlpack (managed, &error);
  return array != NULL ? ls_py_wrap_array (array) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyObject *
array_text (PyObject *self,
            PyObject *unused)
{
  return ls_py_text (ls_tensor_print (&ARRAY (self)->tensor, 3));
}

static PyGetSetDef array_getset[] = {
  { "shape", array_shape, NULL, "The extents.", NULL },
  { "strides", array_strides, NULL, "Elements from one to the next, None: compact.", NULL },
  { "dtype", array_dtype, NULL, "The type of the elements.", NULL },
  { "_address", array_address, NULL, "Where the first element is.", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef array_methods[] = {
  { "_copy_from", array_copy_from, METH_O, "Copies elements from another array." },
  { "_copy", array_copy, METH_NOARGS, "A compact copy." },
  { "_view", array_view, METH_O, "The same elements in another shape." },
  { "_to_dlpack", array_to_dlpack, METH_NOARGS, "A DLPack capsule." },
  { "_text", array_text, METH_NOARGS, "The elements as text." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot array_slots[] = {
  { Py_tp_dealloc, array_dealloc },
  { Py_tp_methods, array_methods },
  { Py_tp_getset, array_getset },
  { Py_bf_getbuffer, array_get_buffer },
  { Py_bf_releasebuffer, array_release_buffer },
  { Py_tp_doc, "An array of numbers." },
  { 0, NULL },
};

static PyType_Spec array_spec = {
  "_loopscope.NDArray", sizeof (PyNDArray), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, array_slots
};

static PyObject *
py_set_array_class (PyObject *module,
                    PyObject *cls)
{
  if (!PyType_Check (cls) || !PyType_IsSubtype ((PyTypeObject *) cls, array_type))
    return PyErr_Format (PyExc_TypeError, "%R is no subclass of NDArray", cls);
  LS_PY_SET (array_class, Py_NewRef (cls));
  Py_RETURN_NONE;
}

/* ---- arguments of packed functions --------------------------------------------------------- */

gboolean
ls_py_to_arg (PyObject *value,
              LsArg    *arg)
{
  *arg = (LsArg) { LS_ARG_NONE, 0, { 0 } };
  if (value == Py_None)
    return TRUE;
  if (PyObject_TypeCheck (value, array_type))
    {
      arg->kind = LS_ARG_TENSOR;
      arg->v_tensor = &ARRAY (value)->tensor;
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
  else
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

PyObject *
ls_py_from_arg (const LsArg *arg)
{
  switch ((LsArgKind) arg->kind)
    {
    case LS_ARG_NONE: break;
    case LS_ARG_INT: return PyLong_FromLongLong (arg->v_int);
    case LS_ARG_FLOAT: return PyFloat_FromDouble (arg->v_float);
    case LS_ARG_STRING: return PyUnicode_FromString (arg->v_string);
    case LS_ARG_HANDLE: return PyLong_FromVoidPtr (arg->v_handle);
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
    {
      PyObject *value = PyTuple_GetItem (values, i);
      LsNDArray *copy;

      if (!PyObject_TypeCheck (value, array_type) || Py_REFCNT (value) == 1)
        continue;
      copy = ls_ndarray_copy (&ARRAY (value)->tensor, NULL);
      if (copy == NULL)
        continue;
      ls_ndarray_unref (ARRAY (value));
      ARRAY (value) = copy;
    }
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
        result->v_tensor = (LsDLTensor *) ls_ndarray_ref (ARRAY (answer));
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

/* ---- Function ------------------------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD
  LsPackedFunc func;
  void        *closure;
  PyObject    *owner;           /* keeps the code alive */
  char        *name;
} PyFunction;

#define FUNCTION(o) ((PyFunction *) (o))

static void
function_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  Py_XDECREF (FUNCTION (self)->owner);
  g_free (FUNCTION (self)->name);
  release (self);
  Py_DECREF (type);
}

PyObject *
ls_py_function (const char   *name,
                LsPackedFunc  func,
                void         *closure,
                PyObject     *owner)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (function_type, Py_tp_alloc);
  PyObject *self = alloc (function_type, 0);

  if (self == NULL)
    return NULL;
  FUNCTION (self)->func = func;
  FUNCTION (self)->closure = closure;
  FUNCTION (self)->owner = Py_XNewRef (owner);
  FUNCTION (self)->name = g_strdup (name);
  return self;
}

static int
call_registered (const LsArg *args,
                 int          n_args,
                 LsArg       *result,
                 void        *closure)
{
  return ls_packed_call (closure, args, n_args, result);
}

/* registered (name): a Function, or None */
static PyObject *
py_find (PyObject *module,
         PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);

  if (name == NULL)
    return NULL;
  if (!ls_registry_has (name))
    Py_RETURN_NONE;
  return ls_py_function (name, call_registered, (void *) g_intern_string (name), NULL);
}

/* Values of `args`, kept by it; NULL with an exception. */
static LsArg *
args_of (PyObject *args,
         int      *n)
{
  LsArg *list;

  *n = (int) PyTuple_Size (args);
  list = g_new0 (LsArg, *n + 1);
  for (int i = 0; i < *n; i++)
    if (!ls_py_to_arg (PyTuple_GetItem (args, i), &list[i]))
      {
        g_free (list);
        return NULL;
      }
  return list;
}

static PyObject *
raise_last (void)
{
  if (ls_py_failed () || PyErr_CheckSignals () != 0)
    return NULL;
  return ls_py_raise (LS_PY_TVM_ERROR, "%s", ls_runtime_last_error ());
}

gboolean
ls_py_call_begin (void)
{
  ls_interrupt_begin ();
  if (PyErr_CheckSignals () == 0)
    return TRUE;
  ls_interrupt_end ();
  return FALSE;
}

/* watch_interrupts (fd): whether SIGINT, written there by set_wakeup_fd(), ends compiled code from now on */
static PyObject *
py_watch_interrupts (PyObject *module,
                     PyObject *value)
{
  long fd = PyLong_AsLong (value);

  return fd == -1 && PyErr_Occurred () != NULL ? NULL : PyBool_FromLong (ls_interrupt_watch ((int) fd));
}

static PyObject *
function_call (PyObject *self,
               PyObject *args,
               PyObject *keywords)
{
  LsArg result = { LS_ARG_NONE, 0, { 0 } };
  g_autofree LsArg *list = NULL;
  int n, status;

  list = args_of (args, &n);
  if (list == NULL || !ls_py_call_begin ())
    return NULL;
  Py_BEGIN_ALLOW_THREADS
  status = ls_interruptible_call (FUNCTION (self)->func, list, n, &result, FUNCTION (self)->closure);
  Py_END_ALLOW_THREADS
  ls_interrupt_end ();
  if (status == 0 && !ls_py_failed () && result.kind == LS_ARG_TENSOR)
    return ls_py_wrap_array ((LsNDArray *) result.v_tensor);
  return status == 0 && !ls_py_failed () ? ls_py_from_arg (&result) : raise_last ();
}

/* One sample: `number` calls, doubled until they take long enough. Seconds per call, negative after an error. */
static double
sample (PyFunction  *self,
        const LsArg *list,
        int          n,
        gint64      *number,
        gint64       least_ns)
{
  for (;;)
    {
      gint64 start = ls_clock_ns (), spent;

      for (gint64 i = 0; i < *number; i++)
        {
          LsArg result = { LS_ARG_NONE, 0, { 0 } };

          if (ls_interruptible_call (self->func, list, n, &result, self->closure) != 0)
            return -1;
        }
      spent = ls_clock_ns () - start;
      if (spent >= least_ns || *number >= (G_GINT64_CONSTANT (1) << 40))
        return (double) spent / 1e9 / (double) *number;
      *number = MAX ((gint64) ((double) *number * MIN (1.618 * (double) least_ns / (double) MAX (spent, 1), 1e6)) + 1, *number * 2);
    }
}

/* time (args, number, repeat, min_repeat_ms, cooldown_ms): seconds per call of each repeat, after one call to warm up */
static PyObject *
function_time (PyObject *self,
               PyObject *args)
{
  PyObject *values, *times;
  int number, repeat, least, cooldown, n;
  g_autofree LsArg *list = NULL;
  LsArg result = { LS_ARG_NONE, 0, { 0 } };
  gint64 calls;
  int status;

  if (!PyArg_ParseTuple (args, "O!iiii", &PyTuple_Type, &values, &number, &repeat, &least, &cooldown))
    return NULL;
  list = args_of (values, &n);
  if (list == NULL || !ls_py_call_begin ())
    return NULL;
  Py_BEGIN_ALLOW_THREADS
  status = ls_interruptible_call (FUNCTION (self)->func, list, n, &result, FUNCTION (self)->closure);
  Py_END_ALLOW_THREADS
  if (status != 0)
    {
      ls_interrupt_end ();
      return raise_last ();
    }
  calls = MAX (number, 1);
  times = PyList_New (0);
  for (int i = 0; times != NULL && i < repeat; i++)
    {
      PyObject *item;
      double seconds;

      Py_BEGIN_ALLOW_THREADS
      if (i > 0 && cooldown > 0)
        g_usleep ((gulong) cooldown * 1000);
      seconds = sample (FUNCTION (self), list, n, &calls, (gint64) least * 1000000);
      Py_END_ALLOW_THREADS
      item = seconds >= 0 && PyErr_CheckSignals () == 0 ? PyFloat_FromDouble (seconds) : raise_last ();
      if (item == NULL || PyList_Append (times, item) < 0)
        Py_CLEAR (times);
      Py_XDECREF (item);
    }
  ls_interrupt_end ();
  return times;
}

static PyObject *
function_name (PyObject *self,
               void     *closure)
{
  return PyUnicode_FromString (FUNCTION (self)->name);
}

static PyMethodDef function_methods[] = {
  { "_time", function_time, METH_VARARGS, "_time(args, number, repeat, min_repeat_ms, cooldown_ms)" },
  { NULL, NULL, 0, NULL },
};

static PyGetSetDef function_getset[] = {
  { "name", function_name, NULL, "The name under which it was found.", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot function_slots[] = {
  { Py_tp_dealloc, function_dealloc },
  { Py_tp_call, function_call },
  { Py_tp_methods, function_methods },
  { Py_tp_getset, function_getset },
  { Py_tp_doc, "A packed function." },
  { 0, NULL },
};

static PyType_Spec function_spec = {
  "_loopscope.Function", sizeof (PyFunction), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, function_slots
};

gboolean
ls_py_runtime_init (PyObject *module)
{
  array_type = ls_py_add_type (module, &array_spec, NULL);
  function_type = ls_py_add_type (module, &function_spec, NULL);
  return array_type != NULL && function_type != NULL;
}

static PyObject *
py_num_threads (PyObject *module,
                PyObject *unused)
{
  return PyLong_FromLong (ls_parallel_num_threads ());
}

PyMethodDef ls_py_runtime_methods[] = {
  { "empty", py_empty, METH_VARARGS, "empty(shape, dtype)" },
  { "array", py_array, METH_O, "A copy of what supports the buffer protocol." },
  { "from_dlpack", py_from_dlpack, METH_O, "An array on the memory of a DLPack capsule." },
  { "set_array_class", py_set_array_class, METH_O, "The class that arrays get." },
  { "register", py_register, METH_VARARGS, "register(name, function, override)" },
  { "watch_interrupts", py_watch_interrupts, METH_O, "SIGINTs whose numbers arrive at this descriptor end compiled code." },
  { "unregister", py_unregister, METH_O, "Removes a packed function." },
  { "registered", py_registered, METH_NOARGS, "The names of all packed functions." },
  { "find_function", py_find, METH_O, "The packed function of this name, or None." },
  { "num_threads", py_num_threads, METH_NOARGS, "Threads of a parallel loop." },
  { NULL, NULL, 0, NULL },
};
