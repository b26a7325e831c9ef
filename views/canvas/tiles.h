/* tiles: a large drawing in squares of pixels that are painted once and shown in many frames.
 *
 * Panning paints only what comes into sight.  While it is zoomed, the squares that are there are shown larger or smaller; when the zoom rests, the
 * sharp ones are painted, a few in a frame, so that no frame takes long.  A coarse picture of the whole lies under them: there is no hole while
 * they are made.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _LsTiles LsTiles;

/* Paints what is within `area` (units of the drawing) at a zoom; the snapshot has these units.  It may paint beyond it. */
typedef void (*LsTilesPaint) (GtkSnapshot           *snapshot,
                              const graphene_rect_t *area,
                              double                 zoom,
                              gpointer               data);

/* What of the drawing is shown; `x` and `y` at the upper left corner of the widget. */
typedef struct {
  double          x, y;         /* units of the drawing */
  double          zoom;
  int             width, height;        /* pixels of the widget */
  int             factor;       /* pixels of the screen for one of them */
  graphene_rect_t bounds;       /* of the whole drawing: there is nothing outside */
  GdkRGBA         ground;       /* under it */
} LsTilesView;

LsTiles *ls_tiles_new    (LsTilesPaint           paint,
                          gpointer               data);
void     ls_tiles_free   (LsTiles               *self);
/* The drawing is another: all of it, or what is within `area` (units of the drawing). */
void     ls_tiles_forget (LsTiles               *self,
                          const graphene_rect_t *area);
/* Paints what the view needs for as long as a frame may take, before anything of the drawing was shown.  TRUE: all of it is there. */
gboolean ls_tiles_begin  (LsTiles               *self,
                          const LsTilesView     *view);
/* Shows the view, with what is missing painted for as long as a frame may take; at once whole when nothing is there, and of a zoom that sees more than is there the
 * coarse picture.
 * TRUE: it is not sharp everywhere yet, and another frame will go on; `rest` is for how many milliseconds the zoom is to rest before. */
gboolean ls_tiles_draw   (LsTiles               *self,
                          GtkSnapshot           *snapshot,
                          const LsTilesView     *view,
                          guint                 *rest);
/* Paints one more square that may be wanted soon: of the coarse picture, or round the view. FALSE: nothing is left to do. */
gboolean ls_tiles_ahead  (LsTiles               *self,
                          const LsTilesView     *view);
/* How many squares were painted since it was made; for tests. */
guint    ls_tiles_get_n_painted (LsTiles        *self);

G_END_DECLS
