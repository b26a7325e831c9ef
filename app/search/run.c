/* LsSearchRun: reads the log of a search that another process makes, and shows the same search. */
#include "app/search/run.h"

#include "app/search/turn.h"
#include "engine/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MS 150
#define READ_US 6000            /* of a turn of the main loop */

struct _LsSearchRun
{
  GObject         parent_instance;

  char           *folder, *name, *path;
  int             fd;           /* of the log, or -1 */
  GString        *line_part;    /* of a line that has no end yet */
  guint           source, more; /* the clock, and what a frame had no time for */
  int             process;
  gboolean        started;      /* the log has begun */
  gboolean        has_news, has_ended;  /* to be told when what is there was read */
  LsSearchRunLine       line;
  gpointer        data;

  GPtrArray      *trials;       /* of LsSearchTrial */
  GPtrArray      *tasks;        /* of LsSearchRunTask, or NULL */
  GArray         *totals;       /* of LsSearchRunTotal */
  double          base;         /* ns, of a model */
  guint           planned;
  LsSearchState   state;
  int             end;
  LsSearchCounts  counts;
  gint64          counted;      /* when the counts came, of the monotonic clock */
  char           *problem, *note, *refusal, *conditions, *trouble, *kind;
  char           *complaint;    /* what keeps the process from writing its log, or NULL */
  GPtrArray      *machines;     /* of LsFleetPeer, or NULL */
  GArray         *kinds;        /* of LsTuneKind, or NULL */
};

G_DEFINE_FINAL_TYPE (LsSearchRun, ls_search_run, G_TYPE_OBJECT)

enum { TRIAL, CHANGED, ENDED, RESTARTED, N_SIGNALS };

static guint signals[N_SIGNALS];

static gboolean look_at_rest (gpointer data);

/* ---- a line ----------------------------------------------------------------------- */

static void
set_text (char      **text,
          const char *value)
{
  if (g_strcmp0 (*text, value) == 0)
    return;
  g_free (*text);
  *text = g_strdup (value);
}

/* The number of a word among others; `otherwise` where it is none of them. */
static guint
word_of (const char        *word,
         const char *const *words,
         guint              n,
         guint              otherwise)
{
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (word, words[i]) == 0)
      return i;
  return otherwise;
}

static void
read_decisions (LsSearchTrial *trial,
                JsonArray     *all)
{
  for (guint i = 0; all != NULL && i < json_array_get_length (all); i++)
    {
      JsonNode *node = json_array_get_element (all, i);
      JsonArray *one = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
      LsTuneDecision decision = { 0 };
      const char *subject;

      if (one == NULL || json_array_get_length (one) != 6)
        continue;
      subject = json_array_get_string_element (one, 1);
      decision.kind = (LsTuneDecisionKind) CLAMP (json_array_get_int_element (one, 0), LS_TUNE_DESIGN, LS_TUNE_MARK);
      decision.subject = subject != NULL && *subject != '\0' ? g_strdup (subject) : NULL;
      decision.nth = (guint) json_array_get_int_element (one, 2);
      decision.part = (guint) json_array_get_int_element (one, 3);
      decision.n_parts = (guint) json_array_get_int_element (one, 4);
      decision.value = json_array_get_int_element (one, 5);
      g_array_append_val (trial->decisions, decision);
    }
}

/* A trial whose steps the line has; NULL: they cannot be read. (transfer full) */
static LsSearchTrial *
read_new (JsonObject *object,
          guint       number)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  const char *text = ls_json_text (object, "trace");
  LsTrace *trace = text != NULL ? ls_trace_from_json (text, findings) : NULL;
  LsSearchTrial *trial;

  if (trace == NULL)
    return NULL;
  trial = g_new0 (LsSearchTrial, 1);
  trial->number = number;
  trial->trace = trace;
  trial->decisions = ls_tune_decisions_new ();
  trial->design = json_object_has_member (object, "design") ? (guint) ls_json_int (object, "design", 0) : LS_TUNE_NO_DESIGN;
  set_text (&trial->proposal, ls_json_text (object, "proposal"));
  trial->seed = ls_json_int (object, "seed", 0);
  trial->predicted = ls_json_double (object, "predicted", NAN);
  read_decisions (trial, ls_json_array (object, "decisions"));
  return trial;
}

