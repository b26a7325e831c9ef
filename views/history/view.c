/* LsHistoryView: a GtkListView over the flat history; selecting a row makes its
 * step the current one.  Branches stand below as soon as there are two.
 * Rows are costly to make, and a list makes two hundred at once: those of a long history come a few in a turn. */
#include "views/history/view.h"

#include "views/history/step-row.h"
#include "views/models/format.h"
#include "views/models/gradual-list.h"
#include "views/moves/editor.h"
#include "views/parts/popover.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"
#include "views/parts/tab-stop.h"
#include "views/parts/later.h"
#include "views/parts/pace.h"

#include <glib/gi18n.h>

#define ROWS 8                  /* at once */

struct _LsHistoryView
{
  GtkWidget           parent_instance;

  LsSession          *session;
  LsGradualList      *rows;
  GtkSingleSelection *selection;
  gboolean            syncing;

  GtkWidget          *box;
  GtkWidget          *stack;
  GtkWidget          *status;
  GtkWidget          *subtitle;
  GtkWidget          *list;
  GtkWidget          *branches;
  GtkWidget          *branches_box;
  GtkWidget          *menu_button;
  GMenuModel         *menu;
  GtkWidget          *popover;   /* editor or menu at a row, or NULL */
  gboolean            editing;   /* it is the editor */
  LsStepItem         *step;      /* that is the current one while the popover is open */
};

enum { EDIT_ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsHistoryView, ls_history_view, GTK_TYPE_WIDGET)

static void
setup_row (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           LsHistoryView            *self)
{
  gtk_list_item_set_child (list_item, ls_step_row_new ());
}

static void
bind_row (GtkSignalListItemFactory *factory,
          GtkListItem              *list_item,
          LsHistoryView            *self)
{
  ls_step_row_set_item (LS_STEP_ROW (gtk_list_item_get_child (list_item)),
                        gtk_list_item_get_item (list_item));
}

static void
unbind_row (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsHistoryView            *self)
{
  ls_step_row_set_item (LS_STEP_ROW (gtk_list_item_get_child (list_item)), NULL);
}

static GtkWidget *
label_new (const char *text,
           const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, css_class);
  return label;
}

static char *
branch_detail (const LsBranchRecord *record)
{
  g_autofree char *steps = g_strdup_printf (ngettext ("%u step", "%u steps", record->n_steps),
                                            record->n_steps);

  if (record->n_failed == 0)
    return g_steal_pointer (&steps);
  return g_strdup_printf (ngettext ("%s, %u fails", "%s, %u fail", record->n_failed), steps,
                          record->n_failed);
}

static GtkWidget *
create_branch (gpointer object,
               gpointer data)
{
  const LsBranchRecord *record = ls_branch_item_get (object);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *mark = gtk_image_new_from_icon_name ("media-playback-start-symbolic");
  g_autofree char *detail = branch_detail (record);
  g_autofree char *best = record->best > 0.0 ? ls_format_time (record->best) : g_strdup ("");
  g_autofree char *label = g_strdup_printf ("%s, %s, %s", record->name, detail, best);
  GtkWidget *steps = label_new (detail, "reason"), *name;

  gtk_image_set_pixel_size (GTK_IMAGE (mark), ls_theme_grow (12));
  gtk_widget_set_opacity (mark, record->current ? 1.0 : 0.0);
  gtk_widget_set_hexpand (steps, TRUE);
  gtk_label_set_xalign (GTK_LABEL (steps), 0.0f);
  gtk_box_append (GTK_BOX (line), mark);
  name = label_new (record->name, record->current ? "strong" : "plain");
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  ls_tip_set (name, record->name);
  gtk_box_append (GTK_BOX (line), name);
  gtk_box_append (GTK_BOX (line), steps);
  gtk_box_append (GTK_BOX (line), label_new (best, "figure"));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return row;
}

static void
branch_activated (LsHistoryView *self,
                  GtkListBoxRow *row)
{
  g_autoptr (LsBranchItem) branch = NULL;

  branch = g_list_model_get_item (ls_session_get_branches (self->session),
                                  (guint) gtk_list_box_row_get_index (row));
  if (branch != NULL)
    ls_session_go_to (self->session, ls_branch_item_get (branch)->tip);
}

static void
selection_changed (LsHistoryView *self)
{
  LsStepItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (!self->syncing && item != NULL && item != ls_session_get_current (self->session))
    ls_session_go_to (self->session, ls_step_item_get (item)->id);
}

static void
reveal_current (gpointer data)
{
  LsHistoryView *self = data;
  guint position = gtk_single_selection_get_selected (self->selection);

  if (position != GTK_INVALID_LIST_POSITION && gtk_widget_get_mapped (self->list))
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position);
}

