/* cut-icons: an icon has one meaning in a window. */
#include "tests/ui/cut.h"

#include <string.h>

/* Those that only point somewhere, or search: what is meant stands beside them. */
static const char *const pointers[] = {
  "edit-find-symbolic",
  "go-previous-symbolic", "go-next-symbolic", "go-up-symbolic", "go-down-symbolic", "pan-down-symbolic", "pan-end-symbolic", "pan-start-symbolic", "pan-up-symbolic",
  "view-more-symbolic", "open-menu-symbolic", NULL
};

static GtkWidget *
find (GtkWidget *widget,
      GType      type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* In rows of lists the same button stands many times. */
static gboolean
is_in_row (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    if (GTK_IS_LIST_BOX_ROW (widget) || strstr (G_OBJECT_TYPE_NAME (widget), "ListItem") != NULL)
      return TRUE;
  return FALSE;
}

/* What is said of it and done by it. (transfer full) */
static char *
meaning (GtkWidget *button)
{
  const char *action = gtk_actionable_get_action_name (GTK_ACTIONABLE (button)), *tip = g_object_get_data (G_OBJECT (button), "ls-tip");
  GVariant *target = gtk_actionable_get_action_target_value (GTK_ACTIONABLE (button));
  g_autofree char *of = target != NULL ? g_variant_print (target, FALSE) : NULL;
  GtkWidget *label = find (button, GTK_TYPE_LABEL);

  if (action != NULL)
    return g_strconcat (action, of, NULL);
  if (label != NULL)
    return g_strdup (gtk_label_get_text (GTK_LABEL (label)));
  return g_strdup (tip != NULL ? tip : gtk_widget_get_tooltip_text (button));
}

static void
look (GtkWidget  *widget,
      GHashTable *seen,
      GString    *found)
{
  GtkWidget *image = GTK_IS_BUTTON (widget) ? find (widget, GTK_TYPE_IMAGE) : NULL;
  const char *icon = image != NULL ? gtk_image_get_icon_name (GTK_IMAGE (image)) : NULL;

  if (!gtk_widget_get_mapped (widget) || GTK_IS_DROP_DOWN (widget))           /* its rows have a mark of GTK's */
    return;
  if (icon != NULL && !g_strv_contains (pointers, icon) && !is_in_row (widget))
    {
      char *own = meaning (widget);
      const char *other = g_hash_table_lookup (seen, icon);

      if (own != NULL && other != NULL && strcmp (own, other) != 0)
        g_string_append_printf (found, "\n  %s means two things: \"%s\" and \"%s\"", icon, other, own);
      if (own != NULL && other == NULL)
        g_hash_table_insert (seen, (gpointer) icon, own);
      else
        g_free (own);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    look (child, seen, found);
}

void
ls_cut_icons (GtkWidget *window,
              GString   *found)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  look (window, seen, found);
}
