/* The type of 16 bits, as clang has it. */
#pragma once

typedef _Float16 half;
