/* parts/choice-name: the label of the inner button follows the choice. */
#include "views/parts/choice-name.h"

#include "views/models/step-item.h"

/* (transfer full) */
static char *
words_of (gpointer item)
{
  g_autofree char *tag = NULL;

  if (GTK_IS_STRING_OBJECT (item))
    return g_strdup (gtk_string_object_get_string (item));
  if (!LS_IS_STEP_ITEM (item))
    return g_strdup ("");
  tag = ls_step_item_tag (item);
  return g_strdup_printf ("%s %s", tag, ls_step_item_get (item)->call);
}

static void
update (GtkDropDown *choice)
{
  const char *name = g_object_get_data (G_OBJECT (choice), "ls-choice-name");
  g_autofree char *words = words_of (gtk_drop_down_get_selected_item (choice));
  g_autofree char *text = g_strdup_printf ("%s: %s", name, words);
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (choice));

  if (button != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
ls_choice_set_name (GtkDropDown *choice,
                    const char  *name)
{
  gboolean known = g_object_get_data (G_OBJECT (choice), "ls-choice-name") != NULL;

  g_object_set_data_full (G_OBJECT (choice), "ls-choice-name", g_strdup (name), g_free);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (!known)
    g_signal_connect (choice, "notify::selected-item", G_CALLBACK (update), NULL);
  update (choice);
}
