/* code/cycles: what llvm-mca says of a round of the innermost loop, drawn beside its instructions: the cycles of each, those of the chain that wait for each
 * other joined by a line, and how busy each unit is. */
#pragma once

#include "app/mca/mca.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Immutable, counted as an atomic box. */
typedef struct {
  guint    first, last;         /* of the loop, among all instructions and labels of the function */
  GArray  *cycles;              /* of int, one for each of these; below 0: a label */
  GArray  *chain;               /* of gboolean, likewise: it is of the critical chain */
  guint    chain_first, chain_last; /* the outermost of the chain, in rows; with chain_first > chain_last there is none */
  gboolean carried;             /* the chain goes on in the next round */
  char    *sentence;            /* cycles of a round and why; in the user's language */
  char    *chain_words;         /* the chain as a sentence, or NULL */
  GArray  *units;               /* of LsMcaUnit with names of our own */
  double   round;               /* cycles */
} LsCodeCycles;

/* (transfer full) */
LsCodeCycles *ls_code_cycles_new   (const LsInnerLoop  *loop,
                                    const LsMca        *mca,
                                    const char         *cpu);
LsCodeCycles *ls_code_cycles_ref   (LsCodeCycles       *self);
void          ls_code_cycles_unref (LsCodeCycles       *self);

/* The strip left of a label of instructions, one a line. */
GtkWidget    *ls_code_gutter_new   (GtkLabel           *instructions);
/* `at`: the number of its first line among all of the function; `cycles` NULL: nothing is drawn. */
void          ls_code_gutter_show  (GtkWidget          *gutter,
                                    LsCodeCycles       *cycles,
                                    guint               at);
/* How busy each unit is, as bars; hidden while there is nothing to show. */
GtkWidget    *ls_code_units_new    (void);
void          ls_code_units_show   (GtkWidget          *units,
                                    LsCodeCycles       *cycles);

G_END_DECLS
