/* ptr-map: growing and taking out. */
#include "engine/base/ptr-map.h"

#include <string.h>

static void
use_slots (LsPtrMap *self,
           guint     n_slots)
{
  gboolean inside = n_slots <= LS_PTR_MAP_INSIDE;

  self->slots = inside ? self->inside : g_new0 (LsPtrSlot, n_slots);
  self->mask = (inside ? LS_PTR_MAP_INSIDE : n_slots) - 1;
  if (inside)
    memset (self->inside, 0, sizeof self->inside);
}

/* Slots for n keys: a power of two, a quarter of them free. */
static guint
slots_for (guint n)
{
  guint slots = LS_PTR_MAP_INSIDE;

  while (slots - slots / 4 < n)
    slots *= 2;
  return slots;
}

void
ls_ptr_map_init (LsPtrMap *self,
                 guint     n)
{
  self->n = 0;
  use_slots (self, slots_for (n));
}

void
ls_ptr_map_clear (LsPtrMap *self)
{
  if (self->slots != self->inside)
    g_free (self->slots);
  self->slots = NULL;
}

static void
grow (LsPtrMap *self)
{
  LsPtrSlot *old = self->slots;
  guint n_old = self->mask + 1;

  use_slots (self, n_old * 2);
  for (guint i = 0; i < n_old; i++)
    if (old[i].key != NULL)
      *ls_ptr_map_slot (self, old[i].key) = old[i];
  if (old != self->inside)
    g_free (old);
}

void
ls_ptr_map_set (LsPtrMap      *self,
                gconstpointer  key,
                gpointer       value)
{
  LsPtrSlot *slot = ls_ptr_map_slot (self, key);

  if (slot->key == NULL)
    {
      if (self->n >= self->mask - self->mask / 4)
        {
          grow (self);
          slot = ls_ptr_map_slot (self, key);
        }
      slot->key = (gpointer) key;
      self->n++;
    }
  slot->value = value;
}

gpointer
ls_ptr_map_remove (LsPtrMap      *self,
                   gconstpointer  key)
{
  LsPtrSlot *slot = ls_ptr_map_slot (self, key);
  gpointer value = slot->value;
  guint hole = (guint) (slot - self->slots);

  if (slot->key == NULL)
    return NULL;
  self->n--;
  for (guint i = (hole + 1) & self->mask; self->slots[i].key != NULL; i = (i + 1) & self->mask)
    {
      guint home = ls_ptr_map_home (self, self->slots[i].key);

      if (((i - home) & self->mask) < ((i - hole) & self->mask))
        continue;
      self->slots[hole] = self->slots[i];
      hole = i;
    }
  self->slots[hole] = (LsPtrSlot) { NULL, NULL };
  return value;
}
