/* LsDependenceBar: under the loop nest: what has to come after what for the selection, in words, and on demand the first
 * rounds of the selected loop as a picture with its sentence. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/dependence.h"

G_BEGIN_DECLS

#define LS_TYPE_DEPENDENCE_BAR (ls_dependence_bar_get_type ())
G_DECLARE_FINAL_TYPE (LsDependenceBar, ls_dependence_bar, LS, DEPENDENCE_BAR, GtkWidget)

GtkWidget *ls_dependence_bar_new    (void);
/* Copies what it shows; NULL: nothing. `rounds`: with the picture. */
void       ls_dependence_bar_set    (LsDependenceBar     *self,
                                     const LsDependences *dependences,
                                     gboolean             rounds);

/* Says `words` in place of the dependences between blocks until NULL comes. */
void       ls_dependence_bar_say    (LsDependenceBar     *self,
                                     const char          *words);

G_END_DECLS
