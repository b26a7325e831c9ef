/* LsPinBar: what is pinned, one button each: it goes to the next use.  Not there while nothing is pinned. */
#pragma once

#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_PIN_BAR (ls_pin_bar_get_type ())
G_DECLARE_FINAL_TYPE (LsPinBar, ls_pin_bar, LS, PIN_BAR, GtkWidget)

GtkWidget *ls_pin_bar_new         (void);
/* ::chosen comes with the number of a pin whose next use is wanted. */
void       ls_pin_bar_set_session (LsPinBar  *self,
                                   LsSession *session);

G_END_DECLS
