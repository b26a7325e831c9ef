/* slices: an index for each dimension of an array above two: which slice of it a grid shows. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_RUN_SLICES (ls_run_slices_get_type ())
G_DECLARE_FINAL_TYPE (LsRunSlices, ls_run_slices, LS, RUN_SLICES, GtkWidget)

/* Nothing to choose from yet.  Emits "changed" when the user chose another slice. (transfer none, floating) */
GtkWidget *ls_run_slices_new       (void);
/* The array has these extents.  Of another array, or of other extents than before, it is the first slice; nothing is emitted. */
void       ls_run_slices_set_shape (LsRunSlices  *self,
                                    const char   *name,
                                    const gint64 *extents,
                                    gsize         n);
/* Shows another slice, which nobody chose; `at` has the indices of an element, or of the dimensions above two alone.  Nothing is emitted. */
void       ls_run_slices_set       (LsRunSlices  *self,
                                    const gint64 *at,
                                    gsize         n);
/* "[2, 0]"; "" where there is nothing to choose. (transfer full) */
char      *ls_run_slices_words     (LsRunSlices  *self);

G_END_DECLS
