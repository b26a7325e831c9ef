/* LsWhy: a plain record. */
#include "views/models/why.h"

LsWhy *
ls_why_new (void)
{
  LsWhy *self = g_new0 (LsWhy, 1);

  for (guint i = 0; i < LS_WHY_N_TABLES; i++)
    self->tables[i].rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->shares[LS_WHY_BESIDE] = self->shares[LS_WHY_SHOWN] = -1.0;
  return self;
}

void
ls_why_free (LsWhy *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < LS_WHY_N_TABLES; i++)
    {
      g_ptr_array_unref (self->tables[i].rows);
      g_free (self->tables[i].words);
    }
  for (guint i = 0; i < LS_WHY_N_SIDES; i++)
    g_clear_object (&self->items[i]);
  g_free (self->whose);
  g_free (self->times);
  g_free (self->sizes);
  g_free (self->bound);
  g_free (self->sentence);
  g_free (self->next);
  g_free (self->beside);
  g_free (self->share);
  g_free (self->missing);
  g_free (self->button);
  g_free (self);
}

void
ls_why_add_row (LsWhyTable *table,
                char      **cells)
{
  g_ptr_array_add (table->rows, cells);
}

char *
ls_why_both (char *beside,
             char *shown)
{
  g_autofree char *a = beside, *b = shown;

  if (a == NULL || g_strcmp0 (a, b) == 0)
    return g_strdup (b != NULL ? b : "–");
  return g_strdup_printf ("%s → %s", a, b != NULL ? b : "–");
}
