/* graph-thread: what takes long on the graph page does not hold the main loop up: while a large model is made a graph of, and while passes run on it,
 * the loop goes round; what is wished meanwhile comes after, and what nobody wants any more does not come. */
#include "app/session/engine.h"
#include "app/session/graph.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/models.h"
#include "tests/support/support.h"

#include <time.h>

#define N_LAYERS 30             /* 900 calls */
#define ROUNDS 120000           /* two minutes: more than enough for any of it */

typedef struct {
  LsSession    *session;
  LsGraphModel *model;
  guint         turns;          /* of the main loop, while something was under way */
  double        longest_ms;     /* work of this thread in one turn */
} Fixture;

static double
work_ms (void)
{
  struct timespec at;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &at);
  return (double) at.tv_sec * 1e3 + (double) at.tv_nsec * 1e-6;
}

/* Until nothing is under way. */
static void
settle (Fixture *self)
{
  self->turns = 0;
  self->longest_ms = 0.0;
  while (ls_graph_model_get_busy (self->model) != NULL)
    {
      double from = work_ms ();

      g_assert_cmpuint (self->turns, <, ROUNDS);
      g_main_context_iteration (NULL, FALSE);
      self->longest_ms = MAX (self->longest_ms, work_ms () - from);
      self->turns++;
      g_usleep (1000);
    }
}

static void
open_model (Fixture *self,
            guint    n_layers)
{
  g_autofree char *text = ls_model_transformer (n_layers);

  ls_engine_session_open_text (LS_ENGINE_SESSION (self->session), "model.py", text, NULL);
}

