/* signature: can two functions be called with the same arguments? */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* What two functions have to have in common for that. */
typedef enum {
  LS_SIGNATURE_SAME,
  LS_SIGNATURE_COUNT,           /* the number of parameters */
  LS_SIGNATURE_KIND,            /* an array and a number */
  LS_SIGNATURE_DTYPE,
  LS_SIGNATURE_SHAPE
} LsSignatureDiff;

/* The first difference; *param (may be NULL) gets the position of the parameter.  Two symbolic extents count as the same:
 * which sizes they take is known only in a call. */
LsSignatureDiff ls_prim_func_compare_signature (LsPrimFunc *a,
                                                LsPrimFunc *b,
                                                guint      *param);

G_END_DECLS
