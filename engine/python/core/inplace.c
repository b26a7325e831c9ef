/* inplace: how long the variables of a dataflow block live, what they may stand for, what may be done in place. */
#include "engine/python/core/objects.h"

#include "engine/relax/analysis.h"
#include "engine/relax/inplace.h"

/* [numbers], or NULL with an exception; NULL gives []. */
static PyObject *
list_of (GArray *numbers)
{
  guint n = numbers != NULL ? numbers->len : 0;
  PyObject *list = PyList_New (n);

  for (guint i = 0; list != NULL && i < n; i++)
    PyList_SetItem (list, (Py_ssize_t) i, PyLong_FromLong (g_array_index (numbers, gint, i)));
  return list;
}

/* Appends a new reference, or passes on that there is none. */
static gboolean
append (PyObject *list,
        PyObject *item)
{
  gboolean fine = item != NULL && PyList_Append (list, item) == 0;

  Py_XDECREF (item);
  return fine;
}

static gboolean
add_var (GPtrArray *vars,
         LsNode    *node)
{
  if (node != NULL && !g_ptr_array_find (vars, node, NULL))
    g_ptr_array_add (vars, node);
  return TRUE;
}

static LsWalk
add_used (LsNode  *node,
          gpointer vars)
{
  if (ls_is_relax_var (node))
    add_var (vars, node);
  return LS_WALK_CONTINUE;
}

/* Inputs, what is bound and what is used, each once. (transfer container) */
static GPtrArray *
vars_of (LsBindingBlock *block,
         LsArray        *inputs)
{
  GPtrArray *vars = g_ptr_array_new ();

  for (guint i = 0; i < inputs->n; i++)
    add_var (vars, inputs->items[i]);
  for (guint i = 0; i < block->bindings->n; i++)
    {
      ls_walk (ls_binding_value (block->bindings->items[i]), add_used, NULL, vars);
      add_var (vars, LS_NODE (ls_binding_var (block->bindings->items[i])));
    }
  return vars;
}

static PyObject *
lives_of (LsInplace *self,
          GPtrArray *vars)
{
  PyObject *list = PyList_New (0);

  for (guint i = 0; list != NULL && i < vars->len; i++)
    {
      gint64 first, last;

      if (ls_inplace_get_life (self, vars->pdata[i], &first, &last)
          && !append (list, Py_BuildValue ("(NLL)", ls_py_from_node (vars->pdata[i]), (long long) first, (long long) last)))
        Py_CLEAR (list);
    }
  return list;
}

static PyObject *
places_of (LsInplace *self,
           GPtrArray *vars)
{
  PyObject *list = PyList_New (0);

  for (guint i = 0; list != NULL && i < vars->len; i++)
    {
      GArray *places = ls_inplace_get_places (self, vars->pdata[i]);

      if (places != NULL && !append (list, Py_BuildValue ("(NN)", ls_py_from_node (vars->pdata[i]), list_of (places))))
        Py_CLEAR (list);
    }
  return list;
}

static PyObject *
fields_of (LsInplace *self)
{
  PyObject *list = PyList_New (0);

  for (guint place = 0; list != NULL && place < ls_inplace_get_n_places (self); place++)
    {
      GPtrArray *fields = ls_inplace_get_fields (self, place);
      PyObject *sets = fields != NULL ? PyList_New (fields->len) : NULL;

      for (guint i = 0; sets != NULL && i < fields->len; i++)
        PyList_SetItem (sets, (Py_ssize_t) i, list_of (fields->pdata[i]));
      if (sets != NULL && !append (list, Py_BuildValue ("(IN)", place, sets)))
        Py_CLEAR (list);
    }
  return list;
}

static PyObject *
candidates_of (LsInplace *self,
               guint      n,
               gboolean   exact)
{
  PyObject *list = PyList_New (0);

  for (guint i = 0; list != NULL && i < n; i++)
    {
      g_autoptr (GArray) found = ls_inplace_candidates (self, i, exact);

      if (found->len > 0 && !append (list, Py_BuildValue ("(IN)", i, list_of (found))))
        Py_CLEAR (list);
    }
  return list;
}

static PyObject *
py_dataflow_inplace (PyObject *module,
                     PyObject *args)
{
  PyObject *object, *inputs_object;
  g_autoptr (LsNode) inputs = NULL;
  g_autoptr (LsInplace) inplace = NULL;
  g_autoptr (GPtrArray) vars = NULL;
  LsBindingBlock *block;

  if (!PyArg_ParseTuple (args, "O!O", ls_py_node_type, &object, &inputs_object)
      || !ls_py_to_node (inputs_object, LS_PY_ARRAY, FALSE, "inputs", &inputs))
    return NULL;
  block = (LsBindingBlock *) ls_py_node (object);
  if (!ls_is (block, DATAFLOW_BLOCK))
    return PyErr_Format (PyExc_TypeError, "%R is no dataflow block", object);
  for (guint i = 0; i < ((LsArray *) inputs)->n; i++)
    if (!ls_is_relax_var (((LsArray *) inputs)->items[i]))
      return PyErr_Format (PyExc_TypeError, "input %u is no variable", i);
  inplace = ls_inplace_new (block, (LsArray *) inputs);
  vars = vars_of (block, (LsArray *) inputs);
  return Py_BuildValue ("(NNNNN)", lives_of (inplace, vars), places_of (inplace, vars), fields_of (inplace),
                        candidates_of (inplace, block->bindings->n, FALSE), candidates_of (inplace, block->bindings->n, TRUE));
}

static PyObject *
py_inplace_call (PyObject *module,
                 PyObject *args)
{
  PyObject *module_object, *call_object;
  guint at;
  LsNode *from, *call;
  g_autoptr (LsNode) made = NULL;
  g_autoptr (LsGlobalVar) plain = NULL;
  LsBlockBuilder *builder;
  PyObject *result;

  if (!PyArg_ParseTuple (args, "OOI", &module_object, &call_object, &at)
      || (from = ls_py_require (module_object, LS_KIND_MODULE, "the module")) == NULL
      || (call = ls_py_require (call_object, LS_KIND_RELAX_CALL, "the call")) == NULL)
    return NULL;
  builder = ls_block_builder_new ((LsModule *) from);
  made = ls_relax_inplace_call (builder, (LsRelaxCall *) call, at, &plain);
  if (plain != NULL && ls_module_get ((LsModule *) from, plain->name_hint) == NULL)
    ls_block_builder_remove_func (builder, plain);
  result = made != NULL ? Py_BuildValue ("(NN)", ls_py_from_node (made), ls_py_wrap (ls_block_builder_get (builder)))
                        : PyErr_Format (PyExc_ValueError, "%R has no form that writes into argument %u", call_object, at);
  ls_block_builder_free (builder);
  return result;
}

PyMethodDef ls_py_inplace_methods[] = {
  { "dataflow_inplace", py_dataflow_inplace, METH_VARARGS, "dataflow_inplace(block, inputs): lives, places, fields of tuples, arguments of fitting size, of the same shape" },
  { "inplace_call", py_inplace_call, METH_VARARGS, "inplace_call(module, call, argument)" },
  { NULL, NULL, 0, NULL },
};
