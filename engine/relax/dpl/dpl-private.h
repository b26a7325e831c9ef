/* dpl-private: the graph of patterns that a context holds. */
#pragma once

#include "engine/relax/dpl/dpl.h"

G_BEGIN_DECLS

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

G_END_DECLS
