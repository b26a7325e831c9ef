/* tool/window: what all the windows beside the main one have in common. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A window of its own beside `parent`: it need not stand before it, goes with it, and Escape closes it where nothing inside wants the
 * key.  Its header bar has `title` and, below it, the title of the parent.  `content` fills it; `foot` (a label, or NULL) says below
 * what can be done here.  Sizes are for letters of the usual size.  Returns: the window, which GTK owns; not yet shown. */
GtkWidget *ls_tool_window_new        (GtkWindow      *parent,
                                      const char     *title,
                                      int             width,
                                      int             height,
                                      GtkWidget      *content,
                                      GtkWidget      *foot);
/* Makes a window that was made elsewhere one beside `parent`: it goes with it, and Escape closes it. */
void       ls_tool_window_join       (GtkWidget      *window,
                                      GtkWindow      *parent);
/* Another title. */
void       ls_tool_window_set_title  (GtkWidget      *window,
                                      const char     *title);
/* Borrowed. */
GtkWindow *ls_tool_window_get_parent (GtkWidget      *window);
/* One of its kind for each parent: `key` names the kind, `data` is what the caller knows of this one, freed with the window.  It gets
 * the size that the last of its kind had. */
void       ls_tool_window_keep       (GtkWidget      *window,
                                      const char     *key,
                                      gpointer        data,
                                      GDestroyNotify  data_free);
/* Returns: the data of the one that stands open beside `parent`, borrowed, or NULL. */
gpointer   ls_tool_window_find       (GtkWindow      *parent,
                                      const char     *key);

G_END_DECLS
