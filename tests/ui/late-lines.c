#include "tests/ui/late-lines.h"

static gboolean
one_frame (GtkWidget     *widget,
           GdkFrameClock *clock,
           gpointer       passed)
{
  *(gboolean *) passed = TRUE;
  return G_SOURCE_REMOVE;
}

void
ls_pass_frames (GtkWidget *widget,
                guint      n)
{
  for (guint i = 0; i < n; i++)
    {
      gboolean passed = FALSE;

      gtk_widget_add_tick_callback (widget, one_frame, &passed, NULL);
      while (!passed)
        g_main_context_iteration (NULL, TRUE);
    }
}

typedef struct {
  GtkWidget *stack, *page, *paned, *above, *hidden, *view;
  guint      lines;             /* more of them, in one frame */
} Late;

/* In a frame after its idle turn: what is written now is laid out with the sizes.  The page itself is not to be laid out, only something in it;
 * what it stands in is, for what is behind it. */
static gboolean
grow_late (GtkWidget     *widget,
           GdkFrameClock *clock,
           gpointer       data)
{
  Late *self = data;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
  GtkTextIter end;

  for (guint i = 0; i < self->lines; i++)
    {
      gtk_text_buffer_get_end_iter (buffer, &end);
      gtk_text_buffer_insert (buffer, &end, "a line more\n", -1);
    }
  gtk_paned_set_position (GTK_PANED (self->paned), gtk_paned_get_position (GTK_PANED (self->paned)) - 40);
  gtk_widget_queue_resize (self->hidden);
  return G_SOURCE_REMOVE;
}

static GtkWidget *
late_window (Late *self)
{
  GtkWidget *window = gtk_window_new (), *scroller = gtk_scrolled_window_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
  GtkTextIter start;

  /* The cursor stays where it is: a line that gets it has its height at once. */
  gtk_text_buffer_set_text (buffer, "the first\n", -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  self->stack = gtk_stack_new ();
  self->page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  self->above = gtk_label_new ("short");
  self->hidden = gtk_label_new ("behind");
  gtk_widget_set_vexpand (self->paned, TRUE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_EXTERNAL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->view);
  gtk_paned_set_start_child (GTK_PANED (self->paned), gtk_label_new (NULL));
  gtk_paned_set_end_child (GTK_PANED (self->paned), scroller);
  gtk_paned_set_position (GTK_PANED (self->paned), 300);
  gtk_box_append (GTK_BOX (self->page), self->above);
  gtk_box_append (GTK_BOX (self->page), self->paned);
  gtk_stack_add_child (GTK_STACK (self->stack), self->page);
  gtk_stack_add_child (GTK_STACK (self->stack), self->hidden);
  gtk_window_set_child (GTK_WINDOW (window), self->stack);
  gtk_window_set_default_size (GTK_WINDOW (window), 600, 600);
  gtk_window_present (GTK_WINDOW (window));
  ls_pass_frames (window, 10);
  return window;
}

void
ls_test_late (gconstpointer data)
{
  GtkWidget *(*make) (void) = (GtkWidget *(*) (void)) data;
  Late late = { .view = make (), .lines = 30 };
  GtkWidget *window;
  int line;

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);     /* no colour that fades lays anything out meanwhile */
  window = late_window (&late);
  line = gtk_widget_get_height (late.above);

  for (guint i = 0; i < 3; i++)
    {
      gtk_widget_add_tick_callback (window, grow_late, &late, NULL);
      ls_pass_frames (window, 5);
    }
  gtk_label_set_text (GTK_LABEL (late.above), "now\nof\nthree lines");
  ls_pass_frames (window, 5);
  g_assert_cmpint (gtk_widget_get_height (late.above), >, 2 * line);
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_settings_reset_property (gtk_settings_get_default (), "gtk-enable-animations");
}