static void
read_trial (LsSearchRun      *self,
            JsonObject *object)
{
  static const char *const states[] = { "drawn", "running", "measured", "failed" };
  gint64 number = ls_json_int (object, "number", 0);
  LsSearchTrial *trial;

  if (number < 0 || number > self->trials->len)
    return;
  if (number == self->trials->len)
    {
      trial = read_new (object, (guint) number);
      if (trial == NULL)
        return;
      g_ptr_array_add (self->trials, trial);
    }
  trial = self->trials->pdata[number];
  trial->state = (LsTrialState) word_of (ls_json_text (object, "state"), states, G_N_ELEMENTS (states), LS_TRIAL_DRAWN);
  trial->timed = json_object_has_member (object, "median");
  trial->min = ls_json_double (object, "min", 0);
  trial->median = ls_json_double (object, "median", 0);
  trial->iqr = ls_json_double (object, "iqr", 0);
  trial->given_up = ls_json_is_true (object, "given-up");
  trial->remembered = ls_json_is_true (object, "remembered");
  set_text (&trial->machine, ls_json_text (object, "machine"));
  set_text (&trial->problem, ls_json_text (object, "problem"));
  g_signal_emit (self, signals[TRIAL], 0, (guint) number);
}

static void
peer_free (gpointer data)
{
  LsFleetPeer *peer = data;

  g_free (peer->name);
  g_free (peer->kind);
  g_free (peer->doing);
  g_free (peer);
}

static void
read_machines (LsSearchRun     *self,
               JsonArray *all)
{
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  if (all == NULL)
    return;
  self->machines = g_ptr_array_new_with_free_func (peer_free);
  for (guint i = 0; i < json_array_get_length (all); i++)
    {
      JsonNode *node = json_array_get_element (all, i);
      JsonObject *one = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      LsFleetPeer *peer;

      if (one == NULL || ls_json_text (one, "name") == NULL)
        continue;
      peer = g_new0 (LsFleetPeer, 1);
      peer->name = g_strdup (ls_json_text (one, "name"));
      peer->kind = g_strdup (ls_json_text (one, "kind") != NULL ? ls_json_text (one, "kind") : "");
      peer->doing = g_strdup (ls_json_text (one, "doing") != NULL ? ls_json_text (one, "doing") : "");
      peer->for_ms = ls_json_int (one, "for-ms", 0);
      peer->done = ls_json_int (one, "done", 0);
      peer->load = ls_json_double (one, "load", 0);
      g_ptr_array_add (self->machines, peer);
    }
}

static void
read_kinds (LsSearchRun *self,
            JsonArray   *all)
{
  g_clear_pointer (&self->kinds, g_array_unref);
  if (all == NULL)
    return;
  self->kinds = ls_tune_kinds_new ();
  for (guint i = 0; i < json_array_get_length (all); i++)
    {
      JsonNode *node = json_array_get_element (all, i);
      JsonObject *one = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      LsTuneKind kind = { NULL };

      if (one == NULL)
        continue;
      kind = (LsTuneKind) { g_strdup (ls_json_text (one, "kind")), (guint) ls_json_int (one, "programs", 0), ls_json_double (one, "best", 0) };
      g_array_append_val (self->kinds, kind);
    }
}

