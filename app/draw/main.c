/* main: reads the files, replays, measures, reports, draws.  Exit status: 0 done, 1 the input is wrong, 2 the command
 * line is wrong, LS_DRAW_STOPS the report is written and says why its last step could not be done. */
#include "app/about/about.h"
#include "app/base/language.h"
#include "app/session/safe-write.h"
#include "app/draw/draw.h"
#include "app/draw/paper.h"
#include "app/report/page.h"
#include "app/session/engine.h"
#include "app/session/file.h"
#include "engine/script/script.h"
#include "views/parts/theme.h"

#include <gtk/gtk.h>
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  char    *steps;
  char    *out;
  char    *report;
  char    *format;
  char    *paper;
  char   **files;
  double   scale;
  gboolean dark;
  gboolean no_time;
  gboolean quiet;
  gboolean graph;
  gboolean threads;
  gboolean version;
  gboolean describe;
} Arguments;

static void
arguments_clear (Arguments *self)
{
  g_free (self->steps);
  g_free (self->out);
  g_free (self->report);
  g_free (self->format);
  g_free (self->paper);
  g_strfreev (self->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static const LsAboutExit exits[] = {
  { 0, N_("done") },
  { 1, N_("the input is wrong, or a step is refused") },
  { 2, N_("the command line is wrong") },
  { LS_DRAW_STOPS, N_("the report is written and says why its last step could not be done") },
  { 0, NULL },
};

static const LsAbout about = {
  "loopscope-draw", N_("[FILE]"),
  N_("Says and draws what each step of a schedule does.  Without FILE: the sample that comes with Loopscope.  Needs no display."),
  exits
};

static void
put_version (void)
{
  g_autofree char *glib = ls_about_number (glib_major_version, glib_minor_version, glib_micro_version);
  g_autofree char *gtk = ls_about_number (gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version ());

  ls_about_put_version ("loopscope-draw", "GTK", gtk, "cairo", cairo_version_string (), "Pango", pango_version_string (), "GLib", glib, NULL);
}

static gboolean
read_arguments (Arguments *self,
                int       *argc,
                char    ***argv,
                GError   **error)
{
  const GOptionEntry entries[] = {
    { "steps", 's', 0, G_OPTION_ARG_FILENAME, &self->steps, N_("Python text of schedule steps"), "STEPS" },
    { "out", 'o', 0, G_OPTION_ARG_FILENAME, &self->out, N_("folder for the pictures; without it none are made"), "DIR" },
    { "report", 'r', 0, G_OPTION_ARG_FILENAME, &self->report, N_("one HTML page of everything"), "FILE" },
    { "format", 'f', 0, G_OPTION_ARG_STRING, &self->format, N_("png, svg, pdf, or several with commas; png,svg"), "LIST" },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &self->scale, N_("pixels of a PNG per unit; 2"), "N" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &self->dark, N_("light on dark"), NULL },
    { "no-time", 0, 0, G_OPTION_ARG_NONE, &self->no_time, N_("do not measure"), NULL },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet, N_("only the pictures"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, N_("the version and the libraries"), NULL },
    { "describe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &self->describe, NULL, NULL },
    { "graph", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &self->graph, NULL, NULL },
    { "threads", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &self->threads, NULL, NULL },
    { "paper", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &self->paper, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->files, NULL, NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_(about.usage));

  g_option_context_set_summary (context, _(about.summary));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (self->describe)
    ls_about_put_description (&about, entries, FALSE);
  if (self->version || self->describe)
    return TRUE;
  if (self->files != NULL && g_strv_length (self->files) > 1)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _("One file at a time."));
  else if (self->steps != NULL && self->files == NULL)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _("--steps needs a FILE."));
  else if (!(self->scale >= 0.25 && self->scale <= 8.0))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _("--scale is from 0.25 to 8."));
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_formats (const Arguments *arguments,
              LsDrawOptions   *options,
              GError         **error)
{
  const char *list = arguments->format != NULL ? arguments->format : "png,svg";
  g_auto (GStrv) names = g_strsplit (list, ",", -1);

  for (guint i = 0; names[i] != NULL; i++)
    {
      guint format = 0;

      while (format < G_N_ELEMENTS (options->formats) &&
             strcmp (ls_figure_extension (format), names[i]) != 0)
        format++;
      if (format == G_N_ELEMENTS (options->formats))
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _("There is no format \"%s\"; png, svg and pdf are."), names[i]);
          return FALSE;
        }
      options->formats[format] = TRUE;
    }
  return TRUE;
}

/* ---- opening --------------------------------------------------------------- */

