/* lesson/record: the run that view=run steps through, written down from what a cell showed. */
#pragma once

#include "app/kernel/kernel.h"
#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* What ls_debug_record() tells of the one function of TensorIR in `view`, what the kernel says of a shown program, with the stops of the part.  NULL with
 * an error: there is no such function, it cannot be run without being told sizes, or a stop is none. (transfer full) */
GVariant *ls_lesson_record (GVariant            *view,
                            const LsLessonPart  *part,
                            GError             **error);

/* The same of the last thing in `outputs` that has a view of its own; NULL without an error: there is none. (transfer full) */
GVariant *ls_lesson_record_shown (LsOutputs           *outputs,
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

/* Answers at stops as they are kept and handed in: a line for each, "12 C[0, 1]": how many statements were begun, and what was answered. */

/* The answer at `at`, or NULL. (transfer full) */
char     *ls_lesson_stops_get     (const char *answers,
                                   guint       at);
/* With another answer at `at`, in the order of the statements. `answers` may be NULL. (transfer full) */
char     *ls_lesson_stops_set     (const char *answers,
                                   guint       at,
                                   const char *given);
/* How many stops of the record ask something (`asked`), and at how many of them the answer is right; `answered`: at how many there is one.  `first`
 * (or NULL) gets what was wrong or is missing first. (transfer full) */
guint     ls_lesson_stops_judge   (GVariant    *record,
                                   gboolean     is_value,
                                   const char  *answers,
                                   guint       *answered,
                                   guint       *asked,
                                   char       **first);

G_END_DECLS
