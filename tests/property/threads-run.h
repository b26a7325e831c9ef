/* threads-run: where else programs for threads run: as loops on the processor (the simulator's fast mode), and on OpenCL, where there is one. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The contents of all arrays afterwards, from those of ls_test_arguments.  NULL with an error: LS_INTERP_ERROR_UNSUPPORTED where it does not become
 * loops. (transfer full) */
GBytes  *ls_threads_fast   (LsPrimFunc  *lowered,
                            guint64      seed,
                            GError     **error);
/* The same of a function that is not lowered yet.  NULL with an error: LS_TEXT_ERROR or LS_DEVICE_ERROR where it is not for OpenCL; with
 * G_IO_ERROR what failed there. (transfer full) */
GBytes  *ls_threads_opencl (LsPrimFunc  *func,
                            guint64      seed,
                            GError     **error);
/* Is there an OpenCL?  Its name, or NULL. */
const char *ls_threads_opencl_name (void);
/* Are these contents the same?  Zeros have no sign, one NaN is another. */
gboolean ls_threads_same   (LsPrimFunc  *func,
                            GBytes      *a,
                            GBytes      *b);

G_END_DECLS
