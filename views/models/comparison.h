/* LsComparison: two programs side by side, as the Compare page and the report show them.
 *
 * Filled in by the session, then only read: each that shows it holds it.  The texts carry the marks of ls_script_text_compare().
 */
#pragma once

#include "views/models/nest-link.h"
#include "views/models/script-text.h"
#include "views/models/step-item.h"

G_BEGIN_DECLS

typedef struct {
  char         *title;          /* "main 0 · as opened" */
  GPtrArray    *loops;          /* roots, of LsLoopItem */
  LsScriptText *text;
  LsStepTime    time;
  double       *samples;        /* seconds; time.samples of them, or NULL */
  double        flop;           /* 0: unknown */
} LsComparedSide;

typedef struct {
  gatomicrefcount refs;
  LsComparedSide left;
  LsComparedSide right;
  GArray        *links;         /* of LsNestLink */
  GPtrArray     *labels;        /* of LsNestLabel */
  GPtrArray     *counts;        /* of char: "1 split" */
  char          *verdict;       /* one sentence on the times */
  char          *why;           /* the next sentence, or NULL */
  char          *distance;      /* "5 steps apart" */
  gboolean       same;          /* the programs are equal */
} LsComparison;

/* A run of changed lines: first and last line (from 0) on each side, -1 where there is none. */
typedef struct {
  int left_first, left_last;
  int right_first, right_last;
} LsTextChange;

LsComparison *ls_comparison_new   (void);
LsComparison *ls_comparison_ref   (LsComparison  *self);
void          ls_comparison_unref (LsComparison  *self);
/* Holds `comparison` (or NULL) in the place of what `holder` holds. */
void          ls_comparison_set   (LsComparison **holder,
                                   LsComparison  *comparison);
/* Both texts, which were compared, in one: gone lines before the new ones that stand for them. (transfer full) */
LsScriptText *ls_script_text_one_column (LsScriptText *before,
                                         LsScriptText *after);
/* The same of both sides. (transfer full) */
LsScriptText *ls_comparison_one_column (LsComparison *self);
/* The changes of two compared texts in order; with `left` NULL those of one column. (transfer full) of LsTextChange */
GArray       *ls_comparison_changes    (LsScriptText *left,
                                        LsScriptText *right);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsComparison, ls_comparison_unref)

G_END_DECLS
