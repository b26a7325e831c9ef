/* LambdaLift: functions that are defined inside functions become private functions of the module (Johnsson 1985).
 *
 * The lifted function is called MAIN_INNER, MAIN being the function of the module.  The variables that it takes from around it become parameters behind its own;
 * such a function is a closure where it was defined: relax.make_closure, called by invoke_pure_closure or invoke_closure,
 * and so is one that leaves its function as a result.  One that takes nothing is called directly, and its binding goes.
 * Functions inside the lifted one are lifted too.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsGlobalVar *func;
  GPtrArray   *captured;        /* of LsRelaxVar */
  gboolean     closure;
} Lifted;

typedef struct {
  const char *outer;            /* name of the function of the module */
  GHashTable *lifted;           /* variable -> Lifted */
  GHashTable *closures;         /* variables of the result that hold closures */
  GHashTable *module_closures;  /* names of functions whose result is a closure */
  LsNode     *body;             /* of the function of the module */
  LsRelaxVar *inside;           /* the variable of the function whose body is visited, or NULL */
} State;

static void
lifted_free (gpointer data)
{
  Lifted *self = data;

  ls_unref (self->func);
  g_ptr_array_unref (self->captured);
  g_free (self);
}

/* ---- what a function takes from around it -------------------------------------------- */

/* Names of functions count as what those take: a call of them hands it over. */
static GPtrArray *
captures (State      *state,
          LsRelaxVar *self,
          LsFunction *func)
{
  g_autoptr (GPtrArray) free = ls_relax_free_vars (func);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < free->len; i++)
    {
      Lifted *known = g_hash_table_lookup (state->lifted, free->pdata[i]);

      if (free->pdata[i] == (gpointer) self || (known != NULL && !known->closure))
        continue;
      if (g_hash_table_add (seen, free->pdata[i]))
        g_ptr_array_add (out, free->pdata[i]);
    }
  return out;
}

typedef struct { LsRelaxVar *var; gboolean escapes; } Uses;

/* Is the variable used as anything but what is called? */
static LsWalk
look_for_escape (LsNode  *node,
                 gpointer user_data)
{
  Uses *self = user_data;
  LsRelaxCall *call = (LsRelaxCall *) node;

  if (ls_is (node, VAR_BINDING))
    {
      ls_walk (((LsVarBinding *) node)->value, look_for_escape, NULL, self);
      return LS_WALK_PRUNE;
    }
  if (ls_is (node, RELAX_CALL) && call->op == LS_NODE (self->var))
    {
      ls_walk (call->args, look_for_escape, NULL, self);
      return LS_WALK_PRUNE;
    }
  if (node == LS_NODE (self->var))
    self->escapes = TRUE;
  return LS_WALK_CONTINUE;
}

/* ---- names ------------------------------------------------------------------------------- */

static char *
free_name (LsBlockBuilder *builder,
           const char     *outer,
           const char     *inner)
{
  char *name = g_strdup_printf ("%s_%s", outer, inner);

  for (guint i = 0;; i++)
    {
      g_autoptr (LsGlobalVar) probe = ls_global_var_new (name);

      if (ls_block_builder_lookup_func (builder, probe) == NULL)
        return name;
      g_free (name);
      name = g_strdup_printf ("%s_%s_%u", outer, inner, i);
    }
}

/* ---- calls --------------------------------------------------------------------------------- */

static LsNode *
direct_call (LsRelaxMutator *self,
             Lifted         *lifted,
             LsRelaxCall    *call)
{
  GPtrArray *args = g_ptr_array_new ();

  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ls_relax_mutator_visit (self, call->args->items[i]));
  for (guint i = 0; i < lifted->captured->len; i++)
    g_ptr_array_add (args, ls_relax_mutator_visit (self, lifted->captured->pdata[i]));
  return ls_relax_call_new (LS_NODE (ls_ref (lifted->func)), ls_array_take_ptr_array (args), NULL, NULL, NULL);
}

