/* graph-look: what is told of the values of a graph: their figures, the first odd one, and the way into the function that made one.
 */
#include "engine/debug/debug-private.h"
#include "engine/debug/vm.h"

static gboolean
is_odd (const LsGraphValue *value)
{
  return value->n_nan + value->n_infinite > 0;
}

int
ls_debug_graph_first_odd (LsDebugGraph *self)
{
  for (guint i = 0; i < self->values->len; i++)
    {
      LsGraphValue *value = self->values->pdata[i];
      gboolean clean = is_odd (value);

      for (guint k = 0; clean && k < value->inputs->len; k++)
        clean = !is_odd (self->values->pdata[g_array_index (value->inputs, guint, k)]);
      if (clean)
        return (int) i;
    }
  return -1;
}

char *
ls_debug_graph_element (const LsGraphValue *value,
                        gint64              i)
{
  GString *words = g_string_new (NULL);
  gint64 indices[16];

  for (guint d = value->ndim; d-- > 0;)
    {
      indices[d] = i % MAX (value->shape[d], 1);
      i /= MAX (value->shape[d], 1);
    }
  for (guint d = 0; d < value->ndim; d++)
    g_string_append_printf (words, "%s%" G_GINT64_FORMAT, d > 0 ? ", " : "[", indices[d]);
  g_string_append (words, value->ndim > 0 ? "]" : "[()]");
  return g_string_free (words, FALSE);
}

GVariant *
ls_debug_graph_look (LsDebugGraph *self,
                     guint         number)
{
  const LsGraphValue *value = self->values->pdata[number];
  GVariantBuilder shape, inputs, bins;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_builder_init (&shape, G_VARIANT_TYPE ("ax"));
  g_variant_builder_init (&inputs, G_VARIANT_TYPE ("as"));
  g_variant_builder_init (&bins, G_VARIANT_TYPE ("ax"));
  for (guint d = 0; d < value->ndim; d++)
    g_variant_builder_add (&shape, "x", value->shape[d]);
  for (guint i = 0; i < value->inputs->len; i++)
    g_variant_builder_add (&inputs, "s", ((LsGraphValue *) self->values->pdata[g_array_index (value->inputs, guint, i)])->name);
  for (guint i = 0; i < LS_GRAPH_BINS; i++)
    g_variant_builder_add (&bins, "x", value->histogram[i]);
  g_variant_dict_insert (&dict, "number", "u", number);
  g_variant_dict_insert (&dict, "binding", "s", value->name);
  g_variant_dict_insert (&dict, "op", "s", value->op);
  g_variant_dict_insert_value (&dict, "inputs", g_variant_builder_end (&inputs));
  if (value->trouble != NULL)
    g_variant_dict_insert (&dict, "trouble", "s", value->trouble);
  if (value->trouble == NULL)
    {
      g_variant_dict_insert (&dict, "type", "s", ls_dtype_name (value->dtype));
      g_variant_dict_insert (&dict, "least", "d", value->least);
      g_variant_dict_insert (&dict, "mean", "d", value->mean);
      g_variant_dict_insert (&dict, "most", "d", value->most);
      g_variant_dict_insert (&dict, "nan", "x", value->n_nan);
      g_variant_dict_insert (&dict, "infinite", "x", value->n_infinite);
    }
  g_variant_dict_insert_value (&dict, "shape", g_variant_builder_end (&shape));
  g_variant_dict_insert_value (&dict, "histogram", g_variant_builder_end (&bins));
  if (value->first_odd >= 0 && is_odd (value))
    {
      g_autofree char *words = ls_debug_graph_element (value, value->first_odd);

      g_variant_dict_insert (&dict, "first-odd", "s", words);
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* The arguments of the call that made the value, copied: its outputs are written again. */
static GArray *
arguments_again (LsDebugGraph       *self,
                 const LsGraphValue *value)
{
  GArray *args = ls_debug_arguments_empty ();
  guint n = value->func->params->n;

  for (guint i = 0; i < n; i++)
    {
      const LsGraphValue *from = i < value->inputs->len ? self->values->pdata[g_array_index (value->inputs, guint, i)] : value;
      LsInterpArg arg = ls_graph_value_argument (from);
      gsize bytes = (gsize) from->n * ls_dtype_bytes (from->dtype);

      arg.data = i < value->inputs->len ? g_memdup2 (from->data, bytes + 1) : g_malloc0 (bytes + 1);
      arg.shape = g_memdup2 (from->shape, sizeof (gint64) * (from->ndim + 1));
      g_array_append_val (args, arg);
    }
  return args;
}

LsDebug *
ls_debug_graph_into (LsDebugGraph *self,
                     guint         number,
                     GError      **error)
{
  const LsGraphValue *value = self->values->pdata[number];
  guint n_outputs = value->func != NULL ? value->func->params->n - value->inputs->len : 0;

  if (value->func != NULL && n_outputs == 1)
    return ls_debug_new_with (self->module, value->func, arguments_again (self, value), error);
  g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, ls_translate ("%s is not made by a call of TensorIR with one result."), value->name);
  return NULL;
}

GVariant *
ls_debug_graph_nan (LsDebugGraph *self)
{
  int number = ls_debug_graph_first_odd (self);
  g_autoptr (LsDebug) inside = NULL;
  g_autoptr (GVariant) look = NULL;
  GVariantDict dict;

  if (number < 0)
    return NULL;
  look = ls_debug_graph_look (self, (guint) number);
  g_variant_dict_init (&dict, look);
  inside = ls_debug_graph_into (self, (guint) number, NULL);
  if (inside != NULL)
    {
      LsStop *stop = ls_debug_stop_parse (inside, "nan", NULL);

      if (stop != NULL && ls_debug_seek (inside, FALSE, stop, TRUE))
        {
          g_autoptr (GVariant) seen = ls_debug_look (inside);

          g_variant_dict_insert_value (&dict, "inside", seen);
        }
    }
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}
