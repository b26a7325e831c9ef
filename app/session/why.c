/* session/why: facts about a step are found out once for its program and stay with its row in the history: counts and simulated caches in a
 * thread, machine code by a worker of its own, so that what is measured meanwhile need not wait, and a round of its loop by llvm-mca.  A
 * verdict is made of the facts and the time whenever somebody asks.
 */
#include "app/session/why.h"

#include "app/mca/mca.h"
#include "app/session/advice-words.h"
#include "app/session/run.h"
#include "app/session/why-badge.h"
#include "engine/interp/locality.h"
#include "engine/runtime/peaks.h"
#include "engine/script/printer.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define TIMEOUT_MS 60000
#define MOST_BUFFERS 6

struct _LsWhyMaker
{
  LsSession    *session;
  LsDocument   *document;
  LsMachine    *machine;
  LsWorker     *worker;         /* NULL: not needed yet */
  GCancellable *cancellable;    /* of what is being found out, or NULL */
};

/* About one program; in a reference counted box. */
typedef struct {
  LsModule    *module;
  gboolean     looking;         /* the thread is at it */
  gboolean     looked;
  LsAdviceMachine machine;      /* that `cost` is for; no gflops: there is none */
  LsAdviceCost *cost;
  LsLocality  *locality;
  GPtrArray   *buffers;         /* of char, as in locality */
  guint        accesses;
  gboolean     stopped;         /* there are more accesses */
  char        *cache_trouble;   /* why there is no locality */
  gboolean     compiling, compiled;
  LsInnerLoop *loop;
  char        *cpu;
  LsMca       *mca;
  char        *code_trouble, *mca_trouble;
} Facts;

/* One thing being found out. */
typedef struct {
  LsWhyMaker     *maker;
  LsSession      *session;      /* held */
  Facts          *facts;        /* held */
  LsPrimFunc     *func;         /* of the thread */
  LsAdviceMachine machine;
  Facts          *found;        /* by the thread: only some fields */
} Job;

static void
facts_clear (gpointer data)
{
  Facts *self = data;

  ls_unref (self->module);
  ls_advice_cost_free (self->cost);
  ls_locality_free (self->locality);
  g_clear_pointer (&self->buffers, g_ptr_array_unref);
  g_free (self->cache_trouble);
  ls_inner_loop_free (self->loop);
  g_free (self->cpu);
  ls_mca_free (self->mca);
  g_free (self->code_trouble);
  g_free (self->mca_trouble);
}

static void
facts_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, facts_clear);
}

static Facts *
facts_new (LsModule *module)
{
  Facts *self = g_atomic_rc_box_new0 (Facts);

  self->module = ls_ref (module);
  return self;
}

static Facts *
facts_of (LsHistoryNode *node)
{
  LsModule *module = ls_schedule_get_module (node->schedule);
  Facts *facts = g_object_get_data (G_OBJECT (node->item), "ls-why");

  if (facts != NULL && facts->module == module)
    return facts;
  facts = facts_new (module);
  g_object_set_data_full (G_OBJECT (node->item), "ls-why", facts, facts_unref);
  return facts;
}

static Job *
job_new (LsWhyMaker *maker,
         Facts      *facts)
{
  Job *job = g_new0 (Job, 1);

  job->maker = maker;
  job->session = g_object_ref (maker->session);
  job->facts = g_atomic_rc_box_acquire (facts);
  return job;
}

static void
job_free (Job *job)
{
  ls_unref (job->func);
  g_clear_pointer (&job->found, facts_unref);
  facts_unref (job->facts);
  g_object_unref (job->session);
  g_free (job);
}

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ---- counts and caches ------------------------------------------------------------- */

