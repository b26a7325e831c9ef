/* primitive: what can be done to a schedule, one primitive per file, and the table of all of them.
 *
 * Each file has `check` (changes nothing, reports every condition that does not hold), `apply` and its row of the table
 * (table.c).  This header is what they are made with.
 */
#pragma once

#include "engine/schedule/legal/legal.h"
#include "engine/tir/reducer.h"

#include <inttypes.h>
