/* LsCompareResults: a header with the button, an icon, a sentence and what lies behind it.  The sentence is a polite live
 * region by its accessible label: it is set anew when the answer is there. */
#include "views/compare/results.h"

#include "views/parts/parts.h"
#include "views/parts/tip.h"

#include <glib/gi18n.h>

struct _LsCompareResults
{
  GtkWidget  parent_instance;

  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *words;
  GtkWidget *detail;
  GtkWidget *part;
  GtkWidget *progress;
  GtkWidget *button;
  GtkWidget *button_icon;
  GtkWidget *button_words;
};

G_DEFINE_FINAL_TYPE (LsCompareResults, ls_compare_results, GTK_TYPE_WIDGET)

static const struct { const char *icon; const char *css_class; } LOOKS[] = {
  [LS_RESULTS_UNKNOWN] = { NULL, NULL },
  [LS_RESULTS_RUNNING] = { NULL, NULL },
  [LS_RESULTS_SAME] = { "object-select-symbolic", "can" },
  [LS_RESULTS_DIFFERENT] = { "dialog-error-symbolic", "error" },
  [LS_RESULTS_NOT_COMPARABLE] = { "action-unavailable-symbolic", NULL },
  [LS_RESULTS_TROUBLE] = { "dialog-error-symbolic", "error" },
};

static void
set_button (LsCompareResults *self,
            LsResultsState    state)
{
  gboolean running = state == LS_RESULTS_RUNNING;
  const char *words = running ? _("Cancel") : state == LS_RESULTS_UNKNOWN ? _("Run both") : _("Again");
  const char *tip = running ? _("End the run (Esc)") : _("Run both on the same random inputs (Ctrl+F5)");

  gtk_widget_set_visible (self->button, state != LS_RESULTS_NOT_COMPARABLE);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->button_icon), running ? "process-stop-symbolic" : "system-run-symbolic");
  gtk_label_set_label (GTK_LABEL (self->button_words), words);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), running ? "win.cancel-results" : "win.try-results");
  ls_tip_set (self->button, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip, -1);
}

static GtkWidget *
head_new (LsCompareResults *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *title = gtk_label_new (_("Results"));
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (head, "pane-header");
  gtk_widget_add_css_class (title, "pane-title");
  gtk_label_set_xalign (GTK_LABEL (title), 0.0f);
  gtk_widget_set_hexpand (title, TRUE);
  self->button = gtk_button_new ();
  self->button_icon = gtk_image_new ();
  self->button_words = gtk_label_new (NULL);
  gtk_box_append (GTK_BOX (line), self->button_icon);
  gtk_box_append (GTK_BOX (line), self->button_words);
  gtk_button_set_child (GTK_BUTTON (self->button), line);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->button);
  return head;
}

static GtkWidget *
body_new (LsCompareResults *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  self->icon = gtk_image_new ();
  self->words = ls_part_label (NULL, "strong");
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  self->detail = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->detail), TRUE);
  self->progress = gtk_progress_bar_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Inputs tried"), -1);
  gtk_widget_set_valign (self->icon, GTK_ALIGN_START);
  gtk_widget_set_hexpand (texts, TRUE);
  self->part = gtk_button_new_with_label (_("Show where they part"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->part), "win.where-they-part");
  gtk_widget_set_tooltip_text (self->part, _("Run both side by side, and find the first element that differs"));
  gtk_widget_set_halign (self->part, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (texts), self->words);
  gtk_box_append (GTK_BOX (texts), self->detail);
  gtk_box_append (GTK_BOX (texts), self->part);
  gtk_box_append (GTK_BOX (texts), self->progress);
  gtk_box_append (GTK_BOX (row), self->icon);
  gtk_box_append (GTK_BOX (row), texts);
  gtk_widget_add_css_class (row, "results-card");
  return row;
}

static void
ls_compare_results_dispose (GObject *object)
{
  g_clear_pointer (&LS_COMPARE_RESULTS (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (ls_compare_results_parent_class)->dispose (object);
}

static void
ls_compare_results_class_init (LsCompareResultsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_compare_results_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "compareresults");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_compare_results_init (LsCompareResults *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), head_new (self));
  gtk_box_append (GTK_BOX (self->box), body_new (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Results"), -1);
  ls_compare_results_set (self, NULL);
}

GtkWidget *
ls_compare_results_new (void)
{
  return g_object_new (LS_TYPE_COMPARE_RESULTS, NULL);
}

void
ls_compare_results_set (LsCompareResults *self,
                        const LsResults  *results)
{
  LsResultsState state = results != NULL ? results->state : LS_RESULTS_UNKNOWN;

  gtk_widget_set_visible (self->box, results != NULL);
  if (results == NULL)
    return;
  gtk_widget_set_visible (self->icon, LOOKS[state].icon != NULL);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), LOOKS[state].icon);
  for (guint i = 0; i < G_N_ELEMENTS (LOOKS); i++)
    if (LOOKS[i].css_class != NULL)
      gtk_widget_remove_css_class (self->icon, LOOKS[i].css_class);
  if (LOOKS[state].css_class != NULL)
    gtk_widget_add_css_class (self->icon, LOOKS[state].css_class);
  gtk_label_set_label (GTK_LABEL (self->words), results->words);
  gtk_label_set_label (GTK_LABEL (self->detail), results->detail != NULL ? results->detail : "");
  gtk_widget_set_visible (self->detail, results->detail != NULL);
  gtk_widget_set_visible (self->part, state == LS_RESULTS_DIFFERENT);
  gtk_widget_set_visible (self->progress, state == LS_RESULTS_RUNNING);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), results->fraction);
  set_button (self, state);
}
