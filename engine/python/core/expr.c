/* expr: PrimExpr nodes from Python: operators with TVM's typing and folding, constants, variables, calls.
 *
 * The operators take numbers on either side.  Where two types have no common one, ls_match_types says so and
 * Python gets a TypeError.
 */
#include "engine/python/core/objects.h"

#include <string.h>

static const struct { const char *name; LsKind kind; } BINARIES[] = {
  { "Add", LS_KIND_ADD }, { "Sub", LS_KIND_SUB }, { "Mul", LS_KIND_MUL }, { "Div", LS_KIND_DIV }, { "Mod", LS_KIND_MOD },
  { "FloorDiv", LS_KIND_FLOOR_DIV }, { "FloorMod", LS_KIND_FLOOR_MOD }, { "Min", LS_KIND_MIN }, { "Max", LS_KIND_MAX },
  { "EQ", LS_KIND_EQ }, { "NE", LS_KIND_NE }, { "LT", LS_KIND_LT }, { "LE", LS_KIND_LE }, { "GT", LS_KIND_GT }, { "GE", LS_KIND_GE },
  { "And", LS_KIND_AND }, { "Or", LS_KIND_OR },
};

static int
binary_kind (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (BINARIES); i++)
    if (strcmp (BINARIES[i].name, name) == 0)
      return (int) BINARIES[i].kind;
  PyErr_Format (PyExc_ValueError, "there is no operator %s", name);
  return -1;
}

static gboolean
is_constant_zero (LsExpr *e)
{
  return (ls_is (e, INT_IMM) && ((LsIntImm *) e)->value == 0) || (ls_is (e, FLOAT_IMM) && ((LsFloatImm *) e)->value == 0.0);
}

/* Constants that folding refuses: a division by zero, and zero less something among numbers without a sign. */
static gboolean
check_folding (LsKind  kind,
               LsExpr *a,
               LsExpr *b)
{
  gboolean division = kind == LS_KIND_DIV || kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD;

  if (division && is_constant_zero (b))
    ls_py_raise (LS_PY_TVM_ERROR, "Divide by zero");
  else if (kind == LS_KIND_SUB && ls_dtype (a).code == LS_TYPE_UINT && ls_dtype (b).code == LS_TYPE_UINT && is_constant_zero (a) && ls_is (b, INT_IMM)
           && ((LsIntImm *) b)->value > 0)
    ls_py_raise (LS_PY_TVM_ERROR, "the difference of 0 and %" G_GINT64_FORMAT " is negative, which %s cannot be", ((LsIntImm *) b)->value, ls_dtype_name (ls_dtype (a)));
  return !ls_py_failed ();
}

static gboolean
check_operands (LsKind  kind,
                LsExpr *a,
                LsExpr *b)
{
  if ((kind == LS_KIND_AND || kind == LS_KIND_OR) && (!ls_dtype_is_bool (ls_dtype (a)) || !ls_dtype_is_bool (ls_dtype (b))))
    {
      ls_py_raise (LS_PY_TVM_ERROR, "and, or take two conditions");
      return FALSE;
    }
  return TRUE;
}

static PyObject *
combine (PyObject *args,
         gboolean  fold)
{
  PyObject *first, *second;
  const char *name;
  LsExpr *a = NULL, *b = NULL;
  int kind;

  if (!PyArg_ParseTuple (args, "sOO", &name, &first, &second) || (kind = binary_kind (name)) < 0)
    return NULL;
  if (!ls_py_to_node (first, LS_PY_EXPR, FALSE, "left operand", (LsNode **) &a))
    return NULL;
  if (!ls_py_to_node (second, LS_PY_EXPR, FALSE, "right operand", (LsNode **) &b))
    {
      ls_unref (a);
      return NULL;
    }
  if (check_operands ((LsKind) kind, a, b) && (!fold || check_folding ((LsKind) kind, a, b)) && (fold || ls_dtype_equal (ls_dtype (a), ls_dtype (b))) && ls_match_types (&a, &b))
    return ls_py_wrap (fold ? ls_binary ((LsKind) kind, a, b) : ls_binary_new ((LsKind) kind, a, b));
  if (!ls_py_failed ())
    PyErr_Format (PyExc_TypeError, "%s: mismatched types, %s and %s", name, ls_dtype_name (ls_dtype (a)), ls_dtype_name (ls_dtype (b)));
  ls_unref (a);
  ls_unref (b);
  return NULL;
}

