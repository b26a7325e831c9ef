/* regions: what statements read and write, beyond ls_block_access_region (tir.h).
 *
 *   regions.c           detection of a block's accesses (TVM: BlockReadWriteDetector)
 *   complete.c          reads and writes of blocks that give none, the root block (TVM: ScriptComplete)
 *   region-collect.c    accesses below a statement, relaxation over loops (schedule)
 *
 * Everything borrows its arguments and returns new references.
 */
#pragma once

#include "engine/arith/iter-map.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* ---- regions.c ------------------------------------------------------------ */

/* ls_block_access_region where `visible` (of Buffer) are buffers whose data variables stand for them: a bare use of
 * such a variable is an opaque access of the whole buffer, a tvm_access_ptr reads, writes or both by its mask. */
void      ls_block_access_region_visible (LsBlock  *block,
                                          LsArray  *visible,
                                          LsArray **reads,
                                          LsArray **writes,
                                          LsArray **opaques);
/* Reads and writes only (TVM: GetBlockReadWriteRegion): opaque accesses count as both. */
void      ls_block_read_write_region     (LsBlock  *block,
                                          LsArray  *visible,
                                          LsArray **reads,
                                          LsArray **writes);

/* ---- complete.c ------------------------------------------------------------ */

/* The annotation by which a parser marks a block whose reads (1) or writes (2) were not given. */
#define LS_DETECT_ACCESS "tir.script_parsing_detect_access"

/* Completes a function as TVM's script parser does: blocks marked with LS_DETECT_ACCESS get the regions that were
 * detected (inner blocks first), the marks go; a root block is put around a body that is none when `root_allocates`
 * (of Buffer, may be NULL) has any, the body contains a block or is one with iterators.  A marked block that uses a
 * buffer's data variable directly is an error in `diagnostics` (may be NULL): "tir/opaque-access". */
LsPrimFunc *ls_complete_prim_func        (LsPrimFunc    *func,
                                          LsArray       *root_allocates,
                                          LsDiagnostics *diagnostics);
/* The same for a statement that is no whole body (no root block is made); `visible` (of Buffer): parameters and
 * allocations above it. */
LsStmt   *ls_complete_regions            (LsStmt        *stmt,
                                          LsArray       *visible,
                                          LsDiagnostics *diagnostics);

/* ---- region-collect.c ------------------------------------------------------ */

typedef struct {
  LsBufferRegion *region;       /* in terms of the loop variables of `realize` */
  LsBlockRealize *realize;      /* the block that declares it, borrowed */
  GPtrArray      *loops;        /* of LsFor, outermost first: between the root and the block, borrowed */
  gboolean        is_write;
} LsRegionAccess;
void      ls_region_access_free          (LsRegionAccess *self);

/* The regions that the blocks below `root` (not blocks inside blocks) declare for `buffer` (NULL: any), block
 * variables replaced by their bindings, in program order. (transfer full) of LsRegionAccess */
GPtrArray *ls_collect_regions            (LsStmt     *root,
                                          LsBuffer   *buffer,
                                          gboolean    reads,
                                          gboolean    writes);
/* The domains of loops (of LsFor, borrowed): Var -> [min, min + extent). */
LsDomMap *ls_loop_domains                (GPtrArray  *loops);
/* Union over all values of the variables in `dom`, bounded by `predicate` (NULL: true); clipped to nothing.
 * What contains it (TVM: AnalyzeRegionUpperBound). */
LsBufferRegion *ls_buffer_region_relax   (LsBufferRegion *region,
                                          const LsDomMap *dom,
                                          LsExpr         *predicate,
                                          LsAnalyzer     *analyzer);
/* Union of regions of one buffer (n > 0). */
LsBufferRegion *ls_buffer_region_union   (LsBufferRegion **regions,
                                          guint            n);
/* A region with variables replaced (LsVar -> LsExpr), simplified when analyzer is given. */
LsBufferRegion *ls_buffer_region_substitute (LsBufferRegion *region,
                                          GHashTable      *map,
                                          LsAnalyzer      *analyzer);

G_END_DECLS
