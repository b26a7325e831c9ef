/* run-log: what happens to a search, a line of JSON each; and what others ask of it. */
#include "app/search/model.h"
#include "engine/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASK_MS 200
#define OTHERS_EVERY 3          /* seconds between two looks at who else measures here */
#define TIMES_EVERY 5           /* seconds between two lines that differ only in the time that has passed */

struct _LsSearchRunLog
{
  char       *folder, *name, *path;
  int         lock, fd;
  int         announced;        /* that it measures here, or -1 */
  char       *others;           /* who measure here too, or NULL */
  gint64      asked_others;     /* when, of the monotonic clock */
  LsSearch   *search;           /* or NULL: of a model */
  LsSearchModel *model;         /* or NULL */
  GPtrArray  *parts;            /* of LsSearchRunLog: of its tasks, or NULL */
  guint       trials;
  guint       n_told;           /* trials whose steps are in the log */
  GString    *waiting;          /* could not be written yet */
  int         trouble;          /* errno of the last that could not; 0: none */
  char       *counts;           /* the last, without times */
  gint64      counted;          /* when, of the monotonic clock */
  guint       asked;            /* the source */
  LsSearchRunLine   line;
  gpointer    data;
};

static const char *const search_states[] = {
  [LS_SEARCH_WAITING] = "waiting", [LS_SEARCH_RUNNING] = "running", [LS_SEARCH_PAUSED] = "paused", [LS_SEARCH_ENDED] = "ended",
};

static const char *const search_ends[] = {
  [LS_SEARCH_END_NONE] = "none", [LS_SEARCH_END_TRIALS] = "trials", [LS_SEARCH_END_SPACE] = "space", [LS_SEARCH_END_TIME] = "time",
  [LS_SEARCH_END_STOPPED] = "stopped", [LS_SEARCH_END_ERROR] = "error",
};

/* ---- writing ------------------------------------------------------------------- */

static void
complain (LsSearchRunLog *self,
          int             trouble)
{
  g_autofree char *words = NULL;

  if (trouble == self->trouble)
    return;
  self->trouble = trouble;
  if (trouble != 0)
    words = g_strdup_printf (_("%s cannot be written: %s. The search goes on; what happens is written as soon as it can be."), self->path, g_strerror (trouble));
  ls_search_run_complain (self->lock, words);
}

/* What could not be written waits, the rest of a line as well: only this process adds to the file. */
static void
flush (LsSearchRunLog *self)
{
  while (self->fd >= 0 && self->waiting->len > 0)
    {
      gssize n = write (self->fd, self->waiting->str, self->waiting->len);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          complain (self, n < 0 ? errno : ENOSPC);
          return;
        }
      g_string_erase (self->waiting, 0, n);
    }
  complain (self, 0);
}

static JsonBuilder *
begin (const char *event)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "event");
  json_builder_add_string_value (builder, event);
  return builder;
}

