/* LsPlay: what stands behind changed code shows what the old code gave.
 *
 * A part is stale when its code was edited since it ran, when an earlier one was, or when an earlier one ran with other code
 * after it.
 */
#include "app/learn/play-private.h"

#include <string.h>

gboolean
ls_play_is_done (LsPlayState state)
{
  return state == LS_PLAY_DONE || state == LS_PLAY_STALE;
}

/* Has its code been changed since it ran? */
static gboolean
is_ahead (LsPlay *self,
          guint   part)
{
  const LsPlayPart *of = at (self, part);

  return of->ran != NULL && ls_play_is_done (of->state) && strcmp (of->ran, ls_play_get_code (self, part)) != 0;
}

void
ls_play_refresh_stale (LsPlay *self)
{
  gboolean behind = FALSE;

  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPlayPart *part = at (self, i);
      LsPlayState state = part->state;

      behind |= is_ahead (self, i);
      if (ls_play_is_done (state))
        part->state = behind || part->overtaken ? LS_PLAY_STALE : LS_PLAY_DONE;
      if (part->state != state)
        ls_play_part_changed (self, i);
    }
}

void
ls_play_note_run (LsPlay *self,
                  guint   number)
{
  LsPlayPart *part = at (self, number);
  const char *code = part_of (self, number)->code != NULL ? ls_play_get_code (self, number) : NULL;

  part->overtaken = FALSE;
  if (code == NULL)
    return;
  if (part->ran != NULL && strcmp (part->ran, code) != 0)
    for (guint i = number + 1; i < self->parts->len; i++)
      at (self, i)->overtaken |= ls_play_is_done (at (self, i)->state);
  g_free (part->ran);
  part->ran = g_strdup (code);
}
