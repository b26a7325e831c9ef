/* LsCompareView: asks the session anew when one of the two changes or their times do.  A frame gets the loops and the times, the
 * next one the texts. */
#include "views/compare/view-private.h"

#include "views/compare/canvas.h"
#include "views/compare/choice.h"
#include "views/compare/results.h"
#include "views/compare/texts.h"
#include "views/compare/time.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"
#include "views/parts/tip.h"
#include "views/parts/later.h"

#include <glib/gi18n.h>

#define PLAY_INTERVAL 1200

G_DEFINE_FINAL_TYPE (LsCompareView, ls_compare_view, GTK_TYPE_WIDGET)

/* ---- what is shown ----------------------------------------------------------- */

static void
show_counts (LsCompareView *self)
{
  GPtrArray *counts = self->comparison != NULL ? self->comparison->counts : NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->counts)) != NULL)
    gtk_box_remove (GTK_BOX (self->counts), child);
  for (guint i = 0; counts != NULL && i < MIN (counts->len, 8); i++)
    gtk_box_append (GTK_BOX (self->counts), ls_part_label (g_ptr_array_index (counts, i), "count"));
  if (self->comparison != NULL && self->comparison->same)
    gtk_box_append (GTK_BOX (self->counts), ls_part_label (_("the same program"), "count"));
  else if (counts != NULL && counts->len == 0)
    gtk_box_append (GTK_BOX (self->counts), ls_part_label (_("the same loops"), "count"));
}

/* The way from left to right along the shown path, as positions in it; FALSE when they are not both on it. */
static gboolean
ends_on_path (LsCompareView *self,
              guint         *from,
              guint         *to)
{
  GListModel *path = ls_session_get_path (self->session);
  gboolean left = FALSE, right = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (path); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (path, i);

      if (ls_step_item_get (item)->id == self->left)
        *from = i, left = TRUE;
      if (ls_step_item_get (item)->id == self->right)
        *to = i, right = TRUE;
    }
  return left && right && *to > *from;
}

static void
show_play (LsCompareView *self)
{
  guint from, to;
  gboolean can = self->playing != 0 || ends_on_path (self, &from, &to);
  g_autofree char *words = NULL;

  if (can && self->playing == 0)
    words = g_strdup_printf (ngettext ("Space plays the step", "Space plays the %u steps", to - from), to - from);
  gtk_label_set_label (GTK_LABEL (self->play_words), words != NULL ? words : "");
  gtk_widget_set_sensitive (self->play, can);
  gtk_button_set_icon_name (GTK_BUTTON (self->play), self->playing != 0 ? "media-playback-pause-symbolic"
                                                                       : "media-playback-start-symbolic");
}

/* Once there is a comparison the keyboard stands where Space plays, not at the drop-down that a page gives it to. */
static void
take_focus (LsCompareView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (!self->entered || self->comparison == NULL)
    return;
  self->entered = FALSE;
  if (focus != NULL && gtk_widget_is_ancestor (focus, self->sides[0]) && gtk_widget_get_sensitive (self->play))
    gtk_widget_grab_focus (self->play);
}

static void
show_results (LsCompareView *self)
{
  g_autoptr (LsResults) results = NULL;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    results = ls_session_get_results (self->session, self->left, self->right);
  ls_compare_results_set (LS_COMPARE_RESULTS (self->results), results);
}

static void
show_samples (LsCompareView *self)
{
  LsComparison *of = self->comparison;
  guint left = of != NULL && of->left.samples != NULL ? of->left.time.samples : 0;
  guint right = of != NULL && of->right.samples != NULL ? of->right.time.samples : 0;
  g_autofree char *words = NULL;

  if (left > 0 && left == right)
    words = g_strdup_printf (ngettext ("%u sample each", "%u samples each", left), left);
  else if (left > 0 && right > 0)
    words = g_strdup_printf (_("%u and %u samples"), left, right);
  gtk_label_set_label (GTK_LABEL (self->samples), words != NULL ? words : "");
}

static gboolean
show_rest (GtkWidget     *widget,
           GdkFrameClock *clock,
           gpointer       data)
{
  LsCompareView *self = LS_COMPARE_VIEW (widget);

  self->rest = 0;
  show_results (self);
  ls_compare_texts_set (LS_COMPARE_TEXTS (self->texts), self->comparison);
  return G_SOURCE_REMOVE;
}

