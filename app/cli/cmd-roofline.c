/* roofline: how near each step of a schedule comes to what this machine can do.
 *
 *   --steps FILE       the schedule; the program as it is is step 0
 *   --again            measure the machine anew (else what is kept in the user's cache is used)
 *   --cache BYTES      what the first cache holds; else what the system says
 *   --device FILE      a result.json: the roofs and times are those of that device, and each array is fetched once
 *   --func F, --target T, --set NAME=VALUE, --budget-ms N (for each step), --timeout SECONDS
 *
 * The roofs are measured (worker method peaks), times too; operations and bytes are counted (engine/tir/traffic.h), of
 * symbolic extents for the sizes that --set gives.
 */
#include "app/cli/input.h"
#include "app/cli/peaks.h"
#include "app/cli/remote.h"
#include "engine/base/json.h"
#include "engine/runtime/peaks.h"
#include "engine/schedule/moves/moves.h"
#include "engine/script/script.h"
#include "engine/advice/advice.h"
#include "engine/device/device.h"
#include "engine/tir/specialize.h"
#include "engine/tir/traffic.h"

#include <stdio.h>
#include <string.h>

#define USUAL_CACHE 32768

typedef struct {
  const char *command;
  const char *file, *func, *steps, *target, *device;
  gint64      budget, timeout, cache;   /* -1: not given */
  GPtrArray  *set;
  gboolean    again, json;
  LsDeviceResult *result;       /* of --device, or NULL */
} Request;

typedef struct {
  guint     step;
  char     *name;
  LsModule *module;
  double    flop, bytes;        /* 0: unknown */
  double    seconds;            /* 0: not measured */
  char     *problem;            /* why it is not, or NULL */
  char     *reason;             /* why flop or bytes are unknown, or NULL */
} Point;

static void
point_clear (gpointer data)
{
  Point *self = data;

  g_free (self->name);
  ls_unref (self->module);
  g_free (self->problem);
  g_free (self->reason);
}

/* ---- the machine ----------------------------------------------------------------- */

/* What the kernels of a bundle have measured there (data/device/host/probe.c).  FALSE: it is said what is missing. */
static gboolean
take_device (Request *request,
             LsPeaks *peaks)
{
  g_autoptr (GError) error = NULL;

  request->result = ls_device_result_read (request->device, &error);
  if (request->result == NULL)
    ls_cli_fail (request->command, "%s", error->message);
  else if (request->result->bandwidth <= 0 || request->result->peak <= 0)
    ls_cli_fail (request->command, ls_translate ("%s does not say what the device can do at best: ./run measures that, without --quick and --once"), request->device);
  else
    {
      *peaks = (LsPeaks) { .fma_gflops = request->result->peak / 1e9, .n_levels = 1 };
      g_strlcpy (peaks->levels[0].name, "memory", sizeof peaks->levels[0].name);
      peaks->levels[0].gb_per_s = request->result->bandwidth / 1e9;
      return TRUE;
    }
  return FALSE;
}

/* Who has these peaks. */
static const char *
machine_of (const Request *request)
{
  return request->result != NULL ? request->result->device : ls_host_cpu_name ();
}

/* The times of the device at the steps that they were measured of. */
static void
take_times (Request *request,
            GArray  *points)
{
  for (guint i = 0; i < points->len; i++)
    {
      Point *point = &g_array_index (points, Point, i);
      g_autofree char *hash = ls_device_hash (point->module);
      const LsDeviceResultStep *step = ls_device_result_find (request->result, hash);

      point->seconds = step != NULL && step->time.n > 0 ? step->time.median * 1e-9 : 0.0;
      if (step != NULL && strcmp (step->verdict, "same") != 0)
        point->problem = g_strdup (step->reason != NULL ? step->reason : step->verdict);
    }
}

/* The level whose bandwidth bytes are counted for: the nearest behind the first cache. */
static const LsPeakLevel *
behind_first (const LsPeaks *peaks)
{
  return peaks->n_levels > 0 ? &peaks->levels[MIN (1, peaks->n_levels - 1)] : NULL;
}

/* ---- the steps ------------------------------------------------------------------- */

static const char *
function_of (Request  *request,
             LsModule *module)
{
  if (request->func != NULL)
    return request->func;
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
  return NULL;
}

static void
count (Request *request,
       Point   *point)
{
  const char *name = function_of (request, point->module);
  LsNode *func = name != NULL ? ls_module_get (point->module, name) : NULL;
  g_autoptr (LsPrimFunc) sized = func != NULL && ls_is (func, PRIM_FUNC) ? ls_prim_func_size ((LsPrimFunc *) func, request->set) : NULL;
  g_autoptr (LsCostTable) costs = sized != NULL ? ls_cost_table_new_in (sized, point->module) : NULL;

  if (costs == NULL)
    {
      point->reason = g_strdup ("there is no function of TensorIR");
      return;
    }
  point->flop = MAX (costs->flop, 0.0);
  point->bytes = MAX (MIN (ls_cost_traffic (sized, costs, request->cache), ls_advice_touched (sized)), 0.0);
  if (point->flop <= 0.0 || point->bytes <= 0.0)
    point->reason = g_strdup (costs->reason != NULL ? costs->reason : point->flop <= 0.0 ? "it only moves data" : "it accesses no buffer");
}