/* binary (name, a, b): types matched, constants folded */
static PyObject *
py_binary (PyObject *module,
           PyObject *args)
{
  return combine (args, TRUE);
}

/* raw_binary (name, a, b): the node as it is; the types must agree */
static PyObject *
py_raw_binary (PyObject *module,
               PyObject *args)
{
  return combine (args, FALSE);
}

static PyObject *
py_neg (PyObject *module,
        PyObject *value)
{
  LsNode *a;

  return ls_py_to_node (value, LS_PY_EXPR, FALSE, "operand", &a) ? ls_py_wrap (ls_neg (LS_EXPR (a))) : NULL;
}

static PyObject *
py_not (PyObject *module,
        PyObject *value)
{
  LsNode *a;

  if (!ls_py_to_node (value, LS_PY_EXPR, FALSE, "operand", &a))
    return NULL;
  if (ls_dtype_is_bool (ls_dtype (a)))
    return ls_py_wrap (ls_not (LS_EXPR (a)));
  ls_node_unref (a);
  PyErr_SetString (PyExc_TypeError, "not takes a condition");
  return NULL;
}

/* ---- variables and constants ---------------------------------------------------- */

/* var (name, dtype or type, size) */
static PyObject *
py_var (PyObject *module,
        PyObject *args)
{
  const char *name;
  PyObject *type;
  int size = FALSE;
  LsDType dtype;
  LsNode *node;

  if (!PyArg_ParseTuple (args, "sO|p", &name, &type, &size))
    return NULL;
  if (ls_py_is_node (type))
    {
      if (!ls_py_to_node (type, LS_PY_TYPE, FALSE, "type", &node))
        return NULL;
      return ls_py_wrap (ls_var_new_typed (name, node));
    }
  if (!ls_py_dtype_arg (type, &dtype))
    return NULL;
  return ls_py_wrap (size ? ls_size_var_new (name, dtype) : ls_var_new (name, dtype));
}

/* int_imm (dtype, value) */
static PyObject *
py_int_imm (PyObject *module,
            PyObject *args)
{
  LsDType dtype;
  PyObject *value, *number;
  long long v;
  int overflow;

  if (!PyArg_ParseTuple (args, "O&O", ls_py_dtype_arg, &dtype, &value) || (number = PyNumber_Long (value)) == NULL)
    return NULL;
  v = PyLong_AsLongLongAndOverflow (number, &overflow);
  if (overflow > 0)
    v = (long long) PyLong_AsUnsignedLongLong (number);
  Py_DECREF (number);
  if (overflow < 0 && !ls_py_failed ())
    PyErr_SetString (PyExc_OverflowError, "the number does not fit into 64 bits");
  if (ls_py_failed ())
    return NULL;
  if (dtype.code != LS_TYPE_INT && dtype.code != LS_TYPE_UINT)
    return ls_py_raise (LS_PY_TVM_ERROR, "ValueError: IntImm supports only int or uint type, but %s was supplied.", ls_dtype_name (dtype));
  if (dtype.lanes != 1)
    return ls_py_raise (LS_PY_TVM_ERROR, "ValueError: IntImm can only take scalar, but %s was supplied.", ls_dtype_name (dtype));
  if (dtype.code == LS_TYPE_UINT && v < 0 && overflow == 0)
    return ls_py_raise (LS_PY_TVM_ERROR, "ValueError: Literal value %lld is negative for unsigned integer type %s", v, ls_dtype_name (dtype));
  if (overflow > 0 && !(dtype.code == LS_TYPE_UINT && dtype.bits == 64))
    return ls_py_raise (LS_PY_TVM_ERROR, "ValueError: Literal value %llu exceeds the range of %s", (unsigned long long) v, ls_dtype_name (dtype));
  if (overflow == 0 && dtype.bits < 64 && !(dtype.bits == 1 && v == 1) && (v > ls_dtype_int_max (dtype) || v < ls_dtype_int_min (dtype)))
    return ls_py_raise (LS_PY_TVM_ERROR, "ValueError: Literal value %lld exceeds the range of %s", v, ls_dtype_name (dtype));
  return ls_py_wrap (ls_int_imm_new (dtype, v));
}