static gboolean
wait_a_frame (GtkWidget     *widget,
              GdkFrameClock *clock,
              gpointer       data)
{
  LS_COMPARE_VIEW (widget)->rest = gtk_widget_add_tick_callback (widget, show_rest, NULL, NULL);
  return G_SOURCE_REMOVE;
}

/* Where there are programs and no comparison yet, it is on its way. */
static void
show_part (LsCompareView *self)
{
  gboolean coming = self->session != NULL && ls_session_get_current (self->session) != NULL && !self->without;
  const char *part = self->comparison != NULL ? "page" : coming ? "coming" : "empty";

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), part);
}

/* The texts follow in the next frame. */
static void
show_comparison (LsCompareView *self,
                 LsComparison  *comparison)
{
  ls_comparison_set (&self->comparison, comparison);
  self->without = comparison == NULL;
  show_part (self);
  ls_compare_canvas_set (LS_COMPARE_CANVAS (self->canvas), self->comparison);
  ls_compare_time_set (LS_COMPARE_TIME (self->time), self->comparison);
  gtk_label_set_label (GTK_LABEL (self->distance), self->comparison != NULL ? self->comparison->distance : "");
  gtk_widget_set_visible (self->again, self->comparison != NULL && self->comparison->left.samples != NULL &&
                                         self->comparison->right.samples != NULL);
  show_counts (self);
  show_samples (self);
  show_play (self);
  if (self->rest == 0)
    self->rest = gtk_widget_add_tick_callback (GTK_WIDGET (self), wait_a_frame, NULL, NULL);
  ls_compare_view_share_soon (self);
}

static void
leave_off (LsCompareView *self)
{
  g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
}

static void
compared (GObject      *nothing,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsCompareView) self = data;
  g_autoptr (LsComparison) comparison = ls_session_compare_finish (self->session, result);

  if (self->asking == NULL || g_task_get_cancellable (G_TASK (result)) != self->asking)
    return;
  g_clear_object (&self->asking);
  if (comparison != NULL)
    show_comparison (self, comparison);
  self->without = comparison == NULL;
  show_part (self);
  take_focus (self);
}

/* What large programs are compared to comes some frames later; until then the page stays as it was. */
static void
show (LsCompareView *self)
{
  g_autoptr (LsComparison) comparison = NULL;

  leave_off (self);
  self->asking = g_cancellable_new ();
  if (ls_session_compare_later (self->session, self->left, self->right, self->asking, compared, g_object_ref (self)))
    return;
  g_object_unref (self);
  g_clear_object (&self->asking);
  comparison = ls_session_compare_steps (self->session, self->left, self->right);
  show_comparison (self, comparison);
}

static gboolean
exists (LsCompareView *self,
        guint          id)
{
  return ls_compare_choice_position (GTK_DROP_DOWN (self->sides[0]), id) != GTK_INVALID_LIST_POSITION;
}

static void
sync_choices (LsCompareView *self)
{
  guint ids[2] = { self->left, self->right };

  self->syncing = TRUE;
  for (guint i = 0; i < 2; i++)
    if (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->sides[i])) != ls_compare_choice_position (GTK_DROP_DOWN (self->sides[i]), ids[i]))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->sides[i]), ls_compare_choice_position (GTK_DROP_DOWN (self->sides[i]), ids[i]));
  self->syncing = FALSE;
}

/* Nobody looks while another page is shown: then nothing is worked out. */
static void
refresh_idle (gpointer data)
{
  LsCompareView *self = data;
  LsStepItem *current = ls_session_get_current (self->session);

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (!exists (self, self->left) || !exists (self, self->right))
    self->chosen = FALSE;
  if (!self->chosen && self->playing == 0)
    {
      self->left = 0;
      self->right = current != NULL ? ls_step_item_get (current)->id : 0;
    }
  sync_choices (self);
  show (self);
  take_focus (self);
}

static void
queue_refresh (LsCompareView *self)
{
  self->without = FALSE;
  show_part (self);
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, refresh_idle);
}

/* A list that is filled chooses its first row by itself; nobody can choose while another page is shown. */
static void
side_chosen (LsCompareView *self)
{
  if (self->syncing || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  for (guint i = 0; i < 2; i++)
    {
      LsStepItem *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (self->sides[i]));

      if (item != NULL)
        *(i == 0 ? &self->left : &self->right) = ls_step_item_get (item)->id;
    }
  self->chosen = TRUE;
  queue_refresh (self);
}

