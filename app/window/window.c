/* LsWindow: what its parts are and how they follow the session; places of the panes are in panes.c, the pages beside Explore in pages.c. */
#include "app/window/private.h"

#include "app/base/frame-log.h"
#include "app/base/settings.h"
#include "app/session/engine.h"
#include "app/tool/tool.h"
#include "app/window/actions.h"
#include "app/window/fast-math.h"
#include "app/window/file.h"
#include "app/window/open.h"
#include "app/window/target.h"
#include "views/explore/view.h"
#include "views/history/view.h"
#include "views/moves/view.h"
#include "views/parts/popover.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>

#define MIN_WIDTH 800
#define MIN_HEIGHT 560

G_DEFINE_FINAL_TYPE (LsWindow, ls_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- what the actions ask ----------------------------------------------- */

void
ls_window_show_history (LsWindow *self,
                        gboolean  show)
{
  self->edit_floated = FALSE;
  if (ls_window_history_floats (self))
    self->history_floated = show;
  else
    self->history_docked = show;
  ls_window_panes_show (self);
  if (show && ls_window_history_floats (self))
    gtk_widget_child_focus (self->history, GTK_DIR_TAB_FORWARD);
}

void
ls_window_show_moves (LsWindow *self,
                      gboolean  show)
{
  if (ls_window_moves_float (self))
    self->moves_floated = show;
  else
    self->moves_docked = show;
  ls_window_panes_show (self);
}

void
ls_window_focus_moves (LsWindow *self)
{
  ls_window_show_moves (self, TRUE);
  ls_moves_view_focus (LS_MOVES_VIEW (self->moves));
}

LsMoveItem *
ls_window_get_move (LsWindow *self)
{
  return ls_moves_view_get_chosen (LS_MOVES_VIEW (self->moves));
}

gboolean
ls_window_close_overlay (LsWindow *self)
{
  gboolean left = ls_window_history_floats (self) && self->history_floated;
  gboolean right = ls_window_moves_float (self) && self->moves_floated;

  if (left)
    ls_window_show_history (self, FALSE);
  if (right)
    ls_window_show_moves (self, FALSE);
  if (left || right)
    ls_explore_view_focus_pane (LS_EXPLORE_VIEW (self->explore), 1);
  return left || right;
}

const char *
ls_window_get_page (LsWindow *self)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (self->pages));
}

void
ls_window_show_page (LsWindow   *self,
                     const char *page)
{
  if (gtk_stack_get_child_by_name (GTK_STACK (self->pages), page) != NULL)
    gtk_stack_set_visible_child_name (GTK_STACK (self->pages), page);
}

/* Order of F6: history, the panes of the page, moves. */
static int
focused_pane (LsWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  int pane = ls_explore_view_find_focus (LS_EXPLORE_VIEW (self->explore), focus);

  if (focus != NULL && gtk_widget_is_ancestor (focus, self->history))
    return 0;
  if (focus != NULL && gtk_widget_is_ancestor (focus, self->moves))
    return LS_EXPLORE_N_PANES + 1;
  return pane >= 0 ? pane + 1 : -1;
}

static gboolean
focus_pane (LsWindow *self,
            int       pane)
{
  if (pane == 0)
    return gtk_widget_get_mapped (self->history) &&
           gtk_widget_child_focus (self->history, GTK_DIR_TAB_FORWARD);
  if (pane == LS_EXPLORE_N_PANES + 1)
    {
      if (!gtk_widget_get_mapped (self->moves))
        return FALSE;
      ls_moves_view_focus (LS_MOVES_VIEW (self->moves));
      return TRUE;
    }
  ls_explore_view_focus_pane (LS_EXPLORE_VIEW (self->explore), (guint) pane - 1);
  return focused_pane (self) == pane;
}

/* History, the page, moves. */
static void
cycle_why (LsWindow *self,
           int       direction)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self)), *panes[] = { self->history, self->why_place, self->moves };
  int pane = direction > 0 ? -1 : 0;

  for (int i = 0; i < 3; i++)
    if (focus != NULL && gtk_widget_is_ancestor (focus, panes[i]))
      pane = i;
  for (int i = 0; i < 3; i++)
    {
      pane = (pane + direction + 3) % 3;
      if (gtk_widget_get_mapped (panes[pane]) && gtk_widget_child_focus (panes[pane], GTK_DIR_TAB_FORWARD))
        return;
    }
}

