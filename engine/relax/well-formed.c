/* well-formed: see the header.  One walk over each function in the order of evaluation, with the variables that are known
 * at each place: blocks of branches and functions forget what they bring. */
#include "engine/relax/well-formed.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/relation.h"

#include <string.h>

typedef struct {
  LsModule       *module;
  LsBlockBuilder *builder;      /* looks functions up */
  LsDiagnostics  *findings;
  GHashTable     *known;        /* variables and symbolic variables */
  GHashTable     *bound;        /* all that were ever bound */
  GPtrArray      *log;          /* what came into `known`, in order */
  LsNode         *block;        /* the dataflow block around, or NULL */
  GHashTable     *home;         /* DataflowVar -> its block */
  gboolean        pure;         /* the function around is said to be */
  LsSpan          place;
  gboolean        fine;
  GHashTable     *owners;       /* symbolic variable -> the function of the module that brings it */
  LsFunction     *owner;        /* the function of the module that is looked at */
  gboolean        whole;        /* a module is looked at: its functions are known */
} Check;

static void check_expr (Check *self, LsNode *expr);

static void
wrong (Check      *self,
       const char *code,
       const char *format,
       ...) G_GNUC_PRINTF (3, 4);

static void
wrong (Check      *self,
       const char *code,
       const char *format,
       ...)
{
  g_autofree char *text = NULL;
  va_list list;

  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  ls_diagnostics_add (self->findings, LS_SEVERITY_ERROR, code, self->place, "%s", text);
  self->fine = FALSE;
}

/* ---- variables ------------------------------------------------------------------------- */

static void
learn (Check    *self,
       gpointer  var)
{
  if (g_hash_table_add (self->known, var))
    g_ptr_array_add (self->log, var);
}

/* A symbolic variable belongs to one function of the module. */
static void
learn_symbol (Check *self,
              LsVar *var)
{
  LsFunction *owner = g_hash_table_lookup (self->owners, var);

  if (owner != NULL && owner != self->owner)
    wrong (self, "relax/undefined", "The symbolic variable `%s` is brought by two functions of the module.", var->name);
  g_hash_table_insert (self->owners, var, self->owner);
  learn (self, var);
}

static void
forget (Check *self,
        guint  mark)
{
  while (self->log->len > mark)
    g_hash_table_remove (self->known, g_ptr_array_steal_index (self->log, self->log->len - 1));
}

static void
bind (Check      *self,
      LsRelaxVar *var)
{
  if (!g_hash_table_add (self->bound, var))
    wrong (self, "relax/redefined", "The variable `%s` is bound twice.", var->name);
  if (ls_is (var, DATAFLOW_VAR))
    {
      if (self->block == NULL)
        wrong (self, "relax/dataflow", "The dataflow variable `%s` is bound outside of dataflow blocks.", var->name);
      g_hash_table_insert (self->home, var, self->block);
    }
  learn (self, var);
}

static void
check_var (Check      *self,
           LsRelaxVar *var)
{
  LsNode *home = g_hash_table_lookup (self->home, var);

  if (ls_is (var, DATAFLOW_VAR) && home != NULL && home != self->block)
    wrong (self, "relax/dataflow", "`%s` belongs to its dataflow block and is used outside of it.", var->name);
  else if (!g_hash_table_contains (self->known, var))
    wrong (self, "relax/undefined", "`%s` is used where nothing has bound it.", var->name);
}

static LsWalk
check_symbol (LsNode  *node,
              gpointer user_data)
{
  Check *self = user_data;

  if (ls_is_var (node) && !g_hash_table_contains (self->known, node))
    {
      wrong (self, "relax/undefined", "The symbolic variable `%s` is used where nothing has brought it.", ((LsVar *) node)->name);
      learn (self, node);
    }
  if (ls_is_relax_var (node))
    check_var (self, (LsRelaxVar *) node);
  return ls_is (node, FUNC_STRUCT_INFO) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static void
learn_symbols (Check        *self,
               LsStructInfo *info)
{
  g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (info);

  for (guint i = 0; i < symbols->len; i++)
    learn_symbol (self, symbols->pdata[i]);
  if (ls_is (info, TENSOR_STRUCT_INFO) && ls_is_relax_var (((LsTensorStructInfo *) info)->shape))
    learn (self, ((LsTensorStructInfo *) info)->shape);
}

/* ---- expressions --------------------------------------------------------------------------- */

static void
check_leaf (Check      *self,
            LsNode     *expr,
            const char *role)
{
  if (!ls_is_relax_leaf (expr))
    wrong (self, "relax/normal-form", "%s is no variable, constant, shape or tuple of such; it has to be bound before.", role);
  check_expr (self, expr);
}

/* The callee as a script says it, as far as it has a name. */
static char *
callee_name (LsRelaxCall *call)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : "";

  if (g_str_has_prefix (name, "relax."))
    return g_strconcat ("R.", name + strlen ("relax."), NULL);
  return g_strdup (ls_is (call->op, GLOBAL_VAR) ? ((LsGlobalVar *) call->op)->name_hint : "a function");
}

