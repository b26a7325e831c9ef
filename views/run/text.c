/* run/text: see the header.
 *
 * The value under the pointer comes through GtkSourceHover, which asks when the pointer rests and shows the answer beside it.
 */
#include "views/run/text.h"

#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <string.h>

#define CATEGORY "breakpoint"
#define WISHES "ls-run-wishes"

typedef struct {
  const LsRunTextWishes *wishes;
  gpointer               data;
} Wished;

/* ---- the value under the pointer ------------------------------------------------------------------- */

#define LS_TYPE_RUN_VALUES (ls_run_values_get_type ())
G_DECLARE_FINAL_TYPE (LsRunValues, ls_run_values, LS, RUN_VALUES, GObject)

struct _LsRunValues
{
  GObject parent_instance;
  Wished  wished;
};

static void ls_run_values_provide (GtkSourceHoverProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (LsRunValues, ls_run_values, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (GTK_SOURCE_TYPE_HOVER_PROVIDER, ls_run_values_provide))

static void
populate_async (GtkSourceHoverProvider *provider,
                GtkSourceHoverContext  *context,
                GtkSourceHoverDisplay  *display,
                GCancellable           *cancellable,
                GAsyncReadyCallback     callback,
                gpointer                data)
{
  LsRunValues *self = LS_RUN_VALUES (provider);
  GTask *task = g_task_new (self, cancellable, callback, data);
  GtkTextIter place;

  g_task_set_task_data (task, g_object_ref (display), g_object_unref);
  if (gtk_source_hover_context_get_iter (context, &place) && !gtk_text_iter_ends_line (&place))
    {
      self->wished.wishes->ask ((guint) gtk_text_iter_get_line (&place) + 1, (guint) gtk_text_iter_get_line_offset (&place) + 1, task, self->wished.data);
      return;
    }
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("no expression stands there"));
  g_object_unref (task);
}

static gboolean
populate_finish (GtkSourceHoverProvider *provider,
                 GAsyncResult           *result,
                 GError                **error)
{
  g_autofree char *words = g_task_propagate_pointer (G_TASK (result), error);
  GtkWidget *label;

  if (words == NULL)
    return FALSE;
  label = ls_part_label (words, "code");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 80);
  gtk_widget_add_css_class (label, "run-value");
  gtk_source_hover_display_append (g_task_get_task_data (G_TASK (result)), label);
  return TRUE;
}

static void
ls_run_values_provide (GtkSourceHoverProviderInterface *iface)
{
  iface->populate_async = populate_async;
  iface->populate_finish = populate_finish;
}

static void
ls_run_values_class_init (LsRunValuesClass *klass)
{
}

static void
ls_run_values_init (LsRunValues *self)
{
}

/* ---- the value at the cursor ------------------------------------------------------------------------ */

#define FOLLOWER "ls-run-follower"

typedef struct {
  GtkSourceView *view;          /* weak */
  gboolean       asks;          /* a question is under way */
  gboolean       again;         /* and the cursor has moved since */
} Follower;

static void
follower_free (gpointer data)
{
  Follower *self = data;

  g_clear_weak_pointer (&self->view);
  g_free (self);
}

static void
cursor_answered (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (GtkWidget) label = data;
  g_autofree char *words = g_task_propagate_pointer (G_TASK (result), NULL);
  Follower *self = g_object_get_data (G_OBJECT (label), FOLLOWER);
  gboolean again = self->again;

  self->asks = self->again = FALSE;
  gtk_label_set_label (GTK_LABEL (label), words != NULL ? words : "");
  if (again)
    ls_run_text_follow_cursor (label);
}

