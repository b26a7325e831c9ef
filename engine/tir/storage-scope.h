/* storage-scope: which threads share the memory of a storage scope. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Do the threads of an axis ("blockIdx.x", "threadIdx.x", "vthread.x") share memory of this scope ("shared", "local", ...;
 * NULL or "": global)?  The region that is used of such memory is what all of them use together. */
gboolean ls_storage_spans_thread (const char *scope,
                                  const char *thread);

G_END_DECLS
