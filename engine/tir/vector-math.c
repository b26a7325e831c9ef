/* vector-math: see the header. */
#include "engine/tir/vector-math.h"

gboolean
ls_vector_math_has (const char *name,
                    LsDType     t,
                    guint       lanes)
{
  static const char *const names[] = { "exp", "exp2", "exp10", "log", "log2", "log10", "log1p", "tanh", "erf", "sigmoid", NULL };

  return lanes >= LS_VECTOR_MATH_LANES && ls_dtype_is_float (t) && t.bits <= 32 && g_strv_contains (names, name);
}
