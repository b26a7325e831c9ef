/* LsCompareView: asks the session anew when one of the two changes or their times do.  A frame gets the loops and the times, the
 * next one the texts. */
#include "views/compare-view.h"

#include "views/canvas/figure-nests.h"
#include "views/choice-name.h"
#include "views/compare-canvas.h"
#include "views/compare-results.h"
#include "views/compare-time.h"
#include "views/models/format.h"
#include "views/script-pane.h"
#include "views/status.h"
#include "views/theme.h"
#include "views/tip.h"

#include <glib/gi18n.h>

#define PLAY_INTERVAL 1200
#define PICTURE_WIDTH 1100
#define UPPER_HEIGHT 400
#define UPPER_LEAST 330         /* what the time needs */
#define HEAD_HEIGHT 40
#define TIME_WIDTH 372
#define NARROW_RESULTS 220      /* beside the times, which need the room */
#define TIME_HEIGHT 176

struct _LsCompareView
{
  GtkWidget     parent_instance;

  LsSession    *session;
  LsComparison *comparison;
  LsScriptText *column;         /* both texts in one */
  GListStore   *files;          /* the item of the file, when there is one */
  guint         left;
  guint         right;
  gboolean      chosen;         /* by the user, so it stays when the current step changes */
  gboolean      syncing;
  gboolean      scrolling;
  gboolean      narrow;
  guint         refresh;        /* idle */
  guint         rest;           /* tick that shows the texts, or 0 */
  guint         playing;        /* timeout */
  guint         play_end;       /* where it stops */

  GtkWidget    *stack;
  GtkWidget    *sides[2];       /* drop-downs */
  GtkWidget    *distance;
  GtkWidget    *counts;
  GtkWidget    *play_words;
  GtkWidget    *play;
  GtkWidget    *canvas;
  GtkWidget    *time;
  GtkWidget    *results;
  GtkWidget    *figures;        /* both of them */
  GtkWidget    *samples;        /* how many were taken */
  GtkWidget    *time_pane;
  GtkWidget    *upper;
  GtkWidget    *halves;
  int           set_position;   /* last one that we gave the divider between them */
  GtkWidget    *by_side;
  GtkWidget    *one_column;
  GtkWidget    *scrollers[2];
  GtkWidget    *panes[2];
  GtkWidget    *change_words;
  GArray       *changes;        /* of LsTextChange */
  int           change;         /* that one stands at, or -1 */
};

G_DEFINE_FINAL_TYPE (LsCompareView, ls_compare_view, GTK_TYPE_WIDGET)

/* ---- the two drop-downs ------------------------------------------------------ */

static GtkWidget *
label_new (const char *text,
           const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
setup_choice (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              gpointer                  data)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *call = label_new (NULL, "code");

  gtk_box_append (GTK_BOX (line), label_new (NULL, NULL));
  gtk_box_append (GTK_BOX (line), label_new (NULL, "strong"));
  gtk_label_set_ellipsize (GTK_LABEL (call), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (call), 26);
  gtk_box_append (GTK_BOX (line), call);
  gtk_box_append (GTK_BOX (line), label_new (NULL, "reason"));
  gtk_list_item_set_child (list_item, line);
}

static void
bind_choice (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             gpointer                  data)
{
  LsStepItem *item = gtk_list_item_get_item (list_item);
  const LsStepRecord *record = ls_step_item_get (item);
  GtkWidget *child = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  g_autofree char *tag = ls_step_item_tag (item);
  g_autofree char *time = record->timing.samples > 0 && record->state == LS_STEP_MEASURED
                            ? ls_format_time (record->timing.median) : g_strdup ("");
  const char *texts[] = { record->branch != NULL ? record->branch : "", tag, record->call, time };

  for (guint i = 0; i < G_N_ELEMENTS (texts) && child != NULL; i++, child = gtk_widget_get_next_sibling (child))
    gtk_label_set_label (GTK_LABEL (child), texts[i]);
}

