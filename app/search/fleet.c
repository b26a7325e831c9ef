/* fleet: the machines of a queue measure.
 *
 * A job is named by what is measured, so that a search that begins again knows its own results.  The name of the run is kept beside the database,
 * one for each program, under a lock as long as the search lives: a second search in the same folder gets a run of its own.
 */
#include "app/search/measurer.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME_LENGTH 20

typedef struct {
  LsMeasurer      parent;
  LsFleetClient  *client;
  char           *text;
  gint64          timeout_ms;
  GHashTable     *calls;        /* id -> Call */
  int             lock;         /* of the file with the run's name, or -1 */
} Fleet;

typedef struct {
  LsMeasured  measured;
  gpointer    data;
} Call;

/* The first letters of the checksum of a text. (transfer full) */
static char *
short_sum (const char *text)
{
  char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  sum[NAME_LENGTH] = '\0';
  return sum;
}

static char *
fresh_name (void)
{
  return g_strdup_printf ("%08x%08x", g_random_int (), g_random_int ());
}

/* The name of this search's run: the one in the folder, unless another search has it now. (transfer full) */
static char *
name_run (Fleet      *self,
          const char *folder)
{
  g_autofree char *sum = short_sum (self->text), *file = NULL, *path = NULL, *name = NULL;
  char kept[64] = "";
  gssize n;

  self->lock = -1;
  if (folder == NULL || g_mkdir_with_parents (folder, 0755) != 0)
    return fresh_name ();
  sum[8] = '\0';
  file = g_strdup_printf ("fleet-%s.run", sum);
  path = g_build_filename (folder, file, NULL);
  self->lock = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (self->lock < 0)
    return fresh_name ();
  if (flock (self->lock, LOCK_EX | LOCK_NB) != 0)
    {
      close (self->lock);
      self->lock = -1;
      return fresh_name ();
    }
  n = pread (self->lock, kept, sizeof kept - 1, 0);
  kept[MAX (n, 0)] = '\0';
  g_strstrip (kept);
  if (strlen (kept) == 16)
    return g_strdup (kept);
  name = fresh_name ();
  if (pwrite (self->lock, name, strlen (name), 0) != (gssize) strlen (name))
    g_debug ("%s: %s", path, g_strerror (errno));
  return g_steal_pointer (&name);
}

/* ---- what comes ------------------------------------------------------------------ */

static void
on_result (LsFleetClient *client,
           const char    *id,
           gboolean       known,
           GHashTable    *fields,
           gpointer       data)
{
  Fleet *self = data;
  g_autoptr (GVariant) answer = g_variant_ref_sink (ls_fleet_result_unpack (fields));
  const char *problem = ls_params_string (answer, "error", NULL);
  g_autoptr (GError) error = problem != NULL ? g_error_new_literal (LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST, problem) : NULL;
  Call *call = g_hash_table_lookup (self->calls, id);

  if (call == NULL)
    {
      /* The unscheduled program has no trace; it is measured again. */
      if (g_hash_table_lookup (fields, "trace") != NULL)
        self->parent.events.late (id, g_hash_table_lookup (fields, "trace"), answer, self->parent.events.data);
      else
        ls_fleet_client_settle (client, id);
      return;
    }
  g_hash_table_remove (self->calls, id);
  call->measured (error == NULL ? answer : NULL, error, call->data);
  g_free (call);
}

static void
on_changed (LsFleetClient *client,
            gpointer       data)
{
  Fleet *self = data;

  self->parent.events.news (self->parent.events.data);
}

/* ---- what is asked --------------------------------------------------------------- */

static void
fleet_free (LsMeasurer *measurer)
{
  Fleet *self = (Fleet *) measurer;
  GHashTableIter iter;
  gpointer call;

  ls_fleet_client_free (self->client);
  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, NULL, &call))
    g_free (call);
  g_hash_table_unref (self->calls);
  if (self->lock >= 0)
    close (self->lock);
  g_free (self->text);
  g_free (self);
}

static guint
fleet_room (LsMeasurer *measurer)
{
  return ls_fleet_client_get_room (((Fleet *) measurer)->client);
}

static char *
fleet_measure (LsMeasurer *measurer,
               GVariant   *params,
               const char *trace,
               LsMeasured  measured,
               gpointer    data)
{
  Fleet *self = (Fleet *) measurer;
  g_autoptr (GVariant) held = g_variant_ref_sink (params);
  g_autofree char *sum = short_sum (ls_params_string (held, "module", ""));
  char *id = trace != NULL ? g_steal_pointer (&sum) : g_strconcat ("base-", sum, NULL);
  Call *call = g_new0 (Call, 1);

  *call = (Call) { measured, data };
  g_hash_table_replace (self->calls, g_strdup (id), call);
  ls_fleet_client_ask (self->client, id, held, trace, self->timeout_ms);
  return id;
}

static void
fleet_settle (LsMeasurer *measurer,
              const char *id)
{
  ls_fleet_client_settle (((Fleet *) measurer)->client, id);
}

static void
fleet_cancel (LsMeasurer *measurer)
{
  Fleet *self = (Fleet *) measurer;
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CANCELLED, _("the search was ended"));
  g_autoptr (GList) calls = g_hash_table_get_values (self->calls);

  g_hash_table_remove_all (self->calls);
  for (GList *at = calls; at != NULL; at = at->next)
    {
      Call *call = at->data;

      call->measured (NULL, error, call->data);
      g_free (call);
    }
}

static void
fleet_close (LsMeasurer *measurer,
             gboolean    forget,
             void      (*done) (gpointer data),
             gpointer    data)
{
  ls_fleet_client_close (((Fleet *) measurer)->client, forget, done, data);
}

static const char *
fleet_problem (LsMeasurer *measurer)
{
  return ls_fleet_client_get_problem (((Fleet *) measurer)->client);
}

static const char *
fleet_kind (LsMeasurer *measurer)
{
  return ls_fleet_client_get_kind (((Fleet *) measurer)->client);
}

static GPtrArray *
fleet_peers (LsMeasurer *measurer)
{
  return ls_fleet_client_get_peers (((Fleet *) measurer)->client);
}

static const LsMeasurerClass fleet_class = {
  fleet_free, fleet_room, NULL, fleet_measure, fleet_settle, fleet_cancel, fleet_close, fleet_problem, fleet_kind, fleet_peers
};

LsMeasurer *
ls_measurer_new_fleet (const LsMeasurerOptions  *options,
                       const LsMeasurerEvents   *events,
                       GError                  **error)
{
  Fleet *self = g_new0 (Fleet, 1);
  g_autofree char *run = NULL;
  LsFleetClientOptions wishes = { .base = options->text, .api = options->api, .kind = options->kind, .result = on_result, .changed = on_changed, .data = self };

  self->parent.klass = &fleet_class;
  self->parent.events = *events;
  self->text = g_strdup (options->text);
  self->timeout_ms = options->timeout_ms;
  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  run = name_run (self, options->folder);
  wishes.run = run;
  self->client = ls_fleet_client_new (options->queue, &wishes, error);
  if (self->client != NULL)
    return &self->parent;
  fleet_free (&self->parent);
  return NULL;
}
