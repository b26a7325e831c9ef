/* vector-math: powers and logarithms, tanh and erf of vectors of float32 on a CPU, as arithmetic instead of a call of libm for each lane.
 *
 * The arguments become float64, where a short polynomial is exact to 1e-9 or better; what is rounded to float32 then is the nearest number but
 * for a case in some hundreds, and then the next one: the same bounds as libm's own functions have (0.52 units in the last place).  Subnormal
 * arguments and results, infinities and NaN are as libm's.  The polynomials are interpolations at Chebyshev's points.
 *
 *   exp    (and exp2, exp10 likewise) x = n ln 2 + r with |r| <= ln 2 / 2;  e^x = 2^n e^r, and 2^n is made of n's bits
 *   tanh   (e^2x - 1) / (e^2x + 1), where e^2x - 1 is computed without the difference
 *   erf    x p(x^2) up to 4, from where on it rounds to 1
 *   log    x = 2^n m with m around 1;  log m = 2 artanh ((m - 1) / (m + 1))
 */
#include "engine/codegen/codegen-private.h"
#include "engine/tir/vector-math.h"

#include <math.h>
#include <string.h>

#define EXPONENT_BITS 52        /* of a double's mantissa: where its exponent begins */
#define EXPONENT_BIAS 1023
/* Added to a double it leaves the nearest whole number in the lowest bits. */
#define TO_WHOLE 0x1.8p52
#define TO_WHOLE_BITS 0x4338000000000000
#define LN_2 0x1.62e42fefa39efp-1
#define LN_10 0x1.26bb1bbb55516p+1
#define ROOT_HALF_BITS 0x3fe6a09e667f3bcd

/* (e^r - 1) / r for |r| <= ln 2 / 2, lowest power first: 3e-10. */
static const double EXPM1_BY_R[] = { 0x1.ffffffffffff7p-1, 0x1.000000287f894p-1, 0x1.555555675507dp-3, 0x1.5554accfd63b2p-5, 0x1.1110c62f6d703p-7,
                                     0x1.6d7543e8b1e18p-10, 0x1.a1517ee7a8d9dp-13 };
/* erf (x) / x for 0 <= x <= 4 by powers of x^2 / 8 - 1: 2e-11. */
static const double ERF_BY_X[] = { 0x1.6a040781a4985p-2, -0x1.69a0ccd73fa83p-3, 0x1.0dabaf051c85ap-3, -0x1.b92e9777ff9f4p-4, 0x1.717efd06759f3p-4,
                                   -0x1.3215b3d8caf16p-4, 0x1.ea97d955f5e12p-5, -0x1.76eb3ae6fff23p-5, 0x1.0ed61848ad122p-5, -0x1.701657ae1629ap-6,
                                   0x1.d621355bf30ebp-7, -0x1.1ac8456ff58a0p-7, 0x1.3e963906ec590p-8, -0x1.4bb35c2b56bc3p-9, 0x1.4ec7c05bc1890p-10,
                                   -0x1.60bd004aa6ccbp-11, 0x1.35769e758a67ap-12, -0x1.2fee775baceedp-14, 0x1.14b27011b52a1p-15, -0x1.33b8cab334614p-15,
                                   0x1.aff18bc1c246ep-17 };
/* 2 artanh (s) / s for |s| <= 3 - 2 sqrt 2 by powers of s^2: 5e-12. */
static const double LOG_BY_S[] = { 0x1.00000000049ebp+1, 0x1.555554daea048p-1, 0x1.999a9c9024f37p-2, 0x1.2432b92303148p-2, 0x1.e3b18561f1754p-3 };

/* The vectors of one call. */
typedef struct {
  LsCg           *cg;
  LLVMBuilderRef  b;
  LsDType         wide;         /* float64 in as many lanes */
  LsDType         bits;         /* int64 */
} Math;

static LLVMValueRef
number (const Math *self,
        double      value)
{
  return ls_cg_float (self->cg, self->wide, value);
}

