/* parts/canvas-nodes: what a canvas draws, as children for a screen reader.
 *
 * In GTK 4.8 only widgets are accessible.  Each node of the canvas gets a child that draws nothing, takes no events and no keyboard,
 * and has the words of the node and its place.  A canvas with more than LS_CANVAS_NODES_MOST has the first of them: the list beside it
 * has all.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_CANVAS_NODES_MOST 300

/* Where node `n` is drawn, in pixels of the canvas. */
typedef void (*LsCanvasPlaceFunc) (GtkWidget       *canvas,
                                   guint            n,
                                   graphene_rect_t *place);

/* The nodes from now on: `words` (of char), or NULL for none. */
void  ls_canvas_nodes_set   (GtkWidget         *canvas,
                             GPtrArray         *words);
/* Gives them their places; for the canvas's size_allocate(). */
void  ls_canvas_nodes_place (GtkWidget         *canvas,
                             LsCanvasPlaceFunc  func);

G_END_DECLS
