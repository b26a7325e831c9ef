/* graph: any node as a list of plain Python values, and back.
 *
 * Each node that is reachable stands once, after what it is made of: [kind, type, payload].  Nodes in the payload are
 * numbers into the list, so that shared variables and buffers stay shared.  The field tables say what a kind holds; lists,
 * dictionaries, arrays of numbers and operators have payloads of their own.  Used by save_json and pickle.
 */
#include "engine/python/core/objects.h"

#include <string.h>

static const char *const KIND_NAMES[] = {
#define X(name, stem) #name,
  LS_KINDS (X)
#undef X
};

/* ---- to Python ---------------------------------------------------------------------- */

typedef struct {
  GHashTable *numbers;          /* node -> its place + 1 */
  PyObject   *list;
} Writer;

static long write_node (Writer *self, LsNode *node);

static PyObject *
plain_value (const LsField *field,
             LsNode        *node)
{
  const char *at = (const char *) node + field->offset;
  const char *text;

  switch (field->type)
    {
    case LS_FIELD_NODE: break;
    case LS_FIELD_INT: return PyLong_FromLongLong (*(const gint64 *) at);
    case LS_FIELD_FLOAT: return PyFloat_FromDouble (*(const double *) at);
    case LS_FIELD_BOOL:
    case LS_FIELD_ENUM: return PyLong_FromLong (*(const int *) at);
    case LS_FIELD_STRING:
      text = *(char *const *) at;
      return text != NULL ? PyUnicode_FromString (text) : Py_NewRef (Py_None);
    case LS_FIELD_DTYPE:
      return ((const LsDType *) at)->bits > 0 || ls_dtype_is_void (*(const LsDType *) at) ? PyUnicode_FromString (ls_dtype_name (*(const LsDType *) at))
                                                                                         : Py_NewRef (Py_None);
    }
  return Py_NewRef (Py_None);
}

/* Appends a new reference. */
static void
append (PyObject *list,
        PyObject *item)
{
  if (item != NULL)
    PyList_Append (list, item);
  Py_XDECREF (item);
}

static PyObject *
payload_of (Writer *self,
            LsNode *node)
{
  guint n = ls_node_get_n_children (node);
  PyObject *payload = PyList_New (0);
  guint child = 0;

  if (ls_is (node, OP))
    {
      append (payload, PyUnicode_FromString (((LsOp *) node)->name));
      return payload;
    }
  if (ls_is (node, TENSOR))
    {
      gsize size;
      const char *data = g_bytes_get_data (((LsTensor *) node)->data, &size);

      append (payload, PyUnicode_FromString (ls_dtype_name (((LsTensor *) node)->dtype)));
      append (payload, PyLong_FromLong (write_node (self, LS_NODE (((LsTensor *) node)->shape))));
      append (payload, PyBytes_FromStringAndSize (data, (Py_ssize_t) size));
      return payload;
    }
  if (ls_is (node, ARRAY) || ls_is (node, MAP))
    for (guint i = 0; i < n; i++)
      {
        if (ls_is (node, MAP))
          append (payload, PyUnicode_FromString (((LsMap *) node)->keys[i]));
        append (payload, PyLong_FromLong (write_node (self, ls_node_get_child (node, i))));
      }
  for (guint i = 0; i < node->klass->n_fields && !ls_is (node, ARRAY) && !ls_is (node, MAP); i++)
    if (node->klass->fields[i].type == LS_FIELD_NODE)
      append (payload, PyLong_FromLong (write_node (self, ls_node_get_child (node, child++))));
    else
      append (payload, plain_value (&node->klass->fields[i], node));
  return payload;
}

static long
write_node (Writer *self,
            LsNode *node)
{
  gpointer known;
  PyObject *payload, *entry;

  if (node == NULL)
    return -1;
  known = g_hash_table_lookup (self->numbers, node);
  if (known != NULL)
    return GPOINTER_TO_INT (known) - 1;
  payload = payload_of (self, node);
  entry = Py_BuildValue ("(ssN)", KIND_NAMES[ls_kind (node)],
                         node->klass->flags & LS_CLASS_EXPR ? ls_dtype_name (ls_dtype (node)) : "", payload);
  append (self->list, entry);
  g_hash_table_insert (self->numbers, node, GINT_TO_POINTER ((int) PyList_Size (self->list)));
  return PyList_Size (self->list) - 1;
}

