/* tree: walking, rewriting and comparing nodes from Python.
 *
 * Callbacks get wrapped nodes.  When one raises, the walk stops (a rewrite goes on without asking) and the exception is
 * what the caller sees.
 */
#include "engine/python/core/objects.h"

#include "engine/ir/replace.h"

#include "engine/ir/structural.h"
#include "engine/tir/renew.h"
#include "engine/tir/specialize.h"

typedef struct {
  PyObject *enter;              /* NULL: none */
  PyObject *leave;
  GHashTable *kinds;            /* set of LsKind + 1, or NULL: all */
} Callbacks;

static gboolean
is_wanted (Callbacks *self,
           LsNode    *node)
{
  return self->kinds == NULL || g_hash_table_contains (self->kinds, GINT_TO_POINTER ((int) ls_kind (node) + 1));
}

/* The result of a callback, NULL when it raised. */
static PyObject *
ask (PyObject *callback,
     LsNode   *node)
{
  PyObject *wrapped = ls_py_wrap (ls_node_ref (node));
  PyObject *result = wrapped != NULL ? PyObject_CallFunctionObjArgs (callback, wrapped, NULL) : NULL;

  Py_XDECREF (wrapped);
  return result;
}

/* ---- walk ------------------------------------------------------------------- */

static LsWalk
enter_node (LsNode   *node,
            gpointer  user_data)
{
  Callbacks *self = user_data;
  PyObject *result;
  gboolean prune;

  if (self->enter == NULL || ls_is (node, ARRAY) || ls_is (node, MAP))
    return ls_py_failed () ? LS_WALK_STOP : LS_WALK_CONTINUE;
  result = ask (self->enter, node);
  if (result == NULL)
    return LS_WALK_STOP;
  prune = result == Py_False;
  Py_DECREF (result);
  return prune ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static void
leave_node (LsNode   *node,
            gpointer  user_data)
{
  Callbacks *self = user_data;

  if (ls_py_failed () || ls_is (node, ARRAY) || ls_is (node, MAP))
    return;
  Py_XDECREF (ask (self->leave, node));
}

/* walk (node, enter or None, leave or None): enter returns False to leave out what is below */
static PyObject *
py_walk (PyObject *module,
         PyObject *args)
{
  PyObject *object, *enter, *leave;
  Callbacks self = { NULL, NULL, NULL };
  LsNode *root;

  if (!PyArg_ParseTuple (args, "O!OO", ls_py_node_type, &object, &enter, &leave))
    return NULL;
  self.enter = enter != Py_None ? enter : NULL;
  self.leave = leave != Py_None ? leave : NULL;
  root = ls_node_ref (ls_py_node (object));
  ls_walk (root, enter_node, self.leave != NULL ? leave_node : NULL, &self);
  ls_node_unref (root);
  if (ls_py_failed ())
    return NULL;
  Py_RETURN_NONE;
}

/* ---- rewrite -------------------------------------------------------------------- */

/* What a callback gives instead of a node: a reference; NULL: nothing, go on. */
static LsNode *
answer (PyObject *callback,
        LsNode   *node)
{
  PyObject *result = ask (callback, node);
  LsNode *fresh = NULL;

  if (result == NULL)
    return NULL;
  if (result != Py_None)
    ls_py_to_node (result, ls_is_stmt (node) ? LS_PY_STMT : ls_is_expr (node) ? LS_PY_EXPR : LS_PY_ANY, FALSE, "the result of the callback", &fresh);
  Py_DECREF (result);
  return fresh;
}

static LsNode *
rewrite_node (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  Callbacks *self = user_data;
  LsNode *result, *fresh;

  if (ls_py_failed ())
    return ls_node_ref (node);
  if (!is_wanted (self, node) || ls_is (node, ARRAY) || ls_is (node, MAP))
    return ls_rewrite_default (rewriter, node);
  if (self->enter != NULL && (fresh = answer (self->enter, node)) != NULL)
    return fresh;
  if (ls_py_failed ())
    return ls_node_ref (node);
  result = ls_rewrite_default (rewriter, node);
  if (self->leave != NULL && !ls_py_failed () && (fresh = answer (self->leave, result)) != NULL)
    ls_take (&result, fresh);
  return result;
}

/* transform (node, preorder or None, postorder or None, kinds or None) as TVM's ir_transform */
static PyObject *
py_transform (PyObject *module,
              PyObject *args)
{
  static const char *const NAMES[] = {
#define X(name, stem) #name,
    LS_KINDS (X)
#undef X
  };
  PyObject *object, *enter, *leave, *kinds;
  Callbacks self = { NULL, NULL, NULL };
  LsNode *result;

  if (!PyArg_ParseTuple (args, "O!OOO", ls_py_node_type, &object, &enter, &leave, &kinds))
    return NULL;
  self.enter = enter != Py_None ? enter : NULL;
  self.leave = leave != Py_None ? leave : NULL;
  if (kinds != Py_None)
    {
      Py_ssize_t n = PySequence_Size (kinds);

      self.kinds = g_hash_table_new (NULL, NULL);
      for (Py_ssize_t i = 0; i < n; i++)
        {
          PyObject *item = PySequence_GetItem (kinds, i);
          const char *name = item != NULL && PyUnicode_Check (item) ? PyUnicode_AsUTF8AndSize (item, NULL) : "";

          for (guint k = 0; name != NULL && k < G_N_ELEMENTS (NAMES); k++)
            if (g_strcmp0 (NAMES[k], name) == 0)
              g_hash_table_add (self.kinds, GINT_TO_POINTER ((int) k + 1));
          Py_XDECREF (item);
        }
    }
  result = ls_rewrite_with (ls_py_node (object), rewrite_node, &self);
  g_clear_pointer (&self.kinds, g_hash_table_unref);
  if (!ls_py_failed ())
    return ls_py_wrap (result);
  ls_node_unref (result);
  return NULL;
}

/* ---- substitute ------------------------------------------------------------------ */

/* A Python dictionary of wrapped nodes as a table (keys borrowed, values owned); NULL with an exception. */
static GHashTable *
table_of (PyObject *dict)
{
  GHashTable *table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  PyObject *pairs = PyMapping_Items (dict);
  Py_ssize_t n = pairs != NULL ? PyList_Size (pairs) : 0;

  for (Py_ssize_t i = 0; i < n && !ls_py_failed (); i++)
    {
      PyObject *pair = PyList_GetItem (pairs, i);
      PyObject *key = PyTuple_GetItem (pair, 0);
      LsNode *node = ls_py_is_node (key) ? ls_py_node (key) : NULL;
      LsNode *value;

      if (ls_is (node, ITER_VAR))
        node = LS_NODE (((LsIterVar *) node)->var);
      if (node == NULL || !(node->klass->flags & LS_CLASS_IDENTITY))
        PyErr_Format (PyExc_TypeError, "%R is no variable or buffer", key);
      else if (ls_py_to_node (PyTuple_GetItem (pair, 1), ls_is_expr (node) ? LS_PY_EXPR : LS_PY_ANY, FALSE, "value", &value))
        g_hash_table_insert (table, node, value);
    }
  Py_XDECREF (pairs);
  if (ls_py_failed ())
    g_clear_pointer (&table, g_hash_table_unref);
  return table;
}

static PyObject *
py_substitute (PyObject *module,
               PyObject *args)
{
  PyObject *object, *dict;
  GHashTable *table;
  PyObject *result;
  LsNode *node;

  if (!PyArg_ParseTuple (args, "OO", &object, &dict) || !ls_py_to_node (object, LS_PY_ANY, FALSE, "node", &node))
    return NULL;
  table = table_of (dict);
  if (table != NULL)
    ls_buffers_replace (node, table);
  result = table != NULL ? ls_py_wrap (ls_substitute (node, table)) : NULL;
  ls_node_unref (node);
  g_clear_pointer (&table, g_hash_table_unref);
  return result;
}

/* specialize (function, values): variables that have got values; the function itself where none of them occurs */
static PyObject *
py_specialize (PyObject *module,
               PyObject *args)
{
  PyObject *object, *dict, *result;
  LsPrimFunc *func;
  GHashTable *table;

  if (!PyArg_ParseTuple (args, "OO", &object, &dict) || (func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function")) == NULL
      || (table = table_of (dict)) == NULL)
    return NULL;
  result = ls_py_wrap (ls_prim_func_specialize (func, table));
  g_hash_table_unref (table);
  return result;
}

static PyObject *
py_uses (PyObject *module,
         PyObject *args)
{
  PyObject *root, *node;

  if (!PyArg_ParseTuple (args, "O!O!", ls_py_node_type, &root, ls_py_node_type, &node))
    return NULL;
  return PyBool_FromLong (ls_uses (ls_py_node (root), ls_py_node (node)));
}

/* ---- equality ---------------------------------------------------------------------- */

/* equal (a, b, map_free): True, or the two paths to the first place that differs */
static PyObject *
py_equal (PyObject *module,
          PyObject *args)
{
  PyObject *first, *second, *result;
  int map_free;
  LsNode *a, *b;
  g_autofree char *path_a = NULL;
  g_autofree char *path_b = NULL;
  gboolean same;

  if (!PyArg_ParseTuple (args, "OOp", &first, &second, &map_free) || !ls_py_to_node (first, LS_PY_ANY, TRUE, "left", &a))
    return NULL;
  if (!ls_py_to_node (second, LS_PY_ANY, TRUE, "right", &b))
    {
      ls_node_unref (a);
      return NULL;
    }
  same = a != NULL && b != NULL ? ls_structural_mismatch (a, b, map_free, &path_a, &path_b) : a == b;
  ls_node_unref (a);
  ls_node_unref (b);
  if (same)
    Py_RETURN_TRUE;
  result = Py_BuildValue ("(ss)", path_a != NULL ? path_a : "", path_b != NULL ? path_b : "");
  return result;
}

static PyObject *
py_deep_equal (PyObject *module,
               PyObject *args)
{
  LsExpr *a = NULL, *b = NULL;
  gboolean same;

  if (!PyArg_ParseTuple (args, "O&O&", ls_py_expr_arg, &a, ls_py_expr_arg, &b))
    return NULL;
  same = ls_deep_equal (a, b);
  ls_unref (a);
  ls_unref (b);
  return PyBool_FromLong (same);
}

static PyObject *
py_structural_hash (PyObject *module,
                    PyObject *args)
{
  PyObject *object;
  int map_free = FALSE;
  LsNode *node;
  guint64 hash;

  if (!PyArg_ParseTuple (args, "O|p", &object, &map_free) || !ls_py_to_node (object, LS_PY_ANY, FALSE, "value", &node))
    return NULL;
  hash = ls_structural_hash (node, map_free);
  ls_node_unref (node);
  return PyLong_FromLongLong ((long long) hash);
}

/* ---- modules --------------------------------------------------------------------------- */

static LsModule *
module_arg (PyObject *object)
{
  return (LsModule *) ls_py_require (object, LS_KIND_MODULE, "the module");
}

/* module ([(global var or name, function)], attrs, global_infos) */
static PyObject *
py_module (PyObject *self,
           PyObject *args)
{
  PyObject *list, *attrs_object, *infos_object;
  g_autoptr (GPtrArray) gvars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) funcs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsNode) attrs = NULL;
  g_autoptr (LsNode) infos = NULL;

  if (!PyArg_ParseTuple (args, "O!OO", &PyList_Type, &list, &attrs_object, &infos_object))
    return NULL;
  if ((attrs_object != Py_None && !ls_py_to_node (attrs_object, LS_PY_MAP, TRUE, "attrs", &attrs))
      || (infos_object != Py_None && !ls_py_to_node (infos_object, LS_PY_MAP, TRUE, "global_infos", &infos)))
    return NULL;
  for (Py_ssize_t i = 0; i < PyList_Size (list); i++)
    {
      PyObject *name, *func;

      if (!PyArg_ParseTuple (PyList_GetItem (list, i), "OO!", &name, ls_py_node_type, &func))
        return NULL;
      if (PyUnicode_Check (name))
        g_ptr_array_add (gvars, ls_global_var_new (PyUnicode_AsUTF8AndSize (name, NULL)));
      else if (ls_py_require (name, LS_KIND_GLOBAL_VAR, "the name") != NULL)
        g_ptr_array_add (gvars, ls_node_ref (ls_py_node (name)));
      else
        return NULL;
      if (ls_py_require_func (func) == NULL)
        return NULL;
      g_ptr_array_add (funcs, ls_node_ref (ls_py_node (func)));
    }
  return ls_py_wrap (ls_module_new (ls_array_take_ptr_array (g_steal_pointer (&gvars)), ls_array_take_ptr_array (g_steal_pointer (&funcs)),
                                    (LsMap *) g_steal_pointer (&attrs), (LsMap *) g_steal_pointer (&infos)));
}

