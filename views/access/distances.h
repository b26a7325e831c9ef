/* LsDistanceBars: how many touches of a line come how many other lines after the touch before; a bar for each power of two, a mark for each cache. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_DISTANCE_BARS (ls_distance_bars_get_type ())
G_DECLARE_FINAL_TYPE (LsDistanceBars, ls_distance_bars, LS, DISTANCE_BARS, GtkWidget)

GtkWidget *ls_distance_bars_new (void);
/* `counts`: of distance 0, 1, 2 to 3, 4 to 7, ...; `rooms`: lines that each cache has room for, the nearest first.  `words` says the same to a screen
 * reader.  All are copied. */
void       ls_distance_bars_set (LsDistanceBars *self,
                                 const double   *counts,
                                 guint           n,
                                 const double   *rooms,
                                 guint           n_rooms,
                                 const char     *words);

G_END_DECLS
