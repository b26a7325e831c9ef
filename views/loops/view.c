/* LsLoopView: a GtkColumnView over a GtkTreeListModel of LsLoopItems, with what stands round it: titles, legend, dependences. */
#include "views/loops/private.h"

#include "views/loops/arrows.h"
#include "views/loops/cell.h"
#include "views/loops/dependence-bar.h"
#include "views/parts/list-row.h"
#include "views/parts/mark.h"
#include "views/parts/pin-menu.h"
#include "views/parts/popover.h"
#include "views/parts/scroller.h"
#include "views/parts/status.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>
#include <string.h>

#define ROW_HEIGHT 28

G_DEFINE_FINAL_TYPE (LsLoopView, ls_loop_view, GTK_TYPE_WIDGET)

static void
ls_loop_view_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_loop_view_parent_class)->css_changed (widget, change);
  if (LS_LOOP_VIEW (widget)->share != NULL)
    ls_loop_view_fit_columns (LS_LOOP_VIEW (widget));
}

/* ---- following the session ---------------------------------------------- */

static void
sync_hover (LsLoopView *self)
{
  for (guint i = 0; i < self->cells->len; i++)
    ls_loop_cell_set_kin (g_ptr_array_index (self->cells, i),
                          ls_session_get_hover (self->session));
}

static void
sync_stand (LsLoopView *self)
{
  guint64 id = ls_session_get_stand_row (self->session);

  for (guint i = 0; i < self->cells->len; i++)
    {
      LsLoopItem *item = ls_loop_cell_get_item (g_ptr_array_index (self->cells, i));

      ls_loop_cell_set_stands (g_ptr_array_index (self->cells, i), item != NULL && id != 0 && ls_loop_item_get (item)->id == id);
    }
}

static void
update_titles (LsLoopView *self)
{
  ls_loop_view_name_share (self);
  gtk_label_set_label (GTK_LABEL (self->subtitle), ls_session_get_title (self->session));
}

static void
update_status (LsLoopView *self)
{
  const char *sentence = NULL;

  switch (ls_session_get_state (self->session))
    {
    case LS_SESSION_EMPTY:
      sentence = _("No module yet.");
      break;
    case LS_SESSION_READY:
      sentence = _("This module has no loops.");
      break;
    case LS_SESSION_BROKEN:
      sentence = _("The text has errors; they are listed below it.");
      break;
    }
  ls_status_set (LS_STATUS (self->status), sentence, NULL, NULL, NULL);
}

/* A legend that does not fit is left out as a whole. */
static void
legend_width_changed (LsLoopView    *self,
                      GtkAdjustment *width)
{
  gtk_widget_set_opacity (self->legend, gtk_adjustment_get_upper (width) >
                                        gtk_adjustment_get_page_size (width) + 1.0 ? 0.0 : 1.0);
}

static void
module_changed (LsLoopView *self)
{
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (self->scroller));
  double value = gtk_adjustment_get_value (scroll);
  gboolean empty = g_list_model_get_n_items (ls_session_get_loops (self->session)) == 0;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), empty ? "empty" : "list");
  update_status (self);
  ls_loop_view_renew_rows (self);
  update_titles (self);
  if (self->narrow)
    ls_loop_view_fit_columns (self);
  gtk_adjustment_set_value (scroll, value);
}

/* ---- actions ------------------------------------------------------------ */

static void
unfold_activated (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       data)
{
  ls_loop_view_expand_all (data, TRUE);
}

static void
fold_activated (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  ls_loop_view_expand_all (data, FALSE);
}

static void
add_actions (LsLoopView *self)
{
  static const GActionEntry entries[] = {
    { .name = "unfold", .activate = unfold_activated },
    { .name = "fold", .activate = fold_activated },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GPropertyAction) legend = g_property_action_new ("legend", self->legend, "visible");

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (legend));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "loops", G_ACTION_GROUP (group));
}

static void
add_legend (LsLoopView *self)
{
  static const LsLoopKind kinds[] = { LS_LOOP_PARALLEL, LS_LOOP_VECTORIZED, LS_LOOP_UNROLLED,
                                      LS_LOOP_BOUND };

  for (guint i = 0; i <= G_N_ELEMENTS (kinds); i++)
    {
      gboolean last = i == G_N_ELEMENTS (kinds);
      GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
      GtkWidget *mark = ls_mark_new ();
      GtkWidget *label = gtk_label_new (last ? _("reduction") : ls_loop_kind_word (kinds[i]));

      ls_mark_set_badge (LS_MARK (mark), last ? LS_BADGE_DOUBLE : ls_badge_for_kind (kinds[i]),
                         last ? "R" : ls_loop_kind_letter (kinds[i]));
      gtk_widget_add_css_class (label, "reason");
      gtk_box_append (GTK_BOX (pair), mark);
      gtk_box_append (GTK_BOX (pair), label);
      gtk_box_append (GTK_BOX (self->legend), pair);
    }
}