static void
set_up (Fixture      *self,
        gconstpointer data)
{
  self->session = ls_engine_session_new ();
  self->model = ls_session_get_graph (self->session);
  open_model (self, N_LAYERS);
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  g_object_unref (self->session);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static guint
n_states (Fixture *self)
{
  LsGraphSeries *series = ls_graph_model_get_series (self->model);

  return series != NULL ? series->states->len : 0;
}

static const char *
label_of (Fixture *self,
          guint    state)
{
  return ls_graph_series_state (ls_graph_model_get_series (self->model), state)->label;
}

/* ---- the loop goes round ------------------------------------------------------------------ */

static void
test_turns (Fixture      *self,
            gconstpointer data)
{
  LsGraphSeries *before;
  guint opened;

  g_assert_nonnull (ls_graph_model_get_busy (self->model));
  g_assert_null (ls_graph_model_get_series (self->model));
  settle (self);
  opened = self->turns;
  g_assert_cmpuint (n_states (self), ==, 1);
  before = ls_graph_series_ref (ls_graph_model_get_series (self->model));
  ls_graph_model_add_pass (self->model, "LegalizeOps()");
  g_assert_true (ls_graph_model_get_series (self->model) == before);    /* it stays until the next one is there */
  settle (self);
  g_test_message ("%u turns while the graph was built, %u while the pass ran; this thread worked %.1f ms in the longest of them", opened, self->turns, self->longest_ms);
  g_assert_cmpuint (opened, >, 2);
  g_assert_cmpuint (self->turns, >, 2);
  g_assert_cmpuint (n_states (self), ==, 2);
  g_assert_cmpuint (ls_graph_model_get_state (self->model), ==, 1);
  g_assert_cmpuint (ls_graph_series_state (ls_graph_model_get_series (self->model), 1)->n_changed, >, 0);
  ls_graph_series_unref (before);
}

/* A small one is there at once, as it always was. */
static void
test_small (Fixture      *self,
            gconstpointer data)
{
  settle (self);
  open_model (self, 1);
  g_assert_cmpuint (n_states (self), ==, 1);
  g_assert_null (ls_graph_model_get_busy (self->model));
}

/* ---- what is wished meanwhile -------------------------------------------------------------- */

static void
test_queue (Fixture      *self,
            gconstpointer data)
{
  static const char *const PASSES[] = { "LegalizeOps()", "AnnotateTIROpPattern()", "FuseOps()", "FuseTIR()" };

  settle (self);
  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    ls_graph_model_add_pass (self->model, PASSES[i]);
  settle (self);
  g_assert_cmpuint (n_states (self), ==, 5);
  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    g_assert_cmpstr (label_of (self, i + 1), ==, PASSES[i]);
  ls_graph_model_go_to (self->model, 2);
  ls_graph_model_add_pass (self->model, "DeadCodeElimination()");       /* behind the one that is shown */
  settle (self);
  g_assert_cmpuint (n_states (self), ==, 4);
  g_assert_cmpstr (label_of (self, 3), ==, "DeadCodeElimination()");
}

static void
test_refused (Fixture      *self,
              gconstpointer data)
{
  settle (self);
  ls_graph_model_add_pass (self->model, "LegalizeOps()");
  ls_graph_model_add_pass (self->model, "NoSuchPass()");
  ls_graph_model_add_pass (self->model, "FuseOps()");
  settle (self);
  g_assert_cmpuint (n_states (self), ==, 2);            /* what comes after a pass that could not be run is not run */
  g_assert_nonnull (ls_graph_model_get_message (self->model));
  g_assert_nonnull (strstr (ls_graph_model_get_message (self->model), "NoSuchPass"));
}

/* Groups are opened while a pass runs: both come. */
static void
test_both (Fixture      *self,
           gconstpointer data)
{
  guint n;

  settle (self);
  n = ls_graph_series_state (ls_graph_model_get_series (self->model), 0)->graph->nodes->len;
  ls_graph_model_add_pass (self->model, "LegalizeOps()");
  ls_graph_model_set_all (self->model, TRUE);
  settle (self);
  g_assert_cmpuint (n_states (self), ==, 2);
  g_assert_cmpuint (ls_graph_series_state (ls_graph_model_get_series (self->model), 0)->graph->nodes->len, >, n);
}

/* ---- what nobody wants any more ------------------------------------------------------------- */

static void
test_cancelled (Fixture      *self,
                gconstpointer data)
{
  settle (self);
  ls_graph_model_add_pass (self->model, "LegalizeOps()");
  ls_graph_model_add_pass (self->model, "FuseOps()");
  ls_graph_model_cancel (self->model);
  settle (self);
  for (guint i = 0; i < 300; i++)               /* its thread goes on for a while */
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_cmpuint (n_states (self), ==, 1);
  g_assert_nonnull (ls_graph_model_get_message (self->model));
  ls_graph_model_add_pass (self->model, "LegalizeOps()");
  ls_graph_model_drop_pass (self->model);       /* the one that has not come yet */
  settle (self);
  g_assert_cmpuint (n_states (self), ==, 1);
}

static void
test_other_program (Fixture      *self,
                    gconstpointer data)
{
  guint n;

  settle (self);
  n = ls_graph_get_whole (ls_graph_series_state (ls_graph_model_get_series (self->model), 0)->graph)->nodes->len;
  ls_graph_model_add_pass (self->model, "LegalizeOps()");
  open_model (self, N_LAYERS + 2);
  settle (self);
  for (guint i = 0; i < 300; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_cmpuint (n_states (self), ==, 1);
  g_assert_cmpuint (ls_graph_get_whole (ls_graph_series_state (ls_graph_model_get_series (self->model), 0)->graph)->nodes->len, >, n);
}

/* ---- places ------------------------------------------------------------------------------------- */

/* As the page does it, with nodes that are all of one size. (transfer full) */
static LsGraphBox *
lay_out (Fixture *self,
         guint   *n)
{
  LsGraph *whole = ls_graph_model_get_series (self->model)->whole;
  g_autofree LsGraphSize *sizes = g_new (LsGraphSize, whole->nodes->len);

  for (guint i = 0; i < whole->nodes->len; i++)
    sizes[i] = (LsGraphSize) { 230, 72 };
  ls_graph_model_lay_out (self->model, ls_graph_layout_request (whole, sizes, NULL, NULL));
  settle (self);
  g_assert_nonnull (ls_graph_model_get_layout (self->model));
  *n = ls_graph_model_get_layout (self->model)->n_nodes;
  g_assert_cmpuint (*n, ==, whole->nodes->len);
  return g_memdup2 (ls_graph_model_get_layout (self->model)->nodes, *n * sizeof (LsGraphBox));
}

/* A pass that changes many calls and makes functions moves nothing that was there; without it all is as before; another fold is another picture. */
static void
test_places (Fixture      *self,
             gconstpointer data)
{
  g_autofree LsGraphBox *opened = NULL, *legal = NULL, *fused = NULL, *dropped = NULL, *folded = NULL;
  guint n, n_legal, n_fused, n_dropped, n_folded;

  ls_graph_model_set_all (self->model, TRUE);
  settle (self);
  opened = lay_out (self, &n);
  g_assert_cmpuint (n, >, 1000);
  ls_graph_model_add_pass (self->model, "LegalizeOps()");
  settle (self);
  legal = lay_out (self, &n_legal);
  g_assert_cmpmem (legal, n_legal * sizeof (LsGraphBox), opened, n * sizeof (LsGraphBox));
  ls_graph_model_add_pass (self->model, "AnnotateTIROpPattern()");
  ls_graph_model_add_pass (self->model, "FuseOps()");
  settle (self);
  fused = lay_out (self, &n_fused);
  g_assert_cmpuint (n_fused, >, n);
  g_assert_cmpmem (fused, n * sizeof (LsGraphBox), opened, n * sizeof (LsGraphBox));
  ls_graph_model_drop_pass (self->model);
  settle (self);
  dropped = lay_out (self, &n_dropped);
  g_assert_cmpmem (dropped, n_dropped * sizeof (LsGraphBox), opened, n * sizeof (LsGraphBox));
  ls_graph_model_set_all (self->model, FALSE);
  settle (self);
  folded = lay_out (self, &n_folded);
  g_assert_cmpuint (n_folded, <, n / 2);
}

/* ---- a saved session --------------------------------------------------------------------------- */

static void
test_saved (Fixture      *self,
            gconstpointer data)
{
  static const char *const PASSES[] = { "LegalizeOps()", "FuseOps()", NULL };

  ls_engine_graph_replay (LS_ENGINE_GRAPH (self->model), PASSES);
  settle (self);
  g_assert_cmpuint (n_states (self), ==, 3);
  g_assert_cmpuint (ls_graph_model_get_n_passes (self->model), ==, 2);
}

int
main (int    argc,
      char **argv)
{
  static const struct { const char *path; void (*func) (Fixture *self, gconstpointer data); } TESTS[] = {
    { "/graph-thread/turns", test_turns }, { "/graph-thread/small", test_small }, { "/graph-thread/queue", test_queue },
    { "/graph-thread/refused", test_refused }, { "/graph-thread/both", test_both }, { "/graph-thread/cancelled", test_cancelled },
    { "/graph-thread/other-program", test_other_program }, { "/graph-thread/saved", test_saved },
    { "/graph-thread/places", test_places },
  };

  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  for (guint i = 0; i < G_N_ELEMENTS (TESTS); i++)
    g_test_add (TESTS[i].path, Fixture, NULL, set_up, TESTS[i].func, tear_down);
  return g_test_run ();
}
