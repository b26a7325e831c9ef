/* symbols: what of libm and libc generated code may reach by name.
 */
#include "engine/codegen/codegen-private.h"

#include <math.h>
#include <string.h>

#define F(name) { #name, (gpointer) name }
#define FF(name) F (name), F (name##f)

/* What generated code may reach by name: libm in both widths, and what LLVM makes of loops and intrinsics. */
static const struct { const char *name; gpointer address; } SYMBOLS[] = {
  FF (exp), FF (exp2), FF (exp10), FF (erf), FF (erfc), FF (tanh), FF (log), FF (log2), FF (log1p), FF (log10), FF (tan), FF (cos),
  FF (cosh), FF (sin), FF (sinh), FF (asin), FF (acos), FF (atan), FF (acosh), FF (asinh), FF (atanh), FF (atan2),
  FF (nextafter), FF (hypot), FF (pow), FF (fmod), FF (sqrt), FF (cbrt), FF (floor), FF (ceil), FF (trunc), FF (round), FF (rint),
  FF (nearbyint), FF (fabs), FF (copysign), FF (fmin), FF (fmax), FF (fma), FF (ldexp), FF (expm1), FF (sincos), FF (roundeven),
  FF (lgamma), FF (tgamma), FF (remainder),
  F (memset), F (memcpy), F (memmove), F (memcmp), F (bcmp), F (strlen),
};

gboolean
ls_math_symbol_known (const char *name,
                      gpointer   *address)
{
  for (guint i = 0; i < G_N_ELEMENTS (SYMBOLS); i++)
    if (strcmp (SYMBOLS[i].name, name) == 0)
      {
        *address = SYMBOLS[i].address;
        return TRUE;
      }
  return FALSE;
}