void
ls_window_cycle_panes (LsWindow *self,
                       int       direction)
{
  int n = LS_EXPLORE_N_PANES + 2;
  int pane = focused_pane (self);

  if (ls_window_shows_page (self, "graph"))
    {
      ls_window_cycle_graph (self, direction);
      return;
    }
  if (ls_window_shows_page (self, "why"))
    {
      cycle_why (self, direction);
      return;
    }
  for (int i = 0; i < n; i++)
    {
      pane = (pane + direction + n) % n;
      if (focus_pane (self, pane))
        return;
    }
}

void
ls_window_toggle_edit (LsWindow *self)
{
  ls_window_show_page (self, "explore");
  ls_script_view_toggle_edit (ls_explore_view_get_script (LS_EXPLORE_VIEW (self->explore)));
}

void
ls_window_go_to_source (LsWindow *self)
{
  g_autofree char *reason = NULL;

  ls_window_show_page (self, "explore");
  reason = ls_script_view_go_to_source (ls_explore_view_get_script (LS_EXPLORE_VIEW (self->explore)));
  if (reason != NULL)
    ls_window_say (self, _("No line to go to"), reason);
}

void
ls_window_toggle_diff (LsWindow *self)
{
  ls_script_view_toggle_diff (ls_explore_view_get_script (LS_EXPLORE_VIEW (self->explore)));
}

void
ls_window_unfold_move (LsWindow *self,
                       guint     position)
{
  ls_moves_view_unfold (LS_MOVES_VIEW (self->moves), position);
}

/* ---- following the session ---------------------------------------------- */

/* A model is looked at as a graph first, a schedule as loops. */
static void
graph_opened (LsWindow *self,
              gboolean  first)
{
  ls_window_show_page (self, first ? "graph" : "explore");
}

static void
follow_session (LsWindow *self)
{
  LsGraphModel *graph = ls_session_get_graph (self->session);

  ls_history_view_set_session (LS_HISTORY_VIEW (self->history), self->session);
  ls_explore_view_set_session (LS_EXPLORE_VIEW (self->explore), self->session);
  ls_moves_view_set_session (LS_MOVES_VIEW (self->moves), self->session);
  if (graph != NULL)
    g_signal_connect_object (graph, "opened", G_CALLBACK (graph_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->session, "notify::title", G_CALLBACK (ls_window_header_update), self);
  g_signal_connect_swapped (self->session, "notify::current",
                            G_CALLBACK (ls_window_update_actions), self);
  g_signal_connect_swapped (self->session, "pins-changed", G_CALLBACK (ls_window_update_actions), self);
  g_signal_connect_swapped (self->session, "notify::running",
                            G_CALLBACK (ls_window_update_actions), self);
  g_signal_connect_swapped (self->session, "notify::state",
                            G_CALLBACK (ls_window_update_actions), self);
  /* a move may be refused now, or no more */
  if (LS_IS_ENGINE_SESSION (self->session))
    {
      g_signal_connect_object (ls_settings_get (), "changed::strict-moves", G_CALLBACK (ls_engine_session_ask_moves), self->session, G_CONNECT_SWAPPED);
      ls_window_watch_target (self, LS_ENGINE_SESSION (self->session));
      g_signal_connect_swapped (self->session, "target-changed", G_CALLBACK (ls_window_update_actions), self);
    }
  ls_window_header_update (self);
  ls_window_update_actions (self);
}

/* The first takes the place of what is there, where nothing is lost by that; each of the others has a window of its own. */
static gboolean
dropped (LsWindow      *self,
         const GValue  *value,
         double         x,
         double         y,
         GtkDropTarget *target)
{
  GSList *files = g_value_get_boxed (value);

  if (files == NULL)
    return FALSE;
  ls_window_file_open (self, files->data);
  for (GSList *at = files->next; at != NULL; at = at->next)
    ls_window_file_open_beside (self, at->data);
  return TRUE;
}

static void
edit_ended (LsWindow *self)
{
  if (!self->edit_floated || !ls_window_history_floats (self))
    return;
  ls_window_show_history (self, FALSE);
  ls_explore_view_focus_pane (LS_EXPLORE_VIEW (self->explore), 1);
}

void
ls_window_edit_step (LsWindow *self)
{
  gboolean floated = self->edit_floated || (ls_window_history_floats (self) && !self->history_floated);

  ls_window_show_history (self, TRUE);
  self->edit_floated = floated;
  ls_history_view_edit_step (LS_HISTORY_VIEW (self->history));
}

/* ---- class -------------------------------------------------------------- */

static void
ls_window_size_allocate (GtkWidget *widget,
                         int        width,
                         int        height,
                         int        baseline)
{
  ls_window_panes_allocate (LS_WINDOW (widget), width, height);
  GTK_WIDGET_CLASS (ls_window_parent_class)->size_allocate (widget, width, height, baseline);
}

/* Some of them hold views, and whoever follows a window's actions holds those. */
static void
remove_actions (LsWindow *self)
{
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (self));

  for (guint i = 0; names[i] != NULL; i++)
    g_action_map_remove_action (G_ACTION_MAP (self), names[i]);
}

