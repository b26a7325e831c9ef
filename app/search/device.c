/* device: a GPU of this machine measures, one program at a time. */
#include "app/search/measurer.h"

#include <glib/gi18n.h>

typedef struct {
  LsMeasurer      parent;
  LsBundleTrials *trials;
  char           *text, *kind;
  gint64          timeout_ms;
  guint           n_numbered;
  gboolean        busy;
  LsMeasured      measured;     /* of what is under way */
  gpointer        data;
} Device;

static void
device_free (LsMeasurer *measurer)
{
  Device *self = (Device *) measurer;

  self->measured = NULL;
  ls_bundle_trials_free (self->trials);
  g_free (self->text);
  g_free (self->kind);
  g_free (self);
}

static guint
device_room (LsMeasurer *measurer)
{
  return ((Device *) measurer)->busy ? 0 : 1;
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Device *self = data;
  g_autoptr (GError) error = NULL, problem = NULL;
  g_autoptr (GVariant) answer = ls_bundle_trials_measure_finish (self->trials, result, &error);
  const char *words = answer != NULL ? ls_params_string (answer, "error", NULL) : NULL;
  LsMeasured measured = self->measured;

  self->busy = FALSE;
  if (words != NULL)
    problem = g_error_new_literal (LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST, words);
  if (measured != NULL)
    measured (words == NULL ? answer : NULL, words != NULL ? problem : error, self->data);
}

static char *
device_measure (LsMeasurer *measurer,
                GVariant   *params,
                const char *trace,
                LsMeasured  measured,
                gpointer    data)
{
  Device *self = (Device *) measurer;

  self->busy = TRUE;
  self->measured = measured;
  self->data = data;
  ls_bundle_trials_measure_async (self->trials, params, self->text, self->timeout_ms, answered, self);
  return g_strdup_printf ("%u", self->n_numbered++);
}

static void
device_settle (LsMeasurer *self,
               const char *id)
{
}

static void
device_cancel (LsMeasurer *measurer)
{
  ls_bundle_trials_cancel (((Device *) measurer)->trials);
}

static void
device_close (LsMeasurer *measurer,
              gboolean    forget,
              void      (*done) (gpointer data),
              gpointer    data)
{
  done (data);
}

static const char *
device_problem (LsMeasurer *self)
{
  return NULL;
}

static const char *
device_kind (LsMeasurer *self)
{
  return ((Device *) self)->kind;
}

static GPtrArray *
device_peers (LsMeasurer *self)
{
  return NULL;
}

static const LsMeasurerClass device_class = {
  device_free, device_room, NULL, device_measure, device_settle, device_cancel, device_close, device_problem, device_kind, device_peers
};

LsMeasurer *
ls_measurer_new_device (const LsMeasurerOptions  *options,
                        GError                  **error)
{
  LsBundleDevice *device = ls_bundle_device_open (options->api, 0, error);
  Device *self;

  if (device == NULL)
    {
      g_prefix_error (error, _("no %s device of this machine can measure (--queue uses another machine, --export-batch a folder that is taken there, --by counts on simulated threads instead): "), options->api);
      return NULL;
    }
  self = g_new0 (Device, 1);
  self->parent.klass = &device_class;
  self->kind = g_strdup (options->kind != NULL ? options->kind : device->kind);
  self->trials = ls_bundle_trials_new (device);
  self->text = g_strdup (options->text);
  self->timeout_ms = options->timeout_ms;
  return &self->parent;
}
