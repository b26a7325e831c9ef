/* From right to left: what is drawn by hand stands on the other side, and figures keep their signs where they are. */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/ui/known.h"
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
  for (guint i = 0; i < 250 && x < 0.0; i++)
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
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
