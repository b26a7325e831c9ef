/* passes/window-graph: the blocks of the shown function as the chosen pass left them.  All states of the function are laid out together, so that a block
 * stays where it is from pass to pass. */
#include "app/passes/private.h"

#include "app/page/passes-flow.h"
#include "app/rpc/rpc.h"
#include "engine/base/task.h"
#include "views/graph/canvas.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"

#include <glib/gi18n.h>
#include <string.h>

#define LAYOUT_TIMEOUT_MS 60000

/* Of one function of one log. */
typedef struct {
  LsPasses      *passes;
  char          *function;
  guint          dump;          /* that was chosen when it was asked for */
  LsGraphSeries *series;        /* or NULL */
  GArray        *dumps;         /* of guint: of which dump each state is */
  guint          at;
} Flow;

static void
flow_free (gpointer data)
{
  Flow *flow = data;

  ls_passes_unref (flow->passes);
  g_free (flow->function);
  g_clear_pointer (&flow->series, ls_graph_series_unref);
  g_clear_pointer (&flow->dumps, g_array_unref);
  g_free (flow);
}

struct _LsPassesGraph
{
  GtkWidget     *stack;         /* "canvas", "status" */
  GtkWidget     *canvas, *status, *words;
  Flow          *flow;          /* that is drawn, or NULL */
  LsGraphLayout *layout;
  LsWorker      *worker;
  GCancellable  *asking;
  char          *wanted;        /* the function that is asked for, or NULL */
};

static void
graph_free (gpointer data)
{
  LsPassesGraph *self = data;

  g_clear_pointer (&self->flow, flow_free);
  g_clear_pointer (&self->layout, ls_graph_layout_free);
  g_clear_object (&self->worker);
  g_free (self->wanted);
  g_free (self);
}

static void
say (LsPassesGraph *self,
     const char    *words)
{
  ls_status_set (LS_STATUS (self->status), words, NULL, NULL, NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "status");
}

/* The state after the last pass up to `dump` that changed the function. */
static void
show_state (LsPassesGraph *self,
            guint          dump)
{
  g_autofree char *changes = NULL, *words = NULL;
  LsGraphState *state;
  guint at = 0;

  for (guint i = 0; i < self->flow->dumps->len; i++)
    if (g_array_index (self->flow->dumps, guint, i) <= dump)
      at = i;
  state = ls_graph_series_state (self->flow->series, at);
  changes = at > 0 ? ls_graph_state_words (state) : g_strdup ("");
  words = g_strdup_printf ("%s · %u %s%s%s", self->flow->function, g_array_index (self->flow->dumps, guint, at) + 1, state->label, *changes != '\0' ? " · " : "", changes);
  gtk_label_set_label (GTK_LABEL (self->words), words);
  ls_graph_canvas_set_state (LS_GRAPH_CANVAS (self->canvas), at);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "canvas");
}

/* ---- asking ---- */

typedef struct {
  LsPassesWindow *window;
  Flow           *flow;
} Asked;

static void
laid_out (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Asked *asked = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  LsPassesGraph *self = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? NULL : asked->window->graph;        /* the window may be gone */
  LsGraphLayout *layout = self != NULL && answer != NULL ? ls_graph_layout_read (answer, asked->flow->series->whole, &error) : NULL;
  gboolean other;
  int dump;

  if (self != NULL)
    g_clear_object (&self->asking);
  if (layout != NULL)
    {
      ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (self->canvas), NULL, NULL);
      g_clear_pointer (&self->layout, ls_graph_layout_free);
      g_clear_pointer (&self->flow, flow_free);
      self->flow = g_steal_pointer (&asked->flow);
      self->layout = layout;
      ls_graph_canvas_set_overview (LS_GRAPH_CANVAS (self->canvas), TRUE);
      ls_graph_canvas_set_graph (LS_GRAPH_CANVAS (self->canvas), self->flow->series, self->layout);
      dump = ls_passes_list_get_chosen (LS_PASSES_LIST (asked->window->list), &other);
      show_state (self, dump >= 0 ? (guint) dump : self->flow->dump);
    }
  else if (self != NULL)
    say (self, error->message);
  g_clear_pointer (&asked->flow, flow_free);
  g_free (asked);
}

/* In another thread. */
static void
make_series (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Flow *flow = data;

  flow->series = ls_passes_flow_series (ls_passes_get_log (flow->passes), flow->function, flow->dump, &flow->dumps, &flow->at);
  g_task_return_boolean (task, flow->series != NULL);
}

