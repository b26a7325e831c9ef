/* session/counter-words: what the processor counted in a step, in words. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "Counted per call: 4,100,000 cycles, 12,300,000 instructions, ..." of an answer of the worker (app/worker/counting.h), or
 * the sentence why there are no counters; NULL: the answer says nothing of them. (transfer full) */
char *ls_counter_words (GVariant *answer);

G_END_DECLS
