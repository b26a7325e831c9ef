/* run-read: what a line of the log of a search says. */
#include "app/search/run-private.h"

#include "app/fleet/peers.h"
#include "app/search/turn.h"
#include "engine/base/json.h"

#include <json-glib/json-glib.h>
#include <math.h>

void
ls_search_run_set_text (char      **text,
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
  ls_search_run_set_text (&trial->proposal, ls_json_text (object, "proposal"));
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
  ls_search_run_set_text (&trial->machine, ls_json_text (object, "machine"));
  ls_search_run_set_text (&trial->problem, ls_json_text (object, "problem"));
  g_signal_emit_by_name (self, "trial", (guint) number);
}

static void
read_machines (LsSearchRun     *self,
               JsonArray *all)
{
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  if (all == NULL)
    return;
  self->machines = g_ptr_array_new_with_free_func (ls_fleet_peer_free);
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
  ls_search_run_set_text (&self->conditions, ls_json_text (object, "conditions"));
  ls_search_run_set_text (&self->refusal, ls_json_text (object, "refusal"));
  ls_search_run_set_text (&self->kind, ls_json_text (object, "kind"));
  ls_search_run_set_text (&self->trouble, ls_json_text (object, "trouble"));
  ls_search_run_set_text (&self->note, ls_json_text (object, "note"));
  ls_search_run_set_text (&self->problem, ls_json_text (object, "problem"));
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
  ls_search_run_set_text (&self->trouble, ls_json_text (object, "trouble"));
  read_tasks (self, ls_json_array (object, "tasks"));
  if (total.total > 0 && (last == NULL || total.total < last->total))
    g_array_append_val (self->totals, total);
  self->has_news = TRUE;
}

void
ls_search_run_finish (LsSearchRun *self,
                      int          how)
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
      g_signal_emit_by_name (self, "trial", i);
    }
  self->has_news = self->has_ended = TRUE;
}

static void
read_end (LsSearchRun      *self,
          JsonObject *object)
{
  static const char *const ends[] = { "none", "trials", "space", "time", "stopped", "error" };

  ls_search_run_set_text (&self->problem, ls_json_text (object, "problem"));
  ls_search_run_finish (self, (int) word_of (ls_json_text (object, "end"), ends, G_N_ELEMENTS (ends), LS_SEARCH_END_ERROR));
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

void
ls_search_run_read_line (LsSearchRun *self,
                         const char  *line)
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