/* ---- dependences -------------------------------------------------------- */

enum { PROP_0, PROP_ARROWS, PROP_ROUNDS, N_PROPS };
static GParamSpec *props[N_PROPS];

static void
show_dependences (LsLoopView *self)
{
  ls_dependence_bar_set (LS_DEPENDENCE_BAR (self->bar), ls_loop_arrows_get (LS_LOOP_ARROWS (self->arrows)), self->rounds);
}

static gboolean
has_arrows (LsLoopView *self)
{
  return gtk_widget_has_css_class (self->view, "with-arrows");
}

/* Rounds are a part of the dependences: one without the other makes no sense. */
static void
set_arrows (LsLoopView *self,
            gboolean    arrows)
{
  if (arrows)
    gtk_widget_add_css_class (self->view, "with-arrows");
  else
    gtk_widget_remove_css_class (self->view, "with-arrows");
  ls_loop_arrows_set_on (LS_LOOP_ARROWS (self->arrows), arrows);
  if (!arrows && self->rounds)
    g_object_set (self, "rounds", FALSE, NULL);
}

static void
ls_loop_view_get_property (GObject    *object,
                           guint       id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  LsLoopView *self = LS_LOOP_VIEW (object);

  if (id == PROP_ARROWS)
    g_value_set_boolean (value, has_arrows (self));
  else if (id == PROP_ROUNDS)
    g_value_set_boolean (value, self->rounds);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ls_loop_view_set_property (GObject      *object,
                           guint         id,
                           const GValue *value,
                           GParamSpec   *pspec)
{
  LsLoopView *self = LS_LOOP_VIEW (object);

  if (id == PROP_ARROWS)
    set_arrows (self, g_value_get_boolean (value));
  else if (id == PROP_ROUNDS)
    {
      self->rounds = g_value_get_boolean (value);
      if (self->rounds && !has_arrows (self))
        g_object_set (self, "arrows", TRUE, NULL);
      show_dependences (self);
    }
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* ---- at a row: what can be pinned ---------------------------------------- */

static void
row_pressed (LsLoopView *self,
             int         n,
             double      x,
             double      y)
{
  GtkWidget *at = gtk_widget_pick (self->view, x, y, GTK_PICK_DEFAULT);
  GtkWidget *cell = at != NULL ? gtk_widget_get_ancestor (at, LS_TYPE_LOOP_CELL) : NULL;
  LsLoopItem *item = cell != NULL ? ls_loop_cell_get_item (LS_LOOP_CELL (cell)) : NULL;
  double px, py;

  if (item == NULL || !gtk_widget_translate_coordinates (self->view, GTK_WIDGET (self), x, y, &px, &py))
    return;
  ls_session_select (self->session, ls_loop_item_get (item)->id);
  ls_pin_menu_show (GTK_WIDGET (self), &(GdkRectangle) { (int) px, (int) py, 1, 1 });
}

static void
add_menu (LsLoopView *self)
{
  GtkGesture *press = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (press), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (row_pressed), self);
  gtk_widget_add_controller (self->view, GTK_EVENT_CONTROLLER (press));
}

/* ---- class -------------------------------------------------------------- */

static void
ls_loop_view_dispose (GObject *object)
{
  LsLoopView *self = LS_LOOP_VIEW (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  ls_loop_view_remove_rows (self);
  if (self->arrows != NULL)
    {
      g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->legend_scroller)), self);
      g_signal_handlers_disconnect_by_data (self->arrows, self);
      ls_loop_arrows_detach (LS_LOOP_ARROWS (self->arrows));
    }
  g_clear_object (&self->extent);
  g_clear_object (&self->runs);
  g_clear_object (&self->touches);
  g_clear_object (&self->share);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  for (GtkWidget *menu; (menu = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL;)
    gtk_widget_unparent (menu);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_clear_pointer (&self->folded, g_hash_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_loop_view_parent_class)->dispose (object);
}

