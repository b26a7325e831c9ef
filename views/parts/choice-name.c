/* parts/choice-name: the label of the inner button follows the choice; the list is changed in place. */
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

/* (transfer full) */
static GStrv
words_in (GListModel *list)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    g_strv_builder_add (words, gtk_string_list_get_string (GTK_STRING_LIST (list), i));
  return g_strv_builder_end (words);
}

void
ls_choice_set_words (GtkDropDown   *choice,
                     GtkStringList *words)
{
  GListModel *list = gtk_drop_down_get_model (choice);
  g_auto (GStrv) before = NULL, after = NULL;

  if (list == NULL)
    {
      gtk_drop_down_set_model (choice, G_LIST_MODEL (words));
      return;
    }
  before = words_in (list);
  after = words_in (G_LIST_MODEL (words));
  if (!g_strv_equal ((const char *const *) before, (const char *const *) after))
    gtk_string_list_splice (GTK_STRING_LIST (list), 0, g_strv_length (before), (const char *const *) after);
}
