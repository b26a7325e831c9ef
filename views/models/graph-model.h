/* LsGraphModel: what the graph page shows of the opened program, and what it may ask for.
 *
 * Abstract, as LsSession is: the concrete one builds graphs, runs passes and asks the worker; the page draws.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define LS_TYPE_GRAPH_MODEL (ls_graph_model_get_type ())
G_DECLARE_DERIVABLE_TYPE (LsGraphModel, ls_graph_model, LS, GRAPH_MODEL, GObject)

struct _LsGraphModelClass
{
  GObjectClass parent_class;
};

/* Emits ::opened: another program is shown; `first` when its graph is what to look at first. */
void ls_graph_model_opened (LsGraphModel *self,
                            gboolean      first);

G_END_DECLS
