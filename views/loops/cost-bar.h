/* LsCostBar: a share from 0 to 1 as a bar; its number stands beside it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_COST_BAR (ls_cost_bar_get_type ())
G_DECLARE_FINAL_TYPE (LsCostBar, ls_cost_bar, LS, COST_BAR, GtkWidget)

GtkWidget *ls_cost_bar_new       (void);
/* Below 0 draws nothing. */
void       ls_cost_bar_set_share (LsCostBar *self,
                                  double     share);
/* In the colour of errors. */
void       ls_cost_bar_set_wrong (LsCostBar *self,
                                  gboolean   wrong);

G_END_DECLS