static guint
position_of (LsCompareView *self,
             guint          side,
             guint          id)
{
  GListModel *model = gtk_drop_down_get_model (GTK_DROP_DOWN (self->sides[side]));

  for (guint i = 0; model != NULL && i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (model, i);

      if (ls_step_item_get (item)->id == id)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

static gboolean
exists (LsCompareView *self,
        guint          id)
{
  return position_of (self, 0, id) != GTK_INVALID_LIST_POSITION;
}

/* ---- texts ------------------------------------------------------------------- */

static void show_change (LsCompareView *self);

static void
find_changes (LsCompareView *self,
              gboolean       one)
{
  g_clear_pointer (&self->changes, g_array_unref);
  self->change = -1;
  if (self->comparison != NULL)
    self->changes = ls_comparison_changes (one ? NULL : self->comparison->left.text,
                                           one ? self->column : self->comparison->right.text);
  show_change (self);
}

static void
show_texts (LsCompareView *self)
{
  gboolean one = self->narrow || gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->one_column));
  LsComparison *comparison = self->comparison;

  gtk_widget_set_visible (self->scrollers[0], !one);
  g_clear_object (&self->column);
  if (comparison != NULL && one)
    self->column = ls_comparison_one_column (comparison);
  ls_script_pane_set_text (LS_SCRIPT_PANE (self->panes[0]), comparison != NULL && !one ? comparison->left.text : NULL);
  ls_script_pane_set_text (LS_SCRIPT_PANE (self->panes[1]), comparison == NULL ? NULL : one ? self->column : comparison->right.text);
  for (guint i = 0; i < 2; i++)
    ls_script_pane_set_compare (LS_SCRIPT_PANE (self->panes[i]), TRUE);
  find_changes (self, one);
}

static void
tie (LsCompareView *self,
     GtkAdjustment *from)
{
  GtkAdjustment *a = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrollers[0]));
  GtkAdjustment *b = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrollers[1]));

  if (self->scrolling || !gtk_widget_get_visible (self->scrollers[0]))
    return;
  self->scrolling = TRUE;
  gtk_adjustment_set_value (from == a ? b : a, gtk_adjustment_get_value (from));
  self->scrolling = FALSE;
}

static void
scroll_to_line (LsCompareView *self,
                guint          side,
                int            line)
{
  if (line >= 0)
    ls_script_pane_reveal (LS_SCRIPT_PANE (self->panes[side]), (guint) line);
}

/* "change 2 of 7"; a screen reader reads the label when it changes. */
static void
show_change (LsCompareView *self)
{
  const LsTextChange *change = self->change >= 0 && self->change < (int) self->changes->len
                                 ? &g_array_index (self->changes, LsTextChange, self->change) : NULL;
  guint n = self->changes != NULL ? self->changes->len : 0;
  g_autofree char *words = NULL;

  if (change != NULL)
    words = g_strdup_printf (_("change %d of %u"), self->change + 1, n);
  else if (n > 0)
    words = g_strdup_printf (ngettext ("%u change", "%u changes", n), n);
  gtk_label_set_label (GTK_LABEL (self->change_words), words != NULL ? words : "");
  ls_script_pane_show_change (LS_SCRIPT_PANE (self->panes[0]), change != NULL ? change->left_first : -1,
                              change != NULL ? change->left_last : -1);
  ls_script_pane_show_change (LS_SCRIPT_PANE (self->panes[1]), change != NULL ? change->right_first : -1,
                              change != NULL ? change->right_last : -1);
  if (change == NULL)
    return;
  if (gtk_widget_get_visible (self->scrollers[0]))
    scroll_to_line (self, 0, change->left_first);
  scroll_to_line (self, 1, change->right_first);
}

void
ls_compare_view_go_to_change (LsCompareView *self,
                              int            direction)
{
  int n = self->changes != NULL ? (int) self->changes->len : 0;

  if (n == 0)
    return;
  self->change = CLAMP (self->change < 0 && direction < 0 ? n - 1 : self->change + direction, 0, n - 1);
  show_change (self);
}

