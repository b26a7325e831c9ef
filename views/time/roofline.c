/* LsRooflineView: a drawn chart at the left, a grid of labels at the right; the grid is what a screen reader reads.  Nothing is
 * worked out while it is not shown.
 */
#include "views/time/roofline.h"

#include "views/canvas/draw-roofline.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>

#define HEIGHT 240
#define LINES 13                /* of text as high as the chart, at least */
#define LOW_LINES 10            /* in a low window, where the lower ones of its labels would lie outside else */
#define TABLE_WIDTH 256
#define ROOMY 720               /* from here on the table has the intensities too, which the chart shows in any case */

struct _LsRooflineView
{
  GtkWidget   parent_instance;

  LsSession  *session;
  LsRoofline *roofline;
  GtkWidget  *stack;
  GtkWidget  *status;
  GtkWidget  *chart;
  GtkWidget  *verdict;
  GtkWidget  *machine;
  GtkWidget  *grid;
  GtkWidget  *again;
  gboolean    roomy;
  gboolean    part;
};

G_DEFINE_FINAL_TYPE (LsRooflineView, ls_roofline_view, GTK_TYPE_WIDGET)

/* ---- the chart -------------------------------------------------------------- */

#define LS_TYPE_ROOFLINE_CHART (ls_roofline_chart_get_type ())
G_DECLARE_FINAL_TYPE (LsRooflineChart, ls_roofline_chart, LS, ROOFLINE_CHART, GtkWidget)

struct _LsRooflineChart
{
  GtkWidget   parent_instance;
  LsRoofline *roofline;         /* borrowed */
  gboolean    low;
};

G_DEFINE_FINAL_TYPE (LsRooflineChart, ls_roofline_chart, GTK_TYPE_WIDGET)

static void
ls_roofline_chart_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  LsRooflineChart *self = LS_ROOFLINE_CHART (widget);
  LsLook look;
  LsFigure figure = { .snapshot = snapshot, .pango = gtk_widget_get_pango_context (widget), .look = &look };

  ls_look_from_widget (widget, &look);
  if (self->roofline != NULL)
    ls_draw_roofline (&figure, self->roofline, 0.0f, 0.0f, (float) gtk_widget_get_width (widget),
                      (float) gtk_widget_get_height (widget));
}

/* Room for the labels and for a frame that is twice as wide as they are. */
static void
ls_roofline_chart_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "500\u202fGFLOP/s");
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 5 * width / 2
             : LS_ROOFLINE_CHART (widget)->low ? LOW_LINES * height : MAX (HEIGHT, LINES * height);
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 4 * width : *minimum;
}

static void
ls_roofline_chart_class_init (LsRooflineChartClass *klass)
{
  GTK_WIDGET_CLASS (klass)->measure = ls_roofline_chart_measure;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_roofline_chart_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_roofline_chart_init (LsRooflineChart *self)
{
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

/* ---- the table --------------------------------------------------------------- */

/* (transfer none) */
static GtkWidget *
figure_new (const char *text,
            const char *css_class)
{
  GtkWidget *label = ls_part_label_at (NULL, css_class, 1.0f);

  ls_part_set_figure (GTK_LABEL (label), text);
  return label;
}

static void
put_intensity (LsRooflineView *self,
               const char     *text,
               const char     *css_class,
               int             row)
{
  GtkWidget *label = figure_new (text, css_class);

  gtk_widget_set_visible (label, self->roomy);
  gtk_grid_attach (GTK_GRID (self->grid), label, 2, row, 1, 1);
}

static void
put_row (LsRooflineView        *self,
         const LsRooflinePoint *point,
         int                    row)
{
  gboolean drawn = ls_roofline_is_drawn (point);
  g_autofree char *tag = ls_step_item_tag (point->item);
  g_autofree char *intensity = point->bytes > 0.0 ? g_strdup_printf ("%.3g", ls_roofline_intensity (point)) : g_strdup ("–");
  g_autofree char *speed = drawn ? ls_roofline_speed_text (ls_roofline_speed (point)) : g_strdup (_("not measured"));
  g_autofree char *share = ls_roofline_share_text (self->roofline, point);
  GtkWidget *name = ls_part_label (ls_step_item_get (point->item)->name, "code");

  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (name, TRUE);
  ls_tip_set (name, ls_step_item_get (point->item)->call);
  gtk_grid_attach (GTK_GRID (self->grid), ls_part_label (tag, "strong"), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), name, 1, row, 1, 1);
  put_intensity (self, intensity, "figure", row);
  gtk_grid_attach (GTK_GRID (self->grid), figure_new (speed, drawn ? "figure" : "reason"), 3, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), figure_new (share, "figure"), 4, row, 1, 1);
}

