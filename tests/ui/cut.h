/* cut: what is wrong with the texts that a window shows: cut.c (pages and tool windows), filled.c (pages full of results).
 *
 * The walk of the widgets is in cut-walk.c; cut-window.c uses windows and counts their faults.
 */
#pragma once

#include "views/models/session.h"

#include <gtk/gtk.h>

/* What is said, and where, as one number; in `n_words` how much of it on the page. */
guint      ls_cut_print            (GtkWidget  *window,
                                    guint      *n_words);
/* What is wrong, a line for each.  It measures every widget: for a window that stands. (transfer full) */
char      *ls_cut_faults           (GtkWidget  *window);

/* Icons of buttons that mean two things in this window, a line for each, behind what is there. */
void       ls_cut_icons            (GtkWidget  *window,
                                    GString    *found);

/* Widgets that ask for more height with all the width than without any, a line for each. (transfer full) */
char      *ls_cut_grown            (GtkWidget  *window);

/* Faults are counted from here; the test fails at the end if there was one. */
void       ls_cut_begin            (void);
void       ls_cut_end              (void);

void       ls_cut_wait_ms          (guint       ms);
/* Frames that were drawn, however long they took, and all that waits for an idle turn. */
void       ls_cut_pass_frames      (GtkWidget  *widget,
                                    guint       n);
/* Looks when it stands: with at least so many words.  With LS_CUT_PICTURES=FOLDER in the environment it keeps a picture. */
void       ls_cut_inspect          (GtkWidget  *window,
                                    const char *where,
                                    guint       least);
/* Letters of so many percent. */
void       ls_cut_set_scale        (int         percent);
/* A main window; takes the session. (transfer none) */
GtkWidget *ls_cut_open_window      (LsSession  *taken,
                                    int         width,
                                    int         height);
void       ls_cut_activate         (GtkWidget  *window,
                                    const char *action,
                                    const char *target);
/* It is no larger than that; than the screen. */
void       ls_cut_expect_size      (GtkWidget  *window,
                                    int         width,
                                    int         height,
                                    const char *where);
void       ls_cut_expect_on_screen (GtkWidget  *window,
                                    const char *where);
/* What a text makes when it is opened as a file. (transfer full) */
LsSession *ls_cut_session_of       (const char *text);
/* The window that the action opens. (transfer full) */
GtkWidget *ls_cut_open_tool        (GtkWidget  *window,
                                    const char *action);
