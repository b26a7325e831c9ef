/* turns-inputs: see the header. */
#include "tests/ui/turns-inputs.h"

#include "app/application.h"
#include "app/base/frame-log.h"
#include "app/report/page.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/window.h"
#include "engine/graph/edit.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/models.h"
#include "views/graph/canvas.h"
#include "views/graph/export.h"
#include "views/graph/view.h"
#include "views/parts/theme.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUIET_MS 300            /* nothing but small turns for so long: the input is through */
#define COPY_MS 2600            /* until what was selected is in the copy for emergencies too */
#define WORDS 4500               /* of one unit */
#define SMALL_US 1500
#define LONG_S 240

struct _LsTurns
{
  GtkWindow *window;
  LsSession *session;
  gint64     took, cpu;         /* µs, the longest so far */
  guint      n_shown;           /* programs */
};

static LsApplication *application;
static char *folder;

/* ---- the unit ------------------------------------------------------------------- */

static gint64
thread_us (void)
{
  struct timespec at;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &at);
  return (gint64) at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

/* As the program works: small pieces of memory, words, tables. */
static guint
work (void)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint sum = 0;

  for (guint i = 0; i < WORDS; i++)
    g_hash_table_insert (table, g_strdup_printf ("word %u", i * 7919 % WORDS), GUINT_TO_POINTER (i));
  for (guint i = 0; i < WORDS; i++)
    {
      g_autofree char *word = g_strdup_printf ("word %u", i);

      sum += GPOINTER_TO_UINT (g_hash_table_lookup (table, word));
    }
  return sum;
}

/* µs of one unit now: the least of some, without what came in between. */
static double
unit_us (void)
{
  static volatile guint kept;
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < 9; i++)
    {
      gint64 from = thread_us ();

      kept += work ();
      least = MIN (least, thread_us () - from);
    }
  return (double) MAX (least, 1);
}

/* ---- the main loop --------------------------------------------------------------- */

