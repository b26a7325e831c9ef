/* script/layers: what a text pane draws itself: backgrounds of lines, the hatched room beside another text, the frame of a change, where a
 * run stands under the text; pins and boxes round the uses of what is selected over it.
 */
#pragma once

#include "views/canvas/look.h"
#include "views/script/shown.h"

G_BEGIN_DECLS

/* Under the words; `self` has a text. */
void ls_script_layers_draw_below (const LsScriptShown *self,
                                  GtkSnapshot         *snapshot,
                                  const LsLook        *look);
/* Over them; `self` has a session too. */
void ls_script_layers_draw_above (const LsScriptShown *self,
                                  GtkSnapshot         *snapshot,
                                  const LsLook        *look);

G_END_DECLS