static void
follow (Job          *job,
        GCancellable *cancellable)
{
  Facts *found = job->found;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsAccessOrder) order = ls_access_order_new (job->func, LS_ACCESS_MOST, cancellable, &error);
  LsCacheLevel levels[LS_LOCALITY_LEVELS];
  guint n;

  if (order == NULL)
    {
      found->cache_trouble = g_strdup (error->message);
      return;
    }
  ls_cache_levels (levels, &n);
  found->locality = ls_locality_new (order, levels, n);
  found->accesses = order->accesses->len;
  found->stopped = order->stopped;
  found->buffers = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < order->buffers->len; i++)
    g_ptr_array_add (found->buffers, g_strdup (g_array_index (order->buffers, LsAccessBuffer, i).name));
}

/* In another thread. */
static void
look (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  Job *job = data;

  if (job->machine.gflops > 0.0)
    job->found->cost = ls_advice_cost_new (job->func, job->found->module, &job->machine);
  if (!job->facts->looked)
    follow (job, cancellable);
  g_task_return_boolean (task, TRUE);
}

static void
looked (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  Job *job = g_task_get_task_data (G_TASK (result));
  Facts *facts = job->facts, *found = job->found;
  gboolean cancelled = g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result)));

  facts->looking = FALSE;
  if (found->cost != NULL)
    {
      ls_advice_cost_free (facts->cost);
      facts->cost = g_steal_pointer (&found->cost);
      facts->machine = job->machine;
    }
  if (!facts->looked && !cancelled)
    {
      facts->locality = g_steal_pointer (&found->locality);
      facts->buffers = g_steal_pointer (&found->buffers);
      facts->cache_trouble = g_steal_pointer (&found->cache_trouble);
      facts->accesses = found->accesses;
      facts->stopped = found->stopped;
      facts->looked = TRUE;
    }
  if (!cancelled)               /* who asks begins it anew */
    ls_session_why_changed (job->session);
}

static void
begin_look (LsWhyMaker            *self,
            Facts                 *facts,
            LsPrimFunc            *func,
            const LsAdviceMachine *machine)
{
  gboolean counts = machine->gflops > 0.0 && machine->gflops != facts->machine.gflops;
  g_autoptr (GTask) task = NULL;
  Job *job;

  if (facts->looking || (facts->looked && !counts))
    return;
  job = job_new (self, facts);
  job->func = ls_ref (func);
  job->machine = *machine;
  job->found = facts_new (facts->module);
  facts->looking = TRUE;
  /* Without a source: a thread may let the task go last. */
  task = g_task_new (NULL, self->cancellable, looked, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, look);
}

/* ---- machine code ------------------------------------------------------------------- */

static void
analysed (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Job *job = data;
  g_autoptr (GError) error = NULL;

  job->facts->mca = ls_mca_finish (result, &error);
  job->facts->compiling = FALSE;
  job->facts->compiled = !is_cancelled (error);
  if (error != NULL && job->facts->compiled)
    job->facts->mca_trouble = g_strdup (error->message);
  if (job->facts->compiled)
    {
      ls_why_maker_mark (job->maker);
      ls_session_why_changed (job->session);
    }
  job_free (job);
}

static void
compiled (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Job *job = data;
  Facts *facts = job->facts;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autoptr (GVariant) groups = answer != NULL ? g_variant_lookup_value (answer, "groups", G_VARIANT_TYPE ("a(usas)")) : NULL;

  g_clear_pointer (&facts->loop, ls_inner_loop_free);   /* of a call that was cancelled */
  g_free (facts->cpu);
  facts->loop = groups != NULL ? ls_inner_loop_find (groups) : NULL;
  facts->cpu = g_strdup (answer != NULL ? ls_params_string (answer, "cpu", NULL) : NULL);
  if (facts->loop != NULL && facts->loop->call == NULL && facts->cpu != NULL)
    {
      ls_mca_ask (facts->loop->text, facts->cpu, job->maker->cancellable, analysed, job);
      return;
    }
  facts->compiling = FALSE;
  facts->compiled = !is_cancelled (error);
  if (error != NULL && facts->compiled)
    facts->code_trouble = ls_run_end_words (error, NULL, TIMEOUT_MS);
  if (facts->compiled)
    {
      ls_why_maker_mark (job->maker);
      ls_session_why_changed (job->session);
    }
  job_free (job);
}

