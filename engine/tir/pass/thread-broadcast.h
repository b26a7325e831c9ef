/* thread-broadcast: blocks that use what the threads of a kernel reduced together. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The results of reductions over threads in the kernel that is gone through: LsBuffer -> GPtrArray of the bound LsFor. */
GHashTable *ls_thread_results_new       (void);
/* Notes a result; `loops`: of the reduction, of which those count that are bound. */
void        ls_thread_results_add       (GHashTable     *self,
                                         LsBuffer       *buffer,
                                         GPtrArray      *loops);
/* The statement of a block (`lowered`), run by the first thread only where it stores for all threads what they reduced and no statement around it
 * (`around`: LsStmt) binds them. (transfer full) */
LsStmt     *ls_thread_results_broadcast (GHashTable     *self,
                                         LsBlockRealize *lowered,
                                         GPtrArray      *around);

G_END_DECLS
