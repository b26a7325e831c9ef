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

G_END_DECLS
