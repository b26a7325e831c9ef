/* fixture-window: the window on the fixture session, for AT-SPI tests and pictures.
 *
 *   fixture-window [--empty | --broken] [--dark] [--size WxH] [--diff] [--unfold N]
 */
#include "app/application.h"
#include "app/window/window.h"
#include "tests/ui/fixture-session.h"
#include "views/parts/theme.h"

#include <stdio.h>

static gboolean empty, broken, dark, diff, history, moves;
static char *size;
static int unfold = -1, text_size;

static const GOptionEntry options[] = {
  { "empty", 0, 0, G_OPTION_ARG_NONE, &empty, NULL, NULL },
  { "broken", 0, 0, G_OPTION_ARG_NONE, &broken, NULL, NULL },
  { "dark", 0, 0, G_OPTION_ARG_NONE, &dark, NULL, NULL },
  { "diff", 0, 0, G_OPTION_ARG_NONE, &diff, NULL, NULL },
  { "history", 0, 0, G_OPTION_ARG_NONE, &history, NULL, NULL },
  { "moves", 0, 0, G_OPTION_ARG_NONE, &moves, NULL, NULL },
  { "size", 0, 0, G_OPTION_ARG_STRING, &size, NULL, NULL },
  { "unfold", 0, 0, G_OPTION_ARG_INT, &unfold, NULL, NULL },
  { "text-size", 0, 0, G_OPTION_ARG_INT, &text_size, NULL, NULL },
  { NULL },
};

static LsSession *
make_session (void)
{
  if (empty)
    return ls_fixture_session_new_empty ();
  if (broken)
    return ls_fixture_session_new_broken ();
  return ls_fixture_session_new ();
}

static gboolean
later (gpointer data)
{
  if (unfold >= 0)
    ls_window_unfold_move (data, (guint) unfold);
  if (diff)
    gtk_widget_activate_action (data, "win.diff", NULL);
  if (history)
    gtk_widget_activate_action (data, "win.history", NULL);
  if (moves)
    gtk_widget_activate_action (data, "win.moves", NULL);
  return G_SOURCE_REMOVE;
}

static void
activated (GApplication *application)
{
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (application));
  int width, height;

  ls_theme_set_scheme (dark ? LS_SCHEME_DARK : LS_SCHEME_LIGHT);
  if (text_size > 0)
    ls_theme_set_text_size (text_size);
  if (window == NULL)
    return;
  if (size != NULL && sscanf (size, "%dx%d", &width, &height) == 2)
    gtk_window_set_default_size (window, width, height);
  g_timeout_add (300, later, window);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (LsApplication) application = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 2;
  application = ls_application_new (make_session);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_signal_connect_after (application, "activate", G_CALLBACK (activated), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
