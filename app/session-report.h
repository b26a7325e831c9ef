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

/* The same in pieces of a few milliseconds.  It is about the rows and the step of now; the history may grow meanwhile, but
 * has to live on. */
typedef struct _LsReport LsReport;

LsReport *ls_report_new  (LsSession *session,
                          LsHistory *history,
                          guint      current);
/* Puts the next piece; FALSE: that was the last. */
gboolean  ls_report_put  (LsReport  *self);
/* Ends it: with `text` gives the page, also when pieces are missing. (transfer full) */
char     *ls_report_free (LsReport  *self,
                          gboolean   text);

/* Writes one picture; the suffix of `path` says the format (.png, .pdf, else SVG). */
gboolean ls_session_write_figure_of (LsSession     *session,
                                  LsHistory     *history,
                                  guint          current,
                                  LsFigureKind   kind,
                                  const char    *path,
                                  gboolean       dark,
                                  GError       **error);

G_END_DECLS
