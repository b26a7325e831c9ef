/* graph-letters: however large a model is, what the graph page opens with can be read: no letters below eleven pixels, and so many nodes as can be
 * looked through.  The letters are those that are really painted there, taken from the picture. */
#include "app/session/engine.h"
#include "tests/support/models.h"
#include "tests/ui/graph-window.h"
#include "tests/ui/known.h"
#include "views/graph/canvas.h"
#include "views/parts/theme.h"

#include <math.h>
#include <string.h>

#define LEAST 11.0              /* pixels */
#define MOST_NODES 300          /* shown when it opens; a few more than it folds to are the weights beside the groups */

/* ---- the letters of a picture -------------------------------------------------------------- */

typedef struct {
  double least;                 /* pixels */
  guint  n;                     /* texts */
} Letters;

static void
read_text (GskRenderNode *node,
           double         scale,
           Letters       *letters)
{
  PangoFontDescription *font = pango_font_describe_with_absolute_size (gsk_text_node_get_font (node));

  letters->least = MIN (letters->least, scale * (double) pango_font_description_get_size (font) / PANGO_SCALE);
  letters->n++;
  pango_font_description_free (font);
}

static void
read_letters (GskRenderNode *node,
              double         scale,
              Letters       *letters)
{
  float sx = 1.0f, sy = 1.0f, dx, dy;

  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_TEXT_NODE:
      read_text (node, scale, letters);
      break;
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        read_letters (gsk_container_node_get_child (node, i), scale, letters);
      break;
    case GSK_TRANSFORM_NODE:
      if (gsk_transform_get_category (gsk_transform_node_get_transform (node)) >= GSK_TRANSFORM_CATEGORY_2D_AFFINE)
        gsk_transform_to_affine (gsk_transform_node_get_transform (node), &sx, &sy, &dx, &dy);
      read_letters (gsk_transform_node_get_child (node), scale * (double) sx, letters);
      break;
    case GSK_CLIP_NODE:
      read_letters (gsk_clip_node_get_child (node), scale, letters);
      break;
    case GSK_ROUNDED_CLIP_NODE:
      read_letters (gsk_rounded_clip_node_get_child (node), scale, letters);
      break;
    case GSK_OPACITY_NODE:
      read_letters (gsk_opacity_node_get_child (node), scale, letters);
      break;
    case GSK_DEBUG_NODE:
      read_letters (gsk_debug_node_get_child (node), scale, letters);
      break;
    default:
      break;
    }
}

/* What the canvas shows now, painted once more without its squares. */
static Letters
letters_of (GtkWidget *canvas)
{
  const LsGraphScene *scene = ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas));
  double zoom = ls_graph_canvas_get_zoom (LS_GRAPH_CANVAS (canvas));
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  Letters letters = { INFINITY, 0 };
  g_autoptr (GskRenderNode) node = NULL;
  graphene_rect_t view;
  LsLook look;

  ls_graph_canvas_get_view (LS_GRAPH_CANVAS (canvas), &view);
  ls_look_from_widget (canvas, &look);
  gtk_snapshot_scale (snapshot, (float) zoom, (float) zoom);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (-view.origin.x, -view.origin.y));
  ls_draw_graph (snapshot, gtk_widget_get_pango_context (canvas), &look, scene, &view, zoom);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node != NULL)
    read_letters (node, 1.0, &letters);
  return letters;
}

/* ---- opening ----------------------------------------------------------------------------------- */

static void
open_it (const char *name,
         char       *taken,
         int         width,
         int         height)
{
  g_autofree char *text = taken;
  g_autoptr (LsSession) session = ls_engine_session_new ();
  LsGraphModel *model = ls_session_get_graph (session);
  GtkWidget *window = ls_graph_window_new (session, text, width, height), *canvas = ls_graph_window_wait (window, session);
  LsGraphState *state;
  Letters letters, smaller;

  state = ls_graph_series_state (ls_graph_model_get_series (model), 0);
  letters = letters_of (canvas);
  g_test_message ("%s in %d x %d: %u of %u nodes at %.0f %%, letters of %.1f pixels or more in %u texts", name, width, height, state->graph->nodes->len,
                  MAX (state->graph->n_folded, state->graph->nodes->len), 100.0 * ls_graph_canvas_get_zoom (LS_GRAPH_CANVAS (canvas)), letters.least, letters.n);
  g_assert_cmpuint (letters.n, >, 3);
  g_assert_cmpfloat (letters.least, >=, LEAST - 0.01);
  if (state->graph->n_folded > 0)
    g_assert_cmpuint (state->graph->nodes->len, <, MOST_NODES);
  g_assert_cmpuint (state->graph->nodes->len, <=, MOST_NODES);
  ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (canvas), 0.8);
  smaller = letters_of (canvas);
  g_assert_cmpfloat (smaller.least, <, letters.least);          /* it is measured */
  gtk_window_destroy (GTK_WINDOW (window));
  ls_graph_window_turn (50);
}

