/* script/shown: see the header. */
#include "views/script/shown.h"

static gboolean
is_lit (const LsScriptShown *self,
        guint                line)
{
  for (guint i = 0; self->lit != NULL && i < self->lit->len; i++)
    if (g_array_index (self->lit, guint, i) == line)
      return TRUE;
  return FALSE;
}

gboolean
ls_script_shown_is_selected (const LsScriptShown *self,
                             guint                line)
{
  guint64 id = self->session != NULL ? ls_session_get_selection (self->session) : 0;
  const LsScriptLine *info = ls_script_text_line (self->text, line);

  if (info->here || is_lit (self, line))
    return TRUE;
  if (id == 0)
    return FALSE;
  if (info->id == id)
    return TRUE;
  /* A T.grid line opens several loops: its id is the first, its spans tell all. */
  if (info->families.n < 2)
    return FALSE;
  for (guint i = 0; i < ls_script_text_n_spans (self->text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (self->text, i);
      GtkTextIter iter;

      if (span->id != id)
        continue;
      gtk_text_buffer_get_iter_at_offset (gtk_text_view_get_buffer (self->view), &iter, (int) span->start);
      return gtk_text_iter_get_line (&iter) == (int) line;
    }
  return FALSE;
}

void
ls_script_shown_get_row (const LsScriptShown *self,
                         guint                line,
                         int                  room,
                         int                 *top,
                         int                 *height)
{
  *top = ls_script_gaps_get_above (self->gaps, line);
  *height = room - *top - ls_script_gaps_get_below (self->gaps, line);
}
