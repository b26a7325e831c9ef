/* script/shown: what a text pane shows at the moment, for who draws parts of it: the layers under and over its text (script/layers) and
 * its gutter.  The pane fills it in; for all others it is to be read.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"
#include "views/script/gaps.h"
#include "views/script/tags.h"

G_BEGIN_DECLS

typedef struct {
  GtkTextView  *view;           /* the pane itself */
  LsSession    *session;        /* weak, or NULL */
  LsScriptText *text;           /* or NULL */
  guint         changes;        /* another number for each text */
  LsScriptTags *tags;
  LsScriptGaps *gaps;
  gboolean      compare;        /* change marks and gaps, not chips and step tags */
  int           change_first;   /* the change that one stands at, as lines; -1: none */
  int           change_last;
  GArray       *lit;            /* lines (guint) that one asked for, or NULL */
  guint         stand;          /* the line, from 1, before which a run stands still; 0: none */
} LsScriptShown;

/* TRUE when line `line` (from 0) opens the selected loop or block, is spoken of, or is one that was asked for. */
gboolean ls_script_shown_is_selected (const LsScriptShown *self,
                                      guint                line);
/* Where the row of a line is within the room that the view gives the line, gaps and all: pixels from `y`, and its height. */
void     ls_script_shown_get_row     (const LsScriptShown *self,
                                      guint                line,
                                      int                  room,
                                      int                 *top,
                                      int                 *height);

G_END_DECLS