static void
read_counts (LsSearchRun      *self,
             JsonObject *object)
{
  static const char *const states[] = { "waiting", "running", "paused", "ended" };

  self->planned = (guint) ls_json_int (object, "planned", 0);
  self->counts = (LsSearchCounts) {
    .trials = (guint) ls_json_int (object, "trials", 0), .refused = (guint) ls_json_int (object, "refused", 0), .remembered = (guint) ls_json_int (object, "remembered", 0),
    .elsewhere = (guint) ls_json_int (object, "recorded-elsewhere", 0), .running = (guint) ls_json_int (object, "running", 0), .measured = (guint) ls_json_int (object, "measured", 0), .failed = (guint) ls_json_int (object, "failed", 0),
    .given_up = (guint) ls_json_int (object, "given-up", 0), .n_designs = (guint) ls_json_int (object, "designs", 0), .base_min = ls_json_double (object, "base-min", 0),
    .base_median = ls_json_double (object, "base-median", 0), .base_iqr = ls_json_double (object, "base-iqr", 0), .seconds = ls_json_double (object, "seconds", 0),
    .seconds_left = ls_json_double (object, "seconds-left", -1),
  };
  self->counted = g_get_monotonic_time ();
  self->state = (LsSearchState) word_of (ls_json_text (object, "state"), states, G_N_ELEMENTS (states), LS_SEARCH_RUNNING);
  /* Its end is told by itself, after everything. */
  if (self->state == LS_SEARCH_ENDED || self->state == LS_SEARCH_WAITING)
    self->state = LS_SEARCH_RUNNING;
  set_text (&self->conditions, ls_json_text (object, "conditions"));
  set_text (&self->refusal, ls_json_text (object, "refusal"));
  set_text (&self->kind, ls_json_text (object, "kind"));
  set_text (&self->trouble, ls_json_text (object, "trouble"));
  set_text (&self->note, ls_json_text (object, "note"));
  set_text (&self->problem, ls_json_text (object, "problem"));
  read_machines (self, ls_json_array (object, "machines"));
  read_kinds (self, ls_json_array (object, "kinds"));
  self->has_news = TRUE;
}

static void
task_free (gpointer data)
{
  LsSearchRunTask *self = data;

  g_free (self->name);
  g_free (self->run);
  g_free (self->problem);
  g_free (self);
}

static void
read_tasks (LsSearchRun *self,
            JsonArray   *all)
{
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  self->tasks = g_ptr_array_new_with_free_func (task_free);
  for (guint i = 0; all != NULL && i < json_array_get_length (all); i++)
    {
      JsonNode *node = json_array_get_element (all, i);
      JsonObject *one = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      LsSearchRunTask *task;

      if (one == NULL || ls_json_text (one, "name") == NULL || ls_json_text (one, "run") == NULL)
        continue;
      task = g_new0 (LsSearchRunTask, 1);
      task->name = g_strdup (ls_json_text (one, "name"));
      task->run = g_strdup (ls_json_text (one, "run"));
      task->weight = (guint) ls_json_int (one, "weight", 0);
      task->trials = (guint) ls_json_int (one, "trials", 0);
      task->base = ls_json_double (one, "base", 0);
      task->best = ls_json_double (one, "best", 0);
      task->active = ls_json_is_true (one, "active");
      task->over = ls_json_is_true (one, "over");
      task->problem = g_strdup (ls_json_text (one, "problem"));
      g_ptr_array_add (self->tasks, task);
    }
}

static void
read_model (LsSearchRun *self,
            JsonObject  *object)
{
  LsSearchRunTotal total = { (guint) ls_json_int (object, "trials", 0), ls_json_double (object, "total", 0) };
  const LsSearchRunTotal *last = self->totals->len > 0 ? &g_array_index (self->totals, LsSearchRunTotal, self->totals->len - 1) : NULL;

  self->planned = (guint) ls_json_int (object, "planned", 0);
  self->counts.trials = total.trials;
  self->base = ls_json_double (object, "base", 0);
  self->state = g_strcmp0 (ls_json_text (object, "state"), "paused") == 0 ? LS_SEARCH_PAUSED : LS_SEARCH_RUNNING;
  set_text (&self->trouble, ls_json_text (object, "trouble"));
  read_tasks (self, ls_json_array (object, "tasks"));
  if (total.total > 0 && (last == NULL || total.total < last->total))
    g_array_append_val (self->totals, total);
  self->has_news = TRUE;
}

