/* turns-inputs: see the header. */
#include "tests/ui/turns-private.h"

#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/window.h"

static gboolean
has_ribbons (LsTurns *self,
             guint    n)
{
  return ls_turns_find_type (GTK_WIDGET (self->window), "LsCompareCanvas") != NULL;
}

static void
open_session (LsTurns *self,
              guint    n)
{
  g_autoptr (GFile) file = ls_turns_session_file (n);

  ls_turns_begin (self);
  ls_turns_open_file (self, g_object_ref (file));
  ls_turns_wait_for (self, ls_turns_has_steps, n);
  ls_turns_settle (self, COPY_MS);
}

static void
open_program (LsTurns *self,
              guint    n)
{
  g_autoptr (GFile) file = ls_turns_program_file (n);

  ls_turns_begin (self);
  ls_turns_open_file (self, g_object_ref (file));
  ls_turns_wait_for (self, ls_turns_has_functions, n);
  ls_turns_settle (self, COPY_MS);
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
  ls_turns_show_program (self, n);
  ls_turns_begin (self);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (LsLoopItem) item = row_of (self, n / 2 + i / 3, 1 + i % 3);

      ls_session_select (self->session, ls_loop_item_get (item)->id);
      ls_turns_settle (self, QUIET_MS);
    }
  ls_turns_settle (self, COPY_MS);
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
  ls_turns_show_program (self, n);
  ls_turns_begin (self);
  apply_step (self);
  ls_turns_wait_for (self, ls_turns_has_shown, self->n_shown + 1);
  ls_turns_settle (self, COPY_MS);
  self->what = "step";
}

static void
undo_step (LsTurns *self,
           guint    n)
{
  if (self->what_n != n || g_strcmp0 (self->what, "step") != 0)
    do_step (self, n);
  ls_turns_begin (self);
  ls_turns_act (self, "win.undo");
  ls_turns_wait_for (self, ls_turns_has_shown, self->n_shown + 1);
  ls_turns_settle (self, COPY_MS);
  self->what = "program";
}

static void
compare_steps (LsTurns *self,
               guint    n)
{
  if (self->what_n != n || g_strcmp0 (self->what, "step") != 0)
    do_step (self, n);
  ls_turns_begin (self);
  ls_turns_act (self, "win.compare-before");
  ls_turns_wait_for (self, has_ribbons, 0);
  ls_turns_settle (self, COPY_MS);
}

static void
compare_file (LsTurns *self,
              guint    n)
{
  g_autofree char *text = ls_turns_program_text (n);
  g_autoptr (GFile) other = ls_turns_put_file ("other.py", g_strdup (text));

  ls_turns_show_program (self, n);
  ls_turns_begin (self);
  ls_window_compare_file (LS_WINDOW (self->window), other);
  ls_turns_wait_for (self, has_ribbons, 0);
  ls_turns_settle (self, COPY_MS);
}

static void
scroll (LsTurns   *self,
        GtkWidget *widget,
        guint      times,
        double     by)
{
  GtkAdjustment *at = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (widget));

  ls_turns_begin (self);
  for (guint i = 0; i < times; i++)
    {
      gtk_adjustment_set_value (at, gtk_adjustment_get_value (at) + by);
      ls_turns_settle (self, 15);
    }
}

/* The loops, with arrows. */
static GtkWidget *
show_loops (LsTurns *self,
            guint    n)
{
  g_autoptr (LsLoopItem) item = NULL;

  ls_turns_show_program (self, n);
  item = row_of (self, 1, 1);
  ls_session_select (self->session, ls_loop_item_get (item)->id);
  ls_turns_settle (self, COPY_MS);
  return ls_turns_find_type (ls_turns_find_type (GTK_WIDGET (self->window), "LsLoopView"), "GtkColumnView");
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
  ls_turns_show_program (self, n);
  scroll (self, ls_turns_find_type (GTK_WIDGET (self->window), "GtkTextView"), 40, 400.0);
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

  ls_turns_begin (self);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gint64 end = g_get_monotonic_time () + LONG_S * G_USEC_PER_SEC;
      gboolean done = FALSE;

      ls_session_export_async (self->session, kinds[i], NULL, exported, &done);
      while (!done && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (done);
      ls_turns_settle (self, QUIET_MS);
    }
}

