/* peaks: what stands beside the kept peaks of a machine. */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

#define LS_PEAKS_BUSY 1.5       /* a load from which on others disturb a measurement */

/* When the kept peaks of this CPU were measured, ISO 8601 with zone. (transfer full); NULL when nothing is kept. */
char   *ls_peaks_date       (const char *cpu);
/* The load of the machine then; below 0: unknown. */
double  ls_peaks_busy       (const char *cpu);
/* Were they measured while the machine was busy?  Then they are too low, and what is compared with them looks better than it is. */
gboolean ls_peaks_doubtful  (const char *cpu);
/* And is it quiet now, so that measuring again would tell more? */
gboolean ls_peaks_worth_again (const char *cpu);
/* Bytes of the data cache of this level (1 to 3); 0: unknown. */
gint64  ls_host_cache_bytes (int         level);

G_END_DECLS
