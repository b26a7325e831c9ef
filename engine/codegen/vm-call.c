/* vm-call: values and calls of Relax as instructions.
 *
 * Calls in destination-passing style (call_tir, call_dps_packed) get their results allocated here; everything that was
 * lowered already (CallTIRRewrite, StaticPlanBlockMemory) is taken as it is.  Operators that work on values rather than
 * elements are builtins of the machine (engine/runtime/vm-builtin.c) of the same name.
 */
#include "engine/codegen/vm-private.h"

#include <string.h>

static GArray *
operand_list (void)
{
  return g_array_new (FALSE, FALSE, sizeof (LsVMOperand));
}

static void
add (GArray      *list,
     LsVMOperand  operand)
{
  g_array_append_val (list, operand);
}

/* Puts the instruction, its result in dst or a new register. */
static LsVMOperand
finish (LsVMWriter *self,
        LsVMOp      op,
        gint64      dst,
        gint64      target,
        GArray     *operands)
{
  gint64 at = dst >= 0 ? dst : ls_vm_writer_register (self);

  ls_vm_writer_put (self, op, at, target, operands);
  return (LsVMOperand) { LS_VM_REG, at };
}

static LsVMOperand
none (LsVMWriter *self)
{
  if (self->none < 0)
    self->none = ls_vm_writer_register (self);
  return (LsVMOperand) { LS_VM_REG, self->none };
}

static LsVMOperand
moved (LsVMWriter  *self,
       LsVMOperand  operand,
       gint64       dst)
{
  g_autoptr (GArray) list = NULL;

  if (dst < 0 || (operand.kind == LS_VM_REG && operand.value == dst))
    return operand;
  list = operand_list ();
  add (list, operand);
  return finish (self, LS_VM_OP_MOVE, dst, 0, list);
}

/* ---- leaves ------------------------------------------------------------------- */

static LsVMOperand
constant (LsVMWriter *self,
          LsConstant *node)
{
  LsTensor *tensor = node->data;
  gint64 dims[LS_NDARRAY_MAX_NDIM];
  LsDLDataType dtype;
  LsNDArray *array;
  gsize n;
  gconstpointer data = g_bytes_get_data (tensor->data, &n);

  for (guint i = 0; i < tensor->shape->n && i < LS_NDARRAY_MAX_NDIM; i++)
    ls_as_int (tensor->shape->items[i], &dims[i]);
  array = tensor->shape->n <= LS_NDARRAY_MAX_NDIM && ls_dl_dtype_parse (ls_dtype_name (tensor->dtype), &dtype, self->error == NULL ? &self->error : NULL)
          ? ls_ndarray_new ((int) tensor->shape->n, dims, dtype, self->error == NULL ? &self->error : NULL) : NULL;
  if (array == NULL || array->n_bytes != n)
    {
      g_clear_pointer (&array, ls_ndarray_unref);
      ls_vm_writer_fail (self, LS_CODEGEN_ERROR_PROGRAM, "a constant's data do not fit its shape");
      return none (self);
    }
  if (n > 0)
    memcpy (array->tensor.data, data, n);
  g_ptr_array_add (self->executable->constants, ls_vm_tensor (array));
  return (LsVMOperand) { LS_VM_CONST, self->executable->constants->len - 1 };
}

static LsVMOperand
number (LsVMWriter *self,
        LsExpr     *value)
{
  if (ls_is (value, FLOAT_IMM))
    {
      g_array_append_val (self->executable->floats, ((LsFloatImm *) value)->value);
      return (LsVMOperand) { LS_VM_REAL, self->executable->floats->len - 1 };
    }
  if (ls_is (value, STRING_IMM))
    return ls_vm_writer_text (self, ((LsStringImm *) value)->value);
  return ls_vm_writer_extent (self, value);
}

static LsVMOperand
shape (LsVMWriter  *self,
       LsShapeExpr *node,
       gint64       dst)
{
  g_autoptr (GArray) list = operand_list ();

  for (guint i = 0; i < node->values->n; i++)
    add (list, ls_vm_writer_extent (self, LS_EXPR (node->values->items[i])));
  return finish (self, LS_VM_OP_SHAPE, dst, 0, list);
}

