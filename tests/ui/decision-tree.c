/* The lists of a search. The tree of decisions: two rows of one name stay two, however often the decisions are weighed; no list has an item twice.  The candidates:
 * the keyboard comes to the fastest first, whichever was there first.  The charts: none of their words lies over another, or past the edge. */
#include "views/canvas/draw-tuning.h"
#include "views/parts/theme.h"
#include "views/tune/list.h"
#include "views/tune/tree.h"

/* ---- a search with decisions of one name ----------------------------------------- */

#define TYPE_FAKE_TUNING (fake_tuning_get_type ())
G_DECLARE_FINAL_TYPE (FakeTuning, fake_tuning, FAKE, TUNING, LsTuning)

struct _FakeTuning
{
  LsTuning parent_instance;
  double   first;               /* the share of the first decision */
  gboolean turned;              /* the last is the first */
  gboolean deep;                /* each decision has two values */
  gboolean less;                /* the first explains nothing any more */
};

G_DEFINE_FINAL_TYPE (FakeTuning, fake_tuning, LS_TYPE_TUNING)

static void
fake_branch (LsTuning       *tuning,
             LsDecisionItem *above,
             GPtrArray      *below)
{
  FakeTuning *self = FAKE_TUNING (tuning);
  const double shares[3] = { self->first, 0.3, 0.2 };
  const char *const names[3] = { "j: factor 4 of 4", "j: factor 4 of 4", "k: factor 2 of 2" };

  for (guint n = 0; above != NULL && ls_decision_item_get (above)->kind == LS_DECISION_ITEM_DECISION && n < 2; n++)
    {
      LsDecisionRecord record = { .kind = LS_DECISION_ITEM_VALUE, .name = n == 0 ? "8" : "16", .n = 16, .best = 1e-5, .median = 2e-5 };

      g_ptr_array_add (below, ls_decision_item_new (&record, NULL, NULL));
    }
  for (guint n = 0; above == NULL && n < 3; n++)
    {
      guint i = self->turned ? 2 - n : n;
      LsDecisionRecord record = { .kind = LS_DECISION_ITEM_DECISION, .name = names[i], .share = shares[i], .n = 32, .deeper = self->deep };

      if (self->less && i == 2)
        continue;

      g_ptr_array_add (below, ls_decision_item_new (&record, NULL, NULL));
    }
}

static void
fake_tuning_class_init (FakeTuningClass *klass)
{
  LS_TUNING_CLASS (klass)->branch = fake_branch;
}

static void
fake_tuning_init (FakeTuning *self)
{
  self->first = 0.4;
}

/* ---- looking ------------------------------------------------------------------------- */

static GtkWidget *
find_list (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_LIST_VIEW (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_list (child);
  return found;
}

static LsDecisionItem *
row_at (GtkWidget *tree,
        guint      at)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (find_list (tree)))), at);

  return gtk_tree_list_row_get_item (row);
}

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
turn_for (guint ms)
{
  gboolean over = FALSE;

  g_timeout_add (ms, passed, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_names (void)
{
  g_autoptr (LsTuning) tuning = g_object_new (TYPE_FAKE_TUNING, NULL);
  GtkWidget *window = gtk_window_new (), *tree = ls_decision_tree_new ();

  ls_decision_tree_set_tuning (LS_DECISION_TREE (tree), tuning);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 300);
  gtk_window_set_child (GTK_WINDOW (window), tree);
  gtk_window_present (GTK_WINDOW (window));
  turn_for (100);
  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (LsDecisionItem) first = NULL, second = NULL;

      FAKE_TUNING (tuning)->first = 0.5 + 0.1 * round;
      ls_tuning_take_worth (tuning, ls_tuning_worth_new ());
      turn_for (700);
      first = row_at (tree, 0);
      second = row_at (tree, 1);
      g_assert_true (first != second);
      g_assert_cmpfloat (ls_decision_item_get (first)->share, ==, FAKE_TUNING (tuning)->first);
      g_assert_cmpfloat (ls_decision_item_get (second)->share, ==, 0.3);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The keyboard stays on the row that it is on when the decisions come in another order. */
static void
test_focus (void)
{
  g_autoptr (LsTuning) tuning = g_object_new (TYPE_FAKE_TUNING, NULL);
  GtkWidget *window = gtk_window_new (), *tree = ls_decision_tree_new (), *list = find_list (tree);

  ls_decision_tree_set_tuning (LS_DECISION_TREE (tree), tuning);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 300);
  gtk_window_set_child (GTK_WINDOW (window), tree);
  gtk_window_present (GTK_WINDOW (window));
  turn_for (100);
  gtk_widget_activate_action (list, "list.select-item", "(ubb)", 2, FALSE, FALSE);
  gtk_widget_grab_focus (gtk_widget_get_last_child (list));
  turn_for (100);
  for (guint round = 0; round < 4; round++)
    {
      GtkSingleSelection *selection = GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (list)));
      GtkWidget *focus, *line;
      g_autoptr (LsDecisionItem) item = NULL;

      FAKE_TUNING (tuning)->turned = round % 2 == 0;
      ls_tuning_take_worth (tuning, ls_tuning_worth_new ());
      turn_for (700);
      item = row_at (tree, FAKE_TUNING (tuning)->turned ? 0 : 2);
      g_assert_cmpstr (ls_decision_item_get (item)->name, ==, "k: factor 2 of 2");
      g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==, FAKE_TUNING (tuning)->turned ? 0 : 2);
      focus = gtk_window_get_focus (GTK_WINDOW (window));
      g_assert_true (focus != NULL && gtk_widget_is_ancestor (focus, list));
      while (gtk_widget_get_parent (focus) != list)
        focus = gtk_widget_get_parent (focus);
      line = gtk_tree_expander_get_child (GTK_TREE_EXPANDER (gtk_widget_get_first_child (focus)));
      g_assert_true (g_object_get_data (G_OBJECT (line), "ls-item") == item);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static guint
