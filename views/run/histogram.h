/* LsRunHistogram: how often the values of a tensor lie where between the least and the most, as bars. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_RUN_HISTOGRAM (ls_run_histogram_get_type ())
G_DECLARE_FINAL_TYPE (LsRunHistogram, ls_run_histogram, LS, RUN_HISTOGRAM, GtkWidget)

GtkWidget *ls_run_histogram_new (void);
/* `bins` ax, how many values lie in each; NULL: none. `least` and `most` stand at the ends. */
void       ls_run_histogram_set (LsRunHistogram *self,
                                 GVariant       *bins,
                                 double          least,
                                 double          most);

G_END_DECLS
