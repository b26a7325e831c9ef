/* gradient: derivatives of call_tir_with_grad, written in Python as tensor expressions (training.utils.register_te_gradient). */
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

PyMethodDef ls_py_gradient_methods[] = {
  { "set_te_gradient", py_set_te_gradient, METH_O, "Who makes derivatives of call_tir_with_grad." },
  { NULL, NULL, 0, NULL },
};
