/* models/named-values: what a run gave for names of the shown text, in words: told by the window that runs it, shown by the cards of the text.
 */
#pragma once

#include "views/models/session.h"

G_BEGIN_DECLS

/* Takes the table (name of a binding -> words), for the text that the session shows now and no other; NULL: nothing is known any more. */
void        ls_named_values_set (LsSession    *session,
                                 GHashTable   *words);
/* What was told of a name of a function of Relax, at a character of a text; NULL: nothing. Borrowed. */
const char *ls_named_values_get (LsSession    *session,
                                 LsScriptText *text,
                                 guint         offset);

G_END_DECLS
