/* Benchmark of schedule: the seeds' five steps on mm_relu, the same with undo, and opening the program.
 * Budget: a tenth of TVM v0.20.0's 0.75 ms.
 */
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "tests/bench/bench.h"
#include "tests/unit/schedule/programs.h"

static const char steps[] =
  "block_Y = sch.get_block(\"Y\", func_name=\"main\")\n"
  "i, j, k = sch.get_loops(block_Y)\n"
  "j0, j1 = sch.split(j, factors=[None, 4])\n"
  "sch.reorder(j0, k, j1)\n"
  "block_C = sch.get_block(\"C\", \"main\")\n"
  "sch.reverse_compute_at(block_C, j0)\n"
  "sch.decompose_reduction(block_Y, k)\n";

typedef struct {
  LsModule   *module;
  LsSchedule *schedule;
  LsCallList *calls;
} Bench;

static void
apply_steps (gpointer data)
{
  Bench *bench = data;
  g_autoptr (LsSchedule) schedule = ls_schedule_copy (bench->schedule);

  for (guint i = 0; i < ls_call_list_get_n (bench->calls); i++)
    g_assert_true (ls_schedule_apply_call (schedule, bench->calls, ls_call_list_get (bench->calls, i), NULL));
}

static void
open_module (gpointer data)
{
  ls_schedule_unref (ls_schedule_new (((Bench *) data)->module));
}

int
main (void)
{
  g_autoptr (LsSource) program = ls_source_new ("program", MM_RELU, -1);
  g_autoptr (LsSource) text = ls_source_new ("steps", steps, -1);
  g_autoptr (LsModule) module = ls_script_parse (program, NULL);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsCallList) calls = ls_script_parse_calls (text, NULL);
  Bench bench = { module, schedule, calls };

  ls_bench_head ();
  ls_bench_run ("schedule/mm_relu five steps", 75e3, apply_steps, &bench);
  ls_bench_run ("schedule/mm_relu open", 0, open_module, &bench);
  return 0;
}
