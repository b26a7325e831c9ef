/* ranking/window: a list over the session's ranking; it fills while the measurement runs. */
#include "app/ranking/window.h"

#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>

#define KEY "rank-moves"
#define CALL_CHARS 24           /* of a move, at least */
#define LEAST_SAMPLES 5         /* with fewer, their number stands for a spread and a verdict */

typedef struct {
  GtkWidget *window;
  GtkWidget *sentence;
  GtkWidget *cancel;
  LsSession *session;
  GtkSizeGroup *times;          /* the rows' columns */
  GtkSizeGroup *factors;
} Ranking;

static GtkWidget *
create_row (gpointer object,
            gpointer data)
{
  Ranking *self = data;
  const LsStepRecord *record = ls_step_item_get (object);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gboolean known = record->state == LS_STEP_MEASURED;
  gboolean few = known && record->timing.samples < LEAST_SAMPLES;
  g_autofree char *time = few     ? ls_format_time (record->timing.median)
                          : known ? ls_format_time_spread (record->timing.median, (record->timing.q3 - record->timing.q1) / 2.0)
                                  : g_strdup (record->state == LS_STEP_FAILED && record->reason != NULL ? record->reason : _("waits"));
  g_autofree char *factor = known && record->speedup > 0.0 ? ls_format_factor (record->speedup) : g_strdup ("");
  g_autofree char *verdict = few ? g_strdup_printf (ngettext ("%u sample", "%u samples", record->timing.samples), record->timing.samples)
                                 : g_strdup (known && record->no_difference ? _("no real difference") : "");
  g_autofree char *words = g_strjoin (", ", record->call, time, *verdict != '\0' ? verdict : factor, NULL);
  GtkWidget *call = ls_part_label (record->call, "code");
  GtkWidget *noise = ls_part_label_at (verdict, "reason", 1.0f), *when = ls_part_label_at (NULL, known ? "figure" : "reason", 1.0f);

  ls_part_set_figure (GTK_LABEL (when), time);
  gtk_label_set_ellipsize (GTK_LABEL (call), PANGO_ELLIPSIZE_MIDDLE);
  /* Beside a long reason too one reads of what. */
  gtk_label_set_width_chars (GTK_LABEL (call), (int) MIN (g_utf8_strlen (record->call, -1), CALL_CHARS));
  gtk_widget_set_hexpand (call, TRUE);
  gtk_box_append (GTK_BOX (line), call);
  gtk_box_append (GTK_BOX (line), noise);
  gtk_box_append (GTK_BOX (line), when);
  gtk_box_append (GTK_BOX (line), ls_part_label_at (NULL, record->no_difference ? "reason" : "strong", 1.0f));
  ls_part_set_figure (GTK_LABEL (gtk_widget_get_last_child (line)), factor);
  gtk_label_set_wrap (GTK_LABEL (when), record->state == LS_STEP_FAILED);        /* a reason may be long */
  if (record->state != LS_STEP_FAILED)
    gtk_size_group_add_widget (self->times, when);
  gtk_size_group_add_widget (self->factors, gtk_widget_get_last_child (line));
  gtk_widget_add_css_class (line, "ranking-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  return row;
}

static void
activated (Ranking       *self,
           GtkListBoxRow *row)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_ranking (self->session),
                                                       (guint) gtk_list_box_row_get_index (row));

  if (item != NULL)
    {
      ls_session_cancel (self->session);
      ls_session_apply_ranked (self->session, item);
      gtk_window_destroy (GTK_WINDOW (self->window));
    }
}

static void
update (Ranking *self)
{
  GListModel *ranking = ls_session_get_ranking (self->session);
  guint n = g_list_model_get_n_items (ranking), done = 0, failed = 0;
  g_autoptr (LsStepItem) best = g_list_model_get_item (ranking, 0);
  g_autofree char *text = NULL, *factor = NULL, *missing = NULL, *all = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (ranking, i);

      done += ls_step_item_get (item)->state == LS_STEP_MEASURED;
      failed += ls_step_item_get (item)->state == LS_STEP_FAILED;
    }
  if (best != NULL && ls_step_item_get (best)->speedup > 0.0)
    factor = ls_format_factor (ls_step_item_get (best)->speedup);
  if (n == 0)
    text = g_strdup (_("Nothing can be applied here. Select a loop or block."));
  else if (factor == NULL)
    text = g_strdup_printf (_("%u of %u measured."), done, n);
  else if (ls_step_item_get (best)->speedup < 1.0 || ls_step_item_get (best)->no_difference)
    text = g_strdup_printf (_("%u of %u measured; none is faster than the program as it is now."), done, n);
  else
    text = g_strdup_printf (_("%u of %u measured; %s is %s the speed of the program as it is now."), done, n, ls_step_item_get (best)->call, factor);
  if (failed > 0)
    missing = g_strdup_printf (ngettext ("%u could not be measured.", "%u could not be measured.", failed), failed);
  all = g_strjoin (" ", text, missing, NULL);
  gtk_label_set_label (GTK_LABEL (self->sentence), all);
  gtk_widget_set_sensitive (self->cancel, ls_session_is_running (self->session));
}

static void
cancel (Ranking *self)
{
  ls_session_cancel (self->session);
}

static void
ranking_free (gpointer data)
{
  Ranking *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  g_signal_handlers_disconnect_by_data (ls_session_get_ranking (self->session), self);
  g_object_unref (self->session);
  g_object_unref (self->times);
  g_object_unref (self->factors);
  g_free (self);
}

static GtkWidget *
list_new (Ranking *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_BROWSE);
  ls_tab_stop_make (list);
  gtk_widget_add_css_class (list, "ranking");
  gtk_list_box_bind_model (GTK_LIST_BOX (list), ls_session_get_ranking (self->session), create_row, self, NULL);
  g_signal_connect_swapped (list, "row-activated", G_CALLBACK (activated), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static void
build (Ranking   *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *foot = ls_part_label (_("Enter applies the selected move. Each time is compared with the program as it is now."), "reason");

  self->sentence = ls_part_label (NULL, "strong");
  self->cancel = gtk_button_new_with_label (_("Cancel"));
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_widget_set_hexpand (self->sentence, TRUE);
  gtk_widget_add_css_class (head, "compare-head");
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), self->cancel);
  g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (cancel), self);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), list_new (self));
  self->window = ls_tool_window_new (parent, _("All moves, fastest first"), 640, 480, box, foot);
}

static void
show (const LsToolPlace *place)
{
  Ranking *self = ls_tool_window_find (place->parent, KEY);

  ls_session_rank_moves (place->session);
  if (self != NULL)
    {
      gtk_window_present (GTK_WINDOW (self->window));
      return;
    }
  self = g_new0 (Ranking, 1);
  self->session = g_object_ref (place->session);
  self->times = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->factors = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  build (self, place->parent);
  g_signal_connect_swapped (ls_session_get_ranking (self->session), "items-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->session, "notify::running", G_CALLBACK (update), self);
  ls_tool_window_keep (self->window, KEY, self, ranking_free);
  update (self);
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_ranking_tool = { .id = KEY, .label = N_("Measure all moves"), .accel = "<Control><Shift>m", .waits = TRUE, .show = show };
