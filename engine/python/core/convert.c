/* convert: Python values to nodes and nodes to Python values.
 *
 * A whole number becomes an int32 constant (int64 where it does not fit), a float a float32 constant, as TVM's
 * convert does.  An object that has `asobject` (a slice of a tensor, a deferred comparison) is asked for its node.
 */
#include "engine/python/core/objects.h"

#include <string.h>

static const char *
want_words (LsPyWant want)
{
  switch (want)
    {
    case LS_PY_ANY:          return "a value of the IR";
    case LS_PY_EXPR:         return "an expression";
    case LS_PY_VAR:          return "a variable";
    case LS_PY_STMT:         return "a statement";
    case LS_PY_BUFFER:       return "a buffer";
    case LS_PY_RANGE:        return "a range";
    case LS_PY_ITER_VAR:     return "an iteration variable";
    case LS_PY_TYPE:         return "a type";
    case LS_PY_MAP:          return "a dictionary";
    case LS_PY_ARRAY:        return "a list";
    case LS_PY_EXPRS:        return "a list of expressions";
    case LS_PY_VARS:         return "a list of variables";
    case LS_PY_BUFFERS:      return "a list of buffers";
    case LS_PY_RANGES:       return "a list of ranges";
    case LS_PY_ITER_VARS:    return "a list of iteration variables";
    case LS_PY_REGIONS:      return "a list of buffer regions";
    case LS_PY_MATCHES:      return "a list of matched buffer regions";
    case LS_PY_STMTS:        return "a list of statements";
    case LS_PY_STRUCT_INFO:  return "a struct info";
    case LS_PY_STRUCT_INFOS: return "a list of struct infos";
    case LS_PY_RELAX:        return "a Relax expression";
    case LS_PY_RELAXES:      return "a list of Relax expressions";
    case LS_PY_RELAX_VAR:    return "a Relax variable";
    case LS_PY_RELAX_VARS:   return "a list of Relax variables";
    }
  return "a value";
}

static gboolean
refuse (PyObject   *value,
        LsPyWant    want,
        const char *what)
{
  if (!ls_py_failed ())
    PyErr_Format (PyExc_TypeError, "%s: expected %s, got %.200R", what, want_words (want), value);
  return FALSE;
}

/* The kind of the items of a list, 0: no list. */
static LsPyWant
item_of (LsPyWant want)
{
  switch (want)
    {
    case LS_PY_ARRAY:        return LS_PY_ANY;
    case LS_PY_EXPRS:        return LS_PY_EXPR;
    case LS_PY_VARS:         return LS_PY_VAR;
    case LS_PY_BUFFERS:      return LS_PY_BUFFER;
    case LS_PY_RANGES:       return LS_PY_RANGE;
    case LS_PY_ITER_VARS:    return LS_PY_ITER_VAR;
    case LS_PY_REGIONS:
    case LS_PY_MATCHES:      return LS_PY_ANY;
    case LS_PY_STMTS:        return LS_PY_STMT;
    case LS_PY_STRUCT_INFOS: return LS_PY_STRUCT_INFO;
    case LS_PY_RELAXES:      return LS_PY_RELAX;
    case LS_PY_RELAX_VARS:   return LS_PY_RELAX_VAR;
    case LS_PY_ANY:
    case LS_PY_EXPR:
    case LS_PY_VAR:
    case LS_PY_STMT:
    case LS_PY_BUFFER:
    case LS_PY_RANGE:
    case LS_PY_ITER_VAR:
    case LS_PY_TYPE:
    case LS_PY_MAP:
    case LS_PY_STRUCT_INFO:
    case LS_PY_RELAX:
    case LS_PY_RELAX_VAR:
      break;
    }
  return (LsPyWant) 0;
}

/* ---- single nodes ----------------------------------------------------------- */

/* Does a node do as it is?  Otherwise what stands for it: the variable of an iteration variable, the point read of a
 * region, ... (transfer full), or NULL. */