static void
fill_grid (LsRooflineView *self)
{
  const char *heads[] = { NULL, _("Step"), NULL, _("reached"), _("of its roof") };
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)) != NULL)
    gtk_grid_remove (GTK_GRID (self->grid), child);
  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    if (heads[i] != NULL)
      gtk_grid_attach (GTK_GRID (self->grid), ls_part_label_at (heads[i], "caption", i > 1 ? 1.0f : 0.0f), (int) i, 0, 1, 1);
  put_intensity (self, "FLOP/B", "caption", 0);
  for (guint i = 0; i < self->roofline->points->len; i++)
    put_row (self, &g_array_index (self->roofline->points, LsRooflinePoint, i), (int) i + 1);
}

/* What the drawing shows, in words: the roofs; the steps stand in the table. (transfer full) */
static char *
chart_words (LsRooflineView *self)
{
  g_autofree char *peak = ls_roofline_speed_text (self->roofline->flop_per_s);
  GString *words = g_string_new (NULL);

  if (self->roofline->device != NULL)
    g_string_append_printf (words, _("Roofline: %s computes %s"), self->roofline->device, peak);
  else
    g_string_append_printf (words, _("Roofline: one core computes %s"), peak);
  for (guint i = 0; i < self->roofline->n_roofs; i++)
    g_string_append_printf (words, ", %s %.3g GB/s", self->roofline->roofs[i].name, self->roofline->roofs[i].bytes_per_s * 1e-9);
  return g_string_free (words, FALSE);
}

/* ---- following the session ------------------------------------------------------ */

static void
show_status (LsRooflineView *self)
{
  if (self->roofline == NULL)
    ls_status_set (LS_STATUS (self->status), _("Nothing is opened."), NULL, NULL, NULL);
  else if (self->roofline->device != NULL)
    ls_status_set (LS_STATUS (self->status), self->roofline->trouble, NULL, NULL, NULL);
  else if (self->roofline->running)
    ls_status_set (LS_STATUS (self->status), _("Measuring what one core of this machine can do…"), _("Cancel"), "win.cancel-results", NULL);
  else if (self->part && self->roofline->trouble == NULL)
    ls_status_set (LS_STATUS (self->status), _("What this machine can do is not measured yet."), NULL, NULL, NULL);
  else
    ls_status_set (LS_STATUS (self->status),
                   self->roofline->trouble != NULL ? self->roofline->trouble : _("What this machine can do is not measured yet."),
                   _("Measure the machine"), "win.measure-machine", _("It takes a second, or up to fifteen while others use the machine, and is kept."));
}

static void
show (LsRooflineView *self)
{
  g_autofree char *verdict = NULL, *machine = NULL, *counting = NULL, *about = NULL, *words = NULL;

  LS_ROOFLINE_CHART (self->chart)->roofline = NULL;
  g_clear_pointer (&self->roofline, ls_roofline_free);
  self->roofline = ls_session_get_roofline (self->session);
  if (self->roofline == NULL || !self->roofline->known || self->roofline->running)
    {
      show_status (self);
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "empty");
      return;
    }
  LS_ROOFLINE_CHART (self->chart)->roofline = self->roofline;
  gtk_widget_queue_draw (self->chart);
  verdict = ls_roofline_verdict (self->roofline);
  machine = ls_roofline_machine_text (self->roofline);
  counting = ls_roofline_counting_text (self->roofline);
  about = g_strdup_printf ("%s %s", machine, counting);
  words = chart_words (self);
  gtk_label_set_label (GTK_LABEL (self->verdict), verdict);
  gtk_label_set_label (GTK_LABEL (self->machine), about);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->chart), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_set_visible (self->again, self->roofline->device == NULL);
  fill_grid (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "chart");
}

static void
refresh_idle (gpointer data)
{
  LsRooflineView *self = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    show (self);
}

static void
queue_refresh (LsRooflineView *self)
{
  if (self->session != NULL)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, refresh_idle);
}

/* ---- class ------------------------------------------------------------------------ */

static void
ls_roofline_view_measure (GtkWidget     *widget,
                          GtkOrientation orientation,
                          int            for_size,
                          int           *minimum,
                          int           *natural,
                          int           *minimum_baseline,
                          int           *natural_baseline)
{
  gtk_widget_measure (LS_ROOFLINE_VIEW (widget)->stack, orientation, for_size, minimum, natural, NULL, NULL);
}

