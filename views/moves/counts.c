/* LsMoveCounts: see the header. */
#include "views/moves/counts.h"

struct _LsMoveCounts
{
  GtkWidget  parent_instance;

  GtkWidget *labels[LS_MOVE_N_GROUPS];
};

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsMoveCounts, ls_move_counts, GTK_TYPE_WIDGET)

static void
clicked (LsMoveCounts *self,
         GtkButton    *button)
{
  g_signal_emit (self, signals[CHOSEN], 0, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ls-group")));
}

static GtkWidget *
button_new (LsMoveCounts *self,
            guint         group)
{
  static const char *const classes[] = { "likely", "can", "risky", "with-change", "cannot" };
  GtkWidget *button = gtk_button_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon = gtk_image_new_from_icon_name (ls_move_group_icon (group));

  gtk_widget_add_css_class (icon, classes[group]);
  self->labels[group] = gtk_label_new ("0");
  gtk_box_append (GTK_BOX (line), icon);
  gtk_box_append (GTK_BOX (line), self->labels[group]);
  gtk_button_set_child (GTK_BUTTON (button), line);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, ls_move_group_title (group));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, ls_move_group_title (group), -1);
  g_object_set_data (G_OBJECT (button), "ls-group", GUINT_TO_POINTER (group));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (clicked), self);
  return button;
}

static void
scroll_changed (LsMoveCounts  *self,
                GtkAdjustment *scroll)
{
  gboolean longer = gtk_adjustment_get_upper (scroll) > gtk_adjustment_get_page_size (scroll) + 1.0;

  gtk_widget_set_opacity (GTK_WIDGET (self), longer ? 1.0 : 0.0);
  gtk_widget_set_sensitive (GTK_WIDGET (self), longer);
}

static void
ls_move_counts_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ls_move_counts_parent_class)->dispose (object);
}

static void
ls_move_counts_class_init (LsMoveCountsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_move_counts_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "box");
}

static void
ls_move_counts_init (LsMoveCounts *self)
{
  for (guint group = 0; group < LS_MOVE_N_GROUPS; group++)
    gtk_widget_set_parent (button_new (self, group), GTK_WIDGET (self));
}

void
ls_move_counts_set (LsMoveCounts *self,
                    guint         group,
                    guint         count)
{
  GtkWidget *label = self->labels[group], *button = gtk_widget_get_ancestor (label, GTK_TYPE_BUTTON);
  g_autofree char *text = g_strdup_printf ("%u", count);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_sensitive (button, count > 0);
  if (group == LS_MOVE_LIKELY)
    gtk_widget_set_visible (button, count > 0);
}

void
ls_move_counts_follow (LsMoveCounts  *self,
                       GtkAdjustment *scroll)
{
  g_signal_connect_object (scroll, "changed", G_CALLBACK (scroll_changed), self, G_CONNECT_SWAPPED);
}