static LsNode *
closure_call (LsRelaxMutator *self,
              LsRelaxCall    *call,
              LsNode         *closure)
{
  LsFuncStructInfo *info = (LsFuncStructInfo *) ((LsRelaxVar *) call->op)->struct_info;
  g_autoptr (LsNode) ret = ls_relax_struct_info (LS_NODE (call));
  GPtrArray *args = g_ptr_array_new ();
  gboolean pure = ls_is (info, FUNC_STRUCT_INFO) && info->purity;

  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ls_relax_mutator_visit (self, call->args->items[i]));
  return ls_relax_call_new (ls_relax_op_new (pure ? "relax.invoke_pure_closure" : "relax.invoke_closure"),
                            ls_array_of (ls_node_ref (closure), ls_relax_tuple_new (ls_array_take_ptr_array (args)), NULL), NULL, NULL,
                            ls_array_of (ls_node_ref (ret), NULL));
}

static LsNode *
visit_call (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  State *state = self->user_data;
  Lifted *lifted = ls_is_relax_var (call->op) ? g_hash_table_lookup (state->lifted, call->op) : NULL;
  g_autoptr (LsNode) op = NULL;

  if (lifted != NULL && (!lifted->closure || call->op == LS_NODE (state->inside)))
    return direct_call (self, lifted, call);
  if (ls_is_relax_var (call->op))
    {
      op = ls_relax_mutator_visit (self, call->op);
      if (lifted != NULL || g_hash_table_contains (state->closures, op))
        return closure_call (self, call, op);
    }
  return ls_relax_mutator_default (self, call);
}

/* ---- definitions ------------------------------------------------------------------------------- */

/* The function with its captures as parameters, lifted; its body is visited with them renamed.  It has symbolic variables of
 * its own, for those that it had from the function around it would be brought by two functions of the module. */
static void
lift (LsRelaxMutator *self,
      LsRelaxVar     *var,
      LsFunction     *func,
      Lifted         *lifted,
      const char     *name)
{
  State *state = self->user_data;
  LsRelaxVar *outer_inside = state->inside;
  GPtrArray *params = g_ptr_array_new (), *saved = g_ptr_array_new ();
  g_autoptr (LsFunction) wide = NULL;
  g_autoptr (GPtrArray) symbols = NULL;
  g_autoptr (LsNode) fresh = NULL, final = NULL;
  g_autoptr (LsNode) ret = NULL;
  LsFunction *now;

  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (params, ls_node_ref (func->params->items[i]));
  for (guint i = 0; i < lifted->captured->len; i++)
    {
      LsRelaxVar *captured = lifted->captured->pdata[i];
      LsNode *around = g_hash_table_lookup (self->vars, captured);
      LsRelaxVar *param = ls_relax_var_new (captured->name, ls_node_ref ((around != NULL && ls_is_relax_var (around) ? (LsRelaxVar *) around : captured)->struct_info));

      g_ptr_array_add (params, ls_ref (param));
      g_ptr_array_add (saved, around != NULL ? ls_node_ref (around) : NULL);
      ls_relax_mutator_replace (self, captured, param);
      ls_unref (param);
    }
  wide = ls_function_new (ls_array_take_ptr_array (params), ls_ref (func->body), ls_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure);
  state->inside = var;
  fresh = ls_relax_mutator_default (self, wide);
  state->inside = outer_inside;
  now = (LsFunction *) fresh;
  ret = ls_node_ref (LS_NODE (now->ret_struct_info));
  if (ls_is (now->ret_struct_info, FUNC_STRUCT_INFO))
    {
      ls_take (&ret, ls_object_struct_info_new ());
      g_hash_table_add (state->module_closures, g_strdup (name));
    }
  final = LS_NODE (ls_function_new (ls_ref (now->params), ls_ref (now->body), ls_ref (ret), ls_ref (now->attrs), now->is_pure));
  symbols = ls_relax_defined_symbols ((LsFunction *) final);
  if (symbols->len > 0)
    ls_take (&final, LS_NODE (ls_relax_copy_function ((LsFunction *) final)));
  ls_block_builder_update_func (self->builder, lifted->func, final);
  for (guint i = 0; i < lifted->captured->len; i++)
    if (saved->pdata[i] != NULL)
      {
        ls_relax_mutator_replace (self, lifted->captured->pdata[i], saved->pdata[i]);
        ls_node_unref (saved->pdata[i]);
      }
    else
      g_hash_table_remove (self->vars, lifted->captured->pdata[i]);
  g_ptr_array_unref (saved);
}

