/* session/graph-job: passes are run and series are built here, in a thread unless they are small.
 *
 * One job at a time.  What is wished while one is under way waits: a build begins anew when the one that became stale is through, and nobody sees
 * that one; a pass is run after it.  The series that is shown stays until the next one is there. */
#include "app/session/graph-private.h"

#include "engine/base/task.h"

#include <glib/gi18n.h>

#define SMALL_BUILD 300         /* bindings of all states: less than a frame */
#define SMALL_PASS 40           /* bindings that a pass goes over at once */

struct _LsGraphJob
{
  LsEngineGraph *self;
  LsGraphMaking *making;
  GPtrArray     *texts;         /* of char *: passes to run, or NULL */
  guint          behind;        /* this state */
  gboolean       saved;         /* they are of a saved session */
  gboolean       build;
  guint          state;         /* that is shown then */

  GPtrArray     *modules, *lineages;    /* one for each pass that could be run */
  char          *message;       /* why one could not */
  LsGraphSeries *series;
};

static void start (LsEngineGraph *self);

static void
unref_node (gpointer node)
{
  ls_unref (node);
}

static void
job_free (gpointer data)
{
  LsGraphJob *job = data;

  ls_graph_making_free (job->making);
  g_clear_pointer (&job->texts, g_ptr_array_unref);
  g_clear_pointer (&job->modules, g_ptr_array_unref);
  g_clear_pointer (&job->lineages, g_ptr_array_unref);
  ls_graph_series_unref (job->series);
  g_free (job->message);
  g_object_unref (job->self);
  g_free (job);
}

/* ---- the work: a thread may be doing it -------------------------------------------------------- */

static LsModule *
module_before (LsGraphJob *job)
{
  if (job->modules->len > 0)
    return job->modules->pdata[job->modules->len - 1];
  return job->behind == 0 ? job->making->module : job->making->modules->pdata[job->behind - 1];
}

static void
run_passes (LsGraphJob *job)
{
  for (guint i = 0; i < job->texts->len && job->message == NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsRelaxLineage) lineage = ls_relax_lineage_new ();
      LsModule *after;

      ls_relax_lineage_begin (lineage);
      after = ls_graph_run_pass (module_before (job), job->texts->pdata[i], &error);
      ls_relax_lineage_end (lineage);
      if (after == NULL)
        {
          job->message = job->saved ? g_strdup_printf (_("%s could not be run again: %s"), (const char *) job->texts->pdata[i], error->message) : g_strdup (error->message);
          return;
        }
      g_ptr_array_add (job->modules, after);
      g_ptr_array_add (job->lineages, g_steal_pointer (&lineage));
    }
}

/* The states that there are then. */
static void
extend (LsGraphJob *job)
{
  LsGraphMaking *making = job->making;

  g_ptr_array_set_size (making->passes, (gint) job->behind);
  g_ptr_array_set_size (making->modules, (gint) job->behind);
  g_ptr_array_set_size (making->lineages, (gint) job->behind);
  if (making->timelines->len > job->behind + 1)
    g_ptr_array_set_size (making->timelines, (gint) job->behind + 1);
  for (guint i = 0; i < job->modules->len; i++)
    {
      g_ptr_array_add (making->passes, g_strdup (job->texts->pdata[i]));
      g_ptr_array_add (making->modules, ls_ref (job->modules->pdata[i]));
      g_ptr_array_add (making->lineages, ls_relax_lineage_ref (job->lineages->pdata[i]));
    }
  job->state = making->passes->len;
}

static void
work (LsGraphJob *job)
{
  if (job->texts != NULL)
    {
      run_passes (job);
      if (job->modules->len > 0 || job->saved)
        extend (job);
      else
        job->build = FALSE;
    }
  if (job->build)
    job->series = ls_graph_making_build (job->making);
}

static void
work_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  work (data);
  g_task_return_boolean (task, TRUE);
}

/* ---- what came of it --------------------------------------------------------------------------- */

