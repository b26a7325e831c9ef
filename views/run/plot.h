/* LsRunPlot: a value over a run as a line of steps: what has run is drawn full, what was gone back over faint, with a mark where the run
 * stands.
 *
 * The keyboard has a point of its own: arrows, Home and End move it, Return goes there; "point-changed" tells who shows it in words,
 * "wanted" (guint64 clock) that the run shall go there.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_RUN_PLOT (ls_run_plot_get_type ())
G_DECLARE_FINAL_TYPE (LsRunPlot, ls_run_plot, LS, RUN_PLOT, GtkWidget)

GtkWidget *ls_run_plot_new   (void);
/* No points; `name` is what is plotted, or NULL. */
void       ls_run_plot_clear (LsRunPlot  *self,
                              const char *name);
/* What comes behind the points that are there, as the debugger tells it: "clocks" at, "values" ad.  Many points are thinned, peaks and dips
 * stay. */
void       ls_run_plot_add   (LsRunPlot  *self,
                              GVariant   *piece);
/* Where the run stands. */
void       ls_run_plot_go    (LsRunPlot  *self,
                              guint64     clock);
/* "C[0, 0] = 0.5 at statement 1,234, 3 of 65": the point of the keyboard; "" where there is none. (transfer full) */
char      *ls_run_plot_words (LsRunPlot  *self);

G_END_DECLS
