/* for-threads: what engine/simt shares with the interpreter: programs with their names resolved (LsProgram, LsCode, LsAct), and what operations
 * of values give (ls_value_of_*, ls_scalar_fit, ls_element_*). */
#pragma once

#include "engine/interp/interp-private.h"
