/* Benchmark of growth: what a primitive costs in a module of 10, 100, 1,000 and 10,000 blocks.
 *
 * The module is one function: a chain of element-wise blocks with one reduction in the middle.  Each primitive is
 * applied to blocks in the middle, after a step of another kind that changed the scope as well.  Undoing, that step and
 * making the tree of places, dependences and users again do not count, so a figure is what one more step costs.  A row gives the figures of all sizes and the growth, that is how many times more the largest
 * costs than the smallest.  Reading, printing and opening are linear by nature and stand here for comparison;
 * `moves` is asked for one loop of a module of 50 blocks.
 *
 * LS_BENCH_BLOCKS=N measures that size only.
 */
#include "engine/schedule/moves/moves.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/state/state.h"
#include "engine/schedule/step/move.h"
#include "engine/script/script.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  char       *text;
  LsModule   *module;
  LsSchedule *schedule;
  LsCallList *calls;            /* the step to measure */
  guint       n_steps;          /* before it */
} Scale;

static void
add_block (GString *text,
           guint    i)
{
  g_string_append_printf (text,
                          "        for i, j in T.grid(64, 64):\n"
                          "            with T.block(\"S%u\"):\n"
                          "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                          "                T.reads(T%u[vi, vj])\n"
                          "                T.writes(T%u[vi, vj])\n"
                          "                T%u[vi, vj] = T%u[vi, vj] + T.float32(1)\n", i, i, i + 1, i + 1, i);
}

static void
add_reduction (GString *text,
               guint    i)
{
  g_string_append_printf (text,
                          "        for i, j, k in T.grid(64, 64, 64):\n"
                          "            with T.block(\"R\"):\n"
                          "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                          "                T.reads(T%u[vi, vk])\n"
                          "                T.writes(T%u[vi, vj])\n"
                          "                with T.init():\n"
                          "                    T%u[vi, vj] = T.float32(0)\n"
                          "                T%u[vi, vj] = T%u[vi, vj] + T%u[vi, vk]\n", i, i + 1, i + 1, i + 1, i + 1, i);
}

/* The middle is "R"; the chain before it ends with "P", the one after it starts with "N". */
static char *
make_text (guint n)
{
  GString *text = g_string_new ("# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n"
                                "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(T0: T.Buffer((64, 64), \"float32\"), ");

  g_string_append_printf (text, "T%u: T.Buffer((64, 64), \"float32\")):\n        # with T.block(\"root\"):\n", n);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "        T%u = T.alloc_buffer((64, 64))\n", i);
  for (guint i = 0; i < n; i++)
    if (i == n / 2)
      add_reduction (text, i);
    else
      add_block (text, i);
  return g_string_free (text, FALSE);
}

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("scale", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s", findings);
    }
  return module;
}

static LsCallList *
read_calls (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("steps", text, -1);

  return ls_script_parse_calls (source, NULL);
}

static void
apply_calls (LsSchedule *schedule,
             LsCallList *calls)
{
  for (guint i = 0; i < ls_call_list_get_n (calls); i++)
    {
      g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

      if (!ls_schedule_apply_call (schedule, calls, ls_call_list_get (calls, i), diagnostics))
        {
          g_autofree char *findings = ls_diagnostics_print (diagnostics);

          g_error ("%s", findings);
        }
    }
}

/* Handles of the middle: those that the measured steps name. */
static char *
setup_text (guint n)
{
  return g_strdup_printf ("R = sch.get_block(\"R\")\nO = sch.get_block(\"S%u\")\nP = sch.get_block(\"S%u\")\nQ = sch.get_block(\"S%u\")\nN = sch.get_block(\"S%u\")\n"
                          "ri, rj, rk = sch.get_loops(R)\npi, pj = sch.get_loops(P)\nni, nj = sch.get_loops(N)\n",
                          n / 2 - 3, n / 2 - 1, n / 2 - 2, n / 2 + 1);
}

/* ---- one step ------------------------------------------------------------------ */

