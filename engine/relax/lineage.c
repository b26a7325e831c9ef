/* lineage: see the header.  The notes are two tables, there and back; what is asked is all that can be reached. */
#include "engine/relax/lineage.h"

struct _LsRelaxLineage {
  gatomicrefcount refs;
  GHashTable     *after, *before;       /* LsRelaxVar -> GPtrArray of LsRelaxVar, which are keys of the other table: that keeps them */
  GHashTable     *into;                 /* LsRelaxVar -> GPtrArray of LsRelaxVar, both held */
  LsRelaxLineage *outer;                /* that recorded when this one began */
};

static _Thread_local LsRelaxLineage *recording;

LsRelaxLineage *
ls_relax_lineage_new (void)
{
  LsRelaxLineage *self = g_new0 (LsRelaxLineage, 1);

  g_atomic_ref_count_init (&self->refs);
  self->after = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) g_ptr_array_unref);
  self->into = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) g_ptr_array_unref);
  self->before = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

LsRelaxLineage *
ls_relax_lineage_ref (LsRelaxLineage *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_relax_lineage_unref (LsRelaxLineage *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_hash_table_unref (self->into);
  g_hash_table_unref (self->before);
  g_hash_table_unref (self->after);
  g_free (self);
}

void
ls_relax_lineage_begin (LsRelaxLineage *self)
{
  self->outer = recording;
  recording = self;
}

void
ls_relax_lineage_end (LsRelaxLineage *self)
{
  g_return_if_fail (recording == self);
  recording = self->outer;
}

/* The list of a key, made when there is none. */
static GPtrArray *
list_of (GHashTable *table,
         LsNode     *key)
{
  GPtrArray *list = g_hash_table_lookup (table, key);

  if (list == NULL)
    g_hash_table_insert (table, ls_node_ref (key), list = g_ptr_array_new ());
  return list;
}

void
ls_relax_lineage_note (gpointer before,
                       gpointer after)
{
  if (recording == NULL || before == after || !ls_is_relax_var (before) || !ls_is_relax_var (after))
    return;
  if (g_ptr_array_find (list_of (recording->after, before), after, NULL))
    return;
  g_ptr_array_add (list_of (recording->after, before), after);
  g_ptr_array_add (list_of (recording->before, after), before);
}

void
ls_relax_lineage_note_into (gpointer before,
                            gpointer after)
{
  GPtrArray *list;

  if (recording == NULL || before == after || !ls_is_relax_var (before) || !ls_is_relax_var (after))
    return;
  list = g_hash_table_lookup (recording->into, before);
  if (list == NULL)
    g_hash_table_insert (recording->into, ls_node_ref (before), list = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref));
  if (!g_ptr_array_find (list, after, NULL))
    g_ptr_array_add (list, ls_node_ref (after));
}

/* Breadth first; the list is the queue. */
static GPtrArray *
reach (GHashTable *table,
       LsRelaxVar *var)
{
  GPtrArray *found = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_hash_table_add (seen, var);
  g_ptr_array_add (found, var);
  for (guint i = 0; i < found->len; i++)
    {
      GPtrArray *next = g_hash_table_lookup (table, found->pdata[i]);

      for (guint k = 0; next != NULL && k < next->len; k++)
        if (g_hash_table_add (seen, next->pdata[k]))
          g_ptr_array_add (found, next->pdata[k]);
    }
  return found;
}

GPtrArray *
ls_relax_lineage_get (LsRelaxLineage *const *parts,
                      guint                  n,
                      LsRelaxVar            *var)
{
  GPtrArray *found = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_hash_table_add (seen, var);
  g_ptr_array_add (found, var);
  for (guint i = 0; i < found->len; i++)
    for (guint p = 0; p < n; p++)
      {
        GPtrArray *nexts[] = { g_hash_table_lookup (parts[p]->after, found->pdata[i]), g_hash_table_lookup (parts[p]->into, found->pdata[i]) };

        for (guint t = 0; t < G_N_ELEMENTS (nexts); t++)
          for (guint k = 0; nexts[t] != NULL && k < nexts[t]->len; k++)
            if (g_hash_table_add (seen, nexts[t]->pdata[k]))
              g_ptr_array_add (found, nexts[t]->pdata[k]);
      }
  return found;
}

GPtrArray *
ls_relax_lineage_after (LsRelaxLineage *self,
                        LsRelaxVar     *var)
{
  return reach (self->after, var);
}

GPtrArray *
ls_relax_lineage_before (LsRelaxLineage *self,
                         LsRelaxVar     *var)
{
  return reach (self->before, var);
}