n_rows (GtkWidget *tree)
{
  return g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (find_list (tree)))));
}

static void
set_open (GtkWidget *tree,
          guint      at,
          gboolean   open)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (GTK_LIST_VIEW (find_list (tree)))), at);

  gtk_tree_list_row_set_expanded (row, open);
}

static void
assert_row (GtkWidget  *tree,
            guint       at,
            const char *name)
{
  g_autoptr (LsDecisionItem) item = row_at (tree, at);

  g_assert_cmpstr (ls_decision_item_get (item)->name, ==, name);
}

/* What is open stays where it is, with its values, whatever the order is meanwhile and though it explains nothing any more; closed it goes where it belongs. */
static void
test_open (void)
{
  g_autoptr (LsTuning) tuning = g_object_new (TYPE_FAKE_TUNING, NULL);
  GtkWidget *window = gtk_window_new (), *tree = ls_decision_tree_new ();

  FAKE_TUNING (tuning)->deep = TRUE;
  ls_decision_tree_set_tuning (LS_DECISION_TREE (tree), tuning);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 300);
  gtk_window_set_child (GTK_WINDOW (window), tree);
  gtk_window_present (GTK_WINDOW (window));
  turn_for (100);
  g_assert_cmpuint (n_rows (tree), ==, 3);
  assert_row (tree, 2, "k: factor 2 of 2");
  set_open (tree, 2, TRUE);
  turn_for (100);
  g_assert_cmpuint (n_rows (tree), ==, 5);
  for (guint round = 0; round < 3; round++)
    {
      FAKE_TUNING (tuning)->turned = round % 2 == 0;
      FAKE_TUNING (tuning)->less = round == 2;
      ls_tuning_take_worth (tuning, ls_tuning_worth_new ());
      turn_for (700);
      g_assert_cmpuint (n_rows (tree), ==, 5);
      assert_row (tree, 2, "k: factor 2 of 2");
      assert_row (tree, 3, "8");
    }
  FAKE_TUNING (tuning)->less = FALSE;
  FAKE_TUNING (tuning)->turned = TRUE;
  set_open (tree, 2, FALSE);
  ls_tuning_take_worth (tuning, ls_tuning_worth_new ());
  turn_for (700);
  g_assert_cmpuint (n_rows (tree), ==, 3);
  assert_row (tree, 0, "k: factor 2 of 2");
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_tab (void)
{
  g_autoptr (LsTuning) tuning = g_object_new (TYPE_FAKE_TUNING, NULL);
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *button = gtk_button_new_with_label ("before"), *list = ls_trial_list_new (), *row;
  LsTrialItem *come_to;

  ls_trial_list_set_tuning (LS_TRIAL_LIST (list), tuning);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), list);
  gtk_window_set_default_size (GTK_WINDOW (window), 500, 200);
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_grab_focus (button);
  for (guint i = 1; i <= 40; i++)
    {
      const LsTrialRecord record = { .number = i, .state = LS_TRIAL_ITEM_MEASURED, .family = 0, .seconds = 1.0 / i };
      g_autoptr (LsTrialItem) item = ls_trial_item_new (&record);

      ls_tuning_add (tuning, item);
      ls_tuning_set (tuning, &(LsTuningRecord) { .trials = i });
      if (i % 10 == 1)
        turn_for (600);
    }
  turn_for (600);
  gtk_widget_child_focus (window, GTK_DIR_TAB_FORWARD);
  row = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (row != NULL && gtk_widget_is_ancestor (row, list));
  come_to = g_object_get_data (G_OBJECT (gtk_widget_get_first_child (row)), "ls-item");
  g_assert_cmpuint (ls_trial_item_get (come_to)->number, ==, 40);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- words and charts ------------------------------------------------------------------ */

