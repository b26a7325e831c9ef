/* draw: the marks that all views share, drawn onto a GtkSnapshot.
 *
 * Every function takes the look and a PangoContext and touches no widget, so the
 * same code serves a widget and an export without a display.  Units are pixels.
 */
#pragma once

#include "views/canvas/look.h"
#include "views/models/family.h"
#include "views/models/loop-item.h"
#include "views/models/step-item.h"

G_BEGIN_DECLS

#define LS_CHIP_SIZE 16.0f

/* LsFont: how a piece of text is set; `pixels` 0 keeps the context's size. */
typedef struct {
  float    pixels;
  float    scale;               /* of the context's size; 0 counts as 1 */
  gboolean bold;
  gboolean mono;
  gboolean tabular;
} LsFont;

/* (transfer full) */
PangoLayout *ls_draw_layout    (PangoContext         *pango,
                                const LsFont         *font,
                                const char           *text);
/* Sets `text` with its box at (x, y), where 0 ≤ xalign, yalign ≤ 1 say which point
 * of the box that is.  Returns its width. */
float        ls_draw_text      (GtkSnapshot          *snapshot,
                                PangoContext         *pango,
                                const LsFont         *font,
                                const char           *text,
                                float                 x,
                                float                 y,
                                float                 xalign,
                                float                 yalign,
                                const GdkRGBA        *color);
void         ls_draw_line      (GtkSnapshot          *snapshot,
                                float                 x1,
                                float                 y1,
                                float                 x2,
                                float                 y2,
                                float                 width,
                                const GdkRGBA        *color);
void         ls_draw_rounded   (GtkSnapshot          *snapshot,
                                const graphene_rect_t *bounds,
                                float                 radius,
                                const GdkRGBA        *fill);
void         ls_draw_frame     (GtkSnapshot          *snapshot,
                                const graphene_rect_t *bounds,
                                float                 radius,
                                float                 width,
                                const GdkRGBA        *color);
void         ls_draw_disc      (GtkSnapshot          *snapshot,
                                float                 cx,
                                float                 cy,
                                float                 radius,
                                const GdkRGBA        *fill);
void         ls_draw_ring      (GtkSnapshot          *snapshot,
                                float                 cx,
                                float                 cy,
                                float                 radius,
                                float                 width,
                                const GdkRGBA        *color);
/* A cairo context for marks within `bounds`, for shapes that GSK has no node for; use
 * it instead of gtk_snapshot_append_cairo(). (transfer full) */
cairo_t     *ls_draw_cairo     (GtkSnapshot          *snapshot,
                                const graphene_rect_t *bounds);
/* A dashed ring, or an arc of `part` (0 to 1) of it when `dashed` is FALSE. */
void         ls_draw_arc       (GtkSnapshot          *snapshot,
                                float                 cx,
                                float                 cy,
                                float                 radius,
                                float                 width,
                                double                part,
                                gboolean              dashed,
                                const GdkRGBA        *color);
void         ls_draw_cross     (GtkSnapshot          *snapshot,
                                float                 cx,
                                float                 cy,
                                float                 radius,
                                const GdkRGBA        *color);

/* Nothing that is seen, but with another `serial` than in the last frame the renderer takes `bounds` as one piece to paint afresh.
 * GSK gives up on a picture that differs in over thirty pieces and paints it whole, so what changes all over says so; it is
 * to be drawn before the rest. */
void         ls_draw_renew     (GtkSnapshot          *snapshot,
                                const graphene_rect_t *bounds,
                                guint                 serial);

/* Filled circle with the family's letter; top left corner at (x, y). */
void         ls_draw_chip      (GtkSnapshot          *snapshot,
                                PangoContext         *pango,
                                const LsLook         *look,
                                float                 x,
                                float                 y,
                                float                 size,
                                guint                 family);
/* Width that ls_draw_chips() takes. */
float        ls_draw_chips_width (const LsFamilies   *families,
                                float                 size);
void         ls_draw_chips     (GtkSnapshot          *snapshot,
                                PangoContext         *pango,
                                const LsLook         *look,
                                float                 x,
                                float                 y,
                                float                 size,
                                const LsFamilies     *families);

typedef enum {
  LS_BADGE_FILLED,              /* P, V */
  LS_BADGE_OUTLINED,            /* U, B, step tags */
  LS_BADGE_DOUBLE,              /* R */
  LS_BADGE_EMPTY,               /* block */
} LsBadgeStyle;

void         ls_draw_badge     (GtkSnapshot          *snapshot,
                                PangoContext         *pango,
                                const LsLook         *look,
                                float                 x,
                                float                 y,
                                float                 size,
                                LsBadgeStyle          style,
                                const char           *letter);
LsBadgeStyle ls_badge_for_kind (LsLoopKind            kind);

/* The disc of a step in the history: its state as a shape. */
void         ls_draw_step_mark (GtkSnapshot          *snapshot,
                                const LsLook         *look,
                                float                 cx,
                                float                 cy,
                                LsStepItem           *item);

G_END_DECLS
