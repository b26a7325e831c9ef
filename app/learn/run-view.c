/* learn/run-view: see the header.
 *
 * The run is written down in a thread (app/lesson/record.h); the view may go before that has an end.  From then on nothing runs: a step forwards puts
 * what the statement wrote, the state anywhere is made from the begin.
 */
#include "app/learn/run-view.h"

#include "app/learn/prose.h"
#include "app/lesson/record.h"
#include "app/rpc/rpc.h"
#include "engine/base/task.h"
#include "views/parts/parts.h"
#include "views/parts/scroller.h"
#include "views/parts/source-text.h"
#include "views/run/grid.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_SHOWN 32           /* rows and columns of a buffer */

typedef struct {
  GtkWidget    *text, *words, *clock, *moves[6], *buffers, *grids;
  GtkWidget    *ask, *question, *answer, *check, *verdict;
  GVariant     *record;         /* or NULL: not there yet */
  GPtrArray    *widgets;        /* of LsRunGrid, for each buffer, borrowed */
  GCancellable *stop;
  char         *wants;          /* "element", "value", or NULL */
  guint         at, n;
  LsPlay       *play;           /* keeps the answers */
  guint         part;
  gboolean      placing;
} View;

static void
view_free (gpointer data)
{
  View *self = data;

  g_cancellable_cancel (self->stop);
  g_object_unref (self->stop);
  g_clear_pointer (&self->record, g_variant_unref);
  g_ptr_array_unref (self->widgets);
  g_object_unref (self->play);
  g_free (self->wants);
  g_free (self);
}

static GVariant *
step_at (View  *self,
         guint  i)
{
  g_autoptr (GVariant) steps = ls_params_value (self->record, "steps");

  return g_variant_get_child_value (steps, i);
}

static gboolean
is_stop (View  *self,
         guint  i)
{
  g_autoptr (GVariant) step = i < self->n ? step_at (self, i) : NULL;

  return step != NULL && ls_params_bool (step, "stop", FALSE);
}

static gboolean
is_answered (View  *self,
             guint  i)
{
  g_autofree char *given = ls_lesson_stops_get (ls_play_get (self->play, self->part)->stops, i);

  return given != NULL;
}

/* ---- buffers ------------------------------------------------------------------------------------- */