/* The document has them too, so that they are saved. */
void
ls_engine_graph_note_passes (LsEngineGraph *self)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) passes = NULL;

  for (guint i = 0; i < self->passes->len; i++)
    g_strv_builder_add (all, self->passes->pdata[i]);
  passes = g_strv_builder_end (all);
  ls_document_set_passes (self->document, (const char *const *) passes);
  ls_document_changed (self->document);
}

static void
take_passes (LsEngineGraph *self,
             LsGraphJob    *job)
{
  g_ptr_array_set_size (self->passes, (gint) job->behind);
  g_ptr_array_set_size (self->modules, (gint) job->behind);
  g_ptr_array_set_size (self->lineages, (gint) job->behind);
  if (self->timelines->len > job->behind + 1)
    g_ptr_array_set_size (self->timelines, (gint) job->behind + 1);
  for (guint i = 0; i < job->modules->len; i++)
    {
      g_ptr_array_add (self->passes, g_strdup (job->texts->pdata[i]));
      g_ptr_array_add (self->modules, ls_ref (job->modules->pdata[i]));
      g_ptr_array_add (self->lineages, ls_relax_lineage_ref (job->lineages->pdata[i]));
    }
  ls_engine_graph_note_passes (self);
}

static void
show_series (LsEngineGraph *self,
             LsGraphSeries *series,     /* (transfer full), or NULL */
             GPtrArray     *runs,       /* (transfer full), or NULL */
             guint          state)
{
  LsGraphModel *model = &self->parent_instance;
  LsGraphSeries *old = ls_graph_model_get_series (model);
  gint selected = ls_graph_model_get_selected (model);
  g_autofree char *key = old != NULL && selected >= 0 ? g_strdup (ls_graph_node (old->whole, selected)->key) : NULL;
  gboolean by_passes = ls_engine_graph_by_passes (self);

  if (self->laying_out != NULL)
    g_cancellable_cancel (self->laying_out);
  ls_graph_model_set_passes (model, by_passes, by_passes ? self->passes->len : 0);
  ls_graph_model_take_runs (model, runs);
  ls_graph_model_take_series (model, ls_engine_graph_kinds (self), self->kind, series, state);
  selected = key != NULL && ls_graph_model_get_series (model) != NULL ? ls_graph_find (ls_graph_model_get_series (model)->whole, key) : -1;
  if (selected >= 0)
    ls_graph_model_select (model, selected);
}

static void
finish (LsGraphJob *job)
{
  LsEngineGraph *self = job->self;
  LsGraphModel *model = &self->parent_instance;

  self->job = NULL;
  if (job->texts != NULL && (job->modules->len > 0 || job->saved))
    take_passes (self, job);
  if (job->message != NULL)
    g_ptr_array_set_size (self->waiting, 0);
  ls_graph_model_tell (model, job->message != NULL ? job->message : job->texts != NULL ? NULL : ls_graph_model_get_message (model), NULL);
  if (self->again && job->texts == NULL)        /* it is stale */
    g_clear_pointer (&job->series, ls_graph_series_unref);
  if (job->series != NULL)
    show_series (self, g_steal_pointer (&job->series), g_steal_pointer (&job->making->runs), job->state);
  else if (job->texts != NULL && job->modules->len > 0)         /* nobody looks */
    {
      self->stale = TRUE;
      self->stale_state = job->state;
    }
  if (self->again || self->waiting->len > 0)
    start (self);
}

static void
worked (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  LsGraphJob *job = g_task_get_task_data (G_TASK (result));

  if (job->self->job == job && job->self->session != NULL)
    finish (job);
}

/* ---- beginning --------------------------------------------------------------------------------------- */

static void
begin (LsEngineGraph *self,
       LsGraphJob    *job,      /* (transfer full) */
       gboolean       small)
{
  LsGraphModel *model = &self->parent_instance;
  g_autoptr (GTask) task = NULL;
  g_autofree char *busy = NULL;

  job->self = g_object_ref (self);
  self->job = job;
  if (small)
    {
      work (job);
      finish (job);
      job_free (job);
      return;
    }
  busy = job->texts != NULL ? g_strdup_printf (_("running %s"), (const char *) job->texts->pdata[0]) : g_strdup (_("building the graph"));
  ls_graph_model_tell (model, job->texts == NULL ? ls_graph_model_get_message (model) : NULL, busy);
  task = g_task_new (NULL, NULL, worked, NULL);
  g_task_set_task_data (task, job, job_free);
  ls_task_run (task, work_in_thread);
}

