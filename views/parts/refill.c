/* parts/refill: see the header. */
#include "views/parts/refill.h"

#include "views/parts/pace.h"

#define FIRST 8
#define STEP 2
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
watched_quark (void)
{
  return g_quark_from_static_string ("ls-refill-watched");
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
      guint most = self->at == 0 ? FIRST : STEP;

      before = MIN (before, most);
      now = MIN (now, most);
    }
  g_list_store_splice (store, self->at, before, self->items->pdata + self->at, now);
  self->at += now;
  return self->at == self->items->len && g_list_model_get_n_items (G_LIST_MODEL (store)) == self->at;
}

/* TRUE: there is more. */
static gboolean
go_on (gpointer data)
{
  g_autoptr (GListStore) store = g_object_ref (data);   /* who follows the list may let go of it */
  Refill *self = g_object_get_qdata (G_OBJECT (store), refill_quark ());
  g_autoptr (GObject) object = NULL;
  LsLaterFunc done;

  if (self == NULL)
    return FALSE;
  if (!put_part (store, self))
    return TRUE;
  if (g_object_get_qdata (G_OBJECT (store), refill_quark ()) != self)   /* who follows the list may have asked for others */
    return g_object_get_qdata (G_OBJECT (store), refill_quark ()) != NULL;
  done = self->done;
  object = g_weak_ref_get (&self->object);
  g_object_set_qdata (G_OBJECT (store), refill_quark (), NULL);
  if (done != NULL && object != NULL)
    done (object);
  return g_object_get_qdata (G_OBJECT (store), refill_quark ()) != NULL;
}

static void
store_goes (gpointer  data,
            GObject  *store)
{
  ls_pace_remove (store);
}

void
ls_refill (GListStore  *store,
           GtkWidget   *view,
           GPtrArray   *items,
           LsLaterFunc  done,
           gpointer     object)
{
  g_autoptr (GListStore) held = g_object_ref (store);   /* who follows the list may let go of it */
  Refill *self = g_new0 (Refill, 1);

  self->items = items;
  self->done = done;
  g_weak_ref_init (&self->object, object);
  ls_pace_remove (store);
  if (g_object_get_qdata (G_OBJECT (store), watched_quark ()) == NULL)
    g_object_weak_ref (G_OBJECT (store), store_goes, NULL);
  g_object_set_qdata (G_OBJECT (store), watched_quark (), store);
  g_object_set_qdata_full (G_OBJECT (store), refill_quark (), self, refill_free);
  if (go_on (store))
    ls_pace_add (view, go_on, store);
}

gboolean
ls_refill_is_busy (GListStore *store)
{
  return g_object_get_qdata (G_OBJECT (store), refill_quark ()) != NULL;
}
