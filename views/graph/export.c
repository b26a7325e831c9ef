/* graph/export: see the header. */
#include "views/graph/export.h"

#include "views/figures/graph.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

static gboolean
write_text (const char *path,
            char       *text,   /* (transfer full), NULL: there is an error */
            GError    **error)
{
  g_autofree char *taken = text;

  return taken != NULL && g_file_set_contents (path, taken, -1, error);
}

static gboolean
write_picture (const LsGraphScene *shown,
               LsGraphModel       *model,
               const char         *path,
               GError            **error)
{
  LsGraphSeries *series = ls_graph_model_get_series (model);
  LsGraphState *state = ls_graph_series_state (series, ls_graph_model_get_state (model));
  LsFigureFormat format = g_str_has_suffix (path, ".png") ? LS_FIGURE_PNG : g_str_has_suffix (path, ".pdf") ? LS_FIGURE_PDF : LS_FIGURE_SVG;
  LsGraphScene scene = *shown;
  LsFigure figure;
  gboolean done;

  if (scene.layout == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_BUSY, _("The graph is not laid out yet."));
      return FALSE;
    }
  scene.selected = scene.focused = scene.hovered = -1;
  ls_figure_begin (&figure, ls_theme_is_dark ());
  ls_figure_graph (&figure, &scene, series->states->len > 1 ? state->label : NULL, state->graph->note);
  done = ls_figure_write (&figure, format, 2.0, path, error);
  ls_figure_clear (&figure);
  return done;
}

gboolean
ls_graph_export (LsGraphModel       *model,
                 const LsGraphScene *scene,
                 const char         *path,
                 gboolean            whole,
                 GError            **error)
{
  LsGraphSeries *series = ls_graph_model_get_series (model);
  LsGraphState *state = ls_graph_series_state (series, ls_graph_model_get_state (model));
  LsGraph *graph = whole ? ls_graph_get_whole (state->graph) : state->graph;

  if (g_str_has_suffix (path, ".dot"))
    return write_text (path, ls_graph_to_dot (graph), error);
  if (g_str_has_suffix (path, ".json"))
    return write_text (path, ls_graph_to_json (graph), error);
  if (g_str_has_suffix (path, ".py"))
    return write_text (path, ls_graph_model_extract (model, NULL, NULL, error), error);
  return write_picture (scene, model, path, error);
}