static void
check_effects (Check       *self,
               LsRelaxCall *call)
{
  g_autofree char *name = NULL;

  if (!ls_relax_call_is_impure (call, self->builder))
    return;
  name = callee_name (call);
  if (self->block != NULL)
    wrong (self, "relax/dataflow", "A call with effects (%s) stands in a dataflow block.", name);
  else if (self->pure)
    wrong (self, "relax/purity", "A call with effects (%s) stands in a function that is said to be pure.", name);
}

static void
check_arguments (Check       *self,
                 LsRelaxCall *call,
                 LsFunction  *callee,
                 const char  *name)
{
  if (call->args->n != callee->params->n)
    {
      wrong (self, "relax/type", "%s takes %u arguments and is called with %u.", name, callee->params->n, call->args->n);
      return;
    }
  for (guint i = 0; i < call->args->n; i++)
    {
      LsRelaxVar *param = ls_array_at (callee->params, i, LsRelaxVar);
      g_autoptr (LsNode) info = ls_relax_struct_info (call->args->items[i]);

      if (!ls_struct_info_may_be (param->struct_info, info))
        wrong (self, "relax/type", "Argument %u of %s has another shape or type than its parameter `%s`.", i + 1, name, param->name);
    }
}

static guint
n_results (LsRelaxCall *call)
{
  LsNode *info = call->sinfo_args->n > 0 ? call->sinfo_args->items[0] : NULL;

  return ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields->n : 1;
}

static void
unref_node (gpointer node)
{
  ls_node_unref (node);
}

/* What a buffer says of the tensor that is handed over for it: the dimensions that are plain variables take their values. */
static LsStructInfo *
info_of_buffer (LsBuffer *buffer)
{
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_ref (buffer->shape)), buffer->shape->n, buffer->dtype, NULL);
}

/* The struct info with the dimensions that are known put in, the others unknown. */
static LsStructInfo *
info_for_call (LsBuffer   *buffer,
               GHashTable *symbols)
{
  g_autoptr (LsNode) info = info_of_buffer (buffer);
  g_autoptr (LsNode) bound = ls_relax_bind (info, NULL, symbols);

  return g_steal_pointer (&bound);
}

/* Are all variables of the buffer's extents known from the arguments? */
static gboolean
is_resolved (LsBuffer   *buffer,
             GHashTable *symbols)
{
  g_autoptr (LsNode) info = info_of_buffer (buffer);
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer var;

  ls_struct_info_add_symbols (info, used);
  g_hash_table_iter_init (&iter, used);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    if (!g_hash_table_contains (symbols, var))
      return FALSE;
  return TRUE;
}

/* A result whose extents all follow from the arguments has to have them. */
static gboolean
has_extents (LsBuffer   *buffer,
             LsNode     *wants,
             LsNode     *given,
             GHashTable *symbols)
{
  LsNode *a = ((LsTensorStructInfo *) wants)->shape, *b = ((LsTensorStructInfo *) given)->shape;
  g_autoptr (LsAnalyzer) analyzer = NULL;

  if (!ls_is (a, SHAPE_EXPR) || !ls_is (b, SHAPE_EXPR) || !is_resolved (buffer, symbols))
    return TRUE;
  analyzer = ls_analyzer_new ();
  for (guint i = 0; i < ((LsShapeExpr *) a)->values->n; i++)
    {
      LsExpr *x = ls_array_at (((LsShapeExpr *) a)->values, i, LsExpr), *y = ls_array_at (((LsShapeExpr *) b)->values, i, LsExpr);

      if (ls_dtype_equal (ls_dtype (x), ls_dtype (y)) && !ls_analyzer_can_prove_equal (analyzer, x, y))
        return FALSE;
    }
  return TRUE;
}