static void
finish (LsSearchRun *self,
        int    how)
{
  if (self->state == LS_SEARCH_ENDED)
    return;
  self->state = LS_SEARCH_ENDED;
  self->end = how;
  self->process = 0;
  self->counts.running = 0;
  self->counts.seconds_left = 0;
  /* What a process that is gone was measuring has no time. */
  for (guint i = 0; i < self->trials->len; i++)
    {
      LsSearchTrial *trial = self->trials->pdata[i];

      if (trial->state != LS_TRIAL_RUNNING)
        continue;
      trial->state = LS_TRIAL_DRAWN;
      g_signal_emit (self, signals[TRIAL], 0, i);
    }
  self->has_news = self->has_ended = TRUE;
}

static void
read_end (LsSearchRun      *self,
          JsonObject *object)
{
  static const char *const ends[] = { "none", "trials", "space", "time", "stopped", "error" };

  set_text (&self->problem, ls_json_text (object, "problem"));
  finish (self, (int) word_of (ls_json_text (object, "end"), ends, G_N_ELEMENTS (ends), LS_SEARCH_END_ERROR));
}

static void
read_start (LsSearchRun      *self,
            JsonObject *object)
{
  self->started = TRUE;
  self->process = (int) ls_json_int (object, "process", 0);
  self->planned = (guint) ls_json_int (object, "planned", 0);
  self->state = LS_SEARCH_RUNNING;
  self->has_news = TRUE;
}

static void
read_line (LsSearchRun      *self,
           const char *line)
{
  g_autoptr (JsonNode) root = json_from_string (line, NULL);
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  const char *event = object != NULL ? ls_json_text (object, "event") : NULL;

  if (g_strcmp0 (event, "started") == 0)
    read_start (self, object);
  else if (self->state == LS_SEARCH_ENDED)
    return;
  else if (g_strcmp0 (event, "trial") == 0)
    read_trial (self, object);
  else if (g_strcmp0 (event, "counts") == 0)
    read_counts (self, object);
  else if (g_strcmp0 (event, "model") == 0)
    read_model (self, object);
  else if (g_strcmp0 (event, "ended") == 0)
    read_end (self, object);
  else
    return;
  if (self->line != NULL)
    self->line (line, self->data);
}

/* ---- the file ------------------------------------------------------------------------ */

static void
forget (LsSearchRun *self)
{
  g_ptr_array_set_size (self->trials, 0);
  g_array_set_size (self->totals, 0);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  self->base = 0;
  self->counts = (LsSearchCounts) { .seconds_left = -1 };
  self->state = LS_SEARCH_WAITING;
  self->end = LS_SEARCH_END_NONE;
  self->started = FALSE;
  self->process = 0;
  g_string_truncate (self->line_part, 0);
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->trouble, g_free);
  g_clear_pointer (&self->note, g_free);
  g_clear_pointer (&self->refusal, g_free);
}

/* Whether the open file is still the one of that name: another process begins a new one. */
static gboolean
is_current (LsSearchRun *self)
{
  struct stat here, there;

  return self->fd >= 0 && fstat (self->fd, &here) == 0 && stat (self->path, &there) == 0 && here.st_ino == there.st_ino && here.st_dev == there.st_dev
         && here.st_nlink > 0;
}

static void
open_log (LsSearchRun *self)
{
  gboolean again = self->fd >= 0;
  int fd;

  if (is_current (self) || (fd = g_open (self->path, O_RDONLY | O_CLOEXEC, 0)) < 0)
    return;
  if (again)
    close (self->fd);
  self->fd = fd;
  if (!again)
    return;
  forget (self);
  g_signal_emit (self, signals[RESTARTED], 0);
}

