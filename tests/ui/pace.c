/* What comes a part in a frame, and what does not wait for frames. */
#include "views/parts/ask-file.h"
#include "views/parts/pace.h"

#define PARTS 40

typedef struct {
  guint          left;          /* parts that are to come */
  GHashTable    *frames;        /* in which parts came: frame time -> object; of all */
  GdkFrameClock *clock;
  gboolean       met;           /* another one had a part in the same frame */
} Work;

static gboolean
do_part (gpointer data)
{
  Work *self = data;
  gint64 *frame = g_new (gint64, 1);
  gpointer other;

  g_assert_cmpuint (self->left, >, 0);
  g_usleep (1000);
  if (self->frames != NULL)
    {
      *frame = gdk_frame_clock_get_frame_time (self->clock);
      other = g_hash_table_lookup (self->frames, frame);
      self->met = self->met || (other != NULL && other != self);
      g_hash_table_insert (self->frames, g_steal_pointer (&frame), self);
    }
  g_free (frame);
  return --self->left > 0;
}

static GtkWidget *
present (GtkWidget *child)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 300, 200);
  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (child))
    g_main_context_iteration (NULL, TRUE);
  return window;
}

/* Three lists of a window: all become whole, and no frame has to lay out the rows of two of them. */
static void
test_frames (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *window = present (box);
  g_autoptr (GHashTable) frames = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Work work[3];

  for (guint i = 0; i < 3; i++)
    {
      work[i] = (Work) { PARTS, frames, gtk_widget_get_frame_clock (box), FALSE };
      ls_pace_add (box, do_part, &work[i]);
      ls_pace_add (box, do_part, &work[i]);     /* once */
      g_assert_cmpuint (work[i].left, ==, PARTS);
    }
  for (gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; work[0].left + work[1].left + work[2].left > 0 && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (work[i].left, ==, 0);
      g_assert_false (work[i].met);
    }
  g_assert_cmpuint (g_hash_table_size (frames), >=, 3 * PARTS / 4);     /* a part takes a millisecond here */
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
wait_through (Work *work)
{
  for (gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC; work->left > 0 && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (work->left, ==, 0);
}

/* A view that is on no screen has no frames; nor has one that leaves it meanwhile. */
static void
test_idle (void)
{
  g_autoptr (GtkWidget) view = g_object_ref_sink (gtk_label_new ("unseen"));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *window = present (box);
  Work work = { PARTS, NULL, NULL, FALSE };

  ls_pace_add (view, do_part, &work);
  wait_through (&work);
  work.left = PARTS;
  ls_pace_add (NULL, do_part, &work);
  wait_through (&work);
  work.left = PARTS;
  ls_pace_add (box, do_part, &work);
  gtk_widget_set_visible (box, FALSE);
  wait_through (&work);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Who is taken away, or whose view goes, gets no part any more. */
static void
test_goes (void)
{
  GtkWidget *view = g_object_ref_sink (gtk_label_new ("unseen"));
  Work work = { PARTS, NULL, NULL, FALSE };

  ls_pace_add (view, do_part, &work);
  ls_pace_remove (&work);
  ls_pace_remove (&work);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (work.left, ==, PARTS);
  ls_pace_add (view, do_part, &work);
  g_object_unref (view);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (work.left, ==, PARTS);
}

/* ---- frames that are late ---------------------------------------------------------- */

static gboolean
take_long (GtkWidget     *widget,
           GdkFrameClock *clock,
           gpointer       data)
{
  g_usleep (25000);
  gtk_widget_queue_draw (widget);
  return G_SOURCE_CONTINUE;
}

static void
chosen (GtkWidget *asker,
        GFile     *file,
        gpointer   data)
{
}

/* Each frame takes longer than there is time for it: a dialog that was asked for comes all the same. */
static void
test_late_frames (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *window = present (box);
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new ("Save", GTK_WINDOW (window), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  guint tick = gtk_widget_add_tick_callback (box, take_long, NULL, NULL), turns = 0;

  for (gint64 end = g_get_monotonic_time () + 500000; g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, TRUE);
  ls_ask_file (dialog, box, chosen, NULL, NULL);
  for (; turns < 40 && !gtk_native_dialog_get_visible (GTK_NATIVE_DIALOG (dialog)); turns++)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (gtk_native_dialog_get_visible (GTK_NATIVE_DIALOG (dialog)));
  gtk_widget_remove_tick_callback (box, tick);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (gtk_init_check ())
    {
      g_test_add_func ("/pace/frames", test_frames);
      g_test_add_func ("/pace/idle", test_idle);
      g_test_add_func ("/pace/goes", test_goes);
      g_test_add_func ("/pace/late-frames", test_late_frames);
    }
  return g_test_run ();
}
