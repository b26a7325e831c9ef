/* relax/gradient: which rule derives a call (see the header); the rules are TVM's. */
#include "engine/relax/gradient/rule.h"

#include "engine/relax/pass/pass.h"

#include <string.h>

static LsTirGradientFunc tir_func;

void
ls_relax_gradient_set_tir_func (LsTirGradientFunc func)
{
  tir_func = func;
}

LsTirGradientFunc
ls_relax_gradient_get_tir_func (void)
{
  return tir_func;
}

static LsGradRuleFunc
find_rule (const char *name)            /* of the operator */
{
  static const LsGradTable *const TABLES[] = { &ls_grad_arith, &ls_grad_shape, &ls_grad_nn };

  for (guint t = 0; t < G_N_ELEMENTS (TABLES); t++)
    for (guint i = 0; i < TABLES[t]->n; i++)
      if (g_str_equal (TABLES[t]->rows[i].name, name + strlen ("relax.")))
        return TABLES[t]->rows[i].rule;
  return NULL;
}

gboolean
ls_relax_gradient_known (const char *op)
{
  return g_str_has_prefix (op, "relax.") && find_rule (op) != NULL;
}

GPtrArray *
ls_relax_gradient_of_call (const LsGradientStep *step,
                           GError              **error)
{
  const char *name = ((LsRelaxOp *) step->call->op)->name;
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsGradRule rule = { step, out, error, FALSE };
  LsGradRuleFunc func = find_rule (name);

  if (func == NULL)
    return ls_relax_pass_refuse (error, "The derivative of %s is not known.", name);
  func (&rule);
  return rule.failed ? NULL : g_steal_pointer (&out);
}
