/* KillAfterLastUse: behind the last use of each tensor, storage or other object that the function makes, it is given up:
 * memory.kill_tensor, memory.kill_storage, vm.kill_object.  Bindings that only rename are taken out before.  What the
 * function gets as a parameter, and what it returns, lives on.  */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  GHashTable *last;             /* LsRelaxVar -> the binding that uses it last */
  GPtrArray  *order;            /* variables in the order of their definitions */
  GHashTable *kept;             /* variables of the result */
} Uses;

static LsWalk
keep_alive (LsNode  *node,
            gpointer kept)
{
  if (ls_is_relax_var (node))
    g_hash_table_add (kept, node);
  return LS_WALK_CONTINUE;
}

static void
note_uses (Uses   *self,
           LsNode *binding)
{
  g_autoptr (GPtrArray) used = ls_relax_free_vars (ls_binding_value (binding));

  for (guint i = 0; i < used->len; i++)
    if (g_hash_table_contains (self->last, used->pdata[i]))
      g_hash_table_insert (self->last, used->pdata[i], binding);
}

static void
collect (Uses      *self,
         LsSeqExpr *body)
{
  for (guint i = 0; i < body->blocks->n; i++)
    {
      LsArray *bindings = ls_array_at (body->blocks, i, LsBindingBlock)->bindings;

      for (guint j = 0; j < bindings->n; j++)
        {
          LsRelaxVar *var = ls_binding_var (bindings->items[j]);

          note_uses (self, bindings->items[j]);
          if (var != NULL && !ls_is_void_struct_info (var->struct_info))
            {
              g_hash_table_insert (self->last, var, NULL);
              g_ptr_array_add (self->order, var);
            }
        }
    }
  ls_walk (body->body, keep_alive, NULL, self->kept);
}

static LsNode *
kill_of (LsRelaxVar *var,
         LsNode     *value)
{
  const char *op = ls_is_relax_call (value, "relax.memory.alloc_storage") ? "relax.memory.kill_storage"
                   : ls_is (var->struct_info, TENSOR_STRUCT_INFO) ? "relax.memory.kill_tensor" : "relax.vm.kill_object";

  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ls_ref (var), NULL), NULL, NULL, NULL);
}

static gboolean
may_be_killed (LsRelaxVar *var)
{
  return ls_is (var->struct_info, TENSOR_STRUCT_INFO) || ls_is (var->struct_info, OBJECT_STRUCT_INFO);
}

/* binding -> array of the variables that it uses last, in the order of their definitions. (transfer full) */
static GHashTable *
deaths (Uses *self)
{
  GHashTable *out = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; i < self->order->len; i++)
    {
      LsRelaxVar *var = self->order->pdata[i];
      LsNode *binding = g_hash_table_lookup (self->last, var);
      GPtrArray *list = binding != NULL ? g_hash_table_lookup (out, binding) : NULL;

      if (binding == NULL || g_hash_table_contains (self->kept, var) || !may_be_killed (var))
        continue;
      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_hash_table_insert (out, binding, list);
        }
      g_ptr_array_add (list, var);
    }
  return out;
}

static LsSeqExpr *
insert_kills (LsSeqExpr *body)
{
  Uses uses = { g_hash_table_new (NULL, NULL), g_ptr_array_new (), g_hash_table_new (NULL, NULL) };
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL), dying = NULL;
  GPtrArray *blocks = g_ptr_array_new ();

  collect (&uses, body);
  dying = deaths (&uses);
  for (guint i = 0; i < body->blocks->n; i++)
    {
      LsBindingBlock *block = ls_array_at (body->blocks, i, LsBindingBlock);
      GPtrArray *out = g_ptr_array_new ();

      for (guint j = 0; j < block->bindings->n; j++)
        {
          LsNode *binding = block->bindings->items[j];
          GPtrArray *last;

          g_ptr_array_add (out, ls_node_ref (binding));
          g_hash_table_insert (values, ls_binding_var (binding), ls_binding_value (binding));
          last = g_hash_table_lookup (dying, binding);
          for (guint k = 0; last != NULL && k < last->len; k++)
            g_ptr_array_add (out, ls_var_binding_new (ls_relax_var_new ("_", ls_tuple_struct_info_new (ls_array_empty ())),
                                                      kill_of (last->pdata[k], g_hash_table_lookup (values, last->pdata[k]))));
        }
      g_ptr_array_add (blocks, ls_is (block, DATAFLOW_BLOCK) ? ls_dataflow_block_new (ls_array_take_ptr_array (out))
                       : ls_binding_block_new (ls_array_take_ptr_array (out)));
    }
  g_hash_table_unref (uses.last);
  g_hash_table_unref (uses.kept);
  g_ptr_array_unref (uses.order);
  return (LsSeqExpr *) ls_seq_expr_new (ls_array_take_ptr_array (blocks), ls_node_ref (body->body));
}

LsModule *
ls_relax_pass_kill_after_last_use (LsModule  *module,
                                   LsMap     *args,
                                   GError   **error)
{
  g_autoptr (GPtrArray) functions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < module->functions->n; i++)
    {
      g_autoptr (LsNode) clean = NULL;
      LsFunction *func;

      if (!ls_is (module->functions->items[i], FUNCTION))
        {
          g_ptr_array_add (functions, ls_node_ref (module->functions->items[i]));
          continue;
        }
      clean = ls_relax_canonicalize (module->functions->items[i], error);
      if (clean == NULL)
        return NULL;
      func = (LsFunction *) clean;
      g_ptr_array_add (functions, ls_function_new (ls_ref (func->params), LS_NODE (insert_kills ((LsSeqExpr *) func->body)),
                                                   ls_node_ref (func->ret_struct_info), ls_ref (func->attrs), func->is_pure));
    }
  g_ptr_array_set_free_func (functions, NULL);
  return ls_module_new (ls_ref (module->global_vars), ls_array_take_ptr_array (g_steal_pointer (&functions)), ls_ref (module->attrs),
                        ls_ref (module->global_infos));
}
