/* session/roofline: the steps of the shown path under what this machine can do.
 *
 * What it can do is measured in the worker, once, and kept in the user's cache with its date.  Operations and bytes of a
 * step are counted from its program and stay with its item.
 */
#include "app/session/roofline.h"

#include "app/session/asked.h"
#include "app/session/devices.h"
#include "app/session/run.h"
#include "app/session/sizes.h"
#include "engine/advice/advice.h"
#include "engine/runtime/peaks.h"
#include "engine/tir/specialize.h"
#include "engine/tir/traffic.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define TIMEOUT_MS 60000
#define USUAL_CACHE 32768

struct _LsMachine
{
  LsSession    *session;
  LsDocument   *document;
  LsWorker     *worker;
  GCancellable *probing;        /* of the call that measures, or NULL */
  char         *trouble;        /* why it could not be measured, or NULL */
  void        (*measured) (gpointer data);
  gpointer      data;
};

/* ---- the machine --------------------------------------------------------------- */

/* (transfer full) */
static char *
date_text (const char *cpu)
{
  g_autofree char *stored = ls_peaks_date (cpu);

  return ls_format_date (stored);
}

static void
put_machine (LsRoofline *roofline)
{
  const char *cpu = ls_host_cpu_name ();
  LsPeaks peaks;

  roofline->cpu = g_strdup (cpu);
  roofline->cache_bytes = ls_host_cache_bytes (1) > 0 ? ls_host_cache_bytes (1) : USUAL_CACHE;
  roofline->known = ls_peaks_load (cpu, &peaks) && peaks.n_levels > 0;
  if (!roofline->known)
    return;
  roofline->date = date_text (cpu);
  if (roofline->date != NULL)
    g_strstrip (roofline->date);
  roofline->load = ls_peaks_busy (cpu);
  roofline->flop_per_s = peaks.fma_gflops * 1e9;
  for (int i = peaks.n_levels > 1 ? 1 : 0; i < peaks.n_levels && roofline->n_roofs < LS_ROOFLINE_MOST_LEVELS; i++)
    {
      LsRoof *roof = &roofline->roofs[roofline->n_roofs++];

      g_strlcpy (roof->name, peaks.levels[i].name, sizeof roof->name);
      roof->bytes_per_s = peaks.levels[i].gb_per_s * 1e9;
    }
}

/* What the kernels of a bundle have measured on the device that is shown, as the last result tells it. */
static void
put_device (LsRoofline             *roofline,
            const LsDocumentRecord *opened)
{
  const LsDeviceNote *last = NULL;

  roofline->device = g_strdup (opened->device);
  roofline->cache_bytes = G_MAXINT64;
  for (guint i = 0; opened->history != NULL && i < ls_history_get_n (opened->history); i++)
    {
      const LsDeviceNote *note = ls_device_notes_of (ls_history_get (opened->history, i)->devices, opened->device);

      if (note != NULL && note->bandwidth > 0 && note->peak > 0 && (last == NULL || strcmp (note->when, last->when) > 0))
        last = note;
    }
  if (last == NULL)
    {
      roofline->trouble = g_strdup_printf (_("The result of %s does not say what it can do at best: ./run measures that, without --quick and --once."), opened->device);
      return;
    }
  roofline->known = TRUE;
  roofline->date = ls_format_date (last->when);
  if (roofline->date == NULL)
    roofline->date = g_strdup (last->when);
  roofline->flop_per_s = last->peak;
  roofline->n_roofs = 1;
  g_strlcpy (roofline->roofs[0].name, _("memory"), sizeof roofline->roofs[0].name);
  roofline->roofs[0].bytes_per_s = last->bandwidth;
}

static void
read_levels (GVariant *answer,
             LsPeaks  *peaks)
{
  g_autoptr (GVariant) levels = ls_params_value (answer, "levels");

  for (gsize i = 0; levels != NULL && i < g_variant_n_children (levels) && peaks->n_levels < LS_PEAKS_MAX_LEVELS; i++)
    {
      g_autoptr (GVariant) level = g_variant_get_child_value (levels, i);
      LsPeakLevel *to = &peaks->levels[peaks->n_levels++];

      g_strlcpy (to->name, ls_params_string (level, "name", "?"), sizeof to->name);
      to->bytes = ls_params_int (level, "bytes", 0);
      to->gb_per_s = ls_params_double (level, "gb-per-s", 0.0);
    }
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsSession) session = NULL;
  LsMachine *self = ls_asked_end (data, &session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);

  if (self == NULL)
    return;
  g_clear_object (&self->probing);
  if (answer != NULL)
    {
      LsPeaks peaks = { .fma_gflops = ls_params_double (answer, "gflops", 0.0) };

      read_levels (answer, &peaks);
      ls_peaks_keep (ls_host_cpu_name (), &peaks, ls_params_bool (answer, "busy", FALSE), &error);
    }
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->trouble = ls_run_end_words (error, NULL, TIMEOUT_MS);
  ls_session_timing_changed (self->session);
  if (answer != NULL)
    self->measured (self->data);
}