void
ls_compare_view_show (LsCompareView *self,
                      guint          left,
                      guint          right)
{
  self->left = left;
  self->right = right;
  self->chosen = TRUE;
  queue_refresh (self);
}

void
ls_compare_view_get_shown (LsCompareView *self,
                           guint         *left,
                           guint         *right)
{
  *left = self->left;
  *right = self->right;
}

static void
swap (LsCompareView *self)
{
  ls_compare_view_show (self, self->right, self->left);
}

static void
file_read (GObject      *session,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (GTask) task = data;
  LsCompareView *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (LsStepItem) item = ls_session_compare_file_finish (LS_SESSION (session), result, &error);

  if (item == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->files == NULL)      /* the window closed meanwhile */
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  self->syncing = TRUE;
  g_list_store_remove_all (self->files);
  g_list_store_append (self->files, item);
  self->syncing = FALSE;
  ls_compare_view_show (self, self->left, LS_COMPARE_FILE);
  g_task_return_boolean (task, TRUE);
}

void
ls_compare_view_add_file (LsCompareView       *self,
                          GFile               *file,
                          GAsyncReadyCallback  callback,
                          gpointer             data)
{
  ls_session_compare_file_async (self->session, file, file_read, g_task_new (self, NULL, callback, data));
}

gboolean
ls_compare_view_add_file_finish (LsCompareView  *self,
                                 GAsyncResult   *result,
                                 GError        **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- playback ---------------------------------------------------------------- */

static guint
id_at (LsCompareView *self,
       guint          position)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_path (self->session), position);

  return item != NULL ? ls_step_item_get (item)->id : 0;
}

static void
stop (LsCompareView *self)
{
  g_clear_handle_id (&self->playing, g_source_remove);
  show_play (self);
}

void
ls_compare_view_step (LsCompareView *self,
                      int            direction)
{
  GListModel *path = ls_session_get_path (self->session);
  guint n = g_list_model_get_n_items (path);

  for (guint i = 0; i < n; i++)
    if (id_at (self, i) == self->right && (direction > 0 ? i + 1 < n : i > 0))
      {
        ls_compare_view_show (self, self->left, id_at (self, direction > 0 ? i + 1 : i - 1));
        return;
      }
}

static gboolean
play_on (gpointer data)
{
  LsCompareView *self = data;

  if (self->right == self->play_end || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->playing = 0;
      show_play (self);
      return G_SOURCE_REMOVE;
    }
  ls_compare_view_step (self, 1);
  return G_SOURCE_CONTINUE;
}

void
ls_compare_view_play (LsCompareView *self)
{
  guint from, to;

  if (self->playing != 0)
    {
      stop (self);
      return;
    }
  if (!ends_on_path (self, &from, &to))
    return;
  self->play_end = self->right;
  ls_compare_view_show (self, self->left, self->left);
  self->playing = g_timeout_add (PLAY_INTERVAL, play_on, self);
  show_play (self);
}

/* ---- building ---------------------------------------------------------------- */

static GtkWidget *
head_row (LsCompareView *self)
{
  GtkWidget *row = ls_part_row (NULL), *rest = ls_part_row (NULL);
  GtkWidget *button = ls_part_word_button ("object-flip-horizontal-symbolic", _("Swap"));
  GtkWidget *file = ls_part_word_button ("text-x-generic-symbolic", _("File…"));
  GtkWidget *export = ls_part_word_button ("document-save-as-symbolic", _("Export"));

  self->sides[0] = ls_compare_choice_new (_("Left"));
  self->sides[1] = ls_compare_choice_new (_("Right"));
  for (guint i = 0; i < 2; i++)
    g_signal_connect_swapped (self->sides[i], "notify::selected", G_CALLBACK (side_chosen), self);
  self->distance = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->distance), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->distance), 1.0f);
  gtk_widget_set_hexpand (self->distance, TRUE);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (swap), self);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (file), "win.compare-file");
  gtk_widget_set_tooltip_text (file, _("Compare with a file"));
  gtk_widget_set_direction (row, GTK_TEXT_DIR_LTR);     /* left is left, as in the canvas, whatever one reads */
  gtk_box_append (GTK_BOX (row), ls_part_label (_("Left"), "strong"));
  gtk_box_append (GTK_BOX (row), self->sides[0]);
  gtk_box_append (GTK_BOX (row), button);
  gtk_box_append (GTK_BOX (row), ls_part_label (_("Right"), "strong"));
  gtk_box_append (GTK_BOX (row), self->sides[1]);
  gtk_box_append (GTK_BOX (rest), file);
  gtk_box_append (GTK_BOX (rest), self->distance);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (export), "win.export-figure::compared");
  ls_tip_set (export, _("Save the ribbons as SVG, PDF or PNG"));
  gtk_box_append (GTK_BOX (rest), export);
  gtk_widget_set_hexpand (rest, TRUE);
  self->head = ls_part_row ("compare-head");
  gtk_box_append (GTK_BOX (self->head), row);
  gtk_box_append (GTK_BOX (self->head), rest);
  return self->head;
}