static void
begin_code (LsWhyMaker *self,
            Facts      *facts,
            const char *name)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  g_autofree char *text = NULL;
  GVariantDict dict;

  if (facts->compiling || facts->compiled)
    return;
  if (self->worker == NULL)
    self->worker = ls_worker_new ();
  text = ls_script_print (facts->module, &whole, NULL);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", text);
  g_variant_dict_insert (&dict, "func", "s", name);
  g_variant_dict_insert (&dict, "target", "s", ls_document_get (self->document)->target);
  facts->compiling = TRUE;
  ls_worker_call_async (self->worker, "asm", g_variant_dict_end (&dict), &options, self->cancellable, compiled, job_new (self, facts));
}

/* ---- the record: the verdict ----------------------------------------------------------- */

/* The two steps; `facts` and `nodes` of the one beside may be NULL. */
typedef struct {
  LsWhy         *why;
  LsHistoryNode *nodes[LS_WHY_N_SIDES];
  Facts         *facts[LS_WHY_N_SIDES];
  LsAdviceVerdict *verdicts[LS_WHY_N_SIDES];
} Pair;

static gboolean
is_measured (LsHistoryNode *node)
{
  return node != NULL && node->time.samples > 0 && !node->stale;
}

/* What the step itself takes; 0: nobody measured it. */
static double
own_seconds (LsHistoryNode *node)
{
  return is_measured (node) ? ls_advice_own_seconds (node->time.own > 0.0 ? node->time.own : node->time.min, node->time.median, node->time.q3) : 0.0;
}

static void
judge (Pair *pair,
       guint side)
{
  Facts *facts = pair->facts[side];
  LsHistoryNode *node = pair->nodes[side];

  if (facts == NULL || facts->cost == NULL)
    return;
  pair->verdicts[side] = ls_advice_verdict_new (facts->cost, &facts->machine, own_seconds (node));
  /* An estimate reaches what the model says of itself, so without a time there is no share. */
  if (is_measured (node) && pair->verdicts[side]->n_reasons > 0)
    pair->why->shares[side] = pair->verdicts[side]->share;
  if (side == LS_WHY_SHOWN && pair->why->shares[side] >= 0.0)
    {
      g_autofree char *share = ls_format_share (pair->why->shares[side]);

      pair->why->share = g_strdup_printf (ngettext ("%s of the roof of %d core", "%s of the roof of all %d cores", (gulong) facts->machine.cores), share, facts->machine.cores);
    }
}

static void
need (LsWhy      *why,
      const char *missing,
      const char *button,
      const char *action)
{
  g_free (why->missing);
  g_free (why->button);
  why->missing = g_strdup (missing);
  why->button = g_strdup (button);
  why->action = action;
}

