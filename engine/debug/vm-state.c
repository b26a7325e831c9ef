/* vm-state: what registers and memory held at any position of a run of the virtual machine: see vm.h.
 *
 * What was written down are changes; a state is all changes up to a position, one after the other.
 */
#include "engine/debug/vm-private.h"

#include <string.h>

guint
ls_debug_vm_frame_at (LsDebugVM *self,
                      guint      position)
{
  guint found = 0;

  if (position < self->steps->len)
    return ls_debug_vm_step (self, position)->frame;
  for (guint i = 0; i < self->frames->len; i++)
    if (ls_debug_vm_frame (self, i)->caller < 0)
      found = i;                /* at the end: the one that was called first */
  return found;
}

GArray *
ls_debug_vm_registers (LsDebugVM *self,
                       guint      frame,
                       guint      position)
{
  LsVMFrameNote *note = ls_debug_vm_frame (self, frame);
  guint n = ls_debug_vm_function (self, frame)->n_registers;
  GArray *held = g_array_sized_new (FALSE, FALSE, sizeof (int), n);
  int nothing = -1;

  for (guint i = 0; i < n; i++)
    g_array_append_val (held, nothing);
  for (guint i = 0; i < note->effects->len; i++)
    {
      const LsVMEffect *effect = &g_array_index (note->effects, LsVMEffect, i);

      if (effect->position > position)
        break;
      if (effect->reg < n)
        g_array_index (held, int, effect->reg) = effect->thing;
    }
  return held;
}

static void
reach (LsDebugVM *self,
       GArray    *living,
       int        thing)
{
  GArray *fields;

  if (thing < 0 || g_array_index (living, gboolean, thing))
    return;
  g_array_index (living, gboolean, thing) = TRUE;
  fields = ls_debug_vm_thing (self, (guint) thing)->fields;
  for (guint i = 0; i < fields->len; i++)
    reach (self, living, (int) g_array_index (fields, guint, i));
}

/* A tensor keeps the storage that it lies in. */
static void
reach_storages (LsDebugVM *self,
                GArray    *living)
{
  for (guint i = 0; i < self->things->len; i++)
    {
      LsVMThing *thing = ls_debug_vm_thing (self, i);
      LsVMBlock *block = thing->block >= 0 && !thing->is_storage && g_array_index (living, gboolean, i) ? self->blocks->pdata[thing->block] : NULL;
      int storage = -1;

      for (guint k = 0; block != NULL && k < block->tenants->len; k++)
        {
          guint tenant = g_array_index (block->tenants, guint, k);

          if (tenant < i && ls_debug_vm_thing (self, tenant)->is_storage)
            storage = (int) tenant;
        }
      if (storage >= 0)
        g_array_index (living, gboolean, storage) = TRUE;
    }
}

GArray *
ls_debug_vm_living (LsDebugVM *self,
                    guint      position)
{
  GArray *living = g_array_new (FALSE, TRUE, sizeof (gboolean));

  g_array_set_size (living, self->things->len);
  for (guint i = 0; i < self->things->len; i++)
    if (ls_debug_vm_thing (self, i)->is_given && ls_debug_vm_thing (self, i)->born <= position)
      g_array_index (living, gboolean, i) = TRUE;               /* whoever called keeps them, and the executable */
  for (guint f = 0; f < self->frames->len; f++)
    {
      LsVMFrameNote *frame = ls_debug_vm_frame (self, f);
      g_autoptr (GArray) held = frame->begin <= position && position < frame->end ? ls_debug_vm_registers (self, f, position) : NULL;

      for (guint i = 0; held != NULL && i < held->len; i++)
        reach (self, living, g_array_index (held, int, i));
    }
  if (position >= self->steps->len && self->steps->len > 0 && self->result != NULL)
    reach (self, living, ls_debug_vm_step (self, self->steps->len - 1)->gave);
  reach_storages (self, living);
  return living;
}

guint8 *
ls_debug_vm_bytes (LsDebugVM  *self,
                   guint       number,
                   guint       position,
                   GError    **error)
{
  const LsVMThing *thing = ls_debug_vm_thing (self, number);
  LsVMBlock *block = thing->block >= 0 ? self->blocks->pdata[thing->block] : NULL;
  guint8 *bytes;

  if (block == NULL || position >= self->lost)
    {
      g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND,
                   block == NULL ? ls_translate ("%s is no tensor.") : ls_translate ("The values of %s are not kept: the run changes more memory than the debugger keeps."), thing->name);
      return NULL;
    }
  bytes = g_malloc0 (thing->bytes + 1);
  for (guint i = 0; i < block->changes->len; i++)
    {
      const LsVMChange *change = &g_array_index (block->changes, LsVMChange, i);
      gsize first = MAX (change->offset, thing->offset), last = MIN (change->offset + change->bytes, thing->offset + thing->bytes);

      if (change->position > position)
        break;
      if (first < last)
        memcpy (bytes + (first - thing->offset), change->data + (first - change->offset), last - first);
    }
  return bytes;
}

static gboolean
overlap (const LsVMThing *a,
         const LsVMThing *b)
{
  return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static int
find_before (LsDebugVM       *self,
             const LsVMThing *thing)
{
  LsVMBlock *block = thing->block >= 0 ? self->blocks->pdata[thing->block] : NULL;
  g_autoptr (GArray) living = block != NULL ? ls_debug_vm_living (self, thing->born) : NULL;

  for (guint i = block != NULL ? block->tenants->len : 0; i-- > 0;)
    {
      guint tenant = g_array_index (block->tenants, guint, i);
      const LsVMThing *other = ls_debug_vm_thing (self, tenant);

      if (tenant < thing->number && !other->is_storage && overlap (thing, other) && !g_array_index (living, gboolean, tenant))
        return (int) tenant;
    }
  return -1;
}

int
ls_debug_vm_before (LsDebugVM *self,
                    guint      number)
{
  LsVMThing *thing = ls_debug_vm_thing (self, number);

  if (thing->before == -2)
    thing->before = find_before (self, thing);
  return thing->before;
}
