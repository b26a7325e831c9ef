/* fleet --measure: each program is a run of its own, so that programs of different functions can be measured beside each other; a machine compares a program with
 * the unscheduled one, which here is itself: who asks has none, and compares by itself. */
#include "app/cli/fleet-measure.h"

#include "app/bundle/bundle.h"
#include "app/cli/cli.h"
#include "app/cli/remote.h"
#include "app/rpc/rpc.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#define MOST 32                 /* at the same time */

typedef struct _Measure Measure;

typedef struct {
  Measure       *measure;
  char          *module, *func, *target;
  LsFleetClient *client;        /* while it is under way */
  GVariant      *answer;        /* or NULL */
} Job;

struct _Measure {
  const LsFleetAddress *address;
  GPtrArray *jobs;              /* of Job */
  guint      next, n_out;
  char      *kind;
  gint64     budget, timeout, wait;     /* ms, s, s */
  gint64     well;              /* when no job had a problem, of the monotonic clock */
  GMainLoop *loop;
};

static void
job_free (gpointer data)
{
  Job *job = data;

  ls_fleet_client_free (job->client);
  g_clear_pointer (&job->answer, g_variant_unref);
  g_free (job->module);
  g_free (job->func);
  g_free (job->target);
  g_free (job);
}

static GVariant *
error_of (const char *words)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "error", "s", words);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

static gboolean
go_on (gpointer data)
{
  Measure *self = data;

  if (self->n_out == 0 && self->next == self->jobs->len)
    g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static void begin (Measure *self);

/* The client is not there any more for its own callback: it goes in a turn of its own. */
static gboolean
put_away (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->client, ls_fleet_client_free);
  job->measure->n_out--;
  begin (job->measure);
  return go_on (job->measure);
}

static void
closed (gpointer data)
{
  g_idle_add (put_away, data);
}

static void
on_result (LsFleetClient *client,
           const char    *id,
           gboolean       known,
           GHashTable    *fields,
           gpointer       data)
{
  Job *job = data;

  if (job->answer != NULL)
    return;
  job->answer = g_variant_ref_sink (ls_fleet_result_unpack (fields));
  ls_fleet_client_settle (client, id);
  ls_fleet_client_close (client, TRUE, closed, job);
}

static void
submit (Job *job)
{
  Measure *self = job->measure;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", job->module);
  g_variant_dict_insert (&dict, "budget-ms", "x", self->budget);
  g_variant_dict_insert (&dict, "seed", "x", (gint64) 0);
  if (job->func != NULL)
    g_variant_dict_insert (&dict, "func", "s", job->func);
  if (job->target != NULL)
    g_variant_dict_insert (&dict, "target", "s", job->target);
  ls_fleet_client_ask (job->client, "program", g_variant_dict_end (&dict), NULL, self->timeout * 1000);
}

static void
begin (Measure *self)
{
  while (self->next < self->jobs->len && self->n_out < MOST)
    {
      Job *job = self->jobs->pdata[self->next++];
      g_autofree char *run = g_strdup_printf ("%08x%08x", g_random_int (), g_random_int ());
      LsFleetClientOptions options = { .run = run, .base = job->module, .api = ls_bundle_api_of (job->target), .kind = self->kind, .result = on_result, .data = job };
      g_autoptr (GError) error = NULL;

      job->client = ls_fleet_client_new (self->address, &options, &error);
      if (job->client == NULL)
        {
          job->answer = error_of (error->message);
          continue;
        }
      self->n_out++;
      submit (job);
    }
}

/* Nobody takes what is asked, for too long: that is the answer. */
static gboolean
watch (gpointer data)
{
  Measure *self = data;
  gint64 now = g_get_monotonic_time ();
  gboolean has_problem = FALSE;

  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];

      has_problem |= job->client != NULL && job->answer == NULL && ls_fleet_client_get_problem (job->client) != NULL;
    }
  if (!has_problem)
    self->well = now;
  if (now - self->well < self->wait * G_USEC_PER_SEC)
    return G_SOURCE_CONTINUE;
  for (guint i = 0; i < self->jobs->len; i++)
    {
      Job *job = self->jobs->pdata[i];

      if (job->client == NULL || job->answer != NULL)
        continue;
      job->answer = error_of (ls_fleet_client_get_problem (job->client) != NULL ? ls_fleet_client_get_problem (job->client) : "no machine took it");
      ls_fleet_client_close (job->client, TRUE, closed, job);
    }
  self->well = now;
  return G_SOURCE_CONTINUE;
}

/* ---- what is asked, and what is answered ---------------------------------------------- */

/* (transfer full), or NULL */
static char *
read_all (void)
{
  GString *text = g_string_new (NULL);
  char block[65536];
  gssize n;

  while ((n = read (STDIN_FILENO, block, sizeof block)) > 0)
    g_string_append_len (text, block, n);
  return g_string_free (text, FALSE);
}

static gboolean
read_jobs (Measure    *self,
           JsonObject *wishes)
{
  JsonArray *jobs = json_object_has_member (wishes, "jobs") && JSON_NODE_HOLDS_ARRAY (json_object_get_member (wishes, "jobs")) ? json_object_get_array_member (wishes, "jobs") : NULL;
  const char *kind = json_object_get_string_member_with_default (wishes, "kind", NULL);

  self->kind = kind != NULL && *kind != '\0' ? g_strdup (kind) : NULL;
  self->budget = json_object_get_int_member_with_default (wishes, "budget-ms", 200);
  self->timeout = json_object_get_int_member_with_default (wishes, "timeout-s", 120);
  self->wait = json_object_get_int_member_with_default (wishes, "wait-s", 10);
  for (guint i = 0; jobs != NULL && i < json_array_get_length (jobs); i++)
    {
      JsonNode *node = json_array_get_element (jobs, i);
      JsonObject *one = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      Job *job;

      if (one == NULL || json_object_get_string_member_with_default (one, "module", NULL) == NULL)
        return FALSE;
      job = g_new0 (Job, 1);
      job->measure = self;
      job->module = g_strdup (json_object_get_string_member (one, "module"));
      job->func = g_strdup (json_object_get_string_member_with_default (one, "func", NULL));
      job->target = g_strdup (json_object_get_string_member_with_default (one, "target", NULL));
      g_ptr_array_add (self->jobs, job);
    }
  return jobs != NULL;
}

static void
print_results (Measure *self)
{
  g_autoptr (GVariant) whole = NULL;
  GVariantBuilder list;
  GVariantDict dict;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->jobs->len; i++)
    g_variant_builder_add_value (&list, ((Job *) self->jobs->pdata[i])->answer);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "results", g_variant_builder_end (&list));
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  ls_cli_print_json (whole);
}

int
ls_cli_fleet_measure (const char           *command,
                      const LsFleetAddress *address)
{
  g_autofree char *text = read_all ();
  g_autoptr (JsonNode) root = json_from_string (text, NULL);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (job_free);
  Measure self = { .address = address, .jobs = jobs, .well = g_get_monotonic_time () };
  guint source;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root) || !read_jobs (&self, json_node_get_object (root)))
    {
      g_free (self.kind);
      return ls_cli_fail (command, "an object with \"jobs\", a list of objects with \"module\", is expected on standard input");
    }
  self.loop = g_main_loop_new (NULL, FALSE);
  source = g_timeout_add (500, watch, &self);
  begin (&self);
  g_idle_add (go_on, &self);
  g_main_loop_run (self.loop);
  g_source_remove (source);
  g_main_loop_unref (self.loop);
  print_results (&self);
  g_free (self.kind);
  return LS_CLI_DONE;
}
