/* tool/window: what all the windows beside the main one have in common. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A window that stands before `parent`, goes with it, and that Escape closes, where nothing inside wants the key.  `content`
 * fills it; `foot` (a label, or NULL) says below what can be done here.  Returns: the window, which GTK owns; not yet shown. */
GtkWidget *ls_tool_window_new  (GtkWindow      *parent,
                                const char     *title,
                                int             width,
                                int             height,
                                GtkWidget      *content,
                                GtkWidget      *foot);
/* One of its kind for each `parent`: `key` names the kind, `data` is what the caller knows of this one, freed with the window. */
void       ls_tool_window_keep (GtkWidget      *window,
                                const char     *key,
                                gpointer        data,
                                GDestroyNotify  data_free);
/* Returns: the data of the one that stands open before `parent`, borrowed, or NULL. */
gpointer   ls_tool_window_find (GtkWindow      *parent,
                                const char     *key);

G_END_DECLS
