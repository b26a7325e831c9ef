/* printer-expr: expressions, types and containers.
 *
 * An operator is written as Python's operator only if reading it back would build the same node: when the operands
 * fold ("1 + 2") or have two types, the node is written as a call (T.Add(1, 2)), as TVM does.
 */
#include "engine/base/stack.h"
#include "engine/relax/dpl/dpl.h"
#include "engine/script/parser.h"
#include "engine/te/te.h"
#include "engine/script/printer-private.h"

typedef struct {
  const char *sign;             /* NULL: always a call */
  const char *call;
  LsBinding   binding;
} Operator;

static const Operator *
operator_of (LsKind kind)
{
  static const Operator table[] = {
    [LS_KIND_ADD - LS_KIND_ADD] = { " + ", "T.Add", LS_BIND_ADD },
    [LS_KIND_SUB - LS_KIND_ADD] = { " - ", "T.Sub", LS_BIND_ADD },
    [LS_KIND_MUL - LS_KIND_ADD] = { " * ", "T.Mul", LS_BIND_MULTIPLY },
    [LS_KIND_DIV - LS_KIND_ADD] = { " / ", "T.Div", LS_BIND_MULTIPLY },
    [LS_KIND_MOD - LS_KIND_ADD] = { NULL, "T.truncmod", LS_BIND_ATOM },
    [LS_KIND_FLOOR_DIV - LS_KIND_ADD] = { " // ", "T.FloorDiv", LS_BIND_MULTIPLY },
    [LS_KIND_FLOOR_MOD - LS_KIND_ADD] = { " % ", "T.FloorMod", LS_BIND_MULTIPLY },
    [LS_KIND_MIN - LS_KIND_ADD] = { NULL, "T.min", LS_BIND_ATOM },
    [LS_KIND_MAX - LS_KIND_ADD] = { NULL, "T.max", LS_BIND_ATOM },
    [LS_KIND_EQ - LS_KIND_ADD] = { " == ", "T.EQ", LS_BIND_COMPARE },
    [LS_KIND_NE - LS_KIND_ADD] = { " != ", "T.NE", LS_BIND_COMPARE },
    [LS_KIND_LT - LS_KIND_ADD] = { " < ", "T.LT", LS_BIND_COMPARE },
    [LS_KIND_LE - LS_KIND_ADD] = { " <= ", "T.LE", LS_BIND_COMPARE },
    [LS_KIND_GT - LS_KIND_ADD] = { " > ", "T.GT", LS_BIND_COMPARE },
    [LS_KIND_GE - LS_KIND_ADD] = { " >= ", "T.GE", LS_BIND_COMPARE },
    [LS_KIND_AND - LS_KIND_ADD] = { " and ", "T.And", LS_BIND_AND },
    [LS_KIND_OR - LS_KIND_ADD] = { " or ", "T.Or", LS_BIND_OR },
  };

  return &table[kind - LS_KIND_ADD];
}

/* Would the operator applied to these operands give this very node? */
static gboolean
has_sign (LsBinary       *node,
          const Operator *operator)
{
  LsKind kind = ls_kind (node);
  LsExpr *folded;

  if (operator->sign == NULL || !ls_dtype_equal (ls_dtype (node->a), ls_dtype (node->b)))
    return FALSE;
  if (kind == LS_KIND_DIV && (ls_dtype_is_int (ls_dtype (node->a)) || ls_dtype_is_uint (ls_dtype (node->a))))
    return FALSE;
  if ((kind == LS_KIND_AND || kind == LS_KIND_OR) && !ls_dtype_is_bool (ls_dtype (node->a)))
    return FALSE;
  if (!ls_is (node->a, INT_IMM) && !ls_is (node->b, INT_IMM) && !ls_is (node->a, FLOAT_IMM) && !ls_is (node->b, FLOAT_IMM))
    return TRUE;
  folded = ls_try_fold (kind, node->a, node->b);
  ls_unref (folded);
  return folded == NULL;
}

static void
put_two (LsPrinter *p,
         gpointer   parent,
         gsize      offset_a,
         gpointer   a,
         gsize      offset_b,
         gpointer   b)
{
  guint32 saved = ls_printer_enter (p, parent, offset_a);

  ls_printer_value (p, a);
  p->path = saved;
  ls_put (p, ", ");
  ls_printer_enter (p, parent, offset_b);
  ls_printer_value (p, b);
  p->path = saved;
}

