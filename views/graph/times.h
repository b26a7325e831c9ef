/* LsGraphTimes: the calls of a measured run of the shown state over its time; a call and its node are chosen together. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/graph-model.h"

G_BEGIN_DECLS

#define LS_TYPE_GRAPH_TIMES (ls_graph_times_get_type ())
G_DECLARE_FINAL_TYPE (LsGraphTimes, ls_graph_times, LS, GRAPH_TIMES, GtkWidget)

/* Once; it is held.  Signals: ::chosen (int place), the user chose a call: the place of its node in the shown series, -1: none is known;
 * ::measure, he wants times; ::save, he wants the run as a file. */
void ls_graph_times_set_model (LsGraphTimes *self,
                               LsGraphModel *model);

G_END_DECLS