static LsVMOperand
tuple (LsVMWriter *self,
       LsArray    *fields,
       gint64      dst)
{
  g_autoptr (GArray) list = operand_list ();

  for (guint i = 0; i < fields->n; i++)
    add (list, ls_vm_writer_value (self, fields->items[i], -1));
  return finish (self, LS_VM_OP_TUPLE, dst, 0, list);
}

static LsVMOperand
item (LsVMWriter  *self,
      LsVMOperand  from,
      gint64       index,
      gint64       dst)
{
  g_autoptr (GArray) list = operand_list ();

  add (list, from);
  add (list, (LsVMOperand) { LS_VM_IMM, index });
  return finish (self, LS_VM_OP_ITEM, dst, 0, list);
}

/* A compiled or packed function as a value. */
static LsVMOperand
code (LsVMWriter *self,
      const char *name,
      gint64      dst)
{
  return finish (self, LS_VM_OP_CODE, dst, (gint64) ls_vm_executable_string (self->executable, name), NULL);
}

/* A function of the module as a value. */
static LsVMOperand
global (LsVMWriter  *self,
        LsGlobalVar *var,
        gint64       dst)
{
  gint64 number = GPOINTER_TO_INT (g_hash_table_lookup (self->functions, var->name_hint));

  if (number > 0)
    return finish (self, LS_VM_OP_CLOSURE, dst, number - 1, NULL);
  if (!ls_is (ls_module_get (self->module, var->name_hint), PRIM_FUNC))
    ls_vm_writer_fail (self, LS_CODEGEN_ERROR_NOT_FOUND, "the module has no function %s", var->name_hint);
  return code (self, var->name_hint, dst);
}

LsVMOperand
ls_vm_writer_value (LsVMWriter *self,
                    LsNode     *expr,
                    gint64      dst)
{
  LsVMOperand *known;

  switch ((int) ls_kind (expr))
    {
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR:
      known = g_hash_table_lookup (self->vars, expr);
      if (known != NULL)
        return moved (self, *known, dst);
      ls_vm_writer_fail (self, LS_CODEGEN_ERROR_PROGRAM, "the variable %s has no value there", ((LsRelaxVar *) expr)->name);
      return none (self);
    case LS_KIND_CONSTANT: return moved (self, constant (self, (LsConstant *) expr), dst);
    case LS_KIND_PRIM_VALUE: return moved (self, number (self, ((LsPrimValue *) expr)->value), dst);
    case LS_KIND_RELAX_STRING: return moved (self, ls_vm_writer_text (self, ((LsRelaxString *) expr)->value), dst);
    case LS_KIND_DATA_TYPE_IMM: return moved (self, ls_vm_writer_text (self, ls_dtype_name (((LsDataTypeImm *) expr)->value)), dst);
    case LS_KIND_SHAPE_EXPR: return shape (self, (LsShapeExpr *) expr, dst);
    case LS_KIND_RELAX_TUPLE: return tuple (self, ((LsRelaxTuple *) expr)->fields, dst);
    case LS_KIND_TUPLE_GET_ITEM:
      return item (self, ls_vm_writer_value (self, ((LsTupleGetItem *) expr)->tuple, -1), ((LsTupleGetItem *) expr)->index, dst);
    case LS_KIND_GLOBAL_VAR: return global (self, (LsGlobalVar *) expr, dst);
    case LS_KIND_EXTERN_FUNC: return code (self, ((LsExternFunc *) expr)->global_symbol, dst);
    case LS_KIND_RELAX_CALL: return ls_vm_writer_call (self, (LsRelaxCall *) expr, dst);
    case LS_KIND_FUNCTION: return ls_vm_writer_lambda (self, (LsFunction *) expr, dst);
    default:
      ls_vm_writer_fail (self, LS_CODEGEN_ERROR_UNSUPPORTED, "a value of this kind is not compiled");
      return none (self);
    }
}

/* ---- arguments ------------------------------------------------------------------- */

