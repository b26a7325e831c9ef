/* LsShareBar: a share of a whole as a bar. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_SHARE_BAR (ls_share_bar_get_type ())
G_DECLARE_FINAL_TYPE (LsShareBar, ls_share_bar, LS, SHARE_BAR, GtkWidget)

GtkWidget *ls_share_bar_new (void);
/* 0 to 1; what is outside counts as the nearer end. */
void       ls_share_bar_set (LsShareBar *self,
                             double      share);

G_END_DECLS
