/* shape-bounds: how large symbolic dimensions can become, from what a function says about its variables.
 *
 * tir_var_upper_bound and tir_var_lower_bound map names of symbolic variables of the signature to numbers,
 * tir_non_negative_var lists names.  Source: TVM's memory planning. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct _LsShapeBounds LsShapeBounds;

/* NULL with an error where an attribute is not of that form. (transfer full) */
LsShapeBounds *ls_shape_bounds_new   (LsFunction     *func,
                                      GError        **error);
void           ls_shape_bounds_free  (LsShapeBounds  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsShapeBounds, ls_shape_bounds_free)
/* A number, or an expression of the variables without bounds, that `extent` is never larger than; the extent itself where
 * nothing is known. (transfer full) */
LsExpr        *ls_shape_bounds_upper (LsShapeBounds  *self,
                                      LsExpr         *extent);

G_END_DECLS
