/* LsAccessGrid: the buffers of a program as grids of elements, painted by how long ago each was touched.
 *
 * A full square was written last, a small one read; the stronger, the later.  The current access has a box (filled: a write),
 * its cache line a frame.  What is too large for a square an element has several elements a square, and the caption says how many.
 */
#pragma once

#include <gtk/gtk.h>

#include "engine/interp/access-order.h"

G_BEGIN_DECLS

#define LS_TYPE_ACCESS_GRID (ls_access_grid_get_type ())
G_DECLARE_FINAL_TYPE (LsAccessGrid, ls_access_grid, LS, ACCESS_GRID, GtkWidget)

GtkWidget *ls_access_grid_new    (void);
/* Borrows; the grid needs it as long as it shows it.  NULL shows nothing. */
void       ls_access_grid_set    (LsAccessGrid        *self,
                                  const LsAccessOrder *order);
/* Shows it after `n` accesses. */
void       ls_access_grid_go     (LsAccessGrid        *self,
                                  guint                n);

/* How a buffer is laid out in squares (plot.c). */
typedef struct {
  gint64   rows, columns;       /* elements */
  gboolean wraps;               /* one dimension: the columns are where it was broken */
  guint    per_x, per_y;        /* elements a square */
  guint    n_x, n_y;            /* squares */
  guint    cell;                /* pixels of a square with the gap behind it */
} LsAccessPlot;

LsAccessPlot ls_access_plot      (const LsAccessBuffer *buffer,
                                  double                width,
                                  double                height);
/* The square that an element is in: column, then row. */
void         ls_access_plot_at   (const LsAccessPlot   *plot,
                                  gint64                element,
                                  guint                *x,
                                  guint                *y);
/* "128 × 128, 4 × 4 elements a square". (transfer full) */
char        *ls_access_plot_words (const LsAccessPlot   *plot,
                                   const LsAccessBuffer *buffer);

G_END_DECLS