static void
say_verdict (LsWhyMaker *self,
             Pair       *pair)
{
  LsWhy *why = pair->why;
  const LsAdviceVerdict *shown = pair->verdicts[LS_WHY_SHOWN], *beside = pair->verdicts[LS_WHY_BESIDE];

  if (pair->facts[LS_WHY_SHOWN] == NULL)
    why->sentence = g_strdup (_("What holds this step back is not known: it has no TensorIR function, or was not reached."));
  else if (shown == NULL && pair->facts[LS_WHY_SHOWN]->looking)
    why->sentence = g_strdup (_("The program is being counted…"));
  else if (shown == NULL)
    why->sentence = g_strdup (_("What holds this step back is not known, because what this machine can do has not been measured."));
  else if (shown->n_reasons == 0)
    why->sentence = ls_advice_say_verdict (shown);
  else if (!is_measured (pair->nodes[LS_WHY_SHOWN]))
    {
      g_autofree char *reason = ls_advice_say_reason (shown, &shown->reasons[0]);

      why->bound = ls_advice_say_cause (&shown->reasons[0]);
      why->sentence = g_strdup_printf (_("%s So says the count alone: this step has no time yet."), reason);
    }
  else if (!shown->known)
    why->sentence = ls_advice_say_verdict (shown);
  else
    {
      why->bound = ls_advice_say_cause (&shown->reasons[0]);
      why->sentence = ls_advice_say_reason (shown, &shown->reasons[0]);
    }
  if (shown != NULL && shown->n_reasons > 1 && why->bound != NULL)
    {
      g_autofree char *cause = ls_advice_say_cause (&shown->reasons[1]);

      why->next = g_strdup_printf (_("Next it would be %s."), cause);
    }
  else if (shown != NULL && shown->n_reasons == 1 && why->bound != NULL)
    why->next = g_strdup (_("Next it would be the roof itself."));
  if (beside != NULL && beside->n_reasons > 0)
    {
      g_autofree char *tag = ls_step_item_tag (pair->nodes[LS_WHY_BESIDE]->item), *cause = ls_advice_say_cause (&beside->reasons[0]);
      g_autofree char *share = why->shares[LS_WHY_BESIDE] >= 0.0 ? ls_format_share (why->shares[LS_WHY_BESIDE]) : NULL;

      why->beside = share != NULL ? g_strdup_printf (_("Step %s is held back by %s and reaches %s of its roof."), tag, cause, share)
                                  : g_strdup_printf (_("Step %s is held back by %s; it has no time yet."), tag, cause);
    }
}

static void
say_missing (LsWhyMaker *self,
             Pair       *pair,
             gboolean    known)
{
  LsWhy *why = pair->why;

  if (pair->facts[LS_WHY_SHOWN] == NULL)
    return;
  if (ls_session_is_running (self->session))
    need (why, _("The steps are being measured."), NULL, NULL);
  else if (ls_machine_is_measuring (self->machine))
    need (why, _("What this machine can do is being measured."), NULL, NULL);
  else if (!known)
    need (why, _("It takes about a second to measure what this machine can do, once."), _("Measure the machine"), "win.measure-machine");
  else if (!is_measured (pair->nodes[LS_WHY_SHOWN]))
    need (why, _("Without a time nobody can say how much of its roof the step reaches."), _("Measure this step"), "win.measure");
  else if (pair->nodes[LS_WHY_BESIDE] != NULL && !is_measured (pair->nodes[LS_WHY_BESIDE]))
    need (why, _("The step beside it has no time."), _("Measure all steps"), "win.measure-all");
  else if (ls_peaks_doubtful (ls_host_cpu_name ()))
    need (why, _("What this machine can do was measured while it was busy: the roof is too low, and the share of it too high."), _("Measure the machine"),
          "win.measure-machine");
}

/* ---- the record: the tables --------------------------------------------------------------- */

static char **
cells_new (const char *first,
           char       *second,
           char       *third)
{
  char **cells = g_new0 (char *, 4);

  cells[0] = g_strdup (first);
  cells[1] = second != NULL ? second : g_strdup ("–");
  cells[2] = third != NULL ? third : g_strdup ("–");
  return cells;
}

/* Of both steps where there are two, else of one. */
static void
put_pair (Pair         *pair,
          LsWhyTableId  id,
          const char   *first,
          char         *beside,
          char         *shown)
{
  char **cells = cells_new (first, beside, shown);

  if (pair->nodes[LS_WHY_BESIDE] == NULL)
    {
      g_free (cells[1]);
      cells[1] = cells[2];
      cells[2] = NULL;
    }
  ls_why_add_row (&pair->why->tables[id], cells);
}

static void
put_heads (Pair         *pair,
           LsWhyTableId  id)
{
  char *heads[LS_WHY_N_SIDES] = { NULL };

  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    if (pair->nodes[side] != NULL)
      {
        g_autofree char *tag = ls_step_item_tag (pair->nodes[side]->item);

        heads[side] = g_strdup_printf (_("Step %s"), tag);
      }
  put_pair (pair, id, "", heads[LS_WHY_BESIDE], heads[LS_WHY_SHOWN]);
}

