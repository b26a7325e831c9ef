/* search-counts: see the header.
 *
 * Counts are exact and the same on every device with warps of 32; what they do not say is how long a kernel takes.  So nothing here is a time, and the
 * database of times gets nothing.  A program that computes something else, or of which the simulator finds something (a race, a barrier that not all
 * threads reach), has no rank. */
#include "app/cli/search-counts.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"
#include "app/search/batch.h"
#include "engine/base/json.h"
#include "engine/script/script.h"

#include <glib-unix.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SECTORS, PASSES, INSTRUCTIONS };

static const struct { const char *name, *words; } COUNTS[] = {
  [SECTORS] = { "sectors", "sectors of 32 bytes of global memory" },
  [PASSES] = { "passes", "passes over the banks of shared memory" },
  [INSTRUCTIONS] = { "instructions", "instructions of warps" },
};

#define N_COUNTS G_N_ELEMENTS (COUNTS)

typedef struct {
  guint       number;           /* of the trial */
  LsSchedule *schedule;
  LsTrace    *trace;            /* borrowed */
  gint64      counts[N_COUNTS];
  gint64      conflicts, lane_ops, divergent, barriers, shared_bytes, threads;
  char       *problem;          /* why it has no rank, or NULL */
} Candidate;

typedef struct {
  const char         *command, *base_text;
  LsCliSearchRequest *request;
  guint               by, trials, lost, refused_by_simulator;
  char               *refusal;          /* the first */
  GPtrArray          *candidates;       /* of Candidate */
  GHashTable         *seen;             /* hash of a program */
  LsWorker           *worker;
  GCancellable       *cancellable;
  gboolean            stopped;
} Counting;

static void
candidate_free (gpointer data)
{
  Candidate *self = data;

  g_clear_pointer (&self->schedule, ls_schedule_unref);
  g_free (self->problem);
  g_free (self);
}

gboolean
ls_cli_is_count (const char *name)
{
  for (guint i = 0; i < N_COUNTS; i++)
    if (g_strcmp0 (name, COUNTS[i].name) == 0)
      return TRUE;
  return FALSE;
}

/* ---- counting ---- */

static void
add_kernel (Candidate *self,
            GVariant  *kernel)
{
  g_autoptr (GVariant) block = ls_params_value (kernel, "block");
  gsize n = 0;
  const gint64 *sizes = block != NULL ? g_variant_get_fixed_array (block, &n, sizeof (gint64)) : NULL;
  gint64 threads = 1;

  for (gsize i = 0; i < n; i++)
    threads *= sizes[i];
  self->threads = MAX (self->threads, threads);
  self->shared_bytes = MAX (self->shared_bytes, ls_params_int (kernel, "shared-bytes", 0));
  self->counts[INSTRUCTIONS] += ls_params_int (kernel, "instructions", 0);
  self->lane_ops += ls_params_int (kernel, "lane-operations", 0);
  self->divergent += ls_params_int (kernel, "divergent", 0);
  self->barriers += ls_params_int (kernel, "barriers", 0);
}

static void
add_counts (Candidate *self,
            GVariant  *answer)
{
  g_autoptr (GVariant) kernels = ls_params_value (answer, "kernels"), sites = ls_params_value (answer, "sites");

  for (gsize i = 0; i < g_variant_n_children (kernels); i++)
    {
      g_autoptr (GVariant) kernel = g_variant_get_child_value (kernels, i);

      add_kernel (self, kernel);
    }
  for (gsize i = 0; i < g_variant_n_children (sites); i++)
    {
      g_autoptr (GVariant) site = g_variant_get_child_value (sites, i);
      const char *space = ls_params_string (site, "space", "");

      if (strcmp (space, "global") == 0)
        self->counts[SECTORS] += ls_params_int (site, "sectors", 0);
      else if (strcmp (space, "shared") == 0)
        {
          self->counts[PASSES] += ls_params_int (site, "passes", 0);
          self->conflicts += ls_params_int (site, "passes", 0) - ls_params_int (site, "passes-needed", 0);
        }
    }
}

/* What the simulator finds wrong, or NULL. (transfer full) */
static char *
problem_of (GVariant *answer)
{
  g_autoptr (GVariant) findings = ls_params_value (answer, "findings");

  if (ls_params_int (answer, "faults", 0) > 0 && findings != NULL)
    for (gsize i = 0; i < g_variant_n_children (findings); i++)
      {
        g_autoptr (GVariant) finding = g_variant_get_child_value (findings, i);

        if (strcmp (ls_params_string (finding, "kind", ""), "same-value") != 0)
          return g_strdup_printf ("the simulator finds: %s", ls_params_string (finding, "text", "something wrong"));
      }
  if (!ls_params_bool (answer, "same", TRUE))
    return g_strdup_printf ("it computes something else: %s", ls_params_string (answer, "difference", "no place is told"));
  return NULL;
}

