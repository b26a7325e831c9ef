/* graph/pass-popover: the passes of relax to choose from, by name or written with their arguments. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A pass was chosen: `text` is its call ("FuseOps(fuse_opt_level=1)"). FALSE: it was refused, no other follows. */
typedef gboolean (*LsPassFunc) (const char *text,
                                gpointer    data);

/* A popover that calls `add` with `data`, which live longer.  Its rows are made when it first opens. (transfer floating) */
GtkWidget *ls_pass_popover_new (LsPassFunc add,
                                gpointer   data);

G_END_DECLS
