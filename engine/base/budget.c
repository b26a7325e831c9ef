/* budget: the bound that long analyses ask in their inner loops.
 *
 * A number of operations (what one operation is, the caller decides) and a GCancellable.  Once
 * used up it stays used up, so that a loop deep inside and its callers come to the same answer.
 */
#include "engine/base/base.h"

void
ls_budget_init (LsBudget     *self,
                gint64        operations,
                GCancellable *cancellable)
{
  g_return_if_fail (self != NULL);

  self->left = operations;
  self->cancellable = cancellable;
  self->exhausted = FALSE;
}

gboolean
ls_budget_take (LsBudget *self,
                gint64    n)
{
  if (self == NULL)
    return TRUE;
  if (self->exhausted)
    return FALSE;
  if ((self->left >= 0 && n > self->left) || g_cancellable_is_cancelled (self->cancellable))
    {
      self->exhausted = TRUE;
      return FALSE;
    }
  if (self->left >= 0)
    self->left -= n;
  return TRUE;
}
