/* figure: pictures that stand alone, without a widget and without a display.
 *
 * A figure draws itself into an LsFigure and says how large it came out;
 * ls_figure_write() puts it onto paper of the look's view colour as PNG, SVG or
 * PDF.  All marks are those of canvas/draw, so a figure looks like the window.
 * Units are pixels at 96 dpi.
 */
#pragma once

#include "views/canvas/draw.h"

G_BEGIN_DECLS

typedef struct {
  GtkSnapshot  *snapshot;
  PangoContext *pango;
  const LsLook *look;
  float         width;          /* set by whoever draws */
  float         height;
} LsFigure;

/* What a text is for; look.md has a size and weight for each. */
typedef enum {
  LS_ROLE_VERDICT,
  LS_ROLE_STRONG,
  LS_ROLE_BODY,
  LS_ROLE_REASON,
  LS_ROLE_CAPTION,
  LS_ROLE_CODE,
  LS_ROLE_CODE_STRONG,
} LsTextRole;

typedef enum {
  LS_FIGURE_PNG,
  LS_FIGURE_SVG,
  LS_FIGURE_PDF,
} LsFigureFormat;

#define LS_FIGURE_MARGIN 24.0f

/* Ready to be drawn into, with or without a display. */
void        ls_figure_begin       (LsFigure              *self,
                                   gboolean               dark);
/* Writes what was drawn to `path` and ends the figure; `scale` is pixels per unit,
 * only PNG has them, and a figure of over 32,000 gets fewer.  FALSE with `error` set when the file cannot be
 * written.  The same figure gives the same bytes in each run of a program; within
 * one run cairo numbers the parts of SVG on. */
gboolean    ls_figure_write       (LsFigure              *self,
                                   LsFigureFormat         format,
                                   double                 scale,
                                   const char            *path,
                                   GError               **error);
void        ls_figure_clear       (LsFigure              *self);
/* What was drawn as the text of an <svg> element, without a background. (transfer full) */
char       *ls_figure_svg         (LsFigure              *self);

const char *ls_figure_extension   (LsFigureFormat         format);

/* Text of one line with its left (xalign 0), middle or right at x and its middle
 * at y. Returns its width. */
float       ls_figure_text        (LsFigure              *self,
                                   LsTextRole             role,
                                   LsLookToken            color,
                                   const char            *text,
                                   float                  x,
                                   float                  y,
                                   float                  xalign);
/* The same, cut with an ellipsis to `room`. */
float       ls_figure_text_within (LsFigure              *self,
                                   LsTextRole             role,
                                   LsLookToken            color,
                                   const char            *text,
                                   float                  x,
                                   float                  y,
                                   float                  room);
float       ls_figure_text_width  (LsFigure              *self,
                                   LsTextRole             role,
                                   const char            *text);
void        ls_figure_rule        (LsFigure              *self,
                                   LsLookToken            color,
                                   float                  x,
                                   float                  y,
                                   float                  width);

G_END_DECLS
