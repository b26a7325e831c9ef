/* course-window: all lessons as a map: what each is about, needs and builds on, how far one is, and which comes next. */
#pragma once

#include <gtk/gtk.h>

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* Shows the map; there is one. */
void      ls_course_window_show  (GtkApplication *application,
                                  GtkWindow      *near);
/* The lesson after this one, in its language and folder, or NULL. (transfer full) */
LsLesson *ls_course_find_next    (LsLesson       *lesson);
/* Folders of lessons that the user added. (transfer full) */
char    **ls_course_folders      (void);
void      ls_course_add_folder   (const char     *path);
/* "en" as "English"; a language that is not known as it is. */
const char *ls_course_language   (const char     *code);

G_END_DECLS
