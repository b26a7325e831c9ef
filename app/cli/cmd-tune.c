/* tune: a search over schedules that goes on by itself (app/search/run.h), its options named as ms.tune_tir's.
 *
 *   -o DIR             work_dir: database_workload.json and database_tuning_record.json, as TVM has them; what they have of the program counts as
 *                      trials.  Without it the folder of the user's cache that the window has for the program.  --database is another name of it
 *   --trials N         max_trials_global (64)
 *   --strategy NAME    evolutionary (unless given) or random
 *   --cost-model NAME, --seed N, --target T, --jobs J, --seconds N, --budget-ms N, --timeout SECONDS, --func F, --set NAME=VALUE, --queue URL, --auth FILE, --kind KIND: as
 *                      search's (app/cli/search-request.h)
 *   --detach           begins the search in a process of its own, and ends when it goes; it goes on when the terminal is closed
 *   --follow           shows the search that goes on in the folder until it ends; Ctrl+C ends the showing alone
 *   --pause, --resume, --stop   asks the same of it
 *   --tree N           what each decision is worth as a tree: decisions, their values with best and median time, and N - 1 times again among the programs of a value;
 *                      with --json a last line {"event": "tree", ..}
 *   --json             the lines of its log, one for each thing that happens, on standard output
 *   --quiet            no progress on standard error
 *
 * A Relax module is searched as a whole: one task for each TensorIR function that it calls, the trials where most is expected of them (app/search/model.h).
 *
 * Ctrl+C and SIGTERM end a search that was not detached; what was measured stays.  Exit status 1 when no program could be measured.
 */
#include "app/bundle/bundle.h"
#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "app/cli/search-request.h"
#include "app/cli/tuning-tree.h"
#include "app/cli/tuning-model.h"
#include "app/search/model.h"

#include "engine/base/json.h"
#include "engine/base/plural.h"

#include <gio/gio.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHOWN_WORTH 4
#define MOST_TREE 6
#define START_S 120             /* a process that is started has begun within that time, on a busy machine too, or is ended */

typedef struct {
  LsCliSearchRequest search;
  gint64      tree;
  gboolean    quiet, detach, follow, pause, resume, stop;
} Request;

/* A search that is shown: this process' or another's. */
typedef struct {
  Request    *request;
  const char *command;
  char       *folder, *name;
  LsSearch   *search;           /* or NULL */
  LsSearchModel *model;         /* or NULL: of a Relax module */
  LsSearchRun *run;             /* or NULL: another process' */
  GMainLoop  *loop;
  char       *trouble;          /* the last that was said */
  guint       shown_trials;     /* of a model, in the last line of progress */
  gboolean    interrupted;
  guint       looking;          /* source: whether the folder is still there */
} Tune;

