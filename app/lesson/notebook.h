/* notebook: a notebook of Jupyter as a lesson's text, and a lesson as a notebook. */
#pragma once

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* What a part printed when it was run, or NULL. (transfer full) */
typedef char *(*LsNotebookFunc) (const LsLessonPart *part,
                                 gpointer            data);

/* Does the text look like a notebook? */
gboolean ls_notebook_is          (const char      *text);
/* A notebook as a text for ls_lesson_parse(), which does this by itself.  NULL with an error of LS_LESSON_ERROR when it cannot be read.
 * (transfer full) */
char    *ls_notebook_to_lesson   (const char      *text,
                                  GError         **error);
/* A lesson as a notebook; `text` is what it was read from, `outputs` (or NULL) says what cells printed.  Hints, solutions and notes are
 * not in it. (transfer full) */
char    *ls_notebook_from_lesson (LsLesson        *lesson,
                                  const char      *text,
                                  LsNotebookFunc   outputs,
                                  gpointer         data);

G_END_DECLS