/* module_with (module, name, function): function None removes it */
static PyObject *
py_module_with (PyObject *self,
                PyObject *args)
{
  PyObject *object, *func;
  const char *name;
  LsModule *module;

  if (!PyArg_ParseTuple (args, "OsO", &object, &name, &func) || (module = module_arg (object)) == NULL)
    return NULL;
  if (func == Py_None)
    return ls_py_wrap (ls_module_without (module, name));
  if (ls_py_require_func (func) == NULL)
    return NULL;
  return ls_py_wrap (ls_module_with (module, name, ls_py_node (func)));
}

static PyObject *
py_module_get (PyObject *self,
               PyObject *args)
{
  PyObject *object;
  const char *name;
  LsModule *module;

  if (!PyArg_ParseTuple (args, "Os", &object, &name) || (module = module_arg (object)) == NULL)
    return NULL;
  return ls_py_from_node (ls_module_get (module, name));
}

/* replace_node (root, old, fresh): the root, or a copy of it; see ls_node_replace () */
static PyObject *
py_replace_node (PyObject *module,
                 PyObject *args)
{
  PyObject *root, *old, *fresh;

  if (!PyArg_ParseTuple (args, "OOO", &root, &old, &fresh))
    return NULL;
  if (!ls_py_is_node (root) || !ls_py_is_node (old) || !ls_py_is_node (fresh))
    return PyErr_Format (PyExc_TypeError, "nodes are expected");
  return ls_py_wrap (ls_node_replace (ls_py_node (root), ls_py_node (old), ls_py_node (fresh)));
}

