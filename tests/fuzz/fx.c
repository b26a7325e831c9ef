/* fuzz target: any bytes are a graph of torch.fx or an error; a graph becomes a module in both variants, or an error that names a node. */
#include "tests/fuzz/fuzz.h"

#include "engine/frontend/fx/fx.h"

static GHashTable *
make_tensors (void)
{
  static const gint64 SHAPES[][4] = { { 4, 3 }, { 4 }, { 4, 3, 3, 3 } };
  static const char *const NAMES[] = { "w", "m.weight", "m.bias", "c.weight", "m.in_proj_weight", "m.running_mean", "m.running_var" };
  GHashTable *tensors = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    {
      guint kind = i == 3 ? 2 : i == 2 || i > 4 ? 1 : 0;
      GPtrArray *extents = g_ptr_array_new ();
      gsize n = 4;

      for (guint k = 0; k < (kind == 0 ? 2 : kind == 1 ? 1 : 4); k++)
        {
          g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, SHAPES[kind][k]));
          n *= (gsize) SHAPES[kind][k];
        }
      g_hash_table_insert (tensors, (gpointer) NAMES[i], ls_tensor_new (LS_FLOAT32, ls_array_take_ptr_array (extents), g_bytes_new_take (g_malloc0 (n), n)));
    }
  return tensors;
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GHashTable) tensors = make_tensors ();

  for (guint i = 0; i < 3; i++)
    {
      const LsFxOptions options = { .variant = i == 1 ? LS_FX_TE : LS_FX_OPS, .as_tvm = i == 2, .keep_params = i == 2, .no_bind_tuple = i == 2 };
      g_autoptr (GError) error = NULL;
      g_autoptr (LsFxGraph) graph = ls_fx_graph_parse ("graph", (const char *) data, size, tensors, &error);
      g_autoptr (LsModule) module = graph != NULL ? ls_fx_graph_import (graph, &options, &error) : NULL;
      g_autofree char *table = graph != NULL ? ls_fx_graph_tabular (graph) : NULL;

      if (module == NULL && (error == NULL || !g_utf8_validate (error->message, -1, NULL)))
        g_error ("an error without a readable sentence");
    }
  return 0;
}
