/* A row of the moves: however long its texts are, it is no wider than the narrowest pane; Tab goes through it, folded and unfolded; what it
 * says is drawn. */
#include "tests/ui/fixture-session.h"
#include "views/moves/row.h"
#include "views/moves/view.h"
#include "views/parts/fit-label.h"
#include "views/parts/theme.h"

#define NARROWEST 300

static int
width_of (const LsMoveRecord *record,
          gboolean            unfolded)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  g_autoptr (LsMoveItem) item = ls_move_item_new (record);
  g_autoptr (GtkWidget) row = g_object_ref_sink (ls_move_row_new (session));
  int minimum;

  ls_move_row_set_item (LS_MOVE_ROW (row), item);
  ls_move_row_set_unfolded (LS_MOVE_ROW (row), unfolded);
  gtk_widget_measure (row, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

static void
test_repair (void)
{
  const LsMoveRecord record = {
    .group = LS_MOVE_WITH_CHANGE,
    .call = "sample_categorical([1, 2, 4, 8, 16, 32, 64], [0.25, 0.25, 0.25, 0.0625, 0.0625, 0.0625, 0.0625])",
    .name = "sample_categorical",
    .reason = "split needs a factor that divides 127, and (vi_a_long_name*4+vj_another_long_name)//16*16+vk_a_third_long_name<127 does not hold.",
    .repair = "With a predicate it becomes possible: split(j, [None, 4])",
    .repair_note = "2 steps, and step 3 is replayed",
  };

  g_assert_cmpint (width_of (&record, FALSE), <=, NARROWEST);
}

static const char *choices[] = { "1", "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", NULL };
static const LsMoveParam params[] = {
  { .kind = LS_MOVE_PARAM_FACTOR, .name = "outer", .value = "1024", .choices = choices },
  { .kind = LS_MOVE_PARAM_FACTOR, .name = "inner", .value = "1", .choices = choices },
  { .kind = LS_MOVE_PARAM_TEXT, .name = "annotation_value", .value = "a value of some length, as a layout has" },
};
static const LsMoveRecord split = {
  .group = LS_MOVE_CAN,
  .call = "split(k, [1024, 1])",
  .name = "split",
  .reason = "Cuts k into an outer and an inner loop.",
  .product = "= 1024, exact",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
};

static void
test_values (void)
{
  g_assert_cmpint (width_of (&split, TRUE), <=, NARROWEST);
}

/* ---- the keyboard ---------------------------------------------------------- */

#define MOST_STOPS 60

/* The one of that type below `root`, or NULL. */
static GtkWidget *
find (GtkWidget *root,
      GType      type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (root, type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

/* How many fields of text Tab stops at from the first stop on, and whether it comes round. */
static guint
fields (GtkWindow *window)
{
  GtkWidget *first, *at;
  guint n = 0, stops = 0;

  gtk_window_set_focus (window, NULL);
  gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
  first = gtk_window_get_focus (window);
  g_assert_nonnull (first);
  do
    {
      at = gtk_window_get_focus (window);
      g_assert_true (gtk_widget_get_root (at) == GTK_ROOT (window));
      n += GTK_IS_TEXT (at);
      gtk_widget_child_focus (GTK_WIDGET (window), GTK_DIR_TAB_FORWARD);
      g_assert_cmpuint (++stops, <, MOST_STOPS);
    }
  while (gtk_window_get_focus (window) != first && gtk_window_get_focus (window) != NULL);
  return n;
}

/* GTK 4.8 goes on into what is folded, and asks it for a window that it has not. */
static void
test_tab (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  g_autoptr (LsMoveItem) item = ls_move_item_new (&split);
  GtkWidget *row = ls_move_row_new (session), *window = gtk_window_new (), *fold;

  gtk_window_set_child (GTK_WINDOW (window), row);
  ls_move_row_set_item (LS_MOVE_ROW (row), item);
  ls_move_row_set_unfolded (LS_MOVE_ROW (row), TRUE);
  gtk_window_present (GTK_WINDOW (window));
  fold = find (row, GTK_TYPE_EXPANDER);
  g_assert_nonnull (fold);
  g_assert_cmpuint (fields (GTK_WINDOW (window)), ==, 2);
  gtk_expander_set_expanded (GTK_EXPANDER (fold), TRUE);
  g_assert_cmpuint (fields (GTK_WINDOW (window)), ==, 3);
  gtk_expander_set_expanded (GTK_EXPANDER (fold), FALSE);
  g_assert_cmpuint (fields (GTK_WINDOW (window)), ==, 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Of a label of either kind; "" of what is none. */
static const char *
words_of (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_label (GTK_LABEL (widget));
  return LS_IS_FIT_LABEL (widget) ? ls_fit_label_get_shown (LS_FIT_LABEL (widget)) : "";
}

static gboolean
says (GtkWidget  *root,
      const char *words)
{
  if (gtk_widget_get_mapped (root) && g_strcmp0 (words_of (root), words) == 0)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (says (child, words))
      return TRUE;
  return FALSE;
}

static gboolean
comes_to_say (GtkWidget  *window,
              const char *words,
              gboolean    wanted)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (says (window, words) != wanted && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  return says (window, words) == wanted;
}

/* Why nothing is likely to help stands below the heading of an empty group, as soon as that is known, and goes with it. */
static void
test_words (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  GtkWidget *view = ls_moves_view_new (), *window = gtk_window_new ();

  ls_moves_view_set_session (LS_MOVES_VIEW (view), session);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 800);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (comes_to_say (window, ls_move_group_title (LS_MOVE_CAN), TRUE));
  g_assert_false (says (window, ls_move_group_title (LS_MOVE_LIKELY)));
  ls_session_set_likely_words (session, "They wait for each other.");
  ls_session_why_changed (session);
  g_assert_true (comes_to_say (window, "They wait for each other.", TRUE));
  g_assert_true (says (window, ls_move_group_title (LS_MOVE_LIKELY)));
  g_assert_false (says (window, "Try these"));
  ls_session_set_likely_words (session, NULL);
  ls_session_why_changed (session);
  g_assert_true (comes_to_say (window, "They wait for each other.", FALSE));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- what is drawn --------------------------------------------------------------- */

#define N_MOVES 33
#define WINDOWS 10              /* whether a row is passed over depends on the time at which it comes */

/* How many lines of text the picture of a widget has. */
static guint
count_texts (GskRenderNode *node)
{
  guint n = 0;

  switch (gsk_render_node_get_node_type (node))
    {
    case GSK_TEXT_NODE:
      return 1;
    case GSK_TRANSFORM_NODE:
      return count_texts (gsk_transform_node_get_child (node));
    case GSK_CLIP_NODE:
      return count_texts (gsk_clip_node_get_child (node));
    case GSK_ROUNDED_CLIP_NODE:
      return count_texts (gsk_rounded_clip_node_get_child (node));
    case GSK_OPACITY_NODE:
      return count_texts (gsk_opacity_node_get_child (node));
    case GSK_DEBUG_NODE:
      return count_texts (gsk_debug_node_get_child (node));
    case GSK_CONTAINER_NODE:
      for (guint i = 0; i < gsk_container_node_get_n_children (node); i++)
        n += count_texts (gsk_container_node_get_child (node, i));
      return n;
    default:
      return 0;
    }
}

static guint
count_drawn (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) live = gtk_widget_paintable_new (widget), image = gdk_paintable_get_current_image (live);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GskRenderNode *node;
  guint n;

  gdk_paintable_snapshot (image, snapshot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  node = gtk_snapshot_free_to_node (snapshot);
  n = node != NULL ? count_texts (node) : 0;
  g_clear_pointer (&node, gsk_render_node_unref);
  return n;
}

/* Labels with words that are mapped. */
static guint
count_shown (GtkWidget *root)
{
  guint n = gtk_widget_get_mapped (root) && *words_of (root) != '\0';

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += count_shown (child);
  return n;
}

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

static void
set_moves (LsSession *session,
           guint      n)
{
  GPtrArray *moves = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *call = g_strdup_printf ("split(k, [%u, 1])", i);
      LsMoveRecord record = split;

      record.call = call;
      g_ptr_array_add (moves, ls_move_item_new (&record));
    }
  ls_session_set_moves (session, moves);
}

/* Rows of a window that is on the screen get their words a few at a time; each of them is drawn in the end. */
static void
test_drawn (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();

  for (guint i = 0; i < WINDOWS; i++)
    {
      GtkWidget *view = ls_moves_view_new (), *window = gtk_window_new (), *list;

      set_moves (session, 0);
      ls_moves_view_set_session (LS_MOVES_VIEW (view), session);
      gtk_window_set_default_size (GTK_WINDOW (window), 400, 880);
      gtk_window_set_child (GTK_WINDOW (window), view);
      gtk_window_present (GTK_WINDOW (window));
      wait_ms (100);
      set_moves (session, N_MOVES);
      list = find (view, GTK_TYPE_LIST_VIEW);
      g_assert_true (comes_to_say (window, "split(k, [12, 1])", TRUE));
      /* Until the frame that draws the last of them, however long it takes here. */
      for (gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
           (count_shown (list) <= 26 || count_drawn (list) < count_shown (list)) && g_get_monotonic_time () < end;)
        wait_ms (20);
      g_assert_cmpuint (count_shown (list), >, 26);
      g_assert_cmpuint (count_drawn (list), >=, count_shown (list));
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

/* ---- where the keyboard is ---------------------------------------------------------- */

/* From move `first` to the third. */
static void
set_named (LsSession *session,
           guint      first)
{
  g_autoptr (GPtrArray) moves = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = first; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("move %u", i);
      LsMoveRecord record = split;

      record.name = record.call = name;
      record.group = i == 0 ? LS_MOVE_LIKELY : LS_MOVE_CAN;
      g_ptr_array_add (moves, ls_move_item_new (&record));
    }
  ls_session_set_moves (session, moves);
}

/* Of the move that has the keyboard; NULL: none has it. */
static const char *
name_at_keyboard (GtkWidget *window)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window)), *row = focus != NULL ? gtk_widget_get_first_child (focus) : NULL;

  return LS_IS_MOVE_ROW (row) ? ls_move_item_get (ls_move_row_get_item (LS_MOVE_ROW (row)))->name : NULL;
}

/* What is likely to help comes above the move that is unfolded: the keyboard goes down with that. */
static void
test_late (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  GtkWidget *view = ls_moves_view_new (), *window = gtk_window_new ();

  set_named (session, 1);
  ls_moves_view_set_session (LS_MOVES_VIEW (view), session);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 880);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (comes_to_say (window, "move 3", TRUE));
  ls_moves_view_focus (LS_MOVES_VIEW (view));
  wait_ms (100);
  g_assert_cmpstr (ls_move_item_get (ls_moves_view_get_chosen (LS_MOVES_VIEW (view)))->name, ==, "move 1");
  set_named (session, 0);
  g_assert_true (comes_to_say (window, "move 0", TRUE));
  wait_ms (200);
  g_assert_cmpstr (ls_move_item_get (ls_moves_view_get_chosen (LS_MOVES_VIEW (view)))->name, ==, "move 1");
  for (guint i = 0; i < 1200 && g_strcmp0 (name_at_keyboard (window), "move 1") != 0; i++)       /* it follows in a later frame */
    wait_ms (100);
  wait_ms (200);
  g_assert_cmpstr (name_at_keyboard (window), ==, "move 1");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Both of a press, or what GTK would tell of one of the two: TRUE when the view took it. */
static gboolean
tell_key (GtkWidget  *view,
          const char *what,
          guint       key)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (view);
  gboolean handled = FALSE;

  for (guint i = 0; !handled && i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) one = g_list_model_get_item (all, i);

      if (!GTK_IS_EVENT_CONTROLLER_KEY (one) || gtk_event_controller_get_propagation_phase (one) != GTK_PHASE_CAPTURE)
        continue;
      if (g_strcmp0 (what, "key-pressed") == 0)
        g_signal_emit_by_name (one, what, key, 0, 0, &handled);
      else
        g_signal_emit_by_name (one, what, key, 0, 0);
    }
  return handled;
}

