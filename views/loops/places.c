/* loops/places: see the header. */
#include "views/loops/places.h"

/* The positions that lead to `id`, the last first. */
static gboolean
find_way (GListModel *items,
          guint64     id,
          GArray     *way)
{
  for (guint i = 0; items != NULL && i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (items, i);

      if (ls_loop_item_get (item)->id != id && !find_way (ls_loop_item_get_children (item), id, way))
        continue;
      g_array_append_val (way, i);
      return TRUE;
    }
  return FALSE;
}

guint
ls_loop_places_find (GtkTreeListModel *tree,
                     GListModel       *loops,
                     guint64           id,
                     gboolean         *whole)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GtkTreeListRow) row = NULL;
  guint left;

  if (whole != NULL)
    *whole = FALSE;
  if (id == 0 || !find_way (loops, id, way))
    return GTK_INVALID_LIST_POSITION;
  for (left = way->len; left > 0; left--)
    {
      guint at = g_array_index (way, guint, left - 1);
      GtkTreeListRow *next = row == NULL ? gtk_tree_list_model_get_child_row (tree, at) : gtk_tree_list_row_get_child_row (row, at);

      if (next == NULL)
        break;
      g_clear_object (&row);
      row = next;
    }
  if (row == NULL)
    return GTK_INVALID_LIST_POSITION;
  if (whole != NULL)
    *whole = left == 0;
  return gtk_tree_list_row_get_position (row);
}
