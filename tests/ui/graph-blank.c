/* graph-blank: the graph page is opened, folded, stepped, searched and resized at random, before what came before is through, and so is the window
 * that compares two states of it: from the first picture on there is always one, and some of it is in sight.
 *
 * --seed of a failing run repeats it. LS_TURN_TRACE=MS writes where the main loop is when a turn of it has worked for so long (addr2line reads
 * the addresses), LS_BLANK_LAYERS=N opens a model of N layers of 27 calls. */
#include "app/application.h"
#include "app/beside/private.h"
#include "app/session/engine.h"
#include "app/tool/window.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/models.h"
#include "tests/support/support.h"
#include "tests/ui/known.h"
#include "views/graph/canvas.h"
#include "views/parts/theme.h"

#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define QUICK 60
#define FULL 1000
#define N_LAYERS 12
#define N_MATCHED 300           /* layers of a model whose matches are more than one turn of rows */

static LsApplication *application;

typedef struct {
  GtkWidget    *window;
  LsSession    *session;
  LsGraphModel *model;
  GtkWidget    *canvas, *search;
  GtkWidget    *beside;         /* the window that compares, or NULL */
  gboolean      seen[3];        /* that its canvases showed something */
  const char   *last;           /* what was done */
  guint         n, longest_us, n_beside;
} Run;

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static double longest_turn;     /* work of this thread in ms */
static const char *longest_after = "";

/* ---- where a long turn is ---------------------------------------------------------------- */

static timer_t trace_timer;
static guint trace_ms;          /* 0: nothing is traced */
static const char *const *trace_words;

/* In the middle of anything: only what may be called there. */
static void
trace_turn (int number)
{
  void *frames[48];
  int n = backtrace (frames, G_N_ELEMENTS (frames));

  (void) !write (STDERR_FILENO, "TURN ", 5);
  (void) !write (STDERR_FILENO, *trace_words, strlen (*trace_words));
  (void) !write (STDERR_FILENO, "\n", 1);
  backtrace_symbols_fd (frames, n, STDERR_FILENO);
}

static void
trace_init (void)
{
  struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2 };
  void *frames[4];

  trace_ms = g_getenv ("LS_TURN_TRACE") != NULL ? (guint) atoi (g_getenv ("LS_TURN_TRACE")) : 0;
  if (trace_ms == 0)
    return;
  backtrace (frames, G_N_ELEMENTS (frames));    /* it loads a library the first time */
  signal (SIGUSR2, trace_turn);
  g_assert_cmpint (timer_create (CLOCK_THREAD_CPUTIME_ID, &event, &trace_timer), ==, 0);
}

/* From now on the turn that begins may work for so long before it is traced; 0: it ended. */
static void
trace_begin (const char *const *words,
             guint              ms)
{
  struct itimerspec when = { .it_value = { ms / 1000, (long) (ms % 1000) * 1000000L } };

  if (trace_ms == 0)
    return;
  trace_words = words;
  timer_settime (trace_timer, 0, &when, NULL);
}

static double
work_ms (void)
{
  struct timespec at;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &at);
  return (double) at.tv_sec * 1e3 + (double) at.tv_nsec * 1e-6;
}

static void
wait_ms (guint       ms,
         const char *after)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    {
      double from = work_ms (), took;

      trace_begin (&after, trace_ms);
      g_main_context_iteration (NULL, TRUE);
      trace_begin (&after, 0);
      took = work_ms () - from;
      if (took > longest_turn)
        longest_after = after;
      longest_turn = MAX (longest_turn, took);
    }
}

