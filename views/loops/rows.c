/* The rows of the loop view: as many as were shown yet, the selected one, those that are folded.
 *
 * Rows are costly to make: of a new document the first ones are there at once, the others come a few in a turn.  What is folded is
 * remembered by the ids of the loops, so that it survives a step.
 */
#include "views/loops/private.h"

#include "views/loops/cell.h"
#include "views/loops/places.h"
#include "views/models/gradual-list.h"
#include "views/parts/later.h"
#include "views/parts/pace.h"

#define FIRST_ROWS 8
#define MANY_ROWS 64            /* that may come between others at once */
#define FUNCTIONS 8             /* a module of thousands of loops opens so many at a time, */
#define FOCUS_MS 40             /* until rows that came have widgets */
#define NESTS 128               /* and so many nests of each */

/* ---- as many as were shown ------------------------------------------------ */

static GListModel *
create_children (gpointer item,
                 gpointer data)
{
  GListModel *children = ls_loop_item_get_children (item);

  return children != NULL ? G_LIST_MODEL (ls_gradual_list_new (children, NESTS)) : NULL;
}

/* ---- selected and folded -------------------------------------------------- */

static void
selection_changed (LsLoopView *self)
{
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);
  g_autoptr (LsLoopItem) item = NULL;

  if (self->syncing || row == NULL)
    return;
  item = gtk_tree_list_row_get_item (row);
  if (item != NULL)
    ls_session_select (self->session, ls_loop_item_get (item)->id);
}

static void
sync_selection (LsLoopView *self)
{
  guint64 id = ls_session_get_selection (self->session);
  gboolean whole;
  guint position = ls_loop_places_find (self->tree, ls_session_get_loops (self->session), id, &whole);

  if (!whole)
    position = GTK_INVALID_LIST_POSITION;
  if (position != GTK_INVALID_LIST_POSITION)
    ls_gradual_list_reach (self->rows, position);
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->syncing = FALSE;
}

/* Rows stay while another loop comes to stand in them: what is folded goes by the loop. */
static void
fold_again (LsLoopView *self)
{
  if (g_hash_table_size (self->folded) == 0)
    return;
  self->syncing = TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), i);
      g_autoptr (LsLoopItem) item = gtk_tree_list_row_get_item (row);

      gtk_tree_list_row_set_expanded (row, !g_hash_table_contains (self->folded, &ls_loop_item_get (item)->id));
    }
  self->syncing = FALSE;
}

void
ls_loop_view_row_expanded (LsLoopView     *self,
                           GParamSpec     *pspec,
                           GtkTreeListRow *row)
{
  g_autoptr (LsLoopItem) item = gtk_tree_list_row_get_item (row);
  guint64 id;

  if (item == NULL || self->syncing)
    return;
  id = ls_loop_item_get (item)->id;
  if (gtk_tree_list_row_get_expanded (row))
    g_hash_table_remove (self->folded, &id);
  else
    g_hash_table_add (self->folded, g_memdup2 (&id, sizeof id));
}

void
ls_loop_view_expand_all (LsLoopView *self,
                         gboolean    expanded)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), i);

      gtk_tree_list_row_set_expanded (row, expanded);
    }
  sync_selection (self);
}

/* ---- coming and going ----------------------------------------------------- */

/* The item whose row has the keyboard, or NULL. */
static LsLoopItem *
focused_item (LsLoopView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  for (guint i = 0; focus != NULL && i < self->cells->len; i++)
    if (self->cells->pdata[i] == focus || gtk_widget_is_ancestor (self->cells->pdata[i], focus))
      return ls_loop_cell_get_item (self->cells->pdata[i]);
  return NULL;
}

static gboolean
is_there (LsLoopView *self,
          LsLoopItem *item)
{
  gboolean whole;
  guint position = ls_loop_places_find (self->tree, ls_session_get_loops (self->session), ls_loop_item_get (item)->id, &whole);
  g_autoptr (GtkTreeListRow) row = whole ? g_list_model_get_item (G_LIST_MODEL (self->tree), position) : NULL;
  g_autoptr (LsLoopItem) other = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;

  return other == item;
}

static gboolean
rows_came (gpointer data)
{
  LsLoopView *self = data;

  self->coming = 0;
  fold_again (self);
  if (gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION)
    sync_selection (self);
  return G_SOURCE_REMOVE;
}

/* The keyboard comes back to the selected row, unless it went somewhere else meanwhile. */
static void
take_focus (gpointer data)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (data));

  if (root != NULL && gtk_root_get_focus (root) == NULL)
    ls_loop_view_focus (data);
}

/* A row that goes does not take the focus with it: GTK would leave it there until the next frame, and keys that come before that
 * would reach nobody.  Rows change before ::module-changed; of a large module some come later. */
static void
rows_change (LsLoopView *self,
             guint       position,
             guint       removed,
             guint       added)
{
  LsLoopItem *focused = removed > 0 ? focused_item (self) : NULL;

  if (focused != NULL && !is_there (self, focused))
    {
      gtk_root_set_focus (gtk_widget_get_root (self->view), NULL);
      ls_later (self, G_PRIORITY_DEFAULT_IDLE, FOCUS_MS, take_focus);
    }
  if (added > 0 && self->coming == 0 && (g_hash_table_size (self->folded) > 0 || ls_session_get_selection (self->session) != 0))
    self->coming = g_idle_add_full (G_PRIORITY_LOW, rows_came, self, NULL);
}

void
ls_loop_view_renew_rows (LsLoopView *self)
{
  fold_again (self);
  sync_selection (self);
}

void
ls_loop_view_add_rows (LsLoopView *self)
{
  LsSession *session = self->session;

  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (ls_gradual_list_new (ls_session_get_loops (session), FUNCTIONS)), FALSE, TRUE,
                                        create_children, NULL, NULL);
  g_signal_connect_swapped (self->tree, "items-changed", G_CALLBACK (rows_change), self);
  self->rows = ls_gradual_list_new (G_LIST_MODEL (self->tree), MANY_ROWS);
  ls_gradual_list_set_first (self->rows, FIRST_ROWS);
  ls_pace_list (self->view, self->rows);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (sync_selection), self);
}

void
ls_loop_view_remove_rows (LsLoopView *self)
{
  g_clear_handle_id (&self->coming, g_source_remove);
  if (self->tree != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->tree, self);
      gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
    }
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->tree);
}
