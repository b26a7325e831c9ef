/* LsTuneView: panes round the charts, and the buttons of the search. */
#include "views/tune/view.h"

#include "views/parts/fit-label.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"
#include "views/tune/chart.h"
#include "views/tune/kinds.h"
#include "views/tune/list.h"
#include "views/tune/pane.h"
#include "views/tune/tasks.h"
#include "views/tune/tree.h"

#include <glib/gi18n.h>

#define TRIALS 64
#define MOST_TRIALS 5000
#define MOST_SECONDS 86400
#define LIST_WIDTH 288
#define PANE_WIDTH 340
#define TOTAL_WIDTH 420
#define MACHINES_HEIGHT 96
#define FOLLOW_MS 100           /* a chart of 200 candidates is drawn anew at most ten times a second */

struct _LsTuneView
{
  GtkWidget  parent_instance;

  LsSession *session;
  LsTuning  *tuning;
  GtkWidget *box;
  GtkWidget *trials, *seconds, *shown, *queue;
  GtkWidget *machines_row, *machines;
  GtkWidget *kinds_row, *kinds;
  GtkWidget *start, *pause, *stop, *keep;
  GtkWidget *progress_row, *progress;
  GtkWidget *message_bar, *message;
  GtkWidget *stack, *status;
  GtkWidget *outer, *inner, *charts;
  GtkWidget *curve, *scatter;
  GtkWidget *list, *side, *pane, *tree;
  GtkWidget *whole, *tasks, *total, *total_box;     /* of a module */
  GtkWidget *keep_all;
};

G_DEFINE_FINAL_TYPE (LsTuneView, ls_tune_view, GTK_TYPE_WIDGET)

/* ---- showing ---------------------------------------------------------------------- */

static void
set_start_words (LsTuneView           *self,
                 const LsTuningRecord *record)
{
  gboolean again = record->state == LS_TUNING_ENDED;

  gtk_button_set_label (GTK_BUTTON (self->start), again ? _("Start again") : _("Start"));
  ls_tip_set (self->start, again ? _("What was measured of the same program counts")
                                 : _("Searches schedules of the opened program"));
}

static void
show_empty (LsTuneView *self)
{
  const char *refusal = self->tuning != NULL ? ls_tuning_get_refusal (self->tuning) : _("There is no program to search schedules of.");

  if (refusal != NULL)
    ls_status_set (LS_STATUS (self->status), refusal, NULL, NULL, NULL);
  else
    ls_status_set (LS_STATUS (self->status), _("Let the computer search for a fast schedule."), _("Start the search"), "tune.start",
                   _("It draws tilings, places, parallel, vector and unrolled loops for the opened program, builds each candidate, runs it in a process of "
                     "its own, compares what it computes and times it. Good ones are varied; a model of cost chooses what is measured next. Your "
                     "steps stay as they are: a candidate becomes a branch when you open it. It goes on when this window is closed, and is shown here again."));
}

static void
show_message (LsTuneView *self)
{
  const char *message = ls_tuning_get_message (self->tuning), *conditions = ls_tuning_get_conditions (self->tuning);

  gtk_widget_set_visible (self->message_bar, message != NULL || conditions != NULL);
  gtk_label_set_label (GTK_LABEL (self->message), message != NULL ? message : conditions != NULL ? conditions : "");
  ls_tip_set (self->message, conditions);
}

/* The machines of a queue, while one measures. */
static void
show_machines (LsTuneView *self)
{
  gboolean are = self->tuning != NULL && ls_tuning_get_machines (self->tuning) != NULL;
  g_autofree char *words = are ? ls_tuning_describe_machines (self->tuning) : NULL;

  gtk_widget_set_visible (self->machines_row, are);
  gtk_label_set_label (GTK_LABEL (self->machines), are ? words : "");
}

