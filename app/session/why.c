/* session/why: facts about a step are found out once for its program and stay with its row in the history: counts and simulated caches in a
 * thread, machine code by a worker of its own, so that what is measured meanwhile need not wait, and a round of its loop by llvm-mca.  A
 * verdict is made of the facts and the time whenever somebody asks.
 */
#include "app/session/why.h"

#include "app/mca/mca.h"
#include "app/session/advice-words.h"
#include "app/session/asked.h"
#include "app/session/run.h"
#include "app/session/sizes.h"
#include "app/session/why-badge.h"
#include "app/session/why-private.h"
#include "engine/base/task.h"
#include "engine/debug/debug.h"
#include "engine/runtime/peaks.h"
#include "engine/script/printer.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/specialize.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define TIMEOUT_MS 60000
#define MOST_ACCESSES 5e7       /* about a second; rounds are left out where there are more */

struct _LsWhyMaker
{
  LsSession    *session;
  LsDocument   *document;
  LsMachine    *machine;
  LsWorker     *worker;         /* NULL: not needed yet */
  GCancellable *cancellable;    /* of what is being found out, or NULL */
};

/* One thing being found out. */
typedef struct {
  LsAsked        *asked;        /* NULL: that was told */
  GCancellable   *cancellable;
  LsWhyFacts     *facts;        /* held */
  LsPrimFunc     *func;         /* of the thread */
  LsAdviceMachine machine;
  LsWhyFacts     *found;        /* by the thread: only some fields */
} Job;

