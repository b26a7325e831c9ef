/* LsScriptView: one or two script panes under a header, with tied scrolling. */
#include "views/script/view.h"

#include "views/parts/fit-label.h"
#include "views/parts/mark.h"
#include "views/parts/parts.h"
#include "views/parts/pin-bar.h"
#include "views/parts/pin-menu.h"
#include "views/parts/scroller.h"
#include "views/parts/tab-stop.h"
#include "views/script/editor.h"
#include "views/script/finding-row.h"
#include "views/script/pane.h"
#include "views/script/search.h"

#include <glib/gi18n.h>

struct _LsScriptView
{
  GtkWidget               parent_instance;

  LsSession              *session;
  double                  kept_scroll;
  gboolean                keeps_selection;
  guint                   restoring;  /* tick callback */
  guint                   frames;     /* since it was asked for */
  guint                   showing;    /* tick callback that brings the selection into view */
  double                  page;       /* height of the text that was seen last */

  GtkWidget              *box;
  GtkWidget              *tag;
  GtkWidget              *subtitle;
  GtkWidget              *edit;
  GtkWidget              *editor;
  GtkWidget              *pins;
  GtkWidget              *sides;
  GtkWidget              *diff;
  GtkWidget              *diff_label;
  GtkWidget              *search_button;
  GtkWidget              *search;
  GtkWidget              *notes_scroller;
  GtkWidget              *notes;
  gboolean                narrow;       /* the difference stands in one column */
  LsScriptText           *column;       /* that one, or NULL */
  GtkWidget              *before_scroller;
  GtkWidget              *before;
  GtkWidget              *after_scroller;
  GtkWidget              *after;
};

G_DEFINE_FINAL_TYPE (LsScriptView, ls_script_view, GTK_TYPE_WIDGET)

/* ---- header ------------------------------------------------------------- */

static gboolean
has_step_lines (LsScriptView *self,
                guint         step)
{
  LsScriptText *text = ls_session_get_script (self->session);

  for (guint i = 0; text != NULL && i < ls_script_text_n_lines (text); i++)
    if (ls_script_text_line (text, i)->step == step)
      return TRUE;

  return FALSE;
}

static gboolean
is_editing (LsScriptView *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->edit));
}

static gboolean
is_comparing (LsScriptView *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->diff)) && ls_session_get_before (self->session) != NULL;
}

static void
update_header (LsScriptView *self)
{
  LsStepItem *current = ls_session_get_current (self->session);
  guint number = current != NULL ? ls_step_item_get (current)->number : 0;
  gboolean comparing = is_comparing (self);
  gboolean tagged = !comparing && !is_editing (self) && number > 0 && has_step_lines (self, number);
  g_autofree char *tag = g_strdup_printf ("%u", number);
  g_autofree char *made = g_strdup_printf (_("line made by step %u"), number);
  const char *texts[3] = { "" };
  g_autofree char *diff = g_strdup_printf (_("Diff with step %u"), number > 0 ? number - 1 : 0);

  if (tagged)
    ls_mark_set_badge (LS_MARK (self->tag), LS_BADGE_OUTLINED, tag);
  gtk_widget_set_visible (self->tag, tagged);
  if (is_editing (self))
    texts[0] = _("the opened program; all steps follow it");
  else if (comparing)
    {
      texts[0] = _("+ new   − gone   → same line, moved deeper or up");
      texts[1] = _("+ new   − gone   → moved");
    }
  else if (tagged)
    texts[0] = made;
  ls_fit_label_set (LS_FIT_LABEL (self->subtitle), texts);
  gtk_label_set_label (GTK_LABEL (self->diff_label), diff);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->diff),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, diff, -1);
  gtk_widget_set_visible (self->diff, number > 0 && !is_editing (self));
  gtk_widget_set_visible (self->edit, ls_session_get_base (self->session) != NULL);
}

/* ---- findings ----------------------------------------------------------- */

static void
note_activated (LsScriptView  *self,
                GtkListBoxRow *row)
{
  LsScriptText *text = ls_script_pane_get_text (LS_SCRIPT_PANE (self->after));
  guint index = (guint) gtk_list_box_row_get_index (row);

  if (text != NULL && index < ls_script_text_n_notes (text) &&
      ls_script_text_get_note (text, index)->line > 0)
    ls_script_pane_reveal (LS_SCRIPT_PANE (self->after),
                           ls_script_text_get_note (text, index)->line - 1);
}

