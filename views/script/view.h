/* LsScriptView: the TVMScript of the current step, alone or beside that of the
 * step before; findings of a broken text; search. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_SCRIPT_VIEW (ls_script_view_get_type ())
G_DECLARE_FINAL_TYPE (LsScriptView, ls_script_view, LS, SCRIPT_VIEW, GtkWidget)

GtkWidget *ls_script_view_new         (void);
void       ls_script_view_set_session (LsScriptView *self,
                                       LsSession    *session);
/* Shows or hides the text of the step before. */
void       ls_script_view_toggle_diff (LsScriptView *self);
/* In a narrow view the difference stands in one column: gone lines over the new ones. */
void       ls_script_view_set_narrow  (LsScriptView *self,
                                       gboolean      narrow);
void       ls_script_view_start_search (LsScriptView *self);
void       ls_script_view_search_next (LsScriptView *self);
/* From the line at the cursor (or, when the text has no keyboard, of the selection) to the line of the opened program that it stems
 * from; while that is edited, to what became of the line at its cursor.  NULL: it was done; else why not. (transfer full) */
char      *ls_script_view_go_to_source (LsScriptView *self);
void       ls_script_view_focus       (LsScriptView *self);

/* The opened program as text to edit, or the shown step again. */
void       ls_script_view_toggle_edit  (LsScriptView *self);
/* While it is edited: to the next (1) or previous (-1) finding. FALSE: it is not edited. */
gboolean   ls_script_view_go_to_finding (LsScriptView *self,
                                         int           direction);

G_END_DECLS