static LsNode *
fit (LsNode   *node,
     LsPyWant  want)
{
  switch (want)
    {
    case LS_PY_ANY:
      return ls_node_ref (node);
    case LS_PY_EXPR:
      if (ls_is (node, ITER_VAR))
        return LS_NODE (ls_ref (((LsIterVar *) node)->var));
      if (ls_is (node, STRING))
        return LS_NODE (ls_string_imm_new (((LsString *) node)->value));
      if (ls_is (node, PRIM_VALUE))
        return LS_NODE (ls_ref (((LsPrimValue *) node)->value));
      return ls_is_expr (node) ? ls_node_ref (node) : NULL;
    case LS_PY_VAR:
      if (ls_is (node, ITER_VAR))
        return LS_NODE (ls_ref (((LsIterVar *) node)->var));
      return ls_is_var (node) ? ls_node_ref (node) : NULL;
    case LS_PY_STMT:
      return ls_is_stmt (node) ? ls_node_ref (node) : NULL;
    case LS_PY_BUFFER:
      return ls_is (node, BUFFER) ? ls_node_ref (node) : NULL;
    case LS_PY_RANGE:
      return ls_is (node, RANGE) ? ls_node_ref (node) : NULL;
    case LS_PY_ITER_VAR:
      return ls_is (node, ITER_VAR) ? ls_node_ref (node) : NULL;
    case LS_PY_TYPE:
      return ls_is (node, PRIM_TYPE) || ls_is (node, POINTER_TYPE) || ls_is (node, TUPLE_TYPE) ? ls_node_ref (node) : NULL;
    case LS_PY_MAP:
      return ls_is (node, MAP) ? ls_node_ref (node) : NULL;
    case LS_PY_STRUCT_INFO:
      return ls_is_struct_info (node) ? ls_node_ref (node) : NULL;
    case LS_PY_RELAX:
      if (ls_is_expr (node))
        return ls_prim_value_new (LS_EXPR (ls_node_ref (node)));
      return ls_is_relax_expr (node) || ls_is (node, GLOBAL_VAR) || ls_is (node, FUNCTION) || ls_is (node, SEQ_EXPR) || ls_is (node, PRIM_FUNC)
             ? ls_node_ref (node) : NULL;
    case LS_PY_RELAX_VAR:
      return ls_is_relax_var (node) ? ls_node_ref (node) : NULL;
    case LS_PY_ARRAY:
    case LS_PY_EXPRS:
    case LS_PY_VARS:
    case LS_PY_BUFFERS:
    case LS_PY_RANGES:
    case LS_PY_ITER_VARS:
    case LS_PY_REGIONS:
    case LS_PY_MATCHES:
    case LS_PY_STMTS:
    case LS_PY_STRUCT_INFOS:
    case LS_PY_RELAXES:
    case LS_PY_RELAX_VARS:
      break;
    }
  return NULL;
}

static gboolean
items_fit (LsArray  *array,
           LsPyWant  want)
{
  LsPyWant item = item_of (want);

  for (guint i = 0; want != LS_PY_ARRAY && i < array->n; i++)
    {
      g_autoptr (LsNode) same = array->items[i] != NULL ? fit (array->items[i], item) : NULL;

      if (same != array->items[i] || (want == LS_PY_REGIONS && !ls_is (same, BUFFER_REGION))
          || (want == LS_PY_MATCHES && !ls_is (same, MATCH_BUFFER_REGION)))
        return FALSE;
    }
  return TRUE;
}

/* ---- numbers, texts ----------------------------------------------------------- */