/* The fields of a tuple, written out or in a variable. */
static void
add_fields (LsVMWriter *self,
            GArray     *list,
            LsNode     *from)
{
  g_autoptr (LsNode) info = NULL;
  LsVMOperand whole;

  if (ls_is (from, RELAX_TUPLE))
    {
      LsArray *fields = ((LsRelaxTuple *) from)->fields;

      for (guint i = 0; i < fields->n; i++)
        add (list, ls_vm_writer_value (self, fields->items[i], -1));
      return;
    }
  info = ls_relax_struct_info (from);
  if (!ls_is (info, TUPLE_STRUCT_INFO))
    {
      add (list, ls_vm_writer_value (self, from, -1));
      return;
    }
  whole = ls_vm_writer_value (self, from, -1);
  for (guint i = 0; i < ((LsTupleStructInfo *) info)->fields->n; i++)
    add (list, item (self, whole, i, -1));
}

static void
add_shape_fields (LsVMWriter *self,
                  GArray     *list,
                  LsNode     *expr)
{
  LsArray *values = ls_is (expr, SHAPE_EXPR) ? ((LsShapeExpr *) expr)->values : NULL;

  if (values == NULL)
    ls_vm_writer_fail (self, LS_CODEGEN_ERROR_UNSUPPORTED, "the symbolic extents of a call are not written out");
  for (guint i = 0; values != NULL && i < values->n; i++)
    add (list, ls_vm_writer_extent (self, LS_EXPR (values->items[i])));
}

static void
add_args (LsVMWriter *self,
          GArray     *list,
          LsArray    *args,
          guint       from)
{
  for (guint i = from; i < args->n; i++)
    add (list, ls_vm_writer_value (self, args->items[i], -1));
}

/* The name that a callee goes by in code, NULL when it is a value of Relax. */
static const char *
callee_name (LsNode *callee)
{
  if (ls_is (callee, GLOBAL_VAR))
    return ((LsGlobalVar *) callee)->name_hint;
  if (ls_is (callee, EXTERN_FUNC))
    return ((LsExternFunc *) callee)->global_symbol;
  return ls_is (callee, RELAX_STRING) ? ((LsRelaxString *) callee)->value : NULL;
}

/* A PrimFunc of the module, a function of Relax, a packed function, or a value. */
static LsVMOperand
put_call (LsVMWriter *self,
          LsNode     *callee,
          GArray     *list,
          gint64      dst)
{
  const char *name = callee_name (callee);
  LsNode *func = name != NULL ? ls_module_get (self->module, name) : NULL;

  if (name == NULL)
    {
      LsVMOperand value = ls_vm_writer_value (self, callee, -1);

      g_array_prepend_val (list, value);
      return finish (self, LS_VM_OP_VALUE, dst, 0, list);
    }
  if (ls_is (func, FUNCTION))
    return finish (self, LS_VM_OP_FUNCTION, dst, GPOINTER_TO_INT (g_hash_table_lookup (self->functions, name)) - 1, list);
  if (ls_is (callee, GLOBAL_VAR) && !ls_is (func, PRIM_FUNC))
    ls_vm_writer_fail (self, LS_CODEGEN_ERROR_NOT_FOUND, "the module has no function %s", name);
  return finish (self, ls_is (func, PRIM_FUNC) ? LS_VM_OP_KERNEL : LS_VM_OP_PACKED, dst, (gint64) ls_vm_executable_string (self->executable, name), list);
}

/* ---- destination passing ------------------------------------------------------------- */

static LsVMOperand
allocate (LsVMWriter   *self,
          LsStructInfo *info)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
  g_autoptr (GArray) list = operand_list ();

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (tensor->shape, SHAPE_EXPR) || ls_dtype_is_void (tensor->dtype))
    {
      ls_vm_writer_fail (self, LS_CODEGEN_ERROR_UNSUPPORTED, "the result of a call has no shape or no dtype, so that it cannot be allocated");
      return none (self);
    }
  add (list, ls_vm_writer_text (self, ls_dtype_name (tensor->dtype)));
  add_shape_fields (self, list, tensor->shape);
  return finish (self, LS_VM_OP_ALLOC, -1, 0, list);
}

