/* chart: samples of a measurement as dots on an axis. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `seconds` is copied; the axis goes from 0 to `top`, or from `bottom` (over 0) in equal steps of factors.  `number` from 1 where there are several, else 0; a `name` (may be NULL) stands in
 * its place. (transfer none, floating) */
GtkWidget *ls_chart_new (guint         number,
                         const char   *name,
                         const double *seconds,
                         gsize         n,
                         double        bottom,
                         double        top,
                         double        first);
double     ls_chart_median (const double *seconds,
                            gsize         n);

G_END_DECLS