/* (transfer full) of widgets. */
static GPtrArray *
views_of (LsWindow *self)
{
  GtkWidget *views[] = { self->history, self->moves, self->explore, self->compare, self->graph, self->why, self->tune };
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (views[i] != NULL)
      g_ptr_array_add (list, g_object_ref (views[i]));
  return list;
}

/* By what holds it, where that would keep a pointer to what is no more. */
static void
take_out (GtkWidget *view)
{
  GtkWidget *parent = gtk_widget_get_parent (view);

  if (GTK_IS_REVEALER (parent))
    gtk_revealer_set_child (GTK_REVEALER (parent), NULL);
  else if (GTK_IS_STACK (parent))
    gtk_stack_remove (GTK_STACK (parent), view);
  else if (parent != NULL)
    gtk_widget_unparent (view);
}

/* GTK 4.8 now and then keeps a page of a stack whose window has gone: what the views hold goes in any case, once they stand nowhere. */
static void
ls_window_dispose (GObject *object)
{
  LsWindow *self = LS_WINDOW (object);
  g_autoptr (GPtrArray) views = self->session != NULL ? views_of (self) : NULL;

  remove_actions (self);
  /* Pages that go are no news for who goes too. */
  if (self->pages != NULL)
    g_signal_handlers_disconnect_by_data (self->pages, self);
  ls_window_header_forget (self);
  g_clear_handle_id (&self->prepare, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  ls_window_forget_fast_math (self);
  ls_window_open_forget (self);
  ls_window_say_nothing_more (self);
  g_clear_object (&self->autosave);
  /* What is under way would hold it until all is measured. */
  if (self->session != NULL)
    ls_session_cancel (self->session);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_window_parent_class)->dispose (object);
  for (guint i = 0; views != NULL && i < views->len; i++)
    {
      GtkWidget *view = g_ptr_array_index (views, i);

      take_out (view);
      g_object_run_dispose (G_OBJECT (view));
    }
}

static gboolean
ls_window_close_request (GtkWindow *window)
{
  ls_window_state_keep (LS_WINDOW (window));
  if (!ls_window_file_close (LS_WINDOW (window)))
    return TRUE;
  return GTK_WINDOW_CLASS (ls_window_parent_class)->close_request (window);
}

/* A new window begins in the loops, not at the first button of its title bar. */
static void
ls_window_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ls_window_parent_class)->map (widget);
  if (gtk_root_get_focus (GTK_ROOT (widget)) == NULL)
    ls_window_panes_focus (LS_WINDOW (widget));
}

