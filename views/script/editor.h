/* LsScriptEditor: the opened program as text that can be edited.
 *
 * Each pause in typing hands the text to the session, which also keeps what is typed meanwhile; what is wrong stands at its line (a cross in the gutter, a wavy
 * underline) and in words below the text.  Undo and redo are those of the text.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_SCRIPT_EDITOR (ls_script_editor_get_type ())
G_DECLARE_FINAL_TYPE (LsScriptEditor, ls_script_editor, LS, SCRIPT_EDITOR, GtkWidget)

GtkWidget *ls_script_editor_new         (void);
void       ls_script_editor_set_session (LsScriptEditor *self,
                                         LsSession      *session);
/* The text view, for focus and search. Borrowed. */
GtkWidget *ls_script_editor_get_view    (LsScriptEditor *self);
/* Hands over what was typed at last. */
void       ls_script_editor_flush       (LsScriptEditor *self);
/* The card of the word at the cursor; nothing where nothing is known. */
void       ls_script_editor_show_card   (LsScriptEditor *self);
/* Takes the keyboard, to line `line` (from 1), which is selected. */
void       ls_script_editor_show_line   (LsScriptEditor *self,
                                         guint           line);
/* The line that the cursor is in, from 1, and the name at it. (transfer full), or NULL */
guint      ls_script_editor_get_line    (LsScriptEditor *self,
                                         char          **word);
/* Makes the repair of finding `index` of `text`, which is undone as what is typed is; nothing where another text is written here by now. */
void       ls_script_editor_fix         (LsScriptEditor *self,
                                         LsScriptText   *text,
                                         guint           index);
/* To the next (1) or previous (-1) finding. */
void       ls_script_editor_go          (LsScriptEditor *self,
                                         int             direction);

G_END_DECLS
