/* report/page: one HTML page of a session that needs nothing else: no server, no other file, no script from elsewhere.
 *
 * What stands in it: a sentence, the history and the times as pictures, the loops before and after, each step with its
 * words, time and changed lines, the program of the current step and its trace.  Pictures are inline SVG, in light and
 * in dark; the reader's colours decide.
 */
#pragma once

#include "app/session/reporter.h"

G_BEGIN_DECLS

/* From now on sessions write pages and pictures with this. */
void ls_report_register (void);

G_END_DECLS