static gboolean
comes_to_be (LsSession  *session,
             const char *wish,
             guint       ms)
{
  for (guint i = 0; i < ms / 20 && g_strcmp0 (ls_fixture_session_get_last (LS_FIXTURE_SESSION (session)), wish) != 0; i++)
    wait_ms (20);
  return g_strcmp0 (ls_fixture_session_get_last (LS_FIXTURE_SESSION (session)), wish) == 0;
}

/* Return while the moves are still to come is for the first of them; Escape lets it go, and a Return that is still down since the move
 * before is not meant. */
static void
test_early (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  GtkWidget *view = ls_moves_view_new (), *window = gtk_window_new ();

  set_named (session, 1);
  ls_moves_view_set_session (LS_MOVES_VIEW (view), session);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 880);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (comes_to_say (window, "move 3", TRUE));
  ls_moves_view_focus (LS_MOVES_VIEW (view));
  g_assert_false (tell_key (view, "key-pressed", GDK_KEY_Return));       /* the list's own */
  tell_key (view, "key-released", GDK_KEY_Return);

  set_moves (session, 0);
  g_assert_true (gtk_root_get_focus (GTK_ROOT (window)) == view);
  g_assert_true (tell_key (view, "key-pressed", GDK_KEY_Return));
  tell_key (view, "key-released", GDK_KEY_Return);
  set_named (session, 2);
  g_assert_true (comes_to_be (session, "apply move 2", 10000));

  set_moves (session, 0);
  g_assert_true (tell_key (view, "key-pressed", GDK_KEY_Return));
  tell_key (view, "key-pressed", GDK_KEY_Escape);
  set_named (session, 3);
  g_assert_false (comes_to_be (session, "apply move 3", 400));

  ls_moves_view_focus (LS_MOVES_VIEW (view));
  tell_key (view, "key-pressed", GDK_KEY_Return);
  set_moves (session, 0);
  g_assert_true (tell_key (view, "key-pressed", GDK_KEY_Return));
  set_named (session, 3);
  g_assert_false (comes_to_be (session, "apply move 3", 400));
  gtk_window_destroy (GTK_WINDOW (window));
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
  g_test_add_func ("/views/move-row/repair", test_repair);
  g_test_add_func ("/views/move-row/values", test_values);
  g_test_add_func ("/views/move-row/tab", test_tab);
  g_test_add_func ("/views/move-row/words", test_words);
  g_test_add_func ("/views/move-row/drawn", test_drawn);
  g_test_add_func ("/views/move-row/late", test_late);
  g_test_add_func ("/views/move-row/early", test_early);
  return g_test_run ();
}
