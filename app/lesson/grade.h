/* grade: the answers of a class, each in a Python of its own. */
#pragma once

#include "app/lesson/runner.h"
#include "app/lesson/submission.h"

G_BEGIN_DECLS

typedef enum {
  LS_GRADE_DONE,
  LS_GRADE_UNREADABLE,          /* no submission */
  LS_GRADE_OTHER,               /* of another lesson */
} LsGradeStatus;

/* What came of one part. */
typedef struct {
  const LsLessonPart *part;
  guint               points, most;
  char               *note;     /* what went wrong first; or NULL */
} LsGradedPart;

typedef struct {
  char          *file;          /* its name */
  LsGradeStatus  status;
  char          *student, *saved;
  LsSeal         seal;
  GPtrArray     *parts;         /* of LsGradedPart: exercises, questions and runs that ask at stops, in the order of the lesson */
  guint          points, most;
  char          *notes;         /* about the whole: seal, what was tried, whose text it is too; or NULL */
  char          *print;         /* of the code, for comparing; or NULL */
} LsGrade;

typedef void (*LsGradeFunc) (const LsGrade *grade,
                             guint          done,
                             guint          all,
                             gpointer       data);

/* All files of `folder` that end in .json, `jobs` at a time, by their names; `func` (or NULL) hears of each when it is done, in the caller's thread.
 * An exercise gets `seconds` at most.  NULL with an error when the folder cannot be read, or when the lesson itself does not run. (transfer
 * full; of LsGrade) */
GPtrArray *ls_grade_folder (LsLesson     *lesson,
                            const char   *folder,
                            guint         jobs,
                            double        seconds,
                            LsGradeFunc   func,
                            gpointer      data,
                            GError      **error);

G_END_DECLS
