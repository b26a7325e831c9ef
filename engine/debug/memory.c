/* memory: a program's accesses through the caches and their order, with the numbers that `run` would make where they depend on data. */
#include "engine/debug/debug.h"

char *
ls_debug_values_words (const char          *name,
                       const LsIndexValues *values)
{
  g_autofree char *range = g_strdup_printf ("%" G_GINT64_FORMAT "–%" G_GINT64_FORMAT, values->low, values->high);

  return values->rises ? g_strdup_printf (ls_translate ("%s: %s, rising"), name, range) : g_strdup_printf ("%s: %s", name, range);
}

/* "K: 0–19999; seed 0". */
static char *
words_of (LsPrimFunc          *func,
          const LsDebugInputs *inputs)
{
  g_autoptr (GPtrArray) sizes = g_ptr_array_new ();
  g_autoptr (GHashTable) values = NULL;
  GString *words = g_string_new (NULL);

  for (guint i = 0; inputs->set != NULL && inputs->set[i] != NULL; i++)
    g_ptr_array_add (sizes, (gpointer) inputs->set[i]);
  values = ls_index_values (func, sizes);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      const LsIndexValues *own = buffer != NULL ? g_hash_table_lookup (values, buffer->data) : NULL;
      g_autofree char *one = own != NULL ? ls_debug_values_words (buffer->name, own) : NULL;

      if (one != NULL)
        g_string_append_printf (words, "%s; ", one);
    }
  {
    g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, inputs->seed);

    g_string_append_printf (words, ls_translate ("seed %s"), seed);
  }
  return g_string_free (words, FALSE);
}

LsMemoryLab *
ls_debug_memory_lab (LsPrimFunc            *func,
                     const LsMemoryOptions *options,
                     const LsDebugInputs   *inputs,
                     GCancellable          *cancellable,
                     GError               **error)
{
  const LsDebugInputs none = { 0 };
  LsMemoryOptions given = *options;
  g_autoptr (GArray) args = NULL;
  LsMemoryLab *lab;

  if (inputs == NULL)
    inputs = &none;
  if (ls_memory_lab_needs_data (func))
    {
      args = ls_debug_arguments (func, inputs, error);
      if (args == NULL)
        return NULL;
      given.args = (const LsInterpArg *) (const void *) args->data;
      given.n_args = args->len;
    }
  lab = ls_memory_lab_new (func, &given, cancellable, error);
  if (lab != NULL && args != NULL)
    lab->data = words_of (func, inputs);
  return lab;
}

LsAccessOrder *
ls_debug_access_order (LsPrimFunc           *func,
                       guint                 most,
                       const LsDebugInputs  *inputs,
                       GCancellable         *cancellable,
                       GError              **error)
{
  const LsDebugInputs none = { 0 };
  g_autoptr (GArray) args = NULL;
  LsAccessOrder *order;

  if (inputs == NULL)
    inputs = &none;
  if (ls_access_order_is_known (func, NULL))
    return ls_access_order_new (func, most, cancellable, error);
  args = ls_debug_arguments (func, inputs, error);
  if (args == NULL)
    return NULL;
  order = ls_access_order_new_of_run (func, (const LsInterpArg *) (const void *) args->data, args->len, most, cancellable, error);
  if (order != NULL)
    order->data = words_of (func, inputs);
  return order;
}