static GArray *
list_points (Request    *request,
             LsSchedule *schedule)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (Point));
  guint number = 0;

  g_array_set_clear_func (points, point_clear);
  for (guint i = 0; i <= ls_schedule_get_n_steps (schedule); i++)
    {
      LsModule *module = ls_schedule_get_version (schedule, i)->module;
      Point point = { .name = i > 0 ? ls_schedule_describe_step (schedule, i - 1) : g_strdup ("unscheduled") };

      if (i > 0 && module == ls_schedule_get_version (schedule, i - 1)->module)
        {
          g_free (point.name);
          continue;
        }
      point.step = number++;
      point.module = ls_ref (module);
      count (request, &point);
      g_array_append_val (points, point);
    }
  return points;
}

static gboolean
measure (Request *request,
         GArray  *points)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) results = NULL;
  GVariantDict params;

  for (guint i = 0; i < points->len; i++)
    g_ptr_array_add (texts, ls_cli_module_text (g_array_index (points, Point, i).module));
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert_value (&params, "modules", g_variant_new_strv ((const char *const *) texts->pdata, (gssize) texts->len));
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv ((const char *const *) request->set->pdata, (gssize) request->set->len));
  g_variant_dict_insert (&params, "budget-ms", "x", request->budget >= 0 ? request->budget : 1000);
  if (request->func != NULL)
    g_variant_dict_insert (&params, "func", "s", request->func);
  if (request->target != NULL)
    g_variant_dict_insert (&params, "target", "s", request->target);
  answer = ls_cli_ask (request->command, "time", &params, request->timeout >= 0 ? (double) request->timeout : 60 + 30.0 * points->len, NULL, NULL);
  results = answer != NULL ? ls_params_value (answer, "results") : NULL;
  for (gsize i = 0; results != NULL && i < g_variant_n_children (results); i++)
    {
      g_autoptr (GVariant) result = g_variant_get_child_value (results, i);
      Point *point = &g_array_index (points, Point, i);

      point->problem = g_strdup (ls_params_string (result, "error", ls_params_string (result, "mismatch", NULL)));
      point->seconds = point->problem == NULL ? ls_cli_number (result, "median") * 1e-9 : 0.0;
    }
  return results != NULL;
}

/* ---- the answer ------------------------------------------------------------------- */

static double
limit_of (const LsPeaks *peaks,
          const Point   *point)
{
  const LsPeakLevel *level = behind_first (peaks);
  double memory = level != NULL && point->bytes > 0.0 ? point->flop / point->bytes * level->gb_per_s : peaks->fma_gflops;

  return MIN (memory, peaks->fma_gflops);
}

/* A step that computes nothing has a bandwidth. */
static void
print_without_flop (const Point *point)
{
  if (point->flop <= 0.0 && point->bytes > 0.0)
    printf ("%10s  %10.3g  %10s  ", "-", point->bytes, "-");
  if (point->flop <= 0.0 && point->bytes > 0.0 && point->seconds > 0.0)
    printf ("%5.3g GB/s     %s\n", point->bytes / point->seconds * 1e-9, point->reason);
  else
    printf ("%s: %s\n", point->flop <= 0.0 ? "no operations are counted" : "bytes are unknown", point->reason);
}

static void
print_text (Request *request,
            LsPeaks *peaks,
            GArray  *points)
{
  g_autofree char *date = request->result != NULL ? g_strdup (request->result->when) : ls_peaks_date (ls_host_cpu_name ());

  printf ("%s%s: %.3g GFLOP/s in float32", request->result != NULL ? "" : "one core of ", machine_of (request), peaks->fma_gflops);
  for (int i = 0; i < peaks->n_levels; i++)
    printf (", %s %.3g GB/s", peaks->levels[i].name, peaks->levels[i].gb_per_s);
  if (request->result != NULL)
    printf ("\nmeasured there %s, by kernels that only copy and only multiply and add; operations and bytes are counted, ", date);
  else
    printf ("\nmeasured %s%s; operations and bytes are counted, ", date != NULL ? date : "now",
            ls_peaks_doubtful (ls_host_cpu_name ()) ? " while the machine was busy, so that it can do more than that" : "");
  if (request->cache < G_MAXINT64)
    printf ("bytes as those that a cache of %" G_GINT64_FORMAT " bytes has to fetch\n\n", request->cache);
  else
    printf ("bytes as if each array went through memory once\n\n");
  printf ("%4s  %-28s %10s  %10s  %10s  %12s  %-10s %s\n", "step", "", "flop", "bytes", "flop/byte", "reached", "of its roof", "held by");
  for (guint i = 0; i < points->len; i++)
    {
      Point *point = &g_array_index (points, Point, i);
      double speed = point->seconds > 0.0 ? point->flop / point->seconds * 1e-9 : 0.0, limit = limit_of (peaks, point);

      printf ("%4u  %-28s ", point->step, point->name);
      if (point->flop <= 0.0 || point->bytes <= 0.0)
        {
          print_without_flop (point);
          continue;
        }
      printf ("%10.3g  %10.3g  %10.3g  ", point->flop, point->bytes, point->flop / point->bytes);
      if (point->seconds <= 0.0)
        printf ("not measured%s%s\n", point->problem != NULL ? ": " : "", point->problem != NULL ? point->problem : "");
      else
        printf ("%5.3g GFLOP/s  %9.1f %%  %s\n", speed, 100.0 * speed / limit,
                limit < peaks->fma_gflops ? behind_first (peaks)->name : "arithmetic");
    }
}

