/* node: the one Python type over every IR node.
 *
 * A Python class is registered for each kind of node (set_class); its attributes are descriptors made from the field
 * table of the kind, unless the class defines the name itself.  Equality and hash are those of the reference, as TVM's
 * Object; expressions override them in Python.
 */
#include "engine/python/core/objects.h"

#include "engine/arith/iter-map.h"
#include "engine/te/te.h"

#include <string.h>

PyTypeObject *ls_py_node_type;

#define N_KINDS 192
static PyObject *classes[N_KINDS];
static PyObject *load_classes;  /* what is to be called when one is lacking; NULL: they are all there */

static const char *const kind_names[] = {
#define X(name, stem) #name,
  LS_KINDS (X)
#undef X
};

G_STATIC_ASSERT (G_N_ELEMENTS (kind_names) < N_KINDS);

PyObject *
ls_py_wrap_as (gpointer  node,
               PyObject *cls)
{
  allocfunc alloc;
  LsPyNode *self;

  if (node == NULL)
    Py_RETURN_NONE;
  alloc = (allocfunc) PyType_GetSlot ((PyTypeObject *) cls, Py_tp_alloc);
  self = (LsPyNode *) alloc ((PyTypeObject *) cls, 0);
  if (self == NULL)
    ls_node_unref (node);
  else
    self->node = node;
  return (PyObject *) self;
}

/* The class of a kind is lacking: the modules that are loaded when they are needed have it, or nobody. */
static void
load_lacking (void)
{
  PyObject *load = load_classes, *done;

  load_classes = NULL;
  done = PyObject_CallNoArgs (load);
  Py_DECREF (load);
  Py_XDECREF (done);
}

PyObject *
ls_py_wrap (gpointer node)
{
  PyObject *cls = node != NULL ? classes[ls_kind (node)] : NULL;

  if (G_UNLIKELY (node != NULL && cls == NULL && load_classes != NULL) && !ls_py_failed ())
    {
      load_lacking ();
      cls = classes[ls_kind (node)];
    }
  if (G_UNLIKELY (ls_py_failed ()))
    {
      if (node != NULL)
        ls_unref (node);
      return NULL;
    }
  return ls_py_wrap_as (node, cls != NULL ? cls : (PyObject *) ls_py_node_type);
}

LsNode *
ls_py_require (PyObject   *object,
               LsKind      kind,
               const char *what)
{
  if (ls_py_is_node (object) && ls_py_node (object) != NULL && ls_kind (ls_py_node (object)) == kind)
    return ls_py_node (object);
  PyErr_Format (PyExc_TypeError, "%s is a %s, not %R", what, kind_names[kind], object);
  return NULL;
}

LsNode *
ls_py_require_func (PyObject *object)
{
  LsNode *func = ls_py_is_node (object) ? ls_py_node (object) : NULL;

  if (ls_is (func, PRIM_FUNC) || ls_is (func, FUNCTION) || ls_is (func, EXTERN_FUNC))
    return func;
  PyErr_Format (PyExc_TypeError, "a module holds functions, not %R", object);
  return NULL;
}

/* ---- the type ------------------------------------------------------------ */

static void
node_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  ls_node_unref (ls_py_node (self));
  release (self);
  Py_DECREF (type);
}

PyObject *
ls_py_no_new (PyTypeObject *type,
              PyObject     *args,
              PyObject     *kwargs)
{
  return PyErr_Format (PyExc_TypeError, "%R is not made by a call of its class", type);
}

static Py_hash_t
node_hash (PyObject *self)
{
  Py_hash_t h = (Py_hash_t) ((gsize) ls_py_node (self) >> 4);

  return h == -1 ? -2 : h;
}

static PyObject *
node_compare (PyObject *self,
              PyObject *other,
              int       op)
{
  gboolean same = ls_py_is_node (other) && ls_py_node (self) == ls_py_node (other);

  if (op != Py_EQ && op != Py_NE)
    Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong (same == (op == Py_EQ));
}

static PyObject *
node_same_as (PyObject *self,
              PyObject *other)
{
  return PyBool_FromLong (ls_py_is_node (other) && ls_py_node (self) == ls_py_node (other));
}