static void
sync_selection (LsHistoryView *self)
{
  GListModel *history = self->session != NULL ? ls_session_get_history (self->session) : NULL;
  LsStepItem *current = self->session != NULL ? ls_session_get_current (self->session) : NULL;
  guint position;

  self->syncing = TRUE;
  if (current != NULL && g_list_store_find (G_LIST_STORE (history), current, &position))
    {
      if (position >= g_list_model_get_n_items (G_LIST_MODEL (self->rows)))
        position = GTK_INVALID_LIST_POSITION;
      gtk_single_selection_set_selected (self->selection, position);
      if (position != GTK_INVALID_LIST_POSITION)
        ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, reveal_current);
    }
  self->syncing = FALSE;
}

/* The current one may be among them. */
static void
rows_came (LsHistoryView *self)
{
  if (gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION)
    sync_selection (self);
}

static void
update (LsHistoryView *self)
{
  guint n = g_list_model_get_n_items (ls_session_get_history (self->session));
  guint branches = g_list_model_get_n_items (ls_session_get_branches (self->session));
  g_autofree char *text = g_strdup_printf (ngettext ("%u branch", "%u branches", branches),
                                           branches);

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), n > 0 ? "list" : "empty");
  gtk_label_set_label (GTK_LABEL (self->subtitle), branches > 1 ? text : "");
  gtk_widget_set_visible (self->branches_box, branches > 1);
}

/* ---- at a row: menu and editor ------------------------------------------- */

/* The keyboard is not elsewhere: a popover that closed may be removed after the user went on. */
static gboolean
has_keyboard (LsHistoryView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus == NULL || !gtk_widget_get_mapped (focus) || focus == GTK_WIDGET (self) || gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
}

static void
close_popover (LsHistoryView *self)
{
  GtkWidget *popover = g_steal_pointer (&self->popover);
  gboolean keyboard = has_keyboard (self);

  if (popover == NULL)
    return;
  gtk_popover_popdown (GTK_POPOVER (popover));
  ls_popover_remove (GTK_POPOVER (popover));
  if (keyboard)
    gtk_widget_grab_focus (self->list);
  g_clear_object (&self->step);
  if (self->editing)
    g_signal_emit (self, signals[EDIT_ENDED], 0);
  self->editing = FALSE;
}

static void
close_later (gpointer data)
{
  close_popover (data);
}

/* Not while the popover still handles the event that closes it. */
static void
queue_close (LsHistoryView *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, close_later);
}

/* Another step than that of the popover: what comes late of the same one (its loops, its times) is no reason to close. */
static void
current_changed (LsHistoryView *self)
{
  sync_selection (self);
  if (self->popover != NULL && ls_session_get_current (self->session) != self->step)
    queue_close (self);
}

/* One that makes place for the next says "closed" too: then the next stays. */
static void
popover_closed (LsHistoryView *self,
                GtkWidget     *popover)
{
  if (self->popover == popover)
    queue_close (self);
}

/* The row widget that shows `item` now, or NULL. */
static GtkWidget *
find_row (LsHistoryView *self,
          LsStepItem    *item)
{
  for (GtkWidget *at = gtk_widget_get_first_child (self->list); at != NULL; at = gtk_widget_get_next_sibling (at))
    {
      GtkWidget *row = gtk_widget_get_first_child (at);

      if (LS_IS_STEP_ROW (row) && gtk_widget_get_mapped (at) && ls_step_row_get_item (LS_STEP_ROW (row)) == item)
        return row;
    }
  return NULL;
}

static void
show_popover (LsHistoryView *self,
              GtkWidget     *popover,
              GdkRectangle  *place)
{
  self->editing = FALSE;
  close_popover (self);
  ls_later_cancel (self, close_later);          /* it was about the one before */
  self->popover = popover;
  g_set_object (&self->step, ls_session_get_current (self->session));
  g_signal_connect_swapped (popover, "closed", G_CALLBACK (popover_closed), self);
  ls_popover_show (GTK_POPOVER (popover), GTK_WIDGET (self), place, GTK_POS_RIGHT);
}

static void
edit_changed (GtkLabel   *reason,
              LsMoveItem *item)
{
  const LsMoveRecord *record = ls_move_item_get (item);

  gtk_label_set_label (reason, record->reason != NULL ? record->reason : "");
}

static GtkWidget *
editor_box (LsHistoryView *self,
            LsMoveItem    *item,
            guint          number)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  g_autofree char *text = g_strdup_printf (_("Edit step %u, replay the later ones"), number);
  GtkWidget *title = label_new (text, "strong");
  GtkWidget *reason = label_new ("", "reason"), *editor = ls_move_editor_new (self->session, item);

  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 26);
  gtk_label_set_xalign (GTK_LABEL (reason), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (reason), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (reason), 44);
  gtk_widget_add_css_class (box, "step-editor");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), reason);
  gtk_box_append (GTK_BOX (box), editor);
  g_signal_connect_object (editor, "applied", G_CALLBACK (queue_close), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (item, "changed", G_CALLBACK (edit_changed), reason, G_CONNECT_SWAPPED);
  edit_changed (GTK_LABEL (reason), item);
  return box;
}

