/* LsStatus: what stands in a pane that has nothing else to show. */
#include "views/parts/status.h"

struct _LsStatus
{
  GtkWidget  parent_instance;

  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *sentence;
  GtkWidget *button;
  GtkWidget *hint;
};

G_DEFINE_FINAL_TYPE (LsStatus, ls_status, GTK_TYPE_WIDGET)

static void
ls_status_dispose (GObject *object)
{
  LsStatus *self = LS_STATUS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_status_parent_class)->dispose (object);
}

/* What it needs in width does not follow its height: a column of sentences that is asked for the width at a great height answers with
 * that of few lines, more than it says it needs, and a row that it stands in would count on the smaller. */
static void
ls_status_measure (GtkWidget      *widget,
                   GtkOrientation  orientation,
                   int             for_size,
                   int            *minimum,
                   int            *natural,
                   int            *minimum_baseline,
                   int            *natural_baseline)
{
  gtk_widget_measure (LS_STATUS (widget)->box, orientation, orientation == GTK_ORIENTATION_HORIZONTAL ? -1 : for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static GtkSizeRequestMode
ls_status_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
ls_status_size_allocate (GtkWidget *widget,
                         int        width,
                         int        height,
                         int        baseline)
{
  gtk_widget_allocate (LS_STATUS (widget)->box, width, height, baseline, NULL);
}

static void
ls_status_class_init (LsStatusClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_status_dispose;
  widget_class->measure = ls_status_measure;
  widget_class->get_request_mode = ls_status_get_request_mode;
  widget_class->size_allocate = ls_status_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "status");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
add_label (LsStatus   *self,
           const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 44);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
ls_status_init (LsStatus *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_valign (self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));

  self->icon = gtk_image_new_from_icon_name ("dialog-error-symbolic");
  gtk_widget_add_css_class (self->icon, "error");
  gtk_widget_set_visible (self->icon, FALSE);
  self->sentence = add_label (self, "sentence");
  self->button = gtk_button_new ();
  gtk_widget_set_halign (self->button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->button, "primary");
  gtk_widget_set_visible (self->button, FALSE);         /* until there is something to press it for */
  self->hint = add_label (self, "caption");

  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), self->sentence);
  gtk_box_append (GTK_BOX (self->box), self->button);
  gtk_box_append (GTK_BOX (self->box), self->hint);
}

GtkWidget *
ls_status_new (void)
{
  return g_object_new (LS_TYPE_STATUS, NULL);
}

void
ls_status_set (LsStatus   *self,
               const char *sentence,
               const char *button,
               const char *action,
               const char *hint)
{
  gtk_label_set_label (GTK_LABEL (self->sentence), sentence);
  gtk_widget_set_visible (self->button, button != NULL);
  if (button != NULL)
    {
      gtk_button_set_label (GTK_BUTTON (self->button), button);
      gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (self->button), action);
    }
  gtk_widget_set_visible (self->hint, hint != NULL);
  gtk_label_set_label (GTK_LABEL (self->hint), hint != NULL ? hint : "");
}

void
ls_status_set_failed (LsStatus *self,
                      gboolean  failed)
{
  gtk_widget_set_visible (self->icon, failed);
}
