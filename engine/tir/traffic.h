/* traffic: how many bytes a cache has to fetch in one call of a function, counted and not measured.
 *
 * A loop whose single round fits into the cache fetches every byte that it touches once (the next round finds what both
 * need); a loop whose round does not fit is looked into.  That is the rule of layer conditions (Rivera and Tseng 2000,
 * Hammer et al.: Kerncraft, 2017) for a fully associative cache with bytes as lines: strides, conflicts and what one nest
 * leaves for the next are not in it.
 */
#pragma once

#include "engine/tir/cost.h"

G_BEGIN_DECLS

/* `costs` are those of `func`. Below 0: unknown, as with symbolic extents: costs->reason says why. */
double ls_cost_traffic (LsPrimFunc  *func,
                        LsCostTable *costs,
                        gint64       cache_bytes);

G_END_DECLS
