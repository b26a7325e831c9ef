/* LsStepTrack: the drawn part of the step bar; private to it. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_STEP_TRACK (ls_step_track_get_type ())
G_DECLARE_FINAL_TYPE (LsStepTrack, ls_step_track, LS, STEP_TRACK, GtkWidget)

GtkWidget *ls_step_track_new          (void);
void       ls_step_track_set_session  (LsStepTrack *self,
                                       LsSession   *session);
void       ls_step_track_set_captions (LsStepTrack *self,
                                       gboolean     captions);

G_END_DECLS
