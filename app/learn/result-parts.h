/* result-parts: widgets of what a cell gave that is no program: texts, pictures, tables, arrays, times.  A view is the kernel's; what lacks in it
 * is left out. */
#pragma once

#include "app/lesson/lesson.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All of them are (transfer none), floating. */

GtkWidget *ls_result_scrolled    (GtkWidget          *child);
GtkWidget *ls_result_text_new    (const char         *text);
/* `encoded`: PNG in base 64, or SVG as it is. */
GtkWidget *ls_result_picture_new (const char         *encoded,
                                  gboolean            svg,
                                  const char         *label);
/* Rows of a view: a list of lists of texts. */
GtkWidget *ls_result_table_new   (GVariant           *view);
/* An array: as a "picture" or "table", or both for NULL. */
GtkWidget *ls_result_array_new   (GVariant           *view,
                                  const char         *wanted);
/* One measurement, or all of a cell on one axis. */
GtkWidget *ls_result_chart_new   (GVariant           *view,
                                  const LsLessonPart *of);
/* Two programs side by side: what a primitive question asks about. */
GtkWidget *ls_result_pair_new    (GVariant           *answer);

G_END_DECLS