static LLVMValueRef
add_product (const Math   *self,
             LLVMValueRef  x,
             LLVMValueRef  y,
             LLVMValueRef  z)
{
  LLVMTypeRef type = ls_cg_type (self->cg, self->wide);

  if (self->cg->contract)
    return ls_cg_intrinsic (self->cg, "llvm.fmuladd", &type, 1, (LLVMValueRef[]) { x, y, z }, 3);
  return LLVMBuildFAdd (self->b, LLVMBuildFMul (self->b, x, y, ""), z, "");
}

/* By Horner's rule. */
static LLVMValueRef
polynomial (const Math   *self,
            const double *powers,
            guint         n,
            LLVMValueRef  x)
{
  LLVMValueRef sum = number (self, powers[n - 1]);

  for (guint i = n - 1; i > 0; i--)
    sum = add_product (self, sum, x, number (self, powers[i - 1]));
  return sum;
}

/* `x` where it is not beyond `limit` in this direction; NaN stays NaN. */
static LLVMValueRef
clamp (const Math        *self,
       LsDType            t,
       LLVMValueRef       x,
       LLVMRealPredicate  beyond,
       double             limit)
{
  LLVMValueRef end = ls_cg_float (self->cg, t, limit);

  return LLVMBuildSelect (self->b, LLVMBuildFCmp (self->b, beyond, x, end, ""), end, x, "");
}

static LLVMValueRef
magnitude (const Math   *self,
           LLVMValueRef  x)
{
  LLVMTypeRef type = ls_cg_type (self->cg, self->wide);

  return ls_cg_intrinsic (self->cg, "llvm.fabs", &type, 1, &x, 1);
}

static LLVMValueRef
bits_of (const Math   *self,
         LLVMValueRef  x)
{
  return LLVMBuildBitCast (self->b, x, ls_cg_type (self->cg, self->bits), "");
}

/* The lowest bits of `whole` where a double has its exponent. */
static LLVMValueRef
exponent_of (const Math   *self,
             LLVMValueRef  whole)
{
  return LLVMBuildShl (self->b, bits_of (self, whole), ls_cg_int (self->cg, self->bits, EXPONENT_BITS), "");
}

/* Of an exponent between -1000 and 1000 times log base: base^x = 2^n e^r; gives what has n in its lowest bits. */
static LLVMValueRef
split_exponent (const Math   *self,
                LLVMValueRef  x,
                double        log_base,
                LLVMValueRef *r)
{
  LLVMValueRef magic = number (self, TO_WHOLE);
  LLVMValueRef whole = log_base == LN_2 ? LLVMBuildFAdd (self->b, x, magic, "") : add_product (self, x, number (self, log_base / LN_2), magic);
  LLVMValueRef n = LLVMBuildFSub (self->b, whole, magic, "");

  *r = log_base == LN_2   ? LLVMBuildFMul (self->b, LLVMBuildFSub (self->b, x, n, ""), number (self, LN_2), "")
       : log_base == 1.0 ? add_product (self, n, number (self, -LN_2), x)
                         : add_product (self, n, number (self, -LN_2), LLVMBuildFMul (self->b, x, number (self, log_base), ""));
  return whole;
}

/* 2^n e^r, whose exponent is that of e^r and n. */
static LLVMValueRef
power (const Math   *self,
       LLVMValueRef  x,
       double        log_base)
{
  LLVMValueRef r, whole = split_exponent (self, x, log_base, &r);
  LLVMValueRef near = add_product (self, r, polynomial (self, EXPM1_BY_R, G_N_ELEMENTS (EXPM1_BY_R), r), number (self, 1.0));

  return LLVMBuildBitCast (self->b, LLVMBuildAdd (self->b, bits_of (self, near), exponent_of (self, whole), ""), ls_cg_type (self->cg, self->wide), "");
}

static LLVMValueRef
vector_exp (const Math   *self,
            LLVMValueRef  x)
{
  return power (self, x, 1.0);
}

static LLVMValueRef
vector_exp2 (const Math   *self,
             LLVMValueRef  x)
{
  return power (self, x, LN_2);
}

static LLVMValueRef
vector_exp10 (const Math   *self,
              LLVMValueRef  x)
{
  return power (self, x, LN_10);
}

