/* blockize: a loop, or several blocks, made one block: what the primitives blockize and tensorize share.
 *
 *   part    one block, its bindings divided into an outer and an inner part
 *   outer   the block that is made around, while it is made
 *   inner   what becomes of the block inside
 *   group   several blocks of one sequence that go into one
 */
#pragma once

#include "engine/schedule/legal/legal.h"

G_BEGIN_DECLS

/* ---- part.c ---------------------------------------------------------- */

/* One block that is divided. */
typedef struct {
  LsSref         *sref;
  LsBlockRealize *realize;      /* borrowed */
  GPtrArray      *loops;        /* of LsFor: the inner ones, innermost first */
  LsAnalyzer     *analyzer;
  LsSubspace     *division;
  gboolean        keep_units;
} LsBlockizePart;

/* The outer block while it is made. */
typedef struct {
  GPtrArray    *iter_vars;
  GPtrArray    *values;
  LsExpr       *predicate;
  LsBlockReuse *reuse;
} LsBlockizeOuter;

/* The inner block while it is made. */
typedef struct {
  GPtrArray  *iter_vars;
  GPtrArray  *values;
  GHashTable *map;              /* old iteration variable -> what stands for it (owned) */
} LsBlockizeInner;

void ls_blockize_part_clear (LsBlockizePart *self);
void ls_blockize_part_init (LsBlockizePart *self,
                            LsMove         *move,
                            LsSref         *block,
                            gboolean        keep_units);
/* Divides at `top`; .division stays NULL when the bindings do not divide.  Inner are the loops below `top`; `top` itself too
 * unless it is outer (and not directly around the block). */
void ls_blockize_divide (LsBlockizePart *self,
                         LsSref         *top,
                         gboolean        top_is_outer);
void ls_blockize_outer_init (LsBlockizeOuter *self);
void ls_blockize_outer_clear (LsBlockizeOuter *self);
void ls_blockize_inner_init (LsBlockizeInner *self);
void ls_blockize_inner_clear (LsBlockizeInner *self);
gboolean ls_blockize_derive_bindings (LsBlockizeInner *inner,
                                      LsBlockizeOuter *outer,
                                      LsBlockizePart  *part,
                                      gboolean         reuse);
/* The old block over the new variables. (transfer full) */
LsBlock *ls_blockize_substituted_block (LsBlockizePart  *part,
                                        LsBlockizeInner *inner,
                                        LsBlockizeOuter *outer);
/* Regions over all values of the inner variables. (transfer full) */
LsArray *ls_blockize_relax_regions (LsArray  *regions,
                                    LsDomMap *inner);
gboolean ls_blockize_adds_up (LsBlock         *block,
                              LsBlockizeOuter *outer);
LsArray *ls_blockize_copy_items (GPtrArray *items);
/* The realize of the inner block: what it adds to was there before, so it reads it. */
LsBlockRealize *ls_blockize_inner_realize (LsBlockizePart  *part,
                                           LsBlockizeInner *inner,
                                           LsBlockizeOuter *outer,
                                           LsBlock         *block);
/* The init of the outer block: the old init for each of the inner spatial variables that it uses. (transfer full) */
LsStmt *ls_blockize_outer_init_stmt (LsBlockizePart *part,
                                     LsBlock        *block,
                                     LsBlockRealize *realize);
LsDomMap *ls_blockize_bind_inner_domains (LsBlockizePart  *part,
                                          LsBlockizeInner *inner,
                                          GHashTable      *loop_map);
LsStmt *ls_blockize_nest_of (LsBlockizePart *part,
                             LsStmt         *body,
                             GHashTable     *loop_map);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsBlockizePart, ls_blockize_part_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsBlockizeOuter, ls_blockize_outer_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsBlockizeInner, ls_blockize_inner_clear)

/* ---- group.c ---------------------------------------------------------- */

typedef struct {
  GPtrArray *blocks;            /* of LsSref, in the order given */
  gboolean   keep_units;
  LsSref    *place;             /* lowest loop or block around all */
  guint      first, last;       /* parts of its body that they stand in */
} LsBlockizeGroup;

gboolean ls_blockize_legal_group (LsMove          *move,
                                  LsDiagnostics   *diagnostics,
                                  LsBlockizeGroup *group);
/* Warns of blocks that change places, that are left out although they stand between, and of inits that are dropped. */
void ls_blockize_doubt_group (LsMove          *move,
                              LsDiagnostics   *diagnostics,
                              LsBlockizeGroup *group);
/* The block around all, or NULL. */
LsBlockRealize *ls_blockize_group_realize (LsMove          *move,
                                           LsDiagnostics   *diagnostics,
                                           LsBlockizeGroup *group,
                                           LsBlockReuse    *reuse);
/* After ls_blockize_legal_group: the block takes their place and is the result. */
void ls_blockize_apply_group (LsMove          *move,
                              LsBlockizeGroup *group);

/* ---- loop.c ----------------------------------------------------------------- */

/* Below the loop stands one block, and its bindings divide there. */
gboolean ls_blockize_legal_loop (LsMove         *move,
                                 LsDiagnostics  *diagnostics,
                                 LsSref         *loop,
                                 gboolean        keep_units,
                                 LsBlockizePart *part);
/* The block into which blockize turns the loop (its realize, transfer full), or NULL with findings. */
LsBlockRealize *ls_blockize_loop (LsMove       *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *loop,
                                 gboolean       preserve_unit_iters,
                                 LsBlockReuse  *reuse);
/* Warns where a guard over loops that no variable uses is lost, and where the guard of the block, which its init keeps, asks
 * for loops that the init does not get. */
void ls_blockize_doubt_guard (LsMove         *move,
                              LsDiagnostics  *diagnostics,
                              LsBlockizePart *part);

G_END_DECLS
