/* relax: the block builder, tensor expressions called from it, and analyses from Python. */
#include "engine/ir/signature.h"
#include "engine/python/core/objects.h"

#include "engine/relax/analysis.h"
#include "engine/relax/block-builder.h"
#include "engine/relax/call-te.h"
#include "engine/relax/mutator.h"

typedef struct {
  PyObject_HEAD
  LsBlockBuilder *builder;
} PyBuilder;

typedef struct {
  PyObject_HEAD
  LsTeBridge *bridge;
  PyObject   *builder;
} PyBridge;

static PyTypeObject *builder_type;
static PyTypeObject *bridge_type;

#define SELF(o) (((PyBuilder *) (o))->builder)
#define BRIDGE(o) (((PyBridge *) (o))->bridge)

/* Builder (module or None) */
static PyObject *
builder_new (PyTypeObject *type,
             PyObject     *args,
             PyObject     *keywords)
{
  PyObject *object = Py_None, *self;
  LsNode *module = NULL;
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);

  if (!PyArg_ParseTuple (args, "|O", &object) || (object != Py_None && (module = ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL))
    return NULL;
  self = alloc (type, 0);
  if (self != NULL)
    SELF (self) = ls_block_builder_new ((LsModule *) module);
  return self;
}

static void
builder_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  g_clear_pointer (&SELF (self), ls_block_builder_free);
  release (self);
  Py_DECREF (type);
}

/* Raises what went wrong, if anything did. */
static gboolean
is_well (PyObject *self)
{
  const GError *error = ls_block_builder_get_error (SELF (self));

  if (error == NULL)
    return TRUE;
  ls_py_raise_gerror (LS_PY_TVM_ERROR, g_error_copy (error));
  ls_block_builder_clear_error (SELF (self));
  return FALSE;
}

/* The result (borrowed) unless something went wrong. */
static PyObject *
answer (PyObject *self,
        gpointer  node)
{
  return is_well (self) ? ls_py_from_node (node) : NULL;
}

static PyObject *
answer_none (PyObject *self)
{
  if (!is_well (self))
    return NULL;
  Py_RETURN_NONE;
}

static LsNode *
relax_arg (PyObject *value)
{
  LsNode *node;

  return ls_py_to_node (value, LS_PY_RELAX, FALSE, "expr", &node) ? node : NULL;
}

/* begin_function (name, params or None, attrs or None, pure, private) */
static PyObject *
builder_begin_function (PyObject *self,
                        PyObject *args)
{
  const char *name;
  PyObject *params_object, *attrs_object;
  int pure, private;
  g_autoptr (LsNode) params = NULL;
  g_autoptr (LsNode) attrs = NULL;

  if (!PyArg_ParseTuple (args, "sOOpp", &name, &params_object, &attrs_object, &pure, &private)
      || !ls_py_to_node (params_object, LS_PY_RELAX_VARS, TRUE, "params", &params) || !ls_py_to_node (attrs_object, LS_PY_MAP, TRUE, "attrs", &attrs))
    return NULL;
  ls_block_builder_begin_function (SELF (self), name, (LsArray *) params, (LsMap *) attrs, pure, private);
  return answer_none (self);
}

static PyObject *
builder_abandon_function (PyObject *self,
                          G_GNUC_UNUSED PyObject *unused)
{
  ls_block_builder_abandon_function (SELF (self));
  Py_RETURN_NONE;
}

/* emit_func_output (output, params or None) */
static PyObject *
builder_emit_func_output (PyObject *self,
                          PyObject *args)
{
  PyObject *output_object, *params_object;
  g_autoptr (LsNode) output = NULL;
  g_autoptr (LsNode) params = NULL;

  if (!PyArg_ParseTuple (args, "OO", &output_object, &params_object) || !ls_py_to_node (params_object, LS_PY_RELAX_VARS, TRUE, "params", &params)
      || (output = relax_arg (output_object)) == NULL)
    return NULL;
  return answer (self, ls_block_builder_emit_func_output (SELF (self), output, (LsArray *) params));
}

typedef LsRelaxVar *(*Emit) (LsBlockBuilder *, gpointer, const char *);

