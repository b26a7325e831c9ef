/* float8: the two 8-bit floats that devices compute with, as bit patterns. */
#pragma once

#include "engine/base/base.h"

G_BEGIN_DECLS

/* Codes of DLPack, and their names. */
#define LS_DL_E4M3 10           /* float8_e4m3fn: no infinity, 448 is the largest number */
#define LS_DL_E5M2 12           /* float8_e5m2: 57344 is the largest */

/* Rounding is to nearest, ties to even; what is too large becomes the largest number, as cvt.satfinite of NVIDIA's devices does (they have no other); a
 * NaN becomes 0x7f.  Subnormals are kept.  Infinity stays where the type has one (copies keep it; a cast from another type makes the largest number of it). */
guint8 ls_e4m3_from_double (double value);
guint8 ls_e5m2_from_double (double value);
double ls_e4m3_to_double   (guint8 bits);
double ls_e5m2_to_double   (guint8 bits);

G_END_DECLS
