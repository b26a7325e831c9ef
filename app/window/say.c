/* window/say: what happened, in a line that lies over the page and moves nothing.
 *
 * News goes by itself.  What has a reason, or a way out, stays until it is closed or something else is said: nobody has to read it in
 * time.
 *
 * One moves at a time: libadwaita 1.2 writes to a freed toast when one that is sliding in over another has gone before it has come
 * (its coming takes 500 ms then, its going 300).  What is said meanwhile waits, and only the last of it is shown.
 */
#include "app/window/actions.h"
#include "app/window/private.h"

#include <glib/gi18n.h>

#define NEWS_SECONDS 6
#define REASON_CHARS 64         /* in a line, over two or three lines */
#define MOVES_US (320 * 1000)   /* a toast that comes or goes: 300 ms */
#define WAY_OUT "ls-way-out"    /* of a toast: the words on its button */

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
  g_object_set_data_full (G_OBJECT (toast), WAY_OUT, g_strdup (way_out), g_free);
  if (way_out == NULL || !g_action_parse_detailed_name (action, &name, &target, NULL))
    return toast;
  adw_toast_set_button_label (toast, way_out);
  /* The target first: a name without its target would be looked up between the two. */
  adw_toast_set_action_target_value (toast, target);
  adw_toast_set_action_name (toast, name);
  return toast;
}

/* A toast's button is called twice what it says, and its cross nothing at all (libadwaita 1.2).  Neither is pressed while it comes. */
static void
prepare_buttons (GtkWidget  *widget,
                 const char *way_out,
                 gboolean    rests)
{
  const char *icon = GTK_IS_BUTTON (widget) ? gtk_button_get_icon_name (GTK_BUTTON (widget)) : NULL;
  gboolean closes = g_strcmp0 (icon, "window-close-symbolic") == 0;

  if (GTK_IS_BUTTON (widget))
    gtk_widget_set_sensitive (widget, rests);
  if (GTK_IS_BUTTON (widget) && (closes || way_out != NULL))
    {
      const char *name = closes ? _("Close this message") : way_out;

      gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
      gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
      if (closes)
        gtk_widget_set_tooltip_text (widget, name);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    prepare_buttons (child, way_out, rests);
}

/* The overlay shows its content and, after it, the toast. */
static void
prepare_toast (LsWindow *self,
               gboolean  rests)
{
  GtkWidget *content = adw_toast_overlay_get_child (ADW_TOAST_OVERLAY (self->toasts));

  for (GtkWidget *child = gtk_widget_get_first_child (self->toasts); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (child != content)
      prepare_buttons (child, g_object_get_data (G_OBJECT (self->toast), WAY_OUT), rests);
}

/* ---- one after the other ------------------------------------------------------------- */

static void change_toast (LsWindow *self);

/* Counted in frames, as its moves are: a clock alone would be ahead of them when the main loop was held up.  One frame more, because
 * that of the toast may come after this one. */
static gboolean
wait_for_rest (GtkWidget     *widget,
               GdkFrameClock *clock,
               gpointer       data)
{
  LsWindow *self = data;

  if (gdk_frame_clock_get_frame_time (clock) < self->toast_rests || !self->toast_last_frame)
    {
      self->toast_last_frame = gdk_frame_clock_get_frame_time (clock) >= self->toast_rests;
      return G_SOURCE_CONTINUE;
    }
  self->toast_tick = 0;
  if (self->toast != NULL)
    prepare_toast (self, TRUE);
  change_toast (self);
  return G_SOURCE_REMOVE;
}

static void
toast_moves (LsWindow *self)
{
  gboolean animates = FALSE;

  g_object_get (gtk_widget_get_settings (self->toasts), "gtk-enable-animations", &animates, NULL);
  if (!animates || !gtk_widget_get_mapped (self->toasts))
    return;
  self->toast_rests = g_get_monotonic_time () + MOVES_US;
  self->toast_last_frame = FALSE;
  if (self->toast_tick == 0)
    self->toast_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), wait_for_rest, self, NULL);
}

/* By its cross, by Escape, in time, or by us. */
static void
dismissed (LsWindow *self,
           AdwToast *toast)
{
  if (self->toast != toast)
    return;
  self->toast = NULL;
  toast_moves (self);
}

/* Towards what is to be shown: what is shown goes, or the next one comes. */
static void
change_toast (LsWindow *self)
{
  if (self->toast_tick == 0 && self->toast != NULL && self->toast_changes)
    adw_toast_dismiss (self->toast);
  if (self->toast_tick != 0 || self->toast != NULL)
    return;
  self->toast_changes = FALSE;
  if (self->toast_next == NULL)
    return;
  self->toast = g_steal_pointer (&self->toast_next);
  g_signal_connect_object (self->toast, "dismissed", G_CALLBACK (dismissed), self, G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (self->toasts), self->toast);
  toast_moves (self);
  prepare_toast (self, self->toast_tick == 0);
}

gboolean
ls_window_says (LsWindow *self)
{
  return self->toast != NULL || self->toast_next != NULL;
}

void
ls_window_say_nothing_more (LsWindow *self)
{
  if (self->toast_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->toast_tick);
  self->toast_tick = 0;
  self->toast = NULL;
  g_clear_object (&self->toast_next);
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
  if (self->session == NULL)    /* it has gone */
    return;
  g_clear_object (&self->toast_next);
  if (what != NULL)
    self->toast_next = toast_new (what, why, way_out, action);
  self->toast_changes = TRUE;
  change_toast (self);
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
