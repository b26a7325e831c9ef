/* LsNodeItem: see the header. */
#include "views/models/node-item.h"

#include <glib/gi18n.h>

#define NEIGHBOURS_MOST 6

struct _LsNodeItem
{
  GObject        parent_instance;

  LsGraphSeries *series;
  guint          state;
  guint          place;
};

G_DEFINE_FINAL_TYPE (LsNodeItem, ls_node_item, G_TYPE_OBJECT)

static void
ls_node_item_finalize (GObject *object)
{
  ls_graph_series_unref (LS_NODE_ITEM (object)->series);
  G_OBJECT_CLASS (ls_node_item_parent_class)->finalize (object);
}

static void
ls_node_item_class_init (LsNodeItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_node_item_finalize;
}

static void
ls_node_item_init (LsNodeItem *self)
{
}

LsNodeItem *
ls_node_item_new (LsGraphSeries *series,
                  guint          state,
                  guint          place)
{
  LsNodeItem *self = g_object_new (LS_TYPE_NODE_ITEM, NULL);

  self->series = ls_graph_series_ref (series);
  self->state = state;
  self->place = place;
  return self;
}

guint
ls_node_item_get_place (LsNodeItem *self)
{
  return self->place;
}

const LsGraphNode *
ls_node_item_get_node (LsNodeItem *self)
{
  LsGraphState *state = ls_graph_series_state (self->series, self->state);

  return state->nodes[self->place] >= 0 ? ls_graph_node (state->graph, state->nodes[self->place]) : ls_graph_node (self->series->whole, self->place);
}

LsGraphMark
ls_node_item_get_mark (LsNodeItem *self)
{
  return ls_graph_series_state (self->series, self->state)->marks[self->place];
}

static void
put_neighbours (LsNodeItem *self,
                GString    *text,
                gboolean    outgoing)
{
  LsGraphState *state = ls_graph_series_state (self->series, self->state);
  gint at = state->nodes[self->place];
  guint start = at >= 0 ? state->starts[outgoing][at] : 0, end = at >= 0 ? MIN (state->starts[outgoing][at + 1], start + NEIGHBOURS_MOST) : 0;

  for (guint i = start; i < end; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (state->graph, state->ends[outgoing][i]);

      g_string_append_printf (text, "%s%s", i > start ? ", " : outgoing ? _("; to ") : _("; from "),
                              ls_graph_node (state->graph, outgoing ? edge->to : edge->from)->title);
    }
}

char *
ls_node_item_describe (LsNodeItem *self)
{
  const LsGraphNode *node = ls_node_item_get_node (self);
  g_autoptr (GString) text = g_string_new (node->title);

  switch (ls_node_item_get_mark (self))
    {
    case LS_GRAPH_ADDED:
      g_string_append_printf (text, ", %s", _("added"));
      break;
    case LS_GRAPH_CHANGED:
      g_string_append_printf (text, ", %s", _("changed"));
      break;
    case LS_GRAPH_REMOVED:
      g_string_append_printf (text, ", %s", _("removed"));
      break;
    case LS_GRAPH_SAME:
    case LS_GRAPH_ABSENT:
      break;
    }
  if (node->detail != NULL)
    g_string_append_printf (text, ", %s", node->detail);
  if (node->type != NULL)
    g_string_append_printf (text, ", %s", node->type);
  put_neighbours (self, text, FALSE);
  put_neighbours (self, text, TRUE);
  return g_strdup (text->str);
}