/* The tree of places is made when a handle is resolved, the dependences when they are asked for. */
static void
go_back (gpointer data)
{
  Scale *self = data;
  g_autoptr (LsCallList) look = read_calls ("sch.get_producers(R)\nsch.set_scope(Q, 0, \"shared\")\nsch.cache_write(O, 0, \"local\")\n");

  ls_schedule_undo_to (self->schedule, self->n_steps);
  apply_calls (self->schedule, look);
}

static void
apply_step (gpointer data)
{
  Scale *self = data;

  apply_calls (self->schedule, self->calls);
}

static void
run_parse (gpointer data)
{
  ls_unref (parse (((Scale *) data)->text));
}

static void
run_print (gpointer data)
{
  g_free (ls_script_print (((Scale *) data)->module, NULL, NULL));
}

static void
run_open (gpointer data)
{
  ls_schedule_unref (ls_schedule_new (((Scale *) data)->module));
}

static void
scale_init (Scale *self,
            guint  n)
{
  g_autofree char *setup = setup_text (n);
  g_autoptr (LsCallList) calls = read_calls (setup);

  self->text = make_text (n);
  self->module = parse (self->text);
  self->schedule = ls_schedule_new (self->module);
  self->calls = NULL;
  apply_calls (self->schedule, calls);
  self->n_steps = ls_schedule_get_n_steps (self->schedule);
}

static void
scale_clear (Scale *self)
{
  ls_schedule_unref (self->schedule);
  ls_unref (self->module);
  g_free (self->text);
}

/* ---- rows ------------------------------------------------------------------------ */

static const struct { const char *name, *steps; } rows[] = {
  { "split", "a, b = sch.split(pj, factors=[None, 4])\n" },
  { "fuse", "a = sch.fuse(pi, pj)\n" },
  { "reorder", "sch.reorder(pj, pi)\n" },
  { "parallel", "sch.parallel(pi)\n" },
  { "vectorize", "sch.vectorize(pj)\n" },
  { "annotate", "sch.annotate(pi, \"pragma\", 1)\n" },
  { "compute_at", "sch.compute_at(P, ri)\n" },
  { "reverse_compute_at", "sch.reverse_compute_at(N, ri)\n" },
  { "compute_inline", "sch.compute_inline(P)\n" },
  { "reverse_compute_inline", "sch.reverse_compute_inline(P)\n" },
  { "decompose_reduction", "a = sch.decompose_reduction(R, rk)\n" },
  { "rfactor", "a = sch.rfactor(rk, 0)\n" },
  { "cache_read", "a = sch.cache_read(R, 0, \"local\")\n" },
  { "cache_write", "a = sch.cache_write(R, 0, \"local\")\n" },
  { "set_scope", "sch.set_scope(R, 0, \"shared\")\n" },
  { "transform_layout", "sch.transform_layout(R, (\"write\", 0), lambda i, j: (j, i))\n" },
  { "set_axis_separator", "sch.set_axis_separator(R, (\"write\", 0), [1])\n" },
  { "unsafe_set_dtype", "sch.unsafe_set_dtype(R, 0, \"float16\")\n" },
  { "transform_block_layout", "sch.transform_block_layout(N, lambda i, j: (i * 64 + j,))\n" },
  { "reindex_cache_read", "a = sch.reindex_cache_read(R, 0, \"local\", lambda i, j, k: (k, i))\n" },
  { "reindex_cache_write", "a = sch.reindex_cache_write(R, 0, \"local\", lambda i, j, k: (j, i))\n" },
  { "read_at", "a = sch.read_at(ri, R, 0, \"shared\")\n" },
  { "write_at", "a = sch.write_at(ri, R, 0, \"shared\")\n" },
  { "storage_align", "sch.storage_align(R, 0, axis=0, factor=32, offset=8)\n" },
  { "add_unit_loop", "a = sch.add_unit_loop(P)\n" },
  { "loop_partition", "a = sch.loop_partition(pi, [16, None])\n" },
  { "merge", "a = sch.merge(pi, ri)\n" },
  { "pad_einsum", "sch.pad_einsum(R, [1, 1, 1])\n" },
  { "blockize", "a = sch.blockize(pi)\n" },
  { "reindex", "a = sch.reindex(R, (\"read\", 0))\n" },
};

