/* shown: what a slide of a page shows beside its words, found by a walk through what was run. */
#pragma once

#include "app/learn/play.h"

G_BEGIN_DECLS

typedef struct {
  const char *text;             /* the program that was shown last, on this page or before it; or NULL */
  const char *before;           /* the one that it came from, or NULL */
  const char *png;              /* a picture that the page gave, Base64, or NULL */
  const char *code;             /* of the cell of the page that ran last and printed, else of the one that comes next, else of the last; or NULL */
  int         pane;             /* the part of the page whose view is no program: graph, chart, history; or -1 */
  const char *mark;             /* what is marked in `text`, or NULL */
  gboolean    here;             /* `text` was shown on this page */
  const char *sentence;         /* what was wrong with the cell that ran last, or NULL */
  gboolean    next;             /* a cell of the page did not run yet */
  char       *printed;          /* what the cell that ran last printed, or NULL; owned, the rest is the play's */
} LsShown;

/* Walks up to the end of the play's page, or up to a question that nobody answered yet: what comes then is its answer. */
void ls_shown_find  (LsShown *self,
                     LsPlay  *play);
void ls_shown_clear (LsShown *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsShown, ls_shown_clear)

G_END_DECLS
