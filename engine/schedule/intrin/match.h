/* match: is a computation what the description of a tensor intrinsic says? (private to schedule) */
#pragma once

#include "engine/schedule/legal/legal.h"

G_BEGIN_DECLS

typedef struct {
  GHashTable *vars;             /* Var of the program -> Var of the description */
  GHashTable *buffers;          /* Buffer of the description -> Buffer of the program */
  GPtrArray  *asked;            /* the keys of `buffers` in the order in which they were met */
  GHashTable *bases;            /* Buffer of the program -> Array: where its region begins; mapping: its indices, simplified */
  GHashTable *asked_indices;    /* mapping: Buffer of the description -> Array of its indices, borrowed */
  LsAnalyzer *own;              /* knows the block's variables */
  LsAnalyzer *analyzer;
  gboolean    mapping;          /* note how buffers are indexed, whatever their shapes and scopes */
  gboolean    inside;           /* below the outermost block */
  char       *reason;           /* where they first differ */
  LsNode     *culprit;          /* borrowed */
} LsIntrinMatch;

void     ls_intrin_match_init    (LsIntrinMatch  *self,
                                  gboolean        mapping);
void     ls_intrin_match_clear   (LsIntrinMatch  *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsIntrinMatch, ls_intrin_match_clear)

/* TRUE: `own` computes what `asked` describes; else .reason says where they first differ. */
gboolean ls_intrin_match_realize (LsIntrinMatch  *self,
                                  LsBlockRealize *own,
                                  LsBlockRealize *asked);
gboolean ls_intrin_match_block   (LsIntrinMatch  *self,
                                  LsBlock        *own,
                                  LsBlock        *asked);

G_END_DECLS
