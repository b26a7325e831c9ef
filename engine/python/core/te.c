/* te: stages and tensors of te from Python. */
#include "engine/python/core/objects.h"

#include "engine/te/te.h"

PyObject *
ls_py_wrap_te (gpointer  node,
               GError   *error)
{
  if (node != NULL)
    return ls_py_wrap (node);
  if (!ls_py_failed () && error == NULL)
    return ls_py_raise (LS_PY_VALUE_ERROR, "no tensor was made");
  return ls_py_raise_gerror (g_error_matches (error, LS_TE_ERROR, LS_TE_ERROR_DTYPE) ? LS_PY_KIND_ERROR : LS_PY_VALUE_ERROR, error);
}

static gboolean
all_tensors (LsNode *list)
{
  for (guint i = 0; i < ((LsArray *) list)->n; i++)
    if (!ls_is (((LsArray *) list)->items[i], TE_TENSOR))
      {
        PyErr_SetString (PyExc_TypeError, "a list of tensors was expected");
        return FALSE;
      }
  return TRUE;
}

/* te_placeholder (name, shape, dtype) */
static PyObject *
py_placeholder (PyObject *module,
                PyObject *args)
{
  const char *name;
  PyObject *list;
  LsDType dtype;
  LsNode *shape;

  if (!PyArg_ParseTuple (args, "sOO&", &name, &list, ls_py_dtype_arg, &dtype) || !ls_py_to_node (list, LS_PY_EXPRS, FALSE, "shape", &shape))
    return NULL;
  return ls_py_wrap (ls_te_placeholder (name, (LsArray *) shape, dtype));
}

/* te_axes (shape, names) */
static PyObject *
py_axes (PyObject *module,
         PyObject *args)
{
  PyObject *list;
  const char *names;
  g_autoptr (LsNode) shape = NULL;

  if (!PyArg_ParseTuple (args, "Os", &list, &names) || !ls_py_to_node (list, LS_PY_EXPRS, FALSE, "shape", &shape))
    return NULL;
  return ls_py_wrap (ls_te_axes ((LsArray *) shape, names));
}

/* te_compute (name, tag, attrs, axes, bodies) */
static PyObject *
py_compute (PyObject *module,
            PyObject *args)
{
  const char *name, *tag;
  PyObject *attrs_object, *axes_object, *bodies_object;
  g_autoptr (LsNode) attrs = NULL;
  g_autoptr (LsNode) axes = NULL;
  g_autoptr (LsNode) bodies = NULL;
  GError *error = NULL;
  LsArray *result;

  if (!PyArg_ParseTuple (args, "ssOOO", &name, &tag, &attrs_object, &axes_object, &bodies_object)
      || !ls_py_to_node (attrs_object, LS_PY_MAP, TRUE, "attrs", &attrs) || !ls_py_to_node (axes_object, LS_PY_ITER_VARS, FALSE, "axes", &axes)
      || !ls_py_to_node (bodies_object, LS_PY_EXPRS, FALSE, "body", &bodies))
    return NULL;
  result = ls_te_compute_many (name, tag, (LsMap *) g_steal_pointer (&attrs), (LsArray *) g_steal_pointer (&axes), (LsArray *) g_steal_pointer (&bodies),
                               &error);
  return ls_py_wrap_te (result, error);
}

/* te_load (tensor, indices) */
static PyObject *
py_load (PyObject *module,
         PyObject *args)
{
  PyObject *object, *list;
  LsNode *tensor, *indices;
  GError *error = NULL;
  LsExpr *result;

  if (!PyArg_ParseTuple (args, "OO", &object, &list) || (tensor = ls_py_require (object, LS_KIND_TE_TENSOR, "the tensor")) == NULL
      || !ls_py_to_node (list, LS_PY_EXPRS, FALSE, "indices", &indices))
    return NULL;
  result = ls_te_load_checked ((LsTeTensor *) tensor, (LsArray *) indices, &error);
  return ls_py_wrap_te (result, error);
}

static PyObject *
py_same (PyObject *module,
         PyObject *args)
{
  PyObject *first, *second;
  LsNode *a, *b;

  if (!PyArg_ParseTuple (args, "OO", &first, &second) || (a = ls_py_require (first, LS_KIND_TE_TENSOR, "the tensor")) == NULL
      || (b = ls_py_require (second, LS_KIND_TE_TENSOR, "the tensor")) == NULL)
    return NULL;
  return PyBool_FromLong (ls_te_tensor_same ((LsTeTensor *) a, (LsTeTensor *) b));
}

static LsTeOperation *
operation_arg (PyObject *object)
{
  return (LsTeOperation *) ls_py_require (object, LS_KIND_TE_OPERATION, "the operation");
}

static PyObject *
py_n_outputs (PyObject *module,
              PyObject *object)
{
  LsTeOperation *op = operation_arg (object);

  return op != NULL ? PyLong_FromUnsignedLong (ls_te_operation_n_outputs (op)) : NULL;
}

static PyObject *
py_inputs (PyObject *module,
           PyObject *object)
{
  LsTeOperation *op = operation_arg (object);

  return op != NULL ? ls_py_wrap (ls_te_operation_inputs (op)) : NULL;
}