#define BOTH(pair, id, name, expression) \
  G_STMT_START { \
    char *texts_[LS_WHY_N_SIDES] = { NULL }; \
    for (guint side = 0; side < LS_WHY_N_SIDES; side++) \
      texts_[side] = (expression); \
    put_pair (pair, id, name, texts_[LS_WHY_BESIDE], texts_[LS_WHY_SHOWN]); \
  } G_STMT_END

static char *
time_text (LsHistoryNode *node)
{
  return is_measured (node) ? ls_format_time_spread (node->time.median, (node->time.q3 - node->time.q1) / 2.0) : NULL;
}

static char *
number_text (double value)
{
  return value > 0.0 ? g_strdup_printf ("%.3g", value) : NULL;
}

/* The nest that takes longest. */
static const LsNestCost *
longest (const LsAdviceCost *cost)
{
  const LsNestCost *best = NULL;

  for (guint i = 0; cost != NULL && i < cost->nests->len; i++)
    if (best == NULL || ((LsNestCost *) cost->nests->pdata[i])->seconds > best->seconds)
      best = cost->nests->pdata[i];
  return best;
}

static char *
of_text (double value,
         int    all)
{
  /* Translators: 4 of 8: a number that is used, and how many there are */
  return value > 0.0 ? g_strdup_printf (_("%.3g of %d"), value, all) : NULL;
}

static void
put_counts (Pair *pair)
{
  LsWhyTable *table = &pair->why->tables[LS_WHY_COUNTS];
  const LsAdviceCost *costs[LS_WHY_N_SIDES] = { NULL };
  const LsAdviceMachine *machine = NULL;
  const LsNestCost *nests[LS_WHY_N_SIDES];

  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    {
      costs[side] = pair->facts[side] != NULL ? pair->facts[side]->cost : NULL;
      nests[side] = longest (costs[side]);
      machine = costs[side] != NULL ? &pair->facts[side]->machine : machine;
      table->busy |= pair->facts[side] != NULL && pair->facts[side]->looking && costs[side] == NULL;
    }
  if (machine == NULL)
    {
      table->words = g_strdup (table->busy ? _("Being counted…") : _("Not known before the machine is measured."));
      return;
    }
  put_heads (pair, LS_WHY_COUNTS);
  BOTH (pair, LS_WHY_COUNTS, _("Time"), time_text (pair->nodes[side]));
  BOTH (pair, LS_WHY_COUNTS, _("Least the machine needs"), pair->verdicts[side] != NULL && pair->verdicts[side]->roof_seconds > 0.0 ? ls_format_time (pair->verdicts[side]->roof_seconds) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Expected by the count"), costs[side] != NULL && costs[side]->seconds > 0.0 ? ls_format_time (costs[side]->seconds) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Operations"), costs[side] != NULL && costs[side]->flop > 0.0 ? ls_format_short_count (costs[side]->flop) : NULL);
  for (int i = 0; i < machine->n_levels; i++)
    {
      g_autofree char *name = g_strdup_printf (_("Fetched from %s"), machine->behind[i]);

      BOTH (pair, LS_WHY_COUNTS, name, costs[side] != NULL && costs[side]->bytes[i] >= 0.0 ? ls_format_bytes ((gint64) costs[side]->bytes[i]) : NULL);
    }
  BOTH (pair, LS_WHY_COUNTS, _("Lanes used"), nests[side] != NULL ? of_text (nests[side]->lanes, machine->lanes) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Sums side by side"), nests[side] != NULL ? number_text (nests[side]->chains) : NULL);
  BOTH (pair, LS_WHY_COUNTS, _("Cores used"), nests[side] != NULL ? of_text (nests[side]->cores, machine->cores) : NULL);
  table->words = g_strdup_printf (_("Counted in the program. Lanes, sums and cores are those of block %s, which takes most."),
                                  nests[LS_WHY_SHOWN] != NULL && nests[LS_WHY_SHOWN]->name[0] != '\0' ? nests[LS_WHY_SHOWN]->name : "–");
}