static void
show (gpointer data)
{
  LsTuneView *self = data;
  const LsTuningRecord *record = self->tuning != NULL ? ls_tuning_get (self->tuning) : NULL;
  LsTuningState state = record != NULL ? record->state : LS_TUNING_NONE;
  gboolean under_way = state == LS_TUNING_RUNNING || state == LS_TUNING_PAUSED || state == LS_TUNING_STOPPING;
  gboolean can_start = record != NULL && !under_way && ls_tuning_get_refusal (self->tuning) == NULL;
  gboolean is_whole = record != NULL && ls_tuning_get_tasks (self->tuning) != NULL;
  g_autofree char *progress = state != LS_TUNING_NONE ? ls_tuning_describe (self->tuning) : NULL;

  gtk_widget_set_visible (self->progress_row, state != LS_TUNING_NONE);
  gtk_widget_set_visible (self->start, !under_way);
  gtk_widget_set_visible (self->pause, under_way);
  gtk_widget_set_visible (self->stop, under_way);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "tune.start", can_start);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "tune.pause", state == LS_TUNING_RUNNING || state == LS_TUNING_PAUSED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "tune.stop", state == LS_TUNING_RUNNING || state == LS_TUNING_PAUSED);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "tune.keep", record != NULL && ls_tuning_get_part (self->tuning)->best_number > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "tune.keep-all", is_whole && record->best > 0.0);
  gtk_widget_set_sensitive (self->trials, !under_way);
  gtk_widget_set_sensitive (self->seconds, !under_way);
  gtk_widget_set_sensitive (self->shown, !under_way);
  gtk_widget_set_sensitive (self->queue, !under_way);
  gtk_button_set_label (GTK_BUTTON (self->pause), state == LS_TUNING_PAUSED ? _("Resume") : _("Pause"));
  if (record != NULL)
    set_start_words (self, record);
  ls_fit_label_set (LS_FIT_LABEL (self->progress), (const char *const[]) { progress != NULL ? progress : "", NULL });
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), state == LS_TUNING_NONE ? "empty" : "search");
  gtk_widget_set_visible (self->whole, is_whole);
  gtk_widget_set_visible (self->keep_all, is_whole);
  show_machines (self);
  /* Before it is filled: what is put into a hidden widget is not told to a screen reader. */
  gtk_widget_set_visible (self->kinds_row, self->tuning != NULL && ls_tuning_get_kinds (self->tuning) != NULL);
  ls_kinds_table_set (self->kinds, self->tuning);
  if (state == LS_TUNING_NONE)
    {
      gtk_widget_set_visible (self->message_bar, FALSE);
      if (self->tuning != NULL && ls_tuning_get_message (self->tuning) != NULL)
        show_message (self);
      show_empty (self);
      return;
    }
  show_message (self);
  ls_tuning_chart_update (LS_TUNING_CHART (self->curve));
  ls_tuning_chart_update (LS_TUNING_CHART (self->scatter));
  if (is_whole)
    ls_tuning_chart_update (LS_TUNING_CHART (self->total));
}

static void
follow (LsTuneView *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, FOLLOW_MS, show);
}

static void
looked (LsTuneView *self)
{
  ls_tuning_chart_update (LS_TUNING_CHART (self->curve));
  ls_tuning_chart_update (LS_TUNING_CHART (self->scatter));
}

/* ---- buttons -------------------------------------------------------------------------- */

static void
start (GtkWidget  *widget,
       const char *action,
       GVariant   *parameter)
{
  LsTuneView *self = LS_TUNE_VIEW (widget);

  ls_tuning_set_queue (self->tuning, gtk_editable_get_text (GTK_EDITABLE (self->queue)));
  ls_tuning_start (self->tuning, gtk_check_button_get_active (GTK_CHECK_BUTTON (self->shown)),
                   (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->trials)),
                   (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->seconds)));
  show (self);
  if (ls_tuning_get (self->tuning)->state == LS_TUNING_RUNNING)
    gtk_widget_grab_focus (self->pause);
}

static void
pause_or_resume (GtkWidget  *widget,
                 const char *action,
                 GVariant   *parameter)
{
  LsTuneView *self = LS_TUNE_VIEW (widget);

  if (ls_tuning_get (self->tuning)->state == LS_TUNING_PAUSED)
    ls_tuning_resume (self->tuning);
  else
    ls_tuning_pause (self->tuning);
  show (self);
}

