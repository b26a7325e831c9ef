/* run/plot: a value over the run: an element of a buffer at each of its writes, or an expression each time the run comes to the statement
 * that it was asked at.
 *
 * What the run has gone through is told in pieces (the worker gives up after a fifth of a second and says from where to go on), and when the
 * run has gone on, only what is new.
 */
#include "app/run/private.h"

#include "views/parts/parts.h"
#include "views/run/grid.h"
#include "views/run/plot.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsRunPlotted
{
  char    *expression;          /* NULL: nothing is plotted */
  gint64   line;                /* of its statement; 0: an element */
  guint64  next;                /* what was told so far */
  guint    turn;                /* answers to questions of before are not for this */
  gboolean asks;
};

LsRunPlotted *
ls_run_plotted_new (void)
{
  return g_new0 (LsRunPlotted, 1);
}

void
ls_run_plotted_free (LsRunPlotted *self)
{
  g_free (self->expression);
  g_free (self);
}

typedef struct {
  GtkWidget *plot;              /* lives on where the window has gone; then it knows no run */
  guint      turn;
} Asked;

static void
plot_answered (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  g_autofree Asked *asked = data;
  g_autoptr (GtkWidget) plot = asked->plot;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  LsRun *self = g_object_get_data (G_OBJECT (plot), LS_RUN_KEY);
  LsRunPlotted *plotted = self != NULL ? self->plotted : NULL;
  guint64 next;

  if (plotted == NULL || plotted->turn != asked->turn)
    return;
  plotted->asks = FALSE;
  if (answer == NULL)
    {
      g_clear_pointer (&plotted->expression, g_free);
      gtk_label_set_label (GTK_LABEL (self->plot_words), error->message);
      return;
    }
  next = (guint64) ls_params_int (answer, "next", 0);
  if (next <= plotted->next && next > 0)
    return;
  if (plotted->line == 0)
    plotted->line = ls_params_int (answer, "line", 0);
  plotted->next = MAX (next, 1);
  ls_run_plot_add (LS_RUN_PLOT (self->plot), answer);
  ls_run_plot_follow (self);
}

void
ls_run_plot_follow (LsRun *self)
{
  LsRunPlotted *plotted = self->plotted;
  guint64 clock = self->look != NULL ? (guint64) ls_params_int (self->look, "clock", 0) : 0;
  g_autoptr (GString) command = NULL;
  GVariantDict params;
  Asked *asked;

  ls_run_plot_go (LS_RUN_PLOT (self->plot), clock);
  if (plotted->expression == NULL || plotted->asks || ls_run_is_busy (self) || self->look == NULL || (clock <= plotted->next && plotted->next > 0))
    return;
  command = g_string_new ("plot ");
  g_string_append (command, plotted->expression);
  if (plotted->line > 0)
    g_string_append_printf (command, " line %" G_GINT64_FORMAT, plotted->line);
  g_string_append_printf (command, " from %" G_GUINT64_FORMAT, plotted->next);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command->str);
  asked = g_new (Asked, 1);
  *asked = (Asked) { g_object_ref (self->plot), plotted->turn };
  plotted->asks = TRUE;
  ls_worker_call_async (self->worker, "debug", g_variant_dict_end (&params), NULL, NULL, plot_answered, asked);
}

/* Begins anew with the same expression: the run begins. */
void
ls_run_plot_forget (LsRun *self)
{
  LsRunPlotted *plotted = self->plotted;

  plotted->turn++;
  plotted->asks = FALSE;
  plotted->next = 0;
  ls_run_plot_clear (LS_RUN_PLOT (self->plot), plotted->expression);
}

static void
expression_chosen (LsRun *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->plot_entry));

  g_free (self->plotted->expression);
  self->plotted->expression = *text != '\0' ? g_strdup (text) : NULL;
  self->plotted->line = 0;
  ls_run_plot_forget (self);
  gtk_widget_set_visible (self->plot, *text != '\0');
  ls_run_plot_follow (self);
}

/* The keyboard's cell of the grid. */
static void
cell_wanted (LsRun *self)
{
  g_autofree char *words = ls_run_grid_words (LS_RUN_GRID (self->grid));
  char *close = strchr (words, ']');

  if (close == NULL)
    return;
  close[1] = '\0';
  gtk_editable_set_text (GTK_EDITABLE (self->plot_entry), words);
  expression_chosen (self);
}

static void
show_words (LsRun *self)
{
  g_autofree char *words = ls_run_plot_words (LS_RUN_PLOT (self->plot));

  gtk_label_set_label (GTK_LABEL (self->plot_words), words);
}

static void
point_wanted (LsRun   *self,
              guint64  clock)
{
  g_autofree char *command = g_strdup_printf ("goto %" G_GUINT64_FORMAT, clock);

  if (self->look != NULL && !ls_run_is_busy (self))
    self->send (self, command);
}

GtkWidget *
ls_run_plot_box_new (LsRun *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *row = ls_part_row (NULL);
  GtkWidget *cell = ls_part_icon_button ("find-location-symbolic", _("Plot the chosen element of the buffer"));

  self->plot_entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->plot_entry), _("Plot (F3): C[0, 0], or an expression of this statement"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->plot_entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Value to plot"), -1);
  gtk_widget_set_hexpand (self->plot_entry, TRUE);
  g_signal_connect_swapped (self->plot_entry, "activate", G_CALLBACK (expression_chosen), self);
  g_signal_connect_swapped (cell, "clicked", G_CALLBACK (cell_wanted), self);
  self->plot = g_object_ref_sink (ls_run_plot_new ());
  g_object_set_data (G_OBJECT (self->plot), LS_RUN_KEY, self);
  gtk_widget_set_visible (self->plot, FALSE);
  self->plot_words = ls_part_label (NULL, "code");
  gtk_label_set_ellipsize (GTK_LABEL (self->plot_words), PANGO_ELLIPSIZE_END);
  g_signal_connect_swapped (self->plot, "point-changed", G_CALLBACK (show_words), self);
  g_signal_connect_swapped (self->plot, "wanted", G_CALLBACK (point_wanted), self);
  gtk_box_append (GTK_BOX (row), self->plot_entry);
  gtk_box_append (GTK_BOX (row), cell);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->plot);
  gtk_box_append (GTK_BOX (box), self->plot_words);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}
