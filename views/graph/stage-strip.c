/* LsStageStrip: cells are widgets in columns; the arrows between them are drawn below.  An arrow that passes over cells goes
 * round them, in a lane under the rows.
 */
#include "views/graph/stage-strip.h"

#include "views/canvas/look.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

#define GAP 40                  /* between columns */
#define ROW_GAP 10
#define MARGIN 20
#define ABOVE 14
#define LANE 9
#define HEAD 5.0

struct _LsStageStrip
{
  GtkWidget    parent_instance;

  LsStagePlan *plan;
  GPtrArray   *widgets;         /* of the cells, which own them as children */
  guint        n_lanes;
};

G_DEFINE_FINAL_TYPE (LsStageStrip, ls_stage_strip, GTK_TYPE_WIDGET)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- places ------------------------------------------------------------------------- */

static int
natural (GtkWidget      *widget,
         GtkOrientation  orientation)
{
  int size;

  gtk_widget_measure (widget, orientation, -1, NULL, &size, NULL, NULL);
  return size;
}

static int
column_width (LsStageStrip *self,
              guint         column)
{
  int width = 0;

  for (guint i = 0; i < self->widgets->len; i++)
    if (((LsStageCell *) self->plan->cells->pdata[i])->column == column)
      width = MAX (width, natural (self->widgets->pdata[i], GTK_ORIENTATION_HORIZONTAL));
  return width;
}

static int
row_height (LsStageStrip *self)
{
  int height = 0;

  for (guint i = 0; i < self->widgets->len; i++)
    height = MAX (height, natural (self->widgets->pdata[i], GTK_ORIENTATION_VERTICAL));
  return height;
}

static void
ls_stage_strip_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural_size,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  LsStageStrip *self = LS_STAGE_STRIP (widget);
  int size = 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      for (guint i = 0; i < self->plan->n_columns; i++)
        size += column_width (self, i) + (i > 0 ? GAP : 0);
      size += 2 * MARGIN;
    }
  else
    size = (int) self->plan->n_rows * (row_height (self) + ROW_GAP) - ROW_GAP + 2 * ABOVE + (int) self->n_lanes * LANE;
  *minimum = *natural_size = size;
}

static void
ls_stage_strip_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  LsStageStrip *self = LS_STAGE_STRIP (widget);
  int row = row_height (self), x = MARGIN;

  for (guint column = 0; column < self->plan->n_columns; column++)
    {
      int wide = column_width (self, column);

      for (guint i = 0; i < self->widgets->len; i++)
        {
          const LsStageCell *cell = self->plan->cells->pdata[i];
          GtkAllocation place = { x, ABOVE + (int) cell->row * (row + ROW_GAP), wide, row };

          if (cell->column == column)
            gtk_widget_size_allocate (self->widgets->pdata[i], &place, -1);
        }
      x += wide + GAP;
    }
}

/* ---- arrows --------------------------------------------------------------------------- */

static gboolean
is_long (LsStagePlan       *plan,
         const LsStageLink *link)
{
  const LsStageCell *from = plan->cells->pdata[link->from], *to = plan->cells->pdata[link->to];

  return to->column > from->column + 1;
}

