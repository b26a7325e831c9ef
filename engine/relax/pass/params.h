/* params: what passes over weights share.  The attribute num_input says how many parameters of a function come at run
 * time; those behind them are weights. */
#pragma once

#include "engine/relax/mutator.h"

G_BEGIN_DECLS

/* num_input, or `otherwise` where the function has no such attribute or it is out of range. */
gint64      ls_relax_num_input     (LsFunction     *func,
                                    gint64          otherwise);
LsMap      *ls_relax_with_num_input (LsMap         *attrs,
                                    gint64          n);
/* The function with one tuple of weights, called `name` (NULL: "model_params"), for its parameters behind num_input; each
 * use becomes an item of it. (transfer full) */
LsNode     *ls_relax_bundle_params (LsFunction     *func,
                                    const char     *name);

G_END_DECLS
