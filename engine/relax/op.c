/* op: finding an operator (the rows stand in op/, the language of what they take is told in relax.h).
 *
 * op/table.c hands the families over when the program starts, so that inference, which the rows use, depends on none.
 *
 * Names, order and defaults are those of TVM v0.20.0, because they are printed.
 */
#include "engine/relax/op/op.h"

#include <string.h>

static const LsRelaxOpRow *const *families;
static guint n_families;

void
ls_relax_ops_register (const LsRelaxOpRow *const *rows,
                       guint                      n)
{
  families = rows;
  n_families = n;
}

typedef struct { GHashTable *rows; GPtrArray *names; } Table;

static gint
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static const Table *
table (void)
{
  static Table all;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      all.rows = g_hash_table_new (g_str_hash, g_str_equal);
      all.names = g_ptr_array_new ();
      for (guint f = 0; f < n_families; f++)
        for (const LsRelaxOpRow *row = families[f]; row->name != NULL; row++)
          {
            g_hash_table_insert (all.rows, (gpointer) row->name, (gpointer) row);
            g_ptr_array_add (all.names, (gpointer) row->name);
          }
      g_ptr_array_sort (all.names, by_name);
      g_once_init_leave (&ready, 1);
    }
  return &all;
}

const LsRelaxOpRow *
ls_relax_op_row (const char *name)
{
  return g_str_has_prefix (name, "relax.") ? g_hash_table_lookup (table ()->rows, name + strlen ("relax.")) : NULL;
}

const char *
ls_relax_op_spec (const char *name)
{
  const LsRelaxOpRow *row = ls_relax_op_row (name);

  return row != NULL ? row->spec : NULL;
}

const char *const *
ls_relax_op_names (guint *n)
{
  *n = table ()->names->len;
  return (const char *const *) table ()->names->pdata;
}