void
ls_machine_measure (LsMachine *self)
{
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };

  if (self->probing != NULL)
    return;
  g_clear_pointer (&self->trouble, g_free);
  self->probing = g_cancellable_new ();
  ls_worker_call_async (self->worker, "peaks", NULL, &options, self->probing, answered, ls_asked_new (self->session, self));
  ls_session_timing_changed (self->session);
}

void
ls_machine_cancel (LsMachine *self)
{
  if (self->probing != NULL)
    g_cancellable_cancel (self->probing);
}

gboolean
ls_machine_is_measuring (LsMachine *self)
{
  return self->probing != NULL;
}

void
ls_machine_measure_once (LsMachine *self)
{
  LsPeaks peaks;

  /* What was measured beside other work is measured again once there is none. */
  if (self->trouble == NULL && (!ls_peaks_load (ls_host_cpu_name (), &peaks) || ls_peaks_worth_again (ls_host_cpu_name ())))
    ls_machine_measure (self);
}

/* ---- the steps ------------------------------------------------------------------ */

typedef struct {
  LsModule *module;             /* that it is of */
  char     *sizes;              /* for which, or NULL */
  gint64    cache;              /* with which first cache */
  double    flop;
  double    bytes;
} Work;

static void
work_free (gpointer data)
{
  ls_unref (((Work *) data)->module);
  g_free (((Work *) data)->sizes);
  g_free (data);
}

/* Of a program with the sizes `list`, which `said` is in words. */
static const Work *
work_of (LsHistoryNode *node,
         GPtrArray     *list,
         const char    *said,
         gint64         cache)
{
  LsModule *module = ls_schedule_get_module (node->schedule);
  Work *work = g_object_get_data (G_OBJECT (node->item), "ls-work");
  const char *name;
  g_autoptr (LsPrimFunc) func = NULL;
  g_autoptr (LsCostTable) costs = NULL;

  if (work != NULL && work->module == module && work->cache == cache && g_strcmp0 (work->sizes, said) == 0)
    return work;
  name = ls_run_function (module);
  func = name != NULL ? ls_prim_func_size ((LsPrimFunc *) ls_module_get (module, name), list) : NULL;
  costs = func != NULL ? ls_cost_table_new_in (func, module) : NULL;
  work = g_new0 (Work, 1);
  work->module = ls_ref (module);
  work->sizes = g_strdup (said);
  work->cache = cache;
  if (costs != NULL)
    {
      work->flop = MAX (costs->flop, 0.0);
      work->bytes = MAX (MIN (ls_cost_traffic (func, costs, cache), ls_advice_touched (func)), 0.0);
    }
  g_object_set_data_full (G_OBJECT (node->item), "ls-work", work, work_free);
  return work;
}

LsRoofline *
ls_machine_begin_roofline (LsMachine *self)
{
  LsRoofline *roofline = ls_roofline_new ();
  const LsDocumentRecord *opened = ls_document_get (self->document);

  if (opened->device != NULL)
    put_device (roofline, opened);
  else
    {
      put_machine (roofline);
      roofline->running = self->probing != NULL;
      roofline->trouble = g_strdup (self->trouble);
    }
  roofline->missing = ls_sizes_missing (self->document);
  return roofline;
}

void
ls_roofline_put_steps (LsRoofline *self,
                       LsHistory  *history,
                       guint       current,
                       GPtrArray  *sizes,
                       const char *said)
{
  g_autoptr (GArray) path = ls_history_path (history, current);

  for (guint i = 0; i < path->len; i++)
    {
      LsHistoryNode *node = ls_history_get (history, g_array_index (path, guint, i));
      const Work *work = LS_HISTORY_DONE (node) ? work_of (node, sizes, said, self->cache_bytes) : NULL;

      if (work != NULL && (i == 0 || ls_history_has_effect (history, node->id)))
        {
          ls_roofline_add (self, node->item, work->flop, work->bytes);
          if (self->device == NULL && node->time.samples > 0)
            ls_roofline_set_seconds (self, ls_advice_own_seconds (node->time.own > 0.0 ? node->time.own : node->time.min, node->time.median, node->time.q3));
        }
    }
}

LsRoofline *
ls_machine_get_roofline (LsMachine *self)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autoptr (GPtrArray) sizes = NULL;
  LsRoofline *roofline;

  if (opened->history == NULL)
    return NULL;
  roofline = ls_machine_begin_roofline (self);
  sizes = ls_sizes_list (self->document);
  ls_roofline_put_steps (roofline, opened->history, opened->current, sizes, opened->sizes);
  return roofline;
}

/* ---- life ------------------------------------------------------------------------ */

LsMachine *
ls_machine_new (LsSession  *session,
                LsDocument *document,
                LsWorker   *worker,
                void      (*measured) (gpointer data),
                gpointer    data)
{
  LsMachine *self = g_new0 (LsMachine, 1);

  self->session = session;
  self->measured = measured;
  self->data = data;
  self->document = g_object_ref (document);
  self->worker = g_object_ref (worker);
  return self;
}

void
ls_machine_free (LsMachine *self)
{
  ls_machine_cancel (self);
  g_clear_object (&self->probing);
  g_object_unref (self->document);
  g_object_unref (self->worker);
  g_free (self->trouble);
  g_free (self);
}
