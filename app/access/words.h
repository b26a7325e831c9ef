/* access/words: what the window of the accesses says, without a widget. */
#pragma once

#include "engine/interp/access-order.h"
#include "engine/interp/memory-lab.h"

G_BEGIN_DECLS

/* "access 37 of 4,096: reads B[0, 36], i = 0, k = 36; 40 lines fetched", after `n` accesses. (transfer full) */
char *ls_access_words_at      (const LsAccessOrder *order,
                               guint                n);
/* "4,096 accesses fetch 260 lines of 64 bytes and use 16 bytes of each." (transfer full) */
char *ls_access_words_all     (const LsAccessOrder *order);
/* Both over as many accesses as both have: what the step did to the lines. (transfer full) */
char *ls_access_words_between (const LsAccessOrder *left,
                               const char          *left_name,
                               const LsAccessOrder *right,
                               const char          *right_name);
/* What most of the first cache's misses are, of which buffer, why, and how much was simulated. (transfer full) */
char *ls_access_words_memory  (const LsMemoryLab   *memory);
/* Lines that the first `n` accesses fetched. */
guint ls_access_lines_at      (const LsAccessOrder *order,
                               guint                n);

G_END_DECLS
