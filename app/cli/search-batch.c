/* search-batch: see the header. */
#include "app/cli/search-batch.h"

#include "app/cli/input.h"

#include "app/cli/remote.h"
#include "app/search/batch.h"
#include "engine/base/json.h"

#include <stdio.h>
#include <string.h>

static gint
by_time (gconstpointer a,
         gconstpointer b)
{
  const LsSearchTrial *x = *(const LsSearchTrial *const *) a, *y = *(const LsSearchTrial *const *) b;
  gboolean good_x = x->state == LS_TRIAL_MEASURED, good_y = y->state == LS_TRIAL_MEASURED;

  if (good_x != good_y)
    return good_y - good_x;
  return good_x ? (x->median > y->median) - (x->median < y->median) : 0;
}

/* Those that have come back, the best first. (transfer full) */
static GPtrArray *
ranked (GPtrArray *trials)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < trials->len; i++)
    if (((LsSearchTrial *) trials->pdata[i])->remembered)
      g_ptr_array_add (list, trials->pdata[i]);
  g_ptr_array_sort (list, by_time);
  return list;
}

/* ---- text ---- */

static void
print_counts (const LsSearchBatchCounts *counts,
              const LsCliBatch          *batch)
{
  if (batch->back != NULL)
    {
      printf ("%s: %u measured and %u failed on %s (kind %s)", batch->back, counts->measured, counts->failed, counts->device, counts->kind);
      if (counts->again > 0)
        printf (", %u had come back before", counts->again);
      if (counts->unknown > 0)
        printf (", %u of no batch that is known here, left out", counts->unknown);
      putchar ('\n');
    }
  if (counts->failed_reason != NULL)
    printf ("the first that failed: %s\n", counts->failed_reason);
  if (batch->out == NULL)
    return;
  printf ("%s: %u candidate%s", batch->out, counts->given, counts->given == 1 ? "" : "s");
  if (counts->waiting > 0)
    printf ("; %u given out before have not come back", counts->waiting);
  if (counts->unfit > 0)
    printf ("; %u %s no program for the device and stay%s here: %s", counts->unfit, counts->unfit == 1 ? "is" : "are", counts->unfit == 1 ? "s" : "", counts->unfit_reason);
  printf ("\nTake the folder to the device and start ./run --no-tools --quick there; bring result.json back with --import-batch.\n");
}

static void
print_known (GPtrArray *list)
{
  LsSearchTrial *best = list->len > 0 ? list->pdata[0] : NULL;

  if (list->len > 0)
    printf ("%4s  %10s  %s\n", "rank", "median", "decisions");
  for (guint i = 0; i < list->len; i++)
    {
      LsSearchTrial *trial = list->pdata[i];
      g_autofree char *decisions = ls_search_decisions_text (trial->schedule);
      g_autofree char *median = ls_cli_duration (trial->median);

      if (trial->state == LS_TRIAL_MEASURED)
        printf ("%4u  %10s  %s\n", i + 1, median, decisions);
      else
        printf ("%4s  %10s  %s: %s\n", "-", "-", decisions, trial->problem);
    }
  if (best != NULL && best->state == LS_TRIAL_MEASURED)
    {
      g_autofree char *trace = ls_schedule_print_trace (best->schedule);

      printf ("\nbest trace\n%s\n", trace);
    }
}

/* ---- JSON ---- */

static void
put_trial (JsonBuilder   *out,
           LsSearchTrial *trial,
           gboolean       whole)
{
  g_autofree char *decisions = ls_search_decisions_text (trial->schedule);

  json_builder_begin_object (out);
  ls_json_put_text (out, "decisions", decisions);
  if (trial->state == LS_TRIAL_MEASURED)
    ls_json_put_double (out, "median", trial->median);
  ls_json_put_text (out, "error", trial->problem);
  if (whole)
    {
      g_autofree char *trace = ls_schedule_print_trace (trial->schedule);

      ls_json_put_text (out, "trace", trace);
      ls_json_put_text (out, "module", trial->text);
    }
  json_builder_end_object (out);
}

static void
print_json (const LsSearchBatchCounts *counts,
            GPtrArray                 *list)
{
  g_autoptr (JsonBuilder) out = json_builder_new ();

  json_builder_begin_object (out);
  ls_json_put_int (out, "measured", counts->measured);
  ls_json_put_int (out, "failed", counts->failed);
  ls_json_put_int (out, "again", counts->again);
  ls_json_put_int (out, "unknown", counts->unknown);
  ls_json_put_int (out, "given", counts->given);
  ls_json_put_int (out, "waiting", counts->waiting);
  ls_json_put_int (out, "unfit", counts->unfit);
  ls_json_put_text (out, "unfit-reason", counts->unfit_reason);
  ls_json_put_text (out, "failed-reason", counts->failed_reason);
  ls_json_put_text (out, "device", counts->device);
  ls_json_put_text (out, "kind", counts->kind);
  ls_json_put_text (out, "note", counts->note);
  ls_json_begin_array (out, "candidates");
  for (guint i = 0; i < list->len; i++)
    put_trial (out, list->pdata[i], FALSE);
  json_builder_end_array (out);
  if (list->len > 0 && ((LsSearchTrial *) list->pdata[0])->state == LS_TRIAL_MEASURED)
    {
      json_builder_set_member_name (out, "best");
      put_trial (out, list->pdata[0], TRUE);
    }
  json_builder_end_object (out);
  ls_cli_put_json (out);
}

/* ---- both ---- */

static gboolean
import (LsSearchBatch  *self,
        const char     *path,
        GError        **error)
{
  g_autoptr (LsDeviceResult) result = ls_device_result_read (path, error);

  if (result == NULL)
    return FALSE;
  if (ls_search_batch_import (self, result, error))
    return TRUE;
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}

int
ls_cli_search_batch (const char         *command,
                     LsCliSearchRequest *request,
                     const LsCliBatch   *batch,
                     LsModule           *module,
                     GPtrArray          *designs,
                     gboolean            decided)
{
  g_autofree char *name = g_path_get_basename (request->file);
  LsSearchOptions asked = ls_cli_search_request_options (request);
  const LsSearchBatchOptions options = { .module = module, .name = name, .designs = designs, .decided = decided, .strategy = request->strategy == NULL ? LS_TUNE_RANDOM : asked.strategy,
                                         .model = asked.model, .seed = request->seed, .database = request->folder, .target = request->target, .func = request->func,
                                         .arch = batch->arch, .set = asked.set, .kind = request->kind, .timeout_s = request->timeout };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSearchBatch) self = ls_search_batch_open (&options, &error);
  g_autoptr (GPtrArray) list = NULL;
  GPtrArray *known = NULL;

  if (self != NULL && (batch->back == NULL || import (self, batch->back, &error))
      && (batch->out == NULL || ls_search_batch_export (self, (guint) request->trials, batch->out, &error)))
    known = ls_search_batch_get_known (self, &error);
  if (known == NULL)
    return ls_cli_fail (command, "%s", error->message);
  list = ranked (known);
  if (ls_search_batch_get_counts (self)->note != NULL)
    fprintf (stderr, "%s\n", ls_search_batch_get_counts (self)->note);
  if (request->json)
    print_json (ls_search_batch_get_counts (self), list);
  else
    {
      print_counts (ls_search_batch_get_counts (self), batch);
      print_known (list);
    }
  return LS_CLI_DONE;
}
