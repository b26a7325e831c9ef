/* lowering/model: what each pass makes of a function, from the worker's answer to the methods lower (of TensorIR) and optimise (of LLVM).
 *
 * Immutable once made; may be made, asked and freed in any thread.
 */
#pragma once

#include "views/models/comparison.h"

G_BEGIN_DECLS

typedef enum {
  LS_LOWERING_CHANGES,
  LS_LOWERING_NOTHING,          /* the function is after it what it was before */
  LS_LOWERING_FAILS,
  LS_LOWERING_UNREACHED         /* stands behind one that failed */
} LsLoweringState;

typedef struct {
  guint           number;       /* in the pipeline, from 1 */
  const char     *name;         /* "FlattenBuffer", "early-cse<memssa>" */
  const char     *summary;      /* what it does, in English */
  LsLoweringState state;
  double          seconds;      /* that it took; below 0: it did not run */
  guint           n_new;        /* lines */
  guint           n_gone;
  guint           n_moved;      /* deeper or up */
  char           *trouble;      /* why it could not go on, or NULL */
  guint           before;       /* which program it gets, and which one it gives */
  guint           after;
} LsLoweringPass;

typedef struct _LsLowering LsLowering;

/* `answer` of the worker; `llvm`: to the method optimise.  Loops get the ids and families that they have in `text`, which holds the function as it was sent; NULL:
 * none.  Costs a comparison of two texts for each pass that changes something. (transfer full) */
LsLowering           *ls_lowering_new        (GVariant     *answer,
                                              gboolean      llvm,
                                              LsScriptText *text);
LsLowering           *ls_lowering_ref        (LsLowering   *self);
void                  ls_lowering_unref      (LsLowering   *self);
const char           *ls_lowering_get_function (LsLowering *self);
/* The passes are LLVM's. */
gboolean              ls_lowering_is_llvm    (LsLowering   *self);
guint                 ls_lowering_n_passes   (LsLowering   *self);
const LsLoweringPass *ls_lowering_get_pass   (LsLowering   *self,
                                              guint         i);
/* How many passes are in this state. */
guint                 ls_lowering_count      (LsLowering   *self,
                                              LsLoweringState state);
/* The passes that ran, together. */
double                ls_lowering_get_seconds (LsLowering  *self);
/* The texts before and after pass `i`; of one that changes nothing, twice the same. (transfer full) */
LsComparison         *ls_lowering_compare    (LsLowering   *self,
                                              guint         i);

/* What it did, in a few words: "+3 −5 lines", "changes nothing". (transfer full) */
char                 *ls_lowering_pass_words (const LsLoweringPass *pass);

/* What it is for, in the language of the user. Borrowed. */
const char           *ls_lowering_pass_summary (const LsLoweringPass *pass);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLowering, ls_lowering_unref)

G_END_DECLS
