/* relax/inplace: how long the variables of a dataflow block live and which may stand for the same memory. */
#pragma once

#include "engine/relax/block-builder.h"

G_BEGIN_DECLS

typedef struct _LsInplace LsInplace;

#define LS_INPLACE_ANYTHING (-1)        /* the place of what comes from outside */

/* Borrows the block, which must outlive it.  Variables from outside (parameters too) may be anything, but for `inputs`
 * (LsArray of variables, or NULL), each of which stands for itself. */
LsInplace *ls_inplace_new          (LsBindingBlock *block,
                                    LsArray        *inputs);
/* For finding arguments only: what unknown calls give has fewer places, which share as the others do. */
LsInplace *ls_inplace_new_brief    (LsBindingBlock *block);
void       ls_inplace_free         (LsInplace      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsInplace, ls_inplace_free)

/* The argument of the call bound by binding `at` into whose memory the result may be written: add, subtract, multiply,
 * divide, silu and relu whose argument has the very shape and type of the result and is needed no more.  -1: there is none;
 * of several the last. */
int        ls_inplace_find         (LsInplace      *self,
                                    guint           at);
/* Numbers (gint) of all arguments that the call bound by binding `at` may write into: with `exact` those that are as
 * ls_inplace_find wants them, else those with as many elements of the same type. (transfer full) */
GArray    *ls_inplace_candidates   (LsInplace      *self,
                                    guint           at,
                                    gboolean        exact);

/* The bindings between which a variable lives: -1, it comes from outside; the number of bindings, it lives on.  FALSE: the
 * block has nothing to do with it. */
gboolean   ls_inplace_get_life     (LsInplace      *self,
                                    LsRelaxVar     *var,
                                    gint64         *first,
                                    gint64         *last);
/* The places that a variable may stand for (gint, or LS_INPLACE_ANYTHING); NULL: unknown. Borrowed. */
GArray    *ls_inplace_get_places   (LsInplace      *self,
                                    LsRelaxVar     *var);
guint      ls_inplace_get_n_places (LsInplace      *self);
/* Of the fields of the tuple at a place, in order; NULL where no tuple is. Borrowed. */
GPtrArray *ls_inplace_get_fields   (LsInplace      *self,
                                    guint           place);

/* The call of an operator as call_tir_inplace of a function that writes into argument `at`, added to the builder's module
 * under the operator's name with "_inplace".  `plain` gets what LegalizeOps makes of the call (transfer full), which the
 * module does not need for it.  NULL: the operator becomes no PrimFunc, or has no such argument. (transfer full) */
LsNode    *ls_relax_inplace_call   (LsBlockBuilder *builder,
                                    LsRelaxCall    *call,
                                    guint           at,
                                    LsGlobalVar   **plain);

G_END_DECLS
