/* script/card: what is known of a word of a program text, and the card that says it at the cursor.
 *
 * With the mouse script/hover shows the same.
 */
#pragma once

#include "views/models/script-text.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* "T.axis.reduce" and what it means, for the construct at a place. (transfer full), or NULL */
char *ls_script_card_construct (const GtkTextIter *iter);
/* The name at a place of a text; none after a dot or in a number. (transfer full), or NULL */
char *ls_script_card_name      (const GtkTextIter *iter);
/* The name at a place of a text that is being written, by what `known`, the same program as it was last read, says of it: the
 * name's own definition is counted by its order among those of the same name. (transfer full), or NULL */
char *ls_script_card_written   (LsScriptText      *known,
                                const GtkTextIter *iter);
/* The words of a card as a widget; the name that they are about stands out. (transfer none, floating) */
GtkWidget *ls_script_card_label (const char *words);
/* Shows the card below a place of a text view until it is left; Escape takes it away. */
void  ls_script_card_show      (GtkTextView       *view,
                                const GtkTextIter *iter,
                                const char        *words);

G_END_DECLS