static PyObject *
py_output (PyObject *module,
           PyObject *args)
{
  PyObject *object;
  unsigned i;
  LsTeOperation *op;

  if (!PyArg_ParseTuple (args, "OI", &object, &i) || (op = operation_arg (object)) == NULL)
    return NULL;
  if (i >= ls_te_operation_n_outputs (op))
    return PyErr_Format (PyExc_IndexError, "the operation has %u outputs", ls_te_operation_n_outputs (op));
  return ls_py_wrap (ls_te_operation_output (op, i));
}

static PyObject *
py_extern_buffer (PyObject *module,
                  PyObject *object)
{
  LsNode *tensor = ls_py_require (object, LS_KIND_TE_TENSOR, "the tensor");

  return tensor != NULL ? ls_py_wrap (ls_te_extern_buffer ((LsTeTensor *) tensor)) : NULL;
}

/* te_extern (name, tag, attrs, inputs, input buffers, output buffers, statement) */
static PyObject *
py_extern (PyObject *module,
           PyObject *args)
{
  const char *name, *tag;
  PyObject *objects[5];
  static const LsPyWant WANTS[] = { LS_PY_MAP, LS_PY_ARRAY, LS_PY_BUFFERS, LS_PY_BUFFERS, LS_PY_STMT };
  LsNode *nodes[5] = { NULL };
  GError *error = NULL;
  gboolean good = TRUE;

  if (!PyArg_ParseTuple (args, "ssOOOOO", &name, &tag, &objects[0], &objects[1], &objects[2], &objects[3], &objects[4]))
    return NULL;
  for (guint i = 0; i < 5 && good; i++)
    good = ls_py_to_node (objects[i], WANTS[i], FALSE, "extern", &nodes[i]);
  if (good && all_tensors (nodes[1]))
    {
      LsArray *result = ls_te_extern (name, tag, (LsMap *) nodes[0], (LsArray *) nodes[1], (LsArray *) nodes[2], (LsArray *) nodes[3], nodes[4], &error);

      return ls_py_wrap_te (result, error);
    }
  for (guint i = 0; i < 5; i++)
    ls_node_unref (nodes[i]);
  return NULL;
}

static PyObject *
py_extern_primfunc (PyObject *module,
                    PyObject *args)
{
  PyObject *list, *object;
  g_autoptr (LsNode) inputs = NULL;
  LsNode *func;
  GError *error = NULL;
  LsArray *result;

  if (!PyArg_ParseTuple (args, "OO", &list, &object) || (func = ls_py_require (object, LS_KIND_PRIM_FUNC, "primfunc")) == NULL
      || !ls_py_to_node (list, LS_PY_ARRAY, FALSE, "inputs", &inputs) || !all_tensors (inputs))
    return NULL;
  result = ls_te_extern_primfunc ((LsArray *) inputs, (LsPrimFunc *) func, &error);
  return ls_py_wrap_te (result, error);
}

/* te_create_prim_func (args, index dtype or None) */
static PyObject *
py_create_prim_func (PyObject *module,
                     PyObject *args)
{
  PyObject *list, *type;
  g_autoptr (LsNode) tensors = NULL;
  LsDType dtype;
  GError *error = NULL;
  LsPrimFunc *result;

  if (!PyArg_ParseTuple (args, "OO", &list, &type) || !ls_py_to_node (list, LS_PY_ARRAY, FALSE, "args", &tensors)
      || (type != Py_None && !ls_py_dtype_arg (type, &dtype)))
    return NULL;
  for (guint i = 0; i < ((LsArray *) tensors)->n; i++)
    if (!ls_is (((LsArray *) tensors)->items[i], TE_TENSOR) && !(((LsArray *) tensors)->items[i] != NULL && ls_is_var (((LsArray *) tensors)->items[i])))
      return PyErr_Format (PyExc_TypeError, "create_prim_func takes tensors and variables");
  result = ls_te_create_prim_func ((LsArray *) tensors, type != Py_None ? &dtype : NULL, &error);
  return ls_py_wrap_te (result, error);
}

PyMethodDef ls_py_te_methods[] = {
  { "te_placeholder", py_placeholder, METH_VARARGS, "te_placeholder(name, shape, dtype)" },
  { "te_axes", py_axes, METH_VARARGS, "te_axes(shape, names)" },
  { "te_compute", py_compute, METH_VARARGS, "te_compute(name, tag, attrs, axes, bodies)" },
  { "te_load", py_load, METH_VARARGS, "te_load(tensor, indices)" },
  { "te_same", py_same, METH_VARARGS, "te_same(a, b)" },
  { "te_n_outputs", py_n_outputs, METH_O, "How many tensors an operation gives." },
  { "te_inputs", py_inputs, METH_O, "What an operation reads." },
  { "te_output", py_output, METH_VARARGS, "te_output(op, i)" },
  { "te_extern_buffer", py_extern_buffer, METH_O, "The buffer of an input of te_extern." },
  { "te_extern", py_extern, METH_VARARGS, "te_extern(name, tag, attrs, inputs, input_buffers, output_buffers, statement)" },
  { "te_extern_primfunc", py_extern_primfunc, METH_VARARGS, "te_extern_primfunc(inputs, func)" },
  { "te_create_prim_func", py_create_prim_func, METH_VARARGS, "te_create_prim_func(args, index_dtype)" },
  { NULL, NULL, 0, NULL },
};