/* (transfer full) */
static char *
end (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = NULL;

  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static void
put_text (LsSearchRunLog *self,
          const char     *line)
{
  g_string_append (self->waiting, line);
  g_string_append_c (self->waiting, '\n');
  flush (self);
  if (self->line != NULL)
    self->line (line, self->data);
}

static void
put (LsSearchRunLog *self,
     JsonBuilder    *builder)
{
  g_autofree char *line = end (builder);

  put_text (self, line);
}

/* ---- what happens ----------------------------------------------------------------- */

static void
add_decisions (JsonBuilder *builder,
               GArray      *decisions)
{
  ls_json_begin_array (builder, "decisions");
  for (guint i = 0; i < decisions->len; i++)
    {
      const LsTuneDecision *decision = &g_array_index (decisions, LsTuneDecision, i);

      json_builder_begin_array (builder);
      json_builder_add_int_value (builder, decision->kind);
      json_builder_add_string_value (builder, decision->subject != NULL ? decision->subject : "");
      json_builder_add_int_value (builder, decision->nth);
      json_builder_add_int_value (builder, decision->part);
      json_builder_add_int_value (builder, decision->n_parts);
      json_builder_add_int_value (builder, decision->value);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

/* Only once: neither changes. */
static void
add_steps (JsonBuilder   *builder,
           LsSearchTrial *trial)
{
  g_autofree char *trace = ls_trace_to_json (trial->trace, FALSE);

  if (trial->design != LS_TUNE_NO_DESIGN)
    ls_json_put_int (builder, "design", trial->design);
  ls_json_put_text (builder, "proposal", trial->proposal);
  ls_json_put_int (builder, "seed", trial->seed);
  ls_json_put_double (builder, "predicted", trial->predicted);
  ls_json_put_text (builder, "trace", trace);
  add_decisions (builder, trial->decisions);
}

static void
put_trial (LsSearchRunLog      *self,
           LsSearchTrial *trial)
{
  static const char *const states[] = {
    [LS_TRIAL_DRAWN] = "drawn", [LS_TRIAL_RUNNING] = "running", [LS_TRIAL_MEASURED] = "measured", [LS_TRIAL_FAILED] = "failed",
  };
  g_autoptr (JsonBuilder) builder = begin ("trial");

  ls_json_put_int (builder, "number", trial->number);
  ls_json_put_text (builder, "state", states[trial->state]);
  if (trial->number >= self->n_told)
    add_steps (builder, trial);
  self->n_told = MAX (self->n_told, trial->number + 1);
  if (trial->timed)
    {
      ls_json_put_double (builder, "min", trial->min);
      ls_json_put_double (builder, "median", trial->median);
      ls_json_put_double (builder, "iqr", trial->iqr);
    }
  ls_json_put_true (builder, "given-up", trial->given_up);
  ls_json_put_true (builder, "remembered", trial->remembered);
  ls_json_put_text (builder, "machine", trial->machine);
  ls_json_put_text (builder, "problem", trial->problem);
  put (self, builder);
}

static void
on_trial (LsSearch *search,
          guint     number,
          LsSearchRunLog *self)
{
  put_trial (self, ls_search_get_trials (search)->pdata[number]);
}

static void
add_machines (JsonBuilder *builder,
              GPtrArray   *machines)
{
  if (machines == NULL)
    return;
  ls_json_begin_array (builder, "machines");
  for (guint i = 0; i < machines->len; i++)
    {
      const LsFleetPeer *peer = machines->pdata[i];

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", peer->name);
      ls_json_put_text (builder, "kind", peer->kind);
      ls_json_put_text (builder, "doing", peer->doing);
      ls_json_put_int (builder, "for-ms", peer->for_ms);
      ls_json_put_int (builder, "done", peer->done);
      ls_json_put_double (builder, "load", peer->load);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_kinds (JsonBuilder *builder,
           GArray      *kinds)
{
  if (kinds == NULL || kinds->len == 0)
    return;
  ls_json_begin_array (builder, "kinds");
  for (guint i = 0; i < kinds->len; i++)
    {
      const LsTuneKind *kind = &g_array_index (kinds, LsTuneKind, i);

      json_builder_begin_object (builder);
      if (kind->kind != NULL)
        ls_json_put_text (builder, "kind", kind->kind);
      ls_json_put_int (builder, "programs", kind->n);
      ls_json_put_double (builder, "best", kind->best);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* What of the counts does not change by itself with the time. */
static void
add_counts (LsSearchRunLog             *self,
            JsonBuilder          *builder,
            const LsSearchCounts *counts)
{
  LsSearchTrial *best = ls_search_get_best (self->search);

  ls_json_put_text (builder, "state", search_states[ls_search_get_state (self->search)]);
  ls_json_put_int (builder, "trials", counts->trials);
  ls_json_put_int (builder, "planned", self->trials);
  ls_json_put_int (builder, "measured", counts->measured);
  ls_json_put_int (builder, "failed", counts->failed);
  ls_json_put_int (builder, "given-up", counts->given_up);
  ls_json_put_int (builder, "refused", counts->refused);
  ls_json_put_int (builder, "remembered", counts->remembered);
  ls_json_put_int (builder, "recorded-elsewhere", counts->elsewhere);
  ls_json_put_int (builder, "running", counts->running);
  ls_json_put_int (builder, "designs", counts->n_designs);
  ls_json_put_double (builder, "base-min", counts->base_min);
  ls_json_put_double (builder, "base-median", counts->base_median);
  ls_json_put_double (builder, "base-iqr", counts->base_iqr);
  if (best != NULL)
    {
      ls_json_put_int (builder, "best", best->number);
      ls_json_put_double (builder, "best-median", best->median);
    }
  ls_json_put_text (builder, "conditions", ls_search_get_conditions (self->search));
  ls_json_put_text (builder, "refusal", ls_search_get_refusal (self->search));
  ls_json_put_text (builder, "kind", ls_search_get_kind (self->search));
  ls_json_put_text (builder, "trouble", ls_search_get_trouble (self->search) != NULL ? ls_search_get_trouble (self->search) : self->others);
  ls_json_put_text (builder, "note", ls_search_get_note (self->search));
  ls_json_put_text (builder, "problem", ls_search_get_problem (self->search));
}

static void
look_for_others (LsSearchRunLog *self)
{
  gint64 now = g_get_monotonic_time ();

  if (self->announced < 0 || (self->asked_others > 0 && now - self->asked_others < OTHERS_EVERY * G_USEC_PER_SEC))
    return;
  self->asked_others = now;
  g_free (self->others);
  self->others = ls_search_run_describe_others ();
}

static void
put_counts (LsSearchRunLog *self,
            gboolean  always)
{
  g_autoptr (JsonBuilder) steady = begin ("counts"), builder = begin ("counts");
  g_autofree char *line = NULL;
  gint64 now = g_get_monotonic_time ();
  LsSearchCounts counts;

  look_for_others (self);
  ls_search_get_counts (self->search, &counts);
  add_counts (self, steady, &counts);
  line = end (steady);
  if (!always && g_strcmp0 (line, self->counts) == 0 && now - self->counted < TIMES_EVERY * G_USEC_PER_SEC)
    {
      flush (self);
      return;
    }
  g_free (self->counts);
  self->counts = g_steal_pointer (&line);
  self->counted = now;
  add_counts (self, builder, &counts);
  ls_json_put_double (builder, "seconds", counts.seconds);
  ls_json_put_double (builder, "seconds-left", counts.seconds_left);
  add_machines (builder, ls_search_get_machines (self->search));
  add_kinds (builder, ls_search_get_kinds (self->search));
  put (self, builder);
}

static void
on_changed (LsSearch *search,
            LsSearchRunLog *self)
{
  put_counts (self, FALSE);
}

static void
on_ended (LsSearch *search,
          LsSearchRunLog *self)
{
  g_autoptr (JsonBuilder) builder = begin ("ended");

  put_counts (self, TRUE);
  ls_json_put_text (builder, "end", search_ends[ls_search_get_end (search)]);
  ls_json_put_text (builder, "problem", ls_search_get_problem (search));
  put (self, builder);
}

/* ---- of a model ----------------------------------------------------------------------- */

static void
add_task (JsonBuilder             *builder,
          const LsSearchTaskState *task)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", task->name);
  ls_json_put_text (builder, "run", task->run);
  ls_json_put_int (builder, "weight", task->weight);
  ls_json_put_int (builder, "trials", task->trials);
  if (task->base > 0)
    ls_json_put_double (builder, "base", task->base);
  if (task->best > 0)
    ls_json_put_double (builder, "best", task->best);
  ls_json_put_true (builder, "active", task->active);
  ls_json_put_true (builder, "over", task->over);
  ls_json_put_text (builder, "problem", task->problem);
  json_builder_end_object (builder);
}

static void
put_model (LsSearchRunLog *self)
{
  g_autoptr (JsonBuilder) builder = begin ("model");
  g_autofree char *line = NULL;

  look_for_others (self);
  ls_json_put_text (builder, "state", search_states[ls_search_model_get_state (self->model)]);
  ls_json_put_int (builder, "trials", ls_search_model_get_trials (self->model));
  ls_json_put_int (builder, "planned", self->trials);
  ls_json_put_double (builder, "base", ls_search_model_get_base (self->model));
  ls_json_put_double (builder, "total", ls_search_model_get_total (self->model));
  ls_json_put_text (builder, "trouble", self->others);
  ls_json_begin_array (builder, "tasks");
  for (guint i = 0; i < ls_search_model_get_n (self->model); i++)
    {
      LsSearchTaskState task;

      ls_search_model_get_task (self->model, i, &task);
      add_task (builder, &task);
    }
  json_builder_end_array (builder);
  line = end (builder);
  if (g_strcmp0 (line, self->counts) == 0)
    {
      flush (self);
      return;
    }
  g_free (self->counts);
  self->counts = g_steal_pointer (&line);
  put_text (self, self->counts);
}

static void
on_model_changed (LsSearchModel  *model,
                  LsSearchRunLog *self)
{
  put_model (self);
}

static void
on_model_ended (LsSearchModel  *model,
                LsSearchRunLog *self)
{
  g_autoptr (JsonBuilder) builder = begin ("ended");

  put_model (self);
  ls_json_put_text (builder, "end", search_ends[ls_search_model_get_end (model)]);
  ls_json_put_text (builder, "problem", ls_search_model_get_problem (model));
  put (self, builder);
}

/* ---- what is asked ------------------------------------------------------------------- */

static void
do_search (LsSearchRunLog *self,
           const char     *what)
{
  if (strcmp (what, "pause") == 0)
    ls_search_pause (self->search);
  else if (strcmp (what, "resume") == 0)
    ls_search_resume (self->search);
  else if (strcmp (what, "stop") == 0)
    ls_search_stop (self->search);
  else
    return;
  /* Of one that ended at once the last line is written. */
  if (ls_search_get_state (self->search) != LS_SEARCH_ENDED)
    put_counts (self, TRUE);
}

static void
do_model (LsSearchRunLog *self,
          const char     *what)
{
  if (strcmp (what, "pause") == 0)
    ls_search_model_pause (self->model);
  else if (strcmp (what, "resume") == 0)
    ls_search_model_resume (self->model);
  else if (strcmp (what, "stop") == 0)
    ls_search_model_stop (self->model);
}

static void
do_what_is_asked (LsSearchRunLog *self,
                  const char     *what)
{
  if (self->model != NULL)
    do_model (self, what);
  else
    do_search (self, what);
}

static gboolean
look_for_wish (gpointer data)
{
  LsSearchRunLog *self = data;
  g_autofree char *path = ls_search_run_path (self->folder, self->name, "ask"), *taken = ls_search_run_path (self->folder, self->name, "taken"), *what = NULL;
  struct stat held;

  flush (self);
  /* Its folder was taken away: what it would measure is for nobody. */
  if (fstat (self->lock, &held) == 0 && held.st_nlink == 0)
    do_what_is_asked (self, "stop");
  if (g_rename (path, taken) != 0)
    return G_SOURCE_CONTINUE;
  if (g_file_get_contents (taken, &what, NULL, NULL))
    g_strstrip (what);
  g_unlink (taken);
  do_what_is_asked (self, what != NULL ? what : "");
  return G_SOURCE_CONTINUE;
}

/* ---- life -------------------------------------------------------------------------------- */

LsSearchRunLog *
ls_search_run_log_new (const char  *folder,
                       const char  *name,
                       GError     **error)
{
  g_autofree char *ask = ls_search_run_path (folder, name, "ask");
  int lock = ls_search_run_hold (folder, name, error);
  LsSearchRunLog *self;

  if (lock < 0)
    return NULL;
  self = g_new0 (LsSearchRunLog, 1);
  self->folder = g_strdup (folder);
  self->name = g_strdup (name);
  self->path = ls_search_run_path (folder, name, "log");
  self->waiting = g_string_new (NULL);
  self->lock = lock;
  self->announced = -1;
  /* A new file, so that who reads the last one notices. */
  g_unlink (ask);
  g_unlink (self->path);
  self->fd = g_open (self->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (self->fd >= 0)
    return self;
  g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (errno), _("%s cannot be written: %s"), self->path, g_strerror (errno));
  ls_search_run_log_free (self);
  return NULL;
}

static void
put_start (LsSearchRunLog  *self,
           guint            trials,
           LsSearchRunLine  line,
           gpointer         data)
{
  g_autoptr (JsonBuilder) builder = begin ("started");
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *when = g_date_time_format_iso8601 (now);

  self->trials = trials;
  self->line = line;
  self->data = data;
  ls_json_put_int (builder, "process", getpid ());
  ls_json_put_int (builder, "planned", trials);
  ls_json_put_text (builder, "at", when);
  put (self, builder);
  self->asked = g_timeout_add (ASK_MS, look_for_wish, self);
}

void
ls_search_run_log_follow (LsSearchRunLog  *self,
                          LsSearch        *search,
                          guint            trials,
                          LsSearchRunLine  line,
                          gpointer         data)
{
  self->search = g_object_ref (search);
  put_start (self, trials, line, data);
  g_signal_connect (search, "trial", G_CALLBACK (on_trial), self);
  g_signal_connect (search, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect (search, "ended", G_CALLBACK (on_ended), self);
}

/* Where a run of the same function alone goes on in the folder it has the log; the task goes on without one. */
static void
follow_task (LsSearchRunLog *self,
             guint           i,
             guint           trials)
{
  LsSearchTaskState task;
  LsSearchRunLog *part;

  ls_search_model_get_task (self->model, i, &task);
  part = ls_search_run_log_new (self->folder, task.run, NULL);
  if (part == NULL)
    return;
  ls_search_run_log_follow (part, ls_search_model_get_search (self->model, i), trials, NULL, NULL);
  g_ptr_array_add (self->parts, part);
}

void
ls_search_run_log_follow_model (LsSearchRunLog  *self,
                                LsSearchModel   *model,
                                guint            trials,
                                LsSearchRunLine  line,
                                gpointer         data)
{
  self->model = g_object_ref (model);
  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_search_run_log_free);
  for (guint i = 0; i < ls_search_model_get_n (model); i++)
    follow_task (self, i, trials);
  put_start (self, trials, line, data);
  g_signal_connect (model, "changed", G_CALLBACK (on_model_changed), self);
  g_signal_connect (model, "ended", G_CALLBACK (on_model_ended), self);
}

void
ls_search_run_log_measures_here (LsSearchRunLog *self)
{
  self->announced = ls_search_run_announce (self->folder);
}

void
ls_search_run_log_free (LsSearchRunLog *self)
{
  if (self == NULL)
    return;
  flush (self);
  g_clear_handle_id (&self->asked, g_source_remove);
  if (self->search != NULL)
    g_signal_handlers_disconnect_by_data (self->search, self);
  g_clear_object (&self->search);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->parts, g_ptr_array_unref);
  if (self->fd >= 0)
    close (self->fd);
  if (self->announced >= 0)
    close (self->announced);
  close (self->lock);
  g_string_free (self->waiting, TRUE);
  g_free (self->counts);
  g_free (self->others);
  g_free (self->folder);
  g_free (self->name);
  g_free (self->path);
  g_free (self);
}
