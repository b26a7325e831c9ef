/* access/table: reuse distances and simulated misses, a row for each buffer. */
#pragma once

#include <gtk/gtk.h>

#include "engine/interp/memory-lab.h"

G_BEGIN_DECLS

/* A grid; empty until it is set. */
GtkWidget *ls_access_table_new   (void);
/* NULL: empties it. */
void       ls_access_table_set   (GtkWidget           *table,
                                  const LsAccessOrder *order,
                                  const LsLocality    *locality);
/* The misses of all accesses, without distances. */
void       ls_access_table_set_all (GtkWidget         *table,
                                    const LsMemoryLab *memory);
/* "L1 32 KiB with 8 ways, L2 ...": the caches that the figures are for. `known`: they are those of this machine.
 * (transfer full) */
char      *ls_access_table_words (const LsLocality    *locality,
                                  gboolean             known);

G_END_DECLS