static PyMethodDef node_type_methods[] = {
  { "same_as", node_same_as, METH_O, "Is the other reference to the same node?" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot node_slots[] = {
  { Py_tp_dealloc, node_dealloc },
  { Py_tp_new, ls_py_no_new },
  { Py_tp_hash, node_hash },
  { Py_tp_richcompare, node_compare },
  { Py_tp_methods, node_type_methods },
  { Py_tp_doc, "A node of the intermediate representation." },
  { 0, NULL },
};

static PyType_Spec node_spec = {
  "_loopscope.Node", sizeof (LsPyNode), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, node_slots
};

PyTypeObject *
ls_py_add_type (PyObject     *module,
                PyType_Spec  *spec,
                PyTypeObject *base)
{
  PyObject *bases = base != NULL ? PyTuple_Pack (1, base) : NULL;
  PyObject *type = base != NULL ? PyType_FromSpecWithBases (spec, bases) : PyType_FromSpec (spec);

  Py_XDECREF (bases);
  if (type == NULL || PyModule_AddObjectRef (module, strrchr (spec->name, '.') + 1, type) < 0)
    return NULL;
  return (PyTypeObject *) type;
}

gboolean
ls_py_node_init (PyObject *module)
{
  ls_iter_map_register_classes ();
  ls_tir_register_classes ();
  ls_te_register_classes ();
  ls_relax_register_classes ();
  ls_py_node_type = ls_py_add_type (module, &node_spec, NULL);
  return ls_py_node_type != NULL;
}

/* ---- classes by kind -------------------------------------------------------- */

static int
find_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_names); i++)
    if (strcmp (kind_names[i], name) == 0)
      return (int) i;
  PyErr_Format (PyExc_ValueError, "there is no kind of node %s", name);
  return -1;
}

/* A class takes over the descriptors of its base, whose kind may have other fields. */
static PyObject *
get_field (PyObject *self,
           void     *closure)
{
  const LsField *field = closure;
  const LsNodeClass *klass = ls_py_node (self)->klass;

  if (field >= klass->fields && field < klass->fields + klass->n_fields)
    return ls_py_from_field (ls_py_node (self), field);
  for (guint i = 0; i < klass->n_fields; i++)
    if (strcmp (klass->fields[i].name, field->name) == 0)
      return ls_py_from_field (ls_py_node (self), &klass->fields[i]);
  return PyErr_Format (PyExc_AttributeError, "%s has no attribute %s", klass->name, field->name);
}

static PyObject *
get_dtype (PyObject *self,
           void     *closure)
{
  if (!(ls_py_node (self)->klass->flags & LS_CLASS_EXPR))
    return PyErr_Format (PyExc_AttributeError, "%s has no attribute dtype", ls_py_node (self)->klass->name);
  return PyUnicode_InternFromString (ls_dtype_name (ls_dtype (ls_py_node (self))));
}

static gboolean
add_descriptor (PyObject   *cls,
                const char *name,
                getter      get,
                void       *closure)
{
  PyGetSetDef *def;
  PyObject *dict = PyObject_GetAttrString (cls, "__dict__");
  PyObject *own = dict != NULL ? PyMapping_GetItemString (dict, name) : NULL;
  PyObject *descriptor;
  int result;

  Py_XDECREF (dict);
  if (own != NULL)
    {
      Py_DECREF (own);
      return TRUE;
    }
  PyErr_Clear ();
  def = g_new0 (PyGetSetDef, 1);
  def->name = name;
  def->get = get;
  def->closure = closure;
  descriptor = PyDescr_NewGetSet ((PyTypeObject *) cls, def);
  if (descriptor == NULL)
    return FALSE;
  result = PyObject_SetAttrString (cls, name, descriptor);
  Py_DECREF (descriptor);
  return result == 0;
}

/* set_class (kind, class): nodes of this kind become objects of the class from here on. */
static PyObject *
py_set_class (PyObject *module,
              PyObject *args)
{
  const char *name;
  PyObject *cls;
  const LsNodeClass *klass;
  int kind;

  if (!PyArg_ParseTuple (args, "sO!", &name, &PyType_Type, &cls) || (kind = find_kind (name)) < 0)
    return NULL;
  if (!PyType_IsSubtype ((PyTypeObject *) cls, ls_py_node_type))
    return PyErr_Format (PyExc_TypeError, "%R is no subclass of Node", cls);
  klass = ls_class_get ((LsKind) kind);
  for (guint i = 0; klass != NULL && i < klass->n_fields; i++)
    if (!add_descriptor (cls, klass->fields[i].name, get_field, (void *) &klass->fields[i]))
      return NULL;
  if (klass != NULL && (klass->flags & LS_CLASS_EXPR) && !add_descriptor (cls, "dtype", get_dtype, NULL))
    return NULL;
  LS_PY_SET (classes[kind], Py_NewRef (cls));
  Py_RETURN_NONE;
}

