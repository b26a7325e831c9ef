/* LsScriptPane: one read-only TVMScript text with lineage, step tags, selection
 * and, beside another pane, what changed.
 *
 * A GtkSourceView over these, which share what it shows (script/shown) and do not know it:
 *
 *   tags     looks of words, and how another text comes into the buffer
 *   gaps     room where the text beside it has more lines
 *   layers   what is drawn under and over the words
 *   gutter   line numbers, chips and step tags, or the marks of a comparison
 */
#pragma once

#include "views/models/session.h"
#include "views/parts/text-view.h"

G_BEGIN_DECLS

#define LS_TYPE_SCRIPT_PANE (ls_script_pane_get_type ())
G_DECLARE_FINAL_TYPE (LsScriptPane, ls_script_pane, LS, SCRIPT_PANE, LsTextView)

GtkWidget          *ls_script_pane_new         (void);
void                ls_script_pane_set_session (LsScriptPane *self,
                                                LsSession    *session);
/* Shows `text`; NULL empties. */
void                ls_script_pane_set_text    (LsScriptPane *self,
                                                LsScriptText *text);
LsScriptText       *ls_script_pane_get_text    (LsScriptPane *self);
/* With TRUE: change marks and gaps; with FALSE: chips and step tags. */
void                ls_script_pane_set_compare (LsScriptPane *self,
                                                gboolean      compare);
gboolean            ls_script_pane_get_compare (LsScriptPane *self);
/* The line that has the selection of the session, from 0; -1: none. */
int                 ls_script_pane_get_selected_line (LsScriptPane *self);
/* Whether the line lies in the `height` pixels of text from `top`. */
gboolean            ls_script_pane_sees        (LsScriptPane *self,
                                                guint         line,
                                                double        top,
                                                double        height);
/* Scrolls just as far as the line needs to be seen. */
void                ls_script_pane_show_line   (LsScriptPane *self,
                                                guint         line);
/* Brings line `line` (from 0) into view, some way from the edge; nothing moves when it is. */
void                ls_script_pane_reveal      (LsScriptPane *self,
                                                guint         line);
/* Lights lines (of guint, from 0; NULL: none) as what one asked for, until the cursor moves or another text is shown; the cursor goes to the
 * first of them. */
void                ls_script_pane_light       (LsScriptPane *self,
                                                GArray       *lines);
/* Marks line `line` (from 0) as the one that is spoken of, until another text is shown: it looks selected and the gutter says
 * "here". */
void                ls_script_pane_mark        (LsScriptPane *self,
                                                guint         line);
/* Frames lines `first` to `last` (from 0) as the change that one stands at and puts the cursor there; -1: none. */
void                ls_script_pane_show_change (LsScriptPane *self,
                                                int           first,
                                                int           last);
/* To where the name at the cursor gets its meaning, and selects it there; FALSE: it has no such place. */
gboolean            ls_script_pane_go_to_definition (LsScriptPane *self);
/* Character that the cursor is at. */
guint               ls_script_pane_get_cursor (LsScriptPane *self);
/* Takes the keyboard and puts the cursor at the next use of what has pin `slot`. */
void                ls_script_pane_go_to_pin  (LsScriptPane *self,
                                                guint         slot);
/* The card of what is at the cursor; nothing where nothing is known. */
void                ls_script_pane_show_card (LsScriptPane *self);
/* Height of one row in pixels. */
int                 ls_script_pane_row_height  (LsScriptPane *self);

G_END_DECLS
