/* fx/elementwise: functions of TensorIR that no operator of Relax is, element by element: a private function of TensorIR that the binding calls. */
#include "engine/frontend/frontend-private.h"
#include "engine/topi/topi.h"

#include <math.h>
#include <string.h>

static const char *const BINARY[] = { "atan2", "hypot", "copysign", "nextafter", NULL };

guint
ls_fx_elementwise_arity (const char *name)
{
  return g_strv_contains (BINARY, name) ? 2 : strcmp (name, "lgamma") == 0 || ls_te_is_unary (name) ? 1 : 0;
}

/* ---- lgamma ---------------------------------------------------------------------------------- */

static LsExpr *
number (double value)
{
  return ls_te_const (LS_FLOAT64, value);
}

/* log |gamma (x)| by Lanczos' sum (g = 7, nine terms), whose values are good from 1/2 on; below it by Euler's reflection.  In float64. (taken) */
static LsExpr *
lgamma_of (LsExpr *x)
{
  static const double TERMS[] = { 0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
                                  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7 };
  LsDType dtype = ls_dtype (x);
  g_autoptr (LsExpr) wide = ls_cast (LS_FLOAT64, x);
  g_autoptr (LsExpr) low = ls_lt (ls_ref (wide), number (0.5));
  g_autoptr (LsExpr) z = ls_te_select (ls_ref (low), ls_neg (ls_ref (wide)), ls_sub (ls_ref (wide), number (1)));
  g_autoptr (LsExpr) t = ls_add (ls_ref (z), number (7.5));
  g_autoptr (LsExpr) sum = number (TERMS[0]), upper = NULL, sine = NULL;
  LsExpr *value;

  for (guint i = 1; i < G_N_ELEMENTS (TERMS); i++)
    sum = ls_add (g_steal_pointer (&sum), ls_te_div (number (TERMS[i]), ls_add (ls_ref (z), number (i))));
  upper = ls_mul (ls_add (ls_ref (z), number (0.5)), ls_te_unary ("log", ls_ref (t)));
  upper = ls_add (ls_sub (g_steal_pointer (&upper), ls_ref (t)), ls_te_unary ("log", g_steal_pointer (&sum)));
  upper = ls_add (g_steal_pointer (&upper), number (0.5 * log (2 * G_PI)));
  sine = ls_mul (number (G_PI), ls_sub (ls_ref (wide), ls_te_unary ("nearbyint", ls_ref (wide))));
  sine = ls_te_unary ("abs", ls_te_unary ("sin", g_steal_pointer (&sine)));
  value = ls_sub (ls_te_unary ("log", ls_te_div (number (G_PI), g_steal_pointer (&sine))), ls_ref (upper));
  value = ls_te_select (ls_ref (low), value, ls_ref (upper));
  value = ls_te_select (ls_te_unary ("isinf", ls_ref (wide)), number (INFINITY), value);
  return ls_cast (dtype, value);
}

/* ---- any function ------------------------------------------------------------------------------ */

/* Numbers and whole numbers become floats, as torch makes of them. */
static LsFxValue *
as_float (LsFxImport *self,
          LsFxValue  *value,
          LsDType     dtype)
{
  if (ls_fx_is_number (value))
    return ls_fx_scalar (self, value, dtype);
  return ls_dtype_is_float (ls_fx_dtype (self, value)) ? value : ls_fx_call (self, "astype", value, ls_fx_text (self, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
}

/* That of the first operand that is a tensor of floats. */
static LsDType
float_type (LsFxImport *self,
            LsFxValue **args,
            guint       n)
{
  LsDType dtype = LS_FLOAT32;

  for (guint i = n; i-- > 0;)
    if (!ls_fx_is_number (args[i]) && ls_dtype_is_float (ls_fx_dtype (self, args[i])))
      dtype = ls_fx_dtype (self, args[i]);
  return dtype;
}

/* Its element for these axes, which are as many or more; an extent of 1 serves all of an axis. */
static LsExpr *
element (LsTeTensor *tensor,
         LsArray    *axes)
{
  guint n = tensor->shape->n, before = axes->n - n;
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      gint64 extent;

      if (ls_as_int (tensor->shape->items[i], &extent) && extent == 1)
        g_ptr_array_add (indices, ls_int_imm_new (ls_dtype (tensor->shape->items[i]), 0));
      else
        g_ptr_array_add (indices, ls_te_axis (axes, before + i));
    }
  return ls_te_load (tensor, ls_array_take_ptr_array (indices));
}

LsFxValue *
ls_fx_elementwise (LsFxImport *self,
                   const char *name,
                   LsFxValue **args,
                   guint       n)
{
  g_autofree char *stage = g_strconcat ("T_", name, NULL);
  g_autoptr (LsTeBridge) bridge = NULL;
  g_autoptr (LsTeTensor) x = NULL, y = NULL, result = NULL;
  g_autoptr (LsArray) shape = NULL;
  LsFxValue *operands[2];
  LsDType dtype;
  LsArray *axes;
  LsExpr *value;
  LsNode *call;

  if (n == 0 || n != ls_fx_elementwise_arity (name))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a rule gives tir.%s %u arguments", name, n);
  for (guint i = 0; i < n; i++)
    if (!ls_fx_is_number (args[i]) && !ls_fx_is_tensor (self, args[i]))
      return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "its operands are tensors and numbers, not %s", ls_fx_describe (self, args[i]));
  dtype = float_type (self, args, n);
  for (guint i = 0; i < n; i++)
    if ((operands[i] = as_float (self, args[i], dtype)) == NULL)
      return NULL;
  bridge = ls_te_bridge_new (self->builder);
  x = ls_te_bridge_tensor (bridge, operands[0]->node, &self->error);
  y = x != NULL && n == 2 ? ls_te_bridge_tensor (bridge, operands[1]->node, &self->error) : NULL;
  if (self->error != NULL)
    return NULL;
  shape = y != NULL ? ls_topi_broadcast_shape (x->shape, y->shape, &self->error) : ls_ref (x->shape);
  if (shape == NULL)
    return NULL;
  axes = ls_te_axes (shape, "ax*");
  value = element (x, axes);
  value = y != NULL ? ls_te_binary (name, value, element (y, axes)) : strcmp (name, "lgamma") == 0 ? lgamma_of (value) : ls_te_unary (name, value);
  result = ls_te_compute (stage, y != NULL ? "broadcast" : "elemwise", NULL, axes, value, &self->error);
  call = result != NULL ? ls_te_bridge_call_one (bridge, result, name, &self->error) : NULL;
  return call != NULL ? ls_fx_node (self, ls_node_ref ((LsNode *) ls_block_builder_emit_take (self->builder, call, NULL))) : NULL;
}