static void
ls_loop_view_class_init (LsLoopViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_loop_view_dispose;
  G_OBJECT_CLASS (klass)->get_property = ls_loop_view_get_property;
  G_OBJECT_CLASS (klass)->set_property = ls_loop_view_set_property;
  props[PROP_ARROWS] = g_param_spec_boolean ("arrows", NULL, NULL, TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  props[PROP_ROUNDS] = g_param_spec_boolean ("rounds", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
  g_type_ensure (LS_TYPE_LOOP_ARROWS);
  g_type_ensure (LS_TYPE_DEPENDENCE_BAR);
  widget_class->css_changed = ls_loop_view_css_changed;
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/loops/view.ui");
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, box);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, menu_button);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, menu);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, stack);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, status);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, subtitle);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, legend);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, legend_scroller);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, scroller);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, view);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, arrows);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, bar);
  gtk_widget_class_set_css_name (widget_class, "loopview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
}

static void
ls_loop_view_init (LsLoopView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ls_popover_set_menu (GTK_MENU_BUTTON (self->menu_button), self->menu);
  ls_scroller_steady (self->scroller);
  ls_tab_stop_make (self->view);
  self->folded = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->cells = g_ptr_array_new ();
  ls_loop_view_add_columns (self);
  add_legend (self);
  add_menu (self);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (
                              GTK_SCROLLED_WINDOW (self->legend_scroller)),
                            "changed", G_CALLBACK (legend_width_changed), self);
  add_actions (self);
  gtk_widget_add_css_class (self->view, "with-arrows");
  g_signal_connect_swapped (self->arrows, "changed", G_CALLBACK (show_dependences), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Loop nest"), -1);
}

GtkWidget *
ls_loop_view_new (void)
{
  return g_object_new (LS_TYPE_LOOP_VIEW, NULL);
}

void
ls_loop_view_set_session (LsLoopView *self,
                          LsSession  *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  ls_loop_view_add_rows (self);
  g_signal_connect_swapped (session, "notify::hover", G_CALLBACK (sync_hover), self);
  g_signal_connect_swapped (session, "notify::stand", G_CALLBACK (sync_stand), self);
  g_signal_connect_swapped (session, "notify::title", G_CALLBACK (update_titles), self);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (module_changed), self);
  g_signal_connect_swapped (session, "notify::state", G_CALLBACK (update_status), self);
  ls_loop_arrows_attach (LS_LOOP_ARROWS (self->arrows), session, self->tree, self->cells, self->view);
  module_changed (self);
}

/* Of the first row on the screen: letters can be larger than in the design. */
static int
row_height (LsLoopView *self)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      GtkWidget *cell = g_ptr_array_index (self->cells, i), *row = gtk_widget_get_mapped (cell) ? ls_list_row_of (cell, self->view) : NULL;

      if (row != NULL && gtk_widget_get_height (row) > 0)
        return gtk_widget_get_height (row);
    }
  return ROW_HEIGHT;
}

int
ls_loop_view_fit_height (LsLoopView *self,
                         int         most)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  int row = row_height (self), page = (int) gtk_adjustment_get_page_size (adjustment);
  int n = MAX ((int) g_list_model_get_n_items (G_LIST_MODEL (self->tree)), 4);
  int around = gtk_widget_get_height (GTK_WIDGET (self)) - page;

  if (!gtk_widget_get_mapped (self->scroller) || page <= 0 || around <= 0)
    return 0;
  return around + row * CLAMP ((most - around) / row, 1, n);
}

void
ls_loop_view_say (LsLoopView *self,
                  const char *words)
{
  if (words != NULL)
    ls_dependence_bar_say (LS_DEPENDENCE_BAR (self->bar), words);
  else
    show_dependences (self);
}

/* The row widget that shows `id` on the screen, or NULL. */
static GtkWidget *
row_of (LsLoopView *self,
        guint64     id)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      GtkWidget *cell = g_ptr_array_index (self->cells, i);
      LsLoopItem *item = ls_loop_cell_get_item (LS_LOOP_CELL (cell));

      if (item != NULL && ls_loop_item_get (item)->id == id && gtk_widget_get_mapped (cell))
        return ls_list_row_of (cell, self->view);
    }
  return NULL;
}

gboolean
ls_loop_view_focus (LsLoopView *self)
{
  LsLoopItem *selected = self->session != NULL ? ls_session_get_selected (self->session) : NULL;
  GtkWidget *row = selected != NULL ? row_of (self, ls_loop_item_get (selected)->id) : NULL;

  if (!gtk_widget_get_mapped (self->view))
    return FALSE;
  return gtk_widget_grab_focus (row != NULL ? row : self->view);
}
