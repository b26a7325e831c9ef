/* tuning-tree: what was drawn in words, and the tree of decisions as items of a list. */
#pragma once

#include "engine/tune/tune.h"
#include "views/models/decision-item.h"

G_BEGIN_DECLS

/* "j: factor 4 of 4". (transfer full) */
char *ls_decision_words_name  (const LsTuneDecision *decision);
/* "16". (transfer full) */
char *ls_decision_words_value (const LsTuneDecision *decision);
/* Adds what stands below an item, of LsDecisionItem; `tree` may be NULL, `above` NULL: at its root. */
void  ls_tuning_tree_branch   (LsTuneTree           *tree,
                               LsDecisionItem       *above,
                               GPtrArray            *below);

G_END_DECLS