static void
add_note (LsScriptView *self,
          const char   *sentence,
          gboolean      failed)
{
  GtkWidget *icon = gtk_image_new_from_icon_name (failed ? "dialog-error-symbolic"
                                                         : "dialog-warning-symbolic");
  GtkWidget *label = gtk_label_new (sentence);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (icon, failed ? "error" : "warn");
  gtk_list_box_append (GTK_LIST_BOX (self->notes), ls_part_beside (icon, label));
}

/* In the text as it was opened, which is shown from then on. */
static void
fix (GtkWidget *view,
     guint      index)
{
  LsScriptView *self = LS_SCRIPT_VIEW (view);
  g_autoptr (LsScriptText) text = g_object_ref (ls_session_get_script (self->session));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->edit), TRUE);
  ls_script_editor_fix (LS_SCRIPT_EDITOR (self->editor), text, index);
}

static void
update_notes (LsScriptView *self)
{
  LsScriptText *text = ls_session_get_script (self->session);
  const char *message = ls_session_get_message (self->session);
  LsStepItem *current = ls_session_get_current (self->session);
  gboolean failed = ls_session_get_state (self->session) == LS_SESSION_BROKEN ||
                    (current != NULL && ls_step_item_get (current)->state == LS_STEP_FAILED);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->notes)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->notes), child);
  for (guint i = 0; text != NULL && i < ls_script_text_n_notes (text); i++)
    {
      GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-error-symbolic");

      gtk_widget_add_css_class (icon, "error");
      gtk_list_box_append (GTK_LIST_BOX (self->notes), ls_part_beside (icon, ls_finding_row_new (ls_script_text_get_note (text, i), i, fix, GTK_WIDGET (self))));
    }
  if (message != NULL && gtk_widget_get_first_child (self->notes) == NULL)
    add_note (self, message, failed);
  if (failed)
    gtk_widget_remove_css_class (self->notes, "warning");
  else
    gtk_widget_add_css_class (self->notes, "warning");
  gtk_widget_set_visible (self->notes_scroller,
                          gtk_widget_get_first_child (self->notes) != NULL && !is_editing (self));
}

/* ---- texts -------------------------------------------------------------- */

static void
update_sides (LsScriptView *self)
{
  LsScriptText *before = ls_session_get_before (self->session), *after = ls_session_get_script (self->session);
  gboolean comparing = is_comparing (self), beside = comparing && !self->narrow;

  gtk_widget_set_visible (self->before_scroller, beside);
  ls_script_pane_set_text (LS_SCRIPT_PANE (self->before), beside ? before : NULL);
  ls_script_pane_set_compare (LS_SCRIPT_PANE (self->before), beside);
  g_clear_object (&self->column);
  if (comparing && self->narrow && after != NULL)
    self->column = ls_script_text_one_column (before, after);
  ls_script_pane_set_text (LS_SCRIPT_PANE (self->after), self->column != NULL ? self->column : after);
  ls_script_pane_set_compare (LS_SCRIPT_PANE (self->after), comparing);
  update_header (self);
}

/* ---- the opened program as text ------------------------------------------ */

static GtkWidget *
searched (LsScriptView *self)
{
  return is_editing (self) ? ls_script_editor_get_view (LS_SCRIPT_EDITOR (self->editor)) : self->after;
}

static void
edit_toggled (LsScriptView *self)
{
  gboolean editing = is_editing (self);

  ls_script_editor_flush (LS_SCRIPT_EDITOR (self->editor));
  gtk_widget_set_visible (self->editor, editing);
  gtk_widget_set_visible (self->sides, !editing);
  ls_script_search_watch (LS_SCRIPT_SEARCH (self->search), GTK_TEXT_VIEW (searched (self)));
  update_header (self);
  update_notes (self);
  gtk_widget_grab_focus (searched (self));
}

void
ls_script_view_toggle_edit (LsScriptView *self)
{
  if (ls_session_get_base (self->session) != NULL)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->edit), !is_editing (self));
}

gboolean
ls_script_view_go_to_finding (LsScriptView *self,
                              int           direction)
{
  if (is_editing (self))
    ls_script_editor_go (LS_SCRIPT_EDITOR (self->editor), direction);
  return is_editing (self);
}

/* ---- from a line to where it comes from, and back --------------------------- */

