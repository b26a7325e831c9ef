/* steps: what the analyser does in C and not by a rule of a table, tested on every case of a small domain. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *name;
  const char *claim;
  const char *functions;        /* of the engine that it covers, separated by spaces */
  /* How many cases there were; a wrong one fails the running test.  `stride`: only every so manieth case. */
  guint     (*run) (guint stride);
} ProofStep;

const ProofStep *proof_steps (guint *n);

/* Wrong transfer functions of bounds, remainders, sets and rewriting: how many there are, the name of one, and whether the step that has
 * to find it does so with every `stride`th case. */
guint       proof_n_planted_steps    (void);
const char *proof_planted_step_kind  (guint i);
gboolean    proof_planted_step_found (guint i,
                                      guint stride);

G_END_DECLS
