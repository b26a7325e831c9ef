/* access/distances: the reuse distances of all accesses, of a buffer, or of a loop: a choice, bars, a sentence. */
#pragma once

#include <gtk/gtk.h>

#include "engine/interp/memory-lab.h"

G_BEGIN_DECLS

/* Hidden until it is set. */
GtkWidget *ls_access_distances_new (void);
/* NULL: hides it.  What is shown is copied. */
void       ls_access_distances_set (GtkWidget         *self,
                                    const LsMemoryLab *memory);

G_END_DECLS
