/* Memory that several processes see (scope "ipc_memory").
 *
 * IPCAllReduceRewrite: sums over all processes by runtime.disco.allreduce become runtime.disco.cuda_ipc.custom_allreduce
 * with a strategy (0 ring, 1 one-shot, 2 two-shot, 3 auto), and the tensors that are summed are allocated in that scope;
 * reducers other than the sum (kind 0) stay.  LowerGPUIPCAllocStorage: allocations in that scope become calls of
 * runtime.disco.cuda_ipc.alloc_storage.  Source: TVM's passes of these names. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/memory.h"
#include "engine/relax/pass/pass.h"

static const char IPC_SCOPE[] = "ipc_memory";

/* ---- sums over processes ---------------------------------------------------------------- */

typedef struct {
  gint64      strategy;
  GHashTable *names;            /* variable -> what it names or is a reshape of */
  GHashTable *shared;           /* calls of alloc_tensor whose tensors are summed */
} Reduce;

/* Is it runtime.disco.allreduce (x, R.shape ([0]), in_group, out)? */
static gboolean
is_sum (LsNode *value)
{
  LsRelaxCall *call = (LsRelaxCall *) value;
  LsShapeExpr *kind;

  if (!ls_is (value, RELAX_CALL) || !ls_is (call->op, EXTERN_FUNC) || call->args->n != 4 ||
      !g_str_equal (((LsExternFunc *) call->op)->global_symbol, "runtime.disco.allreduce"))
    return FALSE;
  kind = ls_array_at (call->args, 1, LsShapeExpr);
  return ls_is (kind, SHAPE_EXPR) && kind->values->n == 1 && ls_is_zero (kind->values->items[0]);
}

static LsNode *
origin (Reduce *self,
        LsNode *expr)
{
  LsNode *value = ls_is_relax_var (expr) ? g_hash_table_lookup (self->names, expr) : NULL;

  return value != NULL && !ls_is_relax_call (value, "relax.builtin.alloc_tensor") ? origin (self, value) : value;
}

static LsWalk
look_at (LsNode  *node,
         gpointer user_data)
{
  Reduce *self = user_data;
  LsNode *value = ls_is (node, VAR_BINDING) ? ls_binding_value (node) : NULL;

  if (ls_is_relax_call (value, "relax.builtin.alloc_tensor") || ls_is_relax_var (value))
    g_hash_table_insert (self->names, ls_binding_var (node), value);
  else if (ls_is_relax_call (value, "relax.reshape") || ls_is_relax_call (value, "relax.memory.view"))
    g_hash_table_insert (self->names, ls_binding_var (node), ((LsRelaxCall *) value)->args->items[0]);
  else if (is_sum (value))
    {
      LsNode *allocation = origin (self, ((LsRelaxCall *) value)->args->items[0]);

      if (allocation != NULL)
        g_hash_table_add (self->shared, allocation);
    }
  return LS_WALK_CONTINUE;
}

static LsNode *
rewrite_sum (LsRelaxMutator *self,
             LsRelaxCall    *call)
{
  Reduce *state = self->user_data;
  LsArray *args = call->args;

  if (g_hash_table_contains (state->shared, call))
    {
      g_autoptr (LsNode) scope = ls_relax_string_new (IPC_SCOPE);

      return ls_relax_call_new (ls_node_ref (call->op), ls_array_with (args, 3, scope), ls_ref (call->attr_names), ls_ref (call->attrs), ls_ref (call->sinfo_args));
    }
  if (!is_sum (LS_NODE (call)) || origin (state, args->items[0]) == NULL)
    return ls_relax_mutator_default (self, call);
  return ls_relax_call_new (ls_extern_func_new ("runtime.disco.cuda_ipc.custom_allreduce"),
                            ls_array_of (ls_relax_mutator_visit (self, args->items[0]), ls_prim_value_new (ls_int_imm_new (LS_INT64, state->strategy)),
                                         ls_relax_mutator_visit (self, args->items[3]), NULL), NULL, NULL, ls_ref (call->sinfo_args));
}

LsModule *
ls_relax_pass_ipc_all_reduce_rewrite (LsModule  *module,
                                      LsMap     *args,
                                      GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = rewrite_sum };
  g_autoptr (GHashTable) names = g_hash_table_new (NULL, NULL), shared = g_hash_table_new (NULL, NULL);
  Reduce state = { ls_relax_pass_int (args, "allreduce_strategy"), names, shared };

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      ls_walk (module->functions->items[i], look_at, NULL, &state);
  return ls_relax_mutate_module (module, &funcs, &state, error);
}

/* ---- allocations ---------------------------------------------------------------------------- */

static gboolean
is_shared (LsNode *scope)
{
  return ls_is (scope, RELAX_STRING) && g_str_equal (((LsRelaxString *) scope)->value, IPC_SCOPE);
}

static LsNode *
alloc_shared (LsNode *shape,
              LsNode *dtype)
{
  return ls_relax_call_new (ls_extern_func_new ("runtime.disco.cuda_ipc.alloc_storage"), ls_array_of (ls_node_ref (shape), ls_node_ref (dtype), NULL), NULL,
                            NULL, ls_array_of (ls_object_struct_info_new (), NULL));
}

static LsNode *
lower_allocation (LsRelaxMutator *self,
                  LsRelaxCall    *call)
{
  LsArray *args = call->args;

  if (ls_is_relax_call (call, "relax.memory.alloc_storage") && args->n == 4 && is_shared (args->items[2]))
    return alloc_shared (args->items[0], args->items[3]);
  if (ls_is_relax_call (call, "relax.builtin.alloc_tensor") && args->n == 4 && is_shared (args->items[3]))
    return ls_relax_alloc_tensor_new (ls_block_builder_emit_take (self->builder, alloc_shared (args->items[0], args->items[1]), NULL), args->items[0],
                                      args->items[1]);
  return ls_relax_mutator_default (self, call);
}

LsModule *
ls_relax_pass_lower_gpu_ipc_alloc_storage (LsModule  *module,
                                           LsMap     *args,
                                           GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = lower_allocation };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
