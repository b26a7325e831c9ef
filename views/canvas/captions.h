/* captions: where the words under the step bar go. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_CAPTION_FORMS 2

/* LsCaption: in: the middle of its disc, the widths of its forms from whole to brief in pixels (0: it has no such form), and
 * how far it is from the current step.  Out: the row, from 0, or -1 when it is left out; the form; the left edge. */
typedef struct {
  float middle;
  float widths[LS_CAPTION_FORMS];
  guint distance;
  int   row;
  int   form;
  float left;
} LsCaption;

/* Places `n` captions, from left to right, within `width`.  A caption is never cut and never meets another: what one row cannot
 * hold goes into two rows by turns; what these cannot hold becomes brief; what then finds no room is left out, the farthest
 * from the current step first.  Returns the number of rows. */
guint ls_captions_place (LsCaption *captions,
                         guint      n,
                         float      width);

G_END_DECLS
