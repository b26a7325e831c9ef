/* fleet: the machines that measure for a queue, and the jobs that were put aside.
 *
 *   --queue URL, --auth FILE   the queue (app/fleet/fleet.h)
 *   --watch                    again each second
 *   --measure                  measures programs that standard input has (fleet-measure.h), for meta_schedule's RPCRunner
 */
#include "app/cli/fleet-measure.h"
#include "app/cli/remote.h"
#include "app/fleet/fleet.h"

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 3000        /* for a first answer */

typedef struct {
  LsFleetClient *client;
  GMainLoop     *loop;
  gboolean       watch, json, measure, answered;
  guint          n_told, limit;
} Fleet;

static void
put_text (GVariantDict *dict, const char *name, const char *text)
{
  if (*text != '\0')
    g_variant_dict_insert (dict, name, "s", text);
}

static void
print_json (Fleet *self)
{
  GPtrArray *peers = ls_fleet_client_get_peers (self->client), *aside = ls_fleet_client_get_aside (self->client);
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder machines, reasons;
  GVariantDict dict;

  g_variant_builder_init (&machines, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];
      GVariantDict one;

      g_variant_dict_init (&one, NULL);
      put_text (&one, "name", peer->name);
      put_text (&one, "kind", peer->kind);
      put_text (&one, "cpu", peer->cpu);
      put_text (&one, "driver", peer->api);
      put_text (&one, "device", peer->device);
      put_text (&one, "version", peer->version);
      put_text (&one, "doing", peer->doing);
      put_text (&one, "run", peer->run);
      put_text (&one, "job", peer->id);
      g_variant_dict_insert (&one, "cores", "x", peer->cores);
      g_variant_dict_insert (&one, "load", "d", peer->load);
      g_variant_dict_insert (&one, "measured", "x", peer->done);
      g_variant_dict_insert (&one, "workers-lost", "x", peer->died);
      g_variant_dict_insert (&one, "for-ms", "x", peer->for_ms);
      g_variant_builder_add_value (&machines, g_variant_dict_end (&one));
    }
  g_variant_builder_init (&reasons, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < aside->len; i++)
    g_variant_builder_add (&reasons, "s", (char *) aside->pdata[i]);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "machines", g_variant_builder_end (&machines));
  g_variant_dict_insert_value (&dict, "put-aside", g_variant_builder_end (&reasons));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (whole);
}

static void
print_text (Fleet *self)
{
  GPtrArray *peers = ls_fleet_client_get_peers (self->client), *aside = ls_fleet_client_get_aside (self->client);

  if (self->watch && isatty (STDOUT_FILENO))
    fputs ("\033[H\033[2J", stdout);
  printf ("%u machine%s\n", peers->len, peers->len == 1 ? "" : "s");
  if (peers->len > 0)
    printf ("%-28s %-32s %5s %5s %8s %5s  %s\n", "machine", "kind", "cores", "load", "measured", "lost", "does");
  for (guint i = 0; i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];

      printf ("%-28s %-32s %5" G_GINT64_FORMAT " %5.2f %8" G_GINT64_FORMAT " %5" G_GINT64_FORMAT "  %s", peer->name, peer->kind, peer->cores, peer->load, peer->done,
              peer->died, peer->doing);
      if (*peer->id != '\0')
        printf (" %s of %s for %.1f s", peer->id, peer->run, (double) peer->for_ms / 1000);
      putchar ('\n');
    }
  if (aside->len > 0)
    printf ("\nput aside\n");
  for (guint i = 0; i < aside->len; i++)
    printf ("  %s\n", (char *) aside->pdata[i]);
  fflush (stdout);
}

/* The second answer of a look has the jobs that were put aside as well. */
static void
changed (LsFleetClient *client, gpointer data)
{
  Fleet *self = data;

  if (!ls_fleet_client_is_ready (client) || self->n_told++ == 0)
    return;
  self->answered = TRUE;
  if (self->json)
    print_json (self);
  else
    print_text (self);
  if (!self->watch)
    g_main_loop_quit (self->loop);
}

static gboolean
give_up (gpointer data)
{
  Fleet *self = data;

  self->limit = 0;
  if (!self->answered)
    g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static gboolean
interrupted (gpointer data)
{
  g_main_loop_quit (((Fleet *) data)->loop);
  return G_SOURCE_CONTINUE;
}

int
ls_cli_fleet (int argc, char **argv)
{
  const char *queue = NULL, *auth = NULL, *file = NULL;
  Fleet self = { 0 };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &self.json },
    { "--watch", LS_CLI_FLAG, &self.watch },
    { "--measure", LS_CLI_FLAG, &self.measure },
    { "--queue", LS_CLI_TEXT, &queue },
    { "--auth", LS_CLI_TEXT, &auth },
    { NULL },
  };
  LsFleetClientOptions wishes = { .changed = changed, .data = &self };
  g_autoptr (LsFleetAddress) address = NULL;
  g_autoptr (GError) error = NULL;
  int status = ls_cli_args_read (argc, argv, options, &file);
  guint source;

  if (status != LS_CLI_DONE)
    return status;
  if (queue == NULL || file != NULL)
    return ls_cli_usage (argv[0], "--queue URL is expected");
  address = ls_fleet_address_parse (queue, auth, &error);
  if (address == NULL)
    return ls_cli_usage (argv[0], "%s", error->message);
  ls_fleet_address_hide ((char *) queue);
  if (self.measure)
    return ls_cli_fleet_measure (argv[0], address);
  self.client = ls_fleet_client_new (address, &wishes, &error);
  if (self.client == NULL)
    return ls_cli_fail (argv[0], "%s", error->message);
  self.loop = g_main_loop_new (NULL, FALSE);
  self.limit = g_timeout_add (PATIENCE_MS, give_up, &self);
  source = g_unix_signal_add (SIGINT, interrupted, &self);
  g_main_loop_run (self.loop);
  g_source_remove (source);
  g_clear_handle_id (&self.limit, g_source_remove);
  if (!self.answered)
    status = ls_cli_fail (argv[0], "%s", ls_fleet_client_get_problem (self.client) != NULL ? ls_fleet_client_get_problem (self.client) : "the queue did not answer");
  ls_fleet_client_free (self.client);
  g_main_loop_unref (self.loop);
  return status;
}
