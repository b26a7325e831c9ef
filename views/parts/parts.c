/* parts/parts: nothing but GTK. */
#include "views/parts/parts.h"

#include "views/parts/tip.h"
#include "views/parts/words.h"
#include "views/parts/wrap.h"

GtkWidget *
ls_part_label (const char *text,
               const char *css_class)
{
  return ls_part_label_at (text, css_class, 0.0f);
}

void
ls_part_set_figure (GtkLabel   *label,
                    const char *figure)
{
  g_autofree char *isolated = ls_words_isolate (GTK_WIDGET (label), figure);

  gtk_label_set_label (label, isolated);
}

GtkWidget *
ls_part_label_at (const char *text,
                  const char *css_class,
                  float       xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

GtkWidget *
ls_part_row (const char *css_class)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  if (css_class != NULL)
    gtk_widget_add_css_class (row, css_class);
  return row;
}

GtkWidget *
ls_part_slim (GtkWidget *row)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), row);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_widget_set_focusable (scroller, FALSE);
  return scroller;
}

GtkWidget *
ls_part_slim_shaded (GtkWidget *row)
{
  GtkWidget *scroller = ls_part_slim (row);

  gtk_widget_add_css_class (scroller, "text-ends");
  return scroller;
}

GtkWidget *
ls_part_wrapped (GtkWidget *row)
{
  gtk_widget_set_layout_manager (row, ls_wrap_layout_new (gtk_box_get_spacing (GTK_BOX (row))));
  return row;
}

GtkWidget *
ls_part_beside (GtkWidget *picture,
                GtkWidget *words)
{
  GtkWidget *line = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (line), 8);
  gtk_grid_attach (GTK_GRID (line), picture, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (line), words, 1, 0, 1, 1);
  return line;
}

GtkWidget *
ls_part_icon_button (const char *icon,
                     const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  ls_tip_set (button, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  return button;
}

GtkWidget *
ls_part_word_button (const char *icon,
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
