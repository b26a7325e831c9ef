/* parts/fold: what is folded cannot take the focus. */
#include "views/parts/fold.h"

GtkWidget *
ls_fold_new (const char *label,
             GtkWidget  *child)
{
  GtkWidget *fold = gtk_expander_new (label);

  gtk_expander_set_child (GTK_EXPANDER (fold), child);
  g_object_bind_property (fold, "expanded", child, "can-focus", G_BINDING_SYNC_CREATE);
  return fold;
}
