/* run/toy: programs of the history at a toy size: what the worker needs for it, and how the window's title says it. */
#pragma once

#include "app/session/engine.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_RUN_TOY 8            /* about how large extents are then */

/* The program of the history before its steps and the steps of each of `n` nodes. */
void ls_run_toy_put   (GVariantDict *params,
                       LsHistory    *history,
                       const guint  *ids,
                       guint         n);
/* "TITLE, toy size (128 → 8)" when the answer says what became of the extents; else the plain title. */
void ls_run_toy_title (GtkWidget    *window,
                       const char   *plain,
                       GVariant     *answer);

G_END_DECLS
