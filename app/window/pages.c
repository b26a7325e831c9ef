/* window/pages: Compare, Graph, Why and Tune, and what the actions ask of them.
 *
 * They are made when they are first shown or asked, or a while after somebody moved the pointer or pressed a key in the window: making
 * them costs a fifth of the time until the window stands, and a window that nobody looks into needs none.  Until then a box holds their
 * place in the stack.
 */
#include "app/base/frame-log.h"
#include "app/window/private.h"

#include "app/window/actions.h"
#include "views/explore/view.h"
#include "views/script/view.h"

#include <glib/gi18n.h>

#define PREPARE_MS 700

gboolean
ls_window_shows_page (LsWindow   *self,
                      const char *page)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->pages)), page) == 0;
}

/* ---- made when needed ------------------------------------------------------- */

static void
put (GtkWidget *place,
     GtkWidget *page)
{
  gtk_widget_set_hexpand (page, TRUE);
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (place), page);
}

LsCompareView *
ls_window_need_compare (LsWindow *self)
{
  if (self->compare == NULL)
    {
      self->compare = ls_compare_view_new ();
      put (self->compare_place, self->compare);
      ls_compare_view_set_session (LS_COMPARE_VIEW (self->compare), self->session);
      ls_compare_view_set_narrow (LS_COMPARE_VIEW (self->compare), self->narrow, self->cramped);
    }
  return LS_COMPARE_VIEW (self->compare);
}

static void
graph_laid_out (void)
{
  ls_frame_log_mark ("graph");
}

LsGraphView *
ls_window_need_graph (LsWindow *self)
{
  if (self->graph == NULL)
    {
      if (self->session != NULL && ls_session_get_graph (self->session) != NULL)
        g_signal_connect (ls_session_get_graph (self->session), "laid-out", G_CALLBACK (graph_laid_out), NULL);
      self->graph = g_object_new (LS_TYPE_GRAPH_VIEW, NULL);
      put (self->graph_place, self->graph);
      ls_graph_view_set_session (LS_GRAPH_VIEW (self->graph), self->session);
      ls_graph_view_set_narrow (LS_GRAPH_VIEW (self->graph), self->narrow, self->cramped);
    }
  return LS_GRAPH_VIEW (self->graph);
}

LsWhyView *
ls_window_need_why (LsWindow *self)
{
  if (self->why == NULL)
    {
      self->why = ls_why_view_new ();
      put (self->why_place, self->why);
      ls_why_view_set_session (LS_WHY_VIEW (self->why), self->session);
    }
  return LS_WHY_VIEW (self->why);
}

static void
need_tune (LsWindow *self)
{
  if (self->tune != NULL)
    return;
  self->tune = ls_tune_view_new ();
  put (self->tune_place, self->tune);
  ls_tune_view_set_session (LS_TUNE_VIEW (self->tune), self->session);
  ls_tune_view_set_narrow (LS_TUNE_VIEW (self->tune), self->narrow, self->cramped);
}

void
ls_window_need_page (LsWindow *self)
{
  if (self->session == NULL)
    return;
  if (ls_window_shows_page (self, "compare"))
    ls_window_need_compare (self);
  else if (ls_window_shows_page (self, "graph"))
    ls_window_need_graph (self);
  else if (ls_window_shows_page (self, "why"))
    ls_window_need_why (self);
  else if (ls_window_shows_page (self, "tune"))
    need_tune (self);
}

static gboolean
prepare (gpointer data)
{
  LsWindow *self = data;

  if (self->graph == NULL)
    {
      ls_window_need_graph (self);
      return G_SOURCE_CONTINUE;
    }
  self->prepare = 0;
  ls_window_need_compare (self);
  return G_SOURCE_REMOVE;
}

/* A window that opens under the pointer is told that it came in: that is no sign of a person. */
static gboolean
event_seen (LsWindow           *self,
            GdkEvent           *event,
            GtkEventController *watch)
{
  GdkEventType type = gdk_event_get_event_type (event);

  if (self->prepare != 0 || (type != GDK_MOTION_NOTIFY && type != GDK_BUTTON_PRESS && type != GDK_KEY_PRESS && type != GDK_TOUCH_BEGIN))
    return GDK_EVENT_PROPAGATE;
  self->prepare = g_timeout_add_full (G_PRIORITY_LOW, PREPARE_MS, prepare, self, NULL);
  gtk_event_controller_set_propagation_phase (watch, GTK_PHASE_NONE);
  return GDK_EVENT_PROPAGATE;
}

