/* legal: conditions that several primitives share, each with its sentence.
 *
 *   condition     of blocks, loops, buffers
 *   removal       what is left when a block goes
 *   cover         the iterations of a block that touch given regions
 *   location      where a block can be computed
 *   guard         what goes along with a block that leaves the predicate around it
 *   partly        what of a buffer a block leaves unwritten
 *   apart         indices that are others for all values of their variables
 *   doubt         warnings of moves that TVM allows although they may change the result
 *   foreign       a block under a loop of threads reads what other threads make
 */
#pragma once

#include "engine/schedule/rewrite/rewrite.h"

#include <inttypes.h>

G_BEGIN_DECLS

/* ---- condition.c ------------------------------------------------------------- */

/* Each returns TRUE when the condition holds; when it does not, a finding is in `diagnostics`. */

/* The scope root exists; with require_stage_pipeline its blocks are produced before they are read. */
gboolean   ls_legal_scope       (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *sref,
                                 gboolean       require_stage_pipeline,
                                 LsSref       **scope_root);
/* The loop has no annotation and no thread binding; it starts at zero. */
gboolean   ls_legal_plain_loop  (LsMove *move, LsDiagnostics *diagnostics, LsSref *loop);
gboolean   ls_legal_starts_at_zero (LsMove *move, LsDiagnostics *diagnostics, LsSref *loop);
/* 0: it is a complete block; else the number of the first condition that fails (see the file). */
guint      ls_complete_block_code  (LsState    *state,
                                 LsSref        *block,
                                 LsSref        *scope_root);
guint      ls_reduction_block_code (LsState    *state,
                                 LsSref        *block,
                                 LsSref        *scope_root);
