/* window/say: what happened, in a line that lies over the page and moves nothing.
 *
 * News goes by itself.  What has a reason, or a way out, stays until it is closed or something else is said: nobody has to read it in
 * time.
 */
#include "app/window/actions.h"
#include "app/window/private.h"

#include <glib/gi18n.h>

#define NEWS_SECONDS 6
#define REASON_CHARS 64         /* in a line, over two or three lines */

static void
dismissed (LsWindow *self,
           AdwToast *toast)
{
  if (self->toast == toast)
    self->toast = NULL;
}

/* Both in full: a toast of its own making has one line, which ends in dots. */
static GtkWidget *
words_new (const char *what,
           const char *why)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  const char *texts[] = { what, why }, *classes[] = { "strong", "reason" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GtkWidget *label = texts[i] != NULL ? gtk_label_new (texts[i]) : NULL;

      if (label == NULL)
        continue;
      gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_max_width_chars (GTK_LABEL (label), REASON_CHARS);
      gtk_widget_add_css_class (label, classes[i]);
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_widget_set_hexpand (box, TRUE);
  return box;
}

static AdwToast *
toast_new (const char *what,
           const char *why,
           const char *way_out,
           const char *action)
{
  g_autofree char *title = g_markup_escape_text (what, -1), *name = NULL;
  g_autoptr (GVariant) target = NULL;
  AdwToast *toast = adw_toast_new (title);

  adw_toast_set_custom_title (toast, words_new (what, why));
  adw_toast_set_timeout (toast, why == NULL && way_out == NULL ? NEWS_SECONDS : 0);
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  if (way_out == NULL || !g_action_parse_detailed_name (action, &name, &target, NULL))
    return toast;
  adw_toast_set_button_label (toast, way_out);
  /* The target first: a name without its target would be looked up between the two. */
  adw_toast_set_action_target_value (toast, target);
  adw_toast_set_action_name (toast, name);
  return toast;
}

/* A toast's button is called twice what it says, and its cross nothing at all (libadwaita 1.2). */
static void
name_buttons (GtkWidget  *widget,
              const char *way_out)
{
  const char *icon = GTK_IS_BUTTON (widget) ? gtk_button_get_icon_name (GTK_BUTTON (widget)) : NULL;
  gboolean closes = g_strcmp0 (icon, "window-close-symbolic") == 0;

  if (GTK_IS_BUTTON (widget) && (closes || way_out != NULL))
    {
      const char *name = closes ? _("Close this message") : way_out;

      gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
      gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      if (closes)
        gtk_widget_set_tooltip_text (widget, name);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    name_buttons (child, way_out);
}

/* The overlay shows its content and, after it, the toast. */
static void
name_toast (LsWindow   *self,
            const char *way_out)
{
  GtkWidget *content = adw_toast_overlay_get_child (ADW_TOAST_OVERLAY (self->toasts));

  for (GtkWidget *child = gtk_widget_get_first_child (self->toasts); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (child != content)
      name_buttons (child, way_out);
}

void
ls_window_say (LsWindow   *self,
               const char *what,
               const char *why)
{
  ls_window_offer (self, what, why, NULL, NULL);
}

void
ls_window_offer (LsWindow   *self,
                 const char *what,
                 const char *why,
                 const char *way_out,
                 const char *action)
{
  AdwToast *old = self->toast;

  self->toast = NULL;
  if (old != NULL)
    adw_toast_dismiss (old);
  if (what == NULL)
    return;
  self->toast = toast_new (what, why, way_out, action);
  g_signal_connect_object (self->toast, "dismissed", G_CALLBACK (dismissed), self, G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), self->toast);
  name_toast (self, way_out);
}

void
ls_window_update_message (LsWindow *self)
{
  const char *not_opened = ls_session_get_not_opened (self->session);
  const char *left_out = ls_session_get_left_out (self->session);

  if (not_opened != NULL)
    ls_window_say (self, _("Not opened"), not_opened);
  else if (left_out != NULL)
    ls_window_say (self, _("Not all of it was opened"), left_out);
}
