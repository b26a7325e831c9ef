/* passes/window-two: a second log beside the one of the window: which pass came out differently first, and both texts. */
#include "app/passes/private.h"

#include "app/llvm/reader.h"
#include "engine/base/task.h"
#include "views/parts/ask-file.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

#define MOST_NAMED 3            /* functions that a sentence names */

/* What a thread finds. */
typedef struct {
  LsPasses *passes;
  char     *path;
  LsPasses *other;
  int      *pair;
  guint8   *marks;
  guint     only_there;         /* dumps with an effect that only the other has */
  GArray   *ends;               /* of LsPassEnd: functions that are different at the end */
} Two;

static void
two_free (gpointer data)
{
  Two *two = data;

  ls_passes_unref (two->passes);
  if (two->other != NULL)
    ls_passes_unref (two->other);
  g_free (two->path);
  g_free (two->pair);
  g_free (two->marks);
  if (two->ends != NULL)
    g_array_unref (two->ends);
  g_free (two);
}

/* In another thread. */
static void
compare (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  Two *two = data;
  LsPassLog *log = ls_passes_get_log (two->passes), *other;
  LsPassTwo how = { NULL, FALSE };
  GError *error = NULL;
  g_autoptr (GArray) rows = NULL;

  other = ls_pass_log_open_full (two->path, LS_PASS_LOG_AUTO, TRUE, NULL, NULL, &error);
  if (other == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  two->other = ls_passes_new (other);
  how.quick = ls_pass_log_size (log) + ls_pass_log_size (other) > LS_LLVM_READS_ALL;
  two->pair = g_new (int, log->dumps->len);
  two->marks = g_new0 (guint8, log->dumps->len);
  rows = ls_pass_logs_align (log, other);
  for (guint i = 0; i < rows->len && !g_cancellable_is_cancelled (cancellable); i++)
    {
      LsPassPair *row = &g_array_index (rows, LsPassPair, i);
      LsPassCounts counts;

      if (row->a < 0)
        {
          two->only_there += ls_passes_get_dump (two->other, (guint) row->b)->effective;
          continue;
        }
      two->pair[row->a] = row->b;
      if (row->b < 0)
        two->marks[row->a] = LS_PASSES_ONLY_HERE;
      else if (ls_pass_dumps_differ (log, (guint) row->a, other, (guint) row->b, &how, &counts, NULL))
        two->marks[row->a] = LS_PASSES_DIFFERS;
    }
  if (!g_cancellable_is_cancelled (cancellable))
    two->ends = ls_pass_logs_ends (log, other, &how);
  g_task_return_boolean (task, TRUE);
}

/* "at the end f, g and 3 more functions are different". (transfer full) */
static char *
end_words (GArray *ends)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint more = ends->len > MOST_NAMED ? ends->len - MOST_NAMED : 0;

  for (guint i = 0; i < ends->len - more; i++)
    {
      const char *name = g_array_index (ends, LsPassEnd, i).name;

      g_string_append_printf (names, i > 0 ? ", %s" : "%s", *name != '\0' ? name : _("whole text"));
    }
  if (ends->len == 0)
    return g_strdup (_("At the end nothing is different."));
  if (more == 0)
    /* Translators: names of functions */
    return g_strdup_printf (_("Different at the end: %s."), names->str);
  /* Translators: names of functions, and how many more there are */
  return g_strdup_printf (ngettext ("Different at the end: %s and %u more function.", "Different at the end: %s and %u more functions.", more), names->str, more);
}

/* The next dump that came out differently, from `from` on; -1: none did. */
static int
next_different (LsPassesWindow *self,
                guint           from)
{
  for (guint i = from; i < ls_passes_get_log (self->passes)->dumps->len; i++)
    if (self->marks[i] == LS_PASSES_DIFFERS)
      return (int) i;
  return -1;
}

static void
say_two (LsPassesWindow *self,
         guint           only_there,
         GArray         *ends)
{
  int first = next_different (self, 0);
  guint only_here = 0;
  g_autofree char *name = g_path_get_basename (self->other_path), *found = NULL, *at_end = end_words (ends), *words = NULL;

  for (guint i = 0; i < ls_passes_get_log (self->passes)->dumps->len; i++)
    only_here += self->marks[i] == LS_PASSES_ONLY_HERE && ls_passes_get_dump (self->passes, i)->effective;
  found = first >= 0 ? g_strdup_printf (_("%d %s is the first to come out differently"), first + 1, ls_passes_get_dump (self->passes, (guint) first)->pass)
                     : g_strdup (_("no pass of both comes out differently"));
  /* Translators: the name of a log, what was found, how many passes with an effect only one of two logs has, and a sentence about the end */
  words = g_strdup_printf (_("Beside %s: %s; with an effect only here %u, only there %u. %s"), name, found, only_here, only_there, at_end);
  gtk_label_set_label (GTK_LABEL (self->two_words), words);
  gtk_widget_set_visible (self->two, TRUE);
}

