/* LsExploreView: shares the height among its panes.
 *
 * The loop nest is as high as its rows, at most 45 %; the time list has all its
 * rows up to eight; the text takes the rest.  A divider that the user has moved
 * stays where it is.
 */
#include "views/explore/view.h"

#include "views/history/step-bar.h"
#include "views/loops/view.h"
#include "views/time/view.h"
#include "views/parts/theme.h"
#include "views/parts/later.h"

struct _LsExploreView
{
  GtkWidget  parent_instance;

  LsSession *session;
  int        set_position;      /* last position we gave the upper divider */
  gboolean   moved;             /* by the user */
  gboolean   time_folded;       /* by size */

  GtkWidget *box;
  GtkWidget *steps;
  GtkWidget *upper;
  GtkWidget *lower;
  GtkWidget *loops;
  GtkWidget *script;
  GtkWidget *times;
};

G_DEFINE_FINAL_TYPE (LsExploreView, ls_explore_view, GTK_TYPE_WIDGET)

#define HEADERS 62              /* pane header and column header of the loop nest */
#define LEAST_ROWS (4 * 28)

static void
share_height (gpointer data)
{
  LsExploreView *self = data;
  int position = gtk_paned_get_position (GTK_PANED (self->upper));
  int height = gtk_widget_get_height (self->upper);
  gboolean rounds = FALSE;
  int wanted;

  if (height <= 0)
    return;
  if (self->set_position > 0 && ABS (position - self->set_position) > 2 &&
      position < height - ls_theme_grow (HEADERS))
    self->moved = TRUE;
  if (self->moved)
    return;
  g_object_get (self->loops, "rounds", &rounds, NULL);
  wanted = ls_loop_view_fit_height (LS_LOOP_VIEW (self->loops), height * (rounds ? 58 : 45) / 100);
  if (wanted == 0)
    wanted = MIN (ls_theme_grow (HEADERS + LEAST_ROWS), height * 45 / 100);
  self->set_position = wanted;
  if (wanted != position)
    gtk_paned_set_position (GTK_PANED (self->upper), wanted);
}

static void
queue_share (LsExploreView *self)
{
  ls_later (self, G_PRIORITY_HIGH_IDLE, 0, share_height);
}

/* As what is in it: else GTK asks that for a height without saying how wide it is, and gives it less than it needs. */
static GtkSizeRequestMode
ls_explore_view_get_request_mode (GtkWidget *widget)
{
  return gtk_widget_get_request_mode (LS_EXPLORE_VIEW (widget)->box);
}

static void
ls_explore_view_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  LsExploreView *self = LS_EXPLORE_VIEW (widget);

  gtk_widget_allocate (self->box, width, height, baseline, NULL);
  queue_share (self);
}

/* Smaller than the content's minimum is allowed: dividers let panes shrink. */
static void
ls_explore_view_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  gtk_widget_measure (LS_EXPLORE_VIEW (widget)->box, orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
ls_explore_view_dispose (GObject *object)
{
  LsExploreView *self = LS_EXPLORE_VIEW (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_explore_view_parent_class)->dispose (object);
}

static void
ls_explore_view_class_init (LsExploreViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_explore_view_dispose;
  widget_class->measure = ls_explore_view_measure;
  widget_class->get_request_mode = ls_explore_view_get_request_mode;
  widget_class->size_allocate = ls_explore_view_size_allocate;
  g_type_ensure (LS_TYPE_STEP_BAR);
  g_type_ensure (LS_TYPE_LOOP_VIEW);
  g_type_ensure (LS_TYPE_SCRIPT_VIEW);
  g_type_ensure (LS_TYPE_TIME_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/loopscope/views/explore/view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsExploreView, name)
  BIND (box);
  BIND (steps);
  BIND (upper);
  BIND (lower);
  BIND (loops);
  BIND (script);
  BIND (times);
#undef BIND
  gtk_widget_class_set_css_name (widget_class, "exploreview");
}

static void
ls_explore_view_init (LsExploreView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
ls_explore_view_new (void)
{
  return g_object_new (LS_TYPE_EXPLORE_VIEW, NULL);
}

void
ls_explore_view_set_session (LsExploreView *self,
                             LsSession     *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  ls_step_bar_set_session (LS_STEP_BAR (self->steps), session);
  ls_loop_view_set_session (LS_LOOP_VIEW (self->loops), session);
  ls_script_view_set_session (LS_SCRIPT_VIEW (self->script), session);
  ls_time_view_set_session (LS_TIME_VIEW (self->times), session);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (queue_share), self);
  g_signal_connect_swapped (self->loops, "notify::rounds", G_CALLBACK (queue_share), self);
}

void
ls_explore_view_add_actions (LsExploreView *self,
                             GActionMap    *map)
{
  const struct { const char *name; GtkWidget *owner; } props[] = {
    { "waterfall", self->times }, { "roofline", self->times },
  };

  for (guint i = 0; i < G_N_ELEMENTS (props); i++)
    {
      g_autoptr (GPropertyAction) action = g_property_action_new (props[i].name, props[i].owner, props[i].name);

      g_action_map_add_action (map, G_ACTION (action));
    }
}

void
ls_explore_view_bind_switches (LsExploreView *self,
                               GSettings     *settings)
{
  g_settings_bind (settings, "arrows", self->loops, "arrows", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "rounds", self->loops, "rounds", G_SETTINGS_BIND_DEFAULT);
}

LsScriptView *
ls_explore_view_get_script (LsExploreView *self)
{
  return LS_SCRIPT_VIEW (self->script);
}

void
ls_explore_view_set_size (LsExploreView *self,
                          gboolean       narrow,
                          gboolean       tight,
                          gboolean       time_folded,
                          gboolean       flat)
{
  ls_loop_view_set_narrow (LS_LOOP_VIEW (self->loops), narrow || tight);
  ls_step_bar_set_narrow (LS_STEP_BAR (self->steps), narrow || tight);
  ls_script_view_set_narrow (LS_SCRIPT_VIEW (self->script), narrow);
  ls_step_bar_set_captions (LS_STEP_BAR (self->steps), !flat);
  ls_time_view_set_low (LS_TIME_VIEW (self->times), flat);
  /* Only a change of size folds or unfolds; in between it is the user's. */
  if (self->time_folded != time_folded)
    {
      self->time_folded = time_folded;
      gtk_paned_set_position (GTK_PANED (self->lower), -1);
      ls_time_view_set_folded (LS_TIME_VIEW (self->times), time_folded);
    }
}

void
ls_explore_view_focus_pane (LsExploreView *self,
                            guint          pane)
{
  GtkWidget *panes[LS_EXPLORE_N_PANES] = { self->steps, self->loops, self->script, self->times };

  if (pane == 1 && ls_loop_view_focus (LS_LOOP_VIEW (self->loops)))
    return;
  if (pane == 2)
    ls_script_view_focus (LS_SCRIPT_VIEW (self->script));
  else if (pane < LS_EXPLORE_N_PANES)
    gtk_widget_child_focus (panes[pane], GTK_DIR_TAB_FORWARD);
}

int
ls_explore_view_find_focus (LsExploreView *self,
                            GtkWidget     *focus)
{
  GtkWidget *panes[LS_EXPLORE_N_PANES] = { self->steps, self->loops, self->script, self->times };

  for (int i = 0; focus != NULL && i < LS_EXPLORE_N_PANES; i++)
    if (focus == panes[i] || gtk_widget_is_ancestor (focus, panes[i]))
      return i;

  return -1;
}
