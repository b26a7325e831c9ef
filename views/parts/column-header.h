/* parts/column-header: what GtkColumnView 4.8 has no call for: right-aligned titles and
 * a widget in a header.
 *
 * A title is a button-like widget with a box inside; both helpers walk there and
 * do nothing when the inner structure is another than that of GTK 4.8 to 4.14.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Right-aligns the title of column `index`. */
void ls_column_header_align_end (GtkColumnView *view,
                                 guint          index);

/* The same for a column that was taken out and put in again: its new title is not yet at its place then, so it goes by its words. */
void ls_column_header_align_again (GtkColumnView *view,
                                   const char    *title);

/* Puts `widget` (taken when floating) into the title of column `index`. */
void ls_column_header_put       (GtkColumnView *view,
                                 guint          index,
                                 GtkWidget     *widget);

/* Gives `column` the width of `sample` in the font of `widget` plus `extra` pixels. */
void ls_column_fit              (GtkWidget           *widget,
                                 GtkColumnViewColumn *column,
                                 const char          *sample,
                                 int                  extra);

/* Makes the column no narrower than its title. */
void ls_column_fit_title         (GtkWidget           *widget,
                                  GtkColumnViewColumn *column,
                                  int                  extra);

G_END_DECLS
