/* FastMathTransform: exp, erf, tanh and softmax are computed by polynomials (topi's fast_*), as calls of PrimFuncs of these
 * names.  Functions in the order of their names, which decides who gets the plain name. */
#include "engine/relax/call-te.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/topi/topi.h"

#include <string.h>

static LsNode *
fast_call (LsRelaxMutator *self,
           LsRelaxCall    *call,
           const char     *name)
{
  g_autoptr (LsTeBridge) bridge = ls_te_bridge_new (self->builder);
  g_autofree char *hint = g_strconcat ("fast_", name, NULL);
  g_autoptr (LsTeTensor) out = NULL;
  GError *error = NULL;
  g_autoptr (LsTeTensor) x = ls_te_bridge_tensor (bridge, call->args->items[0], &error);
  LsNode *result;

  if (x != NULL && strcmp (name, "softmax") == 0)
    {
      gint64 axis = -1;

      ls_as_int (ls_relax_pass_attr (call, "axis"), &axis);
      out = ls_topi_nn_fast_softmax (x, axis, &error);
    }
  else
    {
      out = ls_topi_fast (name, x, &error);
    }
  result = ls_te_bridge_call_one (bridge, out, hint, &error);
  if (result != NULL)
    return result;
  ls_block_builder_take_error (self->builder, error);
  return ls_node_ref (LS_NODE (call));
}

static LsNode *
transform (LsRelaxMutator *self,
           LsRelaxCall    *call)
{
  static const char *const NAMES[][2] = {
    { "relax.exp", "exp" }, { "relax.erf", "erf" }, { "relax.tanh", "tanh" }, { "relax.nn.softmax", "softmax" },
  };
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (ls_is_relax_call (fresh, NAMES[i][0]) && ((LsRelaxCall *) fresh)->args->n == 1)
      return fast_call (self, (LsRelaxCall *) fresh, NAMES[i][1]);
  return g_steal_pointer (&fresh);
}

LsModule *
ls_relax_pass_fast_math_transform (LsModule  *module,
                                   LsMap     *args,
                                   GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = transform };

  return ls_relax_mutate_module_by_name (module, &funcs, NULL, error);
}
