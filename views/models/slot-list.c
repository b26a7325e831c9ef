/* LsSlotList: an array of slots; filling it emits ::changed for those that hold something else, then ::items-changed once
 * for the difference in length. */
#include "views/models/slot-list.h"

struct _LsSlot
{
  GObject  parent_instance;

  GObject *item;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsSlot, ls_slot, G_TYPE_OBJECT)

static void
ls_slot_dispose (GObject *object)
{
  g_clear_object (&LS_SLOT (object)->item);
  G_OBJECT_CLASS (ls_slot_parent_class)->dispose (object);
}

static void
ls_slot_class_init (LsSlotClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_slot_dispose;

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_slot_init (LsSlot *self)
{
}

gpointer
ls_slot_get (LsSlot *self)
{
  return self->item;
}

struct _LsSlotList
{
  GObject    parent_instance;

  GPtrArray *slots;             /* of LsSlot */
};

static GType
get_item_type (GListModel *model)
{
  return LS_TYPE_SLOT;
}

static guint
get_n_items (GListModel *model)
{
  return LS_SLOT_LIST (model)->slots->len;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  LsSlotList *self = LS_SLOT_LIST (model);

  return position < self->slots->len ? g_object_ref (g_ptr_array_index (self->slots, position)) : NULL;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LsSlotList, ls_slot_list, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
ls_slot_list_finalize (GObject *object)
{
  g_ptr_array_unref (LS_SLOT_LIST (object)->slots);
  G_OBJECT_CLASS (ls_slot_list_parent_class)->finalize (object);
}

static void
ls_slot_list_class_init (LsSlotListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_slot_list_finalize;
}

static void
ls_slot_list_init (LsSlotList *self)
{
  self->slots = g_ptr_array_new_with_free_func (g_object_unref);
}

LsSlotList *
ls_slot_list_new (void)
{
  return g_object_new (LS_TYPE_SLOT_LIST, NULL);
}

static void
put (LsSlotList *self,
     guint       position,
     GObject    *item)
{
  LsSlot *slot = g_ptr_array_index (self->slots, position);

  if (g_set_object (&slot->item, item))
    g_signal_emit (slot, signals[CHANGED], 0);
}

void
ls_slot_list_fill (LsSlotList *self,
                   GPtrArray  *items)
{
  guint before = self->slots->len;

  for (guint i = 0; i < MIN (before, items->len); i++)
    put (self, i, g_ptr_array_index (items, i));
  if (items->len < before)
    g_ptr_array_remove_range (self->slots, items->len, before - items->len);
  for (guint i = before; i < items->len; i++)
    {
      LsSlot *slot = g_object_new (LS_TYPE_SLOT, NULL);

      slot->item = g_object_ref (g_ptr_array_index (items, i));
      g_ptr_array_add (self->slots, slot);
    }
  if (items->len != before)
    g_list_model_items_changed (G_LIST_MODEL (self), MIN (before, items->len), before - MIN (before, items->len),
                                items->len - MIN (before, items->len));
}

gpointer
ls_slot_list_at (LsSlotList *self,
                 guint       position)
{
  return position < self->slots->len ? ls_slot_get (g_ptr_array_index (self->slots, position)) : NULL;
}