void
ls_compare_view_toggle_column (LsCompareView *self)
{
  GtkToggleButton *one = GTK_TOGGLE_BUTTON (self->one_column);

  if (!self->narrow)
    gtk_toggle_button_set_active (gtk_toggle_button_get_active (one) ? GTK_TOGGLE_BUTTON (self->by_side) : one, TRUE);
}

static void
previous_change (LsCompareView *self)
{
  ls_compare_view_go_to_change (self, -1);
}

static void
next_change (LsCompareView *self)
{
  ls_compare_view_go_to_change (self, 1);
}

/* ---- what is shown ----------------------------------------------------------- */

static void
show_counts (LsCompareView *self)
{
  GPtrArray *counts = self->comparison != NULL ? self->comparison->counts : NULL;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->counts)) != NULL)
    gtk_box_remove (GTK_BOX (self->counts), child);
  for (guint i = 0; counts != NULL && i < MIN (counts->len, 8); i++)
    gtk_box_append (GTK_BOX (self->counts), label_new (g_ptr_array_index (counts, i), "count"));
  if (self->comparison != NULL && self->comparison->same)
    gtk_box_append (GTK_BOX (self->counts), label_new (_("the same program"), "count"));
  else if (counts != NULL && counts->len == 0)
    gtk_box_append (GTK_BOX (self->counts), label_new (_("the same loops"), "count"));
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

/* All of the ribbons, but never more than leaves room for the texts; a divider that the user moved stays. */
static gboolean
share_height (GtkWidget     *widget,
              GdkFrameClock *clock,
              gpointer       data)
{
  LsCompareView *self = LS_COMPARE_VIEW (widget);
  int height = gtk_widget_get_height (self->halves), position = gtk_paned_get_position (GTK_PANED (self->halves)), wanted;

  if (height <= 0 || gtk_widget_get_width (self->canvas) <= 0)
    return G_SOURCE_CONTINUE;
  if (self->narrow || ABS (position - self->set_position) > 2)
    return G_SOURCE_REMOVE;
  gtk_widget_measure (self->canvas, GTK_ORIENTATION_VERTICAL, gtk_widget_get_width (self->canvas), &wanted, NULL, NULL, NULL);
  self->set_position = CLAMP (wanted + HEAD_HEIGHT, UPPER_LEAST, MAX (height * 3 / 5, UPPER_HEIGHT));
  gtk_paned_set_position (GTK_PANED (self->halves), self->set_position);
  return G_SOURCE_REMOVE;
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
  show_texts (self);
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

static void
show (LsCompareView *self)
{
  LsComparison *old = self->comparison;

  self->comparison = ls_session_compare_steps (self->session, self->left, self->right);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), self->comparison != NULL ? "page" : "empty");
  ls_compare_canvas_set (LS_COMPARE_CANVAS (self->canvas), self->comparison);
  ls_compare_time_set (LS_COMPARE_TIME (self->time), self->comparison);
  gtk_label_set_label (GTK_LABEL (self->distance), self->comparison != NULL ? self->comparison->distance : "");
  show_counts (self);
  show_samples (self);
  show_play (self);
  if (self->rest == 0)
    self->rest = gtk_widget_add_tick_callback (GTK_WIDGET (self), wait_a_frame, NULL, NULL);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), share_height, NULL, NULL);
  if (old != NULL)
    ls_comparison_free (old);
}

static void
sync_choices (LsCompareView *self)
{
  guint ids[2] = { self->left, self->right };

  self->syncing = TRUE;
  for (guint i = 0; i < 2; i++)
    if (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->sides[i])) != position_of (self, i, ids[i]))
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->sides[i]), position_of (self, i, ids[i]));
  self->syncing = FALSE;
}

/* Nobody looks while another page is shown: then nothing is worked out. */
static gboolean
refresh_idle (gpointer data)
{
  LsCompareView *self = data;
  LsStepItem *current = ls_session_get_current (self->session);

  self->refresh = 0;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return G_SOURCE_REMOVE;
  if (!exists (self, self->left) || !exists (self, self->right))
    self->chosen = FALSE;
  if (!self->chosen && self->playing == 0)
    {
      self->left = 0;
      self->right = current != NULL ? ls_step_item_get (current)->id : 0;
    }
  sync_choices (self);
  show (self);
  return G_SOURCE_REMOVE;
}