static gboolean
count_program (Counting  *self,
               Candidate *candidate)
{
  g_autofree char *text = ls_cli_module_text (ls_schedule_get_module (candidate->schedule));
  LsWorkerOptions options = { .timeout_ms = self->request->timeout * 1000 };
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", text);
  g_variant_dict_insert (&params, "base", "s", self->base_text);
  g_variant_dict_insert (&params, "target", "s", self->request->target);
  g_variant_dict_insert (&params, "seed", "x", (gint64) 0);
  if (self->request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", self->request->func);
  if (self->request->set->len > 0)
    g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) self->request->set->pdata, (gssize) self->request->set->len));
  answer = ls_worker_call (self->worker, "simt", g_variant_dict_end (&params), &options, self->cancellable, NULL, NULL, &error);
  if (answer != NULL)
    {
      add_counts (candidate, answer);
      candidate->problem = problem_of (answer);
    }
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return FALSE;
  else
    candidate->problem = g_strdup (error->message);
  return TRUE;
}

static gint
by_counts (gconstpointer pa,
           gconstpointer pb,
           gpointer      data)
{
  const Candidate *a = *(const Candidate *const *) pa, *b = *(const Candidate *const *) pb;
  const Counting *self = data;

  if ((a->problem == NULL) != (b->problem == NULL))
    return a->problem != NULL ? 1 : -1;
  if (a->problem == NULL && a->counts[self->by] != b->counts[self->by])
    return a->counts[self->by] < b->counts[self->by] ? -1 : 1;
  for (guint i = 0; a->problem == NULL && i < N_COUNTS; i++)
    if (a->counts[i] != b->counts[i])
      return a->counts[i] < b->counts[i] ? -1 : 1;
  return a->number < b->number ? -1 : 1;
}

static Candidate *
best_of (Counting *self)
{
  Candidate *first = self->candidates->len > 0 ? self->candidates->pdata[0] : NULL;

  return first != NULL && first->problem == NULL ? first : NULL;
}

/* ---- all of them ---- */

static void
show_progress (Counting *self,
               guint     n)
{
  gboolean terminal = isatty (STDERR_FILENO);

  fprintf (stderr, "%s%u of %u program%s drawn, %u counted%s", terminal ? "\r" : "", self->trials, n, n == 1 ? "" : "s", self->candidates->len, terminal ? "" : "\n");
}

/* FALSE: it was ended. */
static gboolean
try_trace (Counting *self,
           LsModule *module,
           LsTrace  *trace)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autofree char *hash = NULL;
  Candidate *candidate;

  self->trials++;
  if (ls_trace_apply (trace, schedule, TRUE, FALSE, findings) < ls_trace_get_n (trace))
    {
      self->lost++;
      for (guint f = 0; self->refusal == NULL && f < ls_diagnostics_get_n (findings); f++)
        if (ls_diagnostics_get (findings, f)->severity == LS_SEVERITY_ERROR)
          self->refusal = g_strdup (ls_diagnostics_get (findings, f)->message);
      return TRUE;
    }
  hash = ls_device_hash (ls_schedule_get_module (schedule));
  if (!g_hash_table_add (self->seen, g_steal_pointer (&hash)))
    return TRUE;
  candidate = g_new0 (Candidate, 1);
  candidate->number = self->trials;
  candidate->trace = trace;
  candidate->schedule = g_steal_pointer (&schedule);
  if (!count_program (self, candidate))
    {
      candidate_free (candidate);
      return FALSE;
    }
  self->refused_by_simulator += candidate->problem != NULL;
  g_ptr_array_add (self->candidates, candidate);
  return TRUE;
}

static gboolean
interrupted (gpointer data)
{
  Counting *self = data;

  self->stopped = TRUE;
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_CONTINUE;
}

/* ---- text ---- */

/* What it is ranked by, and what that is not. */
static char *
explain (Counting *self)
{
  const char *rest[N_COUNTS - 1];
  guint n = 0;

  for (guint i = 0; i < N_COUNTS; i++)
    if (i != self->by)
      rest[n++] = COUNTS[i].words;
  return g_strdup_printf ("Ranked by %s, fewest first; equal ones by %s, then %s.  The simulator counted them; nothing was timed, and which program is the fastest on a GPU is not known.",
                          COUNTS[self->by].words, rest[0], rest[1]);
}

static int
print_text (Counting *self)
{
  Candidate *best = best_of (self), *first = self->candidates->len > 0 ? self->candidates->pdata[0] : NULL;
  g_autofree char *words = explain (self), *trace = NULL;

  if (best == NULL)
    return ls_cli_fail (self->command, "%u program%s of %u trial%s and 0 counted: %s", self->candidates->len, self->candidates->len == 1 ? "" : "s", self->trials, self->trials == 1 ? "" : "s",
                        first != NULL ? first->problem : self->refusal != NULL ? self->refusal : "it was ended");
  printf ("%u trial%s%s: %u program%s, %u without a rank, %u trial%s refused\n", self->trials, self->trials == 1 ? "" : "s", self->stopped ? " (ended early)" : "",
          self->candidates->len, self->candidates->len == 1 ? "" : "s", self->refused_by_simulator, self->lost, self->lost == 1 ? "" : "s");
  if (self->refusal != NULL)
    printf ("first refusal: %s\n", self->refusal);
  printf ("%s\n%4s  %12s  %12s  %12s  %12s  %8s  %8s  %s\n", words, "rank", "sectors", "passes", "conflicts", "instructions", "threads", "shared", "decisions");
  for (guint i = 0; i < self->candidates->len; i++)
    {
      const Candidate *c = self->candidates->pdata[i];
      g_autofree char *decisions = ls_search_decisions_text (c->schedule);

      if (c->problem != NULL)
        printf ("%4s  %s: %s\n", "-", decisions, c->problem);
      else
        printf ("%4u  %12" PRId64 "  %12" PRId64 "  %12" PRId64 "  %12" PRId64 "  %8" PRId64 "  %8" PRId64 "  %s\n", i + 1, c->counts[SECTORS], c->counts[PASSES], c->conflicts,
                c->counts[INSTRUCTIONS], c->threads, c->shared_bytes, decisions);
    }
  trace = ls_schedule_print_trace (best->schedule);
  printf ("\ntrace of the first\n%s\n", trace);
  return LS_CLI_DONE;
}