/* At the row of the step that it is about. */
static void
place_at_row (gpointer      data,
              GdkRectangle *place)
{
  LsHistoryView *self = data;
  GtkWidget *row = self->step != NULL ? find_row (self, self->step) : NULL;
  graphene_rect_t bounds;

  *place = (GdkRectangle) { gtk_widget_get_width (GTK_WIDGET (self)) - 1, 80, 1, 1 };
  if (row != NULL && gtk_widget_compute_bounds (row, GTK_WIDGET (self), &bounds))
    *place = (GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y, (int) bounds.size.width, (int) bounds.size.height };
}

void
ls_history_view_edit_step (LsHistoryView *self)
{
  LsStepItem *current = ls_session_get_current (self->session);
  g_autoptr (LsMoveItem) item = NULL;
  GdkRectangle place = { 0, 0, 1, 1 };
  GtkWidget *popover;

  if (current != NULL)
    item = ls_session_edit_step (self->session, ls_step_item_get (current)->id);
  if (item == NULL)
    return;
  popover = gtk_popover_new ();
  ls_popover_set_place (GTK_POPOVER (popover), place_at_row, self);
  gtk_popover_set_child (GTK_POPOVER (popover), editor_box (self, item, ls_step_item_get (current)->number));
  show_popover (self, popover, &place);
  self->editing = TRUE;
}

static void
row_pressed (LsHistoryView *self,
             int            n,
             double         x,
             double         y)
{
  GtkWidget *at = gtk_widget_pick (self->list, x, y, GTK_PICK_DEFAULT);
  GtkWidget *row = at != NULL ? gtk_widget_get_ancestor (at, LS_TYPE_STEP_ROW) : NULL;
  LsStepItem *item = row != NULL ? ls_step_row_get_item (LS_STEP_ROW (row)) : NULL;
  GdkRectangle place;
  double px, py;

  if (item == NULL || !gtk_widget_translate_coordinates (self->list, GTK_WIDGET (self), x, y, &px, &py))
    return;
  ls_session_go_to (self->session, ls_step_item_get (item)->id);
  place = (GdkRectangle) { (int) px, (int) py, 1, 1 };
  show_popover (self, gtk_popover_menu_new_from_model (self->menu), &place);
}

static void
ls_history_view_dispose (GObject *object)
{
  LsHistoryView *self = LS_HISTORY_VIEW (object);

  if (self->popover != NULL)
    ls_popover_remove (GTK_POPOVER (g_steal_pointer (&self->popover)));
  g_clear_object (&self->step);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (ls_session_get_history (self->session), self);
      g_signal_handlers_disconnect_by_data (ls_session_get_branches (self->session), self);
      g_signal_handlers_disconnect_by_data (self->rows, self);
      gtk_list_view_set_model (GTK_LIST_VIEW (self->list), NULL);
    }
  g_clear_object (&self->rows);
  g_clear_object (&self->selection);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_history_view_parent_class)->dispose (object);
}

static void
ls_history_view_class_init (LsHistoryViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_history_view_dispose;
  signals[EDIT_ENDED] = g_signal_new ("edit-ended", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                      0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/loopscope/views/history/view.ui");
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, box);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, stack);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, status);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, subtitle);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, list);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, branches);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, branches_box);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, menu_button);
  gtk_widget_class_bind_template_child (widget_class, LsHistoryView, menu);
  gtk_widget_class_set_css_name (widget_class, "historyview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
}

static void
ls_history_view_init (LsHistoryView *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  ls_popover_set_menu (GTK_MENU_BUTTON (self->menu_button), self->menu);
  ls_tab_stop_make (self->list);
  ls_tab_stop_make (self->branches);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->list), factory);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (row_pressed), self);
  gtk_widget_add_controller (self->list, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (self->list, "map", G_CALLBACK (sync_selection), self);
  g_signal_connect_swapped (self->branches, "row-activated", G_CALLBACK (branch_activated), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("History"), -1);
  ls_status_set (LS_STATUS (self->status),
                 _("Open a TVMScript file."), _("Open…"), "win.open",
                 _("or drop it here"));
}

GtkWidget *
ls_history_view_new (void)
{
  return g_object_new (LS_TYPE_HISTORY_VIEW, NULL);
}

void
ls_history_view_set_session (LsHistoryView *self,
                             LsSession     *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  self->rows = ls_gradual_list_new (ls_session_get_history (session), ROWS);
  ls_pace_list (self->list, self->rows);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->list), GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_data (self->rows, "items-changed", G_CALLBACK (rows_came), self, NULL, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  gtk_list_box_bind_model (GTK_LIST_BOX (self->branches), ls_session_get_branches (session),
                           create_branch, NULL, NULL);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (current_changed), self);
  g_signal_connect_swapped (ls_session_get_history (session), "items-changed",
                            G_CALLBACK (update), self);
  g_signal_connect_swapped (ls_session_get_branches (session), "items-changed",
                            G_CALLBACK (update), self);
  update (self);
  sync_selection (self);
}