static gboolean
nothing (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* What came before the input, and the test's own work, does not count. */
static void
forget (void)
{
  gint64 took, cpu;

  while (g_main_context_iteration (NULL, FALSE))
    continue;
  ls_frame_log_take (&took, &cpu);
}

static void
count (LsTurns *self)
{
  gint64 took, cpu;

  ls_frame_log_take (&took, &cpu);
  self->took = MAX (self->took, took);
  self->cpu = MAX (self->cpu, cpu);
}

/* Until nothing large came for `quiet` ms. */
static void
settle (LsTurns *self,
        guint    quiet)
{
  gint64 now = g_get_monotonic_time (), end = now + LONG_S * G_USEC_PER_SEC, calm = now;
  guint tick = g_timeout_add (5, nothing, NULL);

  while (now < end && now - calm < quiet * 1000)
    {
      gint64 from = thread_us ();

      g_main_context_iteration (NULL, TRUE);
      now = g_get_monotonic_time ();
      if (thread_us () - from > SMALL_US)
        calm = now;
    }
  g_source_remove (tick);
  count (self);
}

/* Until it is true; the turns count. */
static void
wait_for (LsTurns  *self,
          gboolean (*is) (LsTurns *self, guint n),
          guint     n)
{
  gint64 end = g_get_monotonic_time () + LONG_S * G_USEC_PER_SEC;
  guint tick = g_timeout_add (5, nothing, NULL);

  while (!is (self, n) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (tick);
  if (!is (self, n))
    g_error ("the window does not come so far in %u s", LONG_S);
}

static gboolean
has_steps (LsTurns *self,
           guint    n)
{
  return ls_session_get_state (self->session) == LS_SESSION_READY && g_list_model_get_n_items (ls_session_get_path (self->session)) == n + 1;
}

static gboolean
has_functions (LsTurns *self,
               guint    n)
{
  GListModel *loops = ls_session_get_loops (self->session);

  return loops != NULL && g_list_model_get_n_items (loops) == n;
}

static gboolean
has_shown (LsTurns *self,
           guint    n)
{
  return self->n_shown >= n;
}

static void
program_shown (LsTurns *self)
{
  self->n_shown++;
}

/* The first widget of a type that is on the screen. */
static GtkWidget *
find_type (GtkWidget  *root,
           const char *type)
{
  if (gtk_widget_get_mapped (root) && g_type_from_name (type) != 0 && G_TYPE_CHECK_INSTANCE_TYPE (root, g_type_from_name (type)))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_type (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_ribbons (LsTurns *self,
             guint    n)
{
  return find_type (GTK_WIDGET (self->window), "LsCompareCanvas") != NULL;
}

/* ---- programs and sessions ---------------------------------------------------------- */

/* `n` functions of some 700 bytes that all use the same names. (transfer full) */
static char *
program (guint n)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def layer_%u(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\"), C: T.Buffer((128, 128), \"float32\")):\n"
                                  "        Y = T.alloc_buffer((128, 128))\n"
                                  "        for i, j, k in T.grid(128, 128, 128):\n            with T.block(\"Y\"):\n"
                                  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                                  "                with T.init():\n                    Y[vi, vj] = T.float32(0)\n"
                                  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n"
                                  "        for i, j in T.grid(128, 128):\n            with T.block(\"C\"):\n"
                                  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                                  "                C[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n\n", i);
  return g_string_free (text, FALSE);
}

static void
put_json (GString    *out,
          const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  g_string_append_printf (out, "\"%s\"", escaped);
}

/* A session of one function with `n` steps that come and go, so that the program does not grow. (transfer full) */
static char *
session_json (guint n)
{
  g_autofree char *text = program (1);
  GString *out = g_string_new ("{\"format\": \"loopscope-session\", \"version\": 1, \"name\": \"long.py\", \"target\": \"llvm\", \"module\": ");
  static const char *const steps[] = { "sch.unannotate(block_or_loop=b0, ann_key=\"note\")\n", "sch.reorder(l3, l2)\n", "sch.reorder(l2, l3)\n",
                                       "sch.annotate(block_or_loop=b0, ann_key=\"note\", ann_val=1)\n" };

  put_json (out, text);
  g_string_append (out, ", \"branches\": [\"\"], \"steps\": [{\"parent\": 0, \"call\": \"\", \"name\": \"start\", \"lines\": \"\"}");
  for (guint i = 1; i <= n; i++)
    {
      g_autoptr (GString) lines = g_string_new (i == 1 ? "b0 = sch.get_block(name=\"Y\", func_name=\"layer_0\")\nl1, l2, l3 = sch.get_loops(block=b0)\n" : "");

      g_string_append (lines, steps[i % G_N_ELEMENTS (steps)]);
      g_string_append_printf (out, ",\n{\"parent\": %u, \"call\": \"step %u\", \"name\": \"step\", \"lines\": ", i - 1, i);
      put_json (out, lines->str);
      g_string_append (out, "}");
    }
  g_string_append_printf (out, "], \"current\": %u, \"selection\": 0}\n", n);
  return g_string_free (out, FALSE);
}

/* (transfer full) */
static GFile *
put_file (const char *name,
          char       *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  /* What is new does not wait for the disk: who counts that counts the window's waiting. */
  g_unlink (path);
  if (!g_file_set_contents (path, text, -1, NULL))
    g_error ("%s cannot be written", path);
  g_free (text);
  return g_file_new_for_path (path);
}

static GFile *
program_file (guint n)
{
  return put_file ("program.py", program (n));
}

static GFile *
session_file (guint n)
{
  return put_file ("long.loopscope", session_json (n));
}

/* ---- what comes before an input ------------------------------------------------------- */

static void
open_window (LsTurns *self)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();

  self->window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), session));
  self->session = session;
  gtk_window_set_default_size (self->window, 1440, 900);
  gtk_window_present (self->window);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (program_shown), self);
  settle (self, 1200);
}

static void
close_window (LsTurns *self)
{
  gpointer held = self->window;

  g_object_add_weak_pointer (G_OBJECT (self->window), &held);
  g_signal_handlers_disconnect_by_data (self->session, self);
  gtk_window_destroy (self->window);
  for (guint i = 0; i < 200 && held != NULL; i++)
    settle (self, 10);
}

static void
open_file (LsTurns *self,
           GFile   *taken)
{
  g_autoptr (GFile) file = taken;

  ls_window_file_open (LS_WINDOW (self->window), file);
}

/* The window shows it, and all has been done for it. */
static void
show_program (LsTurns *self,
              guint    n)
{
  open_file (self, program_file (n));
  wait_for (self, has_functions, n);
  settle (self, COPY_MS);
}

static void
show_session (LsTurns *self,
              guint    n)
{
  open_file (self, session_file (n));
  wait_for (self, has_steps, n);
  settle (self, COPY_MS);
}

