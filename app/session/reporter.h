/* session/reporter: who draws a session.
 *
 * The core knows no GTK, and a page or a picture is drawn with it: the program that can do so (app/report) hands in what does.
 */
#pragma once

#include "app/session/history.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct {
  /* The page about the rows and the step of now, put together piece by piece; the history may grow meanwhile, but has to live on. */
  gpointer (*begin)        (LsSession *session, LsHistory *history, guint current);
  /* Puts the next piece, of a few milliseconds; FALSE: that was the last. */
  gboolean (*put)          (gpointer report);
  /* Ends it: with `text` gives the page, also when pieces are missing. (transfer full) */
  char    *(*end)          (gpointer report, gboolean text);
  /* Writes one picture; the suffix of `path` says the format (.png, .pdf, else SVG). */
  gboolean (*write_figure) (LsSession *session, LsHistory *history, guint current, LsFigureKind kind, const char *path,
                            gboolean dark, GError **error);
} LsReporter;

/* For all sessions of this program; `reporter` has to live on.  Without one, pages and pictures end with an error. */
void ls_session_set_reporter (const LsReporter *reporter);

G_END_DECLS
