/* local: workers of this machine measure, each one program at a time. */
#include "app/search/measurer.h"
#include "app/search/search.h"

typedef struct {
  LsMeasurer  parent;
  guint       n;
  gint64      timeout_ms;
  char       *text;
  LsWorker   *workers[LS_SEARCH_MAX_JOBS];
  gboolean    busy[LS_SEARCH_MAX_JOBS];
  guint       n_numbered;
  gatomicrefcount refs;         /* of the owner and of each call */
  gboolean    freed;
} Local;

typedef struct {
  Local      *local;
  guint       worker;
  LsMeasured  measured;
  gpointer    data;
  GVariant   *params;           /* to ask once more without what was to be built ahead; NULL: nothing was */
} Call;

static void
local_unref (Local *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < self->n; i++)
    g_clear_object (&self->workers[i]);
  g_free (self->text);
  g_free (self);
}

static void
local_free (LsMeasurer *measurer)
{
  Local *self = (Local *) measurer;

  self->freed = TRUE;
  local_unref (self);
}

static guint
local_room (LsMeasurer *measurer)
{
  Local *self = (Local *) measurer;
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    n += !self->busy[i];
  return n;
}

/* While one worker measures, a second one would only disturb it; but nothing is measured while programs are built, so a lone worker builds on all processors. */
static guint
local_ahead (LsMeasurer *measurer)
{
  Local *self = (Local *) measurer;

  return self->n == 1 ? MIN (g_get_num_processors (), LS_SEARCH_MAX_AHEAD + 1) - 1 : 0;
}

static void answered (GObject *source, GAsyncResult *result, gpointer data);

static void
ask (Call     *call,
     GVariant *params)
{
  LsWorkerOptions options = { .timeout_ms = call->local->timeout_ms };

  ls_worker_call_async (call->local->workers[call->worker], "time", params, &options, NULL, answered, call);
}

/* What ended the worker may be a program that it built ahead, of which this one knows nothing. */
static gboolean
ask_alone (Call         *call,
           const GError *error)
{
  g_autoptr (GVariant) params = g_steal_pointer (&call->params);
  GVariantDict dict;

  if (params == NULL || call->local->freed || call->local->workers[call->worker] == NULL
      || !(g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_SIGNAL) || g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_EXIT)
           || g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT) || g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_MEMORY)))
    return FALSE;
  g_variant_dict_init (&dict, params);
  g_variant_dict_remove (&dict, "ahead");
  ask (call, g_variant_dict_end (&dict));
  return TRUE;
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Call *call = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (answer == NULL && ask_alone (call, error))
    return;
  g_clear_pointer (&call->params, g_variant_unref);
  call->local->busy[call->worker] = FALSE;
  if (!call->local->freed)
    call->measured (answer, error, call->data);
  local_unref (call->local);
  g_free (call);
}

static char *
local_measure (LsMeasurer *measurer,
               GVariant   *params,
               const char *trace,
               LsMeasured  measured,
               gpointer    data)
{
  Local *self = (Local *) measurer;
  g_autoptr (GVariant) held = g_variant_ref_sink (params), whole = NULL, ahead = NULL;
  Call *call = g_new0 (Call, 1);
  GVariantDict dict;
  guint i = 0;

  while (i < self->n && self->busy[i])
    i++;
  g_assert (i < self->n);
  if (self->workers[i] == NULL)
    self->workers[i] = ls_worker_new ();
  self->busy[i] = TRUE;
  *call = (Call) { .local = self, .worker = i, .measured = measured, .data = data };
  g_atomic_ref_count_inc (&self->refs);
  g_variant_dict_init (&dict, held);
  g_variant_dict_insert (&dict, "reference", "s", self->text);
  g_variant_dict_insert (&dict, "keep-reference", "b", TRUE);
  whole = g_variant_ref_sink (g_variant_dict_end (&dict));
  ahead = g_variant_lookup_value (whole, "ahead", NULL);
  if (ahead != NULL)
    call->params = g_variant_ref (whole);
  ask (call, whole);
  return g_strdup_printf ("%u", self->n_numbered++);
}

static void
local_settle (LsMeasurer *self,
              const char *id)
{
}

static void
local_cancel (LsMeasurer *measurer)
{
  Local *self = (Local *) measurer;

  for (guint i = 0; i < self->n; i++)
    if (self->workers[i] != NULL)
      ls_worker_stop (self->workers[i]);
}

static void
local_close (LsMeasurer *measurer,
             gboolean    forget,
             void      (*done) (gpointer data),
             gpointer    data)
{
  Local *self = (Local *) measurer;

  for (guint i = 0; i < self->n; i++)
    g_clear_object (&self->workers[i]);
  done (data);
}

static const char *
local_nothing (LsMeasurer *self)
{
  return NULL;
}

static GPtrArray *
local_peers (LsMeasurer *self)
{
  return NULL;
}

static const LsMeasurerClass local_class = {
  local_free, local_room, local_ahead, local_measure, local_settle, local_cancel, local_close, local_nothing, local_nothing, local_peers
};

LsMeasurer *
ls_measurer_new_local (const LsMeasurerOptions *options)
{
  Local *self = g_new0 (Local, 1);

  self->parent.klass = &local_class;
  self->n = options->jobs;
  self->timeout_ms = options->timeout_ms;
  self->text = g_strdup (options->text);
  g_atomic_ref_count_init (&self->refs);
  return &self->parent;
}
