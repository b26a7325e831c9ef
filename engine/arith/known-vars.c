/* known-vars: ranges and bounds of variables, in one list.
 *
 * Analysers live for a question or two about the handful of loops around a place: a short list is searched from its
 * start; only a longer one gets a table beside it.
 */
#include "engine/arith/arith-private.h"

#define N_SCANNED 12            /* with more than this there is a table */

static void
index_last (LsKnownVars *self)
{
  if (self->numbers == NULL && self->n <= N_SCANNED)
    return;
  if (self->numbers == NULL)
    {
      self->numbers = g_hash_table_new (NULL, NULL);
      for (guint i = 0; i + 1 < self->n; i++)
        g_hash_table_insert (self->numbers, self->items[i].var, GUINT_TO_POINTER (i + 1));
    }
  g_hash_table_insert (self->numbers, self->items[self->n - 1].var, GUINT_TO_POINTER (self->n));
}

LsKnownVar *
ls_known_vars_find (const LsKnownVars *self,
                    gconstpointer      var)
{
  guint number;

  if (self->numbers != NULL)
    {
      number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, var));
      return number > 0 ? &self->items[number - 1] : NULL;
    }
  for (guint i = 0; i < self->n; i++)
    if (self->items[i].var == var)
      return &self->items[i];
  return NULL;
}

LsKnownVar *
ls_known_vars_get (LsKnownVars *self,
                   LsVar       *var)
{
  LsKnownVar *item = ls_known_vars_find (self, var);

  if (item != NULL)
    return item;
  if (self->n == self->size)
    {
      self->size = MAX (8, self->size * 2);
      self->items = g_renew (LsKnownVar, self->items, self->size);
    }
  item = &self->items[self->n++];
  *item = (LsKnownVar) { .var = ls_ref (var) };
  index_last (self);
  return item;
}

void
ls_known_vars_copy (const LsKnownVars *self,
                    LsKnownVars       *to)
{
  for (guint i = 0; i < self->n; i++)
    {
      const LsKnownVar *from = &self->items[i];
      LsKnownVar *item = ls_known_vars_get (to, from->var);

      if (from->range != NULL)
        ls_take (&item->range, ls_ref (from->range));
      item->bounded = from->bounded;
      item->bound = from->bound;
    }
}

void
ls_known_vars_reset (LsKnownVars *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      ls_unref (self->items[i].var);
      ls_unref (self->items[i].range);
    }
  self->n = 0;
  g_clear_pointer (&self->numbers, g_hash_table_unref);
}

void
ls_known_vars_clear (LsKnownVars *self)
{
  ls_known_vars_reset (self);
  g_clear_pointer (&self->items, g_free);
  self->size = 0;
}
