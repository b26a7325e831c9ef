/* practice/question: questions without end about the steps of a history.  No widgets: rows in, a question out.
 *
 *   which    a change is shown: which primitive made it?
 *   next     a change is shown: which primitive came next?
 *   faster   two steps that were measured: which one is faster?
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  LS_PRACTICE_WHICH,
  LS_PRACTICE_NEXT,
  LS_PRACTICE_FASTER,
} LsPracticeKind;

#define LS_PRACTICE_CHOICES 4

typedef struct {
  LsPracticeKind kind;
  guint          left, right;   /* ids of the steps that are shown; the same twice: one program */
  guint          subject;       /* id of the step that is the answer (which, next) */
  char          *choices[LS_PRACTICE_CHOICES];
  guint          n_choices;
  guint          answer;        /* of the choices */
} LsPracticeQuestion;

/* Another question about the rows (of LsStepItem), as far as they were done; not `last` (or NULL) again where there is another one.
 * A step that is faster is asked for only where both were measured on the same machine and quartile ranges are apart, or it is known that
 * there is no difference.  NULL: there is no step. (transfer full) */
LsPracticeQuestion *ls_practice_ask  (GListModel               *rows,
                                      GRand                    *random,
                                      const LsPracticeQuestion *last);
void                ls_practice_free (LsPracticeQuestion       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPracticeQuestion, ls_practice_free)

G_END_DECLS