static GtkWidget *
find (GtkWidget  *root,
      const char *type)
{
  GtkWidget *found = strcmp (G_OBJECT_TYPE_NAME (root), type) == 0 ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

static guint
below (guint n)
{
  return n > 0 ? (guint) g_test_rand_int_range (0, (gint32) n) : 0;
}

/* All of a type below a widget, in order. */
static void
find_all (GtkWidget  *root,
          const char *type,
          GPtrArray  *found)
{
  if (strcmp (G_OBJECT_TYPE_NAME (root), type) == 0)
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    find_all (child, type, found);
}

/* How many nodes of a picture are in sight. */
static guint
n_in_sight (GtkWidget *canvas)
{
  const LsGraphScene *scene = ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas));
  graphene_rect_t view;
  guint n = 0;

  if (scene->series == NULL || scene->layout == NULL || !gtk_widget_get_child_visible (canvas) || !gtk_widget_get_mapped (canvas))
    return 0;
  ls_graph_canvas_get_view (LS_GRAPH_CANVAS (canvas), &view);
  for (guint i = 0; i < scene->layout->n_nodes; i++)
    {
      const LsGraphBox *box = &scene->layout->nodes[i];
      LsGraphState *state = ls_graph_series_state (scene->series, scene->state);

      n += state->nodes[i] >= 0 && box->x < view.origin.x + view.size.width && box->x + box->width > view.origin.x &&
           box->y < view.origin.y + view.size.height && box->y + box->height > view.origin.y;
    }
  return n;
}

/* For the message. */
static const char *
why_blank (GtkWidget *canvas)
{
  const LsGraphScene *scene = ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas));
  static char words[200];
  graphene_rect_t view;

  ls_graph_canvas_get_view (LS_GRAPH_CANVAS (canvas), &view);
  g_snprintf (words, sizeof words, "%s%s%s, view %.0f %.0f %.0f x %.0f, state %u", scene->series != NULL ? "a graph" : "no graph", scene->layout != NULL ? "" : " without a layout",
              gtk_widget_get_mapped (canvas) ? "" : ", not shown", (double) view.origin.x, (double) view.origin.y, (double) view.size.width, (double) view.size.height, scene->state);
  return words;
}

/* Some group that is folded. */
static void
open_some_group (Run *run)
{
  LsGraphSeries *series = ls_graph_model_get_series (run->model);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < series->whole->nodes->len; i++)
    if (ls_graph_node (series->whole, i)->kind == LS_GRAPH_NODE_GROUP)
      g_ptr_array_add (keys, g_strdup (ls_graph_node (series->whole, i)->key));
  if (keys->len > 0)
    ls_graph_model_open_group (run->model, keys->pdata[below (keys->len)], TRUE);
}

static void
fold_some_group (Run *run)
{
  LsGraphSeries *series = ls_graph_model_get_series (run->model);
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < series->whole->clusters->len; i++)
    if (ls_graph_cluster (series->whole, i)->kind == LS_GRAPH_CLUSTER_GROUP)
      g_ptr_array_add (keys, g_strdup (ls_graph_cluster (series->whole, i)->key));
  if (keys->len > 0)
    ls_graph_model_open_group (run->model, keys->pdata[below (keys->len)], FALSE);
}

/* ---- the window that compares ---------------------------------------------------------- */

static void
open_beside (Run *run)
{
  GListModel *windows = gtk_window_get_toplevels ();

  gtk_widget_activate_action (run->window, "win.compare-models", NULL);
  for (guint i = 0; run->beside == NULL && i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      g_autoptr (GPtrArray) canvases = g_ptr_array_new ();

      find_all (window, "LsGraphCanvas", canvases);
      if (window != run->window && canvases->len == 3)
        run->beside = window;
    }
  g_assert_nonnull (run->beside);
}

