/* peaks: what stands beside the kept peaks of a machine. */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* When the kept peaks of this CPU were measured, ISO 8601 with zone. (transfer full); NULL when nothing is kept. */
char   *ls_peaks_date       (const char *cpu);
/* The load of the machine then; below 0: unknown. */
double  ls_peaks_busy       (const char *cpu);
/* Bytes of the data cache of this level (1 to 3); 0: unknown. */
gint64  ls_host_cache_bytes (int         level);

G_END_DECLS