static PyObject *
py_float_imm (PyObject *module,
              PyObject *args)
{
  LsDType dtype;
  double value;

  if (!PyArg_ParseTuple (args, "O&d", ls_py_dtype_arg, &dtype, &value))
    return NULL;
  if (!ls_dtype_is_float (dtype) || dtype.lanes != 1)
    return ls_py_raise (LS_PY_TVM_ERROR, "ValueError: FloatImm can only take float scalars, but %s was supplied.", ls_dtype_name (dtype));
  return ls_py_wrap (ls_float_imm_new (dtype, value));
}

static PyObject *
py_string_imm (PyObject *module,
               PyObject *args)
{
  const char *text;

  return PyArg_ParseTuple (args, "s", &text) ? ls_py_wrap (ls_string_imm_new (text)) : NULL;
}

/* const (dtype, value): vectors are broadcast */
static PyObject *
py_const (PyObject *module,
          PyObject *args)
{
  LsDType dtype;
  PyObject *value;
  double number;
  long long whole;

  if (!PyArg_ParseTuple (args, "O&O", ls_py_dtype_arg, &dtype, &value))
    return NULL;
  if (ls_dtype_is_float (dtype))
    {
      number = PyFloat_AsDouble (value);
      return ls_py_failed () ? NULL : ls_py_wrap (ls_const_float (dtype, number));
    }
  if (dtype.code != LS_TYPE_INT && dtype.code != LS_TYPE_UINT)
    return PyErr_Format (PyExc_ValueError, "there are no constants of type %s", ls_dtype_name (dtype));
  value = PyNumber_Long (value);
  if (value == NULL)
    return NULL;
  whole = (long long) PyLong_AsUnsignedLongLongMask (value);
  Py_DECREF (value);
  return ls_py_failed () ? NULL : ls_py_wrap (ls_const_int (dtype, whole));
}

/* ---- nodes whose type follows from their parts -------------------------------------- */

/* cast (dtype, value, fold) */
static PyObject *
py_cast (PyObject *module,
         PyObject *args)
{
  LsDType dtype;
  LsExpr *value = NULL;
  int fold = TRUE;

  if (!PyArg_ParseTuple (args, "O&O&|p", ls_py_dtype_arg, &dtype, ls_py_expr_arg, &value, &fold))
    return NULL;
  if (fold && dtype.lanes == 1 && ls_dtype (value).lanes > 1)
    dtype = ls_dtype_with_lanes (dtype, ls_dtype (value).lanes);
  return ls_py_wrap (fold ? ls_cast (dtype, value) : ls_cast_new (dtype, value));
}

