/* infer: the struct info of Relax expressions.
 *
 * Leaves say it themselves; calls of operators go by the rules of op/, calls of functions by their signatures.
 */
#include "engine/ir/signature.h"
#include "engine/relax/distributed/sharding.h"
#include "engine/relax/op/op.h"
#include "engine/relax/relation.h"

#include <inttypes.h>
#include <string.h>

static LsStructInfo *
infer_tuple (LsRelaxTuple *tuple,
             LsModule     *module,
             GError      **error)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < tuple->fields->n; i++)
    {
      LsStructInfo *field = ls_relax_infer (tuple->fields->items[i], module, error);

      if (field == NULL)
        return NULL;
      g_ptr_array_add (fields, field);
    }
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (g_steal_pointer (&fields)));
}

static LsStructInfo *
infer_item (LsTupleGetItem *item,
            LsModule       *module,
            GError        **error)
{
  g_autoptr (LsNode) tuple = ls_relax_infer (item->tuple, module, error);
  LsArray *fields;

  if (tuple == NULL || ls_is (tuple, OBJECT_STRUCT_INFO))
    return tuple != NULL ? g_steal_pointer (&tuple) : NULL;
  fields = ls_is (tuple, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) tuple)->fields : NULL;
  if (fields == NULL || item->index < 0 || item->index >= (gint64) fields->n)
    {
      g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, fields == NULL ? ls_translate ("Only a tuple has a field %" PRId64 ".")
                   : ls_translate ("The tuple has no field %" PRId64 "."), item->index);
      return NULL;
    }
  return ls_node_ref (fields->items[item->index]);
}

/* ---- calls --------------------------------------------------------------------------- */

static gboolean
read_arguments (LsRelaxCall *call,
                LsModule    *module,
                GPtrArray   *infos,
                GError     **error)
{
  for (guint i = 0; i < call->args->n; i++)
    {
      LsStructInfo *info = ls_relax_infer (call->args->items[i], module, error);

      if (info == NULL)
        return FALSE;
      g_ptr_array_add (infos, info);
    }
  return TRUE;
}

/* How many arguments an operator takes at most: the words of its line before the attributes. */
static guint
most_arguments (const char *spec)
{
  guint n = 0;

  for (const char *c = spec; *c != '\0' && *c != '|'; c++)
    n += *c != ' ' && (c == spec || c[-1] == ' ');
  return n;
}

static LsStructInfo *
infer_op (LsRelaxCall        *call,
          const LsRelaxOpRow *row,
          LsModule           *module,
          GError            **error)
{
  g_autoptr (GPtrArray) infos = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsInfer context = { call, row->name, row, module, NULL, NULL, 0, kept, NULL };
  LsStructInfo *info;

  if (row->spec != NULL && call->args->n > most_arguments (row->spec))
    {
      g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("relax.%s takes no more than %u arguments; it got %u."), row->name,
                   most_arguments (row->spec), call->args->n);
      return NULL;
    }
  if (!read_arguments (call, module, infos, error))
    return NULL;
  context.infos = (LsStructInfo **) infos->pdata;
  context.n = infos->len;
  info = ls_any_dtensor (context.infos, context.n) ? ls_infer_distributed (&context) : row->infer (&context);
  g_clear_pointer (&context.analyzer, ls_analyzer_free);
  if (info == NULL || context.error != NULL)
    {
      ls_node_unref (info);
      if (context.error == NULL)
        g_set_error (&context.error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("The arguments of relax.%s are not of the kinds that it takes."), row->name);
      g_propagate_error (error, context.error);
      return NULL;
    }
  return info;
}

static LsStructInfo *
stated (LsRelaxCall *call)
{
  LsArray *infos = call->sinfo_args;

  if (infos->n == 0)
    return ls_object_struct_info_new ();
  return infos->n == 1 ? ls_node_ref (infos->items[0]) : ls_tuple_struct_info_new (ls_ref (infos));
}

