/* What the files of the command graph share: cmd-graph.c (options, two graphs, times), graph-read.c (what the file holds), graph-print.c (text, JSON, DOT, pictures). */
#pragma once

#include "engine/graph/series.h"
#include "engine/script/script.h"

G_BEGIN_DECLS

typedef struct {
  const char *file, *kind_name, *out, *func, *steps, *search, *numbers, *compare, *extract;
  GPtrArray  *passes, *styles, *traces;  /* of const char * */
  gint64      limit, repeat, timeout;
  gboolean    each, fold_constants, dark, json, all, memory, times, values;
  LsGraphKind kind;
  const char *command;
} LsCliGraph;

/* ---- graph-read.c ---- */

/* A saved graph of torch.fx, or a program of torch.export. */
gboolean ls_cli_graph_is_fx_file (const char *path);
/* NULL: said. (transfer full) */
LsModule *ls_cli_graph_read_module (LsCliGraph *request);
/* NULL: said. (transfer full) */
LsGraph *ls_cli_graph_of_module (LsCliGraph *request, LsModule *module);
/* Takes the graph; folded as it is wished, into the groups of the state `before` where there is one (or NULL). (transfer full) */
LsGraph *ls_cli_graph_finish_graph (LsCliGraph *request, LsGraph *graph, LsGraph *before);
/* NULL: said. (transfer full) */
LsGraphSeries *ls_cli_graph_read_series (LsCliGraph *request);
/* FALSE: said. */
gboolean ls_cli_graph_has_nodes (LsCliGraph *request, LsGraphSeries *series);
/* FALSE: said. */
gboolean ls_cli_graph_add_numbers (LsCliGraph *request, LsGraphSeries *series);

/* ---- graph-print.c ---- */

/* Each is the exit status; what went wrong is said.  Text and JSON go to standard output, a file for each state to what -o names. */
int ls_cli_graph_print_text (LsCliGraph *request, LsGraphSeries *series);
int ls_cli_graph_print_json (LsCliGraph *request, LsGraphSeries *series);
/* The file of a state. (transfer full) */
char *ls_cli_graph_state_path (const char *path, LsGraphSeries *series, guint at);
int ls_cli_graph_write_dot (LsCliGraph *request, LsGraphSeries *series);
int ls_cli_graph_write_pictures (LsCliGraph *request, LsGraphSeries *series);

G_END_DECLS
