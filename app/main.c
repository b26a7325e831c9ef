/* loopscope: the window. Without a file it starts with the sample program.
 *
 * `loopscope --probe-display` opens no window: its exit status is 0 when there is a display that answers, else 3.
 */
#include "app/application.h"
#include "app/engine-session.h"
#include "app/frame-log.h"
#include "engine/base/base.h"
#include "engine/schedule/intrin.h"
#include "views/theme.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

#define NO_DISPLAY 3

/* The catalogues: those of the build tree that the program stands in, else the installed ones. (transfer full) */
static char *
locale_dir (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");
  g_autofree char *built = g_build_filename (folder, "..", "data", "po", NULL);

  return g_file_test (built, G_FILE_TEST_IS_DIR) ? g_canonicalize_filename (built, NULL) : g_strdup (LS_LOCALE_DIR);
}

/* Sentences of the engine, from the same catalogue. */
static const char *
translate (const char *text)
{
  return gettext (text);
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
  g_autofree char *locales = locale_dir ();
  int status;

  setlocale (LC_ALL, "");
  if (argc == 2 && strcmp (argv[1], "--probe-display") == 0)
    return gtk_init_check () ? 0 : NO_DISPLAY;
  prefer_cairo ();
  ls_tensor_intrin_preload ();
  bindtextdomain (GETTEXT_PACKAGE, locales);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  ls_set_translator (translate);
  ls_views_init ();
  gtk_window_set_default_icon_name ("org.loopscope.Loopscope");
  application = ls_application_new (ls_engine_session_new_sample);
  ls_frame_log_start ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  ls_frame_log_end ();
  return status;
}