static void
queue_refresh (LsCompareView *self)
{
  if (self->refresh == 0)
    self->refresh = g_idle_add (refresh_idle, self);
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

gboolean
ls_compare_view_add_file (LsCompareView *self,
                          GFile         *file,
                          GError       **error)
{
  g_autoptr (LsStepItem) item = ls_session_compare_file (self->session, file, error);

  if (item == NULL)
    return FALSE;
  self->syncing = TRUE;
  g_list_store_remove_all (self->files);
  g_list_store_append (self->files, item);
  self->syncing = FALSE;
  ls_compare_view_show (self, self->left, LS_COMPARE_FILE);
  return TRUE;
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
row_new (const char *css_class)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_add_css_class (row, css_class);
  return row;
}

/* A row that may be wider than the window: it scrolls to what has the keyboard. */
static GtkWidget *
slim (GtkWidget *row)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), row);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_widget_set_focusable (scroller, FALSE);
  return scroller;
}

static GtkWidget *
icon_button (const char *icon,
             const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  ls_tip_set (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  return button;
}

static GtkWidget *
word_button (const char *icon,
             const char *words)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (line), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (line), gtk_label_new (words));
  gtk_button_set_child (GTK_BUTTON (button), line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  return button;
}

static GtkWidget *
choice_new (LsCompareView *self,
            const char    *name)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkWidget *choice = gtk_drop_down_new (NULL, NULL);

  g_signal_connect (factory, "setup", G_CALLBACK (setup_choice), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_choice), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (choice), factory);
  ls_choice_set_name (GTK_DROP_DOWN (choice), name);
  g_signal_connect_swapped (choice, "notify::selected", G_CALLBACK (side_chosen), self);
  return choice;
}

static GtkWidget *
head_row (LsCompareView *self)
{
  GtkWidget *row = row_new ("compare-head");
  GtkWidget *button = word_button ("view-refresh-symbolic", _("Swap"));
  GtkWidget *file = word_button ("document-open-symbolic", _("File…"));
  GtkWidget *export = word_button ("document-save-as-symbolic", _("Export"));

  self->sides[0] = choice_new (self, _("Left"));
  self->sides[1] = choice_new (self, _("Right"));
  self->distance = label_new (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->distance), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->distance), 1.0f);
  gtk_widget_set_hexpand (self->distance, TRUE);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (swap), self);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (file), "win.compare-file");
  gtk_widget_set_tooltip_text (file, _("Compare with a file"));
  gtk_box_append (GTK_BOX (row), label_new (_("Left"), "strong"));
  gtk_box_append (GTK_BOX (row), self->sides[0]);
  gtk_box_append (GTK_BOX (row), button);
  gtk_box_append (GTK_BOX (row), label_new (_("Right"), "strong"));
  gtk_box_append (GTK_BOX (row), self->sides[1]);
  gtk_box_append (GTK_BOX (row), file);
  gtk_box_append (GTK_BOX (row), self->distance);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (export), "win.export-figure::compared");
  ls_tip_set (export, _("Save the ribbons as SVG, PDF or PNG"));
  gtk_box_append (GTK_BOX (row), export);
  return row;
}

static GtkWidget *
ribbons_pane (LsCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = row_new ("pane-header");
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->counts = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->play_words = label_new (NULL, "reason");
  self->play = icon_button ("media-playback-start-symbolic", _("Play the steps between"));
  self->canvas = ls_compare_canvas_new ();
  gtk_widget_set_hexpand (self->counts, TRUE);
  gtk_widget_set_valign (self->counts, GTK_ALIGN_CENTER);
  gtk_label_set_ellipsize (GTK_LABEL (self->play_words), PANGO_ELLIPSIZE_END);
  g_signal_connect_swapped (self->play, "clicked", G_CALLBACK (ls_compare_view_play), self);
  gtk_box_append (GTK_BOX (head), label_new (_("What happened to the loops"), "pane-title"));
  gtk_box_append (GTK_BOX (head), self->counts);
  gtk_box_append (GTK_BOX (head), self->play_words);
  gtk_box_append (GTK_BOX (head), self->play);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->canvas);
  gtk_widget_add_css_class (scroller, "ribbons");
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), slim (head));
  gtk_box_append (GTK_BOX (box), scroller);
  return box;
}

