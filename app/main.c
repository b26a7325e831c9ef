/* loopscope: the window. Without a file it starts with the sample program.
 *
 * `loopscope --probe-display` opens no window: its exit status is 0 when there is a display that answers, else 3.
 */
#include "app/about/about.h"
#include "app/application.h"
#include "app/base/frame-log.h"
#include "app/base/language.h"
#include "app/session/engine.h"
#include "engine/schedule/intrin/intrin.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>
#include <string.h>

#define NO_DISPLAY 3

static gboolean version;
static gboolean describe;

static const GOptionEntry entries[] = {
  { "version", 0, 0, G_OPTION_ARG_NONE, &version, N_("The version and the libraries"), NULL },
  { "describe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &describe, NULL, NULL },
  { NULL }
};

static const LsAbout about = {
  "loopscope", "[FILE or LINK...]",
  "Shows and changes schedules of tensor programs: in a window, on a TVMScript program, a saved session, a lesson, a saved graph of torch.fx or "
  "the log of a compiler's passes; without FILE on a sample.", NULL
};

static void
put_version (void)
{
  g_autofree char *glib = ls_about_number (glib_major_version, glib_minor_version, glib_micro_version);
  g_autofree char *gtk = ls_about_number (gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version ());
  g_autofree char *source = ls_about_number (gtk_source_get_major_version (), gtk_source_get_minor_version (), gtk_source_get_micro_version ());

  ls_about_put_version ("loopscope", "GTK", gtk, "GtkSourceView", source, "GLib", glib, NULL);
}

/* Before there is a display. */
static int
answer (GApplication *application,
        GVariantDict *options,
        gpointer      data)
{
  if (version)
    put_version ();
  if (describe)
    ls_about_put_description (&about, entries, TRUE);
  return version || describe ? 0 : -1;
}

/* "-" is standard input.  What comes through a descriptor of this process can only be read here, not by one that runs already. */
static gboolean
reads_own_input (int    argc,
                 char **argv)
{
  gboolean own = FALSE;

  for (int i = 1; i < argc; i++)
    {
      if (strcmp (argv[i], "-") == 0)
        argv[i] = (char *) "/dev/stdin";
      own |= strcmp (argv[i], "/dev/stdin") == 0 || g_str_has_prefix (argv[i], "/dev/fd/") || g_str_has_prefix (argv[i], "/proc/self/fd/");
    }
  return own;
}

/* GTK loads the drivers for GL even where it will not draw with them: a quarter of the time until the window stands. */
static void
prefer_cairo (void)
{
  if (g_strcmp0 (g_getenv ("GSK_RENDERER"), "cairo") == 0 && g_getenv ("GDK_DEBUG") == NULL)
    g_setenv ("GDK_DEBUG", "gl-disable", TRUE);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (LsApplication) application = NULL;
  int status;

  if (argc == 2 && strcmp (argv[1], "--probe-display") == 0)
    return gtk_init_check () ? 0 : NO_DISPLAY;
  prefer_cairo ();
  ls_tensor_intrin_preload ();
  ls_language_init ();
  g_setenv ("LS_SPEAK", "1", TRUE);     /* to the programs of ours that are started from here (app/cli/main.c) */
  ls_views_init ();
  gtk_window_set_default_icon_name ("org.loopscope.Loopscope");
  application = ls_application_new (ls_engine_session_new_sample);
  if (reads_own_input (argc, argv))
    g_application_set_flags (G_APPLICATION (application), g_application_get_flags (G_APPLICATION (application)) | G_APPLICATION_NON_UNIQUE);
  g_application_add_main_option_entries (G_APPLICATION (application), entries);
  g_signal_connect (application, "handle-local-options", G_CALLBACK (answer), NULL);
  ls_frame_log_start ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  ls_frame_log_end ();
  return status;
}
