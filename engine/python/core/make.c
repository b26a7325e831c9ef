/* make: constructors for all kinds of nodes whose fields are just stored.
 *
 * make (kind, value ...) takes one value for each field of the class's table.  What a NODE field may hold is a letter
 * of LsPyWant in the row below, `?` behind it allows None; other fields take the Python value of their type.  Nodes
 * whose type follows from their parts and PrimFunc are made in expr.c; with_field replaces a field of any of them.
 */
#include "engine/python/core/objects.h"

#include <string.h>

typedef struct {
  const char *name;
  LsKind      kind;
  const char *nodes;            /* of the NODE fields in order */
} Row;

#define ROW(name, STEM, nodes) { #name, LS_KIND_##STEM, nodes }

static const Row rows[] = {
  ROW (PrimType, PRIM_TYPE, ""),
  ROW (PointerType, POINTER_TYPE, "L"),
  ROW (TupleType, TUPLE_TYPE, "A"),
  ROW (Range, RANGE, "ee"),
  ROW (GlobalVar, GLOBAL_VAR, "i?"),
  ROW (IterVar, ITER_VAR, "r?v"),
  ROW (BufferRegion, BUFFER_REGION, "bR"),
  ROW (MatchBufferRegion, MATCH_BUFFER_REGION, "bn"),
  ROW (CommReducer, COMM_REDUCER, "VVEE"),
  ROW (LetStmt, LET_STMT, "evs"),
  ROW (AttrStmt, ATTR_STMT, "n?es"),
  ROW (AssertStmt, ASSERT_STMT, "ees"),
  ROW (BufferRealize, BUFFER_REALIZE, "bRes"),
  ROW (Allocate, ALLOCATE, "vEesm"),
  ROW (AllocateConst, ALLOCATE_CONST, "vn?Esm"),
  ROW (DeclBuffer, DECL_BUFFER, "bs"),
  ROW (SeqStmt, SEQ_STMT, "S"),
  ROW (IfThenElse, IF_THEN_ELSE, "ess?"),
  ROW (Evaluate, EVALUATE, "e"),
  ROW (For, FOR, "veeI?ms"),
  ROW (While, WHILE, "es"),
  ROW (Block, BLOCK, "WBMGGms?s"),
  ROW (BlockRealize, BLOCK_REALIZE, "Een"),
  ROW (IndexMap, INDEX_MAP, "VEn?"),
  ROW (PrimFunc, PRIM_FUNC, "VAL?ms"),
  ROW (IterMark, ITER_MARK, "ee"),
  ROW (TensorStructInfo, TENSOR_STRUCT_INFO, "x?n?"),
  ROW (ShapeStructInfo, SHAPE_STRUCT_INFO, "E?"),
  ROW (PrimStructInfo, PRIM_STRUCT_INFO, "e?"),
  ROW (TupleStructInfo, TUPLE_STRUCT_INFO, "T"),
  ROW (FuncStructInfo, FUNC_STRUCT_INFO, "T?in?"),
  ROW (DTensorStructInfo, DTENSOR_STRUCT_INFO, "inn"),
  ROW (ObjectStructInfo, OBJECT_STRUCT_INFO, ""),
  ROW (DeviceMesh, DEVICE_MESH, "EE"),
  ROW (PlacementSpec, PLACEMENT_SPEC, ""),
  ROW (Placement, PLACEMENT, "A"),
  ROW (RelaxVar, RELAX_VAR, "i?"),
  ROW (DataflowVar, DATAFLOW_VAR, "i?"),
  ROW (PrimValue, PRIM_VALUE, "e"),
  ROW (RelaxString, RELAX_STRING, ""),
  ROW (DataTypeImm, DATA_TYPE_IMM, ""),
  ROW (ShapeExpr, SHAPE_EXPR, "E"),
  ROW (RelaxTuple, RELAX_TUPLE, "X"),
  ROW (TupleGetItem, TUPLE_GET_ITEM, "x"),
  ROW (RelaxOp, RELAX_OP, ""),
  ROW (ExternFunc, EXTERN_FUNC, "i?m"),
  ROW (RelaxCall, RELAX_CALL, "nXAAT"),
  ROW (RelaxIf, RELAX_IF, "xxx"),
  ROW (SeqExpr, SEQ_EXPR, "Ax"),
  ROW (BindingBlock, BINDING_BLOCK, "A"),
  ROW (DataflowBlock, DATAFLOW_BLOCK, "A"),
  ROW (VarBinding, VAR_BINDING, "xy"),
  ROW (MatchCast, MATCH_CAST, "xiy"),
  ROW (Function, FUNCTION, "Yixm"),
  ROW (ExprPattern, EXPR_PATTERN, "n"),
  ROW (VarPattern, VAR_PATTERN, ""),
  ROW (DataflowVarPattern, DATAFLOW_VAR_PATTERN, ""),
  ROW (GlobalVarPattern, GLOBAL_VAR_PATTERN, ""),
  ROW (ExternFuncPattern, EXTERN_FUNC_PATTERN, ""),
  ROW (ConstantPattern, CONSTANT_PATTERN, ""),
  ROW (CallPattern, CALL_PATTERN, "nA"),
  ROW (FunctionPattern, FUNCTION_PATTERN, "An"),
  ROW (TuplePattern, TUPLE_PATTERN, "A"),
  ROW (UnorderedTuplePattern, UNORDERED_TUPLE_PATTERN, "A"),
  ROW (TupleGetItemPattern, TUPLE_GET_ITEM_PATTERN, "n"),
  ROW (OrPattern, OR_PATTERN, "nn"),
  ROW (AndPattern, AND_PATTERN, "nn"),
  ROW (NotPattern, NOT_PATTERN, "n"),
  ROW (WildcardPattern, WILDCARD_PATTERN, ""),
  ROW (StructInfoPattern, STRUCT_INFO_PATTERN, "ni"),
  ROW (ShapePattern, SHAPE_PATTERN, "nE"),
  ROW (DataTypePattern, DATA_TYPE_PATTERN, "n"),
  ROW (AttrPattern, ATTR_PATTERN, "nm"),
  ROW (PrimArrPattern, PRIM_ARR_PATTERN, "E"),
  ROW (SameShapeConstraint, SAME_SHAPE_CONSTRAINT, "A"),
};