/* From here on it counts. */
static void
begin (LsTurns *self)
{
  forget ();
  self->took = self->cpu = 0;
}

static void
act (LsTurns    *self,
     const char *action)
{
  if (!gtk_widget_activate_action (GTK_WIDGET (self->window), action, NULL))
    g_error ("%s cannot be done", action);
}

/* ---- inputs ------------------------------------------------------------------------- */

static void
open_session (LsTurns *self,
              guint    n)
{
  g_autoptr (GFile) file = session_file (n);

  begin (self);
  open_file (self, g_object_ref (file));
  wait_for (self, has_steps, n);
  settle (self, COPY_MS);
}

static void
open_program (LsTurns *self,
              guint    n)
{
  g_autoptr (GFile) file = program_file (n);

  begin (self);
  open_file (self, g_object_ref (file));
  wait_for (self, has_functions, n);
  settle (self, COPY_MS);
}

/* The row of the loops; the function's, its first block's and so on below it. (transfer full) */
static LsLoopItem *
row_of (LsTurns *self,
        guint    function,
        guint    depth)
{
  LsLoopItem *item = g_list_model_get_item (ls_session_get_loops (self->session), function);

  while (depth-- > 0)
    {
      LsLoopItem *below = g_list_model_get_item (ls_loop_item_get_children (item), 0);

      g_object_unref (item);
      item = below;
    }
  return item;
}

static void
select_row (LsTurns *self,
            guint    n)
{
  show_program (self, n);
  begin (self);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (LsLoopItem) item = row_of (self, n / 2 + i / 3, 1 + i % 3);

      ls_session_select (self->session, ls_loop_item_get (item)->id);
      settle (self, QUIET_MS);
    }
  settle (self, COPY_MS);
}

static void
apply_step (LsTurns *self)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  if (!ls_engine_session_apply_text (LS_ENGINE_SESSION (self->session), "sch.split(sch.get_loops(sch.get_block(\"Y\", \"layer_1\"))[1], [None, 4])\n", diagnostics))
    g_error ("the step is refused");
}

static void
do_step (LsTurns *self,
         guint    n)
{
  show_program (self, n);
  begin (self);
  apply_step (self);
  wait_for (self, has_shown, self->n_shown + 1);
  settle (self, COPY_MS);
}

static void
undo_step (LsTurns *self,
           guint    n)
{
  show_program (self, n);
  apply_step (self);
  wait_for (self, has_shown, self->n_shown + 1);
  settle (self, COPY_MS);
  begin (self);
  act (self, "win.undo");
  wait_for (self, has_shown, self->n_shown + 1);
  settle (self, COPY_MS);
}

static void
compare_steps (LsTurns *self,
               guint    n)
{
  show_program (self, n);
  apply_step (self);
  wait_for (self, has_shown, self->n_shown + 1);
  settle (self, COPY_MS);
  begin (self);
  act (self, "win.compare-before");
  wait_for (self, has_ribbons, 0);
  settle (self, COPY_MS);
}

static void
compare_file (LsTurns *self,
              guint    n)
{
  g_autofree char *text = program (n);
  g_autoptr (GFile) other = put_file ("other.py", g_strdup (text));

  show_program (self, n);
  begin (self);
  ls_window_compare_file (LS_WINDOW (self->window), other);
  wait_for (self, has_ribbons, 0);
  settle (self, COPY_MS);
}

static void
scroll (LsTurns   *self,
        GtkWidget *widget,
        guint      times,
        double     by)
{
  GtkAdjustment *at = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (widget));

  begin (self);
  for (guint i = 0; i < times; i++)
    {
      gtk_adjustment_set_value (at, gtk_adjustment_get_value (at) + by);
      settle (self, 15);
    }
}

/* The loops, with arrows. */
static GtkWidget *
show_loops (LsTurns *self,
            guint    n)
{
  g_autoptr (LsLoopItem) item = NULL;

  show_program (self, n);
  item = row_of (self, 1, 1);
  ls_session_select (self->session, ls_loop_item_get (item)->id);
  settle (self, COPY_MS);
  return find_type (find_type (GTK_WIDGET (self->window), "LsLoopView"), "GtkColumnView");
}

static void
scroll_loops (LsTurns *self,
              guint    n)
{
  scroll (self, show_loops (self, n), 40, 120.0);
}

