/* place: the memory of a loop or block, and of what is known inside it.
 */
#include "engine/schedule/state/state.h"

static void
accesses_clear (LsPtrMap *self)
{
  ls_ptr_map_foreach (self, slot)
    g_ptr_array_unref (slot->value);
  ls_ptr_map_clear (self);
}

void
ls_scope_free (LsScope *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  accesses_clear (&self->readers);
  accesses_clear (&self->writers);
  g_free (self);
}

LsSref *
ls_sref_alloc (void)
{
  return ls_cell_alloc0 (sizeof (LsSref));
}

void
ls_sref_free (LsSref *self)
{
  if (self == NULL)
    return;
  if (self->scope != NULL)
    ls_scope_free (self->scope);
  g_clear_pointer (&self->uses, g_ptr_array_unref);
  ls_cell_free (self, sizeof *self);
}
