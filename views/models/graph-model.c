/* LsGraphModel: signals. */
#include "views/models/graph-model.h"

enum { OPENED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE (LsGraphModel, ls_graph_model, G_TYPE_OBJECT)

static void
ls_graph_model_class_init (LsGraphModelClass *klass)
{
  signals[OPENED] = g_signal_new ("opened", LS_TYPE_GRAPH_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
ls_graph_model_init (LsGraphModel *self)
{
}

void
ls_graph_model_opened (LsGraphModel *self,
                       gboolean      first)
{
  g_signal_emit (self, signals[OPENED], 0, first);
}
