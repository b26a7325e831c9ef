/* legalize: LegalizeOps, every operator that TensorIR can say as a call of a function (TVM's transform of that name).
 *
 * A call is looked at when the shapes of its arguments and of its result are known; rules stand in the families.  What a
 * rule emits on the way becomes bindings before the call.  Equal functions are shared by the block builder.
 */
#include "engine/relax/legalize/legalize.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

static const LsLegalizeRow *const FAMILIES[] = {
  ls_legalize_elementwise, ls_legalize_linear_algebra, ls_legalize_manipulate, ls_legalize_index, ls_legalize_statistical, ls_legalize_create,
  ls_legalize_nn, ls_legalize_convolution, ls_legalize_norm, ls_legalize_quantize,
};

static GHashTable *
rows (void)
{
  static GHashTable *table;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      table = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint f = 0; f < G_N_ELEMENTS (FAMILIES); f++)
        for (const LsLegalizeRow *row = FAMILIES[f]; row->name != NULL; row++)
          g_hash_table_insert (table, (gpointer) row->name, (gpointer) row);
      g_once_init_leave (&ready, 1);
    }
  return table;
}

static gboolean
is_known (LsStructInfo *info)
{
  LsArray *fields;

  if (ls_is (info, TENSOR_STRUCT_INFO))
    return ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR);
  if (ls_is (info, SHAPE_STRUCT_INFO))
    return ((LsShapeStructInfo *) info)->values != NULL;
  fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  for (guint i = 0; fields != NULL && i < fields->n; i++)
    if (!is_known (fields->items[i]))
      return FALSE;
  return TRUE;
}

static LsNode *
by_rule (LsBlockBuilder      *builder,
         LsRelaxCall         *call,
         const LsLegalizeRow *row)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsTeBridge) te = ls_te_bridge_new (builder);
  LsLegalize self = { { call, row->name, ls_relax_op_row (((LsRelaxOp *) call->op)->name), NULL, NULL, NULL, 0, kept, NULL },
                      builder, call, row, NULL, te, NULL };
  gboolean known = TRUE;
  LsNode *fresh;

  for (guint i = 0; i < call->args->n && known; i++)
    known = is_known (ls_legalize_keep (&self, ls_block_builder_struct_info (builder, call->args->items[i])));
  self.result = ls_legalize_keep (&self, ls_block_builder_struct_info (builder, call));
  if (!known || (!row->any_result && !is_known (LS_NODE (self.result))))
    return LS_NODE (ls_ref (call));
  fresh = row->legalize (&self);
  g_clear_pointer (&self.infer.analyzer, ls_analyzer_free);
  g_clear_error (&self.infer.error);
  if (self.error != NULL)
    {
      g_prefix_error (&self.error, ls_translate ("relax.%s: "), row->name);
      ls_block_builder_take_error (builder, self.error);
    }
  return fresh != NULL ? fresh : LS_NODE (ls_ref (call));
}

LsNode *
ls_relax_legalize_call (LsBlockBuilder *builder,
                        LsRelaxCall    *call)
{
  const LsLegalizeRow *row = NULL;

  if (ls_is (call, RELAX_CALL) && ls_is (call->op, RELAX_OP))
    row = g_hash_table_lookup (rows (), ((LsRelaxOp *) call->op)->name + strlen ("relax."));
  return row != NULL ? by_rule (builder, call, row) : ls_node_ref (LS_NODE (call));
}

static LsNode *
legalize_call (LsRelaxMutator *self,
               LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);

  if (ls_relax_pass_skips (self->user_data, (LsRelaxCall *) fresh))
    return g_steal_pointer (&fresh);
  return ls_relax_legalize_call (self->builder, (LsRelaxCall *) fresh);
}

LsModule *
ls_relax_pass_legalize_ops (LsModule  *module,
                            LsMap     *args,
                            GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = legalize_call };

  if (ls_map_get (args, "customize_legalize_map") != NULL)
    return ls_relax_pass_refuse (error, "LegalizeOps takes no rules from outside.");
  return ls_relax_mutate_module_by_name (module, &funcs, ls_map_get (args, "skip_ops"), error);
}
