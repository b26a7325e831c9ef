/* shown: the walk. */
#include "app/learn/shown.h"

#include "app/rpc/rpc.h"

#include <string.h>

static gboolean
is_program (GVariant *view)
{
  const char *kind = ls_params_string (view, "kind", "text");

  return strcmp (kind, "module") == 0 || strcmp (kind, "function") == 0 || strcmp (kind, "te") == 0 || strcmp (kind, "schedule") == 0;
}

static void
take_views (LsShown    *self,
            LsOutputs  *outputs,
            const char *mark,
            gboolean    here)
{
  for (guint k = 0; k < ls_outputs_get_n (outputs); k++)
    {
      GVariant *view = ls_outputs_get (outputs, k)->view;

      if (view == NULL)
        continue;
      if (is_program (view))
        {
          gboolean refused = ls_params_string (view, "refused", NULL) != NULL;

          self->before = refused ? NULL : self->text != NULL ? self->text : ls_params_string (view, "base", NULL);
          self->text = ls_params_string (view, "text", "");
          self->mark = ls_params_string (view, "mark", mark);
          self->here = here;
        }
      if (here)
        self->png = ls_params_string (view, "png", NULL);
    }
}

/* Did it show what the result pane draws better than lines of text? */
static gboolean
wants_pane (const LsLessonPart *of,
            LsOutputs          *outputs)
{
  static const char *const views[] = { "graph", "chart", "table", "history", "accesses", "run", "code", NULL };

  if (of->view == NULL || !g_strv_contains (views, of->view))
    return FALSE;
  for (guint k = 0; k < ls_outputs_get_n (outputs); k++)
    if (ls_outputs_get (outputs, k)->view != NULL && strcmp (ls_params_string (ls_outputs_get (outputs, k)->view, "kind", "text"), "text") != 0)
      return TRUE;
  return FALSE;
}

/* Code that did not run yet: the first of the page is what comes next.  It does not take the place of code whose lines stand below it. */
static void
take_next (LsShown    *self,
           const char *code)
{
  if (!self->next && self->sentence == NULL && (self->printed == NULL || *self->printed == 0))
    self->code = code;
  self->next = TRUE;
}

/* Code that ran, its lines and what was wrong with it: they belong together, and go before a program that the page showed earlier. */
static void
take_printed (LsShown          *self,
              const LsPlayPart *part,
              const char       *code)
{
  g_free (self->printed);
  self->printed = ls_outputs_get_text (part->outputs);
  self->sentence = part->sentence;
  self->code = code;
  if (self->sentence != NULL || (self->printed != NULL && *self->printed != 0))
    {
      self->here = FALSE;
      self->png = NULL;
    }
}

static void
look_at (LsShown *self,
         LsPlay  *play,
         guint    i,
         gboolean here)
{
  const LsLessonPart *of = ls_lesson_get_part (ls_play_get_lesson (play), i);
  const LsPlayPart *part = ls_play_get (play, i);

  if (of->kind != LS_PART_CELL || of->folded)
    return;
  if (part->outputs == NULL || part->state == LS_PLAY_QUEUED)
    {
      if (here)
        take_next (self, ls_play_get_code (play, i));
      return;
    }
  if (here)
    take_printed (self, part, ls_play_get_code (play, i));
  take_views (self, part->outputs, of->mark, here);
  if (here)
    self->pane = wants_pane (of, part->outputs) ? (int) i : -1;
}

void
ls_shown_find (LsShown *self,
               LsPlay  *play)
{
  LsLesson *lesson = ls_play_get_lesson (play);
  const LsLessonPage *page = ls_lesson_get_page (lesson, ls_play_get_page (play));

  *self = (LsShown) { .pane = -1 };
  for (guint i = 0; i < page->first + page->n_parts; i++)
    {
      if (i >= page->first && ls_lesson_get_part (lesson, i)->kind == LS_PART_PREDICT && !ls_play_get (play, i)->revealed)
        return;
      look_at (self, play, i, i >= page->first);
    }
}

void
ls_shown_clear (LsShown *self)
{
  g_clear_pointer (&self->printed, g_free);
}
