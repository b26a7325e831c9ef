/* fleet: how many trials a minute a queue carries, from 1 to 64 machines; measuring is played (a pause), the queue is a Redis of its own on a socket.
 *
 *   bench-fleet [MILLISECONDS [SECONDS]]     how long a measurement is played (500), and how long each number of machines runs (4)
 *
 * The last line has measurements that take no time at all: what is left is the queue.  Machines, the search and Redis share this computer, so
 * what is shown of the queue is a bound from below; the time of Redis alone says where it would be the limit.
 */
#include "app/fleet/fleet.h"
#include "tests/bench/bench.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_BYTES 6000         /* of a program, and as much of its trace: as those of a product of matrices */
#define MAX_MACHINES 64

typedef struct {
  GMainLoop      *loop;
  LsFleetAddress *address;
  LsFleetMachine *machines[MAX_MACHINES];
  LsFleetClient  *client;
  guint           n_machines, play_ms, n_submitted, n_done;
  gboolean        counting;
  char           *text;
} Bench;

typedef struct {
  LsFleetMachine *machine;
  LsFleetJob     *job;
} Played;

static gboolean
played (gpointer data)
{
  g_autofree Played *play = data;
  GPtrArray *fields = g_ptr_array_new_with_free_func (g_free);

  ls_fleet_put (fields, "median", "1000");
  ls_fleet_put (fields, "equal", "1");
  ls_fleet_machine_give (play->machine, play->job, fields);
  return G_SOURCE_REMOVE;
}

static void
play (LsFleetMachine *machine,
      LsFleetJob     *job,
      gpointer        data)
{
  Bench *self = data;
  Played *one = g_new (Played, 1);

  *one = (Played) { machine, job };
  g_timeout_add (self->play_ms, played, one);
}

static void
fill (Bench *self)
{
  while (ls_fleet_client_get_room (self->client) > 0)
    {
      GPtrArray *fields = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *id = g_strdup_printf ("%u", self->n_submitted++);

      ls_fleet_put (fields, "module", self->text);
      ls_fleet_put (fields, "trace", self->text);
      ls_fleet_client_submit (self->client, id, fields);
    }
}

static void
result (LsFleetClient *client,
        const char    *id,
        gboolean       known,
        GHashTable    *fields,
        gpointer       data)
{
  Bench *self = data;

  self->n_done += self->counting;
  ls_fleet_client_settle (client, id);
  fill (self);
}

static void
changed (LsFleetClient *client,
         gpointer       data)
{
  fill (data);
}

static gboolean
quit (gpointer data)
{
  g_main_loop_quit (((Bench *) data)->loop);
  return G_SOURCE_REMOVE;
}

static void
run_for (Bench  *self,
         double  seconds)
{
  g_timeout_add ((guint) (seconds * 1000), quit, self);
  g_main_loop_run (self->loop);
}

/* CPU seconds of a process so far. */
static double
cpu_of (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) pid), *text = NULL;
  unsigned long user = 0, system = 0;
  const char *at;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (at = strrchr (text, ')')) == NULL)
    return 0;
  sscanf (at + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
  return (double) (user + system) / (double) sysconf (_SC_CLK_TCK);
}

static void
measure (Bench  *self,
         GPid    redis,
         guint   n,
         double  seconds)
{
  LsFleetMachineOptions options = { .kind = "played", .measure = play, .data = self };
  g_autofree char *run = g_strdup_printf ("bench-%u-%u", n, self->play_ms);
  LsFleetClientOptions wishes = { .run = run, .base = self->text, .kind = "played", .result = result, .changed = changed, .data = self };
  double before, cpu;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%u", run, i);

      options.name = name;
      self->machines[i] = ls_fleet_machine_new (self->address, &options, NULL);
    }
  self->client = ls_fleet_client_new (self->address, &wishes, NULL);
  run_for (self, 2.5);
  self->n_done = 0;
  self->counting = TRUE;
  before = cpu_of (redis);
  run_for (self, seconds);
  self->counting = FALSE;
  cpu = cpu_of (redis) - before;
  printf ("%8u  %8u  %12.0f  %14.1f  %16.1f\n", n, self->play_ms, self->n_done / seconds * 60, 100 * cpu / seconds, self->n_done > 0 ? cpu / self->n_done * 1e6 : 0);
  fflush (stdout);
  g_clear_pointer (&self->client, ls_fleet_client_free);
  for (guint i = 0; i < n; i++)
    ls_fleet_machine_stop (self->machines[i], FALSE);
  run_for (self, 2 + self->play_ms / 1000.0);
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&self->machines[i], ls_fleet_machine_free);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("bench-fleet-XXXXXX", NULL), *socket = g_build_filename (folder, "redis.sock", NULL);
  const char *server[] = { "redis-server", "--port", "0", "--unixsocket", socket, "--dir", folder, "--save", "", NULL };
  Bench self = { .play_ms = argc > 1 ? (guint) atoi (argv[1]) : 500 };
  double seconds = argc > 2 ? atof (argv[2]) : 4;
  g_autoptr (GError) error = NULL;
  GPid redis;

  if (!ls_fleet_is_here ())
    return puts ("this build has no client for Redis"), 0;
  if (!g_spawn_async (NULL, (char **) server, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, &redis, &error))
    return printf ("%s\n", error->message), 0;
  self.loop = g_main_loop_new (NULL, FALSE);
  self.address = ls_fleet_address_parse (socket, NULL, NULL);
  self.text = g_strnfill (TEXT_BYTES, 'x');
  printf ("%8s  %8s  %12s  %14s  %16s\n", "machines", "ms each", "trials/min", "Redis, % of core", "Redis, us a trial");
  for (guint n = 1; n <= MAX_MACHINES; n *= 2)
    measure (&self, redis, n, seconds);
  self.play_ms = 0;
  measure (&self, redis, MAX_MACHINES, seconds);
  kill (redis, SIGTERM);
  waitpid (redis, NULL, 0);
  g_remove (socket);
  g_rmdir (folder);
  ls_fleet_address_free (self.address);
  g_main_loop_unref (self.loop);
  g_free (self.text);
  return 0;
}
