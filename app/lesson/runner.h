/* runner: a lesson run in the kernel from its first cell to its last, without a window. */
#pragma once

#include "app/kernel/kernel.h"
#include "app/lesson/lesson.h"

G_BEGIN_DECLS

typedef enum {
  LS_RUN_PASSED,
  LS_RUN_FAILED,
  LS_RUN_SKIPPED,               /* a module is missing, `skip`, no Python, or the kernel was gone */
} LsRunStatus;

typedef struct {
  const LsLessonPart *part;
  LsRunStatus         status;
  char               *sentence; /* why, or "" */
  char               *trouble;  /* a traceback, or NULL */
  LsOutputs          *outputs;  /* or NULL */
  double              ns;
  GPtrArray          *cases;    /* of GVariant a{sv}: name, passed, message; or NULL */
  GVariant           *answer;   /* of a generated question: a{sv} with before, after, choices, primitive, line; or NULL */
} LsRunReport;

typedef void (*LsRunFunc) (const LsRunReport *report,
                           gpointer           data);

/* Runs cells, exercises (their solution) and generated questions, in order.  With `check` also: expected outputs and exceptions are
 * compared, what a cell's view is to open must be there, and the start of an exercise must not solve it.  `func` hears of each part
 * when it is done.  Returns how many failed. */
guint       ls_lesson_run           (LsLesson           *lesson,
                                     LsKernel           *kernel,
                                     gboolean            check,
                                     LsRunFunc           func,
                                     gpointer            data);
/* What was wrong, from the kernel's answer to a cell, in a sentence: "vectorize is refused: …" of a refused step, the first finding of the
 * engine where the message has some, else what the exception says. (transfer full) */
char       *ls_run_describe_problem (GVariant           *answer);
/* "passed", "failed", "skipped". */
const char *ls_run_status_name      (LsRunStatus         status);

/* Parameters of the kernel's request for a cell ("run") and an exercise ("cases", with this code). (transfer floating) */
GVariant   *ls_lesson_cell_params     (LsLesson           *lesson,
                                       const LsLessonPart *part,
                                       const char         *code);
GVariant   *ls_lesson_exercise_params (const LsLessonPart *part,
                                       const char         *code);
GVariant   *ls_lesson_primitive_params (const LsLessonPart *part,
                                        guint               round,
                                       const char         *answer);
/* Modules and data sets of "a, b c" that are not there, and what would install them; NULL when all are there, or the kernel cannot be
 * asked. (transfer full) */
char       *ls_lesson_missing         (LsKernel           *kernel,
                                       const char         *needs);

G_END_DECLS
