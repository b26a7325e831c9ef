/* frontend: graphs of torch.fx from Python.  The graph comes as the text that data/scripts/export_fx.py writes, its tensors beside it; a node
 * with "custom": true is translated by a Python function. */
#include "engine/python/core/objects.h"

#include "engine/frontend/fx/fx.h"
#include "engine/frontend/onnx/onnx.h"

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

/* fx_import (builder, text, tensors, inputs or None, (keep params, unwrap unit tuple, do not bind tuple, torch's numbers), converter or None) */
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

  if (!PyArg_ParseTuple (args, "Os#O!O(pppp)O", &builder, &text, &n, &PyDict_Type, &dict, &list, &options.keep_params, &options.unwrap_unit_tuple,
                         &options.no_bind_tuple, &options.exact, &converter)
      || (options.builder = ls_py_builder (builder)) == NULL || (tensors = tensors_of (dict)) == NULL
      || !ls_py_to_node (list, LS_PY_RELAX_VARS, TRUE, "the inputs", &inputs))
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

/* name -> shape, or NULL. */
static GHashTable *
shapes_of (PyObject *dict)
{
  g_autoptr (GHashTable) shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  Py_ssize_t at = 0;
  PyObject *key, *value;

  while (PyDict_Next (dict, &at, &key, &value))
    {
      const char *name = PyUnicode_AsUTF8AndSize (key, NULL);
      LsNode *shape = NULL;

      GPtrArray *extents;
      gint64 extent;

      if (name == NULL || !ls_py_to_node (value, LS_PY_EXPRS, FALSE, "a shape", &shape))
        return NULL;
      extents = g_ptr_array_new ();
      for (guint i = 0; i < ((LsArray *) shape)->n; i++)
        {
          LsExpr *item = ls_array_at ((LsArray *) shape, i, LsExpr);

          g_ptr_array_add (extents, ls_as_int (item, &extent) ? LS_EXPR (ls_int_imm_new (LS_INT64, extent)) : ls_ref (item));
        }
      ls_node_unref (shape);
      g_hash_table_insert (shapes, g_strdup (name), ls_array_take_ptr_array (extents));
    }
  return g_steal_pointer (&shapes);
}

/* onnx_import (bytes, name, folder or None, shapes, types, opset, (keep params, names as they are)) -> module, weights */
static PyObject *
py_onnx_import (PyObject *self,
                PyObject *args)
{
  const char *data, *name, *folder;
  Py_ssize_t n, at = 0;
  long long opset;
  PyObject *shapes, *dtypes, *key, *value, *list, *result;
  int keep, names;
  g_autoptr (GHashTable) given = NULL, types = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) weights = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsOnnxModel) model = NULL;
  g_autoptr (LsModule) module = NULL;
  LsOnnxOptions options = { .strict = TRUE };
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "y#szO!O!L(pp)", &data, &n, &name, &folder, &PyDict_Type, &shapes, &PyDict_Type, &dtypes, &opset, &keep, &names)
      || (given = shapes_of (shapes)) == NULL)
    return NULL;
  while (PyDict_Next (dtypes, &at, &key, &value))
    {
      const char *input = PyUnicode_AsUTF8AndSize (key, NULL), *type = PyUnicode_AsUTF8AndSize (value, NULL);

      if (input == NULL || type == NULL)
        return NULL;
      g_hash_table_insert (types, (gpointer) input, (gpointer) type);
    }
  options.shapes = given;
  options.dtypes = types;
  options.opset = opset;
  options.keep_params = keep;
  options.keep_names = names;
  model = ls_onnx_parse (name, data, (gsize) n, folder, &error);
  module = model != NULL ? ls_onnx_import (model, &options, NULL, weights, &error) : NULL;
  if (module == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  list = PyList_New (0);
  for (guint i = 0; list != NULL && i < weights->len; i++)
    {
      PyObject *tensor = ls_py_wrap (ls_node_ref (weights->pdata[i]));

      if (tensor == NULL || PyList_Append (list, tensor) < 0)
        Py_CLEAR (list);
      Py_XDECREF (tensor);
    }
  result = list != NULL ? ls_py_wrap (g_steal_pointer (&module)) : NULL;
  return result != NULL ? Py_BuildValue ("(NN)", result, list) : NULL;
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
  { "onnx_import", py_onnx_import, METH_VARARGS, "onnx_import(bytes, name, folder, shapes, dtypes, opset, (keep, names)) -> module, weights" },
  { "fx_rules", py_fx_rules, METH_VARARGS, "fx_rules(text)" },
  { NULL, NULL, 0, NULL },
};