/* Kinds that a field's node, or the items of its list, must have where the letter is too wide. */
static const struct { LsKind kind; const char *field; gboolean items; LsKind holds, or; } CHECKS[] = {
  { LS_KIND_MATCH_BUFFER_REGION, "source", FALSE, LS_KIND_BUFFER_REGION, LS_KIND_BUFFER_REGION },
  { LS_KIND_BLOCK_REALIZE, "block", FALSE, LS_KIND_BLOCK, LS_KIND_BLOCK },
  { LS_KIND_BLOCK, "reads", TRUE, LS_KIND_BUFFER_REGION, LS_KIND_BUFFER_REGION },
  { LS_KIND_BLOCK, "writes", TRUE, LS_KIND_BUFFER_REGION, LS_KIND_BUFFER_REGION },
  { LS_KIND_BLOCK, "match_buffers", TRUE, LS_KIND_MATCH_BUFFER_REGION, LS_KIND_MATCH_BUFFER_REGION },
  { LS_KIND_INDEX_MAP, "inverse_index_map", FALSE, LS_KIND_INDEX_MAP, LS_KIND_INDEX_MAP },
  { LS_KIND_ALLOCATE_CONST, "data", FALSE, LS_KIND_TENSOR, LS_KIND_TENSOR },
  { LS_KIND_DTENSOR_STRUCT_INFO, "tensor_sinfo", FALSE, LS_KIND_TENSOR_STRUCT_INFO, LS_KIND_TENSOR_STRUCT_INFO },
  { LS_KIND_DTENSOR_STRUCT_INFO, "device_mesh", FALSE, LS_KIND_DEVICE_MESH, LS_KIND_DEVICE_MESH },
  { LS_KIND_DTENSOR_STRUCT_INFO, "placement", FALSE, LS_KIND_PLACEMENT, LS_KIND_PLACEMENT },
  { LS_KIND_PLACEMENT, "dim_specs", TRUE, LS_KIND_PLACEMENT_SPEC, LS_KIND_PLACEMENT_SPEC },
  { LS_KIND_BINDING_BLOCK, "bindings", TRUE, LS_KIND_VAR_BINDING, LS_KIND_MATCH_CAST },
  { LS_KIND_DATAFLOW_BLOCK, "bindings", TRUE, LS_KIND_VAR_BINDING, LS_KIND_MATCH_CAST },
  { LS_KIND_SEQ_EXPR, "blocks", TRUE, LS_KIND_BINDING_BLOCK, LS_KIND_DATAFLOW_BLOCK },
  { LS_KIND_RELAX_IF, "true_branch", FALSE, LS_KIND_SEQ_EXPR, LS_KIND_SEQ_EXPR },
  { LS_KIND_RELAX_IF, "false_branch", FALSE, LS_KIND_SEQ_EXPR, LS_KIND_SEQ_EXPR },
  { LS_KIND_FUNCTION, "body", FALSE, LS_KIND_SEQ_EXPR, LS_KIND_SEQ_EXPR },
};

