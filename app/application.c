/* LsApplication: GtkApplication with open; one window per file. */
#include "app/application.h"

#include "app/base/language.h"
#include "app/base/settings.h"
#include "app/learn/course-window.h"
#include "app/learn/lesson-window.h"
#include "app/passes/window.h"
#include "app/report/page.h"
#include "app/rpc/rpc.h"
#include "app/session/copies.h"
#include "app/session/engine.h"
#include "app/tools.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/first.h"
#include "app/window/kept.h"
#include "app/window/link.h"
#include "app/window/open.h"
#include "app/window/window.h"
#include "views/parts/theme.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>

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
show (LsWindow *window)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  if (g_list_length (gtk_application_get_windows (application)) == 1)
    {
      ls_window_first_prepare (GTK_WINDOW (window));
      ls_window_kept_remind (window);
    }
  gtk_window_present (GTK_WINDOW (window));
}

/* Asked to end from outside: as if all windows were closed, but what has no file comes back with the next start. */
static gboolean
end (gpointer data)
{
  ls_window_file_leave_copies ();
  if (g_application_get_is_registered (data))
    g_action_group_activate_action (data, "quit", NULL);
  return G_SOURCE_CONTINUE;
}

/* LsOpenedFunc */
static void
show_restored (gpointer  nothing,
               LsWindow *window)
{
  show (window);
}

/* What an earlier run could not save comes back in windows of its own, each once it is read. TRUE: there was something. */
static gboolean
restore (LsApplication *self)
{
  g_autoptr (GPtrArray) left = ls_copies_left_over ();
  gboolean restored = FALSE;

  for (guint i = 0; i < left->len; i++)
    {
      LsWindow *window = new_window (self);

      if (ls_window_file_restore (window, g_ptr_array_index (left, i)))
        {
          ls_window_open_then (window, show_restored, NULL, NULL);
          restored = TRUE;
        }
      else
        gtk_window_destroy (GTK_WINDOW (window));
    }
  return restored;
}

static void
ls_application_startup (GApplication *application)
{
  g_autoptr (GBytes) catalogue = ls_language_catalogue ();

  G_APPLICATION_CLASS (ls_application_parent_class)->startup (application);
  adw_init ();
  ls_report_register ();
  ls_tools_register ();

  ls_worker_set_catalogue (catalogue);
  ls_theme_install (gdk_display_get_default ());
  ls_settings_start ();
  ls_window_set_accels (GTK_APPLICATION (application));
  ls_lesson_window_set_accels (GTK_APPLICATION (application));
  /* After the keys that came before it: they are kept, too. */
  g_unix_signal_add_full (G_PRIORITY_DEFAULT + 10, SIGTERM, end, application, NULL);
  g_unix_signal_add_full (G_PRIORITY_DEFAULT + 10, SIGINT, end, application, NULL);
}

/* The one that was used last, of those that are not about to go; NULL: none. */
static GtkWindow *
last_window (GtkApplication *application)
{
  for (GList *at = gtk_application_get_windows (application); at != NULL; at = at->next)
    if (!LS_IS_WINDOW (at->data) || !ls_window_file_is_closing (at->data))
      return at->data;
  return NULL;
}

static void
ls_application_activate (GApplication *application)
{
  GtkWindow *window = last_window (GTK_APPLICATION (application));

  if (window == NULL && restore (LS_APPLICATION (application)))
    return;
  if (window == NULL)
    show (new_window (LS_APPLICATION (application)));
  else
    gtk_window_present (window);
}

/* ---- lessons -------------------------------------------------------------------- */

static void
open_workbench (GtkApplication *application,
                const char     *name,
                const char     *text,
                const char     *steps)
{
  LsWindow *window = new_window (LS_APPLICATION (application));
  LsSession *session = ls_window_get_session (window);

  if (text != NULL && LS_IS_ENGINE_SESSION (session))
    ls_engine_session_open_text (LS_ENGINE_SESSION (session), name, text, steps);
  gtk_window_present (GTK_WINDOW (window));
}

static void
open_lesson (LsApplication *self,
             GFile         *file,
             const char    *place)
{
  gtk_window_present (GTK_WINDOW (ls_lesson_window_new (GTK_APPLICATION (self), file, place, open_workbench)));
}

/* ---- files and links --------------------------------------------------------------- */

static void
go_by_link (gpointer  link,
            LsWindow *window)
{
  ls_link_go (link, window);
}

/* Takes the link. */
static void
open_link (LsApplication *self,
           LsLink        *taken)
{
  g_autoptr (LsLink) link = taken;
  LsWindow *window;

  if (link->lesson && link->file != NULL)
    {
      open_lesson (self, link->file, link->place);
      return;
    }
  if (link->file != NULL && ls_passes_window_takes (link->file))
    {
      ls_passes_window_open_at (GTK_APPLICATION (self), link->file, link->pass, link->function, link->follow);
      return;
    }
  window = link->file != NULL ? ls_window_file_present (GTK_APPLICATION (self), link->file) : NULL;
  if (window != NULL)
    {
      ls_link_go (link, window);
      return;
    }
  window = new_window (self);
  show (window);
  if (link->file == NULL)
    {
      ls_window_say (window, _("Not opened"), link->trouble);
      return;
    }
  ls_window_file_open (window, link->file);
  ls_window_open_then (window, go_by_link, g_steal_pointer (&link), (GDestroyNotify) ls_link_free);
}

static void
ls_application_open (GApplication  *application,
                     GFile        **files,
                     int            n_files,
                     const char    *hint)
{
  for (int i = 0; i < n_files; i++)
    open_link (LS_APPLICATION (application), ls_link_read (files[i]));
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
  /* Closing a lesson closes its presenter too. */
  GList *windows = g_list_copy_deep (gtk_application_get_windows (data), (GCopyFunc) (void (*) (void)) g_object_ref, NULL);

  g_list_foreach (windows, (GFunc) gtk_window_close, NULL);
  g_list_free_full (windows, g_object_unref);
}

static void
open_window (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  gtk_window_present (GTK_WINDOW (new_window (data)));
}

static void
open_pass_log (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  ls_passes_window_ask (data, last_window (data));
}

/* The map of all lessons. */
static void
open_lessons (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       data)
{
  ls_course_window_show (data, last_window (data));
}

static void
ls_application_init (LsApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "quit", .activate = quit },
    { .name = "new-window", .activate = open_window },
    { .name = "lessons", .activate = open_lessons },
    { .name = "open-pass-log", .activate = open_pass_log },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _("[FILE or LINK…]"));
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
