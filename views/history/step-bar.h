/* LsStepBar: the spine: first, previous, the track of steps, next, last, place.
 *
 * The track is one drawn widget with role slider; its value text reads "step 3 of
 * 5, reverse_compute_at, 225 µs". Click, drag, wheel, arrows, Home and End.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_STEP_BAR (ls_step_bar_get_type ())
G_DECLARE_FINAL_TYPE (LsStepBar, ls_step_bar, LS, STEP_BAR, GtkWidget)

GtkWidget *ls_step_bar_new          (void);
void       ls_step_bar_set_session  (LsStepBar *self,
                                     LsSession *session);
/* Without captions the bar is 48 px high. */
void       ls_step_bar_set_captions (LsStepBar *self,
                                     gboolean   captions);
/* Hides the buttons to the first and last step. */
void       ls_step_bar_set_narrow   (LsStepBar *self,
                                     gboolean   narrow);

G_END_DECLS
