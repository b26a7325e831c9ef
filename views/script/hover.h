/* script/hover: what is known of the word under the pointer, as GtkSourceView shows such things: a card that stays while the pointer is at
 * the word or in the card.  At the cursor script/card shows the same words. */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

/* What there is to say at a place of the text. (transfer full), or NULL: nothing */
typedef char *(*LsScriptDescribe) (GtkWidget         *owner,
                                   const GtkTextIter *iter);

/* `view` asks `describe` (`owner`) from now on, for as long as there is an owner. */
void ls_script_hover_attach (GtkSourceView    *view,
                             LsScriptDescribe  describe,
                             GtkWidget        *owner);

G_END_DECLS
