/* session/graph-layout: where the nodes of the shown series stand.
 *
 * After a pass what was there keeps its place (engine/graph/keep); the worker is asked for what that leaves, or for all of it.  Comparing with the layout
 * before is done by a thread, and so is reading the answer for a large graph.
 */
#include "app/session/graph-private.h"

#include "engine/base/task.h"
#include "engine/graph/keep.h"
#include "engine/graph/layout-make.h"

#include <glib/gi18n.h>

#define GRAPHVIZ_TIMEOUT_MS 5000        /* then our own layout, which is linear, */
#define LAYOUT_TIMEOUT_MS 20000         /* and then it is folded */
#define SMALL_ANSWER 1000               /* nodes and edges; less than a millisecond to read */

typedef struct {
  LsEngineGraph *self;
  LsGraphSeries *series;
  GCancellable  *cancellable;
  GVariant      *request;
  gboolean       quick;         /* without Graphviz */
  LsGraphLayout *before;        /* the one that was shown, with its series; or NULL */
  LsGraphSeries *series_before;
  LsGraphKept   *kept;          /* what stays of it, or NULL: it is laid out anew */
  GVariant      *answer;        /* of the worker, or NULL */
  LsGraphLayout *layout;        /* what came of it, or NULL */
  GError        *error;
} Call;

static void
call_free (Call *call)
{
  g_object_unref (call->self);
  g_object_unref (call->cancellable);
  ls_graph_series_unref (call->series);
  g_variant_unref (call->request);
  ls_graph_layout_free (call->before);
  ls_graph_series_unref (call->series_before);
  ls_graph_kept_free (call->kept);
  g_clear_pointer (&call->answer, g_variant_unref);
  ls_graph_layout_free (call->layout);
  g_clear_error (&call->error);
  g_free (call);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Call, call_free)

static void ask_worker (Call *call);

/* Does anybody still want it? */
static gboolean
is_wanted (Call *call)
{
  return call->self->laying_out == call->cancellable && ls_graph_model_get_series (&call->self->parent_instance) == call->series;
}

/* ---- what came of it --------------------------------------------------------------------- */

/* What is open is folded, as it cannot be laid out. FALSE: nothing is. */
static gboolean
fold_instead (LsEngineGraph *self,
              const GError  *error)
{
  LsGraphModel *model = LS_GRAPH_MODEL (self);
  gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autofree char *message = NULL;

  if (!ls_graph_model_get_all (model) && g_hash_table_size (self->open) == 0)
    return FALSE;
  ls_graph_model_forget_all (model);
  g_hash_table_remove_all (self->open);
  message = cancelled ? g_strdup (_("The layout was cancelled; the groups are folded again."))
                      : g_strdup_printf (_("It could not be laid out; the groups are folded again. (%s)"), error->message);
  ls_graph_model_tell (model, message, NULL);
  ls_engine_graph_rebuild (self, ls_graph_model_get_state (model));
  return TRUE;
}

static void
finish (Call *taken)
{
  g_autoptr (Call) call = taken;
  LsEngineGraph *self = call->self;
  LsGraphModel *model = LS_GRAPH_MODEL (self);

  if (!is_wanted (call))
    return;
  g_clear_object (&self->laying_out);
  if (call->error != NULL && fold_instead (self, call->error))
    return;
  if (g_error_matches (call->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    ls_graph_model_tell (model, _("The layout was cancelled."), NULL);
  else
    ls_graph_model_tell (model, call->error != NULL ? call->error->message : ls_graph_model_get_message (model), NULL);
  if (call->layout == NULL)
    return;
  ls_engine_graph_forget_layout (self);
  self->laid = ls_graph_layout_copy (call->layout);
  self->laid_series = ls_graph_series_ref (call->series);
  ls_graph_model_take_layout (model, g_steal_pointer (&call->layout));
}

/* ---- beside the main loop ------------------------------------------------------------------ */

typedef struct {
  Call *call;
  void (*work) (Call *call);
  void (*then) (Call *call);    /* takes it */
} Beside;

static void
work_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  Beside *beside = data;

  beside->work (beside->call);
  g_task_return_boolean (task, TRUE);
}

static void
worked (GObject      *source,
        GAsyncResult *result,
        gpointer      data)
{
  Beside *beside = g_task_get_task_data (G_TASK (result));

  beside->then (beside->call);
}

/* `work` by a thread, and `then` in a turn of the main loop. */
static void
do_beside (Call   *call,
           void  (*work) (Call *call),
           void  (*then) (Call *call))
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, worked, NULL);
  Beside *beside = g_new (Beside, 1);

  *beside = (Beside) { call, work, then };
  g_task_set_task_data (task, beside, g_free);
  ls_task_run (task, work_in_thread);
}