static void
put_binary (LsPrinter *p,
            LsBinary  *node,
            LsBinding  parent,
            gboolean   strict)
{
  const Operator *operator = operator_of (ls_kind (node));
  gboolean brackets;

  if (!has_sign (node, operator))
    {
      ls_put (p, operator->call);
      ls_put_char (p, '(');
      put_two (p, node, G_STRUCT_OFFSET (LsBinary, a), node->a, G_STRUCT_OFFSET (LsBinary, b), node->b);
      ls_put_char (p, ')');
      return;
    }
  brackets = operator->binding < parent || (strict && operator->binding == parent);
  if (brackets)
    ls_put_char (p, '(');
  LS_AT (p, node, LsBinary, a, ls_printer_expr (p, node->a, operator->binding, operator->binding == LS_BIND_COMPARE));
  ls_put (p, operator->sign);
  LS_AT (p, node, LsBinary, b, ls_printer_expr (p, node->b, operator->binding, TRUE));
  if (brackets)
    ls_put_char (p, ')');
}

/* ---- variables -------------------------------------------------------------- */

static void
append_type_arguments (GString *text,
                       LsType  *type)
{
  LsPointerType *pointer = (LsPointerType *) type;

  if (ls_is (pointer->element_type, PRIM_TYPE))
    g_string_append_printf (text, "\"%s\"", ls_dtype_name (((LsPrimType *) pointer->element_type)->dtype));
  if (pointer->storage_scope != NULL && pointer->storage_scope[0] != '\0')
    g_string_append_printf (text, ", \"%s\"", pointer->storage_scope);
}

char *
ls_printer_var_creation (LsVar *var)
{
  GString *text = g_string_new ("T.");

  if (ls_is (var->type_annotation, POINTER_TYPE))
    {
      g_string_append (text, "handle(");
      append_type_arguments (text, var->type_annotation);
      g_string_append (text, ls_is (var, SIZE_VAR) ? ", is_size_var=True)" : ")");
    }
  else
    {
      g_string_append (text, ls_dtype_name (ls_dtype (var)));
      g_string_append (text, ls_is (var, SIZE_VAR) ? "(is_size_var=True)" : "()");
    }
  return g_string_free (text, FALSE);
}

const char *
ls_printer_var_name (LsPrinter *p,
                     LsVar     *var)
{
  const char *name = ls_printer_name (p, var);
  int depth;
  g_autofree char *creation = NULL, *line = NULL;

  if (name != NULL)
    return name;
  depth = ls_printer_lowest_frame (p, var);
  name = ls_printer_define (p, var, depth >= 0 ? (guint) depth : 0);
  creation = ls_printer_var_creation (var);
  line = g_strconcat (name, " = ", creation, NULL);
  if (depth >= 0)
    ls_printer_declare (p, (guint) depth, line, (gpointer *) &var, 1);
  return name;
}

void
ls_printer_var (LsPrinter *p,
                LsVar     *var)
{
  ls_printer_put_name (p, var, ls_printer_var_name (p, var), LS_SOURCE_USE);
}

/* ---- constants -------------------------------------------------------------- */

/* Above int64 a number is two halves, as the reader makes them of its digits. */
static void
put_large (LsPrinter *p,
           guint64    value)
{
  ls_put (p, "T.large_uint_imm(T.uint32(");
  ls_printer_put_int (p, (gint64) (value & G_MAXUINT32));
  ls_put (p, "), T.uint32(");
  ls_printer_put_int (p, (gint64) (value >> 32));
  ls_put (p, "))");
}

static void
put_int (LsPrinter *p,
         LsIntImm  *imm)
{
  LsDType type = ls_dtype (imm);

  if (imm->value < 0 && ls_dtype_is_uint (type) && type.bits == 64 && !p->relax)
    {
      put_large (p, (guint64) imm->value);
      return;
    }
  if (ls_dtype_equal (type, LS_INT32))
    {
      ls_printer_put_int (p, imm->value);
      return;
    }
  if (p->relax && !ls_dtype_is_bool (type))
    {
      ls_printer_put_int (p, imm->value);
      return;
    }
  if (ls_dtype_equal (type, LS_BOOL) && (p->relax || p->options.style == LS_SCRIPT_STYLE_2023))
    {
      ls_put (p, imm->value != 0 ? "True" : "False");
      return;
    }
  ls_put (p, "T.");
  ls_put (p, ls_dtype_name (type));
  ls_put_char (p, '(');
  if (ls_dtype_equal (type, LS_BOOL))
    ls_put (p, imm->value != 0 ? "True" : "False");
  else
    ls_printer_put_int (p, imm->value);
  ls_put_char (p, ')');
}

