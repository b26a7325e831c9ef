/* search-space: programs of meta_schedule's spaces for threads, as traces that are searched. */
#pragma once

#include "app/cli/cli.h"
#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* Is it the name of such a space: "cuda", "cuda-tensorcore"? */
gboolean   ls_cli_is_thread_space (const char *name);
/* Up to n different programs of the module for the target, finished and within its limits, with all their decisions.  Python's rules make them, in the kernel's
 * jail; says on standard error that it takes a while.  `seconds`: how long it may take.  Errors: LS_KERNEL_ERROR, of files, and G_IO_ERROR_FAILED with what
 * Python said, or when there is no program. (transfer full), of LsTrace */
GPtrArray *ls_cli_thread_space    (const char *text,
                                   const char *target,
                                   const char *space,
                                   guint       n,
                                   gint64      seed,
                                   double      seconds,
                                   GError    **error);

G_END_DECLS