static void
stop (GtkWidget  *widget,
      const char *action,
      GVariant   *parameter)
{
  LsTuneView *self = LS_TUNE_VIEW (widget);

  ls_tuning_stop (self->tuning);
  show (self);
}

/* The fastest so far becomes a branch. */
static void
keep (GtkWidget  *widget,
      const char *action,
      GVariant   *parameter)
{
  LsTuneView *self = LS_TUNE_VIEW (widget);
  guint number = ls_tuning_get_part (self->tuning)->best_number;
  g_autoptr (LsTrialItem) item = number > 0 ? g_list_model_get_item (ls_tuning_get_items (self->tuning), number - 1) : NULL;

  if (item == NULL)
    return;
  ls_tuning_select (self->tuning, item);
  ls_tuning_open (self->tuning, item);
}

static void
keep_all (GtkWidget  *widget,
          const char *action,
          GVariant   *parameter)
{
  ls_tuning_keep_all (LS_TUNE_VIEW (widget)->tuning);
}

/* ---- class ------------------------------------------------------------------------------ */

static void
look (gpointer data)
{
  LsTuneView *self = data;

  if (self->tuning != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    ls_tuning_look (self->tuning);
}

/* When the page stands: its first frame does not wait. */
static void
look_later (LsTuneView *self)
{
  ls_later (self, G_PRIORITY_LOW, 0, look);
}

void
ls_tune_view_set_session (LsTuneView *self,
                          LsSession  *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_set_object (&self->tuning, ls_session_get_tuning (session));
  if (self->tuning != NULL)
    {
      g_signal_connect_swapped (self->tuning, "changed", G_CALLBACK (follow), self);
      g_signal_connect_swapped (self->tuning, "selected", G_CALLBACK (looked), self);
      ls_tuning_chart_set_tuning (LS_TUNING_CHART (self->curve), self->tuning);
      ls_tuning_chart_set_tuning (LS_TUNING_CHART (self->scatter), self->tuning);
      ls_tuning_chart_set_tuning (LS_TUNING_CHART (self->total), self->tuning);
      ls_trial_list_set_tuning (LS_TRIAL_LIST (self->list), self->tuning);
      ls_trial_pane_set_tuning (LS_TRIAL_PANE (self->pane), self->tuning);
      ls_task_table_set_tuning (LS_TASK_TABLE (self->tasks), self->tuning);
      ls_decision_tree_set_tuning (LS_DECISION_TREE (self->tree), self->tuning);
    }
  g_signal_connect_swapped (session, "notify::state", G_CALLBACK (follow), self);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (follow), self);
  g_signal_connect_swapped (session, "notify::state", G_CALLBACK (look_later), self);
  g_signal_connect (self, "map", G_CALLBACK (look_later), NULL);
  look_later (self);
  show (self);
}

void
ls_tune_view_set_narrow (LsTuneView *self,
                         gboolean    narrow,
                         gboolean    cramped)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->inner), narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->charts), narrow && !cramped ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->outer), cramped ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->whole), narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->side), narrow && !cramped ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (self->total_box, narrow ? -1 : ls_theme_grow (TOTAL_WIDTH), -1);
  gtk_widget_set_size_request (self->pane, narrow ? -1 : ls_theme_grow (PANE_WIDTH), narrow ? ls_theme_grow (180) : -1);
  gtk_widget_set_size_request (self->tree, -1, ls_theme_grow (180));
  gtk_widget_set_size_request (self->list, cramped ? -1 : ls_theme_grow (narrow ? LIST_WIDTH - 48 : LIST_WIDTH), cramped ? ls_theme_grow (140) : -1);
}

static void
ls_tune_view_dispose (GObject *object)
{
  LsTuneView *self = LS_TUNE_VIEW (object);

  if (self->tuning != NULL)
    g_signal_handlers_disconnect_by_data (self->tuning, self);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->tuning);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_tune_view_parent_class)->dispose (object);
}