static void
ls_window_class_init (LsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  GTK_WINDOW_CLASS (klass)->close_request = ls_window_close_request;
  G_OBJECT_CLASS (klass)->dispose = ls_window_dispose;
  widget_class->map = ls_window_map;
  widget_class->size_allocate = ls_window_size_allocate;
  g_type_ensure (LS_TYPE_EXPLORE_VIEW);
  g_type_ensure (ADW_TYPE_TOAST_OVERLAY);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/app/window/window.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsWindow, name)
  BIND (header);
  BIND (menu_button);
  BIND (main_menu);
  BIND (unsaved);
  BIND (fast);
  BIND (history_button);
  BIND (moves_button);
  BIND (name);
  BIND (place);
  BIND (overlay);
  BIND (toasts);
  BIND (recent_menu);
  BIND (tool_menu);
  BIND (outer);
  BIND (inner);
  BIND (pages);
  BIND (explore);
  BIND (compare_place);
  BIND (graph_place);
  BIND (why_place);
  BIND (tune_place);
  BIND (left);
  BIND (right);
  BIND (left_place);
  BIND (right_place);
#undef BIND
}

static void
follow_dividers (gpointer overlay)
{
  gtk_widget_queue_allocate (overlay);
}

/* The panes lie over places of the dividers.  A divider also moves while it is given its size, when nobody may ask for another. */
static void
divider_moved (GtkWidget *overlay)
{
  ls_later (overlay, G_PRIORITY_HIGH_IDLE, 0, follow_dividers);
}

static void
fill_tool_menu (GMenu *menu)
{
  g_autoptr (GMenu) section = NULL;

  for (guint i = 0; i < ls_tool_get_n (); i++)
    {
      g_autofree char *action = g_strconcat ("win.", ls_tool_get (i)->id, NULL);

      if (section == NULL || ls_tool_begins_section (i))
        {
          g_clear_object (&section);
          section = g_menu_new ();
          g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
        }
      g_menu_append (section, _(ls_tool_get (i)->label), action);
    }
}

static void
ls_window_init (LsWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_widget_init_template (GTK_WIDGET (self));
  ls_window_state_restore (self);
  self->history = ls_history_view_new ();
  g_signal_connect_swapped (self->history, "edit-ended", G_CALLBACK (edit_ended), self);
  self->moves = ls_moves_view_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->left), self->history);
  gtk_revealer_set_child (GTK_REVEALER (self->right), self->moves);
  g_signal_connect_swapped (self->overlay, "get-child-position", G_CALLBACK (ls_window_panes_position), self);
  g_signal_connect_object (self->outer, "notify::position", G_CALLBACK (divider_moved), self->overlay, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->inner, "notify::position", G_CALLBACK (divider_moved), self->overlay, G_CONNECT_SWAPPED);
  gtk_widget_set_size_request (GTK_WIDGET (self), MIN_WIDTH, MIN_HEIGHT);
  g_signal_connect_swapped (self->pages, "notify::visible-child", G_CALLBACK (ls_window_need_page), self);
  g_signal_connect_swapped (self->pages, "notify::visible-child", G_CALLBACK (ls_window_panes_page_shown), self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (ls_window_file_fill_menu),
                           self->recent_menu, G_CONNECT_SWAPPED);
  ls_window_file_fill_menu (self->recent_menu);
  fill_tool_menu (self->tool_menu);
  ls_popover_set_menu (GTK_MENU_BUTTON (self->menu_button), self->main_menu);
  ls_window_header_init (self);
  ls_window_add_actions (self);
  ls_explore_view_add_actions (LS_EXPLORE_VIEW (self->explore), G_ACTION_MAP (self));
  ls_explore_view_bind_switches (LS_EXPLORE_VIEW (self->explore), ls_settings_get ());
  g_signal_connect_swapped (drop, "drop", G_CALLBACK (dropped), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
}

GtkWidget *
ls_window_new (GtkApplication *application,
               LsSession      *session)
{
  LsWindow *self = g_object_new (LS_TYPE_WINDOW, "application", application, NULL);

  self->session = g_object_ref (session);
  if (LS_IS_ENGINE_SESSION (session))
    ls_engine_session_show_later (LS_ENGINE_SESSION (session));
  ls_frame_log_follow (GTK_WINDOW (self));
  ls_window_panes_place_first (self);
  follow_session (self);
  ls_window_file_attach (self);
  g_signal_connect_object (self->autosave, "notify::unsaved", G_CALLBACK (ls_window_header_update), self, G_CONNECT_SWAPPED);
  ls_window_prepare_pages (self);
  return GTK_WIDGET (self);
}

LsSession *
ls_window_get_session (LsWindow *self)
{
  return self->session;
}
