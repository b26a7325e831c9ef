/* LsTrialList: the candidates of a search, fastest first: what the charts show, for the keyboard and the screen reader.  Arrows look at a
 * candidate, Enter or a click opens it. */
#pragma once

#include "views/models/tuning.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_TRIAL_LIST (ls_trial_list_get_type ())
G_DECLARE_FINAL_TYPE (LsTrialList, ls_trial_list, LS, TRIAL_LIST, GtkWidget)

GtkWidget *ls_trial_list_new        (void);
/* Holds it; once. */
void       ls_trial_list_set_tuning (LsTrialList *self,
                                     LsTuning    *tuning);

G_END_DECLS