static void
series_made (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  const LsWorkerOptions options = { .timeout_ms = LAYOUT_TIMEOUT_MS };
  LsPassesWindow *window = data;
  g_autoptr (GError) error = NULL;
  gboolean made = g_task_propagate_boolean (G_TASK (result), &error);
  Flow *flow = g_task_get_task_data (G_TASK (result));
  LsPassesGraph *self;
  Asked *asked;

  if (error != NULL)
    return;             /* cancelled: the window may be gone */
  self = window->graph;
  if (!made)
    {
      say (self, _("No dump has this function with a text."));
      g_clear_object (&self->asking);
      return;
    }
  asked = g_new0 (Asked, 1);
  *asked = (Asked) { window, g_new0 (Flow, 1) };
  *asked->flow = *flow;
  memset (flow, 0, sizeof *flow);       /* goes on with the layout */
  ls_worker_call_async (self->worker, "layout", ls_graph_canvas_measure (LS_GRAPH_CANVAS (self->canvas), asked->flow->series), &options, self->asking, laid_out, asked);
}

static void
ask (LsPassesWindow *window,
     const char     *function,
     guint           dump)
{
  LsPassesGraph *self = window->graph;
  g_autoptr (GTask) task = NULL;
  Flow *flow = g_new0 (Flow, 1);

  ls_passes_window_stop (&self->asking);
  self->asking = g_cancellable_new ();
  g_free (self->wanted);
  self->wanted = g_strdup (function);
  *flow = (Flow) { .passes = ls_passes_ref (window->passes), .function = g_strdup (function), .dump = dump };
  task = g_task_new (window->window, self->asking, series_made, window);
  g_task_set_task_data (task, flow, flow_free);
  say (self, _("The graph is being laid out."));
  ls_task_run (task, make_series);
}

/* The function that is drawn, with other letters. */
static void
letters_changed (LsPassesWindow *window)
{
  LsPassesGraph *self = window->graph;

  if (self->flow != NULL)
    {
      g_autofree char *function = g_strdup (self->flow->function);

      ask (window, function, self->flow->dump);
    }
}

/* ---- the page ---- */

void
ls_passes_window_graph_update (LsPassesWindow *window)
{
  LsPassesGraph *self = window->graph;
  gboolean other;
  int dump = ls_passes_list_get_chosen (LS_PASSES_LIST (window->list), &other);
  guint at = gtk_drop_down_get_selected (GTK_DROP_DOWN (window->functions));
  const char *function;

  if (!gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (window->graphed)) || window->passes == NULL || dump < 0 || other)
    {
      ls_passes_window_graph_stop (window);
      return;
    }
  function = at < window->parts->len ? g_array_index (ls_passes_get_log (window->passes)->parts, LsPassPart, g_array_index (window->parts, guint, at)).name
             : self->flow != NULL && self->flow->passes == window->passes ? self->flow->function : NULL;
  if (function == NULL)
    say (self, _("This dump has no function."));
  else if (self->flow != NULL && self->flow->passes == window->passes && strcmp (self->flow->function, function) == 0
           && (self->flow->dumps->len < 60 || (guint) ABS ((int) self->flow->dump - dump) < 20))
    {
      ls_passes_window_graph_stop (window);
      show_state (self, (guint) dump);
    }
  else if (self->asking == NULL || g_strcmp0 (self->wanted, function) != 0)
    ask (window, function, (guint) dump);
}

void
ls_passes_window_graph_stop (LsPassesWindow *window)
{
  if (window->graph != NULL)
    ls_passes_window_stop (&window->graph->asking);
}

/* A block was opened: its text. */
static void
activated (LsPassesWindow *window)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (window->manners[0]), TRUE);
}

GtkWidget *
ls_passes_window_graph_page (LsPassesWindow *window)
{
  LsPassesGraph *self = g_new0 (LsPassesGraph, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  window->graph = self;
  self->worker = ls_worker_new ();
  self->canvas = ls_graph_canvas_new ();
  self->status = ls_status_new ();
  self->words = ls_part_label (NULL, "reason");
  self->stack = gtk_stack_new ();
  gtk_label_set_ellipsize (GTK_LABEL (self->words), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (self->words, "lowering-head");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Graph of the function"), -1);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_stack_add_named (GTK_STACK (self->stack), self->canvas, "canvas");
  gtk_stack_add_named (GTK_STACK (self->stack), self->status, "status");
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (box), self->stack);
  g_signal_connect_swapped (self->canvas, "activated", G_CALLBACK (activated), window);
  g_signal_connect_swapped (self->canvas, "letters", G_CALLBACK (letters_changed), window);
  g_object_set_data_full (G_OBJECT (window->window), "ls-passes-graph", self, graph_free);
  return box;
}
