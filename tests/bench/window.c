/* window: what a step change costs behind the window, and what a thousand steps keep in memory.  The engine's session alone,
 * without widgets; LOOPSCOPE_FRAME_LOG measures those. */
#include "app/engine-session.h"
#include "tests/bench/bench.h"
#include "views/theme.h"

#include <string.h>

typedef struct {
  LsSession *session;
  guint      steps[2];
  guint      turn;
} Bench;

static void
change_step (gpointer data)
{
  Bench *bench = data;

  ls_session_go_to (bench->session, bench->steps[bench->turn++ % 2]);
}

/* `n` nests of four loops in one function, each copying a buffer of its own. */
static char *
nests_text (guint n)
{
  GString *text = g_string_new ("@T.prim_func\ndef main(A: T.Buffer((16, 16, 16, 16), \"float32\")");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, ", B%u: T.Buffer((16, 16, 16, 16), \"float32\")", i);
  g_string_append (text, "):\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    for i, j, k, l in T.grid(16, 16, 16, 16):\n        with T.block(\"B%u\"):\n"
                            "            vi, vj, vk, vl = T.axis.remap(\"SSSS\", [i, j, k, l])\n"
                            "            B%u[vi, vj, vk, vl] = A[vi, vj, vk, vl] * T.float32(2)\n", i, i);
  return g_string_free (text, FALSE);
}

static guint
step_id (LsSession *session,
         guint      i)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_path (session), i);

  return ls_step_item_get (item)->id;
}

static void
measure_sample (void)
{
  Bench bench = { ls_engine_session_new_sample (), { 0 }, 0 };

  bench.steps[0] = step_id (bench.session, 3);
  bench.steps[1] = step_id (bench.session, 4);
  ls_bench_run ("change the step, mm_relu", 16e6, change_step, &bench);
  g_object_unref (bench.session);
}

static void
measure_nests (void)
{
  Bench bench = { ls_engine_session_new (), { 0 }, 0 };
  g_autofree char *text = nests_text (250);

  ls_engine_session_open_text (LS_ENGINE_SESSION (bench.session), "nests.py", text,
                               "b = sch.get_block(\"B7\")\ni, j, k, l = sch.get_loops(b)\nsch.split(j, [None, 4])\n"
                               "sch.vectorize(l)\n");
  bench.steps[0] = step_id (bench.session, 1);
  bench.steps[1] = step_id (bench.session, 2);
  ls_bench_run ("change the step, 1,000 loops", 100e6, change_step, &bench);
  g_object_unref (bench.session);
}

static guint64
resident (void)
{
  g_autofree char *text = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) || (at = strchr (text, ' ')) == NULL)
    return 0;
  return g_ascii_strtoull (at, NULL, 10) * 4096;
}

static void
measure_thousand (void)
{
  LsSession *session = ls_engine_session_new ();
  GString *steps = g_string_new ("b = sch.get_block(\"Y\")\n");
  g_autoptr (GBytes) text = g_resources_lookup_data ("/org/loopscope/samples/mm_relu.py", 0, NULL);
  guint64 before = resident ();
  gint64 start = ls_bench_now ();

  /* A note put on and taken off again, so that the program does not grow. */
  for (guint i = 0; i < 500; i++)
    g_string_append (steps, "sch.annotate(b, \"note\", 1)\nsch.unannotate(b, \"note\")\n");
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "mm_relu.py", g_bytes_get_data (text, NULL), steps->str);
  g_print ("1,000 steps: %u shown, %.1f MiB more, opened in %.0f ms\n", g_list_model_get_n_items (ls_session_get_path (session)),
           (double) (resident () - before) / 1048576.0, (double) (ls_bench_now () - start) * 1e-6);
  g_string_free (steps, TRUE);
  g_object_unref (session);
}

int
main (void)
{
  ls_views_init ();
  ls_bench_head ();
  measure_sample ();
  measure_nests ();
  measure_thousand ();
  return 0;
}
