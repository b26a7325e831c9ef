/* Benchmark of the spine: reading, printing and scheduling mm_relu, and a click on each step.
 *
 * Budgets are those of the design: TVM v0.20 takes 3.3 ms to parse, 0.21 ms to print and 0.75 ms for the five steps on
 * the machine where it was measured; the goals are 50, 10 and 10 times less.
 */
#include "engine/schedule/moves/moves.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/bench/bench.h"

typedef struct {
  char       *text;
  char       *steps_text;
  LsModule   *module;
  LsSchedule *schedule;
  LsNode     *loop;
} Spine;

static void
parse (gpointer data)
{
  Spine *self = data;
  g_autoptr (LsSource) source = ls_source_new ("mm_relu.py", self->text, -1);
  g_autoptr (LsModule) module = ls_script_parse (source, NULL);
}

static void
print (gpointer data)
{
  g_autofree char *text = ls_script_print (((Spine *) data)->module, NULL, NULL);
}

static void
print_with_map (gpointer data)
{
  g_autoptr (LsSourceMap) map = NULL;
  g_autofree char *text = ls_script_print (((Spine *) data)->module, NULL, &map);
}

static LsSchedule *
apply (Spine *self)
{
  LsSchedule *schedule = ls_schedule_new (self->module);
  g_autoptr (LsSource) steps = ls_source_new ("steps.py", self->steps_text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  ls_schedule_apply_text (schedule, steps, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_printerr ("%s", findings);
    }
  return schedule;
}

static void
five_steps (gpointer data)
{
  g_autoptr (LsSchedule) schedule = apply (data);
}

static void
moves (gpointer data)
{
  Spine *self = data;
  g_autoptr (GPtrArray) offers = ls_schedule_offers (self->schedule, self->loop, NULL);
}

static void
lower (gpointer data)
{
  Spine *self = data;
  LsModule *module = ls_schedule_get_module (self->schedule);
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, NULL);
}

static LsNode *
find_loop (LsSchedule *schedule,
           const char *name)
{
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsNode *node = ls_version_at (version, i)->node;

      if (ls_is (node, FOR) && g_str_equal (((LsFor *) node)->loop_var->name, name))
        return node;
    }
  return NULL;
}

int
main (void)
{
  Spine self = { 0 };

  ls_bench_head ();
  self.text = ls_bench_sample ("mm_relu.py");
  self.steps_text = ls_bench_sample ("mm_relu_steps.py");
  self.module = ({ g_autoptr (LsSource) source = ls_source_new ("mm_relu.py", self.text, -1); ls_script_parse (source, NULL); });
  self.schedule = apply (&self);
  self.loop = find_loop (self.schedule, "k");
  ls_bench_run ("script/parse mm_relu", 3.3e6 / 50, parse, &self);
  ls_bench_run ("script/print mm_relu", 0.21e6 / 10, print, &self);
  ls_bench_run ("script/print with source map", 0, print_with_map, &self);
  ls_bench_run ("schedule/five steps of mm_relu, read from text, with warnings", 0.75e6 / 10, five_steps, &self);
  if (self.loop != NULL)
    ls_bench_run ("schedule/moves of loop k", 16e6, moves, &self);
  ls_bench_run ("tir/lower mm_relu", 0, lower, &self);
  ls_schedule_unref (self.schedule);
  ls_unref (self.module);
  g_free (self.text);
  g_free (self.steps_text);
  return 0;
}
