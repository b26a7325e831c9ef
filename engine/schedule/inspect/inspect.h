/* inspect: what can be known of a program without running it: who depends on whom, what a loop touches, how long buffers
 * live, and which loop came from which.
 *
 * Everything is counted from the regions that blocks declare.  Nodes in the results are borrowed from the module.
 */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

typedef enum { LS_DEPENDENCE_RAW, LS_DEPENDENCE_WAW, LS_DEPENDENCE_WAR } LsDependenceKind;
const char *ls_dependence_kind_name (LsDependenceKind kind);        /* "RAW" */

/* Block `to` comes after `from` and has to, because of a buffer. */
typedef struct {
  LsBlock         *from;
  LsBlock         *to;
  LsDependenceKind kind;
  LsBuffer        *buffer;
} LsDependence;
/* Between the blocks of each scope of a function, ordered by `to`.  Buffers count as wholes; blocks that only add to
 * the same buffer, and a reduction's read of its own output, are no dependence of a block on itself. (transfer full) */
GArray     *ls_inspect_dependences (LsPrimFunc *func);

/* Which of the first rounds of a loop needs which.  Rounds are numbered outer * n_inner + inner, where the inner loop is the
 * one directly in the loop (n_inner is 1 without one); nodes are borrowed. */
typedef struct {
  guint            from;
  guint            to;          /* another one */
  LsDependenceKind kind;
  LsBuffer        *buffer;
  LsBlock         *from_block;
  LsBlock         *to_block;
} LsRoundEdge;
typedef struct {
  LsFor  *outer;
  LsFor  *inner;                /* or NULL */
  guint   n_outer;
  guint   n_inner;
  GArray *edges;                /* of LsRoundEdge, by `to` */
  GArray *blocks;               /* of LsBlock *: what ran, in the order of its first time */
} LsRoundDeps;
/* The first `most` rounds of the loop and `most_inner` of the loop directly in it, counted from declared regions with the loops around
 * at their first round.  (transfer full) */
LsRoundDeps *ls_inspect_rounds     (LsPrimFunc *func,
                                    LsFor      *loop,
                                    guint       most,
                                    guint       most_inner);
void         ls_round_deps_free    (LsRoundDeps *self);
/* Some round of the outer loop needs another one of it. */
gboolean     ls_round_deps_carried (const LsRoundDeps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRoundDeps, ls_round_deps_free)

/* What one execution of a whole loop (or block) touches of one buffer: the box around all regions, outer loops at their
 * first iteration.  -1: not known. */
typedef struct {
  LsBuffer *buffer;
  gboolean  is_read, is_written;
  gint64    elements;
  gint64    bytes;
  gint64    lines;              /* cache lines, for a buffer that begins on one */
  gint64    per_iteration;      /* elements that one iteration of the loop touches */
  gint64    accesses;           /* how often elements are accessed, counted by declared regions */
} LsFootprint;
/* For a For or Block node of the function, buffers in the order of their first access. (transfer full) of LsFootprint */
GArray     *ls_inspect_footprint   (LsPrimFunc *func,
                                    LsNode     *node,
                                    guint       line_bytes);

/* Between its first and its last use a buffer has to be kept. */
typedef struct {
  LsBuffer *buffer;
  gboolean  is_param;
  LsBlock  *first;              /* blocks in program order; NULL when nothing uses it */
  LsBlock  *last;
  guint     first_position, last_position;
  LsNode   *around;             /* the lowest loop around all uses, or NULL */
  gint64    bytes;              /* -1: not known */
} LsLifetime;
/* Parameters first, then allocations; *peak_bytes (may be NULL) is the most that allocations take at one time, -1 when not
 * known. (transfer full) of LsLifetime */
GArray     *ls_inspect_lifetimes   (LsPrimFunc *func,
                                    gint64     *peak_bytes);

/* A loop in the history of a schedule.  Owned by the tree. */
typedef struct _LsLoopNode LsLoopNode;
struct _LsLoopNode {
  char       *name;             /* as it was last called */
  guint       id;               /* lineage id */
  guint       step;             /* the step that made it, counting those that are not pure, from 1; 0: the first program */
  LsLineageHow how;
  gboolean    is_alive;         /* in the current program */
  GPtrArray  *children;         /* of LsLoopNode, borrowed; a fused loop is the child of each that it came from */
  GPtrArray  *parents;
};
/* All loops that there ever were, in the order in which they came; the roots have no parents. (transfer full) of LsLoopNode */
GPtrArray  *ls_schedule_loop_tree  (LsSchedule *schedule);

G_END_DECLS
