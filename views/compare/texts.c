/* LsCompareTexts: two script panes in scrollers of their own; the vertical places of both follow each other. */
#include "views/compare/texts.h"

#include "views/parts/fit-label.h"
#include "views/parts/parts.h"
#include "views/parts/scroller.h"
#include "views/script/pane.h"

#include <glib/gi18n.h>
#include <string.h>

#define LEAST_LINES 7
#define LINES_BEFORE 2          /* that stand over the first change */
#define STILL_FRAMES 4
#define MOST_FRAMES 60

struct _LsCompareTexts
{
  GtkWidget     parent_instance;

  LsComparison *comparison;
  LsScriptText *column;         /* both texts in one */
  char         *shown;          /* what is in the panes, in one string */
  gboolean      placed;
  gboolean      narrow;
  double        place;          /* where to scroll to once the texts have their sizes */
  guint         tick;           /* callback that does it, or 0 */
  guint         still;          /* frames that both have stood there */
  guint         frames;         /* that it has taken */

  GtkWidget    *box;
  GtkWidget    *by_side;
  GtkWidget    *one_column;
  GtkWidget    *scrollers[2];
  GtkWidget    *panes[2];
  GtkWidget    *title;
  GtkWidget    *change_words;
  GArray       *changes;        /* of LsTextChange */
  int           change;         /* that one stands at, or -1 */
};

G_DEFINE_FINAL_TYPE (LsCompareTexts, ls_compare_texts, GTK_TYPE_WIDGET)

/* ---- changes ------------------------------------------------------------------ */

static void
reveal (LsCompareTexts *self,
        guint           side,
        int             line)
{
  if (line >= 0)
    ls_script_pane_reveal (LS_SCRIPT_PANE (self->panes[side]), (guint) line);
}

/* "change 2 of 7"; a screen reader reads the label when it changes. */
static void
show_change (LsCompareTexts *self)
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
    reveal (self, 0, change->left_first);
  reveal (self, 1, change->right_first);
}

static void
find_changes (LsCompareTexts *self,
              gboolean        one)
{
  g_clear_pointer (&self->changes, g_array_unref);
  self->change = -1;
  if (self->comparison != NULL)
    self->changes = ls_comparison_changes (one ? NULL : self->comparison->left.text,
                                           one ? self->column : self->comparison->right.text);
  show_change (self);
}

void
ls_compare_texts_go_to_change (LsCompareTexts *self,
                               int             direction)
{
  int n = self->changes != NULL ? (int) self->changes->len : 0;

  if (n == 0)
    return;
  self->change = CLAMP (self->change < 0 && direction < 0 ? n - 1 : self->change + direction, 0, n - 1);
  show_change (self);
}

static void
previous_change (LsCompareTexts *self)
{
  ls_compare_texts_go_to_change (self, -1);
}

static void
next_change (LsCompareTexts *self)
{
  ls_compare_texts_go_to_change (self, 1);
}

/* ---- where the texts stand ------------------------------------------------------- */

static GtkAdjustment *
scroll_of (LsCompareTexts *self,
           guint           side)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrollers[side]));
}

static void
tie (LsCompareTexts *self,
     GtkAdjustment  *from)
{
  guint side = from == scroll_of (self, 0) ? 0 : 1;

  if (self->tick != 0 || !gtk_widget_get_visible (self->scrollers[0]))
    return;
  ls_text_view_follow (LS_TEXT_VIEW (self->panes[1 - side]), LS_TEXT_VIEW (self->panes[side]));
}

static double
first_change_place (LsCompareTexts *self)
{
  const LsTextChange *first = self->changes != NULL && self->changes->len > 0
                                ? &g_array_index (self->changes, LsTextChange, 0) : NULL;
  int line = first == NULL ? 0 : first->right_first >= 0 ? first->right_first : first->left_first;

  return (double) (MAX (line - LINES_BEFORE, 0) * ls_script_pane_row_height (LS_SCRIPT_PANE (self->panes[1])));
}