static void
check_tensor (Check      *self,
              LsBuffer   *buffer,
              LsNode     *given,
              GHashTable *symbols,
              gboolean    is_result,
              const char *name)
{
  g_autoptr (LsNode) wants = NULL;

  given = LS_NODE (ls_tensor_of (given));
  if (buffer == NULL || given == NULL)
    return;
  wants = info_for_call (buffer, symbols);
  if (!ls_struct_info_may_be (wants, given) || (is_result && !has_extents (buffer, wants, given, symbols)))
    wrong (self, "relax/type", "%s of %s for `%s` has another shape or type than the buffer.", is_result ? "A result" : "An argument", name, buffer->name);
}

/* Shapes and types of arguments and results, dimensions read off the arguments. */
static void
check_call_tir_types (Check       *self,
                      LsRelaxCall *call,
                      LsPrimFunc  *func,
                      LsArray     *args,
                      const char  *name)
{
  g_autoptr (GHashTable) symbols = g_hash_table_new_full (NULL, NULL, unref_node, unref_node);
  g_autoptr (GPtrArray) infos = g_ptr_array_new_with_free_func (unref_node);
  LsNode *result = call->sinfo_args->n > 0 ? call->sinfo_args->items[0] : NULL;
  LsArray *results = ls_is (result, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) result)->fields : NULL;
  guint place = args->n;

  for (guint i = 0; i < args->n; i++)
    {
      g_ptr_array_add (infos, ls_relax_struct_info (args->items[i]));
      if (func->buffers->items[i] != NULL)
        {
          g_autoptr (LsNode) pattern = info_of_buffer ((LsBuffer *) func->buffers->items[i]);

          ls_struct_info_match (pattern, infos->pdata[i], symbols);
        }
    }
  for (guint i = 0; i < args->n; i++)
    check_tensor (self, (LsBuffer *) func->buffers->items[i], infos->pdata[i], symbols, FALSE, name);
  for (guint i = 0; result != NULL && i < (results != NULL ? results->n : 1); i++)
    {
      LsNode *info = results != NULL ? results->items[i] : result;
      gint64 index = ls_relax_call_inplace_index (call, i);
      guint at = index >= 0 && index < args->n ? (guint) index : place++;

      if (index >= (gint64) args->n)
        {
          wrong (self, "relax/type", "A result of %s lies in argument %" G_GINT64_FORMAT "; it has %u arguments.", name, index, args->n);
          return;
        }
      check_tensor (self, (LsBuffer *) func->buffers->items[at], info, symbols, TRUE, name);
    }
}

/* Results that overwrite an argument have no parameter of their own. */
static guint
n_own_results (LsRelaxCall *call)
{
  guint n = 0;

  for (guint i = 0; i < n_results (call); i++)
    if (ls_relax_call_inplace_index (call, i) < 0)
      n++;
  return n;
}

/* Arguments, results and tir_vars are the function's parameters. */
static void
check_call_tir (Check       *self,
                LsRelaxCall *call)
{
  LsGlobalVar *var = (LsGlobalVar *) call->args->items[0];
  LsNode *callee = ls_is (var, GLOBAL_VAR) ? ls_block_builder_lookup_func (self->builder, var) : NULL;
  LsNode *args = call->args->n > 1 ? call->args->items[1] : NULL, *vars = call->args->n > 2 ? call->args->items[2] : NULL;
  guint given;

  if (callee == NULL || !ls_is (args, RELAX_TUPLE))
    return;
  if (!ls_is (callee, PRIM_FUNC))
    {
      wrong (self, "relax/type", "call_tir calls %s, which is no TensorIR function.", var->name_hint);
      return;
    }
  given = ((LsRelaxTuple *) args)->fields->n + n_own_results (call) + (ls_is (vars, SHAPE_EXPR) ? ((LsShapeExpr *) vars)->values->n : 0);
  if (given != ((LsPrimFunc *) callee)->params->n)
    wrong (self, "relax/type", "%s takes %u parameters; this call_tir hands over %u (arguments: %u, results: %u, dimensions: %u).", var->name_hint,
           ((LsPrimFunc *) callee)->params->n, given, ((LsRelaxTuple *) args)->fields->n, n_own_results (call),
           given - ((LsRelaxTuple *) args)->fields->n - n_own_results (call));
  else
    check_call_tir_types (self, call, (LsPrimFunc *) callee, ((LsRelaxTuple *) args)->fields, var->name_hint);
}

