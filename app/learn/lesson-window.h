/* LsLessonWindow: a lesson, page by page: prose and cells at the left, results at the right.
 *
 * Actions: win.next (Shift+Enter: runs or asks what comes next, then turns the page), win.next-page, win.previous-page, win.stop,
 * win.restart, win.reset, win.present, win.workbench, win.lesson(s: another lesson's path).
 */
#pragma once

#include <gtk/gtk.h>

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

#define LS_TYPE_LESSON_WINDOW (ls_lesson_window_get_type ())
G_DECLARE_FINAL_TYPE (LsLessonWindow, ls_lesson_window, LS, LESSON_WINDOW, GtkApplicationWindow)

/* Opens program text in the workbench. */
typedef void (*LsWorkbenchFunc) (GtkApplication *application,
                                 const char     *name,
                                 const char     *text,
                                 const char     *steps);

/* Is this a file for ls_lesson_window_open()? */
gboolean   ls_lesson_window_takes    (GFile           *file);
/* A window on a lesson of the file; one that cannot be read is told in the window.  `place` (may be NULL) is where to go:
 * "step=4", "cell=3", or the id of a part. (transfer none, floating) */
GtkWidget *ls_lesson_window_new      (GtkApplication  *application,
                                      GFile           *file,
                                      const char      *place,
                                      LsWorkbenchFunc  workbench);
/* The list of lessons that come with the program, for menus: sections by language. (transfer full) */
GMenuModel *ls_lesson_menu_new       (void);
/* "loopscope:///lesson/loops?step=4" or "loops?step=4": the file of the lesson, and in *place the rest; NULL when there is no such
 * lesson. (transfer full) */
GFile     *ls_lesson_link_resolve    (const char      *link,
                                      char           **place);
/* Accelerators, once per application. */
void       ls_lesson_window_set_accels (GtkApplication *application);

G_END_DECLS