static void
begin_build (LsEngineGraph *self,
             guint          state)
{
  LsGraphJob *job;

  if ((ls_engine_graph_kinds (self) & (1u << self->kind)) == 0)
    {
      show_series (self, NULL, NULL, 0);
      return;
    }
  job = g_new0 (LsGraphJob, 1);
  job->making = ls_graph_making_new (self);
  job->build = TRUE;
  job->state = state;
  begin (self, job, ls_graph_making_size (job->making) <= SMALL_BUILD);
}

static void
begin_passes (LsEngineGraph     *self,
              GPtrArray         *texts,         /* (transfer full) */
              guint              behind,
              gboolean           saved)
{
  LsGraphJob *job = g_new0 (LsGraphJob, 1);

  job->making = ls_graph_making_new (self);
  job->texts = texts;
  job->behind = behind;
  job->saved = saved;
  job->build = ls_graph_model_get_watched (&self->parent_instance);
  job->modules = g_ptr_array_new_with_free_func (unref_node);
  job->lineages = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_relax_lineage_unref);
  begin (self, job, ls_graph_making_size (job->making) <= SMALL_BUILD && ls_graph_module_size (module_before (job)) <= SMALL_PASS);
}

/* What waits: first the build, so that a pass is run on what was wished before it. */
static void
start (LsEngineGraph *self)
{
  if (self->again)
    {
      self->again = FALSE;
      begin_build (self, self->again_state);
    }
  else if (self->waiting->len > 0)
    {
      GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

      g_ptr_array_add (texts, g_ptr_array_steal_index (self->waiting, 0));
      begin_passes (self, texts, self->passes->len, FALSE);
    }
}

void
ls_engine_graph_rebuild (LsEngineGraph *self,
                         guint          state)
{
  self->stale = !ls_graph_model_get_watched (&self->parent_instance);
  self->stale_state = state;
  if (self->stale)
    return;
  if (self->job == NULL)
    {
      begin_build (self, state);
      return;
    }
  self->again = TRUE;
  self->again_state = state;
}

void
ls_engine_graph_run (LsEngineGraph *self,
                     const char    *text,
                     guint          behind)
{
  GPtrArray *texts;

  if (self->job != NULL)
    {
      g_ptr_array_add (self->waiting, g_strdup (text));
      return;
    }
  texts = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (texts, g_strdup (text));
  begin_passes (self, texts, behind, FALSE);
}

void
ls_engine_graph_run_saved (LsEngineGraph     *self,
                           const char *const *passes)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; passes[i] != NULL; i++)
    g_ptr_array_add (texts, g_strdup (passes[i]));
  ls_engine_graph_forget_job (self);
  ls_document_set_passes (self->document, passes);      /* of a session that is saved before they are through */
  begin_passes (self, texts, self->passes->len, TRUE);
}

void
ls_engine_graph_forget_job (LsEngineGraph *self)
{
  self->job = NULL;             /* its thread goes on, and nobody asks it */
  self->again = FALSE;
  g_ptr_array_set_size (self->waiting, 0);
}

gboolean
ls_engine_graph_cancel_passes (LsEngineGraph *self)
{
  gboolean under_way = self->job != NULL && self->job->texts != NULL, again = self->again;

  if (!under_way && self->waiting->len == 0)
    return FALSE;
  g_ptr_array_set_size (self->waiting, 0);
  if (!under_way)
    return TRUE;
  ls_engine_graph_forget_job (self);
  ls_engine_graph_note_passes (self);
  ls_graph_model_tell (&self->parent_instance, NULL, NULL);
  if (again || ls_graph_model_get_series (&self->parent_instance) == NULL)
    ls_engine_graph_rebuild (self, self->again_state);
  return TRUE;
}

void
ls_engine_graph_job_state (LsEngineGraph *self,
                           guint          state)
{
  if (self->job != NULL && self->job->texts == NULL)
    self->job->state = state;
  self->again_state = state;
}
