/* liveness: a statement as a line of points, with what each touches of the memory that is allocated inside. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* A point: a leaf (a store, an evaluation), or the begin or end of a scope (loop, condition, binding, threads). */
typedef struct {
  LsNode    *stmt;              /* borrowed */
  gint       pair;              /* 0: a leaf; from a begin to its end, from an end back to its begin */
  GPtrArray *touched;           /* Vars that are used here; at a scope's end those from outside of it */
  GPtrArray *gen;               /* Vars whose life begins: at the end of a scope, or at a leaf */
  GPtrArray *kill;              /* Vars whose life ends, in the order of their last uses */
} LsLivePoint;

typedef struct {
  LsAllocate *allocate;         /* borrowed */
  guint       level;            /* scopes around it */
  gboolean    pointed;          /* a pointer into it has a name, and what is reached by that is it too */
  gboolean    used;             /* something names it: an access, an expression, an attribute; a declaration alone does not count */
} LsLiveAllocation;

typedef struct {
  GPtrArray  *points;           /* of LsLivePoint, in the order of the program */
  GHashTable *allocations;      /* Var -> LsLiveAllocation */
  GHashTable *accessed;         /* Buffers that are loaded or stored */
} LsLiveness;

/* Says of an attribute whether a scope begins at it. */
typedef gboolean (*LsLiveScope) (LsAttrStmt *attr, gboolean in_threads);

/* Walks a body.  `is_scope` NULL: the outermost threads, virtual threads and extern_scope are scopes. */
LsLiveness *ls_liveness_new  (LsStmt      *body,
                              LsLiveScope  is_scope);
void        ls_liveness_free (LsLiveness  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLiveness, ls_liveness_free)

G_END_DECLS
