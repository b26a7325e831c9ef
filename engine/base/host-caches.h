/* base/host-caches: the caches of this machine that one core sees. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Size and associativity of the data cache of a level (1 to 3) as the kernel lists it in `folder` (NULL: that of the first processor), else as libc knows
 * it.  FALSE: nobody knows of such a cache; *ways is 0 where only its size is known. */
gboolean ls_host_cache (const char *folder,
                        int         level,
                        gint64     *bytes,
                        guint      *ways);

G_END_DECLS
