/* LsTrialPane: labels and a grid, filled anew when something is looked at or learned. */
#include "views/tune/pane.h"

#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"
#include "views/tune/share-bar.h"

#include <glib/gi18n.h>

#define FOLLOW_MS 200

struct _LsTrialPane
{
  GtkWidget  parent_instance;
  LsTuning  *tuning;
  GtkWidget *scroller;
  GtkWidget *title;
  GtkWidget *words;
  GtkWidget *proposal;          /* where its design comes from, when not from the rules */
  GtkWidget *open, *compare;
  GtkWidget *part;              /* button: a candidate that failed, beside the program it was made of */
  GtkWidget *decisions;
};

G_DEFINE_FINAL_TYPE (LsTrialPane, ls_trial_pane, GTK_TYPE_WIDGET)

/* ---- grids -------------------------------------------------------------------------- */

static void
empty (GtkWidget *grid)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (grid)) != NULL)
    gtk_grid_remove (GTK_GRID (grid), child);
}

/* share below 0: nothing is known of it. */
static void
put_row (GtkWidget  *grid,
         int         row,
         const char *name,
         const char *value,
         double      share)
{
  GtkWidget *what = ls_part_label (name, NULL), *drawn = ls_part_label_at (NULL, "figure", 1.0f), *figure = ls_part_label_at (NULL, "figure", 1.0f);
  GtkWidget *bar = ls_share_bar_new ();
  g_autofree char *percent = share >= 0.0 ? ls_format_share (share) : g_strdup ("–");

  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (what, TRUE);
  ls_tip_set (what, name);
  ls_part_set_figure (GTK_LABEL (drawn), value);
  ls_part_set_figure (GTK_LABEL (figure), percent);
  ls_share_bar_set (LS_SHARE_BAR (bar), share);
  gtk_widget_set_visible (bar, share >= 0.0);
  gtk_grid_attach (GTK_GRID (grid), what, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), drawn, 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), bar, 2, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), figure, 3, row, 1, 1);
}

static void
put_heads (GtkWidget *grid)
{
  gtk_grid_attach (GTK_GRID (grid), ls_part_label (_("decision"), "caption"), 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), ls_part_label_at (_("drawn"), "caption", 1.0f), 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), ls_part_label_at (_("explains"), "caption", 1.0f), 2, 0, 2, 1);
}

static void
show_partner (LsTrialPane *self)
{
  LsTrialItem *partner = ls_tuning_get_partner (self->tuning);
  g_autofree char *words = partner != NULL ? g_strdup_printf (_("Compare with candidate %u"), ls_trial_item_get (partner)->number) : NULL;

  gtk_widget_set_visible (self->compare, partner != NULL);
  gtk_button_set_label (GTK_BUTTON (self->compare), words != NULL ? words : "");
}

static void
show_proposal (LsTrialPane *self,
               LsTrialItem *item)
{
  const LsTrialRecord *record = item != NULL ? ls_trial_item_get (item) : NULL;
  g_autofree char *letter = record != NULL ? ls_trial_family_letter (record->family) : NULL;
  g_autofree char *words = record != NULL && record->proposal != NULL ? g_strdup_printf (_("Design %s is what Why proposes: %s. The search varies its factors."), letter, record->proposal) : NULL;

  gtk_widget_set_visible (self->proposal, words != NULL);
  gtk_label_set_label (GTK_LABEL (self->proposal), words != NULL ? words : "");
}

static void
show_candidate (LsTrialPane *self)
{
  LsTrialItem *item = ls_tuning_get_selected (self->tuning);
  GArray *decisions = item != NULL ? ls_trial_item_get_decisions (item) : NULL;
  g_autofree char *title = item != NULL ? g_strdup_printf (_("Candidate %u"), ls_trial_item_get (item)->number) : NULL;
  g_autofree char *words = item != NULL ? ls_trial_item_describe (item) : NULL;

  gtk_label_set_label (GTK_LABEL (self->title), title != NULL ? title : _("No candidate is looked at"));
  gtk_label_set_label (GTK_LABEL (self->words), words != NULL ? words : _("Point at a mark, or go through the list with the arrows."));
  show_proposal (self, item);
  gtk_widget_set_sensitive (self->open, item != NULL);
  gtk_widget_set_visible (self->part, item != NULL && ls_trial_item_get (item)->state == LS_TRIAL_ITEM_FAILED);
  show_partner (self);
  gtk_widget_set_visible (self->decisions, item != NULL);
  empty (self->decisions);
  if (item == NULL)
    return;
  put_heads (self->decisions);
  for (guint i = 0; i < decisions->len; i++)
    {
      const LsTrialDecision *one = &g_array_index (decisions, LsTrialDecision, i);

      put_row (self->decisions, (int) i + 1, one->name, one->value, ls_tuning_find_share (self->tuning, one->name));
    }
}

