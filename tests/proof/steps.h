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

G_END_DECLS