static GtkWidget *
ribbons_pane (LsCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = ls_part_row ("pane-header"), *end = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->ribbons = gtk_scrolled_window_new ();
  self->counts = ls_part_wrapped (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, COUNT_GAP));
  self->play_words = ls_part_label (NULL, "reason");
  self->play = ls_part_icon_button ("media-playback-start-symbolic", _("Play the steps between"));
  self->canvas = ls_compare_canvas_new ();
  gtk_widget_set_hexpand (self->counts, TRUE);
  gtk_widget_set_valign (self->counts, GTK_ALIGN_CENTER);
  gtk_label_set_ellipsize (GTK_LABEL (self->play_words), PANGO_ELLIPSIZE_END);
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (ls_compare_view_play), self);
  self->title = ls_part_label (_("What happened to the loops"), "pane-title");
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), self->counts);
  gtk_box_append (GTK_BOX (end), self->play_words);
  gtk_box_append (GTK_BOX (end), self->play);
  gtk_box_append (GTK_BOX (head), end);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->ribbons), self->canvas);
  gtk_widget_add_css_class (self->ribbons, "ribbons");
  gtk_widget_set_vexpand (self->ribbons, TRUE);
  gtk_box_append (GTK_BOX (box), ls_part_wrapped (head));
  gtk_box_append (GTK_BOX (box), self->ribbons);
  return box;
}

static GtkWidget *
time_pane (LsCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = ls_part_row ("pane-header");
  GtkWidget *title = ls_part_label (_("Time"), "pane-title");

  self->again = ls_part_word_button ("view-refresh-symbolic", _("Again"));
  self->time = ls_compare_time_new ();
  self->samples = ls_part_label (NULL, "reason");
  gtk_label_set_xalign (GTK_LABEL (self->samples), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (self->samples), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->samples, TRUE);
  gtk_widget_add_css_class (self->again, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->again), "win.measure-compared");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->samples);
  gtk_box_append (GTK_BOX (head), self->again);
  gtk_widget_set_vexpand (self->time, TRUE);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->time);
  self->results = ls_compare_results_new ();
  self->figures = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (self->figures), self->results);
  gtk_box_append (GTK_BOX (self->figures), box);
  return self->figures;
}

/* Ribbons and figures over the texts.  Each has a height below which it would say nothing: the page scrolls before that. */
static GtkWidget *
halves_new (LsCompareView *self)
{
  GtkWidget *page = gtk_scrolled_window_new ();

  self->upper = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_start_child (GTK_PANED (self->upper), ribbons_pane (self));
  gtk_paned_set_end_child (GTK_PANED (self->upper), time_pane (self));
  gtk_paned_set_resize_end_child (GTK_PANED (self->upper), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->upper), FALSE);
  self->texts = ls_compare_texts_new ();
  self->halves = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (self->halves), self->upper);
  gtk_paned_set_end_child (GTK_PANED (self->halves), self->texts);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->halves), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->halves), FALSE);
  self->set_position = UPPER_HEIGHT;
  gtk_paned_set_position (GTK_PANED (self->halves), UPPER_HEIGHT);
  gtk_widget_set_focusable (self->halves, FALSE);
  gtk_widget_set_focusable (self->upper, FALSE);
  gtk_widget_set_focusable (page, FALSE);
  gtk_widget_set_vexpand (page, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (page), self->halves);
  return page;
}