static gboolean
stand (LsCompareTexts *self)
{
  gboolean one = !gtk_widget_get_visible (self->scrollers[0]), there = TRUE;

  for (guint i = one ? 1 : 0; i < 2; i++)
    {
      GtkAdjustment *scroll = scroll_of (self, i);
      double most = gtk_adjustment_get_upper (scroll) - gtk_adjustment_get_page_size (scroll);

      there = there && ABS (gtk_adjustment_get_value (scroll) - CLAMP (self->place, 0.0, MAX (most, 0.0))) < 1.0;
      gtk_adjustment_set_value (scroll, self->place);
    }
  return there;
}

/* A text view works out its heights over several frames and moves its lines meanwhile: until both stand still. */
static gboolean
put_in_place (GtkWidget     *widget,
              GdkFrameClock *clock,
              gpointer       data)
{
  LsCompareTexts *self = LS_COMPARE_TEXTS (widget);

  if (gtk_adjustment_get_page_size (scroll_of (self, 1)) <= 1.0)
    return G_SOURCE_CONTINUE;
  self->still = stand (self) ? self->still + 1 : 0;
  if (self->still < STILL_FRAMES && ++self->frames < MOST_FRAMES)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
queue_place (LsCompareTexts *self,
             double          place)
{
  self->place = place;
  self->still = self->frames = 0;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), put_in_place, NULL, NULL);
}

/* ---- texts ------------------------------------------------------------------------ */

static char *
contents (LsCompareTexts *self,
          gboolean        one)
{
  LsComparison *comparison = self->comparison;

  if (comparison == NULL)
    return g_strdup ("");
  return g_strjoin ("\f", one ? "one" : "two", comparison->left.title, comparison->right.title,
                    ls_script_text_get_text (comparison->left.text), ls_script_text_get_text (comparison->right.text), NULL);
}

static void
show (LsCompareTexts *self)
{
  gboolean one = self->narrow || gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->one_column));
  LsComparison *comparison = self->comparison;
  g_autofree char *wanted = contents (self, one);
  double place = self->tick != 0 ? self->place : gtk_adjustment_get_value (scroll_of (self, 1));

  if (g_strcmp0 (wanted, self->shown) == 0)
    return;
  g_free (self->shown);
  self->shown = g_steal_pointer (&wanted);
  gtk_widget_set_visible (self->scrollers[0], !one);
  g_clear_object (&self->column);
  if (comparison != NULL && one)
    self->column = ls_comparison_one_column (comparison);
  ls_script_pane_set_text (LS_SCRIPT_PANE (self->panes[0]), comparison != NULL && !one ? comparison->left.text : NULL);
  ls_script_pane_set_text (LS_SCRIPT_PANE (self->panes[1]), comparison == NULL ? NULL : one ? self->column : comparison->right.text);
  for (guint i = 0; i < 2; i++)
    ls_script_pane_set_compare (LS_SCRIPT_PANE (self->panes[i]), TRUE);
  find_changes (self, one);
  if (comparison != NULL && !comparison->same && !self->placed)
    {
      self->placed = TRUE;
      place = first_change_place (self);
    }
  queue_place (self, place);
}

static void
set_least_height (LsCompareTexts *self)
{
  int height = LEAST_LINES * ls_script_pane_row_height (LS_SCRIPT_PANE (self->panes[1]));

  for (guint i = 0; i < 2; i++)
    if (gtk_scrolled_window_get_min_content_height (GTK_SCROLLED_WINDOW (self->scrollers[i])) != height)
      gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scrollers[i]), height);
}

/* ---- building ------------------------------------------------------------------------ */

