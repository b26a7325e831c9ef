/* window: what a step change costs, behind the window and until its frame is painted, what the program works until its window
 * stands, how long a model of 100,000 calls takes to stand in it, what the picture of simulated threads costs from one access to
 * the next, what a thousand steps keep in memory, (window-pan) frames of a large graph, and (window-turns) how long each input holds
 * the main loop up.  What needs a display is left out without one (xvfb-run gives one); times of work are those of the thread,
 * because other programs share the machine. */
#include "app/session/engine.h"
#include "app/session/ready.h"
#include "engine/script/script.h"
#include "tests/bench/bench.h"
#include "tests/bench/model-text.h"
#include "tests/bench/window-pan.h"
#include "tests/bench/window-turns.h"
#include "views/explore/view.h"
#include "views/parts/theme.h"
#include "views/threads/picture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define STEPS_MIB 32.0           /* what a thousand steps of a small program may keep */

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

/* With the moves of the selection, which the window works out in a turn of their own. */
static void
change_all (gpointer data)
{
  Bench *bench = data;

  change_step (bench);
  ls_session_get_moves (bench->session);
}

/* ---- painted ------------------------------------------------------------------ */

typedef struct {
  void    (*change) (gpointer data);
  gpointer  data;
  GArray   *times;              /* of double: ns of work for a change, frames and all */
  gboolean  painted;
} Shown;

static double
thread_ns (void)
{
  struct timespec at;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &at);
  return (double) at.tv_sec * 1e9 + (double) at.tv_nsec;
}

static void
after_paint (Shown *shown)
{
  shown->painted = TRUE;
}

static int
by_value (gconstpointer a,
          gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* One change: until a frame came and nothing is due. */
static void
paint_change (Shown *shown)
{
  double from = thread_ns (), took;
  gint64 end = g_get_monotonic_time () + 5 * G_USEC_PER_SEC;

  shown->painted = FALSE;
  shown->change (shown->data);
  while (!shown->painted && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  took = thread_ns () - from;
  g_array_append_val (shown->times, took);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

/* What it costs until a change stands in the window, which is closed then. */
static void
report_painted (const char *name,
                double      budget,
                GtkWidget  *window,
                void      (*change) (gpointer data),
                gpointer    data)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  Shown shown = { change, data, times, FALSE };

  ls_theme_install (gdk_display_get_default ());
  gtk_window_present (GTK_WINDOW (window));
  g_signal_connect_swapped (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (after_paint), &shown);
  for (guint i = 0; i < 24; i++)
    paint_change (&shown);
  g_array_remove_range (times, 0, 4);
  g_array_sort (times, by_value);
  ls_bench_report (name, budget, (LsBenchResult) { g_array_index (times, double, 0), g_array_index (times, double, times->len / 2),
                                                   g_array_index (times, double, times->len / 4), g_array_index (times, double, times->len * 3 / 4), times->len, 1 });
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkWidget *
window_of (GtkWidget *child)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  gtk_window_set_child (GTK_WINDOW (window), child);
  return window;
}

static void
measure_painted (const char *name,
                 double      budget,
                 Bench      *bench)
{
  GtkWidget *view = ls_explore_view_new (), *window = window_of (view);

  ls_explore_view_set_session (LS_EXPLORE_VIEW (view), bench->session);
  report_painted (name, budget, window, change_step, bench);
}

/* ---- simulated threads ------------------------------------------------------------ */

typedef struct {
  LsThreadsPicture *picture;
  guint             event;
} Played;

static void
play (gpointer data)
{
  Played *self = data;

  ls_threads_picture_show_event (self->picture, self->event++ % 2);
}

/* An access of all lanes to shared memory, `stride` bytes apart: each to a bank of its own, or all to one. */
static void
add_event (LsThreads *threads,
           gint64     stride)
{
  LsThreadsEvent event = { .lanes = threads->lanes };

  for (guint lane = 0; lane < threads->lanes; lane++)
    {
      event.mask |= (guint64) 1 << lane;
      event.offsets[lane] = lane * stride;
    }
  event.live = event.mask;
  g_array_append_val (threads->events, event);
}

/* The picture of the Threads window, from one access to the next. */
static void
measure_threads (void)
{
  LsThreadsSite site = { .line = 1, .lane_bytes = 4, .most_ways = 64, .buffer = "S", .space = "shared", .loops = "", .requests = 1, .bytes = 256, .passes = 64, .passes_needed = 2 };
  LsThreadsKernel kernel = { .grid = { 1, 1, 1 }, .block = { 64, 1, 1 }, .warps = 1, .blocks = 1, .instructions = 1 };
  LsThreads threads = { .device = "rocm", .lanes = LS_THREADS_LANES };
  GtkWidget *picture = ls_threads_picture_new ();
  Played played = { LS_THREADS_PICTURE (picture), 0 };

  threads.kernels = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof kernel), &kernel, 1);
  threads.sites = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof site), &site, 1);
  threads.events = g_array_new (FALSE, FALSE, sizeof (LsThreadsEvent));
  threads.findings = g_array_new (FALSE, FALSE, sizeof (LsThreadsFinding));
  add_event (&threads, 4);
  add_event (&threads, 128);
  ls_threads_picture_set (played.picture, &threads);
  report_painted ("simulated threads: one access and its frame, work", 16.7e6, window_of (picture), play, &played);
  g_array_unref (threads.kernels);
  g_array_unref (threads.sites);
  g_array_unref (threads.events);
  g_array_unref (threads.findings);
}

