/* LsApplication: GtkApplication with open; one window per file. */
#include "app/application.h"

#include "app/settings.h"
#include "app/window-actions.h"
#include "app/window.h"

#include <glib/gi18n.h>

struct _LsApplication
{
  GtkApplication parent_instance;

  LsSessionFunc  make_session;
};

G_DEFINE_FINAL_TYPE (LsApplication, ls_application, GTK_TYPE_APPLICATION)

static LsWindow *
new_window (LsApplication *self)
{
  g_autoptr (LsSession) session = self->make_session ();

  return LS_WINDOW (ls_window_new (GTK_APPLICATION (self), session));
}

static void
ls_application_startup (GApplication *application)
{
  G_APPLICATION_CLASS (ls_application_parent_class)->startup (application);

  ls_settings_load ();
  ls_theme_install (gdk_display_get_default ());
  ls_window_set_accels (GTK_APPLICATION (application));
}

static void
ls_application_activate (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));

  if (window == NULL)
    window = GTK_WINDOW (new_window (LS_APPLICATION (application)));
  gtk_window_present (window);
}

static void
ls_application_open (GApplication  *application,
                     GFile        **files,
                     int            n_files,
                     const char    *hint)
{
  for (int i = 0; i < n_files; i++)
    {
      LsWindow *window = new_window (LS_APPLICATION (application));

      gtk_window_present (GTK_WINDOW (window));
      ls_session_open (ls_window_get_session (window), files[i]);
    }
}

static void
ls_application_class_init (LsApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = ls_application_startup;
  application_class->activate = ls_application_activate;
  application_class->open = ls_application_open;
}

static void
quit (GSimpleAction *action,
      GVariant      *parameter,
      gpointer       data)
{
  GList *windows = g_list_copy (gtk_application_get_windows (data));

  g_list_foreach (windows, (GFunc) gtk_window_close, NULL);
  g_list_free (windows);
}

static void
ls_application_init (LsApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "quit", .activate = quit },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _("[FILE…]"));
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _("Shows and changes schedules of tensor programs."));
}

LsApplication *
ls_application_new (LsSessionFunc make_session)
{
  LsApplication *self = g_object_new (LS_TYPE_APPLICATION,
                                      "application-id", "org.loopscope.Loopscope",
                                      "resource-base-path", "/org/loopscope",
                                      "flags", G_APPLICATION_HANDLES_OPEN,
                                      NULL);

  self->make_session = make_session;
  return self;
}