static void
put_float (LsPrinter  *p,
           LsFloatImm *imm)
{
  ls_put (p, "T.");
  ls_put (p, ls_dtype_name (ls_dtype (imm)));
  ls_put_char (p, '(');
  ls_printer_put_float (p, imm->value);
  ls_put_char (p, ')');
}

/* ---- calls ------------------------------------------------------------------------ */

typedef enum { DTYPE_NOWHERE, DTYPE_FIRST, DTYPE_LAST } DTypePlace;

static gboolean
shows_dtype_first (const char *name)
{
  static const char *const names[] = {
    "tir.reinterpret", "tir.call_extern", "tir.call_pure_extern", "tir.call_llvm_intrin", "tir.call_llvm_pure_intrin",
    "tir.ptx_mma", "tir.ptx_mma_sp", "tir.ptx_ldmatrix", "tir.ptx_cp_async", "tir.ptx_cp_async_bulk", "tir.ptx_ldg32", "tir.mma_store",
    "tir.mma_fill", "tir.vectorhigh", "tir.vectorlow", "tir.vectorcombine", "tir.dp4a", "tir.get_active_lane_mask",
    "tir.type_annotation", NULL
  };

  return g_strv_contains (names, name);
}

/* The place is kept per operator: the table is a handful of names, calls are many. */
static DTypePlace
dtype_place (const LsOp *op)
{
  static GHashTable *places;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      guint n;
      LsOp *const *ops = ls_op_list (&n);

      places = g_hash_table_new (NULL, NULL);
      for (guint i = 0; i < n; i++)
        if (shows_dtype_first (ops[i]->name))
          g_hash_table_insert (places, ops[i], GUINT_TO_POINTER (DTYPE_FIRST));
      g_hash_table_insert (places, ls_op_get ("tir.tvm_struct_get"), GUINT_TO_POINTER (DTYPE_LAST));
      g_once_init_leave (&ready, 1);
    }
  return GPOINTER_TO_UINT (g_hash_table_lookup (places, op));
}

static void
put_callee (LsPrinter *p,
            LsCall    *call)
{
  guint range = ls_printer_open (p, call->op, LS_SOURCE_USE);

  if (ls_is (call->op, OP))
    {
      ls_put (p, "T.");
      ls_put (p, ((LsOp *) call->op)->script_name);
    }
  else
    {
      ls_printer_value (p, call->op);
    }
  ls_printer_close (p, range);
}

static void
put_call (LsPrinter *p,
          LsCall    *call)
{
  DTypePlace place = ls_is (call->op, OP) ? dtype_place ((LsOp *) call->op) : DTYPE_NOWHERE;

  LS_AT (p, call, LsCall, op, put_callee (p, call));
  ls_put_char (p, '(');
  if (place == DTYPE_FIRST)
    {
      ls_printer_put_dtype (p, ls_dtype (call));
      if (call->args->n > 0)
        ls_put (p, ", ");
    }
  LS_AT (p, call, LsCall, args, ls_printer_items (p, call->args));
  if (place == DTYPE_LAST)
    {
      if (call->args->n > 0)
        ls_put (p, ", ");
      ls_printer_put_dtype (p, ls_dtype (call));
    }
  ls_put_char (p, ')');
}

static void
put_let (LsPrinter *p,
         LsLet     *let)
{
  LS_AT (p, let, LsLet, var, ls_printer_var_name (p, let->var));
  ls_put (p, "T.Let(");
  LS_AT (p, let, LsLet, body, ls_printer_value (p, let->body));
  ls_put (p, ", where={");
  LS_AT (p, let, LsLet, var, ls_printer_var (p, let->var));
  ls_put (p, ": ");
  LS_AT (p, let, LsLet, value, ls_printer_value (p, let->value));
  ls_put (p, "})");
}

/* ---- types --------------------------------------------------------------------------- */

static void
put_pointer_type (LsPrinter     *p,
                  LsPointerType *type)
{
  GString *text = g_string_new (NULL);

  ls_put (p, "T.handle(");
  if (!ls_is (type->element_type, PRIM_TYPE))
    ls_printer_value (p, type->element_type);
  append_type_arguments (text, LS_NODE (type));
  g_string_append_len (p->out, text->str, (gssize) text->len);
  g_string_free (text, TRUE);
  ls_put_char (p, ')');
}

