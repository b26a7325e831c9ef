/* rewrite: parts of a scope rebuilt, as several primitives need it.
 *
 *   rebuild       replacing variables and buffers, guards, bindings
 *   access        indices and regions mapped and simplified
 *   padding       what a new layout leaves open is filled
 *   cache-stage   a copy of a buffer and those who use it
 *   inline        a scope from which one block goes into others
 */
#pragma once

#include "engine/schedule/step/move.h"

G_BEGIN_DECLS

/* ---- rebuild.c --------------------------------------------------------------- */

/* A loop or realize of a scope that a rewriting can leave as it is: neither `place` (may be NULL) nor anything with one
 * of the bits `inside` (of ls_may_hold) is in it.  Keeps the cost of a step from growing with the scope. */
gboolean   ls_rebuild_can_skip  (LsNode       *stmt,
                                 LsSref       *place,
                                 guint32       inside);
/* Where `node` defines `data` (Allocate, AllocateConst), the same definition over its rewritten body: a rewriting that
 * replaces what is read from a buffer's data never renames the place that makes it.  Else NULL. (transfer full) */
LsNode    *ls_rebuild_below_definition (LsRewriter *rewriter,
                                 LsNode        *node,
                                 LsVar         *data);
/* The bits of a buffer and its data. */
guint32    ls_facts_of_buffer   (LsBuffer     *buffer);

/* Replaces variables and buffers (LsVar or LsBuffer -> value, borrowed) below a statement.  Blocks that change hand
 * their place on in `reuse` (may be NULL).  A Block that allocates a buffer that is replaced allocates the new one. */
LsStmt    *ls_rebuild_substitute (LsStmt       *stmt,
                                 GHashTable   *map,
                                 LsBlockReuse *reuse);
/* The same where only what is `entered` (ls_state_entered) can hold a key. */
LsStmt    *ls_rebuild_substitute_in (LsStmt    *stmt,
                                 GHashTable   *entered,
                                 GHashTable   *map,
                                 LsBlockReuse *reuse);
/* `condition` is added to the predicate of each block directly below. */
LsStmt    *ls_rebuild_guard     (LsStmt       *stmt,
                                 LsExpr       *condition);
/* Simplifies the bindings of the blocks directly below (and in opaque blocks, that is blocks without iteration
 * variables) as iteration maps of the loops in `outer` and those in `stmt`.  `outer` is used up. */
LsStmt    *ls_rebuild_simplify_bindings (LsStmt *stmt,
                                 LsDomMap     *outer,
                                 gboolean      preserve_unit_iters,
                                 LsBlockReuse *reuse);
/* An expression of the type of `like` when it is a narrower constant: how TVM's For takes min and extent. Takes `value`. */
LsExpr    *ls_promote_const     (LsExpr       *value,
                                 LsDType       dtype);
/* Ranges of the loops around a place, outermost first. (transfer full) */
LsDomMap  *ls_outer_domains     (LsState      *state,
                                 LsSref       *sref);
/* Ranges of a block's own iteration variables. (transfer full) */
LsDomMap  *ls_block_domains     (LsBlock      *block);
/* The variables of an expression, each once, in the order in which they come. (transfer container) */
GPtrArray *ls_vars_in_order     (LsExpr        *expr);
/* Simplified, unless that leaves a number: then the expression itself. (transfer full) */
LsExpr    *ls_simplify_non_trivial (LsAnalyzer *analyzer,
                                 LsExpr        *expr);

/* The region of a list that is of this buffer, or NULL. Borrowed. */
LsBufferRegion *ls_region_of    (LsArray       *regions,
                                 LsBuffer      *buffer);

/* ---- access.c ---------------------------------------------------------------- */

/* Indices as iteration maps of the variables in `domains`; a variable does not become a number. (transfer full) */
LsArray   *ls_simplify_indices  (LsArray      *indices,
                                 LsDomMap     *domains,
                                 LsExpr       *predicate,
                                 LsAnalyzer   *analyzer);
