#include "views/tune/share-bar.h"

#include "views/canvas/look.h"

struct _LsShareBar
{
  GtkWidget parent_instance;
  double    share;
};

G_DEFINE_FINAL_TYPE (LsShareBar, ls_share_bar, GTK_TYPE_WIDGET)

static void
ls_share_bar_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  float width = (float) (LS_SHARE_BAR (widget)->share * gtk_widget_get_width (widget)), height = (float) gtk_widget_get_height (widget);
  float x = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? (float) gtk_widget_get_width (widget) - width : 0.0f;
  LsLook look;
  GdkRGBA color;

  ls_look_from_widget (widget, &look);
  color = ls_look_bar (&look);
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (x, height / 2.0f - 4.0f, MAX (width, 1.0f), 8.0f));
}

static void
ls_share_bar_class_init (LsShareBarClass *klass)
{
  GTK_WIDGET_CLASS (klass)->snapshot = ls_share_bar_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ls_share_bar_init (LsShareBar *self)
{
  gtk_widget_set_size_request (GTK_WIDGET (self), 40, 12);
}

GtkWidget *
ls_share_bar_new (void)
{
  return g_object_new (LS_TYPE_SHARE_BAR, NULL);
}

void
ls_share_bar_set (LsShareBar *self,
                  double      share)
{
  share = CLAMP (share, 0.0, 1.0);
  if (share == self->share)
    return;
  self->share = share;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
