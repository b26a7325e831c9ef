/* loopscope: the window. Without a file it starts with the sample program.
 *
 * `loopscope --probe-display` opens no window: its exit status is 0 when there is a display that answers, else 3.
 */
#include "app/application.h"
#include "app/base/frame-log.h"
#include "app/base/language.h"
#include "app/session/engine.h"
#include "engine/schedule/intrin/intrin.h"
#include "views/parts/theme.h"

#include <string.h>

#define NO_DISPLAY 3

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
  ls_views_init ();
  gtk_window_set_default_icon_name ("org.loopscope.Loopscope");
  application = ls_application_new (ls_engine_session_new_sample);
  ls_frame_log_start ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  ls_frame_log_end ();
  return status;
}
