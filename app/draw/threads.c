/* threads: paints what the window Threads shows: one access of a warp, a finding, or a layout; it arrives on standard input as the bytes of an a{sv}:
 * answer a{sv} (of the worker's method simt), path s, what s ("event", "finding", "layout"), number u, block x, kernel u. */
#include "app/draw/draw.h"

#include "views/threads/picture.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

static gboolean
none (const char *what,
      guint       number,
      guint       n,
      GError    **error)
{
  const char *format = strcmp (what, "event") == 0 ? _("There is no event %u: there are %u, counted from 1.")
                       : strcmp (what, "finding") == 0 ? _("There is no finding %u: there are %u, counted from 1.") : _("There is no layout %u: there are %u, counted from 1.");

  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, number + 1, n);
  return FALSE;
}

gboolean
ls_draw_threads (const LsDrawOptions *options,
                 GError             **error)
{
  g_autoptr (GVariant) request = ls_draw_read_request (error);
  g_autoptr (GVariant) answer = request != NULL ? g_variant_lookup_value (request, "answer", G_VARIANT_TYPE_VARDICT) : NULL;
  const char *path = "threads.svg", *what = "event";
  guint number = 0, kernel = 0, n;
  gint64 block = 0;
  g_autoptr (LsThreads) threads = NULL;
  g_autoptr (GArray) layouts = NULL;
  LsFigure figure;
  gboolean is_layout, is_finding, done;

  if (answer == NULL)
    {
      if (error != NULL && *error == NULL)
        g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _("The input holds no threads."));
      return FALSE;
    }
  g_variant_lookup (request, "path", "&s", &path);
  g_variant_lookup (request, "what", "&s", &what);
  g_variant_lookup (request, "number", "u", &number);
  g_variant_lookup (request, "block", "x", &block);
  g_variant_lookup (request, "kernel", "u", &kernel);
  threads = ls_threads_new (answer, block, kernel);
  layouts = ls_threads_layouts_new (answer);
  is_layout = strcmp (what, "layout") == 0;
  is_finding = strcmp (what, "finding") == 0;
  n = is_layout ? layouts->len : is_finding ? threads->findings->len : threads->events->len;
  if (number >= n)
    return none (what, number, n, error);
  ls_figure_begin (&figure, options->dark);
  ls_threads_draw (&figure, threads, is_layout || is_finding ? -1 : (int) number, is_finding ? (int) number : -1,
                   is_layout ? &g_array_index (layouts, LsThreadsLayout, number) : NULL, -1);
  done = ls_figure_write (&figure, ls_draw_format_of (path), options->scale, path, error);
  ls_figure_clear (&figure);
  if (done)
    printf ("%s\n", path);
  return done;
}