static PyObject *
emitted (PyObject *self,
         PyObject *args,
         Emit      emit)
{
  PyObject *value;
  const char *name = NULL;
  g_autoptr (LsNode) expr = NULL;

  if (!PyArg_ParseTuple (args, "O|z", &value, &name) || (expr = relax_arg (value)) == NULL)
    return NULL;
  return answer (self, emit (SELF (self), expr, name != NULL && *name != '\0' ? name : NULL));
}

static PyObject *
builder_emit (PyObject *self,
              PyObject *args)
{
  return emitted (self, args, ls_block_builder_emit);
}

static PyObject *
builder_emit_output (PyObject *self,
                     PyObject *args)
{
  return emitted (self, args, ls_block_builder_emit_output);
}

/* match_cast (value, struct info, name) */
static PyObject *
builder_match_cast (PyObject *self,
                    PyObject *args)
{
  PyObject *value, *info_object;
  const char *name = NULL;
  g_autoptr (LsNode) expr = NULL;
  g_autoptr (LsNode) info = NULL;

  if (!PyArg_ParseTuple (args, "OO|z", &value, &info_object, &name) || (expr = relax_arg (value)) == NULL
      || !ls_py_to_node (info_object, LS_PY_STRUCT_INFO, FALSE, "struct_info", &info))
    return NULL;
  return answer (self, ls_block_builder_emit_match_cast (SELF (self), expr, info, name != NULL && *name != '\0' ? name : NULL));
}

static PyObject *
builder_emit_binding (PyObject *self,
                      PyObject *object)
{
  if (!ls_py_is_node (object) || (!ls_is (ls_py_node (object), VAR_BINDING) && !ls_is (ls_py_node (object), MATCH_CAST)))
    return PyErr_Format (PyExc_TypeError, "%R is no binding", object);
  ls_block_builder_emit_binding (SELF (self), ls_py_node (object));
  return answer_none (self);
}

static PyObject *
builder_begin_dataflow (PyObject *self,
                        PyObject *unused)
{
  ls_block_builder_begin_dataflow (SELF (self));
  return answer_none (self);
}

static PyObject *
builder_end_dataflow (PyObject *self,
                      PyObject *unused)
{
  ls_block_builder_end_dataflow (SELF (self));
  return answer_none (self);
}

static PyObject *
builder_begin_block (PyObject *self,
                     PyObject *dataflow)
{
  ls_block_builder_begin_block (SELF (self), PyObject_IsTrue (dataflow) == 1);
  return answer_none (self);
}

static PyObject *
builder_end_block (PyObject *self,
                   PyObject *unused)
{
  LsNode *block = ls_block_builder_end_block (SELF (self));

  if (is_well (self))
    return ls_py_wrap (block);
  ls_node_unref (block);
  return NULL;
}

static PyObject *
builder_in_dataflow (PyObject *self,
                     PyObject *unused)
{
  return PyBool_FromLong (ls_block_builder_in_dataflow (SELF (self)));
}

/* add_func (function, name) */
static PyObject *
builder_add_func (PyObject *self,
                  PyObject *args)
{
  PyObject *func;
  const char *name;

  if (!PyArg_ParseTuple (args, "Os", &func, &name) || ls_py_require_func (func) == NULL)
    return NULL;
  return answer (self, ls_block_builder_add_func (SELF (self), ls_py_node (func), name));
}

static PyObject *
builder_update_func (PyObject *self,
                     PyObject *args)
{
  PyObject *var, *func;
  LsNode *gvar;

  if (!PyArg_ParseTuple (args, "OO", &var, &func) || (gvar = ls_py_require (var, LS_KIND_GLOBAL_VAR, "gv")) == NULL ||
      ls_py_require_func (func) == NULL)
    return NULL;
  ls_block_builder_update_func (SELF (self), (LsGlobalVar *) gvar, ls_py_node (func));
  return answer_none (self);
}

/* set_signature (GlobalVar, struct info) */
static PyObject *
py_set_signature (PyObject *module,
                  PyObject *args)
{
  PyObject *var, *object;
  LsNode *gvar;
  g_autoptr (LsNode) info = NULL;

  if (!PyArg_ParseTuple (args, "OO", &var, &object) || (gvar = ls_py_require (var, LS_KIND_GLOBAL_VAR, "gv")) == NULL
      || !ls_py_to_node (object, LS_PY_STRUCT_INFO, FALSE, "struct_info", &info))
    return NULL;
  ls_global_var_set_struct_info ((LsGlobalVar *) gvar, g_steal_pointer (&info));
  Py_RETURN_NONE;
}

