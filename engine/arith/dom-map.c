/* dom-map: what variables may be, in the order in which they came.
 *
 * The order matters where results are listed or where the first of several candidates
 * wins; lookup is by a table beside the list.
 */
#include "engine/arith/int-set.h"

typedef struct {
  LsVar    *var;
  LsRange  *range;
  LsIntSet *set;
} Entry;

struct _LsDomMap {
  GPtrArray  *entries;
  GHashTable *by_var;
};

static void
entry_free (Entry *self)
{
  ls_unref (self->var);
  ls_unref (self->range);
  ls_int_set_unref (self->set);
  g_free (self);
}

LsDomMap *
ls_dom_map_new (void)
{
  LsDomMap *self = g_new0 (LsDomMap, 1);

  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
  self->by_var = g_hash_table_new (NULL, NULL);
  return self;
}

void
ls_dom_map_free (LsDomMap *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_var);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

static Entry *
find (const LsDomMap *self,
      LsVar          *var)
{
  return self != NULL ? g_hash_table_lookup (self->by_var, var) : NULL;
}

static Entry *
find_or_add (LsDomMap *self,
             LsVar    *var)
{
  Entry *entry = find (self, var);

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      entry->var = ls_ref (var);
      g_ptr_array_add (self->entries, entry);
      g_hash_table_insert (self->by_var, var, entry);
    }
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
  entry->set = ls_int_set_from_range (range);
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

  for (guint i = 0; self != NULL && i < self->entries->len; i++)
    {
      Entry *from = self->entries->pdata[i];
      Entry *to = find_or_add (copy, from->var);

      to->range = from->range != NULL ? ls_ref (from->range) : NULL;
      to->set = ls_int_set_ref (from->set);
    }
  return copy;
}

void
ls_dom_map_remove (LsDomMap *self,
                   LsVar    *var)
{
  Entry *entry = find (self, var);

  if (entry == NULL)
    return;
  g_hash_table_remove (self->by_var, var);
  g_ptr_array_remove (self->entries, entry);
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
  return self != NULL ? self->entries->len : 0;
}

LsVar *
ls_dom_map_get_var (const LsDomMap *self,
                    guint           i)
{
  return ((Entry *) self->entries->pdata[i])->var;
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

  return entry != NULL ? entry->set : NULL;
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
      Entry *entry = self->entries->pdata[i];

      if (entry->range != NULL)
        ls_analyzer_bind_range (analyzer, entry->var, entry->range, TRUE);
    }
}