static GtkWidget *
head_new (LsCompareTexts *self)
{
  const char *const words[] = { _("+ new   − gone   → same line, moved deeper or up   underlined: the words that differ"),
                                _("+ new   − gone   → same line, moved deeper or up"), _("+ new   − gone   → moved"), NULL };
  GtkWidget *head = ls_part_row ("pane-header"), *legend = ls_fit_label_new ();
  GtkWidget *previous = ls_part_icon_button ("go-up-symbolic", _("Previous change"));
  GtkWidget *next = ls_part_icon_button ("go-down-symbolic", _("Next change"));

  self->by_side = gtk_toggle_button_new_with_label (_("Side by side"));
  self->one_column = gtk_toggle_button_new_with_label (_("One column"));
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->one_column), GTK_TOGGLE_BUTTON (self->by_side));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->by_side), TRUE);
  gtk_widget_add_css_class (self->by_side, "flat");
  gtk_widget_add_css_class (self->one_column, "flat");
  gtk_widget_set_hexpand (legend, TRUE);
  gtk_widget_add_css_class (legend, "reason");
  ls_fit_label_set (LS_FIT_LABEL (legend), words);
  g_signal_connect_swapped (self->one_column, "toggled", G_CALLBACK (show), self);
  g_signal_connect_swapped (previous, "clicked", G_CALLBACK (previous_change), self);
  g_signal_connect_swapped (next, "clicked", G_CALLBACK (next_change), self);
  self->title = ls_part_label (_("TVMScript"), "pane-title");
  gtk_box_append (GTK_BOX (head), self->title);
  gtk_box_append (GTK_BOX (head), legend);
  gtk_box_append (GTK_BOX (head), self->by_side);
  gtk_box_append (GTK_BOX (head), self->one_column);
  self->change_words = ls_part_label (NULL, "reason");
  gtk_box_append (GTK_BOX (head), self->change_words);
  gtk_box_append (GTK_BOX (head), previous);
  gtk_box_append (GTK_BOX (head), next);
  return head;
}

static GtkWidget *
panes_new (LsCompareTexts *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  const char *names[] = { _("Text on the left"), _("Text on the right") };

  gtk_widget_set_direction (line, GTK_TEXT_DIR_LTR);    /* programs, and left is left */
  for (guint i = 0; i < 2; i++)
    {
      self->panes[i] = ls_script_pane_new ();
      self->scrollers[i] = gtk_scrolled_window_new ();
      gtk_widget_set_direction (self->scrollers[i], GTK_TEXT_DIR_LTR);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrollers[i]), self->panes[i]);
      ls_scroller_steady (self->scrollers[i]);
      gtk_widget_set_hexpand (self->scrollers[i], TRUE);
      gtk_widget_set_vexpand (self->scrollers[i], TRUE);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->panes[i]), GTK_ACCESSIBLE_PROPERTY_LABEL, names[i], -1);
      g_signal_connect_swapped (scroll_of (self, i), "value-changed", G_CALLBACK (tie), self);
      gtk_box_append (GTK_BOX (line), self->scrollers[i]);
    }
  gtk_widget_add_css_class (self->scrollers[0], "compare-left");
  gtk_box_set_homogeneous (GTK_BOX (line), TRUE);
  return line;
}

/* ---- lines ------------------------------------------------------------------------------ */

char *
ls_compare_texts_get_line (LsCompareTexts *self,
                           gboolean       *left,
                           guint          *nth)
{
  LsScriptPane *pane;
  LsScriptText *text;
  g_auto (GStrv) lines = NULL;
  const char *source, *at;
  guint line = 0;

  *left = gtk_widget_get_visible (self->scrollers[0]) && gtk_widget_has_focus (self->panes[0]);
  *nth = 0;
  if (self->comparison == NULL)
    return NULL;
  pane = LS_SCRIPT_PANE (self->panes[*left ? 0 : 1]);
  text = *left ? self->comparison->left.text : self->column != NULL ? self->column : self->comparison->right.text;
  source = ls_script_text_get_text (text);
  at = g_utf8_offset_to_pointer (source, ls_script_pane_get_cursor (pane));
  for (const char *newline = source; (newline = memchr (newline, '\n', (gsize) (at - newline))) != NULL; newline++)
    line++;
  lines = g_strsplit (source, "\n", (int) line + 2);
  for (guint i = 0; i < line; i++)
    *nth += strcmp (lines[i], lines[line]) == 0;
  return g_strdup (lines[line]);
}

