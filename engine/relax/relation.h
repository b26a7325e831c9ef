/* relax/relation: how struct infos stand to each other, and what a call of a function of the module gives. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* Structural equality, the same variables. */
gboolean      ls_struct_info_equal       (LsStructInfo *a,
                                          LsStructInfo *b);
/* Is every value of `derived` certain to be one of `base`?  (TVM's IsBaseOf; extents are proved equal.) */
gboolean      ls_struct_info_is_base_of  (LsStructInfo *base,
                                          LsStructInfo *derived);
/* The most that can be said of a value that is one or the other. (transfer full) */
LsStructInfo *ls_struct_info_unify       (LsStructInfo *a,
                                          LsStructInfo *b);
/* The result of a call by what the function says, its dimensions read off the arguments; those that no argument decides
 * are unknown. (transfer full) */
LsStructInfo *ls_function_result_of_call (LsFunction   *func,
                                          LsRelaxCall  *call);
/* The same by the signature. (transfer full) */
LsStructInfo *ls_signature_result_of_call (LsArray      *param_infos,
                                          LsStructInfo *ret,
                                          LsRelaxCall  *call);
/* Binds the plain variables among the dimensions of `pattern` to what `actual` has there (LsVar -> LsExpr, both kept). */
void          ls_struct_info_match       (LsStructInfo *pattern,
                                          LsStructInfo *actual,
                                          GHashTable   *symbols);

G_END_DECLS
