/* preferences/window: the window of what the user can choose: colours, size of the letters, motion. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ls_preferences_show (GtkWindow *parent);

G_END_DECLS