static GtkWidget *
time_pane (LsCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = row_new ("pane-header");
  GtkWidget *again = word_button ("view-refresh-symbolic", _("Again"));
  GtkWidget *title = label_new (_("Time"), "pane-title");

  self->time = ls_compare_time_new ();
  self->samples = label_new (NULL, "reason");
  gtk_label_set_xalign (GTK_LABEL (self->samples), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (self->samples), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->samples, TRUE);
  gtk_widget_add_css_class (again, "flat");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (again), "win.measure-compared");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->samples);
  gtk_box_append (GTK_BOX (head), again);
  gtk_widget_set_vexpand (self->time, TRUE);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->time);
  self->results = ls_compare_results_new ();
  self->figures = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (self->figures), self->results);
  gtk_box_append (GTK_BOX (self->figures), box);
  gtk_widget_set_size_request (self->figures, TIME_WIDTH, -1);
  return self->figures;
}

static GtkWidget *
text_head (LsCompareView *self)
{
  GtkWidget *head = row_new ("pane-header");
  GtkWidget *legend = label_new (_("+ new   − gone   → same line, moved deeper or up   underlined: the words that differ"), "reason");
  GtkWidget *previous = icon_button ("go-up-symbolic", _("Previous change"));
  GtkWidget *next = icon_button ("go-down-symbolic", _("Next change"));

  self->by_side = gtk_toggle_button_new_with_label (_("Side by side"));
  self->one_column = gtk_toggle_button_new_with_label (_("One column"));
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->one_column), GTK_TOGGLE_BUTTON (self->by_side));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->by_side), TRUE);
  gtk_widget_add_css_class (self->by_side, "flat");
  gtk_widget_add_css_class (self->one_column, "flat");
  gtk_widget_set_hexpand (legend, TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (legend), PANGO_ELLIPSIZE_END);
  g_signal_connect_swapped (self->one_column, "toggled", G_CALLBACK (show_texts), self);
  g_signal_connect_swapped (previous, "clicked", G_CALLBACK (previous_change), self);
  g_signal_connect_swapped (next, "clicked", G_CALLBACK (next_change), self);
  gtk_box_append (GTK_BOX (head), label_new (_("TVMScript"), "pane-title"));
  gtk_box_append (GTK_BOX (head), legend);
  gtk_box_append (GTK_BOX (head), self->by_side);
  gtk_box_append (GTK_BOX (head), self->one_column);
  self->change_words = label_new (NULL, "reason");
  gtk_box_append (GTK_BOX (head), self->change_words);
  gtk_box_append (GTK_BOX (head), previous);
  gtk_box_append (GTK_BOX (head), next);
  return head;
}

static GtkWidget *
text_pane (LsCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  const char *names[] = { _("Text on the left"), _("Text on the right") };

  gtk_box_append (GTK_BOX (box), slim (text_head (self)));
  for (guint i = 0; i < 2; i++)
    {
      self->panes[i] = ls_script_pane_new ();
      self->scrollers[i] = gtk_scrolled_window_new ();
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrollers[i]), self->panes[i]);
      gtk_widget_set_hexpand (self->scrollers[i], TRUE);
      gtk_widget_set_vexpand (self->scrollers[i], TRUE);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->panes[i]), GTK_ACCESSIBLE_PROPERTY_LABEL, names[i], -1);
      g_signal_connect_swapped (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrollers[i])),
                                "value-changed", G_CALLBACK (tie), self);
      gtk_box_append (GTK_BOX (line), self->scrollers[i]);
    }
  gtk_widget_add_css_class (self->scrollers[0], "compare-left");
  gtk_box_set_homogeneous (GTK_BOX (line), TRUE);
  gtk_box_append (GTK_BOX (box), line);
  return box;
}