static PyObject *
py_select (PyObject *module,
           PyObject *args)
{
  LsExpr *condition = NULL, *a = NULL, *b = NULL;

  if (!PyArg_ParseTuple (args, "O&O&O&", ls_py_expr_arg, &condition, ls_py_expr_arg, &a, ls_py_expr_arg, &b))
    return NULL;
  if (ls_dtype_is_bool (ls_dtype_element (ls_dtype (condition))) && ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    return ls_py_wrap (ls_select_new (condition, a, b));
  ls_py_raise (LS_PY_TVM_ERROR, "TypeError: mismatched types. False value %s, true value %s, condition %s", ls_dtype_name (ls_dtype (b)),
               ls_dtype_name (ls_dtype (a)), ls_dtype_name (ls_dtype (condition)));
  ls_unref (condition);
  ls_unref (a);
  ls_unref (b);
  return NULL;
}

static PyObject *
py_if_then_else (PyObject *module,
                 PyObject *args)
{
  LsExpr *condition = NULL, *a = NULL, *b = NULL;

  if (!PyArg_ParseTuple (args, "O&O&O&", ls_py_expr_arg, &condition, ls_py_expr_arg, &a, ls_py_expr_arg, &b))
    return NULL;
  if (ls_dtype_is_bool (ls_dtype (condition)) && ls_match_types (&a, &b))
    return ls_py_wrap (ls_if_then_else (condition, a, b));
  ls_py_raise (LS_PY_TVM_ERROR, "if_then_else takes a condition and two values of one type");
  ls_unref (condition);
  ls_unref (a);
  ls_unref (b);
  return NULL;
}

/* A vector whose lanes are a number, or vscale () times one. */
static PyObject *
vector_or_error (LsExpr *vector,
                 guint   lanes_before)
{
  LsExpr *lanes = ls_is (vector, RAMP) ? ((LsRamp *) vector)->lanes : ((LsBroadcast *) vector)->lanes;
  PyObject *error;

  if (ls_is (lanes, INT_IMM) || ls_dtype (vector).lanes != lanes_before)
    return ls_py_wrap (vector);
  error = ls_py_raise (LS_PY_TVM_ERROR, "The lanes of a vector are a number, or vscale() times a number");
  ls_unref (vector);
  return error;
}

static PyObject *
py_ramp (PyObject *module,
         PyObject *args)
{
  LsExpr *base = NULL, *stride = NULL, *lanes = NULL;

  if (!PyArg_ParseTuple (args, "O&O&O&", ls_py_expr_arg, &base, ls_py_expr_arg, &stride, ls_py_expr_arg, &lanes))
    return NULL;
  if (ls_dtype (base).lanes == 1 && ls_dtype (stride).lanes == 1 && ls_match_types (&base, &stride))
    return vector_or_error (ls_ramp_new (base, stride, lanes), 1);
  ls_unref (base);
  ls_unref (stride);
  ls_unref (lanes);
  return PyErr_Format (PyExc_TypeError, "a ramp has a scalar base and a scalar stride");
}

static PyObject *
py_broadcast (PyObject *module,
              PyObject *args)
{
  LsExpr *value = NULL, *lanes = NULL;

  if (!PyArg_ParseTuple (args, "O&O&", ls_py_expr_arg, &value, ls_py_expr_arg, &lanes))
    return NULL;
  return vector_or_error (ls_broadcast_new (value, lanes), 1);
}

static PyObject *
py_let (PyObject *module,
        PyObject *args)
{
  PyObject *variable;
  LsExpr *value = NULL, *body = NULL;
  LsNode *var;

  if (!PyArg_ParseTuple (args, "OO&O&", &variable, ls_py_expr_arg, &value, ls_py_expr_arg, &body))
    return NULL;
  if (ls_py_to_node (variable, LS_PY_VAR, FALSE, "var", &var))
    return ls_py_wrap (ls_let_new ((LsVar *) var, value, body));
  ls_unref (value);
  ls_unref (body);
  return NULL;
}

static PyObject *
py_shuffle (PyObject *module,
            PyObject *args)
{
  PyObject *first, *second;
  LsNode *vectors, *indices;

  if (!PyArg_ParseTuple (args, "OO", &first, &second) || !ls_py_to_node (first, LS_PY_EXPRS, FALSE, "vectors", &vectors))
    return NULL;
  if (!ls_py_to_node (second, LS_PY_EXPRS, FALSE, "indices", &indices))
    {
      ls_node_unref (vectors);
      return NULL;
    }
  if (((LsArray *) vectors)->n > 0 && ((LsArray *) indices)->n > 0)
    return ls_py_wrap (ls_shuffle_new ((LsArray *) vectors, (LsArray *) indices));
  ls_node_unref (vectors);
  ls_node_unref (indices);
  return PyErr_Format (PyExc_ValueError, "a shuffle has vectors and indices");
}

/* call (dtype, op, args): op an Op, a GlobalVar or the name of one */
static PyObject *
py_call (PyObject *module,
         PyObject *args)
{
  LsDType dtype;
  PyObject *callee, *list;
  LsNode *op, *array;

  if (!PyArg_ParseTuple (args, "O&OO", ls_py_dtype_arg, &dtype, &callee, &list))
    return NULL;
  if (PyUnicode_Check (callee))
    {
      const char *name = PyUnicode_AsUTF8AndSize (callee, NULL);

      op = name != NULL ? LS_NODE (ls_op_get (name)) : NULL;
      if (op == NULL)
        return PyErr_Format (PyExc_ValueError, "there is no operator %R", callee);
      ls_node_ref (op);
    }
  else if (!ls_py_to_node (callee, LS_PY_ANY, FALSE, "op", &op))
    return NULL;
  if (!ls_is (op, OP) && !ls_is (op, GLOBAL_VAR))
    {
      ls_node_unref (op);
      return PyErr_Format (PyExc_TypeError, "%R cannot be called in TensorIR", callee);
    }
  if (!ls_py_to_node (list, LS_PY_ARRAY, FALSE, "args", &array))
    {
      ls_node_unref (op);
      return NULL;
    }
  for (guint i = 0; i < ((LsArray *) array)->n; i++)
    {
      LsNode *item = ((LsArray *) array)->items[i];

      if (ls_is_expr (item) || ls_is (item, STRING) || ls_is (item, ITER_VAR))
        continue;
      ls_node_unref (op);
      ls_node_unref (array);
      return PyErr_Format (PyExc_TypeError, "argument %u of %R is no expression", i, callee);
    }
  ls_node_unref (array);
  if (!ls_py_to_node (list, LS_PY_EXPRS, FALSE, "args", &array))
    {
      ls_node_unref (op);
      return NULL;
    }
  return ls_py_wrap (ls_call_new (dtype, op, (LsArray *) array));
}

static PyObject *
py_op (PyObject *module,
       PyObject *args)
{
  const char *name;
  LsOp *op;

  if (!PyArg_ParseTuple (args, "s", &name))
    return NULL;
  op = ls_op_get (name);
  if (op != NULL)
    return ls_py_wrap (ls_ref (op));
  Py_RETURN_NONE;
}

static PyObject *
py_op_name (PyObject *module,
            PyObject *object)
{
  LsOp *op = (LsOp *) ls_py_require (object, LS_KIND_OP, "the operator");

  return op != NULL ? PyUnicode_FromString (op->name) : NULL;
}

/* ops (): the name, the name in scripts and the number of arguments of each intrinsic */
static PyObject *
py_ops (PyObject *module,
        PyObject *unused)
{
  guint n;
  LsOp *const *ops = ls_op_list (&n);
  PyObject *list = PyList_New (n);

  for (guint i = 0; list != NULL && i < n; i++)
    PyList_SetItem (list, (Py_ssize_t) i, Py_BuildValue ("(ssii)", ops[i]->name, ops[i]->script_name, ops[i]->n_args, (int) ops[i]->effect));
  return list;
}

/* ---- buffers -------------------------------------------------------------------------- */

/* buffer (data or None, dtype, shape, strides, elem_offset or None, name, scope, data_alignment, offset_factor, type, separators) */
static PyObject *
py_buffer (PyObject *module,
           PyObject *args)
{
  PyObject *items[5];
  static const LsPyWant WANTS[] = { LS_PY_VAR, LS_PY_EXPRS, LS_PY_EXPRS, LS_PY_EXPR, LS_PY_EXPRS };
  LsNode *nodes[5] = { NULL };
  const char *name, *scope;
  long long alignment, factor;
  LsDType dtype;
  int type;

  if (!PyArg_ParseTuple (args, "OO&OOOssLLiO", &items[0], ls_py_dtype_arg, &dtype, &items[1], &items[2], &items[3], &name, &scope, &alignment, &factor,
                         &type, &items[4]))
    return NULL;
  for (guint i = 0; i < 5; i++)
    if (!ls_py_to_node (items[i], WANTS[i], TRUE, "buffer", &nodes[i]))
      {
        for (guint k = 0; k < i; k++)
          ls_node_unref (nodes[k]);
        return NULL;
      }
  if (nodes[0] == NULL)
    nodes[0] = LS_NODE (ls_var_new_typed (name, ls_pointer_type_new (ls_prim_type_new (dtype), scope)));
  for (guint i = 1; i < 3; i++)
    if (nodes[i] == NULL)
      nodes[i] = LS_NODE (ls_array_empty ());
  return ls_py_wrap (ls_buffer_new_full ((LsVar *) nodes[0], dtype, (LsArray *) nodes[1], (LsArray *) nodes[2], LS_EXPR (nodes[3]), name, alignment,
                                         factor, type, (LsArray *) nodes[4]));
}

static gboolean
access_args (PyObject  *args,
             LsNode   **buffer,
             LsNode   **indices,
             LsNode   **predicate)
{
  PyObject *first, *second, *third = Py_None;

  if (!PyArg_ParseTuple (args, "OO|O", &first, &second, &third) || !ls_py_to_node (first, LS_PY_BUFFER, FALSE, "buffer", buffer))
    return FALSE;
  if (!ls_py_to_node (second, LS_PY_EXPRS, FALSE, "indices", indices))
    {
      ls_node_unref (*buffer);
      return FALSE;
    }
  if (((LsArray *) *indices)->n != ls_buffer_ndim ((LsBuffer *) *buffer))
    ls_py_raise (LS_PY_TVM_ERROR, "ValueError: Buffer %s is %u-dimensional, cannot be indexed with the %u-dimensional indices provided.",
                 ((LsBuffer *) *buffer)->name, ls_buffer_ndim ((LsBuffer *) *buffer), ((LsArray *) *indices)->n);
  if (!ls_py_failed () && ls_py_to_node (third, LS_PY_EXPR, TRUE, "predicate", predicate))
    return TRUE;
  ls_node_unref (*buffer);
  ls_node_unref (*indices);
  return FALSE;
}

static PyObject *
py_buffer_load (PyObject *module,
                PyObject *args)
{
  LsNode *buffer, *indices, *predicate;

  if (!access_args (args, &buffer, &indices, &predicate))
    return NULL;
  return ls_py_wrap (ls_buffer_load_new ((LsBuffer *) buffer, (LsArray *) indices, LS_EXPR (predicate)));
}

/* buffer_store (value, (buffer, indices, predicate)) */
static PyObject *
py_buffer_store (PyObject *module,
                 PyObject *args)
{
  LsNode *buffer, *indices, *predicate;
  PyObject *rest;
  LsExpr *value = NULL;

  if (!PyArg_ParseTuple (args, "O&O!", ls_py_expr_arg, &value, &PyTuple_Type, &rest))
    return NULL;
  if (access_args (rest, &buffer, &indices, &predicate))
    return ls_py_wrap (ls_buffer_store_new ((LsBuffer *) buffer, value, (LsArray *) indices, LS_EXPR (predicate)));
  ls_unref (value);
  return NULL;
}

static PyObject *
py_buffer_scope (PyObject *module,
                 PyObject *object)
{
  LsNode *buffer = ls_py_require (object, LS_KIND_BUFFER, "the buffer");

  return buffer != NULL ? PyUnicode_FromString (ls_buffer_scope ((LsBuffer *) buffer)) : NULL;
}

/* reduce (combiner, source, axis, condition, value_index, init) */
static PyObject *
py_reduce (PyObject *module,
           PyObject *args)
{
  PyObject *items[5];
  static const LsPyWant WANTS[] = { LS_PY_ANY, LS_PY_EXPRS, LS_PY_ITER_VARS, LS_PY_EXPR, LS_PY_EXPRS };
  LsNode *nodes[5] = { NULL };
  int value_index;

  if (!PyArg_ParseTuple (args, "OOOOiO", &items[0], &items[1], &items[2], &items[3], &value_index, &items[4]))
    return NULL;
  for (guint i = 0; i < 5; i++)
    if (!ls_py_to_node (items[i] == Py_None && i == 3 ? Py_True : items[i], WANTS[i], FALSE, "reduce", &nodes[i]) || (i == 0 && !ls_is (nodes[0], COMM_REDUCER))
        || (i == 1 && (value_index < 0 || (guint) value_index >= ((LsArray *) nodes[1])->n)))
      {
        if (!ls_py_failed ())
          PyErr_SetString (PyExc_TypeError, "a Reduce has a CommReducer, sources and the number of one of them");
        for (guint k = 0; k <= i; k++)
          ls_node_unref (nodes[k]);
        return NULL;
      }
  return ls_py_wrap (ls_reduce_new ((LsCommReducer *) nodes[0], (LsArray *) nodes[1], (LsArray *) nodes[2], LS_EXPR (nodes[3]), value_index,
                                    (LsArray *) nodes[4]));
}

/* prim_func (params, body, ret_type, buffers in the order of the parameters, attrs) */
static PyObject *
py_prim_func (PyObject *module,
              PyObject *args)
{
  PyObject *items[5];
  static const LsPyWant WANTS[] = { LS_PY_VARS, LS_PY_STMT, LS_PY_TYPE, LS_PY_ARRAY, LS_PY_MAP };
  LsNode *nodes[5] = { NULL };
  LsArray *buffers;

  if (!PyArg_ParseTuple (args, "OOOOO", &items[0], &items[1], &items[2], &items[3], &items[4]))
    return NULL;
  for (guint i = 0; i < 5; i++)
    if (!ls_py_to_node (items[i], WANTS[i], i == 2, "prim_func", &nodes[i]))
      {
        for (guint k = 0; k < i; k++)
          ls_node_unref (nodes[k]);
        return NULL;
      }
  buffers = (LsArray *) nodes[3];
  for (guint i = 0; i < buffers->n; i++)
    if (buffers->items[i] != NULL && !ls_is (buffers->items[i], BUFFER))
      PyErr_SetString (PyExc_TypeError, "buffer_map holds buffers");
  if (buffers->n != ((LsArray *) nodes[0])->n && !ls_py_failed ())
    PyErr_SetString (PyExc_TypeError, "one buffer or None for each parameter");
  if (ls_py_failed ())
    {
      for (guint k = 0; k < 5; k++)
        ls_node_unref (nodes[k]);
      return NULL;
    }
  return ls_py_wrap (ls_prim_func_new ((LsArray *) nodes[0], nodes[1], nodes[2], buffers, (LsMap *) nodes[4]));
}

PyMethodDef ls_py_expr_methods[] = {
  { "binary", py_binary, METH_VARARGS, "binary(name, a, b)" },
  { "raw_binary", py_raw_binary, METH_VARARGS, "raw_binary(name, a, b)" },
  { "neg", py_neg, METH_O, "-a" },
  { "not_", py_not, METH_O, "not a" },
  { "var", py_var, METH_VARARGS, "var(name, dtype_or_type, size=False)" },
  { "int_imm", py_int_imm, METH_VARARGS, "int_imm(dtype, value)" },
  { "float_imm", py_float_imm, METH_VARARGS, "float_imm(dtype, value)" },
  { "string_imm", py_string_imm, METH_VARARGS, "string_imm(value)" },
  { "const", py_const, METH_VARARGS, "const(dtype, value)" },
  { "cast", py_cast, METH_VARARGS, "cast(dtype, value, fold=True)" },
  { "select", py_select, METH_VARARGS, "select(condition, a, b)" },
  { "if_then_else", py_if_then_else, METH_VARARGS, "if_then_else(condition, a, b)" },
  { "ramp", py_ramp, METH_VARARGS, "ramp(base, stride, lanes)" },
  { "broadcast", py_broadcast, METH_VARARGS, "broadcast(value, lanes)" },
  { "let", py_let, METH_VARARGS, "let(var, value, body)" },
  { "shuffle", py_shuffle, METH_VARARGS, "shuffle(vectors, indices)" },
  { "call", py_call, METH_VARARGS, "call(dtype, op, args)" },
  { "op", py_op, METH_VARARGS, "op(name)" },
  { "op_name", py_op_name, METH_O, "The name of an Op." },
  { "ops", py_ops, METH_NOARGS, "All intrinsics." },
  { "buffer", py_buffer, METH_VARARGS, "buffer(...)" },
  { "buffer_load", py_buffer_load, METH_VARARGS, "buffer_load(buffer, indices, predicate=None)" },
  { "buffer_store", py_buffer_store, METH_VARARGS, "buffer_store(value, (buffer, indices, predicate))" },
  { "buffer_scope", py_buffer_scope, METH_O, "The storage scope." },
  { "reduce", py_reduce, METH_VARARGS, "reduce(combiner, source, axis, condition, value_index, init)" },
  { "prim_func", py_prim_func, METH_VARARGS, "prim_func(params, body, ret_type, buffers, attrs)" },
  { NULL, NULL, 0, NULL },
};
