/* host: the names that a script takes from the Python program around it.
 *
 * Objects of the reader's host are references to Python objects.  Modules of this package and their members stand for
 * what the reader knows itself (a member carries its path in __script_path__, or in __module__ and __name__).  A Python
 * exception in a helper function becomes a finding.
 */
#include "engine/python/core/objects.h"

#include <string.h>

typedef struct {
  LsScriptHost host;
  PyObject    *names;
} Host;

#define NAMES(host_) (((Host *) (host_))->names)

static gpointer
host_lookup (LsScriptHost *host,
             const char   *name)
{
  PyObject *key = PyUnicode_FromString (name);
  PyObject *value = key != NULL ? PyDict_GetItemWithError (NAMES (host), key) : NULL;

  Py_XDECREF (key);
  return Py_XNewRef (value);
}

static gpointer
host_keep (LsScriptHost *host,
           gpointer      object)
{
  return Py_NewRef (object);
}

static void
host_release (LsScriptHost *host,
              gpointer      object)
{
  Py_DECREF (object);
}

/* ---- reading ---------------------------------------------------------------------- */

/* An attribute that is a text, borrowed from an interned copy; NULL. */
static const char *
text_attribute (PyObject   *object,
                const char *name)
{
  PyObject *value = PyObject_GetAttrString (object, name);
  const char *text = NULL;

  if (value == NULL)
    PyErr_Clear ();
  else if (PyUnicode_Check (value) && (text = PyUnicode_AsUTF8AndSize (value, NULL)) != NULL)
    text = g_intern_string (text);
  Py_XDECREF (value);
  return text;
}

static const char *
space_of (const char *module)
{
  if (strcmp (module, "tvm.script.tir") == 0)
    return "T";
  if (strcmp (module, "tvm.script.ir") == 0)
    return "I";
  return strcmp (module, "tvm.script.relax") == 0 ? "R" : NULL;
}

/* "tvm.script.tir" for a module of ours, "T.prim_func" for a member of one. */
static const char *
path_of (PyObject *object)
{
  const char *module, *name, *space;
  char *path;

  if (PyObject_TypeCheck (object, &PyModule_Type))
    {
      name = text_attribute (object, "__name__");
      return name != NULL && (strcmp (name, "tvm") == 0 || strncmp (name, "tvm.", 4) == 0) ? name : NULL;
    }
  if ((name = text_attribute (object, "__script_path__")) != NULL)
    return name;
  if (!PyCallable_Check (object) || (module = text_attribute (object, "__module__")) == NULL || (space = space_of (module)) == NULL
      || (name = text_attribute (object, "__name__")) == NULL)
    return NULL;
  path = g_strconcat (space, ".", name, NULL);
  name = g_intern_string (path);
  g_free (path);
  return name;
}

static void
read_items (PyObject    *sequence,
            LsHostKind   kind,
            LsHostValue *value)
{
  Py_ssize_t n = PySequence_Size (sequence);

  value->kind = kind;
  value->items = g_new0 (gpointer, n + 1);
  for (Py_ssize_t i = 0; i < n; i++)
    value->items[i] = PySequence_GetItem (sequence, i);
  value->n = (guint) n;
}

static void
read_dict (PyObject    *dict,
           LsHostValue *value)
{
  PyObject *key, *item;
  Py_ssize_t at = 0;

  value->kind = LS_HOST_DICT;
  value->items = g_new0 (gpointer, 2 * PyDict_Size (dict) + 1);
  while (PyDict_Next (dict, &at, &key, &item))
    {
      value->items[value->n++] = Py_NewRef (key);
      value->items[value->n++] = Py_NewRef (item);
    }
}

static gboolean
read_number (PyObject    *object,
             LsHostValue *value)
{
  PyObject *number = PyIndex_Check (object) ? PyNumber_Index (object) : NULL;
  int overflow = 0;

  if (number == NULL && (PyFloat_Check (object) || (!PyType_Check (object) && PyObject_HasAttrString (object, "__float__") && PyObject_HasAttrString (object, "item") && !PySequence_Check (object))))
    {
      value->kind = LS_HOST_FLOAT;
      value->f = PyFloat_AsDouble (object);
      return TRUE;
    }
  if (number == NULL)
    {
      PyErr_Clear ();
      return FALSE;
    }
  value->kind = LS_HOST_INT;
  value->i = PyLong_AsLongLongAndOverflow (number, &overflow);
  Py_DECREF (number);
  if (overflow != 0)
    value->kind = LS_HOST_OTHER;
  return overflow == 0;
}

