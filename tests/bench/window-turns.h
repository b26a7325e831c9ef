/* window-turns: how long the main loop stands still; part of the benchmark of the window. */
#pragma once

/* LS_BENCH_TURNS=NAME,.. measures only those inputs of tests/ui/turns-inputs.c, LS_BENCH_TURNS_SIZE=N only that size. */
void ls_bench_turns (void);
