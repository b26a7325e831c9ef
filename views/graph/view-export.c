/* view-export: what LsGraphView shows as a file: the graph, the module, the measured run. */
#include "views/graph/view-private.h"

#include "views/graph/export.h"
#include "views/parts/ask-file.h"

#include <glib/gi18n.h>

/* What DOT and JSON hold where groups are folded; pictures are of what is shown. */
#define NODES_CHOICE "nodes"

static void
show_problem (LsGraphView *self,
              const char  *words)
{
  gtk_label_set_label (GTK_LABEL (self->notice), words);
  gtk_widget_set_visible (self->notice_bar, TRUE);
}

/* What went wrong stands above the graph; that it is there is the window's to say. */
static void
exported (GObject      *model,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsGraphView) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = ls_graph_export_finish (LS_GRAPH_MODEL (model), result, &error);

  if (self->model == NULL)
    return;
  ls_graph_view_told (self);    /* what was said of a name before is over */
  if (path != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.written", "s", path);
  else
    show_problem (self, error->message);
}

/* ---- a run ------------------------------------------------------------------------- */

/* By a name that no graph has. */
static gboolean
is_of_run (GFile *file)
{
  LsGraphTimesFormat format;

  return ls_graph_timeline_format (g_file_peek_path (file), &format) && format != LS_GRAPH_TIMES_JSON;
}

static void
run_to (GtkWidget *widget,
        GFile     *file,
        gpointer   data)
{
  LsGraphView *self = (LsGraphView *) widget;
  const char *place = ls_session_get_place (self->session);

  if (g_file_peek_path (file) != NULL)
    ls_graph_export_run_async (self->model, place != NULL ? place : "module", g_file_peek_path (file), exported, g_object_ref (self));
}

void
ls_graph_view_export_run (LsGraphView *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save the run (.pftrace or .json for Perfetto, .csv as a table)"),
                                                              GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "run.pftrace");
  ls_ask_file (dialog, GTK_WIDGET (self), run_to, NULL, NULL);
}

/* ---- the graph --------------------------------------------------------------------- */

/* `data`: the dialog, with what was chosen in it. */
static void
export_to (GtkWidget *widget,
           GFile     *file,
           gpointer   data)
{
  LsGraphView *self = (LsGraphView *) widget;
  LsGraphState *state = ls_graph_view_state (self);
  gboolean whole = state == NULL || state->graph->n_folded == 0 || g_strcmp0 (gtk_file_chooser_get_choice (GTK_FILE_CHOOSER (data), NODES_CHOICE), "shown") != 0;

  if (g_file_peek_path (file) == NULL || state == NULL)
    return;
  if (is_of_run (file))
    run_to (widget, file, NULL);
  else if (ls_graph_view_is_waiting (self))
    show_problem (self, _("The graph is not laid out yet."));
  else
    ls_graph_export_async (self->model, ls_graph_canvas_get_scene (CANVAS (self)), g_file_peek_path (file), whole, exported, g_object_ref (self));
}

void
ls_graph_view_export (LsGraphView *self)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Save the graph (.svg, .png, .pdf, .dot, .json, the module as .py, a measured run as .pftrace or .csv)"),
                                                              GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "graph.svg");
  if (ls_graph_view_state (self) != NULL && ls_graph_view_state (self)->graph->n_folded > 0)
    {
      const char *ids[] = { "all", "shown", NULL }, *labels[] = { _("all of them"), _("as shown, groups folded"), NULL };

      gtk_file_chooser_add_choice (GTK_FILE_CHOOSER (dialog), NODES_CHOICE, _("Nodes in DOT and JSON"), ids, labels);
      gtk_file_chooser_set_choice (GTK_FILE_CHOOSER (dialog), NODES_CHOICE, "all");
    }
  ls_ask_file (dialog, GTK_WIDGET (self), export_to, g_object_ref (dialog), g_object_unref);
}
