/* run/begun: what every run begins with beside its program: the language of the window, and the symbolic sizes, which are asked for where there are some; and
 * what it keeps. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* An entry with its label, not shown until sizes are asked for; Enter in it calls `begin (self)`. (transfer none, floating) */
GtkWidget *ls_run_sizes_new   (GCallback     begin,
                               gpointer      self);
/* Puts the language into the parameters of a call to the worker, and what stands in `sizes` (or NULL). */
void       ls_run_begun_put   (GVariantDict *params,
                               GtkWidget    *sizes);
/* Where the answer asks for sizes: shows `sizes` with their names, takes the keyboard there, and returns the sentence that asks. (transfer full), or NULL:
 * it asks for nothing. */
char      *ls_run_sizes_asked (GtkWidget    *sizes,
                               GVariant     *answer);
/* What is kept for going back, of at most how much: what ls_debug_look() says of one run, and of the one beside it where there is one (or NULL).
 * (transfer full) */
char      *ls_run_kept_words  (GVariant     *look,
                               GVariant     *other);

G_END_DECLS
