/* lineage: see the header.  An edge for each time that something was put in a variable's place; variables are held, so that none of them is the
 * address of another one later. */
#include "engine/relax/lineage.h"

struct _LsRelaxLineage
{
  gatomicrefcount refs;
  LsRelaxLineage *outer;        /* that notes too; not held */
  GHashTable     *became;       /* LsRelaxVar -> GPtrArray of LsRelaxVar, both held */
};

static GPrivate noting;         /* LsRelaxLineage, or NULL */

static void
unref_any (gpointer node)
{
  ls_node_unref (node);
}

LsRelaxLineage *
ls_relax_lineage_begin (void)
{
  LsRelaxLineage *self = g_new0 (LsRelaxLineage, 1);

  g_atomic_ref_count_init (&self->refs);
  self->became = g_hash_table_new_full (NULL, NULL, unref_any, (GDestroyNotify) g_ptr_array_unref);
  self->outer = g_private_get (&noting);
  g_private_set (&noting, self);
  return self;
}

void
ls_relax_lineage_end (LsRelaxLineage *self)
{
  g_return_if_fail (g_private_get (&noting) == self);

  g_private_set (&noting, self->outer);
  self->outer = NULL;
}

static void
note (LsRelaxLineage *self,
      LsRelaxVar     *var,
      LsRelaxVar     *now)
{
  GPtrArray *list = g_hash_table_lookup (self->became, var);

  if (list == NULL)
    g_hash_table_insert (self->became, ls_ref (var), list = g_ptr_array_new_with_free_func (unref_any));
  if (!g_ptr_array_find (list, now, NULL))
    g_ptr_array_add (list, ls_ref (now));
}

void
ls_relax_lineage_note (LsRelaxVar *var,
                       gpointer    now)
{
  if (var == now || !ls_is_relax_var (now))
    return;
  for (LsRelaxLineage *self = g_private_get (&noting); self != NULL; self = self->outer)
    note (self, var, now);
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
  g_hash_table_unref (self->became);
  g_free (self);
}

GPtrArray *
ls_relax_lineage_get (LsRelaxLineage *const *parts,
                      guint                  n,
                      LsRelaxVar            *var)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GPtrArray *all = g_ptr_array_new ();

  g_ptr_array_add (all, var);
  g_hash_table_add (seen, var);
  for (guint at = 0; at < all->len; at++)
    for (guint p = 0; p < n; p++)
      {
        GPtrArray *next = g_hash_table_lookup (parts[p]->became, all->pdata[at]);

        for (guint i = 0; next != NULL && i < next->len; i++)
          if (g_hash_table_add (seen, next->pdata[i]))
            g_ptr_array_add (all, next->pdata[i]);
      }
  return all;
}