static void
collect_results (LsRelaxCall *call,
                 GPtrArray   *infos)
{
  LsNode *info = call->sinfo_args->n == 1 ? call->sinfo_args->items[0] : NULL;
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : call->sinfo_args;

  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (infos, fields->items[i]);
}

/* callee, tuple of arguments, symbolic extents if any -> its results. */
static LsVMOperand
call_dps (LsVMWriter  *self,
          LsRelaxCall *call,
          gint64       dst)
{
  g_autoptr (GArray) list = operand_list ();
  g_autoptr (GArray) results = operand_list ();
  g_autoptr (GPtrArray) infos = g_ptr_array_new ();
  gboolean is_tuple = call->sinfo_args->n != 1 || ls_is (call->sinfo_args->items[0], TUPLE_STRUCT_INFO);

  collect_results (call, infos);
  add_fields (self, list, call->args->items[1]);
  for (guint i = 0; i < infos->len; i++)
    {
      gint64 reused = ls_relax_call_inplace_index (call, i);
      LsVMOperand result;

      if (reused >= 0 && reused < list->len)
        result = g_array_index (list, LsVMOperand, reused);
      else
        {
          result = allocate (self, infos->pdata[i]);
          add (list, result);
        }
      add (results, result);
    }
  if (call->args->n > 2)
    add_shape_fields (self, list, call->args->items[2]);
  put_call (self, call->args->items[0], list, -1);
  if (!is_tuple)
    return moved (self, g_array_index (results, LsVMOperand, 0), dst);
  return finish (self, LS_VM_OP_TUPLE, dst, 0, results);
}

/* ---- operators --------------------------------------------------------------------------- */

static LsVMOperand
builtin (LsVMWriter *self,
         const char *name,
         GArray     *list,
         gint64      dst)
{
  return finish (self, LS_VM_OP_PACKED, dst, (gint64) ls_vm_executable_string (self->executable, name), list);
}

static LsVMOperand
attribute (LsVMWriter *self,
           LsNode     *value)
{
  if (value == NULL)
    return none (self);
  if (ls_is (value, STRING))
    return ls_vm_writer_text (self, ((LsString *) value)->value);
  if (ls_is (value, INT_IMM) || ls_is (value, FLOAT_IMM))
    return number (self, LS_EXPR (value));
  ls_vm_writer_fail (self, LS_CODEGEN_ERROR_UNSUPPORTED, "an attribute is neither a number nor a string");
  return none (self);
}

/* The arguments, then the attributes in the order of the operator's table. */
static LsVMOperand
call_builtin (LsVMWriter  *self,
              LsRelaxCall *call,
              const char  *name,
              gint64       dst)
{
  g_autoptr (GArray) list = operand_list ();

  add_args (self, list, call->args, 0);
  for (guint i = 0; i < call->attrs->n; i++)
    add (list, attribute (self, call->attrs->items[i]));
  return builtin (self, name, list, dst);
}

/* print (format, values...), assert_op (condition, format, values...): the format goes to the end. */
static LsVMOperand
call_with_format (LsVMWriter  *self,
                  LsRelaxCall *call,
                  guint        format,
                  const char  *name,
                  gint64       dst)
{
  g_autoptr (GArray) list = operand_list ();

  for (guint i = 0; i < call->args->n; i++)
    if (i != format)
      add (list, ls_vm_writer_value (self, call->args->items[i], -1));
  if (format < call->args->n)
    add (list, ls_vm_writer_value (self, call->args->items[format], -1));
  return builtin (self, name, list, dst);
}

/* shape, dtype, ... */
static LsVMOperand
alloc_tensor (LsVMWriter  *self,
              LsRelaxCall *call,
              gint64       dst)
{
  g_autoptr (GArray) list = operand_list ();

  if (call->args->n < 2 || !ls_is (call->args->items[1], DATA_TYPE_IMM))
    {
      ls_vm_writer_fail (self, LS_CODEGEN_ERROR_PROGRAM, "an allocation names no dtype");
      return none (self);
    }
  add (list, ls_vm_writer_value (self, call->args->items[1], -1));
  add_shape_fields (self, list, call->args->items[0]);
  return finish (self, LS_VM_OP_ALLOC, dst, 0, list);
}

