/* array: NDArray as a Python object.
 *
 * It wraps an LsNDArray and shows its memory through the buffer protocol and DLPack without copying.  Elements that are on a GPU are brought here
 * whenever something on this side wants them: `_memory` is an object whose host (writes) does that.
 */
#include "engine/base/float8.h"
#include "engine/python/core/runtime-python.h"

#include <string.h>

typedef struct {
  PyObject_HEAD
  LsNDArray *array;
  PyObject  *memory;            /* of a GPU, whose elements `array` mirrors; or NULL */
} PyNDArray;

static PyTypeObject *array_type;
static PyObject *array_class;   /* Python's subclass */

#define ARRAY(o) (((PyNDArray *) (o))->array)
#define MEMORY(o) (((PyNDArray *) (o))->memory)

/* The elements are here now; `writes`: they may become others, so that the GPU's are old.  FALSE with an exception. */
static gboolean
bring (PyObject *self,
       gboolean  writes)
{
  PyObject *done;

  if (MEMORY (self) == NULL)
    return TRUE;
  done = PyObject_CallMethod (MEMORY (self), "host", "i", (int) writes);
  Py_XDECREF (done);
  return done != NULL;
}

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
    return bring (object, TRUE) ? ARRAY (object) : NULL;
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
  Py_CLEAR (MEMORY (self));
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
    case LS_DL_E4M3:
    case LS_DL_E5M2: return "B";
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
  if (!bring (self, TRUE))
    return -1;
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
  if ((ls_py_is_array (object) && !bring (other, FALSE)) || !bring (self, TRUE))
    {
      Py_DECREF (other);
      return NULL;
    }
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
  LsNDArray *copy;

  if (!bring (self, FALSE))
    return NULL;
  copy = ls_ndarray_copy (&ARRAY (self)->tensor, &error);
  return copy != NULL ? ls_py_wrap_array (copy) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* The lanes of a compact array of vectors as elements in a shape. (transfer full) */
static LsNDArray *
lanes_view (LsNDArray   *self,
            int          ndim,
            gint64      *shape,
            LsDLDataType element,
            GError     **error)
{
  gint64 n = ls_tensor_n_elements (&self->tensor);
  LsNDArray *row = ls_ndarray_view (self, 1, &n, NULL, 0, error), *view;

  if (row == NULL)
    return NULL;
  row->tensor.shape[0] = n * self->tensor.dtype.lanes;
  row->tensor.dtype = element;
  view = ls_ndarray_view (row, ndim, shape, NULL, 0, error);
  ls_ndarray_unref (row);
  return view;
}

/* _view (shape, dtype, bytes from the start) of a compact array.  Limits: the elements of the view are as large as those of
 * the array, or lanes of these from the first on, and begin where one of these does. */
static PyObject *
array_view (PyObject *self,
            PyObject *args)
{
  gint64 shape[LS_NDARRAY_MAX_NDIM];
  LsDLDataType dtype = ARRAY (self)->tensor.dtype;
  GError *error = NULL;
  LsNDArray *view;
  const char *name;
  long long offset;
  PyObject *list;
  gint64 size;
  int ndim;

  if (!PyArg_ParseTuple (args, "OsL", &list, &name, &offset) || (ndim = shape_arg (list, shape)) < 0 || !bring (self, FALSE))
    return NULL;
  if (!ls_dl_dtype_parse (name, &dtype, &error))
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  size = (gint64) ls_dl_dtype_size (ARRAY (self)->tensor.dtype);
  if (ARRAY (self)->tensor.dtype.lanes > 1 && dtype.lanes == 1 && dtype.bits == ARRAY (self)->tensor.dtype.bits && offset == 0)
    {
      view = lanes_view (ARRAY (self), ndim, shape, dtype, &error);
      return view != NULL ? ls_py_wrap_array (view) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
    }
  if ((gint64) ls_dl_dtype_size (dtype) != size || size == 0 || offset % size != 0)
    return PyErr_Format (PyExc_ValueError, "the elements of a view are as large as those of the array and begin where one of these does");
  view = ls_ndarray_view (ARRAY (self), ndim, shape, NULL, offset / size, &error);
  if (view == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  view->tensor.dtype = dtype;
  return ls_py_wrap_array (view);
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
  LsDLManagedTensor *managed;
  PyObject *capsule;

  if (!bring (self, TRUE))
    return NULL;
  managed = ls_ndarray_to_dlpack (ARRAY (self));
  capsule = PyCapsule_New (managed, "dltensor", capsule_destructor);
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
  return bring (self, FALSE) ? ls_py_text (ls_tensor_print (&ARRAY (self)->tensor, 3)) : NULL;
}

static PyObject *
array_memory (PyObject *self,
              void     *closure)
{
  return Py_NewRef (MEMORY (self) != NULL ? MEMORY (self) : Py_None);
}

static int
array_set_memory (PyObject *self,
                  PyObject *value,
                  void     *closure)
{
  PyObject *old = MEMORY (self);

  MEMORY (self) = value == NULL || value == Py_None ? NULL : Py_NewRef (value);
  Py_XDECREF (old);
  return 0;
}

static PyGetSetDef array_getset[] = {
  { "shape", array_shape, NULL, "The extents.", NULL },
  { "strides", array_strides, NULL, "Elements from one to the next, None: compact.", NULL },
  { "dtype", array_dtype, NULL, "The type of the elements.", NULL },
  { "_memory", array_memory, array_set_memory, "The memory of a GPU with its elements, or None.", NULL },
  { "_address", array_address, NULL, "Where the first element is.", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef array_methods[] = {
  { "_copy_from", array_copy_from, METH_O, "Copies elements from another array." },
  { "_copy", array_copy, METH_NOARGS, "A compact copy." },
  { "_view", array_view, METH_VARARGS, "_view(shape, dtype, byte_offset): the same memory in another shape." },
  { "_to_dlpack", array_to_dlpack, METH_NOARGS, "A DLPack capsule." },
  { "_text", array_text, METH_NOARGS, "The elements as text." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot array_slots[] = {
  { Py_tp_dealloc, array_dealloc },
  { Py_tp_new, ls_py_no_new },
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

void
ls_py_array_detach (PyObject *object)
{
  LsNDArray *copy;

  if (!PyObject_TypeCheck (object, array_type) || Py_REFCNT (object) == 1 || MEMORY (object) != NULL)
    return;
  copy = ls_ndarray_copy (&ARRAY (object)->tensor, NULL);
  if (copy == NULL)
    return;
  ls_ndarray_unref (ARRAY (object));
  ARRAY (object) = copy;
}

gboolean
ls_py_array_init (PyObject *module)
{
  array_type = ls_py_add_type (module, &array_spec, NULL);
  return array_type != NULL;
}

PyMethodDef ls_py_array_methods[] = {
  { "empty", py_empty, METH_VARARGS, "empty(shape, dtype)" },
  { "array", py_array, METH_O, "A copy of what supports the buffer protocol." },
  { "from_dlpack", py_from_dlpack, METH_O, "An array on the memory of a DLPack capsule." },
  { "set_array_class", py_set_array_class, METH_O, "The class that arrays get." },
  { NULL, NULL, 0, NULL },
};