/* The block with the indices of its loads and stores and its regions simplified so. (transfer full) */
LsBlock   *ls_rebuild_simplify_accesses (LsBlock *block,
                                 LsBlockReuse *reuse);

/* The block with accesses of `from` mapped to `to` and simplified, regions found anew, `to` allocated where `from` was.
 * `enter` may give another statement for one (transfer full), or NULL. (transfer full) */
LsBlock   *ls_rebuild_map_accesses (LsBlock   *block,
                                 LsBuffer     *from,
                                 LsBuffer     *to,
                                 LsIndexMap   *map,
                                 LsNode     *(*enter) (LsNode *node, gpointer user_data),
                                 gpointer      user_data,
                                 GHashTable   *entered,     /* ls_state_entered, or NULL */
                                 LsBlockReuse *reuse);

/* ---- padding.c --------------------------------------------------------------- */

/* How the padding that a new layout brings is filled. */
typedef enum {
  LS_PADDING_NONE,
  LS_PADDING_ASSUMED,           /* nobody writes the buffer: `before` says what the padding holds */
  LS_PADDING_WRITTEN,           /* loops that write all of the buffer write the padding too */
  LS_PADDING_FILLED             /* `after` is done after the last write */
} LsPaddingKind;
typedef struct {
  LsPaddingKind kind;
  LsStmt     *nest;             /* owned: assumptions, or what fills the padding */
  LsNode     *place;            /* borrowed: For or BlockRealize after which it is filled */
  GHashTable *loops;            /* For -> the nest that replaces it (owned) */
} LsPadding;
void       ls_padding_clear     (LsPadding    *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsPadding, ls_padding_clear)
/* `inverse` maps indices of `to` to those of `from`; `predicate` (of its variables) holds in the padding, which takes
 * the values of `pad_value`. */
void       ls_padding_plan      (LsPadding    *self,
                                 LsBlock      *scope,
                                 LsBuffer     *from,
                                 LsBuffer     *to,
                                 LsIndexMap   *inverse,
                                 LsExpr       *predicate,
                                 LsIndexMap   *pad_value,
                                 LsBlockReuse *reuse);

/* ---- cache-stage.c ----------------------------------------------------------- */

/* A block that copies between a buffer and another one that stands in for it, and where it goes. */
typedef struct {
  LsSref         *root;         /* block of the scope */
  LsSref         *place;        /* loop of the scope, or its block: the copy goes into its body ... */
  guint           position;     /* ... before the statement of this number */
  LsBuffer       *buffer;       /* borrowed */
  LsBuffer       *cache;        /* owned */
  LsBufferRegion *region;       /* owned: what is copied, over the loops around `place` */
  gboolean        whole;        /* the cache is indexed as the buffer is; else from the region's begin */
  LsStmt         *nest;         /* owned: the copy with its loops */
  LsBlock        *block;        /* borrowed: the copy */
} LsCacheStage;
void       ls_cache_stage_clear (LsCacheStage  *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsCacheStage, ls_cache_stage_clear)
/* Finds place and position: before the first of the readers that follows the writer, as deep as both are; at the end
 * of the scope when there is no reader. */
void       ls_cache_stage_find_place (LsCacheStage *self,
                                 LsState       *state,
                                 LsSref        *writer,
                                 GPtrArray     *readers);
/* The blocks of the scope that read what `writer` wrote, in order. (transfer container) */
GPtrArray *ls_cache_stage_readers (LsState      *state,
                                 LsSref        *root,
                                 LsSref        *writer);
/* What a block's region covers while the loops below `place` run. (transfer full) */
LsBufferRegion *ls_cache_stage_relax (LsCacheStage *self,
                                 LsState       *state,
                                 LsSref        *block,
                                 LsBufferRegion *region);
/* Decides `whole`, makes the cache buffer in this storage scope. */
void       ls_cache_stage_make_buffer (LsCacheStage *self,
                                 LsState       *state,
                                 const char    *scope);
/* Makes the copy; `from_cache`: the cache is copied to the buffer, not the other way. */
void       ls_cache_stage_make_copy (LsCacheStage *self,
                                 const char    *scope,
                                 gboolean       from_cache);
