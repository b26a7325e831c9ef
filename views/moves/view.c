/* LsMovesView: a GtkListView over five groups, each with a header row; a group without moves has none, but the first
 * one, of which it may be known why it is empty.
 *
 * The list is one of slots, filled with [header, group] pairs whenever the moves change, so that the rows stay and only
 * their words are new (moves/rows); headers cannot be selected.  While the list is longer than the pane, a strip below it repeats the
 * counts and leads to the groups.
 */
#include "views/moves/view.h"

#include "views/models/slot-list.h"
#include "views/moves/counts.h"
#include "views/moves/row.h"
#include "views/moves/rows.h"
#include "views/moves/title.h"
#include "views/parts/scroller.h"
#include "views/parts/status.h"
#include "views/parts/tab-stop.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsMovesView
{
  GtkWidget           parent_instance;

  LsSession          *session;
  GListModel         *moves;    /* of the session */
  LsSlotList         *slots;
  LsMoveItem         *headers[LS_MOVE_N_GROUPS];
  guint               counted[LS_MOVE_N_GROUPS];
  char               *words;    /* why the first group is empty, as it is shown, or NULL */
  GtkSingleSelection *selection;
  char               *open;     /* name of the unfolded move, kept over a step */
  gboolean            syncing;
  gboolean            wished;   /* Return was pressed while the keyboard waited */
  gboolean            held;     /* Return is down since */
  LsMoveRows         *rows;
  guint               top_row;

  GtkWidget          *box;
  GtkWidget          *title;
  GtkWidget          *stack;
  GtkWidget          *status;
  GtkWidget          *scroller;
  GtkWidget          *list;
  GtkWidget          *counts;
};

G_DEFINE_FINAL_TYPE (LsMovesView, ls_moves_view, GTK_TYPE_WIDGET)

static void
activated (LsMovesView *self,
           guint        position)
{
  LsMoveItem *item = ls_slot_list_at (self->slots, position);

  if (item != NULL && !ls_move_item_is_header (item) && LS_MOVE_GROUP_CAN (ls_move_item_get (item)->group))
    ls_session_apply (self->session, item);
}

/* ---- groups ------------------------------------------------------------- */

/* Why the first group is empty, where that is known. */
static const char *
words_of (LsMovesView *self,
          guint        group)
{
  return group == LS_MOVE_LIKELY && self->counted[group] == 0 && g_list_model_get_n_items (self->moves) > 0 ? ls_session_get_likely_words (self->session) : NULL;
}

static gboolean
has_header (LsMovesView *self,
            guint        group)
{
  return self->counted[group] > 0 || words_of (self, group) != NULL;
}

/* A header says how many come below it, or why none do: with another count or other words it is another item. */
static LsMoveItem *
header_of (LsMovesView *self,
           guint        group)
{
  LsMoveItem *old = self->headers[group];

  if (old == NULL || ls_move_item_get_count (old) != self->counted[group] || g_strcmp0 (ls_move_item_get (old)->reason, words_of (self, group)) != 0)
    {
      g_clear_object (&self->headers[group]);
      self->headers[group] = ls_move_item_new_header (group, self->counted[group], words_of (self, group));
    }
  return self->headers[group];
}

static void
fill (LsMovesView *self)
{
  guint n = g_list_model_get_n_items (self->moves);
  g_autoptr (GPtrArray) moves = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  memset (self->counted, 0, sizeof self->counted);
  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (moves, g_list_model_get_item (self->moves, i));
      self->counted[ls_move_item_get (g_ptr_array_index (moves, i))->group]++;
    }
  for (guint group = 0; group < LS_MOVE_N_GROUPS; group++)
    {
      ls_move_counts_set (LS_MOVE_COUNTS (self->counts), group, self->counted[group]);
      if (has_header (self, group))
        g_ptr_array_add (rows, header_of (self, group));
      for (guint i = 0; i < n; i++)
        if (ls_move_item_get (g_ptr_array_index (moves, i))->group == group)
          g_ptr_array_add (rows, g_ptr_array_index (moves, i));
    }
  g_free (self->words);
  self->words = g_strdup (words_of (self, LS_MOVE_LIKELY));
  ls_slot_list_fill (self->slots, rows);
}

