/* space: the schedules that are worth trying for a program, made from it by rules, as TVM's meta_schedule does for a CPU.
 *
 *   space             PostOrderApply: each rule in turn on each block, consumers first; a rule may give several schedules
 *   inline            AutoInline, with the constants of InlineConstantScalars
 *   rfactor           AddRFactor
 *   tiling            MultiLevelTiling, "SSRSRS", with a write cache or without
 *   mark              ParallelizeVectorizeUnroll, RandomComputeLocation
 *   finish            postprocs: DisallowDynamicLoop, RewriteParallelVectorizeUnroll (finish-marks), RewriteReductionBlock
 *
 * RewriteLayout is the Python package's: it changes only buffers marked as free to lay out, which no frontend here marks.
 */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

typedef struct {
  gint64 n_cores;               /* 0: those of this machine */
  gint64 max_jobs_per_core;     /* 0: 16 */
  gint64 max_innermost_factor;  /* 0: 64 */
  gint64 max_vectorize_extent;  /* 0: 64 */
  const char *func;             /* only the blocks of this function; NULL: of all */
} LsSpaceOptions;

/* How many designs there are at most.  The rules give up to three for each block, so twenty blocks have billions: then each design takes, for
 * the blocks where all would be too many, one that is drawn from the seed. */
#define LS_SPACE_MOST_DESIGNS 1024

/* The designs: schedules whose traces sample what is left open.  options may be NULL. (transfer full) of LsSchedule */
GPtrArray *ls_space_designs      (LsModule             *module,
                                  const LsSpaceOptions *options,
                                  gint64                seed);
/* The names of the rules in their order: "InlineConstantScalars", "AutoInline", ...; NULL at the end. */
extern const char *const ls_space_rules[];
/* The schedules that one rule makes of one at a block; NULL: there is no such rule. (transfer full) of LsSchedule */
GPtrArray *ls_space_apply_rule   (LsSchedule           *schedule,
                                  LsVar                *block,
                                  const char           *rule,
                                  const LsSpaceOptions *options);
/* The names of the postprocs in their order; NULL at the end. */
extern const char *const ls_space_postprocs[];
/* One of them; FALSE with findings: the program is not one that is measured.  An unknown name does nothing. */
gboolean   ls_space_postproc     (LsSchedule           *schedule,
                                  const char           *name,
                                  LsDiagnostics        *findings);
/* The first loop of a function or module whose extent is no number, which the first of them refuses; or NULL. Borrowed. */
const LsFor *ls_space_dynamic_loop (gpointer            program);
/* Finishes a schedule of the space: enter_postproc, then the postprocs.  FALSE with findings: the program is not one
 * that is measured. */
gboolean   ls_space_postprocess  (LsSchedule           *schedule,
                                  LsDiagnostics        *findings);

G_END_DECLS
