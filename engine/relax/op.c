/* op: the families of operators as one table (the rows stand in op/, the language of what they take is told in relax.h).
 *
 * Names, order and defaults are those of TVM v0.20.0, because they are printed.
 */
#include "engine/relax/op/op.h"

#include <string.h>

static const LsRelaxOpRow *const FAMILIES[] = {
  ls_relax_ops_unary, ls_relax_ops_binary, ls_relax_ops_linear_algebra, ls_relax_ops_reshape, ls_relax_ops_manipulate, ls_relax_ops_scatter,
  ls_relax_ops_index, ls_relax_ops_statistical, ls_relax_ops_sort, ls_relax_ops_create, ls_relax_ops_convolution, ls_relax_ops_pooling,
  ls_relax_ops_norm, ls_relax_ops_nn, ls_relax_ops_quantize, ls_relax_ops_memory, ls_relax_ops_call, ls_relax_ops_ccl, ls_relax_ops_grad,
};

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
      for (guint f = 0; f < G_N_ELEMENTS (FAMILIES); f++)
        for (const LsRelaxOpRow *row = FAMILIES[f]; row->name != NULL; row++)
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
