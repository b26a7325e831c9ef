/* LsResults: do two programs give the same?  What the page for comparing says of it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LS_RESULTS_UNKNOWN,           /* not run yet */
  LS_RESULTS_RUNNING,
  LS_RESULTS_SAME,
  LS_RESULTS_DIFFERENT,
  LS_RESULTS_NOT_COMPARABLE,    /* they do not take the same arguments */
  LS_RESULTS_TROUBLE            /* a run ended without an answer */
} LsResultsState;

typedef struct {
  LsResultsState state;
  char          *words;         /* one sentence */
  char          *detail;        /* the next one, or NULL */
  double         fraction;      /* done, while it runs */
} LsResults;

/* Takes both texts. */
LsResults *ls_results_new  (LsResultsState   state,
                            char            *words,
                            char            *detail);
LsResults *ls_results_copy (const LsResults *self);
void       ls_results_free (LsResults       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsResults, ls_results_free)

G_END_DECLS
