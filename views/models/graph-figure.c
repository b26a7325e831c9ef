/* graph-figure: 0 and what is not known have no words. */
#include "views/models/graph-figure.h"

#include "views/models/format.h"

double
ls_graph_figure_value (const LsGraphNumbers *numbers,
                       LsGraphFigure         figure)
{
  switch (figure)
    {
    case LS_GRAPH_FIGURE_NONE:
      return -1.0;
    case LS_GRAPH_FIGURE_TIME:
      return numbers->ns;
    case LS_GRAPH_FIGURE_FLOP:
      return numbers->flop;
    case LS_GRAPH_FIGURE_BYTES:
      return numbers->bytes;
    case LS_GRAPH_FIGURE_ROOF:
      return numbers->roof;
    }
  return -1.0;
}

char *
ls_graph_figure_text (const LsGraphNumbers *numbers,
                      LsGraphFigure         figure)
{
  double value = ls_graph_figure_value (numbers, figure);
  g_autofree char *count = NULL;

  if (value < 0.0)
    return NULL;
  switch (figure)
    {
    case LS_GRAPH_FIGURE_NONE:
      return NULL;
    case LS_GRAPH_FIGURE_TIME:
      return numbers->spread_ns > 0.0 ? ls_format_time_spread (value * 1e-9, numbers->spread_ns * 1e-9) : ls_format_time (value * 1e-9);
    case LS_GRAPH_FIGURE_FLOP:
      count = ls_format_short_count (value);
      return g_strconcat (count, g_ascii_isdigit (count[strlen (count) - 1]) ? "\u202f" : "", "flop", NULL);
    case LS_GRAPH_FIGURE_BYTES:
      return ls_format_bytes ((gint64) value);
    case LS_GRAPH_FIGURE_ROOF:
      return ls_format_share (value);
    }
  return NULL;
}
