/* layered: places for graphs that Graphviz takes too long for, in linear time but for sorting each layer once. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The answer of the method "layout" for its parameters `sizes` a(dd), `homes` ai, `edges` a(uu), `parents` ai, `labels` and `titles`
 * a(dd) or NULL.  Layers go down, wrapped into as many columns as give the whole the shape of a screen; each outermost cluster begins a
 * column.  Of the labels of edges those of a chain get a place.  NULL: an edge or a cluster is none. Floating. */
GVariant *ls_layout_layered (GVariant *sizes,
                             GVariant *homes,
                             GVariant *edges,
                             GVariant *parents,
                             GVariant *labels,
                             GVariant *titles);

G_END_DECLS
