/* compare/choice: the button has a short line, the open list a table of them. */
#include "views/compare/choice.h"

#include "views/models/format.h"
#include "views/models/step-item.h"
#include "views/parts/choice-name.h"
#include "views/parts/parts.h"

#define BUTTON_CHARS 26
#define LIST_CHARS 48

enum { BRANCH, TAG, CALL, TIME, N_TEXTS };

static void
setup (GtkListItem *list_item,
       gboolean     in_list)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *call = ls_part_label (NULL, "code"), *time = ls_part_label (NULL, "reason");

  gtk_box_append (GTK_BOX (line), ls_part_label (NULL, NULL));
  gtk_box_append (GTK_BOX (line), ls_part_label (NULL, "strong"));
  gtk_label_set_ellipsize (GTK_LABEL (call), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (call), in_list ? LIST_CHARS : BUTTON_CHARS);
  gtk_widget_set_hexpand (call, in_list);
  gtk_label_set_xalign (GTK_LABEL (time), in_list ? 1.0f : 0.0f);
  gtk_box_append (GTK_BOX (line), call);
  gtk_box_append (GTK_BOX (line), time);
  if (in_list)
    gtk_widget_add_css_class (line, "choice-row");
  gtk_list_item_set_child (list_item, line);
}

static void
setup_button (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              gpointer                  data)
{
  setup (list_item, FALSE);
}

static void
setup_row (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           gpointer                  data)
{
  setup (list_item, TRUE);
}

static void
show (GtkListItem *list_item)
{
  LsStepItem *item = gtk_list_item_get_item (list_item);
  const LsStepRecord *record = ls_step_item_get (item);
  GtkWidget *child = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  g_autofree char *tag = ls_step_item_tag (item);
  g_autofree char *time = record->timing.samples > 0 && record->state == LS_STEP_MEASURED
                            ? ls_format_time (record->timing.median) : g_strdup ("");
  const char *texts[N_TEXTS] = { [BRANCH] = record->branch != NULL ? record->branch : "", [TAG] = tag,
                                 [CALL] = record->call, [TIME] = time };

  for (guint i = 0; i < N_TEXTS && child != NULL; i++, child = gtk_widget_get_next_sibling (child))
    {
      gtk_label_set_label (GTK_LABEL (child), texts[i]);
      gtk_widget_set_visible (child, *texts[i] != '\0');
    }
}

static void
bind (GtkSignalListItemFactory *factory,
      GtkListItem              *list_item,
      gpointer                  data)
{
  g_signal_connect_swapped (gtk_list_item_get_item (list_item), "changed", G_CALLBACK (show), list_item);
  show (list_item);
}

static void
unbind (GtkSignalListItemFactory *factory,
        GtkListItem              *list_item,
        gpointer                  data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), show, list_item);
}

static GtkListItemFactory *
factory_new (GCallback set_up)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", set_up, NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind), NULL);
  return factory;
}

GtkWidget *
ls_compare_choice_new (const char *name)
{
  g_autoptr (GtkListItemFactory) button = factory_new (G_CALLBACK (setup_button)), row = factory_new (G_CALLBACK (setup_row));
  GtkWidget *choice = gtk_drop_down_new (NULL, NULL);

  gtk_drop_down_set_factory (GTK_DROP_DOWN (choice), button);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (choice), row);
  ls_choice_set_name (GTK_DROP_DOWN (choice), name);
  return choice;
}

guint
ls_compare_choice_position (GtkDropDown *self,
                            guint        id)
{
  GListModel *model = gtk_drop_down_get_model (self);

  for (guint i = 0; model != NULL && i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (model, i);

      if (ls_step_item_get (item)->id == id)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}