/* From 10 on it is 1. */
static LLVMValueRef
vector_tanh (const Math   *self,
             LLVMValueRef  x)
{
  LLVMValueRef twice = clamp (self, self->wide, magnitude (self, LLVMBuildFAdd (self->b, x, x, "")), LLVMRealOGT, 20.0);
  LLVMValueRef r, whole = split_exponent (self, twice, 1.0, &r);
  LLVMValueRef one = ls_cg_int (self->cg, self->bits, (gint64) EXPONENT_BIAS << EXPONENT_BITS);
  LLVMValueRef power = LLVMBuildBitCast (self->b, LLVMBuildAdd (self->b, exponent_of (self, whole), one, ""), ls_cg_type (self->cg, self->wide), "");
  LLVMValueRef near_less_one = LLVMBuildFMul (self->b, r, polynomial (self, EXPM1_BY_R, G_N_ELEMENTS (EXPM1_BY_R), r), "");
  LLVMValueRef less_one = add_product (self, power, near_less_one, LLVMBuildFSub (self->b, power, number (self, 1.0), ""));

  return LLVMBuildFDiv (self->b, less_one, LLVMBuildFAdd (self->b, less_one, number (self, 2.0), ""), "");
}

static LLVMValueRef
vector_erf (const Math   *self,
            LLVMValueRef  x)
{
  LLVMValueRef near = clamp (self, self->wide, magnitude (self, x), LLVMRealOGT, 4.0);
  LLVMValueRef at = add_product (self, LLVMBuildFMul (self->b, near, number (self, 0.125), ""), near, number (self, -1.0));

  return LLVMBuildFMul (self->b, near, polynomial (self, ERF_BY_X, G_N_ELEMENTS (ERF_BY_X), at), "");
}

/* Infinity, minus infinity and NaN where a logarithm has them; `out` else. */
static LLVMValueRef
log_or_edge (const Math   *self,
             LLVMValueRef  x,
             LLVMValueRef  out)
{
  LLVMBuilderRef b = self->b;
  LLVMValueRef zero = number (self, 0.0), infinity = number (self, INFINITY);

  out = LLVMBuildSelect (b, LLVMBuildFCmp (b, LLVMRealOEQ, x, infinity, ""), infinity, out, "");
  out = LLVMBuildSelect (b, LLVMBuildFCmp (b, LLVMRealOEQ, x, zero, ""), number (self, -INFINITY), out, "");
  return LLVMBuildSelect (b, LLVMBuildFCmp (b, LLVMRealOGE, x, zero, ""), out, number (self, NAN), "");
}

/* n + log m to the base whose logarithm is `log_base`.  A float32 that is subnormal is a normal float64.  Counted from those of the root of one half, the bits
 * of x have in their exponent the n that leaves m between that root and the one of two. */
static LLVMValueRef
logarithm (const Math   *self,
           LLVMValueRef  x,
           double        log_base)
{
  LLVMBuilderRef b = self->b;
  LLVMTypeRef ints = ls_cg_type (self->cg, self->bits), floats = ls_cg_type (self->cg, self->wide);
  LLVMValueRef root = ls_cg_int (self->cg, self->bits, ROOT_HALF_BITS);
  LLVMValueRef bits = LLVMBuildSub (b, LLVMBuildBitCast (b, x, ints, ""), root, "");
  LLVMValueRef n = LLVMBuildAShr (b, bits, ls_cg_int (self->cg, self->bits, EXPONENT_BITS), "");
  LLVMValueRef rest = LLVMBuildAnd (b, bits, ls_cg_int (self->cg, self->bits, ((gint64) 1 << EXPONENT_BITS) - 1), "");
  LLVMValueRef m = LLVMBuildBitCast (b, LLVMBuildAdd (b, rest, root, ""), floats, "");
  /* A whole number as a double: its bits are laid over those of TO_WHOLE. */
  LLVMValueRef laid = LLVMBuildAdd (b, n, ls_cg_int (self->cg, self->bits, TO_WHOLE_BITS), "");
  LLVMValueRef whole = LLVMBuildFSub (b, LLVMBuildBitCast (b, laid, floats, ""), number (self, TO_WHOLE), "");
  LLVMValueRef s = LLVMBuildFDiv (b, LLVMBuildFSub (b, m, number (self, 1.0), ""), LLVMBuildFAdd (b, m, number (self, 1.0), ""), "");
  LLVMValueRef log_m = LLVMBuildFMul (b, s, polynomial (self, LOG_BY_S, G_N_ELEMENTS (LOG_BY_S), LLVMBuildFMul (b, s, s, "")), "");

  if (log_base == LN_2)         /* exact where m is 1 */
    return log_or_edge (self, x, add_product (self, log_m, number (self, 1.0 / LN_2), whole));
  if (log_base != 1.0)
    log_m = LLVMBuildFMul (b, log_m, number (self, 1.0 / log_base), "");
  return log_or_edge (self, x, add_product (self, whole, number (self, LN_2 / log_base), log_m));
}

