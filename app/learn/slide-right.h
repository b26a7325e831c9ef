/* slide-right: the right side of a slide, beside its words: what the page's code gave, a program, a picture, an exercise. */
#pragma once

#include "app/learn/play.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Fills `box` with what belongs to the page that `play` is at: what the page gave, compared with what was shown before; what was shown before,
 * when it gave nothing; else code.  Nothing is left in the box where there is nothing of these.  A pane or an exercise that is there already
 * stays as it is, so that it can be stepped and written into.  `folder`: of the lesson, for its pictures. `room`: lines of code that fit. */
void ls_slide_fill_right (GtkWidget  *box,
                          LsPlay     *play,
                          const char *folder,
                          guint       room);

G_END_DECLS
