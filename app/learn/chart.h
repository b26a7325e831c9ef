/* chart: samples of a measurement as dots on an axis from 0. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `seconds` is copied. (transfer none, floating) */
GtkWidget *ls_chart_new (const double *seconds,
                         gsize         n);

G_END_DECLS
