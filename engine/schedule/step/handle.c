/* handle: what the handles of a schedule mean.
 *
 * A handle is the lineage id of a place, so it means the same thing after undo.
 */
#include "engine/schedule/step/move.h"

void
ls_handles_init (LsHandles *self)
{
  ls_ptr_map_init (&self->by_var, 0);
}

static void
handle_free (LsHandle *self)
{
  if (self == NULL)
    return;
  ls_unref (self->value);
  ls_cell_free (self, sizeof *self);
}

void
ls_handles_clear (LsHandles *self)
{
  ls_ptr_map_foreach (&self->by_var, slot)
    handle_free (slot->value);
  ls_ptr_map_clear (&self->by_var);
}

void
ls_handles_add (LsHandles    *self,
                LsVar        *var,
                LsEntityType  type,
                guint         id,
                LsExpr       *value)
{
  LsHandle *handle = ls_cell_alloc0 (sizeof *handle);

  handle->type = type;
  handle->id = id;
  handle->value = ls_ref (value);
  ls_ptr_map_set (&self->by_var, var, handle);
}

void
ls_handles_remove (LsHandles *self,
                   gpointer   var)
{
  handle_free (ls_ptr_map_remove (&self->by_var, var));
}

const LsHandle *
ls_handles_get (LsHandles *self,
                LsVar     *var)
{
  return ls_ptr_map_get (&self->by_var, var);
}
