/* lineage: which variable of a program became which while passes ran: noted where a pass puts something in the place of a variable, so that it is
 * known and not guessed. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct _LsRelaxLineage LsRelaxLineage;

/* Notes what the passes of this thread do until ls_relax_lineage_end(); within another one both note. (transfer full) */
LsRelaxLineage *ls_relax_lineage_begin (void);
/* Ends noting; it is there to be asked.  The last one that was begun has to be ended first. */
void            ls_relax_lineage_end   (LsRelaxLineage       *self);
/* What a pass says: `var` became `now`; nothing where nobody asks, or where `now` is no variable. */
void            ls_relax_lineage_note  (LsRelaxVar           *var,
                                        gpointer              now);
LsRelaxLineage *ls_relax_lineage_ref   (LsRelaxLineage       *self);
void            ls_relax_lineage_unref (LsRelaxLineage       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRelaxLineage, ls_relax_lineage_unref)
/* All variables that came of this one, itself first, by `n` of these, one pass or several after the other. (transfer container) of
 * LsRelaxVar, borrowed from them */
GPtrArray      *ls_relax_lineage_get   (LsRelaxLineage *const *parts,
                                        guint                  n,
                                        LsRelaxVar            *var);

G_END_DECLS
