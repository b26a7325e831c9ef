/* random-widgets: what the user does to what is on the screen; see random.c. */
#include "tests/ui/random-private.h"

#include "app/tool/tool.h"
#include "app/window/actions.h"
#include "app/window/window.h"
#include "tests/ui/random-hand.h"
#include "views/parts/theme.h"

#include <string.h>

/* ---- what stands beside a window ---------------------------------------------------- */

/* Whether it is one of ours: the toolkit's choosers of files, explanations of keys and the like are not tested here. */
static gboolean
is_beside (GtkWindow *top)
{
  return !LS_IS_WINDOW (top) && !GTK_IS_FILE_CHOOSER (top) && !GTK_IS_SHORTCUTS_WINDOW (top) && gtk_widget_get_mapped (GTK_WIDGET (top));
}

/* The window, or, as often, one of those that are open beside the windows. */
static GtkWindow *
any_place (GtkWindow *window)
{
  GListModel *tops = gtk_window_get_toplevels ();
  GtkWindow *chosen = window;
  guint n = 0;

  if (ls_wish_below (2) == 0)
    return window;
  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWindow) top = g_list_model_get_item (tops, i);

      if (is_beside (top) && ls_wish_below (++n) == 0)
        chosen = top;
    }
  return chosen;
}

/* Of whatever is there too. */
void
ls_wish_use_hand (GtkWindow *window)
{
  gtk_window_present (any_place (window));
  ls_wish_note ("%s", ls_hand_move (ls_wish_below));
}

/* ---- text ---------------------------------------------------------------------------- */

/* What has no size yet nobody can reach; GTK finds no place for a popover there. */
static void
collect (GtkWidget *root,
         GType      type,
         GPtrArray *found)
{
  if (gtk_widget_get_mapped (root) && gtk_widget_get_width (root) > 0 && gtk_widget_get_height (root) > 0 && G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect (child, type, found);
}

/* One of that type that is on the screen, or NULL. */
static GtkWidget *
any_widget (GtkWindow *window,
            GType      type)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  collect (GTK_WIDGET (window), type, found);
  return found->len > 0 ? g_ptr_array_index (found, ls_wish_below (found->len)) : NULL;
}

