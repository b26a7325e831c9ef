/* LsMovesView: a GtkListView over four groups, each with a header row.
 *
 * The list is a GtkFlattenListModel of [header, group] pairs; headers cannot be
 * selected.  While the list is longer than the pane, a strip below it repeats the
 * three counts and leads to the groups.
 */
#include "views/moves-view.h"

#include "views/mark.h"
#include "views/move-row.h"
#include "views/status.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _LsMovesView
{
  GtkWidget           parent_instance;

  LsSession          *session;
  GListStore         *headers[LS_MOVE_N_GROUPS];
  GListModel         *groups[LS_MOVE_N_GROUPS];
  GtkSingleSelection *selection;
  char               *open;     /* name of the unfolded move, kept over a step */
  gboolean            syncing;
  guint               to_top;

  GtkWidget          *count_labels[LS_MOVE_N_GROUPS];
  GtkWidget          *box;
  GtkWidget          *title;
  GtkWidget          *chips;
  GtkWidget          *name;
  GtkWidget          *kind;
  GtkWidget          *reduction;
  GtkWidget          *subtitle;
  GtkWidget          *stack;
  GtkWidget          *status;
  GtkWidget          *scroller;
  GtkWidget          *list;
  GtkWidget          *counts;
};

G_DEFINE_FINAL_TYPE (LsMovesView, ls_moves_view, GTK_TYPE_WIDGET)

/* ---- rows --------------------------------------------------------------- */

static void
selected_changed (GtkListItem *list_item)
{
  ls_move_row_set_unfolded (LS_MOVE_ROW (gtk_list_item_get_child (list_item)),
                            gtk_list_item_get_selected (list_item));
}

static void
setup_row (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           LsMovesView              *self)
{
  gtk_list_item_set_child (list_item, ls_move_row_new (self->session));
  g_signal_connect (list_item, "notify::selected", G_CALLBACK (selected_changed), NULL);
}

static void
bind_row (GtkSignalListItemFactory *factory,
          GtkListItem              *list_item,
          LsMovesView              *self)
{
  LsMoveItem *item = gtk_list_item_get_item (list_item);
  gboolean header = ls_move_item_is_header (item);

  gtk_list_item_set_selectable (list_item, !header);
  gtk_list_item_set_activatable (list_item, !header);
  ls_move_row_set_item (LS_MOVE_ROW (gtk_list_item_get_child (list_item)), item);
  selected_changed (list_item);
}

static void
unbind_row (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsMovesView              *self)
{
  ls_move_row_set_item (LS_MOVE_ROW (gtk_list_item_get_child (list_item)), NULL);
}

static void
activated (LsMovesView *self,
           guint        position)
{
  g_autoptr (LsMoveItem) item = NULL;

  item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  if (item == NULL || ls_move_item_is_header (item))
    return;
  if (LS_MOVE_GROUP_CAN (ls_move_item_get (item)->group))
    ls_session_apply (self->session, item);
}

/* ---- groups ------------------------------------------------------------- */

static gboolean
in_group (gpointer item,
          gpointer group)
{
  return ls_move_item_get (item)->group == GPOINTER_TO_UINT (group);
}

static void
update_counts (LsMovesView *self)
{
  for (guint i = 0; i < LS_MOVE_N_GROUPS; i++)
    {
      guint n = g_list_model_get_n_items (self->groups[i]);
      g_autofree char *text = g_strdup_printf ("%u", n);
      g_autoptr (LsMoveItem) old = g_list_model_get_item (G_LIST_MODEL (self->headers[i]), 0);
      g_autoptr (LsMoveItem) header = NULL;

      gtk_label_set_label (GTK_LABEL (self->count_labels[i]), text);
      if (old != NULL && ls_move_item_get_count (old) == n)
        continue;
      header = ls_move_item_new_header (i, n);
      g_list_store_splice (self->headers[i], 0, old != NULL ? 1 : 0, (gpointer *) &header, 1);
    }
}

static GListModel *
make_model (LsMovesView *self)
{
  GListStore *parts = g_list_store_new (G_TYPE_LIST_MODEL);

  for (guint i = 0; i < LS_MOVE_N_GROUPS; i++)
    {
      GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (in_group, GUINT_TO_POINTER (i),
                                                             NULL));

      self->headers[i] = g_list_store_new (LS_TYPE_MOVE_ITEM);
      self->groups[i] = G_LIST_MODEL (gtk_filter_list_model_new (
        g_object_ref (ls_session_get_moves (self->session)), filter));
      g_list_store_append (parts, self->headers[i]);
      g_list_store_append (parts, self->groups[i]);
    }

  return G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (parts)));
}

