/* LsOutputBox: one text for all that was printed, one button for each thing that has a view, one line for what went wrong.
 *
 * While a cell prints the text is refreshed at most 12 times a second, and not at all once what is kept does not grow.
 */
#include "app/learn/output-box.h"

#include "app/learn/prose.h"
#include "app/learn/view-title.h"
#include "app/rpc/rpc.h"
#include "views/parts/scroller.h"
#include "views/parts/text-view.h"

#include <glib/gi18n.h>
#include <string.h>

#define REFRESH_MS 80
#define MOST_HEIGHT 220
#define MARGIN 6
#define LEADING 1               /* over and under each line */
#define ARRAY_LINES 3
#define MANY_LINES 200

struct _LsOutputBox {
  GtkBox     parent_instance;

  LsPlay    *play;              /* borrowed: the page is in its window */
  guint      part;
  GtkWidget *sentence;
  GtkWidget *scroll;
  GtkWidget *text;
  GtkWidget *shown;             /* box of buttons */
  gsize      length;
  guint      n_shown;
  guint      timer;
  gboolean   tail;              /* the end is shown, not the beginning */
  gboolean   moved;             /* unless the user went elsewhere */
};

G_DEFINE_FINAL_TYPE (LsOutputBox, ls_output_box, GTK_TYPE_BOX)

/* Things with a view of their own; a text is shown here. */
static gboolean
has_view (const LsOutput *output)
{
  const char *kind = output->view != NULL ? ls_params_string (output->view, "kind", "text") : "text";

  return output->kind == LS_OUTPUT_VIEW && strcmp (kind, "text") != 0;
}

static guint
count_lines (const char *text)
{
  guint n = 1;

  for (; *text != 0; text++)
    n += *text == '\n';
  return n;
}

/* An array of few lines is read here; a larger one is at the right, unless nothing is opened there. */
static gboolean
has_own_text (const LsOutput *output,
              gboolean        opened)
{
  const char *kind = output->view != NULL ? ls_params_string (output->view, "kind", "text") : "text";

  if (output->kind != LS_OUTPUT_VIEW || strcmp (kind, "text") == 0 || strcmp (kind, "timing") == 0)
    return TRUE;
  return strcmp (kind, "array") == 0 && (!opened || count_lines (ls_params_string (output->view, "text", "")) <= ARRAY_LINES);
}

static char *
joined_text (const LsPlayPart *part,
             gboolean          opened)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; part->outputs != NULL && i < ls_outputs_get_n (part->outputs); i++)
    {
      const LsOutput *output = ls_outputs_get (part->outputs, i);
      g_autofree char *text = has_own_text (output, opened) ? ls_output_get_text (output) : NULL;

      if (text == NULL || *text == 0)
        continue;
      if (all->len > 0 && all->str[all->len - 1] != '\n')
        g_string_append_c (all, '\n');
      g_string_append (all, text);
    }
  if (part->trouble != NULL)
    g_string_append_printf (all, "%s%s", all->len > 0 && all->str[all->len - 1] != '\n' ? "\n" : "", part->trouble);
  while (all->len > 0 && all->str[all->len - 1] == '\n')
    g_string_truncate (all, all->len - 1);
  return g_string_free (all, FALSE);
}

static void
show_again (GtkWidget   *button,
            LsOutputBox *self)
{
  ls_play_show (self->play, self->part);
}

static void
update_shown (LsOutputBox      *self,
              const LsPlayPart *part)
{
  guint n = part->outputs != NULL ? ls_outputs_get_n (part->outputs) : 0, count = 0;
  GtkWidget *child;

  for (guint i = 0; i < n; i++)
    count += has_view (ls_outputs_get (part->outputs, i)) && ls_outputs_get (part->outputs, i)->view != NULL;
  if (count == self->n_shown && part->state == LS_PLAY_RUNNING)
    return;
  self->n_shown = count;
  while ((child = gtk_widget_get_first_child (self->shown)) != NULL)
    gtk_box_remove (GTK_BOX (self->shown), child);
  for (guint i = 0, k = 0; i < n && k < 6; i++)
    {
      const LsOutput *output = ls_outputs_get (part->outputs, i);
      g_autofree char *title = NULL, *label = NULL;
      GtkWidget *button;

      if (!has_view (output) || output->view == NULL)
        continue;
      title = ls_view_title (output->view);
      label = g_strdup_printf (_("%s, at the right"), title);
      button = gtk_button_new_with_label (label);
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_add_css_class (button, "lesson-shown");
      gtk_widget_set_halign (button, GTK_ALIGN_START);
      g_signal_connect (button, "clicked", G_CALLBACK (show_again), self);
      gtk_box_append (GTK_BOX (self->shown), button);
      k++;
    }
  gtk_widget_set_visible (self->shown, count > 0);
}

/* A scrollbar that may come asks for its own least height, three lines: none while everything is shown.  A text view does not
 * know its height before it has been laid out, so its lines are counted. */
static void
set_height (LsOutputBox *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->text, "Ag");
  int lines = gtk_text_buffer_get_line_count (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text))), height;
  GtkPolicyType across;

  pango_layout_get_pixel_size (layout, NULL, &height);
  height = lines * (height + 2 * LEADING) + 2 * MARGIN;
  gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (self->scroll), &across, NULL);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroll), across, height > MOST_HEIGHT ? GTK_POLICY_AUTOMATIC : GTK_POLICY_EXTERNAL);
  height = MIN (height, MOST_HEIGHT);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroll), -1);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroll), height);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroll), height);
}

