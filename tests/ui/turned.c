/* From right to left: what is drawn by hand stands on the other side, and figures keep their signs where they are. */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/ui/known.h"
#include "views/history/step-cell.h"
#include "views/parts/parts.h"
#include "views/parts/theme.h"

#include <string.h>

static LsApplication *application;

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

static GtkWidget *
find (GtkWidget  *root,
      const char *type)
{
  GtkWidget *found = strcmp (G_OBJECT_TYPE_NAME (root), type) == 0 ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

/* x of the middle of what it draws, as a share of its width; -1: nothing. */
static double
middle (GtkWidget *widget)
{
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  GskRenderNode *node;
  graphene_rect_t bounds;

  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  if (node == NULL)
    return -1.0;
  gsk_render_node_get_bounds (gsk_render_node_get_node_type (node) == GSK_CLIP_NODE ? gsk_clip_node_get_child (node) : node, &bounds);
  gsk_render_node_unref (node);
  return (bounds.origin.x + bounds.size.width / 2.0) / gtk_widget_get_width (widget);
}

static guint64
find_loop (GListModel *rows,
           const char *name)
{
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);
      guint64 id = strcmp (ls_loop_item_get (item)->name, name) == 0 ? ls_loop_item_get (item)->id
                                                                     : find_loop (ls_loop_item_get_children (item), name);

      if (id != 0)
        return id;
    }
  return 0;
}

/* The arrow of dependence goes around the rows on the side where they begin. */
static double
arrow_in (GtkTextDirection direction)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWidget *window, *arrows;
  double x = -1.0;

  ls_pass_over_known ();
  gtk_widget_set_default_direction (direction);
  window = ls_window_new (GTK_APPLICATION (application), session);
  gtk_window_set_default_size (GTK_WINDOW (window), 1440, 900);
  gtk_window_present (GTK_WINDOW (window));
  arrows = find (window, "LsLoopArrows");
  g_assert_nonnull (arrows);
  for (guint i = 0; i < 6000 && x < 0.0; i++)
    {
      wait_ms (20);
      ls_session_select (session, find_loop (ls_session_get_loops (session), "k"));
      if (gtk_widget_get_width (arrows) > 0)
        x = middle (arrows);
    }
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
  return x;
}

static void
test_arrows (void)
{
  double left = arrow_in (GTK_TEXT_DIR_LTR), right = arrow_in (GTK_TEXT_DIR_RTL);

  g_test_message ("at %.2f and %.2f of the width", left, right);
  g_assert_cmpfloat (left, >, 0.0);
  g_assert_cmpfloat (left, <, 0.35);
  g_assert_cmpfloat (right, >, 0.65);
}

/* x of the n-th character of what the label shows. */
static int
x_of (GtkLabel *label,
      char      letter)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  const char *text = pango_layout_get_text (layout);
  PangoRectangle place;

  g_assert_nonnull (strchr (text, letter));
  pango_layout_index_to_pos (layout, (int) (strchr (text, letter) - text), &place);
  return MIN (place.x, place.x + place.width);
}

static void
test_figures (void)
{
  GtkLabel *label = GTK_LABEL (g_object_ref_sink (gtk_label_new (NULL)));

  ls_part_set_figure (label, "99.6 %");
  g_assert_cmpstr (gtk_label_get_label (label), ==, "99.6 %");
  gtk_widget_set_direction (GTK_WIDGET (label), GTK_TEXT_DIR_RTL);
  gtk_label_set_label (label, "99.6 %");
  g_assert_cmpint (x_of (label, '%'), <, x_of (label, '9'));            /* what is to be mended */
  ls_part_set_figure (label, "99.6 %");
  g_assert_cmpint (x_of (label, '%'), >, x_of (label, '9'));
  ls_part_set_figure (label, "");
  g_assert_cmpstr (gtk_label_get_label (label), ==, "");
  g_object_unref (label);
}

/* x of the widget's middle in the window. */
static double
middle_in (GtkWidget *widget,
           GtkWidget *window)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, window, &bounds));
  return bounds.origin.x + bounds.size.width / 2.0;
}

/* The n-th widget of that type, and that says so where it is a label. */
static GtkWidget *
find_nth (GtkWidget  *root,
          const char *type,
          const char *label,
          guint      *n)
{
  GtkWidget *found = strcmp (G_OBJECT_TYPE_NAME (root), type) == 0 && gtk_widget_get_mapped (root) &&
                     (label == NULL || strcmp (gtk_label_get_label (GTK_LABEL (root)), label) == 0) && (*n)-- == 0 ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_nth (child, type, label, n);
  return found;
}

static GtkWidget *
nth (GtkWidget  *root,
     const char *type,
     const char *label,
     guint       n)
{
  return find_nth (root, type, label, &n);
}