/* The lines of one text (of guint) where they stand in another one, which has them in the same order. (transfer full) */
static GArray *
same_lines (LsScriptText *from,
            GArray       *lines,
            LsScriptText *in)
{
  g_auto (GStrv) a = g_strsplit (ls_script_text_get_text (from), "\n", -1);
  g_auto (GStrv) b = g_strsplit (ls_script_text_get_text (in), "\n", -1);
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = g_strv_length (a), at = 0;

  for (guint i = 0; i < lines->len; i++)
    for (guint j = at; g_array_index (lines, guint, i) < n && b[j] != NULL; j++)
      if (strcmp (a[g_array_index (lines, guint, i)], b[j]) == 0)
        {
          g_array_append_val (found, j);
          at = j + 1;
          break;
        }
  return found;
}

void
ls_compare_texts_light (LsCompareTexts *self,
                        GArray         *left,
                        GArray         *right)
{
  g_autoptr (GArray) column = NULL;

  if (self->comparison == NULL)
    return;
  if (self->column != NULL)
    {
      GArray *given = right->len > 0 ? right : left;

      column = same_lines (given == right ? self->comparison->right.text : self->comparison->left.text, given, self->column);
      right = column;
    }
  else
    ls_script_pane_light (LS_SCRIPT_PANE (self->panes[0]), left);
  ls_script_pane_light (LS_SCRIPT_PANE (self->panes[1]), right);
  if (right->len > 0)
    reveal (self, 1, (int) g_array_index (right, guint, 0));
  else if (left->len > 0 && self->column == NULL)
    reveal (self, 0, (int) g_array_index (left, guint, 0));
}

/* ---- class ------------------------------------------------------------------------------ */

static void
ls_compare_texts_css_changed (GtkWidget         *widget,
                              GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_compare_texts_parent_class)->css_changed (widget, change);
  set_least_height (LS_COMPARE_TEXTS (widget));
}

static void
ls_compare_texts_dispose (GObject *object)
{
  LsCompareTexts *self = LS_COMPARE_TEXTS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->column);
  ls_comparison_set (&self->comparison, NULL);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->shown, g_free);
  G_OBJECT_CLASS (ls_compare_texts_parent_class)->dispose (object);
}

static void
ls_compare_texts_class_init (LsCompareTextsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_compare_texts_dispose;
  GTK_WIDGET_CLASS (klass)->css_changed = ls_compare_texts_css_changed;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "comparetexts");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_compare_texts_init (LsCompareTexts *self)
{
  self->change = -1;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), ls_part_slim (head_new (self)));
  gtk_box_append (GTK_BOX (self->box), panes_new (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("TVMScript"), -1);
}

GtkWidget *
ls_compare_texts_new (void)
{
  return g_object_new (LS_TYPE_COMPARE_TEXTS, NULL);
}

void
ls_compare_texts_set_session (LsCompareTexts *self,
                              LsSession      *session)
{
  for (guint i = 0; i < 2; i++)
    ls_script_pane_set_session (LS_SCRIPT_PANE (self->panes[i]), session);
}

void
ls_compare_texts_set (LsCompareTexts *self,
                      LsComparison   *comparison)
{
  ls_comparison_set (&self->comparison, comparison);
  show (self);
}

void
ls_compare_texts_forget_place (LsCompareTexts *self)
{
  self->placed = FALSE;
}

void
ls_compare_texts_set_title (LsCompareTexts *self,
                            const char     *title)
{
  gtk_label_set_label (GTK_LABEL (self->title), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

void
ls_compare_texts_toggle_column (LsCompareTexts *self)
{
  GtkToggleButton *one = GTK_TOGGLE_BUTTON (self->one_column);

  if (!self->narrow)
    gtk_toggle_button_set_active (gtk_toggle_button_get_active (one) ? GTK_TOGGLE_BUTTON (self->by_side) : one, TRUE);
}

void
ls_compare_texts_set_narrow (LsCompareTexts *self,
                             gboolean        narrow)
{
  self->narrow = narrow;
  gtk_widget_set_visible (self->by_side, !narrow);
  gtk_widget_set_visible (self->one_column, !narrow);
  show (self);
}