static LsNode *
closure_of (LsRelaxMutator *self,
            Lifted         *lifted)
{
  GPtrArray *captured = g_ptr_array_new ();

  for (guint i = 0; i < lifted->captured->len; i++)
    g_ptr_array_add (captured, ls_relax_mutator_visit (self, lifted->captured->pdata[i]));
  return ls_relax_call_new (ls_relax_op_new ("relax.make_closure"),
                            ls_array_of (ls_ref (lifted->func), ls_relax_tuple_new (ls_array_take_ptr_array (captured)), NULL), NULL, NULL, NULL);
}

static void
emit_closure (LsRelaxMutator *self,
              LsRelaxVar     *var,
              LsNode         *value)
{
  State *state = self->user_data;
  LsRelaxVar *fresh = ls_is (var, DATAFLOW_VAR) ? ls_dataflow_var_new (var->name, ls_object_struct_info_new ())
                      : ls_relax_var_new (var->name, ls_object_struct_info_new ());

  ls_block_builder_emit_to (self->builder, fresh, value);
  ls_relax_mutator_replace (self, var, fresh);
  g_hash_table_add (state->closures, fresh);
  ls_unref (fresh);
}

static gboolean
gives_closure (State  *state,
               LsNode *value)
{
  LsRelaxCall *call = (LsRelaxCall *) value;

  return ls_is (value, RELAX_CALL) && ls_is (call->op, GLOBAL_VAR) && g_hash_table_contains (state->module_closures, ((LsGlobalVar *) call->op)->name_hint);
}

static void
visit_binding (LsRelaxMutator *self,
               LsNode         *binding)
{
  State *state = self->user_data;
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);
  Uses uses = { var, FALSE };
  Lifted *lifted;
  g_autofree char *name = NULL;
  g_autoptr (LsNode) fresh = NULL;

  if (!ls_is (binding, VAR_BINDING) || !ls_is (value, FUNCTION))
    {
      fresh = ls_is (binding, VAR_BINDING) ? ls_relax_mutator_visit (self, value) : NULL;
      if (fresh != NULL && gives_closure (state, fresh))
        emit_closure (self, var, fresh);
      else if (fresh != NULL)
        ls_relax_mutator_rebind (self, (LsVarBinding *) binding, fresh);
      else
        ls_relax_mutator_default_binding (self, binding);
      return;
    }
  name = free_name (self->builder, state->outer, var->name);
  lifted = g_new0 (Lifted, 1);
  lifted->func = ls_global_var_new (name);
  lifted->captured = captures (state, var, (LsFunction *) value);
  ls_walk (state->body, look_for_escape, NULL, &uses);
  lifted->closure = lifted->captured->len > 0 || uses.escapes;
  g_hash_table_insert (state->lifted, var, lifted);
  ls_block_builder_update_func (self->builder, lifted->func, value);
  lift (self, var, (LsFunction *) value, lifted, name);
  if (!lifted->closure)
    return;
  fresh = closure_of (self, lifted);
  emit_closure (self, var, fresh);
}

/* ---- the pass -------------------------------------------------------------------------------------- */

static LsWalk
stop_at_function (LsNode  *node,
                  gpointer user_data)
{
  return ls_is (node, FUNCTION) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

LsModule *
ls_relax_pass_lambda_lift (LsModule  *module,
                           LsMap     *args,
                           GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = visit_call, .binding = visit_binding };
  g_autoptr (GHashTable) module_closures = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (LsRelaxMutator) mutator = { NULL };
  State state = { .module_closures = module_closures };

  ls_relax_mutator_init (&mutator, &funcs, module, &state);
  state.closures = g_hash_table_new (NULL, NULL);
  state.lifted = g_hash_table_new_full (NULL, NULL, NULL, lifted_free);
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsFunction *func = (LsFunction *) module->functions->items[i];
      g_autoptr (LsNode) fresh = NULL;

      if (!ls_is (func, FUNCTION) || ls_walk (func->body, stop_at_function, NULL, NULL))
        continue;
      state.outer = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
      state.body = func->body;
      fresh = ls_relax_mutator_default (&mutator, func);
      ls_block_builder_update_func (mutator.builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
    }
  g_hash_table_unref (state.lifted);
  g_hash_table_unref (state.closures);
  return ls_relax_mutator_finish (&mutator, error);
}
