/* layered: places for graphs that Graphviz takes too long for, in linear time but for sorting each layer once. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The answer of the method "layout" for its parameters `sizes` a(dd), `homes` ai, `edges` a(uu), `parents` ai, `titles` a(dd) or
 * NULL.  Layers go down, wrapped into columns so that the whole is about as wide as a screen; each outermost cluster begins a
 * column.  Labels of edges get no place.  NULL: an edge or a cluster is none. Floating. */
GVariant *ls_layout_layered (GVariant *sizes,
                             GVariant *homes,
                             GVariant *edges,
                             GVariant *parents,
                             GVariant *titles);

G_END_DECLS
