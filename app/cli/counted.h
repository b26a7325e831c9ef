/* counted: what the processor counts while a program runs, beside its simulated caches. */
#pragma once

#include "engine/interp/memory-lab.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Runs the function (NULL: the only one) in the worker. NULL: it was said why not. (transfer full) */
GVariant *ls_cli_counted_ask   (const char        *command,
                                LsModule          *module,
                                const char        *func,
                                GPtrArray         *set);
/* The counts beside the simulation, each with why they differ; or that the machine has none. */
void      ls_cli_counted_print (GVariant          *answer,
                                const LsMemoryLab *memory);
/* Members "counted" (for each level level, counted, simulated, why and words) or "counters-text". */
void      ls_cli_counted_add   (GVariant          *answer,
                                const LsMemoryLab *memory,
                                JsonBuilder       *builder);

G_END_DECLS