/* The label lives on where the window has gone meanwhile; then nobody is asked. */
void
ls_run_text_follow_cursor (GtkWidget *label)
{
  Follower *self = g_object_get_data (G_OBJECT (label), FOLLOWER);
  Wished *wished = self->view != NULL && gtk_widget_get_root (GTK_WIDGET (self->view)) != NULL ? g_object_get_data (G_OBJECT (self->view), WISHES) : NULL;
  GtkTextIter place;

  if (wished == NULL)
    return;
  if (self->asks)
    {
      self->again = TRUE;
      return;
    }
  if (!gtk_widget_has_focus (GTK_WIDGET (self->view)))
    {
      gtk_label_set_label (GTK_LABEL (label), "");
      return;
    }
  gtk_text_buffer_get_iter_at_mark (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view)), &place,
                                    gtk_text_buffer_get_insert (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view))));
  self->asks = TRUE;
  wished->wishes->ask ((guint) gtk_text_iter_get_line (&place) + 1, (guint) gtk_text_iter_get_line_offset (&place) + 1,
                       g_task_new (NULL, NULL, cursor_answered, g_object_ref (label)), wished->data);
}

GtkWidget *
ls_run_text_value_new (GtkSourceView *view)
{
  GtkWidget *label = ls_part_label (NULL, "code");
  Follower *self = g_new0 (Follower, 1);

  g_set_weak_pointer (&self->view, view);
  g_object_set_data_full (G_OBJECT (label), FOLLOWER, self, follower_free);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "run-part");
  g_signal_connect_object (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), "notify::cursor-position", G_CALLBACK (ls_run_text_follow_cursor), label, G_CONNECT_SWAPPED);
  return label;
}

/* ---- breakpoints ----------------------------------------------------------------------------------- */

static void
activated (GtkSourceView     *view,
           const GtkTextIter *place,
           guint              button,
           GdkModifierType    state,
           int                n_presses,
           Wished            *wished)
{
  if (button == GDK_BUTTON_PRIMARY && n_presses == 1)
    wished->wishes->toggle ((guint) gtk_text_iter_get_line (place) + 1, wished->data);
}

/* Ctrl+B: at the line of the cursor. */
static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Wished             *wished)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (gtk_event_controller_get_widget (keys)));
  GtkTextIter place;

  if (gdk_keyval_to_lower (key) != GDK_KEY_b || (state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK)
    return FALSE;
  gtk_text_buffer_get_iter_at_mark (buffer, &place, gtk_text_buffer_get_insert (buffer));
  wished->wishes->toggle ((guint) gtk_text_iter_get_line (&place) + 1, wished->data);
  return TRUE;
}

void
ls_run_text_make (GtkSourceView         *view,
                  const LsRunTextWishes *wishes,
                  gpointer               data)
{
  g_autoptr (GtkSourceMarkAttributes) looks = gtk_source_mark_attributes_new ();
  g_autoptr (LsRunValues) values = g_object_new (LS_TYPE_RUN_VALUES, NULL);
  g_autoptr (GFile) picture = g_file_new_for_uri ("resource:///org/loopscope/icons/breakpoint.svg");
  g_autoptr (GIcon) icon = g_file_icon_new (picture);
  GtkEventController *keys;
  Wished *wished = g_new (Wished, 1);

  *wished = values->wished = (Wished) { wishes, data };
  g_object_set_data_full (G_OBJECT (view), WISHES, wished, g_free);
  gtk_source_hover_add_provider (gtk_source_view_get_hover (view), GTK_SOURCE_HOVER_PROVIDER (values));
  if (wishes->toggle == NULL)
    return;
  keys = gtk_event_controller_key_new ();
  gtk_source_mark_attributes_set_gicon (looks, icon);
  gtk_source_view_set_mark_attributes (view, CATEGORY, looks, 1);
  gtk_source_view_set_show_line_marks (view, TRUE);
  g_signal_connect (view, "line-mark-activated", G_CALLBACK (activated), wished);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), wished);
  gtk_widget_add_controller (GTK_WIDGET (view), keys);
}

void
ls_run_text_set_stops (GtkSourceView *view,
                       const guint   *lines,
                       guint          n)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_source_buffer_remove_source_marks (GTK_SOURCE_BUFFER (buffer), &start, &end, CATEGORY);
  for (guint i = 0; i < n; i++)
    {
      gtk_text_buffer_get_iter_at_line (buffer, &start, (int) lines[i] - 1);
      gtk_source_buffer_create_source_mark (GTK_SOURCE_BUFFER (buffer), NULL, CATEGORY, &start);
    }
}
