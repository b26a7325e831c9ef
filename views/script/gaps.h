/* script/gaps: the room that a text leaves where the text beside it has lines that it has not.
 *
 * A GtkTextView has no empty rows of no line: the room is over or under a line, by a tag that raises its margins.  One tag stands for
 * each height of room, whatever number of lines has it; all of them are the gaps' own and go with them.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/script-text.h"

G_BEGIN_DECLS

typedef struct _LsScriptGaps LsScriptGaps;

/* Borrows `buffer`, which lives longer.  `above` and `below` are the pixels that the view leaves there for each line. */
LsScriptGaps *ls_script_gaps_new       (GtkTextBuffer *buffer,
                                        int            above,
                                        int            below);
void          ls_script_gaps_free      (LsScriptGaps  *self);
/* What the lines of `text` say, which the buffer shows, each missing one `row` pixels high; NULL: there is nothing beside it. */
void          ls_script_gaps_set       (LsScriptGaps  *self,
                                        LsScriptText  *text,
                                        int            row);
/* Pixels of room over and under a line. */
int           ls_script_gaps_get_above (LsScriptGaps  *self,
                                        guint          line);
int           ls_script_gaps_get_below (LsScriptGaps  *self,
                                        guint          line);

G_END_DECLS
