/* distributed/tir-axes: which axes of the buffers of a PrimFunc the same loops run along (TVM's BufferAxisGraphExtractor). */
#pragma once

#include "engine/arith/analyzer.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct { LsBuffer *buffer; guint axis; } LsBufferAxis;
typedef struct { guint param, axis; } LsParamAxis;

typedef struct _LsTirAxes LsTirAxes;

LsTirAxes *ls_tir_axes_new   (LsStmt    *body);
void       ls_tir_axes_free  (LsTirAxes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTirAxes, ls_tir_axes_free)
/* The axes that are cut when this one is, itself among them, without those that came before (an array of LsBufferAxis);
 * empty: it was there already. (transfer full) */
GArray    *ls_tir_axes_group (LsTirAxes *self,
                              LsBuffer  *buffer,
                              guint      axis);
/* The groups of more than one axis that parameters have (arrays of LsParamAxis), in the order of the parameters. (transfer full) */
GPtrArray *ls_tir_axis_groups (LsPrimFunc *func);
/* The iteration variable whose extent shrinks with the extent of the dimension that `index` reaches; NULL: there is none.
 * `iters`: of IterVar. Borrowed. */
LsVar     *ls_sharding_var   (LsExpr     *index,
                              LsArray    *iters,
                              LsAnalyzer *analyzer);

G_END_DECLS
