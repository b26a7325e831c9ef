/* primitive: what the primitives are made with.
 *
 * Each is one file with `check` (changes nothing, reports every condition that does not hold), `apply` and its row of the
 * table (table.c).
 */
#pragma once

#include "engine/schedule/legal/legal.h"
#include "engine/tir/reducer.h"

#include <inttypes.h>
