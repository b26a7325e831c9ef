/* graph/styles-popover: see the header.  A colour is never alone: it has its letter here and on the nodes. */
#include "views/graph/styles-popover.h"

#include "engine/graph/styles.h"
#include "views/parts/parts.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

typedef struct {
  GtkWidget    *popover;        /* owns this */
  GtkWidget    *list;           /* box */
  GtkWidget    *keep, *reason;
  LsGraphModel *model;
  GtkEditable  *search;
} Styles;

static void show (Styles *self);

static void
set_styles (Styles    *self,
            GPtrArray *patterns)
{
  g_ptr_array_add (patterns, NULL);
  ls_graph_model_set_styles (self->model, patterns->len > 1 ? (const char *const *) patterns->pdata : NULL);
  show (self);
}

static GPtrArray *
patterns_of (Styles *self)
{
  const char *const *styles = ls_graph_model_get_styles (self->model);
  GPtrArray *patterns = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; styles != NULL && styles[i] != NULL; i++)
    g_ptr_array_add (patterns, g_strdup (styles[i]));
  return patterns;
}

static void
drop (GtkWidget *button,
      Styles    *self)
{
  g_autoptr (GPtrArray) patterns = patterns_of (self);
  guint at = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "ls-number"));

  if (at < patterns->len)
    g_ptr_array_remove_index (patterns, at);
  set_styles (self, patterns);
}

static void
keep (Styles *self)
{
  g_autoptr (GPtrArray) patterns = patterns_of (self);

  g_ptr_array_add (patterns, g_strdup (gtk_editable_get_text (self->search)));
  set_styles (self, patterns);
}

static GtkWidget *
row_new (Styles     *self,
         guint       number,
         const char *pattern)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *button = ls_part_icon_button ("user-trash-symbolic", _("Drop this colour"));
  char letter[] = { (char) ('a' + number), '\0' };
  GtkWidget *text = ls_part_label (pattern, "code");

  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (text, TRUE);
  g_object_set_data (G_OBJECT (button), "ls-number", GUINT_TO_POINTER (number));
  g_signal_connect (button, "clicked", G_CALLBACK (drop), self);
  gtk_box_append (GTK_BOX (row), ls_part_label (letter, "strong"));
  gtk_box_append (GTK_BOX (row), text);
  gtk_box_append (GTK_BOX (row), button);
  return row;
}

static void
show (Styles *self)
{
  const char *const *styles = ls_graph_model_get_styles (self->model);
  const char *text = gtk_editable_get_text (self->search);
  GtkWidget *child;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  for (; styles != NULL && styles[n] != NULL; n++)
    gtk_box_append (GTK_BOX (self->list), row_new (self, n, styles[n]));
  gtk_widget_set_sensitive (self->keep, *text != '\0' && n < LS_GRAPH_MOST_STYLES);
  gtk_label_set_label (GTK_LABEL (self->reason), n >= LS_GRAPH_MOST_STYLES ? _("There are as many colours as there can be.")
                                                 : *text == '\0' ? _("Write a search above, such as int8 or matmul -> add; then it can be kept as a colour.")
                                                                 : _("Colours what the search above finds, and keeps the colour when the search is gone."));
}

GtkWidget *
ls_styles_popover_new (LsGraphModel *model,
                       GtkEditable  *search)
{
  Styles *self = g_new0 (Styles, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  *self = (Styles) { gtk_popover_new (), gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), gtk_button_new_with_label (_("Keep the search as a colour")), ls_part_label (NULL, "reason"), model, search };
  g_object_set_data_full (G_OBJECT (self->popover), "ls-styles", self, g_free);
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->reason), 44);
  gtk_widget_set_size_request (box, ls_theme_grow (320), -1);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (box), self->keep);
  gtk_box_append (GTK_BOX (box), self->reason);
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  g_signal_connect_swapped (self->keep, "clicked", G_CALLBACK (keep), self);
  g_signal_connect_swapped (self->popover, "map", G_CALLBACK (show), self);
  return self->popover;
}
