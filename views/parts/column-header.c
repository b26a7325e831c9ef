/* parts/column-header: reaches into the header row of a GtkColumnView. */
#include "views/parts/column-header.h"

#define TITLE_SCALE 0.9         /* titles are smaller than the rows, but on slides: as style.css has them */
#define BETWEEN 2

static GtkWidget *
title_box (GtkColumnView *view,
           guint          index)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  GtkWidget *box;

  for (guint i = 0; i < index && title != NULL; i++)
    title = gtk_widget_get_next_sibling (title);
  box = title != NULL ? gtk_widget_get_first_child (title) : NULL;

  return GTK_IS_BOX (box) ? box : NULL;
}

void
ls_column_header_align_end (GtkColumnView *view,
                            guint          index)
{
  GtkWidget *box = title_box (view, index);
  GtkWidget *label = box != NULL ? gtk_widget_get_first_child (box) : NULL;

  if (!GTK_IS_LABEL (label))
    return;
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 1.0f);
}

void
ls_column_header_align_again (GtkColumnView *view,
                              const char    *title)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  guint index = 0;

  for (GtkWidget *at = header != NULL ? gtk_widget_get_first_child (header) : NULL; at != NULL; at = gtk_widget_get_next_sibling (at), index++)
    {
      GtkWidget *box = title_box (view, index), *label = box != NULL ? gtk_widget_get_first_child (box) : NULL;

      if (GTK_IS_LABEL (label) && g_strcmp0 (gtk_label_get_label (GTK_LABEL (label)), title) == 0)
        ls_column_header_align_end (view, index);
    }
}

void
ls_column_header_put (GtkColumnView *view,
                      guint          index,
                      GtkWidget     *widget)
{
  GtkWidget *box = title_box (view, index);

  if (box == NULL)
    {
      g_object_ref_sink (widget);
      g_object_unref (widget);
      return;
    }
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_box_append (GTK_BOX (box), widget);
}

void
ls_column_fit (GtkWidget           *widget,
               GtkColumnViewColumn *column,
               const char          *sample,
               int                  extra)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, sample);
  g_autoptr (PangoAttrList) attrs = pango_attr_list_new ();
  int width;

  /* As the class "figure" has them, and a line that a theme may draw between columns. */
  pango_attr_list_insert (attrs, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attrs);
  extra += BETWEEN;
  pango_layout_get_pixel_size (layout, &width, NULL);
  if (gtk_column_view_column_get_fixed_width (column) != width + extra)
    gtk_column_view_column_set_fixed_width (column, width + extra);
}

/* The label's own font comes too late: rows and titles get theirs one after the other. */
static double
title_scale (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  return root != NULL && gtk_widget_has_css_class (GTK_WIDGET (root), "presenter") ? 1.0 : TITLE_SCALE;
}

void
ls_column_fit_title (GtkWidget           *widget,
                     GtkColumnViewColumn *column,
                     int                  extra)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, gtk_column_view_column_get_title (column));
  g_autoptr (PangoAttrList) attrs = pango_attr_list_new ();
  int width;

  extra += BETWEEN;
  pango_attr_list_insert (attrs, pango_attr_scale_new (title_scale (widget)));
  pango_layout_set_attributes (layout, attrs);
  pango_layout_get_pixel_size (layout, &width, NULL);
  if (gtk_column_view_column_get_fixed_width (column) < width + extra)
    gtk_column_view_column_set_fixed_width (column, width + extra);
}