/* Another state, another page, another node, times; or nothing of the kind. */
static void
do_something_beside (Run *run)
{
  static const char *const PAGES[] = { "sides", "merged", "table", "times", "memory" };
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  run->n_beside++;
  if (run->beside == NULL)
    {
      run->last = "opens the window that compares";
      open_beside (run);
      return;
    }
  switch (below (5))
    {
    case 0:
    case 1:
      run->last = "compares other states";
      find_all (run->beside, "GtkDropDown", found);
      for (guint i = 0; i < 2; i++)
        gtk_drop_down_set_selected (found->pdata[i], below (g_list_model_get_n_items (gtk_drop_down_get_model (found->pdata[i]))));
      break;
    case 2:
      run->last = "turns to another page of the comparison";
      find_all (run->beside, "GtkStack", found);
      for (guint i = 0; i < found->len; i++)
        if (gtk_stack_get_child_by_name (found->pdata[i], "sides") != NULL)
          gtk_stack_set_visible_child_name (found->pdata[i], PAGES[below (G_N_ELEMENTS (PAGES))]);
      break;
    case 3:
      run->last = "resizes the window that compares";
      gtk_window_set_default_size (GTK_WINDOW (run->beside), 1000 + (int) below (300), 600 + (int) below (300));
      break;
    default:
      run->last = "selects a node of the comparison";
      find_all (run->beside, "LsGraphCanvas", found);
      if (ls_graph_canvas_get_scene (found->pdata[0])->series != NULL)
        g_signal_emit_by_name (found->pdata[0], "selected", (int) below (ls_graph_canvas_get_scene (found->pdata[0])->series->whole->nodes->len));
    }
}

/* What showed something goes on showing it.  The one that does not, or NULL. */
static GtkWidget *
blank_beside (Run *run)
{
  g_autoptr (GPtrArray) canvases = g_ptr_array_new ();

  if (run->beside == NULL)
    return NULL;
  find_all (run->beside, "LsGraphCanvas", canvases);
  for (guint i = 0; i < 3; i++)
    {
      const LsGraphScene *scene = ls_graph_canvas_get_scene (canvases->pdata[i]);

      if (run->seen[i] && (scene->series == NULL || scene->layout == NULL || (gtk_widget_get_mapped (canvases->pdata[i]) && n_in_sight (canvases->pdata[i]) == 0)))
        return canvases->pdata[i];
      run->seen[i] |= gtk_widget_get_mapped (canvases->pdata[i]) && n_in_sight (canvases->pdata[i]) > 0;
    }
  return NULL;
}