static void
show_columns (gpointer data)
{
  LsRooflineView *self = data;

  for (int row = 0; gtk_grid_get_child_at (GTK_GRID (self->grid), 2, row) != NULL; row++)
    gtk_widget_set_visible (gtk_grid_get_child_at (GTK_GRID (self->grid), 2, row), self->roomy);
}

/* As what is in it: else GTK asks that for a height without saying how wide it is, and gives it less than it needs. */
static GtkSizeRequestMode
ls_roofline_view_get_request_mode (GtkWidget *widget)
{
  return gtk_widget_get_request_mode (LS_ROOFLINE_VIEW (widget)->stack);
}

static void
ls_roofline_view_size_allocate (GtkWidget *widget,
                                int        width,
                                int        height,
                                int        baseline)
{
  LsRooflineView *self = LS_ROOFLINE_VIEW (widget);

  if (self->roomy != (width >= ls_theme_grow (ROOMY)))
    {
      self->roomy = !self->roomy;
      ls_later (self, G_PRIORITY_HIGH_IDLE, 0, show_columns);
    }
  gtk_widget_size_allocate (self->stack, &(GtkAllocation) { 0, 0, width, height }, baseline);
}

static void
ls_roofline_view_dispose (GObject *object)
{
  LsRooflineView *self = LS_ROOFLINE_VIEW (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_pointer (&self->roofline, ls_roofline_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_roofline_view_parent_class)->dispose (object);
}

static void
ls_roofline_view_class_init (LsRooflineViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_roofline_view_dispose;
  GTK_WIDGET_CLASS (klass)->measure = ls_roofline_view_measure;
  GTK_WIDGET_CLASS (klass)->get_request_mode = ls_roofline_view_get_request_mode;
  GTK_WIDGET_CLASS (klass)->size_allocate = ls_roofline_view_size_allocate;
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "rooflineview");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
buttons_new (LsRooflineView *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *export = gtk_button_new_with_label (_("Export"));

  self->again = gtk_button_new_with_label (_("Measure the machine again"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->again), "win.measure-machine");
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (export), "win.export-figure::roofline");
  ls_tip_set (export, _("Save the chart as SVG, PDF or PNG"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (export), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Export the roofline"), -1);
  gtk_widget_add_css_class (self->again, "flat");
  gtk_widget_add_css_class (export, "flat");
  gtk_box_append (GTK_BOX (line), self->again);
  gtk_box_append (GTK_BOX (line), export);
  return line;
}

static GtkWidget *
table_new (LsRooflineView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->verdict = ls_part_label (NULL, "strong");
  self->machine = ls_part_label (NULL, "reason");
  self->grid = gtk_grid_new ();
  gtk_label_set_wrap (GTK_LABEL (self->verdict), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->machine), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->verdict), 40);
  gtk_label_set_max_width_chars (GTK_LABEL (self->machine), 50);
  gtk_grid_set_column_spacing (GTK_GRID (self->grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->grid), 2);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->grid), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Steps under the roofline"), -1);
  gtk_box_append (GTK_BOX (box), self->verdict);
  gtk_box_append (GTK_BOX (box), self->grid);
  gtk_box_append (GTK_BOX (box), self->machine);
  gtk_box_append (GTK_BOX (box), buttons_new (self));
  gtk_widget_add_css_class (box, "time-card");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_widget_set_size_request (scroller, ls_theme_grow (TABLE_WIDTH), -1);
  return scroller;
}

static void
ls_roofline_view_init (LsRooflineView *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->stack = gtk_stack_new ();
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  self->status = g_object_new (LS_TYPE_STATUS, NULL);
  self->chart = g_object_new (LS_TYPE_ROOFLINE_CHART, NULL);
  gtk_box_append (GTK_BOX (line), self->chart);
  gtk_box_append (GTK_BOX (line), table_new (self));
  gtk_stack_add_named (GTK_STACK (self->stack), self->status, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), line, "chart");
  g_signal_connect (self, "map", G_CALLBACK (queue_refresh), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Roofline"), -1);
}

GtkWidget *
ls_roofline_view_new (void)
{
  return g_object_new (LS_TYPE_ROOFLINE_VIEW, NULL);
}

void
ls_roofline_view_set_part (LsRooflineView *self,
                           gboolean        part)
{
  self->part = part;
}

void
ls_roofline_view_set_low (LsRooflineView *self,
                          gboolean        low)
{
  LS_ROOFLINE_CHART (self->chart)->low = low;
  gtk_widget_queue_resize (self->chart);
}

void
ls_roofline_view_set_session (LsRooflineView *self,
                              LsSession      *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (queue_refresh), self);
  queue_refresh (self);
}