static char *
read_text (const char *path,
           GError    **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return NULL;
  if (g_utf8_validate (text, (gssize) length, NULL))
    return g_steal_pointer (&text);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _("%s is not UTF-8 text."), path);
  return NULL;
}

/* All findings with their places: the session keeps only what a text view can show. */
static void
put_findings (const char *path,
              const char *text)
{
  g_autoptr (LsSource) source = ls_source_new (path, text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, diagnostics);
  g_autofree char *findings = ls_diagnostics_print (diagnostics);

  fputs (findings, stderr);
  if (module == NULL && !ls_diagnostics_has_error (diagnostics))
    fprintf (stderr, _("%s holds no function.\n"), path);
}

static LsSession *
open_session (const Arguments *arguments,
              GError         **error)
{
  g_autoptr (LsSession) session = NULL;
  g_autofree char *text = NULL;
  g_autofree char *steps = NULL;
  g_autofree char *name = NULL;

  if (arguments->files == NULL)
    return ls_engine_session_new_sample ();
  if ((text = read_text (arguments->files[0], error)) == NULL)
    return NULL;
  if (arguments->steps != NULL && (steps = read_text (arguments->steps, error)) == NULL)
    return NULL;
  session = ls_engine_session_new ();
  name = g_path_get_basename (arguments->files[0]);
  if (g_str_has_suffix (name, LS_SESSION_SUFFIX))
    {
      if (!ls_engine_session_open_saved (LS_ENGINE_SESSION (session), name, text, -1, NULL, error))
        return NULL;
      if (ls_engine_session_get_history (LS_ENGINE_SESSION (session)) != NULL)
        return g_steal_pointer (&session);
      put_findings (arguments->files[0], ls_session_get_base (session));
      return NULL;
    }
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), name, text, steps);
  if (ls_session_get_state (session) == LS_SESSION_READY)
    return g_steal_pointer (&session);
  put_findings (arguments->files[0], text);
  return NULL;
}

/* ---- measuring ------------------------------------------------------------- */

static void
measure (LsSession *session)
{
  ls_session_measure (session, TRUE);
  while (ls_session_is_running (session))
    g_main_context_iteration (NULL, TRUE);
}

/* A saved session brings its times along. */
static gboolean
has_times (LsHistory *history)
{
  for (guint i = 0; i < ls_history_get_n (history); i++)
    if (ls_history_get (history, i)->time.samples > 0)
      return TRUE;

  return FALSE;
}

static gboolean
write_report (LsSession   *session,
              const char  *path,
              GError     **error)
{
  g_autofree char *text = ls_session_export (session, LS_EXPORT_REPORT, error);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return text != NULL && ls_safe_write (file, text, error);
}

/* ---- the whole ------------------------------------------------------------- */

static int
fail (int           status,
      const GError *error)
{
  if (error != NULL)
    fprintf (stderr, "loopscope-draw: %s\n", error->message);
  return status;
}

static int
work (const Arguments     *arguments,
      const LsDrawOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSession) session = open_session (arguments, &error);
  LsHistory *history;

  if (session == NULL)
    return fail (1, error);
  history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  if (!arguments->no_time && !has_times (history))
    measure (session);
  if (!arguments->quiet)
    ls_draw_report (session, history);
  if (arguments->report != NULL && !write_report (session, arguments->report, &error))
    return fail (1, error);
  if (options->folder != NULL && !ls_draw_pictures (session, history, options, &error))
    return fail (1, error);
  if (ls_history_get (history, ls_history_get_n (history) - 1)->refused == NULL)
    return 0;
  return arguments->report != NULL ? LS_DRAW_STOPS : 1;
}

int
main (int    argc,
      char **argv)
{
  g_auto (Arguments) arguments = { .scale = 2.0 };
  LsDrawOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  ls_language_init ();
  gtk_disable_setlocale ();
  gtk_init_check ();
  ls_views_init ();
  ls_report_register ();
  if (!read_arguments (&arguments, &argc, &argv, &error) || !read_formats (&arguments, &options, &error))
    return fail (2, error);
  if (arguments.version)
    put_version ();
  if (arguments.version || arguments.describe)
    return 0;
  options.folder = arguments.out;
  options.dark = arguments.dark;
  options.scale = arguments.scale;
  if (arguments.paper != NULL)
    return ls_draw_paper (arguments.paper, &error) ? 0 : fail (1, error);
  if (arguments.threads)
    return ls_draw_threads (&options, &error) ? 0 : fail (1, error);
  if (arguments.graph)
    return ls_draw_graphs (&options, &error) ? 0 : fail (1, error);
  return work (&arguments, &options);
}
