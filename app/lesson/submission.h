/* submission: what a student hands in: the answers to a lesson as one JSON file, with a seal. */
#pragma once

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

typedef enum {
  LS_SEAL_WHOLE,                /* the file is as it was saved, or somebody made the seal anew: it is no proof */
  LS_SEAL_BROKEN,               /* it was changed after it was saved */
  LS_SEAL_ABSENT,
} LsSeal;

/* One answer. */
typedef struct {
  char *part;                   /* its key: ls_lesson_keys() */
  char *kind;                   /* "exercise", "predict", "primitive", "stops" */
  char *value;                  /* code, the words of a choice, a name or a call, answers at stops (app/lesson/record.h) */
} LsSubmitted;

typedef struct {
  char      *lesson, *language, *student, *saved;
  GPtrArray *answers;           /* of LsSubmitted */
  LsSeal     seal;              /* of one that was read */
} LsSubmission;

/* Saved now, without answers yet. (transfer full) */
LsSubmission *ls_submission_new   (const char    *lesson,
                                   const char    *language,
                                   const char    *student);
void          ls_submission_free  (LsSubmission  *self);
void          ls_submission_add   (LsSubmission  *self,
                                   const char    *part,
                                   const char    *kind,
                                   const char    *value);
/* The value of a part, or NULL. */
const char   *ls_submission_get   (LsSubmission  *self,
                                   const char    *part);
/* As the text of a file, sealed. (transfer full) */
char         *ls_submission_print (LsSubmission  *self);
/* From such a text.  NULL with an error of LS_LESSON_ERROR that says what is wrong with it. (transfer full) */
LsSubmission *ls_submission_parse (const char    *text,
                                   gsize          length,
                                   GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSubmission, ls_submission_free)

G_END_DECLS
