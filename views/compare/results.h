/* LsCompareResults: whether the two programs of the page give the same, with the button that tries it. */
#pragma once

#include "views/models/results.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_COMPARE_RESULTS (ls_compare_results_get_type ())
G_DECLARE_FINAL_TYPE (LsCompareResults, ls_compare_results, LS, COMPARE_RESULTS, GtkWidget)

/* Its button does win.try-results, or win.cancel while a run is under way. */
GtkWidget *ls_compare_results_new (void);
/* Copies what it shows; NULL: nothing. */
void       ls_compare_results_set (LsCompareResults *self,
                                   const LsResults  *results);

G_END_DECLS