/* rebind (a, b): the object a stands for the node of b from now on */
static PyObject *
py_rebind (PyObject *module,
           PyObject *args)
{
  PyObject *a, *b;
  LsNode *before;

  if (!PyArg_ParseTuple (args, "OO", &a, &b))
    return NULL;
  if (!ls_py_is_node (a) || !ls_py_is_node (b))
    return PyErr_Format (PyExc_TypeError, "nodes are expected");
  before = ls_py_node (a);
  ((LsPyNode *) a)->node = ls_node_ref (ls_py_node (b));
  ls_node_unref (before);
  Py_RETURN_NONE;
}

PyMethodDef ls_py_tree_methods[] = {
  { "replace_node", py_replace_node, METH_VARARGS, "replace_node(root, old, fresh)" },
  { "rebind", py_rebind, METH_VARARGS, "rebind(a, b)" },
  { "walk", py_walk, METH_VARARGS, "walk(node, enter, leave)" },
  { "transform", py_transform, METH_VARARGS, "transform(node, preorder, postorder, kinds)" },
  { "specialize", py_specialize, METH_VARARGS, "specialize(function, map)" },
  { "substitute", py_substitute, METH_VARARGS, "substitute(node, map)" },
  { "uses", py_uses, METH_VARARGS, "uses(root, node)" },
  { "equal", py_equal, METH_VARARGS, "equal(a, b, map_free)" },
  { "deep_equal", py_deep_equal, METH_VARARGS, "deep_equal(a, b)" },
  { "structural_hash", py_structural_hash, METH_VARARGS, "A hash that equal structures share." },
  { "module", py_module, METH_VARARGS, "module(functions, attrs, global_infos)" },
  { "module_with", py_module_with, METH_VARARGS, "module_with(module, name, function)" },
  { "module_get", py_module_get, METH_VARARGS, "module_get(module, name)" },
  { NULL, NULL, 0, NULL },
};
