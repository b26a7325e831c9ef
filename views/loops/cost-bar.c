/* LsCostBar: one colour node. */
#include "views/loops/cost-bar.h"

#include "views/canvas/look.h"

#include <math.h>

struct _LsCostBar
{
  GtkWidget parent_instance;

  double    share;
  gboolean  wrong;
};

G_DEFINE_FINAL_TYPE (LsCostBar, ls_cost_bar, GTK_TYPE_WIDGET)

static void
ls_cost_bar_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 72 : 7;
}

static void
ls_cost_bar_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  LsCostBar *self = LS_COST_BAR (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  float length = MAX (1.0f, roundf ((float) self->share * width));
  LsLook look;
  GdkRGBA color;

  if (self->share < 0.0)
    return;

  ls_look_from_widget (widget, &look);
  color = self->wrong ? *ls_look_get (&look, LS_LOOK_ERROR) : ls_look_bar (&look);
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? width - length : 0,
                                                  roundf ((height - 7) / 2), length, 7));
}

static void
ls_cost_bar_class_init (LsCostBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = ls_cost_bar_measure;
  widget_class->snapshot = ls_cost_bar_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ls_cost_bar_init (LsCostBar *self)
{
  self->share = -1.0;
}

GtkWidget *
ls_cost_bar_new (void)
{
  return g_object_new (LS_TYPE_COST_BAR, NULL);
}

void
ls_cost_bar_set_share (LsCostBar *self,
                       double     share)
{
  self->share = MIN (share, 1.0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_cost_bar_set_wrong (LsCostBar *self,
                       gboolean   wrong)
{
  self->wrong = wrong;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