static void
jump_loops (LsTurns *self,
            guint    n)
{
  scroll (self, show_loops (self, n), 4, 4000.0);
}

static void
scroll_text (LsTurns *self,
             guint    n)
{
  show_program (self, n);
  scroll (self, find_type (GTK_WIDGET (self->window), "GtkTextView"), 40, 400.0);
}

static void
graph_page (LsTurns *self,
            guint    n)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  g_autofree char *text = n > 1 ? program (n) : NULL;

  if (text != NULL)
    ls_engine_session_open_text (LS_ENGINE_SESSION (session), "program.py", text, NULL);
  gtk_window_destroy (self->window);
  self->window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), session));
  self->session = session;
  gtk_window_set_default_size (self->window, 1440, 900);
  gtk_window_present (self->window);
  settle (self, 150);
  begin (self);
  ls_window_show_page (LS_WINDOW (self->window), "graph");
  settle (self, 1000);
}

/* The graph of a model of this many encoder layers (47 nodes each with their weights) is on the screen. */
static gboolean
has_picture (LsTurns *self,
             guint    n)
{
  LsGraphModel *model = ls_session_get_graph (self->session);
  LsGraphSeries *series = ls_graph_model_get_series (model);

  return series != NULL && ls_graph_model_get_busy (model) == NULL && ls_graph_model_get_layout (model) != NULL && series->whole->nodes->len >= n;
}

static void
open_graph (LsTurns *self,
            guint    n)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  g_autofree char *text = ls_model_transformer (n);

  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "model.py", text, NULL);
  gtk_window_destroy (self->window);
  self->window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), session));
  self->session = session;
  gtk_window_set_default_size (self->window, 1440, 900);
  gtk_window_present (self->window);
  ls_window_show_page (LS_WINDOW (self->window), "graph");
  wait_for (self, has_picture, 1);
  settle (self, 1000);
}

static void
show_graph (LsTurns *self,
            guint    n)
{
  open_graph (self, n);
  begin (self);
  ls_graph_model_set_all (ls_session_get_graph (self->session), TRUE);
  wait_for (self, has_picture, 20 * n);
  settle (self, 1000);
}

/* With the text of its function, whose head names some 16 parameters for each layer. */
static void
select_call (LsTurns *self,
             guint    n)
{
  LsGraphModel *model;

  open_graph (self, n);
  model = ls_session_get_graph (self->session);
  ls_graph_model_set_all (model, TRUE);
  wait_for (self, has_picture, 20 * n);
  settle (self, 1000);
  begin (self);
  for (guint i = 1; i <= 4; i++)
    {
      ls_graph_model_select (model, (gint) (ls_graph_model_get_series (model)->whole->nodes->len * i / 5));
      settle (self, QUIET_MS);
    }
}

/* Of a folded model the first group, the last, and the first of those that are left. */
static void
open_group (LsTurns *self,
            guint    n)
{
  LsGraphModel *model;

  open_graph (self, n);
  model = ls_session_get_graph (self->session);
  begin (self);
  for (guint i = 0; i < 3; i++)
    {
      LsGraph *graph = ls_graph_series_state (ls_graph_model_get_series (model), 0)->graph;
      const char *key = NULL;

      for (guint k = 0; k < graph->nodes->len; k++)
        if (ls_graph_node (graph, k)->kind == LS_GRAPH_NODE_GROUP && (key == NULL || i == 1))
          key = ls_graph_node (graph, k)->key;
      g_assert_nonnull (key);
      ls_graph_model_open_group (model, key, TRUE);
      wait_for (self, has_picture, 1);
      settle (self, 600);
    }
}

/* Out and in again, a seventh at a time, with all of a model unfolded. */
static void
wheel_graph (LsTurns *self,
             guint    n)
{
  LsGraphModel *model;
  GtkWidget *canvas;

  open_graph (self, n);
  model = ls_session_get_graph (self->session);
  ls_graph_model_set_all (model, TRUE);
  wait_for (self, has_picture, 20 * n);
  settle (self, 1000);
  canvas = find_type (GTK_WIDGET (self->window), "LsGraphCanvas");
  begin (self);
  for (guint i = 0; i < 36; i++)
    {
      ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (canvas), i / 12 % 2 == 0 ? 1.0 / 1.15 : 1.15);
      settle (self, 30);
    }
  settle (self, QUIET_MS);
}

