/* passes/own-log: what the worker's methods legalize, lower and optimise answer as one log, with what is known of its passes beside their texts.
 *
 * May be made, asked and freed in any thread.
 */
#pragma once

#include "app/passes/model.h"
#include "views/models/script-text.h"

G_BEGIN_DECLS

/* The row of passes that an answer tells of. */
typedef enum {
  LS_PASSES_GRAPH,              /* of the method legalize */
  LS_PASSES_TIR,                /* of the method lower */
  LS_PASSES_LLVM                /* of the method optimise */
} LsPassesStage;

#define LS_PASSES_N_STAGES 3

/* "legalize", "lower", "optimise". */
const char *ls_passes_stage_method (LsPassesStage  stage);
/* "Relax", "TensorIR", "LLVM". */
const char *ls_passes_stage_name   (LsPassesStage  stage);

/* answers: one for each stage, NULL for what was not asked; loops get the ids and families that they have in `text` (NULL: none), which
 * holds the function as it was sent.  NULL: the answers have no stage. (transfer full) */
LsPasses   *ls_own_passes_new      (GVariant      *const *answers,
                                    LsScriptText  *text);

/* How many passes of a stage there are (without what they get), how many change something, and what they took together. */
void        ls_own_passes_sum      (LsPasses      *passes,
                                    LsPassesStage  stage,
                                    guint         *n,
                                    guint         *effective,
                                    double        *seconds);
/* The first pass that could not go on, or -1. */
int         ls_own_passes_failed   (LsPasses      *passes);

G_END_DECLS
