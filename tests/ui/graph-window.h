/* graph-window: windows on their page of graphs, for the tests of it. */
#pragma once

#include "app/session/engine.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct { const char *name; void (*run) (void); } LsGraphWindowTest;

/* What main() gives: runs the tests (up to one without a name) with an application of their own, or says that there is no display. */
int        ls_graph_window_run  (int                      argc,
                                 char                   **argv,
                                 const LsGraphWindowTest *tests);
/* A window of this size on the page of graphs, where the session opens `text`. */
GtkWidget *ls_graph_window_new  (LsSession               *session,
                                 const char              *text,
                                 int                      width,
                                 int                      height);
/* Its canvas, once the program is laid out there. */
GtkWidget *ls_graph_window_wait (GtkWidget               *window,
                                 LsSession               *session);
/* Turns the main loop so long. */
void       ls_graph_window_turn (guint                    ms);
/* The first widget of this type below `root`, or NULL. */
GtkWidget *ls_graph_window_find (GtkWidget               *root,
                                 const char              *type);

G_END_DECLS
