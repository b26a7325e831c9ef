/* parts/words: Korean is broken between words only, and figures are not turned round.
 *
 * Pango lets a line end after any Hangul syllable, as Unicode's default rule says; Korean text in windows is set with whole
 * words, like CSS's "word-break: keep-all".
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A copy of `base` (or NULL) with the words of `text` that have Hangul kept whole; NULL when there is none and no base.
 * A very long word (a name with an ending) keeps only its Hangul whole. (transfer full) */
PangoAttrList *ls_words_keep           (PangoAttrList *base,
                                        const char    *text);
void           ls_words_keep_in_layout (PangoLayout   *layout);

/* `figure` so that its signs do not change sides where the widget's letters go from right to left ("100 %" to "% 100"). (transfer full) */
char          *ls_words_isolate        (GtkWidget     *widget,
                                        const char    *figure);

/* From now on every label that wraps follows the rule, when the program speaks Korean. */
void           ls_words_install        (void);

G_END_DECLS