static void
do_something (Run *run)
{
  static const char *const PASSES[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR", "EliminateCommonSubexpr" };
  static const char *const SEARCHES[] = { "softmax", "matmul -> add", "/q_proj/", "float32", "(1, 16, *)", "nothing of the kind", "" };

  if (below (5) == 0)
    {
      do_something_beside (run);
      return;
    }
  switch (below (10))
    {
    case 0:
    case 1:
      run->last = "opens a group";
      open_some_group (run);
      break;
    case 2:
      run->last = "folds a group";
      fold_some_group (run);
      break;
    case 3:
      run->last = "shows all, or folds again";
      ls_graph_model_set_all (run->model, !ls_graph_model_get_all (run->model));
      break;
    case 4:
      run->last = "adds a pass";
      ls_graph_model_add_pass (run->model, PASSES[below (G_N_ELEMENTS (PASSES))]);
      break;
    case 5:
      run->last = "drops a pass";
      ls_graph_model_drop_pass (run->model);
      break;
    case 6:
      run->last = "goes to a state";
      ls_graph_model_go_to (run->model, below (ls_graph_model_get_n_passes (run->model) + 1));
      break;
    case 7:
      run->last = "searches";
      gtk_editable_set_text (GTK_EDITABLE (run->search), SEARCHES[below (G_N_ELEMENTS (SEARCHES))]);
      break;
    case 8:
      run->last = "resizes";
      gtk_window_set_default_size (GTK_WINDOW (run->window), 1024 + (int) below (700), 700 + (int) below (300));
      break;
    default:
      run->last = below (2) == 0 ? "cancels" : "folds the weights, or not";
      if (run->last[0] == 'c')
        ls_graph_model_cancel (run->model);
      else
        ls_graph_model_set_folded (run->model, !ls_graph_model_get_folded (run->model));
    }
}

/* A window with the graph of a transformer of so many layers. */
static void
begin (Run  *run,
       guint n_layers)
{
  g_autofree char *text = ls_model_transformer (n_layers);

  ls_pass_over_known ();
  run->window = ls_window_new (GTK_APPLICATION (application), run->session);
  gtk_window_set_default_size (GTK_WINDOW (run->window), 1440, 900);
  gtk_window_present (GTK_WINDOW (run->window));
  ls_engine_session_open_text (LS_ENGINE_SESSION (run->session), "model.py", text, NULL);
  gtk_widget_activate_action (run->window, "win.page", "s", "graph");
  for (guint i = 0; i < 6000 && (run->canvas == NULL || n_in_sight (run->canvas) == 0); i++)
    {
      wait_ms (20, run->last);
      run->canvas = find (run->window, "LsGraphCanvas");
    }
  g_assert_nonnull (run->canvas);
  g_assert_cmpuint (n_in_sight (run->canvas), >, 0);
}

/* The window that compares closes while the rows of its table are being made: what it kept goes after its widgets. */
static void
test_closing (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new ();
  Run run = { .session = session, .model = ls_session_get_graph (session), .last = "opens" };
  LsBeside *beside;
  gint64 end;

  begin (&run, N_MATCHED);
  open_beside (&run);
  beside = ls_tool_window_find (GTK_WINDOW (run.window), LS_BESIDE_KEY);
  g_assert_nonnull (beside);
  gtk_stack_set_visible_child_name (GTK_STACK (beside->stack), "table");
  for (end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; beside->made == NULL && g_get_monotonic_time () < end;)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (200);
  g_assert_nonnull (beside->made);
  gtk_window_destroy (GTK_WINDOW (run.beside));
  wait_ms (50, "closes it");
  g_assert_null (ls_tool_window_find (GTK_WINDOW (run.window), LS_BESIDE_KEY));
  gtk_window_destroy (GTK_WINDOW (run.window));
}

static void
test_blank (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new ();
  guint n = g_test_thorough () ? FULL : QUICK;
  Run run = { .session = session, .model = ls_session_get_graph (session), .last = "opens" };

  trace_init ();
  begin (&run, g_getenv ("LS_BLANK_LAYERS") != NULL ? (guint) atoi (g_getenv ("LS_BLANK_LAYERS")) : N_LAYERS);
  run.search = find (find (run.window, "LsGraphView"), "GtkSearchEntry");
  g_assert_nonnull (run.search);
  for (run.n = 0; run.n < n; run.n++)
    {
      gint64 start = g_get_monotonic_time ();

      trace_begin (&run.last, trace_ms);
      do_something (&run);
      trace_begin (&run.last, 0);
      run.longest_us = MAX (run.longest_us, (guint) (g_get_monotonic_time () - start));
      for (guint i = 0; i < 3; i++)
        {
          if (n_in_sight (run.canvas) == 0)
            g_error ("nothing in sight after operation %u, which %s: %s", run.n, run.last, why_blank (run.canvas));
          if (blank_beside (&run) != NULL)
            g_error ("nothing in sight of the comparison after operation %u, which %s: %s", run.n, run.last, why_blank (blank_beside (&run)));
          wait_ms (below (4) == 0 ? 120 : 5, run.last);
        }
    }
  g_test_message ("%u operations, %u of them in the window that compares; the longest took %u ms, the longest turn after them %.0f ms of work, after one that %s",
                  n, run.n_beside, run.longest_us / 1000, longest_turn, longest_after);
  g_assert_cmpuint (run.n_beside, >, 0);
  /* What the last operation asked for is shown once the model has it and its layout is there. */
  for (guint i = 0; i < 6000 && (ls_graph_model_get_busy (run.model) != NULL ||
                                 ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (run.canvas))->series != ls_graph_model_get_series (run.model)); i++)
    wait_ms (20, run.last);
  g_assert_null (ls_graph_model_get_busy (run.model));
  g_assert_true (ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (run.canvas))->series == ls_graph_model_get_series (run.model));
  g_assert_cmpuint (n_in_sight (run.canvas), >, 0);
  gtk_window_destroy (GTK_WINDOW (run.window));
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("loopscope-blank-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  ls_views_init ();
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/graph-blank/closing", test_closing);
  g_test_add_func ("/graph-blank/blank", test_blank);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