static LLVMValueRef
vector_log (const Math   *self,
            LLVMValueRef  x)
{
  return logarithm (self, x, 1.0);
}

static LLVMValueRef
vector_log2 (const Math   *self,
             LLVMValueRef  x)
{
  return logarithm (self, x, LN_2);
}

static LLVMValueRef
vector_log10 (const Math   *self,
              LLVMValueRef  x)
{
  return logarithm (self, x, LN_10);
}

/* What is lost in 1 + x is more than float32 sees below 2^-20, where x - x^2 / 2 is exact enough. */
static LLVMValueRef
vector_log1p (const Math   *self,
              LLVMValueRef  x)
{
  LLVMValueRef far = logarithm (self, LLVMBuildFAdd (self->b, x, number (self, 1.0), ""), 1.0);
  LLVMValueRef near = add_product (self, LLVMBuildFMul (self->b, x, number (self, -0.5), ""), x, x);

  return LLVMBuildSelect (self->b, LLVMBuildFCmp (self->b, LLVMRealOLT, magnitude (self, x), number (self, 0x1p-20), ""), near, far, "");
}

/* ---- by name -------------------------------------------------------------------------------- */

/* With the numbers beyond which float32 has 0 and infinity, where an argument must be held between some. */
static const struct { const char *name; LLVMValueRef (*of) (const Math *, LLVMValueRef); gboolean is_odd; double least, most; } VECTOR_MATH[] = {
  { "exp", vector_exp, FALSE, -104.0, 89.0 },
  { "exp2", vector_exp2, FALSE, -151.0, 129.0 },
  { "exp10", vector_exp10, FALSE, -46.0, 39.0 },
  { "log", vector_log, FALSE, 0.0, 0.0 },
  { "log2", vector_log2, FALSE, 0.0, 0.0 },
  { "log10", vector_log10, FALSE, 0.0, 0.0 },
  { "log1p", vector_log1p, TRUE, 0.0, 0.0 },
  { "tanh", vector_tanh, TRUE, 0.0, 0.0 },
  { "erf", vector_erf, TRUE, 0.0, 0.0 },
};

LLVMValueRef
ls_cg_vector_math (LsCg        *cg,
                   const char  *name,
                   LsDType      t,
                   LLVMValueRef x)
{
  Math self = { cg, cg->builder, ls_dtype_with_lanes (LS_FLOAT64, t.lanes), ls_dtype_with_lanes (LS_INT64, t.lanes) };
  LLVMTypeRef type = ls_cg_type (cg, t);
  LLVMValueRef out, held = x;
  guint i = 0;

  while (i < G_N_ELEMENTS (VECTOR_MATH) && strcmp (VECTOR_MATH[i].name, name) != 0)
    i++;
  if (i == G_N_ELEMENTS (VECTOR_MATH) || cg->target->is_device || t.bits != 32 || !ls_vector_math_has (name, t, t.lanes))
    return NULL;
  if (VECTOR_MATH[i].least < VECTOR_MATH[i].most)
    held = clamp (&self, t, clamp (&self, t, x, LLVMRealOGT, VECTOR_MATH[i].most), LLVMRealOLT, VECTOR_MATH[i].least);
  out = LLVMBuildFPTrunc (cg->builder, VECTOR_MATH[i].of (&self, LLVMBuildFPExt (cg->builder, held, ls_cg_type (cg, self.wide), "")), type, "");
  return VECTOR_MATH[i].is_odd ? ls_cg_intrinsic (cg, "llvm.copysign", &type, 1, (LLVMValueRef[]) { out, x }, 2) : out;
}