static void
put_tuple_type (LsPrinter   *p,
                LsTupleType *type)
{
  if (ls_array_n (type->fields) == 0)
    {
      ls_put (p, "None");
      return;
    }
  ls_put (p, "T.Tuple(");
  ls_printer_items (p, type->fields);
  ls_put_char (p, ')');
}

/* ---- all ----------------------------------------------------------------------------- */

static void
put_global_var (LsPrinter   *p,
                LsGlobalVar *var)
{
  const char *name = ls_printer_name (p, var);

  if (p->relax && p->module_title != NULL)
    {
      ls_put (p, "cls.");
      ls_put (p, var->name_hint);
      return;
    }
  if (name != NULL)
    {
      ls_put (p, name);
      return;
    }
  if (p->relax)
    {
      ls_put (p, var->name_hint);
      return;
    }
  ls_put (p, "I.GlobalVar(");
  ls_printer_put_string (p, var->name_hint);
  ls_put_char (p, ')');
}

static void
put_other (LsPrinter *p,
           LsNode    *node)
{
  guint n = ls_node_get_n_children (node);

  ls_put (p, node->klass->name);
  ls_put_char (p, '(');
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        ls_put (p, ", ");
      LS_AT_ITEM (p, i, ls_printer_value (p, ls_node_get_child (node, i)));
    }
  ls_put_char (p, ')');
}

static void
put_not (LsPrinter *p,
         LsNot     *node,
         LsBinding  parent,
         gboolean   strict)
{
  gboolean brackets = LS_BIND_NOT < parent || (strict && parent == LS_BIND_NOT);

  ls_put (p, brackets ? "(not " : "not ");
  LS_AT (p, node, LsNot, a, ls_printer_expr (p, node->a, LS_BIND_NOT, FALSE));
  if (brackets)
    ls_put_char (p, ')');
}

static void
put_pattern (LsPrinter *p,
             LsNode    *node)
{
  g_autofree char *text = ls_pattern_print (node);

  ls_put (p, text);
}

