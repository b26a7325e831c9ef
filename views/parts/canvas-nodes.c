/* parts/canvas-nodes: see the header. */
#include "views/parts/canvas-nodes.h"

#define LS_TYPE_CANVAS_NODE (ls_canvas_node_get_type ())
G_DECLARE_FINAL_TYPE (LsCanvasNode, ls_canvas_node, LS, CANVAS_NODE, GtkWidget)

struct _LsCanvasNode
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (LsCanvasNode, ls_canvas_node, GTK_TYPE_WIDGET)

static void
ls_canvas_node_class_init (LsCanvasNodeClass *klass)
{
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "canvasnode");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_LIST_ITEM);
}

static void
ls_canvas_node_init (LsCanvasNode *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
}

/* The next of the nodes from `child` on: a canvas may have other children. */
static GtkWidget *
node_from (GtkWidget *child)
{
  while (child != NULL && !LS_IS_CANVAS_NODE (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

void
ls_canvas_nodes_set (GtkWidget *canvas,
                     GPtrArray *words)
{
  guint n = words != NULL ? MIN (words->len, LS_CANVAS_NODES_MOST) : 0;
  GtkWidget *node = node_from (gtk_widget_get_first_child (canvas));

  for (guint i = 0; i < n; i++)
    {
      GtkWidget *next = node != NULL ? node_from (gtk_widget_get_next_sibling (node)) : NULL;

      if (node == NULL)
        {
          node = g_object_new (LS_TYPE_CANVAS_NODE, NULL);
          gtk_widget_set_parent (node, canvas);
        }
      gtk_accessible_update_property (GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_PROPERTY_LABEL, g_ptr_array_index (words, i), -1);
      node = next;
    }
  while (node != NULL)
    {
      GtkWidget *next = node_from (gtk_widget_get_next_sibling (node));

      gtk_widget_unparent (node);
      node = next;
    }
  gtk_widget_queue_allocate (canvas);
}

void
ls_canvas_nodes_place (GtkWidget         *canvas,
                       LsCanvasPlaceFunc  func)
{
  guint n = 0;

  for (GtkWidget *node = node_from (gtk_widget_get_first_child (canvas)); node != NULL; node = node_from (gtk_widget_get_next_sibling (node)))
    {
      graphene_rect_t place = GRAPHENE_RECT_INIT (0, 0, 1, 1);

      func (canvas, n++, &place);
      gtk_widget_size_allocate (node, &(GtkAllocation) { (int) place.origin.x, (int) place.origin.y, MAX ((int) place.size.width, 1),
                                                         MAX ((int) place.size.height, 1) }, -1);
    }
}