static void
check_call (Check       *self,
            LsRelaxCall *call)
{
  LsNode *callee = ls_is (call->op, GLOBAL_VAR) ? ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) call->op) : NULL;

  check_expr (self, call->op);
  for (guint i = 0; i < call->args->n; i++)
    check_leaf (self, call->args->items[i], "An argument");
  for (guint i = 0; i < call->sinfo_args->n; i++)
    ls_walk (call->sinfo_args->items[i], check_symbol, NULL, self);
  check_effects (self, call);
  if (ls_is (callee, FUNCTION))
    check_arguments (self, call, (LsFunction *) callee, ((LsGlobalVar *) call->op)->name_hint);
  if ((ls_is_relax_call (call, "relax.call_tir") || ls_is_relax_call (call, "relax.call_tir_with_grad") || ls_is_relax_call (call, "relax.call_tir_inplace"))
      && call->args->n > 0)
    check_call_tir (self, call);
}

static LsStructInfo *
info_of (Check   *self,
         LsNode  *value,
         GError **error)
{
  LsRelaxCall *call = (LsRelaxCall *) value;

  return ls_is (value, RELAX_CALL) && ls_is (call->op, GLOBAL_VAR) ? ls_block_builder_struct_info (self->builder, value)
         : ls_relax_infer (value, NULL, error);
}

static void
check_binding (Check  *self,
               LsNode *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);
  g_autoptr (LsNode) info = NULL;
  g_autoptr (GError) error = NULL;
  LsSpan outer = self->place;

  if (LS_NODE (binding)->span.source != 0)
    self->place = LS_NODE (binding)->span;
  if (self->block != NULL && ls_is (value, RELAX_IF))
    wrong (self, "relax/dataflow", "A branch stands in a dataflow block.");
  if (ls_is (value, FUNCTION) && var != NULL)
    learn (self, var);
  check_expr (self, value);
  if (ls_is (binding, MATCH_CAST))
    {
      check_leaf (self, value, "The value of a match_cast");
      learn_symbols (self, ((LsMatchCast *) binding)->struct_info);
      ls_walk (((LsMatchCast *) binding)->struct_info, check_symbol, NULL, self);
    }
  else if (var != NULL && !ls_is (value, FUNCTION))
    {
      info = info_of (self, value, &error);
      if (info == NULL)
        wrong (self, "relax/type", "%s", error->message);
      else if (!ls_struct_info_may_be (var->struct_info, info))
        wrong (self, "relax/type", "The value of `%s` has another shape or type than the variable.", var->name);
    }
  if (var != NULL)
    {
      if (!ls_is (value, FUNCTION))
        ls_walk (var->struct_info, check_symbol, NULL, self);
      bind (self, var);
    }
  self->place = outer;
}

static void
check_sequence (Check     *self,
                LsSeqExpr *seq)
{
  for (guint i = 0; i < seq->blocks->n; i++)
    {
      LsBindingBlock *block = (LsBindingBlock *) seq->blocks->items[i];
      LsNode *outer = self->block;

      self->block = ls_is (block, DATAFLOW_BLOCK) ? LS_NODE (block) : NULL;
      for (guint k = 0; k < block->bindings->n; k++)
        check_binding (self, block->bindings->items[k]);
      self->block = outer;
    }
  check_leaf (self, seq->body, "A result");
}

