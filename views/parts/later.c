/* parts/later: each object knows what is to come for it by a list, so that several parts can ask for one object.
 *
 * Only a weak reference is held: what is to come is forgotten when the object is disposed of, also what its parts ask for while they
 * go, which an identifier that its dispose clears does not cover.
 */
#include "views/parts/later.h"

typedef struct {
  GObject     *object;          /* borrowed */
  LsLaterFunc  func;
  guint        source;
} Later;

static GQuark
pending_quark (void)
{
  return g_quark_from_static_string ("ls-later");
}

static void
set_pending (GObject *object,
             GSList  *pending)
{
  g_object_set_qdata (object, pending_quark (), pending);
}

static Later *
find (gpointer    object,
      LsLaterFunc func)
{
  for (GSList *l = g_object_get_qdata (object, pending_quark ()); l != NULL; l = l->next)
    if (((Later *) l->data)->func == func)
      return l->data;
  return NULL;
}

static void
forget_all (gpointer  data,
            GObject  *object)
{
  GSList *pending = g_object_get_qdata (object, pending_quark ());

  set_pending (object, NULL);
  for (GSList *l = pending; l != NULL; l = l->next)
    g_source_remove (((Later *) l->data)->source);      /* which frees it */
  g_slist_free (pending);
}

/* The last one takes the weak reference with it. */
static void
take_out (Later *later)
{
  GSList *pending = g_slist_remove (g_object_get_qdata (later->object, pending_quark ()), later);

  set_pending (later->object, pending);
  if (pending == NULL)
    g_object_weak_unref (later->object, forget_all, NULL);
}

/* No longer pending when it is called: what it does may ask for it again. */
static gboolean
run (gpointer data)
{
  Later *later = data;
  g_autoptr (GObject) object = g_object_ref (later->object);

  take_out (later);
  later->func (object);
  return G_SOURCE_REMOVE;
}

void
ls_later (gpointer    object,
          int         priority,
          guint       ms,
          LsLaterFunc func)
{
  GSList *pending = g_object_get_qdata (object, pending_quark ());
  Later *later;

  if (find (object, func) != NULL)
    return;
  later = g_new (Later, 1);
  *later = (Later) { object, func, 0 };
  if (pending == NULL)
    g_object_weak_ref (object, forget_all, NULL);
  set_pending (object, g_slist_prepend (pending, later));
  later->source = ms > 0 ? g_timeout_add_full (priority, ms, run, later, g_free)
                         : g_idle_add_full (priority, run, later, g_free);
}

void
ls_later_cancel (gpointer    object,
                 LsLaterFunc func)
{
  Later *later = find (object, func);
  guint source = later != NULL ? later->source : 0;

  if (later == NULL)
    return;
  take_out (later);
  g_source_remove (source);
}
