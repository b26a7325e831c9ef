/* layered-private: what is placed, while it is (layered.c) and while lines are led around it (layered-lines.c). */
#pragma once

#include "app/worker/layered.h"
#include "engine/graph/layout-make.h"

G_BEGIN_DECLS

#define LS_LAYERED_GAP_X 30.0
#define LS_LAYERED_GAP_Y 50.0
#define LS_LAYERED_GAP_COLUMN 90.0
#define LS_LAYERED_PADDING 12.0

typedef struct { double x, y, width, height; } LsLayeredBox;

/* A node, or a cluster with all that is in it, which stands in what is around it as one.  Nodes first, then clusters, then the whole. */
typedef struct {
  LsLayeredBox box;
  guint        parent;          /* the item around it */
  guint        layer;
  guint        row, column;     /* of LsLayered */
  double       sum, n_sum;      /* of the middles of what it uses, and of their weights */
  double       pull;            /* how much it draws what uses it to its side, up to 1 */
  gboolean     computes;        /* it has inputs */
  guint        first_row, last_row, first_column, last_column;  /* what is in it; the last one is none of them */
  double       over, under;     /* its title, above and below what is in it */
} LsLayeredItem;

/* An edge as the innermost that both its ends are in sees it. */
typedef struct { guint block, from, to; } LsLayeredLink;

typedef struct {
  guint  at, end;               /* of the order */
  guint  column;
  double y, height;             /* y: in the whole */
  double left, right;
} LsLayeredRow;

typedef struct {
  double left, right;           /* of what stands in it */
  guint  first_row, last_row;
  guint  n_lines;               /* that go up or down on its right */
} LsLayeredColumn;

typedef struct {
  guint          n_nodes, n_edges, n_clusters, n_items;
  guint         *from, *to;
  gint          *home;
  LsLayeredItem *items;
  LsLayeredLink *links;
  guint         *order;         /* items, by what is around them, then by rows */
  double        *keys;          /* of an item: the middle of what it uses */
  GArray        *rows, *columns;
  guint         *n_in, *n_out;  /* of nodes */
} LsLayered;

#define ls_layered_row(self, i) (&g_array_index ((self)->rows, LsLayeredRow, i))
#define ls_layered_column(self, i) (&g_array_index ((self)->columns, LsLayeredColumn, i))

/* The line of an edge, around what stands between: (element-type LsGraphPoint) the points of a chain of curves. (transfer full) */
GArray *ls_layered_line (LsLayered *self,
                         guint      edge);

G_END_DECLS
