/* session/history-rebase: all steps of a history once more, on another first program.
 *
 * Works on the lines of each step, so that what is broken in one state of an edit is whole again in a later one.
 */
#include "app/session/devices.h"
#include "app/session/history.h"

static void
copy_time (LsHistoryNode       *node,
           const LsHistoryNode *old,
           gboolean             same)
{
  if (old->time.samples == 0 || old->samples == NULL || !LS_HISTORY_DONE (node))
    return;
  ls_history_set_time (node, &old->time, g_memdup2 (old->samples, old->time.samples * sizeof (double)), old->conditions);
  g_free (node->counted);
  node->counted = g_strdup (old->counted);
  node->stale = old->stale || !same;
}

/* A step of a file that could not be done speaks of names that only the file has: its reason stays. */
static void
copy_words (LsHistoryNode       *node,
            const LsHistoryNode *old,
            gboolean             same)
{
  if (node->refused != NULL && old->refused != NULL)
    {
      g_free (node->refused);
      node->refused = g_strdup (old->refused);
      node->checked_in = old->checked_in;
      node->checked_at = old->checked_at;
    }
  if (same)
    {
      node->trouble = g_strdup (old->trouble);
      node->devices = ls_device_notes_copy (old->devices);
    }
}

LsHistory *
ls_history_rebase (LsHistory  *self,
                   LsModule   *module,
                   const char *title,
                   gboolean    same)
{
  LsHistory *fresh = ls_history_new (module, title);

  ls_history_set_lone (fresh, ls_history_is_lone (self));
  copy_time (ls_history_get (fresh, 0), ls_history_get (self, 0), same);
  ls_history_get (fresh, 0)->bookmark = ls_history_get (self, 0)->bookmark;
  for (guint i = 1; i < ls_history_get_n (self); i++)
    {
      const LsHistoryNode *old = ls_history_get (self, i);
      guint id = ls_history_add (fresh, old->parent, old->naming, ls_history_lines (self, i), old->call, old->name);

      copy_time (ls_history_get (fresh, id), old, same);
      copy_words (ls_history_get (fresh, id), old, same);
      ls_history_get (fresh, id)->bookmark = old->bookmark;
    }
  for (guint i = 0; i < ls_history_get_n (self); i++)
    ls_history_get (fresh, i)->last_child = ls_history_get (self, i)->last_child;
  for (guint i = 0; i < MIN (ls_history_n_branches (self), ls_history_n_branches (fresh)); i++)
    ls_history_name_branch (fresh, i, ls_history_branch_name (self, i));
  return fresh;
}
