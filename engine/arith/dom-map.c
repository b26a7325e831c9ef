/* dom-map: what variables may be, in the order in which they came.
 *
 * The order matters where results are listed or where the first of several candidates
 * wins; lookup is by a table beside the list.
 */
#include "engine/arith/int-set.h"

#include <string.h>

typedef struct {
  LsVar    *var;
  LsRange  *range;
  LsIntSet *set;                /* of a range: made when it is asked for */
} Entry;

#define N_INSIDE 6
#define N_SCANNED 12            /* with more entries than this there is a table */

struct _LsDomMap {
  Entry      *entries;
  guint       n, size;
  GHashTable *numbers;          /* LsVar -> its number + 1; or NULL */
  Entry       inside[N_INSIDE];
};

static void
entry_clear (Entry *self)
{
  ls_unref (self->var);
  ls_unref (self->range);
  ls_int_set_unref (self->set);
}

LsDomMap *
ls_dom_map_new (void)
{
  LsDomMap *self = ls_cell_alloc (sizeof *self);

  self->entries = self->inside;
  self->n = 0;
  self->size = N_INSIDE;
  self->numbers = NULL;
  return self;
}

void
ls_dom_map_free (LsDomMap *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    entry_clear (&self->entries[i]);
  if (self->entries != self->inside)
    g_free (self->entries);
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  ls_cell_free (self, sizeof *self);
}

static Entry *
find (const LsDomMap *self,
      LsVar          *var)
{
  guint number;

  if (self == NULL)
    return NULL;
  if (self->numbers != NULL)
    {
      number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, var));
      return number > 0 ? &self->entries[number - 1] : NULL;
    }
  for (guint i = 0; i < self->n; i++)
    if (self->entries[i].var == var)
      return &self->entries[i];
  return NULL;
}

static void
number_all (LsDomMap *self)
{
  self->numbers = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->n; i++)
    g_hash_table_insert (self->numbers, self->entries[i].var, GUINT_TO_POINTER (i + 1));
}

static void
grow (LsDomMap *self)
{
  self->size *= 2;
  if (self->entries == self->inside)
    {
      self->entries = g_new (Entry, self->size);
      memcpy (self->entries, self->inside, sizeof self->inside);
    }
  else
    {
      self->entries = g_renew (Entry, self->entries, self->size);
    }
}

static Entry *
find_or_add (LsDomMap *self,
             LsVar    *var)
{
  Entry *entry = find (self, var);

  if (entry != NULL)
    return entry;
  if (self->n == self->size)
    grow (self);
  entry = &self->entries[self->n++];
  *entry = (Entry) { .var = ls_ref (var) };
  if (self->numbers != NULL)
    g_hash_table_insert (self->numbers, var, GUINT_TO_POINTER (self->n));
  else if (self->n > N_SCANNED)
    number_all (self);
  return entry;
}

void
ls_dom_map_set_range (LsDomMap *self,
                      LsVar    *var,
                      LsRange  *range)
{
  Entry *entry = find_or_add (self, var);

  ls_take (&entry->range, ls_ref (range));
  g_clear_pointer (&entry->set, ls_int_set_unref);
}

void
ls_dom_map_set_set (LsDomMap *self,
                    LsVar    *var,
                    LsIntSet *set)
{
  Entry *entry = find_or_add (self, var);
  LsIntSet *old = entry->set;

  ls_take (&entry->range, NULL);
  entry->set = ls_int_set_ref (set);
  ls_int_set_unref (old);
}

LsDomMap *
ls_dom_map_copy (const LsDomMap *self)
{
  LsDomMap *copy = ls_dom_map_new ();

  for (guint i = 0; self != NULL && i < self->n; i++)
    {
      const Entry *from = &self->entries[i];
      Entry *to = find_or_add (copy, from->var);

      to->range = ls_ref (from->range);
      to->set = ls_int_set_ref (from->set);
    }
  return copy;
}

void
ls_dom_map_remove (LsDomMap *self,
                   LsVar    *var)
{
  Entry *entry = find (self, var);
  gsize i;

  if (entry == NULL)
    return;
  i = (gsize) (entry - self->entries);
  entry_clear (entry);
  memmove (entry, entry + 1, (self->n - 1 - i) * sizeof *entry);
  self->n--;
  if (self->numbers == NULL)
    return;
  if (self->n <= N_SCANNED)
    {
      g_clear_pointer (&self->numbers, g_hash_table_unref);
      return;
    }
  g_hash_table_remove (self->numbers, var);
  for (; i < self->n; i++)      /* none, where what came last goes first */
    g_hash_table_insert (self->numbers, self->entries[i].var, GUINT_TO_POINTER (i + 1));
}

gboolean
ls_dom_map_contains (const LsDomMap *self,
                     LsVar          *var)
{
  return find (self, var) != NULL;
}

guint
ls_dom_map_get_n (const LsDomMap *self)
{
  return self != NULL ? self->n : 0;
}

LsVar *
ls_dom_map_get_var (const LsDomMap *self,
                    guint           i)
{
  return self->entries[i].var;
}

LsRange *
ls_dom_map_get_range (const LsDomMap *self,
                      LsVar          *var)
{
  Entry *entry = find (self, var);

  return entry != NULL ? entry->range : NULL;
}

LsIntSet *
ls_dom_map_get_set (const LsDomMap *self,
                    LsVar          *var)
{
  Entry *entry = find (self, var);

  if (entry == NULL)
    return NULL;
  if (entry->set == NULL && entry->range != NULL)
    entry->set = ls_int_set_from_range (entry->range);
  return entry->set;
}

static gboolean
is_in_map (LsVar   *var,
           gpointer self)
{
  return ls_dom_map_contains (self, var);
}

gboolean
ls_dom_map_used_in (const LsDomMap *self,
                    gpointer        node)
{
  return ls_dom_map_get_n (self) > 0 && ls_uses_var (node, is_in_map, (gpointer) self);
}

void
ls_dom_map_bind (const LsDomMap *self,
                 LsAnalyzer     *analyzer)
{
  for (guint i = 0; i < ls_dom_map_get_n (self); i++)
    {
      const Entry *entry = &self->entries[i];

      if (entry->range != NULL)
        ls_analyzer_bind_range (analyzer, entry->var, entry->range, TRUE);
    }
}
