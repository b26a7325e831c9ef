/* help/window: the pages of data/help in the language of the user, with a list of contents and a search over all of them. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows the help at `page` ("moves", NULL: where it was, else the first); one window for the program. */
void ls_help_window_show (GtkWindow  *parent,
                          const char *page);

G_END_DECLS
