/* relax-passes: passes of Relax from Python. */
#include "engine/python/core/objects.h"

#include "engine/relax/pass/pass.h"

/* relax_passes (): (name, summary, [(name, type, preset)]) */
static PyObject *
py_relax_passes (PyObject *module,
                 PyObject *unused)
{
  guint n;
  const LsRelaxPass *passes = ls_relax_pass_list (&n);
  PyObject *list = PyList_New (n);

  for (guint i = 0; list != NULL && i < n; i++)
    {
      PyObject *params = PyList_New (0);

      for (const LsRelaxPassParam *param = passes[i].params; param != NULL && param->name != NULL; param++)
        {
          PyObject *row = Py_BuildValue ("(ssz)", param->name, param->type, param->preset);

          PyList_Append (params, row);
          Py_XDECREF (row);
        }
      PyList_SetItem (list, (Py_ssize_t) i, Py_BuildValue ("(ssN)", passes[i].name, passes[i].summary, params));
    }
  return list;
}

/* Arguments by name; None is NULL. (transfer full), or NULL with an exception */
static LsMap *
named_arguments (PyObject *dict)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new (), values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autofree LsNode **taken = NULL;
  PyObject *key, *value;
  Py_ssize_t at = 0;

  while (PyDict_Next (dict, &at, &key, &value))
    {
      const char *name = PyUnicode_AsUTF8AndSize (key, NULL);
      LsNode *node = NULL;

      if (name == NULL || !ls_py_to_node (value, LS_PY_ANY, TRUE, "argument", &node))
        return NULL;
      g_ptr_array_add (keys, (gpointer) name);
      g_ptr_array_add (values, node);
    }
  taken = g_new0 (LsNode *, values->len + 1);
  for (guint i = 0; i < values->len; i++)
    taken[i] = ls_node_ref (values->pdata[i]);
  return ls_map_new ((const char **) keys->pdata, taken, keys->len);
}

/* run_relax_pass (name, module, positional, keywords) */
static PyObject *
py_run_relax_pass (PyObject *self,
                   PyObject *args)
{
  const char *name;
  PyObject *object, *positional_object, *keywords_object;
  g_autoptr (LsNode) positional = NULL;
  g_autoptr (LsMap) keywords = NULL;
  g_autoptr (LsMap) complete = NULL;
  const LsRelaxPass *pass;
  LsNode *module;
  LsModule *result = NULL;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "sOOO!", &name, &object, &positional_object, &PyDict_Type, &keywords_object)
      || (module = ls_py_require (object, LS_KIND_MODULE, "the module")) == NULL
      || !ls_py_to_node (positional_object, LS_PY_ARRAY, FALSE, "arguments", &positional)
      || (keywords = named_arguments (keywords_object)) == NULL)
    return NULL;
  pass = ls_relax_pass_get (name, &error);
  if (pass != NULL)
    complete = ls_relax_pass_arguments (pass, (LsArray *) positional, keywords, &error);
  if (complete != NULL)
    result = ls_relax_pass_run (pass, (LsModule *) module, complete, &error);
  return result != NULL ? ls_py_wrap (result) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyObject *
py_before_legalize (PyObject *self,
                    PyObject *object)
{
  LsNode *module = ls_py_require (object, LS_KIND_MODULE, "the module");
  GError *error = NULL;
  LsModule *result = module != NULL ? ls_relax_before_legalize ((LsModule *) module, &error) : NULL;

  return result != NULL ? ls_py_wrap (result) : module != NULL ? ls_py_raise_gerror (LS_PY_TVM_ERROR, error) : NULL;
}

PyMethodDef ls_py_relax_pass_methods[] = {
  { "relax_passes", py_relax_passes, METH_NOARGS, "The table of passes." },
  { "run_relax_pass", py_run_relax_pass, METH_VARARGS, "run_relax_pass(name, module, positional, keywords)" },
  { "before_legalize", py_before_legalize, METH_O, "The module with a look at what only a run knows of operands, and with the statistics that batch_norm is given." },
  { NULL, NULL, 0, NULL },
};
