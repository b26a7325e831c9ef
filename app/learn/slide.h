/* slide: a program as a slide shows it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* At most `most` lines of `text` (TVMScript or Python) with their numbers, without reads, writes and imports, each parameter of a long signature on a line.
 * With `before` (or NULL), the program that stood there, lines that are new and lines that are gone are marked by sign, and named
 * above.  Lines with `mark` (or NULL) are marked like new ones.  Takes no input. (transfer none, floating) */
GtkWidget *ls_slide_new      (const char *text,
                              const char *before,
                              const char *mark,
                              guint       most);
/* The lines that it would show of 15, each with its sign (" ", "+", "-", "…"): what the widget is tested by. (transfer full) */
char      *ls_slide_describe (const char *text,
                              const char *before);
/* Words of a slide: Pango's markup, which breaks where it has to. `class` is of style.css. (transfer none, floating) */
GtkWidget *ls_slide_label    (const char *markup,
                              const char *class);
/* Takes everything out of a box of a slide. */
void       ls_slide_empty    (GtkWidget  *box);
/* How a slide of `width` and `height` pixels is divided, and how much larger its letters can be.  `left` has words, `right` (or NULL) programs, or
 * a picture or a pane, which fills what there is and does not grow.  `steps` of both sides: 0 (as they are), 1, 2 or 3 of style.css (grown-1 to
 * grown-3); in: those at which they are now; out: the largest at which nothing needs to be scrolled, no word is broken and no line of code that
 * does not wrap begins to.  Returns the columns of ten that the words get, or 0 where they are a title alone, which stands above. */
guint      ls_slide_fit      (GtkWidget  *left,
                              GtkWidget  *right,
                              int         width,
                              int         height,
                              guint       steps[2]);

G_END_DECLS
