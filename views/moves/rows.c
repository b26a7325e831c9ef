/* moves/rows: see the header. */
#include "views/moves/rows.h"

#include "views/models/slot-list.h"
#include "views/moves/row.h"

#define ROWS_A_FRAME 7

struct _LsMoveRows {
  GtkWidget *view;
  LsSession *session;
  GPtrArray *late;     /* list items whose words wait for a frame, borrowed */
  guint      tick;     /* that gives them theirs, or 0 */
  guint      n_shown;  /* since the last frame */
};

static void
show_row (GtkListItem *list_item)
{
  LsMoveItem *item = ls_slot_get (gtk_list_item_get_item (list_item));
  LsMoveRow *row = LS_MOVE_ROW (gtk_list_item_get_child (list_item));
  gboolean header = ls_move_item_is_header (item);

  gtk_list_item_set_selectable (list_item, !header);
  gtk_list_item_set_activatable (list_item, !header);
  ls_move_row_set_item (row, item);
  ls_move_row_set_unfolded (row, gtk_list_item_get_selected (list_item));
}

static guint
show_late (LsMoveRows *self,
           guint       most)
{
  guint n = MIN (self->late->len, most);

  for (guint i = 0; i < n; i++)
    show_row (g_ptr_array_index (self->late, i));
  if (n > 0)
    g_ptr_array_remove_range (self->late, 0, n);
  return n;
}

static gboolean
show_some_rows (GtkWidget     *widget,
                GdkFrameClock *clock,
                gpointer       data)
{
  LsMoveRows *self = data;
  guint n = show_late (self, ROWS_A_FRAME);

  self->n_shown = n;
  if (n > 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

/* Before the window is on the screen there is no frame to wait for. */
static void
show_slot (LsMoveRows  *self,
           GtkListItem *list_item)
{
  if (g_ptr_array_find (self->late, list_item, NULL))
    return;
  if (self->tick == 0 && gtk_widget_get_mapped (self->view))
    self->tick = gtk_widget_add_tick_callback (self->view, show_some_rows, self, NULL);
  if (self->tick != 0 && (self->late->len > 0 || self->n_shown >= ROWS_A_FRAME))
    {
      g_ptr_array_add (self->late, list_item);
      return;
    }
  self->n_shown++;
  show_row (list_item);
}

static LsMoveRows *
rows_of (GtkListItem *list_item)
{
  return g_object_get_data (G_OBJECT (list_item), "ls-rows");
}

static void
slot_changed (GtkListItem *list_item)
{
  show_slot (rows_of (list_item), list_item);
}

static void
selected_changed (GtkListItem *list_item)
{
  if (!g_ptr_array_find (rows_of (list_item)->late, list_item, NULL))
    ls_move_row_set_unfolded (LS_MOVE_ROW (gtk_list_item_get_child (list_item)), gtk_list_item_get_selected (list_item));
}

static void
setup_row (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           LsMoveRows               *self)
{
  gtk_list_item_set_child (list_item, ls_move_row_new (self->session));
  g_object_set_data (G_OBJECT (list_item), "ls-rows", self);
  g_signal_connect (list_item, "notify::selected", G_CALLBACK (selected_changed), NULL);
}

static void
bind_row (GtkSignalListItemFactory *factory,
          GtkListItem              *list_item,
          LsMoveRows               *self)
{
  g_signal_connect_swapped (gtk_list_item_get_item (list_item), "changed", G_CALLBACK (slot_changed), list_item);
  show_slot (self, list_item);
}

static void
unbind_row (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsMoveRows               *self)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), slot_changed, list_item);
  g_ptr_array_remove (self->late, list_item);
  ls_move_row_set_item (LS_MOVE_ROW (gtk_list_item_get_child (list_item)), NULL);
}

LsMoveRows *
ls_move_rows_new (GtkWidget *view,
                  LsSession *session)
{
  LsMoveRows *self = g_new0 (LsMoveRows, 1);

  self->view = view;
  self->session = g_object_ref (session);
  self->late = g_ptr_array_new ();
  return self;
}

void
ls_move_rows_free (LsMoveRows *self)
{
  if (self == NULL)
    return;
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (self->view, self->tick);
  g_object_unref (self->session);
  g_ptr_array_unref (self->late);
  g_free (self);
}

GtkListItemFactory *
ls_move_rows_new_factory (LsMoveRows *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  return factory;
}

void
ls_move_rows_show_all (LsMoveRows *self)
{
  show_late (self, G_MAXUINT);
}
