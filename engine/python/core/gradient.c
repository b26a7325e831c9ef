/* gradient: derivatives of call_tir_with_grad, written in Python as tensor expressions (training.utils.register_te_gradient), and those of
 * operators for programs in Python (Op.get_attr ("FPrimalGradient")). */
#include "engine/python/core/objects.h"

#include "engine/relax/gradient/gradient.h"

static PyObject *derivative;    /* Python's (call, adjoint) -> (call_tir of a GlobalVar, PrimFunc) */

static LsNode *
ask_python (LsRelaxCall *call,
            LsNode      *adjoint,
            LsNode     **func,
            GError     **error)
{
  PyObject *of = ls_py_wrap (ls_ref (call)), *by = ls_py_wrap (ls_node_ref (adjoint));
  PyObject *pair = of != NULL && by != NULL ? PyObject_CallFunctionObjArgs (derivative, of, by, NULL) : NULL;
  LsNode *made = NULL;
  PyObject *first, *second;

  if (pair != NULL && PyArg_ParseTuple (pair, "OO", &first, &second)
      && ls_py_to_node (first, LS_PY_RELAX, FALSE, "a derivative", &made) && (*func = ls_py_require (second, LS_KIND_PRIM_FUNC, "a derivative")) != NULL)
    ls_node_ref (*func);
  else
    {
      g_clear_pointer (&made, ls_node_unref);
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "A derivative that is written in Python raised an exception.");
    }
  Py_XDECREF (pair);
  Py_XDECREF (of);
  Py_XDECREF (by);
  return made;
}

static PyObject *
py_set_te_gradient (PyObject *module,
                    PyObject *function)
{
  Py_XDECREF (derivative);
  derivative = Py_NewRef (function);
  ls_relax_gradient_set_tir_func (ask_python);
  Py_RETURN_NONE;
}

/* has_gradient (name of an operator) */
static PyObject *
py_has_gradient (PyObject *module,
                 PyObject *name)
{
  const char *text = PyUnicode_AsUTF8AndSize (name, NULL);

  return text != NULL ? PyBool_FromLong (ls_relax_gradient_known (text)) : NULL;
}

/* gradient_of_call (builder, result, call, adjoint): a list of expressions, None for an argument without a derivative */
static PyObject *
py_gradient_of_call (PyObject *module,
                     PyObject *args)
{
  PyObject *objects[4], *list;
  g_autoptr (LsNode) result = NULL;
  g_autoptr (LsNode) adjoint = NULL;
  g_autoptr (GPtrArray) found = NULL;
  GError *error = NULL;
  LsGradientStep step;

  if (!PyArg_ParseTuple (args, "OOOO", &objects[0], &objects[1], &objects[2], &objects[3]) || (step.builder = ls_py_builder (objects[0])) == NULL
      || !ls_py_to_node (objects[1], LS_PY_RELAX_VAR, FALSE, "orig_var", &result)
      || (step.call = (LsRelaxCall *) ls_py_require (objects[2], LS_KIND_RELAX_CALL, "orig_call")) == NULL
      || !ls_py_to_node (objects[3], LS_PY_RELAX, FALSE, "output_grad", &adjoint))
    return NULL;
  step.result = (LsRelaxVar *) result;
  step.adjoint = adjoint;
  found = ls_relax_gradient_of_call (&step, &error);
  if (found == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  list = PyList_New (found->len);
  for (guint i = 0; list != NULL && i < found->len; i++)
    PyList_SetItem (list, (Py_ssize_t) i, found->pdata[i] != NULL ? ls_py_from_node (found->pdata[i]) : Py_NewRef (Py_None));
  return list;
}

PyMethodDef ls_py_gradient_methods[] = {
  { "gradient_of_call", py_gradient_of_call, METH_VARARGS, "gradient_of_call(builder, orig_var, orig_call, output_grad)" },
  { "has_gradient", py_has_gradient, METH_O, "Is the derivative of the operator known?" },
  { "set_te_gradient", py_set_te_gradient, METH_O, "Who makes derivatives of call_tir_with_grad." },
  { NULL, NULL, 0, NULL },
};