static guint
header_position (LsMovesView *self,
                 guint        group)
{
  guint position = 0;

  for (guint i = 0; i < group; i++)
    position += 1 + g_list_model_get_n_items (self->groups[i]);
  return position;
}

static void
count_clicked (LsMovesView *self,
               GtkButton   *button)
{
  guint group = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ls-group"));

  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u",
                              header_position (self, group));
}

static void
add_counts (LsMovesView *self)
{
  static const char *const classes[] = { "can", "risky", "with-change", "cannot" };

  for (guint i = 0; i < LS_MOVE_N_GROUPS; i++)
    {
      GtkWidget *button = gtk_button_new ();
      GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      GtkWidget *icon = gtk_image_new_from_icon_name (ls_move_group_icon (i));

      gtk_widget_add_css_class (icon, classes[i]);
      self->count_labels[i] = gtk_label_new ("0");
      gtk_box_append (GTK_BOX (line), icon);
      gtk_box_append (GTK_BOX (line), self->count_labels[i]);
      gtk_button_set_child (GTK_BUTTON (button), line);
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_tooltip_text (button, ls_move_group_title (i));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      ls_move_group_title (i), -1);
      g_object_set_data (G_OBJECT (button), "ls-group", GUINT_TO_POINTER (i));
      g_signal_connect_swapped (button, "clicked", G_CALLBACK (count_clicked), self);
      gtk_box_append (GTK_BOX (self->counts), button);
    }
}

/* The strip fades in only while rows are out of sight; it always has its height,
 * so that the list does not jump. */
static void
scroll_changed (LsMovesView   *self,
                GtkAdjustment *scroll)
{
  gboolean longer = gtk_adjustment_get_upper (scroll) >
                    gtk_adjustment_get_page_size (scroll) + 1.0;

  gtk_widget_set_opacity (self->counts, longer ? 1.0 : 0.0);
  gtk_widget_set_sensitive (self->counts, longer);
}

/* ---- following the session ---------------------------------------------- */

static char *
selection_detail (const LsLoopRecord *record)
{
  GString *text = g_string_new (NULL);

  if (record->kind != LS_LOOP_BLOCK && record->extent >= 0)
    g_string_append_printf (text, _("extent %" PRId64), record->extent);
  else if (record->kind != LS_LOOP_BLOCK && record->extent_text != NULL)
    g_string_append_printf (text, _("extent %s"), record->extent_text);
  if (record->block != NULL)
    g_string_append_printf (text, "%s%s %s", text->len > 0 ? ", " : "", _("in block"),
                            record->block);

  return g_string_free (text, FALSE);
}

static void
update_title (LsMovesView *self)
{
  LsLoopItem *item = ls_session_get_selected (self->session);
  const LsLoopRecord *record = item != NULL ? ls_loop_item_get (item) : NULL;
  const char *letter = record != NULL ? ls_loop_kind_letter (record->kind) : NULL;
  g_autofree char *detail = record != NULL ? selection_detail (record) : g_strdup ("");

  gtk_label_set_label (GTK_LABEL (self->title), record != NULL ? _("Moves for") : _("Moves"));
  gtk_label_set_label (GTK_LABEL (self->name), record != NULL ? record->name : "");
  gtk_label_set_label (GTK_LABEL (self->subtitle), detail);
  gtk_widget_set_visible (self->name, record != NULL);
  if (record != NULL && record->kind == LS_LOOP_BLOCK)
    ls_mark_set_badge (LS_MARK (self->chips), LS_BADGE_EMPTY, NULL);
  else
    ls_mark_set_families (LS_MARK (self->chips),
                          record != NULL ? &record->families : &LS_FAMILIES_NONE);
  if (letter != NULL)
    ls_mark_set_badge (LS_MARK (self->kind), ls_badge_for_kind (record->kind), letter);
  gtk_widget_set_visible (self->kind, letter != NULL);
  if (record != NULL && record->reduction)
    ls_mark_set_badge (LS_MARK (self->reduction), LS_BADGE_DOUBLE, "R");
  gtk_widget_set_visible (self->reduction, record != NULL && record->reduction);
}

