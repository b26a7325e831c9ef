/* parts/wrap: lays children out in a line as a GtkBox does, and in as many lines as it takes where there is no room for one. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_WRAP_LAYOUT (ls_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (LsWrapLayout, ls_wrap_layout, LS, WRAP_LAYOUT, GtkLayoutManager)

/* `spacing` px between two children and between two lines.  A child stands in the line of the one before it where the least widths of
 * all of them fit; what is left over goes to what they would like, then to those that expand. */
GtkLayoutManager *ls_wrap_layout_new (int spacing);

G_END_DECLS
