/* figures/graph: see the header. */
#include "views/figures/graph.h"

#include <math.h>

#define HEAD 44.0f

void
ls_figure_graph (LsFigure           *self,
                 const LsGraphScene *scene,
                 const char         *title,
                 const char         *words)
{
  graphene_rect_t bounds;
  float top = LS_FIGURE_MARGIN, width = 0.0f;

  ls_graph_scene_bounds (scene, TRUE, &bounds);
  if (title != NULL)
    {
      width = ls_figure_text (self, LS_ROLE_VERDICT, LS_LOOK_TEXT, title, LS_FIGURE_MARGIN, top + 14.0f, 0.0f);
      if (words != NULL)
        width += 14.0f + ls_figure_text (self, LS_ROLE_REASON, LS_LOOK_DIM, words, LS_FIGURE_MARGIN + width + 14.0f, top + 15.0f, 0.0f);
      top += HEAD;
    }
  /* A match's bracket stands left of the nodes. */
  if (scene->matches != NULL && scene->matches->len > 0)
    {
      bounds.origin.x -= 120.0f;
      bounds.size.width += 120.0f;
    }
  gtk_snapshot_save (self->snapshot);
  gtk_snapshot_translate (self->snapshot, &GRAPHENE_POINT_INIT (roundf (LS_FIGURE_MARGIN - bounds.origin.x), roundf (top - bounds.origin.y)));
  ls_draw_graph (self->snapshot, self->pango, self->look, scene, NULL, 1.0);
  gtk_snapshot_restore (self->snapshot);
  self->width = MAX (bounds.size.width, width) + 2.0f * LS_FIGURE_MARGIN;
  self->height = top + bounds.size.height + LS_FIGURE_MARGIN;
}