static void
ls_tune_view_class_init (LsTuneViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_tune_view_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "tuneview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "tune.start", NULL, start);
  gtk_widget_class_install_action (widget_class, "tune.pause", NULL, pause_or_resume);
  gtk_widget_class_install_action (widget_class, "tune.stop", NULL, stop);
  gtk_widget_class_install_action (widget_class, "tune.keep", NULL, keep);
  gtk_widget_class_install_action (widget_class, "tune.keep-all", NULL, keep_all);
}

/* Its words stay beside it when the row wraps. */
static void
append_named (GtkWidget  *row,
              const char *words,
              GtkWidget  *widget)
{
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, gtk_box_get_spacing (GTK_BOX (row)));

  gtk_box_append (GTK_BOX (both), ls_part_label (words, "caption"));
  gtk_box_append (GTK_BOX (both), widget);
  gtk_box_append (GTK_BOX (row), both);
}

static GtkWidget *
spin_new (GtkWidget  *row,
          const char *words,
          const char *tip,
          double      least,
          double      most,
          double      value)
{
  GtkWidget *spin = gtk_spin_button_new_with_range (least, most, 1.0);

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 4);
  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  ls_tip_set (spin, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, words, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip, -1);
  append_named (row, words, spin);
  return spin;
}

static GtkWidget *
button_new (GtkWidget  *row,
            const char *words,
            const char *action,
            const char *tip)
{
  GtkWidget *button = gtk_button_new_with_label (words);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  ls_tip_set (button, tip);
  gtk_box_append (GTK_BOX (row), button);
  return button;
}

/* Where it is measured. */
static GtkWidget *
queue_new (GtkWidget *row)
{
  GtkWidget *entry = gtk_entry_new ();
  const char *tip = _("Where candidates are measured: empty for this machine, or the address of a queue, redis://HOST or unix:///PATH, for which machines run loopscope-measure");

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _("this machine"));
  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_URL);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 10);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  ls_tip_set (entry, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Measured on"), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip, -1);
  append_named (row, _("Measured on"), entry);
  return entry;
}

/* As high as what is in it, up to a few lines. */
static GtkWidget *
low_row_new (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *row = ls_part_row ("pane-header");

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), MACHINES_HEIGHT);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (row), scroller);
  return row;
}

static GtkWidget *
machines_new (LsTuneView *self)
{
  self->machines = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->machines), TRUE);
  self->machines_row = low_row_new (self->machines);
  return self->machines_row;
}

static GtkWidget *
kinds_new (LsTuneView *self)
{
  self->kinds = ls_kinds_table_new ();
  self->kinds_row = low_row_new (self->kinds);
  return self->kinds_row;
}

static GtkWidget *
head_new (LsTuneView *self)
{
  GtkWidget *row = ls_part_row ("pane-header");

  self->trials = spin_new (row, _("Trials"), _("How many schedules are drawn in all; those of an earlier search of the same program count"), 1, MOST_TRIALS, TRIALS);
  self->seconds = spin_new (row, _("Seconds"), _("When it ends at the latest; 0: when the trials are done"), 0, MOST_SECONDS, 0);
  self->shown = gtk_check_button_new_with_label (_("From the shown step"));
  gtk_widget_set_valign (self->shown, GTK_ALIGN_CENTER);
  ls_tip_set (self->shown, _("The search begins with the steps up to the shown one, instead of the program as it was opened"));
  gtk_box_append (GTK_BOX (row), self->shown);
  self->queue = queue_new (row);
  self->start = button_new (row, _("Start"), "tune.start", NULL);
  self->pause = button_new (row, _("Pause"), "tune.pause", _("What is being measured is measured to its end"));
  self->stop = button_new (row, _("Stop"), "tune.stop", _("Ends the search, which would go on when the window is closed; what was measured stays"));
  self->keep = button_new (row, _("Keep the best"), "tune.keep", _("The fastest candidate so far becomes a branch of the history"));
  self->keep_all = button_new (row, _("Keep all"), "tune.keep-all", _("The fastest candidate of each function, one behind the other, becomes a branch of the history"));
  return ls_part_wrapped (row);
}

static GtkWidget *
progress_new (LsTuneView *self)
{
  self->progress_row = ls_part_row ("pane-header");
  self->progress = ls_fit_label_new ();
  gtk_widget_add_css_class (self->progress, "strong");
  gtk_widget_set_hexpand (self->progress, TRUE);
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->progress_row), self->progress);
  return self->progress_row;
}