static guint
header_position (LsMovesView *self,
                 guint        group)
{
  guint position = 0;

  for (guint i = 0; i < group; i++)
    position += has_header (self, i) ? 1 + self->counted[i] : 0;
  return position;
}

static void
scroll_to_top (gpointer data)
{
  LsMovesView *self = data;

  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", self->top_row);
}

static void
queue_row (LsMovesView *self,
           guint        row)
{
  self->top_row = row;
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, scroll_to_top);
}

static void
queue_top (LsMovesView *self)
{
  queue_row (self, 0);
}

/* A list scrolls no farther than it must: from its end up, a row comes to the top. */
static void
group_chosen (LsMovesView *self,
              guint        group)
{
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u",
                              g_list_model_get_n_items (G_LIST_MODEL (self->slots)) - 1);
  queue_row (self, header_position (self, group));
}

/* ---- following the session ---------------------------------------------- */

static void
open_again (LsMovesView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->slots));
  guint position = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < n && self->open != NULL && position == GTK_INVALID_LIST_POSITION; i++)
    {
      LsMoveItem *item = ls_slot_list_at (self->slots, i);

      if (!ls_move_item_is_header (item) && g_strcmp0 (ls_move_item_get (item)->name, self->open) == 0)
        position = i;
    }

  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->syncing = FALSE;
}

static GtkWidget *
focus_of (LsMovesView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

/* The keyboard waits here until they are there: of what the list shows meanwhile nothing stays. */
static void
wait_here (LsMovesView *self)
{
  self->wished = FALSE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* Return that came before the moves did is for the one that the keyboard is at then. */
static void
apply_wished (gpointer data)
{
  LsMovesView *self = data;
  GtkWidget *focus = focus_of (self);

  if (self->wished && focus != NULL && gtk_widget_is_ancestor (focus, self->list))
    activated (self, gtk_single_selection_get_selected (self->selection));
  self->wished = FALSE;
}

/* If the user did not take it elsewhere meanwhile. */
static void
go_on_from_here (LsMovesView *self)
{
  gboolean here = focus_of (self) == GTK_WIDGET (self);
  gboolean there = g_list_model_get_n_items (self->moves) > 0 && !ls_session_moves_are_due (self->session);

  if (!gtk_widget_get_focusable (GTK_WIDGET (self)) || (here && !there))
    return;
  if (here)
    ls_moves_view_focus (self);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
  if (here && self->wished)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, apply_wished);
}

static void
update (LsMovesView *self)
{
  gboolean any = g_list_model_get_n_items (self->moves) > 0;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "list" : "empty");
  ls_status_set (LS_STATUS (self->status),
                 ls_session_get_selected (self->session) != NULL
                   ? _("Nothing can be done here.")
                   : _("Select a loop or block to see what can be done to it."),
                 NULL, NULL, NULL);
  ls_move_title_set (LS_MOVE_TITLE (self->title), ls_session_get_selected (self->session));
}

static void
selection_of_session_changed (LsMovesView *self)
{
  update (self);
  queue_top (self);
}

/* GTK 4.8 has no call that focuses a row; its widget is a child of the list, where it has one: rows in sight have, and scrolling may give
 * it another move. */
static gboolean
focus_row (LsMovesView *self,
           guint        position)
{
  LsMoveItem *item = ls_slot_list_at (self->slots, position);

  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position);
  ls_move_rows_show_all (self->rows);
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *child = gtk_widget_get_first_child (row);

      if (LS_IS_MOVE_ROW (child) && ls_move_row_get_item (LS_MOVE_ROW (child)) == item)
        return gtk_widget_grab_focus (row);
    }
  return FALSE;
}

static void
focus_open (gpointer data)
{
  LsMovesView *self = data;
  guint position = gtk_single_selection_get_selected (self->selection);
  LsMoveItem *item = position != GTK_INVALID_LIST_POSITION ? ls_slot_list_at (self->slots, position) : NULL;

  if (item == NULL || ls_move_item_is_header (item))
    return;
  focus_row (self, position);
}

