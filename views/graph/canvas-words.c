/* canvas-words: what LsGraphCanvas says: to a screen reader, and of the node under the pointer. */
#include "views/graph/canvas-private.h"

#include "views/parts/canvas-nodes.h"
#include "views/models/pin.h"

#include <glib/gi18n.h>

/* The node as it is in the shown state. */
static const LsGraphNode *
node_of (LsGraphCanvas *self,
         gint           place)
{
  LsGraphState *state = ls_graph_series_state (self->series, self->scene.state);

  return state->nodes[place] >= 0 ? ls_graph_node (state->graph, state->nodes[place]) : ls_graph_node (self->series->whole, place);
}

/* "pinned A, uses what is pinned B"; NULL: neither. (transfer full) */
static char *
pin_words (LsGraphCanvas *self,
           gint           place)
{
  const LsGraphNode *node = node_of (self, place);
  guint value = self->scene.pins != NULL && node->entity != 0
                  ? GPOINTER_TO_UINT (g_hash_table_lookup (self->scene.pins, ls_graph_pin_key (node->entity))) : 0;
  g_autofree char *pins = ls_pins_describe ((guint8) (value & 0xff)), *uses = ls_pins_describe_uses ((guint8) (value >> 8));

  if (pins != NULL && uses != NULL)
    return g_strdup_printf ("%s, %s", pins, uses);
  return pins != NULL ? g_steal_pointer (&pins) : g_steal_pointer (&uses);
}

void
ls_graph_canvas_describe (LsGraphCanvas *self)
{
  g_autofree char *text = NULL, *pins = NULL;

  if (ls_graph_canvas_shows (self, self->scene.selected))
    {
      const LsGraphNode *node = ls_graph_node (self->series->whole, self->scene.selected);

      pins = pin_words (self, self->scene.selected);
      text = g_strdup_printf ("%s, %s %s%s%s", node->title, node->detail != NULL ? node->detail : "", node->type != NULL ? node->type : "",
                              pins != NULL ? ", " : "", pins != NULL ? pins : "");
    }
  else
    text = g_strdup (_("nothing selected"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* (transfer full) */
static char *
node_words (const LsGraphNode *node,
            guint              n_matches)
{
  g_autofree char *matches = n_matches > 0 && node->kind == LS_GRAPH_NODE_GROUP ? g_strdup_printf (ngettext ("%u match", "%u matches", n_matches), n_matches) : NULL;
  const char *parts[5] = { node->title };
  guint n = 1;

  if (node->detail != NULL)
    parts[n++] = node->detail;
  if (node->type != NULL)
    parts[n++] = node->type;
  if (matches != NULL)
    parts[n++] = matches;
  return g_strjoinv (", ", (char **) parts);
}

/* What is shown, for a screen reader. */
void
ls_graph_canvas_tell_nodes (LsGraphCanvas *self)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) matches = ls_graph_canvas_has_graph (self) ? ls_graph_scene_matches (&self->scene) : NULL;

  self->nodes_stale = FALSE;
  g_array_set_size (self->nodes, 0);
  for (gint i = 0; ls_graph_canvas_has_graph (self) && i < (gint) self->scene.layout->n_nodes && words->len < LS_CANVAS_NODES_MOST; i++)
    {
      const LsGraphNode *node = ls_graph_canvas_shows (self, i) ? node_of (self, i) : NULL;

      if (node == NULL)
        continue;
      g_ptr_array_add (words, node_words (node, GPOINTER_TO_UINT (g_hash_table_lookup (matches, GINT_TO_POINTER (i)))));
      g_array_append_val (self->nodes, i);
    }
  ls_canvas_nodes_set (GTK_WIDGET (self), words);
}

gboolean
ls_graph_canvas_tell_tooltip (LsGraphCanvas *self,
                              int            x,
                              int            y,
                              gboolean       keyboard,
                              GtkTooltip    *tooltip)
{
  gint place = keyboard ? self->scene.selected : ls_graph_canvas_place_at (self, x, y);
  const LsGraphNode *node;
  g_autoptr (GString) text = NULL;
  g_autofree char *pins = NULL;

  if (!ls_graph_canvas_shows (self, place))
    return FALSE;
  node = node_of (self, place);
  text = g_string_new (node->title);
  if (node->name != NULL && g_strcmp0 (node->name, node->title) != 0)
    g_string_append_printf (text, " → %s", node->name);
  if (node->type != NULL)
    g_string_append_printf (text, "\n%s", node->type);
  for (LsGraphFigure figure = LS_GRAPH_FIGURE_TIME; figure <= LS_GRAPH_FIGURE_BYTES; figure++)
    {
      g_autofree char *words = ls_graph_figure_text (&node->numbers, figure);

      if (words != NULL)
        g_string_append_printf (text, "%s%s", figure == LS_GRAPH_FIGURE_TIME || text->str[text->len - 1] == '\n' ? "\n" : " · ", words);
    }
  for (guint i = 0; i + 1 < MIN (node->attributes->len, 16); i += 2)
    g_string_append_printf (text, "\n%s = %s", (char *) node->attributes->pdata[i], (char *) node->attributes->pdata[i + 1]);
  pins = pin_words (self, place);
  if (pins != NULL)
    g_string_append_printf (text, "\n%s", pins);
  gtk_tooltip_set_text (tooltip, text->str);
  return TRUE;
}
