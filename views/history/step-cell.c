/* LsStepCell: rail, range or axis as a widget. */
#include "views/history/step-cell.h"

#include "views/canvas/draw-rail.h"
#include "views/canvas/draw-range.h"

struct _LsStepCell
{
  GtkWidget      parent_instance;

  LsStepCellKind kind;
  LsStepItem    *item;
  double         top;
  guint          ticks;
  gboolean       fall;
  double         before;
};

G_DEFINE_FINAL_TYPE (LsStepCell, ls_step_cell, GTK_TYPE_WIDGET)

static void
ls_step_cell_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  LsStepCell *self = LS_STEP_CELL (widget);

  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = 16;
  else if (self->kind == LS_STEP_CELL_RAIL)
    *minimum = *natural = LS_RAIL_WIDTH;
  else
    {
      *minimum = 40;
      *natural = 240;
    }
}

static void
ls_step_cell_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  LsStepCell *self = LS_STEP_CELL (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  LsLook look;

  ls_look_from_widget (widget, &look);
  ls_look_turn (&look, widget, snapshot);
  switch (self->kind)
    {
    case LS_STEP_CELL_RAIL:
      if (self->item != NULL)
        ls_draw_rail (snapshot, &look, self->item, width, height);
      break;
    case LS_STEP_CELL_RANGE:
      if (self->item != NULL && self->fall)
        ls_draw_fall (snapshot, gtk_widget_get_pango_context (widget), &look, self->item, self->before, self->top, self->ticks, width, height);
      else if (self->item != NULL)
        ls_draw_range (snapshot, &look, self->item, self->top, self->ticks, width, height);
      break;
    case LS_STEP_CELL_AXIS:
      if (self->ticks > 0)
        ls_draw_range_axis (snapshot, gtk_widget_get_pango_context (widget), &look, self->top,
                            self->ticks, width, height);
      break;
    }
  gtk_snapshot_restore (snapshot);
}

static void
ls_step_cell_dispose (GObject *object)
{
  ls_step_cell_set_item (LS_STEP_CELL (object), NULL);
  G_OBJECT_CLASS (ls_step_cell_parent_class)->dispose (object);
}

static void
ls_step_cell_class_init (LsStepCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_step_cell_dispose;
  widget_class->measure = ls_step_cell_measure;
  widget_class->snapshot = ls_step_cell_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ls_step_cell_init (LsStepCell *self)
{
  self->top = 1.0;
}

GtkWidget *
ls_step_cell_new (LsStepCellKind kind)
{
  LsStepCell *self = g_object_new (LS_TYPE_STEP_CELL, NULL);

  self->kind = kind;
  return GTK_WIDGET (self);
}

void
ls_step_cell_set_item (LsStepCell *self,
                       LsStepItem *item)
{
  if (self->item == item)
    return;
  if (self->item != NULL)
    g_signal_handlers_disconnect_by_func (self->item, gtk_widget_queue_draw, self);
  g_set_object (&self->item, item);
  if (item != NULL)
    g_signal_connect_swapped (item, "changed", G_CALLBACK (gtk_widget_queue_draw), self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_step_cell_set_axis (LsStepCell *self,
                       double      top,
                       guint       ticks)
{
  self->top = top;
  self->ticks = ticks;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_step_cell_set_fall (LsStepCell *self,
                       gboolean    fall,
                       double      before)
{
  self->fall = fall;
  self->before = before;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

LsStepItem *
ls_step_cell_get_item (LsStepCell *self)
{
  return self->item;
}
