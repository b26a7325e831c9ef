/* LsStepBar: buttons around the track, and where we are in words. */
#include "views/history/step-bar.h"

#include "views/history/step-track.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"

#include <glib/gi18n.h>

struct _LsStepBar
{
  GtkWidget  parent_instance;

  LsSession *session;
  GtkWidget *box;
  GtkWidget *first;
  GtkWidget *previous;
  GtkWidget *track;
  GtkWidget *next;
  GtkWidget *last;
  GtkWidget *place;
  GtkWidget *hidden;
};

G_DEFINE_FINAL_TYPE (LsStepBar, ls_step_bar, GTK_TYPE_WIDGET)

/* "2 hidden"; what that means and how to see them is the tip. */
static void
update_hidden (LsStepBar *self)
{
  guint n = ls_session_get_n_hidden (self->session);
  gboolean all = ls_session_get_all_steps (self->session);
  g_autofree char *brief = all ? g_strdup (_("all shown")) : g_strdup_printf (ngettext ("%u hidden", "%u hidden", n), n);
  g_autofree char *words = all ? g_strdup_printf (ngettext ("%u step without effect shown", "%u steps without effect shown", n), n)
                               : g_strdup_printf (ngettext ("%u step without effect hidden", "%u steps without effect hidden", n), n);

  gtk_button_set_label (GTK_BUTTON (self->hidden), brief);
  ls_tip_set (self->hidden, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->hidden), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_set_visible (self->hidden, n > 0);
}

static void
update (LsStepBar *self)
{
  guint n = g_list_model_get_n_items (ls_session_get_path (self->session));
  guint at = ls_session_get_position (self->session);
  g_autofree char *text = n > 1 ? g_strdup_printf (_("%u of %u"), at, n - 1) : g_strdup (n > 0 ? _("no steps yet") : "");

  ls_part_set_figure (GTK_LABEL (self->place), text);
  update_hidden (self);
}

static GtkWidget *
add_button (LsStepBar  *self,
            const char *icon,
            const char *label,
            const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (self->box), button);
  return button;
}

static void
ls_step_bar_dispose (GObject *object)
{
  LsStepBar *self = LS_STEP_BAR (object);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (ls_session_get_path (self->session), self);
    }
  g_clear_object (&self->session);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_step_bar_parent_class)->dispose (object);
}

static void
ls_step_bar_class_init (LsStepBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_step_bar_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "stepbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_step_bar_init (LsStepBar *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));

  self->first = add_button (self, "media-skip-backward-symbolic", _("First step"),
                            "win.first-step");
  self->previous = add_button (self, "go-previous-symbolic", _("Previous step"),
                               "win.previous-step");
  self->track = ls_step_track_new ();
  gtk_widget_set_hexpand (self->track, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->track);
  self->next = add_button (self, "go-next-symbolic", _("Next step"), "win.next-step");
  self->last = add_button (self, "media-skip-forward-symbolic", _("Last step"), "win.last-step");

  self->place = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->place, "reason");
  gtk_widget_add_css_class (self->place, "place");
  gtk_label_set_width_chars (GTK_LABEL (self->place), 7);
  gtk_box_append (GTK_BOX (self->box), self->place);
  self->hidden = gtk_button_new_with_label ("");
  gtk_widget_add_css_class (self->hidden, "flat");
  gtk_widget_add_css_class (self->hidden, "reason");
  gtk_widget_set_valign (self->hidden, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->hidden), "win.all-steps");
  gtk_box_append (GTK_BOX (self->box), self->hidden);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Step bar"), -1);
}

GtkWidget *
ls_step_bar_new (void)
{
  return g_object_new (LS_TYPE_STEP_BAR, NULL);
}

void
ls_step_bar_set_session (LsStepBar *self,
                         LsSession *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  ls_step_track_set_session (LS_STEP_TRACK (self->track), session);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (update), self);
  g_signal_connect_swapped (ls_session_get_path (session), "items-changed", G_CALLBACK (update),
                            self);
  g_signal_connect_swapped (session, "notify::all-steps", G_CALLBACK (update_hidden), self);
  update (self);
}

void
ls_step_bar_set_captions (LsStepBar *self,
                          gboolean   captions)
{
  ls_step_track_set_captions (LS_STEP_TRACK (self->track), captions);
}

void
ls_step_bar_set_narrow (LsStepBar *self,
                        gboolean   narrow)
{
  gtk_widget_set_visible (self->first, !narrow);
  gtk_widget_set_visible (self->last, !narrow);
}
