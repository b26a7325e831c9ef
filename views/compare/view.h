/* LsCompareView: the Compare page: any two steps, branches or files; what happened to the loops, the texts, the times.
 *
 *   head      Left and Right as drop-downs, swap, a file to compare with
 *   ribbons   compare-canvas, with the words and steps of the changes; played step by step
 *   time      compare-time
 *   texts     two script panes with tied scrolling, or one column
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_COMPARE_VIEW (ls_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (LsCompareView, ls_compare_view, LS, COMPARE_VIEW, GtkWidget)

GtkWidget *ls_compare_view_new         (void);
void       ls_compare_view_set_session (LsCompareView *self,
                                        LsSession     *session);
/* Puts two nodes side by side. */
void       ls_compare_view_show        (LsCompareView *self,
                                        guint          left,
                                        guint          right);
/* The ids that are shown. */
void       ls_compare_view_get_shown   (LsCompareView *self,
                                        guint         *left,
                                        guint         *right);
/* Runs through the steps between left and right, or stops. */
void       ls_compare_view_play        (LsCompareView *self);
/* One step of that by hand. */
void       ls_compare_view_step        (LsCompareView *self,
                                        int            direction);
/* To the next (1) or previous (-1) change of the texts. */
void       ls_compare_view_go_to_change (LsCompareView *self,
                                         int            direction);
/* The texts in one column, or side by side again. */
void       ls_compare_view_toggle_column (LsCompareView *self);
/* Under 1100 px: the time card below the ribbons, the texts in one column. */
void       ls_compare_view_set_narrow  (LsCompareView *self,
                                        gboolean       narrow,
                                        gboolean       cramped);
/* Reads a file, adds it to what can be chosen on the right and chooses it. */
void       ls_compare_view_add_file    (LsCompareView *self,
                                        GFile         *file,
                                        GAsyncReadyCallback callback,
                                        gpointer       data);
/* FALSE with `error` set: it cannot be read. */
gboolean   ls_compare_view_add_file_finish (LsCompareView *self,
                                        GAsyncResult  *result,
                                        GError       **error);

/* The ribbons as a picture, drawn in a thread; the suffix says the format (.png, .pdf, else SVG). */
void       ls_compare_view_write_async   (LsCompareView *self,
                                          const char    *path,
                                          GAsyncReadyCallback callback,
                                          gpointer       data);
gboolean   ls_compare_view_write_finish  (GAsyncResult  *result,
                                          GError       **error);

G_END_DECLS
