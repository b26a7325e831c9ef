/* session-report: one HTML page of a session that needs nothing else: no server, no other file, no script from elsewhere.
 *
 * What stands in it: a sentence, the history and the times as pictures, the loops before and after, each step with its
 * words, time and changed lines, the program of the current step and its trace.  Pictures are inline SVG, in light and
 * in dark; the reader's colours decide.
 */
#pragma once

#include "app/history.h"
#include "views/models/session.h"

G_BEGIN_DECLS

/* (transfer full) */
char *ls_session_report (LsSession *session,
                         LsHistory *history,
                         guint      current);

/* Writes one picture; the suffix of `path` says the format (.png, .pdf, else SVG). */
gboolean ls_session_write_figure_of (LsSession     *session,
                                  LsHistory     *history,
                                  guint          current,
                                  LsFigureKind   kind,
                                  const char    *path,
                                  gboolean       dark,
                                  GError       **error);

G_END_DECLS
