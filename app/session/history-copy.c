/* session/history-copy: a history as it is at one moment, for another thread. */
#include "app/session/devices.h"
#include "app/session/history-private.h"

/* What of a node other threads read and nobody changes. (transfer full) */
static LsHistoryNode *
copy_node (const LsHistoryNode *node)
{
  LsHistoryNode *copy = g_new0 (LsHistoryNode, 1);

  *copy = (LsHistoryNode) { .id = node->id, .parent = node->parent, .number = node->number, .branch = node->branch,
                            .schedule = ls_schedule_ref (node->schedule), .first_step = node->first_step, .call = g_strdup (node->call),
                            .name = g_strdup (node->name), .refused = g_strdup (node->refused), .last_child = LS_HISTORY_NONE,
                            .unreached = node->unreached };
  return copy;
}

static void
excerpt_way (LsHistory *self,
             LsHistory *excerpt,
             guint      id)
{
  for (gboolean more = TRUE; more && excerpt->nodes->pdata[id] == NULL;)
    {
      const LsHistoryNode *node = ls_history_get (self, id);

      excerpt->nodes->pdata[id] = copy_node (node);
      more = id != node->parent;
      id = node->parent;
    }
}

/* Of `n` nodes that are yet to come. (transfer full) */
static LsHistory *
begin_copy (LsHistory *self,
            guint      n)
{
  LsHistory *copy = g_new0 (LsHistory, 1);

  copy->nodes = g_ptr_array_new_with_free_func (ls_history_node_free);
  copy->branches = g_ptr_array_new_with_free_func (g_free);
  copy->is_copy = TRUE;
  copy->lone = self->lone;
  copy->strict = self->strict;
  copy->strict_default = self->strict_default;
  g_ptr_array_set_size (copy->nodes, (gint) n);
  for (guint i = 0; i < self->branches->len; i++)
    g_ptr_array_add (copy->branches, g_strdup (ls_history_branch_name (self, i)));
  return copy;
}

LsHistory *
ls_history_excerpt (LsHistory *self,
                    guint      a,
                    guint      b)
{
  LsHistory *excerpt = begin_copy (self, MAX (a, b) + 1);

  excerpt_way (self, excerpt, a);
  excerpt_way (self, excerpt, b);
  return excerpt;
}

LsHistory *
ls_history_snapshot (LsHistory *self)
{
  LsHistory *whole = begin_copy (self, self->nodes->len);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const LsHistoryNode *node = self->nodes->pdata[i];
      LsHistoryNode *copy = whole->nodes->pdata[i] = copy_node (node);

      copy->warning = g_strdup (node->warning);
      copy->item = ls_step_item_copy (node->item);
      copy->time = node->time;
      copy->samples = g_memdup2 (node->samples, node->samples != NULL ? node->time.samples * sizeof (double) : 0);
      copy->last_child = node->last_child;
      copy->stale = node->stale;
      copy->devices = ls_device_notes_copy (node->devices);
      copy->effect = node->effect;
    }
  return whole;
}
