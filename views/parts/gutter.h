/* parts/gutter: what stands in the gutter of a GtkSourceView leaves with its window.
 *
 * The lines that a gutter drew last hold its view, so a view that was drawn with renderers is never disposed (GtkSourceView 5.6).
 */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* Takes all renderers out of the left gutter, in their order, and lets go what they drew. (transfer full) of GtkSourceGutterRenderer */
GPtrArray *ls_gutter_take (GtkSourceView *view);
/* Puts them there again. Takes `renderers`, which may be NULL. */
void       ls_gutter_put  (GtkSourceView *view,
                           GPtrArray     *renderers);

G_END_DECLS
