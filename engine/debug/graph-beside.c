/* graph-beside: what somebody else, such as torch, computed for the values of a graph: written into a folder, one .npy for each tensor, under the
 * names that it has there.
 */
#include "engine/debug/debug-private.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
  char      *name;              /* there */
  LsNDArray *array;
} Other;

struct _LsGraphBeside {
  LsDebugGraph *graph;          /* borrowed */
  GHashTable   *others;         /* number of a value plus one -> Other */
  guint         n_without;
};

static void
other_free (gpointer data)
{
  Other *self = data;

  ls_ndarray_unref (self->array);
  g_free (self->name);
  g_free (self);
}

static gint64
value_named (LsDebugGraph *graph,
             const char   *name)
{
  int number = ls_debug_graph_find (graph, name);

  for (guint i = 0; number < 0 && i < graph->func->params->n; i++)
    if (strcmp (ls_array_at (graph->func->params, i, LsRelaxVar)->name, name) == 0)
      return i;
  return number;
}

static char *
file_of (const char *folder,
         const char *name)
{
  g_autofree char *file = g_strconcat (name, ".npy", NULL);

  return g_build_filename (folder, file, NULL);
}

gboolean
ls_debug_graph_write_values (LsDebugGraph      *self,
                             const char        *folder,
                             const char *const *names,
                             GError           **error)
{
  for (guint i = 0; names[i] != NULL && names[i + 1] != NULL; i += 2)
    {
      gint64 number = value_named (self, names[i + 1]);
      const LsGraphValue *value = number >= 0 ? self->values->pdata[number] : NULL;
      g_autofree char *path = file_of (folder, names[i]);
      LsDLTensor tensor;

      if (value == NULL || value->trouble != NULL)
        continue;
      tensor = (LsDLTensor) { value->data, { LS_DL_CPU, 0 }, (gint32) value->ndim, ls_debug_dl_dtype (value->dtype), (gint64 *) value->shape, NULL, 0 };
      if (!ls_npy_write (path, &tensor, error))
        return FALSE;
    }
  return TRUE;
}

LsGraphBeside *
ls_graph_beside_read (LsDebugGraph      *graph,
                      const char        *folder,
                      const char *const *names,
                      GError           **error)
{
  g_autoptr (LsGraphBeside) self = g_new0 (LsGraphBeside, 1);

  self->graph = graph;
  self->others = g_hash_table_new_full (NULL, NULL, NULL, other_free);
  for (guint i = 0; names[i] != NULL && names[i + 1] != NULL; i += 2)
    {
      gint64 number = value_named (graph, names[i + 1]);
      g_autofree char *path = file_of (folder, names[i]);
      LsNDArray *array;
      Other *other;

      if (number < 0 || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
        {
          self->n_without++;
          continue;
        }
      array = ls_npy_read (path, error);
      if (array == NULL)
        return NULL;
      other = g_new0 (Other, 1);
      other->array = array;
      other->name = g_strdup (names[i]);
      g_hash_table_replace (self->others, GUINT_TO_POINTER ((guint) number + 1), other);
    }
  return g_steal_pointer (&self);
}

void
ls_graph_beside_free (LsGraphBeside *self)
{
  g_clear_pointer (&self->others, g_hash_table_unref);
  g_free (self);
}

guint
ls_graph_beside_get_n_without (LsGraphBeside *self)
{
  return self->n_without;
}

GVariant *
ls_graph_beside_compare (LsGraphBeside *self,
                         guint          number)
{
  const Other *other = g_hash_table_lookup (self->others, GUINT_TO_POINTER (number + 1));

  return other != NULL ? ls_debug_graph_compare_array (self->graph, number, other->name, other->array) : NULL;
}

GVariant *
ls_graph_beside_grid (LsGraphBeside *self,
                      guint          number,
                      const char    *place)
{
  const Other *other = g_hash_table_lookup (self->others, GUINT_TO_POINTER (number + 1));
  const LsDLTensor *tensor = other != NULL ? &other->array->tensor : NULL;
  LsGraphValue value = { 0 };
  gint64 at[16] = { 0 }, from[2] = { 0, 0 };

  if (tensor == NULL || tensor->ndim > 16 || !ls_debug_grid_place (place, at, from, NULL))
    return NULL;
  value.name = other->name;
  value.dtype = ls_debug_dtype_of_dl (tensor->dtype);
  value.ndim = (guint) tensor->ndim;
  value.n = 1;
  for (guint d = 0; d < value.ndim; d++)
    {
      value.shape[d] = tensor->shape[d];
      value.n *= tensor->shape[d];
    }
  value.data = tensor->data;
  return ls_debug_value_grid (&value, at, from[0], from[1]);
}