/* to_graph (value): the list; the value itself is the last one */
static PyObject *
py_to_graph (PyObject *module,
             PyObject *value)
{
  Writer self = { NULL, NULL };
  LsNode *node;

  if (!ls_py_to_node (value, LS_PY_ANY, FALSE, "value", &node))
    return NULL;
  self.numbers = g_hash_table_new (NULL, NULL);
  self.list = PyList_New (0);
  write_node (&self, node);
  g_hash_table_unref (self.numbers);
  ls_node_unref (node);
  if (!ls_py_failed ())
    return self.list;
  Py_DECREF (self.list);
  return NULL;
}

/* ---- from Python -------------------------------------------------------------------- */

/* The node of a number that was read before (new reference); NULL with an exception, or for -1 without one. */
static LsNode *
node_at (GPtrArray *nodes,
         PyObject  *number)
{
  long i = number != NULL && PyLong_Check (number) ? PyLong_AsLong (number) : -2;

  if (i == -1)
    return NULL;
  if (i >= 0 && i < (long) nodes->len)
    return ls_node_ref (nodes->pdata[i]);
  if (!ls_py_failed ())
    PyErr_SetString (PyExc_ValueError, "a node in the list names one that does not stand before it");
  return NULL;
}

static gboolean
read_plain (LsNode        *node,
            const LsField *field,
            PyObject      *value)
{
  char *at = (char *) node + field->offset;
  const char *text;

  switch (field->type)
    {
    case LS_FIELD_NODE: break;
    case LS_FIELD_INT: *(gint64 *) at = PyLong_AsLongLong (value); break;
    case LS_FIELD_FLOAT: *(double *) at = PyFloat_AsDouble (value); break;
    case LS_FIELD_BOOL: *(int *) at = PyLong_AsLong (value) != 0; break;
    case LS_FIELD_ENUM:
      {
        long number = PyLong_AsLong (value), n = 0;

        while (field->enum_names != NULL && field->enum_names[n] != NULL)
          n++;
        if (!ls_py_failed () && (number < 0 || number >= n))
          PyErr_Format (PyExc_ValueError, "%s: %ld is not one of 0 to %ld", field->name, number, n - 1);
        *(int *) at = ls_py_failed () ? 0 : (int) number;
        break;
      }
    case LS_FIELD_STRING:
      text = value != Py_None && PyUnicode_Check (value) ? PyUnicode_AsUTF8AndSize (value, NULL) : NULL;
      *(char **) at = g_strdup (text);
      break;
    case LS_FIELD_DTYPE:
      if (value != Py_None)
        ls_py_dtype_arg (value, (LsDType *) at);
      break;
    }
  return !ls_py_failed ();
}

static LsNode *
read_list (GPtrArray *nodes,
           PyObject  *payload)
{
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (Py_ssize_t i = 0; i < PyList_Size (payload) && !ls_py_failed (); i++)
    g_ptr_array_add (items, node_at (nodes, PyList_GetItem (payload, i)));
  if (!ls_py_failed ())
    return LS_NODE (ls_array_take_ptr_array (items));
  g_ptr_array_unref (items);
  return NULL;
}

static LsNode *
read_map (GPtrArray *nodes,
          PyObject  *payload)
{
  guint n = (guint) PyList_Size (payload) / 2;
  g_autofree const char **keys = g_new0 (const char *, n + 1);
  g_autofree LsNode **values = g_new0 (LsNode *, n + 1);
  guint done = 0;

  for (; done < n && !ls_py_failed (); done++)
    {
      keys[done] = PyUnicode_AsUTF8AndSize (PyList_GetItem (payload, 2 * done), NULL);
      values[done] = node_at (nodes, PyList_GetItem (payload, 2 * done + 1));
    }
  if (!ls_py_failed ())
    return LS_NODE (ls_map_new (keys, values, n));
  for (guint i = 0; i < done; i++)
    ls_node_unref (values[i]);
  return NULL;
}

static LsNode *
read_tensor (GPtrArray *nodes,
             PyObject  *payload)
{
  LsDType dtype;
  char *data;
  Py_ssize_t size;
  g_autoptr (LsNode) shape = NULL;

  if (PyList_Size (payload) != 3 || !ls_py_dtype_arg (PyList_GetItem (payload, 0), &dtype)
      || (shape = node_at (nodes, PyList_GetItem (payload, 1))) == NULL || !ls_is (shape, ARRAY)
      || PyBytes_AsStringAndSize (PyList_GetItem (payload, 2), &data, &size) < 0)
    return NULL;
  return LS_NODE (ls_tensor_new (dtype, (LsArray *) g_steal_pointer (&shape), g_bytes_new (data, (gsize) size)));
}

