/* A loop that is dragged: it means something in its own window only, and what would become of it is tried once for each row. */
#include "tests/ui/session-parts.h"
#include "views/loops/cell.h"
#include "views/loops/view.h"

#include <string.h>

static guint n_tries, n_applied;
static gboolean (*reorder) (LsSession *session, guint64 from, guint64 to, gboolean apply, char **reason);

static gboolean
counted (LsSession *session,
         guint64    from,
         guint64    to,
         gboolean   apply,
         char     **reason)
{
  n_tries += !apply;
  n_applied += apply;
  return reorder (session, from, to, apply, reason);
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

static GtkWidget *
find_cell (GtkWidget  *root,
           const char *name)
{
  if (LS_IS_LOOP_CELL (root) && ls_loop_cell_get_item (LS_LOOP_CELL (root)) != NULL &&
      strcmp (ls_loop_item_get (ls_loop_cell_get_item (LS_LOOP_CELL (root)))->name, name) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_cell (child, name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
wait_for_cell (GtkWidget  *window,
               const char *name)
{
  GtkWidget *cell = NULL;

  for (guint i = 0; i < 12000 && (cell = find_cell (window, name)) == NULL; i++)
    wait_ms (10);
  g_assert_nonnull (cell);
  return cell;
}

static GtkWidget *
window_new (LsSession *session)
{
  GtkWidget *window = gtk_window_new (), *view = ls_loop_view_new ();

  ls_loop_view_set_session (LS_LOOP_VIEW (view), session);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

/* (transfer none) */
static gpointer
controller_of (GtkWidget *widget,
               GType      type)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);

      if (g_type_is_a (G_OBJECT_TYPE (controller), type))
        return controller;
    }
  g_assert_not_reached ();
}

/* What the drag of a cell offers. */
static void
take_up (GtkWidget *cell,
         GValue    *value)
{
  g_autoptr (GdkContentProvider) provider = NULL;
  g_autoptr (GdkContentFormats) formats = NULL;
  g_autoptr (GError) error = NULL;
  const GType *types;
  gsize n;

  g_signal_emit_by_name (controller_of (cell, GTK_TYPE_DRAG_SOURCE), "prepare", 4.0, 4.0, &provider);
  g_assert_nonnull (provider);
  formats = gdk_content_provider_ref_formats (provider);
  types = gdk_content_formats_get_gtypes (formats, &n);
  g_assert_cmpuint (n, ==, 1);
  g_value_init (value, types[0]);
  g_assert_true (gdk_content_provider_get_value (provider, value, &error));
}

static gboolean
drop (GtkWidget    *cell,
      const GValue *value)
{
  GtkDropTarget *target = controller_of (cell, GTK_TYPE_DROP_TARGET);
  gboolean taken = FALSE;

  g_assert_true (gdk_content_formats_contain_gtype (gtk_drop_target_get_formats (target), G_VALUE_TYPE (value)));
  g_signal_emit_by_name (target, "drop", value, 4.0, 4.0, &taken);
  return taken;
}

static guint
n_steps (LsSession *session)
{
  return g_list_model_get_n_items (ls_session_get_path (session));
}

static void
test_drag (void)
{
  g_autoptr (LsSession) one = open_text (session_source, NULL), other = open_text (session_source, NULL);
  GtkWidget *first = window_new (one), *second = window_new (other);
  GtkWidget *k = wait_for_cell (first, "k"), *i = wait_for_cell (first, "i"), *there = wait_for_cell (second, "i");
  LsSessionClass *klass = LS_SESSION_GET_CLASS (one);
  GValue value = G_VALUE_INIT;

  reorder = klass->reorder;
  klass->reorder = counted;
  take_up (k, &value);
  for (guint n = 0; n < 20; n++)
    g_assert_cmpint (ls_loop_cell_try (LS_LOOP_CELL (there), &value), ==, 0);
  g_assert_cmpuint (n_tries, ==, 0);
  g_assert_false (drop (there, &value));
  g_assert_cmpuint (n_applied, ==, 0);
  g_assert_cmpuint (n_steps (other), ==, 1);
  for (guint n = 0; n < 20; n++)
    g_assert_cmpint (ls_loop_cell_try (LS_LOOP_CELL (i), &value), ==, GDK_ACTION_MOVE);
  g_assert_cmpuint (n_tries, ==, 1);
  g_assert_true (drop (i, &value));
  g_assert_cmpuint (n_steps (one), ==, 2);
  g_assert_cmpuint (n_steps (other), ==, 1);
  g_value_unset (&value);
  klass->reorder = reorder;
  gtk_window_destroy (GTK_WINDOW (first));
  gtk_window_destroy (GTK_WINDOW (second));
}

/* GTK keeps what a drag offers for as long as its drop was not answered: that holds no document, and means nothing any more. */
static void
test_held (void)
{
  g_autoptr (LsSession) other = open_text (session_source, NULL);
  gpointer session = open_text (session_source, NULL);
  GtkWidget *first = window_new (session), *second = window_new (other);
  GtkWidget *there = wait_for_cell (second, "i");
  GValue value = G_VALUE_INIT, kept = G_VALUE_INIT;

  g_object_add_weak_pointer (session, &session);
  take_up (wait_for_cell (first, "k"), &value);
  g_value_init (&kept, G_VALUE_TYPE (&value));
  g_value_copy (&value, &kept);
  g_value_unset (&value);
  gtk_window_destroy (GTK_WINDOW (first));
  g_object_unref (session);
  for (guint i = 0; i < 12000 && session != NULL; i++)
    wait_ms (10);
  g_assert_null (session);
  g_assert_cmpint (ls_loop_cell_try (LS_LOOP_CELL (there), &kept), ==, 0);
  g_assert_false (drop (there, &kept));
  g_value_unset (&kept);
  gtk_window_destroy (GTK_WINDOW (second));
}

int
main (int    argc,
      char **argv)
{
  session_parts_init (&argc, &argv);
  if (gdk_display_get_default () == NULL)
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_add_func ("/loop-drag/own-window", test_drag);
  g_test_add_func ("/loop-drag/held", test_held);
  return g_test_run ();
}