static void
export_session (LsTurns *self,
                guint    n)
{
  ls_turns_show_session (self, n);
  export_all (self);
}

static void
export_program (LsTurns *self,
                guint    n)
{
  ls_turns_show_program (self, n);
  export_all (self);
}

static void
copy_link (LsTurns *self,
           guint    n)
{
  ls_turns_show_session (self, n);
  ls_turns_begin (self);
  ls_turns_act (self, "win.copy-link");
  ls_turns_settle (self, QUIET_MS);
}

static void
go_to_steps (LsTurns *self,
             guint    n)
{
  ls_turns_show_session (self, n);
  ls_turns_begin (self);
  for (guint i = 0; i < 6; i++)
    {
      ls_turns_act (self, i == 2 ? "win.first-step" : i == 5 ? "win.last-step" : "win.previous-step");
      ls_turns_settle (self, QUIET_MS);
    }
  ls_turns_settle (self, COPY_MS);
}

static void
bookmark (LsTurns *self,
          guint    n)
{
  ls_turns_show_session (self, n);
  ls_turns_begin (self);
  ls_turns_act (self, "win.bookmark");
  ls_turns_settle (self, COPY_MS);
}

/* The editor of a step knows what comes of it: it can be applied. */
static gboolean
has_tried (LsTurns *self,
           guint    n)
{
  GtkWidget *editor = ls_turns_find_type (GTK_WIDGET (self->window), "LsMoveEditor");

  return editor != NULL && gtk_widget_get_sensitive (ls_turns_find_text (editor, "Apply"));
}

static gboolean
has_no_editor (LsTurns *self,
               guint    n)
{
  return ls_turns_find_type (GTK_WIDGET (self->window), "LsMoveEditor") == NULL;
}

/* One of the first of very many steps, and another value in it: all later ones are done for each. */
static void
edit_early_step (LsTurns *self,
                 guint    n)
{
  ls_turns_show_session (self, n);
  ls_session_go_to (self->session, 3);
  ls_turns_settle (self, COPY_MS);
  ls_turns_begin (self);
  ls_turns_act (self, "win.edit-step");
  ls_turns_wait_for (self, has_tried, 0);
  gtk_editable_set_text (GTK_EDITABLE (ls_turns_find_text (ls_turns_find_type (GTK_WIDGET (self->window), "LsMoveEditor"), "1")), "2");
  ls_turns_wait_for (self, has_tried, 0);
  ls_turns_settle (self, COPY_MS);
}

/* And done so. */
static void
apply_early_step (LsTurns *self,
                  guint    n)
{
  edit_early_step (self, n);
  ls_turns_begin (self);
  gtk_widget_activate (ls_turns_find_text (ls_turns_find_type (GTK_WIDGET (self->window), "LsMoveEditor"), "Apply"));
  ls_turns_wait_for (self, has_no_editor, 0);
  ls_turns_settle (self, COPY_MS);
}

static void
save_session (LsTurns *self,
              guint    n)
{
  ls_turns_show_session (self, n);
  ls_turns_act (self, "win.bookmark");
  ls_turns_settle (self, COPY_MS);
  ls_turns_begin (self);
  ls_turns_act (self, "win.save");
  ls_turns_settle (self, COPY_MS);
}

static void
close_session (LsTurns *self,
               guint    n)
{
  gpointer held = self->window;

  ls_turns_show_session (self, n);
  ls_turns_act (self, "win.bookmark");
  ls_turns_settle (self, COPY_MS);
  g_object_add_weak_pointer (G_OBJECT (self->window), &held);
  ls_turns_begin (self);
  gtk_window_close (self->window);
  ls_turns_settle (self, QUIET_MS);
  for (guint i = 0; i < 6000 && held != NULL; i++)
    ls_turns_settle (self, 10);
  self->window = NULL;
}