static gboolean
from_int (PyObject  *value,
          LsNode   **node)
{
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow (value, &overflow);

  if (overflow > 0)
    {
      unsigned long long large = PyLong_AsUnsignedLongLong (value);

      if (ls_py_failed ())
        return FALSE;
      *node = LS_NODE (ls_int_imm_new (LS_DTYPE (LS_TYPE_UINT, 64), (gint64) large));
      return TRUE;
    }
  if (overflow < 0 || (number == -1 && ls_py_failed ()))
    {
      if (!ls_py_failed ())
        PyErr_SetString (PyExc_OverflowError, "the number does not fit into 64 bits");
      return FALSE;
    }
  *node = LS_NODE (ls_int_imm_new (number >= G_MININT32 && number <= G_MAXINT32 ? LS_INT32 : LS_INT64, number));
  return TRUE;
}

/* A number of Python or numpy.  FALSE without an exception when it is none. */
static gboolean
from_number (PyObject  *value,
             LsNode   **node)
{
  PyObject *number;
  gboolean done;

  if (PyBool_Check (value))
    {
      *node = LS_NODE (ls_bool (value == Py_True));
      return TRUE;
    }
  if (PyLong_Check (value))
    return from_int (value, node);
  if (PyFloat_Check (value))
    {
      *node = LS_NODE (ls_float_imm_new (LS_FLOAT32, PyFloat_AsDouble (value)));
      return TRUE;
    }
  if (PyIndex_Check (value))
    {
      number = PyNumber_Index (value);
      if (number == NULL)
        {
          PyErr_Clear ();
          return FALSE;
        }
      done = from_int (number, node);
      Py_DECREF (number);
      return done;
    }
  if (PyObject_HasAttrString (value, "__float__") && !PySequence_Check (value))
    {
      number = PyNumber_Float (value);
      if (number == NULL)
        {
          PyErr_Clear ();
          return FALSE;
        }
      *node = LS_NODE (ls_float_imm_new (LS_FLOAT32, PyFloat_AsDouble (number)));
      Py_DECREF (number);
      return TRUE;
    }
  return FALSE;
}

static gboolean
from_text (PyObject  *value,
           LsPyWant   want,
           LsNode   **node)
{
  Py_ssize_t length;
  const char *text = PyUnicode_AsUTF8AndSize (value, &length);

  if (text == NULL)
    return FALSE;
  if (want == LS_PY_EXPR)
    *node = LS_NODE (ls_string_imm_new (text));
  else if (want == LS_PY_RELAX)
    *node = ls_relax_string_new (text);
  else
    *node = LS_NODE (ls_string_new (text));
  return TRUE;
}

/* ---- lists, dictionaries -------------------------------------------------------- */

static gboolean
from_sequence (PyObject    *value,
               LsPyWant     item,
               const char  *what,
               LsNode     **node)
{
  PyObject *iterator = PyObject_GetIter (value);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  PyObject *next;

  if (iterator == NULL)
    return FALSE;
  while ((next = PyIter_Next (iterator)) != NULL)
    {
      LsNode *made = NULL;
      gboolean done = ls_py_to_node (next, item, item == LS_PY_ANY, what, &made);

      Py_DECREF (next);
      if (!done)
        break;
      g_ptr_array_add (items, made);
    }
  Py_DECREF (iterator);
  if (ls_py_failed ())
    return FALSE;
  *node = LS_NODE (ls_array_take_ptr_array (g_steal_pointer (&items)));
  return TRUE;
}

