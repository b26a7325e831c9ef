/* window-pan: frames of a canvas with 10,000 nodes while it is moved and zoomed. */
#pragma once

void ls_bench_pan (void);
