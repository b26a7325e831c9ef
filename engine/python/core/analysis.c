/* analysis: questions about Relax programs from Python: is a program well formed, what two struct infos have in common,
 * what a call of a function gives. */
#include "engine/python/core/objects.h"

#include "engine/relax/analysis.h"
#include "engine/relax/relation.h"
#include "engine/relax/well-formed.h"

/* relax_findings (module or function): what is wrong with it, as texts */
static PyObject *
py_relax_findings (PyObject *module,
                   PyObject *object)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  PyObject *list;
  LsNode *node;

  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no module and no function", object);
  node = ls_py_node (object);
  if (ls_is (node, MODULE))
    ls_relax_verify_module ((LsModule *) node, findings);
  else if (ls_is (node, FUNCTION))
    ls_relax_verify_function ((LsFunction *) node, findings);
  else if (!ls_is (node, PRIM_FUNC))
    return PyErr_Format (PyExc_TypeError, "%R is no module and no function", object);
  list = PyList_New (0);
  for (guint i = 0; list != NULL && i < ls_diagnostics_get_n (findings); i++)
    {
      PyObject *text = PyUnicode_FromString (ls_diagnostics_get (findings, i)->message);

      PyList_Append (list, text);
      Py_XDECREF (text);
    }
  return list;
}

/* struct_info_unify (a, b): the most that holds for both */
static PyObject *
py_struct_info_unify (PyObject *module,
                      PyObject *args)
{
  g_autoptr (LsNode) a = NULL;
  g_autoptr (LsNode) b = NULL;
  PyObject *first, *second;

  if (!PyArg_ParseTuple (args, "OO", &first, &second) || !ls_py_to_node (first, LS_PY_STRUCT_INFO, FALSE, "lhs", &a)
      || !ls_py_to_node (second, LS_PY_STRUCT_INFO, FALSE, "rhs", &b))
    return NULL;
  return ls_py_wrap (ls_struct_info_unify (a, b));
}

/* signature_result (func_sinfo, call): the result, dimensions read off the arguments */
static PyObject *
py_signature_result (PyObject *module,
                     PyObject *args)
{
  PyObject *first, *second;
  LsFuncStructInfo *info;
  LsNode *call;

  if (!PyArg_ParseTuple (args, "OO", &first, &second)
      || (info = (LsFuncStructInfo *) ls_py_require (first, LS_KIND_FUNC_STRUCT_INFO, "func_sinfo")) == NULL
      || (call = ls_py_require (second, LS_KIND_RELAX_CALL, "call")) == NULL)
    return NULL;
  if (info->params == NULL)
    return ls_py_from_node (info->ret);
  return ls_py_wrap (ls_signature_result_of_call (info->params, info->ret, (LsRelaxCall *) call));
}

/* is_impure_call (call, module or None) */
static PyObject *
py_is_impure_call (PyObject *module,
                   PyObject *args)
{
  PyObject *first, *second;
  LsNode *call, *around = NULL;
  LsBlockBuilder *builder = NULL;
  gboolean impure;

  if (!PyArg_ParseTuple (args, "OO", &first, &second) || (call = ls_py_require (first, LS_KIND_RELAX_CALL, "call")) == NULL
      || (second != Py_None && (around = ls_py_require (second, LS_KIND_MODULE, "the module")) == NULL))
    return NULL;
  if (around != NULL)
    builder = ls_block_builder_new ((LsModule *) around);
  impure = ls_relax_call_is_impure ((LsRelaxCall *) call, builder);
  g_clear_pointer (&builder, ls_block_builder_free);
  return PyBool_FromLong (impure);
}

/* definable_symbols (struct info) */
static PyObject *
py_definable_symbols (PyObject *module,
                      PyObject *object)
{
  g_autoptr (LsNode) info = NULL;
  g_autoptr (GPtrArray) vars = NULL;
  PyObject *list;

  if (!ls_py_to_node (object, LS_PY_STRUCT_INFO, FALSE, "sinfo", &info))
    return NULL;
  vars = ls_relax_definable_symbols (info);
  list = PyList_New (vars->len);
  for (guint i = 0; list != NULL && i < vars->len; i++)
    PyList_SetItem (list, (Py_ssize_t) i, ls_py_from_node (vars->pdata[i]));
  return list;
}

/* has_reshape_pattern (PrimFunc) */
static PyObject *
py_has_reshape_pattern (PyObject *module,
                        PyObject *object)
{
  LsNode *func = ls_py_require (object, LS_KIND_PRIM_FUNC, "func");

  return func != NULL ? PyBool_FromLong (ls_relax_has_reshape_pattern ((LsPrimFunc *) func)) : NULL;
}

static PyObject *registered;    /* Python's call -> struct info or None */

static LsStructInfo *
ask_python (LsRelaxCall *call,
            GError     **error)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  PyObject *of = ls_py_wrap (ls_ref (call)), *given = of != NULL ? PyObject_CallFunctionObjArgs (registered, of, NULL) : NULL;
  LsNode *info = NULL;

  if (given == NULL || (given != Py_None && !ls_py_to_node (given, LS_PY_STRUCT_INFO, FALSE, "FInferStructInfo", &info)))
    {
      if (ls_is (call->op, RELAX_OP))
        g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, "FInferStructInfo of %s raised an exception.", ((LsRelaxOp *) call->op)->name);
      else
        g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, "The derive_func of a signature raised an exception.");
    }
  Py_XDECREF (given);
  Py_XDECREF (of);
  PyGILState_Release (state);
  return info;
}

/* set_infer_registered (function) */
static PyObject *
py_set_infer_registered (PyObject *module,
                         PyObject *function)
{
  Py_XDECREF (registered);
  registered = Py_NewRef (function);
  ls_relax_infer_registered (ask_python);
  Py_RETURN_NONE;
}

PyMethodDef ls_py_analysis_methods[] = {
  { "set_infer_registered", py_set_infer_registered, METH_O, "Who says what calls of operators give that a program registered." },
  { "relax_findings", py_relax_findings, METH_O, "What is wrong with a Relax program, as texts." },
  { "struct_info_unify", py_struct_info_unify, METH_VARARGS, "The most that holds for both." },
  { "signature_result", py_signature_result, METH_VARARGS, "What a call of a function of this signature gives." },
  { "is_impure_call", py_is_impure_call, METH_VARARGS, "Does the call do anything besides its result?" },
  { "definable_symbols", py_definable_symbols, METH_O, "Dimensions that a struct info can give a value to." },
  { "has_reshape_pattern", py_has_reshape_pattern, METH_O, "Does a PrimFunc only give its input another shape?" },
  { NULL, NULL, 0, NULL }
};