static gboolean
from_dict (PyObject    *value,
           const char  *what,
           LsNode     **node)
{
  PyObject *pairs = PyMapping_Items (value);
  Py_ssize_t n = pairs != NULL ? PyList_Size (pairs) : 0;
  g_autofree const char **keys = g_new0 (const char *, n + 1);
  g_autofree LsNode **values = g_new0 (LsNode *, n + 1);
  Py_ssize_t done = 0;

  if (pairs == NULL)
    return FALSE;
  for (; done < n; done++)
    {
      PyObject *pair = PyList_GetItem (pairs, done);
      PyObject *key = PyTuple_GetItem (pair, 0);

      if (!PyUnicode_Check (key))
        {
          PyErr_Format (PyExc_TypeError, "%s: the keys of a dictionary are texts, not %.200R", what, key);
          break;
        }
      keys[done] = PyUnicode_AsUTF8AndSize (key, NULL);
      if (keys[done] == NULL || !ls_py_to_node (PyTuple_GetItem (pair, 1), LS_PY_ANY, TRUE, what, &values[done]))
        break;
    }
  if (done == n)
    *node = LS_NODE (ls_map_new (keys, values, (guint) n));
  else
    for (Py_ssize_t i = 0; i < done; i++)
      ls_node_unref (values[i]);
  Py_DECREF (pairs);
  return done == n;
}

/* ---- all ------------------------------------------------------------------------ */

static gboolean
from_node (PyObject   *value,
           LsPyWant    want,
           const char *what,
           LsNode    **node)
{
  LsNode *given = ls_py_node (value);

  if (item_of (want) != 0)
    {
      if (!ls_is (given, ARRAY))
        return refuse (value, want, what);
      if (!items_fit ((LsArray *) given, want))
        return from_sequence (value, item_of (want), what, node);
      *node = ls_node_ref (given);
      return TRUE;
    }
  *node = fit (given, want);
  return *node != NULL || refuse (value, want, what);
}

static gboolean
from_asobject (PyObject   *value,
               LsPyWant    want,
               const char *what,
               LsNode    **node)
{
  PyObject *object = PyObject_CallMethod (value, "asobject", NULL);
  gboolean done;

  if (object == NULL)
    return FALSE;
  done = ls_py_to_node (object, want, FALSE, what, node);
  Py_DECREF (object);
  return done;
}

static gboolean
is_listed (LsNode   *node,
           LsPyWant  want)
{
  LsKind kind = want == LS_PY_REGIONS ? LS_KIND_BUFFER_REGION : LS_KIND_MATCH_BUFFER_REGION;

  if (want != LS_PY_REGIONS && want != LS_PY_MATCHES)
    return TRUE;
  for (guint i = 0; i < ((LsArray *) node)->n; i++)
    if (((LsArray *) node)->items[i] == NULL || ls_kind (((LsArray *) node)->items[i]) != kind)
      return FALSE;
  return TRUE;
}

gboolean
ls_py_to_node (PyObject    *value,
               LsPyWant     want,
               gboolean     optional,
               const char  *what,
               LsNode     **node)
{
  *node = NULL;
  if (value == Py_None)
    {
      if (want == LS_PY_MAP)
        *node = LS_NODE (ls_map_empty ());
      return optional || want == LS_PY_MAP || refuse (value, want, what);
    }
  if (ls_py_is_node (value))
    return from_node (value, want, what, node);
  if (item_of (want) != 0)
    {
      if (PyUnicode_Check (value) || PyDict_Check (value) || !(PySequence_Check (value) || PyIter_Check (value)))
        return refuse (value, want, what);
      if (!from_sequence (value, item_of (want), what, node))
        return FALSE;
      if (is_listed (*node, want))
        return TRUE;
      ls_node_unref (g_steal_pointer (node));
      return refuse (value, want, what);
    }
  if (want == LS_PY_ANY || want == LS_PY_EXPR || want == LS_PY_RELAX)
    {
      if (PyUnicode_Check (value))
        return from_text (value, want, node);
      if (from_number (value, node))
        {
          if (want == LS_PY_RELAX)
            *node = ls_prim_value_new (LS_EXPR (*node));
          return TRUE;
        }
      if (ls_py_failed ())
        return FALSE;
    }
  if (PyObject_HasAttrString (value, "asobject"))
    return from_asobject (value, want, what, node);
  if ((want == LS_PY_ANY || want == LS_PY_MAP) && PyMapping_Check (value) && PyObject_HasAttrString (value, "items"))
    return from_dict (value, what, node);
  if (want == LS_PY_ANY && PySequence_Check (value))
    return from_sequence (value, LS_PY_ANY, what, node);
  return refuse (value, want, what);
}

