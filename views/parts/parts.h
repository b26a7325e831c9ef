/* parts/parts: small widgets that several pages are put together from. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A label that begins at the left; `text` and `css_class` may be NULL. */
GtkWidget *ls_part_label       (const char *text,
                                const char *css_class);
/* The same, its text at `xalign` of the width: 0 left, 1 right. */
GtkWidget *ls_part_label_at    (const char *text,
                                const char *css_class,
                                float       xalign);
/* Shows `figure` on it: left to right also where the words go from right to left, so that no sign changes its side. */
void       ls_part_set_figure  (GtkLabel   *label,
                                const char *figure);
/* A line of widgets with 8 px between them. */
GtkWidget *ls_part_row         (const char *css_class);
/* A row that may be wider than the window: it scrolls to what has the keyboard.  Takes `row`. */
GtkWidget *ls_part_slim        (GtkWidget  *row);
/* The same, in shadow at an edge beyond which it goes on. */
GtkWidget *ls_part_slim_shaded (GtkWidget *row);
/* The row, a GtkBox, goes on in another line where the window is too narrow for one.  Its spacing stays as it is. */
GtkWidget *ls_part_wrapped     (GtkWidget  *row);
/* A picture beside words that wrap: in a GtkBox their baselines, a pixel apart at some sizes of letters, make GTK 4.8 find two heights. */
GtkWidget *ls_part_beside      (GtkWidget  *picture,
                                GtkWidget  *words);
/* A flat button with an icon alone, and one with icon and word; the words are also what a screen reader says. */
GtkWidget *ls_part_icon_button (const char *icon,
                                const char *words);
GtkWidget *ls_part_word_button (const char *icon,
                                const char *words);

G_END_DECLS
