/* LsNodeItem: one row of the list of a graph's nodes. */
#pragma once

#include <gio/gio.h>

#include "engine/graph/series.h"

G_BEGIN_DECLS

#define LS_TYPE_NODE_ITEM (ls_node_item_get_type ())
G_DECLARE_FINAL_TYPE (LsNodeItem, ls_node_item, LS, NODE_ITEM, GObject)

/* Holds the series. */
LsNodeItem        *ls_node_item_new      (LsGraphSeries *series,
                                          guint          state,
                                          guint          place);
guint              ls_node_item_get_place (LsNodeItem   *self);
const LsGraphNode *ls_node_item_get_node (LsNodeItem    *self);
LsGraphMark        ls_node_item_get_mark (LsNodeItem    *self);
/* "matmul, R.matmul, lv0 (1, 128) float32, from x and lv, to add". (transfer full) */
char              *ls_node_item_describe (LsNodeItem    *self);

G_END_DECLS
