/* LsDecisionTree: which decisions of a search matter, as a tree: the decisions with the share of the spread that each explains, below one its values with their best and
 * median times, below a value the decisions among its programs.  Arrows go through it, right and left open and close; Enter or a double click on a value looks at
 * its fastest candidate. */
#pragma once

#include "views/models/tuning.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_DECISION_TREE (ls_decision_tree_get_type ())
G_DECLARE_FINAL_TYPE (LsDecisionTree, ls_decision_tree, LS, DECISION_TREE, GtkWidget)

GtkWidget *ls_decision_tree_new        (void);
/* Holds it; once. */
void       ls_decision_tree_set_tuning (LsDecisionTree *self,
                                        LsTuning       *tuning);

G_END_DECLS