/* `stmt` (For or Block of `place`) with the copy in its body. (transfer full) */
LsNode    *ls_cache_stage_insert (LsCacheStage *self,
                                 LsNode        *stmt);
/* Regions (of BufferRegion or MatchBufferRegion) in which the cache stands for the buffer. (transfer full) */
LsArray   *ls_cache_stage_regions (LsCacheStage *self,
                                 LsArray       *regions,
                                 LsAnalyzer    *analyzer);
/* Indices of the buffer as those of the cache. (transfer full) */
LsArray   *ls_cache_stage_indices (LsCacheStage *self,
                                 LsArray       *indices,
                                 LsAnalyzer    *analyzer);
/* Puts the new scope in place, sets flags, notes and the result. */
/* The copy as it would be made where `realize` (whose block is now `fresh`) stands, of the elements of its `region` alone, before it or behind it:
 * said to the move, so that the order is looked at. */
void       ls_cache_stage_means (LsCacheStage   *self,
                                 LsMove         *move,
                                 LsBlockRealize *realize,
                                 LsBlock        *fresh,
                                 LsBufferRegion *region,
                                 gboolean        before);
void       ls_cache_stage_commit (LsCacheStage *self,
                                 LsMove        *move,
                                 LsBlock       *new_root,
                                 LsBlockReuse  *reuse);
/* The blocks of a parameter and those directly inside them; none when it is None. (transfer container) */
GPtrArray *ls_move_consumers    (LsMove        *move,
                                 guint          param);
/* The statement with `fresh` (borrowed) before its part number `position`; definitions around it stay around. (transfer full) */
LsStmt    *ls_stmt_insert       (LsStmt        *stmt,
                                 guint          position,
                                 LsStmt        *fresh);
/* The number of the part of a body that a For or Block directly below stands in; 0 when it has one part. */
guint      ls_stmt_part_with    (LsStmt        *body,
                                 LsNode        *stmt);
/* A block that stores from[source] in to[target]. Takes iter_vars. (transfer full) */
LsBlock   *ls_copy_block        (const char    *name,
                                 LsArray       *iter_vars,
                                 LsBuffer      *from,
                                 LsArray       *source,
                                 LsBuffer      *to,
                                 LsArray       *target);

/* ---- inline.c ---------------------------------------------------------------- */

/* Rewrites a scope from which one block goes and in which accesses of a buffer are replaced. */
typedef struct _LsInliner LsInliner;
struct _LsInliner {
  LsState  *state;
  LsBuffer *buffer;             /* that goes */
  LsKind    access;             /* LS_KIND_BUFFER_LOAD or LS_KIND_BUFFER_STORE */
  LsBlock  *block;              /* that goes */
  LsBlock  *root;               /* of the scope */
  LsNode   *place;              /* loop or scope block that changes, and what it becomes: ls_state_plan_removal */
  LsNode   *rest;
  LsNode *(*replace) (LsInliner *self, LsNode *access);                     /* an access, its children done. (transfer full) */
  LsBlockRealize *(*finish) (LsInliner *self, LsBlock *was, LsBlockRealize *realize);  /* or NULL. (transfer full) */
  gpointer  data;
  gboolean  is_opaque;          /* result: the buffer is also used in another way */
  gboolean  is_outside;         /* result: a statement outside of blocks uses it in another way */
  LsBlockReuse *reuse;          /* result */
  GPtrArray *visible;           /* private */
  LsAnalyzer *analyzer;         /* private: the ranges of the variables of blocks */
  GHashTable *entered;          /* private */
  guint      depth;             /* private: blocks around, below the root */
};
/* The new root block. (transfer full) */
LsBlock   *ls_inliner_run       (LsInliner     *self);
gboolean   ls_legal_no_init     (LsMove *move, LsDiagnostics *diagnostics, LsSref *block);
gboolean   ls_legal_not_opaque  (LsMove *move, LsDiagnostics *diagnostics, LsInliner *inliner);

G_END_DECLS
