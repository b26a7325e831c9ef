/* loopscope-draw: the job of the window without a display: replays a schedule, says what each step did and draws it.
 *
 *   main      options, opening, measuring
 *   report    the text on standard output
 *   pictures  the figures and their files
 *   graphs    pictures of graphs for `loopscope-cli graph -o`
 *   threads   pictures of simulated threads for `loopscope-cli simt -o`
 *   paper     the sheets of a PDF, and what flows down them
 *   view      what a cell of a lesson showed, on paper
 *   lesson    a lesson as PDF for `loopscope-cli lesson export --to pdf`
 */
#pragma once

#include "app/session/engine.h"
#include "app/session/history.h"
#include "views/canvas/figure.h"

G_BEGIN_DECLS

#define LS_DRAW_STOPS 3         /* exit status: see main.c; loopscope-cli asks for it */

typedef struct {
  const char *folder;
  gboolean    formats[LS_FIGURE_PDF + 1];
  gboolean    dark;
  double      scale;
} LsDrawOptions;

/* History, loop nest before and after, program; on standard output. */
void     ls_draw_report   (LsSession           *session,
                           LsHistory           *history);

/* Writes all figures in all wanted formats and says each path on standard output. */
gboolean ls_draw_pictures (LsSession           *session,
                           LsHistory           *history,
                           const LsDrawOptions *options,
                           GError             **error);

/* Paints the graphs that stand on standard input, each to its path, which is said on standard output. */
gboolean ls_draw_graphs   (const LsDrawOptions *options,
                           GError             **error);

/* The same of simulated threads: one access, a finding or a layout. */
gboolean ls_draw_threads  (const LsDrawOptions *options,
                           GError             **error);

/* What stands on standard input, the bytes of an a{sv}. (transfer full) */
GVariant *ls_draw_read_request (GError        **error);
/* By the end of the name; SVG unless it says another. */
LsFigureFormat ls_draw_format_of (const char   *path);

G_END_DECLS
