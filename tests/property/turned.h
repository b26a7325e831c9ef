/* turned: what a program computes when the rounds of loops that promise no order run in another one. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The parameters of `main` after a run on small whole numbers, rounds in order. NULL: it cannot be run, and a message says why. (transfer full) */
GBytes   *ls_turned_run  (LsModule *module);

/* Does `main` give `want` with the rounds of parallel, vectorized and bound loops forwards, backwards and shuffled? */
gboolean  ls_turned_same (GBytes   *want,
                          LsModule *module);

G_END_DECLS