static void
put_node (LsPrinter *p,
          LsNode    *node,
          LsBinding  parent,
          gboolean   strict)
{
  switch (ls_kind (node))
    {
    case LS_KIND_ADD: case LS_KIND_SUB: case LS_KIND_MUL: case LS_KIND_DIV: case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV: case LS_KIND_FLOOR_MOD: case LS_KIND_MIN: case LS_KIND_MAX:
    case LS_KIND_EQ: case LS_KIND_NE: case LS_KIND_LT: case LS_KIND_LE: case LS_KIND_GT: case LS_KIND_GE:
    case LS_KIND_AND: case LS_KIND_OR:
      put_binary (p, (LsBinary *) node, parent, strict);
      break;
    case LS_KIND_NOT: put_not (p, (LsNot *) node, parent, strict); break;
    case LS_KIND_INT_IMM: put_int (p, (LsIntImm *) node); break;
    case LS_KIND_FLOAT_IMM: put_float (p, (LsFloatImm *) node); break;
    case LS_KIND_STRING_IMM: ls_printer_put_string (p, ((LsStringImm *) node)->value); break;
    case LS_KIND_STRING: ls_printer_put_string (p, ((LsString *) node)->value); break;
    case LS_KIND_CAST:
      ls_put (p, "T.Cast(");
      ls_printer_put_dtype (p, ls_dtype (node));
      ls_put (p, ", ");
      LS_AT (p, node, LsCast, value, ls_printer_value (p, ((LsCast *) node)->value));
      ls_put_char (p, ')');
      break;
    case LS_KIND_SELECT:
      ls_put (p, "T.Select(");
      put_two (p, node, G_STRUCT_OFFSET (LsSelect, condition), ((LsSelect *) node)->condition,
               G_STRUCT_OFFSET (LsSelect, true_value), ((LsSelect *) node)->true_value);
      ls_put (p, ", ");
      LS_AT (p, node, LsSelect, false_value, ls_printer_value (p, ((LsSelect *) node)->false_value));
      ls_put_char (p, ')');
      break;
    case LS_KIND_RAMP:
      ls_put (p, "T.Ramp(");
      put_two (p, node, G_STRUCT_OFFSET (LsRamp, base), ((LsRamp *) node)->base,
               G_STRUCT_OFFSET (LsRamp, stride), ((LsRamp *) node)->stride);
      ls_put (p, ", ");
      LS_AT (p, node, LsRamp, lanes, ls_printer_value (p, ((LsRamp *) node)->lanes));
      ls_put_char (p, ')');
      break;
    case LS_KIND_BROADCAST:
      ls_put (p, "T.Broadcast(");
      put_two (p, node, G_STRUCT_OFFSET (LsBroadcast, value), ((LsBroadcast *) node)->value,
               G_STRUCT_OFFSET (LsBroadcast, lanes), ((LsBroadcast *) node)->lanes);
      ls_put_char (p, ')');
      break;
    case LS_KIND_SHUFFLE:
      ls_put (p, "T.Shuffle(");
      put_two (p, node, G_STRUCT_OFFSET (LsShuffle, vectors), ((LsShuffle *) node)->vectors,
               G_STRUCT_OFFSET (LsShuffle, indices), ((LsShuffle *) node)->indices);
      ls_put_char (p, ')');
      break;
    case LS_KIND_LET: put_let (p, (LsLet *) node); break;
    case LS_KIND_CALL: put_call (p, (LsCall *) node); break;
    case LS_KIND_BUFFER_LOAD: ls_printer_load (p, (LsBufferLoad *) node); break;
    case LS_KIND_PRODUCER_LOAD:
      LS_AT (p, node, LsProducerLoad, producer, ls_printer_value (p, ((LsProducerLoad *) node)->producer));
      LS_AT (p, node, LsProducerLoad, indices, ls_printer_indices (p, ((LsProducerLoad *) node)->indices));
      break;
    case LS_KIND_BUFFER_REGION: ls_printer_buffer_region (p, (LsBufferRegion *) node); break;
    case LS_KIND_REDUCE: ls_printer_reduce (p, (LsReduce *) node); break;
    case LS_KIND_COMM_REDUCER: ls_printer_reducer (p, (LsCommReducer *) node); break;
    case LS_KIND_INDEX_MAP: ls_printer_index_map (p, (LsIndexMap *) node); break;
    case LS_KIND_ITER_VAR: ls_printer_iter_var (p, (LsIterVar *) node); break;
    case LS_KIND_RANGE: ls_printer_dom (p, "I.Range(", (LsRange *) node); break;
    case LS_KIND_ARRAY: ls_printer_list (p, (LsArray *) node); break;
    case LS_KIND_MAP: ls_printer_map (p, (LsMap *) node); break;
    case LS_KIND_PRIM_TYPE:
      ls_put (p, "T.");
      ls_put (p, ls_dtype_name (((LsPrimType *) node)->dtype));
      break;
    case LS_KIND_POINTER_TYPE: put_pointer_type (p, (LsPointerType *) node); break;
    case LS_KIND_TUPLE_TYPE: put_tuple_type (p, (LsTupleType *) node); break;
    case LS_KIND_GLOBAL_VAR: put_global_var (p, (LsGlobalVar *) node); break;
    case LS_KIND_OP:
      ls_put (p, "I.Op(");
      ls_printer_put_string (p, ((LsOp *) node)->name);
      ls_put_char (p, ')');
      break;
    case LS_KIND_TENSOR_STRUCT_INFO: case LS_KIND_SHAPE_STRUCT_INFO: case LS_KIND_PRIM_STRUCT_INFO: case LS_KIND_TUPLE_STRUCT_INFO:
    case LS_KIND_FUNC_STRUCT_INFO: case LS_KIND_DTENSOR_STRUCT_INFO: case LS_KIND_OBJECT_STRUCT_INFO: case LS_KIND_DEVICE_MESH:
    case LS_KIND_PLACEMENT_SPEC: case LS_KIND_PLACEMENT: case LS_KIND_RELAX_VAR: case LS_KIND_DATAFLOW_VAR:
    case LS_KIND_CONSTANT: case LS_KIND_PRIM_VALUE: case LS_KIND_RELAX_STRING: case LS_KIND_DATA_TYPE_IMM: case LS_KIND_SHAPE_EXPR:
    case LS_KIND_RELAX_TUPLE: case LS_KIND_TUPLE_GET_ITEM: case LS_KIND_RELAX_OP: case LS_KIND_EXTERN_FUNC: case LS_KIND_RELAX_CALL:
    case LS_KIND_RELAX_IF: case LS_KIND_SEQ_EXPR: case LS_KIND_BINDING_BLOCK: case LS_KIND_DATAFLOW_BLOCK: case LS_KIND_VAR_BINDING:
    case LS_KIND_MATCH_CAST: case LS_KIND_FUNCTION:
      ls_printer_relax_expr (p, node);
      break;
    case LS_KIND_TE_TENSOR: ls_put (p, ((LsTeTensor *) node)->op->name); break;
    case LS_KIND_TE_OPERATION: ls_put (p, ((LsTeOperation *) node)->name); break;
    case LS_KIND_EXPR_PATTERN: case LS_KIND_VAR_PATTERN: case LS_KIND_DATAFLOW_VAR_PATTERN: case LS_KIND_GLOBAL_VAR_PATTERN:
    case LS_KIND_EXTERN_FUNC_PATTERN: case LS_KIND_CONSTANT_PATTERN: case LS_KIND_CALL_PATTERN: case LS_KIND_FUNCTION_PATTERN:
    case LS_KIND_TUPLE_PATTERN: case LS_KIND_UNORDERED_TUPLE_PATTERN: case LS_KIND_TUPLE_GET_ITEM_PATTERN: case LS_KIND_OR_PATTERN:
    case LS_KIND_AND_PATTERN: case LS_KIND_NOT_PATTERN: case LS_KIND_WILDCARD_PATTERN: case LS_KIND_STRUCT_INFO_PATTERN:
    case LS_KIND_SHAPE_PATTERN: case LS_KIND_DATA_TYPE_PATTERN: case LS_KIND_ATTR_PATTERN: case LS_KIND_PRIM_ARR_PATTERN:
    case LS_KIND_SAME_SHAPE_CONSTRAINT:
      put_pattern (p, node);
      break;
    case LS_KIND_VAR: case LS_KIND_SIZE_VAR: case LS_KIND_BUFFER:
    case LS_KIND_TENSOR: case LS_KIND_MODULE: case LS_KIND_MATCH_BUFFER_REGION:
    case LS_KIND_ITER_MARK: case LS_KIND_ITER_SPLIT: case LS_KIND_ITER_SUM: case LS_KIND_SPLIT_EXPR: case LS_KIND_SUM_EXPR:
    case LS_KIND_LET_STMT: case LS_KIND_ATTR_STMT: case LS_KIND_ASSERT_STMT: case LS_KIND_BUFFER_STORE:
    case LS_KIND_BUFFER_REALIZE: case LS_KIND_ALLOCATE: case LS_KIND_ALLOCATE_CONST: case LS_KIND_DECL_BUFFER:
    case LS_KIND_SEQ_STMT: case LS_KIND_IF_THEN_ELSE: case LS_KIND_EVALUATE: case LS_KIND_FOR: case LS_KIND_WHILE:
    case LS_KIND_BLOCK: case LS_KIND_BLOCK_REALIZE: case LS_KIND_PRIM_FUNC:
      put_other (p, node);
      break;
    }
}