/* ---- JSON ---- */

static void
put_candidate (JsonBuilder     *out,
               const Candidate *c,
               gboolean         whole)
{
  g_autofree char *decisions = ls_search_decisions_text (c->schedule);

  json_builder_begin_object (out);
  ls_json_put_text (out, "decisions", decisions);
  ls_json_put_int (out, "trial", c->number);
  ls_json_put_text (out, "error", c->problem);
  if (c->problem == NULL)
    {
      for (guint i = 0; i < N_COUNTS; i++)
        ls_json_put_int (out, COUNTS[i].name, c->counts[i]);
      ls_json_put_int (out, "conflicts", c->conflicts);
      ls_json_put_int (out, "lane-operations", c->lane_ops);
      ls_json_put_int (out, "divergent", c->divergent);
      ls_json_put_int (out, "barriers", c->barriers);
      ls_json_put_int (out, "shared-bytes", c->shared_bytes);
      ls_json_put_int (out, "threads", c->threads);
    }
  if (whole)
    {
      g_autofree char *trace = ls_schedule_print_trace (c->schedule), *json = ls_trace_to_json (c->trace, FALSE);
      g_autofree char *module = ls_cli_module_text (ls_schedule_get_module (c->schedule));

      ls_json_put_text (out, "trace", trace);
      ls_json_put_text (out, "trace_json", json);
      ls_json_put_text (out, "module", module);
    }
  json_builder_end_object (out);
}

static int
print_json (Counting *self)
{
  g_autoptr (JsonBuilder) out = json_builder_new ();
  g_autofree char *words = explain (self);
  Candidate *best = best_of (self);

  json_builder_begin_object (out);
  ls_json_put_text (out, "ranked-by", COUNTS[self->by].name);
  ls_json_put_text (out, "conditions", words);
  ls_json_put_int (out, "trials", self->trials);
  ls_json_put_int (out, "programs", self->candidates->len);
  ls_json_put_int (out, "without-rank", self->refused_by_simulator);
  ls_json_put_int (out, "refused", self->lost);
  ls_json_put_text (out, "refusal", self->refusal);
  json_builder_set_member_name (out, "interrupted");
  json_builder_add_boolean_value (out, self->stopped);
  ls_json_begin_array (out, "candidates");
  for (guint i = 0; i < self->candidates->len; i++)
    put_candidate (out, self->candidates->pdata[i], FALSE);
  json_builder_end_array (out);
  if (best != NULL)
    {
      json_builder_set_member_name (out, "best");
      put_candidate (out, best, TRUE);
    }
  json_builder_end_object (out);
  ls_cli_put_json (out);
  return best != NULL ? LS_CLI_DONE : LS_CLI_FAILED;
}

int
ls_cli_search_counts (const char         *command,
                      LsCliSearchRequest *request,
                      const char         *by,
                      LsModule           *module,
                      GPtrArray          *traces,
                      guint               n_lost,
                      const char         *refusal)
{
  g_autofree char *base = ls_cli_module_text (module);
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LsWorker) worker = ls_worker_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Counting self = { .command = command, .base_text = base, .request = request, .trials = n_lost, .lost = n_lost, .refusal = g_strdup (refusal), .candidates = candidates,
                    .seen = seen, .worker = worker, .cancellable = cancellable };
  gint64 end = request->seconds > 0 ? g_get_monotonic_time () + request->seconds * G_USEC_PER_SEC : G_MAXINT64;
  guint signal_source = g_unix_signal_add (SIGINT, interrupted, &self);
  int status;

  while (strcmp (COUNTS[self.by].name, by) != 0)
    self.by++;
  for (guint i = 0; i < traces->len && !self.stopped; i++)
    {
      if (g_get_monotonic_time () >= end || !try_trace (&self, module, traces->pdata[i]))
        self.stopped = TRUE;
      show_progress (&self, traces->len + n_lost);
    }
  g_source_remove (signal_source);
  if (isatty (STDERR_FILENO))
    fputs ("\n", stderr);
  g_ptr_array_sort_with_data (candidates, by_counts, &self);
  status = request->json ? print_json (&self) : print_text (&self);
  g_free (self.refusal);
  return status;
}
