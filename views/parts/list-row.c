/* parts/list-row: see the header.  Rows have no public type in GTK 4.8; they are known by the name that style sheets call them by. */
#include "views/parts/list-row.h"

#include <string.h>

GtkWidget *
ls_list_row_of (GtkWidget *inside,
                GtkWidget *list)
{
  for (GtkWidget *at = inside; at != NULL && at != list; at = gtk_widget_get_parent (at))
    if (strcmp (gtk_widget_get_css_name (at), "row") == 0)
      return at;
  return NULL;
}
