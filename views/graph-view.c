/* LsGraphView: see the header. */
#include "views/graph-view.h"

struct _LsGraphView
{
  GtkWidget  parent_instance;

  LsSession *session;
};

G_DEFINE_FINAL_TYPE (LsGraphView, ls_graph_view, GTK_TYPE_WIDGET)

static void
ls_graph_view_dispose (GObject *object)
{
  LsGraphView *self = LS_GRAPH_VIEW (object);

  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_graph_view_parent_class)->dispose (object);
}

static void
ls_graph_view_class_init (LsGraphViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_graph_view_dispose;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "graphview");
}

static void
ls_graph_view_init (LsGraphView *self)
{
}

void
ls_graph_view_set_session (LsGraphView *self,
                           LsSession   *session)
{
  g_set_object (&self->session, session);
}

void
ls_graph_view_set_narrow (LsGraphView *self,
                          gboolean     narrow)
{
}

void
ls_graph_view_start_search (LsGraphView *self)
{
}

void
ls_graph_view_search_next (LsGraphView *self)
{
}

void
ls_graph_view_focus_pane (LsGraphView *self,
                          guint        pane)
{
}

int
ls_graph_view_find_focus (LsGraphView *self,
                          GtkWidget   *focus)
{
  return -1;
}
