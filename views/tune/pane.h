/* LsTrialPane: the candidate that is looked at, with what was drawn for it and how much of the spread each decision explains over all trials. */
#pragma once

#include "views/models/tuning.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_TRIAL_PANE (ls_trial_pane_get_type ())
G_DECLARE_FINAL_TYPE (LsTrialPane, ls_trial_pane, LS, TRIAL_PANE, GtkWidget)

GtkWidget *ls_trial_pane_new        (void);
/* Holds it; once. */
void       ls_trial_pane_set_tuning (LsTrialPane *self,
                                     LsTuning    *tuning);

G_END_DECLS