static void
entered (LsCompareView *self)
{
  self->entered = TRUE;
  queue_refresh (self);
}

/* ---- class ------------------------------------------------------------------- */

static void
ls_compare_view_dispose (GObject *object)
{
  LsCompareView *self = LS_COMPARE_VIEW (object);

  g_clear_handle_id (&self->playing, g_source_remove);
  leave_off (self);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (ls_session_get_history (self->session), self);
    }
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->files);
  ls_comparison_set (&self->comparison, NULL);
  G_OBJECT_CLASS (ls_compare_view_parent_class)->dispose (object);
}

static void
ls_compare_view_css_changed (GtkWidget         *widget,
                             GtkCssStyleChange *change)
{
  LsCompareView *self = LS_COMPARE_VIEW (widget);

  GTK_WIDGET_CLASS (ls_compare_view_parent_class)->css_changed (widget, change);
  if (self->texts != NULL && self->stack != NULL)
    ls_compare_view_arrange (self);
}

static void
ls_compare_view_class_init (LsCompareViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_compare_view_dispose;
  GTK_WIDGET_CLASS (klass)->css_changed = ls_compare_view_css_changed;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "compareview");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_compare_view_init (LsCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *status = g_object_new (LS_TYPE_STATUS, NULL), *coming = g_object_new (LS_TYPE_STATUS, NULL);
  GtkWidget *around = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->files = g_list_store_new (LS_TYPE_STEP_ITEM);
  self->stack = gtk_stack_new ();
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  ls_status_set (LS_STATUS (status), _("Open a TVMScript file to compare its steps."), _("Open…"), "win.open", NULL);
  gtk_box_append (GTK_BOX (box), ls_part_slim_shaded (head_row (self)));
  gtk_box_append (GTK_BOX (box), halves_new (self));
  ls_status_set (LS_STATUS (coming), _("Comparing…"), NULL, NULL, NULL);
  /* The keyboard waits here, else it went to the head of the window; a stack takes it along from what is in a child. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (coming), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Comparing…"), -1);
  gtk_widget_set_focusable (coming, TRUE);
  gtk_widget_set_vexpand (coming, TRUE);
  gtk_box_append (GTK_BOX (around), coming);
  gtk_stack_add_named (GTK_STACK (self->stack), status, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), around, "coming");
  gtk_stack_add_named (GTK_STACK (self->stack), box, "page");
  ls_compare_view_arrange (self);
  g_signal_connect (self, "map", G_CALLBACK (entered), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Compare"), -1);
}

GtkWidget *
ls_compare_view_new (void)
{
  return g_object_new (LS_TYPE_COMPARE_VIEW, NULL);
}

static GListModel *
choices (LsCompareView *self)
{
  GListStore *lists = g_list_store_new (G_TYPE_LIST_MODEL);

  g_list_store_append (lists, ls_session_get_history (self->session));
  g_list_store_append (lists, self->files);
  return G_LIST_MODEL (gtk_flatten_list_model_new (G_LIST_MODEL (lists)));
}

void
ls_compare_view_set_session (LsCompareView *self,
                             LsSession     *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  self->syncing = TRUE;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GListModel) model = choices (self);

      gtk_drop_down_set_model (GTK_DROP_DOWN (self->sides[i]), model);
    }
  self->syncing = FALSE;
  ls_compare_texts_set_session (LS_COMPARE_TEXTS (self->texts), session);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "results-changed", G_CALLBACK (show_results), self);
  show_part (self);
}

void
ls_compare_view_set_narrow (LsCompareView *self,
                            gboolean       narrow,
                            gboolean       cramped)
{
  if (self->narrow == narrow && self->cramped == cramped)
    return;
  self->narrow = narrow;
  self->cramped = cramped;
  ls_compare_view_arrange (self);
  ls_compare_texts_set_narrow (LS_COMPARE_TEXTS (self->texts), narrow);
}

void
ls_compare_view_go_to_change (LsCompareView *self,
                              int            direction)
{
  ls_compare_texts_go_to_change (LS_COMPARE_TEXTS (self->texts), direction);
}

void
ls_compare_view_toggle_column (LsCompareView *self)
{
  ls_compare_texts_toggle_column (LS_COMPARE_TEXTS (self->texts));
}
