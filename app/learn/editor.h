/* editor: the Markdown text of a lesson, with what is wrong at its lines, beside the lesson's own window, which shows what is written while it
 * is written. */
#pragma once

#include "app/learn/lesson-window.h"

G_BEGIN_DECLS

/* The editor of the window's file, or that which is open already.  It goes with the window, and asks about what is not saved. */
void ls_lesson_editor_show (LsLessonWindow *window);

G_END_DECLS