/* A word of a folded model letter by letter, what it finds one after the other, and nothing again. */
static void
search_graph (LsTurns *self,
              guint    n)
{
  static const char *const words[] = { "s", "so", "soft", "softmax", "matmul -> add", "" };
  GtkWidget *entry, *view;

  open_graph (self, n);
  view = find_type (GTK_WIDGET (self->window), "LsGraphView");
  entry = find_type (view, "GtkSearchEntry");
  g_assert_nonnull (entry);
  begin (self);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gtk_editable_set_text (GTK_EDITABLE (entry), words[i]);
      settle (self, QUIET_MS);
      for (guint k = 0; *words[i] != '\0' && k < 3; k++)
        {
          ls_graph_view_search_next (LS_GRAPH_VIEW (view));
          settle (self, 100);
        }
    }
}

/* Folded again. */
static void
fold_graph (LsTurns *self,
            guint    n)
{
  open_graph (self, n);
  ls_graph_model_set_all (ls_session_get_graph (self->session), TRUE);
  wait_for (self, has_picture, 20 * n);
  settle (self, 1000);
  begin (self);
  ls_graph_model_set_all (ls_session_get_graph (self->session), FALSE);
  wait_for (self, has_picture, 1);
  settle (self, 1000);
}

/* The first call that is no more than its name, and one that follows it. (transfer full), NULL-terminated */
static char **
first_calls (LsGraphModel *model,
             guint         n)
{
  LsGraph *whole = ls_graph_series_state (ls_graph_model_get_series (model), ls_graph_model_get_state (model))->graph;
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  guint found = 0;

  whole = ls_graph_get_whole (whole);
  for (guint i = 0; i < whole->nodes->len && found < n; i++)
    if (ls_graph_node (whole, i)->kind == LS_GRAPH_NODE_CALL && ls_graph_node (whole, i)->name != NULL)
      {
        g_strv_builder_add (names, ls_graph_node (whole, i)->name);
        found++;
      }
  g_assert_cmpuint (found, ==, n);
  return g_strv_builder_end (names);
}

static gboolean
has_passes (LsTurns *self,
            guint    n)
{
  LsGraphModel *model = ls_session_get_graph (self->session);

  if (ls_graph_model_get_message (model) != NULL)
    g_error ("%s", ls_graph_model_get_message (model));
  return ls_graph_model_get_n_passes (model) == n && has_picture (self, 1);
}

/* Two calls made one, another one replaced by a library's function, and both taken back. */
static void
edit_graph (LsTurns *self,
            guint    n)
{
  LsGraphModel *model;
  g_auto (GStrv) both = NULL;
  const char *one[] = { NULL, NULL };
  g_autofree char *fuse = NULL, *replace = NULL;

  open_graph (self, n);
  model = ls_session_get_graph (self->session);
  both = first_calls (model, 2);
  fuse = ls_graph_edit_text ("main", (const char *const *) both, NULL, NULL);
  begin (self);
  ls_graph_model_add_pass (model, fuse);
  wait_for (self, has_passes, 1);
  settle (self, 1000);
  g_strfreev (g_steal_pointer (&both));
  both = first_calls (model, 3);
  one[0] = both[2];
  replace = ls_graph_edit_text ("main", one, "env.anything", NULL);
  ls_graph_model_add_pass (model, replace);
  wait_for (self, has_passes, 2);
  settle (self, 1000);
  ls_graph_model_drop_pass (model);
  wait_for (self, has_passes, 1);
  settle (self, 1000);
}

static void
graph_exported (GObject      *model,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ls_graph_export_finish (LS_GRAPH_MODEL (model), result, &error);

  g_assert_no_error (error);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  *(gboolean *) data = TRUE;
}

/* All that a graph is written as, nothing folded, and some of its calls as a module of their own. */
static void
export_graph (LsTurns *self,
              guint    n)
{
  static const char *const names[] = { "graph.dot", "graph.json", "graph.py", "graph.svg" };
  GtkWidget *canvas;
  LsGraphModel *model;
  g_auto (GStrv) calls = NULL;

  open_graph (self, n);
  model = ls_session_get_graph (self->session);
  ls_graph_model_set_all (model, TRUE);
  wait_for (self, has_picture, 20 * n);
  settle (self, 1000);
  canvas = find_type (GTK_WIDGET (self->window), "LsGraphCanvas");
  calls = first_calls (model, 8);
  begin (self);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      gint64 end = g_get_monotonic_time () + LONG_S * G_USEC_PER_SEC;
      gboolean done = FALSE;

      ls_graph_export_async (model, ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas)), path, FALSE, graph_exported, &done);
      while (!done && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (done);
      settle (self, QUIET_MS);
    }
  {
    g_autofree char *path = g_build_filename (folder, "calls.py", NULL);
    gboolean done = FALSE;

    ls_graph_export_calls_async (model, "main", (const char *const *) calls, path, graph_exported, &done);
    while (!done)
      g_main_context_iteration (NULL, TRUE);
  }
  settle (self, QUIET_MS);
}

