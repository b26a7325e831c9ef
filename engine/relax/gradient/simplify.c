/* relax/gradient/simplify: products of transposed matrices without detours (gradient.h).
 *
 * transpose (transpose (a)) is a; transpose (a @ b) is transpose (b) @ transpose (a), where a transposed matrix is taken
 * as what it was made of.  Transposing means the last two axes. */
#include "engine/relax/analysis.h"
#include "engine/relax/gradient/gradient.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static gint64
ndim_of (LsRelaxMutator *self,
         LsNode         *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, expr);

  return ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->ndim : -1;
}

static gboolean
is_transpose (LsRelaxMutator *self,
              LsNode         *expr)
{
  LsArray *axes;
  gint64 ndim, axis;

  if (!ls_is_relax_call (expr, "relax.permute_dims"))
    return FALSE;
  ndim = ndim_of (self, ((LsRelaxCall *) expr)->args->items[0]);
  axes = (LsArray *) ls_relax_pass_attr ((LsRelaxCall *) expr, "axes");
  if (ndim < 2)
    return FALSE;
  if (!ls_is (axes, ARRAY))
    return ndim == 2;
  for (gint64 i = 0; i < ndim && i < axes->n; i++)
    if (!ls_as_int (axes->items[i], &axis) || axis != (i < ndim - 2 ? i : 2 * ndim - 3 - i))
      return FALSE;
  return TRUE;
}

/* (transfer full) */
static LsNode *
transposed (LsRelaxMutator *self,
            LsNode         *expr)
{
  LsNode *value = ls_relax_mutator_lookup (self, expr);
  gint64 ndim = ndim_of (self, expr);
  GPtrArray *axes;

  if (value != NULL && is_transpose (self, value))
    return ls_node_ref (((LsRelaxCall *) value)->args->items[0]);
  if (ndim < 2)
    return ls_node_ref (expr);
  axes = g_ptr_array_new ();
  for (gint64 i = 0; i < ndim; i++)
    g_ptr_array_add (axes, ls_int_imm_new (LS_INT64, i < ndim - 2 ? i : 2 * ndim - 3 - i));
  return ls_relax_call_new (ls_relax_op_new ("relax.permute_dims"), ls_array_of (ls_node_ref (expr), NULL), ls_array_of (ls_string_new ("axes"), NULL),
                            ls_array_of (ls_array_take_ptr_array (axes), NULL), NULL);
}

static void
visit_binding (LsRelaxMutator *self,
               LsNode         *binding)
{
  g_autoptr (LsNode) value = NULL;
  LsNode *inner;
  LsArray *args;

  if (!ls_is (binding, VAR_BINDING) || !ls_is (((LsVarBinding *) binding)->value, RELAX_CALL))
    {
      ls_relax_mutator_default_binding (self, binding);
      return;
    }
  value = ls_relax_mutator_visit (self, ((LsVarBinding *) binding)->value);
  inner = is_transpose (self, value) ? ls_relax_mutator_lookup (self, ((LsRelaxCall *) value)->args->items[0]) : NULL;
  args = ls_is (inner, RELAX_CALL) ? ((LsRelaxCall *) inner)->args : NULL;
  if (inner != NULL && is_transpose (self, inner) && ls_is_relax_var (args->items[0]))
    {
      ls_relax_mutator_replace (self, ((LsVarBinding *) binding)->var, args->items[0]);
      return;
    }
  if (ls_is_relax_call (inner, "relax.matmul") && ndim_of (self, args->items[0]) != 1 && ndim_of (self, args->items[1]) != 1)
    {
      LsNode *a = transposed (self, args->items[0]), *b = transposed (self, args->items[1]);

      ls_take (&value, ls_relax_call_new (ls_node_ref (((LsRelaxCall *) inner)->op), ls_array_of (b, a, NULL), ls_ref (((LsRelaxCall *) inner)->attr_names),
                                          ls_ref (((LsRelaxCall *) inner)->attrs), NULL));
    }
  ls_relax_mutator_rebind (self, (LsVarBinding *) binding, value);
}

LsNode *
ls_relax_simplify_gradient (LsNode *func)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = visit_binding };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (LsNode) fresh = NULL;

  ls_relax_mutator_init (&mutator, &funcs, NULL, NULL);
  fresh = ls_relax_mutator_visit (&mutator, func);
  return ls_relax_remove_all_unused (fresh, NULL);
}