static void
test_models (void)
{
  static const int SIZES[][2] = { { 1280, 800 }, { 1024, 640 }, { 1920, 1080 } };

  ls_pass_over_known ();
  for (guint i = 0; i < (g_test_thorough () ? G_N_ELEMENTS (SIZES) : 1); i++)
    {
      open_it ("transformer of 2 layers", ls_model_transformer (2), SIZES[i][0], SIZES[i][1]);
      open_it ("transformer of 24 layers", ls_model_transformer (24), SIZES[i][0], SIZES[i][1]);
      open_it ("transformer of 60 layers", ls_model_transformer (60), SIZES[i][0], SIZES[i][1]);
      open_it ("ResNet of 8 blocks", ls_model_resnet (8), SIZES[i][0], SIZES[i][1]);
      open_it ("ResNet of 52 blocks", ls_model_resnet (52), SIZES[i][0], SIZES[i][1]);
      open_it ("random, 240 calls", ls_model_random (240, 1), SIZES[i][0], SIZES[i][1]);
      open_it ("random, 1,000 calls", ls_model_random (1000, 2), SIZES[i][0], SIZES[i][1]);
    }
}

/* ---- larger letters ---------------------------------------------------------------------------- */

/* Of how many nodes the box is not as large as the letters that it is painted with now need. */
static guint
n_outgrown (GtkWidget *canvas)
{
  const LsGraphScene *scene = ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas));
  g_autofree LsGraphSize *sizes = ls_graph_measure_nodes (gtk_widget_get_pango_context (canvas), scene->series);
  guint n = 0;

  for (guint i = 0; i < scene->layout->n_nodes; i++)
    n += scene->layout->nodes[i].width < sizes[i].width - 1.0f || scene->layout->nodes[i].height < sizes[i].height - 1.0f;
  return n;
}

static void
fit_letters (GtkWidget *window,
             LsSession *session,
             int        percent)
{
  GtkWidget *canvas = ls_graph_window_wait (window, session);

  for (guint i = 0; i < 500 && n_outgrown (canvas) > 0; i++)
    ls_graph_window_turn (20);
  g_test_message ("at %d %% of the text size, zoom %.0f %%: %u outgrow their boxes", percent, 100.0 * ls_graph_canvas_get_zoom (LS_GRAPH_CANVAS (canvas)), n_outgrown (canvas));
  g_assert_cmpuint (n_outgrown (canvas), ==, 0);
  g_assert_cmpfloat (letters_of (canvas).least, >=, LEAST * percent / 100.0 - 0.01);
}

/* Boxes have room for the letters, which are made larger before a program is opened or while it is looked at. */
static void
test_text_size (void)
{
  g_autofree char *text = ls_model_transformer (24);
  int usual = ls_theme_get_text_size ();

  ls_pass_over_known ();
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsSession) session = ls_engine_session_new ();
      GtkWidget *window;

      ls_theme_set_text_size (i == 0 ? 150 : usual);
      window = ls_graph_window_new (session, text, 1280, 800);
      fit_letters (window, session, ls_theme_get_text_size ());
      ls_theme_set_text_size (i == 0 ? 200 : 150);
      fit_letters (window, session, ls_theme_get_text_size ());
      gtk_window_destroy (GTK_WINDOW (window));
      ls_graph_window_turn (50);
    }
  ls_theme_set_text_size (usual);
}

/* ---- from far away ------------------------------------------------------------------------------ */

static guint
n_glyphs (GskRenderNode *node)
{
  guint n = 0;

  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_TEXT_NODE:
      return gsk_text_node_get_num_glyphs (node);
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        n += n_glyphs (gsk_container_node_get_child (node, i));
      return n;
    case GSK_TRANSFORM_NODE:
      return n_glyphs (gsk_transform_node_get_child (node));
    default:
      return 0;
    }
}

/* Where a title has no room, a group is called by what tells it from the others: 24 times "transformer l…" tells nothing. */
static void
test_far (void)
{
  g_autofree char *text = ls_model_transformer (24);
  g_autoptr (LsSession) session = ls_engine_session_new ();
  GtkWidget *window = ls_graph_window_new (session, text, 1280, 800), *canvas = ls_graph_window_wait (window, session);
  const LsGraphScene *scene = ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas));
  LsGraphState *state = ls_graph_series_state (scene->series, scene->state);
  guint groups = 0;
  LsLook look;

  ls_pass_over_known ();
  ls_look_from_widget (canvas, &look);
  for (guint i = 0; i < state->graph->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (state->graph, i);
      GtkSnapshot *snapshot = gtk_snapshot_new ();
      g_autoptr (GskRenderNode) drawn = NULL;
      gsize before;

      ls_draw_graph_node (snapshot, gtk_widget_get_pango_context (canvas), &look, scene, state->places[i], 0.38);
      drawn = gtk_snapshot_free_to_node (snapshot);
      if (node->kind != LS_GRAPH_NODE_GROUP)
        continue;
      g_assert_cmpuint (n_glyphs (drawn), ==, strlen (ls_graph_own_name (node, &before)));
      groups++;
    }
  g_assert_cmpuint (groups, ==, 24);
  for (double zoom = 0.9; zoom > 0.2; zoom *= 0.9)      /* what would be too small to be read is left out for names that can be */
    {
      Letters letters;

      ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (canvas), zoom / ls_graph_canvas_get_zoom (LS_GRAPH_CANVAS (canvas)));
      letters = letters_of (canvas);
      g_assert_cmpuint (letters.n, >, 3);
      g_assert_cmpfloat (letters.least, >=, 6.4);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  ls_graph_window_turn (50);
}

int
main (int    argc,
      char **argv)
{
  static const LsGraphWindowTest tests[] = { { "/graph-letters/models", test_models }, { "/graph-letters/text-size", test_text_size }, { "/graph-letters/far", test_far }, { NULL } };

  return ls_graph_window_run (argc, argv, tests);
}
