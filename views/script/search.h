/* LsScriptSearch: a search bar over texts of which one is seen; it finds there, counts, and marks what it found. */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

#define LS_TYPE_SCRIPT_SEARCH (ls_script_search_get_type ())
G_DECLARE_FINAL_TYPE (LsScriptSearch, ls_script_search, LS, SCRIPT_SEARCH, GtkWidget)

/* The bar is shown, and its entry has the keyboard, while this property is TRUE. */
#define LS_SCRIPT_SEARCH_ACTIVE "active"

/* One of the texts, with a GtkSourceBuffer; the first is the one that is seen.  At most two.  They live as long as the search: it is
 * told of them by the widget that holds all of them. */
void ls_script_search_add   (LsScriptSearch *self,
                             GtkTextView    *text);
/* This one is seen from now on; what is looked for stays. */
void ls_script_search_watch (LsScriptSearch *self,
                             GtkTextView    *text);
void ls_script_search_start (LsScriptSearch *self);
/* The next place behind the cursor, or, without a search, `start`. */
void ls_script_search_next  (LsScriptSearch *self);

G_END_DECLS