static void
draw_head (cairo_t *cr,
           double   x,
           double   y)
{
  cairo_move_to (cr, x, y);
  cairo_rel_line_to (cr, -HEAD - 1.0, -HEAD + 1.0);
  cairo_rel_line_to (cr, 0.0, 2.0 * HEAD - 2.0);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
draw_link (cairo_t               *cr,
           const graphene_rect_t *from,
           const graphene_rect_t *to,
           double                 lane)
{
  double x = (double) (from->origin.x + from->size.width), y = (double) (from->origin.y + from->size.height / 2.0f);
  double end = (double) to->origin.x, end_y = (double) (to->origin.y + to->size.height / 2.0f);

  cairo_move_to (cr, x, y);
  if (lane > 0.0)
    {
      /* Down after its cell, along below, and up before the other one. */
      cairo_curve_to (cr, x + 12.0, y, x + 8.0, lane, x + 22.0, lane);
      cairo_line_to (cr, end - 24.0, lane);
      cairo_curve_to (cr, end - 10.0, lane, end - 16.0, end_y + 4.0, end - HEAD, end_y + 4.0);
      end_y += 4.0;
    }
  else
    cairo_curve_to (cr, x + GAP / 2.0, y, end - GAP / 2.0, end_y, end - HEAD, end_y);
  cairo_stroke (cr);
  draw_head (cr, end, end_y);
}

static void
ls_stage_strip_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  LsStageStrip *self = LS_STAGE_STRIP (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double lane = ABOVE + self->plan->n_rows * (double) (row_height (self) + ROW_GAP) - ROW_GAP;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  LsLook look;

  ls_look_from_widget (widget, &look);
  gdk_cairo_set_source_rgba (cr, ls_look_get (&look, LS_LOOK_DIM));
  cairo_set_line_width (cr, 1.25);
  for (guint i = 0; i < self->plan->links->len; i++)
    {
      const LsStageLink *link = &g_array_index (self->plan->links, LsStageLink, i);
      gboolean around = is_long (self->plan, link);
      graphene_rect_t from, to;

      if (around)
        lane += LANE;
      if (gtk_widget_compute_bounds (self->widgets->pdata[link->from], widget, &from) &&
          gtk_widget_compute_bounds (self->widgets->pdata[link->to], widget, &to))
        draw_link (cr, &from, &to, around ? lane : 0.0);
    }
  cairo_destroy (cr);
  GTK_WIDGET_CLASS (ls_stage_strip_parent_class)->snapshot (widget, snapshot);
}

/* ---- cells ------------------------------------------------------------------------------ */

static void
clicked (GtkWidget    *button,
         LsStageStrip *self)
{
  g_signal_emit (self, signals[CHOSEN], 0, g_object_get_data (G_OBJECT (button), "ls-stage"));
}

static GtkWidget *
make_cell (LsStageStrip      *self,
           const LsStageCell *cell)
{
  static const char *const classes[] = { "arguments", "computes", "inside", "result" };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *widget = box;
  GtkWidget *title = ls_part_label_at (cell->title, "code", 0.5f), *words = ls_part_label_at (cell->words, "caption", 0.5f);
  g_autofree char *whole = g_strdup_printf ("%s, %s", cell->title, cell->words);

  gtk_widget_add_css_class (title, "strong");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), words);
  if (cell->kind == LS_STAGE_COMPUTES)
    {
      widget = gtk_button_new ();
      gtk_button_set_child (GTK_BUTTON (widget), box);
      gtk_widget_set_tooltip_text (widget, cell->line);
      g_object_set_data (G_OBJECT (widget), "ls-stage", cell->title);
      g_signal_connect (widget, "clicked", G_CALLBACK (clicked), self);
      if (cell->line != NULL)
        gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, cell->line, -1);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
  gtk_widget_add_css_class (widget, "stage");
  gtk_widget_add_css_class (widget, classes[cell->kind]);
  gtk_widget_set_parent (widget, GTK_WIDGET (self));
  return widget;
}

/* In reading order: the keyboard and a screen reader go from left to right. */
static void
make_cells (LsStageStrip *self)
{
  g_ptr_array_set_size (self->widgets, (gint) self->plan->cells->len);
  for (guint column = 0; column < self->plan->n_columns; column++)
    for (guint i = 0; i < self->plan->cells->len; i++)
      if (((LsStageCell *) self->plan->cells->pdata[i])->column == column)
        self->widgets->pdata[i] = make_cell (self, self->plan->cells->pdata[i]);
  for (guint i = 0; i < self->plan->links->len; i++)
    self->n_lanes += is_long (self->plan, &g_array_index (self->plan->links, LsStageLink, i));
}

/* ---- class -------------------------------------------------------------------------------- */

static void
ls_stage_strip_dispose (GObject *object)
{
  LsStageStrip *self = LS_STAGE_STRIP (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_ptr_array_set_size (self->widgets, 0);
  G_OBJECT_CLASS (ls_stage_strip_parent_class)->dispose (object);
}

static void
ls_stage_strip_finalize (GObject *object)
{
  LsStageStrip *self = LS_STAGE_STRIP (object);

  g_ptr_array_unref (self->widgets);
  g_clear_pointer (&self->plan, ls_stage_plan_free);
  G_OBJECT_CLASS (ls_stage_strip_parent_class)->finalize (object);
}

static void
ls_stage_strip_class_init (LsStageStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_stage_strip_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_stage_strip_finalize;
  widget_class->measure = ls_stage_strip_measure;
  widget_class->size_allocate = ls_stage_strip_size_allocate;
  widget_class->snapshot = ls_stage_strip_snapshot;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_css_name (widget_class, "stagestrip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_stage_strip_init (LsStageStrip *self)
{
  self->widgets = g_ptr_array_new ();
}

GtkWidget *
ls_stage_strip_new (LsStagePlan *plan)
{
  LsStageStrip *self = g_object_new (LS_TYPE_STAGE_STRIP, NULL);

  self->plan = plan;
  make_cells (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Stages"), -1);
  return GTK_WIDGET (self);
}
