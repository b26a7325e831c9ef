/* relax/inplace: how long the variables of a dataflow block live and which may stand for the same memory. */
#pragma once

#include "engine/relax/block-builder.h"

G_BEGIN_DECLS

typedef struct _LsInplace LsInplace;

/* Borrows the block, which must outlive it.  Variables from outside (parameters too) may be anything. */
LsInplace *ls_inplace_new          (LsBindingBlock *block);
void       ls_inplace_free         (LsInplace      *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsInplace, ls_inplace_free)

/* The argument of the call bound by binding `at` into whose memory the result may be written: add, subtract, multiply,
 * divide, silu and relu whose argument has the very shape and type of the result and is needed no more.  -1: there is none;
 * of several the last. */
int        ls_inplace_find         (LsInplace      *self,
                                    guint           at);

G_END_DECLS
