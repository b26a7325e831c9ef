/* list-store: what is the same at the head and at the tail stays; the middle is spliced at once. */
#include "views/models/list-store.h"

void
ls_list_store_replace (GListStore *store,
                       GPtrArray  *items)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store));
  guint m = items != NULL ? items->len : 0;
  guint head = 0, tail = 0;

  for (; head < MIN (n, m); head++)
    {
      g_autoptr (GObject) old = g_list_model_get_item (G_LIST_MODEL (store), head);

      if (old != g_ptr_array_index (items, head))
        break;
    }
  for (; tail < MIN (n, m) - head; tail++)
    {
      g_autoptr (GObject) old = g_list_model_get_item (G_LIST_MODEL (store), n - tail - 1);

      if (old != g_ptr_array_index (items, m - tail - 1))
        break;
    }
  if (n - head - tail > 0 || m - head - tail > 0)
    g_list_store_splice (store, head, n - head - tail,
                         m > head ? items->pdata + head : NULL, m - head - tail);
}

void
ls_list_store_follow (GListStore *store,
                      GListModel *model)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    g_ptr_array_add (items, g_list_model_get_item (model, i));
  ls_list_store_replace (store, items);
}
