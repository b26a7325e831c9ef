/* fast-math: exp, tanh, erf and softmax by polynomials (topi's fast_exp, fast_tanh, fast_erf, fast_softmax).
 *
 * exp splits x into n * ln 2 + f: 2^n comes from the exponent's bits, e^f from a polynomial (Cephes' expf).  tanh and erf are
 * rational functions of x on the interval where they are not yet 1.  Only float32 is treated so (erf: float16 as well); other
 * types get the exact function. */
#include "engine/topi/topi-private.h"

#include <string.h>

static LsExpr *
number (LsDType dtype,
        double  value)
{
  return ls_float_imm_new (dtype, value);
}

/* c[0] x^(n-1) + ... + c[n-1] by Horner's rule; borrows x. `x_first`: x * p instead of p * x. */
static LsExpr *
polynomial (LsExpr       *x,
            LsDType       dtype,
            const double *c,
            guint         n,
            gboolean      x_first)
{
  LsExpr *p = number (dtype, c[0]);

  for (guint i = 1; i < n; i++)
    p = ls_add (x_first ? ls_mul (REF (x), p) : ls_mul (p, REF (x)), number (dtype, c[i]));
  return p;
}

/* Borrows x. */
static LsExpr *
fast_exp (LsExpr *x)
{
  static const double C[] = { 1.9875691500E-4f, 1.3981999507E-3f, 8.3334519073E-3f, 4.1665795894E-2f, 1.6666665459E-1f, 5.0000001201E-1f };
  LsDType f32 = LS_FLOAT32;
  g_autoptr (LsExpr) bounded = ls_max (ls_min (REF (x), number (f32, 88.3762626647950f)), number (f32, -88.3762626647949f));
  g_autoptr (LsExpr) n = ls_te_unary ("floor", ls_add (ls_mul (REF (bounded), number (f32, 1.44269504088896341f)), number (f32, 0.5)));
  g_autoptr (LsExpr) f = ls_sub (REF (bounded), ls_mul (REF (n), number (f32, 0.6931471805599453f)));
  LsExpr *y = ls_add (ls_add (ls_mul (ls_mul (polynomial (f, f32, C, G_N_ELEMENTS (C), FALSE), REF (f)), REF (f)), REF (f)), number (f32, 1));
  LsExpr *exponent = ls_cast (LS_INT32, ls_add (REF (n), number (f32, 127)));
  LsExpr *power = ls_call_op ("tir.reinterpret", f32, ls_array_of (ls_te_binary ("left_shift", exponent, ls_int (23)), NULL));

  return ls_max (ls_mul (power, y), REF (x));
}

/* x * P (x * x) / Q (x * x); borrows x. */
static LsExpr *
rational (LsExpr       *x,
          LsDType       dtype,
          const double *p,
          guint         n_p,
          const double *q,
          guint         n_q)
{
  g_autoptr (LsExpr) square = ls_mul (REF (x), REF (x));

  return ls_te_div (ls_mul (REF (x), polynomial (square, dtype, p, n_p, TRUE)), polynomial (square, dtype, q, n_q, TRUE));
}

static LsExpr *
fast_tanh (LsExpr *x)
{
  static const double P[] = { -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08, 1.48572235717979e-05,
                              6.37261928875436e-04, 4.89352455891786e-03 };
  static const double Q[] = { 1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03 };

  return rational (x, LS_FLOAT32, P, G_N_ELEMENTS (P), Q, G_N_ELEMENTS (Q));
}

static LsExpr *
fast_erf (LsExpr  *x,
          LsDType  dtype)
{
  static const double P[] = { -2.72614225801306e-10f, 2.77068142495902e-08f, -2.10102402082508e-06f, -5.69250639462346e-05f,
                              -7.34990630326855e-04f, -2.95459980854025e-03f, -1.60960333262415e-02f };
  static const double Q[] = { -1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f, -7.37332916720468e-03f,
                              -1.42647390514189e-02f };
  g_autoptr (LsExpr) bounded = ls_max (ls_min (REF (x), number (dtype, 4)), number (dtype, -4));

  return rational (bounded, dtype, P, G_N_ELEMENTS (P), Q, G_N_ELEMENTS (Q));
}

static LsTeTensor *
tanh_stage (LsTeTensor  *x,
            LsArray     *axes,          /* taken */
            GError     **error)
{
  g_autoptr (LsExpr) high = number (LS_FLOAT32, 9), low = number (LS_FLOAT32, -9), at = NULL;
  g_autoptr (LsTeTensor) below = ls_topi_binary ("minimum", high, x, error);
  g_autoptr (LsTeTensor) bounded = below != NULL ? ls_topi_binary ("maximum", low, below, error) : NULL;

  if (bounded == NULL)
    {
      ls_unref (axes);
      return NULL;
    }
  at = ls_te_load (bounded, ls_te_axis_vars (axes));
  return ls_te_compute ("T_fast_tanh", LS_TAG_ELEMWISE, NULL, axes, fast_tanh (at), error);
}

LsTeTensor *
ls_topi_fast (const char  *name,
              LsTeTensor  *x,
              GError     **error)
{
  gboolean single = x != NULL && ls_dtype_equal (x->dtype, LS_FLOAT32), is_erf = strcmp (name, "erf") == 0;
  g_autofree char *stage = g_strconcat ("T_fast_", name, NULL);
  g_autoptr (LsExpr) at = NULL;
  LsArray *axes;

  if (x == NULL)
    return NULL;
  if (is_erf && !single && !ls_dtype_equal (x->dtype, LS_DTYPE (LS_TYPE_FLOAT, 16)))
    return ls_topi_unary (name, x, error);
  axes = ls_te_axes (x->shape, "ax*");
  if (single && strcmp (name, "tanh") == 0)
    return tanh_stage (x, axes, error);
  at = ls_te_load (x, ls_te_axis_vars (axes));
  return ls_te_compute (stage, LS_TAG_ELEMWISE, NULL, axes,
                        is_erf ? fast_erf (at, x->dtype) : single ? fast_exp (at) : ls_te_unary (name, REF (at)), error);
}