int
ls_py_expr_arg (PyObject  *value,
                LsExpr   **expr)
{
  if (value == NULL)
    {
      ls_unref (g_steal_pointer (expr));
      return 1;
    }
  return ls_py_to_node (value, LS_PY_EXPR, FALSE, "argument", (LsNode **) expr) ? Py_CLEANUP_SUPPORTED : 0;
}

int
ls_py_dtype_arg (PyObject *value,
                 LsDType  *dtype)
{
  PyObject *text = value == Py_None ? PyUnicode_FromString ("void") : PyUnicode_Check (value) ? Py_NewRef (value) : NULL;
  const char *name;
  gboolean known;

  if (text == NULL && PyType_Check (value))
    text = PyObject_GetAttrString (value, "__name__");          /* numpy.float32 */
  else if (text == NULL)
    text = PyObject_Str (value);
  name = text != NULL ? PyUnicode_AsUTF8AndSize (text, NULL) : NULL;
  if (name != NULL && *name == '\0')
    name = "void";
  known = name != NULL && ls_dtype_parse (name, dtype);
  if (!known && name != NULL)
    PyErr_Format (PyExc_ValueError, "unknown type %.200s", name);
  Py_XDECREF (text);
  return known;
}

/* ---- back --------------------------------------------------------------------------- */

PyObject *
ls_py_from_node (gpointer node)
{
  if (ls_is (node, STRING))
    return PyUnicode_DecodeUTF8 (((LsString *) node)->value, (Py_ssize_t) strlen (((LsString *) node)->value), "replace");
  return ls_py_wrap (ls_node_ref (node));
}

PyObject *
ls_py_from_field (LsNode        *node,
                  const LsField *field)
{
  const char *at = (const char *) node + field->offset;

  switch (field->type)
    {
    case LS_FIELD_NODE:
      return ls_py_from_node (*(LsNode *const *) at != ls_unknown_struct_info () ? *(LsNode *const *) at : NULL);
    case LS_FIELD_INT:
      if (ls_is (node, INT_IMM) && ls_dtype_is_bool (ls_dtype (node)))
        return PyBool_FromLong (*(const gint64 *) at != 0);
      if (ls_is (node, INT_IMM) && ls_dtype_is_uint (ls_dtype (node)))
        return PyLong_FromUnsignedLongLong (*(const guint64 *) at);
      return PyLong_FromLongLong (*(const gint64 *) at);
    case LS_FIELD_FLOAT:
      return PyFloat_FromDouble (*(const double *) at);
    case LS_FIELD_BOOL:
      return PyBool_FromLong (*(const gboolean *) at);
    case LS_FIELD_STRING:
      return PyUnicode_FromString (*(char *const *) at != NULL ? *(char *const *) at : "");
    case LS_FIELD_DTYPE:
      return PyUnicode_InternFromString (ls_dtype_name (*(const LsDType *) at));
    case LS_FIELD_ENUM:
      return PyLong_FromLong (*(const int *) at);
    }
  Py_RETURN_NONE;
}

PyObject *
ls_py_list (LsArray *array)
{
  guint n = ls_array_n (array);
  PyObject *list = PyList_New (n);

  for (guint i = 0; list != NULL && i < n; i++)
    {
      PyObject *item = ls_py_from_node (array->items[i]);

      if (item == NULL)
        Py_CLEAR (list);
      else
        PyList_SetItem (list, (Py_ssize_t) i, item);
    }
  return list;
}

PyObject *
ls_py_text (char *text)
{
  PyObject *result;

  if (text == NULL)
    Py_RETURN_NONE;
  result = PyUnicode_DecodeUTF8 (text, (Py_ssize_t) strlen (text), "replace");
  g_free (text);
  return result;
}
