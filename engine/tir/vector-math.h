/* vector-math: what of libm is arithmetic for vectors, in code for CPUs.  All else is called lane by lane. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

#define LS_VECTOR_MATH_LANES 4          /* from so many lanes on */

/* `name` without "tir.": is it computed in vectors of `lanes` of this type (its own lanes do not count)? */
gboolean ls_vector_math_has (const char *name,
                             LsDType     t,
                             guint       lanes);

G_END_DECLS
