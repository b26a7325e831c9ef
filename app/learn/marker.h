/* LsMarker: lies over a slide.  While the speaker points, a spot follows the pointer, and a drag leaves a stroke of a highlighter; the slide
 * below hears nothing of it.  Otherwise it takes no input, and the strokes stay until they are cleared. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_MARKER (ls_marker_get_type ())
G_DECLARE_FINAL_TYPE (LsMarker, ls_marker, LS, MARKER, GtkWidget)

/* (transfer none, floating) */
GtkWidget *ls_marker_new          (void);
void       ls_marker_set_pointing (LsMarker *self,
                                   gboolean  pointing);
gboolean   ls_marker_get_pointing (LsMarker *self);
/* Takes all strokes away. */
void       ls_marker_clear        (LsMarker *self);
guint      ls_marker_get_n        (LsMarker *self);     /* strokes */

G_END_DECLS
