/* device import: a result.json beside the simulator's counts, matched to the program by its structural hash. */
#include "app/cli/device.h"

#include "engine/base/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The simulator's count and what ncu calls the same. */
static const struct { const char *simulated, *counter, *meaning; } ROWS[] = {
  { "global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sectors read" },
  { "global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sectors written" },
  { "global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "requests to read" },
  { "global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "requests to write" },
  { "shared_load_passes", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "passes over shared memory, reads" },
  { "shared_store_passes", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "passes over shared memory, writes" },
  { "shared_load_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "bank conflicts, reads" },
  { "shared_store_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "bank conflicts, writes" },
  { "divergent", "smsp__sass_branch_targets_threads_divergent.sum", "branches that split a warp" },
  { "instructions", "smsp__inst_executed.sum", "instructions of warps" },
};

static double
value_in (GHashTable *table,
          const char *name)
{
  const double *value = table != NULL ? g_hash_table_lookup (table, name) : NULL;

  return value != NULL ? *value : NAN;
}

/* ---- text ---- */

static void
print_time (const LsDeviceResultStep *step)
{
  const LsDeviceTime *t = &step->time;

  if (strcmp (step->verdict, "same") != 0)
    printf ("  %-20s %s: %s\n", step->name, strcmp (step->verdict, "differs") == 0 ? "WRONG" : "failed", step->reason != NULL ? step->reason : "no reason is told");
  else if (t->n == 0)
    printf ("  %-20s right, not measured\n", step->name);
  else
    {
      printf ("  %-20s %10.3f us (%.3f to %.3f, %u sample%s%s)", step->name, t->median / 1e3, t->q1 / 1e3, t->q3 / 1e3, t->n, t->n == 1 ? "" : "s",
              t->settled ? "" : ", not settled");
      if (step->flushed.n > 0)
        printf ("; %.3f us with an emptied cache", step->flushed.median / 1e3);
      if (step->registers >= 0)
        printf ("; %" G_GINT64_FORMAT " registers", step->registers);
      printf ("\n");
    }
}

static void
print_counts (const LsDeviceResultStep *step)
{
  if (step->simulated == NULL && step->counters == NULL)
    return;
  printf ("\n  %s\n  %-36s %16s %16s\n", step->name, "", "simulator", step->counters != NULL ? "device" : "device (none)");
  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    {
      double s = value_in (step->simulated, ROWS[i].simulated), d = value_in (step->counters, ROWS[i].counter);
      char simulated[32] = "-", device[32] = "-";

      if (!isnan (s))
        g_snprintf (simulated, sizeof simulated, "%.0f", s);
      if (!isnan (d))
        g_snprintf (device, sizeof device, "%.0f", d);
      printf ("  %-36s %16s %16s\n", ROWS[i].meaning, simulated, device);
    }
}

static void
print_result (const LsDeviceResult *result)
{
  printf ("%s on %s%s%s (%s), %s\n", result->name, result->device, result->kind != NULL ? ", a " : "", result->kind != NULL ? result->kind : "",
          result->api, result->when);
  if (result->copy_speed > 0)
    printf ("a copy on the device moves %.4g GB/s\n", result->copy_speed / 1e9);
  if (result->bandwidth > 0)
    printf ("a kernel that copies moves %.4g GB/s\n", result->bandwidth / 1e9);
  if (result->peak > 0)
    printf ("a kernel that multiplies and adds float32 does %.4g GFLOP/s\n", result->peak / 1e9);
  printf ("\n");
  for (guint i = 0; i < result->steps->len; i++)
    print_time (result->steps->pdata[i]);
  for (guint i = 0; i < result->steps->len; i++)
    if (((LsDeviceResultStep *) result->steps->pdata[i])->clocks != NULL)
      printf ("%s: %s\n", ((LsDeviceResultStep *) result->steps->pdata[i])->name, ((LsDeviceResultStep *) result->steps->pdata[i])->clocks);
  for (guint i = 0; i < result->steps->len; i++)
    print_counts (result->steps->pdata[i]);
  if (result->notes->len > 0)
    printf ("\n");
  for (guint i = 0; i < result->notes->len; i++)
    printf ("%s\n", (char *) result->notes->pdata[i]);
}

/* ---- JSON ---- */

static void
put_number (JsonBuilder *builder,
            const char  *name,
            double       value)
{
  if (isnan (value))
    return;
  ls_json_put_double (builder, name, value);
}

static void
put_step (JsonBuilder              *builder,
          const LsDeviceResultStep *step)
{
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", step->name);
  ls_json_put_text (builder, "title", step->title);
  ls_json_put_text (builder, "hash", step->hash);
  ls_json_put_text (builder, "verdict", step->verdict);
  ls_json_put_text (builder, "reason", step->reason);
  ls_json_put_text (builder, "clocks", step->clocks);
  if (step->time.n > 0)
    {
      put_number (builder, "median_ns", step->time.median);
      put_number (builder, "q1_ns", step->time.q1);
      put_number (builder, "q3_ns", step->time.q3);
    }
  if (step->flushed.n > 0)
    put_number (builder, "median_flushed_ns", step->flushed.median);
  ls_json_begin_array (builder, "counts");
  for (guint i = 0; i < G_N_ELEMENTS (ROWS); i++)
    {
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", ROWS[i].simulated);
      put_number (builder, "simulator", value_in (step->simulated, ROWS[i].simulated));
      put_number (builder, "device", value_in (step->counters, ROWS[i].counter));
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
print_json (const LsDeviceResult *result)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", result->name);
  ls_json_put_text (builder, "program", result->program);
  ls_json_put_text (builder, "device", result->device);
  ls_json_put_text (builder, "kind", result->kind);
  ls_json_put_text (builder, "api", result->api);
  ls_json_put_text (builder, "when", result->when);
  if (result->copy_speed > 0)
    put_number (builder, "copy_bytes_per_second", result->copy_speed);
  if (result->bandwidth > 0)
    put_number (builder, "bandwidth_bytes_per_second", result->bandwidth);
  if (result->peak > 0)
    put_number (builder, "peak_flop_per_second", result->peak);
  ls_json_begin_array (builder, "steps");
  for (guint i = 0; i < result->steps->len; i++)
    put_step (builder, result->steps->pdata[i]);
  json_builder_end_array (builder);
  ls_json_begin_array (builder, "notes");
  for (guint i = 0; i < result->notes->len; i++)
    json_builder_add_string_value (builder, result->notes->pdata[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

void
ls_cli_device_print (const LsDeviceResult *result,
                     gboolean              json)
{
  if (json)
    print_json (result);
  else
    print_result (result);
}

/* ---- does it belong to the program? ---- */

/* Each file of steps has to give a program that the result speaks of. */
static int
check_steps (const char           *command,
             const LsDeviceResult *result,
             LsModule             *base,
             const char           *program,
             GPtrArray            *steps)
{
  g_autoptr (GPtrArray) files = ls_cli_step_files (command, steps);

  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (LsSchedule) schedule = ls_cli_schedule_module (command, base, files->pdata[i], 0);
      g_autofree char *hash = schedule != NULL ? ls_device_hash (ls_schedule_get_module (schedule)) : NULL;

      if (hash == NULL)
        return LS_CLI_FAILED;
      if (ls_device_result_find (result, hash) == NULL)
        return ls_cli_fail (command, "the result has no step for what %s makes of %s: its structural hash is %s (made by %s)", (char *) files->pdata[i], program, hash,
                            result->made_by);
    }
  return LS_CLI_DONE;
}

static int
check_program (const char           *command,
               const LsDeviceResult *result,
               const char           *program,
               GPtrArray            *steps)
{
  g_autoptr (LsModule) base = ls_cli_read_module (command, program);
  g_autofree char *hash = base != NULL ? ls_device_hash (base) : NULL;

  if (base == NULL)
    return LS_CLI_FAILED;
  if (strcmp (hash, result->program) != 0)
    return ls_cli_fail (command, "the result is of another program: its structural hash is %s, that of %s is %s (the result was made for %s by %s)",
                        result->program, program, hash, result->name, result->made_by);
  return check_steps (command, result, base, program, steps);
}

int
ls_cli_device_import (const char *command,
                      const char *file,
                      const char *program,
                      GPtrArray  *steps,
                      gboolean    json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceResult) result = ls_device_result_read (file, &error);

  if (result == NULL)
    return ls_cli_fail (command, "%s", error->message);
  if (program != NULL && check_program (command, result, program, steps) != LS_CLI_DONE)
    return LS_CLI_FAILED;
  ls_cli_device_print (result, json);
  return LS_CLI_DONE;
}