static void
facts_clear (gpointer data)
{
  LsWhyFacts *self = data;

  ls_unref (self->module);
  g_free (self->sizes);
  ls_advice_cost_free (self->cost);
  g_clear_pointer (&self->memory, ls_memory_lab_free);
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

static LsWhyFacts *
facts_new (LsModule *module)
{
  LsWhyFacts *self = g_atomic_rc_box_new0 (LsWhyFacts);

  self->module = ls_ref (module);
  return self;
}

static LsWhyFacts *
facts_of (LsDocument    *document,
          LsHistoryNode *node)
{
  const char *sizes = ls_document_get (document)->sizes;
  LsModule *module = ls_schedule_get_module (node->schedule);
  LsWhyFacts *facts = g_object_get_data (G_OBJECT (node->item), "ls-why");

  if (facts != NULL && facts->module == module && g_strcmp0 (facts->sizes, sizes) == 0)
    return facts;
  facts = facts_new (module);
  facts->sizes = g_strdup (sizes);
  g_object_set_data_full (G_OBJECT (node->item), "ls-why", facts, facts_unref);
  return facts;
}

static Job *
job_new (LsWhyMaker *maker,
         LsWhyFacts *facts)
{
  Job *job = g_new0 (Job, 1);

  job->asked = ls_asked_new (maker->session, maker);
  job->cancellable = g_object_ref (maker->cancellable);
  job->facts = g_atomic_rc_box_acquire (facts);
  return job;
}

/* Something was found out: who shows it is told, unless the session has gone. */
static void
tell (Job      *job,
      gboolean  mark)
{
  g_autoptr (LsSession) session = NULL;
  LsWhyMaker *self = ls_asked_end (g_steal_pointer (&job->asked), &session);

  if (self != NULL && mark)
    ls_why_maker_mark (self);
  if (self != NULL)
    ls_session_why_changed (session);
}

static void
job_free (Job *job)
{
  g_clear_pointer (&job->asked, ls_asked_free);
  ls_unref (job->func);
  g_clear_pointer (&job->found, facts_unref);
  facts_unref (job->facts);
  g_object_unref (job->cancellable);
  g_free (job);
}

static gboolean
is_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* ---- counts and caches ------------------------------------------------------------- */

/* Of the program as it is compiled, or as it stands where it cannot be lowered. */
static void
follow (Job          *job,
        GCancellable *cancellable)
{
  LsWhyFacts *found = job->found;
  g_autoptr (LsPrimFunc) lowered = ls_lower (job->func, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  LsMemoryOptions options;

  ls_memory_options_init (&options);
  options.most = MOST_ACCESSES;
  found->memory = ls_debug_memory_lab (lowered != NULL ? lowered : job->func, &options, NULL, cancellable, &error);
  if (found->memory == NULL)
    found->cache_trouble = g_strdup (error->message);
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
  LsWhyFacts *facts = job->facts, *found = job->found;
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
      facts->memory = g_steal_pointer (&found->memory);
      facts->cache_trouble = g_steal_pointer (&found->cache_trouble);
      facts->looked = TRUE;
    }
  if (!cancelled)               /* who asks begins it anew */
    tell (job, FALSE);
}

static void
begin_look (LsWhyMaker            *self,
            LsWhyFacts                 *facts,
            LsPrimFunc            *func,
            const LsAdviceMachine *machine)
{
  gboolean counts = machine->gflops > 0.0 && machine->gflops != facts->machine.gflops;
  g_autoptr (GTask) task = NULL;
  Job *job;

  if (facts->looking || (facts->looked && !counts))
    return;
  job = job_new (self, facts);
  {
    g_autoptr (GPtrArray) sizes = ls_sizes_list (self->document);

    job->func = ls_prim_func_size (func, sizes);
  }
  job->machine = *machine;
  job->found = facts_new (facts->module);
  facts->looking = TRUE;
  task = g_task_new (NULL, self->cancellable, looked, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  ls_task_run (task, look);
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
    tell (job, TRUE);
  job_free (job);
}

static void
compiled (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Job *job = data;
  LsWhyFacts *facts = job->facts;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autoptr (GVariant) groups = answer != NULL ? g_variant_lookup_value (answer, "groups", G_VARIANT_TYPE ("a(usas)")) : NULL;

  g_clear_pointer (&facts->loop, ls_inner_loop_free);   /* of a call that was cancelled */
  g_free (facts->cpu);
  facts->loop = groups != NULL ? ls_inner_loop_find (groups) : NULL;
  facts->cpu = g_strdup (answer != NULL ? ls_params_string (answer, "cpu", NULL) : NULL);
  if (facts->loop != NULL && facts->loop->call == NULL && facts->cpu != NULL)
    {
      ls_mca_ask (facts->loop->text, facts->cpu, job->cancellable, analysed, job);
      return;
    }
  facts->compiling = FALSE;
  facts->compiled = !is_cancelled (error);
  if (error != NULL && facts->compiled)
    facts->code_trouble = ls_run_end_words (error, NULL, TIMEOUT_MS);
  if (facts->compiled)
    tell (job, TRUE);
  job_free (job);
}

static void
begin_code (LsWhyMaker *self,
            LsWhyFacts      *facts,
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

/* What the step itself takes; 0: nobody measured it. */
static double
own_seconds (LsHistoryNode *node)
{
  return ls_why_is_measured (node) ? ls_advice_own_seconds (node->time.own > 0.0 ? node->time.own : node->time.min, node->time.median, node->time.q3) : 0.0;
}

static void
judge (LsWhyPair *pair,
       guint side)
{
  LsWhyFacts *facts = pair->facts[side];
  LsHistoryNode *node = pair->nodes[side];

  if (facts == NULL || facts->cost == NULL)
    return;
  pair->verdicts[side] = ls_advice_verdict_new (facts->cost, &facts->machine, own_seconds (node));
  /* An estimate reaches what the model says of itself, so without a time there is no share. */
  if (ls_why_is_measured (node) && pair->verdicts[side]->n_reasons > 0)
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
             LsWhyPair       *pair)
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
  else if (!ls_why_is_measured (pair->nodes[LS_WHY_SHOWN]))
    {
      g_autofree char *reason = ls_advice_say_reason (shown, &shown->reasons[0]);

      why->bound = ls_advice_say_cause (&shown->reasons[0]);
      why->sentence = g_strdup_printf (_("%s So says the count alone: this machine has not measured this step."), reason);
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
                                  : g_strdup_printf (_("Step %s is held back by %s; this machine has not measured it."), tag, cause);
    }
}

static void
say_missing (LsWhyMaker *self,
             LsWhyPair       *pair,
             gboolean    known)
{
  LsWhy *why = pair->why;

  g_autofree char *sizes = ls_sizes_missing (self->document);

  if (pair->facts[LS_WHY_SHOWN] == NULL)
    return;
  if (sizes != NULL)
    {
      g_autofree char *words = g_strdup_printf (_("The program has symbolic sizes: give %s above, and press Enter."), sizes);

      need (why, words, NULL, NULL);
    }
  else if (ls_session_is_running (self->session))
    need (why, _("The steps are being measured."), NULL, NULL);
  else if (ls_machine_is_measuring (self->machine))
    need (why, _("What this machine can do is being measured."), NULL, NULL);
  else if (!known)
    need (why, _("What this machine can do is measured once: in a second, or in up to fifteen while others use it."), _("Measure the machine"), "win.measure-machine");
  else if (!ls_why_is_measured (pair->nodes[LS_WHY_SHOWN]))
    need (why, ls_document_get (self->document)->device != NULL ? _("This machine has not measured this step, so nobody can say how much of this machine's roof it reaches.")
                                                                : _("Without a time nobody can say how much of its roof the step reaches."),
          _("Measure this step"), "win.measure");
  else if (pair->nodes[LS_WHY_BESIDE] != NULL && !ls_why_is_measured (pair->nodes[LS_WHY_BESIDE]))
    need (why, _("The step beside it has no time."), _("Measure all steps"), "win.measure-all");
  else if (ls_peaks_doubtful (ls_host_cpu_name ()))
    need (why, _("What this machine can do was measured while it was busy: the roof is too low, and the share of it too high."), _("Measure the machine"),
          "win.measure-machine");
}

/* A device's times and roofs are beside what was found about this machine. */
static void
say_whose (LsWhyMaker *self,
           LsWhy      *why)
{
  const char *device = ls_document_get (self->document)->device;

  if (device == NULL)
    return;
  why->times = g_strdup_printf (_("Measured on %s."), device);
  why->whose = g_strdup_printf (_("Times and roofline are those of %s. What holds the step back, the caches and the innermost loop are of this machine (%s), judged by its own times."),
                                device, ls_host_cpu_name ());
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
          LsWhyPair                  *pair,
          const LsAdviceMachine *machine)
{
  for (guint side = LS_WHY_N_SIDES; side-- > 0;)
    {
      const char *name = NULL;
      LsPrimFunc *func = pair->nodes[side] != NULL ? function_of (pair->nodes[side], &name) : NULL;

      if (func == NULL)
        continue;
      pair->facts[side] = facts_of (self->document, pair->nodes[side]);
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
  LsWhyFacts *facts = node != NULL ? g_object_get_data (G_OBJECT (node->item), "ls-why") : NULL;
  gboolean known = facts != NULL && facts->compiled && facts->module == ls_schedule_get_module (node->schedule);
  g_autoptr (LsAdviceVerdict) verdict = known && facts->cost != NULL && ls_why_is_measured (node) ? ls_advice_verdict_new (facts->cost, &facts->machine, own_seconds (node)) : NULL;

  ls_why_badge_show (self->session, known ? facts->loop : NULL, known ? facts->mca : NULL, verdict != NULL && verdict->n_reasons > 0 ? verdict->share : -1.0);
}

LsWhy *
ls_why_maker_get (LsWhyMaker *self,
                  guint       beside)
{
  LsHistoryNode *shown = ls_document_get_node (self->document);
  LsAdviceMachine machine;
  LsPeaks peaks;
  LsWhyPair pair = { NULL };
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
  pair.why->sizes = ls_sizes_text (self->document);
  say_whose (self, pair.why);
  say_verdict (self, &pair);
  say_missing (self, &pair, known);
  ls_why_put_counts (&pair);
  ls_why_put_caches (&pair);
  ls_why_put_code (&pair);
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
