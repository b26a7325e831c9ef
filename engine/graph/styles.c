/* styles: see the header. */
#include "engine/graph/styles.h"

/* A chain fits by all its nodes. */
static void
put_style (LsGraph    *whole,
           const char *pattern,
           guint8      number,
           guint8     *styles,
           char      **wrong)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) matches = ls_graph_search (whole, pattern, &error);

  if (error != NULL && wrong != NULL && *wrong == NULL)
    *wrong = g_strdup_printf ("%s: %s", pattern, error->message);
  for (guint i = 0; matches != NULL && i < matches->len; i++)
    for (guint k = 0; k < ((GArray *) matches->pdata[i])->len; k++)
      {
        guint8 *style = &styles[g_array_index ((GArray *) matches->pdata[i], guint, k)];

        *style = *style == 0 ? number : *style;
      }
}

guint8 *
ls_graph_style_nodes (LsGraph           *graph,
                      const char *const *patterns,
                      char             **wrong)
{
  LsGraph *whole = ls_graph_get_whole (graph);
  g_autofree guint8 *inner = g_new0 (guint8, whole->nodes->len + 1), *bits = g_new0 (guint8, graph->nodes->len + 1);
  g_autofree gboolean *met = g_new0 (gboolean, graph->nodes->len + 1), *mixed = g_new0 (gboolean, graph->nodes->len + 1);
  guint8 *styles = g_new0 (guint8, graph->nodes->len + 1);

  if (wrong != NULL)
    *wrong = NULL;
  for (guint i = 0; patterns != NULL && patterns[i] != NULL && i < LS_GRAPH_MOST_STYLES; i++)
    put_style (whole, patterns[i], (guint8) (i + 1), inner, wrong);
  for (guint i = 0; i < whole->nodes->len; i++)
    {
      guint at = ls_graph_get_shown (graph, i);

      if (ls_graph_node (graph, at)->kind == LS_GRAPH_NODE_GROUP && ls_graph_node (whole, i)->kind != LS_GRAPH_NODE_CALL)
        continue;
      mixed[at] |= met[at] && styles[at] != inner[i];
      styles[at] = inner[i];
      bits[at] |= inner[i] > 0 ? (guint8) (1u << (inner[i] - 1)) : 0;
      met[at] = TRUE;
    }
  for (guint i = 0; i < graph->nodes->len; i++)
    if (mixed[i])
      styles[i] = (guint8) (LS_GRAPH_STYLE_PARTLY | bits[i]);
  return styles;
}