/* What is called the left one stands at the left: in the choices, the canvas and the texts. */
static void
test_sides (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWidget *window, *texts = NULL;

  ls_pass_over_known ();
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  window = ls_window_new (GTK_APPLICATION (application), session);
  gtk_window_set_default_size (GTK_WINDOW (window), 1440, 900);
  gtk_window_present (GTK_WINDOW (window));
  wait_ms (300);
  g_assert_true (gtk_widget_activate_action (window, "win.compare-before", NULL));
  for (guint i = 0; i < 6000; i++)
    {
      wait_ms (20);
      texts = find (window, "LsCompareTexts");
      if (texts != NULL && nth (texts, "LsScriptPane", NULL, 1) != NULL && nth (window, "LsCompareCanvas", NULL, 0) != NULL)
        break;
    }
  wait_ms (200);
  g_assert_nonnull (texts);
  g_assert_cmpfloat (middle_in (nth (texts, "LsScriptPane", NULL, 0), window), <, middle_in (nth (texts, "LsScriptPane", NULL, 1), window));
  g_assert_cmpfloat (middle_in (nth (find (window, "LsCompareView"), "GtkDropDown", NULL, 0), window), <, middle_in (nth (find (window, "LsCompareView"), "GtkDropDown", NULL, 1), window));
  g_assert_cmpint (gtk_widget_get_direction (nth (window, "LsCompareCanvas", NULL, 0)), ==, GTK_TEXT_DIR_LTR);
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

/* What the cell draws. (transfer full) */
static cairo_surface_t *
picture_of (GtkWidget       *cell,
            GtkTextDirection direction)
{
  GtkWidget *window = gtk_window_new ();
  cairo_surface_t *picture;
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  GskRenderNode *node;
  cairo_t *cr;

  gtk_widget_set_direction (cell, direction);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 40);
  gtk_window_set_child (GTK_WINDOW (window), cell);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < 6000 && gtk_widget_get_width (cell) == 0; i++)
    wait_ms (20);
  g_assert_cmpint (gtk_widget_get_width (cell), >, 0);
  GTK_WIDGET_GET_CLASS (cell)->snapshot (cell, snapshot);
  node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  g_assert_nonnull (node);
  picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, gtk_widget_get_width (cell), gtk_widget_get_height (cell));
  cr = cairo_create (picture);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  gsk_render_node_unref (node);
  gtk_window_destroy (GTK_WINDOW (window));
  return picture;
}

/* Of how many pixels of the first the second has another at the same place, or at the place on the other side. */
static guint
n_other (cairo_surface_t *one,
         cairo_surface_t *two,
         gboolean         turned)
{
  int width = cairo_image_surface_get_width (one), height = cairo_image_surface_get_height (one);
  guint n = 0;

  g_assert_cmpint (cairo_image_surface_get_width (two), ==, width);
  g_assert_cmpint (cairo_image_surface_get_height (two), ==, height);
  for (int y = 0; y < height; y++)
    {
      const guint32 *a = (const guint32 *) (gpointer) (cairo_image_surface_get_data (one) + y * cairo_image_surface_get_stride (one));
      const guint32 *b = (const guint32 *) (gpointer) (cairo_image_surface_get_data (two) + y * cairo_image_surface_get_stride (two));

      for (int x = 0; x < width; x++)
        n += a[x] != b[turned ? width - 1 - x : x];
    }
  return n;
}

/* The time of a step: its bar begins where one begins to read, as do the figures of the axis, which themselves stay as they are. */
static void
test_times (void)
{
  LsStepRecord record = { .id = 1, .number = 1, .call = (char *) "split(j, [None, 4])", .name = (char *) "split", .state = LS_STEP_MEASURED,
                          .timing = { .min = 0.001, .q1 = 0.0012, .median = 0.0015, .q3 = 0.0021, .samples = 30 } };
  static const LsStepCellKind kinds[] = { LS_STEP_CELL_RANGE, LS_STEP_CELL_AXIS, LS_STEP_CELL_RANGE };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      cairo_surface_t *pictures[2];
      guint n_turned, n_same;

      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (LsStepItem) item = ls_step_item_new (&record);
          LsStepCell *cell = LS_STEP_CELL (ls_step_cell_new (kinds[i]));

          ls_step_cell_set_item (cell, item);
          ls_step_cell_set_axis (cell, 0.006, 3);
          ls_step_cell_set_fall (cell, i == 2, 0.001);
          pictures[k] = picture_of (GTK_WIDGET (cell), k == 0 ? GTK_TEXT_DIR_LTR : GTK_TEXT_DIR_RTL);
        }
      n_turned = n_other (pictures[0], pictures[1], TRUE);
      n_same = n_other (pictures[0], pictures[1], FALSE);
      g_test_message ("kind %u: %u pixels are not mirrored, %u are not the same", i, n_turned, n_same);
      g_assert_cmpuint (n_same, >, 0);
      if (i == 0)
        g_assert_cmpuint (n_turned, ==, 0);
      else
        g_assert_cmpuint (n_turned, >, 0);      /* the figures read from left to right */
      cairo_surface_destroy (pictures[0]);
      cairo_surface_destroy (pictures[1]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("loopscope-turned-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  ls_views_init ();
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/turned/figures", test_figures);
  g_test_add_func ("/turned/arrows", test_arrows);
  g_test_add_func ("/turned/times", test_times);
  g_test_add_func ("/turned/sides", test_sides);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
