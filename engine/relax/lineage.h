/* relax/lineage: which variable became which while passes run.
 *
 * Passes rewrite a function binding by binding; where a variable gives way to another one that has the same value, the mutator notes it
 * (ls_relax_mutator_replace), and a pass that makes functions by itself does so too.  Who wants to know records around the pass; else a
 * note costs a look at a variable of the thread.  A variable that a pass leaves alone stays the same node, so nothing is noted for it.
 */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct _LsRelaxLineage LsRelaxLineage;

LsRelaxLineage *ls_relax_lineage_new    (void);
LsRelaxLineage *ls_relax_lineage_ref    (LsRelaxLineage *self);
void            ls_relax_lineage_unref  (LsRelaxLineage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRelaxLineage, ls_relax_lineage_unref)

/* What this thread notes from now on goes to `self`, until ls_relax_lineage_end(); a recording inside another has the notes alone. */
void            ls_relax_lineage_begin  (LsRelaxLineage *self);
void            ls_relax_lineage_end    (LsRelaxLineage *self);
/* `before` has the value of `after` from now on; of no effect where nobody records, and unless both are variables. */
void            ls_relax_lineage_note   (gpointer        before,
                                         gpointer        after);
/* What `before` was went into `after`, which has another value: a call that was fused with others. */
void            ls_relax_lineage_note_into (gpointer     before,
                                         gpointer        after);
/* What became of a variable, over any number of passes: itself and what stands for it, in the order of the notes.
 * (transfer container) of LsRelaxVar, borrowed */
GPtrArray      *ls_relax_lineage_after  (LsRelaxLineage *self,
                                         LsRelaxVar     *var);
/* What a variable was: itself and those that it stands for. (transfer container) of LsRelaxVar, borrowed */
GPtrArray      *ls_relax_lineage_before (LsRelaxLineage *self,
                                         LsRelaxVar     *var);
/* What became of it by `n` of these, one pass or several after the other, and what it went into: itself first. (transfer container) of LsRelaxVar, borrowed */
GPtrArray      *ls_relax_lineage_get    (LsRelaxLineage *const *parts,
                                         guint           n,
                                         LsRelaxVar     *var);

G_END_DECLS