static void
open_again (LsMovesView *self)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint position = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < g_list_model_get_n_items (model) && self->open != NULL; i++)
    {
      g_autoptr (LsMoveItem) item = g_list_model_get_item (model, i);

      if (!ls_move_item_is_header (item) && position == GTK_INVALID_LIST_POSITION &&
          g_strcmp0 (ls_move_item_get (item)->name, self->open) == 0)
        position = i;
    }

  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->syncing = FALSE;
}

static void
update (LsMovesView *self)
{
  gboolean any = g_list_model_get_n_items (ls_session_get_moves (self->session)) > 0;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "list" : "empty");
  ls_status_set (LS_STATUS (self->status),
                 ls_session_get_selected (self->session) != NULL
                   ? _("Nothing can be done here.")
                   : _("Select a loop or block to see what can be done to it."),
                 NULL, NULL, NULL);
  update_title (self);
}

static gboolean
scroll_to_top (gpointer data)
{
  LsMovesView *self = data;

  self->to_top = 0;
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", 0);
  return G_SOURCE_REMOVE;
}

static void
queue_top (LsMovesView *self)
{
  if (self->to_top == 0)
    self->to_top = g_idle_add (scroll_to_top, self);
}

static void
selection_of_session_changed (LsMovesView *self)
{
  update (self);
  queue_top (self);
}

static void
moves_changed (LsMovesView *self)
{
  update_counts (self);
  open_again (self);
  update (self);
}

static void
selection_changed (LsMovesView *self)
{
  LsMoveItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (self->syncing || item == NULL || ls_move_item_is_header (item))
    return;
  g_free (self->open);
  self->open = g_strdup (ls_move_item_get (item)->name);
  ls_session_preview (self->session, item);
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

  g_clear_handle_id (&self->to_top, g_source_remove);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (ls_session_get_moves (self->session), self);
      gtk_list_view_set_model (GTK_LIST_VIEW (self->list), NULL);
    }
  g_clear_object (&self->selection);
  for (guint i = 0; i < LS_MOVE_N_GROUPS; i++)
    {
      g_clear_object (&self->headers[i]);
      g_clear_object (&self->groups[i]);
    }
  g_clear_pointer (&self->open, g_free);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_moves_view_parent_class)->dispose (object);
}

static void
ls_moves_view_class_init (LsMovesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_moves_view_dispose;
  g_type_ensure (LS_TYPE_MARK);
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/moves-view.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, LsMovesView, name)
  BIND (box);
  BIND (title);
  BIND (chips);
  BIND (name);
  BIND (kind);
  BIND (reduction);
  BIND (subtitle);
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
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkAdjustment *scroll;

  gtk_widget_init_template (GTK_WIDGET (self));
  add_counts (self);
  scroll = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  g_signal_connect_swapped (scroll, "changed", G_CALLBACK (scroll_changed), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
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
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  self->selection = gtk_single_selection_new (make_model (self));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  gtk_list_view_set_factory (GTK_LIST_VIEW (self->list), factory);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->list), GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_swapped (ls_session_get_moves (session), "items-changed",
                            G_CALLBACK (moves_changed), self);
  g_signal_connect_swapped (session, "notify::selection",
                            G_CALLBACK (selection_of_session_changed), self);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (update), self);
  moves_changed (self);
}

/* GTK 4.8 has no call that focuses a row; its widget is a child of the list. */
static gboolean
focus_row (LsMovesView *self,
           LsMoveItem  *item)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      GtkWidget *child = gtk_widget_get_first_child (row);

      if (LS_IS_MOVE_ROW (child) && ls_move_row_get_item (LS_MOVE_ROW (child)) == item)
        return gtk_widget_grab_focus (row);
    }
  return FALSE;
}

void
ls_moves_view_focus (LsMovesView *self)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint position = gtk_single_selection_get_selected (self->selection);
  g_autoptr (LsMoveItem) item = NULL;

  for (guint i = 0; position == GTK_INVALID_LIST_POSITION && i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (LsMoveItem) move = g_list_model_get_item (model, i);

      if (!ls_move_item_is_header (move))
        position = i;
    }
  if (position != GTK_INVALID_LIST_POSITION)
    {
      gtk_single_selection_set_selected (self->selection, position);
      item = g_list_model_get_item (model, position);
    }
  if (item == NULL || !focus_row (self, item))
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