#define ls_is_complete_block(state, block, root) (ls_complete_block_code ((state), (block), (root)) == 0)
#define ls_is_reduction_block(state, block, root) (ls_reduction_block_code ((state), (block), (root)) == 0)
gboolean   ls_legal_complete_block  (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
gboolean   ls_legal_reduction_block (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
gboolean   ls_legal_complete_or_reduction (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
gboolean   ls_legal_affine      (LsMove *move, LsDiagnostics *diagnostics, LsSref *block);
/* Every block under the loop is complete or a reduction with regard to that subtree alone. */
gboolean   ls_legal_compact_dataflow (LsMove *move, LsDiagnostics *diagnostics, LsSref *subtree);
gboolean   ls_legal_not_output  (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsSref *scope_root);
/* The buffer that an LS_PARAM_BUFFER argument means: an index into the block's reads or writes, ("read", 0), or a name.
 * `writes` says which list a bare index or name is looked up in.  NULL with a finding. Borrowed. */
LsBuffer  *ls_legal_access_buffer (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, guint param, gboolean writes);
/* The same for arguments that say themselves which list is meant; a bare name is looked up in both. */
LsBuffer  *ls_legal_buffer_access (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, guint param, gboolean *is_write);
/* The block in whose alloc_buffers the buffer is, seen from `block` upwards. */
gboolean   ls_legal_allocated   (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsBuffer *buffer, LsSref **site);
/* The buffer is none that a block matches on another one.  *site: the block that allocates it, NULL for a parameter. */
gboolean   ls_legal_not_view    (LsMove *move, LsDiagnostics *diagnostics, LsSref *block, LsBuffer *buffer, LsSref **site);
gboolean   ls_legal_not_root    (LsMove *move, LsDiagnostics *diagnostics, LsSref *block);
/* Does the block write a buffer that lives outside its scope? */
gboolean   ls_is_output_block   (LsState *state, LsSref *block, LsSref *scope_root);
gboolean   ls_is_dominant_block (LsState *state, LsSref *block, LsSref *scope_root);
/* Every block that reads the buffer finds all that it reads written. */
gboolean   ls_legal_cover       (LsMove *move, LsDiagnostics *diagnostics, LsSref *root, LsBuffer *buffer);
/* Below the loop there is exactly one block, not counting those inside blocks. */
gboolean   ls_legal_single_child (LsMove *move, LsDiagnostics *diagnostics, LsSref *loop, LsSref **block);
/* At most one block of the scope writes the buffer; *writer is NULL when there is none. */
gboolean   ls_legal_one_writer  (LsMove *move, LsDiagnostics *diagnostics, LsSref *root, LsBuffer *buffer, LsSref **writer);
/* The name of a storage scope is known. */
gboolean   ls_legal_storage_scope (LsMove *move, LsDiagnostics *diagnostics, const char *scope);

/* ---- removal.c --------------------------------------------------------------- */

/* The loop or scope block that changes when `block` is taken out, and what becomes of it (For or Block, transfer
 * full).  NULL when nothing would be left, or the block is no statement of its own. */
LsNode    *ls_state_plan_removal (LsState      *self,
                                 LsSref        *block,
                                 LsSref       **place);
/* The same, with a finding. */
gboolean   ls_legal_removal     (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsSref       **place,
                                 LsNode       **rest);

/* ---- guard.c ----------------------------------------------------------------- */

/* What the predicate around `block` says over its variables and their domains do not say, when it leaves its loops for `loop`: conditions over its variables, and
 * over loops that stay around it. What it says of old loops that its variables do not tell is left out. (transfer full) of LsExpr */
GPtrArray *ls_legal_guard       (LsState       *state,
                                 LsSref        *block,
                                 LsSref        *loop);

/* ---- apart.c ----------------------------------------------------------------- */

/* Are `indices` others for all values of those of the variables (of LsIterVar) that they use?  FALSE: that cannot be shown. */
gboolean   ls_tell_apart        (LsArray       *indices,
                                 LsArray       *iter_vars);

/* ---- cover.c ----------------------------------------------------------------- */

/* What one instance of a block touches of a buffer, over the block's variables, and what is needed of it. */
typedef struct {
  LsBuffer  *buffer;            /* borrowed */
  GPtrArray *touched;           /* of LsNDIntSet */
  GPtrArray *needed;            /* of LsNDIntSet */
} LsCoverage;
LsCoverage *ls_coverage_new     (LsBuffer      *buffer);
void        ls_coverage_free    (LsCoverage    *self);
/* The values of one iteration variable: `dom` is bounded; `bound` (nothing: none) is what it must keep to besides. */
typedef struct {
  LsIntSet *dom;
  LsIntSet *bound;
} LsIterDomain;
void       ls_iter_domain_clear (LsIterDomain  *self);
void       ls_iter_domains_free (LsIterDomain  *domains,
                                 guint          n);
/* For each iteration variable the values that cover all that is needed (of LsCoverage).  NULL and why (transfer full,
 * a clause without a capital) when that cannot be solved. */
LsIterDomain *ls_cover_domains  (LsBlock       *block,
                                 GPtrArray     *coverages,
                                 LsAnalyzer    *analyzer,
                                 char         **reason);

/* ---- location.c ---------------------------------------------------------- */

#define LS_LOCATION_INLINE (-2)
#define LS_LOCATION_LEAVE (-1)

/* A decision of sample_compute_location: one of the two above, or the position of a loop. */
typedef struct {
  gint64  number;
  LsSref *loop;                 /* NULL: inline or leave */
} LsComputeLocation;
/* Those that are possible for a block (a handle) that is no root block, ascending. (transfer full) of LsComputeLocation */
GArray    *ls_compute_locations (LsSchedule    *schedule,
                                 LsNode        *block);

/* ---- doubt.c ----------------------------------------------------------------- */

/* Warns when `block` goes under `loop` and one of `neighbours` (of LsSref: its readers, or those that make what it
 * reads) stands on the wrong side of the loop. */
void       ls_doubt_order       (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsSref        *loop,
                                 GPtrArray     *neighbours,
                                 gboolean       are_readers);
/* Warns when it is not certain that `realize`, innermost in the loops `nest` under `loop`, runs for every instance of
 * its block, and, if it adds up, once for each. */
void       ls_doubt_instances   (LsMove         *move,
                                 LsDiagnostics  *diagnostics,
                                 LsSref         *loop,
                                 LsStmt         *nest,
                                 LsBlockRealize *realize);

/* The loops from the innermost of `nest`, which stands under `loop`, up to the scope. (transfer full) */
LsDomMap  *ls_legal_nest_loops (LsState        *state,
                                 LsSref         *loop,
                                 LsStmt         *nest);

/* Warns when a loop from `loop` down to the reduction `block` repeats it as a whole: its init goes before `loop`. */
void       ls_doubt_split_init  (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsSref        *loop);

/* Warns when `indices`, over the variables of `block`, may lie outside of the buffer; a copy has no condition around it. */
void       ls_doubt_bounds      (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsBlock       *block,
                                 LsBuffer      *buffer,
                                 LsArray       *indices);

/* Warns when a copy of `region`, made beside `block` without its guard, may reach outside of the buffer. */
void       ls_doubt_copied_region (LsMove      *move,
                                 LsDiagnostics  *diagnostics,
                                 LsSref         *block,
                                 LsBufferRegion *region);

/* Warns when a copy of what `writer` writes goes under loops of which its guard leaves out some rounds, or may reach
 * outside of the buffer. */
void       ls_doubt_guarded_copy (LsMove       *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *root,
                                 LsBuffer      *buffer,
                                 LsSref        *writer);

/* Does the block write all of its region of the buffer while the loops above `place` stand still (NULL: in each round)?  TRUE too where it cannot be seen. */
gboolean   ls_is_wholly_written (LsState       *state,
                                 LsSref        *block,
                                 LsBuffer      *buffer,
                                 LsSref        *place);
/* Does the block read elements that its init does not begin?  Its regions do not tell: a sum is not said to read what it adds to. */
gboolean   ls_reads_what_was_there (LsBlock    *block,
                                 LsBuffer      *buffer);
/* What the block does not write of a region that is copied from a cache is overwritten by what lay there.  Warns where it cannot be shown that the
 * block writes all of its region of the buffer while the loops above `place` stand still; NULL: where it does not write it in each round. */
void       ls_doubt_partly_written (LsMove        *move,
                                    LsDiagnostics *diagnostics,
                                    LsSref        *block,
                                    LsBuffer      *buffer,
                                    LsSref        *place);
/* The same where all of the buffer is copied back: warns where it cannot be shown that the loops below `root` reach each of its elements. */
void       ls_doubt_unwritten      (LsMove        *move,
                                    LsDiagnostics *diagnostics,
                                    LsSref        *block,
                                    LsBuffer      *buffer,
                                    LsSref        *root);
/* As ls_doubt_partly_written, for cache_write, which finds its place itself. */
void       ls_doubt_partial_cache (LsMove        *move,
                                   LsDiagnostics *diagnostics,
                                   LsSref        *root,
                                   LsSref        *block,
                                   LsBuffer      *buffer);
/* Warns when a buffer that gets another layout has views (match_buffer), which do not follow it. */
void       ls_doubt_views       (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *block,
                                 LsBuffer      *buffer);

/* ---- foreign.c --------------------------------------------------------------- */

/* `realize`, innermost in the loops `nest` under `loop`, reads of what `producers` (of LsSref) write only what the same round of loops
 * that run at the same time (threads, cores, lanes) has made. A warning, or refused and FALSE where the schedule is strict, with an element
 * and two rounds. Nothing is said where sizes are not known or there are too many rounds. */
gboolean   ls_legal_own_values  (LsMove        *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *loop,
                                 GPtrArray     *producers,
                                 LsStmt        *nest,
                                 LsBlockRealize *realize);

G_END_DECLS
