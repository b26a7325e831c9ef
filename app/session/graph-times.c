/* session/graph-times: what the virtual machine measured, by the names of its functions, put at the calls of a graph. */
#include "app/session/graph-private.h"

static void
row_clear (gpointer row)
{
  g_free (((LsGraphProfileRow *) row)->name);
}

static GArray *
profile_new (void)
{
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (LsGraphProfileRow));

  g_array_set_clear_func (rows, row_clear);
  return rows;
}

GArray *
ls_graph_profile_read (GVariant *answer,
                       guint     repeat)
{
  g_autoptr (GVariant) list = g_variant_lookup_value (answer, "profile", NULL);
  GArray *rows = profile_new ();

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (list, i);
      LsGraphProfileRow fresh = {
        .name = g_strdup (ls_params_string (row, "name", "?")),
        .calls = MAX (1, ls_params_int (row, "calls", repeat) / repeat),
        .ns = ls_params_double (row, "ns", -1.0) / repeat,
        .flop = ls_params_double (row, "flop", -1.0),
        .bytes = ls_params_double (row, "bytes", -1.0),
      };

      fresh.flop = fresh.flop >= 0.0 ? fresh.flop / repeat : -1.0;
      fresh.bytes = fresh.bytes >= 0.0 ? fresh.bytes / repeat : -1.0;
      g_array_append_val (rows, fresh);
    }
  return rows;
}

static guint
put_rows (GArray  *rows,
          LsGraph *graph)
{
  guint n = 0;

  for (guint i = 0; i < rows->len; i++)
    {
      LsGraphProfileRow *row = &g_array_index (rows, LsGraphProfileRow, i);

      n += ls_graph_set_profile (graph, row->name, row->calls, row->ns, row->flop, row->bytes);
    }
  return n;
}

static gboolean
has_operators (LsGraph *graph)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (ls_graph_node (graph, i)->kind == LS_GRAPH_NODE_CALL && ls_graph_node (graph, i)->callee == NULL)
      return TRUE;
  return FALSE;
}

/* What operators became when the machine was built. */
static void
put_legalised (GArray   *rows,
               LsModule *module,
               LsGraph  *graph)
{
  g_autoptr (LsModule) after = ls_graph_run_pass (module, "LegalizeOps()", NULL);
  g_autoptr (LsGraph) legalised = after != NULL ? ls_graph_from_relax (after, NULL) : NULL;

  if (legalised == NULL)
    return;
  put_rows (rows, legalised);
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      gint at = node->callee == NULL ? ls_graph_find (legalised, node->key) : -1;

      if (at >= 0 && ls_graph_node (legalised, (guint) at)->numbers.ns >= 0.0)
        node->numbers = ls_graph_node (legalised, (guint) at)->numbers;
    }
}

void
ls_graph_profile_put (GArray   *rows,
                      LsModule *module,
                      LsGraph  *graph)
{
  put_rows (rows, graph);
  if (has_operators (graph))
    put_legalised (rows, module, graph);
}