/* ---- the worker ------------------------------------------------------------------------------ */

static void
read_answer (Call *call)
{
  call->layout = call->kept != NULL ? ls_graph_kept_finish (call->kept, call->answer, &call->error) : ls_graph_layout_read (call->answer, call->series->whole, &call->error);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (Call) call = data;

  call->answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &call->error);
  if (!is_wanted (call))
    return;
  if (call->answer == NULL && g_error_matches (call->error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT) && !call->quick)
    {
      call->quick = TRUE;
      g_clear_error (&call->error);
      ask_worker (g_steal_pointer (&call));
    }
  else if (call->answer == NULL)
    finish (g_steal_pointer (&call));
  else if (call->series->whole->nodes->len + call->series->whole->edges->len > SMALL_ANSWER)
    do_beside (g_steal_pointer (&call), read_answer, finish);
  else
    {
      read_answer (call);
      finish (g_steal_pointer (&call));
    }
}

/* With Graphviz, or `quick` with what takes its place: all of it, or what does not stay. */
static void
ask_worker (Call *call)
{
  LsEngineGraph *self = call->self;
  LsWorkerOptions options = { .timeout_ms = call->quick ? LAYOUT_TIMEOUT_MS : GRAPHVIZ_TIMEOUT_MS };
  GVariantDict params;

  if (self->layouter == NULL)
    self->layouter = ls_worker_new ();
  g_variant_dict_init (&params, call->kept != NULL ? ls_graph_kept_get_request (call->kept) : call->request);
  g_variant_dict_insert (&params, "quick", "b", call->quick);
  ls_worker_call_async (self->layouter, "layout", g_variant_dict_end (&params), &options, call->cancellable, answered, call);
}

/* ---- what stays ------------------------------------------------------------------------------ */

static void
keep_what_stays (Call *call)
{
  call->kept = ls_graph_kept_new (call->before, call->series_before, call->series, call->request);
  if (call->kept != NULL && ls_graph_kept_get_request (call->kept) == NULL)
    read_answer (call);
}

static void
kept (Call *taken)
{
  g_autoptr (Call) call = taken;

  if (!is_wanted (call))
    return;
  if (call->layout == NULL)
    ask_worker (g_steal_pointer (&call));
  else if (g_cancellable_set_error_if_cancelled (call->cancellable, &call->error))
    {
      g_clear_pointer (&call->layout, ls_graph_layout_free);
      finish (g_steal_pointer (&call));
    }
  else
    finish (g_steal_pointer (&call));
}

/* ---- what the other files call ------------------------------------------------------------------ */

void
ls_engine_graph_lay_out (LsEngineGraph *self,
                         GVariant      *request)
{
  LsGraphModel *model = LS_GRAPH_MODEL (self);
  LsGraphSeries *series = ls_graph_model_get_series (model);
  g_autofree char *busy = NULL;
  Call *call;

  if (series == NULL)
    return;
  if (series == self->laid_series)      /* with other letters: nothing can stay where it is */
    ls_engine_graph_forget_layout (self);
  if (self->laying_out != NULL)
    g_cancellable_cancel (self->laying_out);
  g_clear_object (&self->laying_out);
  self->laying_out = g_cancellable_new ();
  call = g_new0 (Call, 1);
  call->self = g_object_ref (self);
  call->series = ls_graph_series_ref (series);
  call->cancellable = g_object_ref (self->laying_out);
  call->request = g_variant_ref (request);
  busy = g_strdup_printf (ngettext ("laying out %u node", "laying out %u nodes", series->whole->nodes->len), series->whole->nodes->len);
  ls_graph_model_tell (model, ls_graph_model_get_message (model), busy);
  if (self->laid == NULL)
    {
      ask_worker (call);
      return;
    }
  call->before = ls_graph_layout_copy (self->laid);
  call->series_before = ls_graph_series_ref (self->laid_series);
  do_beside (call, keep_what_stays, kept);
}

void
ls_engine_graph_forget_layout (LsEngineGraph *self)
{
  g_clear_pointer (&self->laid, ls_graph_layout_free);
  g_clear_pointer (&self->laid_series, ls_graph_series_unref);
}
