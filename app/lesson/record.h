/* lesson/record: the run that view=run steps through, written down from what a cell showed. */
#pragma once

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* What ls_debug_record() tells of the one function of TensorIR in `view`, what the kernel says of a shown program, with the stops of the part.  NULL with
 * an error: there is no such function, it cannot be run without being told sizes, or a stop is none. (transfer full) */
GVariant *ls_lesson_record (GVariant            *view,
                            const LsLessonPart  *part,
                            GError             **error);

/* The next write from statement `at` on: in words ("C[0, 1]") and its value. FALSE: none comes. (transfer full) */
gboolean  ls_lesson_record_next_write (GVariant *record,
                                       guint     at,
                                       char    **words,
                                       double   *value);
/* Does an answer to "what is written next?" name this element, or, where `is_value`, this value (to three digits)? */
gboolean  ls_lesson_record_is_right   (const char *answer,
                                       gboolean    is_value,
                                       const char *words,
                                       double      value);

G_END_DECLS