/* Reads what is there, for as long as a frame has time for; TRUE: there was something. */
static gboolean
read_more (LsSearchRun *self)
{
  gint64 until = g_get_monotonic_time () + READ_US;
  char block[16384];
  gboolean any = FALSE;
  gssize n;

  while (self->fd >= 0 && (!any || g_get_monotonic_time () < until) && (n = read (self->fd, block, sizeof block)) > 0)
    {
      const char *from = block, *end;

      any = TRUE;
      while ((end = memchr (from, '\n', (gsize) (block + n - from))) != NULL)
        {
          g_autofree char *line = NULL;

          g_string_append_len (self->line_part, from, end - from);
          line = g_strndup (self->line_part->str, self->line_part->len);
          g_string_truncate (self->line_part, 0);
          from = end + 1;
          read_line (self, line);
        }
      g_string_append_len (self->line_part, from, block + n - from);
    }
  return any;
}

static void
tell (LsSearchRun *self)
{
  gboolean news = self->has_news, ended = self->has_ended;

  self->has_news = self->has_ended = FALSE;
  if (news)
    g_signal_emit (self, signals[CHANGED], 0);
  if (ended)
    g_signal_emit (self, signals[ENDED], 0);
}

static void
look_for_complaint (LsSearchRun *self,
                    gboolean     is_held)
{
  g_autofree char *complaint = is_held ? ls_search_run_get_complaint (self->folder, self->name) : NULL;

  if (g_strcmp0 (complaint, self->complaint) == 0)
    return;
  set_text (&self->complaint, complaint);
  self->has_news = TRUE;
}

/* TRUE: there may be more to read already. */
static gboolean
look (LsSearchRun *self)
{
  g_autoptr (LsSearchRun) held = g_object_ref (self);
  gboolean is_held, any;

  open_log (self);
  /* Asked before it is read: what a process wrote before it let go is read then. */
  is_held = ls_search_run_get_holder (self->folder, self->name) != 0;
  any = read_more (self);
  look_for_complaint (self, is_held);
  if (!any && !is_held && self->state != LS_SEARCH_ENDED && self->started)
    finish (self, LS_SEARCH_RUN_LOST);
  tell (self);
  return any;
}

static gboolean
look_again (gpointer data)
{
  LsSearchRun *self = data;

  /* One that is not held any more is looked at all the same: another process may begin. */
  if (self->more == 0 && look (self))
    self->more = g_idle_add (look_at_rest, self);
  return G_SOURCE_CONTINUE;
}

static gboolean
look_at_rest (gpointer data)
{
  LsSearchRun *self = data;

  if (look (self))
    return G_SOURCE_CONTINUE;
  self->more = 0;
  return G_SOURCE_REMOVE;
}

void
ls_search_run_start (LsSearchRun *self)
{
  if (self->source != 0)
    return;
  self->source = g_timeout_add (READ_MS, look_again, self);
  look_again (self);
}

void
ls_search_run_set_line (LsSearchRun     *self,
                        LsSearchRunLine  line,
                        gpointer   data)
{
  self->line = line;
  self->data = data;
}

gboolean
ls_search_run_wish (LsSearchRun       *self,
                    const char  *what,
                    GError     **error)
{
  return ls_search_run_ask (self->folder, self->name, what, error);
}

/* ---- what it shows -------------------------------------------------------------------- */

int
ls_search_run_get_process (LsSearchRun *self)
{
  return self->process;
}

guint
ls_search_run_get_planned (LsSearchRun *self)
{
  return self->planned;
}

LsSearchState
ls_search_run_get_state (LsSearchRun *self)
{
  return self->state;
}

int
ls_search_run_get_end (LsSearchRun *self)
{
  return self->end;
}

const char *
ls_search_run_get_problem (LsSearchRun *self)
{
  return self->problem;
}

