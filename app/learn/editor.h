/* editor: the Markdown text of a lesson, with what is wrong at its lines, beside the lesson's own window, which shows what is written while it
 * is written. */
#pragma once

#include "app/learn/lesson-window.h"

G_BEGIN_DECLS

/* Shows a lesson in the place of the one that a window has: the same file as it is being written. */
typedef void (*LsLessonPreview) (LsLessonWindow *window,
                                 LsLesson       *lesson,
                                 LsDiagnostics  *findings);

/* The editor of the window's file, or that which is open already.  It goes with the window, and asks about what is not saved. */
void ls_lesson_editor_show (LsLessonWindow  *window,
                            LsLessonPreview  preview);

G_END_DECLS
