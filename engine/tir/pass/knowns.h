/* knowns: what buffers hold at a place of a program, as far as stores and T.assume tell; see knowns.c.  Private to passes. */
#pragma once

#include "engine/arith/arith.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct _LsKnowns LsKnowns;

LsKnowns *ls_knowns_new        (void);
void      ls_knowns_free       (LsKnowns      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsKnowns, ls_knowns_free)
/* A copy, for a branch. (transfer full) */
LsKnowns *ls_knowns_copy       (LsKnowns      *self);
/* The two branches of an `if` end: keeps what both say, and under the condition, or without it, what one of them says.  A
 * condition that reads memory says nothing of later. */
void      ls_knowns_merge      (LsKnowns      *then_case,
                                LsKnowns      *else_case,
                                LsExpr        *condition);
/* Keeps what both branches say. */
void      ls_knowns_join       (LsKnowns      *self,
                                LsKnowns      *other);
/* A store was passed. */
void      ls_knowns_store      (LsKnowns      *self,
                                LsBufferStore *store,
                                LsAnalyzer    *analyzer);
/* A condition was assumed: equations of loads are kept. */
void      ls_knowns_assume     (LsKnowns      *self,
                                LsExpr        *condition);
/* A round of a loop begins, whose variable the analyzer knows: what other rounds store is forgotten. */
void      ls_knowns_enter_loop (LsKnowns      *self,
                                LsFor         *loop,
                                LsAnalyzer    *analyzer);
/* Forgets what a statement may change: everything below it that is stored, and all where something unknown is called. */
void      ls_knowns_forget     (LsKnowns      *self,
                                LsNode        *stmt,
                                LsAnalyzer    *analyzer);
/* A loop was left: what its rounds say of one element each holds for all of them. */
void      ls_knowns_leave_loop (LsKnowns      *self,
                                LsFor         *loop,
                                LsAnalyzer    *analyzer);
/* What a name stands for was left: nothing is known in terms of it any more. */
void      ls_knowns_leave_name (LsKnowns      *self,
                                LsVar         *var);
/* A block was left: what was said of its variables is said of what they were bound to. */
void      ls_knowns_leave_block (LsKnowns       *self,
                                 LsBlockRealize *realize);
/* The expression with the values of loads that are known. (transfer full) */
LsExpr   *ls_knowns_apply      (LsKnowns      *self,
                                LsExpr        *expr,
                                LsAnalyzer    *analyzer);

G_END_DECLS
