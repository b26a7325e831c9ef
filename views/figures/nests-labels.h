/* nests-labels: the words on the ribbons between two loop nests: none over another, each cut to the room that is there. */
#pragma once

#include "views/canvas/figure.h"
#include "views/models/nest-link.h"

G_BEGIN_DECLS

#define LS_NEST_LABEL 22.0f     /* its height */

typedef struct {
  const LsNestLabel *label;
  float              x;         /* its middle; of one for a loop that is gone its left end */
  float              y;
  gboolean           gone;
} LsNestPlace;

/* Of LsNestPlace: downwards, past the label above and past those that stand beside a cross, which stay. */
void ls_nest_places_spread (GArray            *places);
void ls_nest_place_draw    (LsFigure          *figure,
                            const LsNestPlace *place,
                            float              least,
                            float              most);
/* Where it is drawn. */
void ls_nest_place_find    (LsFigure          *figure,
                            const LsNestPlace *place,
                            float              least,
                            float              most,
                            graphene_rect_t   *bounds);

G_END_DECLS
