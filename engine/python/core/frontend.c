/* frontend: graphs of torch.fx from Python.  The graph comes as the text that data/scripts/export_fx.py writes, its tensors beside it; a node
 * with "custom": true is translated by a Python function. */
#include "engine/python/core/objects.h"

#include "engine/frontend/fx/fx.h"

#include <string.h>

static LsNode *
call_python (const char *name,
             GHashTable *inputs,
             gpointer    user_data,
             GError    **error)
{
  PyObject *env = PyDict_New (), *result;
  GHashTableIter iter;
  gpointer key, node;
  LsNode *expr = NULL;

  g_hash_table_iter_init (&iter, inputs);
  while (env != NULL && g_hash_table_iter_next (&iter, &key, &node))
    {
      PyObject *value = ls_py_from_node (node);

      if (value != NULL)
        PyDict_SetItemString (env, key, value);
      Py_XDECREF (value);
    }
  result = env != NULL ? PyObject_CallFunction (user_data, "sO", name, env) : NULL;
  Py_XDECREF (env);
  if (result == NULL || !ls_py_to_node (result, LS_PY_RELAX, FALSE, "the result of a converter", &expr))
    g_set_error_literal (error, LS_FX_ERROR, LS_FX_ERROR_UNSUPPORTED, "a converter has raised");
  Py_XDECREF (result);
  return expr;
}

/* name -> tensor */
static GHashTable *
tensors_of (PyObject *dict)
{
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  Py_ssize_t at = 0;
  PyObject *key, *value;

  while (PyDict_Next (dict, &at, &key, &value))
    {
      const char *name = PyUnicode_AsUTF8AndSize (key, NULL);
      LsNode *tensor = name != NULL ? ls_py_require (value, LS_KIND_TENSOR, "a tensor") : NULL;

      if (tensor == NULL)
        return NULL;
      g_hash_table_insert (tensors, g_strdup (name), ls_node_ref (tensor));
    }
  return g_steal_pointer (&tensors);
}

/* fx_import (builder, text, tensors, inputs, (keep params, unwrap unit tuple, do not bind tuple), converter or None) */
static PyObject *
py_fx_import (PyObject *self,
              PyObject *args)
{
  PyObject *builder, *dict, *list, *converter;
  const char *text;
  Py_ssize_t n;
  LsFxOptions options = { .as_tvm = TRUE };
  g_autoptr (GHashTable) tensors = NULL;
  g_autoptr (LsFxGraph) graph = NULL;
  g_autoptr (LsModule) module = NULL;
  LsNode *inputs = NULL;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "Os#O!O(ppp)O", &builder, &text, &n, &PyDict_Type, &dict, &list, &options.keep_params, &options.unwrap_unit_tuple,
                         &options.no_bind_tuple, &converter)
      || (options.builder = ls_py_builder (builder)) == NULL || (tensors = tensors_of (dict)) == NULL
      || !ls_py_to_node (list, LS_PY_RELAX_VARS, FALSE, "the inputs", &inputs))
    return NULL;
  options.inputs = (LsArray *) inputs;
  options.custom = converter != Py_None ? call_python : NULL;
  options.custom_data = converter;
  graph = ls_fx_graph_parse ("the graph", text, (gsize) n, tensors, &error);
  module = graph != NULL ? ls_fx_graph_import (graph, &options, &error) : NULL;
  ls_node_unref (inputs);
  if (module != NULL)
    return ls_py_wrap (g_steal_pointer (&module));
  if (!PyErr_Occurred ())
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  g_clear_error (&error);
  return NULL;
}

/* fx_rules (text): rules of one's own. */
static PyObject *
py_fx_rules (PyObject *self,
             PyObject *args)
{
  const char *text;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "s", &text))
    return NULL;
  if (!ls_fx_rules_add_text (text, &error))
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  Py_RETURN_NONE;
}

PyMethodDef ls_py_frontend_methods[] = {
  { "fx_import", py_fx_import, METH_VARARGS, "fx_import(builder, text, tensors, inputs, (keep, unwrap, no_bind), converter)" },
  { "fx_rules", py_fx_rules, METH_VARARGS, "fx_rules(text)" },
  { NULL, NULL, 0, NULL },
};
