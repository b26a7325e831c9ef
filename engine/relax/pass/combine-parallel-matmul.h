/* combine-parallel-matmul: CombineParallelMatmul for callers with a function of their own. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* May these be put together?  `rhs` and `bias` are of LsRelaxVar, `values` says what variables are bound to.  FALSE with
 * an error: stop. */
typedef gboolean (*LsCombineCheck) (LsRelaxVar *lhs,
                                    LsArray    *rhs,
                                    LsArray    *bias,
                                    GHashTable *values,
                                    gboolean   *accepted,
                                    gpointer    user_data,
                                    GError    **error);
/* `check` may be NULL. (transfer full) */
LsModule *ls_relax_combine_parallel_matmul (LsModule       *module,
                                            LsCombineCheck  check,
                                            gpointer        user_data,
                                            GError        **error);

G_END_DECLS
