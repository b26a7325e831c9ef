/* memory: which values of a function are there at the same time, and how large they are: each from the call that makes it to the last one that uses it.
 * What the machine needs is more where storage is not given back, less where values share it (reshape, in place). */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

typedef struct {
  guint  node;                  /* that makes the value */
  guint  from, to;              /* places among the calls, from 0: made by, last used by; the number of calls: it is a result */
  double bytes;                 /* below 0: its shape is not known */
  double offset;                /* where it lies in one storage when each value gets the first gap that is free as long as it is there */
} LsGraphLifetime;

typedef struct {
  GArray *lifetimes;            /* of LsGraphLifetime, values that calls make, in program order */
  GArray *calls;                /* of guint: their nodes */
  GArray *at;                   /* of double: bytes of all values that are there while a call runs */
  guint   peak;                 /* the call with most of them; the first */
  double  peak_bytes;
  double  plan_bytes;           /* of that storage: the peak, or more where gaps do not fit */
  double  fixed_bytes;          /* parameters, weights and constants, which are always there */
  guint   n_unknown;            /* values whose size is not known: they count as nothing */
} LsGraphMemory;

/* Of a graph that nothing is folded in. (transfer full) */
LsGraphMemory *ls_graph_memory_new  (LsGraph       *graph);
void           ls_graph_memory_free (LsGraphMemory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphMemory, ls_graph_memory_free)

G_END_DECLS