static void
read_node (PyObject    *object,
           LsHostValue *value)
{
  LsNode *node = ls_py_node (object);

  if (ls_is (node, ARRAY))
    {
      read_items (object, LS_HOST_LIST, value);
      return;
    }
  value->kind = LS_HOST_NODE;
  value->node = ls_node_ref (node);
}

/* An array of numbers as constant data. */
static void
read_array (PyObject    *object,
            LsHostValue *value)
{
  PyObject *module = PyImport_ImportModule ("tvm.relax.expr");
  PyObject *tensor = module != NULL ? PyObject_CallMethod (module, "convert_array", "O", object) : NULL;

  if (tensor != NULL && ls_py_is_node (tensor))
    {
      value->kind = LS_HOST_NODE;
      value->node = ls_node_ref (ls_py_node (tensor));
    }
  Py_XDECREF (tensor);
  Py_XDECREF (module);
}

static void
host_read (LsScriptHost *host,
           gpointer      object,
           LsHostValue  *value)
{
  const char *path;
  LsNode *node;

  if (object == Py_None)
    value->kind = LS_HOST_NONE;
  else if (PyBool_Check (object))
    {
      value->kind = LS_HOST_BOOL;
      value->i = object == Py_True;
    }
  else if (ls_py_is_node (object))
    read_node (object, value);
  else if (PyUnicode_Check (object))
    {
      value->s = PyUnicode_AsUTF8AndSize (object, NULL);
      value->kind = value->s != NULL ? LS_HOST_STRING : LS_HOST_OTHER;
    }
  else if (PyTuple_Check (object))
    read_items (object, LS_HOST_TUPLE, value);
  else if (PyList_Check (object))
    read_items (object, LS_HOST_LIST, value);
  else if (PyDict_Check (object))
    read_dict (object, value);
  else if (read_number (object, value))
    ;
  else if ((path = path_of (object)) != NULL)
    {
      value->kind = LS_HOST_PATH;
      value->s = path;
    }
  else if (!PyType_Check (object) && PyObject_HasAttrString (object, "__meta_value__"))
    {
      value->kind = LS_HOST_META;
      value->items = g_new0 (gpointer, 2);
      value->items[0] = PyObject_GetAttrString (object, "__meta_value__");
      value->n = 1;
    }
  else if (!PyType_Check (object) && PyObject_HasAttrString (object, "__array_interface__"))
    read_array (object, value);
  else if (!PyType_Check (object) && PyObject_HasAttrString (object, "asobject") && ls_py_to_node (object, LS_PY_ANY, FALSE, "value", &node))
    {
      value->kind = LS_HOST_NODE;
      value->node = node;
    }
  PyErr_Clear ();
}

/* ---- making --------------------------------------------------------------------------- */

static gpointer
host_make (LsScriptHost      *host,
           const LsHostValue *value)
{
  PyObject *made = NULL;

  switch (value->kind)
    {
    case LS_HOST_NONE: return Py_NewRef (Py_None);
    case LS_HOST_BOOL: return PyBool_FromLong (value->i != 0);
    case LS_HOST_INT: return PyLong_FromLongLong (value->i);
    case LS_HOST_FLOAT: return PyFloat_FromDouble (value->f);
    case LS_HOST_STRING: return PyUnicode_FromString (value->s);
    case LS_HOST_NODE: return ls_py_from_node (value->node);
    case LS_HOST_TUPLE:
      made = PyTuple_New (value->n);
      for (guint i = 0; made != NULL && i < value->n; i++)
        PyTuple_SetItem (made, (Py_ssize_t) i, Py_NewRef (value->items[i]));
      break;
    case LS_HOST_LIST:
      made = PyList_New (value->n);
      for (guint i = 0; made != NULL && i < value->n; i++)
        PyList_SetItem (made, (Py_ssize_t) i, Py_NewRef (value->items[i]));
      break;
    case LS_HOST_DICT:
      made = PyDict_New ();
      for (guint i = 0; made != NULL && i + 1 < value->n; i += 2)
        PyDict_SetItem (made, value->items[i], value->items[i + 1]);
      break;
    case LS_HOST_META:
    case LS_HOST_PATH:
    case LS_HOST_OTHER:
      break;
    }
  return made;
}

/* ---- carrying out ----------------------------------------------------------------------- */

/* The exception as a GError. */
static gpointer
explain (GError **error)
{
  PyObject *type, *value, *trace;
  PyObject *text, *name;

  PyErr_Fetch (&type, &value, &trace);
  PyErr_NormalizeException (&type, &value, &trace);
  text = value != NULL ? PyObject_Str (value) : NULL;
  name = type != NULL ? PyObject_GetAttrString (type, "__name__") : NULL;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", name != NULL ? PyUnicode_AsUTF8AndSize (name, NULL) : "exception",
               text != NULL ? PyUnicode_AsUTF8AndSize (text, NULL) : "");
  PyErr_Clear ();
  Py_XDECREF (text);
  Py_XDECREF (name);
  Py_XDECREF (type);
  Py_XDECREF (value);
  Py_XDECREF (trace);
  return NULL;
}