const char *
ls_search_run_get_trouble (LsSearchRun *self)
{
  return self->complaint != NULL ? self->complaint : self->trouble;
}

GPtrArray *
ls_search_run_get_tasks (LsSearchRun *self)
{
  return self->tasks;
}

GArray *
ls_search_run_get_totals (LsSearchRun *self)
{
  return self->totals;
}

double
ls_search_run_get_total (LsSearchRun *self,
                         double      *base)
{
  *base = self->base;
  return self->totals->len > 0 ? g_array_index (self->totals, LsSearchRunTotal, self->totals->len - 1).total : 0;
}

const char *
ls_search_run_get_kind (LsSearchRun *self)
{
  return self->kind;
}

GArray *
ls_search_run_get_kinds (LsSearchRun *self)
{
  return self->kinds;
}

GPtrArray *
ls_search_run_get_machines (LsSearchRun *self)
{
  return self->machines;
}

const char *
ls_search_run_get_note (LsSearchRun *self)
{
  return self->note;
}

GPtrArray *
ls_search_run_get_trials (LsSearchRun *self)
{
  return self->trials;
}

LsSearchTrial *
ls_search_run_get_best (LsSearchRun *self)
{
  return ls_search_best_of (self->trials);
}

/* Lines come when something happens; between them the clock goes on. */
void
ls_search_run_get_counts (LsSearchRun          *self,
                          LsSearchCounts *counts)
{
  double since = self->counted > 0 ? (double) (g_get_monotonic_time () - self->counted) / 1e6 : 0;

  *counts = self->counts;
  if (self->state != LS_SEARCH_RUNNING)
    return;
  counts->seconds += since;
  if (counts->seconds_left > 0)
    counts->seconds_left = fmax (0, counts->seconds_left - since);
}

const char *
ls_search_run_get_refusal (LsSearchRun *self)
{
  return self->refusal;
}

const char *
ls_search_run_get_conditions (LsSearchRun *self)
{
  return self->conditions;
}

GArray *
ls_search_run_get_worth (LsSearchRun *self)
{
  return ls_search_worth_of (self->trials, self->counts.n_designs);
}

/* ---- life -------------------------------------------------------------------------------- */

static void
ls_search_run_finalize (GObject *object)
{
  LsSearchRun *self = LS_SEARCH_RUN (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->more, g_source_remove);
  if (self->fd >= 0)
    close (self->fd);
  g_string_free (self->line_part, TRUE);
  g_ptr_array_unref (self->trials);
  g_array_unref (self->totals);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  g_free (self->folder);
  g_free (self->name);
  g_free (self->path);
  g_free (self->problem);
  g_free (self->note);
  g_free (self->refusal);
  g_free (self->conditions);
  g_free (self->trouble);
  g_free (self->complaint);
  g_free (self->kind);
  g_clear_pointer (&self->kinds, g_array_unref);
  G_OBJECT_CLASS (ls_search_run_parent_class)->finalize (object);
}

static void
ls_search_run_class_init (LsSearchRunClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_search_run_finalize;
  signals[TRIAL] = g_signal_new ("trial", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RESTARTED] = g_signal_new ("restarted", LS_TYPE_SEARCH_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_search_run_init (LsSearchRun *self)
{
  self->fd = -1;
  self->line_part = g_string_new (NULL);
  self->trials = g_ptr_array_new_with_free_func (ls_search_trial_free);
  self->totals = g_array_new (FALSE, FALSE, sizeof (LsSearchRunTotal));
  self->counts.seconds_left = -1;
}

LsSearchRun *
ls_search_run_new (const char *folder,
                   const char *name)
{
  LsSearchRun *self = g_object_new (LS_TYPE_SEARCH_RUN, NULL);

  self->folder = g_strdup (folder);
  self->name = g_strdup (name);
  self->path = ls_search_run_path (folder, name, "log");
  return self;
}