static void
exported (GObject      *session,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = ls_session_export_finish (LS_SESSION (session), result, &error);

  g_assert_no_error (error);
  g_assert_nonnull (text);
  *(gboolean *) data = TRUE;
}

/* All that a session is written as, one after the other. */
static void
export_all (LsTurns *self)
{
  static const LsExportKind kinds[] = { LS_EXPORT_REPORT, LS_EXPORT_TRACE_PYTHON, LS_EXPORT_TRACE_JSON, LS_EXPORT_MODULE, LS_EXPORT_SESSION };

  begin (self);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gint64 end = g_get_monotonic_time () + LONG_S * G_USEC_PER_SEC;
      gboolean done = FALSE;

      ls_session_export_async (self->session, kinds[i], NULL, exported, &done);
      while (!done && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (done);
      settle (self, QUIET_MS);
    }
}

static void
export_session (LsTurns *self,
                guint    n)
{
  show_session (self, n);
  export_all (self);
}

static void
export_program (LsTurns *self,
                guint    n)
{
  show_program (self, n);
  export_all (self);
}

static void
copy_link (LsTurns *self,
           guint    n)
{
  show_session (self, n);
  begin (self);
  act (self, "win.copy-link");
  settle (self, QUIET_MS);
}

static void
go_to_steps (LsTurns *self,
             guint    n)
{
  show_session (self, n);
  begin (self);
  for (guint i = 0; i < 6; i++)
    {
      act (self, i == 2 ? "win.first-step" : i == 4 ? "win.last-step" : "win.previous-step");
      settle (self, QUIET_MS);
    }
  settle (self, COPY_MS);
}

static void
bookmark (LsTurns *self,
          guint    n)
{
  show_session (self, n);
  begin (self);
  act (self, "win.bookmark");
  settle (self, COPY_MS);
}

static void
save_session (LsTurns *self,
              guint    n)
{
  show_session (self, n);
  act (self, "win.bookmark");
  settle (self, COPY_MS);
  begin (self);
  act (self, "win.save");
  settle (self, COPY_MS);
}

static void
close_session (LsTurns *self,
               guint    n)
{
  gpointer held = self->window;

  show_session (self, n);
  act (self, "win.bookmark");
  settle (self, COPY_MS);
  g_object_add_weak_pointer (G_OBJECT (self->window), &held);
  begin (self);
  gtk_window_close (self->window);
  settle (self, QUIET_MS);
  for (guint i = 0; i < 200 && held != NULL; i++)
    settle (self, 10);
  self->window = NULL;
}

static void
restore_session (LsTurns *self,
                 guint    n)
{
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", NULL);
  g_autoptr (GFile) copy = NULL;
  char *text = session_json (n);

  g_mkdir_with_parents (path, 0700);
  g_free (path);
  path = g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", "open-1-0000.loopscope", NULL);
  g_file_set_contents (path, text, -1, NULL);
  g_free (text);
  copy = g_file_new_for_path (path);
  begin (self);
  ls_window_file_restore (LS_WINDOW (self->window), copy);
  wait_for (self, has_steps, n);
  settle (self, COPY_MS);
}

/* Ten keys in the text of the opened program. */
static void
type_text (LsTurns *self,
           guint    n)
{
  GtkWidget *view;
  GtkTextIter start;
  GtkTextBuffer *buffer;

  show_program (self, n);
  act (self, "win.edit-base");
  settle (self, QUIET_MS);
  view = gtk_root_get_focus (GTK_ROOT (self->window));
  if (!GTK_IS_TEXT_VIEW (view))
    view = find_type (GTK_WIDGET (self->window), "GtkTextView");
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  begin (self);
  for (guint i = 0; i < 10; i++)
    {
      gtk_text_buffer_get_start_iter (buffer, &start);
      gtk_text_buffer_insert (buffer, &start, i == 0 ? "# " : "a", -1);
      settle (self, 60);
    }
  settle (self, COPY_MS);
}

