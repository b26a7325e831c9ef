/* dpl-private: the graph of patterns that a context holds; what was found not to fit. */
#pragma once

#include "engine/relax/dpl/dpl.h"

G_BEGIN_DECLS

/* found.c; match.c takes back what was found on a way that led nowhere. */
struct _LsPatternMatch {
  GHashTable *exprs;            /* LsPattern -> LsNode, both kept */
  GPtrArray  *order;            /* of LsPattern */
  GHashTable *origins;          /* LsPattern -> the variable that was followed (borrowed) */
};

typedef struct _LsPatternPart LsPatternPart;

typedef struct {
  LsPatternPart *to;
  gboolean       only;
  int            index;         /* -1: any */
} LsPatternEdge;

struct _LsPatternPart {
  LsPattern *pattern;
  GArray    *edges;             /* of LsPatternEdge, in the order in which they came */
  gboolean   has_producer;
};

struct _LsPatternContext {
  GHashTable *parts;            /* LsPattern -> LsPatternPart */
  GPtrArray  *all;              /* of LsPatternPart, owned */
  GPtrArray  *sources;          /* those with edges, in the order in which they came */
  GPtrArray  *constraints;      /* of LsSameShape */
};

LsPatternPart *ls_pattern_context_part (LsPatternContext *self,
                                        LsPattern        *pattern);

/* ---- failures.c --------------------------------------------------------- */

typedef struct _LsFailures LsFailures;

/* For one match of `root`, which it borrows. */
LsFailures *ls_failures_new  (LsPattern      *root);
void        ls_failures_free (LsFailures     *self);
/* Is it known that this part does not fit this expression, with what `match` has so far? */
gboolean    ls_failures_has  (LsFailures     *self,
                              LsPattern      *pattern,
                              LsNode         *expr,
                              LsPatternMatch *match);
void        ls_failures_add  (LsFailures     *self,
                              LsPattern      *pattern,
                              LsNode         *expr,
                              LsPatternMatch *match);

/* ---- match.c ------------------------------------------------------------ */

/* How many pairs of a part and an expression the last match of this thread looked at: for tests. */
guint       ls_pattern_match_last_visits (void);

G_END_DECLS