static void
tune_clear (Tune *self)
{
  g_free (self->folder);
  g_free (self->name);
  g_free (self->trouble);
  g_clear_object (&self->search);
  g_clear_object (&self->model);
  g_clear_object (&self->run);
  g_clear_pointer (&self->loop, g_main_loop_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tune, tune_clear)

/* ---- while it goes on -------------------------------------------------------------- */

static void
get_counts (Tune           *self,
            LsSearchCounts *counts)
{
  if (self->search != NULL)
    ls_search_get_counts (self->search, counts);
  else
    ls_search_run_get_counts (self->run, counts);
}

static GPtrArray *
get_trials (Tune *self)
{
  return self->search != NULL ? ls_search_get_trials (self->search) : ls_search_run_get_trials (self->run);
}

static void
show_program (Tune *self)
{
  LsSearchTrial *best = ls_search_best_of (get_trials (self));
  guint planned = self->run != NULL ? ls_search_run_get_planned (self->run) : (guint) self->request->search.trials;
  gboolean terminal = isatty (STDERR_FILENO);
  LsSearchCounts counts;

  get_counts (self, &counts);
  fprintf (stderr, "%s%u of %u trial%s, %u program%s measured", terminal ? "\r" : "", counts.trials, planned, planned == 1 ? "" : "s", counts.measured,
           counts.measured == 1 ? "" : "s");
  if (counts.remembered > 0)
    fprintf (stderr, " and %u known", counts.remembered);
  if (best != NULL)
    {
      g_autofree char *time = ls_cli_duration (best->median);

      fprintf (stderr, ", best %s", time);
      if (counts.base_median > 0)
        fprintf (stderr, " (x%.3g)", counts.base_median / best->median);
    }
  if (counts.seconds_left > 0)
    fprintf (stderr, ", about %.0f s left", counts.seconds_left);
  fprintf (stderr, "%s", terminal ? "    " : "\n");
}

static gboolean
is_of_model (Tune *self)
{
  return self->model != NULL || (self->run != NULL && ls_search_run_get_tasks (self->run) != NULL);
}

static void
show_progress (Tune *self)
{
  const LsCliTuningModel whole = { self->model, self->run };

  if (is_of_model (self))
    ls_cli_tuning_progress (&whole, self->run != NULL ? ls_search_run_get_planned (self->run) : (guint) self->request->search.trials);
  else
    show_program (self);
}

static void
on_trial (Tune *self,
          guint number)
{
  LsSearchTrial *trial = g_ptr_array_index (get_trials (self), number);

  if (!self->request->quiet && !trial->remembered && (trial->state == LS_TRIAL_MEASURED || trial->state == LS_TRIAL_FAILED))
    show_progress (self);
}

static guint
count_trials (Tune *self)
{
  LsSearchCounts counts;

  if (self->model != NULL)
    return ls_search_model_get_trials (self->model);
  ls_search_run_get_counts (self->run, &counts);
  return counts.trials;
}

static void
on_changed (Tune *self)
{
  const char *trouble = self->search != NULL ? ls_search_get_trouble (self->search) : self->run != NULL ? ls_search_run_get_trouble (self->run) : NULL;
  guint trials = is_of_model (self) ? count_trials (self) : 0;

  if (trials != self->shown_trials && !self->request->quiet)
    show_progress (self);
  self->shown_trials = trials;
  if (g_strcmp0 (trouble, self->trouble) == 0)
    return;
  if (trouble != NULL && !self->request->quiet)
    fprintf (stderr, "%s%s\n", isatty (STDERR_FILENO) ? "\n" : "", trouble);
  g_free (self->trouble);
  self->trouble = g_strdup (trouble);
}

static void
on_ended (Tune *self)
{
  g_main_loop_quit (self->loop);
}

static void
put_line (const char *line,
          gpointer    data)
{
  puts (line);
  fflush (stdout);
}

static gboolean
interrupted (gpointer data)
{
  Tune *self = data;

  self->interrupted = TRUE;
  if (self->search != NULL)
    ls_search_stop (self->search);
  else if (self->model != NULL)
    ls_search_model_stop (self->model);
  else
    g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

/* Where its folder goes (a folder of a session that was for once, a disk that is taken away) nobody hears what it finds.  What it
 * measures makes the folder anew, but not the file by which others know of it. */
static gboolean
look_for_folder (gpointer data)
{
  Tune *self = data;
  g_autofree char *lock = ls_search_run_path (self->folder, self->name, "lock");

  if (g_file_test (lock, G_FILE_TEST_EXISTS))
    return G_SOURCE_CONTINUE;
  fprintf (stderr, ls_translate ("%s is gone: the search ends\n"), self->folder);
  interrupted (self);
  self->looking = 0;
  return G_SOURCE_REMOVE;
}

static LsSearchState
state_of (Tune *self)
{
  return self->search != NULL ? ls_search_get_state (self->search)
         : self->model != NULL ? ls_search_model_get_state (self->model)
                               : ls_search_run_get_state (self->run);
}

/* Until it ends, or the user does not want to look any more. */
static void
look_on (Tune *self)
{
  guint sources[2] = { g_unix_signal_add (SIGINT, interrupted, self), g_unix_signal_add (SIGTERM, interrupted, self) };
  gpointer object = self->search != NULL ? (gpointer) self->search : self->model != NULL ? (gpointer) self->model : (gpointer) self->run;

  self->loop = g_main_loop_new (NULL, FALSE);
  /* What happened before is told as a whole. */
  if (self->run != NULL)
    {
      ls_search_run_start (self->run);
      if (!self->request->quiet)
        show_progress (self);
    }
  if (self->model == NULL)
    g_signal_connect_swapped (object, "trial", G_CALLBACK (on_trial), self);
  g_signal_connect_swapped (object, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (object, "ended", G_CALLBACK (on_ended), self);
  if (self->folder != NULL && self->run == NULL)
    self->looking = g_timeout_add_seconds (1, look_for_folder, self);
  if (self->search != NULL)
    ls_search_start (self->search);
  if (self->model != NULL)
    ls_search_model_start (self->model);
  if (state_of (self) != LS_SEARCH_ENDED)
    g_main_loop_run (self->loop);
  g_clear_handle_id (&self->looking, g_source_remove);
  g_source_remove (sources[0]);
  g_source_remove (sources[1]);
  if (!self->request->quiet && isatty (STDERR_FILENO))
    fputs ("\n", stderr);
}

/* ---- what comes of it ------------------------------------------------------------------- */

static void
print_worth (Tune           *self,
             LsSearchCounts *counts)
{
  g_autoptr (GArray) worth = ls_search_worth_of (get_trials (self), counts->n_designs);

  for (guint i = 0; i < worth->len && i < SHOWN_WORTH; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autofree char *name = ls_tune_decision_name (&one->decision);

      printf ("%3.0f %% of the spread: %s, best %" G_GINT64_FORMAT "\n", one->share * 100, name, one->decision.value);
    }
}

static void
put_tree (Tune           *self,
          LsSearchCounts *counts)
{
  g_autoptr (LsTuneTree) tree = ls_search_tree_of (get_trials (self), counts->n_designs);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *line = NULL;

  if (!self->request->search.json)
    {
      ls_cli_print_tuning_tree (tree, (guint) self->request->tree);
      return;
    }
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "event", "tree");
  ls_json_put_int (builder, "programs", ls_tune_tree_count (tree, NULL));
  ls_cli_add_tuning_tree (builder, tree, (guint) self->request->tree);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  line = json_to_string (root, FALSE);
  put_line (line, NULL);
}

/* Why it has none that was measured. (transfer full) */
static char *
nothing_words (Tune *self)
{
  GPtrArray *trials = get_trials (self);
  const char *refusal = self->search != NULL ? ls_search_get_refusal (self->search) : ls_search_run_get_refusal (self->run);

  for (guint i = 0; i < trials->len; i++)
    if (((LsSearchTrial *) trials->pdata[i])->problem != NULL)
      return g_strdup (((LsSearchTrial *) trials->pdata[i])->problem);
  return g_strdup (refusal != NULL ? refusal : ls_translate ("the search was ended"));
}

static int
print_model (Tune *self)
{
  const LsCliTuningModel whole = { self->model, self->run };
  int end = self->model != NULL ? (int) ls_search_model_get_end (self->model) : ls_search_run_get_end (self->run);

  if (end == LS_SEARCH_RUN_LOST)
    fprintf (stderr, ls_translate ("The process that searched is gone; what it measured is kept, and the same search goes on from there.\n"));
  if (!self->request->search.json && !ls_cli_tuning_table (self->command, &whole))
    return LS_CLI_FAILED;
  if (!self->request->search.json)
    printf ("database: %s\n", self->folder);
  return end == LS_SEARCH_RUN_LOST ? LS_CLI_FAILED : LS_CLI_DONE;
}

static int
print_result (Tune *self)
{
  int end = self->search != NULL ? (int) ls_search_get_end (self->search) : ls_search_run_get_end (self->run);
  const char *problem = self->search != NULL ? ls_search_get_problem (self->search) : ls_search_run_get_problem (self->run);
  const char *note = self->search != NULL ? ls_search_get_note (self->search) : ls_search_run_get_note (self->run);
  LsSearchTrial *best = ls_search_best_of (get_trials (self));
  g_autofree char *time = NULL, *trace = NULL, *nothing = NULL;
  LsSearchCounts counts;

  get_counts (self, &counts);
  if (note != NULL)
    fprintf (stderr, "%s\n", note);
  if (end == LS_SEARCH_END_ERROR)
    return ls_cli_fail (self->command, "%s", problem);
  if (problem != NULL)
    fprintf (stderr, "%s\n", problem);
  if (end == LS_SEARCH_RUN_LOST)
    fprintf (stderr, ls_translate ("The process that searched is gone; what it measured is kept, and the same search goes on from there.\n"));
  if (best == NULL)
    return ls_cli_fail (self->command, ls_translate_plural ("0 programs of %u trial measured: %s", "0 programs of %u trials measured: %s", counts.trials),
                        counts.trials, nothing = nothing_words (self));
  if (self->request->search.json && self->request->tree > 0)
    put_tree (self, &counts);
  if (self->request->search.json)
    return end == LS_SEARCH_RUN_LOST ? LS_CLI_FAILED : LS_CLI_DONE;
  time = ls_cli_duration (best->median);
  trace = ls_trace_print (best->trace);
  printf ("%u trial%s%s: %u program%s measured, %u known before, %u failed, %u refused, in %.1f s\n", counts.trials, counts.trials == 1 ? "" : "s",
          end == LS_SEARCH_END_STOPPED ? " (ended early)" : "", counts.measured, counts.measured == 1 ? "" : "s", counts.remembered, counts.failed, counts.refused, counts.seconds);
  printf ("best: candidate %u, %s", best->number + 1, time);
  if (counts.base_median > 0)
    printf (", x%.3g of the program as it is", counts.base_median / best->median);
  printf ("\ndatabase: %s\n", self->folder);
  if (self->request->tree > 0)
    put_tree (self, &counts);
  else
    print_worth (self, &counts);
  printf ("\nbest trace\n%s\n", trace);
  return end == LS_SEARCH_RUN_LOST ? LS_CLI_FAILED : LS_CLI_DONE;
}

/* ---- a search of this process ---------------------------------------------------------------- */

static int
search_here (Tune           *self,
             LsModule       *module,
             GPtrArray      *tasks,
             const char     *text,
             LsFleetAddress *queue)
{
  Request *request = self->request;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSearchRunLog) log = ls_search_run_log_new (self->folder, self->name, &error);
  LsSearchOptions options = ls_cli_search_request_options (&request->search);

  if (log == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    return ls_cli_fail (self->command, ls_translate ("%s; --follow shows it, --stop ends it"), error->message);
  if (log == NULL)
    return ls_cli_fail (self->command, "%s", error->message);
  /* A file that may not grow is a fault of writing, as a full disk is. */
  signal (SIGXFSZ, SIG_IGN);
  options.rules = TRUE;
  options.queue = queue;
  options.database = self->folder;
  if (queue == NULL)
    {
      g_autofree char *others = ls_search_run_describe_others ();

      if (others != NULL)
        fprintf (stderr, "%s\n", others);
      ls_search_run_log_measures_here (log);
    }
  if (tasks->len > 0)
    {
      self->model = ls_search_model_new (tasks, &options);
      ls_search_run_log_follow_model (log, self->model, options.trials, request->search.json ? put_line : NULL, NULL);
      look_on (self);
      return print_model (self);
    }
  self->search = ls_search_new (module, text, &options);
  ls_search_run_log_follow (log, self->search, options.trials, request->search.json ? put_line : NULL, NULL);
  look_on (self);
  return print_result (self);
}

/* ---- a process of its own ----------------------------------------------------------------------- */

static void
become_leader (gpointer data)
{
  setsid ();
}

static void
child_ended (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  gboolean *ended = data;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  *ended = TRUE;
}

/* What it said on standard error, on ours; its own status. */
static int
tell_failure (Tune        *self,
              GSubprocess *child,
              const char  *errors)
{
  g_autofree char *said = NULL;

  if (g_file_get_contents (errors, &said, NULL, NULL) && *said != '\0')
    fputs (said, stderr);
  else
    ls_cli_fail (self->command, ls_translate ("the process that was to search ended at once"));
  return g_subprocess_get_if_exited (child) && g_subprocess_get_exit_status (child) != 0 ? g_subprocess_get_exit_status (child) : LS_CLI_FAILED;
}

static int
detach (Tune  *self,
        int    argc,
        char **argv)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  g_autofree char *errors = ls_search_run_path (self->folder, self->name, "err"), *own = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *others = self->request->search.queue == NULL ? ls_search_run_describe_others () : NULL;
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ended = FALSE;
  gint64 until;
  int process = ls_search_run_get_holder (self->folder, self->name), own_process;

  if (process != 0)
    return ls_cli_fail (self->command, ls_translate ("a search of this program goes on in %s: process %d; --follow shows it, --stop ends it"), self->folder, process);
  if (g_mkdir_with_parents (self->folder, 0755) != 0)
    return ls_cli_fail (self->command, ls_translate ("%s cannot be made"), self->folder);
  g_ptr_array_add (arguments, own);
  g_ptr_array_add (arguments, argv[0]);
  g_ptr_array_add (arguments, (char *) "--quiet");
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--detach") != 0)
      g_ptr_array_add (arguments, argv[i]);
  g_ptr_array_add (arguments, NULL);
  g_subprocess_launcher_set_child_setup (launcher, become_leader, NULL, NULL);
  g_subprocess_launcher_set_stderr_file_path (launcher, errors);
  child = g_subprocess_launcher_spawnv (launcher, (const char *const *) arguments->pdata, &error);
  if (child == NULL)
    return ls_cli_fail (self->command, "%s", error->message);
  own_process = atoi (g_subprocess_get_identifier (child));
  g_subprocess_wait_async (child, NULL, child_ended, &ended);
  for (until = g_get_monotonic_time () + START_S * G_USEC_PER_SEC; !ended && process != own_process && g_get_monotonic_time () < until;)
    {
      g_usleep (20000);
      g_main_context_iteration (NULL, FALSE);
      process = ls_search_run_get_holder (self->folder, self->name);
    }
  if (process != own_process && !ended)
    {
      g_subprocess_force_exit (child);
      return ls_cli_fail (self->command, ls_translate ("the process that was to search did not begin within %d seconds and was ended"), START_S);
    }
  if (process != own_process && !g_subprocess_get_successful (child))
    return tell_failure (self, child, errors);
  if (others != NULL)
    fprintf (stderr, "%s\n", others);
  /* One that finds all measured already may be through before anybody looked. */
  printf ("Process %d searches; what it measures is kept in %s\n", own_process, self->folder);
  return LS_CLI_DONE;
}

/* ---- the command ----------------------------------------------------------------------------------- */

static int
follow (Tune *self)
{
  g_autofree char *path = ls_search_run_path (self->folder, self->name, "log");

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return ls_cli_fail (self->command, ls_translate ("no search of this program was begun in %s"), self->folder);
  self->run = ls_search_run_new (self->folder, self->name);
  ls_search_run_set_line (self->run, self->request->search.json ? put_line : NULL, NULL);
  look_on (self);
  if (!self->interrupted)
    return is_of_model (self) ? print_model (self) : print_result (self);
  fprintf (stderr, "The search goes on: process %d\n", ls_search_run_get_process (self->run));
  return LS_CLI_DONE;
}

static int
ask (Tune       *self,
     const char *what)
{
  g_autoptr (GError) error = NULL;

  return ls_search_run_ask (self->folder, self->name, what, &error) ? LS_CLI_DONE : ls_cli_fail (self->command, "%s", error->message);
}

/* `queue`: the address, which the arguments do not have any more. */
static int
tune (Request    *request,
      int         argc,
      char      **argv,
      char      **shown)
{
  g_auto (Tune) self = { .request = request, .command = argv[0] };
  g_autoptr (LsModule) module = ls_cli_read_module (argv[0], request->search.file), searched = NULL;
  g_autoptr (GPtrArray) tasks = NULL;
  g_autoptr (LsFleetAddress) queue = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (module == NULL)
    return LS_CLI_FAILED;
  if (request->search.queue != NULL && (queue = ls_fleet_address_parse (request->search.queue, request->search.auth, &error)) == NULL)
    return ls_cli_usage (argv[0], "%s", error->message);
  text = ls_cli_module_text (module);
  self.name = ls_search_run_name (text);
  self.folder = request->search.folder != NULL ? g_canonicalize_filename (request->search.folder, NULL) : ls_search_run_folder (text);
  if (request->follow)
    return follow (&self);
  if (request->pause || request->resume || request->stop)
    return ask (&self, request->pause ? "pause" : request->resume ? "resume" : "stop");
  if (request->detach)
    return detach (&self, argc, shown);
  /* With a function it is that alone. */
  if (request->search.func == NULL)
    searched = ls_cli_tuning_tasks (argv[0], module, &tasks);
  else
    {
      searched = ls_ref (module);
      tasks = g_ptr_array_new ();
    }
  return searched != NULL ? search_here (&self, searched, tasks, text, queue) : LS_CLI_FAILED;
}

static int
check (Request    *request,
       const char *command)
{
  if (request->search.file == NULL)
    return ls_cli_usage (command, "a file is expected");
  if (request->follow + request->pause + request->resume + request->stop + request->detach > 1)
    return ls_cli_usage (command, "--detach, --follow, --pause, --resume and --stop exclude each other");
  if (request->detach && strcmp (request->search.file, "-") == 0)
    return ls_cli_usage (command, "a process of its own cannot read the program from here; give it a file");
  if (request->tree < 0 || request->tree > MOST_TREE)
    return ls_cli_usage (command, "--tree is from 1 to %d", MOST_TREE);
  if (ls_bundle_is_target (request->search.target))
    return ls_cli_usage (command, "the rules of tune are those for a processor; for %s: loopscope-cli search FILE --target %s",
                         request->search.target, request->search.target);
  return LS_CLI_DONE;
}

int
ls_cli_tune (int argc, char **argv)
{
  g_auto (GStrv) whole = g_strdupv (argv);
  Request request = { .search = { .trials = 64, .jobs = 1, .seed = 1, .budget = 200, .timeout = 120 } };
  const LsCliOption own[] = {
    { "--quiet", LS_CLI_FLAG, &request.quiet },
    { "--detach", LS_CLI_FLAG, &request.detach },
    { "--follow", LS_CLI_FLAG, &request.follow },
    { "--pause", LS_CLI_FLAG, &request.pause },
    { "--resume", LS_CLI_FLAG, &request.resume },
    { "--stop", LS_CLI_FLAG, &request.stop },
    { "--tree", LS_CLI_NUMBER, &request.tree },
    { NULL },
  };
  int status = ls_cli_search_request_read (&request.search, argc, argv, own);

  if (status == LS_CLI_DONE)
    status = check (&request, argv[0]);
  if (status == LS_CLI_DONE)
    status = tune (&request, argc, argv, whole);
  ls_cli_search_request_clear (&request.search);
  return status;
}
