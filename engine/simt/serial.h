/* serial: kernels as programs without threads, which a CPU runs fast; see serial.c. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Is a loop of it bound to threads, or stands it under T.launch_thread? */
gboolean    ls_simt_is_bound (LsPrimFunc *func);
/* A function that ls_lower_device has lowered, its kernels as loops over blocks and threads: what it computes is the same on every device that
 * keeps to the barriers; where threads race it is one of the possible results.  Errors: LS_INTERP_ERROR (UNSUPPORTED: what does not become loops;
 * PROGRAM: no kernel). (transfer full) */
LsPrimFunc *ls_simt_serial (LsPrimFunc  *lowered,
                            GError     **error);

G_END_DECLS
