/* intrin: the registry of tensor intrinsics, and the index map that makes an access that of an intrinsic, for Python.
 */
#include "engine/python/core/objects.h"

#include "engine/schedule/intrin/intrin.h"
#include "engine/schedule/intrin/mapping.h"
#include "engine/schedule/schedule.h"

static gboolean
all_are (LsNode   *list,
         gboolean (*is) (LsNode *))
{
  for (guint i = 0; i < ls_array_n ((LsArray *) list); i++)
    if (((LsArray *) list)->items[i] == NULL || !is (((LsArray *) list)->items[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_for (LsNode *node)
{
  return ls_is (node, FOR);
}

static gboolean
is_index (LsNode *node)
{
  return ls_is_expr (node);
}

/* suggest_index_map (buffer, indices, loops, predicate): an IndexMap or None */
static PyObject *
py_suggest_index_map (PyObject *module,
                      PyObject *args)
{
  PyObject *buffer, *given_indices, *given_loops, *given_predicate;
  LsNode *node;
  g_autoptr (LsNode) indices = NULL;
  g_autoptr (LsNode) loops = NULL;
  g_autoptr (LsNode) predicate = NULL;
  LsIndexMap *map;

  if (!PyArg_ParseTuple (args, "OOOO", &buffer, &given_indices, &given_loops, &given_predicate) ||
      (node = ls_py_require (buffer, LS_KIND_BUFFER, "buffer")) == NULL || !ls_py_to_node (given_indices, LS_PY_ANY, FALSE, "indices", &indices) ||
      !ls_py_to_node (given_loops, LS_PY_ANY, FALSE, "loops", &loops) || !ls_py_to_node (given_predicate, LS_PY_EXPR, FALSE, "predicate", &predicate))
    return NULL;
  if (!ls_is (indices, ARRAY) || !ls_is (loops, ARRAY) || !all_are (indices, is_index) || !all_are (loops, is_for))
    return PyErr_Format (PyExc_TypeError, "indices has to be a list of expressions and loops a list of For");
  map = ls_suggest_index_map ((LsBuffer *) node, (LsArray *) indices, (LsArray *) loops, LS_EXPR (predicate));
  return map != NULL ? ls_py_wrap (map) : Py_NewRef (Py_None);
}

/* register_tensor_intrin (name, desc, impl, override) */
static PyObject *
py_register_tensor_intrin (PyObject *module,
                           PyObject *args)
{
  const char *name;
  PyObject *desc, *impl;
  int override;
  LsNode *a, *b;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  if (!PyArg_ParseTuple (args, "sOOp", &name, &desc, &impl, &override) || (a = ls_py_require (desc, LS_KIND_PRIM_FUNC, "desc")) == NULL
      || (b = ls_py_require (impl, LS_KIND_PRIM_FUNC, "impl")) == NULL)
    return NULL;
  if (!ls_tensor_intrin_register (name, (LsPrimFunc *) a, (LsPrimFunc *) b, override, diagnostics))
    return ls_py_raise_diagnostics (LS_PY_TVM_ERROR, diagnostics);
  Py_RETURN_NONE;
}

/* tensor_intrin (name): (desc, impl) or None */
static PyObject *
py_tensor_intrin (PyObject *module,
                  PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);
  LsPrimFunc *desc, *impl;

  if (name == NULL)
    return NULL;
  if (!ls_tensor_intrin_get (name, &desc, &impl))
    Py_RETURN_NONE;
  return Py_BuildValue ("(NN)", ls_py_wrap (desc), ls_py_wrap (impl));
}

PyMethodDef ls_py_intrin_methods[] = {
  { "register_tensor_intrin", py_register_tensor_intrin, METH_VARARGS, "register_tensor_intrin(name, desc, impl, override)" },
  { "tensor_intrin", py_tensor_intrin, METH_O, "(desc, impl) or None." },
  { "suggest_index_map", py_suggest_index_map, METH_VARARGS, "suggest_index_map(buffer, indices, loops, predicate)" },
  { NULL, NULL, 0, NULL },
};
