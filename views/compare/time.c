/* LsCompareTime: labels, a drawn chart and a grid of figures. */
#include "views/compare/time.h"

#include "views/canvas/draw-samples.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

#define LOW_CHART 150           /* it gets what words and figures leave */

struct _LsCompareTime
{
  GtkWidget     parent_instance;

  LsComparison *comparison;
  GtkWidget    *card;
  GtkWidget    *stack;
  GtkWidget    *status;
  GtkWidget    *place;          /* of the card: in the scroller, or by itself */
  GtkWidget    *scroller;
  GtkWidget    *verdict;
  GtkWidget    *why;
  GtkWidget    *chart;
  GtkWidget    *grid;
  GtkWidget    *cells[2][4];
};

G_DEFINE_FINAL_TYPE (LsCompareTime, ls_compare_time, GTK_TYPE_WIDGET)

/* ---- the chart, a widget of its own for its place in the box --------------- */

#define LS_TYPE_SAMPLES_CHART (ls_samples_chart_get_type ())
G_DECLARE_FINAL_TYPE (LsSamplesChart, ls_samples_chart, LS, SAMPLES_CHART, GtkWidget)

struct _LsSamplesChart
{
  GtkWidget     parent_instance;
  LsComparison *comparison;
  float         row;            /* height of one side */
};

G_DEFINE_FINAL_TYPE (LsSamplesChart, ls_samples_chart, GTK_TYPE_WIDGET)

static void
ls_samples_chart_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  LsSamplesChart *self = LS_SAMPLES_CHART (widget);
  LsLook look;
  LsFigure figure = { .snapshot = snapshot, .pango = gtk_widget_get_pango_context (widget), .look = &look };

  ls_look_from_widget (widget, &look);
  if (self->comparison != NULL)
    ls_draw_samples (&figure, self->comparison, 0.0f, 4.0f, (float) gtk_widget_get_width (widget), self->row * (float) ls_theme_get_scale () / 100.0f);
}

static void
ls_samples_chart_dispose (GObject *object)
{
  ls_comparison_set (&LS_SAMPLES_CHART (object)->comparison, NULL);
  G_OBJECT_CLASS (ls_samples_chart_parent_class)->dispose (object);
}

static void
ls_samples_chart_class_init (LsSamplesChartClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_samples_chart_dispose;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_samples_chart_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_samples_chart_init (LsSamplesChart *self)
{
  self->row = LS_SAMPLES_ROW;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("All samples"), -1);
}

/* ---- figures ---------------------------------------------------------------- */

static void
put_figures (LsCompareTime        *self,
             guint                 row,
             const LsComparedSide *side,
             LsTimeUnit            unit)
{
  gboolean known = side->time.samples > 0;
  g_autofree char *min = known && side->time.min > 0.0 ? ls_format_time_in (side->time.min, unit) : NULL;
  g_autofree char *figure = known ? ls_format_time_in (side->time.median, unit) : NULL;
  g_autofree char *median = known ? g_strdup_printf ("%s\u202f%s", figure, ls_time_unit_name (unit)) : NULL;
  g_autofree char *q1 = known ? ls_format_time_in (side->time.q1, unit) : NULL;
  g_autofree char *q3 = known ? ls_format_time_in (side->time.q3, unit) : NULL;
  g_autofree char *range = known ? g_strdup_printf ("%s–%s", q1, q3) : NULL;
  g_autofree char *rate = known && side->flop > 0.0 ? g_strdup_printf ("%.3g", side->flop / side->time.median * 1e-9) : NULL;
  const char *texts[] = { min, median, range, rate };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    ls_part_set_figure (GTK_LABEL (self->cells[row][i]), texts[i] != NULL ? texts[i] : "–");
}

static void
show_status (LsCompareTime *self)
{
  LsComparison *comparison = self->comparison;

  if (comparison != NULL && (comparison->left.loops->len == 0 || comparison->right.loops->len == 0))
    ls_status_set (LS_STATUS (self->status), _("Without a TensorIR function there is nothing to measure here."), NULL, NULL,
                   _("Whole models are measured on the Graph page."));
  else
    ls_status_set (LS_STATUS (self->status), _("Not measured yet."), _("Measure both"), "win.measure-compared", NULL);
}

static void
update (LsCompareTime *self)
{
  LsComparison *comparison = self->comparison;
  gboolean any = comparison != NULL && comparison->left.time.samples > 0 && comparison->right.time.samples > 0;
  LsTimeUnit unit;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), any ? "figures" : "empty");
  ls_comparison_set (&LS_SAMPLES_CHART (self->chart)->comparison, comparison);
  gtk_widget_set_visible (self->chart, any && comparison->left.samples != NULL && comparison->right.samples != NULL);
  gtk_widget_queue_draw (self->chart);
  if (!any)
    {
      show_status (self);
      return;
    }
  gtk_label_set_label (GTK_LABEL (self->verdict), comparison->verdict);
  gtk_label_set_label (GTK_LABEL (self->why), comparison->why != NULL ? comparison->why : "");
  gtk_widget_set_visible (self->why, comparison->why != NULL);
  unit = ls_format_time_unit (MAX (comparison->left.time.median, comparison->right.time.median));
  put_figures (self, 0, &comparison->left, unit);
  put_figures (self, 1, &comparison->right, unit);
}