static gboolean
arguments_fit (LsRelaxCall *call,
               LsArray     *params,
               const char  *name,
               LsModule    *module,
               GError     **error)
{
  g_autoptr (GPtrArray) infos = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  if (!read_arguments (call, module, infos, error))
    return FALSE;
  if (infos->len != params->n)
    {
      g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("`%s` takes %u arguments; there are %u."), name, params->n, infos->len);
      return FALSE;
    }
  for (guint i = 0; i < params->n; i++)
    if (!ls_struct_info_may_be (params->items[i], infos->pdata[i]))
      {
        g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("Argument %u of `%s` is of another shape or type than the function takes."), i + 1, name);
        return FALSE;
      }
  return TRUE;
}

static LsArray *
param_infos (LsFunction *func)
{
  GPtrArray *infos = g_ptr_array_new ();

  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (infos, ls_node_ref (ls_array_at (func->params, i, LsRelaxVar)->struct_info));
  return ls_array_take_ptr_array (infos);
}

static LsRelaxInferFunc registered;

void
ls_relax_infer_registered (LsRelaxInferFunc infer)
{
  registered = infer;
}

/* What the program's own rules say of a call, or else what is written in it. */
static LsStructInfo *
infer_unknown (LsRelaxCall *call,
               GError     **error)
{
  g_autoptr (GError) said = NULL;
  LsStructInfo *info = registered != NULL && call->sinfo_args->n == 0 ? registered (call, &said) : NULL;

  if (said != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&said));
      return NULL;
    }
  return info != NULL ? info : stated (call);
}

/* A call of what is only known to have a signature, if it is one. */
static LsStructInfo *
infer_signature_call (LsRelaxCall *call,
                      LsNode      *signature,
                      const char  *name,
                      LsModule    *module,
                      GError     **error)
{
  LsFuncStructInfo *info = (LsFuncStructInfo *) signature;

  if (!ls_is (info, FUNC_STRUCT_INFO) || call->sinfo_args->n > 0)
    return stated (call);
  if (info->derive_func != NULL && strcmp (info->derive_func->value, LS_INFER_VIEW) == 0)
    return infer_op (call, ls_relax_op_row ("relax.memory.view"), module, error);
  if (info->derive_func != NULL)
    return infer_unknown (call, error);
  if (info->params == NULL)
    return ls_node_ref (info->ret);
  return arguments_fit (call, info->params, name, module, error) ? ls_signature_result_of_call (info->params, info->ret, call) : NULL;
}

static LsStructInfo *
infer_global_call (LsRelaxCall *call,
                   LsModule    *module,
                   GError     **error)
{
  const char *name = ((LsGlobalVar *) call->op)->name_hint;
  LsNode *callee = module != NULL ? ls_module_get (module, name) : NULL;
  g_autoptr (LsArray) params = NULL;

  if (callee == NULL && ls_global_var_get_struct_info ((LsGlobalVar *) call->op) != NULL)
    return infer_signature_call (call, ls_global_var_get_struct_info ((LsGlobalVar *) call->op), name, module, error);
  if (!ls_is (callee, FUNCTION) || call->sinfo_args->n > 0)
    return stated (call);
  params = param_infos ((LsFunction *) callee);
  return arguments_fit (call, params, name, module, error) ? ls_function_result_of_call ((LsFunction *) callee, call) : NULL;
}

static LsStructInfo *
infer_var_call (LsRelaxCall *call,
                LsModule    *module,
                GError     **error)
{
  LsRelaxVar *var = (LsRelaxVar *) call->op;
  LsFuncStructInfo *info = (LsFuncStructInfo *) var->struct_info;

  if (ls_is (info, TENSOR_STRUCT_INFO) || ls_is (info, SHAPE_STRUCT_INFO) || ls_is (info, PRIM_STRUCT_INFO) || ls_is (info, TUPLE_STRUCT_INFO))
    {
      g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("`%s` is no function and cannot be called."), var->name);
      return NULL;
    }
  return infer_signature_call (call, LS_NODE (info), var->name, module, error);
}

