/* paper: what flows down the pages of a PDF: paragraphs, code, pictures; A4, in points. */
#pragma once

#include <json-glib/json-glib.h>
#include <pango/pangocairo.h>

G_BEGIN_DECLS

typedef struct {
  cairo_surface_t *surface;
  cairo_t         *cr;
  PangoContext    *pango;
  char            *title;
  double           y;           /* where the next thing begins */
  guint            page;        /* from 1 */
  gboolean         in_question; /* a bar stands beside it */
} LsPaper;

typedef enum {
  LS_INK_TEXT,
  LS_INK_DIM,
  LS_INK_ACCENT,
  LS_INK_ERROR,
  LS_INK_NEW,                   /* behind lines that came */
  LS_INK_GONE,                  /* behind lines that went */
  LS_INK_MARK,                  /* behind the line that is meant */
  LS_INK_GROUND,                /* behind code */
  LS_INK_LINE,
  LS_INK_NONE,
} LsInk;

#define LS_PAPER_LEFT 54.0
#define LS_PAPER_TOP 54.0
#define LS_PAPER_HEIGHT 841.89
#define LS_PAPER_WIDTH (595.28 - 2.0 * LS_PAPER_LEFT)

void         ls_paper_ink      (LsPaper     *self,
                                LsInk        ink);
/* The title and the number of the page, below. */
void         ls_paper_foot     (LsPaper     *self);
/* How much is left of the page. */
double       ls_paper_left     (LsPaper     *self);
/* So much height is free below y afterwards, on this page or on a new one; at most a page. */
void         ls_paper_room     (LsPaper     *self,
                                double       height);
/* Goes down, and draws the bar of a question beside it. */
void         ls_paper_advance  (LsPaper     *self,
                                double       height);
/* A layout of markup, or of plain text where it is none. (transfer full) */
PangoLayout *ls_paper_layout   (LsPaper     *self,
                                const char  *font,
                                const char  *markup,
                                const char  *text,
                                double       width);
/* Line by line over as many pages as it takes; `ground` lies behind all of the width. */
void         ls_paper_flow     (LsPaper     *self,
                                PangoLayout *layout,
                                double       indent,
                                LsInk        ink,
                                LsInk        ground);
/* Words of one font, with room below. */
void         ls_paper_words    (LsPaper     *self,
                                const char  *font,
                                const char  *markup,
                                const char  *text,
                                double       indent,
                                LsInk        ink);
/* A program with its keywords; `ops` ("=", "-", "+" for each line) may be NULL, `mark` too. */
void         ls_paper_code     (LsPaper     *self,
                                const char  *text,
                                const char  *ops,
                                const char  *mark);
/* Rows of cells, each markup; the first row is the head. */
void         ls_paper_rows     (LsPaper     *self,
                                JsonArray   *rows);

/* ---- view.c ---- */

/* What a cell showed; FALSE: it is no view. */
gboolean     ls_paper_view     (LsPaper     *self,
                                JsonObject  *view);

/* ---- lesson.c ---- */

/* Writes a lesson for paper (app/page, ls_lesson_to_paper) that is read from standard input as PDF. */
gboolean     ls_draw_paper     (const char  *path,
                                GError     **error);

G_END_DECLS