void
ls_window_prepare_pages (LsWindow *self)
{
  GtkEventController *watch = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (watch, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (watch, "event", G_CALLBACK (event_seen), self);
  gtk_widget_add_controller (GTK_WIDGET (self), watch);
}

void
ls_window_place_pages (LsWindow *self)
{
  if (self->graph != NULL)
    ls_graph_view_set_narrow (LS_GRAPH_VIEW (self->graph), self->narrow, self->cramped);
  if (self->compare != NULL)
    ls_compare_view_set_narrow (LS_COMPARE_VIEW (self->compare), self->narrow, self->cramped);
  if (self->tune != NULL)
    ls_tune_view_set_narrow (LS_TUNE_VIEW (self->tune), self->narrow, self->cramped);
}

/* ---- what the actions ask --------------------------------------------------- */

void
ls_window_cycle_graph (LsWindow *self,
                       int       direction)
{
  int pane = ls_graph_view_find_focus (ls_window_need_graph (self), gtk_root_get_focus (GTK_ROOT (self)));

  for (int i = 0; i < LS_GRAPH_N_PANES; i++)
    {
      pane = (MAX (pane, direction > 0 ? -1 : 0) + direction + LS_GRAPH_N_PANES) % LS_GRAPH_N_PANES;
      ls_graph_view_focus_pane (ls_window_need_graph (self), (guint) pane);
      if (ls_graph_view_find_focus (ls_window_need_graph (self), gtk_root_get_focus (GTK_ROOT (self))) == pane)
        return;
    }
}

void
ls_window_search (LsWindow *self,
                  gboolean  next)
{
  LsScriptView *script = ls_explore_view_get_script (LS_EXPLORE_VIEW (self->explore));

  if (ls_window_shows_page (self, "graph") && next)
    ls_graph_view_search_next (ls_window_need_graph (self));
  else if (ls_window_shows_page (self, "graph"))
    ls_graph_view_start_search (ls_window_need_graph (self));
  else if (next)
    ls_script_view_search_next (script);
  else
    ls_script_view_start_search (script);
}

void
ls_window_compare (LsWindow *self,
                   guint     left,
                   guint     right)
{
  ls_compare_view_show (ls_window_need_compare (self), left, right);
  ls_window_show_page (self, "compare");
}

void
ls_window_get_compared (LsWindow *self,
                        guint    *left,
                        guint    *right)
{
  ls_compare_view_get_shown (ls_window_need_compare (self), left, right);
}

void
ls_window_go_to_change (LsWindow *self,
                        int       direction)
{
  if (ls_window_shows_page (self, "compare"))
    ls_compare_view_go_to_change (ls_window_need_compare (self), direction);
  else if (ls_window_shows_page (self, "explore"))
    ls_script_view_go_to_finding (ls_explore_view_get_script (LS_EXPLORE_VIEW (self->explore)), direction);
}

void
ls_window_toggle_column (LsWindow *self)
{
  if (ls_window_shows_page (self, "compare"))
    ls_compare_view_toggle_column (ls_window_need_compare (self));
}

gboolean
ls_window_play (LsWindow *self,
                int       direction)
{
  if (!ls_window_shows_page (self, "compare"))
    return FALSE;
  if (direction == 0)
    ls_compare_view_play (ls_window_need_compare (self));
  else
    ls_compare_view_step (ls_window_need_compare (self), direction);
  return TRUE;
}

void
ls_window_write_compared (LsWindow            *self,
                          const char          *path,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  ls_compare_view_write_async (ls_window_need_compare (self), path, callback, data);
}

static void
file_added (GObject      *view,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (LsWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (!ls_compare_view_add_file_finish (LS_COMPARE_VIEW (view), result, &error) && self->session != NULL)
    ls_window_say (self, _("Not compared"), error->message);
}

void
ls_window_compare_file (LsWindow *self,
                        GFile    *file)
{
  ls_window_show_page (self, "compare");
  ls_compare_view_add_file (ls_window_need_compare (self), file, file_added, g_object_ref (self));
}