static LsStructInfo *
infer_call (LsRelaxCall *call,
            LsModule    *module,
            GError     **error)
{
  const LsRelaxOpRow *row;

  if (ls_is (call->op, RELAX_OP))
    {
      row = ls_relax_op_row (((LsRelaxOp *) call->op)->name);
      if (row == NULL)
        return infer_unknown (call, error);
      return row->spec != NULL && call->sinfo_args->n > 0 ? stated (call) : infer_op (call, row, module, error);
    }
  if (ls_is (call->op, GLOBAL_VAR))
    return infer_global_call (call, module, error);
  if (ls_is (call->op, EXTERN_FUNC))
    return infer_signature_call (call, ((LsExternFunc *) call->op)->struct_info, ((LsExternFunc *) call->op)->global_symbol, module, error);
  return ls_is_relax_var (call->op) ? infer_var_call (call, module, error) : stated (call);
}

/* ---- everything ------------------------------------------------------------------------- */

static LsStructInfo *
infer_function (LsFunction *func)
{
  return ls_func_struct_info_new (param_infos (func), ls_node_ref (func->ret_struct_info), func->is_pure);
}

static LsStructInfo *
infer_if (LsRelaxIf *self,
          LsModule  *module,
          GError   **error)
{
  g_autoptr (LsNode) a = ls_relax_infer (self->true_branch, module, error);
  g_autoptr (LsNode) b = a != NULL ? ls_relax_infer (self->false_branch, module, error) : NULL;

  return b != NULL ? ls_struct_info_unify (a, b) : NULL;
}

LsStructInfo *
ls_relax_infer (LsNode    *expr,
                LsModule  *module,
                GError   **error)
{
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR:
      return ((LsRelaxVar *) expr)->struct_info != NULL ? ls_node_ref (((LsRelaxVar *) expr)->struct_info) : ls_object_struct_info_new ();
    case LS_KIND_GLOBAL_VAR:
      return ls_global_var_get_struct_info ((LsGlobalVar *) expr) != NULL ? ls_node_ref (ls_global_var_get_struct_info ((LsGlobalVar *) expr))
             : ls_object_struct_info_new ();
    case LS_KIND_EXTERN_FUNC:
      return ((LsExternFunc *) expr)->struct_info != NULL ? ls_node_ref (((LsExternFunc *) expr)->struct_info)
             : ls_func_struct_info_new (NULL, ls_object_struct_info_new (), FALSE);
    case LS_KIND_CONSTANT: return ls_node_ref (((LsConstant *) expr)->struct_info);
    case LS_KIND_PRIM_VALUE:
      {
        LsExpr *value = ((LsPrimValue *) expr)->value;

        return ls_prim_struct_info_new (ls_ref (value), ls_dtype (value));
      }
    case LS_KIND_SHAPE_EXPR: return ls_shape_struct_info_new (ls_ref (((LsShapeExpr *) expr)->values), 0);
    case LS_KIND_RELAX_TUPLE: return infer_tuple ((LsRelaxTuple *) expr, module, error);
    case LS_KIND_TUPLE_GET_ITEM: return infer_item ((LsTupleGetItem *) expr, module, error);
    case LS_KIND_RELAX_CALL: return infer_call ((LsRelaxCall *) expr, module, error);
    case LS_KIND_RELAX_IF: return infer_if ((LsRelaxIf *) expr, module, error);
    case LS_KIND_SEQ_EXPR: return ls_relax_infer (((LsSeqExpr *) expr)->body, module, error);
    case LS_KIND_FUNCTION: return infer_function ((LsFunction *) expr);
    default: return ls_object_struct_info_new ();
    }
}

LsStructInfo *
ls_relax_struct_info (LsNode *expr)
{
  LsStructInfo *info = ls_relax_infer (expr, NULL, NULL);

  return info != NULL ? info : ls_object_struct_info_new ();
}
