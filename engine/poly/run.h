/* run: the order of rounds by one run of the interpreter; see run.c. */
#pragma once

#include "engine/poly/private.h"

G_BEGIN_DECLS

/* Settles a verdict that is undecided, where it can; `after` is the new body of `func`. */
void ls_poly_run (LsPrimFunc    *func,
                  LsStmt        *after,
                  LsPolyVerdict *verdict);

G_END_DECLS
