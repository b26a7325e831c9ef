/* inspect-accesses: what inspect says with --accesses: the first accesses of a program, reuse distances and simulated misses. */
#pragma once

#include "app/cli/input.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* As text, or into `builder` (NULL: text) as a member "accesses".  FALSE with an error: the order is not known. */
gboolean ls_cli_give_accesses (LsPrimFunc   *func,
                               JsonBuilder  *builder,
                               GError      **error);

G_END_DECLS