static gpointer
host_attribute (LsScriptHost *host,
                gpointer      object,
                const char   *name,
                GError      **error)
{
  PyObject *value = PyObject_GetAttrString (object, name);

  return value != NULL ? value : explain (error);
}

static gpointer
host_item (LsScriptHost *host,
           gpointer      object,
           gpointer      index,
           GError      **error)
{
  PyObject *value = PyObject_GetItem (object, index);

  return value != NULL ? value : explain (error);
}

static gpointer
host_call (LsScriptHost *host,
           gpointer      object,
           gpointer     *args,
           const char  **names,
           guint         n,
           GError      **error)
{
  PyObject *list = PyList_New (0);
  PyObject *keywords = PyDict_New ();
  PyObject *values = NULL, *result = NULL;

  for (guint i = 0; list != NULL && keywords != NULL && i < n; i++)
    if (names[i] != NULL)
      PyDict_SetItemString (keywords, names[i], args[i]);
    else
      PyList_Append (list, args[i]);
  if (list != NULL && keywords != NULL && !ls_py_failed ())
    values = PyList_AsTuple (list);
  if (values != NULL)
    result = PyObject_Call (object, values, keywords);
  Py_XDECREF (list);
  Py_XDECREF (keywords);
  Py_XDECREF (values);
  return result != NULL ? result : explain (error);
}

static gpointer
host_eval (LsScriptHost *host,
           const char   *text,
           const char  **names,
           gpointer     *objects,
           guint         n,
           GError      **error)
{
  g_autofree char *bracketed = g_strconcat ("(", text, "\n)", NULL);
  PyObject *code = Py_CompileString (bracketed, "<script>", Py_eval_input);
  PyObject *space = code != NULL ? PyDict_Copy (NAMES (host)) : NULL;
  PyObject *result = NULL;

  for (guint i = 0; space != NULL && i < n; i++)
    if (PyDict_GetItemString (space, names[i]) == NULL)
      PyDict_SetItemString (space, names[i], objects[i]);
  if (space != NULL)
    {
      PyDict_SetItemString (space, "__builtins__", PyEval_GetBuiltins ());
      result = PyEval_EvalCode (code, space, space);
    }
  Py_XDECREF (code);
  Py_XDECREF (space);
  return result != NULL ? result : explain (error);
}

LsModule *
ls_py_parse_with (LsSource      *source,
                  PyObject      *names,
                  gboolean       lenient,
                  LsDiagnostics *diagnostics)
{
  Host self = {
    { NULL, host_lookup, host_read, host_make, host_attribute, host_item, host_call, host_eval, host_keep, host_release }, names
  };

  self.host.lenient = lenient;
  if (names == Py_None || !PyDict_Check (names))
    return ls_script_parse (source, diagnostics);
  return ls_script_parse_with (source, &self.host, diagnostics);
}

/* relax_call (path, args, keywords): what R.PATH gives for them */
PyObject *
ls_py_relax_call (PyObject *module,
                  PyObject *args)
{
  const char *path;
  PyObject *positional, *keywords, *key, *value;
  Host self = {
    { NULL, host_lookup, host_read, host_make, host_attribute, host_item, host_call, host_eval, host_keep, host_release }, NULL
  };
  g_autoptr (GPtrArray) objects = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  Py_ssize_t at = 0;
  LsNode *result;

  if (!PyArg_ParseTuple (args, "sO!O!", &path, &PyTuple_Type, &positional, &PyDict_Type, &keywords) || (self.names = PyDict_New ()) == NULL)
    return NULL;
  for (Py_ssize_t i = 0; i < PyTuple_Size (positional); i++)
    {
      g_ptr_array_add (objects, PyTuple_GetItem (positional, i));
      g_ptr_array_add (names, NULL);
    }
  while (PyDict_Next (keywords, &at, &key, &value))
    {
      g_ptr_array_add (objects, value);
      g_ptr_array_add (names, (gpointer) PyUnicode_AsUTF8AndSize (key, NULL));
    }
  result = ls_script_relax_call (path, &self.host, objects->pdata, (const char **) names->pdata, objects->len, diagnostics);
  Py_DECREF (self.names);
  if (result != NULL)
    return ls_py_wrap (result);
  return ls_py_raise_diagnostics (LS_PY_OPERAND_ERROR, diagnostics);
}