/* load_classes (function): is called once, when a node comes whose kind has no class. */
static PyObject *
py_load_classes (PyObject *module,
                 PyObject *function)
{
  LS_PY_SET (load_classes, Py_NewRef (function));
  Py_RETURN_NONE;
}

static PyObject *
py_kinds (PyObject *module,
          PyObject *unused)
{
  PyObject *list = PyList_New (0);

  for (guint i = 0; list != NULL && i < G_N_ELEMENTS (kind_names); i++)
    {
      PyObject *name = PyUnicode_FromString (kind_names[i]);

      if (name == NULL || PyList_Append (list, name) < 0)
        Py_CLEAR (list);
      Py_XDECREF (name);
    }
  return list;
}

static PyObject *
py_kind (PyObject *module,
         PyObject *object)
{
  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no node", object);
  return PyUnicode_InternFromString (kind_names[ls_kind (ls_py_node (object))]);
}

/* fields (node): the names of its fields */
static PyObject *
py_fields (PyObject *module,
           PyObject *object)
{
  const LsNodeClass *klass;
  PyObject *list;

  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no node", object);
  klass = ls_py_node (object)->klass;
  list = PyList_New (klass->n_fields);
  for (guint i = 0; list != NULL && i < klass->n_fields; i++)
    PyList_SetItem (list, (Py_ssize_t) i, PyUnicode_FromString (klass->fields[i].name));
  return list;
}

static PyObject *
py_field (PyObject *module,
          PyObject *args)
{
  PyObject *object;
  const char *name;
  const LsNodeClass *klass;

  if (!PyArg_ParseTuple (args, "O!s", ls_py_node_type, &object, &name))
    return NULL;
  klass = ls_py_node (object)->klass;
  for (guint i = 0; i < klass->n_fields; i++)
    if (strcmp (klass->fields[i].name, name) == 0)
      return ls_py_from_field (ls_py_node (object), &klass->fields[i]);
  return PyErr_Format (PyExc_AttributeError, "%s has no attribute %s", klass->name, name);
}

/* become (wrapper, other): the wrapper stands for the other's node from here on. */
static PyObject *
py_become (PyObject *module,
           PyObject *args)
{
  PyObject *self, *other;

  if (!PyArg_ParseTuple (args, "O!O!", ls_py_node_type, &self, ls_py_node_type, &other))
    return NULL;
  ls_take (&ls_py_node (self), ls_node_ref (ls_py_node (other)));
  Py_RETURN_NONE;
}

/* wrap_as (node, class): the same node as an object of another class */
static PyObject *
py_wrap_as (PyObject *module,
            PyObject *args)
{
  PyObject *node, *cls;

  if (!PyArg_ParseTuple (args, "O!O!", ls_py_node_type, &node, &PyType_Type, &cls))
    return NULL;
  if (!PyType_IsSubtype ((PyTypeObject *) cls, ls_py_node_type))
    return PyErr_Format (PyExc_TypeError, "%R is no subclass of Node", cls);
  return ls_py_wrap_as (ls_node_ref (ls_py_node (node)), cls);
}

static PyObject *
py_address (PyObject *module,
            PyObject *object)
{
  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no node", object);
  return PyLong_FromVoidPtr (ls_py_node (object));
}

static PyObject *
py_use_count (PyObject *module,
              PyObject *object)
{
  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no node", object);
  return PyLong_FromLong (g_atomic_int_get (&ls_py_node (object)->refs));
}

PyMethodDef ls_py_node_methods[] = {
  { "set_class", py_set_class, METH_VARARGS, "set_class(kind, cls)" },
  { "load_classes", py_load_classes, METH_O, "load_classes(function): called once, when the class of a kind is lacking" },
  { "kinds", py_kinds, METH_NOARGS, "The names of all kinds." },
  { "kind", py_kind, METH_O, "The kind of a node." },
  { "fields", py_fields, METH_O, "The names of a node's fields." },
  { "field", py_field, METH_VARARGS, "field(node, name)" },
  { "become", py_become, METH_VARARGS, "become(wrapper, other)" },
  { "wrap_as", py_wrap_as, METH_VARARGS, "wrap_as(node, cls)" },
  { "address", py_address, METH_O, "A number that is the node's own." },
  { "use_count", py_use_count, METH_O, "How many references a node has." },
  { NULL, NULL, 0, NULL },
};