static gboolean
has_keyboard (LsMovesView *self)
{
  GtkWidget *focus = focus_of (self);

  return focus != NULL && gtk_widget_get_mapped (focus) && gtk_widget_is_ancestor (focus, self->list);
}

/* The keyboard goes with the move that it is at: what is likely to help comes late, above the others.  Where the row that has it goes (a
 * step was applied, the list is empty for a moment), it waits here: GTK would give it to the first button of the window. */
static void
clear (gpointer data)
{
  fill (data);
}

/* Without moves there is another page in the place of the list.  Most often others are to come: its rows wait for them, and a turn that
 * makes the window empty does not unmake them too. */
static void
fill_or_clear (LsMovesView *self)
{
  if (g_list_model_get_n_items (self->moves) > 0)
    {
      ls_later_cancel (self, clear);
      fill (self);
      return;
    }
  memset (self->counted, 0, sizeof self->counted);
  for (guint group = 0; group < LS_MOVE_N_GROUPS; group++)
    ls_move_counts_set (LS_MOVE_COUNTS (self->counts), group, 0);
  ls_later (self, G_PRIORITY_LOW, 0, clear);
}

static void
moves_changed (LsMovesView *self)
{
  gboolean inside = has_keyboard (self);
  guint before = gtk_single_selection_get_selected (self->selection), now;

  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->syncing = FALSE;
  fill_or_clear (self);
  if (inside && (!has_keyboard (self) || g_list_model_get_n_items (self->moves) == 0))
    wait_here (self);
  if (g_list_model_get_n_items (self->moves) > 0)
    open_again (self);
  update (self);
  now = gtk_single_selection_get_selected (self->selection);
  if (inside && before != GTK_INVALID_LIST_POSITION && now != GTK_INVALID_LIST_POSITION && now != before)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, focus_open);
  go_on_from_here (self);
}

/* The moves may stay the same when it is found out why none is likely to help. */
static void
why_changed (LsMovesView *self)
{
  if (g_strcmp0 (words_of (self, LS_MOVE_LIKELY), self->words) != 0)
    moves_changed (self);
}

static void
selection_changed (LsMovesView *self)
{
  LsMoveItem *item = ls_slot_list_at (self->slots, gtk_single_selection_get_selected (self->selection));

  if (self->syncing || item == NULL || ls_move_item_is_header (item))
    return;
  g_free (self->open);
  self->open = g_strdup (ls_move_item_get (item)->name);
  ls_session_preview (self->session, item);
}

static gboolean
is_return (guint key)
{
  return key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_ISO_Enter;
}

/* While the keyboard waits here, Return is kept and Escape lets it go.  A key that stays down since the move before is not meant for the
 * next one, which nobody has seen. */
static gboolean
key_captured (LsMovesView     *self,
              guint            key,
              guint            code,
              GdkModifierType  state)
{
  gboolean waits = gtk_widget_get_focusable (GTK_WIDGET (self)) && focus_of (self) == GTK_WIDGET (self), again = self->held;

  if (key == GDK_KEY_Escape)
    self->wished = FALSE;
  if (!is_return (key) || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  self->held = TRUE;
  if (waits && !again)
    self->wished = TRUE;
  return waits;
}

static void
key_released (LsMovesView     *self,
              guint            key,
              guint            code,
              GdkModifierType  state)
{
  if (is_return (key))
    self->held = FALSE;
}

/* It may have been let go elsewhere. */
static void
entered (LsMovesView *self)
{
  self->held = FALSE;
}

/* Escape folds the parameters and takes the ghost away. */
static gboolean
key_pressed (LsMovesView     *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  if (key != GDK_KEY_Escape ||
      gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION)
    return FALSE;

  g_clear_pointer (&self->open, g_free);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  ls_session_preview (self->session, NULL);
  return TRUE;
}

/* ---- class -------------------------------------------------------------- */

static void
ls_moves_view_dispose (GObject *object)
{
  LsMovesView *self = LS_MOVES_VIEW (object);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (self->moves, self);
      gtk_list_view_set_model (GTK_LIST_VIEW (self->list), NULL);
    }
  g_clear_object (&self->selection);
  g_clear_pointer (&self->rows, ls_move_rows_free);
  for (guint i = 0; i < LS_MOVE_N_GROUPS; i++)
    g_clear_object (&self->headers[i]);
  g_clear_object (&self->slots);
  g_clear_object (&self->moves);
  g_clear_pointer (&self->open, g_free);
  g_clear_pointer (&self->words, g_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_moves_view_parent_class)->dispose (object);
}