/* Files leave out what is empty; nodes have an empty map there. */
static void
complete (LsNode *node)
{
  LsMap **attrs = ls_is (node, PRIM_FUNC) ? &((LsPrimFunc *) node)->attrs
                  : ls_is (node, MODULE) ? &((LsModule *) node)->attrs
                  : ls_is (node, EXTERN_FUNC) ? &((LsExternFunc *) node)->attrs : NULL;

  if (attrs != NULL && *attrs == NULL)
    *attrs = ls_map_empty ();
}

static LsNode *
read_fields (GPtrArray  *nodes,
             LsKind      kind,
             const char *dtype,
             PyObject   *payload)
{
  const LsNodeClass *klass = ls_class_get (kind);
  LsNode *node;

  if (klass == NULL || (Py_ssize_t) klass->n_fields < PyList_Size (payload))
    return NULL;
  for (guint i = (guint) PyList_Size (payload); i < klass->n_fields; i++)
    if (klass->fields[i].type != LS_FIELD_NODE || !(klass->fields[i].flags & LS_FIELD_HINT || kind == LS_KIND_EXTERN_FUNC))   /* older files: without attrs */
      return NULL;
  node = ls_node_alloc (klass);
  for (guint i = 0; i < (guint) PyList_Size (payload) && !ls_py_failed (); i++)
    if (klass->fields[i].type == LS_FIELD_NODE)
      *(LsNode **) ((char *) node + klass->fields[i].offset) = node_at (nodes, PyList_GetItem (payload, i));
    else
      read_plain (node, &klass->fields[i], PyList_GetItem (payload, i));
  if ((klass->flags & LS_CLASS_EXPR) && !ls_dtype_parse (dtype, &((LsExpr *) node)->dtype))
    PyErr_Format (PyExc_ValueError, "%s is no type", dtype);
  if (!ls_py_failed ())
    {
      complete (node);
      return ls_node_finish (node);
    }
  ls_node_unref (node);
  return NULL;
}

static LsNode *
read_node (GPtrArray *nodes,
           PyObject  *entry)
{
  const char *name, *dtype;
  PyObject *payload;
  int kind = -1;

  if (!PyTuple_Check (entry) || !PyArg_ParseTuple (entry, "ssO!", &name, &dtype, &PyList_Type, &payload))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (KIND_NAMES); i++)
    if (strcmp (KIND_NAMES[i], name) == 0)
      kind = (int) i;
  switch (kind)
    {
    case -1: return NULL;
    case LS_KIND_ARRAY: return read_list (nodes, payload);
    case LS_KIND_MAP: return read_map (nodes, payload);
    case LS_KIND_TENSOR: return read_tensor (nodes, payload);
    case LS_KIND_OP:
      name = PyList_Size (payload) == 1 ? PyUnicode_AsUTF8AndSize (PyList_GetItem (payload, 0), NULL) : NULL;
      return name != NULL ? ls_node_ref (LS_NODE (ls_op_get (name))) : NULL;
    default: return read_fields (nodes, (LsKind) kind, dtype, payload);
    }
}

/* from_graph (list): the last one */
static PyObject *
py_from_graph (PyObject *module,
               PyObject *list)
{
  g_autoptr (GPtrArray) nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (!PyList_Check (list) || PyList_Size (list) == 0)
    return PyErr_Format (PyExc_TypeError, "from_graph () takes what to_graph () gave");
  for (Py_ssize_t i = 0; i < PyList_Size (list); i++)
    {
      LsNode *node = read_node (nodes, PyList_GetItem (list, i));

      if (node == NULL)
        return ls_py_failed () ? NULL : PyErr_Format (PyExc_ValueError, "%zd: %R is no node", i, PyList_GetItem (list, i));
      g_ptr_array_add (nodes, node);
    }
  return ls_py_from_node (nodes->pdata[nodes->len - 1]);
}

PyMethodDef ls_py_graph_methods[] = {
  { "to_graph", py_to_graph, METH_O, "A node and all that it is made of as plain values." },
  { "from_graph", py_from_graph, METH_O, "What to_graph gave as a node again." },
  { NULL, NULL, 0, NULL },
};
