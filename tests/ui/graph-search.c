/* graph-search: what is folded is found as well, each group says how many matches it holds, and the groups around a match are opened on the way to it. */
#include "tests/support/models.h"
#include "tests/ui/graph-window.h"
#include "tests/ui/known.h"
#include "views/graph/canvas.h"

#include <math.h>
#include <string.h>

#define LAYERS 24
#define MATMULS 8               /* of a layer */

static const LsGraphScene *
scene_of (GtkWidget *canvas)
{
  return ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas));
}

static LsGraphState *
state_of (GtkWidget *canvas)
{
  return ls_graph_series_state (scene_of (canvas)->series, scene_of (canvas)->state);
}

/* The node that the match one is at begins with. */
static const LsGraphNode *
match_node (GtkWidget *canvas)
{
  const LsGraphScene *scene = scene_of (canvas);

  g_assert_nonnull (scene->matches);
  return ls_graph_node (state_of (canvas)->graph, g_array_index ((GArray *) scene->matches->pdata[scene->match], guint, 0));
}

static GtkWidget *
button_of (GtkWidget  *root,
           const char *icon)
{
  GtkWidget *found = GTK_IS_BUTTON (root) && g_strcmp0 (gtk_button_get_icon_name (GTK_BUTTON (root)), icon) == 0 ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = button_of (child, icon);
  return found;
}

/* That of the page: lists of choices have one of their own. */
static GtkWidget *
entry_of (GtkWidget *root)
{
  GtkWidget *found = GTK_IS_SEARCH_ENTRY (root) && gtk_widget_get_tooltip_text (root) != NULL ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = entry_of (child);
  return found;
}

static void
search_for (GtkWidget  *view,
            const char *words,
            GtkWidget  *canvas)
{
  gtk_editable_set_text (GTK_EDITABLE (entry_of (view)), words);
  for (guint i = 0; i < 200 && scene_of (canvas)->matches == NULL; i++)
    ls_graph_window_turn (20);
  g_assert_nonnull (scene_of (canvas)->matches);
}

/* Those of all layers, each of which says its own. */
static void
check_counts (GtkWidget *canvas)
{
  g_autoptr (GHashTable) counts = ls_graph_scene_matches (scene_of (canvas));
  guint groups = 0;

  g_assert_cmpuint (scene_of (canvas)->matches->len, ==, LAYERS * MATMULS);
  for (guint i = 0; i < state_of (canvas)->graph->nodes->len; i++)
    if (ls_graph_node (state_of (canvas)->graph, i)->kind == LS_GRAPH_NODE_GROUP)
      {
        g_assert_cmpuint (GPOINTER_TO_UINT (g_hash_table_lookup (counts, GUINT_TO_POINTER (state_of (canvas)->places[i]))), ==, MATMULS);
        groups++;
      }
  g_assert_cmpuint (groups, ==, LAYERS);
}

/* Where the middle of the node is in the view. */
static graphene_point_t
place_of (GtkWidget  *canvas,
          const char *key)
{
  const LsGraphScene *scene = scene_of (canvas);
  gint at = ls_graph_find (scene->series->whole, key);
  const LsGraphBox *box = at >= 0 ? &scene->layout->nodes[at] : NULL;
  graphene_rect_t view;

  g_assert_nonnull (box);
  ls_graph_canvas_get_view (LS_GRAPH_CANVAS (canvas), &view);
  return GRAPHENE_POINT_INIT ((float) (box->x + box->width / 2.0f - view.origin.x) / view.size.width, (float) (box->y + box->height / 2.0f - view.origin.y) / view.size.height);
}

/* The chosen node stays where it is while all others come. */
static void
check_stays (GtkWidget  *window,
             LsSession  *session,
             GtkWidget  *canvas,
             const char *key)
{
  g_autofree char *kept = g_strdup (key);
  graphene_point_t before = place_of (canvas, kept), after;

  g_assert_true (before.x > 0.0f && before.x < 1.0f && before.y > 0.0f && before.y < 1.0f);
  gtk_editable_set_text (GTK_EDITABLE (entry_of (window)), "");
  ls_graph_model_set_all (ls_session_get_graph (session), TRUE);
  canvas = ls_graph_window_wait (window, session);
  g_assert_cmpuint (state_of (canvas)->graph->nodes->len, >, 1000);
  after = place_of (canvas, kept);
  g_assert_cmpfloat (fabsf (after.x - before.x), <, 0.01f);
  g_assert_cmpfloat (fabsf (after.y - before.y), <, 0.01f);
}

static void
test_way (void)
{
  g_autofree char *text = ls_model_transformer (LAYERS);
  g_autoptr (LsSession) session = ls_engine_session_new ();
  GtkWidget *window = ls_graph_window_new (session, text, 1280, 800), *canvas = ls_graph_window_wait (window, session);
  GtkWidget *view = ls_graph_window_find (window, "LsGraphView"), *open = button_of (view, "go-jump-symbolic");

  ls_pass_over_known ();
  g_assert_false (gtk_widget_get_visible (open));
  search_for (view, "matmul", canvas);
  check_counts (canvas);
  g_assert_true (gtk_widget_get_visible (open));
  for (guint i = 0; i < 10; i++)        /* the third one of the second layer */
    gtk_widget_activate_action (window, "win.search-next", NULL);
  g_assert_cmpint (match_node (canvas)->kind, ==, LS_GRAPH_NODE_GROUP);
  g_signal_emit_by_name (open, "clicked");
  for (guint i = 0; i < 500 && (scene_of (canvas)->matches == NULL || match_node (canvas)->kind == LS_GRAPH_NODE_GROUP); i++)
    ls_graph_window_turn (20);
  canvas = ls_graph_window_wait (window, session);
  g_assert_cmpuint (scene_of (canvas)->match, ==, 10);
  g_assert_cmpint (match_node (canvas)->kind, ==, LS_GRAPH_NODE_CALL);
  g_assert_cmpstr (match_node (canvas)->title, ==, "matmul");
  g_assert_cmpint (scene_of (canvas)->selected, ==, ls_graph_find (scene_of (canvas)->series->whole, match_node (canvas)->key));
  g_assert_false (gtk_widget_get_visible (open));
  g_assert_false (ls_graph_canvas_is_empty (LS_GRAPH_CANVAS (canvas)));
  check_stays (window, session, canvas, match_node (canvas)->key);
  gtk_window_destroy (GTK_WINDOW (window));
  ls_graph_window_turn (50);
}

int
main (int    argc,
      char **argv)
{
  static const LsGraphWindowTest tests[] = { { "/graph-search/way", test_way }, { NULL } };

  return ls_graph_window_run (argc, argv, tests);
}