static void
restore_session (LsTurns *self,
                 guint    n)
{
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", NULL);
  g_autoptr (GFile) copy = NULL;
  char *text = ls_turns_session_text (n);

  g_mkdir_with_parents (path, 0700);
  g_free (path);
  path = g_build_filename (g_get_user_state_dir (), "loopscope", "sessions", "open-1-0000.loopscope", NULL);
  g_file_set_contents (path, text, -1, NULL);
  g_free (text);
  copy = g_file_new_for_path (path);
  ls_turns_begin (self);
  ls_window_file_restore (LS_WINDOW (self->window), copy);
  ls_turns_wait_for (self, ls_turns_has_steps, n);
  ls_turns_settle (self, COPY_MS);
}

/* Ten keys in the text of the opened program. */
static void
type_text (LsTurns *self,
           guint    n)
{
  GtkWidget *view;
  GtkTextIter start;
  GtkTextBuffer *buffer;

  ls_turns_show_program (self, n);
  ls_turns_act (self, "win.edit-base");
  ls_turns_settle (self, QUIET_MS);
  view = gtk_root_get_focus (GTK_ROOT (self->window));
  if (!GTK_IS_TEXT_VIEW (view))
    view = ls_turns_find_type (GTK_WIDGET (self->window), "GtkTextView");
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  ls_turns_begin (self);
  for (guint i = 0; i < 10; i++)
    {
      gtk_text_buffer_get_start_iter (buffer, &start);
      gtk_text_buffer_insert (buffer, &start, i == 0 ? "# " : "a", -1);
      ls_turns_settle (self, 60);
    }
  ls_turns_settle (self, COPY_MS);
}

/* All of the window is laid out and drawn, and nothing else: what an input cannot fall below that changes all of it. */
static void
show_again (LsTurns *self,
            guint    n)
{
  GtkWidget *content;

  ls_turns_show_program (self, n);
  content = gtk_widget_get_first_child (GTK_WIDGET (self->window));
  gtk_widget_set_visible (content, FALSE);
  ls_turns_settle (self, QUIET_MS);
  ls_turns_begin (self);
  gtk_widget_set_visible (content, TRUE);
  ls_turns_settle (self, QUIET_MS);
}

