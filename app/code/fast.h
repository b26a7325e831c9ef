/* code/fast: what fast mathematics changed, said above the machine code: of how many lines the instructions, and the results. */
#pragma once

#include <gtk/gtk.h>

#include "app/rpc/rpc.h"

G_BEGIN_DECLS

typedef struct _LsCodeFast LsCodeFast;

/* `worker` (held) runs the program with and without. (transfer full) */
LsCodeFast *ls_code_fast_new    (LsWorker   *worker);
/* The label, hidden while there is nothing to say. (transfer none, floating at first) */
GtkWidget  *ls_code_fast_widget (LsCodeFast *self);
/* `lines` lines of the code have other instructions (-1: nobody asks for it, the label goes).  Where some have, function `func` (NULL: the only one) of
 * `module` is run on random inputs for `target`, and once more as IEEE 754 has it; the label says what came of it. */
void        ls_code_fast_show   (LsCodeFast *self,
                                 int         lines,
                                 const char *module,
                                 const char *func,
                                 const char *target);
/* The label may be gone by then. */
void        ls_code_fast_free   (LsCodeFast *self);

G_END_DECLS