static void
test_words (void)
{
  g_autoptr (LsTuning) tuning = g_object_new (TYPE_FAKE_TUNING, NULL);
  LsTuningRecord record = { .state = LS_TUNING_ENDED, .planned = 64, .trials = 64, .refused = 64, .seconds_left = -1.0 };
  g_autofree char *nothing = NULL, *some = NULL;

  ls_tuning_set (tuning, &record);
  nothing = ls_tuning_describe (tuning);
  g_assert_true (g_str_has_prefix (nothing, "64 trials, none of which gave a program"));
  record.refused = 63;
  record.measured = 1;
  ls_tuning_set (tuning, &record);
  some = ls_tuning_describe (tuning);
  g_assert_true (g_str_has_prefix (some, "64 of 64 trials"));
}

/* The places of all words below `node`, which stands at (x, y). */
static void
collect_words (GskRenderNode *node,
               float          x,
               float          y,
               GArray        *places)
{
  float dx = 0.0f, dy = 0.0f;
  graphene_rect_t bounds;

  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_TEXT_NODE:
      gsk_render_node_get_bounds (node, &bounds);
      graphene_rect_offset (&bounds, x, y);
      g_array_append_val (places, bounds);
      break;
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        collect_words (gsk_container_node_get_child (node, i), x, y, places);
      break;
    case GSK_TRANSFORM_NODE:
      gsk_transform_to_translate (gsk_transform_node_get_transform (node), &dx, &dy);
      collect_words (gsk_transform_node_get_child (node), x + dx, y + dy, places);
      break;
    default:
      break;
    }
}

static void
look_at_chart (LsTuning          *tuning,
               LsTuningChartKind  kind,
               float              width,
               float              height)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  GtkWidget *widget = g_object_ref_sink (gtk_label_new (NULL));
  LsLook look = *ls_look_load (FALSE);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  LsFigure figure = { .snapshot = snapshot, .pango = gtk_widget_get_pango_context (widget), .look = &look };
  g_autoptr (GskRenderNode) node = NULL;

  ls_draw_tuning (&figure, tuning, kind, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  collect_words (node, 0.0f, 0.0f, places);
  g_assert_cmpuint (places->len, >=, 5);
  for (guint i = 0; i < places->len; i++)
    {
      const graphene_rect_t *a = &g_array_index (places, graphene_rect_t, i);

      if (a->origin.x < 0.0f || a->origin.y < 0.0f || a->origin.x + a->size.width > width || a->origin.y + a->size.height > height)
        g_error ("chart %d, %.0f x %.0f: words from %.1f to %.1f, %.1f to %.1f", kind, width, height, a->origin.x, a->origin.x + a->size.width, a->origin.y, a->origin.y + a->size.height);
      for (guint j = 0; j < i; j++)
        if (graphene_rect_intersection (a, &g_array_index (places, graphene_rect_t, j), NULL))
          g_error ("chart %d, %.0f x %.0f: words %u lie over words %u", kind, width, height, i, j);
    }
  g_object_unref (widget);
}

static void
test_charts (void)
{
  g_autoptr (LsTuning) tuning = g_object_new (TYPE_FAKE_TUNING, NULL);

  for (float width = 220.0f; width < 1000.0f; width += 37.0f)
    for (float height = 140.0f; height < 500.0f; height += 23.0f)
      {
        look_at_chart (tuning, LS_TUNING_CURVE, width, height);
        look_at_chart (tuning, LS_TUNING_SCATTER, width, height);
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  ls_theme_install (gdk_display_get_default ());
  g_test_add_func ("/views/decision-tree/names", test_names);
  g_test_add_func ("/views/decision-tree/focus", test_focus);
  g_test_add_func ("/views/decision-tree/open", test_open);
  g_test_add_func ("/views/trial-list/tab", test_tab);
  g_test_add_func ("/views/tuning/words", test_words);
  g_test_add_func ("/views/tuning/charts", test_charts);
  return g_test_run ();
}