/* While a cell prints its last words are looked at, and so are an error and the end of a long text; a short one is read from its beginning. */
static gboolean
shows_tail (const LsPlayPart *part,
            const char       *text)
{
  return part->state == LS_PLAY_RUNNING || part->trouble != NULL || count_lines (text) > MANY_LINES;
}

static void
scroll_to_place (LsOutputBox *self)
{
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll));

  if (!self->moved)
    gtk_adjustment_set_value (down, self->tail ? gtk_adjustment_get_upper (down) : 0);
}

/* Whoever scrolls has chosen the place. */
static gboolean
scrolled_by_hand (LsOutputBox *self)
{
  self->moved = TRUE;
  return GDK_EVENT_PROPAGATE;
}

static void
refresh (LsOutputBox *self)
{
  const LsPlayPart *part = ls_play_get (self->play, self->part);
  const LsLessonPart *of = ls_lesson_get_part (ls_play_get_lesson (self->play), self->part);
  g_autofree char *text = joined_text (part, g_strcmp0 (of->view, "none") != 0);
  gsize length = strlen (text);

  gtk_label_set_label (GTK_LABEL (self->sentence), part->sentence != NULL ? part->sentence : "");
  gtk_widget_set_visible (self->sentence, part->sentence != NULL);
  if (length != self->length || part->state != LS_PLAY_RUNNING)
    gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text)), text, length - g_str_has_suffix (text, "\n"));
  self->moved = self->moved && length >= self->length;
  self->length = length;
  set_height (self);
  self->tail = shows_tail (part, text);
  scroll_to_place (self);
  gtk_widget_set_visible (self->scroll, length > 0);
  if (part->state == LS_PLAY_FAILED)
    gtk_widget_add_css_class (self->sentence, "error");
  else
    gtk_widget_remove_css_class (self->sentence, "error");
  update_shown (self, part);
  gtk_widget_set_visible (GTK_WIDGET (self), part->sentence != NULL || length > 0 || self->n_shown > 0);
}

static gboolean
refresh_now (gpointer data)
{
  LsOutputBox *self = data;

  self->timer = 0;
  refresh (self);
  return G_SOURCE_REMOVE;
}

void
ls_output_box_update (LsOutputBox *self)
{
  if (ls_play_get (self->play, self->part)->state != LS_PLAY_RUNNING)
    {
      g_clear_handle_id (&self->timer, g_source_remove);
      refresh (self);
    }
  else if (self->timer == 0)
    self->timer = g_timeout_add (REFRESH_MS, refresh_now, self);
}

static void
ls_output_box_dispose (GObject *object)
{
  g_clear_handle_id (&LS_OUTPUT_BOX (object)->timer, g_source_remove);
  G_OBJECT_CLASS (ls_output_box_parent_class)->dispose (object);
}

static void
ls_output_box_css_changed (GtkWidget         *widget,
                           GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_output_box_parent_class)->css_changed (widget, change);
  if (LS_OUTPUT_BOX (widget)->scroll != NULL)
    set_height (LS_OUTPUT_BOX (widget));
}

static void
ls_output_box_class_init (LsOutputBoxClass *klass)
{
  GTK_WIDGET_CLASS (klass)->css_changed = ls_output_box_css_changed;
  G_OBJECT_CLASS (klass)->dispose = ls_output_box_dispose;
}

/* A text view learns the height of a long text bit by bit. */
static void
follow_text (LsOutputBox *self)
{
  GtkEventController *wheel = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (wheel, "scroll", G_CALLBACK (scrolled_by_hand), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (scrolled_by_hand), self);
  gtk_widget_add_controller (self->scroll, wheel);
  gtk_widget_add_controller (self->scroll, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroll)), "changed", G_CALLBACK (scroll_to_place), self,
                           G_CONNECT_SWAPPED);
}

static void
ls_output_box_init (LsOutputBox *self)
{
  g_autoptr (GtkSourceBuffer) buffer = gtk_source_buffer_new (NULL);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lesson-output");
  self->sentence = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->sentence), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (self->sentence), 0.0f);
  gtk_label_set_selectable (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->sentence), 64);
  gtk_source_buffer_set_style_scheme (buffer, NULL);    /* colours are those of the theme */
  self->text = ls_text_view_new (buffer);
  ls_scroller_settle (self->text);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->text), FALSE);
  gtk_text_view_set_cursor_visible (GTK_TEXT_VIEW (self->text), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->text), TRUE);
  gtk_widget_add_css_class (self->text, "lesson-printed");
  gtk_text_view_set_pixels_above_lines (GTK_TEXT_VIEW (self->text), LEADING);
  gtk_text_view_set_pixels_below_lines (GTK_TEXT_VIEW (self->text), LEADING);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->text), 2 * MARGIN);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (self->text), 2 * MARGIN);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (self->text), MARGIN);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (self->text), MARGIN);
  ls_set_label (self->text, _("Output"));
  self->scroll = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroll), self->text);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroll), GTK_POLICY_AUTOMATIC, GTK_POLICY_EXTERNAL);
  ls_scroller_show_bars (self->scroll);
  follow_text (self);
  self->shown = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self), self->scroll);
  gtk_box_append (GTK_BOX (self), self->sentence);
  gtk_box_append (GTK_BOX (self), self->shown);
}

GtkWidget *
ls_output_box_new (LsPlay *play,
                   guint   part)
{
  LsOutputBox *self = g_object_new (LS_TYPE_OUTPUT_BOX, NULL);

  self->play = play;
  self->part = part;
  refresh (self);
  return GTK_WIDGET (self);
}