static void
add_point (JsonBuilder *builder,
           LsPeaks     *peaks,
           Point       *point)
{
  double speed = point->seconds > 0.0 ? point->flop / point->seconds * 1e-9 : 0.0;

  json_builder_begin_object (builder);
  ls_json_put_int (builder, "step", point->step);
  ls_json_put_text (builder, "name", point->name);
  ls_json_put_bool (builder, "measured", point->seconds > 0.0);
  ls_json_put_text (builder, "problem", point->problem);
  ls_json_put_text (builder, "reason", point->reason);
  ls_json_put_double (builder, "flop", point->flop);
  ls_json_put_double (builder, "bytes", point->bytes);
  if (point->bytes > 0.0)
    ls_json_put_double (builder, "flop-per-byte", point->flop / point->bytes);
  if (point->seconds > 0.0)
    {
      ls_json_put_double (builder, "seconds", point->seconds);
      ls_json_put_double (builder, "gflops", speed);
      ls_json_put_double (builder, "share", speed / limit_of (peaks, point));
      ls_json_put_text (builder, "held-by", limit_of (peaks, point) < peaks->fma_gflops ? behind_first (peaks)->name : "arithmetic");
    }
  json_builder_end_object (builder);
}

static void
print_json (Request *request,
            LsPeaks *peaks,
            GArray  *points)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *date = request->result != NULL ? g_strdup (request->result->when) : ls_peaks_date (ls_host_cpu_name ());

  json_builder_begin_object (builder);
  ls_json_begin_object (builder, "machine");
  ls_json_put_text (builder, request->result != NULL ? "device" : "cpu", machine_of (request));
  ls_json_put_text (builder, "date", date);
  ls_json_put_bool (builder, "busy", request->result == NULL && ls_peaks_doubtful (ls_host_cpu_name ()));
  ls_json_put_double (builder, "gflops", peaks->fma_gflops);
  ls_json_put_int (builder, "cache-bytes", request->cache);
  ls_json_begin_array (builder, "levels");
  for (int i = 0; i < peaks->n_levels; i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", peaks->levels[i].name);
      ls_json_put_double (builder, "gb-per-s", peaks->levels[i].gb_per_s);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_json_begin_array (builder, "steps");
  for (guint i = 0; i < points->len; i++)
    add_point (builder, peaks, &g_array_index (points, Point, i));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static int
show (Request *request)
{
  g_autoptr (LsSchedule) schedule = ls_cli_read_schedule (request->command, request->file, request->steps, 0);
  g_autoptr (GArray) points = schedule != NULL ? list_points (request, schedule) : NULL;
  LsPeaks peaks;

  if (points == NULL || !(request->device != NULL ? take_device (request, &peaks) : ls_cli_read_peaks (request->command, request->again, &peaks)))
    return LS_CLI_FAILED;
  if (request->device != NULL)
    take_times (request, points);
  else if (!measure (request, points))
    return LS_CLI_FAILED;
  if (request->json)
    print_json (request, &peaks, points);
  else
    print_text (request, &peaks, points);
  return LS_CLI_DONE;
}

int
ls_cli_roofline (int    argc,
                 char **argv)
{
  g_autoptr (GPtrArray) set = g_ptr_array_new ();
  Request request = { .command = argv[0], .budget = -1, .timeout = -1, .cache = -1, .set = set };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--again", LS_CLI_FLAG, &request.again },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_TEXT, &request.steps },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--device", LS_CLI_TEXT, &request.device },
    { "--cache", LS_CLI_NUMBER, &request.cache },
    { "--budget-ms", LS_CLI_NUMBER, &request.budget },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { "--set", LS_CLI_LIST, set },
    { NULL },
  };
  int status = ls_cli_args_read (argc, argv, options, &request.file);

  if (status != LS_CLI_DONE)
    return status;
  if (request.cache <= 0)
    request.cache = request.device != NULL ? G_MAXINT64 : ls_host_cache_bytes (1) > 0 ? ls_host_cache_bytes (1) : USUAL_CACHE;
  status = request.file != NULL ? show (&request) : ls_cli_usage (argv[0], "a file is expected");
  ls_device_result_free (request.result);
  return status;
}
