/* LsThreadsPicture: one access of a warp: the lanes, the sectors or banks that they touch, who collides; or the two threads of a race. */
#pragma once

#include "views/canvas/figure.h"
#include "views/threads/model.h"

G_BEGIN_DECLS

#define LS_TYPE_THREADS_PICTURE (ls_threads_picture_get_type ())
G_DECLARE_FINAL_TYPE (LsThreadsPicture, ls_threads_picture, LS, THREADS_PICTURE, GtkWidget)

GtkWidget *ls_threads_picture_new          (void);
/* Borrows; the picture needs it as long as it shows it.  NULL: nothing. */
void       ls_threads_picture_set          (LsThreadsPicture *self,
                                            const LsThreads  *threads);
/* Shows an event, by its number. */
void       ls_threads_picture_show_event   (LsThreadsPicture *self,
                                            guint             event);
/* Shows a finding. */
void       ls_threads_picture_show_finding (LsThreadsPicture *self,
                                            guint             finding);
/* What is shown, for a file: draws into the figure and sets its size. */
void       ls_threads_picture_draw         (LsThreadsPicture *self,
                                            LsFigure         *figure);

G_END_DECLS