static const LsLocalityRow *
row_of (Facts      *facts,
        const char *name)
{
  if (facts == NULL || facts->locality == NULL)
    return NULL;
  if (name == NULL)
    return &facts->locality->all;
  for (guint i = 0; i < facts->buffers->len; i++)
    if (strcmp (facts->buffers->pdata[i], name) == 0)
      return &facts->locality->buffers[i];
  return NULL;
}

static char *
misses_text (const LsLocalityRow *row,
             guint                level)
{
  return row != NULL ? ls_format_short_count ((double) (row->misses[level].cold + row->misses[level].capacity + row->misses[level].conflict)) : NULL;
}

/* It misses what the one before it misses: the columns would be the same. */
static gboolean
is_same_level (Pair *pair,
               guint level)
{
  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    {
      const LsLocality *locality = pair->facts[side] != NULL ? pair->facts[side]->locality : NULL;

      for (guint i = 0; locality != NULL && i < locality->n_buffers; i++)
        if (level == 0 || memcmp (&locality->buffers[i].misses[level], &locality->buffers[i].misses[level - 1], sizeof (LsMisses)) != 0)
          return FALSE;
    }
  return TRUE;
}

static void
put_misses (Pair       *pair,
            const char *name)
{
  Facts *shown = pair->facts[LS_WHY_SHOWN];
  g_autoptr (GStrvBuilder) cells = g_strv_builder_new ();

  g_strv_builder_add (cells, name != NULL ? name : _("all"));
  for (guint level = 0; level < shown->locality->n_levels; level++)
    {
      g_autofree char *text = NULL;

      if (is_same_level (pair, level))
        continue;
      text = ls_why_both (misses_text (row_of (pair->facts[LS_WHY_BESIDE], name), level), misses_text (row_of (shown, name), level));

      g_strv_builder_add (cells, text);
    }
  ls_why_add_row (&pair->why->tables[LS_WHY_CACHES], g_strv_builder_end (cells));
}

static void
put_caches (Pair *pair)
{
  LsWhyTable *table = &pair->why->tables[LS_WHY_CACHES];
  Facts *shown = pair->facts[LS_WHY_SHOWN];
  g_autoptr (GStrvBuilder) heads = g_strv_builder_new ();
  g_autofree char *count = NULL;

  table->busy = shown != NULL && shown->looking && !shown->looked;
  if (shown == NULL || shown->locality == NULL)
    {
      table->words = g_strdup (table->busy ? _("The program is being followed.") : shown != NULL && shown->cache_trouble != NULL ? shown->cache_trouble
                                                                                : _("Not followed yet."));
      return;
    }
  g_strv_builder_add (heads, _("Misses"));
  for (guint level = 0; level < shown->locality->n_levels; level++)
    {
      g_autofree char *bytes = ls_format_bytes (shown->locality->levels[level].bytes), *head = NULL;
      guint last = level;

      if (is_same_level (pair, level))
        continue;
      while (last + 1 < shown->locality->n_levels && is_same_level (pair, last + 1))
        last++;
      head = last > level ? g_strdup_printf ("L%u, L%u", level + 1, last + 1) : g_strdup_printf ("L%u %s", level + 1, bytes);
      g_strv_builder_add (heads, head);
    }
  ls_why_add_row (table, g_strv_builder_end (heads));
  for (guint i = 0; i < MIN (shown->buffers->len, MOST_BUFFERS); i++)
    put_misses (pair, shown->buffers->pdata[i]);
  put_misses (pair, NULL);
  count = ls_format_count (shown->accesses);
  table->words = g_strdup_printf (shown->stopped ? ngettext ("Simulated, for the first %s access.", "Simulated, for the first %s accesses; the count beside it is of all.", shown->accesses)
                                                 : ngettext ("Simulated, for the only access (%s).", "Simulated, for all %s accesses.", shown->accesses), count);
}