void
ls_wish_type (GtkWindow *window)
{
  static const char *const words[] = { "a", " ", "\n", "for i in range(4):\n", "# é 漢", ")", "\"" };
  GtkWidget *view = any_widget (any_place (window), GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer;
  GtkTextIter from, to;

  if (view == NULL)
    return;
  ls_wish_note ("type in %s", G_OBJECT_TYPE_NAME (view));
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_buffer_get_iter_at_offset (buffer, &from, (int) ls_wish_below ((guint) gtk_text_buffer_get_char_count (buffer) + 1));
  to = from;
  gtk_text_buffer_place_cursor (buffer, &from);
  if (ls_wish_below (3) == 0)
    {
      gtk_text_iter_forward_chars (&to, (int) ls_wish_below (30));
      gtk_text_buffer_delete_interactive (buffer, &from, &to, gtk_text_view_get_editable (GTK_TEXT_VIEW (view)));
    }
  else
    gtk_text_buffer_insert_interactive (buffer, &from, words[ls_wish_below (G_N_ELEMENTS (words))], -1, gtk_text_view_get_editable (GTK_TEXT_VIEW (view)));
}

void
ls_wish_fill_in (GtkWindow *window)
{
  static const char *const words[] = { "", "4", "T.grid", "[None, 4]", "zz", "漢" };
  GtkWidget *entry = any_widget (any_place (window), GTK_TYPE_EDITABLE);

  if (entry == NULL)
    return;
  ls_wish_note ("fill in %s", G_OBJECT_TYPE_NAME (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), words[ls_wish_below (G_N_ELEMENTS (words))]);
  if (ls_wish_below (2) == 0)
    gtk_widget_activate (entry);
}

/* ---- widgets --------------------------------------------------------------------------- */

/* What asks for a file, opens another program or ends this one is left out; so are windows of the toolkit itself. */
static gboolean
is_left_out (const char *action)
{
  static const char *const parts[] = { "open", "save", "export", "compare-file", "new-window", "quit", "measure", "try-results", "help", "about",
                                       "show-help-overlay", "close", "rank", "apply-trace", "lesson", "fullscreen", "roofline" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (action, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

void
ls_wish_press (GtkWindow *window)
{
  GtkWidget *button = any_widget (any_place (window), GTK_TYPE_BUTTON);
  const char *action = button != NULL ? gtk_actionable_get_action_name (GTK_ACTIONABLE (button)) : NULL;
  const char *label = button != NULL ? gtk_button_get_label (GTK_BUTTON (button)) : NULL;

  if (button == NULL || GTK_IS_LINK_BUTTON (button) || (action != NULL && is_left_out (action)) ||
      (label != NULL && g_str_has_suffix (label, "…")) || !gtk_widget_is_sensitive (button))
    return;
  ls_wish_note ("press %s %s in %s", action != NULL ? action : "-", label != NULL ? label : "-", G_OBJECT_TYPE_NAME (gtk_widget_get_parent (button)));
  g_signal_emit_by_name (button, "clicked");
}

void
ls_wish_focus (GtkWindow *window)
{
  window = any_place (window);
  ls_wish_note ("focus");
  if (ls_wish_below (3) == 0)
    gtk_widget_child_focus (GTK_WIDGET (window), (GtkDirectionType) ls_wish_below (6));
  else
    {
      GtkWidget *widget = any_widget (window, GTK_TYPE_WIDGET);

      if (widget != NULL)
        gtk_widget_grab_focus (widget);
    }
}

void
ls_wish_scroll (GtkWindow *window)
{
  GtkWidget *scrolled = any_widget (any_place (window), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *at;

  if (scrolled == NULL)
    return;
  at = ls_wish_below (4) == 0 ? gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled))
                      : gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  ls_wish_note ("scroll");
  gtk_adjustment_set_value (at, ls_wish_below (101) / 100.0 * (gtk_adjustment_get_upper (at) - gtk_adjustment_get_page_size (at)));
}

/* Not beyond the screen: GDK 4.8 finds no monitor for a popover that is wholly outside (gdk_monitor_get_geometry). */
void
ls_wish_resize (GtkWindow *window)
{
  int width = 640 + (int) ls_wish_below (801), height = 480 + (int) ls_wish_below (421);

  window = any_place (window);
  ls_wish_note ("resize to %d x %d", width, height);
  gtk_window_set_default_size (window, width, height);
}

void
ls_wish_change_look (GtkWindow *window)
{
  static const int sizes[] = { 100, 125, 150, 200 };

  ls_wish_note ("another look");
  if (ls_wish_below (2) == 0)
    ls_theme_set_scheme (ls_wish_below (2) == 0 ? LS_SCHEME_DARK : LS_SCHEME_LIGHT);
  else
    ls_theme_set_text_size (sizes[ls_wish_below (G_N_ELEMENTS (sizes))]);
}

void
ls_wish_show_page (GtkWindow *window)
{
  static const char *const pages[] = { "explore", "compare", "graph", "why", "tune" };
  const char *page = pages[ls_wish_below (G_N_ELEMENTS (pages))];

  ls_wish_note ("page %s", page);
  ls_window_show_page (LS_WINDOW (window), page);
}

void
ls_wish_act (GtkWindow *window)
{
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (window));
  const char *name = names[ls_wish_below (g_strv_length (names))];
  const GVariantType *type_of = g_action_group_get_action_parameter_type (G_ACTION_GROUP (window), name);
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), name);

  if (is_left_out (name) || !g_action_group_get_action_enabled (G_ACTION_GROUP (window), name))
    return;
  ls_wish_note ("act %s", name);
  if (state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_BOOLEAN))
    g_action_group_change_action_state (G_ACTION_GROUP (window), name, g_variant_new_boolean (!g_variant_get_boolean (state)));
  else if (type_of == NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), name, NULL);
  else if (g_variant_type_equal (type_of, G_VARIANT_TYPE_INT32))
    g_action_group_activate_action (G_ACTION_GROUP (window), name, g_variant_new_int32 ((int) ls_wish_below (10)));
}

/* One of the windows that explain something: they are many, and any other action is more likely. */
void
ls_wish_open_tool (GtkWindow *window)
{
  const LsTool *tool = ls_tool_get (ls_wish_below (ls_tool_get_n ()));
  const char *id = tool->id;

  /* What measures holds its session until the worker is through, which is no matter of a few seconds. */
  if (tool->waits || !g_action_group_get_action_enabled (G_ACTION_GROUP (window), id))
    return;
  ls_wish_note ("tool %s", id);
  g_action_group_activate_action (G_ACTION_GROUP (window), id, NULL);
}

/* A row of a list, as Enter or two clicks choose it. */
void
ls_wish_choose_row (GtkWindow *window)
{
  GtkWidget *list = any_widget (any_place (window), ls_wish_below (2) == 0 ? GTK_TYPE_LIST_VIEW : GTK_TYPE_COLUMN_VIEW);
  GtkSelectionModel *model;
  guint n;

  if (list == NULL)
    return;
  model = GTK_IS_LIST_VIEW (list) ? gtk_list_view_get_model (GTK_LIST_VIEW (list)) : gtk_column_view_get_model (GTK_COLUMN_VIEW (list));
  n = model != NULL ? g_list_model_get_n_items (G_LIST_MODEL (model)) : 0;
  if (n == 0)
    return;
  ls_wish_note ("choose a row of %u in %s", n, G_OBJECT_TYPE_NAME (gtk_widget_get_root (list)));
  gtk_selection_model_select_item (model, ls_wish_below (n), TRUE);
  if (ls_wish_below (2) == 0)
    gtk_widget_activate_action (list, "list.activate-item", "u", ls_wish_below (n));
}

/* The windows beside it go with it, or before. */
void
ls_wish_close_beside (GtkWindow *window)
{
  g_autoptr (GListModel) tops = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWindow) top = g_list_model_get_item (tops, i);

      if (!LS_IS_WINDOW (top) && ls_wish_below (2) == 0)
        {
          ls_wish_note ("close %s", G_OBJECT_TYPE_NAME (top));
          gtk_window_close (top);
          return;
        }
    }
}