/* A buffer where the run stands, as ls_debug_grid() would tell it. */
static GVariant *
grid_now (View  *self,
          guint  number)
{
  g_autoptr (GVariant) buffers = ls_params_value (self->record, "buffers");
  g_autoptr (GVariant) buffer = g_variant_get_child_value (buffers, number);
  g_autoptr (GVariant) begin = ls_params_value (buffer, "values");
  g_autoptr (GVariant) known = ls_params_value (buffer, "written");
  g_autoptr (GVariant) shape = ls_params_value (buffer, "shape");
  gsize n, ndim;
  const double *at_begin = g_variant_get_fixed_array (begin, &n, sizeof (double));
  const gint64 *extents = g_variant_get_fixed_array (shape, &ndim, sizeof (gint64));
  g_autofree double *values = g_memdup2 (at_begin, n * sizeof (double));
  g_autofree gboolean *written = g_new0 (gboolean, n + 1);
  gint64 columns = ndim > 0 ? extents[ndim - 1] : 1, rows = ndim > 1 ? (gint64) n / MAX (columns, 1) : 1;
  gint64 n_rows = MIN (rows, MOST_SHOWN), n_columns = MIN (columns, MOST_SHOWN);
  GVariantBuilder told, flags, slice;
  GVariantDict dict;
  double least = G_MAXDOUBLE, most = -G_MAXDOUBLE;

  for (gsize i = 0; i < n; i++)
    g_variant_get_child (known, i, "b", &written[i]);
  for (guint i = 0; i < self->at; i++)
    {
      g_autoptr (GVariant) step = step_at (self, i);
      g_autoptr (GVariant) accesses = ls_params_value (step, "accesses");

      for (gsize k = 0; k < g_variant_n_children (accesses); k++)
        {
          guint32 of;
          gint64 element;
          gboolean is_write;
          double value;

          g_variant_get_child (accesses, k, "(uxbd&s)", &of, &element, &is_write, &value, NULL);
          if (of == number && is_write && element >= 0 && element < (gint64) n)
            {
              values[element] = value;
              written[element] = TRUE;
            }
        }
    }
  g_variant_builder_init (&told, G_VARIANT_TYPE ("ad"));
  g_variant_builder_init (&flags, G_VARIANT_TYPE ("ab"));
  g_variant_builder_init (&slice, G_VARIANT_TYPE ("ax"));
  for (gint64 r = 0; r < n_rows; r++)
    for (gint64 c = 0; c < n_columns; c++)
      {
        gint64 i = r * columns + c;

        g_variant_builder_add (&told, "d", values[i]);
        g_variant_builder_add (&flags, "b", written[i]);
        least = written[i] ? MIN (least, values[i]) : least;
        most = written[i] ? MAX (most, values[i]) : most;
      }
  for (gsize d = 0; d + 2 < ndim; d++)
    g_variant_builder_add (&slice, "x", (gint64) 0);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "buffer", "s", ls_params_string (buffer, "name", "?"));
  g_variant_dict_insert_value (&dict, "shape", shape);
  g_variant_dict_insert_value (&dict, "slice", g_variant_builder_end (&slice));
  g_variant_dict_insert (&dict, "row", "x", (gint64) 0);
  g_variant_dict_insert (&dict, "column", "x", (gint64) 0);
  g_variant_dict_insert (&dict, "rows", "u", (guint) n_rows);
  g_variant_dict_insert (&dict, "columns", "u", (guint) n_columns);
  g_variant_dict_insert_value (&dict, "values", g_variant_builder_end (&told));
  g_variant_dict_insert_value (&dict, "written", g_variant_builder_end (&flags));
  if (least <= most)
    {
      g_variant_dict_insert (&dict, "least", "d", least);
      g_variant_dict_insert (&dict, "most", "d", most);
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* What the statement that comes next touches, as the grid wants it; while that is the question, nothing. */
static GVariant *
accesses_now (View *self)
{
  g_autoptr (GVariant) buffers = ls_params_value (self->record, "buffers");
  g_autoptr (GVariant) step = self->at < self->n ? step_at (self, self->at) : NULL;
  g_autoptr (GVariant) accesses = step != NULL ? ls_params_value (step, "accesses") : NULL;
  gboolean hides = self->wants != NULL && is_stop (self, self->at) && !is_answered (self, self->at);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (gsize k = 0; accesses != NULL && !hides && k < g_variant_n_children (accesses); k++)
    {
      guint32 of;
      gint64 element;
      gboolean is_write;
      gsize ndim;
      g_autoptr (GVariant) buffer = NULL;
      g_autoptr (GVariant) shape = NULL;
      const gint64 *extents;
      gint64 indices[16];
      GVariantBuilder at;
      GVariantDict dict;

      g_variant_get_child (accesses, k, "(uxbd&s)", &of, &element, &is_write, NULL, NULL);
      buffer = g_variant_get_child_value (buffers, of);
      shape = ls_params_value (buffer, "shape");
      extents = g_variant_get_fixed_array (shape, &ndim, sizeof (gint64));
      for (gsize d = MIN (ndim, G_N_ELEMENTS (indices)); d-- > 0;)
        {
          indices[d] = element % MAX (extents[d], 1);
          element /= MAX (extents[d], 1);
        }
      g_variant_builder_init (&at, G_VARIANT_TYPE ("ax"));
      for (gsize d = 0; d < MIN (ndim, G_N_ELEMENTS (indices)); d++)
        g_variant_builder_add (&at, "x", indices[d]);
      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "kind", "s", is_write ? "write" : "read");
      g_variant_dict_insert (&dict, "buffer", "s", ls_params_string (buffer, "name", "?"));
      g_variant_dict_insert_value (&dict, "at", g_variant_builder_end (&at));
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_ref_sink (g_variant_builder_end (&list));
}

/* ---- what is shown ---------------------------------------------------------------------------------- */

/* What came of the answer at this stop, and how many of all were right. (transfer full) */
static char *
verdict_words (View       *self,
               const char *given)
{
  gboolean is_value = strcmp (self->wants, "value") == 0;
  g_autofree char *wanted = NULL;
  guint answered, asked, right;
  double value = 0;

  if (!ls_lesson_record_next_write (self->record, self->at, &wanted, &value))
    return g_strdup ("");
  right = ls_lesson_stops_judge (self->record, is_value, ls_play_get (self->play, self->part)->stops, &answered, &asked, NULL);
  /* Translators: an element of an array, its value, then how many answers were right so far */
  return g_strdup_printf (ls_lesson_record_is_right (given, is_value, wanted, value) ? _("Right: %s becomes %.6g. %u of %u right.") : _("No: %s becomes %.6g. %u of %u right."),
                          wanted, value, right, answered);
}

static void
show_question (View *self)
{
  gboolean here = self->wants != NULL && is_stop (self, self->at);
  g_autofree char *given = here ? ls_lesson_stops_get (ls_play_get (self->play, self->part)->stops, self->at) : NULL;
  g_autofree char *words = given != NULL ? verdict_words (self, given) : g_strdup ("");

  gtk_widget_set_visible (self->ask, here);
  if (!here)
    return;
  gtk_label_set_label (GTK_LABEL (self->question), strcmp (self->wants, "value") == 0 ? _("Which value is written next?") : _("Which element is written next?"));
  gtk_widget_set_sensitive (self->answer, given == NULL);
  gtk_widget_set_sensitive (self->check, given == NULL);
  gtk_editable_set_text (GTK_EDITABLE (self->answer), given != NULL ? given : "");
  gtk_label_set_label (GTK_LABEL (self->verdict), words);
}

static void
show_state (View *self)
{
  g_autoptr (GVariant) accesses = accesses_now (self);
  g_autoptr (GVariant) step = self->at < self->n ? step_at (self, self->at) : NULL;
  const char *vars = step != NULL ? ls_params_string (step, "vars", "") : "";
  g_autofree char *words = NULL;
  gint64 line = step != NULL ? ls_params_int (step, "line", 0) : 0;

  if (step == NULL)
    words = g_strdup_printf (ls_params_bool (self->record, "whole", TRUE) ? _("The run is over after %u statements.") : _("The first %u statements are written down."), self->n);
  else if (*vars != '\0')
    words = g_strdup_printf (_("Before statement %u of %u: %s."), self->at + 1, self->n, vars);
  else
    words = g_strdup_printf (_("Before statement %u of %u."), self->at + 1, self->n);
  gtk_label_set_label (GTK_LABEL (self->words), words);
  if (line > 0)
    ls_source_text_mark (LS_SOURCE_TEXT (self->text), (guint) line, (guint) line);
  for (guint i = 0; i < self->widgets->len; i++)
    {
      g_autoptr (GVariant) grid = grid_now (self, i);

      ls_run_grid_set (self->widgets->pdata[i], grid, accesses);
    }
  self->placing = TRUE;
  gtk_range_set_value (GTK_RANGE (self->clock), self->at);
  self->placing = FALSE;
  show_question (self);
}

static void
go (View *self,
    int   way,
    gboolean to_stop)
{
  gint64 at = (gint64) self->at + way;

  while (to_stop && at > 0 && at < self->n && !is_stop (self, (guint) at))
    at += way;
  self->at = (guint) CLAMP (at, 0, (gint64) self->n);
  show_state (self);
}

static void
move_clicked (GtkWidget *button,
              View      *self)
{
  int way = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "way"));

  if (self->record == NULL)
    return;
  go (self, way > 0 ? 1 : -1, ABS (way) == 2);
}

