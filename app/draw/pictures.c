/* pictures: history, loop nest before and after, time per step, roofline. */
#include "app/draw/draw.h"

#include "app/session/module.h"
#include "app/session/step-words.h"
#include "views/canvas/draw-roofline.h"
#include "views/figures/history.h"
#include "views/figures/nests.h"
#include "views/figures/times.h"

#include <glib/gi18n.h>
#include <stdio.h>

typedef struct {
  LsSession           *session;
  LsHistory           *history;
  const LsDrawOptions *options;
} Pictures;

typedef void (*DrawFunc) (Pictures *self,
                          LsFigure *figure);

static void
draw_history (Pictures *self,
              LsFigure *figure)
{
  GListModel *rows = ls_session_get_history (self->session);
  g_auto (GStrv) words = ls_step_words_of (self->history, rows);

  ls_figure_history (figure, rows, (const char *const *) words,
                     ls_session_get_title (self->session), ls_session_get_place (self->session));
}

static char *
state_words (LsHistoryNode *node)
{
  if (node->number == 0)
    return g_strdup (_("as opened"));
  return g_strdup_printf (_("step %u, %s"), node->number, node->name);
}

static void
draw_nests (Pictures *self,
            LsFigure *figure)
{
  const LsStepRecord *current = ls_step_item_get (ls_session_get_current (self->session));
  double flop;
  g_autoptr (GPtrArray) before = ls_session_build_loops (self->history, 0, &flop);
  g_autoptr (GPtrArray) after = ls_session_build_loops (self->history, current->id, &flop);
  g_autoptr (GArray) links = ls_step_links (self->history, 0, current->id);
  g_autofree char *left = state_words (ls_history_get (self->history, 0));
  g_autofree char *right = state_words (ls_history_get (self->history, current->id));

  ls_figure_nests (figure, before, after, links, ls_session_get_title (self->session), left, right);
}

static void
draw_times (Pictures *self,
            LsFigure *figure)
{
  ls_figure_times (figure, ls_session_get_path (self->session),
                   ls_session_get_conditions (self->session));
}

static void
draw_roofline (Pictures *self,
               LsFigure *figure)
{
  g_autoptr (LsRoofline) roofline = ls_session_get_roofline (self->session);

  ls_figure_roofline (figure, roofline);
}

static gboolean
write_one (Pictures       *self,
           const char     *name,
           DrawFunc        draw,
           LsFigureFormat  format,
           GError        **error)
{
  g_autofree char *file = g_strconcat (name, ".", ls_figure_extension (format), NULL);
  g_autofree char *path = g_build_filename (self->options->folder, file, NULL);
  LsFigure figure;
  gboolean done;

  ls_figure_begin (&figure, self->options->dark);
  draw (self, &figure);
  done = ls_figure_write (&figure, format, self->options->scale, path, error);
  ls_figure_clear (&figure);
  if (done)
    printf ("  %s\n", path);
  return done;
}

gboolean
ls_draw_pictures (LsSession           *session,
                  LsHistory           *history,
                  const LsDrawOptions *options,
                  GError             **error)
{
  static const struct { const char *name; DrawFunc draw; } figures[] = {
    { "history", draw_history },
    { "loops", draw_nests },
    { "times", draw_times },
    { "roofline", draw_roofline },
  };
  Pictures self = { .session = session, .history = history, .options = options };

  if (g_mkdir_with_parents (options->folder, 0777) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _("%s: %s"), options->folder,
                   g_strerror (errno));
      return FALSE;
    }
  printf ("%s\n", _("Pictures"));
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    for (guint format = 0; format < G_N_ELEMENTS (options->formats); format++)
      if (options->formats[format] &&
          !write_one (&self, figures[i].name, figures[i].draw, format, error))
        return FALSE;

  return TRUE;
}
