/* LsThreadsPicture: one access of a warp: the lanes, the sectors or banks that they touch, who collides; or the two threads of a race; or a
 * layout: where the elements of a buffer are. */
#pragma once

#include "views/threads/layout.h"

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
/* Shows a layout, which is borrowed as the threads are; `place`: what this lane, thread or bank has stands out, -1: none. */
void       ls_threads_picture_show_layout  (LsThreadsPicture      *self,
                                            const LsThreadsLayout *layout,
                                            int                    place);
/* The same drawing without a widget: a layout, or a finding, or an event (-1: none of them), into the figure, whose size it sets. */
void       ls_threads_draw                 (LsFigure         *figure,
                                            const LsThreads  *threads,
                                            int               event,
                                            int               finding,
                                            const LsThreadsLayout *layout,
                                            int               place);
/* What is shown, for a file: draws into the figure and sets its size. */
void       ls_threads_picture_draw         (LsThreadsPicture *self,
                                            LsFigure         *figure);

G_END_DECLS
