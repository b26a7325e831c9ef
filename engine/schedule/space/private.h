/* private: what the rules share. */
#pragma once

#include "engine/schedule/legal/legal.h"
#include "engine/schedule/space/space.h"

G_BEGIN_DECLS

/* A rule makes of a schedule one or several: it adds them to `made` (of LsSchedule, owned); it may add the given one. */
typedef void (*LsSpaceRule) (LsSchedule           *schedule,
                             LsVar                *block,
                             const LsSpaceOptions *options,
                             GPtrArray            *made);

void      ls_rule_inline_constants (LsSchedule *schedule, LsVar *block, const LsSpaceOptions *options, GPtrArray *made);
void      ls_rule_auto_inline      (LsSchedule *schedule, LsVar *block, const LsSpaceOptions *options, GPtrArray *made);
void      ls_rule_add_rfactor      (LsSchedule *schedule, LsVar *block, const LsSpaceOptions *options, GPtrArray *made);
void      ls_rule_tiling           (LsSchedule *schedule, LsVar *block, const LsSpaceOptions *options, GPtrArray *made);
void      ls_rule_parallelize      (LsSchedule *schedule, LsVar *block, const LsSpaceOptions *options, GPtrArray *made);
void      ls_rule_compute_location (LsSchedule *schedule, LsVar *block, const LsSpaceOptions *options, GPtrArray *made);

/* ---- finish-marks.c ----------------------------------------------------- */

/* Does what is marked at the roots; FALSE: a step was refused. */
gboolean  ls_space_rewrite_marks   (LsSchedule *schedule);

/* ---- step.c ------------------------------------------------------------- */

/* Applies a primitive.  Pairs of a parameter's name and its value (LsNode, taken) follow, NULL at the end; the others have
 * their defaults.  Returns the handles that it gives (empty: none), NULL when it is refused. Borrowed. */
LsArray  *ls_space_step            (LsSchedule    *schedule,
                                    LsDiagnostics *findings,
                                    const char    *name,
                                    ...) G_GNUC_NULL_TERMINATED;
#define ls_space_handle(outputs, i) ls_array_at ((outputs), (i), LsVar)
/* The place of a handle; NULL: it is gone. Borrowed. */
LsSref   *ls_space_place           (LsSchedule    *schedule,
                                    LsVar         *handle);
/* A branch with random numbers of its own. (transfer full) */
LsSchedule *ls_space_fork          (LsSchedule    *schedule);

/* ---- analysis.c --------------------------------------------------------- */

/* What kind of iteration variables a loop drives: LS_ITER_DATA_PAR, LS_ITER_COMM_REDUCE, or -1: several or others. */
gint      ls_loop_iter_type        (LsState       *state,
                                    LsSref        *loop);
/* -1: unknown. */
gint64    ls_loop_extent           (LsSref        *loop);
gboolean  ls_block_is_spatial      (LsSref        *block);
/* Each variable of the block is one of its loops, in order. */
gboolean  ls_block_is_trivial      (LsState       *state,
                                    LsSref        *block);
gboolean  ls_block_is_tiled        (LsSref        *block);
/* Are there values that several instances of the block use? */
gboolean  ls_needs_tiling          (LsState       *state,
                                    LsSref        *block);
/* Is each index of the read a constant or, shifted by a constant at most, an index of the write: each once at most, in
 * their order?  FALSE where the write is not at plain variables. */
gboolean  ls_reads_in_order        (LsBufferRegion *read,
                                    LsBufferRegion *write);
/* All blocks of the function are spatial. */
gboolean  ls_func_is_spatial       (LsState       *state,
                                    LsSref        *block);
#define LS_TILING_STRUCTURE "meta_schedule.tiling_structure"

G_END_DECLS