static char *
width_text (const LsInnerLoop *loop)
{
  if (loop == NULL || loop->arithmetic == 0)
    return NULL;
  return loop->bits <= 64 ? g_strdup (_("1 number")) : g_strdup_printf (ngettext ("%u bit", "%u bits", loop->bits), loop->bits);
}

static char *
busy_text (const LsMca *mca)
{
  return mca != NULL && mca->unit != NULL ? g_strdup_printf ("%s %.3g", mca->unit, mca->busy) : NULL;
}

/* What a round waits for, by the model. */
static char *
code_words (Facts *facts)
{
  const LsMca *mca = facts->mca;
  g_autofree char *reason = NULL;

  if (facts->code_trouble != NULL)
    return g_strdup (facts->code_trouble);
  if (facts->loop == NULL)
    return g_strdup (_("The machine code has no loop: LLVM unrolled all of them, or there is none."));
  if (facts->loop->call != NULL)
    return g_strdup_printf (_("The innermost loop calls %s, whose cycles llvm-mca does not know."), facts->loop->call);
  if (mca == NULL)
    return g_strdup_printf (_("Cycles are not known: %s"), facts->mca_trouble != NULL ? facts->mca_trouble : _("llvm-mca gave no answer."));
  reason = ls_mca_waits (mca)
             ? g_strdup (_("A round waits for operations that depend on each other: no unit is busy all the time."))
           : mca->unit != NULL && mca->busy >= 0.9 * mca->cycles ? g_strdup_printf (_("A round is as long as unit %s needs."), mca->unit)
                                                              : g_strdup (_("A round is as long as its instructions need to begin."));
  return g_strdup_printf (_("%s By llvm-mca's model of %s, in which each load hits the first cache."), reason, facts->cpu);
}