static void
clock_moved (View *self)
{
  if (self->placing || self->record == NULL)
    return;
  self->at = MIN ((guint) gtk_range_get_value (GTK_RANGE (self->clock)), self->n);
  show_state (self);
}

static void
check_answer (View *self)
{
  g_autofree char *given = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->answer))));
  g_autofree char *wanted = NULL;
  double value = 0;

  if (*given == '\0' || self->record == NULL || !ls_lesson_record_next_write (self->record, self->at, &wanted, &value))
    return;
  ls_play_answer_stop (self->play, self->part, self->at, given);
  show_state (self);
}

/* ---- the run is written down ------------------------------------------------------------------------- */

typedef struct {
  GVariant     *view;
  LsLessonPart  part;           /* only stops */
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  g_variant_unref (self->view);
  g_strfreev (self->part.stops);
  g_free (self);
}

static void
write_down (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *stop)
{
  Job *job = data;
  g_autoptr (GError) error = NULL;
  GVariant *record = ls_lesson_record (job->view, &job->part, &error);

  if (record != NULL)
    g_task_return_pointer (task, record, (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
add_buffers (View *self)
{
  g_autoptr (GVariant) buffers = ls_params_value (self->record, "buffers");

  for (gsize i = 0; i < g_variant_n_children (buffers); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (buffers, i);
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2), *grid = ls_run_grid_new ();

      gtk_box_append (GTK_BOX (box), ls_part_label (ls_params_string (one, "name", "?"), "code"));
      gtk_box_append (GTK_BOX (box), grid);
      gtk_widget_set_hexpand (box, TRUE);
      gtk_box_append (GTK_BOX (self->grids), box);
      g_ptr_array_add (self->widgets, grid);
    }
}

static void
written_down (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (GError) error = NULL;
  GVariant *record = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GVariant) steps = NULL;
  View *self;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self = g_object_get_data (source, "ls-view");
  if (record == NULL)
    {
      gtk_label_set_label (GTK_LABEL (self->words), error->message);
      return;
    }
  self->record = record;
  steps = ls_params_value (record, "steps");
  self->n = (guint) g_variant_n_children (steps);
  ls_source_text_set (LS_SOURCE_TEXT (self->text), ls_params_string (record, "text", ""));
  gtk_range_set_range (GTK_RANGE (self->clock), 0, MAX (self->n, 1));
  add_buffers (self);
  for (guint i = 0; i < 4; i++)
    gtk_widget_set_sensitive (self->moves[i], TRUE);
  gtk_widget_set_sensitive (self->clock, TRUE);
  show_state (self);
}

static GtkWidget *
question_box (View *self)
{
  self->ask = ls_part_row (NULL);
  self->question = ls_part_label (NULL, "strong");
  self->answer = gtk_entry_new ();
  self->check = gtk_button_new_with_label (_("Check"));
  self->verdict = ls_part_label (NULL, NULL);
  gtk_label_set_wrap (GTK_LABEL (self->verdict), TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->answer), 10);
  ls_set_label (self->answer, _("Your answer"));
  g_signal_connect_swapped (self->answer, "activate", G_CALLBACK (check_answer), self);
  g_signal_connect_swapped (self->check, "clicked", G_CALLBACK (check_answer), self);
  gtk_widget_set_hexpand (self->verdict, TRUE);
  gtk_box_append (GTK_BOX (self->ask), self->question);
  gtk_box_append (GTK_BOX (self->ask), self->answer);
  gtk_box_append (GTK_BOX (self->ask), self->check);
  gtk_box_append (GTK_BOX (self->ask), self->verdict);
  gtk_widget_set_visible (self->ask, FALSE);
  return self->ask;
}

