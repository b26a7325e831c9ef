/* layered-private: what is placed, while it is (layered.c, layered-rows.c) and while lines are led around it (layered-lines.c). */
#pragma once

#include "app/worker/layered.h"
#include "engine/graph/layout-make.h"

G_BEGIN_DECLS

#define LS_LAYERED_GAP_X 30.0
#define LS_LAYERED_GAP_Y 50.0
#define LS_LAYERED_GAP_COLUMN 90.0
#define LS_LAYERED_PADDING 12.0
#define LS_LAYERED_BESIDE 4.0          /* from a line to its label */
/* How much a weight draws what uses it to its side, and what is made of weights by their number: else the whole drifts along a diagonal. */
#define LS_LAYERED_OUTSIDE 0.02

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

/* What stands in a block, and the links among it, by the number in it. */
typedef struct {
  guint        block;
  const guint *items;
  guint        n;
  const guint *links;           /* numbers of LsLayered's */
  guint        n_links;
  guint       *start, *users;
  double      *off;             /* of each of users: how far right of its middle it would stand, were lines to go straight down */
} LsLayeredPart;

/* ---- layered-rows.c ---- */

/* All of a block, which is order[at] up to order[end] with layers and is `part`, in rows below each other.  `number`: of items, in their block. */
void    ls_layered_place_rows    (LsLayered           *self,
                                  const LsLayeredPart *part,
                                  const guint         *number,
                                  guint                at,
                                  guint                end,
                                  const double        *label_widths);
/* The rows from `first` on in as many columns as give the shape of a screen, and the size of all. */
void    ls_layered_place_columns (LsLayered           *self,
                                  guint                first,
                                  gboolean             holds_block,
                                  double              *width,
                                  double              *height);
/* Functions beside and below each other, no line between them: shelves. */
void    ls_layered_place_shelves (LsLayered           *self,
                                  guint                at,
                                  guint                end,
                                  double              *width,
                                  double              *height);

/* ---- layered-lines.c ---- */

/* The line of an edge, around what stands between: (element-type LsGraphPoint) the points of a chain of curves. (transfer full) */
GArray *ls_layered_line          (LsLayered           *self,
                                  guint                edge);

G_END_DECLS