static char *
go_to_result (LsScriptView *self)
{
  g_autofree char *word = NULL;
  g_autoptr (GArray) lines = NULL;
  guint line = ls_script_editor_get_line (LS_SCRIPT_EDITOR (self->editor), &word);
  guint64 row;
  int family;

  ls_script_editor_flush (LS_SCRIPT_EDITOR (self->editor));
  if (ls_session_get_draft (self->session) != NULL)
    return g_strdup (_("The text cannot be read as it is; what is shown is the last good program."));
  lines = ls_session_find_result (self->session, line, word, &row, &family);
  if (lines == NULL || lines->len == 0)
    return g_strdup_printf (_("Nothing in this step stems from line %u."), line);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->edit), FALSE);
  if (row != 0)
    ls_session_select (self->session, row);
  ls_script_pane_light (LS_SCRIPT_PANE (self->after), lines);
  return NULL;
}

char *
ls_script_view_go_to_source (LsScriptView *self)
{
  LsScriptPane *pane = LS_SCRIPT_PANE (self->after);
  g_autofree char *words = NULL;
  GtkTextIter iter;
  int line;
  guint found;

  if (is_editing (self))
    return go_to_result (self);
  line = ls_script_pane_get_selected_line (pane);
  if (gtk_widget_has_focus (self->after) || line < 0)
    {
      gtk_text_buffer_get_iter_at_offset (gtk_text_view_get_buffer (GTK_TEXT_VIEW (pane)), &iter, (int) ls_script_pane_get_cursor (pane));
      line = gtk_text_iter_get_line (&iter);
    }
  found = ls_session_find_source (self->session, (guint) line, &words);
  if (found == 0)
    return words != NULL ? g_steal_pointer (&words) : g_strdup (_("No line of an opened text is known for this one."));
  if (ls_session_get_draft (self->session) != NULL)
    return g_strdup (_("The text cannot be read as it is; what is shown is the last good program."));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->edit), TRUE);
  ls_script_editor_show_line (LS_SCRIPT_EDITOR (self->editor), found);
  return NULL;
}

static gboolean
left_editor (LsScriptView    *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  if (key != GDK_KEY_Escape)
    return FALSE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->edit), FALSE);
  return TRUE;
}

static int
first_new_line (LsScriptView *self)
{
  LsScriptText *text = self->column == NULL ? ls_session_get_script (self->session) : NULL;
  LsStepItem *current = ls_session_get_current (self->session);
  guint number = current != NULL ? ls_step_item_get (current)->number : 0;

  for (guint i = 0; text != NULL && number > 0 && i < ls_script_text_n_lines (text); i++)
    if (ls_script_text_line (text, i)->step == number)
      return (int) i;
  for (guint i = 0; self->column != NULL && i < ls_script_text_n_lines (self->column); i++)
    if (ls_script_text_line (self->column, i)->change == LS_LINE_NEW || ls_script_text_line (self->column, i)->change == LS_LINE_GONE)
      return (int) i;

  return -1;
}

/* ---- the selection stays in sight ------------------------------------------ */

static void
show_selection (LsScriptView *self)
{
  int line = ls_script_pane_get_selected_line (LS_SCRIPT_PANE (self->after));

  if (line >= 0 && !is_comparing (self))
    ls_script_pane_show_line (LS_SCRIPT_PANE (self->after), (guint) line);
}

static gboolean
show_in_frame (GtkWidget     *widget,
               GdkFrameClock *clock,
               gpointer       data)
{
  LsScriptView *self = LS_SCRIPT_VIEW (widget);

  self->showing = 0;
  if (self->restoring == 0)
    show_selection (self);
  return G_SOURCE_REMOVE;
}

static void
queue_selection (LsScriptView *self)
{
  if (self->showing == 0)
    self->showing = gtk_widget_add_tick_callback (GTK_WIDGET (self), show_in_frame, NULL, NULL);
}

/* What was seen of the selection is not to go when another pane takes room. */
static void
room_changed (LsScriptView  *self,
              GtkAdjustment *scroll)
{
  double page = gtk_adjustment_get_page_size (scroll), before = self->page;
  int line = ls_script_pane_get_selected_line (LS_SCRIPT_PANE (self->after));

  if (page == before)
    return;
  self->page = page;
  if (page < before && line >= 0 &&
      ls_script_pane_sees (LS_SCRIPT_PANE (self->after), (guint) line, gtk_adjustment_get_value (scroll), before))
    queue_selection (self);
}

