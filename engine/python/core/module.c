/* module: the extension `_loopscope`.  What it offers is spread over the files of this folder. */
#include "engine/python/core/objects.h"

static PyModuleDef definition = {
  PyModuleDef_HEAD_INIT, "_loopscope", "The engine of Loopscope.", -1, NULL, NULL, NULL, NULL, NULL
};

static gboolean
add_functions (PyObject *module)
{
  PyMethodDef *const tables[] = {
    ls_py_node_methods, ls_py_error_methods, ls_py_make_methods, ls_py_expr_methods, ls_py_tree_methods, ls_py_script_methods,
    ls_py_schedule_methods, ls_py_intrin_methods, ls_py_trace_methods, ls_py_tune_methods, ls_py_arith_methods, ls_py_tir_methods, ls_py_array_methods, ls_py_packed_methods, ls_py_runtime_methods,
    ls_py_te_methods, ls_py_topi_methods, ls_py_relax_methods, ls_py_relax_pass_methods, ls_py_analysis_methods, ls_py_frontend_methods, ls_py_gradient_methods, ls_py_dpl_methods,
    ls_py_inplace_methods, ls_py_graph_methods, ls_py_simt_methods,
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (PyModule_AddFunctions (module, tables[i]) < 0)
      return FALSE;
  return TRUE;
}

PyObject *
ls_py_core_module (void)
{
  PyObject *module = PyModule_Create (&definition);

  if (module != NULL && ls_py_node_init (module) && ls_py_schedule_init (module) && ls_py_trace_init (module) && ls_py_tune_init (module) && ls_py_arith_init (module) && ls_py_array_init (module) && ls_py_runtime_init (module)
      && ls_py_relax_init (module) && ls_py_dpl_init (module)
      && add_functions (module))
    return module;
  Py_XDECREF (module);
  return NULL;
}
