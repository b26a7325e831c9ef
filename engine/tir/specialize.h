/* specialize: a function in which some variables have got values; see specialize.c. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The function with the values of a table (Var -> Expr, borrowed) in place of variables; parameters that have got one are gone.
 * The same function where nothing changes. (transfer full) */
LsPrimFunc *ls_prim_func_specialize (LsPrimFunc *func,
                                     GHashTable *values);
/* The function with numbers for its symbolic extents and scalar parameters: `sizes` has "NAME=VALUE" (of char, may be NULL); one
 * that names nothing, or no number, changes nothing. (transfer full) */
LsPrimFunc *ls_prim_func_size       (LsPrimFunc *func,
                                     GPtrArray  *sizes);

G_END_DECLS
