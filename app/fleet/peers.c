/* peers: see the header. */
#include "app/fleet/peers.h"

#include "engine/base/json.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

void
ls_fleet_peer_free (gpointer data)
{
  LsFleetPeer *self = data;

  g_free (self->name);
  g_free (self->kind);
  g_free (self->cpu);
  g_free (self->api);
  g_free (self->device);
  g_free (self->version);
  g_free (self->doing);
  g_free (self->run);
  g_free (self->id);
  g_free (self);
}

LsFleetPeer *
ls_fleet_peers_find (GPtrArray  *peers,
                     const char *name)
{
  for (guint i = 0; i < peers->len; i++)
    if (strcmp (((LsFleetPeer *) peers->pdata[i])->name, name) == 0)
      return peers->pdata[i];
  return NULL;
}

static char *
text_in (JsonObject *object,
         const char *name)
{
  const char *text = ls_json_text (object, name);

  return g_strdup (text != NULL ? text : "");
}

LsFleetPeer *
ls_fleet_peer_read (GPtrArray  *peers,
                    const char *name,
                    const char *text)
{
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  LsFleetPeer *peer, *before = ls_fleet_peers_find (peers, name);

  if (object == NULL)
    return NULL;
  peer = g_new0 (LsFleetPeer, 1);
  *peer = (LsFleetPeer) {
    .name = g_strdup (name), .kind = text_in (object, "kind"), .cpu = text_in (object, "cpu"), .api = text_in (object, "api"),
    .device = text_in (object, "device"), .version = text_in (object, "version"),
    .doing = text_in (object, "doing"), .run = text_in (object, "run"), .id = text_in (object, "id"), .cores = (gint64) ls_json_double (object, "cores", 0),
    .done = (gint64) ls_json_double (object, "done", 0), .died = (gint64) ls_json_double (object, "died", 0), .beat = (gint64) ls_json_double (object, "beat", 0),
    .lease_ms = (gint64) ls_json_double (object, "lease-ms", 0), .for_ms = (gint64) ls_json_double (object, "for-ms", 0), .load = ls_json_double (object, "load", 0),
  };
  peer->heard = before != NULL && before->beat == peer->beat ? before->heard : g_get_monotonic_time ();
  return peer;
}

static gint
by_name (gconstpointer a,
         gconstpointer b)
{
  const LsFleetPeer *x = *(LsFleetPeer *const *) a, *y = *(LsFleetPeer *const *) b;

  return strcmp (x->name, y->name);
}

void
ls_fleet_peers_sort (GPtrArray *peers)
{
  g_ptr_array_sort (peers, by_name);
}

gboolean
ls_fleet_peer_is_silent (const LsFleetPeer *peer)
{
  return g_get_monotonic_time () - peer->heard > 2000 * MAX (peer->lease_ms, 1000);
}

/* Whether it measures on what this search is for: a device of this interface, or the processor. */
static gboolean
is_fit (const LsFleetPeer *peer,
        const char        *api)
{
  return strcmp (peer->api, api != NULL ? api : "") == 0;
}

guint
ls_fleet_peers_count (GPtrArray  *peers,
                      const char *kind,
                      const char *api)
{
  guint n = 0;

  for (guint i = 0; i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];

      n += strcmp (peer->kind, kind) == 0 && is_fit (peer, api) && strcmp (peer->doing, "leaving") != 0 && !ls_fleet_peer_is_silent (peer);
    }
  return n;
}

const char *
ls_fleet_peers_best_kind (GPtrArray  *peers,
                          const char *api)
{
  const char *best = NULL;
  guint most = 0;

  for (guint i = 0; i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];
      guint n = ls_fleet_peers_count (peers, peer->kind, api);

      if (n > most || (n == most && n > 0 && strcmp (peer->kind, best) < 0))
        {
          most = n;
          best = peer->kind;
        }
    }
  return best;
}

char *
ls_fleet_peers_say_none (GPtrArray  *peers,
                         const char *kind,
                         const char *api,
                         const char *queue)
{
  const char *wanted = api != NULL ? api : _("the processor");

  for (guint i = 0; kind != NULL && i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];

      if (strcmp (peer->kind, kind) == 0 && !is_fit (peer, api) && !ls_fleet_peer_is_silent (peer))
        return *peer->api == '\0' ? g_strdup_printf (_("Machines of the kind %s measure on their processor; this search is for %s."), kind, wanted)
                                  : g_strdup_printf (_("Machines of the kind %s measure on %s by %s; this search is for %s."), kind, peer->device, peer->api, wanted);
    }
  if (kind != NULL)
    return g_strdup_printf (_("No machine of the kind %s takes jobs from %s now."), kind, queue);
  return api == NULL ? g_strdup_printf (_("No machine takes jobs from %s."), queue)
                     : g_strdup_printf (_("No machine with --device %s takes jobs from %s."), api, queue);
}
