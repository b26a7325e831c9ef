/* parts/gutter: see the header. */
#include "views/parts/gutter.h"

static GtkSourceGutter *
gutter_of (GtkSourceView *view)
{
  return gtk_source_view_get_gutter (view, GTK_TEXT_WINDOW_LEFT);
}

/* A gutter that draws lets go first what it drew last, and stops there when it has no width. */
static void
forget_lines (GtkSourceView *view)
{
  GtkWidget *gutter = GTK_WIDGET (gutter_of (view));
  g_autoptr (GtkSnapshot) nothing = gtk_snapshot_new ();

  gtk_widget_allocate (gutter, 0, gtk_widget_get_height (gutter), -1, NULL);
  if (gtk_widget_get_width (gutter) == 0)
    GTK_WIDGET_GET_CLASS (gutter)->snapshot (gutter, nothing);
}

GPtrArray *
ls_gutter_take (GtkSourceView *view)
{
  GPtrArray *renderers = g_ptr_array_new_with_free_func (g_object_unref);
  GtkWidget *child;

  for (child = gtk_widget_get_first_child (GTK_WIDGET (gutter_of (view))); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (GTK_SOURCE_IS_GUTTER_RENDERER (child))
      g_ptr_array_add (renderers, g_object_ref (child));
  for (guint i = 0; i < renderers->len; i++)
    gtk_source_gutter_remove (gutter_of (view), g_ptr_array_index (renderers, i));
  forget_lines (view);
  return renderers;
}

void
ls_gutter_put (GtkSourceView *view,
               GPtrArray     *renderers)
{
  for (guint i = 0; renderers != NULL && i < renderers->len; i++)
    gtk_source_gutter_insert (gutter_of (view), g_ptr_array_index (renderers, i), (int) i);
  g_clear_pointer (&renderers, g_ptr_array_unref);
}