static GtkWidget *
message_new (LsTuneView *self)
{
  self->message_bar = ls_part_row ("pane-footer");
  self->message = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  gtk_widget_set_hexpand (self->message, TRUE);
  gtk_box_append (GTK_BOX (self->message_bar), self->message);
  return self->message_bar;
}

static GtkWidget *
titled (GtkWidget  *child,
        const char *words)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *title = ls_part_label (words, "pane-title");
  GtkWidget *head = ls_part_row ("pane-header");

  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (box), head);
  gtk_widget_add_css_class (box, "tuning-box");
  gtk_widget_add_css_class (child, "tuning-part");
  gtk_widget_set_vexpand (child, TRUE);
  gtk_box_append (GTK_BOX (box), child);
  return box;
}

static GtkWidget *
paned_new (GtkWidget *start_child,
           GtkWidget *end_child,
           gboolean   start_grows)
{
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  gtk_widget_set_focusable (paned, FALSE);
  gtk_paned_set_start_child (GTK_PANED (paned), start_child);
  gtk_paned_set_end_child (GTK_PANED (paned), end_child);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), start_grows);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), !start_grows);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  return paned;
}

/* Of a module: its functions, and what all of them take together. */
static GtkWidget *
whole_new (LsTuneView *self)
{
  GtkWidget *functions;

  self->whole = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->tasks = ls_task_table_new ();
  self->total = ls_tuning_chart_new (LS_TUNING_TOTAL);
  functions = titled (self->tasks, _("Functions of the module"));
  self->total_box = titled (self->total, _("All calls together"));
  gtk_widget_set_hexpand (functions, TRUE);
  gtk_widget_set_hexpand (self->total_box, FALSE);
  gtk_box_append (GTK_BOX (self->whole), functions);
  gtk_box_append (GTK_BOX (self->whole), self->total_box);
  return self->whole;
}

static GtkWidget *
search_new (LsTuneView *self)
{
  GtkWidget *scroller, *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->list = ls_trial_list_new ();
  self->curve = ls_tuning_chart_new (LS_TUNING_CURVE);
  self->scatter = ls_tuning_chart_new (LS_TUNING_SCATTER);
  self->pane = ls_trial_pane_new ();
  self->charts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_set_homogeneous (GTK_BOX (self->charts), TRUE);
  gtk_box_append (GTK_BOX (self->charts), titled (self->curve, _("Best time")));
  gtk_box_append (GTK_BOX (self->charts), titled (self->scatter, _("Predicted against measured")));
  self->tree = ls_decision_tree_new ();
  self->side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_set_homogeneous (GTK_BOX (self->side), TRUE);
  gtk_box_append (GTK_BOX (self->side), self->pane);
  gtk_box_append (GTK_BOX (self->side), titled (self->tree, _("Which decisions matter")));
  self->inner = paned_new (self->charts, self->side, TRUE);
  self->outer = paned_new (titled (self->list, _("Candidates")), self->inner, FALSE);
  gtk_widget_set_vexpand (self->outer, TRUE);
  gtk_box_append (GTK_BOX (column), whole_new (self));
  gtk_box_append (GTK_BOX (column), self->outer);
  /* Charts of large letters are higher than a small screen. */
  scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), column);
  return scroller;
}

static void
ls_tune_view_init (LsTuneView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->status = ls_status_new ();
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), self->status, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), search_new (self), "search");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (self->box), head_new (self));
  gtk_box_append (GTK_BOX (self->box), progress_new (self));
  gtk_box_append (GTK_BOX (self->box), machines_new (self));
  gtk_box_append (GTK_BOX (self->box), kinds_new (self));
  gtk_box_append (GTK_BOX (self->box), self->stack);
  gtk_box_append (GTK_BOX (self->box), message_new (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Tune"), -1);
  ls_tune_view_set_narrow (self, FALSE, FALSE);
}

GtkWidget *
ls_tune_view_new (void)
{
  return g_object_new (LS_TYPE_TUNE_VIEW, NULL);
}