static void
check_function (Check      *self,
                LsFunction *func)
{
  LsNode *outer_block = self->block;
  gboolean outer_pure = self->pure;
  guint mark = self->log->len;
  LsNode *force = ls_map_get (func->attrs, "relax.force_pure");

  self->block = NULL;
  self->pure = func->is_pure && !(force != NULL && !ls_is_zero (force));
  if (!func->is_pure && force != NULL && !ls_is_zero (force))
    wrong (self, "relax/purity", "A function with relax.force_pure is said to have effects; the two contradict each other.");
  for (guint i = 0; i < func->params->n; i++)
    learn_symbols (self, ls_array_at (func->params, i, LsRelaxVar)->struct_info);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);

      ls_walk (param->struct_info, check_symbol, NULL, self);
      if (ls_is (param, DATAFLOW_VAR))
        wrong (self, "relax/dataflow", "The parameter `%s` is a dataflow variable.", param->name);
      bind (self, param);
    }
  ls_walk (func->ret_struct_info, check_symbol, NULL, self);
  if (ls_is (func->body, SEQ_EXPR))
    check_sequence (self, (LsSeqExpr *) func->body);
  else
    check_expr (self, func->body);
  forget (self, mark);
  self->block = outer_block;
  self->pure = outer_pure;
}

static void
check_branch (Check  *self,
              LsNode *branch)
{
  guint mark = self->log->len;

  check_expr (self, branch);
  forget (self, mark);
}

static void
check_expr (Check  *self,
            LsNode *expr)
{
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR: check_var (self, (LsRelaxVar *) expr); break;
    case LS_KIND_GLOBAL_VAR:
      if (self->whole && ls_block_builder_lookup_func (self->builder, (LsGlobalVar *) expr) == NULL)
        wrong (self, "relax/undefined", "The module has no function `%s`.", ((LsGlobalVar *) expr)->name_hint);
      break;
    case LS_KIND_SHAPE_EXPR:
    case LS_KIND_PRIM_VALUE: ls_walk (expr, check_symbol, NULL, self); break;
    case LS_KIND_RELAX_TUPLE:
      for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
        check_leaf (self, ((LsRelaxTuple *) expr)->fields->items[i], "The field of a tuple");
      break;
    case LS_KIND_TUPLE_GET_ITEM: check_leaf (self, ((LsTupleGetItem *) expr)->tuple, "A tuple whose field is taken"); break;
    case LS_KIND_RELAX_CALL: check_call (self, (LsRelaxCall *) expr); break;
    case LS_KIND_RELAX_IF:
      check_leaf (self, ((LsRelaxIf *) expr)->cond, "A condition");
      check_branch (self, ((LsRelaxIf *) expr)->true_branch);
      check_branch (self, ((LsRelaxIf *) expr)->false_branch);
      break;
    case LS_KIND_SEQ_EXPR: check_sequence (self, (LsSeqExpr *) expr); break;
    case LS_KIND_FUNCTION: check_function (self, (LsFunction *) expr); break;
    case LS_KIND_PRIM_FUNC: wrong (self, "relax/normal-form", "A TensorIR function stands inside a Relax function; it belongs into the module."); break;
    default: break;
    }
}

/* ---- modules ----------------------------------------------------------------------------------- */

static void
check_name (Check       *self,
            LsGlobalVar *var,
            LsFunction  *func)
{
  LsNode *symbol = ls_map_get (func->attrs, "global_symbol");

  if (ls_is (symbol, STRING) && strcmp (((LsString *) symbol)->value, var->name_hint) != 0)
    wrong (self, "relax/symbol", "The function %s has the global_symbol \"%s\"; the two are the same name.", var->name_hint, ((LsString *) symbol)->value);
}

static gboolean
verify (LsModule      *module,
        LsFunction    *only,
        LsDiagnostics *findings)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (module);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL), bound = g_hash_table_new (NULL, NULL), home = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) owners = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) log = g_ptr_array_new ();
  Check self = { module, builder, findings, known, bound, log, NULL, home, TRUE, { 0, 0, 0 }, TRUE, owners, NULL, only == NULL };

  for (guint i = 0; only == NULL && i < module->functions->n; i++)
    {
      LsFunction *func = (LsFunction *) module->functions->items[i];

      if (!ls_is (func, FUNCTION))
        continue;
      self.place = LS_NODE (func)->span;
      self.owner = func;
      check_name (&self, ls_array_at (module->global_vars, i, LsGlobalVar), func);
      check_function (&self, func);
    }
  if (only != NULL)
    check_function (&self, only);
  return self.fine;
}

gboolean
ls_relax_verify_module (LsModule      *module,
                        LsDiagnostics *findings)
{
  return verify (module, NULL, findings);
}

gboolean
ls_relax_verify_function (LsFunction    *func,
                          LsDiagnostics *findings)
{
  return verify (NULL, func, findings);
}
