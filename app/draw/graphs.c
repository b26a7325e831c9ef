/* graphs: paints graphs that another program built; they arrive on standard input as the bytes of an a{sv}:
 * states aa{sv} (a graph with label s and path s; path "": only laid out with the others), search s. */
#include "app/draw/draw.h"

#include "app/rpc/rpc.h"
#include "views/figures/graph.h"

#include <glib/gi18n.h>
#include <gio/gunixinputstream.h>
#include <stdio.h>
#include <unistd.h>


GVariant *
ls_draw_read_request (GError **error)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GVariant) variant = NULL;

  if (g_output_stream_splice (memory, input, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, error) < 0)
    return NULL;
  bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
  variant = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE_VARDICT, bytes, FALSE));
  return g_variant_get_normal_form (variant);
}

/* What a search found, as numbers of nodes; those that are none are left out. (transfer full); NULL: nothing was searched */
static GPtrArray *
read_matches (GVariant *state,
              LsGraph  *graph)
{
  g_autoptr (GVariant) all = g_variant_lookup_value (state, "matches", G_VARIANT_TYPE ("aau"));
  GPtrArray *matches = all != NULL ? g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref) : NULL;

  for (gsize i = 0; all != NULL && i < g_variant_n_children (all); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (all, i);
      GArray *match = g_array_new (FALSE, FALSE, sizeof (guint));
      gsize n;
      const guint32 *nodes = g_variant_get_fixed_array (one, &n, sizeof (guint32));

      for (gsize k = 0; k < n; k++)
        if (nodes[k] < graph->nodes->len)
          g_array_append_val (match, nodes[k]);
      g_ptr_array_add (matches, match);
    }
  return matches;
}

static LsGraphSeries *
read_series (GVariant  *request,
             GPtrArray *paths,
             GError   **error)
{
  g_autoptr (GVariant) states = g_variant_lookup_value (request, "states", G_VARIANT_TYPE ("aa{sv}"));
  g_autoptr (GPtrArray) graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_graph_unref);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; states != NULL && i < g_variant_n_children (states); i++)
    {
      g_autoptr (GVariant) state = g_variant_get_child_value (states, i);
      LsGraph *graph = ls_graph_from_variant (state);
      char *label = NULL, *path = NULL;

      g_variant_lookup (state, "label", "s", &label);
      g_variant_lookup (state, "path", "s", &path);
      if (graph != NULL)
        g_ptr_array_add (graphs, graph);
      g_ptr_array_add (labels, label != NULL ? label : g_strdup (""));
      g_ptr_array_add (paths, path != NULL ? path : g_strdup ("graph.svg"));
    }
  if (graphs->len > 0 && graphs->len == labels->len)
    {
      gboolean pair = FALSE;

      g_variant_lookup (request, "pair", "b", &pair);
      return pair && graphs->len == 2 ? ls_graph_series_pair (graphs->pdata[0], graphs->pdata[1], labels->pdata[0], labels->pdata[1])
                                      : ls_graph_series_new (graphs, labels);
    }
  g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_LAYOUT, _("The input holds no graph."));
  return NULL;
}

static LsGraphLayout *
lay_out (LsGraphSeries *series,
         GError       **error)
{
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GVariant) answer = NULL;
  LsFigure figure;
  GVariant *request;

  ls_figure_begin (&figure, FALSE);
  request = ls_graph_measure (figure.pango, series);
  ls_figure_clear (&figure);
  answer = ls_worker_call (worker, "layout", request, NULL, NULL, NULL, NULL, error);
  return answer != NULL ? ls_graph_layout_read (answer, series->whole, error) : NULL;
}

LsFigureFormat
ls_draw_format_of (const char *path)
{
  return g_str_has_suffix (path, ".png") ? LS_FIGURE_PNG : g_str_has_suffix (path, ".pdf") ? LS_FIGURE_PDF : LS_FIGURE_SVG;
}

/* Times when there are any, else operations, else none. */
static LsGraphFigure
figure_for (LsGraph *graph)
{
  LsGraphNumbers sum = ls_graph_sum (graph);

  return sum.ns > 0.0 ? LS_GRAPH_FIGURE_TIME : sum.flop > 0.0 ? LS_GRAPH_FIGURE_FLOP : LS_GRAPH_FIGURE_NONE;
}

static gboolean
paint_state (LsGraphSeries       *series,
             const LsGraphLayout *layout,
             guint                at,
             GPtrArray           *matches,
             const guint8        *styles,
             const char          *path,
             const LsDrawOptions *options,
             GError             **error)
{
  LsGraphState *state = ls_graph_series_state (series, at);
  LsGraphScene scene = { series, at, layout, figure_for (state->graph), matches, 0, -1, -1, -1, styles };
  g_autofree char *words = at > 0 ? ls_graph_state_words (state) : NULL;
  LsFigure figure;
  gboolean done;

  ls_figure_begin (&figure, options->dark);
  ls_figure_graph (&figure, &scene, series->states->len > 1 ? state->label : NULL, words != NULL ? words : state->graph->note);
  done = ls_figure_write (&figure, ls_draw_format_of (path), options->scale, path, error);
  ls_figure_clear (&figure);
  if (done)
    printf ("%s\n", path);
  return done;
}

gboolean
ls_draw_graphs (const LsDrawOptions *options,
                GError             **error)
{
  g_autoptr (GVariant) request = ls_draw_read_request (error);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsGraphSeries) series = request != NULL ? read_series (request, paths, error) : NULL;
  g_autoptr (LsGraphLayout) layout = series != NULL ? lay_out (series, error) : NULL;
  g_autoptr (GVariant) states = NULL;

  if (layout == NULL)
    return FALSE;
  states = g_variant_lookup_value (request, "states", G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < series->states->len; i++)
    {
      g_autoptr (GVariant) state = g_variant_get_child_value (states, i);
      g_autoptr (GPtrArray) matches = read_matches (state, ls_graph_series_state (series, i)->graph);
      g_autoptr (GVariant) colours = g_variant_lookup_value (state, "styles", G_VARIANT_TYPE ("ay"));
      gsize n_styles = 0;
      const guint8 *styles = colours != NULL ? g_variant_get_fixed_array (colours, &n_styles, 1) : NULL;

      if (n_styles < ls_graph_series_state (series, i)->graph->nodes->len)
        styles = NULL;

      if (*(const char *) paths->pdata[i] != '\0' && !paint_state (series, layout, i, matches, styles, paths->pdata[i], options, error))
        return FALSE;
    }
  return TRUE;
}
