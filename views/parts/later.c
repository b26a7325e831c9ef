/* parts/later: each object holds what is to come for it in a list, so that several parts can ask for one object. */
#include "views/parts/later.h"

typedef struct {
  GObject     *object;
  LsLaterFunc  func;
} Later;

static GQuark
pending_quark (void)
{
  return g_quark_from_static_string ("ls-later");
}

static void
later_free (gpointer data)
{
  Later *later = data;

  g_object_unref (later->object);
  g_free (later);
}

/* No longer pending when it is called: what it does may ask for it again. */
static gboolean
run (gpointer data)
{
  Later *later = data;
  GSList *pending = g_object_get_qdata (later->object, pending_quark ());

  g_object_set_qdata (later->object, pending_quark (), g_slist_remove (pending, later));
  later->func (later->object);
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

  for (GSList *l = pending; l != NULL; l = l->next)
    if (((Later *) l->data)->func == func)
      return;
  later = g_new (Later, 1);
  *later = (Later) { g_object_ref (object), func };
  g_object_set_qdata (object, pending_quark (), g_slist_prepend (pending, later));
  if (ms > 0)
    g_timeout_add_full (priority, ms, run, later, later_free);
  else
    g_idle_add_full (priority, run, later, later_free);
}
