/* random-private: what the files of the random driver share: random.c (chance, windows, the whole), random-session.c (wishes of files and
 * sessions), random-widgets.c (wishes of what is on the screen). */
#pragma once

#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- random.c ---- */

/* A number below another, by chance; 0 of none. */
guint       ls_wish_below        (guint       n);
/* What is wished, for the log. */
void        ls_wish_note         (const char *format,
                                  ...) G_GNUC_PRINTF (1, 2);
/* One of the main windows, or NULL. (transfer none) */
GtkWindow  *ls_wish_any_window   (void);
LsSession  *ls_wish_session_of   (GtkWindow  *window);
/* Where files are written. */
const char *ls_wish_get_folder   (void);

/* ---- random-session.c ---- */

/* The programs that are opened and compared. */
void        ls_wish_write_files  (void);

void        ls_wish_open_file    (GtkWindow  *window);
void        ls_wish_open_session (GtkWindow  *window);
void        ls_wish_compare_file (GtkWindow  *window);
void        ls_wish_save         (GtkWindow  *window);
void        ls_wish_select_row   (GtkWindow  *window);
void        ls_wish_go_to        (GtkWindow  *window);
void        ls_wish_use_move     (GtkWindow  *window);
void        ls_wish_reorder      (GtkWindow  *window);
void        ls_wish_pin          (GtkWindow  *window);
void        ls_wish_name_it      (GtkWindow  *window);
void        ls_wish_edit_step    (GtkWindow  *window);
void        ls_wish_measure      (GtkWindow  *window);

/* ---- random-widgets.c ---- */

void        ls_wish_use_hand     (GtkWindow  *window);
void        ls_wish_type         (GtkWindow  *window);
void        ls_wish_fill_in      (GtkWindow  *window);
void        ls_wish_press        (GtkWindow  *window);
void        ls_wish_focus        (GtkWindow  *window);
void        ls_wish_scroll       (GtkWindow  *window);
void        ls_wish_resize       (GtkWindow  *window);
void        ls_wish_change_look  (GtkWindow  *window);
void        ls_wish_show_page    (GtkWindow  *window);
void        ls_wish_act          (GtkWindow  *window);
void        ls_wish_open_tool    (GtkWindow  *window);
void        ls_wish_choose_row   (GtkWindow  *window);
void        ls_wish_close_beside (GtkWindow  *window);

G_END_DECLS