typedef struct {
  LsPrinter *p;
  gpointer   expr;
  LsBinding  parent;
  gboolean   strict;
} Again;

static void
expr_again (gpointer data)
{
  Again *again = data;

  ls_printer_expr (again->p, again->expr, again->parent, again->strict);
}

void
ls_printer_expr (LsPrinter *p,
                 gpointer   expr,
                 LsBinding  parent,
                 gboolean   strict)
{
  guint range;

  if (ls_stack_is_short ())
    {
      ls_stack_extend (expr_again, &(Again) { p, expr, parent, strict });
      return;
    }
  if (expr == NULL)
    {
      ls_put (p, "None");
    }
  else if (ls_is_var (expr))
    {
      ls_printer_var (p, expr);
    }
  else if (ls_is (expr, BUFFER))
    {
      ls_printer_buffer (p, expr);
    }
  else if (ls_is_relax_var (expr))
    {
      ls_printer_relax_expr (p, expr);
    }
  else
    {
      range = ls_printer_open (p, expr, LS_SOURCE_NODE);
      put_node (p, expr, parent, strict);
      ls_printer_close (p, range);
    }
}

void
ls_printer_value (LsPrinter *p,
                  gpointer   node)
{
  ls_printer_expr (p, node, LS_BIND_NONE, FALSE);
}