/* A call whose callee is its first argument; `packed`: the arguments are in a tuple behind it. */
static LsVMOperand
call_first (LsVMWriter  *self,
            LsRelaxCall *call,
            gboolean     in_tuple,
            gint64       dst)
{
  g_autoptr (GArray) list = operand_list ();

  if (in_tuple && call->args->n > 1)
    add_fields (self, list, call->args->items[1]);
  else
    add_args (self, list, call->args, 1);
  return put_call (self, call->args->items[0], list, dst);
}

/* A call of f with (arguments..., outputs..., shape), from number `first` on. */
static LsVMOperand
call_with_shape (LsVMWriter *self,
                 LsNode     *callee,
                 LsArray    *fields,
                 guint       first,
                 gint64      dst)
{
  g_autoptr (GArray) list = operand_list ();

  for (guint i = first; fields != NULL && i < fields->n; i++)
    if (ls_is (fields->items[i], SHAPE_EXPR))
      add_shape_fields (self, list, fields->items[i]);
    else
      add (list, ls_vm_writer_value (self, fields->items[i], -1));
  return put_call (self, callee, list, dst);
}

/* call_tir_dyn (f, (arguments..., outputs..., shape)) */
static LsVMOperand
call_tir_dyn (LsVMWriter  *self,
              LsRelaxCall *call,
              gint64       dst)
{
  LsArray *fields = call->args->n > 1 && ls_is (call->args->items[1], RELAX_TUPLE) ? ((LsRelaxTuple *) call->args->items[1])->fields : NULL;

  return call_with_shape (self, call->args->items[0], fields, 0, dst);
}

/* make_closure (function, (last arguments...)) */
static LsVMOperand
make_closure (LsVMWriter  *self,
              LsRelaxCall *call,
              gint64       dst)
{
  LsGlobalVar *var = call->args->n == 2 ? (LsGlobalVar *) call->args->items[0] : NULL;
  gint64 number = ls_is (var, GLOBAL_VAR) ? GPOINTER_TO_INT (g_hash_table_lookup (self->functions, var->name_hint)) : 0;
  g_autoptr (GArray) list = operand_list ();

  if (number <= 0)
    {
      ls_vm_writer_fail (self, LS_CODEGEN_ERROR_UNSUPPORTED, "make_closure names no function of the module");
      return none (self);
    }
  add_fields (self, list, call->args->items[1]);
  return finish (self, LS_VM_OP_CLOSURE_LAST, dst, number - 1, list);
}

typedef enum { DPS, FIRST, FIRST_TUPLE, TIR_DYN, ALLOC, NOTHING, BUILTIN, IDENTITY, CLOSURE } Way;