/* A new text is laid out in the frame after the next: scroll then. */
static gboolean
restore_scroll (GtkWidget     *widget,
                GdkFrameClock *clock,
                gpointer       data)
{
  LsScriptView *self = LS_SCRIPT_VIEW (widget);
  GtkAdjustment *before = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (self->before_scroller));
  GtkAdjustment *after = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (self->after_scroller));
  int line = first_new_line (self);

  gtk_adjustment_set_value (after, self->kept_scroll);
  if (++self->frames < 3)
    return G_SOURCE_CONTINUE;
  self->restoring = 0;
  if (self->keeps_selection)
    show_selection (self);
  if (line >= 0)
    ls_script_pane_reveal (LS_SCRIPT_PANE (self->after), (guint) line);
  gtk_adjustment_set_value (before, gtk_adjustment_get_value (after));
  return G_SOURCE_REMOVE;
}

/* The scroll stays, and who saw the selection or the start of the text sees the selection again. */
static void
queue_restore (LsScriptView *self)
{
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->after_scroller));
  int line;

  self->frames = 0;
  if (self->restoring != 0)
    return;
  line = ls_script_pane_get_selected_line (LS_SCRIPT_PANE (self->after));
  self->kept_scroll = gtk_adjustment_get_value (scroll);
  self->keeps_selection = self->kept_scroll == 0.0 ||
                          (line >= 0 && ls_script_pane_sees (LS_SCRIPT_PANE (self->after), (guint) line, self->kept_scroll,
                                                             gtk_adjustment_get_page_size (scroll)));
  self->restoring = gtk_widget_add_tick_callback (GTK_WIDGET (self), restore_scroll, NULL, NULL);
}

static void
diff_toggled (LsScriptView *self)
{
  queue_restore (self);
  update_sides (self);
}

static void
module_changed (LsScriptView *self)
{
  queue_restore (self);
  update_sides (self);
  update_notes (self);
}

static void
scrolled (LsScriptView  *self,
          GtkAdjustment *from)
{
  gboolean first = from == gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->before_scroller));

  if (self->restoring != 0 || !gtk_widget_get_visible (self->before_scroller))
    return;
  ls_text_view_follow (LS_TEXT_VIEW (first ? self->after : self->before), LS_TEXT_VIEW (first ? self->before : self->after));
}

/* ---- search, menu, pins ---------------------------------------------- */

void
ls_script_view_start_search (LsScriptView *self)
{
  ls_script_search_start (LS_SCRIPT_SEARCH (self->search));
}

void
ls_script_view_search_next (LsScriptView *self)
{
  ls_script_search_next (LS_SCRIPT_SEARCH (self->search));
}

/* The menu is about the place that was pressed, as the keys are about the cursor. */
static void
menu_pressed (LsScriptView *self,
              int           n,
              double        x,
              double        y)
{
  GtkTextView *view = GTK_TEXT_VIEW (self->after);
  GtkTextIter iter;
  int bx, by;

  gtk_text_view_window_to_buffer_coords (view, GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y, &bx, &by);
  gtk_text_view_get_iter_at_location (view, &iter, bx, by);
  gtk_widget_grab_focus (self->after);
  gtk_text_buffer_place_cursor (gtk_text_view_get_buffer (view), &iter);
}

static void
add_menu (LsScriptView *self)
{
  g_autoptr (GMenuModel) menu = ls_pin_menu_new ();
  GtkGesture *press = gtk_gesture_click_new ();

  gtk_text_view_set_extra_menu (GTK_TEXT_VIEW (self->after), menu);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (press), GDK_BUTTON_SECONDARY);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (menu_pressed), self);
  gtk_widget_add_controller (self->after, GTK_EVENT_CONTROLLER (press));
}

static void
pin_chosen (LsScriptView *self,
            guint         slot)
{
  if (is_editing (self))
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->edit), FALSE);
  ls_script_pane_go_to_pin (LS_SCRIPT_PANE (self->after), slot);
}

/* ---- class -------------------------------------------------------------- */

