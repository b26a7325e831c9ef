/* LoopscopeView: a frame for one view of a workbench.
 *
 * The first view of a process registers the resources, the language and the style sheets.  The views of the window are
 * put in as they are; what they offer as actions of the window is out of reach here.
 */
#include <loopscope/loopscope.h>

#include "app/base/language.h"
#include "app/library/workbench-private.h"
#include "app/rpc/rpc.h"
#include "views/explore/view.h"
#include "views/graph/view.h"
#include "views/history/view.h"
#include "views/loops/view.h"
#include "views/moves/view.h"
#include "views/parts/theme.h"
#include "views/script/view.h"
#include "views/time/view.h"

struct _LoopscopeView
{
  GtkWidget parent_instance;

  LoopscopeWorkbench *workbench;
  LoopscopeViewKind   kind;
  GtkWidget          *child;
};

enum {
  PROP_WORKBENCH = 1,
  PROP_KIND,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (LoopscopeView, loopscope_view, GTK_TYPE_WIDGET)

static GtkWidget *
make_child (LoopscopeViewKind kind,
            LsSession        *session)
{
  GtkWidget *view = NULL;

  switch (kind)
    {
    case LOOPSCOPE_VIEW_HISTORY:
      view = ls_history_view_new ();
      ls_history_view_set_session (LS_HISTORY_VIEW (view), session);
      break;
    case LOOPSCOPE_VIEW_LOOPS:
      view = ls_loop_view_new ();
      ls_loop_view_set_session (LS_LOOP_VIEW (view), session);
      break;
    case LOOPSCOPE_VIEW_SCRIPT:
      view = ls_script_view_new ();
      ls_script_view_set_session (LS_SCRIPT_VIEW (view), session);
      break;
    case LOOPSCOPE_VIEW_MOVES:
      view = ls_moves_view_new ();
      ls_moves_view_set_session (LS_MOVES_VIEW (view), session);
      break;
    case LOOPSCOPE_VIEW_TIME:
      view = ls_time_view_new ();
      ls_time_view_set_session (LS_TIME_VIEW (view), session);
      break;
    case LOOPSCOPE_VIEW_GRAPH:
      view = g_object_new (LS_TYPE_GRAPH_VIEW, NULL);
      ls_graph_view_set_session (LS_GRAPH_VIEW (view), session);
      break;
    case LOOPSCOPE_VIEW_EXPLORE:
      view = ls_explore_view_new ();
      ls_explore_view_set_session (LS_EXPLORE_VIEW (view), session);
      break;
    }
  return view;
}

static void
loopscope_view_constructed (GObject *object)
{
  LoopscopeView *self = LOOPSCOPE_VIEW (object);

  G_OBJECT_CLASS (loopscope_view_parent_class)->constructed (object);
  if (self->workbench == NULL)
    self->workbench = loopscope_workbench_new ();
  ls_theme_install (gtk_widget_get_display (GTK_WIDGET (self)));
  self->child = make_child (self->kind, ls_library_peek_session (self->workbench));
  gtk_widget_set_parent (self->child, GTK_WIDGET (self));
}

static void
loopscope_view_get_property (GObject    *object,
                             guint       id,
                             GValue     *value,
                             GParamSpec *pspec)
{
  LoopscopeView *self = LOOPSCOPE_VIEW (object);

  switch (id)
    {
    case PROP_WORKBENCH:
      g_value_set_object (value, self->workbench);
      break;
    case PROP_KIND:
      g_value_set_enum (value, self->kind);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
loopscope_view_set_property (GObject      *object,
                             guint         id,
                             const GValue *value,
                             GParamSpec   *pspec)
{
  LoopscopeView *self = LOOPSCOPE_VIEW (object);

  switch (id)
    {
    case PROP_WORKBENCH:
      self->workbench = g_value_dup_object (value);
      break;
    case PROP_KIND:
      self->kind = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
loopscope_view_dispose (GObject *object)
{
  LoopscopeView *self = LOOPSCOPE_VIEW (object);

  g_clear_pointer (&self->child, gtk_widget_unparent);
  g_clear_object (&self->workbench);
  G_OBJECT_CLASS (loopscope_view_parent_class)->dispose (object);
}

static void
loopscope_view_class_init (LoopscopeViewClass *klass)
{
  g_autoptr (GBytes) catalogue = NULL;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = loopscope_view_constructed;
  object_class->get_property = loopscope_view_get_property;
  object_class->set_property = loopscope_view_set_property;
  object_class->dispose = loopscope_view_dispose;

  /**
   * LoopscopeView:workbench: (getter get_workbench)
   *
   * What it shows; without one a view has an empty workbench of its own.
   */
  props[PROP_WORKBENCH] = g_param_spec_object ("workbench", NULL, NULL, LOOPSCOPE_TYPE_WORKBENCH, flags);
  /**
   * LoopscopeView:kind: (getter get_kind)
   *
   * Which view it is.
   */
  props[PROP_KIND] = g_param_spec_enum ("kind", NULL, NULL, LOOPSCOPE_TYPE_VIEW_KIND, LOOPSCOPE_VIEW_LOOPS, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /* The style sheet speaks of window.loopscope: inside of other windows the view is what it means. */
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "window");
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  ls_language_bind ();
  catalogue = ls_language_catalogue ();
  ls_worker_set_catalogue (catalogue);
  ls_views_init ();
}

static void
loopscope_view_init (LoopscopeView *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "loopscope");
}

GtkWidget *
loopscope_view_new (LoopscopeWorkbench *workbench,
                    LoopscopeViewKind   kind)
{
  g_return_val_if_fail (LOOPSCOPE_IS_WORKBENCH (workbench), NULL);
  return g_object_new (LOOPSCOPE_TYPE_VIEW, "workbench", workbench, "kind", kind, NULL);
}

LoopscopeWorkbench *
loopscope_view_get_workbench (LoopscopeView *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_VIEW (self), NULL);
  return self->workbench;
}

LoopscopeViewKind
loopscope_view_get_kind (LoopscopeView *self)
{
  g_return_val_if_fail (LOOPSCOPE_IS_VIEW (self), LOOPSCOPE_VIEW_LOOPS);
  return self->kind;
}
