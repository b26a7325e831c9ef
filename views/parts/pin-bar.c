/* LsPinBar: a row of buttons that scrolls when there is no room for all. */
#include "views/parts/pin-bar.h"

#include "views/parts/mark.h"

#include <glib/gi18n.h>

struct _LsPinBar
{
  GtkWidget  parent_instance;

  LsSession *session;           /* borrowed: the view lives no longer */
  GtkWidget *box;
  GtkWidget *row;
  GtkWidget *pins[LS_PINS_MAX]; /* buttons */
  GtkWidget *marks[LS_PINS_MAX];
  GtkWidget *names[LS_PINS_MAX];
};

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsPinBar, ls_pin_bar, GTK_TYPE_WIDGET)

static void
clicked (GtkWidget *button,
         LsPinBar  *self)
{
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    if (self->pins[slot] == button)
      g_signal_emit (self, signals[CHOSEN], 0, slot);
}

static void
add_pin (LsPinBar *self,
         guint     slot)
{
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);

  self->marks[slot] = ls_mark_new ();
  self->names[slot] = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->names[slot], "code");
  gtk_box_append (GTK_BOX (content), self->marks[slot]);
  gtk_box_append (GTK_BOX (content), self->names[slot]);
  self->pins[slot] = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->pins[slot]), content);
  gtk_widget_add_css_class (self->pins[slot], "flat");
  g_signal_connect (self->pins[slot], "clicked", G_CALLBACK (clicked), self);
  gtk_box_append (GTK_BOX (self->row), self->pins[slot]);
}

/* When something is pinned for the first time: most windows never need it. */
static void
build (LsPinBar *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *all = gtk_button_new_with_label (_("Unpin all"));

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  for (guint slot = 0; slot < LS_PINS_MAX; slot++)
    add_pin (self, slot);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->row);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_widget_add_css_class (all, "flat");
  gtk_widget_set_tooltip_text (all, _("Take all pins away (Ctrl+Shift+P)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (all), "win.unpin-all");
  gtk_box_append (GTK_BOX (self->box), scroller);
  gtk_box_append (GTK_BOX (self->box), all);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

static void
update_pin (LsPinBar *self,
            guint     slot)
{
  const LsPinRecord *record = ls_session_get_pin (self->session, slot);
  g_autofree char *words = NULL, *label = NULL;

  gtk_widget_set_visible (self->pins[slot], record->used);
  if (!record->used)
    return;
  words = ls_pin_describe (record);
  /* Translators: a pin's letter and what is pinned: "pinned A: loop j_0" */
  label = g_strdup_printf (record->is_there ? _("pinned %s: %s") : _("pinned %s: %s, not in this step"), ls_pin_letter (slot), words);
  gtk_label_set_label (GTK_LABEL (self->names[slot]), record->name);
  if (record->is_there)
    {
      gtk_widget_remove_css_class (self->names[slot], "not-here");
      ls_mark_set_pins (LS_MARK (self->marks[slot]), LS_PIN_BIT (slot), 0);
    }
  else
    {
      gtk_widget_add_css_class (self->names[slot], "not-here");
      ls_mark_set_pins (LS_MARK (self->marks[slot]), 0, LS_PIN_BIT (slot));
    }
  gtk_widget_set_tooltip_text (self->pins[slot], label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->pins[slot]), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
update (LsPinBar *self)
{
  gboolean any = ls_session_get_pins (self->session) != 0;

  if (any && self->box == NULL)
    build (self);
  for (guint slot = 0; self->box != NULL && slot < LS_PINS_MAX; slot++)
    update_pin (self, slot);
  gtk_widget_set_visible (GTK_WIDGET (self), any);
}

static void
ls_pin_bar_dispose (GObject *object)
{
  LsPinBar *self = LS_PIN_BAR (object);

  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  self->session = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_pin_bar_parent_class)->dispose (object);
}

static void
ls_pin_bar_class_init (LsPinBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_pin_bar_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", LS_TYPE_PIN_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "pinbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_pin_bar_init (LsPinBar *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Pins"), -1);
}

GtkWidget *
ls_pin_bar_new (void)
{
  return g_object_new (LS_TYPE_PIN_BAR, NULL);
}

void
ls_pin_bar_set_session (LsPinBar  *self,
                        LsSession *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = session;
  g_signal_connect_swapped (session, "pins-changed", G_CALLBACK (update), self);
  update (self);
}