GtkWidget *
ls_run_view_new (GVariant *view,
                 LsPlay   *play,
                 guint     number)
{
  const LsLessonPart *part = ls_lesson_get_part (ls_play_get_lesson (play), number);
  static const struct { const char *icon, *words; int way; } moves[] = {
    { "media-seek-backward-symbolic", N_("Back to the last stop"), -2 },
    { "go-up-symbolic", N_("A statement back"), -1 },
    { "go-down-symbolic", N_("Next statement"), 1 },
    { "media-seek-forward-symbolic", N_("On to the next stop"), 2 },
  };
  View *self = g_new0 (View, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *scroll = gtk_scrolled_window_new ();
  g_autoptr (GTask) task = NULL;
  Job *job = g_new0 (Job, 1);

  self->stop = g_cancellable_new ();
  self->widgets = g_ptr_array_new ();
  self->play = g_object_ref (play);
  self->part = number;
  self->wants = g_strdup (part->ask);
  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      self->moves[i] = ls_part_icon_button (moves[i].icon, _(moves[i].words));
      g_object_set_data (G_OBJECT (self->moves[i]), "way", GINT_TO_POINTER (moves[i].way));
      g_signal_connect (self->moves[i], "clicked", G_CALLBACK (move_clicked), self);
      gtk_widget_set_sensitive (self->moves[i], FALSE);
      gtk_box_append (GTK_BOX (bar), self->moves[i]);
    }
  self->clock = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 1);
  ls_set_label (self->clock, _("Statement"));
  gtk_scale_set_draw_value (GTK_SCALE (self->clock), FALSE);
  gtk_widget_set_hexpand (self->clock, TRUE);
  gtk_widget_set_sensitive (self->clock, FALSE);
  g_signal_connect_swapped (self->clock, "value-changed", G_CALLBACK (clock_moved), self);
  gtk_box_append (GTK_BOX (bar), self->clock);
  self->words = ls_part_label (_("The program runs…"), "strong");
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  self->text = ls_source_text_new (LS_SYNTAX_SCRIPT);
  ls_set_label (self->text, _("The program that runs"));
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroll), self->text);
  ls_scroller_steady (scroll);
  gtk_widget_set_vexpand (scroll, TRUE);
  self->grids = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_vexpand (self->grids, FALSE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (box), question_box (self));
  gtk_box_append (GTK_BOX (box), scroll);
  gtk_box_append (GTK_BOX (box), self->grids);
  gtk_widget_add_css_class (box, "lesson-accesses");
  g_object_set_data_full (G_OBJECT (box), "ls-view", self, view_free);
  job->view = g_variant_ref (view);
  job->part.stops = g_strdupv (part->stops);
  task = g_task_new (box, self->stop, written_down, NULL);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_set_task_data (task, job, job_free);
  ls_task_run (task, write_down);
  return box;
}