static void
ls_moves_view_class_init (LsMovesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_moves_view_dispose;
  g_type_ensure (LS_TYPE_MOVE_COUNTS);
  g_type_ensure (LS_TYPE_MOVE_TITLE);
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/moves/view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsMovesView, name)
  BIND (box);
  BIND (title);
  BIND (stack);
  BIND (status);
  BIND (scroller);
  BIND (list);
  BIND (counts);
#undef BIND
  gtk_widget_class_set_css_name (widget_class, "movesview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
}

static void
ls_moves_view_init (LsMovesView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new (), *first = gtk_event_controller_key_new (), *focus = gtk_event_controller_focus_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  ls_scroller_steady (self->scroller);
  ls_tab_stop_make (self->list);
  ls_move_counts_follow (LS_MOVE_COUNTS (self->counts), gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)));
  g_signal_connect_swapped (self->counts, "chosen", G_CALLBACK (group_chosen), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_event_controller_set_propagation_phase (first, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (first, "key-pressed", G_CALLBACK (key_captured), self);
  g_signal_connect_swapped (first, "key-released", G_CALLBACK (key_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self), first);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (entered), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (activated), self);
  g_signal_connect_swapped (self->list, "map", G_CALLBACK (queue_top), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Moves"), -1);
}

GtkWidget *
ls_moves_view_new (void)
{
  return g_object_new (LS_TYPE_MOVES_VIEW, NULL);
}

void
ls_moves_view_set_session (LsMovesView *self,
                           LsSession   *session)
{
  g_autoptr (GtkListItemFactory) factory = NULL;

  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  self->rows = ls_move_rows_new (GTK_WIDGET (self), session);
  factory = ls_move_rows_new_factory (self->rows);
  self->moves = g_object_ref (ls_session_watch_moves (session));
  self->slots = ls_slot_list_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->slots)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->list), factory);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->list), GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_swapped (self->moves, "items-changed", G_CALLBACK (moves_changed), self);
  g_signal_connect_swapped (session, "notify::selection",
                            G_CALLBACK (selection_of_session_changed), self);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (session, "why-changed", G_CALLBACK (why_changed), self);
  moves_changed (self);
  if (ls_session_get_selected (session) != NULL)
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "list");
}

LsMoveItem *
ls_moves_view_get_chosen (LsMovesView *self)
{
  GtkWidget *focus = focus_of (self);
  guint position = gtk_single_selection_get_selected (self->selection);
  LsMoveItem *item = position != GTK_INVALID_LIST_POSITION ? ls_slot_list_at (self->slots, position) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self)) || item == NULL || ls_move_item_is_header (item))
    return NULL;
  return item;
}

void
ls_moves_view_focus (LsMovesView *self)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  LsMoveItem *item;

  if (ls_session_moves_are_due (self->session))
    {
      wait_here (self);
      return;
    }
  for (guint i = 0; position == GTK_INVALID_LIST_POSITION && (item = ls_slot_list_at (self->slots, i)) != NULL; i++)
    if (!ls_move_item_is_header (item))
      position = i;
  item = ls_slot_list_at (self->slots, position);
  if (item != NULL)
    gtk_single_selection_set_selected (self->selection, position);
  if (item == NULL || !focus_row (self, position))
    gtk_widget_child_focus (self->list, GTK_DIR_TAB_FORWARD);
}

void
ls_moves_view_unfold (LsMovesView *self,
                      guint        position)
{
  LsMoveItem *item = g_list_model_get_item (ls_session_get_moves (self->session), position);

  if (item == NULL)
    return;
  g_free (self->open);
  self->open = g_strdup (ls_move_item_get (item)->name);
  open_again (self);
  ls_session_preview (self->session, item);
  queue_top (self);
  g_object_unref (item);
}
