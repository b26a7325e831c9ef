/* parts/refill: see the header. */
#include "views/parts/refill.h"

#define STEP 8
#define ROWS 240                /* that a list view has widgets for, and some */

typedef struct {
  GPtrArray  *items;
  guint       at;               /* so many are there */
  LsLaterFunc done;
  GWeakRef    object;
} Refill;

static void
refill_free (gpointer data)
{
  Refill *self = data;

  g_ptr_array_unref (self->items);
  g_weak_ref_clear (&self->object);
  g_free (self);
}

static GQuark
refill_quark (void)
{
  return g_quark_from_static_string ("ls-refill");
}

/* The next part. TRUE: it was the last one. */
static gboolean
put_part (GListStore *store,
          Refill     *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store)), before = n - self->at, now = self->items->len - self->at;

  if (self->at < ROWS)
    {
      before = MIN (before, STEP);
      now = MIN (now, STEP);
    }
  g_list_store_splice (store, self->at, before, self->items->pdata + self->at, now);
  self->at += now;
  return self->at == self->items->len && g_list_model_get_n_items (G_LIST_MODEL (store)) == self->at;
}

static void
go_on (gpointer data)
{
  g_autoptr (GListStore) store = g_object_ref (data);   /* who follows the list may let go of it */
  Refill *self = g_object_get_qdata (G_OBJECT (store), refill_quark ());
  g_autoptr (GObject) object = NULL;
  LsLaterFunc done;

  if (self == NULL)
    return;
  if (!put_part (store, self))
    {
      if (g_object_get_qdata (G_OBJECT (store), refill_quark ()) == self)       /* who follows the list may have asked for others */
        ls_later (store, G_PRIORITY_DEFAULT_IDLE, 0, go_on);
      return;
    }
  if (g_object_get_qdata (G_OBJECT (store), refill_quark ()) != self)
    return;
  done = self->done;
  object = g_weak_ref_get (&self->object);
  g_object_set_qdata (G_OBJECT (store), refill_quark (), NULL);
  if (done != NULL && object != NULL)
    done (object);
}

void
ls_refill (GListStore  *store,
           GPtrArray   *items,
           LsLaterFunc  done,
           gpointer     object)
{
  Refill *self = g_new0 (Refill, 1);

  self->items = items;
  self->done = done;
  g_weak_ref_init (&self->object, object);
  ls_later_cancel (store, go_on);
  g_object_set_qdata_full (G_OBJECT (store), refill_quark (), self, refill_free);
  go_on (store);
}

gboolean
ls_refill_is_busy (GListStore *store)
{
  return g_object_get_qdata (G_OBJECT (store), refill_quark ()) != NULL;
}