static const struct { const char *op; Way way; const char *builtin; } WAYS[] = {
  { "call_tir", DPS, NULL }, { "call_tir_inplace", DPS, NULL }, { "call_tir_with_grad", DPS, NULL }, { "call_dps_packed", DPS, NULL },
  { "call_pure_packed", FIRST, NULL }, { "call_inplace_packed", FIRST, NULL }, { "call_builtin_with_ctx", FIRST_TUPLE, NULL },
  { "invoke_closure", FIRST_TUPLE, NULL }, { "invoke_pure_closure", FIRST_TUPLE, NULL }, { "make_closure", CLOSURE, NULL },
  { "vm.call_tir_dyn", TIR_DYN, NULL }, { "builtin.alloc_tensor", ALLOC, NULL },
  { "memory.kill_tensor", NOTHING, NULL }, { "memory.kill_storage", NOTHING, NULL }, { "vm.kill_object", NOTHING, NULL },
  { "memory.alloc_storage", BUILTIN, "alloc_storage" }, { "vm.alloc_storage", BUILTIN, "alloc_storage" },
  { "memory.alloc_tensor", BUILTIN, "alloc_tensor" }, { "vm.alloc_tensor", BUILTIN, "alloc_tensor" },
  { "shape_of", BUILTIN, "shape_of" }, { "tensor_to_shape", BUILTIN, "tensor_to_shape" }, { "shape_to_tensor", BUILTIN, "shape_to_tensor" },
  { "null_value", BUILTIN, "null_value" }, { "reshape", BUILTIN, "reshape" }, { "memory.view", BUILTIN, "memory.view" },
  { "to_vdevice", IDENTITY, NULL }, { "hint_on_device", IDENTITY, NULL }, { "builtin.stop_lift_params", IDENTITY, NULL },
  { "isnan", BUILTIN, "isnan" }, { "isinf", BUILTIN, "isinf" }, { "isfinite", BUILTIN, "isfinite" }, { "ewise_fma", BUILTIN, "ewise_fma" },
  { "nn.dropout", BUILTIN, "nn.dropout" }, { "nonzero", BUILTIN, "nonzero" }, { "sort", BUILTIN, "sort" }, { "argsort", BUILTIN, "argsort" },
  { "topk", BUILTIN, "topk" }, { "cumsum", BUILTIN, "cumsum" }, { "cumprod", BUILTIN, "cumprod" },
  { "unique", BUILTIN, "unique" },
  { "inspect.tensor_dtype_code", BUILTIN, "inspect.tensor_dtype_code" }, { "inspect.tensor_dtype_bits", BUILTIN, "inspect.tensor_dtype_bits" },
  { "inspect.tensor_dtype_lanes", BUILTIN, "inspect.tensor_dtype_lanes" }, { "inspect.tensor_ndim", BUILTIN, "inspect.tensor_ndim" },
  { "inspect.tensor_shape_i", BUILTIN, "inspect.tensor_shape_i" }, { "inspect.tensor_stride_i", BUILTIN, "inspect.tensor_stride_i" },
  { "inspect.tensor_byte_offset", BUILTIN, "inspect.tensor_byte_offset" }, { "inspect.tensor_elem_offset", BUILTIN, "inspect.tensor_elem_offset" },
};

static LsVMOperand
call_op (LsVMWriter  *self,
         LsRelaxCall *call,
         const char  *name,
         gint64       dst)
{
  for (guint i = 0; i < G_N_ELEMENTS (WAYS); i++)
    if (strcmp (WAYS[i].op, name) == 0)
      switch (WAYS[i].way)
        {
        case DPS: return call_dps (self, call, dst);
        case FIRST: return call_first (self, call, FALSE, dst);
        case FIRST_TUPLE: return call_first (self, call, TRUE, dst);
        case TIR_DYN: return call_tir_dyn (self, call, dst);
        case ALLOC: return alloc_tensor (self, call, dst);
        case NOTHING: return moved (self, none (self), dst);
        case BUILTIN: return call_builtin (self, call, WAYS[i].builtin, dst);
        case CLOSURE: return make_closure (self, call, dst);
        case IDENTITY: return ls_vm_writer_value (self, call->args->items[0], dst);
        }
  if (strcmp (name, "print") == 0)
    return call_with_format (self, call, 0, "print", dst);
  if (strcmp (name, "assert_op") == 0)
    return call_with_format (self, call, 1, "assert_op", dst);
  ls_vm_writer_fail (self, LS_CODEGEN_ERROR_UNSUPPORTED, "the operator R.%s has no code: LegalizeOps left it as it is", name);
  return none (self);
}

LsVMOperand
ls_vm_writer_call (LsVMWriter  *self,
                   LsRelaxCall *call,
                   gint64       dst)
{
  g_autoptr (GArray) list = NULL;

  if (ls_is (call->op, RELAX_OP))
    {
      const char *name = ((LsRelaxOp *) call->op)->name;

      return call_op (self, call, g_str_has_prefix (name, "relax.") ? name + strlen ("relax.") : name, dst);
    }
  /* what LowerRuntimeBuiltin made of it */
  if (ls_is (call->op, EXTERN_FUNC) && call->args->n > 0 && strcmp (((LsExternFunc *) call->op)->global_symbol, "vm.builtin.call_tir_dyn") == 0)
    return call_with_shape (self, call->args->items[0], call->args, 1, dst);
  list = operand_list ();
  add_args (self, list, call->args, 0);
  return put_call (self, call->op, list, dst);
}
