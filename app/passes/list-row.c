/* passes/list-row: a row's widgets: number, name, time and its bar, below them the unit and what the pass changed. */
#include "app/passes/list-row.h"

#include "views/loops/cost-bar.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"

#define DEEPER 14               /* pixels that a nest stands in */

GtkWidget *
ls_passes_list_row_new (void)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1), *below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *number = ls_part_label_at (NULL, "reason", 1.0f), *name = ls_part_label (NULL, NULL);
  GtkWidget *unit = ls_part_label (NULL, "reason"), *words = ls_part_label_at (NULL, "reason", 1.0f);
  GtkWidget *above = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *time = ls_part_label_at (NULL, "reason", 1.0f), *bar = ls_cost_bar_new ();

  gtk_label_set_width_chars (GTK_LABEL (number), 5);
  gtk_widget_add_css_class (number, "figure");
  gtk_widget_set_valign (number, GTK_ALIGN_START);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (unit), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (unit, TRUE);
  gtk_widget_set_hexpand (both, TRUE);
  gtk_widget_add_css_class (line, "lowering-row");
  gtk_box_append (GTK_BOX (below), unit);
  gtk_box_append (GTK_BOX (below), words);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (time, "figure");
  gtk_box_append (GTK_BOX (above), name);
  gtk_box_append (GTK_BOX (above), time);
  gtk_widget_set_visible (bar, FALSE);
  gtk_box_append (GTK_BOX (above), bar);
  gtk_box_append (GTK_BOX (both), above);
  gtk_box_append (GTK_BOX (both), below);
  gtk_box_append (GTK_BOX (line), number);
  gtk_box_append (GTK_BOX (line), both);
  return line;
}

void
ls_passes_list_row_put (GtkWidget *row,
                        const char *number,
                        const char *name,
                        const char *unit,
                        const char *words,
                        const char *time,
                        gboolean dim)
{
  GtkWidget *numbers = gtk_widget_get_first_child (row), *both = gtk_widget_get_next_sibling (numbers), *above = gtk_widget_get_first_child (both);
  GtkWidget *names = gtk_widget_get_first_child (above), *units = gtk_widget_get_first_child (gtk_widget_get_next_sibling (above));
  g_autofree char *parts = g_strjoin (", ", name, *unit != '\0' ? unit : words, *unit != '\0' ? words : NULL, NULL);
  g_autofree char *all = *time != '\0' ? g_strjoin (", ", parts, time, NULL) : g_strdup (parts);
  g_autofree char *said = g_strdup_printf ("%s %s", number, all);

  gtk_label_set_label (GTK_LABEL (numbers), number);
  gtk_label_set_label (GTK_LABEL (names), name);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (names)), time);
  gtk_label_set_label (GTK_LABEL (units), unit);
  ls_part_set_figure (GTK_LABEL (gtk_widget_get_next_sibling (units)), words);
  gtk_widget_remove_css_class (names, dim ? "strong" : "dim");
  gtk_widget_add_css_class (names, dim ? "dim" : "strong");
  ls_tip_set (row, all);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, said, -1);
  if (gtk_widget_get_parent (row) != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (row)), GTK_ACCESSIBLE_PROPERTY_LABEL, said, -1);
}

void
ls_passes_list_row_indent (GtkWidget *row,
                           guint      depth)
{
  gtk_widget_set_margin_start (gtk_widget_get_last_child (row), (int) depth * DEEPER);
}

void
ls_passes_list_row_bar (GtkWidget *row,
                        gboolean   room,
                        double     share,
                        gboolean   wrong)
{
  GtkWidget *bar = gtk_widget_get_last_child (gtk_widget_get_first_child (gtk_widget_get_last_child (row)));

  gtk_widget_set_visible (bar, room);
  ls_cost_bar_set_share (LS_COST_BAR (bar), share);
  ls_cost_bar_set_wrong (LS_COST_BAR (bar), wrong);
}

void
ls_passes_list_row_mark (GtkWidget *row,
                         const LsPassesNote *note)
{
  GtkWidget *name = gtk_widget_get_first_child (gtk_widget_get_first_child (gtk_widget_get_last_child (row)));

  if (note != NULL && note->state == LS_PASSES_FAILED)
    {
      gtk_widget_remove_css_class (name, "dim");
      gtk_widget_add_css_class (name, "error");
    }
  else
    gtk_widget_remove_css_class (name, "error");
}

void
ls_passes_list_row_describe (GtkWidget *row,
                             const char *summary)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, summary, -1);
  if (gtk_widget_get_parent (row) != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (row)), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, summary, -1);
}