/* In the order in which they find most of what they need. */
const LsTurnsInput ls_turns_inputs[] = {
  { LS_TURNS_OF_SESSION, "open-session", "open a session of %u steps", { 200, 1000, 3000 }, open_session, LS_TURNS_ALONE },
  { LS_TURNS_OF_SESSION, "restore-session", "restore a session of %u steps", { 1000 }, restore_session, LS_TURNS_ALONE },
  { LS_TURNS_OF_SESSION, "close-session", "close a changed session of %u steps", { 1000 }, close_session, LS_TURNS_ALONE },
  { LS_TURNS_OF_SESSION, "copy-link", "copy a link, %u steps", { 1000 }, copy_link, LS_TURNS_KEEPS },
  { LS_TURNS_OF_SESSION, "export-session", "write a report and all else of %u steps", { 200, 1000, 3000 }, export_session, LS_TURNS_KEEPS },
  { LS_TURNS_OF_SESSION, "go-to-steps", "go to other steps, %u steps", { 200, 1000, 3000 }, go_to_steps, LS_TURNS_KEEPS },
  { LS_TURNS_OF_SESSION, "bookmark", "a bookmark, %u steps", { 1000, 3000 }, bookmark, LS_TURNS_KEEPS },
  { LS_TURNS_OF_SESSION, "save-session", "save a session of %u steps", { 1000 }, save_session, LS_TURNS_KEEPS },
  { LS_TURNS_OF_SESSION, "edit-early-step", "edit the third step (F2), %u steps", { 1000, 3000 }, edit_early_step, LS_TURNS_USES },
  { LS_TURNS_OF_SESSION, "apply-early-step", "do the third step otherwise, %u steps", { 200, 1000 }, apply_early_step, LS_TURNS_USES },
  { LS_TURNS_OF_SESSION, "focus-moves", "select a loop of %u blocks, and Ctrl+M", { 1000, 10000 }, ls_turns_focus_moves, LS_TURNS_KEEPS },
  { LS_TURNS_OF_SESSION, "edit-step", "edit a step (F2), %u blocks", { 1000, 10000 }, ls_turns_edit_step, LS_TURNS_USES },
  { LS_TURNS_OF_PROGRAM, "open-program", "open a program of %u functions", { 100, 300, 1000 }, open_program, LS_TURNS_ALONE },
  { LS_TURNS_OF_PROGRAM, "show-again", "show the window again, %u functions", { 100 }, show_again, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "type-text", "type in the program, %u functions", { 100, 1000 }, type_text, LS_TURNS_USES },
  { LS_TURNS_OF_PROGRAM, "scroll-loops", "scroll the loops, %u functions", { 300, 1000 }, scroll_loops, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "jump-loops", "jump in the loops, %u functions", { 300, 1000 }, jump_loops, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "scroll-text", "scroll the text, %u functions", { 300, 1000 }, scroll_text, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "select-row", "select rows, %u functions", { 100, 300, 1000 }, select_row, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "export-program", "write a report and all else, %u functions", { 100, 300, 1000 }, export_program, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "do-step", "do a step, %u functions", { 100, 300, 1000 }, do_step, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "undo-step", "undo it, %u functions", { 300, 1000 }, undo_step, LS_TURNS_KEEPS },
  { LS_TURNS_OF_PROGRAM, "compare-steps", "compare two steps, %u functions", { 100, 300, 1000 }, compare_steps, LS_TURNS_USES },
  { LS_TURNS_OF_PROGRAM, "compare-file", "compare with a file, %u functions", { 300, 1000 }, compare_file, LS_TURNS_USES },
  { LS_TURNS_OF_GRAPH, "graph-page", "the first Graph page, %u functions", { 1, 1000 }, ls_turns_graph_page, LS_TURNS_ALONE },
  { LS_TURNS_OF_GRAPH, "show-graph", "show all of a graph, %u layers", { 24, 370 }, ls_turns_show_graph, LS_TURNS_KEEPS },
  { LS_TURNS_OF_GRAPH, "select-call", "select calls of a graph, %u layers", { 24, 370 }, ls_turns_select_call, LS_TURNS_KEEPS },
  { LS_TURNS_OF_GRAPH, "search-graph", "search in a graph, %u layers", { 24, 60, 370 }, ls_turns_search_graph, LS_TURNS_KEEPS },
  { LS_TURNS_OF_GRAPH, "wheel-graph", "zoom a graph by the wheel, %u layers", { 24, 60, 370 }, ls_turns_wheel_graph, LS_TURNS_KEEPS },
  { LS_TURNS_OF_GRAPH, "export-graph", "write a graph, %u layers", { 24, 60, 370 }, ls_turns_export_graph, LS_TURNS_KEEPS },
  { LS_TURNS_OF_GRAPH, "fold-graph", "fold a graph again, %u layers", { 24, 60, 370 }, ls_turns_fold_graph, LS_TURNS_KEEPS },
  { LS_TURNS_OF_GRAPH, "open-group", "open groups of a graph, %u layers", { 24, 60, 370 }, ls_turns_open_group, LS_TURNS_USES },
  { LS_TURNS_OF_GRAPH, "edit-graph", "fuse and replace calls of a graph, %u layers", { 24, 60, 370 }, ls_turns_edit_graph, LS_TURNS_USES },
};
const guint ls_turns_n_inputs = G_N_ELEMENTS (ls_turns_inputs);
