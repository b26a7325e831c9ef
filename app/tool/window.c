/* tool/window: a parent knows its windows by the data of its own object, under the name of their kind. */
#include "app/tool/window.h"

static void
close_by_escape (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

GtkWidget *
ls_tool_window_new (GtkWindow  *parent,
                    const char *title,
                    int         width,
                    int         height,
                    GtkWidget  *content,
                    GtkWidget  *foot)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  gtk_widget_add_css_class (window, "loopscope");
  gtk_widget_set_vexpand (content, TRUE);
  gtk_box_append (GTK_BOX (box), content);
  if (foot != NULL)
    {
      gtk_widget_add_css_class (foot, "pane-footer");
      gtk_label_set_wrap (GTK_LABEL (foot), TRUE);
      gtk_box_append (GTK_BOX (box), foot);
    }
  gtk_window_set_child (GTK_WINDOW (window), box);
  close_by_escape (window);
  return window;
}

/* ---- one of a kind ------------------------------------------------------------------ */

static char *
name_of_kind (const char *key)
{
  return g_strconcat ("ls-tool-", key, NULL);
}

/* Another may have taken its place. */
static void
forget (GtkWidget *window,
        GtkWindow *parent)
{
  g_autofree char *name = name_of_kind (g_object_get_data (G_OBJECT (window), "ls-kind"));

  if (g_object_get_data (G_OBJECT (parent), name) == window)
    g_object_set_data (G_OBJECT (parent), name, NULL);
}

void
ls_tool_window_keep (GtkWidget      *window,
                     const char     *key,
                     gpointer        data,
                     GDestroyNotify  data_free)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (window));
  g_autofree char *name = name_of_kind (key);

  g_object_set_data_full (G_OBJECT (window), "ls-kind", g_strdup (key), g_free);
  g_object_set_data_full (G_OBJECT (window), name, data, data_free);
  g_object_set_data (G_OBJECT (parent), name, window);
  g_signal_connect_object (window, "destroy", G_CALLBACK (forget), parent, 0);
}

gpointer
ls_tool_window_find (GtkWindow  *parent,
                     const char *key)
{
  g_autofree char *name = name_of_kind (key);
  GtkWidget *window = g_object_get_data (G_OBJECT (parent), name);

  return window != NULL ? g_object_get_data (G_OBJECT (window), name) : NULL;
}
