/* model-text: a Relax program of any size for benchmarks of graphs. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One function of `n_calls` calls: layers of matmul, add and relu with a shortcut around every second one. (transfer full) */
char *ls_bench_model_text (guint n_calls);

G_END_DECLS
