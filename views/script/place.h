/* script/place: what is known of a place of a printed text, in words: for its card, its tooltip and who does not see it.
 *
 *   A: buffer of float32, shape (128, 128), ...          the name there, with the line that defines it
 *   j_0, extent 32, ...                                  the loop whose variable it is, with the card of its row
 *   T.axis.reduce ...                                    else the construct of the language
 *   from line 9 of mm_relu.py                            the line of the opened text, in the text of the shown step
 *   pinned A                                             its pins
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

/* `session` and `text` may be NULL; `iter` is of the buffer that shows the text. (transfer full), or NULL */
char *ls_script_place_describe (LsSession         *session,
                                LsScriptText      *text,
                                const GtkTextIter *iter);

G_END_DECLS