static void
compared (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsPassesWindow *self = data;
  g_autoptr (GError) error = NULL;
  Two *two = g_task_get_task_data (G_TASK (result));

  g_task_propagate_boolean (G_TASK (result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->comparing);
  if (error != NULL || two->passes != self->passes)
    {
      gtk_label_set_label (GTK_LABEL (self->answer), error != NULL ? error->message : "");
      return;
    }
  ls_passes_window_two_end (self);
  self->other = g_steal_pointer (&two->other);
  self->other_path = g_steal_pointer (&two->path);
  self->pair = g_steal_pointer (&two->pair);
  self->marks = g_steal_pointer (&two->marks);
  gtk_label_set_label (GTK_LABEL (self->answer), "");
  say_two (self, two->only_there, two->ends);
  ls_passes_list_set_marks (LS_PASSES_LIST (self->list), self->marks);
  ls_passes_window_view_changed (self);
}

static void
file_chosen (GtkWidget *widget,
             GFile     *file,
             gpointer   data)
{
  LsPassesWindow *self = data;
  g_autoptr (GTask) task = NULL;
  Two *two;

  if (self->passes == NULL || g_file_peek_path (file) == NULL)
    return;
  ls_passes_window_stop (&self->comparing);
  self->comparing = g_cancellable_new ();
  two = g_new0 (Two, 1);
  two->passes = ls_passes_ref (self->passes);
  two->path = g_file_get_path (file);
  task = g_task_new (self->window, self->comparing, compared, self);
  g_task_set_task_data (task, two, two_free);
  gtk_label_set_label (GTK_LABEL (self->answer), _("The other log is being read."));
  ls_task_run (task, compare);
}

void
ls_passes_window_beside (LsPassesWindow *self)
{
  if (self->passes != NULL)
    ls_ask_file (gtk_file_chooser_native_new (_("Open a log to compare with"), self->window, GTK_FILE_CHOOSER_ACTION_OPEN, _("Open"), _("Cancel")),
                 GTK_WIDGET (self->window), file_chosen, self, NULL);
}

void
ls_passes_window_two_end (LsPassesWindow *self)
{
  gboolean was = self->other != NULL;

  ls_passes_window_stop (&self->comparing);
  g_clear_pointer (&self->other, ls_passes_unref);
  g_clear_pointer (&self->other_path, g_free);
  g_clear_pointer (&self->pair, g_free);
  g_clear_pointer (&self->marks, g_free);
  gtk_widget_set_visible (self->two, FALSE);
  ls_passes_list_set_marks (LS_PASSES_LIST (self->list), NULL);
  if (was)
    ls_passes_window_view_changed (self);
}

static void
go_on (LsPassesWindow *self)
{
  gboolean other;
  int chosen = ls_passes_list_get_chosen (LS_PASSES_LIST (self->list), &other);
  int dump = self->other != NULL ? next_different (self, (guint) (chosen + 1)) : -1;

  if (dump < 0 && self->other != NULL)
    dump = next_different (self, 0);
  if (dump >= 0)
    ls_passes_list_choose (LS_PASSES_LIST (self->list), (guint) dump);
}

static void
add_button (LsPassesWindow *self,
            const char     *words,
            GCallback       clicked)
{
  GtkWidget *button = gtk_button_new_with_label (words);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  gtk_box_append (GTK_BOX (self->two), button);
}

GtkWidget *
ls_passes_window_two_row (LsPassesWindow *self)
{
  self->two = ls_part_row ("compare-head");
  self->two_words = ls_part_label (NULL, "strong");
  gtk_label_set_wrap (GTK_LABEL (self->two_words), TRUE);
  gtk_widget_set_hexpand (self->two_words, TRUE);
  self->both = gtk_toggle_button_new_with_label (_("Both logs"));
  gtk_widget_set_valign (self->both, GTK_ALIGN_CENTER);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->both), TRUE);
  gtk_widget_set_tooltip_text (self->both, _("On the left the function after this pass in this log, on the right in the other"));
  g_signal_connect_swapped (self->both, "toggled", G_CALLBACK (ls_passes_window_view_changed), self);
  gtk_box_append (GTK_BOX (self->two), self->two_words);
  gtk_box_append (GTK_BOX (self->two), self->both);
  add_button (self, _("Next difference"), G_CALLBACK (go_on));
  add_button (self, _("Stop comparing"), G_CALLBACK (ls_passes_window_two_end));
  gtk_widget_set_visible (self->two, FALSE);
  return self->two;
}