/* May the field of such a node hold what it was given? If not: TypeError. */
static gboolean
may_hold (LsKind      kind,
          const char *field,
          LsNode     *held)
{
  for (guint i = 0; held != NULL && i < G_N_ELEMENTS (CHECKS); i++)
    {
      LsArray *list = CHECKS[i].items && ls_is (held, ARRAY) ? (LsArray *) held : NULL;
      guint n = CHECKS[i].items ? ls_array_n (list) : 1;

      if (CHECKS[i].kind != kind || strcmp (CHECKS[i].field, field) != 0)
        continue;
      for (guint k = 0; k < n; k++)
        {
          LsNode *item = list != NULL ? list->items[k] : held;

          if (item != NULL && (ls_kind (item) == CHECKS[i].holds || ls_kind (item) == CHECKS[i].or))
            continue;
          PyErr_Format (PyExc_TypeError, "%s: expected a %s, got a %s", field, ls_class_get (CHECKS[i].holds)->name,
                        item != NULL ? item->klass->name : "None");
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
fill_node (LsNode        *node,
           const LsField *field,
           PyObject      *value,
           const char   **letters)
{
  LsNode **slot = (LsNode **) ((char *) node + field->offset);
  LsPyWant want = (LsPyWant) (guchar) *(*letters)++;
  gboolean optional = **letters == '?';

  *letters += optional;
  return ls_py_to_node (value, want, optional, field->name, slot) && may_hold (ls_kind (node), field->name, *slot);
}

static gboolean
fill_enum (char          *at,
           const LsField *field,
           PyObject      *value)
{
  long number = PyLong_AsLong (value);
  long n = 0;

  while (field->enum_names != NULL && field->enum_names[n] != NULL)
    n++;
  if (ls_py_failed ())
    return FALSE;
  if (number < 0 || number >= n)
    {
      PyErr_Format (PyExc_ValueError, "%s: %ld is not one of 0 to %ld", field->name, number, n - 1);
      return FALSE;
    }
  *(int *) at = (int) number;
  return TRUE;
}

static gboolean
fill (LsNode        *node,
      const LsField *field,
      PyObject      *value,
      const char   **letters)
{
  char *at = (char *) node + field->offset;
  const char *text;

  switch (field->type)
    {
    case LS_FIELD_NODE:
      return fill_node (node, field, value, letters);
    case LS_FIELD_INT:
      *(gint64 *) at = PyLong_AsLongLong (value);
      return !ls_py_failed ();
    case LS_FIELD_FLOAT:
      *(double *) at = PyFloat_AsDouble (value);
      return !ls_py_failed ();
    case LS_FIELD_BOOL:
      *(gboolean *) at = PyObject_IsTrue (value) == 1;
      return !ls_py_failed ();
    case LS_FIELD_STRING:
      text = value == Py_None ? "" : PyUnicode_AsUTF8AndSize (value, NULL);
      if (text == NULL)
        return FALSE;
      *(char **) at = g_strdup (text);
      return TRUE;
    case LS_FIELD_DTYPE:
      return ls_py_dtype_arg (value, (LsDType *) at);
    case LS_FIELD_ENUM:
      return fill_enum (at, field, value);
    }
  return FALSE;
}

/* make (kind, value ...): a node with these fields. */
static PyObject *
py_make (PyObject *module,
         PyObject *args)
{
  PyObject *first = PyTuple_Size (args) > 0 ? PyTuple_GetItem (args, 0) : NULL;
  const char *name = first != NULL && PyUnicode_Check (first) ? PyUnicode_AsUTF8AndSize (first, NULL) : NULL;
  const Row *row = NULL;
  const LsNodeClass *klass;
  const char *letters;
  LsNode *node;

  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (rows); i++)
    if (strcmp (rows[i].name, name) == 0)
      row = &rows[i];
  if (row == NULL || row->kind == LS_KIND_PRIM_FUNC)
    return PyErr_Format (PyExc_ValueError, "make () does not make %R", first != NULL ? first : Py_None);
  klass = ls_class_get (row->kind);
  if (klass->n_fields + 1 != PyTuple_Size (args))
    return PyErr_Format (PyExc_TypeError, "%s has %u fields", name, klass->n_fields);
  node = ls_node_alloc (klass);
  letters = row->nodes;
  for (guint i = 0; i < klass->n_fields; i++)
    if (!fill (node, &klass->fields[i], PyTuple_GetItem (args, (Py_ssize_t) i + 1), &letters))
      {
        ls_node_unref (node);
        return NULL;
      }
  return ls_py_wrap (ls_node_finish (node));
}

/* with_field (node, field, value): a copy with one child replaced. */
static PyObject *
py_with_field (PyObject *module,
               PyObject *args)
{
  PyObject *object, *value;
  const char *name;
  LsNode *node;
  guint child = 0;

  if (!PyArg_ParseTuple (args, "O!sO", ls_py_node_type, &object, &name, &value))
    return NULL;
  node = ls_py_node (object);
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const char *letters = rows[r].nodes;

      for (guint i = 0; rows[r].kind == ls_kind (node) && i < node->klass->n_fields; i++)
        {
          const LsField *field = &node->klass->fields[i];
          LsNode *fresh = NULL;
          LsPyWant want;
          gboolean optional;
          PyObject *result;

          if (field->type != LS_FIELD_NODE)
            continue;
          want = (LsPyWant) (guchar) *letters++;
          optional = *letters == '?';
          letters += optional;
          if (strcmp (field->name, name) != 0)
            {
              child++;
              continue;
            }
          if (!ls_py_to_node (value, want, optional, name, &fresh))
            return NULL;
          if (!may_hold (ls_kind (node), name, fresh))
            {
              ls_node_unref (fresh);
              return NULL;
            }
          result = ls_py_wrap (ls_node_with_child (node, child, fresh));
          ls_node_unref (fresh);
          return result;
        }
    }
  return PyErr_Format (PyExc_AttributeError, "%s has no field %s that can be replaced", node->klass->name, name);
}

/* convert (value): any Python value as a node (None stays None). */
static PyObject *
py_convert (PyObject *module,
            PyObject *value)
{
  LsNode *node;

  if (!ls_py_to_node (value, LS_PY_ANY, TRUE, "value", &node))
    return NULL;
  return ls_py_wrap (node);
}

static PyObject *
py_convert_expr (PyObject *module,
                 PyObject *value)
{
  LsNode *node;

  if (!ls_py_to_node (value, LS_PY_EXPR, FALSE, "value", &node))
    return NULL;
  return ls_py_wrap (node);
}

static PyObject *
py_items (PyObject *module,
          PyObject *object)
{
  LsNode *array = ls_py_require (object, LS_KIND_ARRAY, "the list");

  return array != NULL ? ls_py_list ((LsArray *) array) : NULL;
}

static PyObject *
py_map_items (PyObject *module,
              PyObject *object)
{
  LsMap *map = (LsMap *) ls_py_require (object, LS_KIND_MAP, "the dictionary");
  PyObject *dict = map != NULL ? PyDict_New () : NULL;

  for (guint i = 0; dict != NULL && i < map->n; i++)
    {
      PyObject *value = ls_py_from_node (map->values[i]);

      if (value == NULL || PyDict_SetItemString (dict, map->keys[i], value) < 0)
        Py_CLEAR (dict);
      Py_XDECREF (value);
    }
  return dict;
}

static PyObject *
py_array_get (PyObject *module,
              PyObject *args)
{
  PyObject *object;
  Py_ssize_t i;
  LsArray *array;

  if (!PyArg_ParseTuple (args, "On", &object, &i) || (array = (LsArray *) ls_py_require (object, LS_KIND_ARRAY, "the list")) == NULL)
    return NULL;
  if (i < 0)
    i += array->n;
  if (i < 0 || i >= array->n)
    return PyErr_Format (PyExc_IndexError, "there is no item %zd among %u", i, array->n);
  return ls_py_from_node (array->items[i]);
}

static PyObject *
py_array_len (PyObject *module,
              PyObject *object)
{
  LsArray *array = (LsArray *) ls_py_require (object, LS_KIND_ARRAY, "the list");

  return array != NULL ? PyLong_FromUnsignedLong (array->n) : NULL;
}

static void
set_name (char       **slot,
          const char  *name)
{
  g_free (*slot);
  *slot = g_strdup (name);
}

/* rename (variable or buffer, name): for builders, which learn names after they made things */
static PyObject *
py_rename (PyObject *module,
           PyObject *args)
{
  PyObject *object;
  const char *name;
  LsNode *node;

  if (!PyArg_ParseTuple (args, "O!s", ls_py_node_type, &object, &name))
    return NULL;
  node = ls_py_node (object);
  if (ls_is_var (node))
    set_name (&((LsVar *) node)->name, name);
  else if (ls_is_relax_var (node))
    set_name (&((LsRelaxVar *) node)->name, name);
  else if (ls_is (node, BUFFER))
    {
      set_name (&((LsBuffer *) node)->name, name);
      set_name (&((LsBuffer *) node)->data->name, name);
    }
  else
    return PyErr_Format (PyExc_TypeError, "%R has no name", object);
  Py_RETURN_NONE;
}

PyMethodDef ls_py_make_methods[] = {
  { "rename", py_rename, METH_VARARGS, "rename(variable or buffer, name)" },
  { "make", py_make, METH_VARARGS, "make(kind, *fields)" },
  { "with_field", py_with_field, METH_VARARGS, "with_field(node, field, value)" },
  { "convert", py_convert, METH_O, "Any Python value as a node." },
  { "convert_expr", py_convert_expr, METH_O, "A Python value as a PrimExpr." },
  { "items", py_items, METH_O, "The items of an Array as a list." },
  { "map_items", py_map_items, METH_O, "A Map as a dict." },
  { "array_get", py_array_get, METH_VARARGS, "array_get(array, i)" },
  { "array_len", py_array_len, METH_O, "The number of items." },
  { NULL, NULL, 0, NULL },
};