/* ---- the program ----------------------------------------------------------------- */

/* The number behind `words`, one after the other, in the log of the program's frames; 0 when it did not come. */
static double
logged_ms (const char        *program,
           const char        *file,     /* that it opens, or NULL */
           const char        *log,
           const char *const *words)
{
  const char *const argv[] = { program, file, NULL };
  g_auto (GStrv) env = g_environ_setenv (g_get_environ (), "LOOPSCOPE_FRAME_LOG", log, TRUE);
  double ms = 0.0;
  GPid pid;

  env = g_environ_setenv (env, "GSK_RENDERER", "cairo", FALSE);
  if (!g_spawn_async (NULL, (char **) argv, env, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                      NULL, NULL, &pid, NULL))
    return 0.0;
  for (guint i = 0; i < 300 && ms == 0.0; i++)
    {
      g_autofree char *text = NULL;
      const char *at = NULL;

      g_usleep (100000);
      if (g_file_get_contents (log, &text, NULL, NULL))
        at = text;
      for (guint k = 0; at != NULL && words[k] != NULL; k++)
        at = (at = strstr (at, words[k])) != NULL ? at + strlen (words[k]) : NULL;
      ms = at != NULL ? g_ascii_strtod (at, NULL) : 0.0;
    }
  /* The next one would hand its wish over to one that still runs. */
  kill (pid, SIGTERM);
  waitpid (pid, NULL, 0);
  g_spawn_close_pid (pid);
  return ms;
}

static void
report_program (const char        *name,
                double             budget,
                const char        *file,
                const char *const *words)
{
  const char *build = g_getenv ("LS_BUILD_ROOT");
  g_autofree char *program = g_build_filename (build != NULL ? build : "build", "app", "loopscope", NULL);
  g_autofree char *folder = g_dir_make_tmp ("loopscope-bench-XXXXXX", NULL);
  g_autofree char *log = g_build_filename (folder, "frames", NULL);
  double ms[5];

  if (!g_file_test (program, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_print ("%-40s no program\n", name);
      return;
    }
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (ms); i++)
    {
      g_remove (log);
      ms[i] = logged_ms (program, file, log, words) * 1e6;
    }
  qsort (ms, G_N_ELEMENTS (ms), sizeof ms[0], by_value);
  ls_bench_report (name, budget, (LsBenchResult) { ms[0], ms[2], ms[1], ms[3], G_N_ELEMENTS (ms), 1 });
  g_remove (log);
}

/* The work until the first frame. */
static void
measure_start (void)
{
  report_program ("window on the screen, work", 500e6, NULL, (const char *const[]) { "start ", "cpu ", NULL });
}

/* From the start of the program until the graph stands, folded: by the clock on the wall. */
static void
measure_model (void)
{
  g_autofree char *text = ls_bench_model_text (100000);
  g_autofree char *folder = g_dir_make_tmp ("loopscope-bench-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "model.py", NULL);

  if (!g_file_set_contents (file, text, -1, NULL))
    g_error ("%s cannot be written", file);
  report_program ("100,000 calls: opened in the window", 5e9, file, (const char *const[]) { "\ngraph ", NULL });
  g_remove (file);
}

/* ---- programs --------------------------------------------------------------------- */

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

/* A module of `n` functions with `nests` nests each. */
static char *
module_text (guint n,
             guint nests)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *one = nests_text (nests);
      g_autofree char *name = g_strdup_printf ("def main_%u(", i);
      g_autoptr (GString) function = g_string_new (one);

      g_string_replace (function, "def main(", name, 1);
      g_string_replace (function, "\n", "\n    ", 0);
      g_string_append (text, "    ");
      g_string_append (text, function->str);
      g_string_append (text, "\n");
    }
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
  ls_bench_run ("the same with its moves", 16e6, change_all, &bench);
  measure_painted ("mm_relu: step and frame, work", 16e6, &bench);
  g_object_unref (bench.session);
}

/* Loops, blocks and buffers, of the nest that the steps change and of others. */
static void
pin_seven (LsSession *session)
{
  static const char *const words[] = { "j_0", "k, l in", "with T.block(\"B7\")", "with T.block(\"B8\")", "A: T.", "B7[vi", "B200[vi" };
  const char *text = ls_script_text_get_text (ls_session_get_script (session));

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const char *at = strstr (text, words[i]);
      g_autofree char *reason = at != NULL ? ls_session_pin (session, 0, (guint) g_utf8_strlen (text, at - text), LS_PIN_NEXT) : NULL;

      if (at == NULL || reason != NULL)
        g_error ("pin %s: %s", words[i], reason != NULL ? reason : "it is not in the text");
    }
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
  ls_bench_run ("the same with its moves, 1,000 loops", 0.0, change_all, &bench);
  measure_painted ("1,000 loops: step and frame, work", 100e6, &bench);
  pin_seven (bench.session);
  ls_bench_run ("change the step, 1,000 loops, 7 pins", 100e6, change_step, &bench);
  measure_painted ("1,000 loops, 7 pins: step and frame, work", 100e6, &bench);
  g_object_unref (bench.session);
}

