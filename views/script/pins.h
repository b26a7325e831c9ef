/* script/pins: the pins of a text: each use of what is pinned has a line below it in the pin's colour and the pin's badge.
 *
 * Nothing of the text moves for them: they are drawn into the room between two lines.
 */
#pragma once

#include "views/canvas/look.h"
#include "views/models/script-text.h"

G_BEGIN_DECLS

/* Draws those that lie in what the view shows, in the coordinates of its buffer. */
void ls_script_pins_draw (GtkTextView  *view,
                          LsScriptText *text,
                          GtkSnapshot  *snapshot,
                          const LsLook *look);

G_END_DECLS