static PyObject *
builder_get (PyObject *self,
             PyObject *unused)
{
  return is_well (self) ? ls_py_wrap (ls_block_builder_get (SELF (self))) : NULL;
}

static PyObject *
builder_lookup (PyObject *self,
                PyObject *object)
{
  LsNode *var = ls_py_is_node (object) ? ls_py_node (object) : NULL;

  if (!ls_is_relax_var (var))
    return PyErr_Format (PyExc_TypeError, "%R is no Relax variable", object);
  return ls_py_from_node (ls_block_builder_lookup_binding (SELF (self), (LsRelaxVar *) var));
}

/* note (var, value): lookup knows it from here on */
static PyObject *
builder_note (PyObject *self,
              PyObject *args)
{
  PyObject *first, *second;
  LsNode *var;
  g_autoptr (LsNode) value = NULL;

  if (!PyArg_ParseTuple (args, "OO", &first, &second) || !ls_py_to_node (first, LS_PY_RELAX_VAR, FALSE, "var", &var))
    return NULL;
  value = relax_arg (second);
  if (value != NULL)
    ls_block_builder_note_binding (SELF (self), (LsRelaxVar *) var, value);
  ls_node_unref (var);
  if (value == NULL)
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *
builder_normalize (PyObject *self,
                   PyObject *value)
{
  g_autoptr (LsNode) expr = relax_arg (value);
  LsNode *result;

  if (expr == NULL)
    return NULL;
  result = ls_block_builder_normalize (SELF (self), expr);
  if (ls_is (result, RELAX_CALL) || ls_is (result, TUPLE_GET_ITEM))
    ls_node_unref (ls_block_builder_struct_info (SELF (self), result));
  if (is_well (self))
    return ls_py_wrap (result);
  ls_node_unref (result);
  return NULL;
}

static PyObject *
builder_struct_info (PyObject *self,
                     PyObject *value)
{
  g_autoptr (LsNode) expr = relax_arg (value);

  return expr != NULL ? ls_py_wrap (ls_block_builder_struct_info (SELF (self), expr)) : NULL;
}

static PyObject *
builder_unique_name (PyObject *self,
                     PyObject *value)
{
  const char *hint = PyUnicode_AsUTF8AndSize (value, NULL);

  return hint != NULL ? ls_py_text (ls_block_builder_unique_name (SELF (self), hint)) : NULL;
}

static PyMethodDef builder_methods[] = {
  { "abandon_function", builder_abandon_function, METH_NOARGS, "abandon_function(): forgets the function that is open" },
  { "begin_function", builder_begin_function, METH_VARARGS, "begin_function(name, params, attrs, pure, private)" },
  { "emit_func_output", builder_emit_func_output, METH_VARARGS, "emit_func_output(output, params)" },
  { "emit", builder_emit, METH_VARARGS, "emit(expr, name=None)" },
  { "emit_output", builder_emit_output, METH_VARARGS, "emit_output(expr, name=None)" },
  { "match_cast", builder_match_cast, METH_VARARGS, "match_cast(value, struct_info, name=None)" },
  { "emit_binding", builder_emit_binding, METH_O, "A binding as it is." },
  { "begin_dataflow", builder_begin_dataflow, METH_NOARGS, "Starts a dataflow block." },
  { "end_dataflow", builder_end_dataflow, METH_NOARGS, "Ends it." },
  { "begin_block", builder_begin_block, METH_O, "begin_block(dataflow)" },
  { "end_block", builder_end_block, METH_NOARGS, "The block." },
  { "in_dataflow", builder_in_dataflow, METH_NOARGS, "Is the open block a dataflow block?" },
  { "add_func", builder_add_func, METH_VARARGS, "add_func(func, name)" },
  { "update_func", builder_update_func, METH_VARARGS, "update_func(gv, func)" },
  { "get", builder_get, METH_NOARGS, "The module." },
  { "lookup", builder_lookup, METH_O, "What a variable was bound to." },
  { "note", builder_note, METH_VARARGS, "note(var, value)" },
  { "normalize", builder_normalize, METH_O, "The expression with leaves for arguments." },
  { "struct_info", builder_struct_info, METH_O, "What is known of an expression." },
  { "unique_name", builder_unique_name, METH_O, "A name that is not taken." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot builder_slots[] = {
  { Py_tp_new, builder_new },
  { Py_tp_dealloc, builder_dealloc },
  { Py_tp_methods, builder_methods },
  { Py_tp_doc, "Makes Relax functions binding by binding." },
  { 0, NULL },
};

static PyType_Spec builder_spec = { "_loopscope.Builder", sizeof (PyBuilder), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, builder_slots };

/* ---- tensor expressions ------------------------------------------------------------------ */

/* Bridge (builder) */
static PyObject *
bridge_new (PyTypeObject *type,
            PyObject     *args,
            PyObject     *keywords)
{
  PyObject *builder, *self;
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);

  if (!PyArg_ParseTuple (args, "O!", builder_type, &builder))
    return NULL;
  self = alloc (type, 0);
  if (self == NULL)
    return NULL;
  BRIDGE (self) = ls_te_bridge_new (SELF (builder));
  ((PyBridge *) self)->builder = Py_NewRef (builder);
  return self;
}

static void
bridge_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  g_clear_pointer (&BRIDGE (self), ls_te_bridge_free);
  Py_XDECREF (((PyBridge *) self)->builder);
  release (self);
  Py_DECREF (type);
}

static PyObject *
bridge_tensor (PyObject *self,
               PyObject *value)
{
  g_autoptr (LsNode) expr = relax_arg (value);
  GError *error = NULL;
  LsTeTensor *tensor;

  if (expr == NULL)
    return NULL;
  tensor = ls_te_bridge_tensor (BRIDGE (self), expr, &error);
  return tensor != NULL ? ls_py_wrap (tensor) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyObject *
bridge_tensors (PyObject *self,
                PyObject *value)
{
  g_autoptr (LsNode) expr = relax_arg (value);
  GError *error = NULL;
  LsArray *tensors;

  if (expr == NULL)
    return NULL;
  tensors = ls_te_bridge_tensors (BRIDGE (self), expr, &error);
  return tensors != NULL ? ls_py_wrap (tensors) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyObject *
bridge_expr (PyObject *self,
             PyObject *value)
{
  g_autoptr (LsNode) expr = NULL;

  if (!ls_py_to_node (value, LS_PY_EXPR, FALSE, "expr", &expr))
    return NULL;
  return ls_py_wrap (ls_te_bridge_expr (BRIDGE (self), LS_EXPR (expr)));
}

/* call (outputs, name, attrs or None) */
static PyObject *
bridge_call (PyObject *self,
             PyObject *args)
{
  PyObject *list, *attrs_object;
  const char *name;
  g_autoptr (LsNode) outputs = NULL;
  g_autoptr (LsNode) attrs = NULL;
  GError *error = NULL;
  LsNode *call;

  if (!PyArg_ParseTuple (args, "OsO", &list, &name, &attrs_object) || !ls_py_to_node (list, LS_PY_ARRAY, FALSE, "outputs", &outputs)
      || (attrs_object != Py_None && !ls_py_to_node (attrs_object, LS_PY_MAP, TRUE, "attrs", &attrs)))
    return NULL;
  for (guint i = 0; i < ((LsArray *) outputs)->n; i++)
    if (!ls_is (((LsArray *) outputs)->items[i], TE_TENSOR))
      return PyErr_Format (PyExc_TypeError, "only support te.tensor or tuple/list/Array of te.tensor as function output");
  call = ls_te_bridge_call (BRIDGE (self), (LsArray *) outputs, name, (LsMap *) attrs, &error);
  return call != NULL ? ls_py_wrap (call) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyMethodDef bridge_methods[] = {
  { "tensor", bridge_tensor, METH_O, "An expression as a te tensor." },
  { "tensors", bridge_tensors, METH_O, "The fields of a tuple as te tensors." },
  { "expr", bridge_expr, METH_O, "A dimension as an expression of the new function." },
  { "call", bridge_call, METH_VARARGS, "call(outputs, name, attrs)" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot bridge_slots[] = {
  { Py_tp_new, bridge_new },
  { Py_tp_dealloc, bridge_dealloc },
  { Py_tp_methods, bridge_methods },
  { Py_tp_doc, "The arguments of one call of a tensor expression." },
  { 0, NULL },
};

static PyType_Spec bridge_spec = { "_loopscope.Bridge", sizeof (PyBridge), 0, Py_TPFLAGS_DEFAULT, bridge_slots };

/* ---- analyses, constants ----------------------------------------------------------------------- */

static PyObject *
py_relax_struct_info (PyObject *module,
                      PyObject *value)
{
  g_autoptr (LsNode) expr = relax_arg (value);

  return expr != NULL ? ls_py_wrap (ls_relax_struct_info (expr)) : NULL;
}

static PyObject *
py_unknown_struct_info (PyObject *module,
                        PyObject *unused)
{
  return ls_py_from_node (ls_unknown_struct_info ());
}

static PyObject *
py_remove_all_unused (PyObject *module,
                      PyObject *object)
{
  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no function", object);
  return ls_py_wrap (ls_relax_remove_all_unused (ls_py_node (object), NULL));
}

static PyObject *
nodes_of (GPtrArray *nodes)
{
  PyObject *list = PyList_New (nodes->len);

  for (guint i = 0; list != NULL && i < nodes->len; i++)
    PyList_SetItem (list, (Py_ssize_t) i, ls_py_from_node (nodes->pdata[i]));
  return list;
}

static PyObject *
py_relax_free_vars (PyObject *module,
                    PyObject *object)
{
  g_autoptr (GPtrArray) vars = NULL;

  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no expression", object);
  vars = ls_relax_free_vars (ls_py_node (object));
  return nodes_of (vars);
}

/* relax_symbols (node, which): 0 all, 1 free in a function, 2 defined by a function */
static PyObject *
py_relax_symbols (PyObject *module,
                  PyObject *args)
{
  PyObject *object;
  int which;
  g_autoptr (GPtrArray) vars = NULL;
  LsNode *node;

  if (!PyArg_ParseTuple (args, "O!i", ls_py_node_type, &object, &which))
    return NULL;
  node = ls_py_node (object);
  if (which != 0 && !ls_is (node, FUNCTION))
    return PyErr_Format (PyExc_TypeError, "%R is no Relax function", object);
  vars = which == 0 ? ls_relax_symbols (node) : which == 1 ? ls_relax_free_symbols ((LsFunction *) node) : ls_relax_defined_symbols ((LsFunction *) node);
  return nodes_of (vars);
}

/* relax_bind_symbols (function, {variable: expression}): the function with these in place of symbolic variables */
static PyObject *
py_relax_bind_symbols (PyObject *module,
                       PyObject *args)
{
  PyObject *object, *dict, *key, *value;
  Py_ssize_t at = 0;
  g_autoptr (GHashTable) symbols = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);

  if (!PyArg_ParseTuple (args, "O!O!", ls_py_node_type, &object, &PyDict_Type, &dict))
    return NULL;
  if (!ls_is (ls_py_node (object), FUNCTION))
    return PyErr_Format (PyExc_TypeError, "%R is no Relax function", object);
  while (PyDict_Next (dict, &at, &key, &value))
    {
      if (!ls_py_is_node (key) || !ls_is_var (ls_py_node (key)))
        return PyErr_Format (PyExc_TypeError, "%R is no symbolic variable", key);
      if (!ls_py_is_node (value) || !ls_is_expr (ls_py_node (value)) || ls_dtype (ls_py_node (value)).code != LS_TYPE_INT)
        return PyErr_Format (PyExc_TypeError, "the value %R is no whole number", value);
      g_hash_table_insert (symbols, ls_py_node (key), ls_cast (ls_dtype (ls_py_node (key)), LS_EXPR (ls_node_ref (ls_py_node (value)))));
    }
  return ls_py_wrap (ls_relax_bind (ls_py_node (object), NULL, symbols));
}

/* tensor (dtype, shape, bytes): constant data */
static PyObject *
py_tensor (PyObject *module,
           PyObject *args)
{
  LsDType dtype;
  PyObject *list;
  const char *data;
  Py_ssize_t n;
  LsNode *shape;
  GPtrArray *extents;
  gint64 elements = 1;
  gboolean known = TRUE;

  if (!PyArg_ParseTuple (args, "O&Oy#", ls_py_dtype_arg, &dtype, &list, &data, &n) || !ls_py_to_node (list, LS_PY_EXPRS, FALSE, "shape", &shape))
    return NULL;
  extents = g_ptr_array_new ();
  for (guint i = 0; i < ((LsArray *) shape)->n; i++)
    {
      gint64 extent;

      known &= ls_as_int (((LsArray *) shape)->items[i], &extent) && extent >= 0;
      g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, known ? extent : 0));
      elements *= known ? extent : 0;
    }
  ls_node_unref (shape);
  shape = (LsNode *) ls_array_take_ptr_array (extents);
  if (known && elements * (gint64) ls_dtype_bytes (dtype) == (gint64) n)
    return ls_py_wrap (ls_tensor_new (dtype, (LsArray *) shape, g_bytes_new (data, (gsize) n)));
  ls_node_unref (shape);
  return known ? PyErr_Format (PyExc_ValueError, "%zd bytes do not fill the shape", n) : PyErr_Format (PyExc_ValueError, "the shape of a constant is known");
}

/* tensor_bytes (tensor) */
static PyObject *
py_tensor_bytes (PyObject *module,
                 PyObject *object)
{
  LsTensor *tensor = (LsTensor *) ls_py_require (object, LS_KIND_TENSOR, "the data");
  gsize n;
  const char *data;

  if (tensor == NULL)
    return NULL;
  data = g_bytes_get_data (tensor->data, &n);
  return PyBytes_FromStringAndSize (data, (Py_ssize_t) n);
}

static PyObject *
py_relax_constant (PyObject *module,
                   PyObject *object)
{
  LsNode *tensor = ls_py_require (object, LS_KIND_TENSOR, "the data");

  return tensor != NULL ? ls_py_wrap (ls_constant_new ((LsTensor *) ls_node_ref (tensor))) : NULL;
}

static PyObject *
py_relax_op_names (PyObject *module,
                   PyObject *unused)
{
  guint n;
  const char *const *names = ls_relax_op_names (&n);
  PyObject *list = PyList_New (n);

  for (guint i = 0; list != NULL && i < n; i++)
    {
      g_autofree char *full = g_strconcat ("relax.", names[i], NULL);

      PyList_SetItem (list, (Py_ssize_t) i, Py_BuildValue ("(sz)", names[i], ls_relax_op_spec (full)));
    }
  return list;
}

LsBlockBuilder *
ls_py_builder (PyObject *object)
{
  if (PyObject_TypeCheck (object, builder_type))
    return SELF (object);
  PyErr_Format (PyExc_TypeError, "%R is no block builder", object);
  return NULL;
}

gboolean
ls_py_relax_init (PyObject *module)
{
  builder_type = ls_py_add_type (module, &builder_spec, NULL);
  bridge_type = ls_py_add_type (module, &bridge_spec, NULL);
  return builder_type != NULL && bridge_type != NULL;
}

PyMethodDef ls_py_relax_methods[] = {
  { "relax_call", ls_py_relax_call, METH_VARARGS, "relax_call(path, args, keywords)" },
  { "relax_op_names", py_relax_op_names, METH_NOARGS, "The operators and what they take." },
  { "set_signature", py_set_signature, METH_VARARGS, "set_signature(gvar, struct_info)" },
  { "relax_struct_info", py_relax_struct_info, METH_O, "What is known of an expression." },
  { "unknown_struct_info", py_unknown_struct_info, METH_NOARGS, "What a variable has of which nothing was said." },
  { "remove_all_unused", py_remove_all_unused, METH_O, "Without bindings that nobody uses." },
  { "relax_free_vars", py_relax_free_vars, METH_O, "Variables that are used and not bound." },
  { "relax_symbols", py_relax_symbols, METH_VARARGS, "relax_symbols(node, which)" },
  { "relax_bind_symbols", py_relax_bind_symbols, METH_VARARGS, "relax_bind_symbols(function, values)" },
  { "tensor", py_tensor, METH_VARARGS, "tensor(dtype, shape, bytes)" },
  { "tensor_bytes", py_tensor_bytes, METH_O, "The bytes of constant data." },
  { "relax_constant", py_relax_constant, METH_O, "Data as a constant." },
  { NULL, NULL, 0, NULL },
};