/* Turns of the main loop until nothing is due; the longest one, in ns of work. */
static double
longest_turn (double *total)
{
  double longest = 0.0;

  for (gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; g_get_monotonic_time () < end;)
    {
      double from = thread_ns (), took;
      gboolean any = g_main_context_iteration (NULL, FALSE);

      took = thread_ns () - from;
      longest = MAX (longest, took);
      *total += took;
      if (!any && took < 1e6)
        break;
    }
  return longest;
}

static void
report_once (const char *name,
             double      budget,
             double      took)
{
  ls_bench_report (name, budget, (LsBenchResult) { took, took, took, took, 1, 1 });
}

/* What the main thread has left to do of a large text that another thread read: the turn that takes it, and with a window the
 * longest of the turns until all of it stands there. */
static void
measure_large (void)
{
  g_autofree char *text = module_text (96, 41);
  g_autoptr (LsSource) source = ls_source_new ("nests.py", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsReady) ready = NULL;
  gboolean display = gtk_init_check ();
  LsSession *session = ls_engine_session_new ();
  GtkWidget *window = NULL, *view;
  double from = thread_ns (), took, total = 0.0;

  ready = ls_ready_read (source, NULL, diagnostics);
  g_print ("%.1f MiB of text: made ready in %.0f ms by a thread of its own\n", (double) strlen (text) / 1048576.0, (thread_ns () - from) * 1e-6);
  ls_graph_model_set_watched (ls_session_get_graph (session), FALSE);
  if (display)
    {
      window = gtk_window_new ();
      view = ls_explore_view_new ();
      gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
      gtk_window_set_child (GTK_WINDOW (window), view);
      ls_theme_install (gdk_display_get_default ());
      ls_explore_view_set_session (LS_EXPLORE_VIEW (view), session);
      gtk_window_present (GTK_WINDOW (window));
      while (!gtk_widget_get_mapped (view) || g_main_context_iteration (NULL, FALSE))
        g_main_context_iteration (NULL, FALSE);
    }
  from = thread_ns ();
  ls_engine_session_open_ready (LS_ENGINE_SESSION (session), "nests.py", text, source, diagnostics, ready);
  took = thread_ns () - from;
  report_once ("1 MB of text: taken, one turn", 50e6, took);
  if (display)
    {
      double later = longest_turn (&total);

      took = MAX (took, later);
      report_once ("1 MB of text: longest turn", 50e6, took);
      report_once ("1 MB of text: until it stands, in all", 0.0, total);
      gtk_window_destroy (GTK_WINDOW (window));
    }
  g_object_unref (session);
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
  double more;

  /* A note put on and taken off again, so that the program does not grow. */
  for (guint i = 0; i < 500; i++)
    g_string_append (steps, "sch.annotate(b, \"note\", 1)\nsch.unannotate(b, \"note\")\n");
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "mm_relu.py", g_bytes_get_data (text, NULL), steps->str);
  g_print ("1,000 steps: %u shown, opened in %.0f ms\n", g_list_model_get_n_items (ls_session_get_path (session)),
           (double) (ls_bench_now () - start) * 1e-6);
  more = (double) (resident () - before) / 1048576.0;
  ls_bench_note ("memory of 1,000 steps", more, "MiB", FALSE);
  g_print ("%-40s%9.2f MiB  budget %.0f MiB  ratio %.2f%s\n", "memory of 1,000 steps", more, STEPS_MIB, more / STEPS_MIB,
           more > STEPS_MIB ? "  OVER" : "");
  g_string_free (steps, TRUE);
  g_object_unref (session);
}

/* `bench-window NAME...` runs only those.  What is measured is a window's, so without a display there is nothing: status 77. */
int
main (int    argc,
      char **argv)
{
  static const struct { const char *name; void (*run) (void); } all[] = {
    { "memory", measure_thousand }, { "start", measure_start }, { "model", measure_model }, { "sample", measure_sample }, { "threads", measure_threads }, { "nests", measure_nests },
    { "large", measure_large }, { "pan", ls_bench_pan }, { "turns", ls_bench_turns },
  };

  if (!gtk_init_check ())
    {
      g_print ("skipped: there is no display; ./check --bench gives it one, or xvfb-run -a %s\n", argv[0]);
      return 77;
    }
  ls_views_init ();
  ls_bench_head ();
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      gboolean asked = argc < 2;

      for (int k = 1; k < argc; k++)
        asked |= strcmp (argv[k], all[i].name) == 0;
      if (asked)
        all[i].run ();
    }
  return 0;
}
