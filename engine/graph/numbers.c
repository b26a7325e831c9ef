/* numbers: what was measured, put to the nodes that call what was measured.
 *
 * A profile knows functions, not calls; when several nodes call the same function each gets its part of the time.
 */
#include "engine/graph/graph-private.h"
#include "engine/base/json.h"

#include <json-glib/json-glib.h>
#include <string.h>

static gboolean
is_called (const LsGraphNode *node,
           const char        *function,
           LsGraphKind        kind)
{
  if (node->kind != LS_GRAPH_NODE_CALL)
    return FALSE;
  return g_strcmp0 (node->callee, function) == 0 || (kind != LS_GRAPH_RELAX && g_strcmp0 (node->title, function) == 0);
}

gboolean
ls_graph_set_profile (LsGraph    *self,
                      const char *function,
                      gint64      calls,
                      double      ns,
                      double      flop,
                      double      bytes)
{
  guint n = 0;

  for (guint i = 0; i < self->nodes->len; i++)
    n += is_called (ls_graph_node (self, i), function, self->kind);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (self, i);

      if (!is_called (node, function, self->kind))
        continue;
      node->numbers.ns = ns / n;
      if (flop >= 0.0)
        node->numbers.flop = flop / (double) MAX (calls, 1);
      if (bytes >= 0.0 && calls > 0)
        node->numbers.bytes = bytes / (double) calls;
    }
  return n > 0;
}

guint
ls_graph_read_numbers (LsGraph    *self,
                       const char *json,
                       GError    **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root, *rows = NULL;
  guint n = 0;

  if (!ls_json_is_flat (json) || !json_parser_load_from_data (parser, json, -1, NULL))
    {
      g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_NUMBERS, ls_translate ("It is no JSON text."));
      return 0;
    }
  root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_ARRAY (root))
    rows = root;
  else if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    rows = json_object_get_member (json_node_get_object (root), "profile");
  if (rows == NULL || !JSON_NODE_HOLDS_ARRAY (rows))
    {
      g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_NUMBERS, ls_translate ("A list \"profile\" is expected, as vm --profile --json writes it."));
      return 0;
    }
  for (guint i = 0; i < json_array_get_length (json_node_get_array (rows)); i++)
    {
      JsonNode *node = json_array_get_element (json_node_get_array (rows), i);
      JsonObject *row = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      JsonNode *name = row != NULL ? json_object_get_member (row, "name") : NULL;

      if (name == NULL || !JSON_NODE_HOLDS_VALUE (name) || json_node_get_value_type (name) != G_TYPE_STRING)
        continue;
      n += ls_graph_set_profile (self, json_node_get_string (name), (gint64) ls_json_double (row, "calls", 1.0), ls_json_double (row, "ns", -1.0),
                                 ls_json_double (row, "flop", -1.0), ls_json_double (row, "bytes", -1.0));
    }
  if (n == 0)
    g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_NUMBERS, ls_translate ("None of its functions is called in this graph."));
  return n;
}

/* Bytes a second of the first memory that holds so many. */
static double
speed_for (double             bytes,
           const LsGraphRoof *levels,
           guint              n_levels)
{
  for (guint i = 0; i < n_levels; i++)
    if (bytes <= levels[i].bytes || i + 1 == n_levels)
      return levels[i].gb_per_s;
  return -1.0;
}

void
ls_graph_set_roofs (LsGraph           *self,
                    double             gflops,
                    const LsGraphRoof *levels,
                    guint              n_levels)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsGraphNumbers *numbers = &ls_graph_node (self, i)->numbers;
      double speed = numbers->bytes > 0.0 ? speed_for (numbers->bytes, levels, n_levels) : -1.0, most;

      numbers->roof = -1.0;
      if (numbers->ns <= 0.0)
        continue;
      if (numbers->flop > 0.0 && gflops > 0.0)
        {
          most = speed > 0.0 ? MIN (gflops, numbers->flop / numbers->bytes * speed) : gflops;
          numbers->roof = numbers->flop / numbers->ns / most;
        }
      else if (speed > 0.0)
        numbers->roof = numbers->bytes / numbers->ns / speed;
    }
}

LsGraphNumbers
ls_graph_sum (LsGraph *self)
{
  LsGraphNumbers sum = LS_GRAPH_NO_NUMBERS;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const LsGraphNumbers *one = &ls_graph_node (self, i)->numbers;

      if (one->ns >= 0.0)
        sum.ns = MAX (sum.ns, 0.0) + one->ns;
      if (one->flop >= 0.0)
        sum.flop = MAX (sum.flop, 0.0) + one->flop;
      if (one->bytes >= 0.0)
        sum.bytes = MAX (sum.bytes, 0.0) + one->bytes;
    }
  return sum;
}