static void
ls_script_view_dispose (GObject *object)
{
  LsScriptView *self = LS_SCRIPT_VIEW (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  if (self->restoring != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->restoring);
  self->restoring = 0;
  if (self->showing != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->showing);
  self->showing = 0;
  if (self->box != NULL)
    {
      /* The texts may be laid out again while they go, and tell their scrollbars. */
      g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->before_scroller)), self);
      g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->after_scroller)), self);
    }
  g_clear_object (&self->column);
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_script_view_parent_class)->dispose (object);
}

static void
ls_script_view_class_init (LsScriptViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_script_view_dispose;
  g_type_ensure (LS_TYPE_FIT_LABEL);
  g_type_ensure (LS_TYPE_MARK);
  g_type_ensure (LS_TYPE_PIN_BAR);
  g_type_ensure (LS_TYPE_SCRIPT_EDITOR);
  g_type_ensure (LS_TYPE_SCRIPT_PANE);
  g_type_ensure (LS_TYPE_SCRIPT_SEARCH);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/loopscope/views/script/view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsScriptView, name)
  BIND (box);
  BIND (tag);
  BIND (subtitle);
  BIND (edit);
  BIND (editor);
  BIND (pins);
  BIND (sides);
  BIND (diff);
  BIND (diff_label);
  BIND (search_button);
  BIND (search);
  BIND (notes_scroller);
  BIND (notes);
  BIND (before_scroller);
  BIND (before);
  BIND (after_scroller);
  BIND (after);
#undef BIND
  gtk_widget_class_set_css_name (widget_class, "scriptview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
}

static void
label_panes (LsScriptView *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("TVMScript"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->before),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("TVMScript before this step"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->after),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("TVMScript of this step"), -1);
}

static void
ls_script_view_init (LsScriptView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkAdjustment *before, *after;

  gtk_widget_init_template (GTK_WIDGET (self));
  ls_tab_stop_make (self->notes);
  ls_scroller_steady (self->notes_scroller);
  ls_scroller_steady (self->before_scroller);
  ls_scroller_steady (self->after_scroller);
  ls_script_search_add (LS_SCRIPT_SEARCH (self->search), GTK_TEXT_VIEW (self->after));
  ls_script_search_add (LS_SCRIPT_SEARCH (self->search), GTK_TEXT_VIEW (ls_script_editor_get_view (LS_SCRIPT_EDITOR (self->editor))));
  add_menu (self);
  label_panes (self);

  before = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->before_scroller));
  after = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->after_scroller));
  g_signal_connect_swapped (before, "value-changed", G_CALLBACK (scrolled), self);
  g_signal_connect_swapped (after, "value-changed", G_CALLBACK (scrolled), self);
  g_signal_connect_swapped (after, "changed", G_CALLBACK (room_changed), self);
  g_signal_connect_swapped (self->diff, "toggled", G_CALLBACK (diff_toggled), self);
  g_signal_connect_swapped (self->notes, "row-activated", G_CALLBACK (note_activated), self);
  g_signal_connect_swapped (self->pins, "chosen", G_CALLBACK (pin_chosen), self);
  g_signal_connect_swapped (self->edit, "toggled", G_CALLBACK (edit_toggled), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (left_editor), self);
  gtk_widget_add_controller (self->editor, keys);
}

GtkWidget *
ls_script_view_new (void)
{
  return g_object_new (LS_TYPE_SCRIPT_VIEW, NULL);
}

void
ls_script_view_set_session (LsScriptView *self,
                            LsSession    *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  ls_script_editor_set_session (LS_SCRIPT_EDITOR (self->editor), session);
  ls_pin_bar_set_session (LS_PIN_BAR (self->pins), session);
  ls_script_pane_set_session (LS_SCRIPT_PANE (self->before), session);
  ls_script_pane_set_session (LS_SCRIPT_PANE (self->after), session);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (module_changed), self);
  g_signal_connect_swapped (session, "notify::state", G_CALLBACK (update_notes), self);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (queue_selection), self);
  module_changed (self);
}

void
ls_script_view_toggle_diff (LsScriptView *self)
{
  GtkToggleButton *diff = GTK_TOGGLE_BUTTON (self->diff);

  gtk_toggle_button_set_active (diff, !gtk_toggle_button_get_active (diff));
}

void
ls_script_view_set_narrow (LsScriptView *self,
                           gboolean      narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  if (self->session == NULL || !is_comparing (self))
    return;
  queue_restore (self);
  update_sides (self);
}

void
ls_script_view_focus (LsScriptView *self)
{
  gtk_widget_grab_focus (searched (self));
}
