/* tuning-tree: what the decisions of a search are worth, as text and as JSON. */
#pragma once

#include "engine/tune/tune.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Each decision with the share of the spread that it explains, and under it its values with the number of programs, the best and the median time; where `depth`
 * is above 1, under each value the decisions that explain something among its programs, and so on. */
void ls_cli_print_tuning_tree (LsTuneTree  *tree,
                               guint        depth);
/* The same as the member "decisions" of an object: of {name, share, programs, values: [{value, programs, best, median, candidate, decisions}]}, times in seconds,
 * candidates from 1. */
void ls_cli_add_tuning_tree   (JsonBuilder *builder,
                               LsTuneTree  *tree,
                               guint        depth);

G_END_DECLS
