/* mapping: which loops a tensor intrinsic would take, and which layout would make a block fit it.
 *
 * What automatic schedules ask before they tile, pad or relayout for tensorize; nothing here changes a program.
 */
#pragma once

#include "engine/schedule/step/step.h"

G_BEGIN_DECLS

typedef struct {
  LsArray *loops;               /* of For of the program, innermost variable of the description first */
  LsArray *asked;               /* of For of the description: what each of them is */
  LsArray *desc_loops;          /* all For of the description, outermost first */
  LsArray *paddings;            /* of IntImm, one for each variable of the block: pad to multiples of it; NULL: none needed */
} LsTensorizeLoops;

typedef struct {
  LsArray    *mappings;         /* of IndexMap, from the block's variables to those of the description behind what is left */
  LsArray    *own_buffers;      /* of Buffer of the program ... */
  LsArray    *asked_buffers;    /* ... and what each of them is in the description */
  LsArray    *asked_indices;    /* of Array: how the description indexes that */
  LsArray    *own_iters;        /* of IterVar */
  LsArray    *asked_iters;      /* of IterVar */
} LsTensorizeMapping;

/* The loops around the block that stand for those of `desc`; NULL: there are none, or their extents are no multiples of the
 * description's (with `allow_padding` and plain bindings that is no obstacle). (transfer full) */
LsTensorizeLoops   *ls_tensorize_loops        (LsSchedule         *schedule,
                                               LsVar              *block,
                                               LsPrimFunc         *desc,
                                               gboolean            allow_padding);
void                ls_tensorize_loops_free   (LsTensorizeLoops   *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTensorizeLoops, ls_tensorize_loops_free)

/* How the block's variables would have to be fused for its buffers to be indexed as those of `desc` are.  NULL: it computes
 * something else, or there is not exactly one way. (transfer full) */
LsTensorizeMapping *ls_tensorize_mapping      (LsSchedule         *schedule,
                                               LsVar              *block,
                                               LsPrimFunc         *desc);
void                ls_tensorize_mapping_free (LsTensorizeMapping *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTensorizeMapping, ls_tensorize_mapping_free)

/* A layout of the buffer in which what lies side by side in memory is what the innermost of the loops (of For, outermost first)
 * run through, when it is accessed at `indices` where `predicate` holds.  NULL: the indices are no map of the loops. (transfer full) */
LsIndexMap         *ls_suggest_index_map      (LsBuffer           *buffer,
                                               LsArray            *indices,
                                               LsArray            *loops,
                                               LsExpr             *predicate);

G_END_DECLS
