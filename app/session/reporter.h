/* session/reporter: who draws a session.
 *
 * The core knows no GTK, and a page or a picture is drawn with it: the program that can do so (app/report) hands in what does.
 * It is given what there is to draw as it was at one moment, and draws in any thread.
 */
#pragma once

#include "app/session/history.h"
#include "views/models/session.h"

G_BEGIN_DECLS

/* What a page or a picture is of; it shares nothing with the session that changes. */
typedef struct {
  LsHistory  *history;          /* with items of its own */
  guint       current;
  GListStore *rows;             /* of those items: all, in the order that they are shown in */
  GListStore *path;             /* from the root on, as shown */
  char       *title;
  char       *place;            /* or NULL */
  char       *conditions;       /* of the measurements, or NULL */
  char       *device;           /* whose times they are; NULL: this machine's */
  gboolean    timed;            /* some step has a time */
  LsRoofline *roofline;         /* or NULL: no machine is known */
} LsReported;

typedef struct {
  /* The page, put together piece by piece; `reported` has to live until its end. */
  gpointer (*begin)        (const LsReported *reported);
  /* Puts the next piece; FALSE: that was the last. */
  gboolean (*put)          (gpointer report);
  /* Ends it: with `text` gives the page, also when pieces are missing. (transfer full) */
  char    *(*end)          (gpointer report, gboolean text);
  /* Writes one picture; the suffix of `path` says the format (.png, .pdf, else SVG). */
  gboolean (*write_figure) (const LsReported *reported, LsFigureKind kind, const char *path, gboolean dark, GError **error);
} LsReporter;

/* For all sessions of this program; `reporter` has to live on.  Without one, pages and pictures end with an error. */
void ls_session_set_reporter (const LsReporter *reporter);

G_END_DECLS