static void
build_grid (LsCompareTime *self)
{
  const char *heads[] = { _("min"), _("median"), _("IQR"), _("GFLOP/s") };
  const char *names[] = { _("Left"), _("Right") };

  self->grid = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 14);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 4);
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    gtk_grid_attach (GTK_GRID (self->grid), ls_part_label_at (heads[i], "caption", 1.0f), (int) i + 1, 0, 1, 1);
  for (guint row = 0; row < 2; row++)
    {
      GtkWidget *name = ls_part_label (names[row], "strong");

      gtk_widget_set_hexpand (name, TRUE);
      gtk_grid_attach (GTK_GRID (self->grid), name, 0, (int) row + 1, 1, 1);
      for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
        {
          self->cells[row][i] = ls_part_label_at ("–", "figure", 1.0f);
          if (i == 1)
            gtk_widget_add_css_class (self->cells[row][i], "strong");
          gtk_grid_attach (GTK_GRID (self->grid), self->cells[row][i], (int) i + 1, (int) row + 1, 1, 1);
        }
    }
}

static GtkWidget *
figures_box (LsCompareTime *self)
{
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->scroller = gtk_scrolled_window_new ();
  self->card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  self->verdict = ls_part_label (NULL, "verdict");
  self->why = ls_part_label (NULL, NULL);
  gtk_label_set_wrap (GTK_LABEL (self->verdict), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->why), TRUE);
  self->chart = g_object_new (LS_TYPE_SAMPLES_CHART, NULL);
  build_grid (self);
  gtk_widget_set_valign (self->grid, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->card, "time-card");
  gtk_box_append (GTK_BOX (words), self->verdict);
  gtk_box_append (GTK_BOX (words), self->why);
  gtk_box_append (GTK_BOX (self->card), words);
  gtk_box_append (GTK_BOX (self->card), self->chart);
  gtk_box_append (GTK_BOX (self->card), self->grid);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->card);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  self->place = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->place), self->scroller);
  return self->place;
}

/* What is shown whole stands in no scrolled window: GTK's asks what is in it for its height at no width in particular, and words that wrap get too little. */
static void
place_card (LsCompareTime *self,
            gboolean       whole)
{
  if (whole == (gtk_widget_get_parent (self->card) == self->place))
    return;
  g_object_ref (self->card);
  if (whole)
    {
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), NULL);
      gtk_box_append (GTK_BOX (self->place), self->card);
    }
  else
    {
      gtk_box_remove (GTK_BOX (self->place), self->card);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->card);
    }
  gtk_widget_set_visible (self->scroller, !whole);
  g_object_unref (self->card);
}

static void
ls_compare_time_dispose (GObject *object)
{
  g_clear_pointer (&LS_COMPARE_TIME (object)->stack, gtk_widget_unparent);
  ls_comparison_set (&LS_COMPARE_TIME (object)->comparison, NULL);
  G_OBJECT_CLASS (ls_compare_time_parent_class)->dispose (object);
}

static void
ls_compare_time_class_init (LsCompareTimeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_compare_time_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "comparetime");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_compare_time_init (LsCompareTime *self)
{
  self->status = g_object_new (LS_TYPE_STATUS, NULL);
  self->stack = gtk_stack_new ();
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  show_status (self);
  gtk_stack_add_named (GTK_STACK (self->stack), self->status, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), figures_box (self), "figures");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Time"), -1);
}

GtkWidget *
ls_compare_time_new (void)
{
  return g_object_new (LS_TYPE_COMPARE_TIME, NULL);
}

void
ls_compare_time_set (LsCompareTime *self,
                     LsComparison  *comparison)
{
  ls_comparison_set (&self->comparison, comparison);
  update (self);
}

int
ls_compare_time_get_lack (LsCompareTime *self)
{
  int width = gtk_widget_get_width (self->card), needed = 0, asked = 0;

  if (width <= 0 || !gtk_widget_get_mapped (self->scroller))
    return 0;
  gtk_widget_measure (self->card, GTK_ORIENTATION_VERTICAL, width, NULL, &needed, NULL, NULL);
  gtk_widget_measure (self->scroller, GTK_ORIENTATION_VERTICAL, -1, NULL, &asked, NULL, NULL);
  return MAX (needed - asked, 0);
}

void
ls_compare_time_set_shape (LsCompareTime *self,
                           gboolean       low,
                           gboolean       whole)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->card), low ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self->card), low ? 24 : 8);
  gtk_widget_set_hexpand (self->chart, low);
  gtk_label_set_max_width_chars (GTK_LABEL (self->verdict), low ? 22 : -1);
  gtk_label_set_max_width_chars (GTK_LABEL (self->why), low ? 36 : -1);
  place_card (self, whole);
  LS_SAMPLES_CHART (self->chart)->row = low ? LS_SAMPLES_LOW_ROW : LS_SAMPLES_ROW;
  gtk_widget_set_size_request (self->chart, ls_theme_grow (low ? LOW_CHART : 200), ls_theme_grow ((int) ls_samples_height (LS_SAMPLES_CHART (self->chart)->row)));
  if (low)
    gtk_widget_add_css_class (self->card, "low");
  else
    gtk_widget_remove_css_class (self->card, "low");
}
