/* peaks: what stands beside the kept peaks of a machine. */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

#define LS_PEAKS_BUSY 1.5       /* a load from which on others disturb a measurement */
#define LS_PEAKS_AGAIN_S 600    /* after which what was measured beside others is measured again even so: figures only become better */

/* ls_peaks_store(), and whether others had the machine while it was measured: then what was once reached stays where that is more. */
gboolean ls_peaks_keep      (const char     *cpu,
                             const LsPeaks  *measured,
                             gboolean        busy,
                             GError        **error);
/* When the kept peaks of this CPU were measured, ISO 8601 with zone. (transfer full); NULL when nothing is kept. */
char   *ls_peaks_date       (const char *cpu);
/* The load of the machine then; below 0: unknown. */
double  ls_peaks_busy       (const char *cpu);
/* Were they measured while the machine was busy?  Then they are too low, and what is compared with them looks better than it is. */
gboolean ls_peaks_doubtful  (const char *cpu);
/* And is it quiet now, or was that long ago, so that measuring again would tell more? */
gboolean ls_peaks_worth_again (const char *cpu);
/* Bytes of the data cache of this level (1 to 3); 0: unknown. */
gint64  ls_host_cache_bytes (int         level);

G_END_DECLS
