/* session/history-follow: what became of a loop, a block or a buffer on the way from one node to another. */
#include "app/session/history.h"

#include <string.h>

static LsVersion *
version_of (LsHistory *self,
            guint      id)
{
  LsSchedule *schedule = ls_history_get (self, id)->schedule;

  return ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
}

/* Ids are unique along a path only: after a fork two branches give the same numbers. */
static gboolean
on_one_path (LsHistory *self,
             guint      a,
             guint      b)
{
  guint low = MIN (a, b), high = MAX (a, b);

  while (high > low)
    high = ls_history_get (self, high)->parent;
  return high == low;
}

static gint
find_relative (LsVersion      *version,
               const LsEntity *entity)
{
  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      const LsEntity *other = ls_version_at (version, i);

      if (other->type != entity->type)
        continue;
      if (entity->type == LS_ENTITY_LOOP && ls_entity_is_related (entity, other))
        return (gint) i;
      if (entity->type == LS_ENTITY_BLOCK && strcmp (((LsBlock *) entity->node)->name_hint,
                                                     ((LsBlock *) other->node)->name_hint) == 0)
        return (gint) i;
    }
  return -1;
}

guint64
ls_history_follow (LsHistory *self,
                   guint      from,
                   guint      to,
                   guint64    id)
{
  LsVersion *before = version_of (self, from), *after = version_of (self, to);
  gint at = id > 0 ? ls_version_find_id (before, (guint) (id - 1)) : -1;

  if (at >= 0 && on_one_path (self, from, to) && ls_version_find_id (after, (guint) (id - 1)) >= 0)
    return id;
  for (; at >= 0; at = ls_version_at (before, at)->parent)
    {
      gint relative = find_relative (after, ls_version_at (before, at));

      if (relative >= 0)
        return (guint64) ls_version_at (after, relative)->id + 1;
    }
  return 0;
}