static void
show (gpointer data)
{
  LsTrialPane *self = data;

  show_candidate (self);
}

static void
follow (LsTrialPane *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, FOLLOW_MS, show);
}

static void
look (LsTrialPane *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, show);
}

static void
open_clicked (LsTrialPane *self)
{
  LsTrialItem *item = ls_tuning_get_selected (self->tuning);

  if (item != NULL)
    ls_tuning_open (self->tuning, item);
}

/* Its steps as a branch, and both programs in step, where they part. */
static void
part_clicked (LsTrialPane *self)
{
  open_clicked (self);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.where-they-part", NULL);
}

static void
compare_clicked (LsTrialPane *self)
{
  LsTrialItem *item = ls_tuning_get_selected (self->tuning), *partner = ls_tuning_get_partner (self->tuning);
  guint nodes[2];

  if (item != NULL && partner != NULL && ls_tuning_compare (self->tuning, partner, item, nodes))
    gtk_widget_activate_action (GTK_WIDGET (self), "win.compare-nodes", "(uu)", nodes[0], nodes[1]);
}

void
ls_trial_pane_set_tuning (LsTrialPane *self,
                          LsTuning    *tuning)
{
  g_return_if_fail (self->tuning == NULL);

  self->tuning = g_object_ref (tuning);
  g_signal_connect_swapped (tuning, "changed", G_CALLBACK (follow), self);
  g_signal_connect_swapped (tuning, "selected", G_CALLBACK (look), self);
  show (self);
}

/* ---- class ---------------------------------------------------------------------------- */

static void
ls_trial_pane_dispose (GObject *object)
{
  LsTrialPane *self = LS_TRIAL_PANE (object);

  if (self->tuning != NULL)
    g_signal_handlers_disconnect_by_data (self->tuning, self);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->tuning);
  G_OBJECT_CLASS (ls_trial_pane_parent_class)->dispose (object);
}

static void
ls_trial_pane_class_init (LsTrialPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_trial_pane_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "trialpane");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
grid_new (const char *name)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_accessible_update_property (GTK_ACCESSIBLE (grid), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return grid;
}

static GtkWidget *
wrapped (const char *text,
         const char *css_class)
{
  GtkWidget *label = ls_part_label (text, css_class);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 34);
  return label;
}

static void
ls_trial_pane_init (LsTrialPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->title = ls_part_label (NULL, "strong");
  self->words = wrapped (NULL, "reason");
  self->proposal = wrapped (NULL, "reason");
  self->open = gtk_button_new_with_label (_("Open as branch"));
  gtk_widget_set_halign (self->open, GTK_ALIGN_START);
  ls_tip_set (self->open, _("Its steps become a branch of the history (Enter in the list, or a click on its mark)"));
  g_signal_connect_swapped (self->open, "clicked", G_CALLBACK (open_clicked), self);
  self->part = gtk_button_new_with_label (_("Show where they part"));
  gtk_widget_set_halign (self->part, GTK_ALIGN_START);
  gtk_widget_set_visible (self->part, FALSE);
  ls_tip_set (self->part, _("Opens it as a branch, finds the step that changed the result, and runs the programs before and after it side by side"));
  g_signal_connect_swapped (self->part, "clicked", G_CALLBACK (part_clicked), self);
  self->compare = gtk_button_new ();
  gtk_widget_set_halign (self->compare, GTK_ALIGN_START);
  ls_tip_set (self->compare, _("Both become branches and are shown side by side: the one looked at before on the left"));
  g_signal_connect_swapped (self->compare, "clicked", G_CALLBACK (compare_clicked), self);
  self->decisions = grid_new (_("What was drawn for it"));
  gtk_box_append (GTK_BOX (box), self->title);
  gtk_box_append (GTK_BOX (box), self->words);
  gtk_box_append (GTK_BOX (box), self->proposal);
  gtk_box_append (GTK_BOX (box), self->open);
  gtk_box_append (GTK_BOX (box), self->part);
  gtk_box_append (GTK_BOX (box), self->compare);
  gtk_box_append (GTK_BOX (box), self->decisions);
  gtk_widget_add_css_class (box, "time-card");
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), box);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Candidate"), -1);
}

GtkWidget *
ls_trial_pane_new (void)
{
  return g_object_new (LS_TYPE_TRIAL_PANE, NULL);
}