static guint sizes[] = { 10, 100, 1000, 10000 };
static guint n_sizes = G_N_ELEMENTS (sizes);

typedef LsBenchResult (*RowFunc) (Scale *scale, gconstpointer what);

static LsBenchResult
measure_step (Scale         *scale,
              gconstpointer  what)
{
  LsBenchResult result;

  scale->calls = read_calls (what);
  result = ls_bench_measure_prepared (go_back, apply_step, scale);
  go_back (scale);
  g_clear_pointer (&scale->calls, ls_call_list_unref);
  return result;
}

static LsBenchResult
measure_plain (Scale         *scale,
               gconstpointer  what)
{
  return ls_bench_measure (((const LsBenchFunc *) what)[0], scale);
}

static void
note_row (const char *name,
          guint       n,
          double      ns)
{
  g_autofree char *full = g_strdup_printf ("%s, %u blocks", name, n);

  ls_bench_note (full, ns, "ns", FALSE);
}

static void
print_row (const char    *name,
           Scale         *scales,
           RowFunc        measure,
           gconstpointer  what)
{
  double first = 0, last = 0;
  const char *only = g_getenv ("LS_BENCH_ONLY");

  if (only != NULL && strstr (name, only) == NULL)
    return;
  printf ("%-24s", name);
  for (guint i = 0; i < n_sizes; i++)
    {
      last = measure (&scales[i], what).minimum;
      if (i == 0)
        first = last;
      note_row (name, sizes[i], last);
      printf (" %10.1f us", last / 1e3);
      fflush (stdout);
    }
  printf ("   growth %.1f\n", last / first);
}

/* ---- moves -------------------------------------------------------------------------- */

typedef struct {
  LsSchedule *schedule;
  LsNode     *loop;
} Moves;

static void
run_moves (gpointer data)
{
  Moves *self = data;

  g_ptr_array_unref (ls_schedule_offers (self->schedule, self->loop, NULL));
}

static void
bench_moves (void)
{
  Scale scale;
  Moves moves;

  scale_init (&scale, 50);
  moves.schedule = scale.schedule;
  moves.loop = ls_schedule_resolve (scale.schedule, (LsVar *) ls_schedule_get_binding (scale.schedule, "ri"));
  ls_bench_run ("moves of a loop, 50 blocks", 50e6, run_moves, &moves);
  moves.loop = ls_schedule_resolve (scale.schedule, (LsVar *) ls_schedule_get_binding (scale.schedule, "R"));
  ls_bench_run ("moves of a block, 50 blocks", 50e6, run_moves, &moves);
  scale_clear (&scale);
}

int
main (void)
{
  static const LsBenchFunc plain[3] = { run_parse, run_print, run_open };
  Scale scales[G_N_ELEMENTS (sizes)];
  const char *only = g_getenv ("LS_BENCH_BLOCKS");

  ls_bench_head ();
  if (only != NULL)
    {
      sizes[0] = (guint) MAX (g_ascii_strtoull (only, NULL, 10), 8);
      n_sizes = 1;
    }
  bench_moves ();
  for (guint i = 0; i < n_sizes; i++)
    scale_init (&scales[i], sizes[i]);
  printf ("%-24s", "blocks");
  for (guint i = 0; i < n_sizes; i++)
    printf (" %10u   ", sizes[i]);
  printf ("\n");
  print_row ("parse", scales, measure_plain, &plain[0]);
  print_row ("print", scales, measure_plain, &plain[1]);
  print_row ("open", scales, measure_plain, &plain[2]);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    print_row (rows[i].name, scales, measure_step, rows[i].steps);
  for (guint i = 0; i < n_sizes; i++)
    scale_clear (&scales[i]);
  return 0;
}