/* ---- class ------------------------------------------------------------------- */

static void
ls_compare_view_dispose (GObject *object)
{
  LsCompareView *self = LS_COMPARE_VIEW (object);

  g_clear_handle_id (&self->refresh, g_source_remove);
  g_clear_handle_id (&self->playing, g_source_remove);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (ls_session_get_history (self->session), self);
    }
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->column);
  g_clear_object (&self->files);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->comparison, ls_comparison_free);
  G_OBJECT_CLASS (ls_compare_view_parent_class)->dispose (object);
}

static void
ls_compare_view_class_init (LsCompareViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_compare_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "compareview");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_compare_view_init (LsCompareView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *halves = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  GtkWidget *status = g_object_new (LS_TYPE_STATUS, NULL);

  self->files = g_list_store_new (LS_TYPE_STEP_ITEM);
  self->stack = gtk_stack_new ();
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  ls_status_set (LS_STATUS (status), _("Open a TVMScript file to compare its steps."), _("Open…"), "win.open", NULL);
  self->upper = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_start_child (GTK_PANED (self->upper), ribbons_pane (self));
  self->time_pane = time_pane (self);
  gtk_paned_set_end_child (GTK_PANED (self->upper), self->time_pane);
  gtk_paned_set_resize_end_child (GTK_PANED (self->upper), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->upper), FALSE);
  gtk_paned_set_start_child (GTK_PANED (halves), self->upper);
  gtk_paned_set_end_child (GTK_PANED (halves), text_pane (self));
  self->halves = halves;
  self->set_position = UPPER_HEIGHT;
  gtk_paned_set_position (GTK_PANED (halves), UPPER_HEIGHT);
  gtk_widget_set_focusable (halves, FALSE);
  gtk_widget_set_focusable (self->upper, FALSE);
  gtk_widget_set_vexpand (halves, TRUE);
  gtk_box_append (GTK_BOX (box), slim (head_row (self)));
  gtk_box_append (GTK_BOX (box), halves);
  gtk_stack_add_named (GTK_STACK (self->stack), status, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), box, "page");
  g_signal_connect (self, "map", G_CALLBACK (queue_refresh), NULL);
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
      ls_script_pane_set_session (LS_SCRIPT_PANE (self->panes[i]), session);
    }
  self->syncing = FALSE;
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (queue_refresh), self);
  g_signal_connect_swapped (session, "results-changed", G_CALLBACK (show_results), self);
}

void
ls_compare_view_set_narrow (LsCompareView *self,
                            gboolean       narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->upper), narrow ? GTK_ORIENTATION_VERTICAL
                                                                      : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->results, narrow ? NARROW_RESULTS : -1, -1);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->figures), narrow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (self->time_pane, narrow ? -1 : TIME_WIDTH, narrow ? TIME_HEIGHT : -1);
  ls_compare_time_set_low (LS_COMPARE_TIME (self->time), narrow);
  gtk_widget_set_visible (self->by_side, !narrow);
  gtk_widget_set_visible (self->one_column, !narrow);
  show_texts (self);
}

gboolean
ls_compare_view_write (LsCompareView *self,
                       const char    *path,
                       GError       **error)
{
  LsComparison *comparison = self->comparison;
  LsFigureFormat format = g_str_has_suffix (path, ".pdf") ? LS_FIGURE_PDF : g_str_has_suffix (path, ".png") ? LS_FIGURE_PNG : LS_FIGURE_SVG;
  LsFigure figure;
  gboolean done;

  if (comparison == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("There are no two programs to compare."));
      return FALSE;
    }
  ls_figure_begin (&figure, ls_theme_is_dark ());
  ls_figure_ribbons (&figure, PICTURE_WIDTH, comparison->left.loops, comparison->right.loops, comparison->links, comparison->labels,
                     comparison->left.title, comparison->right.title);
  done = ls_figure_write (&figure, format, 2.0, path, error);
  ls_figure_clear (&figure);
  return done;
}