const LsTurnsInput ls_turns_inputs[] = {
  { "open-session", "open a session of %u steps", { 200, 1000, 3000 }, open_session },
  { "restore-session", "restore a session of %u steps", { 1000 }, restore_session },
  { "save-session", "save a session of %u steps", { 1000 }, save_session },
  { "close-session", "close a changed session of %u steps", { 1000 }, close_session },
  { "copy-link", "copy a link, %u steps", { 1000 }, copy_link },
  { "export-session", "write a report and all else of %u steps", { 200, 1000, 3000 }, export_session },
  { "export-program", "write a report and all else, %u functions", { 100, 300, 1000 }, export_program },
  { "go-to-steps", "go to other steps, %u steps", { 200, 1000, 3000 }, go_to_steps },
  { "bookmark", "a bookmark, %u steps", { 1000, 3000 }, bookmark },
  { "open-program", "open a program of %u functions", { 100, 300, 1000 }, open_program },
  { "select-row", "select rows, %u functions", { 100, 300, 1000 }, select_row },
  { "do-step", "do a step, %u functions", { 100, 300, 1000 }, do_step },
  { "undo-step", "undo it, %u functions", { 1000 }, undo_step },
  { "compare-steps", "compare two steps, %u functions", { 100, 300, 1000 }, compare_steps },
  { "compare-file", "compare with a file, %u functions", { 1000 }, compare_file },
  { "scroll-loops", "scroll the loops, %u functions", { 1000 }, scroll_loops },
  { "jump-loops", "jump in the loops, %u functions", { 1000 }, jump_loops },
  { "scroll-text", "scroll the text, %u functions", { 1000 }, scroll_text },
  { "graph-page", "the first Graph page, %u functions", { 1, 1000 }, graph_page },
  { "show-graph", "show all of a graph, %u layers", { 24, 370 }, show_graph },
  { "select-call", "select calls of a graph, %u layers", { 24, 370 }, select_call },
  { "open-group", "open groups of a graph, %u layers", { 24, 60, 370 }, open_group },
  { "wheel-graph", "zoom a graph by the wheel, %u layers", { 24, 60, 370 }, wheel_graph },
  { "search-graph", "search in a graph, %u layers", { 24, 60, 370 }, search_graph },
  { "fold-graph", "fold a graph again, %u layers", { 24, 60, 370 }, fold_graph },
  { "edit-graph", "fuse and replace calls of a graph, %u layers", { 24, 60, 370 }, edit_graph },
  { "export-graph", "write a graph, %u layers", { 24, 60, 370 }, export_graph },
  { "type-text", "type in the program, %u functions", { 100, 1000 }, type_text },
};
const guint ls_turns_n_inputs = G_N_ELEMENTS (ls_turns_inputs);

/* ---- the whole ------------------------------------------------------------------------ */

gboolean
ls_turns_init (void)
{
  if (!gtk_init_check ())
    return FALSE;
  folder = g_dir_make_tmp ("loopscope-turns-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_setenv ("LOOPSCOPE_FRAME_LOG", "/dev/null", FALSE);
  ls_frame_log_start ();
  ls_tensor_intrin_preload ();
  ls_views_init ();
  ls_report_register ();
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  return TRUE;
}

/* With all that is in it. */
static void
clear_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        clear_folder (inner);
      else
        g_unlink (inner);
    }
  g_rmdir (path);
}

void
ls_turns_finish (void)
{
  g_object_unref (application);
  ls_frame_log_end ();
  clear_folder (folder);
  g_clear_pointer (&folder, g_free);
}

LsTurn
ls_turns_measure (const LsTurnsInput *input,
                  guint               size,
                  guint               times)
{
  LsTurn best = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };

  for (guint i = 0; i < times; i++)
    {
      LsTurns self = { 0 };
      double unit = unit_us (), after;

      open_window (&self);
      input->run (&self, size);
      after = unit_us ();
      best.wall = MIN (best.wall, (double) self.took / 1000.0);
      best.cpu = MIN (best.cpu, (double) self.cpu / 1000.0);
      best.units = MIN (best.units, (double) self.cpu / MAX (unit, after));
      if (self.window != NULL)
        close_window (&self);
    }
  return best;
}
