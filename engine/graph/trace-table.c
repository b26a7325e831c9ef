/* trace-table: the calls of a measured run as comma-separated values, and which format a file's name asks for. */
#include "engine/graph/timeline.h"

#include <string.h>

static void
put_field (GString    *out,
           const char *text)
{
  if (text == NULL)
    return;
  g_string_append_c (out, '"');
  for (const char *at = text; *at != '\0'; at++)
    g_string_append_printf (out, *at == '"' ? "\"\"" : "%c", *at);
  g_string_append_c (out, '"');
}

static void
put_value (GString *out,
           double   value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (out, ',');
  if (value >= 0.0)
    g_string_append (out, g_ascii_formatd (digits, sizeof digits, "%.9g", value));
}

char *
ls_graph_times_csv (LsGraph *graph)
{
  GString *out = g_string_new ("binding,call,type,ns,spread_ns,flop,bytes,roof\n");

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (graph, i);

      if (node->kind != LS_GRAPH_NODE_CALL || node->numbers.ns < 0.0)
        continue;
      put_field (out, node->name);
      g_string_append_c (out, ',');
      put_field (out, node->title);
      g_string_append_c (out, ',');
      put_field (out, node->type);
      put_value (out, node->numbers.ns);
      put_value (out, node->numbers.spread_ns);
      put_value (out, node->numbers.flop);
      put_value (out, node->numbers.bytes);
      put_value (out, node->numbers.roof);
      g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}

/* ---- which one ----------------------------------------------------------------------------- */

gboolean
ls_graph_timeline_format (const char          *path,
                          LsGraphTimesFormat  *format)
{
  static const struct { const char *ending; LsGraphTimesFormat format; } endings[] = {
    { ".pftrace", LS_GRAPH_TIMES_PERFETTO },
    { ".perfetto-trace", LS_GRAPH_TIMES_PERFETTO },
    { ".json", LS_GRAPH_TIMES_JSON },
    { ".csv", LS_GRAPH_TIMES_TABLE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i].ending))
      {
        *format = endings[i].format;
        return TRUE;
      }
  return FALSE;
}

GBytes *
ls_graph_timeline_write (const LsGraphTimeline *self,
                         LsGraph               *graph,
                         const gint            *nodes,
                         const char            *title,
                         LsGraphTimesFormat     format)
{
  char *text = NULL;

  switch (format)
    {
    case LS_GRAPH_TIMES_PERFETTO:
      return ls_graph_timeline_perfetto (self, graph, nodes, title);
    case LS_GRAPH_TIMES_JSON:
      text = ls_graph_timeline_trace (self, graph, nodes, title);
      break;
    case LS_GRAPH_TIMES_TABLE:
      text = ls_graph_times_csv (graph);
      break;
    }
  return g_bytes_new_take (text, strlen (text));
}
