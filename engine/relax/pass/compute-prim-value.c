/* ComputePrimValue: numbers that follow from symbolic variables are computed by TensorIR functions.
 *
 * R.prim_value (n * 2) becomes a call of compute_symbolic_expr (n), a private function for the host that returns it;
 * constants and plain variables stay.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static LsNode *
function_of (LsExpr    *expr,
             GPtrArray *symbols)
{
  GPtrArray *params = g_ptr_array_new ();
  g_autofree LsNode **none = g_new0 (LsNode *, symbols->len + 1);
  g_autoptr (LsMap) empty = ls_map_empty ();
  g_autoptr (LsNode) yes = LS_NODE (ls_bool (TRUE));
  g_autoptr (GHashTable) own = g_hash_table_new (NULL, NULL);
  LsExpr *ret;

  for (guint i = 0; i < symbols->len; i++)
    {
      g_ptr_array_add (params, ls_var_copy (symbols->pdata[i], NULL));
      g_hash_table_insert (own, symbols->pdata[i], params->pdata[i]);
    }
  ret = ls_call_op ("tir.ret", ls_dtype (expr), ls_array_of (ls_substitute (expr, own), NULL));
  return LS_NODE (ls_prim_func_new (ls_array_take_ptr_array (params), (LsStmt *) ls_evaluate_new (ret), ls_prim_type_new (ls_dtype (expr)),
                                    ls_array_new (none, symbols->len), ls_map_set (empty, "tir.is_host_func", yes)));
}

static LsNode *
compute (LsRelaxMutator *self,
         LsNode         *expr)
{
  LsExpr *value = ls_is (expr, PRIM_VALUE) ? ((LsPrimValue *) expr)->value : NULL;
  g_autoptr (GPtrArray) symbols = NULL;
  g_autoptr (LsNode) func = NULL;
  LsGlobalVar *var;
  GPtrArray *args;

  if (value == NULL || ls_is_var (value) || ls_is (value, INT_IMM) || ls_is (value, FLOAT_IMM))
    return ls_relax_mutator_default (self, expr);
  symbols = ls_relax_symbols (value);
  func = function_of (value, symbols);
  var = ls_block_builder_add_func (self->builder, func, "compute_symbolic_expr");
  args = g_ptr_array_new ();
  for (guint i = 0; i < symbols->len; i++)
    g_ptr_array_add (args, ls_prim_value_new (LS_EXPR (ls_node_ref (symbols->pdata[i]))));
  return ls_relax_call_new (LS_NODE (ls_ref (var)), ls_array_take_ptr_array (args), NULL, NULL, NULL);
}

LsModule *
ls_relax_pass_compute_prim_value (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = compute };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
