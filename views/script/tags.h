/* script/tags: a TVMScript text in a buffer with what the session knows of its words: the families of loops, what is wrong, what
 * changed.  Keywords, strings and comments are GtkSourceView's matter (parts/syntax).
 *
 * Another text puts only the lines that differ into the buffer when all that stays is tagged alike; so a step in a large
 * program costs what it changes.  A text above 64 KiB comes into the buffer, and then gets its tags, from the top on in slices of
 * a few milliseconds; it can be read and scrolled meanwhile.  Nobody sees a buffer that is held: a text above 1 MiB waits there, as a
 * text view lays each line out before anything that has time to spare gets its turn.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/canvas/look.h"
#include "views/models/script-text.h"

G_BEGIN_DECLS

typedef struct _LsScriptTags LsScriptTags;

/* Borrows `buffer`, which lives longer. */
LsScriptTags *ls_script_tags_new        (GtkTextBuffer *buffer);
void          ls_script_tags_free       (LsScriptTags  *self);
/* Colours of the tags; nothing happens when they are the same. */
void          ls_script_tags_set_look   (LsScriptTags  *self,
                                         const LsLook  *look);
/* Puts `text` (or NULL) in the place of what is shown; the words that changed are not marked then. */
void          ls_script_tags_show       (LsScriptTags  *self,
                                         LsScriptText  *text);
/* Marks the words that changed, or takes the marks away. */
void          ls_script_tags_show_words (LsScriptTags  *self,
                                         gboolean       on);
/* The lines that differ since the text before, from `first` to `last`; the latter is -1 when all below moved. */
void          ls_script_tags_get_changed (LsScriptTags *self,
                                          int          *first,
                                          int          *last);
/* Held: no more slices of a very large text until it is not. */
void          ls_script_tags_hold       (LsScriptTags  *self,
                                         gboolean       held);
/* The line of the text, from 0, is in the buffer. */
gboolean      ls_script_tags_has_line   (LsScriptTags  *self,
                                         guint          line);
/* The whole text is there, and nothing waits to be tagged. */
gboolean      ls_script_tags_is_done    (LsScriptTags  *self);

G_END_DECLS
