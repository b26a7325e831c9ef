/* ptr-map: a table from addresses to pointers, for the many small tables that a step of a schedule makes.
 *
 * Up to a dozen keys live in the table itself, so that making and dropping one costs nothing; beyond that it is an
 * array of slots.  Open addressing with linear probes, at most three quarters full; a key that is taken out lets the
 * ones behind it move up.  Keys and values are borrowed.  A table must not be copied or moved by assignment.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LS_PTR_MAP_INSIDE 16u

typedef struct {
  gpointer key;                 /* NULL: the slot is free */
  gpointer value;
} LsPtrSlot;

typedef struct {
  LsPtrSlot *slots;
  guint      mask;              /* slots - 1 */
  guint      n;
  LsPtrSlot  inside[LS_PTR_MAP_INSIDE];
} LsPtrMap;

/* An empty table with room for `n` keys. */
void     ls_ptr_map_init   (LsPtrMap      *self,
                            guint          n);
/* Gives back what the table took; it has to be initialised before it is used again. */
void     ls_ptr_map_clear  (LsPtrMap      *self);
/* Sets the value of a key (not NULL), old or new. */
void     ls_ptr_map_set    (LsPtrMap      *self,
                            gconstpointer  key,
                            gpointer       value);
/* Takes a key out and returns its value, NULL when it was not there. */
gpointer ls_ptr_map_remove (LsPtrMap      *self,
                            gconstpointer  key);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsPtrMap, ls_ptr_map_clear)

static inline guint
ls_ptr_map_home (const LsPtrMap *self,
                 gconstpointer   key)
{
  return (guint) (((guint64) (gsize) key * 0x9e3779b97f4a7c15u) >> 32) & self->mask;
}

/* The slot of a key, or the free one where it would go. */
static inline LsPtrSlot *
ls_ptr_map_slot (const LsPtrMap *self,
                 gconstpointer   key)
{
  guint i = ls_ptr_map_home (self, key);

  while (self->slots[i].key != NULL && self->slots[i].key != key)
    i = (i + 1) & self->mask;
  return &self->slots[i];
}

/* The value of a key; NULL when it is not there (or its value is NULL). */
static inline gpointer
ls_ptr_map_get (const LsPtrMap *self,
                gconstpointer   key)
{
  return ls_ptr_map_slot (self, key)->value;
}

static inline gboolean
ls_ptr_map_contains (const LsPtrMap *self,
                     gconstpointer   key)
{
  return ls_ptr_map_slot (self, key)->key != NULL;
}

/* Each slot that is taken; the table must not change meanwhile. */
#define ls_ptr_map_foreach(self, slot) \
  for (LsPtrSlot *slot = (self)->slots; slot <= (self)->slots + (self)->mask; slot++) \
    if (slot->key != NULL)

G_END_DECLS
