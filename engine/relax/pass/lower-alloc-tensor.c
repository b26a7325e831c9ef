/* LowerAllocTensor: each builtin.alloc_tensor gets a storage of its own, in bytes, and becomes a tensor in it.
 *
 * A storage of StaticPlanBlockMemory is made once, maybe in one branch of an If, and used in the other one or behind the If
 * too.  Where the place that makes it does not always come before the use, the use gets a storage like it. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/memory.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsRelaxVar *planned;
  LsRelaxVar *made;             /* stands for it here */
} Storage;

typedef struct {
  GHashTable *calls;            /* storage -> the alloc_storage that makes it; borrowed */
  GArray     *live;             /* of Storage: made before this place on every way to it */
} Lowering;

static void
clear_storage (gpointer data)
{
  ls_unref (((Storage *) data)->planned);
  ls_unref (((Storage *) data)->made);
}

static void
add_live (Lowering   *lowering,
          LsRelaxVar *planned,
          LsRelaxVar *made)
{
  Storage storage = { ls_ref (planned), ls_ref (made) };

  g_array_append_val (lowering->live, storage);
}

static LsRelaxVar *
emit_storage (LsRelaxMutator *self,
              LsNode         *call)
{
  LsRelaxVar *storage = ls_relax_var_new ("storage", ls_object_struct_info_new ());

  ls_block_builder_emit_to (self->builder, storage, call);
  return storage;
}

static LsNode *
lower_builtin (LsRelaxMutator *self,
               LsArray        *args)
{
  g_autoptr (LsNode) made = ls_relax_call_new (ls_relax_op_new ("relax.memory.alloc_storage"),
                            ls_array_of (ls_relax_bytes_shape ((LsShapeExpr *) args->items[0], ((LsDataTypeImm *) args->items[1])->value),
                                         ls_node_ref (args->items[2]), ls_node_ref (args->items[3]), ls_data_type_imm_new (LS_DTYPE (LS_TYPE_UINT, 8)), NULL), NULL, NULL, NULL);
  g_autoptr (LsRelaxVar) storage = emit_storage (self, made);

  return ls_relax_alloc_tensor_new (storage, args->items[0], args->items[1]);
}

/* What stands for a planned storage here, made now if nothing does. Borrowed. */
static LsRelaxVar *
storage_here (LsRelaxMutator *self,
              LsRelaxVar     *planned)
{
  Lowering *lowering = self->user_data;
  g_autoptr (LsRelaxVar) made = NULL;

  for (guint i = lowering->live->len; i > 0; i--)
    if (g_array_index (lowering->live, Storage, i - 1).planned == planned)
      return g_array_index (lowering->live, Storage, i - 1).made;
  made = emit_storage (self, g_hash_table_lookup (lowering->calls, planned));
  add_live (lowering, planned, made);
  return made;
}

static LsNode *
visit_call (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsArray *args = ((LsRelaxCall *) fresh)->args;

  if (ls_is_relax_call (fresh, "relax.builtin.alloc_tensor") && args->n == 4 && ls_is (args->items[0], SHAPE_EXPR)
      && ls_is (args->items[1], DATA_TYPE_IMM))
    return lower_builtin (self, args);
  return g_steal_pointer (&fresh);
}

/* A sequence of bindings is a scope: what is made in it may not be there behind it. */
static LsNode *
visit_sequence (LsRelaxMutator *self,
                LsNode         *sequence)
{
  Lowering *lowering = self->user_data;
  guint before = lowering->live->len;
  LsNode *fresh = ls_relax_mutator_default (self, sequence);

  g_array_set_size (lowering->live, before);
  return fresh;
}

static LsNode *
visit (LsRelaxMutator *self,
       LsNode         *expr)
{
  Lowering *lowering = self->user_data;

  if (ls_is (expr, RELAX_CALL))
    return visit_call (self, (LsRelaxCall *) expr);
  if (ls_is (expr, SEQ_EXPR))
    return visit_sequence (self, expr);
  if (ls_is_relax_var (expr) && g_hash_table_contains (lowering->calls, expr))
    return ls_node_ref (LS_NODE (storage_here (self, (LsRelaxVar *) expr)));
  return ls_relax_mutator_default (self, expr);
}

static void
visit_binding (LsRelaxMutator *self,
               LsNode         *binding)
{
  Lowering *lowering = self->user_data;
  LsNode *value = ls_binding_value (binding);
  LsRelaxVar *var = ls_binding_var (binding);

  ls_relax_mutator_default_binding (self, binding);
  if (var != NULL && ls_is_relax_call (value, "relax.memory.alloc_storage"))
    {
      g_hash_table_insert (lowering->calls, var, value);
      add_live (lowering, var, var);
    }
}

LsModule *
ls_relax_pass_lower_alloc_tensor (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = visit, .binding = visit_binding };
  Lowering lowering = { g_hash_table_new (NULL, NULL), g_array_new (FALSE, FALSE, sizeof (Storage)) };
  LsModule *result;

  g_array_set_clear_func (lowering.live, clear_storage);
  result = ls_relax_mutate_module (module, &funcs, &lowering, error);
  g_hash_table_unref (lowering.calls);
  g_array_unref (lowering.live);
  return result;
}
