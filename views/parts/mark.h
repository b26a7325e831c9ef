/* LsMark: a small drawn mark in a row: the chips of a lineage, a kind badge, a
 * step tag or pins.  Decorative: the row says the same in words. */
#pragma once

#include "views/canvas/draw.h"
#include "views/models/pin.h"

G_BEGIN_DECLS

#define LS_TYPE_MARK (ls_mark_get_type ())
G_DECLARE_FINAL_TYPE (LsMark, ls_mark, LS, MARK, GtkWidget)

GtkWidget *ls_mark_new           (void);
/* Shows chips; hides the mark when there are none. */
void       ls_mark_set_families  (LsMark           *self,
                                  const LsFamilies *families);
/* Shows the badges of pins, those of `uses` hollow; hides the mark when there are none. */
void       ls_mark_set_pins      (LsMark           *self,
                                  guint8            pins,
                                  guint8            uses);
/* Shows a badge with `letter`. */
void       ls_mark_set_badge     (LsMark           *self,
                                  LsBadgeStyle      style,
                                  const char       *letter);

G_END_DECLS
