/* turns-graph: inputs to the Graph page. */
#include "tests/ui/turns-private.h"

#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/window.h"
#include "engine/graph/edit.h"
#include "tests/support/models.h"
#include "views/graph/canvas.h"
#include "views/graph/export.h"
#include "views/graph/view.h"

void
ls_turns_graph_page (LsTurns *self,
                     guint    n)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  g_autofree char *text = n > 1 ? ls_turns_program_text (n) : NULL;

  if (text != NULL)
    ls_engine_session_open_text (LS_ENGINE_SESSION (session), "program.py", text, NULL);
  ls_turns_replace_window (self, session);
  ls_turns_settle (self, 150);
  ls_turns_begin (self);
  ls_window_show_page (LS_WINDOW (self->window), "graph");
  ls_turns_settle (self, 1000);
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
  g_autoptr (LsSession) session = NULL;
  g_autofree char *text = NULL;

  if (g_strcmp0 (self->what, "graph") == 0 && self->what_n == n)
    return;
  session = ls_engine_session_new_sample ();
  text = ls_model_transformer (n);
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "model.py", text, NULL);
  ls_turns_replace_window (self, session);
  ls_window_show_page (LS_WINDOW (self->window), "graph");
  ls_turns_wait_for (self, has_picture, 1);
  ls_turns_settle (self, 1000);
  self->used = TRUE;
  self->what = "graph";
  self->what_n = n;
}

static void
unfold (LsTurns *self,
        guint    n)
{
  ls_graph_model_set_all (ls_session_get_graph (self->session), TRUE);
  ls_turns_wait_for (self, has_picture, 20 * n);
  ls_turns_settle (self, 1000);
  self->what = "unfolded graph";
}

/* Nothing of it is folded. */
static LsGraphModel *
open_unfolded (LsTurns *self,
               guint    n)
{
  if (g_strcmp0 (self->what, "unfolded graph") != 0 || self->what_n != n)
    {
      open_graph (self, n);
      unfold (self, n);
    }
  return ls_session_get_graph (self->session);
}

void
ls_turns_show_graph (LsTurns *self,
                     guint    n)
{
  open_graph (self, n);
  ls_turns_begin (self);
  unfold (self, n);
}

/* With the text of its function, whose head names some 16 parameters for each layer. */
void
ls_turns_select_call (LsTurns *self,
                      guint    n)
{
  LsGraphModel *model;

  model = open_unfolded (self, n);
  ls_turns_begin (self);
  for (guint i = 1; i <= 4; i++)
    {
      ls_graph_model_select (model, (gint) (ls_graph_model_get_series (model)->whole->nodes->len * i / 5));
      ls_turns_settle (self, QUIET_MS);
    }
}

/* Of a folded model the first group, the last, and the first of those that are left. */
void
ls_turns_open_group (LsTurns *self,
                     guint    n)
{
  LsGraphModel *model;

  open_graph (self, n);
  model = ls_session_get_graph (self->session);
  ls_turns_begin (self);
  for (guint i = 0; i < 3; i++)
    {
      LsGraph *graph = ls_graph_series_state (ls_graph_model_get_series (model), 0)->graph;
      const char *key = NULL;

      for (guint k = 0; k < graph->nodes->len; k++)
        if (ls_graph_node (graph, k)->kind == LS_GRAPH_NODE_GROUP && (key == NULL || i == 1))
          key = ls_graph_node (graph, k)->key;
      g_assert_nonnull (key);
      ls_graph_model_open_group (model, key, TRUE);
      ls_turns_wait_for (self, has_picture, 1);
      ls_turns_settle (self, 600);
    }
}

/* Out and in again, a seventh at a time, with all of a model unfolded. */
void
ls_turns_wheel_graph (LsTurns *self,
                      guint    n)
{
  GtkWidget *canvas;

  open_unfolded (self, n);
  canvas = ls_turns_find_type (GTK_WIDGET (self->window), "LsGraphCanvas");
  ls_turns_begin (self);
  for (guint i = 0; i < 36; i++)
    {
      ls_graph_canvas_zoom_by (LS_GRAPH_CANVAS (canvas), i / 12 % 2 == 0 ? 1.0 / 1.15 : 1.15);
      ls_turns_settle (self, 30);
    }
  ls_turns_settle (self, QUIET_MS);
}

/* A word of a folded model letter by letter, what it finds one after the other, and nothing again. */
void
ls_turns_search_graph (LsTurns *self,
                       guint    n)
{
  static const char *const words[] = { "s", "so", "soft", "softmax", "matmul -> add", "" };
  GtkWidget *entry, *view;

  open_graph (self, n);
  view = ls_turns_find_type (GTK_WIDGET (self->window), "LsGraphView");
  entry = ls_turns_find_type (view, "GtkSearchEntry");
  g_assert_nonnull (entry);
  ls_turns_begin (self);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gtk_editable_set_text (GTK_EDITABLE (entry), words[i]);
      ls_turns_settle (self, QUIET_MS);
      for (guint k = 0; *words[i] != '\0' && k < 3; k++)
        {
          ls_graph_view_search_next (LS_GRAPH_VIEW (view));
          ls_turns_settle (self, 100);
        }
    }
}

/* Folded again. */
void
ls_turns_fold_graph (LsTurns *self,
                     guint    n)
{
  LsGraphModel *model = open_unfolded (self, n);

  ls_turns_begin (self);
  ls_graph_model_set_all (model, FALSE);
  ls_turns_wait_for (self, has_picture, 1);
  ls_turns_settle (self, 1000);
  self->what = "graph";
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
void
ls_turns_edit_graph (LsTurns *self,
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
  ls_turns_begin (self);
  ls_graph_model_add_pass (model, fuse);
  ls_turns_wait_for (self, has_passes, 1);
  ls_turns_settle (self, 1000);
  g_strfreev (g_steal_pointer (&both));
  both = first_calls (model, 3);
  one[0] = both[2];
  replace = ls_graph_edit_text ("main", one, "env.anything", NULL);
  ls_graph_model_add_pass (model, replace);
  ls_turns_wait_for (self, has_passes, 2);
  ls_turns_settle (self, 1000);
  ls_graph_model_drop_pass (model);
  ls_turns_wait_for (self, has_passes, 1);
  ls_turns_settle (self, 1000);
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
void
ls_turns_export_graph (LsTurns *self,
                       guint    n)
{
  static const char *const names[] = { "graph.dot", "graph.json", "graph.py", "graph.svg" };
  GtkWidget *canvas;
  LsGraphModel *model;
  g_auto (GStrv) calls = NULL;

  model = open_unfolded (self, n);
  canvas = ls_turns_find_type (GTK_WIDGET (self->window), "LsGraphCanvas");
  calls = first_calls (model, 8);
  ls_turns_begin (self);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (ls_turns_get_folder (), names[i], NULL);
      gint64 end = g_get_monotonic_time () + LONG_S * G_USEC_PER_SEC;
      gboolean done = FALSE;

      ls_graph_export_async (model, ls_graph_canvas_get_scene (LS_GRAPH_CANVAS (canvas)), path, FALSE, graph_exported, &done);
      while (!done && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (done);
      ls_turns_settle (self, QUIET_MS);
    }
  {
    g_autofree char *path = g_build_filename (ls_turns_get_folder (), "calls.py", NULL);
    gboolean done = FALSE;

    ls_graph_export_calls_async (model, "main", (const char *const *) calls, path, graph_exported, &done);
    while (!done)
      g_main_context_iteration (NULL, TRUE);
  }
  ls_turns_settle (self, QUIET_MS);
}