static void
put_code (Pair *pair)
{
  LsWhyTable *table = &pair->why->tables[LS_WHY_CODE];
  Facts *shown = pair->facts[LS_WHY_SHOWN];
  const LsInnerLoop *loops[LS_WHY_N_SIDES] = { NULL };
  const LsMca *mcas[LS_WHY_N_SIDES] = { NULL };

  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    if (pair->facts[side] != NULL && pair->facts[side]->compiled)
      {
        loops[side] = pair->facts[side]->loop;
        mcas[side] = pair->facts[side]->mca;
      }
  table->busy = shown != NULL && shown->compiling;
  if (shown == NULL || !shown->compiled)
    {
      table->words = g_strdup (table->busy ? _("The program is being compiled.") : _("Not compiled yet."));
      return;
    }
  if (loops[LS_WHY_SHOWN] != NULL)
    {
      put_heads (pair, LS_WHY_CODE);
      BOTH (pair, LS_WHY_CODE, _("Instructions in a round"), loops[side] != NULL ? ls_format_count (loops[side]->n) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Arithmetic"), loops[side] != NULL ? ls_format_count (loops[side]->arithmetic) : NULL);
      BOTH (pair, LS_WHY_CODE, _("multiply-adds of it"), loops[side] != NULL ? ls_format_count (loops[side]->fused) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Widest register"), width_text (loops[side]));
      BOTH (pair, LS_WHY_CODE, _("Loads"), loops[side] != NULL ? ls_format_count (loops[side]->loads) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Stores"), loops[side] != NULL ? ls_format_count (loops[side]->stores) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Cycles of a round"), mcas[side] != NULL ? g_strdup_printf ("%.3g", mcas[side]->cycles) : NULL);
      BOTH (pair, LS_WHY_CODE, _("Busiest unit, its cycles"), busy_text (mcas[side]));
    }
  table->words = code_words (shown);
}

/* ---- asked ------------------------------------------------------------------------------------ */

static LsPrimFunc *
function_of (LsHistoryNode  *node,
             const char    **name)
{
  LsModule *module = ls_schedule_get_module (node->schedule);

  *name = LS_HISTORY_DONE (node) ? ls_run_function (module) : NULL;
  return *name != NULL ? (LsPrimFunc *) ls_module_get (module, *name) : NULL;
}

static void
find_out (LsWhyMaker            *self,
          Pair                  *pair,
          const LsAdviceMachine *machine)
{
  for (guint side = LS_WHY_N_SIDES; side-- > 0;)
    {
      const char *name = NULL;
      LsPrimFunc *func = pair->nodes[side] != NULL ? function_of (pair->nodes[side], &name) : NULL;

      if (func == NULL)
        continue;
      pair->facts[side] = facts_of (pair->nodes[side]);
      if (ls_session_is_running (self->session) || ls_machine_is_measuring (self->machine))
        continue;
      if (self->cancellable == NULL)
        self->cancellable = g_cancellable_new ();
      begin_look (self, pair->facts[side], func, machine);
      begin_code (self, pair->facts[side], name);
    }
}

/* The node that is meant, or NULL. */
static LsHistoryNode *
beside_of (LsHistory     *history,
           LsHistoryNode *shown,
           guint          id)
{
  if (id == LS_WHY_BEFORE)
    id = shown->parent;
  return id < ls_history_get_n (history) && id != shown->id ? ls_history_get (history, id) : NULL;
}

void
ls_why_maker_mark (LsWhyMaker *self)
{
  LsHistoryNode *node = ls_document_get_node (self->document);
  Facts *facts = node != NULL ? g_object_get_data (G_OBJECT (node->item), "ls-why") : NULL;
  gboolean known = facts != NULL && facts->compiled && facts->module == ls_schedule_get_module (node->schedule);
  g_autoptr (LsAdviceVerdict) verdict = known && facts->cost != NULL && is_measured (node) ? ls_advice_verdict_new (facts->cost, &facts->machine, own_seconds (node)) : NULL;

  ls_why_badge_show (self->session, known ? facts->loop : NULL, known ? facts->mca : NULL, verdict != NULL && verdict->n_reasons > 0 ? verdict->share : -1.0);
}

LsWhy *
ls_why_maker_get (LsWhyMaker *self,
                  guint       beside)
{
  LsHistoryNode *shown = ls_document_get_node (self->document);
  LsAdviceMachine machine;
  LsPeaks peaks;
  Pair pair = { NULL };
  gboolean known;

  if (shown == NULL)
    return NULL;
  memset (&machine, 0, sizeof machine);
  known = ls_peaks_load (ls_host_cpu_name (), &peaks);
  if (known)
    ls_advice_machine_init (&machine, &peaks, 0);
  pair.why = ls_why_new ();
  pair.nodes[LS_WHY_SHOWN] = shown;
  pair.nodes[LS_WHY_BESIDE] = beside_of (ls_document_get (self->document)->history, shown, beside);
  find_out (self, &pair, &machine);
  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    {
      if (pair.nodes[side] != NULL)
        pair.why->items[side] = g_object_ref (pair.nodes[side]->item);
      judge (&pair, side);
    }
  say_verdict (self, &pair);
  say_missing (self, &pair, known);
  put_counts (&pair);
  put_caches (&pair);
  put_code (&pair);
  ls_why_maker_mark (self);
  for (guint side = 0; side < LS_WHY_N_SIDES; side++)
    ls_advice_verdict_free (pair.verdicts[side]);
  return pair.why;
}

void
ls_why_maker_cancel (LsWhyMaker *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/* ---- life ---------------------------------------------------------------------------------------- */

LsWhyMaker *
ls_why_maker_new (LsSession  *session,
                  LsDocument *document,
                  LsMachine  *machine)
{
  LsWhyMaker *self = g_new0 (LsWhyMaker, 1);

  self->session = session;
  self->document = g_object_ref (document);
  self->machine = machine;
  return self;
}

void
ls_why_maker_free (LsWhyMaker *self)
{
  ls_why_maker_cancel (self);
  g_clear_object (&self->worker);
  g_object_unref (self->document);
  g_free (self);
}
